//! Measures how often `champion` and `dijkstra` are first against bots that `champion` has no model of, by the rules of 2024.
//!
//! ```sh
//! cargo run --release -p bots --example strangers -- GAMES SEED MAP…
//! ```
//!
//! `GAMES` are played on each map.
#![allow(clippy::cast_precision_loss, reason = "what is expected need not be exact")]
#![allow(clippy::print_stdout, reason = "it prints its table")]

mod stranger;

use std::error::Error;
use std::{env, fs};

use bots::{Bot, HouseGame, by_name};
use game::pacman::{Map, Rules};
use stranger::Stranger;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [games, seed, paths @ ..] = &args[..] else {
        return Err("expected GAMES SEED MAP…, such as: 40 1 cartes/plan1.txt".into());
    };
    let number_of = |arg: &String| arg.parse().map_err(|_| format!("not a number: {arg}"));
    let (games, seed): (u64, u64) = (number_of(games)?, number_of(seed)?);
    let map_of = |path: &String| -> Result<Map, Box<dyn Error>> {
        let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        Ok(text.parse().map_err(|error| format!("{path}: {error}"))?)
    };
    let maps = paths.iter().map(map_of).collect::<Result<Vec<_>, _>>()?;
    for stranger in [Stranger::Ratio, Stranger::Gravity] {
        for name in ["champion", "dijkstra"] {
            let (mut firsts, mut points, mut next) = (0.0, 0.0, 0.0);
            let all = games * maps.len() as u64;
            for number in 0..all {
                let map = &maps[(number / games) as usize];
                let mut bots: Vec<Box<dyn Bot>> = vec![by_name(name)?.make(number)];
                bots.resize_with(4, || Box::new(stranger));
                bots.rotate_right(number as usize % 4);
                let mut game = HouseGame::start(map, Rules::ORLEANS_2024, 200, seed + number, bots);
                while !game.state().view().is_over() {
                    game.play_turn(|_, _| {});
                }
                let players = game.state().view().players().iter();
                let mut points_of: Vec<_> = players.map(|player| player.points).collect();
                points_of.rotate_left(number as usize % 4);
                let [own, others @ ..] = &points_of[..] else { continue };
                let most = others.iter().max().unwrap_or(own);
                let ties = others.iter().filter(|other| *other == own).count();
                firsts += if own >= most { 1.0 / (ties + 1) as f64 } else { 0.0 };
                points += f64::from(*own);
                next += f64::from(*most);
            }
            let (n, share) = (all as f64, firsts / all as f64);
            let half = 1.96 * (share * (1.0 - share) / n).sqrt();
            println!(
                "{name} against three {stranger:?}: first in {:.1} % ± {:.1} of {all} games, {:.0} points, the next one {:.0}",
                100.0 * share,
                100.0 * half,
                points / n,
                next / n
            );
        }
    }
    Ok(())
}
