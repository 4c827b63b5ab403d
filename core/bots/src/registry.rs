//! The list of all Pacman bots.

use std::fmt;

use language::{Phrase, said};

use crate::{
    Bot, aleatoire::Aleatoire, champion::Champion, dijkstra::Dijkstra, glouton::Glouton,
    prudent::Prudent, students,
};

/// A bot with a name; `B` is the bot trait of its game.
pub struct Entry<B: ?Sized> {
    /// The name of the bot in flags.
    pub name: &'static str,
    /// The strategy of the bot, in a few words.
    pub summary: Phrase,
    make: fn(u64) -> Box<B>,
}

impl<B: ?Sized> fmt::Debug for Entry<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({})", self.name)
    }
}

/// Every bot, from weak to strong.
#[rustfmt::skip]
pub const ALL: &[Entry<dyn Bot>] = &[
    entry("aleatoire", Phrase::new("any direction, at random", "une direction au hasard"), |seed| Box::new(Aleatoire::new(seed))),
    entry("prudent", Phrase::new("at random, never into a wall, never straight back", "au hasard, sans aller dans un mur ni revenir aussitôt"), |seed| Box::new(Prudent::new(seed))),
    entry("glouton", Phrase::new("the best object for its distance, and the nearest prey", "le meilleur objet pour sa distance, et la proie la plus proche"), |_| Box::new(Glouton::default())),
    entry("dijkstra", Phrase::new("plans against where the others will be, and intercepts", "prévoit où seront les autres, et intercepte"), |_| Box::new(Dijkstra::default())),
    entry("champion", Phrase::new("models its opponents, and plans against what they probably do", "modélise ses adversaires, et prévoit ce qu'ils feront sans doute"), |_| Box::new(Champion::default())),
];

/// An entry of a table of bots.
pub(crate) const fn entry<B: ?Sized>(
    name: &'static str,
    summary: Phrase,
    make: fn(u64) -> Box<B>,
) -> Entry<B> {
    Entry { name, summary, make }
}

impl<B: ?Sized> Entry<B> {
    /// An entry for a custom bot; `make` creates the bot from the seed of its draws.
    #[must_use]
    pub const fn new(name: &'static str, make: fn(u64) -> Box<B>) -> Self {
        entry(name, Phrase::new("a bot of one's own", "un bot à soi"), make)
    }

    /// Creates a bot; bots with the same seed make the same draws.
    pub fn make(&self, seed: u64) -> Box<B> {
        (self.make)(seed)
    }
}

/// The bot or the [student](students::NAMES) of this name. In a web page, which has no room for them, there are no students.
///
/// # Errors
///
/// If nobody has this name, with the list of all bots.
pub fn by_name(name: &str) -> Result<&'static Entry<dyn Bot>, String> {
    if !cfg!(target_family = "wasm")
        && let Some(student) = students::NAMES.iter().find(|student| student.name == name)
    {
        return Ok(student);
    }
    find(ALL, name)
}

/// The entry with this name; otherwise an error with the list of all entries.
pub(crate) fn find<'a, B: ?Sized>(all: &'a [Entry<B>], name: &str) -> Result<&'a Entry<B>, String> {
    all.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let width = all.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
        let known = all.iter().map(|e| format!("\n  {:<width$} {}", e.name, e.summary));
        said!(
            "there is no bot {name:?}, expected one of:{}",
            "il n'y a pas de bot {name:?} ; il y a :{}",
            known.collect::<String>()
        )
    })
}
