//! Authentication of requests: tokens in headers and cookies, and limits of guesses.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use course::{CourseError, TeamId, Who};
use language::log;
use limits::{Failures, Source};
use parking_lot::Mutex;
use tokio::time::Instant;

use super::Shared;
use super::answer::Problem;

/// The name of the cookie with the token.
const COOKIE: &str = "jeton";
/// Seconds for which a browser keeps the cookie: longer than a course lasts.
const KEPT: u32 = 200 * 24 * 60 * 60;

/// Wrong tokens by source; further ones are answered with status 429.
#[derive(Debug, Default)]
pub(super) struct Guesses(Mutex<Failures<Source>>);

impl Guesses {
    /// Refuses who has guessed wrong too often.
    pub(super) fn check(&self, from: IpAddr) -> Result<(), Problem> {
        let too_many = self.0.lock().are_too_many(&Source::from(from), Instant::now());
        if too_many { Err(Problem::TooMany) } else { Ok(()) }
    }

    /// Counts a wrong guess.
    pub(super) fn count(&self, from: IpAddr) {
        self.0.lock().count(Source::from(from), Instant::now());
    }
}

/// The source of a request, with or without a valid token.
pub(super) struct Anybody(pub(super) Option<Who>);

/// A team that asks with its token.
pub(super) struct ByTeam(pub(super) TeamId);

/// The teacher, who asks with the token of the course.
pub(super) struct ByTeacher;

/// Whose token this is. The right token is always accepted, so that the wrong tokens of others lock nobody out.
pub(super) async fn who(shared: &Shared, token: &str, address: IpAddr) -> Result<Who, Problem> {
    let asked = token.to_owned();
    let known: Result<_, CourseError> = shared.room.read(move |reader| reader.who(&asked)).await;
    if let Some(who) = known? {
        return Ok(who);
    }
    shared.guesses.check(address)?;
    shared.guesses.count(address);
    log!(warn, "a wrong token from {address}", "un faux jeton de {address}");
    Err(Problem::Token)
}

/// The token of a request, from its `Authorization` header or else from its cookie.
fn token(headers: &HeaderMap) -> Option<&str> {
    if let Some(bearer) = headers.get(header::AUTHORIZATION) {
        return bearer.to_str().ok()?.strip_prefix("Bearer ");
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs =
        cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| name.trim() == COOKIE).map(|(_, value)| value.trim())
}

/// The header that gives a browser the token, or takes it away.
pub(super) fn cookie(token: Option<&str>, is_secure: bool) -> String {
    let (token, age) = (token.unwrap_or_default(), token.map_or(0, |_| KEPT));
    let secure = if is_secure { "; Secure" } else { "" };
    format!("{COOKIE}={token}; Max-Age={age}; Path=/; HttpOnly; SameSite=Strict{secure}")
}

/// The address that a request comes from: behind a reverse proxy on this machine, the one that it tells.
pub(super) fn address(parts: &Parts, has_proxy: bool) -> Option<IpAddr> {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>()?.ip();
    let told = || {
        // The last one is the proxy's own; the client may have written others before it.
        let last = parts.headers.get_all("x-forwarded-for").iter().next_back()?;
        last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    };
    Some(if has_proxy && peer.is_loopback() { told().unwrap_or(peer) } else { peer })
}

impl FromRequestParts<Arc<Shared>> for Anybody {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Problem> {
        let Some(token) = token(&parts.headers) else { return Ok(Self(None)) };
        let address = address(parts, shared.has_proxy()).ok_or(Problem::Token)?;
        who(shared, token, address).await.map(|who| Self(Some(who)))
    }
}

impl FromRequestParts<Arc<Shared>> for ByTeam {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Problem> {
        match Anybody::from_request_parts(parts, shared).await? {
            Anybody(Some(Who::Team(team))) => Ok(Self(team)),
            _ => Err(Problem::Token),
        }
    }
}

impl FromRequestParts<Arc<Shared>> for ByTeacher {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Problem> {
        match Anybody::from_request_parts(parts, shared).await? {
            Anybody(Some(Who::Teacher)) => Ok(Self),
            _ => Err(Problem::Token),
        }
    }
}
