//! Requests of the teacher.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{Extension, Path, RawQuery, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use cluster::state::{Activity, WorkerState};
use course::{
    AuditEntry, CourseError, CourseReader, ImportError, Player, TeamId, Token, VersionState, Who,
};
use plan::Key;
use serde::Deserialize;
use serde_json::{Value, json};
use web::Pass;

use super::answer::{Problem, answer};
use super::asked::{Asked, Number, Spoken, before};
use super::guard::ByTeacher;
use super::{Shared, TEAMS, replay, review, seen};
use crate::room::now;

/// Number of games of a page.
const GAMES: u32 = 100;
/// Number of entries of the audit log that are shown.
const ENTRIES: u32 = 200;
/// Maximum number of teams of an invitation.
const USES: u32 = 1000;

/// The teams and what goes on.
pub(super) async fn overview(
    State(shared): State<Arc<Shared>>,
    Spoken(language): Spoken,
    _: ByTeacher,
) -> Result<Response, Problem> {
    let ladder = Arc::clone(&shared.room.ladder.borrow());
    let now = shared.room.now.borrow().clone();
    let review = shared.room.review.borrow().clone();
    let body: Result<Value, CourseError> = shared
        .room
        .read(move |reader| {
            let mut teams = Vec::new();
            let mut names = BTreeMap::new();
            for team in reader.teams()? {
                let versions = reader.versions(team.id)?;
                let waiting = versions.iter().filter(|it| {
                    matches!(it.state, VersionState::Received | VersionState::Checking)
                });
                let rating = ladder.ratings.iter().find(|it| it.team == Some(team.id));
                names.insert(team.id, team.about.name.clone());
                teams.push(json!({
                    "id": team.id,
                    "name": team.about.name,
                    "group": team.about.group,
                    "members": team.about.members,
                    "mail": team.about.mail,
                    "pseudonym": team.about.pseudonym,
                    "disqualified": team.disqualified,
                    "versions": versions.len(),
                    "waiting": waiting.count(),
                    "last": versions.last().map(seen::version),
                    "plays": reader.playing(team.id)?,
                    "rating": rating.map(seen::rating),
                }));
            }
            let audit = reader.audit(ENTRIES)?;
            let entry = |AuditEntry { at, who, deed }: &AuditEntry| {
                let who = match who {
                    Who::Teacher => None,
                    Who::Team(team) => names.get(team),
                };
                json!({ "at": at, "team": who, "deed": language.within(|| deed.to_string()) })
            };
            let machine = |it: &WorkerState| json!({ "name": it.name, "places": it.places, "games": it.games });
            let at_work = now.machines.iter().filter(|it| it.activity <= Activity::Waiting);
            Ok(json!({
                "teams": teams,
                "checking": now.checking.map(|(version, _)| version),
                "playing": now.playing,
                "paused": now.is_paused,
                "machines": at_work.map(machine).collect::<Vec<_>>(),
                "troubles": now.troubles.values().collect::<Vec<_>>(),
                "games": games(reader, None)?,
                "review": review::told(&review, &names),
                "audit": audit.iter().map(entry).collect::<Vec<_>>(),
            }))
        })
        .await;
    Ok(answer(&body?))
}

fn games(reader: &CourseReader, before: Option<Key>) -> Result<Vec<Value>, CourseError> {
    let games = reader.recent_games(before, GAMES)?;
    let mut names: BTreeMap<Player, String> = BTreeMap::new();
    for seat in games.iter().flat_map(|game| &game.seats) {
        if !names.contains_key(&seat.player) {
            let name = match &seat.player {
                Player::House(name) => name.clone(),
                Player::Version(id) => reader.team(reader.version(*id)?.team)?.about.name,
            };
            names.insert(seat.player.clone(), name);
        }
    }
    let name = |player: &Player| names.get(player).cloned().unwrap_or_default();
    Ok(games.iter().map(|game| seen::any_game(game, name)).collect())
}

/// Older games.
pub(super) async fn older_games(
    State(shared): State<Arc<Shared>>,
    _: ByTeacher,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let before = before(query.as_deref())?;
    let found: Result<_, CourseError> =
        shared.room.read(move |reader| games(reader, Some(before))).await;
    Ok(answer(&found?))
}

/// Adds the teams of a CSV file, and gives a CSV file with their links, which cannot be read again.
pub(super) async fn import(
    State(shared): State<Arc<Shared>>,
    _: ByTeacher,
    Extension(pass): Extension<Pass>,
    request: Request,
) -> Result<Response, Problem> {
    pass.allow(TEAMS as u64);
    let body = to_bytes(request.into_body(), TEAMS).await;
    let body = body.map_err(|_| Problem::TooLarge(TEAMS as u64))?;
    let added = shared.room.write(move |course| course.import(&body, now())).await;
    let added = added.map_err(|error| match error {
        ImportError::Course(error) => error.into(),
        fault @ ImportError::Csv { .. } => Problem::Import(fault),
    })?;
    links(&shared, added).await
}

/// Renews the token of a team, and gives a CSV file with its link.
pub(super) async fn renew(
    State(shared): State<Arc<Shared>>,
    _: ByTeacher,
    Number(number): Number,
) -> Result<Response, Problem> {
    let team = TeamId::from_number(number);
    let renewed =
        shared.room.write(move |course| course.renew_token(Who::Team(team), Who::Teacher, now()));
    let token = renewed.await?;
    links(&shared, vec![(team, token)]).await
}

async fn links(shared: &Shared, tokens: Vec<(TeamId, Token)>) -> Result<Response, Problem> {
    let base = shared.base();
    let text: Result<_, CourseError> =
        shared.room.read(move |reader| crate::links(reader, &tokens, &base)).await;
    Ok(replay::file("text/csv; charset=utf-8", "jetons.csv", text?.into_bytes()))
}

#[derive(Deserialize)]
pub(super) struct Invitation {
    #[serde(default, alias = "group")]
    groupe: String,
    #[serde(alias = "teams")]
    equipes: u32,
}

/// Makes an invitation.
pub(super) async fn invite(
    State(shared): State<Arc<Shared>>,
    _: ByTeacher,
    Asked(Invitation { groupe, equipes }): Asked<Invitation>,
) -> Result<Response, Problem> {
    let uses = equipes.clamp(1, USES);
    let code = shared.room.write(move |course| course.invite(&groupe, uses, now())).await?;
    let link = format!("{}#code={code}", shared.base());
    Ok(answer(&json!({ "link": link, "code": code.to_string() })))
}

#[derive(Deserialize)]
pub(super) struct Reason {
    #[serde(alias = "reason")]
    raison: Option<String>,
}

/// Disqualifies a team for a reason, or readmits it without one.
pub(super) async fn disqualify(
    State(shared): State<Arc<Shared>>,
    _: ByTeacher,
    Number(number): Number,
    Asked(Reason { raison }): Asked<Reason>,
) -> Result<StatusCode, Problem> {
    let team = TeamId::from_number(number);
    let reason = raison.filter(|reason| !reason.trim().is_empty());
    let changed =
        shared.room.write(move |course| course.disqualify(team, reason.as_deref(), now()));
    changed.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pauses the ladder, or lets it go on.
pub(super) async fn pause(
    State(shared): State<Arc<Shared>>,
    _: ByTeacher,
    Path(what): Path<String>,
) -> Result<StatusCode, Problem> {
    let is_paused = match &*what {
        "pause" => true,
        "reprendre" => false,
        _ => return Err(Problem::Missing),
    };
    shared.room.write(move |course| course.pause(is_paused, now())).await?;
    shared.room.now.send_modify(|now| now.is_paused = is_paused);
    shared.room.resumed.notify_one();
    Ok(StatusCode::NO_CONTENT)
}

/// Ends the course: all teams may see all games from now on.
pub(super) async fn end(
    State(shared): State<Arc<Shared>>,
    _: ByTeacher,
) -> Result<StatusCode, Problem> {
    shared.room.write(|course| course.end(now())).await?;
    Ok(StatusCode::NO_CONTENT)
}
