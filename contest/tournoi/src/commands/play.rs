//! `tournoi jouer`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::config::{Config, TeamConfig};
use crate::handed_in::{self, HandedIn};
use crate::setup;
use crate::workshop::Workshop;
use language::said;
use plan::Program;
use tournament::store::Store;
use tournament::tournament::Tournament;

use super::base::BaseArgs;
use super::plan_args::{LimitArgs, PlanArgs};
use super::run::{self, RunArgs};
use super::verify::folder_of_copies;

#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    plan: PlanArgs,

    #[arg(long, visible_alias = "folders", value_name = "DIR", num_args = 1.., help = said!(
        "Folders of teams, a folder each, or one with all of them; the files tell what runs",
        "Dossiers des équipes, un par équipe, ou celui qui les contient tous ; le programme à lancer est déduit des fichiers"
    ))]
    dossiers: Vec<PathBuf>,

    #[command(flatten)]
    base: BaseArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    run: RunArgs,
}

impl PlayArgs {
    /// The path of the results.
    pub(crate) fn base_path(&self) -> &Path {
        self.base.path()
    }

    /// Adds the teams of folders to those of the configuration, and says which do not take part and why.
    /// False if the user interrupts this.
    fn add_handed_in(&self, config: &mut Config) -> anyhow::Result<bool> {
        if self.dossiers.is_empty() {
            return Ok(true);
        }
        // `reprendre` needs them too.
        let built = self.base.path().with_extension("construits");
        let mut workshop = Workshop::new(self.run.isolation.isolement, built);
        let unpacked = folder_of_copies()?;
        let is_unpacked = |team: &TeamConfig| {
            team.folder.as_ref().is_some_and(|folder| folder.starts_with(unpacked.path()))
        };
        let handed_in = handed_in::read(&self.dossiers, unpacked.path(), &mut workshop)?;
        let Some(handed_in) = handed_in else { return Ok(false) };
        for HandedIn { name, program } in handed_in {
            // One team's files do not keep the others waiting.
            let program = program.and_then(|team| {
                let one = std::slice::from_ref(&team);
                let read = setup::add_teams(&mut Vec::new(), one, 0);
                read.map(|()| team).map_err(|error| format!("{error:#}"))
            });
            match program {
                // An archive is unpacked for this run only, and `reprendre` would not find its files.
                Ok(team) if !is_unpacked(&team) => config.teams.push(team),
                Ok(_) => cli::warn!(
                    "{name} does not take part: expected a folder, in which archives are unpacked",
                    "{name} ne participe pas : un dossier est attendu, et les archives doivent être extraites"
                ),
                Err(why) => cli::warn!(
                    "{name} does not take part: {why}",
                    "{name} ne participe pas : {why}"
                ),
            }
        }
        Ok(true)
    }
}

pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    run_with(args, Vec::new())
}

/// Plays with these teams, too.
pub(crate) fn run_with(args: &PlayArgs, teams: Vec<TeamConfig>) -> anyhow::Result<ExitCode> {
    let base = args.base.path();
    // Building and packaging would replace the files of the older tournament.
    Store::expect_none(base)?;
    let drawn = super::draw()?;
    let mut config = args.plan.config()?;
    if !teams.is_empty() {
        // The file may be that of a course, whose conditions hold here too.
        config.course = None;
        config.teams.extend(teams);
    }
    args.limits.set(&mut config);
    if !args.add_handed_in(&mut config)? {
        return Ok(ExitCode::from(cli::INTERRUPTED));
    }
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
    run::run(base, plan, &args.run, page, |plan| Ok(Tournament::create(base, plan)?))
}
