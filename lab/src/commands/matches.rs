//! `lab rencontres`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use bots::Entry;
use cli::RulesPreset;
use lab::matches::Matches;

use super::{playable_map, print};

/// Let one bot play against three others, seats rotated
///
/// Prints a row for each bot: the share of the first places that its seats take together (one that is shared by k
/// players counts 1/k) with its 95 % interval, a seat's mean points and battles in a game, and how long a decision takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Bot whose wins are counted
    #[arg(long, visible_alias = "bot", value_name = "BOT", value_parser = bots::by_name)]
    ia: &'static Entry,

    /// Bots on the three other seats, in turn
    #[arg(long, visible_alias = "against", value_name = "BOT", value_parser = bots::by_name, num_args = 1..=3,
          required = true)]
    contre: Vec<&'static Entry>,

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

    /// How long each bot may think about an order, as 5ms; only `champion` makes use of it. Without it, the bots think
    /// for as long as it takes, and the games are the same each time
    #[arg(long, visible_alias = "thinking", value_name = "DURATION", value_parser = cli::duration)]
    reflexion: Option<Duration>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let matches = Matches {
        challenger: args.ia,
        field: args.contre.clone(),
        rules: args.regles.rules(),
        turns: args.duree,
        seed: args.graine,
        thinking: args.reflexion,
    };
    let maps =
        args.cartes.iter().map(|path| playable_map(path)).collect::<anyhow::Result<Vec<_>>>()?;
    print(matches.play(&maps, args.parties).table().show(args.json))?;
    Ok(ExitCode::SUCCESS)
}
