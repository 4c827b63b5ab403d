//! What `lab` can be asked for: the flags of each command, and what it prints.
#![expect(clippy::print_stdout, reason = "this is the program's output")]

pub(crate) mod hexapawn;
pub(crate) mod matches;
pub(crate) mod throughput;
pub(crate) mod traces;

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
