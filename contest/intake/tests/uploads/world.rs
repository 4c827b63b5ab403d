//! A folder for uploads beside other files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use intake::{Limits, Refusal, Unpacked, unpack};
use tempfile::TempDir;

/// A folder with an upload, a folder for what is unpacked, and files of others.
pub(crate) struct World(TempDir);

impl World {
    pub(crate) fn new() -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        fs::create_dir(world.at("parent")).unwrap();
        fs::create_dir(world.at("outside")).unwrap();
        fs::write(world.at("outside/secret"), "the rival's secret").unwrap();
        world
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn unpack(
        &self,
        name: &str,
        upload: &[u8],
        limits: &Limits,
    ) -> Result<Unpacked, Refusal> {
        fs::write(self.at("upload"), upload).unwrap();
        unpack(&self.at("upload"), name, &self.at("parent"), limits)
    }

    /// All files of the world but the upload, with their contents.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = files(self.0.path());
        files.remove(Path::new("upload"));
        files
    }

    /// Tests if nothing is left in the folder for what is unpacked.
    pub(crate) fn is_clean(&self) -> bool {
        fs::read_dir(self.at("parent")).unwrap().next().is_none()
    }
}

/// The files below a folder by their paths in it, with their contents.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut unread = vec![folder.to_owned()];
    while let Some(next) = unread.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                unread.push(entry.path());
            } else {
                assert!(kind.is_file(), "{} is a plain file", entry.path().display());
                let name = entry.path().strip_prefix(folder).unwrap().to_owned();
                found.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }
    found
}
