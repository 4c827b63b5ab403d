//! Writing a recording during the game.

#[cfg(feature = "thoughts")]
use game::colour::Colour;

use crate::format::{MAGIC, Record, VERSION};
#[cfg(doc)]
use crate::hash;
use crate::setup::Setup;
#[cfg(feature = "thoughts")]
use crate::thoughts::{self, Collector, Thought};
use crate::turn::Turn;

/// The number of turns between two checkpoints.
const CHECKPOINT: u32 = 20;

/// Encodes a game as the bytes of its recording, a turn at a time, so that the file can be read whenever the
/// game stops.
///
/// ```
/// use std::time::Duration;
///
/// use game::pacman::{Map, Orders, Rules, Seeded, State, StateText};
/// use replay::{Answer, Given, Marks, PacmanSetup, Recorder, Recording, Setup, Turn, hash, verify};
///
/// let map: Map = "3;6\n#    #\n  &.  \n#    #\n".parse()?;
/// let (rules, seed, turns, names) = (Rules::SUJET, 7, 5, vec!["Ada".to_owned()]);
/// let mut chance = Seeded::new(seed);
/// let mut state = State::start(&map, rules, turns, 1, &mut chance);
/// let mut text = StateText::new(names.clone());
///
/// let setup = Setup::Pacman(PacmanSetup { map, rules, seed, turns, names });
/// let (mut recorder, mut bytes) = Recorder::start(setup);
/// while !state.view().is_over() {
///     let orders = Orders::default();
///     let answers = vec![Given::in_time(Answer::Orders(orders), Duration::from_millis(3))];
///     state.play_turn(&[orders], &mut chance, |_, _| {});
///     let turn = Turn { answers, marks: Marks::of_pacman(&state) };
///     bytes.extend(recorder.turn(turn, hash(text.write(state.view()))));
/// }
/// bytes.extend(recorder.end(hash(text.write(state.view()))));
///
/// let recording = Recording::read(&bytes)?;
/// assert_eq!(recording.turns.len(), 5);
/// assert_eq!(verify(&recording), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    turn: u32,
    #[cfg(feature = "thoughts")]
    thoughts: Collector,
}

impl Recorder {
    /// Returns the recorder of a new game, and the first bytes of its file.
    pub fn start(setup: Setup) -> (Self, Vec<u8>) {
        let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
        Record::Setup(setup).encode(&mut bytes);
        let recorder = Self {
            turn: 0,
            #[cfg(feature = "thoughts")]
            thoughts: Collector::after(bytes.len()),
        };
        (recorder, bytes)
    }

    /// Adds what players thought in the next turn.
    #[cfg(feature = "thoughts")]
    pub fn think(&mut self, thoughts: impl IntoIterator<Item = (Colour, String)>) {
        for (player, text) in thoughts {
            self.thoughts.push(Thought { turn: self.turn + 1, player, text });
        }
    }

    /// Returns the bytes of the next turn; `hash` is the [hash](hash()) of the state's text after it.
    pub fn turn(&mut self, turn: Turn, hash: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        Record::Turn(turn).encode(&mut bytes);
        self.turn += 1;
        if self.turn.is_multiple_of(CHECKPOINT) {
            Record::Checkpoint { turn: self.turn, hash }.encode(&mut bytes);
        }
        #[cfg(feature = "thoughts")]
        if let Some((dropped, block)) = self.thoughts.block(self.turn, bytes.len()) {
            bytes.extend(thoughts::record(dropped, block));
        }
        bytes
    }

    /// Returns the last bytes of a game that is over; `hash` is the [hash](hash()) of the final state's text.
    #[cfg_attr(not(feature = "thoughts"), expect(unused_mut, reason = "only thoughts change it"))]
    pub fn end(mut self, hash: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        #[cfg(feature = "thoughts")]
        if let Some((dropped, block)) = self.thoughts.finish() {
            bytes.extend(thoughts::record(dropped, block));
        }
        Record::End { turn: self.turn, hash }.encode(&mut bytes);
        bytes
    }
}
