//! Results for readers: a table for a terminal, a CSV file for spreadsheets, a page for a browser.
//!
//! All of them but [`alike`], which shows programs that look copied, show the same [`Results`]. The page is one file that loads nothing; it shows [`Data`], which
//! the [live] page requests as well.

pub mod about;
pub mod alike;
pub mod csv;
pub mod data;
mod game_sheet;
mod groups;
pub mod live;
pub mod page;
pub mod ranking;
pub mod spread;
pub mod table;

pub use about::About;
pub use csv::{csv, sheet};
pub use data::{Collector, Data, Results};
pub use game_sheet::GameSheet;
pub use groups::{GroupStandings, groups_csv, groups_table};
pub use page::html;
pub use ranking::Ranking;
pub use table::table;

use language::Language;
use plan::Voided;
use rating::Standings;
use rating::standings::Row;

/// Maximum risk of an error at which reports name a best team.
const RISK: f64 = 0.05;

/// The rank of each row, from 1: teams with the same strength and the same mean points share one. `None` for
/// teams without games and disqualified ones, which come last.
fn ranks(standings: &Standings) -> Vec<Option<usize>> {
    let mut ranks: Vec<Option<usize>> = Vec::with_capacity(standings.rows.len());
    for (index, row) in standings.rows.iter().enumerate() {
        let shared = index.checked_sub(1).filter(|&before| {
            let before = &standings.rows[before];
            (before.strength, before.record.mean_points) == (row.strength, row.record.mean_points)
        });
        let rank = shared.map_or(Some(index + 1), |before| ranks[before]);
        ranks.push(rank.filter(|_| row.is_ranked()));
    }
    ranks
}

/// A column of a table: its title in English and in French, and its cell in a line.
type Column = (&'static str, &'static str, fn(&Line<'_>) -> String);

/// The titles of columns.
fn titles(columns: &[Column], language: Language) -> Vec<&'static str> {
    columns.iter().map(|(english, french, _)| language.say(english, french)).collect()
}

/// The cells of a line.
fn cells(columns: &[Column], line: &Line<'_>) -> Vec<String> {
    columns.iter().map(|(_, _, cell)| cell(line)).collect()
}

/// A team in a table.
struct Line<'a> {
    /// The name of the team's tournament among several; empty in the table of one.
    group: &'a str,
    row: &'a Row,
    /// `None` for a team without games, and for a disqualified one.
    rank: Option<usize>,
    /// True if at least one other team has games, too.
    is_compared: bool,
    /// The number of voided results of the team.
    voided: usize,
    language: Language,
}

/// The teams of a ranking, best first.
fn lines<'a>(
    standings: &'a Standings,
    voids: &'a [Voided],
    language: Language,
) -> impl Iterator<Item = Line<'a>> {
    let is_compared = standings.rows.iter().filter(|row| row.is_ranked()).count() > 1;
    standings.rows.iter().zip(ranks(standings)).map(move |(row, rank)| {
        let is_its = |voided: &&Voided| {
            voided.outcome.seats.iter().any(|seat| !seat.is_house && seat.team == row.name)
        };
        let voided = voids.iter().filter(is_its).count();
        Line { group: "", row, rank, is_compared, voided, language }
    })
}
