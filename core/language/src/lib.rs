//! English and French: the language of the process, and messages in both.
//!
//! The two texts of a message stand side by side in the code ([`said!`], [`Phrase`], [`Note`]). A message that lacks
//! a language or an argument does not compile.
//!
//! ```
//! use language::{Language, said};
//!
//! Language::choose(Some(Language::French));
//! let port = 1111;
//! assert_eq!(said!("port {port} is taken", "le port {port} est pris"), "le port 1111 est pris");
//! ```

mod borrowed;
mod note;
mod phrase;
#[cfg(feature = "testing")]
pub mod testing;

use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

pub use borrowed::{in_french, in_language};
pub use note::Note;
pub use phrase::Phrase;

/// A language of the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English
    English,
    /// French
    French,
}

/// The language of this process: 0 as long as none was chosen, else 1 more than its number.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

thread_local! {
    /// The language of [`Language::within`] on this thread.
    static WITHIN: Cell<Option<Language>> = const { Cell::new(None) };
}

impl Language {
    /// The language of this code: `en` or `fr`.
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::English),
            "fr" => Some(Self::French),
            _ => None,
        }
    }

    /// Sets the language of this process, on the first call only, and returns it: `asked`, or else French if the first
    /// set variable of `LC_ALL`, `LC_MESSAGES` and `LANG` names a French locale, or else English.
    pub fn choose(asked: Option<Self>) -> Self {
        let number = asked.unwrap_or_else(Self::of_environment) as u8 + 1;
        // Another thread may have been first.
        let _ = CHOSEN.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
        Self::chosen()
    }

    /// The language of this process, English unless another one was chosen; within [`within`](Self::within), its language.
    #[must_use]
    pub fn chosen() -> Self {
        if let Some(language) = WITHIN.get() {
            return language;
        }
        if CHOSEN.load(Ordering::Relaxed) == Self::French as u8 + 1 {
            Self::French
        } else {
            Self::English
        }
    }

    /// Sets the language of this process, whatever it was, as a page does whose reader chooses another one.
    pub fn switch(self) {
        CHOSEN.store(self as u8 + 1, Ordering::Relaxed);
    }

    /// Calls `work`, which makes its texts in this language whatever that of the process is.
    ///
    /// ```
    /// use language::{Language, said};
    ///
    /// let text = || said!("the port is taken", "le port est pris");
    /// let texts = [Language::English, Language::French].map(|language| language.within(text));
    /// assert_eq!(texts, ["the port is taken", "le port est pris"]);
    /// ```
    pub fn within<T>(self, work: impl FnOnce() -> T) -> T {
        /// Restores the language also when `work` panics.
        struct Restored(Option<Language>);
        impl Drop for Restored {
            fn drop(&mut self) {
                WITHIN.set(self.0);
            }
        }
        let _restored = Restored(WITHIN.replace(Some(self)));
        work()
    }

    fn of_environment() -> Self {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
        if locale.is_some_and(|locale| locale.starts_with("fr")) {
            Self::French
        } else {
            Self::English
        }
    }

    /// Returns the text in this language.
    pub const fn say<'a>(self, english: &'a str, french: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::French => french,
        }
    }

    /// The form of a word after this number: in French, 0 and 1 take the singular, in English only 1.
    pub fn plural<'a>(self, number: impl TryInto<u64>, one: &'a str, many: &'a str) -> &'a str {
        // A number beyond 64 bits is neither 0 nor 1.
        match (self, number.try_into().unwrap_or(u64::MAX)) {
            (Self::French, 0) | (_, 1) => one,
            _ => many,
        }
    }

    /// A number with `decimals` decimals, after a point in English and a comma in French. A rounded zero has no sign.
    pub fn decimal(self, value: f64, decimals: usize) -> String {
        let shown = format!("{value:.decimals$}");
        let is_zero = shown.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
        let shown = if is_zero { shown.trim_start_matches('-') } else { &shown };
        match self {
            Self::English => shown.to_owned(),
            Self::French => shown.replace('.', ","),
        }
    }

    /// A duration with up to three significant digits and its unit.
    pub fn duration(self, duration: Duration) -> String {
        let seconds = duration.as_secs_f64();
        match seconds {
            0.0..0.000_95 => format!("{} µs", duration.as_micros()),
            0.000_95..0.009_95 => format!("{} ms", self.decimal(seconds * 1e3, 1)),
            0.009_95..0.099_5 => format!("{} ms", self.decimal(seconds * 1e3, 0)),
            0.099_5..9.95 => format!("{} s", self.decimal(seconds, 2)),
            _ => format!("{} s", self.decimal(seconds, 0)),
        }
    }

    /// A number with at most `decimals` decimals and separated thousands, as the web pages show it: without zeros at the end, with
    /// halves rounded away from zero. A rounded zero has no sign.
    pub fn number(self, value: f64, decimals: u8) -> String {
        let scale = 10_f64.powi(decimals.into());
        let rounded = (value.abs() * scale).round() / scale;
        let sign = if value < 0.0 && rounded > 0.0 { "-" } else { "" };
        let shown = rounded.to_string();
        match shown.split_once('.') {
            Some((whole, part)) => {
                format!("{sign}{}{}{part}", self.grouped(whole), self.say(".", ","))
            }
            None => format!("{sign}{}", self.grouped(&shown)),
        }
    }

    /// A whole number with separated thousands: by a comma in English, by a narrow non-breaking space in French.
    pub fn whole(self, number: u64) -> String {
        self.grouped(&number.to_string())
    }

    fn grouped(self, digits: &str) -> String {
        let mut shown = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                shown.push_str(self.say(",", "\u{202f}"));
            }
            shown.push(digit);
        }
        shown
    }

    /// A text with the typography of this language: in French, blanks beside punctuation become non-breaking.
    pub fn typeset(self, text: &str) -> String {
        let mut text = text.to_owned();
        if self == Self::French {
            for sign in [":", ";", "?", "!", "»", "%"] {
                text = text.replace(&format!(" {sign}"), &format!("\u{a0}{sign}"));
            }
            text = text.replace("« ", "«\u{a0}");
        }
        text
    }
}

/// Returns the text in the language of this process ([`Language::chosen`]).
pub fn word<'a>(english: &'a str, french: &'a str) -> &'a str {
    Language::chosen().say(english, french)
}

/// A colon between two parts of a text, with its blanks, in the language of this process.
pub fn colon() -> &'static str {
    word(": ", " : ")
}

/// Formats a text in the language of this process ([`Language::chosen`]): the first text in English, the second one in
/// French, with the arguments of [`format!`].
#[macro_export]
macro_rules! said {
    ($english:literal, $french:literal $(, $($argument:tt)*)?) => {
        match $crate::Language::chosen() {
            $crate::Language::English => ::std::format!($english $(, $($argument)*)?),
            $crate::Language::French => ::std::format!($french $(, $($argument)*)?),
        }
    };
}

/// Formats a [`Note`], a text in both languages: the first one in English, the second one in French, with the arguments of
/// [`format!`].
#[macro_export]
macro_rules! note {
    ($english:literal, $french:literal $(, $($argument:tt)*)?) => {
        $crate::Note::new(
            ::std::format!($english $(, $($argument)*)?),
            ::std::format!($french $(, $($argument)*)?),
        )
    };
}

/// Logs a text in the language of this process, formatted by [`said!`], with a macro of the crate `tracing`:
/// `log!(warn, "English", "français")`.
#[macro_export]
macro_rules! log {
    ($level:ident, $($text:tt)*) => {
        ::tracing::$level!("{}", $crate::said!($($text)*))
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_form_that_their_number_asks_for() {
        let forms = |language: Language| [0, 1, 2].map(|n| language.plural(n, "tour", "tours"));
        assert_eq!(forms(Language::French), ["tour", "tour", "tours"]);
        assert_eq!(forms(Language::English), ["tours", "tour", "tours"]);
        assert_eq!(Language::English.plural(u128::MAX, "tour", "tours"), "tours");
    }

    #[test]
    fn durations_are_short() {
        for (micros, text) in [
            (0, "0 µs"),
            (420, "420 µs"),
            (1_500, "1,5 ms"),
            (23_400, "23 ms"),
            (230_000, "0,23 s"),
            (1_000_000, "1,00 s"),
            (61_000_000, "61 s"),
        ] {
            assert_eq!(Language::French.duration(Duration::from_micros(micros)), text);
        }
        assert_eq!(Language::English.duration(Duration::from_micros(1_500)), "1.5 ms");
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(Language::English.whole(1_234_567), "1,234,567");
        assert_eq!(Language::French.whole(123_456), "123\u{202f}456");
        assert_eq!(Language::French.whole(999), "999");
    }

    #[test]
    fn decimals_follow_a_comma_in_french() {
        assert_eq!(Language::French.decimal(-12.345, 2), "-12,35");
        assert_eq!(Language::English.decimal(12.345, 1), "12.3");
        assert_eq!(Language::French.decimal(-0.001, 2), "0,00");
    }

    #[test]
    fn numbers_have_no_more_decimals_than_they_need() {
        let shown = |value| [Language::English, Language::French].map(|one| one.number(value, 2));
        assert_eq!(shown(2.0 / 3.0), ["0.67", "0,67"]);
        assert_eq!(shown(-3.5), ["-3.5", "-3,5"]);
        assert_eq!(shown(0.125), ["0.13", "0,13"]);
        assert_eq!(shown(12_345.0), ["12,345", "12\u{202f}345"]);
        assert_eq!(shown(-0.001), ["0", "0"]);
    }

    #[test]
    fn blanks_before_french_signs_do_not_break() {
        let text = "« Ada » : 12 % ?";
        assert_eq!(Language::French.typeset(text), "«\u{a0}Ada\u{a0}»\u{a0}: 12\u{a0}%\u{a0}?");
        assert_eq!(Language::English.typeset(text), text);
    }
}
