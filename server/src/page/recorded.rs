//! Games whose recordings are in a folder.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use replay::without_thoughts;
use tokio::task::spawn_blocking;

/// Maximum number of bytes shown of a recording, from its beginning. They take some 50 MB as turns in memory.
pub(super) const LARGEST: u64 = 1024 * 1024;
/// Number of bytes of a recording read and sent at once.
const PIECE: u64 = 64 * 1024;

/// The part of a recording's file name after the time, and before the number that distinguishes files of one game.
///
/// ```text
/// 2026-11-22T02-59-36Z_partie-1_graine-17915790164521258562.rejeu
/// ```
pub fn name(game: u32, seed: u64) -> String {
    format!("_partie-{game}_graine-{seed}")
}

/// The latest recording of the game with this number and seed, and its length in bytes; `None` if there is none.
pub(super) fn find(folder: &Path, game: u32, seed: u64) -> Option<(PathBuf, u64)> {
    let wanted = name(game, seed);
    let is_wanted = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let number = stem.rsplit_once(&wanted).map(|(_, number)| number);
        path.extension().is_some_and(|extension| extension == "rejeu")
            && number.is_some_and(|number| number.is_empty() || number.starts_with('-'))
    };
    let entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    // Names begin with the time.
    let last = entries.filter(is_wanted).max()?;
    let len = last.metadata().ok()?.len();
    Some((last, len))
}

/// Streams the first `len` bytes of a recording without its thoughts, with back-pressure on reading.
pub(super) async fn stream_without_thoughts(path: PathBuf, len: u64) -> io::Result<Body> {
    let file = blocking(move || Ok(File::open(path)?.take(len))).await?;
    let records = without_thoughts(BufReader::new(file));
    let pieces = stream::try_unfold(records, |mut records| {
        blocking(move || {
            let mut piece = Vec::new();
            while (piece.len() as u64) < PIECE
                && let Some(record) = records.next().transpose()?
            {
                piece.extend(record);
            }
            Ok((!piece.is_empty()).then_some((Bytes::from(piece), records)))
        })
    });
    Ok(Body::from_stream(pieces))
}

/// Streams the first `len` bytes of a recording, with back-pressure on reading.
pub(super) async fn stream(path: PathBuf, len: u64) -> io::Result<Body> {
    let file = blocking(move || Ok(File::open(path)?.take(len))).await?;
    let pieces = stream::try_unfold(file, |mut file| {
        blocking(move || {
            let mut piece = Vec::new();
            file.by_ref().take(PIECE).read_to_end(&mut piece)?;
            Ok((!piece.is_empty()).then_some((Bytes::from(piece), file)))
        })
    });
    Ok(Body::from_stream(pieces))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    spawn_blocking(work).await.map_err(io::Error::other)?
}

/// Reads the first bytes of a recording, at most 1 MiB.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_recording_of_a_game_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| fs::write(folder.path().join(name), name).unwrap();
        for name in [
            "2026-01-01T00-00-00Z_partie-1_graine-7.rejeu",
            "2026-01-01T00-00-01Z_partie-1_graine-7.rejeu",
            "2026-01-01T00-00-01Z_partie-1_graine-7-2.rejeu",
            "2026-01-01T00-00-02Z_partie-1_graine-77.rejeu",
            "2026-01-01T00-00-02Z_partie-11_graine-7.rejeu",
            "2026-01-01T00-00-02Z_partie-1_graine-7.txt",
        ] {
            file(name);
        }
        let found = |game, seed| {
            let (path, _) = find(folder.path(), game, seed)?;
            String::from_utf8(read(&path).unwrap()).ok()
        };
        assert_eq!(found(1, 7).unwrap(), "2026-01-01T00-00-01Z_partie-1_graine-7.rejeu");
        assert_eq!(found(1, 77).unwrap(), "2026-01-01T00-00-02Z_partie-1_graine-77.rejeu");
        assert_eq!(found(11, 7).unwrap(), "2026-01-01T00-00-02Z_partie-11_graine-7.rejeu");
        assert_eq!(found(2, 7), None);
        assert_eq!(find(Path::new("no/such/folder"), 1, 7), None);
    }
}
