//! `rejeu coach`.
#![expect(clippy::print_stdout, reason = "this is the program's output")]

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use coach::{Advice, Effort, advise};
use game::colour::Colour;
use game::pacman::{Direction, Orders};
use language::said;
use replay::{Recording, Setup};
use serde_json::json;

use super::{find_player, shown};

/// Tells a player, or all, what would have been better.
pub(super) fn coach(
    recording: &Recording,
    player: Option<&str>,
    branches: Option<&Path>,
    json: bool,
) -> anyhow::Result<ExitCode> {
    if matches!(recording.setup, Setup::PyRat(_)) {
        bail!(said!(
            "the coach knows Pacman only, and this is a game of PyRat",
            "le coach ne connaît que Pacman, et c'est une partie de PyRat"
        ));
    }
    let names = recording.setup.names();
    let players: Vec<Colour> = match player {
        Some(player) => vec![find_player(recording, player)?],
        None => Colour::first(names.len()).collect(),
    };
    for me in players {
        let advices = advise(recording, me, Effort::default());
        let name = cli::printable(&names[me.index()]);
        if !json {
            print_advices(&name, &advices);
        }
        for advice in &advices {
            if json {
                println!("{}", json_of(&names[me.index()], advice));
            }
            if let Some(folder) = branches {
                write_branch(recording, me, advice, folder)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print_advices(name: &str, advices: &[Advice]) {
    if advices.is_empty() {
        println!(
            "{}",
            said!(
                "{name}: no other order would have gained anything",
                "{name} : aucun autre ordre n'aurait rapporté davantage"
            )
        );
        return;
    }
    println!(
        "{}",
        said!(
            "{name}: what cost most, in points at the end (95 % interval)",
            "{name} : ce qui a coûté le plus, en points à la fin (intervalle à 95 %)"
        )
    );
    for advice in advices {
        let Advice { turn, gain, margin, .. } = *advice;
        let (least, most) = (gain - margin, gain + margin);
        let what = words(advice);
        println!(
            "{}",
            said!(
                "  turn {turn}: {what}: {gain:+.0} ({least:.0} to {most:.0})",
                "  tour {turn} : {what} : {gain:+.0} ({least:.0} à {most:.0})"
            )
        );
    }
}

/// The better order and the one that was played, in words.
fn words(advice: &Advice) -> String {
    let Advice { played, advised, .. } = *advice;
    let way = |way: Option<Direction>| match way {
        Some(Direction::North) => said!("north", "au nord"),
        Some(Direction::East) => said!("east", "à l'est"),
        Some(Direction::South) => said!("south", "au sud"),
        Some(Direction::West) => said!("west", "à l'ouest"),
        None => said!("no direction", "sans direction"),
    };
    if played.pacman == advised.pacman {
        let (better, was) = (way(advised.ghost), way(played.ghost));
        said!("the ghost {better}, not {was}", "le fantôme {better}, et non {was}")
    } else {
        let (better, was) = (way(advised.pacman), way(played.pacman));
        said!("the pacman {better}, not {was}", "le pacman {better}, et non {was}")
    }
}

fn letters(orders: Orders) -> String {
    String::from_utf8_lossy(&orders.encode()).into_owned()
}

fn json_of(name: &str, advice: &Advice) -> serde_json::Value {
    let Advice { turn, played, advised, gain, margin } = *advice;
    json!({
        "player": name,
        "turn": turn,
        "played": letters(played),
        "advised": letters(advised),
        "gain": gain,
        "interval": [gain - margin, gain + margin],
    })
}

/// Records the game with a better order, and how it goes on with the luck of the recorded game.
fn write_branch(
    recording: &Recording,
    me: Colour,
    advice: &Advice,
    folder: &Path,
) -> anyhow::Result<()> {
    let path = folder.join(format!("{}-{}.rejeu", me.as_str(), advice.turn));
    let cannot = || said!("cannot write {}", "{} ne peut pas être écrit", shown(&path));
    fs::create_dir_all(folder).with_context(cannot)?;
    fs::write(&path, coach::branch(recording, me, advice)).with_context(cannot)
}
