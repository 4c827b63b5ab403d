//! Reports to the organiser: addresses, results, progress.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::mpsc::{TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use arena::{GameResult, Progress, Settings};
use language::{Language, log};
use protocol::service::GameKind;
use tokio::sync::{mpsc, oneshot, watch};

use crate::recording_file::Ended;
use crate::{ranking, score_file};

/// Capacity of the queue of results to print; further results are left out.
const TABLES: usize = 256;
/// Longest wait for the end of a game's recording after the end of the game.
const RECORDED: Duration = Duration::from_secs(2);

/// Interval between two looks at the progress of a game.
const LOOK: Duration = Duration::from_millis(100);

/// Prints the addresses to connect to, and the seed.
pub(crate) fn welcome(settings: &Settings, address: SocketAddr, game: GameKind) {
    let &Settings { players, seed, wait_for_start, .. } = settings;
    let language = Language::chosen();
    let one = language.say("player", "joueur");
    let noun = language.plural(players as u64, one, language.say("players", "joueurs"));
    cli::tell!(
        "listening on {address} for {players} {noun}, seed {seed}",
        "à l'écoute sur {address} pour {players} {noun}, graine {seed}"
    );
    if address.ip().is_unspecified() {
        let client = match game {
            GameKind::Pacman => "",
            GameKind::PyRat => " pyrat",
        };
        let client = cli::command_elsewhere("client") + client;
        let hosts = crate::addresses(address);
        for host in &hosts {
            cli::tell!(
                "  from another machine: {client} --team NAME --host {host}",
                "  depuis une autre machine : {client} --equipe NOM --serveur {host}"
            );
        }
        if hosts.is_empty() {
            log!(
                warn,
                "this machine has no address that others could use: is it on a network?",
                "cette machine n'a pas d'adresse utilisable par d'autres : est-elle \
                  sur un réseau ?"
            );
        }
    }
    if wait_for_start {
        cli::tell!("press Enter to start", "appuyez sur Entrée pour commencer");
    }
}

/// Prints the addresses of the web page.
pub(crate) fn announce_page(address: SocketAddr) {
    if address.ip().is_unspecified() {
        cli::tell!(
            "web page at http://127.0.0.1:{}/",
            "page web à http://127.0.0.1:{}/",
            address.port()
        );
        for outside in crate::addresses(address) {
            cli::tell!(
                "  from another machine: http://{outside}/",
                "  depuis une autre machine : http://{outside}/"
            );
        }
    } else {
        cli::tell!("web page at http://{address}/", "page web à http://{address}/");
    }
}

/// The outcomes of saving and printing the results.
pub(crate) struct Reports {
    /// Receives the count of saved results at the end.
    pub(crate) saved: oneshot::Receiver<Saved>,
    /// Completes once everything is printed.
    pub(crate) printed: oneshot::Receiver<()>,
}

/// The results received by the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) games: u32,
    /// True if every attempt to write the scores succeeded.
    pub(crate) is_all: bool,
}

/// Saves the scores on one thread and prints the rankings on another, so that neither a slow disk nor an unread
/// output delays the games. When results arrive faster, only the newest scores are saved, and rankings are left out,
/// with a note.
pub(crate) fn report(
    mut results: mpsc::Receiver<GameResult>,
    scores: PathBuf,
    recordings: Option<Ended>,
) -> Reports {
    let (saved_sender, saved) = oneshot::channel();
    let (printed_sender, printed) = oneshot::channel();
    let (tables, to_print) = sync_channel::<GameResult>(TABLES);
    thread::spawn(move || {
        let mut known = 0;
        for result in to_print {
            say_left_out(known, result.game - 1);
            known = result.game;
            print(&result, recordings.as_ref());
        }
        // The receiver is dropped if the program ends without waiting.
        let _ = printed_sender.send(());
    });
    thread::spawn(move || {
        let mut saved = Saved { games: 0, is_all: true };
        let mut unprinted = None;
        while let Some(mut result) = results.blocking_recv() {
            loop {
                saved.games += 1;
                let Ok(next) = results.try_recv() else { break };
                let _ = tables.try_send(std::mem::replace(&mut result, next));
            }
            if let Err(failure) = score_file::replace(&scores, &result.scores()) {
                log!(
                    error,
                    "cannot write the scores to {}: {failure}",
                    "les scores ne peuvent pas être écrits dans {} : {failure}",
                    scores.display()
                );
                saved.is_all = false;
            }
            unprinted = tables.try_send(result).err();
        }
        let _ = saved_sender.send(saved);
        // The last ranking is printed in any case.
        if let Some(TrySendError::Full(last)) = unprinted {
            let _ = tables.send(last);
        }
    });
    Reports { saved, printed }
}

fn print(result: &GameResult, recordings: Option<&Ended>) {
    let GameResult { game, seed, elapsed, total, .. } = result;
    cli::tell!(
        "game {game}, seed {seed}: {elapsed} of {total} turns",
        "partie {game}, graine {seed} : tour {elapsed} sur {total}"
    );
    cli::say!("{}", ranking::table(result));
    if let Some(counts) = ranking::counts(result) {
        cli::say!("{counts}");
    }
    if let Some(path) = recordings.and_then(|ended| ended.path(*game, RECORDED)) {
        let path = path.to_string_lossy();
        cli::tell!(
            "watch it: {rejeu} html {} partie.html",
            "à regarder : {rejeu} html {} partie.html",
            shell_words::quote(&path),
            rejeu = cli::command("rejeu")
        );
    }
}

/// Prints which games were left out: those after `printed` up to `last`.
fn say_left_out(printed: u32, last: u32) {
    let first = printed + 1;
    if first < last {
        cli::tell!(
            "games {first} to {last} are left out here: they are faster than the output",
            "les parties {first} à {last} manquent ici : elles vont plus vite que \
                  l'affichage"
        );
    } else if first == last {
        cli::tell!(
            "game {last} is left out here: the games are faster than the output",
            "la partie {last} manque ici : les parties vont plus vite que l'affichage"
        );
    }
}

/// Logs the points at every tenth of a game; skips tenths of a fast game.
pub(crate) async fn show_progress(mut games: watch::Receiver<watch::Receiver<Progress>>) {
    let mut shown = (0, 0);
    let mut progress = games.borrow().clone();
    loop {
        tokio::select! {
            changed = games.changed() => match changed {
                Ok(()) => progress = games.borrow_and_update().clone(),
                Err(_) => return,
            },
            Ok(()) = progress.changed() => {}
        }
        let Progress { game, elapsed, total, points } = progress.borrow_and_update().clone();
        if elapsed == 0 {
            continue;
        }
        let tenth = u64::from(elapsed) * 10 / u64::from(total.max(1));
        if (game, tenth) != shown {
            shown = (game, tenth);
            let points = points
                .iter()
                .zip('A'..='Z')
                .map(|(points, who)| format!("{who} {}", ranking::shown(*points)));
            log!(
                info,
                "game {game}, turn {elapsed} of {total}: {}",
                "partie {game}, tour {elapsed} sur {total} : {}",
                points.collect::<Vec<_>>().join(", ")
            );
        }
        tokio::time::sleep(LOOK).await;
    }
}
