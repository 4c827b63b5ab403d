//! Uploads by the page, by `curl -F` and by programs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{Extension, FromRequest as _, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use course::{CourseError, TeamId, Who};
use language::note;
use parking_lot::Mutex;
use serde_json::json;
use tempfile::{NamedTempFile, TempPath};
use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;
use web::Pass;

use super::answer::Problem;
use super::asked::Spoken;
use super::guard::{Anybody, address, who};
use super::{Shared, seen};
use crate::hand_in::{self, hand_in};
use crate::room::now;

/// Longest time for an upload to arrive.
const PATIENCE: Duration = Duration::from_secs(300);
/// Maximum number of bytes of a text field of a form.
const FIELD: usize = 256;
/// Number of bytes of a form beside its file.
pub(super) const FORM: u64 = 16 * 1024;

/// Number of uploads of a team within an hour, refused ones included, as a multiple of the versions that it may hand in.
const ATTEMPTS: u32 = 4;
/// The time in which uploads are counted.
const HOUR: Duration = Duration::from_secs(3600);

/// Teams whose upload is being received: one at a time each, and a limited number within an hour.
#[derive(Debug, Default)]
pub(super) struct Uploads(Mutex<Received>);

#[derive(Debug, Default)]
struct Received {
    now: BTreeSet<TeamId>,
    /// The number of uploads of each team since the first one of the hour.
    lately: BTreeMap<TeamId, (Instant, u32)>,
}

/// The upload of a team, until it is dropped.
struct Turn<'a>(&'a Uploads, TeamId);

impl Uploads {
    /// Counts an upload, of which there may be `most` within an hour.
    fn take(&self, team: TeamId, most: u32) -> Option<Turn<'_>> {
        let Received { now, lately } = &mut *self.0.lock();
        let (since, count) = lately.entry(team).or_insert((Instant::now(), 0));
        if since.elapsed() > HOUR {
            (*since, *count) = (Instant::now(), 0);
        }
        if *count >= most || !now.insert(team) {
            return None;
        }
        *count += 1;
        Some(Turn(self, team))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.0.lock().now.remove(&self.1);
    }
}

/// Receives a form with the file `fichier` (`file`). The token may be a field `jeton` (`token`) before it.
pub(super) async fn receive(
    State(shared): State<Arc<Shared>>,
    Anybody(asked): Anybody,
    Extension(pass): Extension<Pass>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let mut form = Multipart::from_request(Request::from_parts(parts.clone(), body), &shared)
        .await
        .map_err(|_| no_file())?;
    let mut by = asked;
    loop {
        let next = timeout(PATIENCE, form.next_field()).await.map_err(|_| late())?;
        let Some(field) = next.map_err(|error| broken(&error))? else { return Err(no_file()) };
        match field.name() {
            Some("jeton" | "token") => {
                let token = text(field).await?;
                let from = address(&parts, shared.has_proxy()).ok_or(Problem::Token)?;
                by = Some(who(&shared, &token, from).await?);
            }
            Some("fichier" | "file") => {
                let Some(Who::Team(team)) = by else { return Err(Problem::Token) };
                let hand_in::Received { version, about, left_out } =
                    receive_file(&shared, team, &pass, field).await?;
                let Spoken(language) = Spoken::of(&parts.headers);
                let body = json!({
                    "version": version, "state": "received", "about": seen::about(&about),
                    "leftOut": left_out.map(|note| note.say(language).to_owned()),
                    "verdict": format!("/api/versions/{version}"),
                });
                return Ok(web::json(StatusCode::ACCEPTED, body.to_string()));
            }
            _ => return Err(no_file()),
        }
    }
}

async fn receive_file(
    shared: &Arc<Shared>,
    team: TeamId,
    pass: &Pass,
    field: Field<'_>,
) -> Result<hand_in::Received, Problem> {
    let most = shared.room.settings.hand_in.per_hour.saturating_mul(ATTEMPTS);
    let _turn = shared.uploads.take(team, most).ok_or(Problem::TooMany)?;
    // A team that may hand in nothing need not send it.
    let into: Result<_, CourseError> = shared
        .room
        .read(move |reader| {
            reader.may_hand_in(team, now())?;
            Ok(reader.incoming())
        })
        .await;
    let name = field.file_name().unwrap_or_default().to_owned();
    let limit = shared.room.settings.upload.upload;
    pass.allow(limit + FORM);
    let file = NamedTempFile::new_in(into?).map_err(disk)?;
    let upload = timeout(PATIENCE, store(field, file, limit)).await.map_err(|_| late())??;
    Ok(hand_in(&shared.room, team, upload, name).await?)
}

/// Writes a file as it arrives.
async fn store(mut field: Field<'_>, file: NamedTempFile, limit: u64) -> Result<TempPath, Problem> {
    let (file, path) = file.into_parts();
    let mut file = tokio::fs::File::from_std(file);
    let mut length = 0;
    while let Some(bytes) = field.chunk().await.map_err(|error| broken(&error))? {
        length += bytes.len() as u64;
        if length > limit {
            return Err(Problem::TooLarge(limit));
        }
        file.write_all(&bytes).await.map_err(disk)?;
    }
    file.flush().await.map_err(disk)?;
    Ok(path)
}

/// A short text field.
async fn text(mut field: Field<'_>) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    while let Some(more) = field.chunk().await.map_err(|error| broken(&error))? {
        bytes.extend_from_slice(&more);
        if bytes.len() > FIELD {
            return Err(Problem::Token);
        }
    }
    String::from_utf8(bytes).map_err(|_| Problem::Token)
}

fn disk(error: std::io::Error) -> Problem {
    Problem::Upload(intake::Refusal::Disk(error))
}

fn broken(error: &MultipartError) -> Problem {
    let why = note!(
        "the form did not arrive as a whole: {error}",
        "le formulaire n'est pas arrivé entier : {error}"
    );
    Problem::Malformed(why)
}

fn late() -> Problem {
    Problem::Malformed(note!("the upload took too long", "le dépôt a pris trop de temps"))
}

fn no_file() -> Problem {
    Problem::Malformed(note!(
        "expected a form with the file as `fichier`: curl -F fichier=@bot.py …",
        "un formulaire avec le fichier comme `fichier` est attendu : curl -F fichier=@bot.py …"
    ))
}
