//! Parts of requests: JSON, numbers and keys, refused with a sentence if they are malformed, and the language of the answer.

use std::convert::Infallible;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use language::{Language, note};
use plan::Key;
use serde::de::DeserializeOwned;

use super::answer::Problem;

/// A body of JSON.
pub(super) struct Asked<T>(pub(super) T);

/// The number of a version or a team in a path.
pub(super) struct Number(pub(super) u32);

/// The language that a request asks for in `Accept-Language`; without one, that of the process.
pub(super) struct Spoken(pub(super) Language);

impl Spoken {
    /// The first known language of the header. Weights are not read: browsers list the best one first.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let listed = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let mut codes = listed.unwrap_or_default().split(',').map(|one| one.trim().get(..2));
        let known = codes.find_map(|code| Language::from_code(&code?.to_ascii_lowercase()));
        Self(known.unwrap_or_else(Language::chosen))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Spoken {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, shared: &S) -> Result<Self, Problem> {
        let body = Json::<T>::from_request(request, shared).await;
        body.map(|Json(asked)| Self(asked)).map_err(|error| malformed(&error))
    }
}

fn malformed(error: &JsonRejection) -> Problem {
    let why = error.body_text();
    Problem::Malformed(note!("expected JSON: {why}", "du JSON est attendu : {why}"))
}

impl<S: Send + Sync> FromRequestParts<S> for Number {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &S) -> Result<Self, Problem> {
        let number = Path::<u32>::from_request_parts(parts, shared).await;
        number.map(|Path(number)| Self(number)).map_err(|_| Problem::Missing)
    }
}

/// The key after `avant=` (`before=`) in a query.
pub(super) fn before(query: Option<&str>) -> Result<Key, Problem> {
    let pairs = query.unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    let key =
        pairs.filter(|(name, _)| matches!(*name, "avant" | "before")).map(|(_, key)| key).next();
    key.and_then(|key| key.parse().ok()).ok_or(Problem::Missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_language_is_spoken() {
        for (asked, language) in [
            ("fr", Language::French),
            ("fr-CH, en;q=0.5", Language::French),
            ("de, en-GB;q=0.9, fr;q=0.8", Language::English),
            ("*", Language::chosen()),
            ("", Language::chosen()),
            ("x, FR", Language::French),
            ("é, fr", Language::chosen()),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, asked.parse().unwrap());
            assert_eq!(Spoken::of(&headers).0, language, "{asked}");
        }
        assert_eq!(Spoken::of(&HeaderMap::new()).0, Language::chosen());
    }
}
