//! Thoughts of a bot, for people to read.

use std::fmt::{Display, Write};

use game::notation::of_direction;
use game::pacman::{Cell, Direction};
use graph::{Dims, Pos};

/// Writes what a bot thinks of a turn, in the text that `PROTOCOL.md` defines: words, marked cells, numbers in cells and ways.
///
/// A server keeps at most 1000 bytes of it. A bot gives it away in [`Bot::thought`](crate::Bot::thought).
///
/// ```
/// use bots::ThinkAloud;
/// use game::pacman::Direction::{East, North};
/// use graph::Dims;
///
/// let dims = Dims::new(20, 20).unwrap();
/// let cherry = dims.nth(65).unwrap();
/// let mut thought = ThinkAloud::default();
/// thought.say("to the cherry");
/// thought.mark(dims, cherry, "mine");
/// thought.value(dims, cherry, 100);
/// thought.path(dims, cherry, &[North, East], "");
/// assert_eq!(thought.take().unwrap(), "text to the cherry;cell 3,5 mine;value 3,5 100;path 3,5 NE");
/// assert_eq!(thought.take(), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ThinkAloud(String);

impl ThinkAloud {
    /// Adds words.
    pub fn say(&mut self, words: impl Display) {
        self.add(format_args!("text {words}"));
    }

    /// Marks a cell, with words beside it or none.
    pub fn mark(&mut self, dims: Dims, cell: Cell, words: impl Display) {
        self.add(format_args!("cell {} {words}", place(dims, cell)));
    }

    /// Writes a number into a cell.
    pub fn value(&mut self, dims: Dims, cell: Cell, value: impl Into<f64>) {
        self.add(format_args!("value {} {}", place(dims, cell), value.into()));
    }

    /// Draws a way from a cell, with words beside it or none.
    pub fn path(&mut self, dims: Dims, from: Cell, steps: &[Direction], words: impl Display) {
        let steps: String = steps.iter().map(|&step| char::from(of_direction(step))).collect();
        self.add(format_args!("path {} {steps} {words}", place(dims, from)));
    }

    /// Lets other teams read the thoughts of this game once the tournament is over.
    pub fn publish(&mut self) {
        self.add("public");
    }

    /// Asks a practice table to stop before this turn is played.
    pub fn pause(&mut self) {
        self.add("pause");
    }

    /// The thought, and none from then on.
    pub fn take(&mut self) -> Option<String> {
        let thought = std::mem::take(&mut self.0);
        (!thought.is_empty()).then_some(thought)
    }

    fn add(&mut self, item: impl Display) {
        if !self.0.is_empty() {
            self.0.push(';');
        }
        let start = self.0.len();
        // Words have no end of an item in them.
        write!(self.0, "{item}").expect("a text takes any text");
        let item = self.0.split_off(start);
        self.0.push_str(item.replace(';', ",").trim_end());
    }
}

fn place(dims: Dims, cell: Cell) -> impl Display {
    let Pos { row, col } = dims.pos(cell);
    format!("{row},{col}")
}
