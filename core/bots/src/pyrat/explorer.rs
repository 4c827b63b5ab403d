//! `aleatoire3` to `aleatoire7`: random walks that prefer unvisited cells.
//!
//! The course names seven random players without a description of all; `aleatoire6` and `aleatoire7` are interpretations.

use game::pyrat::{Cell, Direction, Maze, Mersenne, State};

use super::{Bot, Situation};

/// Walks to unvisited neighbours. It is stuck if there are none.
#[derive(Debug)]
pub(super) struct Explorer {
    random: Mersenne,
    prunes: bool,
    goes_back: bool,
    heads_for_cheese: bool,
    /// The maze of the marks below.
    maze: Option<Maze>,
    /// By place: the visited cells, and the dead ends if it prunes.
    visited: Vec<bool>,
    pruned: Vec<bool>,
    /// Cells walked, the current one last, without those it has walked back.
    trail: Vec<Cell>,
}

impl Explorer {
    /// An explorer that draws among all neighbours when it is stuck.
    pub(super) fn new(seed: u64) -> Self {
        Self {
            random: Mersenne::new(seed),
            prunes: false,
            goes_back: false,
            heads_for_cheese: false,
            maze: None,
            visited: Vec::new(),
            pruned: Vec::new(),
            trail: Vec::new(),
        }
    }

    /// Never enters dead ends without cheese.
    pub(super) fn prune(self) -> Self {
        Self { prunes: true, ..self }
    }

    /// Goes back on its own trail when it is stuck.
    pub(super) fn go_back(self) -> Self {
        Self { goes_back: true, ..self }
    }

    /// Takes the neighbour nearest to the cheese as the crow flies.
    pub(super) fn head_for_cheese(self) -> Self {
        Self { heads_for_cheese: true, ..self }
    }

    /// Draws one of these cells; `None` if there are none.
    fn draw(&mut self, cells: &[Cell]) -> Option<Cell> {
        cells.get(self.random.below(cells.len().max(1) as u64) as usize).copied()
    }

    /// Takes the last cell off the trail, and returns the cell before it.
    fn back(&mut self) -> Option<Cell> {
        self.trail.pop();
        self.trail.last().copied()
    }
}

impl Bot for Explorer {
    fn new_game(&mut self, situation: &Situation<'_>) {
        let maze = situation.state.maze();
        self.maze = Some(maze.clone());
        self.visited = vec![false; maze.dims().len()];
        self.pruned = vec![false; maze.dims().len()];
        self.trail.clear();
        if let Some(rat) = situation.rat().filter(|_| self.prunes) {
            prune(maze, &mut self.pruned, |cell| {
                cell == rat.cell || situation.state.cheese().contains(&cell)
            });
        }
    }

    fn play(&mut self, situation: &Situation<'_>) -> Option<Direction> {
        let maze = situation.state.maze();
        if self.maze.as_ref() != Some(maze) {
            self.new_game(situation);
        }
        let here = situation.rat()?.cell;
        self.visited[here.index()] = true;
        if self.trail.last() != Some(&here) {
            self.trail.push(here);
        }
        let around = maze.links(here).iter().map(|(to, _)| *to);
        let around: Vec<Cell> = around.filter(|to| !self.pruned[to.index()]).collect();
        let new: Vec<Cell> =
            around.iter().copied().filter(|to| !self.visited[to.index()]).collect();
        let next = match (new.is_empty(), self.heads_for_cheese) {
            (false, false) => self.draw(&new),
            (false, true) => new.into_iter().min_by_key(|&to| to_cheese(situation.state, to)),
            (true, _) => {
                self.goes_back.then(|| self.back()).flatten().or_else(|| self.draw(&around))
            }
        };
        maze.direction(here, next?)
    }
}

/// Marks dead ends until none is left, except wanted cells.
fn prune(maze: &Maze, pruned: &mut [bool], is_wanted: impl Fn(Cell) -> bool) {
    let mut candidates = maze.cells().to_vec();
    while let Some(cell) = candidates.pop() {
        let onwards = maze.links(cell).iter().filter(|(to, _)| !pruned[to.index()]);
        if !pruned[cell.index()] && onwards.clone().count() == 1 && !is_wanted(cell) {
            candidates.extend(onwards.map(|(to, _)| *to));
            pruned[cell.index()] = true;
        }
    }
}

/// The square of the distance to the nearest cheese as the crow flies.
fn to_cheese(state: &State, cell: Cell) -> u32 {
    let from = state.maze().dims().pos(cell);
    let square = |&cheese: &Cell| {
        let to = state.maze().dims().pos(cheese);
        let [rows, cols] = [from.row.abs_diff(to.row), from.col.abs_diff(to.col)].map(u32::from);
        rows * rows + cols * cols
    };
    state.cheese().iter().map(square).min().unwrap_or(0)
}
