//! Which bots there are.

use crate::{Bot, aleatoire::Aleatoire, dijkstra::Dijkstra, glouton::Glouton, prudent::Prudent};

/// A bot that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// How flags name it.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    make: fn(u64) -> Box<dyn Bot>,
}

/// Every bot, from weak to strong.
#[rustfmt::skip]
pub const ALL: &[Entry] = &[
    entry("aleatoire", "any direction, at random", |seed| Box::new(Aleatoire::new(seed))),
    entry("prudent", "at random, never into a wall, never straight back", |seed| Box::new(Prudent::new(seed))),
    entry("glouton", "the best object for its distance, and the nearest prey", |_| Box::new(Glouton::default())),
    entry("dijkstra", "plans against where the others will be, and intercepts", |_| Box::new(Dijkstra::default())),
];

const fn entry(name: &'static str, summary: &'static str, make: fn(u64) -> Box<dyn Bot>) -> Entry {
    Entry { name, summary, make }
}

impl Entry {
    /// A bot of this kind; bots with the same seed draw the same.
    #[must_use]
    pub fn make(&self, seed: u64) -> Box<dyn Bot> {
        (self.make)(seed)
    }
}

/// The bot of this name.
///
/// # Errors
///
/// When there is none, with the list of those there are.
pub fn by_name(name: &str) -> Result<&'static Entry, String> {
    ALL.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let known: Vec<_> =
            ALL.iter().map(|e| format!("\n  {:<12} {}", e.name, e.summary)).collect();
        format!("there is no bot {name:?}, expected one of:{}", known.concat())
    })
}
