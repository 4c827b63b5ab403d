//! The output of the teams' programs: a bounded file for each team.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use language::log;
use parking_lot::Mutex;

/// Length of a file in bytes at which a new one is started; the previous one is kept beside it.
const LIMIT: u64 = 1 << 20;

/// The folder with the output of the teams' programs.
#[derive(Debug)]
pub struct Journals {
    folder: PathBuf,
    /// `true` once a failure to write a file was logged.
    warned: Mutex<bool>,
}

impl Journals {
    /// Creates journals in this folder, which itself is created at the first write.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, warned: Mutex::new(false) }
    }

    /// The folder of the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds the output of a team's program in a game. A failure to write is logged once, and delays no game.
    pub fn add(&self, team: &str, about: &str, output: &[u8]) {
        // The lock serialises the writes: several games of a team may end at once.
        let mut warned = self.warned.lock();
        if let Err(failure) = self.write(team, about, output)
            && !std::mem::replace(&mut *warned, true)
        {
            let folder = self.folder.display();
            log!(
                error,
                "what the teams' programs write cannot be kept in {folder}: {failure}",
                "ce qu'écrivent les programmes des équipes ne peut pas être gardé dans \
                  {folder} : {failure}"
            );
        }
    }

    fn write(&self, team: &str, about: &str, output: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let path = self.path(team);
        if fs::metadata(&path).is_ok_and(|metadata| metadata.len() >= LIMIT) {
            fs::rename(&path, path.with_extension("old.txt"))?;
        }
        let mut entry = format!("=== {about}\n").into_bytes();
        entry.extend_from_slice(output);
        if !output.is_empty() && !output.ends_with(b"\n") {
            entry.push(b'\n');
        }
        File::options().create(true).append(true).open(path)?.write_all(&entry)
    }

    /// The file of a team.
    pub fn path(&self, team: &str) -> PathBuf {
        // Names that differ only in characters that files cannot have share a file, with a heading for each game.
        let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let name: String = team.chars().map(plain).collect();
        self.folder.join(format!("{}.txt", name.trim_start_matches('.')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_bounded_and_stays_in_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let journals = Journals::new(folder.path().join("journaux"));
        let path = journals.path("../../etc/Zoé");
        assert_eq!(path, folder.path().join("journaux/_.._etc_Zoé.txt"));
        journals.add("Zoé", "game 1", b"hello");
        journals.add("Zoé", "game 2", b"");
        let text = || fs::read_to_string(journals.path("Zoé")).unwrap();
        assert_eq!(text(), "=== game 1\nhello\n=== game 2\n");
        for _ in 0..5 {
            journals.add("Zoé", "a long game", &vec![b'x'; 400 << 10]);
        }
        assert!(text().len() < (2 << 20));
        assert!(journals.path("Zoé").with_extension("old.txt").exists());
    }
}
