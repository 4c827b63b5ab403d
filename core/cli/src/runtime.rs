//! The runtime and signals of programs that use tokio.

use anyhow::Context;
use language::{log, said};
use tokio::runtime::{Builder, Runtime};

/// A runtime on this thread.
///
/// # Errors
///
/// If the system lacks resources for the runtime.
pub fn runtime() -> anyhow::Result<Runtime> {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .with_context(|| said!("cannot start", "impossible de commencer"))
}

/// Waits until the user wants the program to stop: Ctrl-C, a request to terminate, or a closed terminal.
///
/// Call it within a tokio runtime.
pub async fn interrupted() {
    #[cfg(unix)]
    let terminated = async {
        use tokio::signal::unix::{SignalKind, signal};
        let signals = [SignalKind::terminate(), SignalKind::hangup()].map(signal);
        let [Ok(mut terminate), Ok(mut hang_up)] = signals else {
            return std::future::pending().await;
        };
        tokio::select! {
            signal = terminate.recv() => signal,
            signal = hang_up.recv() => signal,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<Option<()>>();
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => if let Err(failure) = pressed {
            log!(warn, "Ctrl-C only stops the program at once: {failure}", "Ctrl-C ne peut qu'arrêter le programme aussitôt : {failure}");
            std::future::pending::<()>().await;
        },
        _ = terminated => {}
    }
}
