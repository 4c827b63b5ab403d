//! Findings as sentences, in French and English.

mod english;
mod french;

use std::time::Duration;

use cli::Language;

use super::finding::Finding;
use super::report::{Check, Report, Verdict};

/// The only command that all know how to change into theirs.
const EXAMPLE: &str = "python3 bot.py {nom} {serveur} {port}";

/// A finding in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What was seen; no full stop at its end.
    pub seen: String,
    /// What to do about it.
    pub advice: Option<String>,
}

/// What a check is called.
#[must_use]
pub fn title(check: Check, language: Language) -> &'static str {
    match language {
        Language::French => french::title(check),
        Language::English => english::title(check),
    }
}

/// A verdict in one word.
#[must_use]
pub fn verdict(verdict: Verdict, language: Language) -> &'static str {
    match language {
        Language::French => french::verdict(verdict),
        Language::English => english::verdict(verdict),
    }
}

/// What was seen, and what to do about it.
#[must_use]
pub fn tell(finding: &Finding, language: Language) -> Told {
    let (place, (seen, advice)) = match language {
        Language::French => (finding.case.as_ref().map(french::case), french::fact(&finding.fact)),
        Language::English => {
            (finding.case.as_ref().map(english::case), english::fact(&finding.fact))
        }
    };
    let colon = if language == Language::French { " : " } else { ": " };
    let seen = match place {
        Some(place) => format!("{place}{colon}{seen}"),
        None => seen,
    };
    Told { seen, advice }
}

/// What stands above a report: who is checked.
#[must_use]
pub fn heading(team: &str, language: Language) -> String {
    match language {
        Language::French => format!("Vérification de « {team} »"),
        Language::English => format!("Checking “{team}”"),
    }
}

/// What it comes to.
#[must_use]
pub fn summary(report: &Report, language: Language) -> String {
    match language {
        Language::French => french::summary(report),
        Language::English => english::summary(report),
    }
}

/// Stands before what a program has written.
#[must_use]
pub fn output(language: Language) -> &'static str {
    match language {
        Language::French => "Les dernières lignes que votre programme a écrites :",
        Language::English => "The last lines that your program wrote:",
    }
}

/// Stands where an error was shown already.
#[must_use]
pub fn same_output(language: Language) -> &'static str {
    match language {
        Language::French => "C'est la même erreur que plus haut.",
        Language::English => "It is the same error as above.",
    }
}

/// Stands before an advice.
#[must_use]
pub fn advice(language: Language) -> &'static str {
    match language {
        Language::French => "Conseil :",
        Language::English => "Advice:",
    }
}

/// The titles of some checks, one after the other.
fn titles(report: &Report, verdict: Verdict, title: fn(Check) -> &'static str) -> String {
    report.with(verdict).map(title).collect::<Vec<_>>().join(", ")
}

/// A duration with two digits that say something, and this decimal point.
fn time(duration: Duration, point: char) -> String {
    let seconds = duration.as_secs_f64();
    let text = match seconds {
        0.0..0.000_95 => return format!("{} µs", duration.as_micros()),
        0.000_95..0.009_95 => format!("{:.1} ms", seconds * 1e3),
        0.009_95..0.099_5 => format!("{:.0} ms", seconds * 1e3),
        0.099_5..9.95 => format!("{seconds:.2} s"),
        _ => format!("{seconds:.0} s"),
    };
    text.replace('.', &point.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        for (micros, text) in [
            (0, "0 µs"),
            (420, "420 µs"),
            (1_500, "1,5 ms"),
            (23_400, "23 ms"),
            (230_000, "0,23 s"),
            (1_000_000, "1,00 s"),
            (61_000_000, "61 s"),
        ] {
            assert_eq!(time(Duration::from_micros(micros), ','), text);
        }
        assert_eq!(time(Duration::from_micros(1_500), '.'), "1.5 ms");
    }
}
