//! The faults in the orders of a player: missed turns, malformed orders and orders into walls. `tournoi verifier` finds more.

use game::colour::Colour;
use game::pacman::{Event, FalseMove, Orders, PieceKind};
use replay::{Answer, Recording, Replay};
use serde::Serialize;

/// Counts over the turns of a game of Pacman; all are 0 in a game of PyRat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The number of turns.
    pub turns: u32,
    /// The number of turns without an answer.
    pub missed: u32,
    /// The number of orders that are not two directions.
    pub malformed: u32,
    /// The turn of the first of these, from 1, and the beginning of its message.
    pub first: Option<(u32, String)>,
    /// Orders of the pacman and of the ghost that lead into a wall.
    pub walls: [u32; 2],
    /// The order, if all are the same in more than three turns.
    pub only: Option<String>,
}

impl Check {
    /// Looks at the orders of a player.
    pub fn of(recording: &Recording, me: Colour) -> Self {
        let mut check = Self::default();
        let Replay::Pacman(mut game) = Replay::start(&recording.setup) else { return check };
        let mut orders = Vec::new();
        for (number, turn) in (1..).zip(recording.turns.iter()) {
            check.turns = number;
            let given = turn.answers[me.index()];
            match given.answer {
                Answer::Orders(Orders { pacman: Some(_), ghost: Some(_) }) => {
                    orders.extend(given.letters());
                }
                Answer::Orders(_) => {
                    check.malformed += 1;
                    let text = given.excerpt.map(|excerpt| excerpt.to_string());
                    check.first.get_or_insert_with(|| (number, text.unwrap_or_default()));
                }
                _ => check.missed += 1,
            }
            game.play(&turn, |event, _| {
                let Event::FalseMove { piece, cause: FalseMove::Blocked } = event else { return };
                if piece.colour == me {
                    check.walls[usize::from(piece.kind == PieceKind::Ghost)] += 1;
                }
            });
        }
        orders.dedup();
        let is_long = check.turns > 3 && check.malformed == 0;
        check.only = orders.pop().filter(|_| orders.is_empty() && is_long);
        check
    }
}
