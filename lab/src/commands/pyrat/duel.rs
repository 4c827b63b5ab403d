//! `lab pyrat duel`.

use std::process::ExitCode;

use lab::pyrat::duel::{Duel, DuelScore};
use lab::pyrat::play::PlayerEntry;

use super::{MazeArgs, seeds};
use crate::commands::print;

/// Let one player play against another, from opposite corners
///
/// Each maze is played twice, so that both start in both corners. Prints the games that the first
/// player won, drew and lost, the share that it won (a draw is half a win), and what both ate on
/// average.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Player whose wins are counted
    #[arg(long, visible_alias = "bot", value_name = "NAME", value_parser = bots::pyrat::by_name)]
    ia: &'static PlayerEntry,

    /// Player on the other seat
    #[arg(long, visible_alias = "against", value_name = "NAME",
          value_parser = bots::pyrat::by_name)]
    contre: &'static PlayerEntry,

    /// Games, two a maze
    #[arg(long, visible_alias = "games", value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    parties: u32,

    /// Percentage of the passages that are mud
    #[arg(long, visible_alias = "mud", value_name = "PERCENT", default_value_t = 20.0)]
    boue: f64,

    /// Pieces of cheese
    #[arg(long, visible_alias = "cheese", value_name = "N", default_value_t = 21)]
    fromages: usize,

    #[command(flatten)]
    maze: MazeArgs,

    /// Turns after which games end
    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..))]
    duree: u32,

    /// Seed of the first maze; each later one takes the next number
    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 0)]
    graine: u64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let duel = Duel {
        recipe: args.maze.recipe(args.boue),
        cheese: args.fromages,
        seed: seeds(args.graine, args.parties.div_ceil(2))?.start,
        games: args.parties,
        challenger: args.ia,
        rival: args.contre,
        most_turns: args.duree,
    };
    let standings = duel.run()?;
    let DuelScore { wins, draws, losses, own, theirs, .. } = standings;
    let games = f64::from(standings.games());
    print(format_args!(
        "games={games} wins={wins} draws={draws} losses={losses} share={:.3}\n\
         cheese={:.2} cheese_against={:.2} turns={:.1}",
        standings.share(),
        own.as_f64() / games,
        theirs.as_f64() / games,
        standings.mean_turns()
    ))?;
    Ok(ExitCode::SUCCESS)
}
