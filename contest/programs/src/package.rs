//! The files of a team's program, copied once, so that exactly the hashed files run.
//!
//! The files are copied into a folder whose name is the hash of their names and contents. The program runs from that
//! copy, which nobody changes: a new version saved meanwhile only affects the next run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use plan::matchup::hash_field;
use plan::tree_hash::{TreeHash, hex};
use plan::{CommandLine, Files};

use crate::interpreter::{self, normal};
use crate::sources::{FILES, OUTSIDE, SEPARATORS, is_untold, name_of, sources, whole};
use crate::team_files;

pub use crate::package_error::PackageError;
pub use crate::sources::places;

/// Maximum number of bytes of all files.
const BYTES: u64 = 512 << 20;
/// Prefix of the names of unfinished packages.
const UNFINISHED: &str = ".unfinished-";

/// The hashes that identify a copy of a program's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The hash of the names, contents and executable flags of the files, in 64 hexadecimal digits.
    pub hash: String,
    /// A hash of the files, the words of the command and its environment, in 16 hexadecimal digits.
    pub version: String,
}

/// The folder with the packages of a tournament.
#[derive(Clone, Debug)]
pub struct Packages(PathBuf);

struct Entry {
    /// The path in the package.
    name: PathBuf,
    is_executable: bool,
    content: [u8; 32],
}

/// The version of a command: a hash of its words, its environment and its files.
///
/// # Errors
///
/// If a file cannot be read, there are too many, or the command does not name them.
pub fn version(command: &CommandLine, files: &Files) -> Result<String, PackageError> {
    let sources = sources(command, files)?;
    if *files == Files::Named && sources.is_empty() && is_untold(command) {
        return Err(PackageError::Untold(command.words.join(" ")));
    }
    Ok(version_of(command, &read(&sources, None)?))
}

impl Packages {
    /// Creates a store in this folder, which itself is created with the first package.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The folder of the store.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Copies the files of a command into a package. Each file is read once, so that the hash is the one of the copy.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or copied, or there are too many.
    pub fn take(&self, command: &CommandLine, files: &Files) -> Result<Package, PackageError> {
        let fail = |error| PackageError::Io(self.0.clone(), error);
        let copy = self.unfinished()?;
        let entries = read(&sources(command, files)?, Some(copy.path()))?;
        let hash = hash_of(&entries);
        // An existing folder of this name may have been changed since.
        if !self.has(&hash) {
            self.finish(copy, &hash).map_err(fail)?;
        }
        Ok(Package { version: version_of(command, &entries), hash })
    }

    /// Creates the folder of an unfinished package, which is removed unless it is finished.
    fn unfinished(&self) -> Result<TempDir, PackageError> {
        let made = fs::create_dir_all(&self.0).and_then(|()| {
            let folder = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.0)?;
            system::set_mode(folder.path(), 0o755)?;
            Ok(folder)
        });
        made.map_err(|error| PackageError::Io(self.0.clone(), error))
    }

    fn finish(&self, unfinished: TempDir, hash: &str) -> io::Result<()> {
        let folder = self.folder(hash);
        let _ = fs::remove_dir_all(&folder);
        fs::rename(unfinished.keep(), folder)
    }

    /// Tests if there is an unchanged package of this hash.
    pub fn has(&self, hash: &str) -> bool {
        is_whole(&self.folder(hash), hash)
    }

    /// Packs the package of this hash into an archive, for another machine.
    ///
    /// # Errors
    ///
    /// If a file of the package cannot be read.
    pub fn archive(&self, hash: &str) -> Result<Vec<u8>, PackageError> {
        self.pack(hash, Vec::new())
    }

    /// The size of the archive of the package of this hash, in bytes.
    ///
    /// # Errors
    ///
    /// If a file of the package cannot be read.
    pub fn archive_size(&self, hash: &str) -> Result<u64, PackageError> {
        Ok(self.pack(hash, Size(0))?.0)
    }

    fn pack<W: io::Write>(&self, hash: &str, into: W) -> Result<W, PackageError> {
        let folder = self.folder(hash);
        let fail = |error| PackageError::Io(folder.clone(), error);
        let mut archive = tar::Builder::new(into);
        archive.follow_symlinks(false);
        archive.append_dir_all("", &folder).map_err(fail)?;
        archive.into_inner().map_err(fail)
    }

    /// Unpacks the package of this hash from an archive; keeps nothing if the files do not match the hash.
    ///
    /// # Errors
    ///
    /// If the files do not match the hash, there are too many, or they cannot be written.
    pub fn unpack(&self, hash: &str, archive: &[u8]) -> Result<(), PackageError> {
        let fail = |error: io::Error| match error.kind() {
            // The archive is malformed, or has names that no package has.
            ErrorKind::UnexpectedEof
            | ErrorKind::Other
            | ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidFilename
            | ErrorKind::AlreadyExists
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory => PackageError::Damaged(hash.to_owned()),
            _ => PackageError::Io(self.0.clone(), error),
        };
        let copy = self.unfinished()?;
        let (mut left, mut files) = (BYTES, 0);
        for entry in tar::Archive::new(archive).entries().map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let is_file = entry.header().entry_type().is_file();
            let name = entry.path().map_err(fail)?.into_owned();
            let is_below = name.components().all(|one| matches!(one, Component::Normal(_)));
            if !is_file || !is_below {
                continue;
            }
            files += 1;
            if files > FILES {
                return Err(PackageError::TooMuch(name));
            }
            let is_executable = entry.header().mode().map_err(fail)? & 0o111 != 0;
            let mut file = create(copy.path(), &name, is_executable).map_err(fail)?;
            let length = io::copy(&mut entry.take(left + 1), &mut file).map_err(fail)?;
            left = left.checked_sub(length).ok_or(PackageError::TooMuch(name))?;
        }
        if !is_whole(copy.path(), hash) {
            return Err(PackageError::Damaged(hash.to_owned()));
        }
        self.finish(copy, hash).map_err(fail)
    }

    /// Removes all packages except those of these hashes, and unfinished ones of killed runs. Ignores failures to remove
    /// them.
    pub fn retain(&self, hashes: &BTreeSet<&str>) {
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_none_or(|name| !hashes.contains(name)) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// The command changed to run from the package of this hash.
    pub fn command(&self, command: &CommandLine, hash: &str) -> CommandLine {
        let folder = self.folder(hash);
        let copy_of =
            |path: &Path| Some(folder.join(name_of(command, path))).filter(|it| it.exists());
        let mut words: Vec<String> =
            command.words.iter().map(|word| moved(command, word, copy_of)).collect();
        if let (Some(word), Some(first)) = (command.words.first(), words.first_mut())
            && let Some(program) = interpreter::program(command)
        {
            // An interpreter is not copied: its libraries are beside it.
            let in_place = || word.contains('/').then_some(program.clone());
            if let Some(path) = copy_of(&program).or_else(in_place)
                && let Some(path) = path.to_str()
            {
                path.clone_into(first);
            }
        }
        CommandLine { words, folder, environment: command.environment.clone() }
    }

    /// The same command in the folder of the package of this hash, for a team that has its files nowhere else.
    #[must_use]
    pub fn in_place(&self, command: CommandLine, hash: &str) -> CommandLine {
        CommandLine { folder: self.folder(hash), ..command }
    }

    /// Pairs of a folder of the package of this hash and the folder that its files were copied from, as texts: in the
    /// program's output, the second replaces the first. Of files that nobody has elsewhere, only the path in the package is
    /// left.
    pub(crate) fn origins(&self, command: &CommandLine, hash: &str) -> [(String, String); 2] {
        let folder = self.folder(hash);
        let origin =
            |copy: PathBuf, own: &Path| (copy.display().to_string(), own.display().to_string());
        let own = if folder == command.folder {
            (format!("{}/", folder.display()), String::new())
        } else {
            origin(folder.clone(), &command.folder)
        };
        [origin(folder.join(OUTSIDE), Path::new("")), own]
    }

    fn folder(&self, hash: &str) -> PathBuf {
        // The paths given to programs are absolute.
        let folder = self.0.join(hash);
        std::path::absolute(&folder).unwrap_or(folder)
    }
}

/// A word of a command, in which paths that lead out of the command's folder are replaced by those of their copies.
fn moved(command: &CommandLine, word: &str, copy_of: impl Fn(&Path) -> Option<PathBuf>) -> String {
    let is_parent = |one: Component<'_>| one == Component::ParentDir;
    let copy = |part: &str| {
        let path = Path::new(part);
        let leaves = path.is_absolute() || path.components().any(is_parent);
        let path = leaves.then(|| normal(&command.folder.join(path))).flatten()?;
        copy_of(&path)?.into_os_string().into_string().ok()
    };
    let moved = |part: &str| {
        let path = part.trim_end_matches(SEPARATORS);
        let copy = copy(path).unwrap_or_else(|| path.to_owned());
        copy + &part[path.len()..]
    };
    copy(word).unwrap_or_else(|| word.split_inclusive(SEPARATORS).map(moved).collect())
}

/// Reads the files, given by their paths without links and their names in the package, and copies them into a folder if
/// one is given.
fn read(
    sources: &BTreeMap<PathBuf, PathBuf>,
    into: Option<&Path>,
) -> Result<Vec<Entry>, PackageError> {
    let mut left = BYTES;
    let mut entries = Vec::with_capacity(sources.len());
    for (name, path) in sources {
        let fail = |error| PackageError::Io(path.clone(), error);
        let too_much = || PackageError::TooMuch(path.clone());
        let source = team_files::open(path)?;
        let found = source.metadata().map_err(fail)?;
        if found.len() > left {
            return Err(too_much());
        }
        let is_executable = system::is_executable(&found);
        let copy = into.map(|folder| create(folder, name, is_executable)).transpose();
        let mut tee = Tee { hash: Sha256::new(), copy: copy.map_err(fail)? };
        // The limit also ends the reading of a file that keeps growing.
        let length = io::copy(&mut source.take(left + 1), &mut tee).map_err(fail)?;
        left = left.checked_sub(length).ok_or_else(too_much)?;
        let content = tee.hash.finalize().into();
        entries.push(Entry { name: name.clone(), is_executable, content });
    }
    Ok(entries)
}

/// Copies the files of a team's folder into an empty folder, for a build, which may change them.
pub(crate) fn copy(folder: &Path, into: &Path) -> Result<(), PackageError> {
    let fail = |error| PackageError::Io(into.to_owned(), error);
    system::set_mode(into, 0o755).map_err(fail)?;
    for Entry { name, is_executable, .. } in read(&whole(folder)?, Some(into))? {
        let mode = if is_executable { 0o755 } else { 0o644 };
        system::set_mode(&into.join(name), mode).map_err(fail)?;
    }
    Ok(())
}

/// Creates a file below a folder; it is read-only once closed.
fn create(root: &Path, name: &Path, is_executable: bool) -> io::Result<File> {
    let path = root.join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
        // Explicit modes override the organiser's umask: if the organiser is root, programs run as another user.
        for folder in folder.ancestors().take_while(|folder| folder.starts_with(root)) {
            system::set_mode(folder, 0o755)?;
        }
    }
    let file = File::create_new(&path)?;
    system::set_mode(&path, if is_executable { 0o555 } else { 0o444 })?;
    Ok(file)
}

/// Tests if a folder holds the unchanged package of this hash.
fn is_whole(folder: &Path, hash: &str) -> bool {
    fn walk(folder: &Path, root: &Path, found: &mut BTreeMap<PathBuf, PathBuf>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                walk(&path, root, found)?;
            } else {
                let name = path.strip_prefix(root).unwrap_or(&path).to_owned();
                found.insert(name, path);
            }
        }
        Ok(())
    }
    let Ok(folder) = &folder.canonicalize() else { return false };
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found).is_ok()
        && read(&found, None).is_ok_and(|entries| hash_of(&entries) == hash)
}

fn hash_of(entries: &[Entry]) -> String {
    let mut hash = TreeHash::new();
    for Entry { name, is_executable, content } in entries {
        hash.add(name, *is_executable, content);
    }
    hex(&hash.finish())
}

fn version_of(command: &CommandLine, entries: &[Entry]) -> String {
    let mut hash = Sha256::new();
    for word in &command.words {
        hash_field(&mut hash, word.as_bytes());
    }
    for (name, value) in &command.environment {
        hash_field(&mut hash, name.as_bytes());
        hash_field(&mut hash, value.as_bytes());
    }
    for Entry { name, content, .. } in entries {
        let outside = name.strip_prefix(OUTSIDE).map(|path| Path::new("/").join(path));
        let name = outside.as_deref().unwrap_or(name);
        hash_field(&mut hash, name.as_os_str().as_encoded_bytes());
        hash.update(content);
    }
    let digest: [u8; 32] = hash.finalize().into();
    let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    format!("{:016x}", u64::from_be_bytes(*first))
}

/// Counts the bytes written.
struct Size(u64);

impl io::Write for Size {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Hashes the bytes written, and copies them if there is a copy.
struct Tee {
    hash: Sha256,
    copy: Option<File>,
}

impl io::Write for Tee {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(copy) = &mut self.copy {
            copy.write_all(bytes)?;
        }
        self.hash.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
mod system {
    use std::fs::{self, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    pub(super) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
        fs::set_permissions(path, Permissions::from_mode(mode))
    }

    pub(super) fn is_executable(file: &Metadata) -> bool {
        file.permissions().mode() & 0o111 != 0
    }
}

/// On other systems, the name of a file decides if it is executable, and a read-only file could not be removed.
#[cfg(not(unix))]
mod system {
    use std::fs::Metadata;
    use std::io;
    use std::path::Path;

    pub(super) fn set_mode(_: &Path, _: u32) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn is_executable(_: &Metadata) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_change_in_a_file_is_another_version_and_a_log_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("bot.py"), "one").unwrap();
        fs::create_dir(path("data")).unwrap();
        fs::write(path("data/weights.txt"), "1 2 3").unwrap();
        let words = words("python3 bot.py {port}");
        let command =
            CommandLine { words, folder: folder.path().to_owned(), environment: [].into() };
        let of = |files| version(&command, &files).unwrap();
        let (all, named) = (of(Files::Folder), of(Files::Named));
        assert_ne!(all, named);

        fs::write(path("game.log"), "a game").unwrap();
        fs::create_dir(path("__pycache__")).unwrap();
        fs::write(path("__pycache__/bot.pyc"), "compiled").unwrap();
        std::os::unix::fs::symlink(folder.path(), path("circle")).unwrap();
        assert_eq!((of(Files::Folder), of(Files::Named)), (all.clone(), named.clone()));

        fs::write(path("data/weights.txt"), "1 2 4").unwrap();
        assert_ne!(of(Files::Folder), all);
        assert_eq!(of(Files::Named), named);
        fs::write(path("bot.py"), "two").unwrap();
        assert_ne!(of(Files::Named), named);

        let these = |file: &str| version(&command, &Files::These(vec![file.into()]));
        assert_eq!(these("bot.py").unwrap(), of(Files::Named));
        let error = these("none.py").unwrap_err().to_string();
        assert!(error.contains("none.py"), "{error}");
        let error = these("/dev/zero").unwrap_err().to_string();
        assert_eq!(error, "/dev/zero is neither a file nor a folder");
    }

    #[test]
    fn a_package_has_the_files_as_they_were_wherever_they_lie() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for folder in ["team/classes", "other", "packages"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        fs::write(path("team/bot"), "program").unwrap();
        fs::set_permissions(path("team/bot"), Permissions::from_mode(0o700)).unwrap();
        fs::write(path("team/classes/Bot.class"), "class").unwrap();
        fs::write(path("other/lib.jar"), "jar").unwrap();
        fs::write(path("other/secret"), "secret").unwrap();
        let jar = path("other/lib.jar").display().to_string();
        let words = words(&format!("./bot -cp classes:{jar} --lib ../other/lib.jar {{port}}"));
        let command = CommandLine { words, folder: path("team"), environment: [].into() };
        let packages = Packages::new(path("packages"));
        let package = packages.take(&command, &Files::Named).unwrap();
        assert_eq!(package.version, version(&command, &Files::Named).unwrap());
        assert_eq!(packages.take(&command, &Files::Named).unwrap(), package, "it is there already");

        fs::write(path("team/bot"), "another program").unwrap();
        fs::write(path("other/lib.jar"), "another jar").unwrap();
        let moved = packages.command(&command, &package.hash);
        let folder = path("packages").join(&package.hash);
        assert_eq!(moved.folder, folder);
        let outside = folder.join(".outside").join(jar.trim_start_matches('/'));
        let expected = [
            folder.join("bot").display().to_string(),
            "-cp".to_owned(),
            format!("classes:{}", outside.display()),
            "--lib".to_owned(),
            outside.display().to_string(),
            "{port}".to_owned(),
        ];
        assert_eq!(moved.words, expected);
        let read = |path: &Path| fs::read_to_string(path).unwrap();
        assert_eq!((read(&folder.join("bot")), read(&outside)), ("program".into(), "jar".into()));
        assert_eq!(read(&folder.join("classes/Bot.class")), "class");
        let mode = fs::metadata(folder.join("bot")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o555, "whoever starts it");
        assert!(!outside.with_file_name("secret").exists());

        // The next package is another version, and a package that was tampered with is made again.
        let next = packages.take(&command, &Files::Named).unwrap();
        assert!(next.hash != package.hash && next.version != package.version);
        let copy = path("packages").join(&next.hash).join("bot");
        fs::remove_file(&copy).unwrap();
        fs::write(&copy, "tampered").unwrap();
        assert_eq!(packages.take(&command, &Files::Named).unwrap(), next);
        assert_eq!(read(&copy), "another program");
        packages.retain(&[next.hash.as_str()].into());
        let left = fs::read_dir(path("packages")).unwrap().count();
        assert_eq!(left, 1);
    }

    #[test]
    fn a_package_travels_to_another_machine_and_is_checked_on_arrival() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir_all(path("team/data")).unwrap();
        fs::write(path("team/bot"), "program").unwrap();
        fs::set_permissions(path("team/bot"), Permissions::from_mode(0o700)).unwrap();
        fs::write(path("team/data/weights"), "1 2 3").unwrap();
        let words = words("./bot data {port}");
        let command = CommandLine { words, folder: path("team"), environment: [].into() };
        let here = Packages::new(path("here"));
        let Package { hash, .. } = here.take(&command, &Files::Named).unwrap();
        let archive = here.archive(&hash).unwrap();
        assert_eq!(here.archive_size(&hash).unwrap(), archive.len() as u64);

        // On the other machine, the folder of the team does not exist.
        fs::remove_dir_all(path("team")).unwrap();
        let there = Packages::new(path("there"));
        assert!(!there.has(&hash));
        there.unpack(&hash, &archive).unwrap();
        assert!(there.has(&hash));
        let bot = path("there").join(&hash).join("bot");
        assert_eq!(fs::metadata(&bot).unwrap().permissions().mode() & 0o777, 0o555);
        let command = there.command(&command, &hash);
        assert_eq!(
            (command.folder, &command.words[1..]),
            (path("there").join(&hash), &["data".into(), "{port}".into()][..])
        );

        let error = there.unpack(&"0".repeat(64), &archive).unwrap_err().to_string();
        assert!(error.contains("other files"), "{error}");
        let cut = there.unpack(&hash, &archive[..archive.len() / 3]);
        assert!(cut.is_err() && there.has(&hash), "what was there stays: {cut:?}");
        let mut outside = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_ustar();
        header.as_old_mut().name[..9].copy_from_slice(b"../escape");
        header.set_size(1);
        header.set_cksum();
        outside.append(&header, &b"x"[..]).unwrap();
        assert!(there.unpack(&hash, &outside.into_inner().unwrap()).is_err());
        assert!(!path("escape").exists() && !path("there/escape").exists());
        assert_eq!(fs::read_dir(path("there")).unwrap().count(), 1, "nothing unfinished is left");
    }

    #[test]
    fn a_command_that_does_not_say_its_files_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let of = |line: &str| {
            let folder = folder.path().to_owned();
            version(
                &CommandLine { words: words(line), folder, environment: [].into() },
                &Files::Named,
            )
        };
        for line in ["sh -c true", "env {port}"] {
            let error = of(line).unwrap_err().to_string();
            assert!(error.contains("`dossier`") && error.contains("`version`"), "{error}");
        }
        // A missing file is reported when the program is started.
        for line in ["./none {port}", "no-such-program {port}", "sh none.sh {port}"] {
            assert!(of(line).is_ok(), "{line}");
        }
    }

    #[test]
    fn an_archive_with_too_many_files_or_strange_names_is_refused_as_such() {
        let root = tempfile::tempdir().unwrap();
        let packages = Packages::new(root.path().join("packages"));
        let unpacked = |names: &[String]| {
            let mut archive = tar::Builder::new(Vec::new());
            for name in names {
                let mut header = tar::Header::new_gnu();
                header.set_size(0);
                header.set_mode(0o644);
                archive.append_data(&mut header, name, io::empty()).unwrap();
            }
            packages.unpack(&"0".repeat(64), &archive.into_inner().unwrap()).unwrap_err()
        };
        let many: Vec<_> = (0..=FILES).map(|number| number.to_string()).collect();
        let error = unpacked(&many);
        assert!(matches!(error, PackageError::TooMuch(_)), "{error:?}");
        // The machine that unpacks it is not to blame.
        for names in [&["a", "a"][..], &["a", "a/b"], &["a/b", "a"], &[&"x".repeat(300)]] {
            let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
            let error = unpacked(&names);
            assert!(matches!(error, PackageError::Damaged(_)), "{names:?} {error:?}");
        }
        assert_eq!(fs::read_dir(root.path().join("packages")).unwrap().count(), 0);
    }
}
