//! Verification that the recorded answers lead to the recorded states.

use language::{Phrase, said};

use crate::format;
use crate::game::Replay;
use crate::recording::Recording;

/// A replayed state that differs from the recorded one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "turn {turn}: other {part} than were recorded; as it was played again:\n{played}",
    "tour {turn} : {part} différents de l'enregistrement ; rejoué, cela donne :\n{played}"
))]
pub struct Difference {
    /// The turn after which the state differs.
    pub turn: u32,
    /// The name of the first part that differs; `states` if only the hash does.
    pub part: Phrase,
    /// The text of the replayed state.
    pub played: String,
}

/// Plays the game again and compares its states with the recorded ones: each part of every state by a byte,
/// and the whole state by a hash at checkpoints.
///
/// # Errors
///
/// With the first difference.
pub fn verify(recording: &Recording) -> Result<(), Difference> {
    let mut game = Replay::start(&recording.setup);
    let mut checkpoints = recording.checkpoints.iter().peekable();
    let mut compare_hash = |game: &mut Replay| -> Result<(), Difference> {
        while let Some((_, recorded)) = checkpoints.next_if(|(turn, _)| *turn == game.turn()) {
            if format::hash(game.text()) != *recorded {
                return Err(difference(game, Phrase::new("states", "états")));
            }
        }
        Ok(())
    };
    compare_hash(&mut game)?;
    for turn in recording.turns.iter() {
        game.play(&turn);
        if let Some(part) = game.marks().first_difference(turn.marks) {
            let part = game.parts()[part];
            return Err(difference(&mut game, part));
        }
        compare_hash(&mut game)?;
    }
    Ok(())
}

fn difference(game: &mut Replay, part: Phrase) -> Difference {
    let (turn, played) = (game.turn(), String::from_utf8_lossy(game.text()).into_owned());
    Difference { turn, part, played }
}
