//! The files that a trial leaves: its last replays, and the output of the programs.

use std::fs;
use std::path::{Path, PathBuf};

use plan::Outcome;
use programs::journals::Journals;
use tournament::trial::TrialRecord;

use language::{Language, said};

/// Extension of the files of recordings, as `rejeu` and the server use it.
const EXTENSION: &str = "rejeu";
/// The folder of the output of programs, beside the recordings.
const JOURNALS: &str = "journaux";
/// Greatest number of lines shown of a program's output.
const LINES: usize = 12;

/// A folder of the user that holds the replays of the last trial only.
pub(in super::super) struct Replays {
    folder: PathBuf,
    is_writable: bool,
}

impl Replays {
    /// Clears the folder, or says why there will be no replays.
    pub(in super::super) fn begin() -> Self {
        let cleared = cli::state_folder().and_then(|folder| {
            let folder = folder.join("essais");
            clear(&folder)?;
            Ok(folder)
        });
        match cleared {
            Ok(folder) => Self { folder, is_writable: true },
            Err(error) => {
                cli::say!("{}", no_replays(&error));
                Self { folder: std::env::temp_dir().join("pacman-iuto-essais"), is_writable: false }
            }
        }
    }

    pub(in super::super) fn journals(&self) -> Journals {
        Journals::new(self.folder.join(JOURNALS))
    }

    /// The last lines that a team's program has written in its last game.
    pub(in super::super) fn last_lines(&self, team: &str) -> Vec<String> {
        let written = fs::read(self.journals().path(team)).unwrap_or_default();
        let text = String::from_utf8_lossy(&written);
        // A heading stands above the output of each game.
        let lines = text.lines().rev().take_while(|line| !line.starts_with("=== "));
        let mut lines: Vec<_> = lines.take(LINES).map(cli::printable).collect();
        lines.reverse();
        lines
    }

    pub(in super::super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes the best and the worst game of a bot under this name, and returns their paths.
    pub(in super::super) fn save_extremes(&self, name: &str, record: &TrialRecord) -> Vec<PathBuf> {
        let games = ["meilleure", "pire"].into_iter().zip(record.extremes());
        games.filter_map(|(kind, game)| self.save(&format!("{name}_{kind}"), game)).collect()
    }

    /// Writes the recording of a game. Returns its path; `None` if there is no recording, or it cannot be written.
    fn save(&self, name: &str, outcome: &Outcome) -> Option<PathBuf> {
        if !self.is_writable || outcome.recording.is_empty() {
            return None;
        }
        let plain = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' };
        let name: String = name.chars().map(plain).collect();
        let path = self.folder.join(name).with_extension(EXTENSION);
        fs::write(&path, &outcome.recording).is_ok().then_some(path)
    }
}

/// Makes the folder, and removes the files of earlier trials.
fn clear(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            fs::remove_file(path)?;
        }
    }
    let journals = folder.join(JOURNALS);
    if journals.exists() {
        fs::remove_dir_all(journals)?;
    }
    Ok(())
}

fn no_replays(error: &anyhow::Error) -> String {
    Language::chosen().typeset(&said!(
        "There will be no replays: {error:#}",
        "Il n'y aura pas de rejeux : {error:#}"
    ))
}
