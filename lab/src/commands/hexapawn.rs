//! `lab hexapawn`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::progress::ProgressDisplay;
use crate::table::{Figure, Table};
use anyhow::{Context, bail};
use clap::{Subcommand, ValueEnum};
use cli::print;
use hexapawn::board::MOST_CELLS;
use hexapawn::memo::Memo;
use hexapawn::{BestLine, Configuration, HexapawnSolution, HexapawnSolver, Size, naive};
use language::{said, word};

use super::{range, read, shown};

#[derive(Debug, clap::Args)]
#[command(about = said!(
    "Find values of Hexapawn's configurations",
    "Trouver les valeurs des configurations d'Hexapawn"
))]
pub(crate) struct Args {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    #[command(visible_alias = "value")]
    Valeur(ValueArgs),
    Table(TableArgs),
}

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Print the value of a configuration\n\n`k` when White, who is to move, wins in k plies, `-k` when White \
     loses in k plies, and `0` when the game is over. The input is the number of lines, the number of columns, \
     and the board with a line a line: `p` for black pawns, which move down, `P` for white ones, which move up, \
     and spaces.",
    "Afficher la valeur d'une configuration\n\n`k` quand les blancs, qui ont le trait, gagnent en k coups, `-k` \
     quand ils perdent en k coups, et `0` quand la partie est finie. L'entrée est le nombre de lignes, le \
     nombre de colonnes, et le plateau, une ligne par ligne : `p` pour les pions noirs, qui descendent, `P` \
     pour les blancs, qui montent, et des espaces."
))]
struct ValueArgs {
    #[arg(value_name = "FILE", default_value = "-", help = said!(
        "The configuration; `-` is the standard input",
        "La configuration ; `-` est l'entrée standard"
    ))]
    file: PathBuf,

    #[arg(long, value_name = "ALGO", value_enum, default_value_t = Algorithm::Rapide,
          help = said!("How to find the value", "Comment trouver la valeur"))]
    algo: Algorithm,

    #[arg(long, help = said!(
        "Show a best line of play after the value: each board under the player to move and the value for it",
        "Montrer après la valeur une suite de coups optimale : chaque plateau, précédé du joueur qui a le trait et de \
         la valeur"
    ))]
    trace: bool,
}

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Print the values of initial positions, and what each algorithm takes to find them\n\nNodes are calls \
     (naif), distinct configurations (memo), and positions whose moves were tried (rapide). An algorithm that \
     fails on a board is not tried on those that are no smaller in any direction.",
    "Afficher les valeurs des positions de départ, et ce que chaque algorithme dépense pour les trouver\n\n\
     Les nœuds sont des appels (naif), des configurations distinctes (memo) et des positions dont les coups sont \
     essayés (rapide). Un algorithme qui échoue sur un plateau n'est pas essayé sur ceux qui sont au moins aussi hauts \
     et aussi larges."
))]
struct TableArgs {
    #[arg(long, visible_alias = "rows", value_name = "N..N", default_value = "3..6",
          value_parser = sides, help = said!(
        "Numbers of lines, both ends included",
        "Nombres de lignes, bornes comprises"
    ))]
    lignes: RangeInclusive<usize>,

    #[arg(long, visible_alias = "columns", value_name = "N..N", default_value = "3..6",
          value_parser = sides, help = said!(
        "Numbers of columns, both ends included",
        "Nombres de colonnes, bornes comprises"
    ))]
    colonnes: RangeInclusive<usize>,

    #[arg(long, visible_alias = "limit", value_name = "DURATION", default_value = "5s",
          value_parser = cli::positive_duration, help = said!(
        "How long each algorithm may take for a board",
        "Temps de chaque algorithme pour un plateau"
    ))]
    limite: Duration,

    #[arg(long, help = said!(
        "Print the table as JSON, times in seconds",
        "Afficher la table en JSON, les temps en secondes"
    ))]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Algorithm {
    #[value(alias = "naive", help = said!(
        "Recursion over all successors, as the value is defined",
        "Récursion sur tous les successeurs, comme la valeur est définie"
    ))]
    Naif,
    #[value(help = said!(
        "The same with a memory for values; at most 2^25 configurations (2 GiB, and half as much again while it \
         grows)",
        "La même avec mémoïsation ; au plus 2^25 configurations (2 Gio, et moitié plus pendant que la table grandit)"
    ))]
    Memo,
    #[value(alias = "fast", help = said!(
        "Proofs on bitboards; remembers at most 2^25 positions (768 MiB, and half as much again while it grows) \
         and is exact beyond",
        "Preuves sur des plateaux de bits ; retient au plus 2^25 positions (768 Mio, et moitié plus pendant que la \
         table grandit) et reste exact au-delà"
    ))]
    Rapide,
}

/// An algorithm has reached a limit.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum Limit {
    #[error("{}", said!("not within the time", "pas dans le temps donné"))]
    Time,
    #[error("{}", said!(
        "more than {MOST_CONFIGURATIONS} configurations to remember: try --algo rapide",
        "plus de {MOST_CONFIGURATIONS} configurations à retenir : essayez --algo rapide"
    ))]
    Memory,
}

/// Maximum number of configurations that `memo` remembers.
const MOST_CONFIGURATIONS: u64 = 1 << 25;

/// Maximum length of an input, in bytes: no configuration is longer.
const LONGEST_INPUT: u64 = 1 << 12;

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.question {
        Question::Valeur(args) => value(args)?,
        Question::Table(args) => table(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn value(args: &ValueArgs) -> anyhow::Result<()> {
    let text = read(&args.file, LONGEST_INPUT)?;
    let configuration = Configuration::parse(&text).with_context(|| shown(&args.file))?;
    let progress = ProgressDisplay::open_ended(word("nodes", "nœuds"));
    let watch = |nodes| Ok(progress.advance(nodes)?);
    let mut solver = HexapawnSolver::new(configuration.board.size());
    let value = args.algo.solve(&configuration, &mut solver, watch)?.value;
    let text = if args.trace {
        format!("{value}\n\n{}", BestLine::best(&mut solver, &configuration, watch)?)
    } else {
        value.to_string()
    };
    drop(progress);
    Ok(print(text)?)
}

fn table(args: &TableArgs) -> anyhow::Result<()> {
    let mut table = Table::new(&[
        ("lines", word("lines", "lignes")),
        ("columns", word("columns", "colonnes")),
        ("value", word("value", "valeur")),
        ("naive_nodes", "naif"),
        ("naive_time_s", word("time", "temps")),
        ("memo_nodes", "memo"),
        ("memo_time_s", word("time", "temps")),
        ("fast_nodes", "rapide"),
        ("fast_time_s", word("time", "temps")),
    ]);
    let sizes: Vec<_> = args
        .lignes
        .clone()
        .flat_map(|lines| args.colonnes.clone().map(move |columns| (lines, columns)))
        .filter_map(|(lines, columns)| Size::new(lines, columns))
        .collect();
    if sizes.is_empty() {
        bail!(said!(
            "each of these boards has more than {MOST_CELLS} cells",
            "chacun de ces plateaux a plus de {MOST_CELLS} cases"
        ));
    }
    let progress = ProgressDisplay::steps(word("boards", "plateaux"), sizes.len() as u64);
    let algorithms = Algorithm::value_variants();
    // The sizes at which each algorithm has failed.
    let mut failed = vec![Vec::<Size>::new(); algorithms.len()];
    for size in sizes {
        let mut value = Figure::Missing;
        let mut costs = Vec::new();
        for (algorithm, failed) in algorithms.iter().zip(&mut failed) {
            let hopeless =
                |small: &Size| small.lines() <= size.lines() && small.columns() <= size.columns();
            let measured = if failed.iter().any(hopeless) {
                None
            } else {
                algorithm.measure(size, args.limite, &progress)?
            };
            match measured {
                Some((solution, _)) => value = Figure::Whole(solution.value.get().into()),
                None => failed.push(size),
            }
            costs.push(measured.map(|(solution, _)| solution.nodes).into());
            costs.push(measured.map(|(_, time)| time).into());
        }
        let known = [size.lines().into(), size.columns().into(), value];
        table.push(known.into_iter().chain(costs));
        progress.advance(1)?;
    }
    drop(progress);
    print(table.show(args.json))?;
    Ok(())
}

impl Algorithm {
    /// Only `rapide` uses the solver.
    fn solve(
        self,
        configuration: &Configuration,
        solver: &mut HexapawnSolver,
        mut watch: impl FnMut(u64) -> anyhow::Result<()>,
    ) -> anyhow::Result<HexapawnSolution> {
        match self {
            Self::Naif => naive::value(configuration, watch),
            Self::Memo => {
                let mut left = MOST_CONFIGURATIONS;
                Memo::default().value(configuration, |nodes| {
                    left = left.checked_sub(nodes).ok_or(Limit::Memory)?;
                    watch(nodes)
                })
            }
            Self::Rapide => solver.value(configuration, watch),
        }
    }

    /// The value of the initial position and the duration of its search; `None` beyond a limit.
    fn measure(
        self,
        size: Size,
        limit: Duration,
        progress: &ProgressDisplay,
    ) -> anyhow::Result<Option<(HexapawnSolution, Duration)>> {
        let start = Instant::now();
        let solved =
            self.solve(&Configuration::start(size), &mut HexapawnSolver::new(size), |_| {
                progress.advance(0)?;
                if start.elapsed() > limit { Err(Limit::Time.into()) } else { Ok(()) }
            });
        match solved {
            Ok(solution) => Ok(Some((solution, start.elapsed()))),
            Err(error) if error.is::<Limit>() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Reads `3..6` or `5`; both ends are included.
fn sides(text: &str) -> Result<RangeInclusive<usize>, String> {
    let sides = range(text).filter(|sides| *sides.start() >= 1 && *sides.end() <= MOST_CELLS);
    sides.ok_or_else(|| {
        said!(
            "expected a number or a range as `3..6`, from 1 to {MOST_CELLS}",
            "un nombre ou un intervalle comme `3..6` est attendu, de 1 à {MOST_CELLS}"
        )
    })
}
