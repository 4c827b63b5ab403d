//! A game and its turns.

use crate::pyrat::start::distribute_cheese;
use crate::pyrat::{Action, Cell, Counts, Maze, MazeError, Score, Start};

/// A player's rat (*rat*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rat {
    /// Cell of the rat; in the mud, the cell that it left.
    pub cell: Cell,
    /// The mud that the rat is in, if any.
    pub mud: Option<Mud>,
    /// Cheese that the rat has eaten.
    pub score: Score,
    /// Counts of the player's answers.
    pub counts: Counts,
}

/// The mud that a rat is in (*boue*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mud {
    /// Cell at the end of the muddy passage.
    pub target: Cell,
    /// Turns until the rat reaches that cell; at least 1.
    pub left: u16,
}

/// Complete state of a game (*état*), visible to all players.
///
/// ```
/// use game::pyrat::{Action, Direction, Maze, Start, State};
///
/// // Three places in a row; the second passage is mud, and takes 4 turns.
/// let passages = [(0, vec![(1, 1)]), (1, vec![(0, 1), (2, 4)]), (2, vec![(1, 4)])];
/// let maze = Maze::from_passages(3, Some(1), passages)?;
/// let mut state = State::start(&maze, 1, &Start::Places(vec![0]), 2, 0, None)?;
/// while !state.is_over() {
///     state.play_turn(&[Action::Go(Direction::East)]);
/// }
/// assert_eq!(state.turn(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub(super) maze: Maze,
    pub(super) rats: Vec<Rat>,
    pub(super) cheese: Vec<Cell>,
    pub(super) turn: u32,
    pub(super) most_turns: Option<u32>,
}

impl State {
    /// The game that PyRat starts with these numbers of rats and of pieces of cheese and this `random_seed`. It ends after at
    /// most `most_turns` turns; `None` is no limit.
    ///
    /// # Errors
    ///
    /// When there are too many rats, a start is missing or lies outside of the maze, or there is no cheese or more than fits.
    pub fn start(
        maze: &Maze,
        rats: usize,
        start: &Start,
        cheese: usize,
        seed: u64,
        most_turns: Option<u32>,
    ) -> Result<Self, MazeError> {
        let cells = start.cells(maze, rats, seed)?;
        let cheese = distribute_cheese(maze, &cells, cheese, seed)?;
        let rat =
            |cell| Rat { cell, mud: None, score: Score::default(), counts: Counts::default() };
        let rats = cells.into_iter().map(rat).collect();
        Ok(Self { maze: maze.clone(), rats, cheese, turn: 0, most_turns })
    }

    /// The maze.
    pub fn maze(&self) -> &Maze {
        &self.maze
    }

    /// The rats, by colour.
    pub fn rats(&self) -> &[Rat] {
        &self.rats
    }

    /// Cells with cheese left, in the order of distribution.
    pub fn cheese(&self) -> &[Cell] {
        &self.cheese
    }

    /// Turns played.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Limit of turns, after which the game ends; `None` without a limit.
    pub fn most_turns(&self) -> Option<u32> {
        self.most_turns
    }

    /// Tests if the game is over: it is decided, or all turns are played.
    pub fn is_over(&self) -> bool {
        self.is_decided() || self.most_turns.is_some_and(|most| self.turn >= most)
    }

    /// Tests if the ranking is final: no cheese is left, or every two rats differ by more than the remaining cheese.
    pub fn is_decided(&self) -> bool {
        // There are far fewer than 2³² places.
        let left = Score::pieces(self.cheese.len() as u32);
        let settled = || {
            self.rats.iter().enumerate().all(|(index, a)| {
                self.rats[index + 1..]
                    .iter()
                    .all(|b| a.score.max(b.score) > a.score.min(b.score) + left)
            })
        };
        self.cheese.is_empty() || (self.rats.len() > 1 && settled())
    }

    /// Plays a turn with one answer for each rat: first all rats move, then all eat. Answers of rats in the mud and surplus
    /// answers are ignored; a rat without an answer stays, and misses the turn.
    pub fn play_turn(&mut self, answers: &[Action]) {
        self.turn = self.turn.saturating_add(1);
        let answers = answers.iter().copied().chain(std::iter::repeat(Action::Missed));
        for (rat, answer) in self.rats.iter_mut().zip(answers) {
            rat.take_turn(&self.maze, answer);
        }
        self.eat();
    }

    /// Shares each piece of cheese among the rats on its cell.
    fn eat(&mut self) {
        let rats = &mut self.rats;
        self.cheese.retain(|&cheese| {
            let there = rats.iter().filter(|rat| rat.cell == cheese).count();
            // There is a share unless nobody is there.
            let Some(share) = Score::fraction(1, there as u64) else { return true };
            for rat in rats.iter_mut().filter(|rat| rat.cell == cheese) {
                rat.score += share;
            }
            false
        });
    }
}

impl Rat {
    fn take_turn(&mut self, maze: &Maze, answer: Action) {
        match (self.mud, answer) {
            (Some(_), _) => self.counts.mud += 1,
            (None, Action::Nothing) => self.counts.nothing += 1,
            (None, Action::Missed) => self.counts.missed = self.counts.missed.saturating_add(1),
            (None, Action::Malformed) => self.counts.malformed += 1,
            (None, Action::Go(direction)) => match maze.weight(self.cell, direction) {
                0 => self.counts.wall += 1,
                left => {
                    self.counts.directions[direction.index()] += 1;
                    self.mud = Some(Mud { target: maze.neighbour(self.cell, direction), left });
                }
            },
        }
        // A passage without mud is mud of one turn.
        if let Some(mud) = &mut self.mud {
            mud.left -= 1;
            if mud.left == 0 {
                self.cell = mud.target;
                self.mud = None;
            }
        }
    }
}
