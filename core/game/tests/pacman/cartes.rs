//! The maps of the project, on disk in `cartes/`.

use std::{fs, path::PathBuf};

use game::pacman::Map;

/// Name and text of every file, sorted by name.
pub(crate) fn all() -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(directory())
        .expect("the directory of the maps")
        .map(|entry| entry.expect("an entry of it").path())
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a text file");
            (path.file_name().expect("a file").to_string_lossy().into_owned(), text)
        })
        .collect();
    files.sort();
    files
}

pub(crate) fn load(name: &str) -> Map {
    let text = fs::read(directory().join(name)).expect("a map of the project");
    Map::parse(&text).expect("a correct map")
}

fn directory() -> PathBuf {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes").into()
}
