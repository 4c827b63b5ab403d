//! Findings about a bot, as data; their words are elsewhere.

use serde::Serialize;

use super::case::Case;
use super::fact::Fact;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It is as it should be.
    Note,
    /// It may cost points, or was meant otherwise.
    Warning,
    /// It has to be fixed.
    Failure,
}

/// Something that was seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Its severity.
    pub severity: Severity,
    /// Where, if that matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<Case>,
    /// What.
    pub fact: Fact,
    /// The last lines that the bot has written, if they may explain it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<String>,
}

impl Finding {
    pub(crate) fn note(fact: Fact) -> Self {
        Self { severity: Severity::Note, case: None, fact, output: Vec::new() }
    }

    pub(crate) fn warning(fact: Fact) -> Self {
        Self { severity: Severity::Warning, ..Self::note(fact) }
    }

    pub(crate) fn failure(fact: Fact) -> Self {
        Self { severity: Severity::Failure, ..Self::note(fact) }
    }

    pub(crate) fn with(self, output: &[String]) -> Self {
        Self { output: output.to_vec(), ..self }
    }

    pub(crate) fn during(self, case: &Case) -> Self {
        Self { case: Some(case.clone()), ..self }
    }

    /// The same, where it is not expected of every bot.
    pub(crate) fn at_most(self, severity: Severity) -> Self {
        Self { severity: self.severity.min(severity), ..self }
    }
}
