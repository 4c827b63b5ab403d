//! `lab pyrat duel`.

use std::process::ExitCode;

use crate::pyrat::duel::{Duel, DuelScore};
use crate::pyrat::play::PlayerEntry;
use cli::print;
use language::{Language, said};

use super::{MazeArgs, seeds};

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Let one player play against another, from opposite corners\n\nEach maze is played twice, so that both \
     start in both corners. Prints the games that the first player won, drew and lost, the share that it won (a \
     draw is half a win), and what both ate on average.",
    "Faire jouer un joueur contre un autre, depuis des coins opposés\n\n\
     Chaque labyrinthe est joué deux fois, pour que chacun parte des deux coins. Affiche le nombre de parties gagnées, \
     nulles et perdues par le premier joueur, la part gagnée (une égalité est une demi-victoire), et ce que chacun a \
     mangé en moyenne."
))]
pub(crate) struct Args {
    #[arg(long, visible_alias = "bot", value_name = "NAME", value_parser = bots::pyrat::by_name, help = said!(
        "Player whose wins are counted",
        "Joueur dont les victoires sont comptées"
    ))]
    ia: &'static PlayerEntry,

    #[arg(long, visible_alias = "against", value_name = "NAME",
          value_parser = bots::pyrat::by_name,
          help = said!("Player on the other seat", "Joueur à l'autre place"))]
    contre: &'static PlayerEntry,

    #[arg(long, visible_alias = "games", value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000),
          help = said!("Games, two a maze", "Parties, deux par labyrinthe"))]
    parties: u32,

    #[arg(long, visible_alias = "mud", value_name = "PERCENT", default_value_t = 20.0, help = said!(
        "Percentage of the passages that are mud",
        "Pourcentage des passages dans la boue"
    ))]
    boue: f64,

    #[arg(long, visible_alias = "cheese", value_name = "N", default_value_t = 21,
          help = said!("Pieces of cheese", "Morceaux de fromage"))]
    fromages: usize,

    #[command(flatten)]
    maze: MazeArgs,

    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Turns after which games end",
        "Tours après lesquels une partie finit"
    ))]
    duree: u32,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 0, help = said!(
        "Seed of the first maze; each later one takes the next number",
        "Graine du premier labyrinthe ; chaque suivant prend le nombre d'après"
    ))]
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
    let decimal = |value, decimals| Language::chosen().decimal(value, decimals);
    print(said!(
        "games: {games}, won {wins}, drawn {draws}, lost {losses}: a share of {} %\n\
         means of a game: cheese {} to {}, turns {}",
        "parties : {games}, gagnées {wins}, nulles {draws}, perdues {losses}, soit {} %\n\
         moyennes d'une partie : {} fromages contre {}, {} tours",
        decimal(100.0 * standings.share(), 1),
        decimal(own.as_f64() / games, 2),
        decimal(theirs.as_f64() / games, 2),
        decimal(standings.mean_turns(), 1)
    ))?;
    Ok(ExitCode::SUCCESS)
}
