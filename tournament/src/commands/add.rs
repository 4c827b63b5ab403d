//! `tournoi ajouter`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use tournament::config::Config;
use tournament::setup;
use tournament::tournament::Tournament;

use super::plan_args::TeamArgs;
use super::resume::take_in_changes;
use super::run::{self, RunArgs};

/// Flags of `tournoi ajouter`.
#[derive(Debug, clap::Args)]
pub(crate) struct AddArgs {
    /// File with the results
    base: PathBuf,

    #[command(flatten)]
    teams: TeamArgs,

    /// File that describes the tournament, now with more teams (TOML); those of other names are added
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(flatten)]
    run: RunArgs,
}

/// Adds teams, and plays what is missing.
pub(crate) fn run(args: &AddArgs) -> anyhow::Result<ExitCode> {
    let mut tournament = Tournament::open(&args.base)?;
    let mut teams = tournament.plan().teams.clone();
    let generation = teams.iter().map(|team| team.generation).max().map_or(0, |last| last + 1);
    let mut added = args.teams.teams.clone();
    if let Some(path) = &args.config {
        let known =
            |name: &Option<String>| teams.iter().any(|team| Some(&team.name) == name.as_ref());
        added.extend(Config::read(path)?.teams.into_iter().filter(|team| !known(&team.name)));
    }
    ensure!(!added.is_empty(), "which teams? --equipe NAME=COMMAND, or --config with new ones");
    setup::add_teams(&mut teams, &added, generation)?;
    tournament.plan().schedule.check(&teams)?;
    tournament.change(|plan| plan.teams = teams)?;
    take_in_changes(&mut tournament)?;
    run::run(tournament, &args.run)
}
