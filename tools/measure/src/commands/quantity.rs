//! One measured figure a line: with its name and unit on a terminal, as `key=value` for programs.

use std::io;

use cli::print_either;
use language::{Language, Phrase};

pub(super) const TURNS_A_SECOND: Phrase = Phrase::new("turns a second", "tours par seconde");
pub(super) const OF_BARE_EXCHANGE: Phrase =
    Phrase::new("of the bare exchange", "de l'échange simple");

/// A measured quantity: its key for programs, its name for people, and its unit.
#[derive(Clone, Debug)]
pub(super) struct Quantity<'a>(pub &'a str, pub String, pub Phrase);

impl Quantity<'_> {
    /// Prints a value with this number of decimals.
    pub(super) fn print(&self, value: f64, decimals: usize) -> io::Result<()> {
        let [people, programs] = self.texts(value, decimals, Language::chosen());
        print_either(people, programs)
    }

    /// The texts for people and for programs.
    fn texts(&self, value: f64, decimals: usize, language: Language) -> [String; 2] {
        let Self(key, name, unit) = self;
        let number = match decimals {
            0 => language.whole(value.round() as u64),
            _ => language.decimal(value, decimals),
        };
        let (colon, unit) = (language.say(":", " :"), unit.say(language));
        let people = language.typeset(&format!("{name}{colon} {number} {unit}"));
        [people, format!("{key}={value:.decimals$}")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_a_name_and_a_unit_and_programs_a_key() {
        let turns = Quantity("rules", "the rules".into(), TURNS_A_SECOND);
        let texts = turns.texts(1_234_567.6, 0, Language::English);
        assert_eq!(texts, ["the rules: 1,234,568 turns a second", "rules=1234568"]);
        let ratio = Quantity("ratio", "une partie".into(), OF_BARE_EXCHANGE);
        let texts = ratio.texts(0.987, 2, Language::French);
        assert_eq!(texts, ["une partie\u{a0}: 0,99 de l'échange simple", "ratio=0.99"]);
    }
}
