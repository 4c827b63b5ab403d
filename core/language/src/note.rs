//! A text in both languages, for readers whose language is not known yet.

use std::fmt;

use crate::{Language, Phrase};

/// A text in both languages, for readers whose language is not known yet: of a file, a page, another process.
/// `Display` shows the text in the language of this process.
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
    pub fn say(&self, language: Language) -> &str {
        language.say(&self.en, &self.fr)
    }

    /// The text, a colon and the reason `why`.
    #[must_use]
    pub fn because(&self, why: &Self) -> Self {
        Self::new(format!("{}: {}", self.en, why.en), format!("{} : {}", self.fr, why.fr))
    }

    /// The first `characters` characters of the text, in each language.
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
    /// The text of the system, with its known parts translated into French.
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
