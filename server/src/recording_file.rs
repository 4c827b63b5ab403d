//! The files of recorded games.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::SystemTime;

use replay::Recorder;
use server::Observation;
use tokio::sync::{mpsc, oneshot};
use tracing::{error, info};

/// Turns that wait for a slow disk; with one more, the recording stops.
const WAITING: usize = 4096;

/// Where the recordings go.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Destination {
    /// Into a folder, each under a name of its own.
    Folder(PathBuf),
    /// Into this file; later games into files beside it.
    File(PathBuf),
}

/// Takes recordings and writes them, on a thread of its own: a slow or full disk does not hold up the
/// games. In the end, whether all was written.
///
/// # Errors
///
/// When nothing can be written there.
pub(crate) fn record(
    path: &Path,
) -> io::Result<(mpsc::Sender<Observation>, oneshot::Receiver<bool>)> {
    let destination = Destination::new(path)?;
    let (sender, mut observations) = mpsc::channel(WAITING);
    let (done, ended) = oneshot::channel();
    thread::spawn(move || {
        let mut all_written = true;
        let mut current: Option<Recording> = None;
        while let Some(observation) = observations.blocking_recv() {
            let path = match (&observation, &current) {
                (Observation::Begin { game, setup }, _) => destination.path(*game, setup.seed()),
                (_, Some(recording)) => recording.path.clone(),
                // The disk was full before.
                (_, None) => continue,
            };
            match write(current.take(), observation, &path) {
                Ok(recording) => current = recording,
                Err(failure) => {
                    error!("the recording {} ends here: {failure}", path.display());
                    all_written = false;
                }
            }
        }
        // Nobody waits any more when the program is in a hurry.
        let _ = done.send(all_written);
    });
    Ok((sender, ended))
}

/// The file of the game that is played.
struct Recording {
    path: PathBuf,
    file: File,
    recorder: Recorder,
}

/// Writes an observation down, at once, so that a crash loses at most the turn that is played.
fn write(
    current: Option<Recording>,
    observation: Observation,
    path: &Path,
) -> io::Result<Option<Recording>> {
    match (observation, current) {
        (Observation::Begin { game, setup }, _) => {
            info!("game {game} is recorded in {}", path.display());
            let (recorder, bytes) = Recorder::start(setup);
            let mut file = File::create(path)?;
            file.write_all(&bytes)?;
            Ok(Some(Recording { path: path.to_owned(), file, recorder }))
        }
        (Observation::Turn { turn, hash }, Some(mut recording)) => {
            let bytes = recording.recorder.turn(turn, hash);
            recording.file.write_all(&bytes)?;
            Ok(Some(recording))
        }
        (Observation::End { hash }, Some(mut recording)) => {
            recording.file.write_all(&recording.recorder.end(hash))?;
            Ok(None)
        }
        (_, None) => Ok(None),
    }
}

impl Destination {
    fn new(path: &Path) -> io::Result<Self> {
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            fs::create_dir_all(path)?;
        }
        if path.is_dir() {
            tempfile::tempfile_in(path)?;
            return Ok(Self::Folder(path.to_owned()));
        }
        crate::score_file::check_writable(path)?;
        Ok(Self::File(path.to_owned()))
    }

    /// Where a game goes.
    fn path(&self, game: u32, seed: u64) -> PathBuf {
        match self {
            Self::Folder(folder) => {
                let now = humantime::format_rfc3339_seconds(SystemTime::now());
                let now = now.to_string().replace(':', "-");
                folder.join(format!("{now}_partie-{game}_graine-{seed}.rejeu"))
            }
            Self::File(file) if game == 1 => file.clone(),
            Self::File(file) => {
                let stem = file.file_stem().unwrap_or_default().to_string_lossy();
                let extension = file.extension().map(|e| format!(".{}", e.to_string_lossy()));
                let extension = extension.unwrap_or_default();
                file.with_file_name(format!("{stem}-{game}{extension}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let file = Destination::new(&folder.path().join("finale.rejeu")).unwrap();
        let name = |game| file.path(game, 7).file_name().unwrap().to_owned();
        assert_eq!([name(1), name(2)], ["finale.rejeu", "finale-2.rejeu"]);
        let within = Destination::new(&folder.path().join("new/")).unwrap();
        let path = within.path(3, 9);
        assert_eq!(path.parent().unwrap(), folder.path().join("new"));
        assert!(path.to_string_lossy().ends_with("Z_partie-3_graine-9.rejeu"), "{path:?}");
        assert!(Destination::new(Path::new("/nowhere/finale.rejeu")).is_err());
    }
}
