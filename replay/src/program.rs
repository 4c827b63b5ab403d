//! `rejeu`: what can be done with recorded games.
#![expect(clippy::print_stdout, reason = "this is the program's output")]

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::report;
use anyhow::{Context, bail};
use clap::{Parser, Subcommand};
use language::Language;
use replay::{Analysis, Animation, Look, OpenError, Recording, jsonl, page, verify};

/// Files that are open at a time.
const FILES: usize = 4;

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
    ///
    /// Also whose fault missed turns were, and what malformed and late answers said.
    #[command(visible_alias = "analyse-game")]
    Analyse {
        /// Recording
        file: PathBuf,
    },

    /// Write a game as one HTML file, which shows it in any browser, without internet
    ///
    /// Of at most two million answers, such as 500 000 turns of four players: browsers take no longer games.
    Html {
        /// Recording
        file: PathBuf,

        /// HTML file to write
        out: PathBuf,
    },

    /// Write a game as an animated GIF, a picture a turn, which plays anywhere
    ///
    /// Of at most 50 million pixels a picture, and 20 000 million in all.
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
    /// `rules` or `maze`; a further line `turn`, `answers` (each with `answer`, `fault`, `time_s` and, where
    /// something went wrong, `cause` and `excerpt`), `events` and `state`. Maps, mazes and states are the
    /// texts of PROTOCOL.md.
    Jsonl {
        /// Recording
        file: PathBuf,
    },
}

/// Runs the program on the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let args: Args = match cli::parse() {
        Ok(args) => args,
        Err(code) => return code,
    };
    let done = cli::prepare(FILES).and_then(|()| run(args.command));
    done.unwrap_or_else(|error| match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        // The reader has seen enough.
        Some(ErrorKind::BrokenPipe) => ExitCode::SUCCESS,
        _ => cli::fail(&error),
    })
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Verifier { files } => verify_all(&files),
        Command::Analyse { file } => analyse(&file),
        Command::Html { file, out } => write_page(&file, &out),
        Command::Gif { file, out, pas, echelle, images_par_seconde } => {
            write_gif(&file, &out, Look { scale: echelle, step: pas, rate: images_par_seconde })
        }
        Command::Jsonl { file } => export(&file),
    }
}

fn read(path: &Path) -> anyhow::Result<Recording> {
    match Recording::open(path) {
        Err(OpenError::Io(error)) => {
            Err(error).with_context(|| format!("cannot read {}", shown(path)))
        }
        recording => recording.with_context(|| shown(path)),
    }
}

fn shown(path: &Path) -> String {
    cli::printable(&path.to_string_lossy())
}

fn verify_all(files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let mut all_well = true;
    for path in files {
        let recording = read(path)?;
        let shown = shown(path);
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

fn analyse(path: &Path) -> anyhow::Result<ExitCode> {
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    let report = report::report(&Analysis::of(&recording), Language::chosen());
    let mut out = io::stdout().lock();
    out.write_all(report.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn write_page(path: &Path, out: &Path) -> anyhow::Result<ExitCode> {
    expect_extension(out, "html")?;
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    page::check_length(&recording)?;
    let cannot = || format!("cannot write {}", shown(out));
    let mut file = BufWriter::new(File::create(out).with_context(cannot)?);
    page::write(&recording, &mut file).and_then(|()| file.flush()).with_context(cannot)?;
    Ok(ExitCode::SUCCESS)
}

fn write_gif(path: &Path, out: &Path, look: Look) -> anyhow::Result<ExitCode> {
    expect_extension(out, "gif")?;
    let recording = read(path)?;
    warn_of_damage(path, &recording);
    let animation = Animation::new(&recording, look)?;
    let cannot = || format!("cannot write {}", shown(out));
    let file = File::create(out).with_context(cannot)?;
    animation.write(BufWriter::new(file)).with_context(cannot)?;
    Ok(ExitCode::SUCCESS)
}

/// A name that belongs to files of another kind is a slip.
fn expect_extension(out: &Path, expected: &str) -> anyhow::Result<()> {
    match out.extension() {
        Some(other) if !expected.starts_with(&other.to_string_lossy().to_lowercase()) => {
            bail!("expected a name that ends in .{expected}, got {}", shown(out))
        }
        _ => Ok(()),
    }
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
        eprintln!("warning: {}: damaged {damage}", shown(path));
    }
}
