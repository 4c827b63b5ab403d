//! What the organiser is told.

use std::fmt;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use protocol::service::Game;
use server::{GameResult, Progress, Settings};
use tokio::sync::{mpsc, oneshot, watch};
use tracing::{error, info, warn};

use crate::{ranking, score_file};

/// Between two looks at how far a game is.
const LOOK: Duration = Duration::from_millis(100);

/// Says where to connect, and what the seed is.
pub(crate) fn welcome(settings: &Settings, address: SocketAddr, game: Game) {
    let &Settings { players, seed, wait_for_start, .. } = settings;
    let port = address.port();
    let noun = if players == 1 { "player" } else { "players" };
    say(format_args!("listening on {address} for {players} {noun}, seed {seed}"));
    if address.ip().is_unspecified() {
        let client = match game {
            Game::Pacman => "client",
            Game::PyRat => "client pyrat",
        };
        let hosts = server::addresses(address);
        for host in hosts.iter().map(SocketAddr::ip) {
            say(format_args!(
                "  from another machine: {client} --equipe NAME --serveur {host} --port {port}"
            ));
        }
        if hosts.is_empty() {
            warn!("this machine has no address that others could use: is it on a network?");
        }
    }
    if wait_for_start {
        say(format_args!("press Enter to start"));
    }
}

/// Says where the web page is.
pub(crate) fn announce_page(address: SocketAddr) {
    if address.ip().is_unspecified() {
        say(format_args!("web page at http://127.0.0.1:{}/", address.port()));
        for outside in server::addresses(address) {
            say(format_args!("  from another machine: http://{outside}/"));
        }
    } else {
        say(format_args!("web page at http://{address}/"));
    }
}

/// Saves the scores of each game and prints its ranking, on a thread of its own: neither a slow disk
/// nor an output that nobody reads may hold up the games. In the end, whether all was saved.
pub(crate) fn report(
    mut results: mpsc::Receiver<GameResult>,
    scores: PathBuf,
) -> oneshot::Receiver<bool> {
    let (done, ended) = oneshot::channel();
    thread::spawn(move || {
        let mut all_saved = true;
        while let Some(result) = results.blocking_recv() {
            if let Err(failure) = score_file::replace(&scores, &result.scores()) {
                error!("cannot write the scores to {}: {failure}", scores.display());
                all_saved = false;
            }
            let GameResult { game, seed, elapsed, total, .. } = result;
            say(format_args!("game {game}, seed {seed}: {elapsed} of {total} turns"));
            say(format_args!("{}", ranking::table(&result)));
            if let Some(counts) = ranking::counts(&result) {
                say(format_args!("{counts}"));
            }
        }
        // Nobody waits any more when the program is in a hurry.
        let _ = done.send(all_saved);
    });
    ended
}

/// Prints a line, if anybody reads it: it is no reason to stop when the reader is gone.
fn say(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Logs the points at every tenth of a game, unless it goes too fast to be followed.
pub(crate) async fn show_progress(mut progress: watch::Receiver<Progress>) {
    let mut shown = (0, 0);
    while progress.changed().await.is_ok() {
        let Progress { game, elapsed, total, points } = progress.borrow_and_update().clone();
        let tenth = u64::from(elapsed) * 10 / u64::from(total.max(1));
        if (game, tenth) != shown {
            shown = (game, tenth);
            let points =
                points.iter().zip('A'..='Z').map(|(points, who)| format!("{who} {points}"));
            info!(
                "game {game}, turn {elapsed} of {total}: {}",
                points.collect::<Vec<_>>().join(", ")
            );
        }
        tokio::time::sleep(LOOK).await;
    }
}
