//! Thinning: recordings and outputs of old games go, results stay for ever.
//!
//! Each recording has a worth: 3 if it is the newest of a version, else 2 if it is the best or the worst game of a
//! version (by place, then by points, then the newest), else 1 if a player of it has a fault, else 0. While recordings
//! and outputs exceed their budget, those of the least worth go, the oldest first. The games' rows, and with them the
//! evidence of ratings and marks, never go.

use std::collections::BTreeMap;

use rusqlite::params;

use crate::game::PlayerId;
use crate::row::unsigned;
use crate::{Course, CourseError};

/// Number of recordings that one transaction removes.
const BATCH: usize = 100;
/// Maximum number of free pages that one transaction returns to the system.
const PAGES: i64 = 2000;

/// The result of thinning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thinned {
    /// Number of recordings that were removed.
    pub removed: usize,
    /// Number of bytes of the recordings that are left.
    pub bytes: u64,
}

/// A game with a recording.
struct Recorded {
    id: i64,
    bytes: u64,
    has_fault: bool,
    seats: [(PlayerId, u8, i32); 4],
}

/// The games of a version that are worth most.
struct Exemplary {
    newest: i64,
    best: ((u8, i32), i64),
    worst: ((u8, i32), i64),
}

impl Course {
    /// Removes recordings beyond a budget of bytes, by the rule of this module; at most `most` of them, so that a call
    /// takes a bounded time: the caller calls again while `removed` is `most`. Each transaction removes up to 100, and a
    /// program that was killed goes on with the next call.
    ///
    /// A call over the budget reads the results of all games that have a recording: one each thousand games is enough.
    /// Free pages of the file are used again; those beyond an eighth of the file are returned to the system.
    ///
    /// # Errors
    ///
    /// When the course cannot be written.
    pub fn thin(&mut self, budget: u64, most: usize) -> Result<Thinned, CourseError> {
        let sum = "SELECT total(recorded) FROM game WHERE recorded > 0";
        let sum = format!("SELECT CAST(({sum}) AS INTEGER)");
        let mut thinned = Thinned { removed: 0, bytes: self.count(&sum)?.unsigned_abs() };
        if thinned.bytes <= budget || most == 0 {
            return Ok(thinned);
        }
        let mut doomed = Vec::new();
        for (_, id, bytes) in self.by_worth()? {
            if thinned.bytes <= budget || doomed.len() == most {
                break;
            }
            doomed.push(id);
            thinned.bytes = thinned.bytes.saturating_sub(bytes);
        }
        for batch in doomed.chunks(BATCH) {
            self.write(|transaction| {
                for id in batch {
                    for remove in [
                        "DELETE FROM recording WHERE game = ?",
                        "DELETE FROM output WHERE game = ?",
                        "UPDATE game SET recorded = 0 WHERE id = ?",
                    ] {
                        transaction.prepare_cached(remove)?.execute(params![id])?;
                    }
                }
                Ok(())
            })?;
        }
        thinned.removed = doomed.len();
        self.shrink()?;
        Ok(thinned)
    }

    /// The recordings as worth, game and bytes; the first ones go first.
    fn by_worth(&self) -> Result<Vec<(u8, i64, u64)>, CourseError> {
        let games = self.recorded()?;
        let mut exemplary: BTreeMap<PlayerId, Exemplary> = BTreeMap::new();
        // Games are in the order of their age, so that the newest of equals stays.
        for game in &games {
            for &(player, place, points) in &game.seats {
                if player.version().is_none() {
                    continue;
                }
                // Less is better.
                let result = (place, points.saturating_neg());
                let this = (result, game.id);
                let known = exemplary.entry(player);
                let known = known.or_insert(Exemplary { newest: game.id, best: this, worst: this });
                known.newest = game.id;
                if result <= known.best.0 {
                    known.best = this;
                }
                if result >= known.worst.0 {
                    known.worst = this;
                }
            }
        }
        let mut worths: BTreeMap<i64, u8> = BTreeMap::new();
        for Exemplary { newest, best, worst } in exemplary.values() {
            for (id, worth) in [(*newest, 3), (best.1, 2), (worst.1, 2)] {
                let known = worths.entry(id).or_default();
                *known = worth.max(*known);
            }
        }
        let worth = |game: &Recorded| {
            worths.get(&game.id).copied().unwrap_or_default().max(u8::from(game.has_fault))
        };
        let mut all: Vec<_> = games.iter().map(|game| (worth(game), game.id, game.bytes)).collect();
        all.sort_unstable();
        Ok(all)
    }

    fn recorded(&self) -> Result<Vec<Recorded>, CourseError> {
        let select = "SELECT id, recorded, coalesce(f0, f1, f2, f3) IS NOT NULL, \
             p0, r0, o0, p1, r1, o1, p2, r2, o2, p3, r3, o3 FROM game WHERE recorded > 0 ORDER BY +id";
        self.rows(select, [], |row| {
            let seat = |first| {
                let values = (row.get(first)?, row.get(first + 1)?, row.get(first + 2)?);
                Ok::<_, rusqlite::Error>(values)
            };
            Ok(Recorded {
                id: row.get(0)?,
                bytes: unsigned(row, 1)?,
                has_fault: row.get(2)?,
                seats: [seat(3)?, seat(6)?, seat(9)?, seat(12)?],
            })
        })
    }

    /// Returns free pages beyond an eighth of the file to the system.
    fn shrink(&mut self) -> Result<(), CourseError> {
        loop {
            let free = self.number("freelist_count")?;
            let surplus = free - self.number("page_count")? / 8;
            if surplus <= 0 {
                return Ok(());
            }
            let vacuum = format!("PRAGMA incremental_vacuum({})", surplus.min(PAGES));
            let work = || {
                let mut statement = self.db.prepare(&vacuum)?;
                let mut rows = statement.query([])?;
                while rows.next()?.is_some() {}
                Ok(())
            };
            self.sql(work())?;
            // A file without the setting for it keeps its pages.
            if self.number("freelist_count")? >= free {
                return Ok(());
            }
        }
    }
}
