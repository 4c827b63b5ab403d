//! Findings as sentences, in French and English.

/// A text in this language, with the same arguments in both.
macro_rules! text {
    ($language:expr, $english:literal, $french:literal $(, $argument:expr)* $(,)?) => {
        match $language {
            Language::English => format!($english $(, $argument)*),
            Language::French => format!($french $(, $argument)*),
        }
    };
}

mod case;
mod facts;

use std::path::Path;

use language::Language;

use self::case::plural;
use super::case::Case;
use super::fact::Fact;
use super::finding::Finding;
use super::report::{Check, CheckReport, CheckVerdict};

/// Maximum number of circumstances listed of an error that is repeated.
const LISTED: usize = 3;

/// An example of a command, easy to adapt.
const EXAMPLE: &str = "python3 bot.py {nom} {serveur} {port}";

/// The example, with the name of the program if this is a Python script.
fn example(program: &str) -> String {
    let path = Path::new(program);
    match path.file_name().and_then(|name| name.to_str()) {
        Some(script) if path.extension().is_some_and(|kind| kind == "py") => {
            EXAMPLE.replace("bot.py", script)
        }
        _ => EXAMPLE.to_owned(),
    }
}

/// A finding in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The observation, without a full stop at its end.
    pub seen: String,
    /// The advice, if any.
    pub advice: Option<String>,
}

/// The title of a check.
#[must_use]
pub fn title(check: Check, language: Language) -> &'static str {
    match check {
        Check::Start => language.say("Start and registration", "Démarrage et inscription"),
        Check::Answers => language.say("Answers in time", "Réponses à temps"),
        Check::Orders => language.say("Orders", "Ordres"),
        Check::End => language.say("End of the game", "Fin de partie"),
        Check::Powers => language.say("Objects and powers", "Objets et pouvoirs"),
        Check::Letters => language.say("Every letter", "Toutes les lettres"),
        Check::Boards => language.say("Boards of all sizes", "Plateaux de toutes tailles"),
        Check::Names => language.say("Unusual names", "Noms bizarres"),
        Check::Series => language.say("Several games in a row", "Plusieurs parties de suite"),
        Check::Stream => language.say("Messages in pieces", "Messages en morceaux"),
        Check::Twins => language.say("Two copies at once", "Deux exemplaires à la fois"),
    }
}

/// A verdict in one word.
#[must_use]
pub fn verdict(verdict: CheckVerdict, language: Language) -> &'static str {
    match verdict {
        CheckVerdict::Passed => language.say("passed", "réussi"),
        CheckVerdict::Warning => language.say("warning", "à revoir"),
        CheckVerdict::Failed => language.say("failed", "échec"),
        CheckVerdict::Skipped => language.say("not tried", "non essayé"),
    }
}

/// The observation and the advice for a finding.
#[must_use]
pub fn tell(finding: &Finding, language: Language) -> Told {
    let Finding { case, fact, .. } = finding;
    // Advice for the special situation replaces the general advice for these facts.
    let is_of_case = match fact {
        Fact::Crashed { ending, .. } => !ending.is_success(),
        Fact::EndedEarly { .. } => matches!(case, Some(Case::Twin(_) | Case::OwnName(_))),
        fact => matches!(fact, Fact::Stuck { .. } | Fact::Walls { .. }),
    };
    let case_for_advice = case.as_ref().filter(|_| is_of_case);
    let (seen, advice) = facts::fact(fact, language);
    let special = case_for_advice.and_then(|case| case::advice(case, language));
    let seen = match case {
        Some(case) => format!("{}{} {seen}", case::case(case, language), language.say(":", " :")),
        None => seen,
    };
    Told {
        seen: language.typeset(&seen),
        advice: special.map(str::to_owned).or(advice).map(|text| language.typeset(&text)),
    }
}

/// The question for the bot to check.
#[must_use]
pub fn which_bot(language: Language) -> String {
    match language {
        Language::French => {
            format!("quel bot ? Donnez sa commande : \"{EXAMPLE}\", ou bien --config FICHIER")
        }
        Language::English => {
            format!("which bot? Give its command: \"{EXAMPLE}\", or --config FILE")
        }
    }
}

/// The message that a folder does not exist.
#[must_use]
pub fn no_folder(folder: &Path, language: Language) -> String {
    let folder = folder.display();
    match language {
        Language::French => format!("le dossier {folder} n'existe pas, ou n'est pas un dossier"),
        Language::English => format!("{folder} is not there, or is no folder"),
    }
}

/// The heading of a report, with the name of the bot.
#[must_use]
pub fn heading(team: &str, language: Language) -> String {
    match language {
        Language::French => language.typeset(&format!("Vérification de « {team} »")),
        Language::English => format!("Checking “{team}”"),
    }
}

/// The result of all checks in one sentence.
#[must_use]
pub fn summary(report: &CheckReport, language: Language) -> String {
    let [good, made, skipped] = counts(report);
    let (passed, untried) = (plural(good as u64, language), plural(skipped as u64, language));
    let count = text!(
        language,
        "{good} of {made} checks passed",
        "{good} contrôle{passed} réussi{passed} sur {made}"
    );
    let skipped = match skipped {
        0 => String::new(),
        _ => text!(language, " ({skipped} not tried)", " ({skipped} non essayé{untried})"),
    };
    let verdict = if report.is_ready() {
        language.say(": ready for the tournament.", " : prêt pour le tournoi.").to_owned()
    } else {
        let failed = titles(report, CheckVerdict::Failed, language);
        text!(language, ". Fix first: {failed}.", ". À corriger d'abord : {failed}.")
    };
    let doubtful = match titles(report, CheckVerdict::Warning, language) {
        none if none.is_empty() => none,
        doubtful => {
            text!(language, " Warnings: {doubtful}.", " À revoir si possible : {doubtful}.")
        }
    };
    language.typeset(&format!("{count}{skipped}{verdict}{doubtful}"))
}

/// The line before the output of a program.
#[must_use]
pub fn output(language: Language) -> &'static str {
    match language {
        Language::French => "Les dernières lignes que votre programme a écrites\u{a0}:",
        Language::English => "The last lines that your program wrote:",
    }
}

/// The line instead of an error that was shown already.
#[must_use]
pub fn same_output(language: Language) -> &'static str {
    match language {
        Language::French => "C'est la même erreur que plus haut.",
        Language::English => "It is the same error as above.",
    }
}

/// The line instead of further findings with the same error, whose last line is `last`, in these circumstances.
#[must_use]
pub fn repeated(last: &str, count: usize, cases: &[&Case], language: Language) -> String {
    let mut named: Vec<_> =
        cases.iter().take(LISTED).map(|&case| case::case(case, language)).collect();
    if named.len() < count {
        named.push("…".to_owned());
    }
    let times = language.plural(count as u64, "more time", "more times");
    match language {
        Language::French => {
            let line =
                format!("la même erreur, {last}, encore {count} fois : {}", named.join(" ; "));
            language.typeset(&line)
        }
        Language::English => {
            format!("the same error, {last}, {count} {times}: {}", named.join("; "))
        }
    }
}

/// The number of findings with one error, whose last line is `last`.
#[must_use]
pub fn in_all(last: &str, count: usize, language: Language) -> String {
    match language {
        Language::French => format!("{last} : {count} fois en tout"),
        Language::English => format!("{last}: {count} times in all"),
    }
}

/// The line that lists the checks that were not made.
#[must_use]
pub fn skipped(checks: &[Check], language: Language) -> String {
    let titles: Vec<_> = checks.iter().map(|check| title(*check, language)).collect();
    let colon = if language == Language::French { "\u{a0}: " } else { ": " };
    format!("{}{colon}{}", verdict(CheckVerdict::Skipped, language), titles.join(", "))
}

/// The word before an advice.
#[must_use]
pub fn advice(language: Language) -> &'static str {
    match language {
        Language::French => "Conseil\u{a0}:",
        Language::English => "Advice:",
    }
}

/// Numbers of checks that passed, possibly with a warning; that were made; and that were skipped.
fn counts(report: &CheckReport) -> [usize; 3] {
    let count = |wanted: fn(CheckVerdict) -> bool| {
        report.checks.iter().filter(|made| wanted(made.verdict)).count()
    };
    [
        count(|verdict| matches!(verdict, CheckVerdict::Passed | CheckVerdict::Warning)),
        count(|verdict| verdict != CheckVerdict::Skipped),
        count(|verdict| verdict == CheckVerdict::Skipped),
    ]
}

/// The titles of the checks with this verdict, separated by commas.
fn titles(report: &CheckReport, verdict: CheckVerdict, language: Language) -> String {
    let titles = report.with(verdict).map(|check| title(check, language));
    titles.collect::<Vec<_>>().join(", ")
}
