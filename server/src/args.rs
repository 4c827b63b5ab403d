//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use bots::Entry;
use clap::error::{ContextKind, ContextValue};
use clap::{Args as _, Parser, Subcommand};
use cli::{Endpoint, LogLevel, RulesPreset};
use protocol::{DEFAULT_PORT, service};
use server::{Game, House, HouseBot, Pacman, Settings};

use crate::pyrat_args::PyRatArgs;

const EXIT_CODES: &str = "Exit codes: 0 after the games, 1 when scores, results or recordings that were asked for are \
    lost, 2 when the command, the map or the port is wrong, 130 on Ctrl-C.";

/// Plays games of Pacman IUT'O with clients over TCP, and says who won
#[derive(Debug, Parser)]
#[command(
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    version,
    after_help = EXIT_CODES
)]
pub(crate) struct Args {
    #[command(subcommand)]
    other_game: Option<OtherGame>,

    /// Map to play on; the built-in plan1 when missing
    #[arg(value_name = "FILE", value_parser = map_file)]
    fichier: Option<PathBuf>,

    /// The same as FILE
    #[arg(long, visible_alias = "map", value_name = "FILE", conflicts_with = "fichier")]
    carte: Option<PathBuf>,

    /// Turns of a game
    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..))]
    duree: u32,

    /// Players of a game
    #[arg(long, visible_alias = "players", value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(1..=26))]
    joueurs: u8,

    /// Rules of the game
    #[arg(long, visible_alias = "rules", value_name = "RULES", value_enum, default_value_t)]
    regles: RulesPreset,

    /// Time for an order to come
    #[arg(long, visible_alias = "deadline", value_name = "DURATION", default_value = "1s",
          value_parser = cli::positive_duration)]
    delai: Duration,

    /// Let this bot of the house take the seats that stay empty; an unknown name gives the list
    #[arg(long, visible_alias = "fill", value_name = "BOT", value_parser = bots::by_name)]
    remplir: Option<&'static Entry>,

    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Subcommand)]
enum OtherGame {
    /// Plays games of PyRat instead: rats look for cheese in a maze with mud
    #[command(args_override_self = true, after_help = EXIT_CODES)]
    Pyrat(Box<PyRatArgs>),
}

/// What both games are asked for alike.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Common {
    /// Port to listen on, 0 for any that is free [default: 1111]
    #[arg(long)]
    port: Option<u16>,

    /// Address to listen on; 0.0.0.0 lets other machines in, where `client --serveur auto` finds this server
    #[arg(long, visible_alias = "host", value_name = "HOST[:PORT]", default_value = "127.0.0.1")]
    serveur: Endpoint,

    /// UDP port of multicast DNS, for machines where the usual one cannot be used
    #[arg(long, visible_alias = "mdns-port", hide = true, default_value_t = service::MDNS_PORT)]
    pub(crate) port_mdns: u16,

    /// Games in succession, with whoever stays connected; 0 until Ctrl-C
    #[arg(long, visible_alias = "games", value_name = "N", default_value_t = 1)]
    parties: u32,

    /// Seed of the first game, each later one takes the next number; drawn when missing
    #[arg(long, visible_alias = "seed", value_name = "N")]
    graine: Option<u64>,

    /// Least duration of a turn, as 500ms or 2s
    #[arg(long, visible_alias = "pace", value_name = "DURATION", default_value = "0",
          value_parser = cli::duration)]
    tempo: Duration,

    /// How long the house waits after the first player
    #[arg(long, visible_alias = "wait", value_name = "DURATION", default_value = "2s",
          value_parser = cli::duration, requires = "remplir")]
    attente: Duration,

    /// File for the scores, replaced at the end of each game
    #[arg(long, visible_alias = "scores", value_name = "FILE", default_value = "score.csv")]
    pub(crate) nom_partie: PathBuf,

    /// Record every game: in this file (later games in files beside it), or in this folder. When missing,
    /// the last 10 games are kept in the user's state folder, in `pacman-iuto/parties`
    #[arg(long, visible_alias = "record", value_name = "FILE|DIR")]
    pub(crate) enregistrer: Option<PathBuf>,

    /// Record no game
    #[arg(long, visible_alias = "no-recording", conflicts_with = "enregistrer")]
    pub(crate) sans_enregistrement: bool,

    /// Serve a web page that shows the games, until Ctrl-C: on this port of this machine, or of an address
    /// as 0.0.0.0:8080, which lets other machines in
    #[arg(long, value_name = "PORT|HOST:PORT", value_parser = cli::web_address)]
    pub(crate) web: Option<SocketAddr>,

    /// Start when Enter is pressed here, with whoever is there
    #[arg(long, visible_alias = "wait-enter")]
    pub(crate) attendre_entree: bool,

    /// Most spectators at a time
    #[arg(long, visible_alias = "max-spectators", value_name = "N", default_value_t = 64)]
    max_afficheurs: usize,

    /// Most players and spectators connected at a time; connections that have not registered have places of their own
    #[arg(long, visible_alias = "max-connections", value_name = "N", default_value_t = 256)]
    max_connexions: usize,

    /// What is logged to the standard error
    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_enum, default_value_t)]
    pub(crate) journal: LogLevel,
}

/// What there is to do, checked.
pub(crate) struct Plan {
    pub(crate) game: Box<dyn Game>,
    pub(crate) settings: Settings,
    /// Which one it is.
    pub(crate) kind: service::GameKind,
}

impl Args {
    /// What both games are asked for alike.
    pub(crate) fn common(&self) -> &Common {
        match &self.other_game {
            Some(OtherGame::Pyrat(args)) => &args.common,
            None => &self.common,
        }
    }

    /// The games to play.
    ///
    /// # Errors
    ///
    /// When the map or the maze cannot be read, or has no room for the players.
    pub(crate) fn plan(&self) -> anyhow::Result<Plan> {
        if let Some(OtherGame::Pyrat(args)) = &self.other_game {
            return args.plan();
        }
        let (map, name) = match self.carte.as_ref().or(self.fichier.as_ref()) {
            Some(file) => (cli::load_map(file)?, file.display().to_string()),
            None => (cli::built_in_map()?, "the built-in map".to_owned()),
        };
        map.check_room_for(self.joueurs.into()).context(name)?;
        let rules = self.regles.rules();
        let settings = Settings {
            players: self.joueurs.into(),
            turns: self.duree,
            deadline: self.delai,
            ..self.common.settings(self.remplir.map(|bot| HouseBot::Pacman(bot, rules)))?
        };
        Ok(Plan {
            game: Box::new(Pacman::new(map, rules)),
            settings,
            kind: service::GameKind::Pacman,
        })
    }
}

impl Common {
    /// The address to listen on: a host and a port.
    ///
    /// # Errors
    ///
    /// When two flags name different ports.
    pub(crate) fn address(&self) -> anyhow::Result<(String, u16)> {
        self.serveur.resolve(self.port, DEFAULT_PORT)
    }

    /// What is asked for here; players, turns and the deadline are another's to say.
    pub(crate) fn settings(&self, house: Option<HouseBot>) -> anyhow::Result<Settings> {
        let draw = || getrandom::u64().context("cannot draw a number");
        Ok(Settings {
            games: self.parties,
            seed: self.graine.map_or_else(draw, Ok)?,
            tempo: self.tempo,
            house: house.map(|bot| House { bot, wait: self.attente }),
            wait_for_start: self.attendre_entree,
            max_spectators: self.max_afficheurs,
            max_connections: self.max_connexions,
            ..Settings::default()
        })
    }
}

/// Reads a map's path that stands alone, where the name of the other game would be a slip.
/// Says how a flag is given that only PyRat has.
pub(crate) fn advise(mut error: clap::Error) -> clap::Error {
    let pyrat = PyRatArgs::augment_args(clap::Command::new("pyrat"));
    let is_known = |flag: &str| {
        let names = pyrat.get_arguments().filter_map(clap::Arg::get_long_and_visible_aliases);
        names.flatten().any(|name| flag.strip_prefix("--") == Some(name))
    };
    if let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg)
        && is_known(flag)
    {
        let advice = format!("it is a flag of PyRat, as in `server pyrat {flag} …`");
        error.insert(ContextKind::SuggestedArg, ContextValue::None);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    }
    error
}

fn map_file(path: &str) -> Result<PathBuf, String> {
    match path {
        "pyrat" => {
            Err("for PyRat, it comes before the flags, as in `server pyrat --port 2222`".to_owned())
        }
        _ => Ok(path.into()),
    }
}
