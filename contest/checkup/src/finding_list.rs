//! The findings of a check of several games.

use super::bench::Played;
use super::case::Case;
use super::fact::Fact;
use super::finding::{Finding, Severity};
use super::game_record::End;

#[derive(Debug, Default)]
pub(super) struct FindingList {
    findings: Vec<Finding>,
    /// The number of games without a fault.
    well: usize,
    /// The number of turns played, and of all turns of these games.
    played: u32,
    of: u32,
    is_cut_short: bool,
}

impl FindingList {
    pub(super) fn add(&mut self, case: &Case, played: &Played, found: Vec<Finding>) {
        self.played += played.record.played;
        self.of += played.of;
        self.is_cut_short |= played.record.end == End::CutShort;
        self.judge(case, found);
    }

    /// Adds the findings of an attempt that may not have become a game.
    pub(super) fn judge(&mut self, case: &Case, found: Vec<Finding>) {
        self.well += usize::from(found.iter().all(|finding| finding.severity == Severity::Note));
        self.findings.extend(found.into_iter().map(|finding| finding.during(case)));
    }

    pub(super) fn push(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Returns all findings; notes if time ran out, or if all went well.
    pub(super) fn finish(self) -> Vec<Finding> {
        let Self { mut findings, well, played, of, is_cut_short } = self;
        if is_cut_short {
            findings.insert(0, Finding::note(Fact::CutShort { played, of }));
        }
        if well > 0 && findings.iter().all(|finding| finding.severity == Severity::Note) {
            findings.insert(0, Finding::note(Fact::AllWell { games: well }));
        }
        findings
    }
}
