//! Answers to requests, and why some are refused.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use course::{CourseError, ImportError, Refusal};
use language::{Language, Note, log, said};
use serde::Serialize;
use serde_json::json;

use super::asked::Spoken;
use crate::hand_in::HandInError;

/// The reason why a request is refused.
#[derive(Debug)]
pub(super) enum Problem {
    /// The token is missing or wrong.
    Token,
    /// There were too many wrong tokens, or too many requests at a time.
    TooMany,
    /// There is no such thing, or it is another team's.
    Missing,
    /// The request is malformed; with what was expected.
    Malformed(Note),
    /// The upload is larger than this number of bytes.
    TooLarge(u64),
    /// The upload is refused.
    Upload(intake::Refusal),
    /// The course refuses the request.
    Refused(Refusal),
    /// A file of teams is wrong at a place.
    Import(ImportError),
    /// The course cannot be read or written.
    Failed(CourseError),
}

impl From<CourseError> for Problem {
    fn from(error: CourseError) -> Self {
        match error {
            CourseError::Refused(Refusal::NoTeam | Refusal::NoVersion) => Self::Missing,
            CourseError::Refused(refusal) => Self::Refused(refusal),
            error => Self::Failed(error),
        }
    }
}

impl From<HandInError> for Problem {
    fn from(error: HandInError) -> Self {
        match error {
            HandInError::Upload(refusal) => Self::Upload(refusal),
            HandInError::Course(error) => error.into(),
        }
    }
}

impl Problem {
    /// The status, a name for programs, and the reason in words.
    fn told(&self) -> (StatusCode, &'static str, String) {
        match self {
            Self::Token => (
                StatusCode::UNAUTHORIZED,
                "token",
                said!(
                    "the token is missing or wrong: open your team's link, or ask for a new one",
                    "le jeton manque ou est faux : ouvrez le lien de votre équipe, ou demandez-en un nouveau"
                ),
            ),
            Self::TooMany => (
                StatusCode::TOO_MANY_REQUESTS,
                "too_many",
                said!(
                    "too many requests: wait for a minute",
                    "trop de demandes : attendez une minute"
                ),
            ),
            Self::Missing => (
                StatusCode::NOT_FOUND,
                "missing",
                said!("there is no such thing here", "cela n'existe pas ici"),
            ),
            Self::Malformed(why) => {
                let why = why.say(Language::chosen()).to_owned();
                (StatusCode::BAD_REQUEST, "malformed", why)
            }
            Self::TooLarge(limit) => {
                let limit = limit / 1_000_000;
                (
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "too_large",
                    said!(
                        "the file has more than {limit} MB",
                        "le fichier fait plus de {limit} Mo"
                    ),
                )
            }
            Self::Upload(intake::Refusal::Disk(_)) | Self::Failed(_) => {
                (StatusCode::INTERNAL_SERVER_ERROR, "failed", failed())
            }
            Self::Upload(refusal) => {
                let why = refusal.words().say(Language::chosen()).to_owned();
                (StatusCode::UNPROCESSABLE_ENTITY, "refused", why)
            }
            Self::Refused(refusal @ Refusal::TooOften { .. }) => {
                (StatusCode::TOO_MANY_REQUESTS, "too_often", refusal.to_string())
            }
            Self::Refused(refusal) => (StatusCode::CONFLICT, "refused", refusal.to_string()),
            Self::Import(why) => (StatusCode::UNPROCESSABLE_ENTITY, "import", why.to_string()),
        }
    }

    fn answer(&self) -> Response {
        let (status, error, why) = self.told();
        web::json(status, json!({ "error": error, "message": why }).to_string())
    }
}

/// The message for an error of this machine; the log has its cause.
fn failed() -> String {
    said!(
        "the server could not do that; what was there is kept. Tell your teacher.",
        "le serveur n'a pas pu traiter la demande ; ce qui était enregistré est gardé. Prévenez votre enseignant."
    )
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        match &self {
            Self::Failed(error) => log!(error, "the course: {error}", "le cours : {error}"),
            Self::Upload(intake::Refusal::Disk(error)) => {
                log!(error, "an upload: {error}", "un dépôt : {error}");
            }
            _ => {}
        }
        let mut answer = self.answer();
        answer.extensions_mut().insert(Arc::new(self));
        answer
    }
}

/// Puts the reason of a refusal into the language that the request asks for.
pub(super) async fn translate(request: Request, next: Next) -> Response {
    let Spoken(language) = Spoken::of(request.headers());
    let mut answer = next.run(request).await;
    match answer.extensions_mut().remove::<Arc<Problem>>() {
        Some(problem) => language.within(|| problem.answer()),
        None => answer,
    }
}

/// An answer of JSON.
pub(super) fn answer(value: &impl Serialize) -> Response {
    web::json(StatusCode::OK, serde_json::to_string(value).expect("plain data has a text"))
}
