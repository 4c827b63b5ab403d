//! Files of maps.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use game::pacman::{Map, maps};
use language::{in_language, said};

/// The folder of the maps that come with the programs.
const FOLDER: &str = "cartes";
/// Maximum number of maps that an error lists.
const LISTED: usize = 12;

/// Reads a map file, or returns the built-in map of this name, such as `grand`.
///
/// # Errors
///
/// With the file, and the line and column of the first fault; with the existing maps if this one is missing.
pub fn load_map(path: &Path) -> anyhow::Result<Map> {
    let read = fs::read(path).or_else(|failure| {
        let inside = path.to_str().and_then(maps::text_of);
        inside.map(|text| text.as_bytes().to_vec()).ok_or(failure)
    });
    let text = read.map_err(|failure| {
        if !matches!(failure.kind(), io::ErrorKind::NotFound | io::ErrorKind::IsADirectory) {
            return failure;
        }
        let near = maps_near(path);
        let inside: Vec<_> = maps::names().collect();
        let (inside, shown) = (inside.join(", "), in_language(&failure));
        let text = match near.as_slice() {
            [] => said!(
                "{shown}; the built-in maps are {inside}",
                "{shown} ; les cartes intégrées sont {inside}"
            ),
            near => said!(
                "{shown}; the maps here are {}, the built-in ones {inside}",
                "{shown} ; les cartes ici sont {}, les cartes intégrées {inside}",
                near.join(", ")
            ),
        };
        io::Error::new(failure.kind(), text)
    });
    let text = text.with_context(|| {
        said!("cannot read the map {}", "la carte {} est illisible", path.display())
    })?;
    Map::parse(&text).with_context(|| path.display().to_string())
}

/// As [`load_map`], for a map with room for this number of players.
///
/// # Errors
///
/// As [`load_map`], and if the map has too few empty cells.
pub fn load_map_for(players: usize, path: &Path) -> anyhow::Result<Map> {
    let map = load_map(path)?;
    map.check_room_for(players).with_context(|| path.display().to_string())?;
    Ok(map)
}

/// The maps in the folder that a path names, in the current folder and in the folder of the programs' maps.
fn maps_near(path: &Path) -> Vec<String> {
    let named = if path.is_dir() { Some(path) } else { path.parent() };
    let mut maps: Vec<String> = Vec::new();
    for folder in [named.unwrap_or(Path::new("")), Path::new(""), Path::new(FOLDER)] {
        let mut found: Vec<_> =
            text_files(folder).into_iter().filter(|file| is_map(file)).collect();
        found.sort_unstable();
        for map in found.iter().map(|file| file.display().to_string()) {
            if maps.len() < LISTED && !maps.contains(&map) {
                maps.push(map);
            }
        }
    }
    maps
}

fn text_files(folder: &Path) -> Vec<PathBuf> {
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(listed).into_iter().flatten().flatten();
    let files = entries.map(|entry| folder.join(entry.file_name()));
    files.filter(|file| file.extension() == Some(OsStr::new("txt"))).collect()
}

/// Tests if a file is a map. A file that is larger than any map is not read.
fn is_map(file: &Path) -> bool {
    let is_small = fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() < 1 << 20);
    is_small && fs::read(file).is_ok_and(|text| Map::parse(&text).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_a_map_inside_the_programs() {
        let map = load_map(Path::new("petit")).unwrap();
        assert_eq!(map, load_map(Path::new("../../cartes/petit.txt")).unwrap());
    }

    #[test]
    fn a_map_that_cannot_be_read_is_named() {
        let error = load_map(Path::new("no/such/map.txt")).unwrap_err();
        assert!(format!("{error:#}").starts_with("cannot read the map no/such/map.txt: "));
    }

    #[test]
    fn missing_map_lists_the_existing_maps() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("b.txt", "3;3\n###\n#.#\n###\n"), ("a.txt", "3;3\n...\n...\n...\n")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        fs::write(folder.path().join("notes.txt"), "not a map").unwrap();
        let here = folder.path().display();
        for missing in [folder.path().join("plan2.txt"), folder.path().to_owned()] {
            let error = format!("{:#}", load_map(&missing).unwrap_err());
            let expected = format!(
                "; the maps here are {here}/a.txt, {here}/b.txt, the built-in ones plan1, "
            );
            assert!(error.contains(&expected) && !error.contains("notes"), "{error}");
        }
    }
}
