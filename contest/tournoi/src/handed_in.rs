//! Programs as teams hand them in: a folder, an archive or a single file each.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use intake::{Launch, Limits, Refusal};
use language::{Language, said};
use protocol::Name;

use crate::config::{TeamConfig, Words};
use crate::workshop::Workshop;

/// Ends of the names of archives.
const ARCHIVES: [&str; 4] = [".tar.gz", ".tgz", ".tar", ".zip"];
/// Ends of the names of programs in one file.
const SCRIPTS: [&str; 4] = [".py", ".js", ".jar", ".java"];

/// The program of a team, from a folder, an archive or a file.
#[derive(Debug)]
pub struct HandedIn {
    /// The name of the team: that of its folder or file.
    pub name: String,
    /// Its program, or why there is none.
    pub program: Result<TeamConfig, String>,
}

/// Reads what teams have handed in, in the order of the paths, and builds the programs that have to be built; `None` if the
/// user interrupts this. Archives are unpacked into folders in `into`. A single path may be the folder of a whole class.
///
/// # Errors
///
/// When nothing is there, or the disk is full. What is wrong with the program of one team stands beside its name.
pub fn read(
    paths: &[PathBuf],
    into: &Path,
    workshop: &mut Workshop,
) -> anyhow::Result<Option<Vec<HandedIn>>> {
    let class = if let [folder] = paths { class(folder) } else { None };
    let folders = folders(class.as_deref().unwrap_or(paths), into)?;
    workshop.hide(paths, into);
    let mut all = Vec::with_capacity(folders.len());
    for (name, folder) in folders {
        let found = match folder {
            Ok(folder) => refused(intake::manifest(&folder))?.map(|launch| (launch, folder)),
            Err(why) => Err(why),
        };
        let program = match found {
            Ok((launch, folder)) if launch.build.is_some() => {
                let Some(built) = workshop.build(&name, &launch, &folder)? else { return Ok(None) };
                built.map(|built| team(&name, launch, built))
            }
            found => found.map(|(launch, folder)| team(&name, launch, folder)),
        };
        all.push(HandedIn { name, program });
    }
    Ok(Some(all))
}

/// The name of each team, and the folder of its files or why there is none. Archives are unpacked into folders in `into`.
///
/// # Errors
///
/// When nothing is there, or the disk is full.
pub fn folders(
    paths: &[PathBuf],
    into: &Path,
) -> anyhow::Result<Vec<(String, Result<PathBuf, String>)>> {
    let mut all: Vec<(String, _)> = Vec::new();
    for path in paths {
        // A link with a slash behind it would be the folder that it leads to.
        let path: PathBuf = path.components().collect();
        let is_taken = |name: &str| all.iter().any(|(taken, _)| taken == name);
        let name = Name::new(&name_of(&path)).distinct(is_taken).to_string();
        all.push((name, folder(&path, into)?));
    }
    Ok(all)
}

/// Returns the entries of a folder that holds the programs of a class; `None` if the folder is itself a program, or has fewer than
/// two programs, or only single files.
fn class(folder: &Path) -> Option<Vec<PathBuf>> {
    if intake::is_program(folder) {
        return None;
    }
    let entries = entries(folder)?;
    let ends_in = |path: &Path, ends: &[&str]| {
        let name = path.to_string_lossy().to_ascii_lowercase();
        ends.iter().any(|end| name.ends_with(end))
    };
    let is_whole = |path: &Path| match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => intake::manifest(path).is_ok(),
        found => found.is_ok() && ends_in(path, &ARCHIVES),
    };
    let whole = entries.iter().filter(|path| is_whole(path)).count();
    let files = entries.iter().filter(|path| ends_in(path, &SCRIPTS)).count();
    (whole > 0 && whole + files > 1).then_some(entries)
}

/// The files and folders in a folder, without hidden ones, sorted; `None` if it cannot be read.
pub fn entries(folder: &Path) -> Option<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).ok()?.map(|entry| Some(entry.ok()?.path()));
    let mut entries: Vec<_> = entries.collect::<Option<_>>()?;
    entries.retain(|path| !name_of(path).starts_with('.'));
    entries.sort();
    Some(entries)
}

fn folder(path: &Path, into: &Path) -> anyhow::Result<Result<PathBuf, String>> {
    let found = fs::symlink_metadata(path).with_context(|| path.display().to_string())?;
    if found.is_dir() {
        return Ok(Ok(path.to_owned()));
    }
    // A link may lead to what only the organiser may read.
    if !found.is_file() {
        return Ok(Err(said!(
            "it is a link or a device; expected a folder, an archive or a file",
            "c'est un lien ou un périphérique ; un dossier, une archive ou un fichier est attendu"
        )));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unpacked = refused(intake::unpack(path, &name, into, &Limits::default()));
    let unpacked = unpacked.with_context(|| path.display().to_string())?;
    Ok(unpacked.map(|unpacked| unpacked.folder.keep()))
}

/// The words of a refusal; an error of this machine is none.
fn refused<T>(found: Result<T, Refusal>) -> anyhow::Result<Result<T, String>> {
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(Refusal::Disk(error)) => Err(error.into()),
        Err(refusal) => Ok(Err(refusal.words().say(Language::chosen()).to_owned())),
    }
}

fn team(name: &str, launch: Launch, folder: PathBuf) -> TeamConfig {
    TeamConfig {
        name: Some(name.to_owned()),
        bot: None,
        command: Some(Words::List(launch.command)),
        folder: Some(folder),
        own_folder: true,
        environment: [].into(),
        version: None,
        files: None,
    }
}

/// The name of a folder, or of a file without the end that tells its kind.
fn name_of(path: &Path) -> String {
    // Of `.` and `..`, the name is that of the folder there.
    let there =
        path.file_name().map_or_else(|| path.canonicalize().unwrap_or_default(), PathBuf::from);
    let name = there.file_name().unwrap_or_default().to_string_lossy();
    if path.is_dir() {
        return name.into_owned();
    }
    let ends = ARCHIVES.into_iter().chain(SCRIPTS);
    let lower = name.to_ascii_lowercase();
    let stem = ends.into_iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&name);
    name[..stem.len()].to_owned()
}
