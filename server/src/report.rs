//! What the organiser is told.
#![expect(clippy::print_stdout, reason = "this is the program's output")]

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use server::results::replace_file;
use server::{GameResult, Progress};
use tokio::sync::{mpsc, watch};
use tracing::{error, info};

use crate::args::Args;

/// Between two looks at how far a game is.
const LOOK: Duration = Duration::from_millis(100);

/// Says where to connect, and what the seed is.
pub(crate) fn welcome(args: &Args, address: SocketAddr, seed: u64) {
    let (players, port) = (args.joueurs, address.port());
    println!("listening on {address} for {players} players, seed {seed}");
    if address.ip().is_unspecified() {
        for host in addresses(address.ip()) {
            println!("  from another machine: client --equipe NAME --serveur {host} --port {port}");
        }
    }
    if args.attendre_entree {
        println!("press Enter to start");
    }
}

/// The addresses under which other machines find this one when it listens on all of a family.
fn addresses(listening: IpAddr) -> Vec<IpAddr> {
    let interfaces = if_addrs::get_if_addrs().unwrap_or_else(|failure| {
        error!("cannot list the addresses of this machine: {failure}");
        Vec::new()
    });
    let outside = interfaces.iter().filter(|i| !i.is_loopback() && !i.is_link_local());
    // Listening on all addresses of version 6 lets version 4 in as well.
    outside.map(if_addrs::Interface::ip).filter(|ip| ip.is_ipv4() || listening.is_ipv6()).collect()
}

/// Saves the scores of each game and prints its ranking; in the end, whether all was saved.
pub(crate) async fn report(mut results: mpsc::Receiver<GameResult>, scores: PathBuf) -> bool {
    let mut all_saved = true;
    while let Some(result) = results.recv().await {
        let GameResult { game, seed, elapsed, total, .. } = result;
        println!("game {game}, seed {seed}: {elapsed} of {total} turns\n{}", result.table());
        let text = result.scores();
        let path = scores.clone();
        let saved = tokio::task::spawn_blocking(move || replace_file(&path, &text)).await;
        if let Err(failure) = saved.unwrap_or_else(|failure| Err(failure.into())) {
            error!("cannot write the scores to {}: {failure}", scores.display());
            all_saved = false;
        }
    }
    all_saved
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
            info!("turn {elapsed} of {total}: {}", points.collect::<Vec<_>>().join(", "));
        }
        tokio::time::sleep(LOOK).await;
    }
}
