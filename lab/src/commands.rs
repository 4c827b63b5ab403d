//! The commands of `lab`: their flags and their output.

pub(crate) mod cluster;
pub(crate) mod decisions;
pub(crate) mod hexapawn;
pub(crate) mod matches;
pub(crate) mod maze;
mod measure;
pub(crate) mod new_bot;
pub(crate) mod paths;
pub(crate) mod puddles;
pub(crate) mod pyrat;
pub(crate) mod throughput;
pub(crate) mod traces;
pub(crate) mod zoo;

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Read as _, Write as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context;
use clap::builder::{PathBufValueParser, TypedValueParser};
use game::pacman::Map;
use graph::Pos;
use lab::throughput::PLAYERS;
use language::said;

/// Loads a map with room for four players.
fn playable_map(path: &Path) -> anyhow::Result<Map> {
    let map = cli::load_map(path)?;
    map.check_room_for(PLAYERS).with_context(|| path.display().to_string())?;
    Ok(map)
}

/// Reads a file, or the standard input for `-`, of at most `most` bytes.
fn read(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = match path.as_os_str() == "-" {
        true => io::stdin().take(most).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.with_context(|| said!("cannot read {}", "{} est illisible", shown(path)))?;
    Ok(bytes)
}

/// The name of a file in errors; `-` is the standard input.
fn shown(path: &Path) -> String {
    match path.as_os_str() == "-" {
        true => said!("the standard input", "l'entrée standard"),
        false => path.display().to_string(),
    }
}

/// Reads a row and a column, as `3,14`.
fn position(text: &str) -> Result<Pos, String> {
    let parts = text.split_once(',').and_then(|(row, col)| {
        Some(Pos { row: row.trim().parse().ok()?, col: col.trim().parse().ok()? })
    });
    parts.ok_or_else(|| {
        said!(
            "expected a row and a column from 0, as `3,14`",
            "une ligne et une colonne à partir de 0 sont attendues, comme `3,14`"
        )
    })
}

/// Reads a range as `3..6`, or one number; both ends are included.
fn range<T: Copy + FromStr + PartialOrd>(text: &str) -> Option<RangeInclusive<T>> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some(first..=last)
}

/// Reads a file name, which must have this extension: a wrong name fails before any work is done.
fn ending_in(extension: &'static str) -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(move |path| match path.extension() {
        Some(found) if found == extension => Ok(path),
        _ => Err(said!(
            "expected a name that ends in .{extension}",
            "un nom qui finit par .{extension} est attendu"
        )),
    })
}

/// Prints one text on a terminal, for people, and another one elsewhere, for programs.
fn print_either(people: impl Display, programs: impl Display) -> io::Result<()> {
    match io::stdout().is_terminal() {
        true => print(people),
        false => print(programs),
    }
}

/// Prints a text, however long, and a newline. A reader that has seen enough is no error.
fn print(text: impl Display) -> io::Result<()> {
    print_lines(format_args!("{text}\n"))
}

/// Prints a text that ends in a newline itself. A reader that has seen enough is no error.
fn print_lines(text: impl Display) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            // Discards the rest of the buffer.
            let _ = out.into_parts();
            Ok(())
        }
        done => done,
    }
}
