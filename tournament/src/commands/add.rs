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
    // Before the first game, whoever is added is there from the start.
    let last = teams.iter().map(|team| team.generation).max();
    let generation = match tournament.outcomes().next() {
        Some(_) => last.map_or(0, |last| last + 1),
        None => last.unwrap_or(0),
    };
    let before = teams.len();
    if let Some(path) = &args.config {
        // Teams without a name get theirs by their order, as they did at first.
        let mut described = Vec::new();
        setup::add_teams(&mut described, &Config::read(path)?.teams, generation)?;
        described.retain(|team| teams.iter().all(|known| known.name != team.name));
        teams.append(&mut described);
    }
    setup::add_teams(&mut teams, &args.teams.teams, generation)?;
    let flags = "--equipe NAME=COMMAND, or --config with new ones";
    ensure!(teams.len() > before, "which teams are to be added? {flags}");
    tournament.plan().schedule.check(&teams, tournament.plan().maps.len())?;
    tournament.change(|plan| plan.teams = teams)?;
    take_in_changes(&mut tournament)?;
    run::run(tournament, &args.run)
}
