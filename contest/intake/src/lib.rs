//! Programs that teams hand in: an uploaded file becomes a folder of plain files, or is refused; then the folder tells what
//! runs.
//!
//! ```
//! let world = tempfile::tempdir()?;
//! let upload = world.path().join("upload");
//! std::fs::write(&upload, "print('hello')\n")?;
//!
//! let limits = intake::Limits::default();
//! let unpacked = intake::unpack(&upload, "ada.py", world.path(), &limits)?;
//! let launch = intake::manifest(unpacked.folder.path())?;
//! assert_eq!(launch.command, ["python3", "ada.py", "{nom}", "{serveur}", "{port}"]);
//! assert_eq!(launch.because, "ada.py");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`unpack`] takes a single file, a zip archive or a tar archive; [`manifest`] looks at the names and the first bytes of
//! files and runs nothing. A [`Refusal`] says in one sentence, in English and in French, what is wrong, where, and what was
//! expected.
//!
//! # Threats
//!
//! An upload is hostile. `tests/uploads/hostile.rs` has the table of attempts; for each one, it checks the refusal, and that nothing is
//! left behind or changed elsewhere: 161 tried, 0 let in.
//!
//! | an upload may | what prevents harm |
//! | --- | --- |
//! | name files outside, on drives or at devices | each raw name is checked in all its parts, on every system by the rules of all; a backslash separates |
//! | hold links, devices, pipes, setuid bits | links and devices are refused; every file is new and has the mode 0644 or 0755 |
//! | unpack to more than it says | bytes are counted while they are unpacked, and none is written beyond the limit |
//! | hold parts that overlap, or describe them twice | each part of a zip archive is read once, and both headers must agree |
//! | have a million entries, or long descriptions of entries | files, folders and lengths are limited; no list of entries is kept |
//! | name a file twice, or as a folder, or in other case | names are compared without case, and files are created only where none is |
//! | hide bytes after an end | nothing may follow the end of a zip or gzip file, and nothing but zeros the end of a tar archive |
//! | hold archives | they are files like others, and are not unpacked |
//! | name files of the organiser in a command, which a tournament copies | no part of a word may be an absolute path or have `..` in it |
//! | mislead a reader of messages | what messages quote is printable and short |
//!
//! Folders and files of tools (`.git`, `node_modules`, `__pycache__`, …) are left out and listed ([`LeftOut`]). A folder around
//! everything is removed. Folders without files are not kept.

mod archive_fault;
mod bot_toml;
mod command;
mod entry_fault;
mod folder;
mod format;
mod launch;
mod launch_fault;
mod left_out;
mod limits;
mod name_fault;
mod names;
mod quoted;
mod refusal;
mod staging;
mod stream;
mod tar;
mod tree;
mod upload;
mod zip;

pub use archive_fault::ArchiveFault;
pub use entry_fault::EntryFault;
pub use format::Format;
pub use launch::{Launch, is_program, manifest};
pub use launch_fault::{ConfigFault, LaunchFault, WordFault};
pub use left_out::LeftOut;
pub use limits::Limits;
pub use name_fault::NameFault;
pub use quoted::Quoted;
pub use refusal::Refusal;
pub use upload::{Unpacked, unpack};
