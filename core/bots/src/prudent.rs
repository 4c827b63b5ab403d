//! `prudent`: at random, but never into a wall and never straight back.

use game::pacman::{Board, Cell, Chance, Direction, Orders, Quick};

use crate::{Bot, Situation};

/// Walks along corridors and draws among their exits, straight back only from a dead end.
#[derive(Debug)]
pub struct Prudent {
    random: Quick,
    pacman: Walk,
    ghost: Walk,
}

/// Cell and direction of a piece's last order, if there is one.
#[derive(Debug, Default)]
struct Walk(Option<(Cell, Direction)>);

impl Prudent {
    /// The same seed gives the same draws.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { random: Quick::new(seed), pacman: Walk::default(), ghost: Walk::default() }
    }
}

impl Bot for Prudent {
    fn new_game(&mut self, _: &Situation<'_>) {
        self.pacman = Walk::default();
        self.ghost = Walk::default();
    }

    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let Some(&player) = situation.view.player(situation.me) else {
            return Orders::default();
        };
        let board = situation.view.board();
        Orders {
            pacman: self.pacman.next(board, player.pacman, &mut self.random),
            ghost: self.ghost.next(board, player.ghost, &mut self.random),
        }
    }
}

impl Walk {
    /// The next direction from `here`; `None` if the cell has no exit.
    fn next(&mut self, board: &Board, here: Cell, random: &mut Quick) -> Option<Direction> {
        // A piece that has stayed keeps its heading; a teleported piece loses it.
        let heading = self.0.and_then(|(from, heading)| {
            (here == from || here == board.neighbour(from, heading)).then_some(heading)
        });
        let back = heading.map(Direction::opposite);
        let exits = board.exits(here);
        let onwards = exits.iter().copied().filter(|&exit| Some(exit) != back);
        let chosen = match onwards.clone().count() {
            0 => exits.first().copied(),
            // At most four exits.
            count => onwards.clone().nth(random.below(count as u32) as usize),
        };
        self.0 = chosen.map(|chosen| (here, chosen));
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pacman::{Colour, Map, Rules, Seeded, State};

    #[test]
    fn neither_into_walls_nor_straight_back() {
        let map: Map = "5;7\n#######\n#.....#\n#.#.#.#\n#...#..\n#####.#\n".parse().unwrap();
        let rules = Rules::SUJET;
        let mut chance = Seeded::new(1);
        let mut state = State::start(&map, rules, 300, 1, &mut chance);
        let me = Colour::new(0).unwrap();
        let mut bot = Prudent::new(2);
        let mut last = None;
        while !state.view().is_over() {
            let board = state.view().board().clone();
            let from = state.view().players()[0].pacman;
            let orders = bot.play(&Situation::new(state.view(), me, &rules));
            let direction = orders.pacman.expect("no corridor is closed on all sides");
            assert!(board.is_open(from, direction));
            if let Some(last) = last {
                let back = direction == Direction::opposite(last);
                assert!(!back || board.exits(from).len() == 1, "back from an open place");
            }
            state.play_turn(&[orders], &mut chance, |_, _| {});
            let to = state.view().players()[0].pacman;
            last = (to == board.neighbour(from, direction)).then_some(direction);
        }
        assert_eq!(state.view().players()[0].false_moves, 0);
    }

    #[test]
    fn straight_back_out_of_a_dead_end() {
        let map: Map = "3;5\n#####\n#   #\n#####\n".parse().unwrap();
        let board = map.board();
        let west_end = board.corridors().next().unwrap();
        let middle = board.neighbour(west_end, Direction::East);
        let mut walk = Walk(Some((middle, Direction::West)));
        assert_eq!(walk.next(board, west_end, &mut Quick::new(0)), Some(Direction::East));
        assert_eq!(walk.next(board, middle, &mut Quick::new(0)), Some(Direction::East));
    }
}
