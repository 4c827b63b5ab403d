//! Limits of uploads.

/// The limits of an upload. `Limits::default()` suits the bots of a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of the uploaded file, in bytes: 20 MB.
    pub upload: u64,
    /// Maximum size of all unpacked files together, in bytes: 100 MB. Bytes are counted while they are unpacked, so that
    /// no header is believed.
    pub unpacked: u64,
    /// Maximum number of files, and maximum number of folders: 2 000 of each. What is [left out](crate::LeftOut) does not
    /// count.
    pub files: usize,
    /// Maximum number of folders in each other, including a folder around everything: 12.
    pub depth: usize,
    /// Maximum length of the name of a file or of a folder, in bytes: 120. Some file systems have room for 143.
    pub name: usize,
    /// Maximum length of a name with its folders, in bytes: 240. Windows has room for 259 characters.
    pub path: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            upload: 20_000_000,
            unpacked: 100_000_000,
            files: 2_000,
            depth: 12,
            name: 120,
            path: 240,
        }
    }
}
