//! Requests of a program to the system: open files, signals, a folder for its state.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use language::said;

/// A second request to stop within this time counts as the first one: a terminal and a script may both forward
/// the same Ctrl-C.
const SAME_KEY: Duration = Duration::from_millis(500);

/// Makes the system report failures instead of ending the program, and checks that it lets the program
/// open `files` more files at once. Every program begins with this call.
///
/// A file that grows beyond `ulimit -f` then fails to be written; by default the system would end the
/// program.
///
/// # Errors
///
/// If the limit of open files (`ulimit -n`) is too low.
pub fn prepare(files: usize) -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use signal_hook::{consts::SIGXFSZ, flag};
        // The flag is never read: its handler alone makes the write fail.
        flag::register(SIGXFSZ, std::sync::Arc::default()).with_context(|| {
            said!("cannot handle signals", "impossible d'intercepter les signaux")
        })?;
    }
    let null = if cfg!(windows) { "NUL" } else { "/dev/null" };
    let opened: io::Result<Vec<File>> = (0..files).map(|_| File::open(null)).collect();
    match opened {
        Err(failure) if is_out_of_files(&failure) => Err(failure).with_context(|| {
            said!(
                "cannot start, this program opens up to {files} files",
                "impossible de commencer : ce programme ouvre jusqu'à {files} fichiers"
            )
        }),
        // Without such a device, the limit cannot be checked.
        _ => Ok(()),
    }
}

/// Calls `act` on a thread of its own whenever the user wants the program to stop (Ctrl-C, a request to terminate, a
/// closed terminal), with the number of these requests so far, from 1. Call it once per program.
///
/// # Errors
///
/// If the system does not report signals.
pub fn on_interrupt(mut act: impl FnMut(u32) + Send + 'static) -> anyhow::Result<()> {
    let mut times = 0;
    let mut first: Option<Instant> = None;
    let handle = move || {
        let since = *first.get_or_insert_with(Instant::now);
        if times == 1 && since.elapsed() < SAME_KEY {
            return;
        }
        times += 1;
        act(times);
    };
    ctrlc::set_handler(handle)
        .with_context(|| said!("cannot listen for Ctrl-C", "impossible d'intercepter Ctrl-C"))
}

/// The folder of the programs' state for this user: `pacman-iuto` in `$XDG_STATE_HOME` or `~/.local/state`; on macOS
/// and Windows in the folder for an application's data.
///
/// # Errors
///
/// If the user has no home folder.
pub fn state_folder() -> anyhow::Result<PathBuf> {
    use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
    let folders = choose_native_strategy()
        .with_context(|| said!("no home folder", "pas de dossier personnel"))?;
    let base = folders.state_dir().unwrap_or_else(|| folders.data_dir());
    Ok(base.join("pacman-iuto"))
}

/// A supplement to an error: the limit of open files if that limit is the cause, otherwise an empty text.
pub(crate) fn hint(error: &anyhow::Error) -> String {
    let mut failures = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    match failures.any(is_out_of_files).then(open_file_limit).flatten() {
        Some(limit) => {
            said!("; the limit is {limit} (ulimit -n)", " ; la limite est de {limit} (ulimit -n)")
        }
        None => String::new(),
    }
}

#[cfg(unix)]
fn is_out_of_files(failure: &io::Error) -> bool {
    failure.raw_os_error() == Some(rustix::io::Errno::MFILE.raw_os_error())
}

#[cfg(unix)]
fn open_file_limit() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::Nofile).current
}

#[cfg(not(unix))]
fn is_out_of_files(_: &io::Error) -> bool {
    false
}

#[cfg(not(unix))]
fn open_file_limit() -> Option<u64> {
    None
}
