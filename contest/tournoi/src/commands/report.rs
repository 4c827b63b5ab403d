//! `tournoi rapport`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use language::{Language, said};
use rating::Standings;
use report::GameSheet;
use tournament::store::GameOrder;
use tournament::tournament::{NextStep, SAMPLES, Tournament};

use crate::output_file;

use super::base::BaseFlag;
use super::void::in_words;
use super::{disqualify, groups, recording, resume};

#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    #[arg(value_name = "BASE", conflicts_with = "base", help = said!(
        "File with the results, as --results; several, one for each group of a class, give one table by group and rank, in which \
         ratings of different groups cannot be compared",
        "Fichier des résultats, comme --base ; plusieurs, un par groupe d'une classe, donnent un tableau par groupe et par rang, \
         où les cotes de groupes différents ne se comparent pas"
    ))]
    files: Vec<PathBuf>,

    #[command(flatten)]
    base: BaseFlag,

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

    #[arg(long, visible_alias = "games", value_name = "FILE", help = said!(
        "Write the games that count for a spreadsheet, a row each, in the order of play: key, time, map, seed, and what each \
         seat has reached",
        "Écrire pour un tableur les parties qui comptent, une par ligne, dans l'ordre où elles ont été jouées : clé, date, \
         carte, graine, et le résultat de chaque place"
    ))]
    parties: Option<PathBuf>,

    #[arg(long, visible_alias = "game", value_name = "KEY", requires = "vers",
          conflicts_with_all = ["html", "csv", "parties"], help = said!(
        "Write the recording of the game whose key begins so, instead of showing the ranking; `rejeu` opens it",
        "Écrire l'enregistrement de la partie dont la clé commence ainsi, au lieu de montrer le classement ; `rejeu` l'ouvre"
    ))]
    partie: Option<String>,

    #[arg(long, visible_alias = "to", value_name = "FILE", requires = "partie", help = said!(
        "New file for the recording, such as game.rejeu",
        "Nouveau fichier pour l'enregistrement, comme partie.rejeu"
    ))]
    vers: Option<PathBuf>,
}

pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    if args.files.len() > 1 {
        ensure!(
            args.html.is_none() && args.parties.is_none() && args.partie.is_none(),
            said!(
                "--html, --games and --game are about one tournament: name one file",
                "--html, --parties et --partie concernent un seul tournoi : nommez un seul fichier"
            )
        );
        return groups::show(&args.files, args.csv.as_deref());
    }
    let base = args.files.first().map_or(args.base.path(), PathBuf::as_path);
    if let (Some(digits), Some(to)) = (&args.partie, &args.vers) {
        return recording::save(base, digits, to);
    }
    let mut tournament = Tournament::look(base)?;
    let until = tournament.plan().schedule.until;
    let is_over = !matches!(tournament.next(until), NextStep::Round(_));
    let standings = tournament.standings(SAMPLES);
    show(&tournament, &standings)?;
    if !is_over {
        let resume = resume::command(&tournament);
        cli::tell!(
            "Games are missing: `{resume}` plays them.",
            "Il manque des parties : `{resume}` les joue."
        );
    }
    for conflict in tournament.store().conflicts()? {
        let (key, kept, received) = (conflict.key, conflict.kept, conflict.received);
        cli::tell!("game {key}: recorded as {kept}", "partie {key} : enregistrée comme {kept}");
        cli::tell!(
            "  delivered again, and not counted, as {received}",
            "  reçue de nouveau, sans compter, comme {received}"
        );
    }
    if let Some(path) = &args.csv {
        let voids = tournament.store().voids()?;
        let table = report::csv(&standings, &voids, Language::chosen());
        output_file::replace(path, |out| Ok(out.write_all(table.as_bytes())?))?;
    }
    if let Some(path) = &args.parties {
        output_file::replace(path, |out| write_games(&tournament, out))?;
    }
    if let Some(path) = &args.html {
        let recording = |key: &str| anyhow::Ok(tournament.store().recording(key.parse()?)?);
        let data = crate::results::data(&tournament, &standings)?;
        let page = report::html(data, is_over, recording)?;
        output_file::replace(path, |out| Ok(out.write_all(page.as_bytes())?))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the games that count for a spreadsheet, one by one.
fn write_games(tournament: &Tournament, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut sheet = GameSheet::begin(out, tournament.plan(), Language::chosen())?;
    let mut written = Ok(());
    tournament.each_outcome(GameOrder::Played, |outcome| {
        if written.is_ok() {
            written = sheet.add(&outcome);
        }
    })?;
    written?;
    sheet.finish()?;
    Ok(())
}

/// Prints the ranking, the disqualified teams, the lots drawn for the final, and the voided games.
pub(crate) fn show(tournament: &Tournament, standings: &Standings) -> anyhow::Result<()> {
    cli::say!("{}", report::table(standings, Language::chosen()));
    disqualify::show(tournament);
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
