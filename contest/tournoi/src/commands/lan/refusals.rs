//! Refused players, in sentences for the organiser.

use std::collections::BTreeSet;

use arena::hall::{RefusalReason, RefusedPlayer};
use plan::Note;

use crate::resemblance::closest;

/// Words refusals, and knows which ones were told.
#[derive(Default)]
pub(super) struct Refusals {
    listed: Vec<String>,
    told: BTreeSet<String>,
}

impl Refusals {
    pub(super) fn new(listed: Vec<String>) -> Self {
        Self { listed, told: BTreeSet::new() }
    }

    /// The refusal in a sentence: who, from where, why, and the name on the list that was probably meant.
    pub(super) fn words(&self, refused: &RefusedPlayer) -> Note {
        let RefusedPlayer { name, address, reason } = refused;
        let Note { en, fr } = reason.words();
        let meant = match reason {
            RefusalReason::NotListed => {
                closest(name.as_str(), self.listed.iter().map(String::as_str))
            }
            _ => None,
        };
        let [meant_en, meant_fr] = match meant {
            Some(meant) => [format!("; {meant} is"), format!(" ; {meant} y est")],
            None => [String::new(), String::new()],
        };
        Note::new(
            format!("{name} is refused, from {address}: {en}{meant_en}"),
            format!("inscription refusée à {name}, depuis {address} : {fr}{meant_fr}"),
        )
    }

    /// The sentences that were not returned before, at most 256 of them.
    pub(super) fn news(&mut self, notes: &[Note]) -> Vec<Note> {
        let is_new = |note: &&Note| self.told.len() < MOST && self.told.insert(note.en.clone());
        notes.iter().filter(is_new).cloned().collect()
    }
}

/// Maximum number of refusals that are printed: anybody can be refused under any name.
const MOST: usize = 256;
