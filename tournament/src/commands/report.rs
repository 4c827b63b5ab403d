//! `tournoi rapport`.

use std::path::PathBuf;
use std::process::ExitCode;

use cli::Language;
use tournament::tournament::{SAMPLES, Tournament};

/// Flags of `tournoi rapport`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// File with the results
    #[arg(default_value = "tournoi.sqlite")]
    base: PathBuf,

    /// Language of the report; that of the environment when missing
    #[arg(long, visible_alias = "language", value_enum)]
    langue: Option<Language>,
}

/// Shows how it stands.
pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    let tournament = Tournament::look(&args.base)?;
    let standings = tournament.standings(SAMPLES);
    println!("{standings:#?}");
    let _ = Language::or_environment(args.langue);
    Ok(ExitCode::SUCCESS)
}
