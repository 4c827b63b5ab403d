//! The encoding of events, causes and excerpts as JSON, for both exports.

use std::iter;
use std::time::Duration;

use game::pacman::{Cell, Event, FalseMove, Piece, PieceKind, View};
use game::pyrat;
use referee::{Cause, Transport};
use serde_json::{Value, json};

use crate::remark::Hint;
use crate::turn::{Flaw, Given};

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Export {
    /// A [film](crate::film): arrays of a kind and its values, with cells as numbers and times in milliseconds.
    Film,
    /// [Lines of JSON](crate::jsonl): objects, with cells as [row, column] and times in seconds.
    Lines,
}

impl Export {
    /// Encodes an event of Pacman; `view` is the view after it. `None` if the export leaves such events out.
    pub(crate) fn event(self, event: Event, view: &View) -> Option<Value> {
        let cell = |cell: Cell| match self {
            Self::Film => json!(cell.index()),
            Self::Lines => {
                let pos = view.board().dims().pos(cell);
                json!([pos.row, pos.col])
            }
        };
        let step = |piece, from, to| {
            vec![("piece", letter(piece).into()), ("from", cell(from)), ("to", cell(to))]
        };
        let ([in_film, in_lines], fields) = match event {
            Event::FalseMove { piece, cause } => {
                let cause = match cause {
                    FalseMove::Malformed => "malformed",
                    FalseMove::Blocked => "blocked",
                };
                let fields = vec![("piece", letter(piece).into()), ("cause", cause.into())];
                (["false", "false_move"], fields)
            }
            Event::Moved { piece, from, to } if self == Self::Lines => {
                (["moved"; 2], step(piece, from, to))
            }
            Event::Took { colour, object, cell: at } => {
                let object = object.letter().to_string();
                let player = colour.as_str().into();
                (
                    ["took"; 2],
                    vec![("player", player), ("object", object.into()), ("cell", cell(at))],
                )
            }
            Event::Teleported { piece, from, to } => {
                (["teleport", "teleported"], step(piece, from, to))
            }
            Event::Battle { pacman, ghost, bitten } => {
                let eater = ("pacman", pacman.as_str().into());
                let fields = match self {
                    Self::Film => {
                        let ghost = letter(Piece { colour: ghost, kind: PieceKind::Ghost });
                        let at = view.player(pacman).map(|player| cell(player.pacman));
                        vec![
                            eater,
                            ("ghost", ghost.into()),
                            ("bitten", bitten.into()),
                            ("cell", at.into()),
                        ]
                    }
                    Self::Lines => {
                        vec![eater, ("ghost", ghost.as_str().into()), ("bitten", bitten.into())]
                    }
                };
                (["battle"; 2], fields)
            }
            Event::Frozen(colour) => (["frozen"; 2], vec![("player", colour.as_str().into())]),
            Event::Digesting(colour) => {
                (["digest", "digesting"], vec![("player", colour.as_str().into())])
            }
            Event::Appeared { object, cell: at } => {
                let object = object.letter().to_string();
                (["appear", "appeared"], vec![("object", object.into()), ("cell", cell(at))])
            }
            Event::Moved { .. } | Event::Done(_) | Event::TurnEnded => return None,
        };
        let kind = if self == Self::Film { in_film } else { in_lines };
        Some(self.record("event", kind, fields))
    }

    /// Encodes the eating of a piece of cheese, with the players on its cell, of which `state` is the state after it.
    pub(crate) fn cheese_eaten(self, cheese: pyrat::Cell, state: &pyrat::State) -> Value {
        let rats = state.rats().iter().zip(pyrat::Colour::first(state.rats().len()));
        let there = rats.filter(|(rat, _)| rat.cell == cheese);
        let players: Value = there.map(|(_, colour)| colour.as_str()).collect();
        self.record("event", "ate", [("players", players), ("cell", cheese.index().into())])
    }

    /// Encodes the cause of a miss.
    pub(crate) fn cause(self, cause: Cause) -> Value {
        let time = |time: Duration| match self {
            Self::Film => u64::try_from(time.as_millis()).unwrap_or(u64::MAX).into(),
            Self::Lines => Value::from(time.as_secs_f64()),
        };
        let fields = match cause {
            Cause::Bot => Vec::new(),
            Cause::Network(Transport { rtt, unacknowledged, retransmits, queued }) => vec![
                ("rtt_s", time(rtt)),
                ("unacknowledged", unacknowledged.into()),
                ("retransmits", retransmits.into()),
                ("queued", queued.into()),
            ],
            Cause::Host(stalled) => vec![("stalled_s", time(stalled))],
        };
        self.record("cause", cause.word(), fields)
    }

    /// Encodes the excerpt of a malformed or late message; `None` without one. A film has the quoted text, and the hint
    /// on a malformed message.
    pub(crate) fn excerpt(self, given: &Given) -> Option<Value> {
        let excerpt = given.excerpt?;
        let flaw = match excerpt.flaw {
            Flaw::Malformed => "malformed",
            Flaw::Late => "late",
        };
        let text = match self {
            Self::Film => excerpt.to_string(),
            Self::Lines => String::from_utf8_lossy(excerpt.bytes()).into_owned(),
        };
        let has_hint = self == Self::Film && excerpt.flaw == Flaw::Malformed;
        let hint = has_hint.then(|| ("hint", given.hint().map(Hint::key).into()));
        Some(self.record("flaw", flaw, iter::once(("text", text.into())).chain(hint)))
    }

    /// Encodes a record of this kind, which is the field `tag` of an object and the first element of an array.
    fn record(
        self,
        tag: &'static str,
        kind: &str,
        fields: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Value {
        let fields = iter::once((tag, kind.into())).chain(fields);
        match self {
            Self::Film => fields.map(|(_, value)| value).collect(),
            Self::Lines => fields.collect(),
        }
    }
}

/// The letter of a piece: upper case for a pacman, lower case for a ghost.
fn letter(Piece { colour, kind }: Piece) -> String {
    match kind {
        PieceKind::Pacman => colour.as_str().to_owned(),
        PieceKind::Ghost => colour.as_str().to_ascii_lowercase(),
    }
}
