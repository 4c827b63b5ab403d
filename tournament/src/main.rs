//! `tournoi`: tournaments of Pacman IUT'O, on one machine or over a LAN.

/// Prints a line, if anybody reads it: it is no reason to stop when the reader is gone.
macro_rules! say {
    ($($line:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($line)*);
    }};
}

mod commands;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::commands::{add, lan, play, report, resume, trial, verify};

/// Files and sockets that a small tournament has open at a time.
const FILES: usize = 32;

/// Plays tournaments of Pacman IUT'O: programs in any language meet in games of four, and every
/// result is kept
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 when all games are played, 1 when the tournament cannot go on (disk full, …) or a bot did \
    not pass, 2 when the command or a file is wrong, 130 on Ctrl-C. Results of games that were played are kept."
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a tournament on this machine; the teams' programs are started for each game
    #[command(visible_alias = "play", args_override_self = true)]
    Jouer(Box<play::PlayArgs>),

    /// Resume a tournament: play the games that are missing, and those of programs that have changed
    #[command(visible_alias = "resume", args_override_self = true)]
    Reprendre(resume::ResumeArgs),

    /// Add teams to a tournament, and play the games that are missing
    #[command(visible_alias = "add", args_override_self = true)]
    Ajouter(Box<add::AddArgs>),

    /// Run a tournament over a LAN: teams connect from their own machines
    #[command(args_override_self = true)]
    Lan(Box<lan::LanArgs>),

    /// Show the ranking, also while games are played; write it as a web page or for a spreadsheet
    #[command(visible_alias = "report", args_override_self = true)]
    Rapport(report::ReportArgs),

    /// Try a bot: how often it beats the bots of the house, or whether it is better than an older version
    #[command(visible_alias = "try", args_override_self = true)]
    Essayer(Box<trial::TrialArgs>),

    /// Check a bot before it is handed in, and say what to fix
    #[command(visible_alias = "check", args_override_self = true)]
    Verifier(Box<verify::VerifyArgs>),
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = cli::prepare(FILES).and_then(|()| match args.command {
        Command::Jouer(args) => play::run(&args),
        Command::Reprendre(args) => resume::run(&args),
        Command::Ajouter(args) => add::run(&args),
        Command::Lan(args) => lan::run(&args),
        Command::Rapport(args) => report::run(&args),
        Command::Essayer(args) => trial::run(&args),
        Command::Verifier(args) => verify::run(&args),
    });
    done.unwrap_or_else(|error| match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        // The reader has seen enough.
        Some(ErrorKind::BrokenPipe) => ExitCode::SUCCESS,
        _ => cli::fail(&error),
    })
}
