//! The review of the class, for the teacher only.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use course::{CourseError, TeamId, VersionId};
use language::Language;
use serde_json::{Value, json};

use super::Shared;
use super::answer::Problem;
use super::guard::ByTeacher;
use crate::review::{
    self, Alike, AlikePair, Progress, Review, ReviewNow, Spared, SparedPair, program,
};
use crate::room::unblocked;

/// The headers of the page of two programs, which is text only.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "private, no-store"),
];

/// Begins a review, unless one is under way.
pub(super) async fn begin(
    State(shared): State<Arc<Shared>>,
    _: ByTeacher,
) -> Result<StatusCode, Problem> {
    let room = Arc::clone(&shared.room);
    unblocked(move || review::begin(&room)).await?;
    Ok(StatusCode::ACCEPTED)
}

/// The page with what two versions of the last review have in common, side by side.
pub(super) async fn pair(
    State(shared): State<Arc<Shared>>,
    _: ByTeacher,
    versions: Result<Path<(u32, u32)>, PathRejection>,
) -> Result<Response, Problem> {
    let Path(versions) = versions.map_err(|_| Problem::Missing)?;
    let versions = <[u32; 2]>::from(versions).map(VersionId::from_number);
    let last = shared.room.review.borrow().last.clone().ok_or(Problem::Missing)?;
    let known = last.alike.pairs.iter().find(|it| it.versions == versions);
    let AlikePair { teams, pair, .. } = known.ok_or(Problem::Missing)?;
    let (teams, pair) = (*teams, pair.clone());
    let found: Result<_, CourseError> = shared
        .room
        .read(move |reader| {
            let mut both = Vec::new();
            for (team, version) in teams.into_iter().zip(versions) {
                both.push((reader.team(team)?.about.name, reader.files(version)?));
            }
            Ok(both)
        })
        .await;
    let both = found?;
    let page = unblocked(move || {
        let programs = both.into_iter().map(|(name, folder)| program(name, &folder?).ok());
        let programs: Vec<_> = programs.collect::<Option<_>>()?;
        Some(report::alike::html(&[pair], &programs, Language::chosen()))
    });
    Ok((HEADERS, page.await.ok_or(Problem::Missing)?).into_response())
}

/// The review as JSON for the teacher's page; `names` has the names of the teams.
pub(super) fn told(review: &ReviewNow, names: &BTreeMap<TeamId, String>) -> Value {
    let progress = review.progress.map(|progress| match progress {
        Progress::Sources(done) => json!({ "part": "sources", "done": done }),
        Progress::Games(done) => json!({ "part": "games", "done": done }),
    });
    json!({
        "progress": progress,
        "trouble": review.trouble,
        "last": review.last.as_ref().map(|last| last_told(last, names)),
    })
}

fn last_told(Review { at, alike, spared }: &Review, names: &BTreeMap<TeamId, String>) -> Value {
    let name = |team: &TeamId| names.get(team).cloned().unwrap_or_default();
    let Alike { pairs, programs, cut, common, unread, is_cut_short } = alike;
    let alike = pairs.iter().map(|AlikePair { teams, versions, pair }| {
        json!({
            "teams": teams.each_ref().map(name), "versions": versions,
            "ofSmaller": pair.of_smaller, "ofBoth": pair.of_both,
        })
    });
    let unread = unread.iter().map(|(team, why)| json!({ "team": name(team), "why": why }));
    let Spared { pairs, games, tested } = spared;
    let spared = pairs.iter().map(|SparedPair { teams, treatments, games, examples, chance }| {
        json!({
            "teams": teams.each_ref().map(name), "games": games, "chance": chance,
            "bites": treatments.map(|it| json!({ "seen": it.bites, "expected": it.expected })),
            "examples": examples.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    });
    json!({
        "at": at,
        "programs": programs,
        "alike": alike.collect::<Vec<_>>(),
        "cut": cut.iter().map(name).collect::<Vec<_>>(),
        "common": common.iter().map(name).collect::<Vec<_>>(),
        "unread": unread.collect::<Vec<_>>(),
        "cutShort": is_cut_short,
        "games": games,
        "tested": tested,
        "spared": spared.collect::<Vec<_>>(),
    })
}
