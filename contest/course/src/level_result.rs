//! Results against levels of the house, from which marks follow.

use std::collections::BTreeMap;

use plan::SEATS;

use crate::game::PlayerId;
use crate::{CourseError, CourseReader, VersionId};

/// The games of a version against three copies of a level of the house.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelResult {
    /// The name of the level.
    pub level: String,
    /// Number of games.
    pub games: u32,
    /// First places; one that is shared by k players counts 1/k.
    pub firsts: f64,
}

impl CourseReader {
    /// The names of the levels of the house, the first one first.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn levels(&self) -> Result<Vec<String>, CourseError> {
        Ok(self.house()?.into_iter().map(|(_, level)| level).collect())
    }

    /// The results of a version against each level that it has met in three copies, by the order of the levels.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn level_results(&self, version: VersionId) -> Result<Vec<LevelResult>, CourseError> {
        let _moment = self.moment()?;
        let own = PlayerId(version.number().into());
        let select = "SELECT p0, r0, p1, r1, p2, r2, p3, r3 FROM seat JOIN game ON game.id = game \
                      WHERE version = ?";
        let games = self.rows(select, [version], |row| {
            let mut seats = [(own, 0_u32); SEATS];
            for (number, seat) in seats.iter_mut().enumerate() {
                *seat = (row.get(2 * number)?, row.get(2 * number + 1)?);
            }
            Ok(seats)
        })?;
        let mut sums: BTreeMap<PlayerId, (u32, f64)> = BTreeMap::new();
        for seats in games {
            let mut others = seats.iter().map(|(player, _)| *player).filter(|it| *it != own);
            let Some(level) = others.next().filter(|first| first.version().is_none()) else {
                continue;
            };
            if others.all(|other| other == level) {
                let firsts = seats.iter().filter(|(_, place)| *place == 1).count() as u32;
                let is_first = seats.contains(&(own, 1));
                let (games, sum) = sums.entry(level).or_default();
                *games += 1;
                *sum += if is_first { 1.0 / f64::from(firsts) } else { 0.0 };
            }
        }
        let result = |(id, level)| {
            let (games, firsts) = sums.get(&id).copied()?;
            Some(LevelResult { level, games, firsts })
        };
        Ok(self.house()?.into_iter().filter_map(result).collect())
    }
}
