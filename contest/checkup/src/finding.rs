//! A finding about a bot, as data; the module `words` turns it into sentences.

use serde::Serialize;

use super::case::Case;
use super::fact::Fact;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The bot behaves as expected.
    Note,
    /// A possible loss of points, or probably a mistake.
    Warning,
    /// A fault that has to be fixed.
    Failure,
}

/// An observation about a bot, with its severity and circumstances.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The severity.
    pub severity: Severity,
    /// The circumstances, if they matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<Case>,
    /// The observation.
    pub fact: Fact,
    /// The last lines of the program's output, if they may explain the observation.
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

    /// Limits the severity, for a situation that not every bot has to cope with.
    pub(crate) fn at_most(self, severity: Severity) -> Self {
        Self { severity: self.severity.min(severity), ..self }
    }

    /// Tests if answers were late or missing.
    pub(crate) fn is_slow(&self) -> bool {
        matches!(self.fact, Fact::Missed { .. })
    }
}
