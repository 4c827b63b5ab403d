//! The command line of `server pyrat`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use bots::pyrat::Player;
use bots::registry::Entry;
use clap::ValueEnum;
use game::pyrat::{Holes, Recipe, Start};
use protocol::service;
use server::games::Mazes;
use server::{HouseBot, PyRat, Settings};

use crate::args::{Common, Plan};

#[derive(Debug, clap::Args)]
pub(crate) struct PyRatArgs {
    /// Places in a row of the maze; 15 when it is drawn
    #[arg(long, visible_alias = "width", value_name = "N")]
    largeur: Option<u16>,

    /// Rows of the maze
    #[arg(long, visible_alias = "height", value_name = "N", default_value_t = 13)]
    hauteur: u16,

    /// Places that are cells, the others are holes
    #[arg(long, visible_alias = "cells", value_name = "PERCENT", default_value_t = 80.0)]
    cellules: f64,

    /// Walls, of those that leave the maze connected
    #[arg(long, visible_alias = "walls", value_name = "PERCENT", default_value_t = 60.0)]
    murs: f64,

    /// Passages that are mud
    #[arg(long, visible_alias = "mud", value_name = "PERCENT", default_value_t = 20.0)]
    boue: f64,

    /// Turns that mud takes, the least and the most
    #[arg(long, visible_alias = "mud-turns", value_name = "LEAST..MOST", default_value = "4..9",
          value_parser = mud_turns)]
    tours_boue: RangeInclusive<u16>,

    /// Where the holes are
    #[arg(long, visible_alias = "holes", value_name = "WHERE", value_enum, default_value_t)]
    trous: WhereHoles,

    /// Maze to play in, as JSON: cells with their neighbours, {"0": {"15": 1}, …}, or a matrix; its
    /// --largeur must be given
    #[arg(long, visible_alias = "maze", value_name = "FILE", requires = "largeur",
          conflicts_with_all = ["hauteur", "cellules", "murs", "boue", "tours_boue", "trous"])]
    labyrinthe: Option<PathBuf>,

    /// Pieces of cheese
    #[arg(long, visible_alias = "cheese", value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    fromages: u32,

    /// Where the rats start: centre, coins (corners), hasard (random), meme (same), or the numbers of
    /// places
    #[arg(long, visible_alias = "start", value_name = "WHERE", default_value = "centre",
          value_parser = start)]
    depart: Start,

    /// Players of a game
    #[arg(long, visible_alias = "players", value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u8).range(1..=26))]
    joueurs: u8,

    /// Turns after which a game ends, whatever is left
    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..))]
    duree: u32,

    /// Time for preparations, on top of that for the first answer
    #[arg(long, visible_alias = "preprocessing", value_name = "DURATION", default_value = "3s",
          value_parser = cli::duration)]
    preparation: Duration,

    /// Time for an answer to come
    #[arg(long, visible_alias = "deadline", value_name = "DURATION", default_value = "100ms",
          value_parser = cli::positive_duration)]
    delai: Duration,

    /// Let this player of the house take the seats that stay empty; an unknown name gives the list
    #[arg(long, visible_alias = "fill", value_name = "PLAYER", value_parser = bots::pyrat::by_name)]
    remplir: Option<&'static Entry<dyn Player>>,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// Where the holes of a maze are, as the flag has it.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum WhereHoles {
    /// Near each other, so that some become big
    #[default]
    #[value(alias = "big")]
    Grands,
    /// Anywhere
    #[value(alias = "uniform")]
    Uniformes,
    /// At the sides
    #[value(alias = "side")]
    Bords,
}

impl PyRatArgs {
    /// The games to play.
    ///
    /// # Errors
    ///
    /// When there is no such maze, or the players and the cheese do not fit into it.
    pub(crate) fn plan(&self) -> anyhow::Result<Plan> {
        let mazes = match (&self.labyrinthe, self.largeur) {
            (Some(file), Some(width)) => Mazes::Same(cli::load_maze(file, width)?),
            (_, width) => Mazes::Drawn(self.recipe(width)),
        };
        let players = self.joueurs.into();
        let cheese = self.fromages as usize;
        let game = PyRat::new(mazes, players, self.depart.clone(), cheese, self.preparation)?;
        let settings = Settings {
            players,
            turns: self.duree,
            deadline: self.delai,
            ..self.common.settings(self.remplir.map(HouseBot::PyRat))?
        };
        Ok(Plan { game: Box::new(game), settings, kind: service::GameKind::PyRat })
    }

    fn recipe(&self, width: Option<u16>) -> Recipe {
        Recipe {
            width: width.unwrap_or(Recipe::default().width),
            height: self.hauteur,
            cells: self.cellules,
            walls: self.murs,
            mud: self.boue,
            mud_turns: self.tours_boue.clone(),
            holes: match self.trous {
                WhereHoles::Grands => Holes::Big,
                WhereHoles::Uniformes => Holes::Uniform,
                WhereHoles::Bords => Holes::Side,
            },
        }
    }
}

/// Reads `4..9`, or `4` for the same least and most.
fn mud_turns(text: &str) -> Result<RangeInclusive<u16>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) => Ok(least..=most),
        _ => Err("expected the least and the most turns, as 4..9".to_owned()),
    }
}

fn start(text: &str) -> Result<Start, String> {
    let places = || text.split(',').map(str::parse).collect::<Result<_, _>>().map(Start::Places);
    match text {
        "centre" | "center" => Ok(Start::Centre),
        "coins" | "corners" => Ok(Start::Corners),
        "hasard" | "random" => Ok(Start::Random),
        "meme" | "même" | "same" => Ok(Start::Same),
        _ => places().map_err(|_| {
            "expected centre, coins, hasard, meme, or numbers of places as 0,194".to_owned()
        }),
    }
}
