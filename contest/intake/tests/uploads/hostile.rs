//! Hostile uploads: each one is refused for its own reason, and leaves nothing behind.

mod archives;
mod bombs;
mod kinds;
mod names;

use std::time::{Duration, Instant};

use intake::{Limits, Refusal};
use language::Language;
use protocol::is_invisible;

use crate::world::World;

/// Number of attempts, which the documentation of the crate tells.
const ATTEMPTS: usize = 161;
/// Longest time for an attempt; all of them take some seconds on a slow disk.
const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum number of bytes that an attempt may have on the heap at a time.
const MEMORY: u64 = 4 << 20;

/// An upload, and why it has to be refused.
struct Attempt {
    /// The name that the student gives it.
    name: &'static str,
    upload: Vec<u8>,
    limits: Limits,
    expected: Refusal,
}

impl Attempt {
    fn new(name: &'static str, upload: Vec<u8>, expected: impl Into<Refusal>) -> Self {
        Self { name, upload, limits: Limits::default(), expected: expected.into() }
    }

    fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
}

#[test]
fn hostile_uploads_are_refused_and_leave_nothing_behind() {
    let attempts = [names::attempts(), kinds::attempts(), bombs::attempts(), archives::attempts()];
    let attempts: Vec<Attempt> = attempts.into_iter().flatten().collect();
    let world = World::new();
    let before = world.files();
    for Attempt { name, upload, limits, expected } in &attempts {
        let start = Instant::now();
        let mut found = None;
        let memory = allocation_counter::measure(|| {
            found = Some(world.unpack(name, upload, limits));
        });
        assert!(start.elapsed() < PATIENCE, "{expected:?}");
        let found = found.unwrap();
        assert!(memory.bytes_max < MEMORY, "{expected:?} takes {} bytes", memory.bytes_max);
        let refusal = found.expect_err(&format!("{expected:?}"));
        assert_eq!(format!("{refusal:?}"), format!("{expected:?}"), "{name}");
        assert!(world.is_clean(), "{refusal:?}");
        assert_eq!(world.files(), before, "{refusal:?}");
        check_words(&refusal);
    }
    assert_eq!(attempts.len(), ATTEMPTS);
    let told = include_str!("../../src/lib.rs");
    assert!(told.contains(&format!("{ATTEMPTS} tried, 0 let in")));
}

/// Tests if a refusal is a printable sentence in both languages.
fn check_words(refusal: &Refusal) {
    let words = refusal.words();
    assert_ne!(words.en, words.fr);
    for text in [Language::English, Language::French].map(|language| words.say(language)) {
        assert!(!text.contains(is_invisible) && text.chars().count() < 400, "{text:?}");
    }
}
