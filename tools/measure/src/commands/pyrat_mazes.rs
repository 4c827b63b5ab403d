//! `measure pyrat mazes`.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use cli::{print_either, print_lines};
use language::{Language, colon, said};
use measure::pyrat_mazes::MazeReport;

/// The help text on the format of files, with an example.
fn format() -> String {
    let line = r#"
  {"seed": 0, "width": 15, "height": 13, "mud_percentage": 30.0, "start": 97, "cheese": [41],
   "neighbours": [[97, [[98, 1], [112, 7]]], …], "turns": 34}
"#;
    said!(
        "A line of a file:{line}with all cells and their neighbours, in order, and the turns of a shortest path to \
         the cheese. `cell_percentage`, `wall_percentage`, `mud_range` and `holes` (`big`, `uniform` or `side`) may \
         follow where they are not those that PyRat takes by default.",
        "Une ligne d'un fichier :{line}avec toutes les cases et leurs voisines, dans l'ordre, et les tours d'un plus \
         court chemin jusqu'au fromage. `cell_percentage`, `wall_percentage`, `mud_range` et `holes` (`big`, \
         `uniform` ou `side`) peuvent suivre quand ce ne sont pas les valeurs par défaut de PyRat."
    )
}

#[derive(Debug, clap::Args)]
#[command(after_long_help = format(), long_about = said!(
    "Make recorded mazes of PyRat again from their seeds, and compare them\n\nPrints `mazes=N identical=N`, \
     on a terminal a sentence. With a difference, the first one is shown and the exit code is 1.",
    "Refaire d'après leurs graines des labyrinthes de PyRat enregistrés, et les comparer\n\nAffiche `mazes=N \
     identical=N`, sur un terminal une phrase. S'il y a une différence, la première est montrée et le code de sortie est 1."
))]
pub(crate) struct Args {
    #[arg(required = true, value_name = "FILE", help = said!(
        "Files of games, one a line as JSON, plain or compressed with gzip",
        "Fichiers de parties, une par ligne en JSON, tels quels ou compressés avec gzip"
    ))]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut report = MazeReport::default();
    let mut differs = None;
    for path in &args.files {
        let shown = path.display();
        let file = File::open(path)
            .with_context(|| said!("cannot open {shown}", "{shown} ne peut pas être ouvert"))?;
        report.compare(file).with_context(|| shown.to_string())?;
        if report.first.is_some() {
            differs.get_or_insert(path);
        }
    }
    let MazeReport { mazes, identical, .. } = report;
    print_either(
        Language::chosen().typeset(&said!(
            "Mazes: {mazes}; identical ones: {identical}.",
            "Labyrinthes : {mazes} ; identiques : {identical}."
        )),
        format_args!("mazes={mazes} identical={identical}"),
    )?;
    let Some((path, difference)) = differs.zip(report.first) else { return Ok(ExitCode::SUCCESS) };
    print_lines(format_args!("{}{}{difference}", path.display(), colon()))?;
    Ok(ExitCode::FAILURE)
}
