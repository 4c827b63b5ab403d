//! Voided results. They stay in the file, under another key, so that their games can be played again.

use std::time::SystemTime;

use plan::{Key, Voided};
use rusqlite::{Transaction, params};

use super::rows::{millis, moment};
use super::{Store, StoreError};

impl Store {
    /// Voids the results of these games: the results are kept, and the games count as not played.
    ///
    /// # Errors
    ///
    /// When the change cannot be written; then no result is voided.
    pub fn void(&mut self, games: &[Key], reason: &str) -> Result<(), StoreError> {
        let at = millis(SystemTime::now());
        self.write(|transaction| {
            for game in games {
                let draw = "SELECT randomblob(16)";
                let key = Key::from_bytes(transaction.query_row(draw, [], |row| row.get(0))?);
                rename(transaction, *game, key)?;
                transaction.execute(
                    "INSERT INTO void (key, game, at, reason) VALUES (?, ?, ?, ?)",
                    params![key.as_bytes(), game.as_bytes(), at, reason],
                )?;
            }
            Ok(())
        })
    }

    /// Restores voided results of games that were not played again meanwhile.
    ///
    /// # Errors
    ///
    /// When the change cannot be written; then no result is restored.
    pub fn restore(&mut self, voided: &[Voided]) -> Result<(), StoreError> {
        self.write(|transaction| {
            for Voided { game, outcome, .. } in voided {
                transaction.execute("DELETE FROM void WHERE key = ?", [outcome.key.as_bytes()])?;
                rename(transaction, outcome.key, *game)?;
            }
            Ok(())
        })
    }

    /// The voided results, oldest first.
    ///
    /// # Errors
    ///
    /// When the results cannot be read.
    pub fn voids(&self) -> Result<Vec<Voided>, StoreError> {
        let select = "SELECT key, game, at, reason FROM void ORDER BY at, rowid";
        let rows = self.rows(select, |row| {
            let (key, game) = (Key::from_bytes(row.get(0)?), Key::from_bytes(row.get(1)?));
            Ok((key, game, moment(row.get(2)?), row.get(3)?))
        })?;
        let voided = rows.into_iter().map(|(key, game, at, reason)| {
            let outcome = self.outcome(key)?;
            Ok(outcome.map(|outcome| Voided { game, outcome, at, reason }))
        });
        voided.filter_map(Result::transpose).collect()
    }
}

/// Gives a result another key.
fn rename(transaction: &Transaction<'_>, from: Key, to: Key) -> rusqlite::Result<()> {
    // Seats and conflicts refer to the game: until the end of the transaction, they may refer to a missing one.
    transaction.pragma_update(None, "defer_foreign_keys", true)?;
    for update in [
        "UPDATE game SET key = ? WHERE key = ?",
        "UPDATE seat SET game = ? WHERE game = ?",
        "UPDATE conflict SET game = ? WHERE game = ?",
    ] {
        transaction.execute(update, [to.as_bytes(), from.as_bytes()])?;
    }
    Ok(())
}
