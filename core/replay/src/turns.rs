//! The turns of a recording, in compact form.

use std::ops::Range;

use crate::format;
use crate::marks::Marks;
use crate::turn::{Answer, Given, Turn};

/// The turns of a recording, in order: two bytes per answer and four bytes per turn, and more only for remarks
/// on flawed answers.
///
/// Times are rounded as in a file, to 3 %.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    players: usize,
    /// The answers and the marks of every turn.
    plain: Vec<u8>,
    /// The encoded remarks of all turns with remarks, in order.
    remarks: Vec<u8>,
    /// The indices of the turns with remarks, from 0, and the offsets of their remarks in `remarks`.
    remarked: Vec<(u32, usize)>,
}

impl Turns {
    /// Makes an empty list of turns for a game of `players` players.
    #[must_use]
    pub(crate) fn new(players: usize) -> Self {
        Self { players, plain: Vec::new(), remarks: Vec::new(), remarked: Vec::new() }
    }

    /// Adds a turn. Missing answers count as missed; answers beyond the number of players are left out.
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

    /// Keeps the first turns, at most this number.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.plain.truncate(len.saturating_mul(self.stride()));
        let kept = self.remarked.partition_point(|(turn, _)| (*turn as usize) < len);
        if let Some(&(_, end)) = self.remarked.get(kept) {
            self.remarks.truncate(end);
            self.remarked.truncate(kept);
        }
    }

    /// The number of turns.
    pub fn len(&self) -> usize {
        self.plain.len() / self.stride()
    }

    /// Tests if there are no turns.
    pub fn is_empty(&self) -> bool {
        self.plain.is_empty()
    }

    /// The turn with an index, from 0; `None` beyond the last one.
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

    /// Iterates over the turns in order.
    pub fn iter(&self) -> impl Iterator<Item = Turn> + '_ {
        self.range(0..self.len())
    }

    /// Iterates over the turns with the indices in a range, up to the last turn.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = Turn> + '_ {
        let range = range.start..range.end.min(self.len());
        range.map(|index| self.get(index).unwrap_or_default())
    }

    fn stride(&self) -> usize {
        2 * self.players + 4
    }
}
