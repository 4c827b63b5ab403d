//! `lab rencontres`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::matches::{Matches, PLAYERS};
use bots::Entry;
use cli::print;
use game::pacman::RulesPreset;
use language::said;

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Let one bot play against three others, seats rotated\n\nPrints a row for each bot: the share of the first \
     places that its seats take together (one that is shared by k players counts 1/k) with its 95 % interval, a \
     seat's mean points and battles in a game, and how long a decision takes.",
    "Faire jouer un bot contre trois autres, à chaque place tour à tour\n\n\
     Affiche une ligne par bot : la part des premières places que ses exemplaires prennent ensemble (une première \
     place partagée par k joueurs compte 1/k) avec son intervalle à 95 %, les points et les combats moyens d'un \
     exemplaire par partie, et la durée d'une décision."
))]
pub(crate) struct Args {
    #[arg(long, visible_alias = "bot", value_name = "BOT", value_parser = bots::by_name, help = said!(
        "Bot whose wins are counted",
        "Bot dont les victoires sont comptées"
    ))]
    ia: &'static Entry,

    #[arg(long, visible_alias = "against", value_name = "BOT", value_parser = bots::by_name, num_args = 1..=3,
          required = true, help = said!(
        "Bots on the three other seats, in turn",
        "Bots aux trois autres places, tour à tour"
    ))]
    contre: Vec<&'static Entry>,

    #[arg(long, visible_alias = "games", value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..), help = said!("Games", "Parties"))]
    parties: u32,

    #[arg(long, visible_alias = "maps", value_name = "FILE", num_args = 1.., required = true,
          help = said!("Maps, played in turn", "Cartes, jouées tour à tour"))]
    cartes: Vec<PathBuf>,

    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..),
          help = said!("Turns of a game", "Tours d'une partie"))]
    duree: u32,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1,
          help = said!("Seed of the first game", "Graine de la première partie"))]
    graine: u64,

    #[arg(long, visible_alias = "rules", value_name = "RULES", value_parser = cli::rules(), default_value_t,
          help = said!("Rules of the games", "Règles des parties"))]
    regles: RulesPreset,

    #[arg(long, visible_alias = "thinking", value_name = "DURATION", value_parser = cli::duration,
          help = said!(
        "How long each bot may think about an order, as 5ms; only `champion` makes use of it. Without it, the bots think for \
         as long as it takes, and the games are the same each time",
        "Combien de temps chaque bot peut réfléchir à un ordre, comme 5ms ; seul `champion` s'en sert. Sans cela, \
         les bots réfléchissent le temps qu'il leur faut, et les parties sont les mêmes chaque fois"
    ))]
    reflexion: Option<Duration>,

    #[arg(long, help = said!("Print JSON", "Afficher du JSON"))]
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
    let maps = args.cartes.iter().map(|path| cli::load_map_for(PLAYERS, path));
    let maps = maps.collect::<anyhow::Result<Vec<_>>>()?;
    print(matches.play(&maps, args.parties).table().show(args.json))?;
    Ok(ExitCode::SUCCESS)
}
