//! Requests of a team, which concern its own versions and games, never those of others.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use course::{Challenged, CourseError, TeamId, TeamView, VersionId, Who};
use language::Language;
use plan::Key;
use serde::Deserialize;
use serde_json::{Value, json};
use web::cache::Effort;

use super::answer::{Problem, answer};
use super::asked::{Asked, Number, Spoken, before};
use super::guard::{Anybody, ByTeam, cookie};
use super::{Shared, replay, seen};
use crate::losses::Losses;
use crate::room::{now, unblocked};

/// Number of games of a page.
const GAMES: u32 = 50;
/// Number of lost games that are explained.
const LOST_GAMES: u32 = 20;
/// Number of comparisons that are shown.
const COMPARISONS: u32 = 5;

impl Shared {
    /// Reads the course as a team sees it.
    async fn view<T: Send + 'static>(
        &self,
        team: TeamId,
        work: impl FnOnce(&TeamView<'_>) -> Result<T, CourseError> + Send + 'static,
    ) -> Result<T, Problem> {
        Ok(self.room.read(move |reader| work(&reader.as_team(team)?)).await?)
    }
}

/// The team, its versions, its last games and whom it has met.
pub(super) async fn team(
    State(shared): State<Arc<Shared>>,
    ByTeam(team): ByTeam,
) -> Result<Response, Problem> {
    let rating =
        shared.room.ladder.borrow().ratings.iter().find(|it| it.team == Some(team)).cloned();
    let limits = shared.room.settings.hand_in;
    let checking = shared.room.now.borrow().checking.map(|(version, _)| version);
    let body = shared.view(team, move |view| {
        let known = view.team()?;
        let versions = view.versions()?;
        let pairs = view.pairs()?;
        let pairs: Vec<_> = pairs
            .iter()
            .map(|pair| json!({ "name": pair.name, "games": pair.games, "wins": pair.wins, "draws": pair.draws }))
            .collect();
        Ok(json!({
            "name": known.about.name,
            "group": known.about.group,
            "members": known.about.members,
            "pseudonym": known.about.pseudonym,
            "disqualified": known.disqualified,
            "plays": view.playing()?,
            "checking": checking.filter(|id| versions.iter().any(|own| own.id == *id)),
            "rating": rating.as_ref().map(seen::rating),
            "versions": versions.iter().rev().map(seen::version).collect::<Vec<_>>(),
            "pairs": pairs,
            "games": games(view, None)?,
            "perHour": limits.per_hour,
            "challenges": view.challenges_left(now())?,
            "pending": view.challenges_pending()?,
            "comparisons": view.comparisons(COMPARISONS)?.iter().map(seen::comparison).collect::<Vec<_>>(),
        }))
    });
    Ok(answer(&body.await?))
}

fn games(view: &TeamView<'_>, before: Option<Key>) -> Result<Vec<Value>, CourseError> {
    Ok(view.games(before, GAMES)?.iter().map(seen::game).collect())
}

/// Older games.
pub(super) async fn older_games(
    State(shared): State<Arc<Shared>>,
    ByTeam(team): ByTeam,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let before = before(query.as_deref())?;
    Ok(answer(&shared.view(team, move |view| games(view, Some(before))).await?))
}

/// Games of all teams, after the end of the course.
pub(super) async fn all_games(
    State(shared): State<Arc<Shared>>,
    ByTeam(team): ByTeam,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let before = query.as_deref().map(|query| before(Some(query))).transpose()?;
    let games = shared.view(team, move |view| view.all_games(before, GAMES)).await?;
    Ok(answer(&games.iter().map(seen::game).collect::<Vec<_>>()))
}

/// The sources of points in the last lost games of the version that plays, beside those of the winners.
pub(super) async fn losses(
    State(shared): State<Arc<Shared>>,
    ByTeam(team): ByTeam,
) -> Result<Response, Problem> {
    let games = shared.view(team, |view| view.lost_games(LOST_GAMES)).await?;
    let losses = unblocked(move || Losses::of(&games)).await;
    Ok(answer(&losses))
}

/// A version with its verdict.
pub(super) async fn version(
    State(shared): State<Arc<Shared>>,
    Anybody(by): Anybody,
    Spoken(language): Spoken,
    Number(number): Number,
) -> Result<Response, Problem> {
    let id = VersionId::from_number(number);
    let (version, verdict) = match by.ok_or(Problem::Token)? {
        Who::Team(team) => {
            let own = shared.view(team, move |view| Ok((view.version(id)?, view.verdict(id)?)));
            let (version, verdict) = own.await?;
            (version.ok_or(Problem::Missing)?, verdict)
        }
        Who::Teacher => {
            let any: Result<_, CourseError> = shared
                .room
                .read(move |reader| Ok((reader.version(id)?, reader.verdict(id)?)))
                .await;
            any?
        }
    };
    let mut body = seen::version(&version);
    body["verdict"] = verdict.and_then(|text| in_language(&text, language)).unwrap_or_default();
    body["ready"] = match version.state {
        course::VersionState::Passed => json!(true),
        course::VersionState::Failed => json!(false),
        _ => Value::Null,
    };
    Ok(answer(&body))
}

/// The words of a verdict in a language.
fn in_language(verdict: &str, language: Language) -> Option<Value> {
    let mut by_language: Value = serde_json::from_str(verdict).ok()?;
    Some(by_language[language.say("en", "fr")].take())
}

/// Withdraws a version.
pub(super) async fn withdraw(
    State(shared): State<Arc<Shared>>,
    Anybody(by): Anybody,
    Number(number): Number,
) -> Result<StatusCode, Problem> {
    let (by, id) = (by.ok_or(Problem::Token)?, VersionId::from_number(number));
    shared.room.write(move |course| course.withdraw(id, by, now())).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
pub(super) struct Pseudonym {
    #[serde(alias = "pseudonym")]
    pseudonyme: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Compare {
    #[serde(alias = "with")]
    avec: u32,
}

/// Asks whether a version is better than another one.
pub(super) async fn compare(
    State(shared): State<Arc<Shared>>,
    ByTeam(team): ByTeam,
    Number(number): Number,
    Asked(Compare { avec }): Asked<Compare>,
) -> Result<StatusCode, Problem> {
    let versions = [number, avec].map(VersionId::from_number);
    shared.room.write(move |course| course.compare(team, versions, now())).await?;
    shared.room.handed_in.notify_one();
    Ok(StatusCode::ACCEPTED)
}

#[derive(Deserialize)]
pub(super) struct Challenge {
    #[serde(alias = "against")]
    contre: Vec<String>,
    #[serde(alias = "games")]
    parties: u32,
}

/// Asks for games against others, named as the ladder names them.
pub(super) async fn challenge(
    State(shared): State<Arc<Shared>>,
    ByTeam(team): ByTeam,
    Asked(Challenge { contre, parties }): Asked<Challenge>,
) -> Result<StatusCode, Problem> {
    let asked: Result<_, CourseError> = shared
        .room
        .write(move |course| {
            let teams = course.teams()?;
            let one = |name: &String| {
                let team = teams.iter().find(|team| team.public_name() == name);
                team.map_or_else(
                    || Challenged::House(name.clone()),
                    |team| Challenged::Team(team.id),
                )
            };
            let others: Vec<_> = contre.iter().map(one).collect();
            course.challenge(team, &others, parties, now())
        })
        .await;
    asked?;
    shared.room.resumed.notify_one();
    Ok(StatusCode::ACCEPTED)
}

/// Shows the team under a pseudonym, or its name.
pub(super) async fn show_as(
    State(shared): State<Arc<Shared>>,
    ByTeam(team): ByTeam,
    Asked(Pseudonym { pseudonyme }): Asked<Pseudonym>,
) -> Result<StatusCode, Problem> {
    let name = pseudonyme.filter(|name| !name.trim().is_empty());
    let shown = shared
        .room
        .write(move |course| course.show_as(team, name.as_deref(), Who::Team(team), now()));
    shown.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Replaces the team's token, whose old links are not valid any more.
pub(super) async fn renew_token(
    State(shared): State<Arc<Shared>>,
    ByTeam(team): ByTeam,
) -> Result<Response, Problem> {
    let whose = Who::Team(team);
    let token = shared.room.write(move |course| course.renew_token(whose, whose, now())).await?;
    let token = token.to_string();
    let cookie = cookie(Some(&token), shared.is_secure());
    Ok(([(header::SET_COOKIE, cookie)], answer(&json!({ "jeton": token }))).into_response())
}

/// The key of a game that the source of the request may see, and the team that asks.
async fn visible(
    shared: &Shared,
    by: Option<Who>,
    key: &str,
) -> Result<(Key, Option<TeamId>), Problem> {
    let key: Key = key.parse().map_err(|_| Problem::Missing)?;
    match by.ok_or(Problem::Token)? {
        Who::Teacher => Ok((key, None)),
        Who::Team(team) => {
            let game = shared.view(team, move |view| view.game(key)).await?;
            game.map(|_| (key, Some(team))).ok_or(Problem::Missing)
        }
    }
}

/// The page of a recorded game.
pub(super) async fn game_page(
    State(shared): State<Arc<Shared>>,
    Anybody(by): Anybody,
    Path(key): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (key, team) = visible(&shared, by, &key).await?;
    let maker = || Some(replay::maker(Arc::clone(&shared.room), key, team));
    Ok(match shared.films.get((key, team), true, Effort::Usual, maker).await {
        Ok(page) => page.answer(&headers, replay::HEADERS),
        Err(unavailable) => unavailable.into_response(),
    })
}

/// The recording of a game.
pub(super) async fn recording(
    State(shared): State<Arc<Shared>>,
    Anybody(by): Anybody,
    Path(key): Path<String>,
) -> Result<Response, Problem> {
    let (key, team) = visible(&shared, by, &key).await?;
    let room = Arc::clone(&shared.room);
    let found = unblocked(move || room.recording(key, team)).await;
    let bytes = found?.ok_or(Problem::Missing)?;
    Ok(replay::file("application/octet-stream", &format!("{key}.pacman"), bytes))
}

/// The output of the team's program in a game; empty if it wrote nothing.
pub(super) async fn output(
    State(shared): State<Arc<Shared>>,
    ByTeam(team): ByTeam,
    Path(key): Path<String>,
) -> Result<Response, Problem> {
    let key: Key = key.parse().map_err(|_| Problem::Missing)?;
    let seen = shared.view(team, move |view| Ok((view.game(key)?, view.outputs(key)?)));
    let (Some(_), outputs) = seen.await? else { return Err(Problem::Missing) };
    let all: Vec<u8> = outputs.into_iter().flat_map(|(_, output)| output).collect();
    Ok(replay::file("text/plain; charset=utf-8", &format!("{key}.txt"), all))
}
