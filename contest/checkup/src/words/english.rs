//! The words in English.

mod facts;

use std::time::Duration;

use language::Language;

use crate::case::{BoardKind, Case, Transmission};
use crate::report::{Check, CheckReport, CheckVerdict};

use super::{counts, titles};

pub(super) use facts::fact;

pub(super) fn title(check: Check) -> &'static str {
    match check {
        Check::Start => "Start and registration",
        Check::Answers => "Answers in time",
        Check::Orders => "Orders",
        Check::End => "End of the game",
        Check::Powers => "Objects and powers",
        Check::Letters => "Every letter",
        Check::Boards => "Boards of all sizes",
        Check::Names => "Unusual names",
        Check::Series => "Several games in a row",
        Check::Stream => "Messages in pieces",
        Check::Twins => "Two copies at once",
    }
}

pub(super) fn verdict(verdict: CheckVerdict) -> &'static str {
    match verdict {
        CheckVerdict::Passed => "passed",
        CheckVerdict::Warning => "warning",
        CheckVerdict::Failed => "failed",
        CheckVerdict::Skipped => "not tried",
    }
}

pub(super) fn summary(report: &CheckReport) -> String {
    let [good, made, skipped] = counts(report);
    let skipped = match skipped {
        0 => String::new(),
        _ => format!(" ({skipped} not tried)"),
    };
    let verdict = if report.is_ready() {
        ": ready for the tournament.".to_owned()
    } else {
        format!(". Fix first: {}.", titles(report, CheckVerdict::Failed, title))
    };
    let doubtful = match titles(report, CheckVerdict::Warning, title) {
        none if none.is_empty() => none,
        doubtful => format!(" Warnings: {doubtful}."),
    };
    format!("{good} of {made} checks passed{skipped}{verdict}{doubtful}")
}

/// The circumstances of a finding, in words.
pub(super) fn case(case: &Case) -> String {
    match case {
        Case::Field(object) => format!("on a board full of {}", self::object(*object)),
        Case::InsideWall => "pacman inside a wall, wall-pass nearly over".to_owned(),
        Case::WallPassEnds => "wall-pass over in the middle of a thick wall".to_owned(),
        Case::Bitten => "ghosts all around, negative score".to_owned(),
        Case::Hunting => "pacman with the glutton, ghosts all around".to_owned(),
        Case::Frozen => "frozen ghost".to_owned(),
        Case::LongPowers => "powers of more than 100 turns".to_owned(),
        Case::Digestion => "digesting ghost (rules orleans2024)".to_owned(),
        Case::Letter(letter) => format!("with the letter {letter}"),
        Case::Board(board, rows, cols) => {
            let what = match board {
                BoardKind::Wide => "board wider than high",
                BoardKind::Tall => "board higher than wide",
                BoardKind::Open => "board without walls at its edges, pieces at the edge",
                BoardKind::Bare => "board without any object",
                BoardKind::Tiny => "tiny board",
                BoardKind::Large => "large board",
                BoardKind::Own(name) => &format!("map {name}"),
            };
            format!("{what} ({rows}×{cols})")
        }
        Case::Players(players) => format!("game of {players} players, for information"),
        Case::OwnName(name) => format!("when your team is called “{name}”"),
        Case::Opponent(name) => format!("when an opponent is called “{name}”"),
        Case::Names(names) => format!("with the names “{}”", names.join("”, “")),
        Case::Game(number, letter, rows, cols) => {
            format!("game {number} (letter {letter}, board {rows}×{cols})")
        }
        Case::Transmission(delivery) => match delivery {
            Transmission::Pieces => "state received in small pieces",
            Transmission::Characters => "state cut inside an accented character",
            Transmission::NulApart => "NUL byte received after the rest of the state",
            Transmission::NextBegun => "state received with the beginning of the next",
            Transmission::Together => "three states received at once",
        }
        .to_owned(),
        Case::Twin(number) => format!("copy {number}"),
    }
}

/// The special advice for a bot that fails in this situation, if any.
pub(super) fn advice(case: &Case) -> Option<&'static str> {
    Some(match case {
        Case::InsideWall | Case::WallPassEnds => {
            "With the wall-pass, a pacman may stand inside a wall, and still be there when the power \
             is over: the path search must be able to start from a wall."
        }
        Case::Letter(_) => {
            "Your letter is in the header of every state (jeu;B: you are B): read it, do not assume \
             it."
        }
        Case::Board(BoardKind::Open, ..) => {
            "The board is a torus: a piece that leaves it at one edge comes back at the opposite edge. \
             Take rows and columns modulo their number."
        }
        Case::Board(BoardKind::Bare, ..) => {
            "There is not always an object to go to: answer also when the search finds nothing."
        }
        Case::Board(..) => {
            "The size of the board is in every state (ROWS;COLUMNS): read it, do not assume it."
        }
        Case::OwnName(_) | Case::Opponent(_) | Case::Names(_) => {
            "A name may hold any characters but the semicolon and the newline: read it as the last \
             field of its line, in UTF-8, without interpreting it."
        }
        Case::Game(..) => {
            "From one game to the next everything may change, the letter as well as the board: start \
             from the state received, above all when the number of turns played is 0."
        }
        Case::Transmission(_) => {
            "A recv may give a part of a message, or several messages: gather the bytes, cut at each \
             NUL byte, and decode the text only then."
        }
        Case::Twin(_) => {
            "Several copies may run on the same machine: no fixed files or ports that all of them use."
        }
        _ => return None,
    })
}

fn object(letter: char) -> String {
    let name = match letter {
        '.' => "vitamin",
        '$' => "glutton",
        '@' => "freeze",
        '~' => "wall-pass",
        '&' => "cherry",
        '!' => "teleporter",
        _ => "object",
    };
    format!("{letter} ({name})")
}

fn plural(count: impl TryInto<u64>) -> &'static str {
    Language::English.plural(count, "", "s")
}

fn time(duration: Duration) -> String {
    Language::English.duration(duration)
}
