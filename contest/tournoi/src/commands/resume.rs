//! `tournoi reprendre`.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::config::Config;
use crate::setup;
use anyhow::ensure;
use language::said;
use plan::{Plan, Program, Team};
use tournament::tournament::Tournament;

use super::base::BaseArgs;
use super::run::{self, RunArgs};

#[derive(Debug, clap::Args)]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    base: BaseArgs,

    #[arg(long, visible_alias = "rounds", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Play this number of rounds in all, whatever was planned, and without --until",
        "Jouer ce nombre de manches en tout, quoi qu'on ait prévu, et sans --jusqua"
    ))]
    manches: Option<u32>,

    #[arg(long, value_name = "FILE", help = said!(
        "File that describes the tournament (TOML), if a team has another command or version now, or programs \
         other limits",
        "Fichier qui décrit le tournoi (TOML), si une équipe a maintenant une autre commande ou version, ou les \
         programmes d'autres limites"
    ))]
    config: Option<PathBuf>,

    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &ResumeArgs) -> anyhow::Result<ExitCode> {
    let page = args.run.listen()?;
    let tournament = Tournament::open(args.base.path())?;
    let mut plan = tournament.plan().clone();
    let described = args.config.as_deref().map(Config::read).transpose()?;
    plan.teams = current(&plan.teams, described.as_ref())?;
    if let Some(config) = &described {
        plan.limits = setup::solo_conditions(config)?.limits;
    }
    if let Some(rounds) = args.manches {
        plan.schedule.rounds = rounds;
        plan.schedule.until = None;
    }
    check(&tournament, &plan)?;
    let base = tournament.store().path().to_owned();
    run::run(&base, plan, &args.run, page, |plan| change(tournament, plan))
}

/// The command that plays the missing games of a tournament.
pub(crate) fn command(tournament: &Tournament) -> String {
    let (tournoi, base) = (cli::command("tournoi"), tournament.store().path().display());
    if has_remote_teams(tournament.plan()) {
        said!("{tournoi} lan --results {base}", "{tournoi} lan --base {base}")
    } else {
        said!("{tournoi} resume {base}", "{tournoi} reprendre {base}")
    }
}

fn has_remote_teams(plan: &Plan) -> bool {
    plan.teams.iter().any(|team| team.program == Program::Remote)
}

/// The teams with the present versions of their programs: as a configuration describes them, else at their old paths.
pub(crate) fn current(teams: &[Team], config: Option<&Config>) -> anyhow::Result<Vec<Team>> {
    let mut described = Vec::new();
    if let Some(config) = config {
        setup::add_teams(&mut described, &config.teams, 0)?;
    }
    let described = |team: &Team| {
        let found = described.iter().find(|other| other.name == team.name);
        // In another version, the games of a disqualified team would not count.
        found.filter(|_| team.disqualified.is_none())
    };
    let now = |team: &Team| match described(team) {
        Some(other) => Ok(Team { generation: team.generation, ..other.clone() }),
        None => Ok(Team { version: setup::current_version(team)?, ..team.clone() }),
    };
    teams.iter().map(now).collect()
}

/// Checks that programs can play the new plan of a tournament.
pub(crate) fn check(tournament: &Tournament, plan: &Plan) -> anyhow::Result<()> {
    ensure!(
        !has_remote_teams(plan),
        said!(
            "the teams of this tournament connect from elsewhere: `{resume}` goes on with it",
            "les équipes de ce tournoi se connectent d'ailleurs : `{resume}` le continue",
            resume = command(tournament)
        )
    );
    plan.schedule.check(&plan.teams, plan.maps.len())?;
    Ok(())
}

/// Replaces the plan of a tournament. Games of teams that have changed are played again.
pub(crate) fn change(mut tournament: Tournament, plan: Plan) -> anyhow::Result<Tournament> {
    for (before, now) in tournament.plan().teams.iter().zip(&plan.teams) {
        if before.version != now.version {
            cli::tell!(
                "{} has changed: its games are played again; where it writes files itself, `fichiers` or \
                 `version` say what makes its version",
                "{} a changé : ses parties sont rejouées ; si elle écrit elle-même des fichiers, `fichiers` ou \
                 `version` indiquent ce qui définit sa version",
                now.name
            );
        }
    }
    tournament.change(|known| *known = plan)?;
    Ok(tournament)
}
