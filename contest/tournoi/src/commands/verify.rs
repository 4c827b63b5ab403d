//! `tournoi verifier`.

mod class_table;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use crate::config::TeamConfig;
use crate::handed_in::{self, HandedIn};
use crate::setup::{self, SoloConditions};
use crate::workshop::Workshop;
use anyhow::Context;
use checkup::{Check, CheckReport, MachineFault, Options};
use clap::ValueEnum;
use game::pacman::RulesPreset;
use language::said;
use plan::Team;
use programs::package::Packages;
use programs::runner::Runner;
use serde_json::json;
use tempfile::TempDir;

use super::bot_args::BotArgs;
use super::check_list::CheckList;
use super::isolation;
use super::plan_args::set;

#[derive(Debug, clap::Args)]
#[command(
    after_help = said!(
        "Exit codes: 0 when the bot is ready, perhaps with warnings, 1 when something has to be fixed, 2 when the \
         command or a file is wrong, 130 on Ctrl-C.",
        "Codes de sortie : 0 quand le bot est prêt, peut-être avec des avertissements, 1 s'il faut corriger, 2 si la \
         commande ou un fichier est incorrect, 130 après Ctrl-C."
    )
)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    bot: BotArgs,

    #[arg(long, visible_alias = "rules", value_name = "RULES", value_parser = cli::rules(),
          help = said!("Rules of the games [default: sujet]", "Règles des parties [défaut : sujet]"))]
    regles: Option<RulesPreset>,

    #[arg(long, visible_alias = "check", value_name = "CHECK", value_enum, help = said!(
        "Check to make; may be given several times [default: all]",
        "Contrôle à faire ; peut être donné plusieurs fois [défaut : tous]"
    ))]
    controle: Vec<Check>,

    #[arg(long, visible_alias = "folders", value_name = "PATH", num_args = 1.., conflicts_with_all = ["bot", "config", "dossier"], help = said!(
        "What teams have handed in, a folder, an archive or a file each, or one folder with all of it; the result is a table",
        "Ce que les équipes ont rendu, un dossier, une archive ou un fichier chacune, ou un dossier qui contient tout ; le \
         résultat est un tableau"
    ))]
    dossiers: Vec<PathBuf>,

    #[arg(long, help = said!(
        "Print the findings as JSON, once all checks are made",
        "Écrire les constats en JSON, une fois tous les contrôles faits"
    ))]
    json: bool,
}

pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let mut config = args.bot.config()?;
    set(&mut config.rules, args.regles.map(|rules| rules.name().to_owned()).as_ref());
    // Each bot plays from a copy of its files, as in a tournament.
    let copies = folder_of_copies()?;
    // With folders, the table lists the hand-ins that cannot run.
    let is_of_folders = !args.dossiers.is_empty();
    let level = args.bot.isolation.isolement;
    let mut workshop = Workshop::new(level, copies.path().join("built"));
    let handed_in = handed_in::read(&args.dossiers, copies.path(), &mut workshop)?;
    let Some(handed_in) = handed_in else { return Ok(ExitCode::from(cli::INTERRUPTED)) };
    let packages = Packages::new(copies.path().join("copies"));
    let (teams, refused) = if is_of_folders {
        runnable(&handed_in, &packages)
    } else {
        let mut teams = args.bot.teams(&config)?;
        setup::take_packages(&mut teams, &packages)?;
        (teams, Vec::new())
    };
    let checks =
        if args.controle.is_empty() { Check::value_variants() } else { &args.controle }.to_vec();
    let solo_conditions = setup::solo_conditions(&config)?;
    // Some bots ignore the given port and connect to the usual one.
    let trap = Some(protocol::DEFAULT_PORT);
    let runner = programs::isolation::runner(level, &teams, Vec::new(), trap, packages)?;
    if !args.json {
        isolation::say(&programs::isolation::gaps(&runner, level, &teams));
    }
    let options = checkup_options(solo_conditions, checks, runner);
    let runtime = cli::runtime()?;
    let is_class = teams.len() + refused.len() > 1 && is_of_folders;
    let mut reports = Vec::with_capacity(teams.len());
    for (number, team) in (1..).zip(&teams) {
        let mut list = (!args.json && !is_class).then(|| CheckList::begin(team));
        if !args.json && is_class {
            class_table::say_progress(&team.name, number, teams.len());
        }
        let checked: Option<Result<CheckReport, MachineFault>> = runtime.block_on(async {
            let checking = checkup::run(team, &options, |news| {
                if let Some(list) = &mut list {
                    list.tell(news);
                }
            });
            tokio::select! {
                report = checking => Some(report),
                () = cli::interrupted() => None,
            }
        });
        let Some(report) = checked.transpose()? else {
            drop(list);
            return Ok(ExitCode::from(cli::INTERRUPTED));
        };
        if let Some(list) = list {
            list.end(&report);
        }
        reports.push(report);
    }
    if args.json {
        let reports: Vec<_> = reports.iter().map(CheckReport::to_json).collect();
        let refused: Vec<_> =
            refused.iter().map(|(name, why)| json!({ "team": name, "refused": why })).collect();
        cli::say!("{:#}", json!({ "teams": reports, "refused": refused }));
    } else if is_class || !refused.is_empty() {
        cli::say!("{}", class_table::table(&reports, &refused));
    }
    Ok(if refused.is_empty() && reports.iter().all(CheckReport::is_ready) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// A team whose program cannot run, and why.
type Refused = (String, String);

/// The teams whose programs run, with their packages, and the others.
fn runnable(all: &[HandedIn], packages: &Packages) -> (Vec<Team>, Vec<Refused>) {
    let (mut teams, mut refused) = (Vec::new(), Vec::new());
    for HandedIn { name, program } in all {
        let team = program.clone().and_then(|team| {
            // No result is kept, so the version does not matter.
            let team = TeamConfig { version: Some(String::new()), ..team };
            packaged(team, packages).map_err(|error| format!("{error:#}"))
        });
        match team {
            Ok(team) => teams.push(team),
            Err(why) => refused.push((name.clone(), why)),
        }
    }
    (teams, refused)
}

fn packaged(team: TeamConfig, packages: &Packages) -> anyhow::Result<Team> {
    let mut one = Vec::new();
    setup::add_teams(&mut one, &[team], 0)?;
    let mut team = one.remove(0);
    setup::take_package(&mut team, packages)?;
    Ok(team)
}

/// Options of a checkup of bots that play under these conditions.
pub(crate) fn checkup_options(
    solo_conditions: SoloConditions,
    checks: Vec<Check>,
    runner: Runner,
) -> Options {
    let mut maps = solo_conditions.maps.into_iter();
    Options {
        rules: solo_conditions.rules,
        turns: solo_conditions.turns,
        deadline: solo_conditions.deadline,
        limits: solo_conditions.limits,
        map: maps.next().map_or_else(game::pacman::maps::plan1, |first| first.map),
        other_maps: maps.collect(),
        checks,
        runner: Arc::new(runner),
    }
}

/// A folder for copies of programs, which is removed when it is dropped.
pub(crate) fn folder_of_copies() -> anyhow::Result<TempDir> {
    let cannot = || said!("cannot make a folder", "aucun dossier ne peut être créé");
    tempfile::tempdir().with_context(cannot)
}
