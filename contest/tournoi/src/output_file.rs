//! Files that commands write, whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, bail};
use language::said;
use tempfile::NamedTempFile;

/// Replaces a file by what `write` writes: readers see the old file or the new one. A link stays a link, and a device is
/// written directly.
///
/// # Errors
///
/// When `write` fails, or the file cannot be written; the file then stays unchanged.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let replaced = || {
        let known = fs::metadata(path).ok();
        if known.is_some() {
            // A folder, and a file that may not be written, are refused before anything is computed.
            let mut file = OpenOptions::new().write(true).open(path)?;
            if known.as_ref().is_some_and(|known| !known.is_file()) {
                return write(&mut file);
            }
        }
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut draft = draft_beside(&place)?;
        if let Some(known) = known {
            draft.as_file().set_permissions(known.permissions())?;
        }
        fill(&mut draft, write)?;
        draft.persist(&place).map_err(|error| error.error)?;
        Ok(())
    };
    replaced().with_context(|| not_written(path))
}

/// Writes a new file.
///
/// # Errors
///
/// When there is something at the path, which stays, or the file cannot be written.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut draft = draft_beside(path).with_context(|| not_written(path))?;
    fill(&mut draft, |out| Ok(out.write_all(bytes)?)).with_context(|| not_written(path))?;
    match draft.persist_noclobber(path).map_err(|error| error.error) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!(said!(
            "{} exists already; choose another file",
            "{} existe déjà ; choisissez un autre fichier",
            path.display()
        )),
        Err(error) => Err(error).with_context(|| not_written(path)),
    }
}

fn not_written(path: &Path) -> String {
    said!("cannot write {}", "{} ne peut pas être écrit", path.display())
}

fn fill(
    draft: &mut NamedTempFile,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut out = BufWriter::new(draft.as_file_mut());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    draft.as_file().sync_all()?;
    Ok(())
}

/// A file beside a path that is removed unless it is renamed. Its permissions are those of any new file.
fn draft_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let what = said!("there is no folder {}", "il n'y a pas de dossier {}", folder.display());
        return Err(io::Error::new(ErrorKind::NotFound, what));
    }
    #[cfg_attr(not(unix), expect(unused_mut, reason = "permissions are those of Unix"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_failure_leaves_the_old_file_and_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let failing = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            bail!("no more results")
        };
        let missing = folder.path().join("missing/table.csv");
        let error = format!("{:#}", replace(&missing, failing).unwrap_err());
        assert!(error.ends_with("missing") && error.contains("there is no folder"), "{error}");
        assert!(replace(&path, failing).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        replace(&path, |out| Ok(out.write_all(b"old")?)).unwrap();
        assert!(replace(&path, failing).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        replace(&path, |out| Ok(out.write_all(b"new")?)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_devices_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, |out| Ok(out.write_all(b"new")?)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        replace(Path::new("/dev/null"), |out| Ok(out.write_all(b"new")?)).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert!(replace(folder.path(), |_| Ok(())).is_err());
    }

    #[test]
    fn what_is_there_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.rejeu");
        create(&path, b"one").unwrap();
        assert!(create(&path, b"two").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one");
    }
}
