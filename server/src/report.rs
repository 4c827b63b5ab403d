//! What the organiser is told.

use std::fmt;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::mpsc::{TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use language::{Language, log, said};
use protocol::service::GameKind;
use server::{GameResult, Progress, Settings};
use tokio::sync::{mpsc, oneshot, watch};

use crate::recording_file::Ended;
use crate::{ranking, score_file};

/// Results that wait to be printed; more are left out.
const TABLES: usize = 256;
/// For the recording of a game to end after the game has.
const RECORDED: Duration = Duration::from_secs(2);

/// Between two looks at how far a game is.
const LOOK: Duration = Duration::from_millis(100);

/// Says where to connect, and what the seed is.
pub(crate) fn welcome(settings: &Settings, address: SocketAddr, game: GameKind) {
    let &Settings { players, seed, wait_for_start, .. } = settings;
    let language = Language::chosen();
    let one = language.say("player", "joueur");
    let noun = language.plural(players as u64, one, language.say("players", "joueurs"));
    say(&said!(
        "listening on {address} for {players} {noun}, seed {seed}",
        "à l'écoute sur {address} pour {players} {noun}, graine {seed}"
    ));
    if address.ip().is_unspecified() {
        let client = match game {
            GameKind::Pacman => "client",
            GameKind::PyRat => "client pyrat",
        };
        let hosts = server::addresses(address);
        for host in &hosts {
            say(&said!(
                "  from another machine: {client} --equipe NAME --serveur {host}",
                "  depuis une autre machine : {client} --equipe NOM --serveur {host}"
            ));
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
        say(&said!("press Enter to start", "appuyez sur Entrée pour commencer"));
    }
}

/// Says where the web page is.
pub(crate) fn announce_page(address: SocketAddr) {
    if address.ip().is_unspecified() {
        say(&said!(
            "web page at http://127.0.0.1:{}/",
            "page web à http://127.0.0.1:{}/",
            address.port()
        ));
        for outside in server::addresses(address) {
            say(&said!(
                "  from another machine: http://{outside}/",
                "  depuis une autre machine : http://{outside}/"
            ));
        }
    } else {
        say(&said!("web page at http://{address}/", "page web à http://{address}/"));
    }
}

/// What becomes of the results.
pub(crate) struct Reports {
    /// In the end, what was saved.
    pub(crate) saved: oneshot::Receiver<Saved>,
    /// Once everything is printed.
    pub(crate) printed: oneshot::Receiver<()>,
}

/// The results that have come, in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Saved {
    /// Games whose results have come.
    pub(crate) games: u32,
    /// Whether the scores could be written each time.
    pub(crate) is_all: bool,
}

/// Saves the scores of each game on a thread of its own and prints its ranking on another one: neither
/// a slow disk nor an output that nobody reads holds up the games. When results come faster, the file
/// gets the newest scores only, and rankings are left out, which is said.
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
        // Nobody waits any more when the program is in a hurry.
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
    say(&said!(
        "game {game}, seed {seed}: {elapsed} of {total} turns",
        "partie {game}, graine {seed} : tour {elapsed} sur {total}"
    ));
    say(&ranking::table(result));
    if let Some(counts) = ranking::counts(result) {
        say(&counts);
    }
    if let Some(path) = recordings.and_then(|ended| ended.path(*game, RECORDED)) {
        let path = path.to_string_lossy();
        say(&said!(
            "watch it: rejeu html {} partie.html",
            "à regarder : rejeu html {} partie.html",
            shell_words::quote(&path)
        ));
    }
}

/// Says which games were not printed: those after the last one that was, up to this one.
fn say_left_out(printed: u32, last: u32) {
    let first = printed + 1;
    if first < last {
        say(&said!(
            "games {first} to {last} are left out here: they are faster than the output",
            "les parties {first} à {last} manquent ici : elles vont plus vite que \
                  l'affichage"
        ));
    } else if first == last {
        say(&said!(
            "game {last} is left out here: the games are faster than the output",
            "la partie {last} manque ici : les parties vont plus vite que l'affichage"
        ));
    }
}

/// Prints a line, if anybody reads it: it is no reason to stop when the reader is gone.
fn say(line: &dyn fmt::Display) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Logs the points at every tenth of a game, unless it goes too fast to be followed.
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
            let points =
                points.iter().zip('A'..='Z').map(|(points, who)| format!("{who} {points}"));
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
