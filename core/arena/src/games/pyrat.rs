//! PyRat for a driver.

use std::time::Duration;

use game::pyrat::{Action, Maze, MazeError, Recipe, Start, State};
use language::note;

use replay::{Marks, PyRatSetup, Setup};

use super::{Game, Show, Slip, SlipKind, StatePosition};
use crate::results::{Points, Standing};

/// Games of PyRat, each in the maze of its seed, or all in the same maze.
#[derive(Clone, Debug)]
pub struct PyRat {
    mazes: Mazes,
    start: Start,
    cheese: usize,
    preparation: Duration,
    seed: u64,
    state: State,
    names: Vec<String>,
    /// The text of the maze.
    maze: Vec<u8>,
    /// The text of the state.
    text: Vec<u8>,
}

/// The source of the mazes of games.
#[derive(Clone, Debug)]
pub enum Mazes {
    /// Each maze is drawn from the seed of its game.
    Drawn(Recipe),
    /// All games are played in the same maze.
    Same(Maze),
}

impl PyRat {
    /// Maximum number of places of a maze, so that its text fits into a message.
    pub const PLACES: usize = 20_000;

    /// Creates games for at most `players` players; `preparation` is the extra time for the first answer.
    ///
    /// # Errors
    ///
    /// When no maze fits the recipe, or the players and the cheese do not fit into the maze.
    pub fn new(
        mazes: Mazes,
        players: usize,
        start: Start,
        cheese: usize,
        preparation: Duration,
    ) -> Result<Self, MazeError> {
        let maze = mazes.make(0)?;
        let places = maze.dims().len();
        if places > Self::PLACES {
            return Err(MazeError(note!(
                "expected a maze of at most {most} places, got {places}",
                "un labyrinthe d'au plus {most} places est attendu, et non de {places}",
                most = Self::PLACES
            )));
        }
        // All mazes of a recipe have the same number of cells; at worst each rat starts on a cell of its own.
        let free = maze.cells().len().saturating_sub(players);
        if cheese > free {
            return Err(MazeError::cheese(free, cheese));
        }
        let state = State::start(&maze, players, &start, cheese, 0, None)?;
        let (names, maze, text) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { mazes, start, cheese, preparation, seed: 0, state, names, maze, text })
    }
}

impl Mazes {
    fn make(&self, seed: u64) -> Result<Maze, MazeError> {
        match self {
            Self::Drawn(recipe) => recipe.make(seed),
            Self::Same(maze) => Ok(maze.clone()),
        }
    }
}

impl Game for PyRat {
    fn set_up(&mut self, seed: u64, turns: u32, names: Vec<String>) {
        let maze = self.mazes.make(seed).expect("there was a maze before");
        let (rats, turns) = (names.len(), Some(turns));
        self.state = State::start(&maze, rats, &self.start, self.cheese, seed, turns)
            .expect("at least as many fitted before");
        (self.seed, self.names) = (seed, names);
        self.maze.clear();
        maze.encode(&mut self.maze);
    }

    fn maze(&self) -> Option<&[u8]> {
        Some(&self.maze)
    }

    fn preparation(&self) -> Duration {
        self.preparation
    }

    fn text(&mut self) -> &[u8] {
        self.text.clear();
        self.state.encode(&self.names, &mut self.text);
        &self.text
    }

    fn elapsed(&self) -> u32 {
        self.state.turn()
    }

    fn is_over(&self) -> bool {
        self.state.is_over()
    }

    fn is_asked(&self, player: usize) -> bool {
        self.state.rats().get(player).is_some_and(|rat| rat.mud.is_none())
    }

    fn play_turn(
        &mut self,
        answers: &[Option<&[u8]>],
        show: Option<&mut Show<'_>>,
        slips: &mut Vec<Slip>,
    ) {
        let answer = |answer: Option<&[u8]>| answer.map_or(Action::Missed, Action::decode);
        let answers: Vec<Action> = answers.iter().copied().map(answer).collect();
        let before: Vec<_> = self.state.rats().iter().map(|rat| rat.counts).collect();
        self.state.play_turn(&answers);
        for (player, ((rat, before), answer)) in
            self.state.rats().iter().zip(&before).zip(&answers).enumerate()
        {
            let kind = match answer {
                Action::Malformed if rat.counts.malformed > before.malformed => {
                    Some(SlipKind::Malformed)
                }
                Action::Go(way) if rat.counts.wall > before.wall => Some(SlipKind::Blocked(*way)),
                _ => None,
            };
            slips.extend(kind.map(|kind| Slip { player, kind }));
        }
        if let Some(show) = show {
            show(self.text(), StatePosition::ONLY);
        }
    }

    fn another(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn setup(&self) -> Setup {
        let (start, names) = (self.state.clone(), self.names.clone());
        Setup::PyRat(PyRatSetup { start, seed: self.seed, names })
    }

    fn read(&self, message: &[u8]) -> replay::Answer {
        replay::Answer::Action(Action::decode(message))
    }

    fn marks(&self) -> Marks {
        Marks::of_pyrat(&self.state)
    }

    fn standings(&self) -> Vec<Standing> {
        let rats = self.state.rats();
        let standing = |rat: &game::pyrat::Rat| Standing {
            points: Points::Cheese(rat.score),
            rank: 1 + rats.iter().filter(|other| other.score > rat.score).count(),
            false_moves: rat.counts.wall + rat.counts.malformed,
            counts: Some(rat.counts),
        };
        rats.iter().map(standing).collect()
    }
}
