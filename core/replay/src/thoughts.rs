//! Thoughts: what bots add to their orders for people to read.
//!
//! `PROTOCOL.md` defines their text. A recording keeps them in blocks, one for 100 turns, which DEFLATE (RFC 1951) has compressed,
//! because bots repeat themselves: the turn, the letter of the player, its thought and a NUL, as in `87Acell 3,4\0`. All blocks
//! together take at most a fifth of the bytes of a recording; thoughts that do not fit are dropped and counted, those of players
//! that say much before those of others.

use std::fmt;

#[cfg(feature = "thoughts")]
use std::io::{Read, Write};

#[cfg(feature = "thoughts")]
use flate2::Compression;
#[cfg(feature = "thoughts")]
use flate2::read::DeflateDecoder;
#[cfg(feature = "thoughts")]
use flate2::write::DeflateEncoder;
use game::colour::{Colour, ColourSet};
use game::pacman::{Cell, Dims, Direction, Pos};
use protocol::{THOUGHT_LIMIT, is_invisible};

use crate::format::Record;

/// Number of turns whose thoughts are in one block.
const TURNS: u32 = 100;
/// Maximum number of bytes of the text of a block.
const LARGEST: usize = 10 * 1024;
/// Minimum ratio of the bytes of a recording to those of its blocks.
#[cfg(feature = "thoughts")]
const SHARE: usize = 5;
/// Number of bytes that a block takes beside its compressed text, at most.
#[cfg(feature = "thoughts")]
const FRAME: usize = 16;

/// The beginning of an item with a line that a program wrote.
const OUTPUT: &str = "output ";

/// A thought of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The turn of the order that it was added to, from 1.
    pub turn: u32,
    /// The player, by colour.
    pub player: Colour,
    /// Its text, on one line, without control characters.
    pub text: String,
}

/// A part of a thought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<'a> {
    /// Words.
    Text(&'a str),
    /// A line of the program's output, added by the program's runner.
    Output(&'a str),
    /// A marked cell.
    Cell {
        /// The row and the column.
        at: (u16, u16),
        /// Words beside it, often none.
        label: &'a str,
    },
    /// A way.
    Path {
        /// The row and the column where it begins.
        from: (u16, u16),
        /// The letters of its directions, at least one.
        steps: &'a str,
        /// Words beside it, often none.
        label: &'a str,
    },
    /// A number in a cell.
    Value {
        /// The row and the column.
        at: (u16, u16),
        /// The number, which is finite.
        value: f64,
    },
    /// The team lets others read its thoughts of this game after the tournament.
    Public,
}

impl Thought {
    /// The thought in the message of a player: all that follows the first `;`. `None` if there is none.
    #[must_use]
    pub fn of(message: &[u8]) -> Option<String> {
        let at = message.iter().position(|&byte| byte == b';')?;
        let text = clean(&message[at + 1..]);
        (!text.is_empty()).then_some(text)
    }

    /// The output of a program in a turn, as a thought; `None` if it is empty.
    #[must_use]
    pub fn of_output(text: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(text);
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let items =
            lines.map(|line| format!("{OUTPUT}{}", clean(line.replace(';', ",").as_bytes())));
        let items: Vec<_> = items.collect();
        (!items.is_empty()).then(|| protocol::cut(&items.join(";"), THOUGHT_LIMIT).to_owned())
    }

    /// The parts of the thought, in order.
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        self.text.split(';').filter_map(Item::read)
    }

    /// Tests if the thought lets others read those of its team.
    pub fn is_public(&self) -> bool {
        self.items().any(|item| item == Item::Public)
    }
}

impl Item<'_> {
    /// The cells, as rows and columns, that the item is about: those of a path in order.
    pub fn cells(&self, dims: Dims) -> Vec<Pos> {
        let cell = |(row, col)| dims.cell(Pos { row, col });
        let cells: Vec<_> = match *self {
            Self::Text(_) | Self::Output(_) | Self::Public => Vec::new(),
            Self::Cell { at, .. } | Self::Value { at, .. } => cell(at).into_iter().collect(),
            Self::Path { from, steps, .. } => {
                let steps = steps.bytes().filter_map(direction);
                let next = |cell: &mut Option<Cell>, step| {
                    *cell = cell.map(|cell| dims.neighbour(cell, step));
                    *cell
                };
                let first = cell(from);
                first.into_iter().chain(steps.scan(first, next)).collect()
            }
        };
        cells.into_iter().map(|cell| dims.pos(cell)).collect()
    }
}

/// The text, on one line: invisible characters that could move or turn what stands beside it become blanks. The end of a text
/// that is too long is cut off.
fn clean(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    let plain = |c: char| if is_invisible(c) { ' ' } else { c };
    protocol::cut(text, THOUGHT_LIMIT).chars().map(plain).collect()
}

impl<'a> Item<'a> {
    /// Reads an item; whatever is not as it should be is words. `None` if it is empty.
    fn read(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        let item = match kind {
            "cell" => Self::cell(rest),
            "path" => Self::path(rest),
            "value" => Self::value(rest),
            "public" if rest.is_empty() => Some(Self::Public),
            "text" => Some(Self::Text(rest)),
            "output" => Some(Self::Output(rest)),
            _ => None,
        };
        item.or_else(|| (!text.is_empty()).then_some(Self::Text(text)))
    }

    fn cell(text: &'a str) -> Option<Self> {
        let (at, label) = word(text);
        Some(Self::Cell { at: place(at)?, label })
    }

    fn path(text: &'a str) -> Option<Self> {
        let (from, rest) = word(text);
        let (steps, label) = word(rest);
        let is_path = !steps.is_empty() && steps.bytes().all(|step| direction(step).is_some());
        is_path.then_some(Self::Path { from: place(from)?, steps, label })
    }

    fn value(text: &'a str) -> Option<Self> {
        let (at, value) = word(text);
        let value = value.parse().ok().filter(|value: &f64| value.is_finite())?;
        Some(Self::Value { at: place(at)?, value })
    }
}

/// The first word, and the rest.
fn word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim())
}

fn place(text: &str) -> Option<(u16, u16)> {
    let (row, col) = text.split_once(',')?;
    Some((row.parse().ok()?, col.parse().ok()?))
}

fn direction(letter: u8) -> Option<Direction> {
    game::notation::direction(letter)
}

/// The thoughts of a recording, compressed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Thoughts {
    blocks: Vec<Block>,
    dropped: u32,
    /// The players whose thoughts may be read; `None` for all of them.
    public: Option<ColourSet>,
}

/// Thoughts up to a turn, from the end of the block before on.
#[derive(Clone, PartialEq, Eq)]
struct Block {
    until: u32,
    /// Maximum number of bytes of its text.
    most: usize,
    compressed: Vec<u8>,
}

impl fmt::Debug for Thoughts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks of thoughts, {} dropped", self.blocks.len(), self.dropped)
    }
}

impl Thoughts {
    /// The number of thoughts that the recording had no room for.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }

    /// Tests if the recording has, and has had, no thoughts.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.dropped == 0
    }

    /// Leaves out what other teams may not read: all thoughts before a tournament `is_over`, and afterwards those of the teams that
    /// have not let others read them.
    pub fn publish(&mut self, is_over: bool) {
        let public = self.iter().filter(|thought| is_over && thought.is_public());
        let public: ColourSet = public.map(|thought| thought.player).collect();
        if public == ColourSet::EMPTY {
            *self = Self::default();
        } else {
            self.public = Some(public);
        }
    }

    /// Adds a block that stands after a turn; false if there are more than a recorder writes.
    pub(crate) fn push(&mut self, until: u32, dropped: u32, compressed: Vec<u8>) -> bool {
        self.dropped = self.dropped.saturating_add(dropped);
        let since = until - self.blocks.last().map_or(0, |block| block.until);
        let most = LARGEST * (since / TURNS + 1) as usize;
        let has_room = self.blocks.len() <= (until / TURNS) as usize;
        if has_room && !compressed.is_empty() {
            self.blocks.push(Block { until, most, compressed });
        }
        has_room
    }

    /// The thoughts, in order of turns; none without the feature `thoughts`. A block that is no such text ends early; one block at
    /// a time is in memory.
    pub fn iter(&self) -> impl Iterator<Item = Thought> + '_ {
        #[cfg(not(feature = "thoughts"))]
        return std::iter::empty();
        #[cfg(feature = "thoughts")]
        self.expanded(0)
    }

    /// The thoughts of a turn.
    #[cfg(feature = "thoughts")]
    pub fn of_turn(&self, turn: u32) -> impl Iterator<Item = Thought> + '_ {
        let first = self.blocks.partition_point(|block| block.until < turn);
        let from_turn = self.expanded(first).skip_while(move |thought| thought.turn < turn);
        from_turn.take_while(move |thought| thought.turn == turn)
    }

    /// The record with the thoughts of one player, for [`with_thoughts`](crate::with_thoughts); empty if there are none.
    #[cfg(feature = "thoughts")]
    #[must_use]
    pub fn record_of(&self, player: Colour) -> Vec<u8> {
        let own: Vec<_> = self.iter().filter(|thought| thought.player == player).collect();
        // All of its blocks together have at most the bytes that one block for all turns may have.
        if own.is_empty() { Vec::new() } else { record(0, compress(&own)) }
    }

    /// The thoughts from a block on.
    #[cfg(feature = "thoughts")]
    fn expanded(&self, first: usize) -> impl Iterator<Item = Thought> + '_ {
        let mut turn = 1;
        let thoughts = self.blocks.iter().skip(first).flat_map(expand);
        let is_public =
            |thought: &Thought| self.public.is_none_or(|public| public.contains(thought.player));
        thoughts.filter(is_public).filter(move |thought| {
            let is_next = thought.turn >= turn;
            turn = turn.max(thought.turn);
            is_next
        })
    }
}

/// The record with a block of thoughts, compressed, and the number of those dropped before it.
#[must_use]
pub fn record(dropped: u32, block: Vec<u8>) -> Vec<u8> {
    let mut bytes = Vec::new();
    Record::Thoughts { dropped, block }.encode(&mut bytes);
    bytes
}

/// The thoughts of a block.
#[cfg(feature = "thoughts")]
fn expand(Block { most, compressed, .. }: &Block) -> Vec<Thought> {
    let mut text = Vec::new();
    // The bytes before an error are kept.
    let _ = DeflateDecoder::new(&**compressed).take(*most as u64).read_to_end(&mut text);
    text.split(|&byte| byte == 0).map_while(read).collect()
}

#[cfg(feature = "thoughts")]
fn read(entry: &[u8]) -> Option<Thought> {
    let digits = entry.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let turn = str::from_utf8(&entry[..digits]).ok()?.parse().ok()?;
    let letter = entry.get(digits)?;
    let player =
        Colour::first(Colour::MAX).find(|colour| colour.as_str().as_bytes() == [*letter])?;
    Some(Thought { turn, player, text: clean(&entry[digits + 1..]) })
}

/// Collects the thoughts of a game that is recorded, and compresses them within their share.
#[cfg(feature = "thoughts")]
#[derive(Clone, Debug, Default)]
pub(crate) struct Collector {
    pending: Vec<Thought>,
    /// Number of bytes of the recording so far, without blocks, and of its blocks.
    others: usize,
    blocks: usize,
    /// Number of thoughts dropped since the last block.
    dropped: u32,
}

#[cfg(feature = "thoughts")]
impl Collector {
    /// No thoughts yet, after this number of bytes.
    pub(crate) fn after(bytes: usize) -> Self {
        Self { others: bytes, ..Self::default() }
    }

    pub(crate) fn push(&mut self, thought: Thought) {
        self.pending.push(thought);
        // The turn has at most 10 digits; a letter and a NUL follow.
        let len = |thought: &Thought| 10 + 1 + thought.text.len() + 1;
        while self.pending.iter().map(len).sum::<usize>() > LARGEST {
            self.thin_out();
        }
    }

    /// The block after this turn, of this number of bytes, with the number of thoughts dropped before it, if there is one and anything
    /// fits.
    pub(crate) fn block(&mut self, turn: u32, bytes: usize) -> Option<(u32, Vec<u8>)> {
        self.others += bytes;
        if !turn.is_multiple_of(TURNS) {
            return None;
        }
        let block = self.compress_within_share();
        (!block.is_empty()).then(|| self.write(block))
    }

    /// The last block, if there is anything left to tell.
    pub(crate) fn finish(&mut self) -> Option<(u32, Vec<u8>)> {
        let block = self.compress_within_share();
        (!block.is_empty() || self.dropped > 0).then(|| self.write(block))
    }

    fn write(&mut self, block: Vec<u8>) -> (u32, Vec<u8>) {
        self.blocks += block.len() + FRAME;
        (std::mem::take(&mut self.dropped), block)
    }

    /// Takes the pending thoughts, and compresses those for which there is room.
    fn compress_within_share(&mut self) -> Vec<u8> {
        let most = (self.others / (SHARE - 1)).saturating_sub(self.blocks + FRAME);
        let mut block = compress(&self.pending);
        while block.len() > most {
            self.thin_out();
            block = compress(&self.pending);
        }
        self.pending.clear();
        block
    }

    /// Drops one in four thoughts of the player that has said most, at least one. What its program wrote counts apart.
    fn thin_out(&mut self) {
        let who = |thought: &Thought| {
            2 * thought.player.index() + usize::from(thought.text.starts_with(OUTPUT))
        };
        let mut said = [0; 2 * Colour::MAX];
        for thought in &self.pending {
            said[who(thought)] += thought.text.len();
        }
        let most = (0..said.len()).max_by_key(|&one| said[one]);
        let (before, mut own) = (self.pending.len(), 0);
        self.pending.retain(|thought| {
            let is_own = Some(who(thought)) == most;
            own += u32::from(is_own);
            !is_own || own % 4 != 1
        });
        self.dropped += (before - self.pending.len()) as u32;
    }
}

#[cfg(feature = "thoughts")]
fn entry(Thought { turn, player, text }: &Thought) -> String {
    format!("{turn}{}{text}\0", player.as_str())
}

/// Compresses thoughts; nothing for none.
#[cfg(feature = "thoughts")]
fn compress(thoughts: &[Thought]) -> Vec<u8> {
    if thoughts.is_empty() {
        return Vec::new();
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    for thought in thoughts {
        encoder.write_all(entry(thought).as_bytes()).expect("memory takes what is written");
    }
    encoder.finish().expect("memory takes what is written")
}

#[cfg(all(test, feature = "thoughts"))]
mod tests {
    use super::*;

    fn thought(text: &str) -> Thought {
        let player = Colour::new(0).expect("there is a first colour");
        Thought { turn: 1, player, text: text.to_owned() }
    }

    #[test]
    fn a_thought_follows_the_first_semicolon() {
        let of = |message: &[u8]| Thought::of(message);
        assert_eq!(of(b"NE"), None);
        assert_eq!(of(b"NE; \n"), None);
        assert_eq!(of(b"N;cell 3,4;text x").as_deref(), Some("cell 3,4;text x"));
        assert_eq!(of(b"NE;a\x1b[31mb\nc\xff").as_deref(), Some("a [31mb c\u{fffd}"));
        assert_eq!(of("NE;\u{202e}à".as_bytes()).as_deref(), Some(" à"));
        let long = of(format!("NE;{}é", "x".repeat(999)).as_bytes()).unwrap();
        assert_eq!(long, "x".repeat(999), "a character is not cut in two");
    }

    #[test]
    fn what_a_program_writes_is_a_thought_by_lines() {
        let of = |text: &[u8]| Thought::of_output(text);
        assert_eq!(of(b" \n\n"), None);
        assert_eq!(of(b"a; b\n\n\x1bc\n").as_deref(), Some("output a, b;output  c"));
        assert_eq!(of("é\n".repeat(1000).as_bytes()).unwrap().len(), 1000);
    }

    #[test]
    fn items_are_read_and_anything_else_is_words() {
        let all = thought(
            "hello, world;cell 3,4;cell 3,4 a cherry; path 0,12 NNE home;path 0,12 X;value 1,2 -3.5;value 1,2 inf;\
             text cell 3,4;cell 3;;public;public opinion",
        );
        let expected = [
            Item::Text("hello, world"),
            Item::Cell { at: (3, 4), label: "" },
            Item::Cell { at: (3, 4), label: "a cherry" },
            Item::Path { from: (0, 12), steps: "NNE", label: "home" },
            Item::Text("path 0,12 X"),
            Item::Value { at: (1, 2), value: -3.5 },
            Item::Text("value 1,2 inf"),
            Item::Text("cell 3,4"),
            Item::Text("cell 3"),
            Item::Public,
            Item::Text("public opinion"),
        ];
        assert_eq!(all.items().collect::<Vec<_>>(), expected);
        assert!(all.is_public() && !thought("the public").is_public());
        let dims = Dims::new(4, 13).unwrap();
        let cells: Vec<_> = expected.iter().flat_map(|item| item.cells(dims)).collect();
        let expected = [(3, 4), (3, 4), (0, 12), (3, 12), (2, 12), (2, 0), (1, 2)];
        assert_eq!(cells, expected.map(|(row, col)| Pos { row, col }));
    }

    #[test]
    fn others_may_read_public_thoughts_once_the_tournament_is_over() {
        let thoughts = || {
            let bob = Thought { player: Colour::new(1).unwrap(), ..thought("of Bob;public") };
            let more = Thought { turn: 2, text: "more".to_owned(), ..bob.clone() };
            let mut thoughts = Thoughts::default();
            thoughts.push(40, 3, compress(&[thought("of Ada"), bob, more]));
            thoughts
        };
        let mut during = thoughts();
        during.publish(false);
        assert_eq!(during, Thoughts::default());
        let mut after = thoughts();
        after.publish(true);
        let texts: Vec<_> = after.iter().map(|thought| thought.text).collect();
        assert_eq!(texts, ["of Bob;public", "more"]);
    }

    #[test]
    fn a_block_that_expands_beyond_all_bounds_is_cut_off() {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(b"1Afirst\0").unwrap();
        encoder.write_all(&vec![b'1'; 1 << 24]).unwrap();
        let mut thoughts = Thoughts::default();
        let blocks =
            [encoder.finish().unwrap(), b"no deflate".to_vec(), compress(&[thought("second")])];
        for (until, block) in [10, 100, 200].into_iter().zip(blocks) {
            assert!(thoughts.push(until, 0, block));
        }
        assert!(!thoughts.push(200, 0, compress(&[thought("one too many")])));
        let texts: Vec<_> = thoughts.iter().map(|thought| thought.text).collect();
        assert_eq!(texts, ["first", "second"]);
    }
}
