//! The faults in the orders of a player: missed turns, malformed orders and orders into walls. `tournoi verifier` finds more.

use game::colour::Colour;
use game::pacman::{Event, FalseMove, PieceKind};
use replay::{Answer, AnswerFault, Recording, Replay};
use serde::Serialize;

/// Counts over the turns of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The number of turns in which the player was asked.
    pub turns: u32,
    /// The number of these without an answer.
    pub missed: u32,
    /// The number of orders that are malformed.
    pub malformed: u32,
    /// The turn of the first of these, from 1, and the beginning of its message.
    pub first: Option<(u32, String)>,
    /// Orders that lead into a wall: of the pacman or the rat, and of the ghost.
    pub walls: [u32; 2],
    /// The order, if all are the same in more than three turns.
    pub only: Option<String>,
}

impl Check {
    /// Looks at the orders of a player.
    pub fn of(recording: &Recording, me: Colour) -> Self {
        let mut check = Self::default();
        let mut game = Replay::start(&recording.setup);
        let mut orders = Vec::new();
        for (number, turn) in (1..).zip(recording.turns.iter()) {
            let given = game.judge(&turn).answers[me.index()];
            check.turns += u32::from(given.answer != Answer::Unasked);
            match given.fault() {
                None => orders.extend(given.letters()),
                Some(AnswerFault::Malformed) => {
                    check.malformed += 1;
                    let text = given.excerpt.map(|excerpt| excerpt.to_string());
                    check.first.get_or_insert_with(|| (number, text.unwrap_or_default()));
                }
                Some(AnswerFault::Missed | AnswerFault::Disconnected) => check.missed += 1,
            }
            match &mut game {
                Replay::Pacman(game) => game.play(&turn, |event, _| {
                    if let Event::FalseMove { piece, cause: FalseMove::Blocked } = event
                        && piece.colour == me
                    {
                        check.walls[usize::from(piece.kind == PieceKind::Ghost)] += 1;
                    }
                }),
                Replay::PyRat(game) => {
                    game.play(&turn);
                    check.walls[0] = game.state().rats()[me.index()].counts.wall;
                }
            }
        }
        orders.dedup();
        let is_long = check.turns > 3 && check.malformed == 0;
        check.only = orders.pop().filter(|_| orders.is_empty() && is_long);
        check
    }
}
