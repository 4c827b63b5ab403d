//! `lab rencontres`.

use std::path::PathBuf;
use std::process::ExitCode;

use bots::Entry;
use cli::RulesPreset;
use lab::matches::Matches;

use super::{playable_map, print};

/// Let one bot play against three of another kind, seats rotated
///
/// Prints the share of its first places (one that is shared by k players counts 1/k), its mean
/// points, the sum of everybody's points in 100 turns, and how long it thinks.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Bot whose wins are counted
    #[arg(long, visible_alias = "bot", value_name = "BOT", value_parser = bots::by_name)]
    ia: &'static Entry,

    /// Bot on the three other seats
    #[arg(long, visible_alias = "against", value_name = "BOT", value_parser = bots::by_name)]
    contre: &'static Entry,

    /// Games
    #[arg(long, visible_alias = "games", value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..))]
    parties: u32,

    /// Maps, played in turn
    #[arg(long, visible_alias = "maps", value_name = "FILE", num_args = 1.., required = true)]
    cartes: Vec<PathBuf>,

    /// Turns of a game
    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..))]
    duree: u32,

    /// Seed of the first game
    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1)]
    graine: u64,

    /// Rules of the games
    #[arg(long, visible_alias = "rules", value_name = "RULES", value_enum, default_value_t)]
    regles: RulesPreset,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let matches = Matches {
        challenger: args.ia,
        field: args.contre,
        rules: args.regles.rules(),
        turns: args.duree,
        seed: args.graine,
    };
    let maps =
        args.cartes.iter().map(|path| playable_map(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let standings = matches.play(&maps, args.parties);
    let points = standings.mean_points();
    print(format_args!("games={} firsts={:.3}", standings.games, standings.share()))?;
    print(format_args!(
        "points={points:.1} points_per_100_turns={:.1}",
        standings.points_per_100_turns()
    ))?;
    let a_game = |battles: u32| f64::from(battles) / f64::from(standings.games);
    print(format_args!(
        "won_a_game={:.1} lost_a_game={:.1}",
        a_game(standings.won),
        a_game(standings.lost)
    ))?;
    print(format_args!(
        "thinking_median_us={:.1} thinking_p99_us={:.1}",
        standings.thinking_at(0.5).as_secs_f64() * 1e6,
        standings.thinking_at(0.99).as_secs_f64() * 1e6
    ))?;
    Ok(ExitCode::SUCCESS)
}
