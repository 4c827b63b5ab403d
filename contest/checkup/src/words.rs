//! Findings as sentences, in French and English.

/// An observation and the advice for it, if any, each in English and in French. The values of arguments that are not in
/// scope follow; advice has none.
macro_rules! told {
    ($english:literal, $french:literal $(, $name:ident = $value:expr)* $(,)?) => {
        Told { seen: said!($english, $french $(, $name = $value)*), advice: None }
    };
    (
        $english:literal, $french:literal, $advice_english:literal, $advice_french:literal
        $(, $name:ident = $value:expr)* $(,)?
    ) => {
        Told {
            seen: said!($english, $french $(, $name = $value)*),
            advice: Some(said!($advice_english, $advice_french)),
        }
    };
}

mod case;
mod facts;

use std::path::Path;

use language::{Language, colon, said, word};

use super::case::Case;
use super::fact::Fact;
use super::finding::Finding;
use super::report::{Check, CheckReport, CheckVerdict};

/// Maximum number of circumstances listed of an error that is repeated.
const LISTED: usize = 3;

/// A command, easy to adapt, of a program: of its name if this is a Python script.
fn example(program: &str) -> String {
    let path = Path::new(program);
    let script = path.file_name().and_then(|name| name.to_str());
    let script = script.filter(|_| path.extension().is_some_and(|kind| kind == "py"));
    let placeholders = word("{name} {server} {port}", "{nom} {serveur} {port}");
    format!("python3 {} {placeholders}", script.unwrap_or("bot.py"))
}

/// A finding in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The observation, without a full stop at its end.
    pub seen: String,
    /// The advice, if any.
    pub advice: Option<String>,
}

impl Told {
    /// The same observation with this advice.
    fn advised(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }
}

/// The title of a check.
pub fn title(check: Check) -> &'static str {
    match check {
        Check::Start => word("Start and registration", "Démarrage et inscription"),
        Check::Answers => word("Answers in time", "Réponses à temps"),
        Check::Orders => word("Orders", "Ordres"),
        Check::End => word("End of the game", "Fin de partie"),
        Check::Powers => word("Objects and powers", "Objets et pouvoirs"),
        Check::Letters => word("Every letter", "Toutes les lettres"),
        Check::Boards => word("Boards of all sizes", "Plateaux de toutes tailles"),
        Check::Names => word("Unusual names", "Noms bizarres"),
        Check::Series => word("Several games in a row", "Plusieurs parties de suite"),
        Check::Stream => word("Messages in pieces", "Messages en morceaux"),
        Check::Twins => word("Two copies at once", "Deux exemplaires à la fois"),
    }
}

/// A verdict in one word.
pub fn verdict(verdict: CheckVerdict) -> &'static str {
    match verdict {
        CheckVerdict::Passed => word("passed", "réussi"),
        CheckVerdict::Warning => word("warning", "à revoir"),
        CheckVerdict::Failed => word("failed", "échec"),
        CheckVerdict::Skipped => word("not tried", "non essayé"),
    }
}

/// The observation and the advice for a finding.
pub fn tell(finding: &Finding) -> Told {
    let Finding { case, fact, .. } = finding;
    // Advice for the special situation replaces the general advice for these facts.
    let is_of_case = match fact {
        Fact::Crashed { ending, .. } => !ending.is_success(),
        Fact::EndedEarly { .. } => matches!(case, Some(Case::Twin(_) | Case::OwnName(_))),
        fact => matches!(fact, Fact::Stuck { .. } | Fact::Walls { .. }),
    };
    let special = case.as_ref().filter(|_| is_of_case).and_then(case::advice);
    let Told { seen, advice } = facts::fact(fact);
    let seen = match case {
        Some(case) => format!("{}{}{seen}", case::case(case), colon()),
        None => seen,
    };
    let advice = special.map(str::to_owned).or(advice);
    Told { seen: typeset(&seen), advice: advice.as_deref().map(typeset) }
}

/// The question for the bot to check.
pub fn which_bot() -> String {
    let example = example("bot.py");
    said!(
        "which bot? Give its command: \"{example}\", or --config FILE",
        "quel bot ? Donnez sa commande : \"{example}\", ou bien --config FICHIER"
    )
}

/// The message that a folder does not exist.
pub fn no_folder(folder: &Path) -> String {
    let folder = folder.display();
    said!(
        "{folder} is not there, or is no folder",
        "le dossier {folder} n'existe pas, ou n'est pas un dossier"
    )
}

/// The heading of a report, with the name of the bot.
pub fn heading(team: &str) -> String {
    typeset(&said!("Checking “{team}”", "Vérification de « {team} »"))
}

/// The result of all checks in one sentence.
pub fn summary(report: &CheckReport) -> String {
    let [passed, warned, failed, skipped] =
        [CheckVerdict::Passed, CheckVerdict::Warning, CheckVerdict::Failed, CheckVerdict::Skipped]
            .map(|verdict| report.with(verdict).map(title).collect::<Vec<_>>());
    let (good, skipped) = (passed.len() + warned.len(), skipped.len());
    let made = good + failed.len();
    let (s, skipped_s) = (plural(good), plural(skipped));
    let count = said!("{good} of {made} checks passed", "{good} contrôle{s} réussi{s} sur {made}");
    let skipped = match skipped {
        0 => String::new(),
        _ => said!(" ({skipped} not tried)", " ({skipped} non essayé{skipped_s})"),
    };
    let verdict = if failed.is_empty() {
        said!(": ready for the tournament.", " : prêt pour le tournoi.")
    } else {
        said!(". Fix first: {}.", ". À corriger d'abord : {}.", failed.join(", "))
    };
    let doubtful = if warned.is_empty() {
        String::new()
    } else {
        said!(" Warnings: {}.", " À revoir si possible : {}.", warned.join(", "))
    };
    typeset(&format!("{count}{skipped}{verdict}{doubtful}"))
}

/// The line before the output of a program.
pub fn output() -> &'static str {
    word(
        "The last lines that your program wrote:",
        "Les dernières lignes que votre programme a écrites\u{a0}:",
    )
}

/// The line instead of an error that was shown already.
pub fn same_output() -> &'static str {
    word("It is the same error as above.", "C'est la même erreur que plus haut.")
}

/// The line instead of further findings with the same error, whose last line is `last`, in these circumstances.
pub fn repeated(last: &str, count: usize, cases: &[&Case]) -> String {
    let mut named: Vec<_> = cases.iter().take(LISTED).map(|&case| case::case(case)).collect();
    if named.len() < count {
        named.push("…".to_owned());
    }
    let named = named.join(word("; ", " ; "));
    let times = Language::chosen().plural(count as u64, "more time", "more times");
    typeset(&said!(
        "the same error, {last}, {count} {times}: {named}",
        "la même erreur, {last}, encore {count} fois : {named}"
    ))
}

/// The number of findings with one error, whose last line is `last`.
pub fn in_all(last: &str, count: usize) -> String {
    said!("{last}: {count} times in all", "{last} : {count} fois en tout")
}

/// The line that lists the checks that were not made.
pub fn skipped(checks: &[Check]) -> String {
    let titles: Vec<_> = checks.iter().copied().map(title).collect();
    typeset(&format!("{}{}{}", verdict(CheckVerdict::Skipped), colon(), titles.join(", ")))
}

/// The word before an advice.
pub fn advice() -> &'static str {
    word("Advice:", "Conseil\u{a0}:")
}

fn typeset(text: &str) -> String {
    Language::chosen().typeset(text)
}

/// The end of a plural.
fn plural(count: impl TryInto<u64>) -> &'static str {
    Language::chosen().plural(count, "", "s")
}
