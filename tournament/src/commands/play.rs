//! `tournoi jouer`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use plan::Program;
use tournament::setup;
use tournament::tournament::Tournament;

use super::plan_args::{LimitArgs, PlanArgs};
use super::run::{self, RunArgs};

/// Flags of `tournoi jouer`.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    plan: PlanArgs,

    /// File for the results; there must be none yet
    #[arg(long, visible_alias = "results", value_name = "FILE", default_value = "tournoi.sqlite")]
    base: PathBuf,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Plays a tournament from its beginning.
pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let drawn = getrandom::u64().context("cannot draw a number")?;
    let mut config = args.plan.config()?;
    args.limits.set(&mut config);
    let plan = setup::plan(&config, drawn)?;
    for team in &plan.teams {
        if let Program::Command(command) = &team.program
            && !command.words.iter().any(|word| word.contains("{port}"))
        {
            say!("{}: no {{port}} in its command; it has to find PACMAN_PORT by itself", team.name);
        }
    }
    let page = args.run.listen()?;
    let tournament = Tournament::create(&args.base, plan)?;
    run::run(tournament, &args.run, page)
}
