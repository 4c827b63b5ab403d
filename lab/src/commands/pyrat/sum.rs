//! `lab pyrat somme`.

use std::ops::Range;
use std::process::ExitCode;

use crate::pyrat::experiment::Experiment;
use bots::pyrat::by_name;
use cli::print;
use language::said;

use super::MazeArgs;

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Add up the turns that Dijkstra, BFS and DFS take to the cheese, over many mazes\n\nPrints one line, as \
     `dijkstra=19061 bfs=23283 dfs=109814`: figures to hold other implementations of the game against, which \
     draw the same mazes from the same seeds.",
    "Additionner les tours que Dijkstra, BFS et DFS mettent jusqu'au fromage, sur beaucoup de labyrinthes\n\n\
     Affiche une ligne, comme `dijkstra=19061 bfs=23283 dfs=109814` : des nombres à comparer à ceux d'autres \
     réalisations du jeu, où les mêmes graines donnent les mêmes labyrinthes."
))]
pub(crate) struct Args {
    #[command(flatten)]
    maze: MazeArgs,

    #[arg(long, visible_alias = "mud", value_name = "PERCENT", default_value_t = 30.0, help = said!(
        "Percentage of the passages that are mud",
        "Pourcentage des passages dans la boue"
    ))]
    boue: f64,

    #[arg(long, visible_alias = "seeds", value_name = "FROM..TO", default_value = "0..1000",
          value_parser = range, help = said!(
        "Seeds of the mazes, the last one excluded",
        "Graines des labyrinthes, la dernière exclue"
    ))]
    graines: Range<u64>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let names = ["dijkstra", "bfs", "dfs"];
    let players = names.map(|name| by_name(name).map_err(anyhow::Error::msg));
    let experiment = Experiment {
        recipe: args.maze.recipe(args.boue),
        cheese: 1,
        seeds: args.graines.clone(),
        players: players.into_iter().collect::<anyhow::Result<_>>()?,
        most_turns: None,
    };
    let sums = experiment.run()?.into_iter().zip(names).map(|(games, name)| {
        let turns: u64 = games.iter().map(|game| u64::from(game.turns)).sum();
        format!("{name}={turns}")
    });
    print(sums.collect::<Vec<_>>().join(" "))?;
    Ok(ExitCode::SUCCESS)
}

/// Reads `0..1000`.
fn range(text: &str) -> Result<Range<u64>, String> {
    let ends = text
        .split_once("..")
        .and_then(|(from, to)| Some(from.trim().parse().ok()?..to.trim().parse().ok()?));
    let is_forwards = |ends: &Range<u64>| ends.start < ends.end;
    ends.filter(is_forwards).ok_or_else(|| {
        said!(
            "expected seeds as `0..1000`, the first below the last",
            "des graines comme `0..1000` sont attendues, la première plus petite que la \
          dernière"
        )
    })
}
