//! `server --carte cartes/plan1.txt`: plays games of Pacman IUT'O with clients over TCP;
//! `server pyrat`: games of PyRat.

mod args;
mod pyrat_args;
mod ranking;
mod recording_file;
mod report;
mod score_file;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use protocol::{Name, service};
use server::announce::Service;
use server::{Controls, End, Observation, Pulse, Series, web};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use crate::args::{Args, Plan};

/// Within that time, a second request to stop is the first one once more.
const SAME_KEY: Duration = Duration::from_millis(500);
/// For the last result to be saved and printed.
const REPORTS: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    let args = Args::parse();
    let _log = args.common().journal.init_lossy();
    match run(&args) {
        Ok(code) => code,
        Err(error) => cli::fail(&error),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let common = args.common();
    let Plan { game, mut settings, kind } = args.plan()?;
    settings.pulse = Pulse::start();
    let scores = common.nom_partie.as_path();
    score_file::check_writable(scores)
        .with_context(|| format!("cannot write the scores to {}", scores.display()))?;
    let recording = match &common.enregistrer {
        Some(path) => Some(
            recording_file::record(path)
                .with_context(|| format!("cannot write the recordings to {}", path.display()))?,
        ),
        None => None,
    };
    let listener = TcpListener::bind((common.serveur.as_str(), common.port))
        .await
        .with_context(|| format!("cannot listen on {}, port {}", common.serveur, common.port))?;

    let page = match common.web {
        Some(address) => Some(open_page(address)?),
        None => None,
    };
    let address = listener.local_addr()?;
    report::welcome(&settings, address, kind);
    let announcement = match address.ip().is_loopback() {
        true => None,
        false => announced(address, kind, common.port_mdns).announce(),
    };
    let salt = getrandom::u64().context("cannot draw a number")?;
    let (mut series, Controls { host, start, shutdown, results, progress }) =
        Series::new(settings, game, salt);
    let recorded = recording.map(|(observer, written)| {
        series.observe(observer);
        written
    });
    if let Some((observer, address)) = page {
        report::announce_page(address);
        series.observe(observer);
    }
    if common.attendre_entree {
        read_enter(start);
    }
    let hurry = host.clone();
    let stop = shutdown.clone();
    tokio::spawn(async move {
        cli::interrupted().await;
        shutdown.cancel();
        // A terminal and a script may both pass the same key on.
        sleep(SAME_KEY).await;
        cli::interrupted().await;
        hurry.abort();
        cli::interrupted().await;
        std::process::exit(cli::INTERRUPTED.into());
    });
    tokio::spawn(async move { host.listen(listener).await });
    tokio::spawn(report::show_progress(progress));
    let reports = report::report(results, common.nom_partie.clone());
    let end = series.run().await;
    drop(announcement);
    let saved = matches!(timeout(REPORTS, reports).await, Ok(Ok(true)));
    let recorded = match recorded {
        Some(recorded) => matches!(timeout(REPORTS, recorded).await, Ok(Ok(true))),
        None => true,
    };
    if common.web.is_some() && end != End::Interrupted {
        tracing::info!("the games are over; the web page stays until Ctrl-C");
        stop.cancelled().await;
    }
    Ok(match end {
        End::Interrupted => ExitCode::from(cli::INTERRUPTED),
        End::Finished | End::Deserted if !saved || !recorded => ExitCode::FAILURE,
        End::Finished => ExitCode::SUCCESS,
        End::Deserted => {
            tracing::warn!("all players are gone: there are no more games");
            ExitCode::SUCCESS
        }
    })
}

/// What is said of the server on the network.
fn announced(address: SocketAddr, game: service::Game, mdns_port: u16) -> Service {
    let name = match game {
        service::Game::Pacman => "Pacman IUT'O",
        service::Game::PyRat => "PyRat",
    };
    Service { name: Name::new(name), game, is_hall: false, address, mdns_port }
}

/// The web page's observer, and where the page is.
fn open_page(address: SocketAddr) -> anyhow::Result<(mpsc::Sender<Observation>, SocketAddr)> {
    let cannot = || format!("cannot serve the web page on {address}");
    let listener = std::net::TcpListener::bind(address).with_context(cannot)?;
    let bound = listener.local_addr().with_context(cannot)?;
    Ok((web::serve(listener).with_context(cannot)?, bound))
}

/// Hands every press of Enter on, from a thread of its own, for reading a terminal cannot be
/// stopped.
fn read_enter(start: mpsc::Sender<()>) {
    std::thread::spawn(move || {
        for line in std::io::stdin().lines() {
            if line.is_err() || start.blocking_send(()).is_err() {
                break;
            }
        }
    });
}
