//! A family of students' programs, to measure other bots against: [`NAMES`], each with parameters that its number draws.
//!
//! Programs of students differ in how they weigh points against distance, in how they fear ghosts, whom their ghost hunts, and in
//! their habits: the direction that they try first, whether they keep a goal, and whether they sometimes give no order. Two
//! thirds of the family serve to tune bots; the last third, from [`UNSEEN`] on, only to measure them.

mod collecting;
mod hunting;
mod style;

use game::pacman::{Cell, Chance, Colour, Direction, Orders, Quick};
use graph::DistanceTable;
use language::Phrase;

use crate::registry::{Entry, entry};
use crate::{Bot, Situation};
use style::Style;

/// Cells that a search over the board reaches.
const NEARBY: usize = 20_000;
/// Index in [`NAMES`] of the first student that no bot is tuned on.
pub const UNSEEN: usize = 20;

const SUMMARY: Phrase =
    Phrase::new("a student's program, to measure against", "un programme d'étudiant, pour mesurer");

macro_rules! students {
    ($($number:literal)*) => {
        /// All students, from `eleve1` on.
        pub const NAMES: &[Entry<dyn Bot>] = &[$(
            entry(concat!("eleve", $number), SUMMARY, |seed| Box::new(Student::new($number, seed))),
        )*];
    };
}

students! { 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 }

/// A student's program.
#[derive(Debug)]
pub struct Student {
    style: Style,
    table: DistanceTable,
    draws: Quick,
    seed: u64,
    /// The object that its pacman walks to.
    goal: Option<Cell>,
    /// Last cells of its pacman and its ghost.
    last: [Option<Cell>; 2],
    /// The last steps of both.
    headings: [Option<Direction>; 2],
}

impl Student {
    /// The student of this number; `seed` draws what it does by chance.
    #[must_use]
    pub fn new(number: u64, seed: u64) -> Self {
        Self {
            style: Style::of(number),
            table: DistanceTable::of_nearest(NEARBY),
            draws: Quick::new(seed),
            seed,
            goal: None,
            last: [None; 2],
            headings: [None; 2],
        }
    }
}

impl Bot for Student {
    fn new_game(&mut self, _: &Situation<'_>) {
        self.draws = Quick::new(self.seed);
        (self.goal, self.last, self.headings) = (None, [None; 2], [None; 2]);
    }

    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let (view, me) = (situation.view, situation.me);
        let Some(player) = view.player(me) else { return Orders::default() };
        let now = [player.pacman, player.ghost];
        for (piece, cell) in now.into_iter().enumerate() {
            let step = self.last[piece].and_then(|last| view.board().direction(last, cell));
            self.headings[piece] = step.or(self.headings[piece]);
            self.last[piece] = Some(cell);
        }
        let leaves = self.style.leaves_at.is_some_and(|percent| {
            u64::from(view.elapsed()) * 100 >= u64::from(view.total()) * u64::from(percent)
        });
        if leaves || self.draws.below(100) < self.style.misses {
            return Orders::default();
        }
        let pacman = self.collect(situation, player);
        Orders { pacman, ghost: self.hunt(situation, player) }
    }
}

/// The direction of the largest worth; of equal ones, the one that the student tries first.
fn best(
    order: [Direction; 4],
    exits: &[Direction],
    mut worth: impl FnMut(Direction) -> f32,
) -> Option<Direction> {
    let mut best: Option<(f32, Direction)> = None;
    for direction in order.into_iter().filter(|direction| exits.contains(direction)) {
        let worth = worth(direction);
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, direction));
        }
    }
    best.map(|(_, direction)| direction)
}

/// The players whose programs a student's pieces look at, with their colours.
fn rivals<'a>(
    situation: &Situation<'a>,
) -> impl Iterator<Item = (Colour, &'a game::pacman::Player)> {
    crate::knowledge::others(situation.view, situation.me)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HouseGame, by_name};
    use game::pacman::{Map, Rules, maps};

    #[test]
    fn no_two_students_play_alike() {
        let map: Map = maps::text_of("plan1").unwrap().parse().unwrap();
        let mut games = Vec::new();
        for entry in NAMES {
            assert_eq!(by_name(entry.name).unwrap().name, entry.name);
            let play = || {
                let others = ["glouton", "prudent"].map(|name| by_name(name).unwrap().make(1));
                let bots = [entry.make(1)].into_iter().chain(others).collect();
                let mut game = HouseGame::start(&map, Rules::SUJET, 60, 3, bots);
                let mut walk = Vec::new();
                while !game.state().view().is_over() {
                    game.play_turn(|_, _| {});
                    let player = game.state().view().players()[0];
                    walk.push((player.pacman, player.ghost));
                }
                walk
            };
            let game = play();
            assert_eq!(game, play(), "{}", entry.name);
            assert!(!games.contains(&game), "{}", entry.name);
            games.push(game);
        }
    }
}
