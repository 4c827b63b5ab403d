//! Flags that name a bot and the conditions of its games, for the commands about one bot.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::{Config, TeamConfig};
use crate::setup;
use anyhow::{Context, bail, ensure};
use checkup::words;
use language::{said, word};
use plan::Team;

use super::isolation::IsolationArgs;
use super::plan_args::{LimitArgs, set, start};

/// The bot, and the conditions of its games.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct BotArgs {
    #[arg(value_name = "BOT", help = said!(
        "Command that starts the bot, or `ia:BOT` for a bot of the house. In the command, {{server}}, {{port}} and \
         {{name}} are replaced by the address of the server, its port and the name of the team. With --config: the \
         name of a team of that file",
        "Commande qui lance le bot, ou `ia:BOT` pour un bot de la maison. Dans la commande, {{serveur}}, {{port}} et \
         {{nom}} sont remplacés par l'adresse du serveur, son port et le nom de l'équipe. Avec --config : le nom \
         d'une équipe de ce fichier"
    ))]
    bot: Vec<String>,

    #[arg(long, value_name = "FILE", help = said!(
        "File that describes a tournament (TOML): its teams, and how they play",
        "Fichier qui décrit un tournoi (TOML) : ses équipes, et comment elles jouent"
    ))]
    pub(crate) config: Option<PathBuf>,

    #[arg(long, visible_alias = "folder", value_name = "DIR", help = said!(
        "Folder that the command runs in [default: the current folder]",
        "Dossier où la commande tourne [défaut : le dossier courant]"
    ))]
    dossier: Option<PathBuf>,

    #[arg(long, visible_alias = "map", value_name = "FILE", help = said!(
        "Map to play on; may be given several times",
        "Carte des parties ; peut être donnée plusieurs fois"
    ))]
    carte: Vec<PathBuf>,

    #[arg(long, visible_alias = "turns", alias = "tours", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..),
          help = said!("Turns of a game [default: 200]", "Tours d'une partie [défaut : 200]"))]
    duree: Option<u32>,

    #[arg(long, visible_alias = "deadline", value_name = "DURATION",
          value_parser = cli::positive_duration,
          help = said!("Time limit of an order [default: 1s]", "Temps pour un ordre [défaut : 1s]"))]
    delai: Option<Duration>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

impl BotArgs {
    /// The configuration of the file, overridden by the flags.
    pub(crate) fn config(&self) -> anyhow::Result<Config> {
        let mut config = start(self.config.as_deref(), &self.carte)?;
        set(&mut config.turns, self.duree.as_ref());
        set(&mut config.deadline, self.delai.as_ref());
        self.limits.set(&mut config);
        Ok(config)
    }

    /// The teams that the flags name: one, or all of the file if none is named.
    pub(crate) fn teams(&self, config: &Config) -> anyhow::Result<Vec<Team>> {
        let wanted = match (&self.config, &self.bot[..]) {
            (None, []) => bail!(words::which_bot()),
            (None, [bot]) => vec![setup::parse_team(bot)?],
            // The shell has split the command into words already.
            (None, words) => vec![setup::parse_team(&shell_words::join(words))?],
            (Some(_), []) => config.teams.clone(),
            (Some(path), [name]) => vec![named(config, path, name)?],
            (Some(_), _) => bail!(said!(
                "with --config, expected the name of one team at most",
                "avec --config, le nom d'une équipe au plus est attendu"
            )),
        };
        let teams = self.set_up(wanted)?;
        let empty =
            || said!("there is no team in the file", "il n'y a aucune équipe dans le fichier");
        ensure!(!teams.is_empty(), empty());
        Ok(teams)
    }

    /// The bot and the `other` one: a command, or a team of the file if there is one.
    pub(crate) fn pair(&self, config: &Config, other: &str) -> anyhow::Result<[Team; 2]> {
        let mut first = self.one(config)?;
        let mut other = match &self.config {
            Some(path) => named(config, path, other)?,
            None => setup::parse_team(other)?,
        };
        if other.name.as_ref().is_some_and(|name| *name == first.name) {
            other.name = None;
        }
        let [mut second] =
            <[Team; 1]>::try_from(self.set_up(vec![other])?).expect("one team is made of one");
        if second.name == first.name {
            // Both are the same script in two folders.
            first.name += word(" (new)", " (nouveau)");
            second.name += word(" (old)", " (ancien)");
        }
        Ok([first, second])
    }

    pub(crate) fn one(&self, config: &Config) -> anyhow::Result<Team> {
        let teams = self.teams(config)?;
        let names: Vec<_> = teams.iter().map(|team| team.name.as_str()).collect();
        let names = names.join(", ");
        match <[Team; 1]>::try_from(teams) {
            Ok([team]) => Ok(team),
            Err(_) => bail!(said!(
                "expected the name of one team of the file: {names}",
                "le nom d'une équipe du fichier est attendu : {names}"
            )),
        }
    }

    fn set_up(&self, mut wanted: Vec<TeamConfig>) -> anyhow::Result<Vec<Team>> {
        for team in &mut wanted {
            if let Some(folder) = &self.dossier {
                ensure!(folder.is_dir(), words::no_folder(folder));
                team.folder = Some(folder.clone());
            }
            // No result is kept, so the files that make the version need not be read.
            team.version = Some(String::new());
        }
        let mut teams = Vec::new();
        setup::add_teams(&mut teams, &wanted, 0)?;
        Ok(teams)
    }
}

fn named(config: &Config, path: &Path, name: &str) -> anyhow::Result<TeamConfig> {
    let found = config.teams.iter().find(|team| team.name.as_deref() == Some(name));
    let known: Vec<_> = config.teams.iter().filter_map(|team| team.name.as_deref()).collect();
    let known = known.join(", ");
    found.cloned().with_context(|| {
        said!(
            "{}: there is no team {name:?}, expected one of {known}",
            "{} : il n'y a pas d'équipe {name:?}, une de celles-ci est attendue : {known}",
            path.display()
        )
    })
}
