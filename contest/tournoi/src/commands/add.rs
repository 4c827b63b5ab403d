//! `tournoi ajouter`.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::config::Config;
use crate::setup;
use anyhow::ensure;
use language::said;
use tournament::tournament::Tournament;

use super::base::BaseArgs;
use super::plan_args::TeamArgs;
use super::resume::{change, check, current};
use super::run::{self, RunArgs};

#[derive(Debug, clap::Args)]
pub(crate) struct AddArgs {
    #[command(flatten)]
    base: BaseArgs,

    #[command(flatten)]
    teams: TeamArgs,

    #[arg(long, value_name = "FILE", help = said!(
        "File that describes the tournament, now with more teams (TOML); those of other names are added",
        "Fichier qui décrit le tournoi, maintenant avec plus d'équipes (TOML) ; celles d'un autre nom s'ajoutent"
    ))]
    config: Option<PathBuf>,

    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &AddArgs) -> anyhow::Result<ExitCode> {
    let page = args.run.listen()?;
    let tournament = Tournament::open(args.base.path())?;
    let config = args.config.as_deref().map(Config::read).transpose()?;
    let mut plan = tournament.plan().clone();
    plan.teams = current(&plan.teams, config.as_ref())?;
    // Teams that are added before the first game count as first teams.
    let last = plan.teams.iter().map(|team| team.generation).max();
    let generation = match tournament.games().next() {
        Some(_) => last.map_or(0, |last| last + 1),
        None => last.unwrap_or(0),
    };
    let before = plan.teams.len();
    if let Some(config) = &config {
        // Teams without a name get one by their order, as in the first call.
        let mut described = Vec::new();
        setup::add_teams(&mut described, &config.teams, generation)?;
        described.retain(|team| plan.teams.iter().all(|known| known.name != team.name));
        plan.teams.append(&mut described);
    }
    setup::add_teams(&mut plan.teams, &args.teams.teams, generation)?;
    ensure!(
        plan.teams.len() > before,
        said!(
            "which teams are to be added? --team NAME=COMMAND, or --config with new ones",
            "quelles équipes ajouter ? --equipe NOM=COMMANDE, ou --config avec de nouvelles"
        )
    );
    check(&tournament, &plan)?;
    let base = tournament.store().path().to_owned();
    run::run(&base, plan, &args.run, page, |plan| change(tournament, plan))
}
