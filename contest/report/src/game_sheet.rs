//! The games as a file for spreadsheets.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::SystemTime;

use language::Language;
use plan::{Outcome, Plan, SEATS, SeatOutcome};

use super::csv::{Sheet, fault_words, text};

/// A row for each game, written one by one, so that none of them stays in memory.
#[derive(Debug)]
pub struct GameSheet<W: Write> {
    sheet: Sheet<W>,
    rules: &'static str,
    language: Language,
}

/// Titles of the columns of a game, in English and in French.
const OF_GAME: [(&str, &str); 8] = [
    ("Key", "Clé"),
    ("Began", "Début"),
    ("Round", "Manche"),
    ("Map", "Carte"),
    ("Seed", "Graine"),
    ("Rules", "Règles"),
    ("Turns", "Tours"),
    ("Turns played", "Tours joués"),
];
/// Titles of the columns of a seat, each followed by the number of the seat, in English and in French.
const OF_SEAT: [(&str, &str); 6] = [
    ("Team", "Équipe"),
    ("House", "Maison"),
    ("Points", "Points"),
    ("Rank", "Rang"),
    ("Fault", "Faute"),
    ("Missed deadlines", "Réponses manquées"),
];

impl<W: Write> GameSheet<W> {
    /// Begins the file of a tournament's games with its line of titles.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written.
    pub fn begin(out: W, plan: &Plan, language: Language) -> io::Result<Self> {
        let rules = plan.conditions.rules.name();
        let mut new = Self { sheet: Sheet::begin(out, language)?, rules, language };
        let of_game =
            OF_GAME.iter().map(|(english, french)| language.say(english, french).to_owned());
        let of_seat = |seat| {
            OF_SEAT
                .iter()
                .map(move |(english, french)| format!("{} {seat}", language.say(english, french)))
        };
        let titles: Vec<_> = of_game.chain((1..=SEATS).flat_map(of_seat)).collect();
        new.sheet.add(&titles)?;
        Ok(new)
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// When the row cannot be written.
    pub fn add(&mut self, game: &Outcome) -> io::Result<()> {
        let mut row = vec![
            game.key.to_string(),
            moment(game.began),
            game.round.to_string(),
            text(&game.map),
            game.seed.to_string(),
            self.rules.to_owned(),
            game.turns.to_string(),
            game.elapsed.to_string(),
        ];
        for seat in 0..SEATS {
            // A file may hold games with fewer seats.
            row.extend(game.seats.get(seat).map_or_else(Default::default, |seat| self.cells(seat)));
        }
        self.sheet.add(&row)
    }

    fn cells(&self, seat: &SeatOutcome) -> [String; OF_SEAT.len()] {
        let say = |(english, french)| self.language.say(english, french).to_owned();
        let fault = seat.fault.as_ref().map(|fault| say(fault_words(fault.kind)));
        [
            text(&seat.team),
            if seat.is_house { say(("yes", "oui")) } else { String::new() },
            seat.points.to_string(),
            seat.rank.to_string(),
            fault.unwrap_or_default(),
            seat.thinking.missed().to_string(),
        ]
    }

    /// Writes what waits in memory.
    ///
    /// # Errors
    ///
    /// When that cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.sheet.finish()
    }
}

/// A moment by ISO 8601, in UTC and to the second; empty after the year 9999, which a file may hold.
fn moment(moment: SystemTime) -> String {
    let mut text = String::new();
    match write!(text, "{}", humantime::format_rfc3339_seconds(moment)) {
        Ok(()) => text,
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn a_moment_that_no_calendar_has_is_empty() {
        assert_eq!(moment(UNIX_EPOCH + Duration::from_secs(86_400)), "1970-01-02T00:00:00Z");
        let far = UNIX_EPOCH + Duration::from_millis(i64::MAX.unsigned_abs());
        assert_eq!(moment(far), "");
    }
}
