//! The names of teams.

use std::fmt;

/// A name that can be part of a state: 1 to [`MAX`](Self::MAX) characters, without separators of lines and
/// fields, without control characters, and without 20 dashes in a row, at which existing clients cut a state.
///
/// It may hold `<` or begin with `=`: code that shows a name escapes it for the medium.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name(String);

impl Name {
    /// Maximum number of characters.
    pub const MAX: usize = 64;

    /// Replaces an empty name.
    const NONE: &str = "Non fournie";

    /// Makes the name that a client asks for harmless: replaces forbidden characters by `_`, trims it and cuts
    /// it to [`MAX`](Self::MAX) characters.
    #[must_use]
    pub fn new(wanted: &str) -> Self {
        let mut dashes = 0;
        let harmless = |c: char| {
            dashes = if c == '-' { dashes + 1 } else { 0 };
            if dashes == 20 {
                dashes = 0;
            } else if !is_harmful(c) {
                return c;
            }
            '_'
        };
        let harmless: String = wanted.chars().map(harmless).collect();
        let cut: String = harmless.trim().chars().take(Self::MAX).collect();
        match cut.trim() {
            "" => Self(Self::NONE.to_owned()),
            name => Self(name.to_owned()),
        }
    }

    /// Returns the text of the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns this name if it is free, otherwise the first free one of `NAME_2`, `NAME_3`, … A long name is cut to
    /// make room for the number.
    #[must_use]
    pub fn distinct(&self, is_taken: impl Fn(&str) -> bool) -> Self {
        if !is_taken(&self.0) {
            return self.clone();
        }
        let numbered = |number: u32| {
            let suffix = format!("_{number}");
            let kept = self.0.chars().take(Self::MAX - suffix.len());
            kept.chain(suffix.chars()).collect::<String>()
        };
        let free = (2..u32::MAX).map(numbered).find(|name| !is_taken(name));
        Self(free.expect("there are more numbers than names"))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Tests if a character separates fields or lines, or is invisible but changes the display of text.
pub(crate) fn is_harmful(c: char) -> bool {
    c == ';' || is_invisible(c)
}

/// Tests if a character is invisible but changes the display of text: one of the general categories Cc, Cf, Zl and Zp of Unicode 17.
///
/// A list, because a table of all characters would be a fiftieth of what a browser has to load.
pub const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{890}'..='\u{891}'
            | '\u{8e2}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0001}'
            | '\u{e0020}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use unicode_general_category::{GeneralCategory, get_general_category};

    use super::*;

    #[test]
    fn names_become_harmless() {
        let x64 = "x".repeat(64);
        for (wanted, name) in [
            ("Ghostbuster", "Ghostbuster"),
            ("  Les Fantômes ", "Les Fantômes"),
            ("", "Non fournie"),
            (" \u{3000} ", "Non fournie"),
            ("a;b\nc\td", "a_b_c_d"),
            ("\u{1b}[31mred", "_[31mred"),
            ("\u{202e}evil\u{2028}\u{2029}", "_evil__"),
            (&"x".repeat(70), &x64),
            (&format!("{} y", "x".repeat(63)), &x64[1..]),
            (&"-".repeat(41), &format!("{0}_{0}_-", "-".repeat(19))),
            ("=1+1", "=1+1"),
        ] {
            assert_eq!(Name::new(wanted).as_str(), name, "{wanted:?}");
        }
    }

    #[test]
    fn invisible_characters_are_those_of_unicode() {
        use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, Surrogate};
        let differ = |c: &char| {
            let category = get_general_category(*c);
            let is_one = matches!(
                category,
                Control | Format | Surrogate | LineSeparator | ParagraphSeparator
            );
            is_one != is_invisible(*c)
        };
        assert_eq!(('\0'..=char::MAX).find(differ), None);
    }

    #[test]
    fn taken_names_are_numbered_within_the_limit() {
        let name = Name::new("Ada");
        assert_eq!(name.distinct(|_| false).as_str(), "Ada");
        assert_eq!(name.distinct(|taken| taken == "Ada").as_str(), "Ada_2");
        let taken = ["Ada", "Ada_2", "Ada_3"];
        assert_eq!(name.distinct(|name| taken.contains(&name)).as_str(), "Ada_4");
        let long = Name::new(&"é".repeat(64));
        let numbered = long.distinct(|taken| taken == long.as_str());
        assert_eq!(numbered.as_str(), format!("{}_2", "é".repeat(62)));
    }

    #[test]
    fn any_name_stays_as_it_is_the_second_time() {
        bolero::check!().for_each(|wanted: &[u8]| {
            let name = Name::new(&String::from_utf8_lossy(wanted));
            assert!((1..=Name::MAX).contains(&name.as_str().chars().count()));
            assert!(!name.as_str().contains([';', '\n', '\r', '\0']));
            assert!(!name.as_str().contains(&"-".repeat(20)));
            assert_eq!(Name::new(name.as_str()), name);
            let numbered = name.distinct(|taken| taken == name.as_str());
            assert_ne!(numbered, name);
            assert_eq!(Name::new(numbered.as_str()), numbered);
        });
    }
}
