//! The archive of the files that a build leaves.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::sources::{MANIFEST, SEPARATORS, TARGET};

/// Number of bytes that headers and padding may take for each file or folder.
const HEADERS: u64 = 2_048;

/// The size in bytes of the largest archive of files within these limits.
pub(crate) fn most(limits: &intake::Limits) -> u64 {
    let entries = 2 * limits.files as u64 + 64;
    limits.unpacked.saturating_add(entries.saturating_mul(HEADERS))
}

/// The paths below Cargo's folder `target` that a command names. Everything else below it is thrown away.
pub(crate) fn kept(command: &[String]) -> Vec<PathBuf> {
    let parts = command.iter().flat_map(|word| word.split(SEPARATORS));
    let in_target = |part: &str| {
        let is_here = |one: &Component<'_>| *one == Component::CurDir;
        let path: PathBuf = Path::new(part).components().skip_while(is_here).collect();
        let is_below = path.components().all(|one| matches!(one, Component::Normal(_)));
        (is_below && path.starts_with(TARGET) && !part.contains('\n')).then_some(path)
    };
    parts.filter_map(in_target).collect()
}

/// Writes the files of a folder into an archive, without following links: for a build that ran without protection.
pub(crate) fn write(folder: &Path, kept: &[PathBuf], into: &mut File) -> io::Result<()> {
    let is_cargo = folder.join(MANIFEST).exists();
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = PathBuf::from(entry?.file_name());
        if !is_cargo || name != Path::new(TARGET) {
            names.push(name);
        }
    }
    if is_cargo {
        names.extend(kept.iter().filter(|path| folder.join(path).exists()).cloned());
    }
    names.sort();
    let mut archive = tar::Builder::new(into);
    archive.follow_symlinks(false);
    for name in names {
        let path = folder.join(&name);
        if fs::symlink_metadata(&path)?.is_dir() {
            archive.append_dir_all(&name, &path)?;
        } else {
            archive.append_path_with_name(&path, &name)?;
        }
    }
    archive.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_names_in_the_folder_of_cargo_is_kept() {
        for (word, expected) in [
            ("./target/release/ada", Some("target/release/ada")),
            ("././target/x", Some("target/x")),
            ("lib.jar:target/classes", Some("target/classes")),
            ("--data=target/data", Some("target/data")),
            ("target", Some("target")),
            ("target/../../x", None),
            ("targets/x", None),
            ("/target/x", None),
            ("target/a\nb", None),
            ("{port}", None),
        ] {
            let found = kept(&[word.to_owned()]);
            assert_eq!(
                found,
                expected.map(PathBuf::from).into_iter().collect::<Vec<_>>(),
                "{word}"
            );
        }
    }
}
