//! The actions of the organiser from the page, and the check of the organiser's token.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use language::log;
use limits::{Failures, Source};
use parking_lot::Mutex;
use serde_json::json;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::Shared;
use plan::OrganiserAction;

/// The organiser, who controls the tournament.
#[derive(Clone)]
pub struct Organiser {
    /// The secret of the organiser, which must not be guessable.
    pub token: String,
    /// The channel for the organiser's actions.
    pub actions: mpsc::Sender<OrganiserAction>,
}

impl fmt::Debug for Organiser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Organiser").finish_non_exhaustive()
    }
}

/// Checks the organiser's token, and limits attempts to guess it.
#[derive(Debug)]
pub(super) struct Guard {
    /// The hash of the token; comparing hashes reveals not even the token's length by its duration.
    digest: [u8; 32],
    /// Wrong tokens by source; further ones are answered with status 429.
    failures: Mutex<Failures<Source>>,
    actions: mpsc::Sender<OrganiserAction>,
}

/// A reason to refuse an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The token is missing or wrong.
    Token,
    /// There were too many wrong tokens.
    TooMany,
    /// The tournament no longer takes actions, or its queue of actions is full.
    Busy,
    /// The action or the game's key is invalid, or there is no organiser.
    Unknown,
}

impl Guard {
    pub(super) fn new(organiser: Organiser) -> Self {
        let digest = Sha256::digest(organiser.token).into();
        Self { digest, failures: Mutex::default(), actions: organiser.actions }
    }

    /// Checks the token of a request from `address`. The right token is always accepted, so that the wrong tokens of others
    /// cannot lock the organiser out.
    fn check(&self, headers: &HeaderMap, address: IpAddr, now: Instant) -> Result<(), Refusal> {
        let given = headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
        let Some(given) = given.and_then(|given| given.strip_prefix(b"Bearer ")) else {
            // Any page can make a browser send requests without a token, so they do not count as guesses.
            return Err(Refusal::Token);
        };
        let digest: [u8; 32] = Sha256::digest(given).into();
        if digest.ct_eq(&self.digest).into() {
            return Ok(());
        }
        let mut failures = self.failures.lock();
        let source = Source::from(address);
        if failures.are_too_many(&source, now) {
            return Err(Refusal::TooMany);
        }
        failures.count(source, now);
        log!(
            warn,
            "a wrong organiser's token from {address}",
            "un faux jeton d'organisateur de {address}"
        );
        Err(Refusal::Token)
    }

    fn act(&self, action: OrganiserAction) -> Result<StatusCode, Refusal> {
        self.actions.try_send(action).map_err(|_| Refusal::Busy)?;
        Ok(StatusCode::ACCEPTED)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, why) = match self {
            Self::Token => (StatusCode::UNAUTHORIZED, "token"),
            Self::TooMany => (StatusCode::TOO_MANY_REQUESTS, "too_many"),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            Self::Unknown => (StatusCode::NOT_FOUND, "unknown"),
        };
        web::json(status, json!({ "error": why }).to_string())
    }
}

/// The guard that a request has passed. Without the token, a request cannot even find out the names of actions.
pub(super) struct Passed(Arc<Guard>);

impl FromRequestParts<Shared> for Passed {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refusal> {
        let guard = shared.guard.clone().ok_or(Refusal::Unknown)?;
        let address = parts.extensions.get::<ConnectInfo<SocketAddr>>().ok_or(Refusal::Unknown)?;
        guard.check(&parts.headers, address.ip(), Instant::now())?;
        Ok(Self(guard))
    }
}

/// Answers whether the token is right; the page asks before it shows the organiser's buttons.
pub(super) async fn who(_: Passed) -> StatusCode {
    StatusCode::NO_CONTENT
}

/// Answers the organiser with the refused players, each as a sentence in both languages.
pub(super) async fn refused(_: Passed, State(shared): State<Shared>) -> Response {
    web::json(StatusCode::OK, json!(&shared.state.borrow().refused).to_string())
}

/// Runs an action: `start`, `pause`, `resume` or `end`.
pub(super) async fn act(
    Passed(guard): Passed,
    Path(action): Path<String>,
) -> Result<StatusCode, Refusal> {
    guard.act(match &*action {
        "start" => OrganiserAction::Start,
        "pause" => OrganiserAction::Pause,
        "resume" => OrganiserAction::Resume,
        "end" => OrganiserAction::End,
        _ => return Err(Refusal::Unknown),
    })
}

/// Features the game with a key.
pub(super) async fn feature(
    Passed(guard): Passed,
    Path(key): Path<String>,
) -> Result<StatusCode, Refusal> {
    guard.act(OrganiserAction::Feature(key.parse().map_err(|_| Refusal::Unknown)?))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn headers(token: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, format!("Bearer {token}").parse().unwrap());
        headers
    }

    fn guard() -> Guard {
        let (actions, _) = mpsc::channel(1);
        Guard::new(Organiser { token: "secret".to_owned(), actions })
    }

    #[test]
    fn wrong_tokens_are_limited_and_the_right_one_is_not() {
        let (guard, start) = (guard(), Instant::now());
        let [a, b] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        let check = |token: &str, from, now| guard.check(&headers(token), from, now);
        for _ in 0..5 {
            assert_eq!(check("guess", a, start), Err(Refusal::Token));
        }
        assert_eq!(check("guess", a, start), Err(Refusal::TooMany));
        assert_eq!(check("guess", b, start), Err(Refusal::Token));
        assert_eq!(check("secret", a, start), Ok(()));
        assert_eq!(check("guess", a, start + Duration::from_secs(30)), Err(Refusal::Token));
    }

    #[test]
    fn no_token_is_no_wrong_one() {
        let (guard, from, now) = (guard(), IpAddr::from([10, 0, 0, 1]), Instant::now());
        let basic = (header::AUTHORIZATION, "Basic eDp5".parse().unwrap());
        for headers in [HeaderMap::new(), [basic].into_iter().collect()] {
            for _ in 0..10 {
                assert_eq!(guard.check(&headers, from, now), Err(Refusal::Token));
            }
        }
        assert_eq!(guard.check(&headers("guess"), from, now), Err(Refusal::Token));
    }

    #[test]
    fn only_the_whole_token_counts() {
        let (guard, from, now) = (guard(), IpAddr::from([10, 0, 0, 1]), Instant::now());
        for wrong in ["", "secre", "secrets", "Secret"] {
            let guard = self::guard();
            assert_eq!(guard.check(&headers(wrong), from, now), Err(Refusal::Token), "{wrong}");
        }
        assert_eq!(guard.check(&headers("secret"), from, now), Ok(()));
    }
}
