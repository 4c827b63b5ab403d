//! The file of the scores.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use language::word;

const DRAFT: &str = ".tmp";

/// Replaces a file atomically: readers see the old text or the new one. A link stays a link, and a device is written
/// directly. Fails when the device, or the draft beside the file, cannot be written; the file then stays unchanged.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = &followed(path);
    if is_device(path) {
        return fs::write(path, text);
    }
    let mut draft = Draft::beside(path)?;
    draft.file.write_all(text.as_bytes())?;
    draft.file.sync_all()?;
    fs::rename(&draft.path, path)
}

/// Checks in advance that [`replace`] can write to `path`. Removes the drafts of killed servers. Fails when the path is
/// not writable.
pub(crate) fn check_writable(path: &Path) -> io::Result<()> {
    let names_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    let path = &followed(path);
    if is_device(path) {
        return OpenOptions::new().write(true).open(path).map(drop);
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => {
            Err(io::Error::other(word("not a file", "ce n'est pas un fichier")))
        }
        Ok(found) if found.permissions().readonly() => Err(io::Error::other(word(
            "nobody may write to this file",
            "personne n'a le droit d'écrire dans ce fichier",
        ))),
        _ if names_folder => Err(io::ErrorKind::NotADirectory.into()),
        _ => {
            Draft::remove_left_over(path);
            Draft::beside(path).map(drop)
        }
    }
}

/// A draft beside the file that it will replace; removed on drop if it was not renamed.
struct Draft {
    path: PathBuf,
    file: File,
}

impl Draft {
    fn beside(path: &Path) -> io::Result<Self> {
        let number = getrandom::u64().map_err(io::Error::other)?;
        let mut name = Self::prefix(path);
        name.push(format!("{number:016x}{DRAFT}"));
        let path = path.with_file_name(name);
        let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        // The lock tells other servers that the draft is in use. Without file locks, no draft counts as left over.
        let _ = fs4::FileExt::try_lock(&file);
        Ok(Self { path, file })
    }

    /// Removes the drafts of this file that are not locked by a running server.
    fn remove_left_over(path: &Path) {
        let prefix = Self::prefix(path);
        let is_draft = |name: &OsString| {
            let name = name.as_encoded_bytes();
            let number = name.strip_prefix(prefix.as_encoded_bytes());
            let number = number.and_then(|rest| rest.strip_suffix(DRAFT.as_bytes()));
            number.is_some_and(|n| n.len() == 16 && n.iter().all(u8::is_ascii_hexdigit))
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let entries =
            fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
        for draft in entries.filter(|entry| is_draft(&entry.file_name())) {
            let draft = draft.path();
            if File::open(&draft).is_ok_and(|file| fs4::FileExt::try_lock(&file).is_ok()) {
                let _ = fs::remove_file(&draft);
            }
        }
    }

    /// The prefix of the names of this file's drafts.
    fn prefix(path: &Path) -> OsString {
        let mut prefix = OsString::from(".");
        prefix.push(path.file_name().unwrap_or_default());
        prefix.push("-");
        prefix
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Fails after a rename, when the draft no longer exists.
        let _ = fs::remove_file(&self.path);
    }
}

/// Tests if the path is a device such as `/dev/null`, which must not be replaced.
#[cfg(unix)]
fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|found| found.file_type().is_char_device())
}

#[cfg(not(unix))]
fn is_device(_: &Path) -> bool {
    false
}

/// The target of a link, even if it does not exist; other paths unchanged.
fn followed(path: &Path) -> PathBuf {
    match fs::read_link(path) {
        Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
        Err(_) => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("score.csv");
        for text in ["a longer first text", "short"] {
            check_writable(&path).unwrap();
            replace(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else stays");
    }

    #[test]
    fn unwritable_score_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check_writable(folder.path()).is_err(), "a folder");
        assert!(check_writable(&folder.path().join("missing/")).is_err(), "no folder");
        let nowhere = folder.path().join("missing").join("score.csv");
        assert!(check_writable(&nowhere).is_err());
        assert!(replace(&nowhere, "").is_err());
    }

    #[test]
    fn drafts_of_killed_servers_are_removed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let scores = folder.path().join("score.csv");
        let file = |name: &str| folder.path().join(name);
        let left_over = file(".score.csv-0123456789abcdef.tmp");
        let kept = [
            file(".score.csv-backup.tmp"),
            file(".score.csv-0123456789abcdef"),
            file(".other.csv-0123456789abcdef.tmp"),
        ];
        for path in kept.iter().chain([&left_over]) {
            fs::write(path, "").unwrap();
        }
        let running = Draft::beside(&scores).unwrap();
        check_writable(&scores).unwrap();
        assert!(!left_over.exists());
        assert!(running.path.exists() && kept.iter().all(|path| path.exists()));
        drop(running);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), kept.len());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::os::unix::fs::symlink("file", &link).unwrap();
        for text in ["where nothing is", "where something is"] {
            check_writable(&link).unwrap();
            replace(&link, text).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        }
        assert!(is_device(Path::new("/dev/null")), "before it is tried");
        check_writable(Path::new("/dev/null")).unwrap();
        replace(Path::new("/dev/null"), "nothing").unwrap();
        assert!(is_device(Path::new("/dev/null")), "still a device");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused_without_waiting_for_its_reader() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(check_writable(&pipe).unwrap_err().to_string(), "not a file");
    }
}
