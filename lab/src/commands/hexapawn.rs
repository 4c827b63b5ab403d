//! `lab hexapawn`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Subcommand, ValueEnum};
use lab::hexapawn::board::MOST_CELLS;
use lab::hexapawn::memo::Memo;
use lab::hexapawn::{BestLine, Configuration, HexapawnSolution, HexapawnSolver, Size, naive};
use lab::progress::ProgressDisplay;
use lab::table::{Figure, Table};

use super::{print, range, read, shown};

/// Find values of Hexapawn's configurations
#[derive(Debug, clap::Args)]
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

/// Print the value of a configuration
///
/// `k` when White, who is to move, wins in k plies, `-k` when White loses in k plies, and `0` when the game
/// is over. The input is the number of lines, the number of columns, and the board with a line a
/// line: `p` for black pawns, which move down, `P` for white ones, which move up, and spaces.
#[derive(Debug, clap::Args)]
struct ValueArgs {
    /// The configuration; `-` is the standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,

    /// How to find the value
    #[arg(long, value_name = "ALGO", value_enum, default_value_t = Algorithm::Rapide)]
    algo: Algorithm,

    /// Show a best line of play after the value: each board under the player to move and the value for it
    #[arg(long)]
    trace: bool,
}

/// Print the values of initial positions, and what each algorithm takes to find them
///
/// Nodes are calls (naif), distinct configurations (memo), and positions whose moves were tried (rapide). An
/// algorithm that fails on a board is not tried on those that are no smaller in any direction.
#[derive(Debug, clap::Args)]
struct TableArgs {
    /// Numbers of lines, both ends included
    #[arg(long, visible_alias = "rows", value_name = "N..N", default_value = "3..6",
          value_parser = sides)]
    lignes: RangeInclusive<usize>,

    /// Numbers of columns, both ends included
    #[arg(long, visible_alias = "columns", value_name = "N..N", default_value = "3..6",
          value_parser = sides)]
    colonnes: RangeInclusive<usize>,

    /// How long each algorithm may take for a board
    #[arg(long, visible_alias = "limit", value_name = "DURATION", default_value = "5s",
          value_parser = cli::positive_duration)]
    limite: Duration,

    /// Print the table as JSON, times in seconds
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Algorithm {
    /// Recursion over all successors, as the value is defined
    #[value(alias = "naive")]
    Naif,
    /// The same with a memory for values; at most 2^25 configurations (2 GiB, and half as much
    /// again while it grows)
    Memo,
    /// Proofs on bitboards; remembers at most 2^25 positions (768 MiB, and half as much again
    /// while it grows) and is exact beyond
    #[value(alias = "fast")]
    Rapide,
}

/// An algorithm has had all that it may take.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum Limit {
    #[error("not within the time")]
    Time,
    #[error("more than {MOST_CONFIGURATIONS} configurations to remember: try --algo rapide")]
    Memory,
}

/// What `memo` may remember.
const MOST_CONFIGURATIONS: u64 = 1 << 25;

/// A longer input is no configuration, whatever follows.
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
    let progress = ProgressDisplay::open_ended("nodes");
    let watch = |nodes| Ok(progress.advance(nodes)?);
    let mut solver = HexapawnSolver::new(configuration.board.size());
    let value = args.algo.solve(&configuration, &mut solver, watch)?.value;
    let line = match args.trace {
        true => Some(BestLine::best(&mut solver, &configuration, watch)?),
        false => None,
    };
    drop(progress);
    print(match line {
        Some(line) => format!("{value}\n\n{line}"),
        None => value.to_string(),
    })?;
    Ok(())
}

fn table(args: &TableArgs) -> anyhow::Result<()> {
    let mut table = Table::new(&[
        ("lines", "lines"),
        ("columns", "columns"),
        ("value", "value"),
        ("naive_nodes", "naif"),
        ("naive_time_s", "time"),
        ("memo_nodes", "memo"),
        ("memo_time_s", "time"),
        ("fast_nodes", "rapide"),
        ("fast_time_s", "time"),
    ]);
    let sizes: Vec<_> = args
        .lignes
        .clone()
        .flat_map(|lines| args.colonnes.clone().map(move |columns| (lines, columns)))
        .filter_map(|(lines, columns)| Size::new(lines, columns))
        .collect();
    if sizes.is_empty() {
        bail!("each of these boards has more than {MOST_CELLS} cells");
    }
    let progress = ProgressDisplay::steps("boards", sizes.len() as u64);
    let algorithms = Algorithm::value_variants();
    // Where each has failed.
    let mut failed = vec![Vec::<Size>::new(); algorithms.len()];
    for size in sizes {
        let mut value = Figure::Missing;
        let mut costs = Vec::new();
        for (algorithm, failed) in algorithms.iter().zip(&mut failed) {
            let hopeless =
                |small: &Size| small.lines() <= size.lines() && small.columns() <= size.columns();
            let measured = match failed.iter().any(hopeless) {
                true => None,
                false => algorithm.measure(size, args.limite, &progress)?,
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

    /// The initial position's value and how long it took, unless that is beyond a limit.
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
                match start.elapsed() > limit {
                    true => Err(Limit::Time.into()),
                    false => Ok(()),
                }
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
    sides.ok_or_else(|| format!("expected a number or a range as `3..6`, from 1 to {MOST_CELLS}"))
}
