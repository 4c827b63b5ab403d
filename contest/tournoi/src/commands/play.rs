//! `tournoi jouer`.

use std::process::ExitCode;

use crate::setup;
use plan::Program;
use tournament::tournament::Tournament;

use super::base::BaseArgs;
use super::plan_args::{LimitArgs, PlanArgs};
use super::run::{self, RunArgs};

#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    base: BaseArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let drawn = super::draw()?;
    let mut config = args.plan.config()?;
    args.limits.set(&mut config);
    let plan = setup::plan(&config, drawn)?;
    for team in &plan.teams {
        if let Program::Command(command) = &team.program
            && !command.words.iter().any(|word| word.contains("{port}"))
        {
            cli::tell!(
                "{}: no {{port}} in its command; it has to find PACMAN_PORT by itself",
                "{} : pas de {{port}} dans sa commande ; elle doit trouver PACMAN_PORT elle-même",
                team.name
            );
        }
    }
    let page = args.run.listen()?;
    let tournament = Tournament::create(args.base.path(), plan)?;
    run::run(tournament, &args.run, page)
}
