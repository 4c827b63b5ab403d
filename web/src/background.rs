//! Low-priority threads for work less urgent than games.

use std::future::pending;
use std::io;
use std::thread;

use language::log;
use tokio::runtime::{Builder, Handle};

/// Nice value of the threads of the page and of spectators: when all cores are busy, such a thread gets 3 % of the
/// time of a player.
#[cfg(target_os = "linux")]
const NICE: i32 = 15;

/// Starts a low-priority runtime on a thread with this name, which lasts until the program ends. Logs a failure to
/// start the thread and returns `None`.
pub fn start(name: &str) -> Option<Handle> {
    let start = || -> io::Result<Handle> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            step_back();
            runtime.block_on(pending::<()>());
        })?;
        Ok(handle)
    };
    start()
        .inspect_err(|failure| {
            log!(
                warn,
                "no thread for {name}: {failure}",
                "pas de fil d'exécution pour {name} : {failure}"
            );
        })
        .ok()
}

/// Lowers the priority of this thread and of the threads that it starts.
pub fn step_back() {
    #[cfg(target_os = "linux")]
    if let Err(failure) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE)
    {
        tracing::debug!("a thread cannot step back: {failure}");
    }
}
