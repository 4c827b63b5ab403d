//! The checkup of a whole class as a table.

use std::io::{self, IsTerminal};

use checkup::{CheckReport, CheckVerdict, words};
use comfy_table::{LineStyle, Table, presets};
use language::{said, word};

/// Tells on a terminal which team is checked.
pub(super) fn say_progress(team: &str, number: usize, of: usize) {
    if io::stderr().is_terminal() {
        let team = cli::printable(team);
        cli::warn!("{number}/{of} {team}…", "{number}/{of} {team}…");
    }
}

/// A row for each team: whether it is ready, and what has to be fixed.
pub(super) fn table(reports: &[CheckReport], refused: &[(String, String)]) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_header([
        word("Team", "Équipe"),
        word("Ready", "Prête"),
        word("To fix", "À corriger"),
    ]);
    // As wide as the narrowest usual terminal.
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table.set_width(80);
    for report in reports {
        let titles =
            |verdict| report.with(verdict).map(words::title).collect::<Vec<_>>().join(", ");
        let [failed, warned] = [CheckVerdict::Failed, CheckVerdict::Warning].map(titles);
        let (ready, told) = match (failed.is_empty(), warned.is_empty()) {
            (false, _) => (word("no", "non"), failed),
            (true, false) => {
                (word("yes", "oui"), said!("perhaps: {warned}", "peut-être : {warned}"))
            }
            (true, true) => (word("yes", "oui"), String::new()),
        };
        table.add_row([&cli::printable(&report.team), ready, &told]);
    }
    for (team, why) in refused {
        table.add_row([&cli::printable(team), word("no", "non"), why]);
    }
    let ready = reports.iter().filter(|report| report.is_ready()).count();
    let all = reports.len() + refused.len();
    let more = word(
        "`tournoi check --folders` with one of them says more.",
        "`tournoi verifier --dossiers` pour une équipe en dit plus.",
    );
    let count = said!("Ready: {ready} of {all}.", "Prêtes : {ready} sur {all}.");
    let count = language::Language::chosen().typeset(&count);
    format!("{table}\n{count} {more}")
}
