//! Plays a game of four `champion` after a shorter one, and prints the milliseconds that a decision took and the points of the
//! players, the best first. `scripts/arene.py champion` plays the same games in a page.

#![expect(clippy::print_stdout, reason = "it is what it is for")]

use std::time::Instant;

use arene::{Error, Game, PacmanTerms};

/// Plays a game; returns the points.
fn play(turns: u32) -> Result<Vec<String>, Error> {
    let players = vec![Some("champion".to_owned()); 4];
    let terms = PacmanTerms { seed: "7".to_owned(), turns, players, ..PacmanTerms::default() };
    let mut game = Game::start(terms.setup()?, &terms.players)?;
    while !game.is_over() {
        game.step(&[])?;
    }
    let ranking = game.ranking();
    let players = ranking.as_array().into_iter().flatten();
    Ok(players.filter_map(|player| Some(player["points"].as_f64()?.to_string())).collect())
}

fn main() -> Result<(), Error> {
    play(30)?;
    let began = Instant::now();
    let points = play(150)?;
    println!("{} {}", began.elapsed().as_secs_f64() * 1e3 / 600.0, points.join(","));
    Ok(())
}
