//! Requests that everybody may make.

use std::sync::Arc;

use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use course::{CourseError, NewTeam, Who};
use serde::Deserialize;
use serde_json::json;

use super::answer::{Problem, answer};
use super::asked::Asked;
use super::guard::{Anybody, address, cookie, who};
use super::{Shared, seen};
use crate::room::now;

/// The ladder, and who asks.
pub(super) async fn course(
    State(shared): State<Arc<Shared>>,
    Anybody(by): Anybody,
) -> Result<Response, Problem> {
    let ladder = Arc::clone(&shared.room.ladder.borrow());
    let rows: Vec<_> = ladder.rows.iter().map(seen::row).collect();
    let now = shared.room.now.borrow().clone();
    Ok(answer(&json!({
        "name": shared.room.settings.name,
        "you": by.map(|by| match by { Who::Teacher => "teacher", Who::Team(_) => "team" }),
        "levels": shared.room.settings.levels,
        "ladder": rows,
        "games": ladder.games,
        "playing": now.playing,
        "paused": now.is_paused,
        "ended": ladder.ended,
        "arena": shared.has_arena,
        "uploadLimit": shared.room.settings.upload.upload,
    })))
}

/// The ratings of the days.
pub(super) async fn days(State(shared): State<Arc<Shared>>) -> Result<Response, Problem> {
    let days: Result<_, CourseError> =
        shared.room.read(|reader| reader.public().rating_days()).await;
    let days: Vec<_> = days?
        .iter()
        .map(|day| json!({ "name": day.name, "day": day.day, "rating": day.rating }))
        .collect();
    Ok(answer(&days))
}

#[derive(Deserialize)]
pub(super) struct Login {
    #[serde(alias = "token")]
    jeton: String,
}

/// Gives a browser the cookie of a token.
pub(super) async fn log_in(
    State(shared): State<Arc<Shared>>,
    parts: Parts,
    Asked(Login { jeton }): Asked<Login>,
) -> Result<Response, Problem> {
    let from = address(&parts, shared.has_proxy()).ok_or(Problem::Token)?;
    who(&shared, &jeton, from).await?;
    let cookie = cookie(Some(jeton.trim()), shared.is_secure());
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// Takes the cookie away.
pub(super) async fn log_out(State(shared): State<Arc<Shared>>) -> Response {
    let cookie = cookie(None, shared.is_secure());
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}

#[derive(Deserialize)]
pub(super) struct Join {
    code: String,
    #[serde(alias = "name")]
    nom: String,
    #[serde(default, alias = "members")]
    membres: Vec<String>,
}

/// Adds a team by the code of an invitation, and gives its browser the cookie of its token, which is told once.
pub(super) async fn join(
    State(shared): State<Arc<Shared>>,
    parts: Parts,
    Asked(Join { code, nom, membres }): Asked<Join>,
) -> Result<Response, Problem> {
    let from = address(&parts, shared.has_proxy()).ok_or(Problem::Token)?;
    let team = NewTeam { name: nom, members: membres, ..NewTeam::default() };
    let joined = shared.room.write(move |course| course.join(&code, &team, now())).await;
    // The right code is always accepted: a class is behind one address.
    if let Err(CourseError::Refused(course::Refusal::Invitation)) = &joined {
        shared.guesses.check(from)?;
        shared.guesses.count(from);
    }
    let (_, token) = joined?;
    let token = token.to_string();
    let cookie = cookie(Some(&token), shared.is_secure());
    let body = web::json(StatusCode::CREATED, json!({ "jeton": token }).to_string());
    Ok(([(header::SET_COOKIE, cookie)], body).into_response())
}
