//! A constant text in both languages.

use std::fmt;

use crate::Language;

/// A constant text in both languages, for errors and tables that hold a part of a message. `Display` shows the text
/// in the language of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phrase {
    english: &'static str,
    french: &'static str,
}

impl Phrase {
    /// The text in English and in French.
    #[must_use]
    pub const fn new(english: &'static str, french: &'static str) -> Self {
        Self { english, french }
    }

    /// The text in this language.
    pub const fn say(self, language: Language) -> &'static str {
        language.say(self.english, self.french)
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.say(Language::chosen()))
    }
}

impl From<&'static str> for Phrase {
    /// A text that is the same in both languages, such as a sign.
    fn from(text: &'static str) -> Self {
        Self::new(text, text)
    }
}
