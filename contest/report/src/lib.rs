//! Results for readers: a table for a terminal, a CSV file for spreadsheets, a page for a browser.
//!
//! All of them show the same [`Results`]. The page is one file that loads nothing; it shows [`Data`], which
//! the [live] page requests as well.

pub mod about;
pub mod csv;
pub mod data;
pub mod live;
pub mod page;
pub mod ranking;
pub mod spread;
pub mod table;

pub use about::About;
pub use csv::csv;
pub use data::{Collector, Data, Results};
pub use page::html;
pub use ranking::Ranking;
pub use table::table;

use rating::Standings;

/// Maximum risk of an error at which reports name a best team.
const RISK: f64 = 0.05;

/// The rank of each row, from 1: teams with the same strength and the same mean points share one. `None` for
/// teams without games, which come last.
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
