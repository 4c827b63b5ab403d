//! What `lab` can be asked for: the flags of each command, and what it prints.
#![expect(clippy::print_stdout, reason = "this is the program's output")]

pub(crate) mod matches;
pub(crate) mod paths;
pub(crate) mod pyrat;
pub(crate) mod throughput;
pub(crate) mod traces;

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, Write as _};
use std::path::Path;

use anyhow::Context;
use game::pacman::Map;
use lab::throughput::PLAYERS;

/// A map with room for four players.
fn playable_map(path: &Path) -> anyhow::Result<Map> {
    let map = cli::load_map(path)?;
    map.check_room_for(PLAYERS).with_context(|| path.display().to_string())?;
    Ok(map)
}

/// Prints a text, however long, and a newline. A reader that has seen enough is no error.
fn print(text: impl Display) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            // What is left in the buffer has nowhere to go.
            let _ = out.into_parts();
            Ok(())
        }
        done => done,
    }
}
