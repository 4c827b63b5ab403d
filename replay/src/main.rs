//! `rejeu`: what can be done with recorded games.
#![expect(clippy::print_stdout, reason = "this is the program's output")]

mod report;

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use cli::Language;
use replay::{Analysis, Animation, Look, Recording, jsonl, page, verify};

/// Verifies, explains and exports recorded games, as `server --enregistrer` writes them
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 when all is well, 1 when a recording differs from the game that it \
    is of or is damaged, 2 when a file cannot be read or written."
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games again and compare every state with what was recorded
    ///
    /// Prints `identical`, or the first turn that differs and what differs.
    #[command(visible_alias = "verify")]
    Verifier {
        /// Recordings
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },

    /// Tell where the points of each player came from, and which turns made the difference
    #[command(visible_alias = "analyse-game")]
    Analyse {
        /// Recording
        file: PathBuf,

        /// Language of the report; that of the environment when missing
        #[arg(long, visible_alias = "language", value_enum)]
        langue: Option<Language>,
    },

    /// Write a game as one HTML file, which shows it in any browser, without internet
    Html {
        /// Recording
        file: PathBuf,

        /// HTML file to write
        out: PathBuf,
    },

    /// Write a game as an animated GIF, a picture a turn, which plays anywhere
    Gif {
        /// Recording
        file: PathBuf,

        /// GIF file to write
        out: PathBuf,

        /// Turns from a picture to the next; when missing, as many as give 1200 pictures at most
        #[arg(long, visible_alias = "step", value_name = "TURNS",
            value_parser = clap::value_parser!(u32).range(1..))]
        pas: Option<u32>,

        /// Side of a cell; when missing, from 1 to 32, as large as a width of 800 pixels allows
        #[arg(long, visible_alias = "scale", value_name = "PIXELS",
            value_parser = clap::value_parser!(u16).range(1..))]
        echelle: Option<u16>,

        /// Pictures a second
        #[arg(long, visible_alias = "fps", value_name = "PICTURES", default_value_t = 10,
            value_parser = clap::value_parser!(u16).range(1..=50))]
        images_par_seconde: u16,
    },

    /// Print a game as lines of JSON: how it begins, then a turn a line
    ///
    /// The first line has `game` (pacman or pyrat), `seed`, `turns`, `players`, `state`, and `map` and
    /// `rules` or `maze`; a further line `turn`, `answers` (each with `answer`, `fault`, `time_s`),
    /// `events` and `state`. Maps, mazes and states are the texts of PROTOCOL.md.
    Jsonl {
        /// Recording
        file: PathBuf,
    },
}

fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Verifier { files } => verify_all(&files),
        Command::Analyse { file, langue } => analyse(&file, Language::or_environment(langue)),
        Command::Html { file, out } => write_page(&file, &out),
        Command::Gif { file, out, pas, echelle, images_par_seconde } => {
            write_gif(&file, &out, Look { scale: echelle, step: pas, rate: images_par_seconde })
        }
        Command::Jsonl { file } => export(&file),
    };
    done.unwrap_or_else(|error| match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        // The reader has seen enough.
        Some(ErrorKind::BrokenPipe) => ExitCode::SUCCESS,
        _ => cli::fail(&error),
    })
}

fn read(path: &Path) -> anyhow::Result<Recording> {
    let shown = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read {shown}"))?;
    Recording::read(&bytes).with_context(|| shown.to_string())
}

fn verify_all(files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let mut all_well = true;
    for path in files {
        let recording = read(path)?;
        let shown = path.display();
        let prefix = if files.len() > 1 { format!("{shown}: ") } else { String::new() };
        match (verify(&recording), &recording.damage) {
            (Ok(()), None) if recording.is_complete => println!("{prefix}identical"),
            (Ok(()), None) => {
                let turns = recording.turn();
                println!("{prefix}identical for {turns} turns, without the end of the game");
            }
            (Ok(()), Some(damage)) => {
                println!("{prefix}damaged {damage}; identical up to there");
                all_well = false;
            }
            (Err(difference), _) => {
                print!("{prefix}{difference}");
                all_well = false;
            }
        }
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn analyse(path: &Path, language: Language) -> anyhow::Result<ExitCode> {
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    let report = report::report(&Analysis::of(&recording), language);
    let mut out = io::stdout().lock();
    out.write_all(report.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn write_page(path: &Path, out: &Path) -> anyhow::Result<ExitCode> {
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    let cannot = || format!("cannot write {}", out.display());
    let mut file = BufWriter::new(File::create(out).with_context(cannot)?);
    page::write(&recording, &mut file).and_then(|()| file.flush()).with_context(cannot)?;
    Ok(ExitCode::SUCCESS)
}

fn write_gif(path: &Path, out: &Path, look: Look) -> anyhow::Result<ExitCode> {
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    let animation = Animation::new(&recording, look)?;
    let cannot = || format!("cannot write {}", out.display());
    let file = File::create(out).with_context(cannot)?;
    animation.write(BufWriter::new(file)).with_context(cannot)?;
    Ok(ExitCode::SUCCESS)
}

fn export(path: &Path) -> anyhow::Result<ExitCode> {
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    let mut out = BufWriter::new(io::stdout().lock());
    for line in jsonl::lines(&recording) {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// What could be read is used all the same.
#[expect(clippy::print_stderr, reason = "beside the program's output")]
fn warn_of_damage(path: &Path, recording: &Recording) {
    if let Some(damage) = &recording.damage {
        eprintln!("warning: {}: damaged {damage}", path.display());
    }
}
