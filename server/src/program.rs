//! `server`: plays games of Pacman IUT'O with clients over TCP; `server pyrat`: games of PyRat.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use arena::{EndReason, Host, Lost, Observation, Observer, Series, SeriesControls};
use language::{log, said};
use protocol::{Name, service};
use pulse::Pulse;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tracing::debug;
use web::{Arrival, Players};

use crate::announce::Service;
use crate::args::{Args, Common, PlannedSeries};
use crate::page::{Lobby, PageSettings};
use crate::recording_file::Recordings;
use crate::report::{self, Reports};
use crate::{page, port, score_file};

/// Longest wait for the last result to be saved and printed.
const REPORTS: Duration = Duration::from_secs(10);
/// Number of open files and sockets required: those of the server without connections, and some for players.
const FILES: usize = 24;

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    let args: Args = match cli::parse_with(|command| command, crate::args::advise) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let _log = cli::start_lossy_log(args.common().journal);
    let ended = cli::prepare(FILES)
        .and_then(|()| cli::runtime())
        .and_then(|runtime| runtime.block_on(run(&args)));
    ended.unwrap_or_else(|error| cli::fail(&error))
}

async fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let common = args.common();
    let PlannedSeries { game, mut settings, kind, map } = args.plan()?;
    settings.pulse = Pulse::start();
    let operator = common.practice.set_up(&mut settings);
    settings.gallery = web::background::start("spectators");
    let (place, port) = common.address()?;
    let scores = common.nom_partie.as_path();
    score_file::check_writable(scores).with_context(|| {
        said!(
            "cannot write the scores to {}",
            "les scores ne peuvent pas être écrits dans {}",
            scores.display()
        )
    })?;
    let recordings = open_recordings(common)?;
    let listener = listen(&place, port).await?;
    let address = listener.local_addr()?;
    let salt = getrandom::u64()
        .with_context(|| said!("cannot draw a number", "aucun nombre ne peut être tiré"))?;
    let (mut series, SeriesControls { host, start, shutdown, results, progress }) =
        Series::new(settings.clone(), game, salt);
    let page = match common.web {
        Some(page) => {
            let recordings = recordings.as_ref().and_then(|known| known.folder.clone());
            let embedders = common.embedding.embedders();
            let lobby = Some(Lobby { game: kind, listening: address, map });
            let players = Some(browser_players(host.clone(), Handle::current()));
            let shows_thoughts = common.pensees || page.ip().is_loopback();
            let settings = PageSettings { lobby, recordings, embedders, shows_thoughts, players };
            Some(open_page(page, settings)?)
        }
        None => None,
    };
    // The handler precedes the welcome, because a reader of the welcome may interrupt the server at once.
    let (stop, hurry) = (shutdown.clone(), host.clone());
    cli::on_interrupt(move |times| match times {
        1 => shutdown.cancel(),
        2 => hurry.abort(),
        _ => std::process::exit(cli::INTERRUPTED.into()),
    })?;
    report::welcome(&settings, address, kind);
    let announcement = if address.ip().is_loopback() {
        None
    } else {
        announced(address, kind, common.port_mdns).announce()
    };
    let ended = recordings.as_ref().map(|recordings| recordings.ended.clone());
    let reports = report::report(results, common.nom_partie.clone(), ended);
    let mut asked = Vec::new();
    let recorded = recordings.map(|Recordings { observer, all_written, .. }| {
        let lost = observe(&mut series, observer);
        if common.enregistrer.is_some() {
            asked.push(("recording", lost));
        }
        all_written
    });
    if let Some((observer, address)) = page {
        report::announce_page(address);
        asked.push(("web page", observe(&mut series, observer)));
    }
    if let Some(operator) = operator {
        observe(&mut series, operator);
    }
    if common.attendre_entree {
        read_enter(start);
    }
    tokio::spawn(async move { host.listen(listener).await });
    tokio::spawn(report::show_progress(progress.clone()));
    let end = series.run().await;
    drop(announcement);
    // Recordings that were not requested may fail.
    let all_recorded = match recorded {
        Some(recorded) => matches!(timeout(REPORTS, recorded).await, Ok(Ok(true))),
        None => true,
    } || common.enregistrer.is_none();
    let is_kept =
        is_all_kept(reports, &asked, progress.borrow().borrow().game).await && all_recorded;
    if common.web.is_some() && end != EndReason::Interrupted {
        log!(
            info,
            "the games are over; the web page stays until Ctrl-C",
            "les parties sont finies ; la page web reste jusqu'à Ctrl-C"
        );
        stop.cancelled().await;
    }
    Ok(match end {
        EndReason::Interrupted => ExitCode::from(cli::INTERRUPTED),
        EndReason::Finished | EndReason::Deserted if !is_kept => ExitCode::FAILURE,
        EndReason::Finished => ExitCode::SUCCESS,
        EndReason::Deserted => {
            log!(
                warn,
                "all players are gone: there are no more games",
                "tous les joueurs sont partis : il n'y a plus de parties"
            );
            ExitCode::SUCCESS
        }
    })
}

/// Opens the recordings; `None` if the games are not recorded.
fn open_recordings(common: &Common) -> anyhow::Result<Option<Recordings>> {
    Ok(match &common.enregistrer {
        Some(path) => Some(Recordings::of_all_games(path).with_context(|| {
            said!(
                "cannot write the recordings to {}",
                "les enregistrements ne peuvent pas être écrits dans {}",
                path.display()
            )
        })?),
        None if common.sans_enregistrement => None,
        None => Recordings::of_last_games(),
    })
}

async fn listen(host: &str, port: u16) -> anyhow::Result<TcpListener> {
    TcpListener::bind((host, port))
        .await
        .map_err(|failure| port::explained(failure, port, "--port"))
        .with_context(|| {
            said!(
                "cannot listen on {host}, port {port}",
                "impossible d'écouter sur {host}, port {port}"
            )
        })
}

/// Adds an observer of every game. Returns the count of games that it loses.
fn observe(series: &mut Series, observer: mpsc::Sender<Observation>) -> Lost {
    let observer = Observer::from(observer);
    let lost = observer.lost();
    series.observe(observer);
    lost
}

/// Tests if all of `games` games are saved: results, scores, and the games told to the observers `asked`. Logs losses.
async fn is_all_kept(
    Reports { saved, printed }: Reports,
    asked: &[(&str, Lost)],
    games: u32,
) -> bool {
    let saved = timeout(REPORTS, saved).await;
    if timeout(REPORTS, printed).await.is_err() {
        log!(
            warn,
            "nobody reads the standard output: rankings are not printed",
            "personne ne lit la sortie standard : les classements ne sont pas affichés"
        );
    }
    let mut lost = 0;
    for (observer, cut_off) in asked {
        let games = cut_off.games();
        if games > 0 {
            log!(
                error,
                "the {observer} did not keep up: games whose end it lacks: {games}",
                "{observer} n'a pas suivi : parties dont la fin y manque : {games}"
            );
        }
        lost += games;
    }
    let Ok(Ok(saved)) = saved else {
        log!(
            error,
            "the scores are not saved after {REPORTS:?}",
            "les scores ne sont pas écrits après {REPORTS:?}"
        );
        return false;
    };
    let results = games.saturating_sub(saved.games);
    if results > 0 {
        log!(
            error,
            "games whose results were lost: {results}",
            "parties dont les résultats sont perdus : {results}"
        );
    }
    saved.is_all && lost == 0 && results == 0
}

fn announced(address: SocketAddr, game: service::GameKind, mdns_port: u16) -> Service {
    let name = match game {
        service::GameKind::Pacman => "Pacman IUT'O",
        service::GameKind::PyRat => "PyRat",
    };
    Service { name: Name::new(name), game, is_hall: false, address, mdns_port }
}

/// Opens the web page; returns its observer and its address.
fn open_page(
    address: SocketAddr,
    settings: PageSettings,
) -> anyhow::Result<(mpsc::Sender<Observation>, SocketAddr)> {
    let cannot = || {
        said!(
            "cannot serve the web page on {address}",
            "la page web ne peut pas être servie sur {address}"
        )
    };
    let listener = std::net::TcpListener::bind(address)
        .map_err(|failure| port::explained(failure, address.port(), "--web"))
        .with_context(cannot)?;
    let bound = listener.local_addr().with_context(cannot)?;
    Ok((page::serve(listener, settings).with_context(cannot)?, bound))
}

/// Takes players and spectators of the page into the host's hall, on the runtime of its games.
pub fn browser_players(host: Host, games: Handle) -> Players {
    Players::new(move |Arrival { socket, received, address }| {
        let host = host.clone();
        games.spawn(async move {
            if let Err(failure) = host.connect_web(socket, received, address).await {
                debug!("{address}: {failure}");
            }
        });
    })
}

/// Forwards every press of Enter from a thread of its own, because reading a terminal cannot be cancelled.
fn read_enter(start: mpsc::Sender<()>) {
    std::thread::spawn(move || {
        for line in std::io::stdin().lines() {
            if line.is_err() || start.blocking_send(()).is_err() {
                break;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Saved;
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn lost_results_are_a_failure() {
        for (saved, expected) in [
            (Some(Saved { games: 3, is_all: true }), true),
            (Some(Saved { games: 2, is_all: true }), false),
            (Some(Saved { games: 3, is_all: false }), false),
            (None, false),
        ] {
            let (saver, saved_receiver) = oneshot::channel();
            if let Some(saved) = saved {
                saver.send(saved).unwrap();
            } else {
                drop(saver);
            }
            let (all_printed, printed) = oneshot::channel();
            all_printed.send(()).unwrap();
            let reports = Reports { saved: saved_receiver, printed };
            assert_eq!(is_all_kept(reports, &[], 3).await, expected, "{saved:?}");
        }
    }
}
