//! What requests ask for: JSON, numbers and keys, refused with a sentence if they are malformed.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use language::said;
use plan::Key;
use serde::de::DeserializeOwned;

use super::answer::Problem;

/// A body of JSON.
pub(super) struct Asked<T>(pub(super) T);

/// The number of a version or a team in a path.
pub(super) struct Number(pub(super) u32);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, shared: &S) -> Result<Self, Problem> {
        let body = Json::<T>::from_request(request, shared).await;
        body.map(|Json(asked)| Self(asked)).map_err(|error| malformed(&error))
    }
}

fn malformed(error: &JsonRejection) -> Problem {
    let why = error.body_text();
    Problem::Malformed(said!("expected JSON: {why}", "du JSON est attendu : {why}"))
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
