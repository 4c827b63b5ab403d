//! `tournoi verifier`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use checkup::{Check, CheckReport, Options, words};
use cli::{Language, RulesPreset, said};
use plan::{NamedMap, Team};
use programs::package::Packages;
use sandbox::Level;
use serde_json::json;
use tokio::runtime;
use tournament::config::{Config, TeamConfig};
use tournament::setup;

use super::check_list::{CheckList, as_json};
use super::isolation;
use super::plan_args::{LimitArgs, set};

/// Flags of `tournoi verifier`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = said!(
        "Exit codes: 0 when nothing has to be mended (warnings are allowed), 1 when something has, 2 when the \
         command or a file is wrong, 130 on Ctrl-C.",
        "Codes de sortie : 0 quand rien n'est à corriger (les avertissements sont permis), 1 si quelque chose l'est, \
         2 si la commande ou un fichier est faux, 130 après Ctrl-C."
    )
)]
pub(crate) struct VerifyArgs {
    #[arg(value_name = "BOT", help = said!(
        "Bot: its command, as in `--equipe` of `jouer`, with {{serveur}}, {{port}} and {{nom}} where they are \
         replaced, or `ia:BOT`; with --config, the name of a team of the file, all when missing",
        "Bot : sa commande, comme dans `--equipe` de `jouer`, avec {{serveur}}, {{port}} et {{nom}} là où ils sont \
         remplacés, ou `ia:BOT` ; avec --config, le nom d'une équipe du fichier, sinon toutes"
    ))]
    bot: Vec<String>,

    #[arg(long, value_name = "FILE", help = said!(
        "File that describes a tournament (TOML): its teams, and how they play",
        "Fichier qui décrit un tournoi (TOML) : ses équipes, et comment elles jouent"
    ))]
    config: Option<PathBuf>,

    #[arg(long, visible_alias = "folder", value_name = "DIR", help = said!(
        "Folder that the command runs in [default: where this runs]",
        "Dossier où la commande tourne [défaut : le dossier courant]"
    ))]
    dossier: Option<PathBuf>,

    #[arg(long, visible_alias = "map", value_name = "FILE", help = said!(
        "Map to play on, several times for several; the first one is that of most games",
        "Carte des parties, plusieurs fois pour plusieurs ; la première est celle de la plupart"
    ))]
    carte: Vec<PathBuf>,

    #[arg(long, visible_alias = "turns", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Turns of the long game [default: 200]",
        "Tours de la longue partie [défaut : 200]"
    ))]
    duree: Option<u32>,

    #[arg(long, visible_alias = "rules", value_name = "RULES", value_enum,
          help = said!("Rules of the games [default: sujet]", "Règles des parties [défaut : sujet]"))]
    regles: Option<RulesPreset>,

    #[arg(long, visible_alias = "deadline", value_name = "DURATION",
          value_parser = cli::positive_duration,
          help = said!("Time for an order to come [default: 1s]", "Temps pour un ordre [défaut : 1s]"))]
    delai: Option<Duration>,

    #[command(flatten)]
    limits: LimitArgs,

    #[arg(long, visible_alias = "check", value_name = "CHECK", value_enum, help = said!(
        "Check that is made, several times for several [default: all]",
        "Contrôle à faire, plusieurs fois pour plusieurs [défaut : tous]"
    ))]
    controle: Vec<Check>,

    #[arg(long, visible_alias = "isolation", value_name = "auto|aucun|strict", default_value = "auto",
          value_parser = isolation::level, help = isolation::help())]
    isolement: Level,

    #[arg(long, help = said!(
        "Print the findings as JSON, when all are there",
        "Écrire les constats en JSON, quand tous sont là"
    ))]
    json: bool,
}

/// Checks bots and says what to mend.
pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let language = Language::chosen();
    let config = args.config()?;
    let mut teams = args.teams(&config)?;
    // It plays from a copy of its files, as in a tournament.
    let copies = tempfile::tempdir()
        .with_context(|| said!("cannot make a folder", "aucun dossier ne peut être créé"))?;
    let packages = Packages::new(copies.path().to_owned());
    setup::take_packages(&mut teams, &packages)?;
    let options = args.options(&config, &teams, packages)?;
    if !args.json {
        let gaps = isolation::gaps(&options.runner, args.isolement, &teams);
        isolation::say(&gaps);
    }
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let mut reports = Vec::with_capacity(teams.len());
    for team in &teams {
        let mut list = (!args.json).then(|| CheckList::begin(team, language));
        let checked: Option<CheckReport> = runtime.block_on(async {
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
        let Some(report) = checked else {
            drop(list);
            return Ok(ExitCode::from(cli::INTERRUPTED));
        };
        if let Some(list) = list {
            list.end(&report);
        }
        reports.push(report);
    }
    if args.json {
        let reports: Vec<_> = reports.iter().map(|report| as_json(report, language)).collect();
        say!("{:#}", json!({ "teams": reports }));
    }
    Ok(match reports.iter().all(CheckReport::is_ready) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

impl VerifyArgs {
    /// What the file says; the flags go before it.
    fn config(&self) -> anyhow::Result<Config> {
        let mut config = match &self.config {
            Some(path) => Config::read(path)?,
            None => Config::default(),
        };
        if !self.carte.is_empty() {
            config.maps.clone_from(&self.carte);
        }
        let regles = self.regles.map(|rules| rules.name().to_owned());
        set(&mut config.turns, self.duree.as_ref());
        set(&mut config.rules, regles.as_ref());
        set(&mut config.deadline, self.delai.as_ref());
        self.limits.set(&mut config);
        Ok(config)
    }

    /// Who is checked.
    fn teams(&self, config: &Config) -> anyhow::Result<Vec<Team>> {
        let mut wanted = match (&self.config, &self.bot[..]) {
            (None, []) => bail!(words::which_bot(Language::chosen())),
            (None, [bot]) => vec![parse(bot)?],
            // The shell has cut it into words already.
            (None, words) => vec![parse(&shell_words::join(words))?],
            (Some(_), []) => config.teams.clone(),
            (Some(path), [name]) => {
                let found: Vec<_> =
                    config.teams.iter().filter(|team| team.name.as_ref() == Some(name)).collect();
                let known: Vec<_> =
                    config.teams.iter().filter_map(|team| team.name.as_deref()).collect();
                let known = known.join(", ");
                ensure!(
                    !found.is_empty(),
                    said!(
                        "{}: there is no team {name:?}, expected one of {known}",
                        "{} : il n'y a pas d'équipe {name:?}, une de celles-ci est attendue : {known}",
                        path.display()
                    )
                );
                found.into_iter().cloned().collect()
            }
            (Some(_), _) => bail!(said!(
                "with --config, expected the name of one team at most",
                "avec --config, le nom d'une équipe au plus est attendu"
            )),
        };
        for team in &mut wanted {
            if let Some(folder) = &self.dossier {
                ensure!(folder.is_dir(), words::no_folder(folder, Language::chosen()));
                team.folder = Some(folder.clone());
            }
            // What does not count needs no files to be read.
            team.version = Some(String::new());
        }
        let mut teams = Vec::new();
        setup::add_teams(&mut teams, &wanted, 0)?;
        let empty =
            || said!("there is no team in the file", "il n'y a aucune équipe dans le fichier");
        ensure!(!teams.is_empty(), empty());
        Ok(teams)
    }

    fn options(
        &self,
        config: &Config,
        teams: &[Team],
        packages: Packages,
    ) -> anyhow::Result<Options> {
        let conditions = setup::circumstances(config)?;
        let mut maps = conditions.maps.into_iter();
        let map = match maps.next() {
            Some(NamedMap { map, .. }) => map,
            None => checkup::usual_map()?,
        };
        // Some bots do not look at the port that they are told.
        let trap = Some(protocol::DEFAULT_PORT);
        let runner = isolation::runner(self.isolement, teams, Vec::new(), trap, packages)?;
        Ok(Options {
            rules: conditions.rules,
            turns: conditions.turns,
            deadline: conditions.deadline,
            limits: conditions.limits,
            map,
            other_maps: maps.collect(),
            checks: match self.controle.is_empty() {
                true => Check::ALL.to_vec(),
                false => self.controle.clone(),
            },
            runner: Arc::new(runner),
        })
    }
}

fn parse(bot: &str) -> anyhow::Result<TeamConfig> {
    setup::parse_team(bot).map_err(anyhow::Error::msg)
}
