//! The commands of `lab`: their flags and their output.

pub(crate) mod hexapawn;
pub(crate) mod matches;
pub(crate) mod maze;
pub(crate) mod new_bot;
pub(crate) mod paths;
pub(crate) mod puddles;
pub(crate) mod pyrat;

use std::fs::File;
use std::io::{self, Read as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context;
use clap::ValueEnum;
use clap::builder::{PathBufValueParser, TypedValueParser};
use graph::Pos;
use language::said;

use crate::plot::{Drawing as _, Plot, Plots};

/// The name of a value on command lines.
pub(crate) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Reads a file, or the standard input for `-`, of at most `most` bytes.
fn read(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = if path.as_os_str() == "-" {
        io::stdin().take(most).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    read.with_context(|| said!("cannot read {}", "{} est illisible", shown(path)))?;
    Ok(bytes)
}

/// The name of a file in errors; `-` is the standard input.
fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" {
        said!("the standard input", "l'entrée standard")
    } else {
        path.display().to_string()
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

/// The files of plots.
#[derive(Debug, clap::Args)]
struct PlotFiles {
    #[arg(long, value_name = "FILE", value_parser = ending_in("svg"), help = said!(
        "Draw the curves, as vectors that are light or dark as the reader prefers",
        "Tracer les courbes dans une image vectorielle, claire ou sombre selon la préférence du lecteur"
    ))]
    svg: Option<PathBuf>,

    #[arg(long, value_name = "FILE", value_parser = ending_in("png"),
          help = said!("The same as pixels", "Les tracer dans une image en pixels"))]
    png: Option<PathBuf>,

    #[arg(long, visible_alias = "dark", requires = "png",
          help = said!("Draw the pixels on a dark background", "Donner à l'image en pixels un fond sombre"))]
    sombre: bool,
}

impl PlotFiles {
    /// Tests if there is a file to write.
    fn are_wanted(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    fn save(&self, list: &[Plot]) -> anyhow::Result<()> {
        for (path, is_dark) in [(&self.svg, false), (&self.png, self.sombre)] {
            if let Some(path) = path {
                Plots { list, is_dark }.save(path)?;
            }
        }
        Ok(())
    }
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
