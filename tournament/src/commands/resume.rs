//! `tournoi reprendre`.

use std::path::PathBuf;
use std::process::ExitCode;

use tournament::tournament::Tournament;
use tournament::{Program, setup};

use super::run::{self, RunArgs};

/// Flags of `tournoi reprendre`.
#[derive(Debug, clap::Args)]
pub(crate) struct ResumeArgs {
    /// File with the results
    #[arg(default_value = "tournoi.sqlite")]
    base: PathBuf,

    /// Play so many rounds in all, instead of as many as were planned
    #[arg(long, visible_alias = "rounds", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    manches: Option<u32>,

    #[command(flatten)]
    run: RunArgs,
}

/// Goes on with a tournament.
pub(crate) fn run(args: &ResumeArgs) -> anyhow::Result<ExitCode> {
    let mut tournament = Tournament::open(&args.base)?;
    if let Some(rounds) = args.manches {
        tournament.change(|plan| plan.schedule.rounds = rounds)?;
        let plan = tournament.plan();
        plan.schedule.check(&plan.teams, plan.maps.len())?;
    }
    take_in_changes(&mut tournament)?;
    run::run(tournament, &args.run)
}

/// Notices which teams' programs have changed: their games are played again.
pub(crate) fn take_in_changes(tournament: &mut Tournament) -> anyhow::Result<()> {
    let mut changed = Vec::new();
    for (place, team) in tournament.plan().teams.iter().enumerate() {
        let version = setup::current_version(team)?;
        if version != team.version {
            println!("{} has changed: its games are played again", team.name);
            changed.push((place, version));
        }
    }
    if !changed.is_empty() {
        tournament.change(|plan| {
            for (place, version) in changed {
                plan.teams[place].version = version;
            }
        })?;
    }
    anyhow::ensure!(
        !tournament.plan().teams.iter().any(|team| team.program == Program::Remote),
        "the teams of this tournament connect from elsewhere: `tournoi lan --base {}` goes on with it",
        tournament.store().path().display()
    );
    Ok(())
}
