//! Conformance with recorded mazes: does the same seed make the same game, in the same order?
//!
//! A file holds a game on each line, as JSON: the seed and the parameters of the maze, the start, the
//! cheese, every cell with its neighbours in order, and the turns of a shortest path.

use std::fmt;
use std::io::Read;

use anyhow::Context;
use game::pyrat::{Cell, Holes, Maze, Recipe, Start, State};
use graph::Distances;
use language::{said, word};
use serde::Deserialize;

use crate::records::records;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Recorded {
    start: usize,
    cheese: Vec<usize>,
    neighbours: Vec<(usize, Vec<(usize, u16)>)>,
    turns: u32,
}

/// A line of a file: a recorded maze, and its seed and parameters. Missing ones are PyRat's defaults.
#[derive(Clone, Debug, Deserialize)]
struct Line {
    seed: u64,
    width: u16,
    height: u16,
    cell_percentage: Option<f64>,
    wall_percentage: Option<f64>,
    mud_percentage: f64,
    mud_range: Option<(u16, u16)>,
    #[serde(default, with = "HoleNames")]
    holes: Holes,
    #[serde(flatten)]
    recorded: Recorded,
}

/// The names of [`Holes`] in files.
#[derive(Deserialize)]
#[serde(remote = "Holes", rename_all = "lowercase")]
enum HoleNames {
    Big,
    Uniform,
    Side,
}

/// The result of a comparison of recorded mazes with new ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MazeReport {
    /// Number of mazes made.
    pub mazes: usize,
    /// Number of mazes that equal their recordings.
    pub identical: usize,
    /// The first maze that differs from its recording.
    pub first: Option<MazeDifference>,
}

/// A maze that differs from its recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MazeDifference {
    /// The line of the maze in the file, from 1.
    pub line: usize,
    /// The name of the part that differs.
    pub what: String,
    /// The recorded part.
    pub recorded: String,
    /// The part of the new maze.
    pub made: String,
}

impl fmt::Display for MazeDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, what, recorded, made } = self;
        let text = said!(
            "line {line}: {what}\n  recorded: {recorded}\n  made:     {made}",
            "ligne {line} : {what}\n  enregistré : {recorded}\n  refait :     {made}"
        );
        writeln!(f, "{text}")
    }
}

impl MazeReport {
    /// Makes the mazes of a file again, plain or compressed with gzip, and adds the results.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a line is not a maze; with the line.
    pub fn compare(&mut self, file: impl Read + 'static) -> anyhow::Result<()> {
        for record in records::<Line>(file)? {
            let (number, line) = record?;
            let made = line.make().with_context(|| said!("line {number}", "ligne {number}"))?;
            self.mazes += 1;
            match line.recorded.difference(&made) {
                None => self.identical += 1,
                Some((what, recorded, made)) => {
                    let difference = MazeDifference { line: number, what, recorded, made };
                    self.first.get_or_insert(difference);
                }
            }
        }
        Ok(())
    }
}

impl Line {
    fn make(&self) -> anyhow::Result<Recorded> {
        let default = Recipe::default();
        let recipe = Recipe {
            width: self.width,
            height: self.height,
            cells: self.cell_percentage.unwrap_or(default.cells),
            walls: self.wall_percentage.unwrap_or(default.walls),
            mud: self.mud_percentage,
            mud_turns: self.mud_range.map_or(default.mud_turns, |(least, most)| least..=most),
            holes: self.holes,
        };
        let maze = recipe.make(self.seed)?;
        let cheese = self.recorded.cheese.len();
        let state = State::start(&maze, 1, &Start::Centre, cheese, self.seed, None)?;
        Ok(Recorded::of(&maze, &state))
    }
}

impl Recorded {
    fn of(maze: &Maze, state: &State) -> Self {
        let start = state.rats()[0].cell;
        let neighbours = maze.cells().iter().map(|&cell| {
            let links = maze.links(cell).iter().map(|&(to, turns)| (to.index(), turns));
            (cell.index(), links.collect())
        });
        let mut distances = Distances::new();
        distances.fill(maze, start);
        Self {
            start: start.index(),
            cheese: state.cheese().iter().copied().map(Cell::index).collect(),
            neighbours: neighbours.collect(),
            turns: distances.to(state.cheese()[0]),
        }
    }

    /// The name of the first part that differs, with its recorded and its new version.
    fn difference(&self, made: &Self) -> Option<(String, String, String)> {
        let count = |maze: &Self| maze.neighbours.len().to_string();
        let mut places = self.neighbours.iter().zip(&made.neighbours).enumerate();
        let differing = places.find(|(_, (recorded, made))| recorded != made);
        let (place, [recorded, remade]) = differing
            .map_or_else(Default::default, |(at, (a, b))| {
                (at, [a, b].map(|cell| format!("{cell:?}")))
            });
        let cell = said!(
            "cell {place} in order, with its neighbours",
            "la case {place} dans l'ordre, avec ses voisines"
        );
        let parts = [
            (word("number of cells", "nombre de cases"), count(self), count(made)),
            (&cell, recorded, remade),
            (word("start", "départ"), self.start.to_string(), made.start.to_string()),
            (word("cheese", "fromage"), format!("{:?}", self.cheese), format!("{:?}", made.cheese)),
            (
                word("shortest path", "plus court chemin"),
                self.turns.to_string(),
                made.turns.to_string(),
            ),
        ];
        let differing = parts.into_iter().find(|(_, recorded, made)| recorded != made);
        differing.map(|(what, recorded, made)| (what.to_owned(), recorded, made))
    }
}
