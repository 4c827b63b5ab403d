//! The texts of a program, read to be looked at.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::package::PackageError;
use crate::sources::whole;
use crate::team_files;

/// Reads the files of a folder whose names are wanted, with their names in it, in the order of their names. Of each one, up to
/// `most` bytes are read; its rest is left out. As in a package, no link leads out of the folder, and files of tools, as in
/// `.git` or `node_modules`, are left out.
///
/// # Errors
///
/// If a file cannot be read, if there are too many, or if they have more than `all` bytes together.
pub fn texts(
    folder: &Path,
    is_wanted: impl Fn(&Path) -> bool,
    most: u64,
    all: u64,
) -> Result<Vec<(PathBuf, Vec<u8>)>, PackageError> {
    let mut left = all;
    let mut texts = Vec::new();
    for (name, path) in whole(folder)? {
        if !is_wanted(&name) {
            continue;
        }
        let mut text = Vec::new();
        let file = team_files::open(&path)?;
        let length = file.take(most.min(left + 1)).read_to_end(&mut text);
        let length = length.map_err(|error| PackageError::Io(path.clone(), error))?;
        left = left.checked_sub(length as u64).ok_or(PackageError::TooMuch(path))?;
        texts.push((name, text));
    }
    Ok(texts)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn texts_are_read_up_to_limits_and_never_through_a_link_out_of_the_folder() {
        let world = tempfile::tempdir().unwrap();
        let path = |name: &str| world.path().join(name);
        fs::create_dir_all(path("team/lib")).unwrap();
        fs::write(path("secret.py"), "secret").unwrap();
        fs::write(path("team/bot.py"), "0123456789").unwrap();
        fs::write(path("team/lib/a.py"), "abc").unwrap();
        fs::write(path("team/image.png"), [0; 100]).unwrap();
        let is_python = |name: &Path| name.extension().is_some_and(|it| it == "py");
        let read = |all| texts(&path("team"), is_python, 5, all);
        let found = read(8).unwrap();
        let expected = [("bot.py".into(), b"01234".to_vec()), ("lib/a.py".into(), b"abc".to_vec())];
        assert_eq!(found, expected);
        assert!(matches!(read(7), Err(PackageError::TooMuch(_))));
        symlink(path("secret.py"), path("team/linked.py")).unwrap();
        assert!(matches!(read(100), Err(PackageError::Leaves { .. })));
    }
}
