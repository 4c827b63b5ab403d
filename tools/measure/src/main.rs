//! `measure`: measurements of the arena itself. It is not shipped.

#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "figures for people")]

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use commands::{cluster, decisions, ladder, pyrat_mazes, throughput, traces, zoo};
use language::said;

/// Maximum number of files that are open at a time.
const FILES: usize = 8;

#[derive(Debug, Parser)]
#[command(version, about = said!(
    "Measures the arena: throughput, conformance, hostile peers, failing clusters, error rates",
    "Mesure l'arène : débit, conformité, connexions hostiles, grappe en panne, taux d'erreur"
))]
struct Args {
    #[command(subcommand)]
    measurement: Measurement,
}

#[derive(Debug, Subcommand)]
enum Measurement {
    Traces(traces::Args),
    #[command(visible_alias = "throughput")]
    Debit(throughput::Args),
    Decisions(decisions::Args),
    #[command(visible_alias = "ladder")]
    Echelle(ladder::Args),
    #[command(visible_alias = "cluster")]
    Grappe(cluster::Args),
    Pyrat(PyratArgs),
    Zoo(zoo::Args),
    #[command(hide = true)]
    Clients(zoo::ClientsArgs),
    #[command(hide = true)]
    Honest(zoo::HonestArgs),
    #[command(hide = true)]
    Animals(zoo::AnimalsArgs),
}

#[derive(Debug, clap::Args)]
#[command(about = said!("Check the mazes of PyRat", "Vérifier les labyrinthes de PyRat"))]
struct PyratArgs {
    #[command(subcommand)]
    task: PyratTask,
}

#[derive(Debug, Subcommand)]
enum PyratTask {
    Mazes(pyrat_mazes::Args),
}

fn main() -> ExitCode {
    let args: Args = match cli::parse() {
        Ok(args) => args,
        Err(code) => return code,
    };
    let done = cli::prepare(FILES).and_then(|()| match args.measurement {
        Measurement::Traces(args) => traces::run(&args),
        Measurement::Debit(args) => throughput::run(&args),
        Measurement::Decisions(args) => decisions::run(&args),
        Measurement::Echelle(args) => ladder::run(&args),
        Measurement::Grappe(args) => cluster::run(&args),
        Measurement::Pyrat(PyratArgs { task: PyratTask::Mazes(args) }) => pyrat_mazes::run(&args),
        Measurement::Zoo(args) => zoo::run(&args),
        Measurement::Clients(args) => zoo::play_trivially(&args),
        Measurement::Honest(args) => zoo::play_honestly(&args),
        Measurement::Animals(args) => zoo::let_loose(&args),
    });
    done.unwrap_or_else(|error| cli::fail(&error))
}
