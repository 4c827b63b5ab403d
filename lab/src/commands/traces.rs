//! `lab traces`.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use cli::RulesPreset;
use lab::traces::TraceReport;

use super::{print, print_lines};

/// Replay recorded games and compare every state, byte for byte
///
/// Prints `games=N turns=N differences=N`. With a difference, the first one is shown side by
/// side and the exit code is 1.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files of games, one a line as JSON, plain or compressed with gzip
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Rules that they were played by
    #[arg(
        long,
        visible_alias = "rules",
        value_name = "RULES",
        value_enum,
        default_value = "orleans2024"
    )]
    regles: RulesPreset,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut report = TraceReport::default();
    for path in &args.files {
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("cannot open {shown}"))?;
        report.replay(file, args.regles.rules()).with_context(|| shown.to_string())?;
    }
    let TraceReport { games, turns, differences, first } = report;
    print(format_args!("games={games} turns={turns} differences={differences}"))?;
    let Some(difference) = first else { return Ok(ExitCode::SUCCESS) };
    print_lines(difference)?;
    Ok(ExitCode::FAILURE)
}
