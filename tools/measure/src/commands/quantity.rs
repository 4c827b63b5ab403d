//! One measured figure a line: with its name and unit on a terminal, as `key=value` for programs.

use std::io;

use cli::print_either;
use language::{Language, Phrase};

pub(super) const TURNS_A_SECOND: Phrase = Phrase::new("turns a second", "tours par seconde");
pub(super) const OF_BARE_EXCHANGE: Phrase =
    Phrase::new("of the bare exchange", "de l'échange simple");

/// A measured quantity: its names for people and programs, and its unit.
#[derive(Clone, Debug)]
pub(super) struct Quantity<'a> {
    key: &'a str,
    name: String,
    unit: Phrase,
}

impl<'a> Quantity<'a> {
    /// The key is for programs, the name for people.
    pub(super) const fn new(key: &'a str, name: String, unit: Phrase) -> Self {
        Self { key, name, unit }
    }

    /// Prints a value with this number of decimals.
    pub(super) fn print(&self, value: f64, decimals: usize) -> io::Result<()> {
        let people = self.for_people(value, decimals, Language::chosen());
        print_either(people, self.for_programs(value, decimals))
    }

    fn for_people(&self, value: f64, decimals: usize, language: Language) -> String {
        let number = match decimals {
            0 => language.whole(value.round() as u64),
            _ => language.decimal(value, decimals),
        };
        language.typeset(&format!(
            "{}{} {number} {}",
            self.name,
            language.say(":", " :"),
            self.unit.say(language)
        ))
    }

    fn for_programs(&self, value: f64, decimals: usize) -> String {
        format!("{}={value:.decimals$}", self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_a_name_and_a_unit_and_programs_a_key() {
        let turns = Quantity::new("rules", "the rules".into(), TURNS_A_SECOND);
        let said = turns.for_people(1_234_567.6, 0, Language::English);
        assert_eq!(said, "the rules: 1,234,568 turns a second");
        assert_eq!(turns.for_programs(1_234_567.6, 0), "rules=1234568");
        let ratio = Quantity::new("ratio", "une partie".into(), OF_BARE_EXCHANGE);
        let said = ratio.for_people(0.987, 2, Language::French);
        assert_eq!(said, "une partie\u{a0}: 0,99 de l'échange simple");
        assert_eq!(ratio.for_programs(0.987, 2), "ratio=0.99");
    }
}
