//! The version of a team's program, which follows from its files.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use plan::matchup::hash_field;
use plan::{Command, Files};

/// A folder with more files, or more bytes in them, is no folder of a bot.
const FILES: usize = 10_000;
const BYTES: u64 = 512 << 20;

/// What programs make beside their own files, and rebuild: it does not make another version.
const MADE: [&str; 5] = ["__pycache__", "target", "build", "node_modules", "venv"];
const MADE_EXTENSIONS: [&str; 8] =
    ["pyc", "log", "tmp", "o", "sqlite", "sqlite-wal", "sqlite-shm", "journaux"];

/// Why the version of a program is unknown.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// A file cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// Something else than a regular file or a folder was named.
    #[error("{0} is neither a file nor a folder")]
    NoFile(PathBuf),
    /// There is too much to read.
    #[error(
        "{0} has more than {FILES} files, or 512 MiB in them: give `version`, or `fichiers` to be read"
    )]
    TooMuch(PathBuf),
}

/// The version of a command: a hash of its words, its environment and its files.
///
/// # Errors
///
/// When a file cannot be read, or there are too many.
pub fn version(command: &Command, files: &Files) -> Result<String, VersionError> {
    let mut hash = Sha256::new();
    for word in &command.words {
        hash_field(&mut hash, word.as_bytes());
    }
    for (name, value) in &command.environment {
        hash_field(&mut hash, name.as_bytes());
        hash_field(&mut hash, value.as_bytes());
    }
    let named = command.words.iter().map(|word| command.folder.join(word));
    let named = named.filter(|path| path.is_file());
    let mut found = BTreeSet::new();
    match files {
        Files::These(files) => {
            for file in files {
                add(&command.folder.join(file), &mut found)?;
            }
        }
        Files::Folder => {
            add(&command.folder, &mut found)?;
            // What is built from others and handed in is the program all the same.
            found.extend(named);
        }
        Files::Named => found.extend(named),
    }
    let mut read = 0;
    for path in found {
        let fail = |error| VersionError::Io(path.clone(), error);
        // Where the folder is does not matter, only what is in it.
        let name = path.strip_prefix(&command.folder).unwrap_or(&path);
        hash_field(&mut hash, name.as_os_str().as_encoded_bytes());
        let mut content = Sha256::new();
        // One that grows while it is read must end too.
        let mut file = File::open(&path).map_err(fail)?.take(BYTES - read + 1);
        read += io::copy(&mut file, &mut HashWriter(&mut content)).map_err(fail)?;
        if read > BYTES {
            return Err(VersionError::TooMuch(command.folder.clone()));
        }
        hash.update(content.finalize());
    }
    let digest: [u8; 32] = hash.finalize().into();
    let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    Ok(format!("{:016x}", u64::from_be_bytes(*first)))
}

/// Adds a file, or all files below a folder.
fn add(path: &Path, found: &mut BTreeSet<PathBuf>) -> Result<(), VersionError> {
    let fail = |error| VersionError::Io(path.to_owned(), error);
    let kind = fs::metadata(path).map_err(fail)?.file_type();
    if !kind.is_dir() {
        if !kind.is_file() {
            return Err(VersionError::NoFile(path.to_owned()));
        }
        found.insert(path.to_owned());
        return match found.len() > FILES {
            true => Err(VersionError::TooMuch(path.to_owned())),
            false => Ok(()),
        };
    }
    for entry in fs::read_dir(path).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let (name, below) = (entry.file_name(), entry.path());
        let name = name.to_string_lossy();
        let extension = below.extension().and_then(|extension| extension.to_str());
        let is_made = name.starts_with('.')
            || MADE.contains(&&*name)
            || extension.is_some_and(|extension| MADE_EXTENSIONS.contains(&extension));
        // A link may lead round in a circle, or nowhere; a pipe or a socket holds nothing.
        let is_folder = entry.file_type().map_err(fail)?.is_dir();
        if !is_made && (is_folder || below.is_file()) {
            add(&below, found)?;
        }
    }
    Ok(())
}

struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_in_a_file_is_another_version_and_a_log_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("bot.py"), "one").unwrap();
        fs::create_dir(path("data")).unwrap();
        fs::write(path("data/weights.txt"), "1 2 3").unwrap();
        let words = ["python3", "bot.py", "{port}"].map(str::to_owned).to_vec();
        let command = Command { words, folder: folder.path().to_owned(), environment: [].into() };
        let of = |own| match own {
            true => version(&command, &Files::Folder).unwrap(),
            false => version(&command, &Files::Named).unwrap(),
        };
        let (all, named) = (of(true), of(false));
        assert_ne!(all, named);

        fs::write(path("game.log"), "a game").unwrap();
        fs::create_dir(path("__pycache__")).unwrap();
        fs::write(path("__pycache__/bot.pyc"), "compiled").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path(), path("circle")).unwrap();
        assert_eq!((of(true), of(false)), (all.clone(), named.clone()));

        fs::write(path("data/weights.txt"), "1 2 4").unwrap();
        assert_ne!(of(true), all);
        assert_eq!(of(false), named);
        fs::write(path("bot.py"), "two").unwrap();
        assert_ne!(of(false), named);

        let these = |file: &str| version(&command, &Files::These(vec![file.into()]));
        assert_eq!(these("bot.py").unwrap(), of(false));
        let error = these("none.py").unwrap_err().to_string();
        assert!(error.contains("none.py"), "{error}");
        if cfg!(unix) {
            let error = these("/dev/zero").unwrap_err().to_string();
            assert_eq!(error, "/dev/zero is neither a file nor a folder");
        }
    }
}
