//! Uploads become versions.

use std::path::Path;
use std::sync::Arc;

use course::{CourseError, CourseReader, Sealed, TeamId, VersionId};
use intake::Refusal;
use language::Note;

use crate::about::About;
use crate::room::{Room, apart, now};

/// The reason why an upload is no version.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HandInError {
    /// The upload is refused.
    #[error(transparent)]
    Upload(#[from] Refusal),
    /// The course refuses it, or cannot be written.
    #[error(transparent)]
    Course(#[from] CourseError),
}

/// A version that was received.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) version: VersionId,
    pub(crate) about: About,
    /// A sentence that lists the files that were left out.
    pub(crate) left_out: Option<Note>,
}

/// Makes the file `upload`, which the student calls `name`, a version of a team, which waits for its check.
pub(crate) async fn hand_in(
    room: &Arc<Room>,
    team: TeamId,
    upload: tempfile::TempPath,
    name: String,
) -> Result<Received, HandInError> {
    let into = room.read(|reader| Ok::<_, CourseError>(reader.incoming())).await?;
    let limits = room.settings.upload.clone();
    // A few at a time, on threads of their own: a large one keeps no page waiting.
    let _place = room.unpacking.acquire().await;
    let unpacked = apart(move || unpack(&upload, &name, &into, &limits)).await;
    let (sealed, about, left_out) = unpacked?;
    let text = about.text();
    let version = room.write(move |course| course.hand_in(team, sealed, &text, now())).await?;
    room.handed_in.notify_one();
    Ok(Received { version, about, left_out })
}

/// Unpacks, looks at and hashes an upload. The course does not wait meanwhile.
fn unpack(
    upload: &Path,
    name: &str,
    into: &Path,
    limits: &intake::Limits,
) -> Result<(Sealed, About, Option<Note>), HandInError> {
    let unpacked = intake::unpack(upload, name, into, limits)?;
    let launch = intake::manifest(unpacked.folder.path())?;
    let left_out = unpacked.left_out_words();
    let about = About::new(name, &unpacked, launch);
    CourseReader::check_about(&about.text()).map_err(CourseError::from)?;
    let sealed = Sealed::of(unpacked.folder.keep())?;
    Ok((sealed, about, left_out))
}
