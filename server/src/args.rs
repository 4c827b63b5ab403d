//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use bots::Entry;
use clap::Parser;
use cli::{LogLevel, RulesPreset};
use protocol::DEFAULT_PORT;
use server::{House, Settings};

/// Plays games of Pacman IUT'O with clients over TCP, and says who won
#[derive(Debug, Parser)]
#[command(
    args_override_self = true,
    version,
    after_help = "Exit codes: 0 after the games, 1 when the scores could not be \
    written, 2 when the command, the map or the port is wrong, 130 on Ctrl-C."
)]
pub(crate) struct Args {
    /// Map to play on
    #[arg(long, visible_alias = "map", value_name = "FILE")]
    pub(crate) carte: PathBuf,

    /// Port to listen on; 0 for any that is free
    #[arg(long, default_value_t = DEFAULT_PORT)]
    pub(crate) port: u16,

    /// Address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, visible_alias = "host", value_name = "HOST", default_value = "127.0.0.1")]
    pub(crate) serveur: String,

    /// Turns of a game
    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..))]
    duree: u32,

    /// Players of a game
    #[arg(long, visible_alias = "players", value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(1..=26))]
    pub(crate) joueurs: u8,

    /// Games in succession, with whoever stays connected; 0 until Ctrl-C
    #[arg(long, visible_alias = "games", value_name = "N", default_value_t = 1)]
    parties: u32,

    /// Seed of the first game, each later one takes the next number; drawn when missing
    #[arg(long, visible_alias = "seed", value_name = "N")]
    pub(crate) graine: Option<u64>,

    /// Rules of the game
    #[arg(long, visible_alias = "rules", value_name = "RULES", value_enum, default_value_t)]
    regles: RulesPreset,

    /// Least duration of a turn, as 500ms or 2s
    #[arg(long, visible_alias = "pace", value_name = "DURATION", default_value = "0",
          value_parser = cli::duration)]
    tempo: Duration,

    /// Time for an order to come
    #[arg(long, visible_alias = "deadline", value_name = "DURATION", default_value = "1s",
          value_parser = cli::positive_duration)]
    delai: Duration,

    /// Let this bot of the house take the seats that stay empty; an unknown name gives the list
    #[arg(long, visible_alias = "fill", value_name = "BOT", value_parser = bots::by_name)]
    remplir: Option<&'static Entry>,

    /// How long the house waits after the first player
    #[arg(long, visible_alias = "wait", value_name = "DURATION", default_value = "2s",
          value_parser = cli::duration, requires = "remplir")]
    attente: Duration,

    /// File for the scores, replaced at the end of each game
    #[arg(long, visible_alias = "scores", value_name = "FILE", default_value = "score.csv")]
    pub(crate) nom_partie: PathBuf,

    /// Start when Enter is pressed here, with whoever is there
    #[arg(long, visible_alias = "wait-enter")]
    pub(crate) attendre_entree: bool,

    /// Most spectators at a time
    #[arg(long, visible_alias = "max-spectators", value_name = "N", default_value_t = 64)]
    max_afficheurs: usize,

    /// Most connections at a time, registered or not
    #[arg(long, visible_alias = "max-connections", value_name = "N", default_value_t = 256)]
    max_connexions: usize,

    /// What is logged to the standard error
    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_enum, default_value_t)]
    pub(crate) journal: LogLevel,
}

impl Args {
    /// What the arena is asked to do.
    pub(crate) fn settings(&self, seed: u64) -> Settings {
        Settings {
            players: self.joueurs.into(),
            turns: self.duree,
            games: self.parties,
            seed,
            rules: self.regles.rules(),
            tempo: self.tempo,
            deadline: self.delai,
            house: self.remplir.map(|bot| House { bot, wait: self.attente }),
            wait_for_start: self.attendre_entree,
            max_spectators: self.max_afficheurs,
            max_connections: self.max_connexions,
        }
    }
}
