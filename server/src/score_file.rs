//! The file of the scores.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Replaces a file as a whole: whoever reads it sees the old text or the new one. A link stays a
/// link, and a device is written to.
///
/// # Errors
///
/// When the text cannot be written there, or not beside the file, which then stays as it is.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = &followed(path);
    if is_device(path) {
        return fs::write(path, text);
    }
    let mut file = new_file_beside(path)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Whether [`replace`] has a chance, to be asked before there is anything to lose.
///
/// # Errors
///
/// When nothing can be written there.
pub(crate) fn check_writable(path: &Path) -> io::Result<()> {
    let names_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    let path = &followed(path);
    if is_device(path) {
        return fs::OpenOptions::new().write(true).open(path).map(drop);
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Err(io::Error::other("not a file")),
        Ok(found) if found.permissions().readonly() => {
            Err(io::ErrorKind::ReadOnlyFilesystem.into())
        }
        _ if names_folder => Err(io::ErrorKind::NotADirectory.into()),
        _ => new_file_beside(path).map(drop),
    }
}

/// Whether it is a device such as `/dev/null`, which must not be replaced.
#[cfg(unix)]
fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|found| found.file_type().is_char_device())
}

#[cfg(not(unix))]
fn is_device(_: &Path) -> bool {
    false
}

/// Where a link leads to, whether anything is there or not.
fn followed(path: &Path) -> PathBuf {
    match fs::read_link(path) {
        Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
        Err(_) => path.to_owned(),
    }
}

/// A file that is gone unless it is given a name, with the permissions of any other new file.
fn new_file_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".scores-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder);
    // The name of that file would only puzzle.
    file.map_err(|failure| failure.kind().into())
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
    fn what_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check_writable(folder.path()).is_err(), "a folder");
        assert!(check_writable(&folder.path().join("missing/")).is_err(), "no folder");
        let nowhere = folder.path().join("missing").join("score.csv");
        assert!(check_writable(&nowhere).is_err());
        assert!(replace(&nowhere, "").is_err());
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
