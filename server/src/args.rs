//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use arena::{Game, House, HouseBot, Pacman, Settings};
use bots::Entry;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args as _, Parser, Subcommand};
use cli::{Endpoint, LevelFilter};
use game::pacman::{RulesPreset, maps};
use language::{Phrase, said};
use protocol::{DEFAULT_PORT, service};
use replay::{PacmanSetup, Setup};

use crate::EmbeddingArgs;
use crate::practice::PracticeArgs;
use crate::pyrat_args::PyRatArgs;

const EXIT_CODES: Phrase = Phrase::new(
    "Exit codes: 0 after the games, 1 when scores, results or recordings that were asked for are \
    lost, 2 when the command, the map or the port is wrong, 130 on Ctrl-C.",
    "Codes de sortie : 0 après les parties, 1 quand des scores, des résultats ou des enregistrements demandés sont \
      perdus, 2 quand la commande, la carte ou le port est incorrect, 130 après Ctrl-C.",
);

#[derive(Debug, Parser)]
#[command(
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    version,
    after_help = EXIT_CODES.to_string(),
    about = said!(
    "Plays games of Pacman IUT'O with clients over TCP, and says who won",
    "Joue des parties de Pacman IUT'O avec des clients sur TCP, et dit qui a gagné"
)
)]
pub(crate) struct Args {
    #[command(subcommand)]
    other_game: Option<OtherGame>,

    #[arg(value_name = "FILE", value_parser = map_file, help = said!(
        "Map to play on; the built-in plan1 when missing",
        "Carte des parties ; sinon plan1, qui est intégrée"
    ))]
    fichier: Option<PathBuf>,

    #[arg(long, visible_alias = "map", value_name = "FILE", conflicts_with = "fichier",
          help = said!("The same as FILE", "Comme le fichier donné seul"))]
    carte: Option<PathBuf>,

    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..),
          help = said!("Turns of a game", "Tours d'une partie"))]
    duree: u32,

    #[arg(long, visible_alias = "players", value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(1..=26),
          help = said!("Players of a game", "Joueurs d'une partie"))]
    joueurs: u8,

    #[arg(long, visible_alias = "rules", value_name = "RULES", value_parser = cli::rules(), default_value_t,
          help = said!("Rules of the game", "Règles de la partie"))]
    regles: RulesPreset,

    #[arg(long, visible_alias = "deadline", value_name = "DURATION", default_value = "1s",
          value_parser = cli::positive_duration,
          help = said!("Time for an order to come", "Temps pour un ordre"))]
    delai: Duration,

    #[arg(long, visible_alias = "fill", value_name = "BOT", value_parser = bots::by_name, help = said!(
        "Let this bot of the house take the seats that stay empty; an unknown name gives the list",
        "Donner à ce bot de la maison les places qui restent vides ; un nom inconnu donne la liste"
    ))]
    remplir: Option<&'static Entry>,

    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Subcommand)]
enum OtherGame {
    #[command(args_override_self = true, after_help = EXIT_CODES.to_string(), about = said!(
        "Plays games of PyRat instead: rats look for cheese in a maze with mud",
        "Jouer plutôt à PyRat : des rats cherchent du fromage dans un labyrinthe où il y a de la boue"
    ))]
    Pyrat(Box<PyRatArgs>),
}

/// The flags common to both games.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Common {
    #[arg(long, help = said!(
        "Port to listen on, 0 for any that is free [default: 1111]",
        "Port où écouter, 0 pour un port libre [défaut : 1111]"
    ))]
    port: Option<u16>,

    #[arg(long, visible_alias = "host", value_name = "HOST[:PORT]", default_value = "127.0.0.1", help = said!(
        "Address to listen on; 0.0.0.0 lets other machines in, where `client --host auto` finds this server",
        "Adresse où écouter ; 0.0.0.0 laisse entrer les autres machines, depuis lesquelles `client --serveur auto` \
         trouve ce serveur"
    ))]
    serveur: Endpoint,

    #[arg(long, visible_alias = "mdns-port", hide = true, default_value_t = service::MDNS_PORT, help = said!(
        "UDP port of multicast DNS, for machines where the usual one cannot be used",
        "Port UDP du DNS multicast, si le port habituel ne convient pas"
    ))]
    pub(crate) port_mdns: u16,

    #[arg(long, visible_alias = "games", value_name = "N", default_value_t = 1, help = said!(
        "Games in succession, with whoever stays connected; 0 until Ctrl-C",
        "Parties à la suite, avec ceux qui restent connectés ; 0 : jusqu'à Ctrl-C"
    ))]
    parties: u32,

    #[arg(long, visible_alias = "seed", value_name = "N", help = said!(
        "Seed of the first game, each later one takes the next number; drawn when missing",
        "Graine de la première partie, chaque suivante prend le nombre d'après ; tirée au hasard si elle manque"
    ))]
    graine: Option<u64>,

    #[arg(long, visible_alias = "pace", value_name = "DURATION", default_value = "0",
          value_parser = cli::duration, help = said!(
        "Least duration of a turn, as 500ms or 2s",
        "Durée minimale d'un tour, comme 500ms ou 2s"
    ))]
    tempo: Duration,

    #[arg(long, visible_alias = "wait", value_name = "DURATION", default_value = "2s",
          value_parser = cli::duration, requires = "remplir", help = said!(
        "How long the house waits after the first player",
        "Temps que les bots de la maison attendent après l'arrivée du premier joueur"
    ))]
    attente: Duration,

    #[arg(long, visible_alias = "scores", value_name = "FILE", default_value = "score.csv", help = said!(
        "File for the scores, replaced at the end of each game",
        "Fichier des scores, remplacé à la fin de chaque partie"
    ))]
    pub(crate) nom_partie: PathBuf,

    #[arg(long, visible_alias = "record", value_name = "FILE|DIR", help = said!(
        "Record every game: in this file (later games in files beside it), or in this folder. When missing, the \
         last 10 games are kept in the user's state folder, in `pacman-iuto/parties`",
        "Enregistrer chaque partie : dans ce fichier (les suivantes à côté), ou dans ce dossier. Sinon les 10 \
         dernières parties sont gardées dans le dossier de l'utilisateur, dans `pacman-iuto/parties`"
    ))]
    pub(crate) enregistrer: Option<PathBuf>,

    #[arg(long, visible_alias = "no-recording", conflicts_with = "enregistrer",
          help = said!("Record no game", "N'enregistrer aucune partie"))]
    pub(crate) sans_enregistrement: bool,

    #[arg(long, value_name = "PORT|HOST:PORT", value_parser = cli::web_address, help = said!(
        "Serve a web page that shows the games, until Ctrl-C: on this port of this machine, or of an address as \
         0.0.0.0:8080, which lets other machines in",
        "Servir une page web qui montre les parties, jusqu'à Ctrl-C : sur ce port de cette machine, ou à une adresse \
         comme 0.0.0.0:8080, qui laisse entrer les autres machines"
    ))]
    pub(crate) web: Option<SocketAddr>,

    #[arg(long, visible_alias = "thoughts", requires = "web", help = said!(
        "Show on the web page what players write after their orders, to other machines, too: who plays on them can \
         read it during the game",
        "Montrer sur la page web ce que les joueurs écrivent après leurs ordres, même aux autres machines : les \
         joueurs qui s'y trouvent peuvent le lire pendant la partie"
    ))]
    pub(crate) pensees: bool,

    #[command(flatten)]
    pub(crate) embedding: EmbeddingArgs,

    #[arg(long, visible_alias = "wait-enter", help = said!(
        "Start when Enter is pressed here, with whoever is there",
        "Commencer quand on appuie ici sur Entrée, avec ceux qui sont là"
    ))]
    pub(crate) attendre_entree: bool,

    #[command(flatten)]
    pub(crate) practice: PracticeArgs,

    #[arg(long, visible_alias = "max-spectators", value_name = "N", default_value_t = 64, help = said!(
        "Most spectators at a time",
        "Nombre maximal de spectateurs à la fois"
    ))]
    max_afficheurs: usize,

    #[arg(long, visible_alias = "max-connections", value_name = "N", default_value_t = 256, help = said!(
        "Most players and spectators connected at a time; connections that have not registered have places of \
         their own",
        "Nombre maximal de joueurs et de spectateurs connectés à la fois ; les connexions pas encore inscrites sont \
         comptées à part"
    ))]
    max_connexions: usize,

    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_parser = cli::log_level(), default_value = "info", help = said!(
        "What is logged to the standard error",
        "Ce qui est noté sur la sortie d'erreur"
    ))]
    pub(crate) journal: LevelFilter,
}

/// The checked command line.
pub(crate) struct PlannedSeries {
    pub(crate) game: Box<dyn Game>,
    pub(crate) settings: Settings,
    pub(crate) kind: service::GameKind,
    /// A game on the map, without players; `None` for PyRat, whose mazes nobody may prepare for before a game.
    pub(crate) map: Option<Setup>,
}

impl Args {
    /// The flags common to both games.
    pub(crate) fn common(&self) -> &Common {
        match &self.other_game {
            Some(OtherGame::Pyrat(args)) => &args.common,
            None => &self.common,
        }
    }

    /// The games to play. Fails when the map or the maze cannot be read, or has no room for the players.
    pub(crate) fn plan(&self) -> anyhow::Result<PlannedSeries> {
        if let Some(OtherGame::Pyrat(args)) = &self.other_game {
            return args.plan();
        }
        let (map, name) = match self.carte.as_ref().or(self.fichier.as_ref()) {
            Some(file) => (cli::load_map(file)?, file.display().to_string()),
            None => (maps::plan1(), said!("the built-in map", "la carte intégrée")),
        };
        map.check_room_for(self.joueurs.into()).context(name)?;
        let rules = self.regles.rules();
        let settings = Settings {
            players: self.joueurs.into(),
            turns: self.duree,
            deadline: self.delai,
            ..self.common.settings(self.remplir.map(|bot| HouseBot::Pacman(bot, rules)))?
        };
        let (seed, turns, names) = (0, self.duree, Vec::new());
        let shown = PacmanSetup { map: map.clone(), rules, seed, turns, names };
        Ok(PlannedSeries {
            map: Some(Setup::Pacman(shown)),
            game: Box::new(Pacman::new(map, rules)),
            settings,
            kind: service::GameKind::Pacman,
        })
    }
}

impl Common {
    /// The address to listen on: a host and a port. Fails when two flags name different ports.
    pub(crate) fn address(&self) -> anyhow::Result<(String, u16)> {
        self.serveur.resolve(self.port, DEFAULT_PORT)
    }

    /// The settings of the common flags; the caller fills in players, turns and the deadline.
    pub(crate) fn settings(&self, house: Option<HouseBot>) -> anyhow::Result<Settings> {
        let draw = || {
            getrandom::u64()
                .with_context(|| said!("cannot draw a number", "aucun nombre ne peut être tiré"))
        };
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

/// Adds a hint to the error about an unknown flag that only PyRat has.
pub(crate) fn advise(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let pyrat = PyRatArgs::augment_args(clap::Command::new("pyrat"));
    let is_known = |flag: &str| {
        let names = pyrat.get_arguments().filter_map(clap::Arg::get_long_and_visible_aliases);
        names.flatten().any(|name| flag.strip_prefix("--") == Some(name))
    };
    if let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg)
        && is_known(flag)
    {
        let advice = said!(
            "it is a flag of PyRat, as in `{server} pyrat {flag} …`",
            "c'est une option de PyRat, comme `{server} pyrat {flag} …`",
            server = cli::command("server")
        );
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    }
    error
}

/// Reads the path of a map; rejects `pyrat`, which is a misplaced subcommand.
fn map_file(path: &str) -> Result<PathBuf, String> {
    match path {
        "pyrat" => Err(said!(
            "for PyRat, it comes before the flags, as in `{server} pyrat --port 2222`",
            "pour PyRat, ce mot vient avant les options, comme `{server} pyrat --port 2222`",
            server = cli::command("server")
        )),
        _ => Ok(path.into()),
    }
}
