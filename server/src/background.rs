//! Threads for what is less urgent than games.

use std::future::pending;
use std::io;
use std::thread;

use language::log;
use tokio::runtime::{Builder, Handle};

/// How much games go before the page and spectators, a nice value: where all cores are busy, such a thread gets 3 % of
/// what a player gets.
#[cfg(target_os = "linux")]
const NICE: i32 = 15;

/// A runtime on a thread of this name, until the program ends. It lets games go first. `None` if the system has no
/// thread for it, which is logged.
#[must_use]
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

/// Lets all other threads go before this one, and before those that it starts.
pub(crate) fn step_back() {
    #[cfg(target_os = "linux")]
    if let Err(failure) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE)
    {
        tracing::debug!("a thread cannot step back: {failure}");
    }
}
