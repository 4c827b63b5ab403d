//! The states that were seen.

use std::collections::VecDeque;
use std::sync::Arc;

use game::colour::Colour;
use protocol::Name;

use crate::viewer::Scene;
use crate::viewer::recorded::Remark;
use crate::viewer::scene_view::SceneView;

/// A state as it was seen.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The state, and what has happened since the last one; nothing at the first one of a game.
    pub scene: Scene,
    /// The names of the players, in order of colour, fit for a terminal.
    pub names: Arc<[String]>,
    /// The turn in which that happened, from 1.
    pub turn: u32,
    /// Which of the games that were seen, from 0.
    pub game: u32,
    /// Remarks on the answers of that turn, in a recording.
    pub(super) remarks: Vec<Remark>,
    /// About how much memory it takes, with the board if that is not shared with the state before.
    bytes: usize,
}

/// The states that were seen last, in order. Each has a number that it keeps.
///
/// It remembers [`MOMENTS`](Self::MOMENTS) states, or fewer of large boards, so that they fit into
/// [`BYTES`](Self::BYTES); the oldest are forgotten first.
#[derive(Debug, Default)]
pub struct History {
    moments: VecDeque<Moment>,
    /// The number of the oldest one.
    first: u64,
    bytes: usize,
}

impl History {
    /// The most states that are remembered: eleven games of four players and 200 turns.
    pub const MOMENTS: usize = 20_000;
    /// The most memory that they take, about: all of them on boards of up to 3 000 cells.
    pub const BYTES: usize = 64 << 20;
    /// Estimated bytes of a cell of a board, with its links.
    const CELL_BYTES: usize = 100;

    /// An empty history, whose first state gets this number.
    pub(super) fn starting_at(first: u64) -> Self {
        Self { first, ..Self::default() }
    }

    /// Least number of states like this one that are remembered.
    pub(super) fn room(scene: &Scene) -> u64 {
        let board = scene.view().dims().len() * Self::CELL_BYTES;
        let moment = size_of::<Moment>() + scene.view().bytes();
        let states = Self::BYTES.saturating_sub(board) / moment;
        states.min(Self::MOMENTS) as u64
    }

    /// Says what went wrong in the turn that the newest state ends.
    pub(super) fn remark(&mut self, remarks: Vec<Remark>) {
        if let Some(newest) = self.moments.back_mut() {
            let bytes: usize =
                remarks.iter().map(|(_, text)| size_of::<Remark>() + text.len()).sum();
            newest.bytes += bytes;
            newest.remarks = remarks;
            self.bytes += bytes;
        }
    }

    /// Adds a state.
    pub fn push(&mut self, mut scene: Scene, names: &[String]) {
        let last = self.moments.back();
        let known = last.map(|last| &last.names).filter(|known| same(known, names));
        let goes_on = last.filter(|_| known.is_some()).filter(|last| scene.continues(&last.scene));
        let view = scene.view();
        let ends_turn = goes_on.is_some_and(|last| view.elapsed() > last.elapsed());
        let shared = last.is_some_and(|last| scene.shares_board(&last.scene));
        let board = if shared { 0 } else { view.dims().len() * Self::CELL_BYTES };
        let moment = Moment {
            turn: view.elapsed().saturating_add((!ends_turn).into()),
            game: last.map_or(0, |last| last.game + u32::from(goes_on.is_none())),
            names: known.cloned().unwrap_or_else(|| clean(names)),
            remarks: Vec::new(),
            bytes: size_of::<Moment>() + view.bytes() + board,
            scene,
        };
        self.bytes += moment.bytes;
        self.moments.push_back(moment);
        while self.moments.len() > Self::MOMENTS
            || (self.bytes > Self::BYTES && self.moments.len() > 1)
        {
            if let Some(forgotten) = self.moments.pop_front() {
                self.bytes -= forgotten.bytes;
                self.first += 1;
            }
        }
    }

    /// The numbers of the oldest and of the newest state, if there is any.
    pub fn ends(&self) -> Option<(u64, u64)> {
        let newest = (self.moments.len() as u64).checked_sub(1)?;
        Some((self.first, self.first + newest))
    }

    /// The state with this number, while it is remembered.
    pub fn get(&self, number: u64) -> Option<&Moment> {
        let at = number.checked_sub(self.first)?;
        self.moments.get(usize::try_from(at).ok()?)
    }

    /// The states up to this one, newest first.
    pub fn back_from(&self, number: u64) -> impl Iterator<Item = &Moment> {
        let from = number.checked_sub(self.first).map_or(0, |at| at + 1);
        let len = usize::try_from(from).unwrap_or(usize::MAX).min(self.moments.len());
        self.moments.range(..len).rev()
    }

    /// The states of a game, oldest first.
    pub fn game(&self, game: u32) -> impl ExactSizeIterator<Item = &Moment> + DoubleEndedIterator {
        let start = self.moments.partition_point(|moment| moment.game < game);
        let end = self.moments.partition_point(|moment| moment.game <= game);
        self.moments.range(start..end)
    }

    /// The nearest number before this one at which a turn begins, if any is remembered.
    pub fn turn_before(&self, number: u64) -> Option<u64> {
        let (oldest, _) = self.ends()?;
        (oldest..number).rev().find(|&at| self.begins_turn(at))
    }

    /// The nearest number after this one at which a turn begins, if there is one yet.
    pub fn turn_after(&self, number: u64) -> Option<u64> {
        let (_, newest) = self.ends()?;
        (number + 1..=newest).find(|&at| self.begins_turn(at))
    }

    fn begins_turn(&self, number: u64) -> bool {
        let turn = |number| self.get(number).map(|moment| (moment.game, moment.elapsed()));
        number == self.first || number.checked_sub(1).and_then(turn) != turn(number)
    }
}

impl Moment {
    /// The name of a player.
    pub fn name(&self, colour: Colour) -> &str {
        self.names.get(colour.index()).map_or("", String::as_str)
    }

    /// Turns played.
    pub fn elapsed(&self) -> u32 {
        self.view().elapsed()
    }

    /// Tests if the game has ended.
    pub fn is_over(&self) -> bool {
        self.view().is_over()
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.view().players()
    }

    pub(super) fn view(&self) -> &dyn SceneView {
        self.scene.view()
    }
}

/// Tests if names are those that were cleaned.
fn same(clean: &[String], names: &[String]) -> bool {
    clean.len() == names.len()
        && clean
            .iter()
            .zip(names)
            .all(|(clean, name)| clean == name || Name::new(name).as_str() == clean)
}

/// The names as they may be shown. The servers of this project send no others.
fn clean(names: &[String]) -> Arc<[String]> {
    names.iter().map(|name| Name::new(name).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use game::pacman::{Map, Orders, Reading, Rules, Seeded, State};

    use super::*;

    fn readings(map: &str, turns: u32) -> Vec<Reading> {
        let map: Map = map.parse().unwrap();
        let mut chance = Seeded::new(1);
        let mut state = State::start(&map, Rules::SUJET, turns, 2, &mut chance);
        let reading = |state: &State| Reading {
            view: state.view().clone(),
            names: vec!["Ada".to_owned(), "Bob\u{1b}[31m".to_owned()],
        };
        let mut readings = vec![reading(&state)];
        for _ in 0..turns {
            state.play_turn(&[Orders::default(); 2], &mut chance, |event, state| {
                if matches!(event, game::pacman::Event::Done(_)) {
                    readings.push(reading(state));
                }
            });
            readings.push(reading(&state));
        }
        readings
    }

    const MAP: &str = include_str!("../../../cartes/petit.txt");

    #[test]
    fn states_keep_their_numbers_and_the_oldest_are_forgotten() {
        let mut history = History::default();
        assert_eq!(history.ends(), None);
        let states = readings(MAP, 100);
        let mut pushed = 0;
        while pushed < History::MOMENTS + 100 {
            for reading in states.iter().cloned() {
                history.push(reading.view.into(), &reading.names);
                pushed += 1;
            }
        }
        let newest = pushed as u64 - 1;
        assert_eq!(history.ends(), Some((newest + 1 - History::MOMENTS as u64, newest)));
        assert!(history.get(0).is_none() && history.get(newest + 1).is_none());
        let game = history.get(newest).unwrap().game;
        assert_eq!(u64::from(game) + 1, pushed as u64 / states.len() as u64);
        assert_eq!(history.game(game).len(), states.len());
        assert_eq!(history.back_from(newest).count(), History::MOMENTS);
        assert_eq!(history.back_from(newest + 9).count(), History::MOMENTS);
        assert_eq!(history.back_from(0).count(), 0, "it is forgotten");
    }

    #[test]
    fn large_boards_are_remembered_for_less_long() {
        let map = format!("500;500\n{}", format!("{}\n", " ".repeat(500)).repeat(500));
        let mut history = History::default();
        let states = readings(&map, 1);
        for reading in states.iter().cycle().take(400).cloned() {
            history.push(reading.view.into(), &reading.names);
        }
        let (oldest, newest) = history.ends().unwrap();
        assert!((200..300).contains(&(newest - oldest)), "{oldest} to {newest}");
    }

    #[test]
    fn boards_that_change_all_the_time_are_not_all_remembered() {
        let maps =
            ["  ", ". "].map(|row| format!("400;400\n{}", format!("{row:400}\n").repeat(400)));
        let mut history = History::default();
        let states = maps.map(|map| readings(&map.replacen("  ", "# ", 1), 0).swap_remove(0));
        for reading in states.iter().cycle().take(20).cloned() {
            history.push(reading.view.into(), &reading.names);
        }
        let (oldest, newest) = history.ends().unwrap();
        assert!((2..6).contains(&(newest - oldest)), "{oldest} to {newest}");
    }

    #[test]
    fn turns_begin_where_the_count_changes() {
        let mut history = History::default();
        for reading in readings(MAP, 3) {
            history.push(reading.view.into(), &reading.names);
        }
        // Four moves of pieces and the end of the turn.
        assert_eq!(history.ends(), Some((0, 15)));
        assert_eq!(history.turn_after(0), Some(5));
        assert_eq!(history.turn_after(7), Some(10));
        assert_eq!(history.turn_after(15), None);
        assert_eq!(history.turn_before(15), Some(10));
        assert_eq!(history.turn_before(7), Some(5));
        assert_eq!(history.turn_before(5), Some(0));
        assert_eq!(history.turn_before(0), None);
    }

    #[test]
    fn names_are_made_harmless() {
        let mut history = History::default();
        for reading in readings(MAP, 1) {
            history.push(reading.view.into(), &reading.names);
        }
        let (oldest, newest) = history.ends().unwrap();
        let moment = history.get(newest).unwrap();
        assert_eq!(&*moment.names, ["Ada", "Bob_[31m"]);
        assert_eq!(moment.game, 0);
        assert!(Arc::ptr_eq(&moment.names, &history.get(oldest).unwrap().names));
    }
}
