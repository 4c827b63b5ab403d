//! `tournoi rapport`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use language::{Language, said};
use rating::Standings;
use tournament::tournament::{NextStep, SAMPLES, Tournament};

use super::base::BaseArgs;
use super::void::in_words;

#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    base: BaseArgs,

    #[arg(long, value_name = "FILE", help = said!(
        "Write one HTML page, in French and English, with the games to be looked at, which needs no internet",
        "Écrire une page HTML, en français et en anglais, avec les parties à revoir, qui se passe d'internet"
    ))]
    html: Option<PathBuf>,

    #[arg(long, value_name = "FILE", help = said!(
        "Write the ranking for a spreadsheet: with semicolons and decimal commas in French",
        "Écrire le classement pour un tableur : en français avec points-virgules et virgules décimales"
    ))]
    csv: Option<PathBuf>,
}

pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    let mut tournament = Tournament::look(args.base.path())?;
    let standings = tournament.standings(SAMPLES);
    show(&tournament, &standings)?;
    for conflict in tournament.store().conflicts()? {
        let (key, kept, received) = (conflict.key, conflict.kept, conflict.received);
        cli::tell!("game {key}: recorded as {kept}", "partie {key} : notée {kept}");
        cli::tell!(
            "  delivered again, and not counted, as {received}",
            "  livrée encore, sans compter, comme {received}"
        );
    }
    let write = |path: &PathBuf, text: String| {
        std::fs::write(path, text)
            .with_context(|| said!("cannot write {}", "{} ne peut pas être écrit", path.display()))
    };
    if let Some(path) = &args.csv {
        let voids = tournament.store().voids()?;
        write(path, report::csv(&standings, &voids, Language::chosen()))?;
    }
    if let Some(path) = &args.html {
        let is_over = tournament.next(None) == NextStep::Over;
        let recording = |key: &str| anyhow::Ok(tournament.store().recording(key.parse()?)?);
        write(
            path,
            report::html(crate::results::data(&tournament, &standings)?, is_over, recording)?,
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the ranking, the lots drawn for the final, and the voided games.
pub(crate) fn show(tournament: &Tournament, standings: &Standings) -> anyhow::Result<()> {
    cli::say!("{}", report::table(standings, Language::chosen()));
    let (lucky, unlucky) = tournament.lucky_finalists();
    if !lucky.is_empty() {
        let (lucky, unlucky) = (lucky.join(", "), unlucky.join(", "));
        cli::tell!(
            "Equal teams, told apart by lot: {lucky} in the final, {unlucky} not.",
            "Équipes à égalité, départagées par tirage au sort : {lucky} en finale, pas {unlucky}."
        );
    }
    for voided in tournament.store().voids()? {
        let (game, reason) = (in_words(&voided.game, &voided.outcome), &voided.reason);
        let again = if tournament.has_played(voided.game) {
            said!("played again", "rejouée")
        } else {
            said!("to be played again", "à rejouer")
        };
        cli::tell!("Voided: {game}. {reason} ({again})", "Annulée : {game}. {reason} ({again})");
    }
    Ok(())
}
