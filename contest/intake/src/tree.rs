//! The files and folders of an upload, by their names.

use std::collections::HashMap;

use crate::Quoted;
use crate::entry_fault::EntryFault;

/// The files and folders of an upload, with which the next one may not collide on any system.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Files and folders by lower-case path, because systems that ignore case mix up names that differ only in case.
    nodes: HashMap<String, Node>,
    /// Number of files.
    pub(crate) files: usize,
    /// Number of folders.
    pub(crate) folders: usize,
}

#[derive(Debug)]
struct Node {
    spelled: String,
    is_file: bool,
}

impl Tree {
    /// Adds a file or a folder, and the folders that it is in.
    ///
    /// # Errors
    ///
    /// If the name is taken, differs from another one in case only, or has a file as a folder.
    pub(crate) fn add(&mut self, parts: &[String], is_file: bool) -> Result<(), EntryFault> {
        let mut path = String::new();
        for (place, part) in parts.iter().enumerate() {
            if place > 0 {
                path.push('/');
            }
            path.push_str(part);
            self.add_one(&path, is_file && place + 1 == parts.len())?;
        }
        Ok(())
    }

    fn add_one(&mut self, path: &str, is_file: bool) -> Result<(), EntryFault> {
        let folded = path.to_lowercase();
        let Some(node) = self.nodes.get(&folded) else {
            *(if is_file { &mut self.files } else { &mut self.folders }) += 1;
            self.nodes.insert(folded, Node { spelled: path.to_owned(), is_file });
            return Ok(());
        };
        match (node.is_file, is_file) {
            _ if node.spelled != path => Err(EntryFault::Case(Quoted::new(&node.spelled))),
            (false, false) => Ok(()),
            (true, true) => Err(EntryFault::Twice),
            (true, false) | (false, true) => Err(EntryFault::FileAndFolder(Quoted::new(path))),
        }
    }

    /// The folder around all files, if there is one.
    pub(crate) fn wrapper(&self) -> Option<&str> {
        let files = self.nodes.values().filter(|node| node.is_file);
        let mut tops = files.map(|node| node.spelled.split_once('/'));
        let (first, _) = tops.next()??;
        tops.all(|top| top.is_some_and(|(top, _)| top == first)).then_some(first)
    }
}
