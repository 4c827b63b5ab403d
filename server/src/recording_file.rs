//! The files of recorded games.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::SystemTime;

use server::recording::Chunk;
use tokio::sync::{mpsc, oneshot};
use tracing::{error, info};

/// Chunks that wait for a slow disk; with one more, the recording of a game stops.
const CHUNKS: usize = 4096;

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
pub(crate) fn record(path: &Path) -> io::Result<(mpsc::Sender<Chunk>, oneshot::Receiver<bool>)> {
    let destination = Destination::new(path)?;
    let (sender, mut chunks) = mpsc::channel(CHUNKS);
    let (done, ended) = oneshot::channel();
    thread::spawn(move || {
        let mut all_written = true;
        let mut file = None;
        while let Some(chunk) = chunks.blocking_recv() {
            let written = match chunk {
                Chunk::Begin { game, seed, bytes } => {
                    let path = destination.path(game, seed);
                    info!("game {game} is recorded in {}", path.display());
                    let begun = File::create(&path).and_then(|mut new| {
                        new.write_all(&bytes)?;
                        Ok(new)
                    });
                    begun.map(|new| file = Some((path.clone(), new))).map_err(|error| (path, error))
                }
                // Written at once, so that a crash loses at most the turn that is played.
                Chunk::More(bytes) => file.as_mut().map_or(Ok(()), |(path, file)| {
                    file.write_all(&bytes).map_err(|error| (path.clone(), error))
                }),
            };
            if let Err((path, failure)) = written {
                error!("the recording {} ends here: {failure}", path.display());
                all_written = false;
                file = None;
            }
        }
        // Nobody waits any more when the program is in a hurry.
        let _ = done.send(all_written);
    });
    Ok((sender, ended))
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
