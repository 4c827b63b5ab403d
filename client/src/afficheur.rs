//! `afficheur`: shows a game of Pacman IUT'O or of PyRat in the terminal.

use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Parser;
use cli::{LogLevel, RulesPreset};
use client::viewer::{self, Leave, Model, Status, Theme, Viewing, ViewingError};
use client::{Session, SessionError};
use protocol::{Name, Registration, Role};
use replay::{OpenError, Recording};

use crate::whereabouts::Whereabouts;

/// Files and sockets that are open at a time.
const FILES: usize = 12;

/// Shows a game of Pacman IUT'O or of PyRat on a server, ours or the original, in the terminal
///
/// The last 20 000 states are remembered, in at most 64 MiB, to step back through. When the variable
/// `NO_COLOR` is set, everything is black and white.
#[derive(Debug, Parser)]
#[command(
    args_override_self = true,
    version,
    after_help = "Exit codes: 0 when the user quits, or with --quitter when the server says that \
    the games are over; 1 when the server refuses, is gone or breaks the protocol; 2 when the \
    command is wrong, there is no server or no terminal; 130 on Ctrl-C."
)]
struct Args {
    #[command(flatten)]
    whereabouts: Whereabouts,

    /// Name of the spectator
    #[arg(long, visible_alias = "name", value_name = "NAME", default_value = "afficheur")]
    nom: String,

    /// Rules of Pacman on the server, as far as the screen minds them: which ghosts are frozen
    #[arg(long, visible_alias = "rules", value_name = "RULES", value_enum, default_value_t)]
    regles: RulesPreset,

    /// How long to look for a server that is not there, or no longer, as 500ms or 10s
    #[arg(long, visible_alias = "patience", value_name = "DURATION", default_value = "10s",
          value_parser = cli::duration)]
    insister: Duration,

    /// Show a recorded game instead: space plays and pauses, < and > change the speed
    #[arg(long, visible_alias = "replay", value_name = "FILE",
          conflicts_with_all = ["serveur", "port", "nom", "regles", "insister", "quitter"])]
    rejouer: Option<PathBuf>,

    /// Leave when the server says that the games are over, or is gone
    #[arg(long, visible_alias = "exit")]
    quitter: bool,

    /// What is logged to the standard error, before the screen opens and after it closes
    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_enum, default_value_t)]
    journal: LogLevel,
}

/// Runs the program on the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let args = Args::parse();
    args.journal.init();
    let ended = cli::prepare(FILES)
        .and_then(|()| cli::runtime())
        .and_then(|runtime| runtime.block_on(watch(args)));
    ended.unwrap_or_else(|error| cli::fail(&error))
}

async fn watch(args: Args) -> anyhow::Result<ExitCode> {
    if !stdout().is_terminal() {
        bail!("afficheur draws on a terminal, and the standard output is none");
    }
    if let Some(file) = &args.rejouer {
        return show_recording(file).await;
    }
    let name = Name::new(&args.nom);
    let server = tokio::select! {
        biased;
        () = cli::interrupted() => return Ok(ExitCode::from(cli::INTERRUPTED)),
        server = args.whereabouts.locate(None, args.insister, false) => server?,
    };
    let session = Session {
        server,
        registration: Registration { role: Role::Spectator, name, secret: None },
        patience: args.insister,
    };
    let viewing = Viewing {
        rules: args.regles.rules(),
        theme: Theme::new(!cli::no_color()),
        leave_at_end: args.quitter,
    };
    let left = tokio::select! {
        // First of all Ctrl-C is listened for.
        biased;
        () = cli::interrupted() => return Ok(ExitCode::from(cli::INTERRUPTED)),
        left = viewer::run(&session, &viewing) => left,
    };
    let status = match left {
        Ok((Some(Leave::Interrupt), _)) => return Ok(ExitCode::from(cli::INTERRUPTED)),
        Ok((_, status)) => status,
        Err(ViewingError::Session(error @ SessionError::NotThere { .. })) => {
            return Err(error.into());
        }
        Err(error @ ViewingError::Terminal(_)) => return Err(error.into()),
        Err(error) => {
            tracing::error!("{error}");
            return Ok(ExitCode::FAILURE);
        }
    };
    let server = session.address();
    match status {
        Status::Live | Status::Over => return Ok(ExitCode::SUCCESS),
        Status::Lost | Status::Gone => tracing::error!("{server} is gone"),
        Status::Broken(what) => tracing::error!("{server}: {what}"),
    }
    Ok(ExitCode::FAILURE)
}

async fn show_recording(file: &Path) -> anyhow::Result<ExitCode> {
    let shown = cli::printable(&file.to_string_lossy());
    let recording = match Recording::open(file) {
        Err(OpenError::Io(error)) => Err(error).with_context(|| format!("cannot read {shown}"))?,
        recording => recording.with_context(|| shown.clone())?,
    };
    if let Some(damage) = &recording.damage {
        tracing::warn!("{shown}: damaged {damage}");
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let model = Model::recording(name, recording);
    let theme = Theme::new(!cli::no_color());
    let left = tokio::select! {
        biased;
        () = cli::interrupted() => Leave::Interrupt,
        left = viewer::show_recording(model, theme) => left.context("the terminal")?,
    };
    Ok(match left {
        Leave::Quit => ExitCode::SUCCESS,
        Leave::Interrupt => ExitCode::from(cli::INTERRUPTED),
    })
}
