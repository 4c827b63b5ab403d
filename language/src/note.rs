//! A text in both languages, for whoever reads it later.

use std::fmt;

use crate::{Language, Phrase};

/// A text in both languages, for whoever reads it later: in a file, on a page, in another process. `Display`
/// shows it in the language of this process.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Note {
    /// In English.
    pub en: String,
    /// In French.
    pub fr: String,
}

impl Note {
    /// A text in English and French.
    #[must_use]
    pub fn new(en: impl Into<String>, fr: impl Into<String>) -> Self {
        Self { en: en.into(), fr: fr.into() }
    }

    /// A text that is the same in every language, such as a path.
    #[must_use]
    pub fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { en: text.clone(), fr: text }
    }

    /// The text in this language.
    #[must_use]
    pub fn say(&self, language: Language) -> &str {
        language.say(&self.en, &self.fr)
    }

    /// The text, a colon and why.
    #[must_use]
    pub fn because(&self, why: &Self) -> Self {
        Self::new(format!("{}: {}", self.en, why.en), format!("{} : {}", self.fr, why.fr))
    }

    /// At most this number of characters of it.
    #[must_use]
    pub fn shortened(&self, characters: usize) -> Self {
        let start = |text: &str| text.chars().take(characters).collect::<String>();
        Self::new(start(&self.en), start(&self.fr))
    }
}

impl From<Phrase> for Note {
    fn from(phrase: Phrase) -> Self {
        Self::new(phrase.say(Language::English), phrase.say(Language::French))
    }
}

impl From<&std::io::Error> for Note {
    /// Message of the system, in French too if it is known.
    fn from(error: &std::io::Error) -> Self {
        let text = error.to_string();
        let french = crate::in_french(&text);
        Self::new(text, french)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.say(Language::chosen()))
    }
}
