//! The amount of evidence that is kept: results that do not count, and reports of spoilt games.

use std::collections::BTreeMap;

use language::log;
use plan::Key;

/// Maximum number of pieces of evidence kept about a game.
const OF_GAME: u32 = 16;
/// Maximum number of pieces of evidence kept in a run of the coordinator.
const IN_ALL: u32 = 4096;

/// Counts the evidence that is kept. A peer can send as much of it as it likes: without a limit, it would fill memory and
/// the file of results. The first pieces are kept, about each game and in all; later ones are dropped.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    of_game: BTreeMap<Key, u32>,
    in_all: u32,
}

impl Evidence {
    /// Tests if another piece of evidence about this game is kept, and counts it.
    pub(super) fn admits(&mut self, game: Key) -> bool {
        let kept = self.of_game.get(&game).copied().unwrap_or_default();
        if self.in_all == IN_ALL || kept == OF_GAME {
            return false;
        }
        self.of_game.insert(game, kept + 1);
        self.in_all += 1;
        if kept + 1 == OF_GAME {
            log!(
                warn,
                "game {game}: no more results that do not count are kept",
                "partie {game} : les résultats qui ne comptent pas ne sont plus gardés"
            );
        }
        if self.in_all == IN_ALL {
            log!(
                warn,
                "no more results that do not count are kept, of any game",
                "les résultats qui ne comptent pas ne sont plus gardés, quelle que soit la partie"
            );
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u32) -> Key {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        Key::from_bytes(bytes)
    }

    #[test]
    fn evidence_is_limited_per_game_and_in_total() {
        let mut evidence = Evidence::default();
        let one = (0..100).filter(|_| evidence.admits(key(0))).count();
        assert_eq!(one, OF_GAME as usize);
        // Games that the peer has made up count, too.
        let others = (1..10_000).filter(|game| evidence.admits(key(*game))).count();
        assert_eq!(one + others, IN_ALL as usize);
        assert_eq!(evidence.of_game.len(), 1 + others);
    }
}
