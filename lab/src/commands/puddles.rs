//! `lab flaques`.

mod picture;

use std::ops::{ControlFlow, RangeInclusive};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use self::picture::picture;
use crate::progress::{Interrupted, ProgressDisplay};
use crate::table::{Figure, Table};
use anyhow::bail;
use clap::{Subcommand, ValueEnum};
use cli::print;
use graph::Pos;
use language::{Note, Phrase, said, word};
use puddles::{self, Board, Proof, Puzzle, PuzzleAlgorithm, PuzzleAnswer, SearchReport};
use serde_json::json;

use super::{position, range};

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Jump from puddle to puddle until all are different, in the fewest jumps\n\nEvery cell of a grid holds a \
     counter. Jumping onto a cell takes from it as many as it has neighbours and gives 1 to each of them. The \
     first jump is onto the start; every further one goes to a neighbour whose counter can afford it. The goal: \
     all counters distinct.",
    "Sauter de flaque en flaque jusqu'à ce que toutes soient différentes, en faisant le moins de sauts possible\n\n\
     Chaque case d'une grille a un compteur. Sauter sur une case retire à son compteur le nombre de ses voisines, et \
     ajoute 1 au compteur de chacune. Le premier saut se fait sur la case de départ, chaque saut suivant sur une \
     voisine dont le compteur est assez grand. Le but : des compteurs tous distincts."
))]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(visible_alias = "solve")]
    Resoudre(Solve),
    Table(Optima),
}

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Find a shortest solution, or prove that there is none\n\nPrints where the jumps go, as (row, column) from \
     (0, 0) at the top left, the grid after each of them, and what each algorithm did: states expanded (the \
     skipped ones and the goal included, as the seed counts them), skipped because they were known, generated, \
     and kept at the same time; jump counts that A* listed; and the time.",
    "Trouver une solution la plus courte, ou prouver qu'il n'y en a pas\n\nAffiche où vont les sauts, sous la \
     forme (ligne, colonne) à partir de (0, 0) en haut à gauche, la grille après chacun, et ce qu'a fait chaque \
     algorithme : états développés (ceux écartés et le but compris, comme le sujet les compte), écartés parce \
     que déjà connus, produits, et gardés en même temps ; nombres de sauts listés par A* ; et le temps."
))]
struct Solve {
    #[arg(long, visible_alias = "size", value_name = "N|RxC", default_value = "3", help = said!(
        "Size of the grid: 3 for 3 × 3, 3x4 for 3 rows of 4",
        "Taille de la grille : 3 pour 3 × 3, 3x4 pour 3 lignes de 4"
    ))]
    taille: Board,

    #[arg(long, visible_alias = "value", value_name = "N", default_value_t = 5, help = said!(
        "What every counter starts with",
        "Valeur de départ de chaque compteur"
    ))]
    valeur: u32,

    #[arg(long, value_name = "NAMES", value_delimiter = ',', help = said!(
        "Algorithms; the first answers. By default A*, and the others as far as they are quick",
        "Algorithmes ; le premier répond. Sans choix : A*, et les autres tant qu'ils sont rapides"
    ))]
    algo: Vec<Name>,

    #[command(flatten)]
    search: SearchArgs,

    #[arg(long, help = said!("Print one object as JSON", "Afficher un objet en JSON"))]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Print the fewest jumps for sizes and values\n\nA line a puzzle, by A*.",
    "Afficher le nombre minimal de sauts selon la taille et la valeur\n\nUne ligne par problème, avec A*."
))]
struct Optima {
    #[arg(
        long,
        visible_alias = "size",
        value_name = "N|RxC",
        value_delimiter = ',',
        default_value = "2,2x3,3,3x4",
        help = said!("Sizes of the grids", "Tailles des grilles")
    )]
    taille: Vec<Board>,

    #[arg(long, visible_alias = "value", value_name = "A..B", default_value = "1..10",
          value_parser = values, help = said!(
        "What the counters start with: one value, or a range with both ends",
        "Valeur de départ des compteurs : une valeur, ou un intervalle, bornes comprises"
    ))]
    valeur: RangeInclusive<u32>,

    #[command(flatten)]
    search: SearchArgs,

    #[arg(long, help = said!("Print the table as JSON", "Afficher la table en JSON"))]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct SearchArgs {
    #[arg(long, visible_alias = "start", value_name = "L,C", default_value = "0,0",
          value_parser = position, help = said!(
        "Row and column of the first jump, from 0",
        "Ligne et colonne du premier saut, à partir de 0"
    ))]
    depart: Pos,

    #[arg(long, visible_alias = "states", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "States that a search may keep [default: as many as fit into about 1 GiB]",
        "États qu'une recherche peut garder [défaut : autant qu'il en tient dans 1 Gio environ]"
    ))]
    etats: Option<u32>,
}

impl SearchArgs {
    /// Maximum number of states: the given one, or the number that fits into about 1 GiB.
    fn most_states(&self, board: &Board) -> usize {
        // A state takes its counters and about 128 bytes for the tables that find it.
        let bytes = 4 * board.cells() + 128;
        self.etats.map_or((1 << 30) / bytes, |states| states as usize)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Name {
    #[value(name = "a_etoile", aliases = ["a-etoile", "a_star", "a-star", "astar", "comptage"], help = said!(
        "A*, guided by how often each cell can be jumped on",
        "A*, guidé par le nombre de sauts possibles sur chaque case"
    ))]
    AStar,
    #[value(name = "largeur", aliases = ["breadth", "bfs"],
          help = said!("Breadth first", "Parcours en largeur"))]
    BreadthFirst,
    #[value(name = "seed", help = said!(
        "The seed's own uniform-cost search",
        "La recherche à coût uniforme du sujet"
    ))]
    Seed,
    #[value(name = "tous", alias = "all", help = said!("All of them", "Tous"))]
    All,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Resoudre(args) => solve(args)?,
        Command::Table(args) => table(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Maximum number of states of an algorithm that only runs by default, for comparison.
const COMPARED: usize = 200_000;

fn solve(args: &Solve) -> anyhow::Result<()> {
    let puzzle = Puzzle::new(args.taille.clone(), args.valeur, args.search.depart)?;
    let most = args.search.most_states(puzzle.board());
    let asked = match args.algo.as_slice() {
        some if !some.is_empty() && !some.contains(&Name::All) => some,
        _ => &[Name::AStar, Name::BreadthFirst, Name::Seed],
    };
    let progress = ProgressDisplay::open_ended(word("searching", "recherche"));
    let mut runs = Vec::new();
    for (place, &name) in asked.iter().enumerate() {
        let compared = args.algo.is_empty() && place > 0;
        let most = if compared { most.min(COMPARED) } else { most };
        runs.push(Run::new(&puzzle, name, most, |steps| progress.advance(steps))?);
    }
    drop(progress);

    let Some((answered, answer)) =
        runs.iter().find_map(|run| Some((run, run.report.answer.as_ref().ok()?)))
    else {
        bail!(said!(
            "gave up: {most} states were to be kept, and no more may be; --states allows more",
            "abandon : la recherche garde déjà {most} états, le nombre permis ; --etats en permet plus"
        ))
    };
    if args.json {
        print(format!("{:#}", as_json(&puzzle, answered, answer, &runs)))?;
    } else {
        print(as_text(&puzzle, answered, answer, &runs))?;
    }
    Ok(())
}

fn as_text(puzzle: &Puzzle, answered: &Run, answer: &PuzzleAnswer, runs: &[Run]) -> String {
    let answer = match answer {
        PuzzleAnswer::Jumps(jumps) => {
            let places: Vec<_> =
                jumps.iter().map(|&cell| puzzle.board().pos(cell).to_string()).collect();
            let found = said!(
                "{} jumps, and no fewer: {}",
                "{} sauts, et pas moins : {}",
                jumps.len(),
                places.join(" ")
            );
            format!("{found}\n\n{}\n", picture(puzzle, jumps, 80))
        }
        PuzzleAnswer::None(proof) => {
            let because = match proof {
                Proof::Sum => said!(
                    "by the necessary condition, for the counters sum up to {}, and distinct ones to \
                     {} at least",
                    "par la condition nécessaire : la somme des compteurs est {}, \
                          et celle de compteurs distincts au moins {}",
                    puzzle.sum(),
                    puzzle.least_sum()
                ),
                Proof::Exhaustion => said!(
                    "by exhaustion, for none of the {} states that can be reached is a goal",
                    "par épuisement : aucun des {} états accessibles n'est un but",
                    answered.report.counts.expanded - answered.report.counts.skipped
                ),
            };
            said!("No solution: {because}.\n\n", "Pas de solution : {because}.\n\n")
        }
    };
    format!("{answer}{}", compared(runs))
}

fn as_json(
    puzzle: &Puzzle,
    answered: &Run,
    answer: &PuzzleAnswer,
    runs: &[Run],
) -> serde_json::Value {
    let place = |cell: usize| {
        let Pos { row, col } = puzzle.board().pos(cell);
        [row, col]
    };
    let (jumps, proof) = match answer {
        PuzzleAnswer::Jumps(jumps) => (Some(jumps), None),
        PuzzleAnswer::None(proof) => (None, Some(name_of(*proof).en)),
    };
    let places = jumps.into_iter().flatten().map(|&cell| place(cell));
    let counts = answered.report.counts;
    json!({
        "rows": puzzle.board().rows(),
        "columns": puzzle.board().columns(),
        "value": puzzle.value(),
        "start": place(puzzle.start()),
        "algorithm": super::name_of(&answered.name),
        "jumps": jumps.map(Vec::len),
        "positions": places.collect::<Vec<_>>(),
        "no_solution_by": proof,
        "expanded": counts.expanded,
        "skipped": counts.skipped,
        "generated": counts.generated,
        "peak": counts.peak,
        "listed": answered.report.listed,
        "time_s": answered.time.as_secs_f64(),
        "algorithms": compared(runs).to_json(),
    })
}

fn compared(runs: &[Run]) -> Table {
    let mut columns = vec![
        ("algorithm", word("Algorithm", "Algorithme")),
        ("result", word("Result", "Résultat")),
    ];
    columns.extend(counts());
    let mut table = Table::new(&columns);
    for run in runs {
        let result = match &run.report.answer {
            Ok(PuzzleAnswer::Jumps(jumps)) => {
                let count = jumps.len();
                Note::new(format!("{count} jumps"), format!("{count} sauts"))
            }
            Ok(PuzzleAnswer::None(proof)) => {
                let by = name_of(*proof);
                Note::new(format!("none, by {}", by.en), format!("aucun, par {}", by.fr))
            }
            Err(OutOfStates) => Note::from(GAVE_UP),
        };
        let named = [Figure::Text(super::name_of(&run.name)), Figure::Words(result)];
        table.push(named.into_iter().chain(run.figures()));
    }
    table
}

fn table(args: &Optima) -> anyhow::Result<()> {
    let mut columns = vec![
        ("size", word("Size", "Taille")),
        ("value", word("Value", "Valeur")),
        ("jumps", word("Jumps", "Sauts")),
        ("no_solution_by", word("None, by", "Aucun, par")),
    ];
    columns.extend(counts());
    let mut table = Table::new(&columns);
    let values = args.valeur.clone();
    let puzzles = args.taille.iter().flat_map(|board| values.clone().map(move |v| (board, v)));
    let puzzles: Vec<_> = puzzles
        .map(|(board, value)| Puzzle::new(board.clone(), value, args.search.depart))
        .collect::<Result<_, _>>()?;
    let progress = ProgressDisplay::steps(word("puzzles", "problèmes"), puzzles.len() as u64);
    for puzzle in &puzzles {
        let most = args.search.most_states(puzzle.board());
        let run = Run::new(puzzle, Name::AStar, most, |_| progress.advance(0))?;
        let (jumps, proof) = match &run.report.answer {
            Ok(PuzzleAnswer::Jumps(jumps)) => (jumps.len().into(), Figure::Missing),
            Ok(PuzzleAnswer::None(proof)) => (Figure::Missing, Figure::Words(name_of(*proof))),
            Err(OutOfStates) => (Figure::Missing, Figure::Words(GAVE_UP.into())),
        };
        let size = format!("{}x{}", puzzle.board().rows(), puzzle.board().columns());
        let value = Figure::Whole(puzzle.value().into());
        table.push([size.as_str().into(), value, jumps, proof].into_iter().chain(run.figures()));
        progress.advance(1)?;
    }
    drop(progress);
    print(table.show(args.json))?;
    Ok(())
}

const GAVE_UP: Phrase = Phrase::new("gave up", "abandon");

/// The columns of a search's counts.
fn counts() -> [(&'static str, &'static str); 6] {
    [
        ("expanded", word("Expanded", "Développés")),
        ("skipped", word("Skipped", "Écartés")),
        ("generated", word("Generated", "Produits")),
        ("peak", word("Kept", "Gardés")),
        ("listed", word("Listed", "Listés")),
        ("time_s", word("Time", "Temps")),
    ]
}

struct Run {
    name: Name,
    report: SearchReport<OutOfStates>,
    time: Duration,
}

/// The search was about to keep too many states.
#[derive(Clone, Copy)]
struct OutOfStates;

impl Run {
    /// Searches; calls `go_on` now and then with the number of steps since its last call.
    fn new(
        puzzle: &Puzzle,
        name: Name,
        most: usize,
        mut go_on: impl FnMut(u64) -> Result<(), Interrupted>,
    ) -> anyhow::Result<Self> {
        let algorithm = match name {
            Name::Seed => PuzzleAlgorithm::Seed,
            Name::BreadthFirst => PuzzleAlgorithm::BreadthFirst,
            Name::AStar | Name::All => PuzzleAlgorithm::AStar,
        };
        let start = Instant::now();
        let mut calls = 0_u64;
        let report = puddles::solve(puzzle, algorithm, |counts| {
            calls += 1;
            if calls.is_multiple_of(64)
                && let Err(interrupted) = go_on(64)
            {
                return ControlFlow::Break(Err(interrupted));
            }
            if counts.peak > most {
                ControlFlow::Break(Ok(OutOfStates))
            } else {
                ControlFlow::Continue(())
            }
        });
        let time = start.elapsed();
        let SearchReport { answer, counts, listed } = report;
        let answer = match answer {
            Ok(answer) => Ok(answer),
            Err(stopped) => Err(stopped?),
        };
        Ok(Self { name, report: SearchReport { answer, counts, listed }, time })
    }

    /// The search's counts, in the order of the columns of `counts`.
    fn figures(&self) -> [Figure; 6] {
        let counts = self.report.counts;
        [
            counts.expanded.into(),
            counts.skipped.into(),
            counts.generated.into(),
            counts.peak.into(),
            self.report.listed.into(),
            self.time.into(),
        ]
    }
}

fn name_of(proof: Proof) -> Note {
    match proof {
        Proof::Sum => Note::new("condition", "condition"),
        Proof::Exhaustion => Note::new("exhaustion", "épuisement"),
    }
}

/// Reads `4..8` or `5`; both ends are included.
fn values(text: &str) -> Result<RangeInclusive<u32>, String> {
    range(text).ok_or_else(|| {
        said!(
            "expected a value or a range as `4..8`",
            "une valeur ou un intervalle comme `4..8` est attendu"
        )
    })
}
