//! `measure traces`.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use cli::{print_either, print_lines};
use game::pacman::RulesPreset;
use language::{Language, said};
use measure::traces::TraceReport;

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Replay recorded games and compare every state, byte for byte\n\nPrints `games=N turns=N differences=N`, \
     on a terminal a sentence. With a difference, the first one is shown side by side and the exit code is 1.",
    "Rejouer des parties enregistrées et comparer chaque état, octet par octet\n\nAffiche `games=N turns=N \
     differences=N`, sur un terminal une phrase. S'il y a une différence, la première est montrée côte à côte et le \
     code de sortie est 1."
))]
pub(crate) struct Args {
    #[arg(required = true, help = said!(
        "Files of games, one a line as JSON, plain or compressed with gzip",
        "Fichiers de parties, une par ligne en JSON, tels quels ou compressés avec gzip"
    ))]
    files: Vec<PathBuf>,

    #[arg(
        long,
        visible_alias = "rules",
        value_name = "RULES",
        value_parser = cli::rules(),
        default_value = "orleans2024",
        help = said!(
        "Rules that they were played by",
        "Règles selon lesquelles elles ont été jouées"
    )
    )]
    regles: RulesPreset,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut report = TraceReport::default();
    for path in &args.files {
        let shown = path.display();
        let file = File::open(path)
            .with_context(|| said!("cannot open {shown}", "{shown} ne peut pas être ouvert"))?;
        report.replay(file, args.regles.rules()).with_context(|| shown.to_string())?;
    }
    let TraceReport { games, turns, differences, first } = report;
    let [in_games, in_turns, found] =
        [games, turns, differences].map(|n| Language::chosen().whole(n as u64));
    let people = said!(
        "Games: {in_games}; turns: {in_turns}; states that differ: {found}.",
        "Parties : {in_games} ; tours : {in_turns} ; états qui diffèrent : {found}."
    );
    print_either(
        Language::chosen().typeset(&people),
        format_args!("games={games} turns={turns} differences={differences}"),
    )?;
    let Some(difference) = first else { return Ok(ExitCode::SUCCESS) };
    print_lines(difference)?;
    Ok(ExitCode::FAILURE)
}
