//! The command line of `server pyrat`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use arena::games::Mazes;
use arena::{HouseBot, PyRat, Settings};
use bots::pyrat::Bot;
use bots::registry::Entry;
use clap::ValueEnum;
use game::pyrat::{Holes, Recipe, Start};
use language::said;
use protocol::service;

use crate::args::{Common, PlannedSeries};

#[derive(Debug, clap::Args)]
pub(crate) struct PyRatArgs {
    #[arg(long, visible_alias = "width", value_name = "N", help = said!(
        "Places in a row of the maze; 15 when it is drawn",
        "Places dans une rangée du labyrinthe ; 15 quand il est tiré au hasard"
    ))]
    largeur: Option<u16>,

    #[arg(long, visible_alias = "height", value_name = "N", default_value_t = 13,
          help = said!("Rows of the maze", "Rangées du labyrinthe"))]
    hauteur: u16,

    #[arg(long, visible_alias = "cells", value_name = "PERCENT", default_value_t = 80.0, help = said!(
        "Places that are cells, the others are holes",
        "Pourcentage des places qui sont des cases ; les autres sont des trous"
    ))]
    cellules: f64,

    #[arg(long, visible_alias = "walls", value_name = "PERCENT", default_value_t = 60.0, help = said!(
        "Walls, of those that leave the maze connected",
        "Pourcentage des murs présents, parmi ceux qui laissent le labyrinthe connexe"
    ))]
    murs: f64,

    #[arg(long, visible_alias = "mud", value_name = "PERCENT", default_value_t = 20.0,
          help = said!("Passages that are mud", "Pourcentage des passages dans la boue"))]
    boue: f64,

    #[arg(long, visible_alias = "mud-turns", value_name = "LEAST..MOST", default_value = "4..9",
          value_parser = mud_turns, help = said!(
        "Turns that mud takes, the least and the most",
        "Tours que prend la boue, au moins et au plus"
    ))]
    tours_boue: RangeInclusive<u16>,

    #[arg(long, visible_alias = "holes", value_name = "WHERE", value_enum, default_value_t,
          help = said!("Where the holes are", "Où sont les trous"))]
    trous: WhereHoles,

    #[arg(long, visible_alias = "maze", value_name = "FILE", requires = "largeur",
          conflicts_with_all = ["hauteur", "cellules", "murs", "boue", "tours_boue", "trous"], help = said!(
        "Maze to play in, as JSON: cells with their neighbours, {{\"0\": {{\"15\": 1}}, …}}, or a matrix; its \
         --width must be given",
        "Labyrinthe où jouer, en JSON : les cases et leurs voisines, {{\"0\": {{\"15\": 1}}, …}}, ou une \
         matrice ; sa --largeur doit être donnée"
    ))]
    labyrinthe: Option<PathBuf>,

    #[arg(long, visible_alias = "cheese", value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..),
          help = said!("Pieces of cheese", "Morceaux de fromage"))]
    fromages: u32,

    #[arg(long, visible_alias = "start", value_name = "WHERE", default_value = "centre",
          value_parser = start, help = said!(
        "Where the rats start: centre, coins (corners), hasard (random), meme (same), or the numbers of places",
        "Où partent les rats : centre, coins, hasard, meme (au même endroit), ou les numéros des places"
    ))]
    depart: Start,

    #[arg(long, visible_alias = "players", value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u8).range(1..=26),
          help = said!("Players of a game", "Joueurs d'une partie"))]
    joueurs: u8,

    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Turns after which a game ends, whatever is left",
        "Tours après lesquels une partie finit, même s'il reste du fromage"
    ))]
    duree: u32,

    #[arg(long, visible_alias = "preprocessing", value_name = "DURATION", default_value = "3s",
          value_parser = cli::duration, help = said!(
        "Time for preparations, on top of that for the first answer",
        "Temps pour se préparer, en plus de celui de la première réponse"
    ))]
    preparation: Duration,

    #[arg(long, visible_alias = "deadline", value_name = "DURATION", default_value = "100ms",
          value_parser = cli::positive_duration,
          help = said!("Time for an answer to come", "Temps pour une réponse"))]
    delai: Duration,

    #[arg(long, visible_alias = "fill", value_name = "PLAYER", value_parser = bots::pyrat::by_name, help = said!(
        "Let this player of the house take the seats that stay empty; an unknown name gives the list",
        "Donner à ce joueur de la maison les places qui restent vides ; un nom inconnu donne la liste"
    ))]
    remplir: Option<&'static Entry<dyn Bot>>,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// The values of the flag for the distribution of holes in a maze.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum WhereHoles {
    #[value(help = said!(
        "Near each other, so that some become big",
        "Les uns près des autres, si bien que certains deviennent grands"
    ))]
    #[default]
    #[value(alias = "big")]
    Grands,
    #[value(alias = "uniform", help = said!("Anywhere", "N'importe où"))]
    Uniformes,
    #[value(alias = "side", help = said!("At the sides", "Sur les bords"))]
    Bords,
}

impl PyRatArgs {
    /// The games to play. Fails when the maze is impossible, or the players and the cheese do not fit into it.
    pub(crate) fn plan(&self) -> anyhow::Result<PlannedSeries> {
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
        let kind = service::GameKind::PyRat;
        Ok(PlannedSeries { game: Box::new(game), settings, kind, map: None })
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

/// Reads `4..9`, or `4` for `4..4`.
fn mud_turns(text: &str) -> Result<RangeInclusive<u16>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) => Ok(least..=most),
        _ => Err(said!(
            "expected the least and the most turns, as 4..9",
            "le minimum et le maximum de tours sont attendus, comme 4..9"
        )),
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
            said!(
                "expected centre, coins, hasard, meme, or numbers of places as 0,194",
                "centre, coins, hasard, meme ou des numéros de places sont attendus, \
                  comme 0,194"
            )
        }),
    }
}
