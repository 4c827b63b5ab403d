//! Files that students pack by accident, such as `.git` and `__pycache__`, which are left out.

use std::collections::BTreeMap;

use language::{Note, note};

/// Folders and files that belong to tools; what is in such a folder is left out with it.
const NAMES: [&str; 11] = [
    "__MACOSX",
    ".git",
    "node_modules",
    "__pycache__",
    ".DS_Store",
    ".venv",
    "venv",
    ".idea",
    ".vscode",
    "Thumbs.db",
    "desktop.ini",
];
/// Start of the names of files in which macOS keeps attributes of other files.
const APPLE_DOUBLE: &str = "._";

/// Entries that were left out of an archive because a tool has made them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The name of the folder or of the file, or `._*` for the attribute files of macOS.
    pub name: &'static str,
    /// Number of entries of that name, or in a folder of that name.
    pub entries: u64,
}

/// Counts what is left out.
#[derive(Debug, Default)]
pub(crate) struct Counts(BTreeMap<&'static str, u64>);

impl Counts {
    /// Tests if an entry is left out, given the parts of its name, and counts it.
    pub(crate) fn take(&mut self, parts: &[String]) -> bool {
        let Some(name) = parts.iter().find_map(|part| tool_name(part)) else { return false };
        *self.0.entry(name).or_default() += 1;
        true
    }

    pub(crate) fn into_list(self) -> Vec<LeftOut> {
        self.0.into_iter().map(|(name, entries)| LeftOut { name, entries }).collect()
    }
}

fn tool_name(part: &str) -> Option<&'static str> {
    let name = NAMES.into_iter().find(|name| name.eq_ignore_ascii_case(part));
    name.or_else(|| part.starts_with(APPLE_DOUBLE).then_some("._*"))
}

/// A sentence for the student that lists what was left out; `None` if nothing was.
pub(crate) fn words(left_out: &[LeftOut]) -> Option<Note> {
    if left_out.is_empty() {
        return None;
    }
    let list = |one: &LeftOut| format!("`{}` ({})", one.name, one.entries);
    let list = left_out.iter().map(list).collect::<Vec<_>>().join(", ");
    Some(note!(
        "left out, with the number of entries: {list}",
        "laissé de côté, avec le nombre d'entrées : {list}",
    ))
}
