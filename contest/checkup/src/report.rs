//! The results of a checkup.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::fact::{Fact, NoStart, Seconds};
use super::finding::{Finding, Severity};
use super::words::{self, Told, title};

/// The checks, in the order in which they are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// It starts and registers
    #[value(name = "demarrage", alias = "start", help = title(Self::Start))]
    Start,
    /// It answers in time, over a whole game
    #[value(name = "reponses", alias = "answers", help = title(Self::Answers))]
    Answers,
    /// Its orders are well formed, and make sense
    #[value(name = "ordres", alias = "orders", help = title(Self::Orders))]
    Orders,
    /// It ends when the game does
    #[value(name = "fin", alias = "end", help = title(Self::End))]
    End,
    /// It survives every object and every power
    #[value(name = "pouvoirs", alias = "powers", help = title(Self::Powers))]
    Powers,
    /// It plays with every letter
    #[value(name = "lettres", alias = "letters", help = title(Self::Letters))]
    Letters,
    /// It plays on boards of every size
    #[value(name = "plateaux", alias = "boards", help = title(Self::Boards))]
    Boards,
    /// It copes with unusual names
    #[value(name = "noms", alias = "names", help = title(Self::Names))]
    Names,
    /// It plays several games on one connection
    #[value(name = "serie", alias = "series", help = title(Self::Series))]
    Series,
    /// It reads messages that come in pieces
    #[value(name = "morceaux", alias = "pieces", help = title(Self::Stream))]
    Stream,
    /// Two copies of it do not disturb each other
    #[value(name = "jumeaux", alias = "twins", help = title(Self::Twins))]
    Twins,
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// No fault was found.
    Passed,
    /// Something could be better.
    Warning,
    /// Something has to be fixed.
    Failed,
    /// The check was not made, because an earlier finding makes it pointless.
    Skipped,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Examination {
    /// The kind of check.
    pub check: Check,
    /// The outcome.
    pub verdict: CheckVerdict,
    /// The findings, the most severe first.
    pub findings: Vec<Finding>,
    /// Duration of the check.
    pub took: Seconds,
}

impl Examination {
    pub(crate) fn new(check: Check, mut findings: Vec<Finding>, took: Duration) -> Self {
        // The sort is stable: findings of the same severity stay in order.
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        let worst = findings.iter().map(|finding| finding.severity).max();
        let verdict = match worst {
            None | Some(Severity::Note) => CheckVerdict::Passed,
            Some(Severity::Warning) => CheckVerdict::Warning,
            Some(Severity::Failure) => CheckVerdict::Failed,
        };
        Self { check, verdict, findings, took: took.into() }
    }

    /// The finding that this machine could not start the program, if there is one.
    pub(crate) fn machine_fault(&self) -> Option<&Finding> {
        let is_fault =
            |fact: &Fact| matches!(fact, Fact::NotStarted { cause: NoStart::Machine(_), .. });
        self.findings.iter().find(|finding| is_fault(&finding.fact))
    }

    pub(crate) fn skipped(check: Check) -> Self {
        Self {
            check,
            verdict: CheckVerdict::Skipped,
            findings: Vec::new(),
            took: Seconds(Duration::ZERO),
        }
    }
}

/// All results of the checkup of a bot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckReport {
    /// The name of the bot's team.
    pub team: String,
    /// The checks, in order.
    pub checks: Vec<Examination>,
}

impl CheckReport {
    /// Tests if nothing has to be fixed. A check is skipped only if another one has failed, or would have failed
    /// but was not requested.
    pub fn is_ready(&self) -> bool {
        self.checks.iter().all(|check| check.verdict != CheckVerdict::Failed)
    }

    /// The report for scripts: the findings, with their texts in the language of the process.
    pub fn to_json(&self) -> Value {
        let finding = |finding: &Finding| {
            let Told { seen, advice } = words::tell(finding);
            let mut value = json!(finding);
            value["seen"] = json!(seen);
            value["advice"] = json!(advice);
            value
        };
        let check = |made: &Examination| {
            let findings: Vec<_> = made.findings.iter().map(finding).collect();
            let mut value = json!(made);
            value["findings"] = json!(findings);
            value["title"] = json!(title(made.check));
            value
        };
        let checks: Vec<_> = self.checks.iter().map(check).collect();
        let summary = words::summary(self);
        json!({ "team": self.team, "ready": self.is_ready(), "summary": summary, "checks": checks })
    }

    /// The checks with this verdict.
    pub fn with(&self, verdict: CheckVerdict) -> impl Iterator<Item = Check> + '_ {
        let wanted = move |made: &&Examination| made.verdict == verdict;
        self.checks.iter().filter(wanted).map(|made| made.check)
    }

    /// The findings of a check; empty if it was not made.
    pub fn findings(&self, check: Check) -> &[Finding] {
        let made = self.checks.iter().find(|made| made.check == check);
        made.map_or(&[], |made| &made.findings)
    }
}
