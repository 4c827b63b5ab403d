//! Reading the games: their outcomes one by one, and their recordings.

use plan::{Key, Outcome};
use rusqlite::OptionalExtension;

use super::rows::{GAMES, read_game, read_seats, seats};
use super::{Store, StoreError};

/// The order in which games are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOrder {
    /// By rounds, the names of their maps and their keys: the same wherever and whenever the games were played.
    Rounds,
    /// By the time at which they began, then by their keys.
    Played,
}

impl GameOrder {
    fn columns(self) -> &'static str {
        match self {
            Self::Rounds => "round, map, key",
            Self::Played => "began, key",
        }
    }
}

impl Store {
    /// The outcomes of all games, as by [`each_outcome`](Self::each_outcome).
    ///
    /// # Errors
    ///
    /// When the outcomes cannot be read.
    pub fn outcomes(&self) -> Result<Vec<Outcome>, StoreError> {
        let mut outcomes = Vec::new();
        self.each_outcome(GameOrder::Rounds, |outcome| outcomes.push(outcome))?;
        Ok(outcomes)
    }

    /// Gives the outcomes of all games, without their recordings and the usage of programs, one by one to `take`: few of
    /// them need to be in memory. Includes games of other versions of a team, and voided ones under their new keys.
    ///
    /// # Errors
    ///
    /// When the outcomes cannot be read.
    pub fn each_outcome(
        &self,
        order: GameOrder,
        mut take: impl FnMut(Outcome),
    ) -> Result<(), StoreError> {
        let mut read = || {
            let mut games = self.db.prepare(&format!("{GAMES} ORDER BY {}", order.columns()))?;
            let mut seats = self.db.prepare_cached(&seats(false))?;
            for game in games.query_map([], read_game)? {
                let game = game?;
                take(Outcome { seats: read_seats(&mut seats, game.key)?, ..game });
            }
            Ok(())
        };
        self.sql(read())
    }

    /// The games whose keys begin with these hexadecimal digits, in order of their keys: the key of each game, and the key of
    /// its result in the file, which is another one if the result was voided. Of several results of a game, the one that
    /// was not voided comes first, else the one that was voided last, and the others are left out.
    ///
    /// # Errors
    ///
    /// When the keys cannot be read.
    pub fn find(&self, digits: &str) -> Result<Vec<(Key, Key)>, StoreError> {
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Ok(Vec::new());
        }
        let select = format!(
            "SELECT coalesce(void.game, game.key) AS known, game.key \
             FROM game LEFT JOIN void ON void.key = game.key \
             WHERE hex(known) LIKE '{digits}%' \
             ORDER BY known, void.key IS NOT NULL, void.at DESC, void.rowid DESC"
        );
        let mut found = self.rows(&select, |row| {
            Ok((Key::from_bytes(row.get(0)?), Key::from_bytes(row.get(1)?)))
        })?;
        found.dedup_by_key(|(game, _)| *game);
        Ok(found)
    }

    /// The recording of a game that was played.
    ///
    /// # Errors
    ///
    /// When the recording cannot be read.
    pub fn recording(&self, key: Key) -> Result<Option<Vec<u8>>, StoreError> {
        let select = "SELECT recording FROM game WHERE key = ?";
        self.sql(self.db.query_row(select, [key.as_bytes()], |row| row.get(0)).optional())
    }
}
