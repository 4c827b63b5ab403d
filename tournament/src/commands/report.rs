//! `tournoi rapport`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use cli::Language;
use tournament::tournament::{SAMPLES, Tournament};

/// Flags of `tournoi rapport`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// File with the results
    #[arg(default_value = "tournoi.sqlite")]
    base: PathBuf,

    /// Write one HTML page, in French and English, with the games to be looked at, which needs no
    /// internet
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write the ranking for a spreadsheet: with semicolons and decimal commas in French
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Language of the table and of the spreadsheet; that of the environment when missing
    #[arg(long, visible_alias = "language", value_enum)]
    langue: Option<Language>,
}

/// Shows how it stands.
pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    let tournament = Tournament::look(&args.base)?;
    let language = Language::or_environment(args.langue);
    let results = tournament.results(SAMPLES)?;
    say!("{}", report::table(&results.standings, language));
    for conflict in tournament.store().conflicts()? {
        say!("game {}: recorded as {}", conflict.key, conflict.kept);
        say!("  delivered again, and not counted, as {}", conflict.received);
    }
    let write = |path: &PathBuf, text: String| {
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    if let Some(path) = &args.html {
        write(path, report::html(&results.plan, &results.outcomes, &results.standings))?;
    }
    if let Some(path) = &args.csv {
        write(path, report::csv(&results.standings, language))?;
    }
    Ok(ExitCode::SUCCESS)
}
