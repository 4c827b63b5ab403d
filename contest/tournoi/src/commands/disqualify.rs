//! `tournoi annuler --disqualifier`: a team that plays no more and has no rank, or is admitted again.

use std::process::ExitCode;

use anyhow::{bail, ensure};
use language::said;
use tournament::tournament::Tournament;

use super::void::unknown;

/// Disqualifies a team for a reason, or admits it again without one.
pub(super) fn run(
    tournament: &mut Tournament,
    name: &str,
    reason: Option<&str>,
) -> anyhow::Result<ExitCode> {
    let Some(place) = tournament.plan().teams.iter().position(|team| team.name == name) else {
        bail!(unknown(tournament, name))
    };
    match (&tournament.plan().teams[place].disqualified, reason) {
        (Some(known), Some(_)) => bail!(said!(
            "{name} is disqualified already: {known}",
            "{name} est déjà disqualifiée : {known}"
        )),
        (None, None) => bail!(said!("{name} is not disqualified", "{name} n'est pas disqualifiée")),
        _ => {}
    }
    ensure!(
        reason.is_none_or(|reason| !reason.is_empty()),
        said!("--reason: a reason is expected", "--raison : une raison est attendue")
    );
    tournament.change(|plan| plan.teams[place].disqualified = reason.map(str::to_owned))?;
    let (tournoi, base) = (cli::command("tournoi"), tournament.store().path().display());
    if reason.is_some() {
        cli::tell!(
            "{name} is disqualified: its games stay, it has no rank, and the house plays in its place from now on. \
             `{tournoi} void --results {base} --disqualify … --restore` admits it again",
            "{name} est disqualifiée : ses parties restent, elle n'a pas de rang, et la maison joue désormais à sa place. \
             `{tournoi} annuler --base {base} --disqualifier … --retablir` la réadmet"
        );
    } else {
        cli::tell!("{name} takes part again", "{name} participe de nouveau");
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the disqualified teams with their reasons.
pub(super) fn show(tournament: &Tournament) {
    for team in &tournament.plan().teams {
        let Some(reason) = &team.disqualified else { continue };
        let line = said!("Disqualified: {}. {reason}", "Disqualifiée : {}. {reason}", team.name);
        cli::say!("{}", cli::printable(&line));
    }
}
