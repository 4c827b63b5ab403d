//! The turns of a recording, in few bytes.

use std::ops::Range;

use crate::format;
use crate::marks::Marks;
use crate::turn::{Answer, Given, Turn};

/// The turns of a recording, in order: two bytes an answer and four bytes a turn, and more only for
/// answers that went wrong.
///
/// A turn comes back with its times as a file has them, to 3 %.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    players: usize,
    /// Every turn: its answers and its marks.
    plain: Vec<u8>,
    /// What went wrong in the turns that have remarks, one after the other.
    remarks: Vec<u8>,
    /// These turns, from 0, and where their remarks begin.
    remarked: Vec<(u32, usize)>,
}

impl Turns {
    /// No turns yet of a game of `players` players.
    #[must_use]
    pub(crate) fn new(players: usize) -> Self {
        Self { players, plain: Vec::new(), remarks: Vec::new(), remarked: Vec::new() }
    }

    /// Adds a turn. A player without an answer missed it; answers beyond the players are left out.
    pub fn push(&mut self, turn: &Turn) {
        let answers = &turn.answers[..turn.answers.len().min(self.players)];
        if let Some(remarks) = format::store_remarks(answers) {
            self.remarked.push((self.len() as u32, self.remarks.len()));
            self.remarks.extend(remarks);
        }
        let missing = Given::nothing(Answer::Missed);
        let answers = answers.iter().chain(std::iter::repeat(&missing)).take(self.players);
        for (answer, time) in answers.map(format::store) {
            self.plain.extend([answer, time]);
        }
        self.plain.extend(turn.marks.0);
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.plain.len() / self.stride()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plain.is_empty()
    }

    /// The turn with this index, from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Turn> {
        let stride = self.stride();
        let from = index.checked_mul(stride)?;
        let (answers, marks) = self.plain.get(from..from + stride)?.split_last_chunk()?;
        let missing = Given::nothing(Answer::Missed);
        let given = |pair: &[u8]| format::restore((pair[0], pair[1])).unwrap_or(missing);
        let mut answers: Vec<Given> = answers.chunks_exact(2).map(given).collect();
        if let Ok(at) = self.remarked.binary_search_by_key(&(index as u32), |(turn, _)| *turn) {
            let (_, at) = self.remarked[at];
            format::restore_remarks(&self.remarks[at..], &mut answers)?;
        }
        Some(Turn { answers, marks: Marks(*marks) })
    }

    /// The turns in order.
    #[must_use]
    pub fn iter(&self) -> Iter<'_> {
        self.range(0..self.len())
    }

    /// The turns with these indices.
    #[must_use]
    pub fn range(&self, range: Range<usize>) -> Iter<'_> {
        Iter { turns: self, range }
    }

    fn stride(&self) -> usize {
        2 * self.players + 4
    }
}

impl<'a> IntoIterator for &'a Turns {
    type Item = Turn;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// Some turns of a recording.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    turns: &'a Turns,
    range: Range<usize>,
}

impl Iterator for Iter<'_> {
    type Item = Turn;

    fn next(&mut self) -> Option<Turn> {
        self.turns.get(self.range.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}
