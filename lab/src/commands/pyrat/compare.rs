//! `lab pyrat comparer`.

use std::fs;
use std::io::{IsTerminal, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use crate::plot::Plot;
use crate::pyrat::comparison::PlayerComparison;
use crate::pyrat::experiment::Experiment;
use crate::pyrat::mud::Gains;
use crate::pyrat::play::PlayerEntry;
use anyhow::{Context, ensure};
use bots::pyrat::by_name;
use cli::print;
use language::said;

use super::{MazeArgs, seeds};
use crate::commands::{PlotFiles, range};

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Let players play alone in the same mazes, and compare their turns\n\nPrints for each player the turns of \
     the games that it finished (mean, median, 95th percentile, most), the mean of the turns that it wasted in \
     walls and in the mud, and how many games were cut off; how many games it had completed by which turn; and \
     for each pair of players the test of Mann and Whitney: U, the chance p of such a difference if there was \
     none, the same corrected for the number of pairs after Holm, and as effect sizes the share of the pairs of \
     games in which the first player took longer, and the rank-biserial correlation.\n\nWith a range of mud, as \
     `--mud 0..50`, it compares two players, and prints what the second gains on the first: the difference of \
     their mean turns, its standard error, and the same in percent.\n\nWithout --turns no game is cut off \
     unless the player goes round in circles: when it finds no cheese in a time in which even a random walk \
     would have. For the test, games that were cut off count as equally long, and longer than all others.",
    "Faire jouer des joueurs seuls dans les mêmes labyrinthes, et comparer leurs tours\n\n\
     Affiche pour chaque joueur les tours des parties finies (moyenne, médiane, 95e centile, maximum), la moyenne des \
     tours perdus dans des murs et dans la boue, et combien de parties ont été coupées ; combien de parties étaient \
     finies à chaque tour ; et pour chaque paire de joueurs le test de Mann et Whitney : U, la probabilité p \
     d'observer une telle différence si les joueurs se valaient, la même corrigée selon Holm pour le nombre de paires, \
     et, comme tailles d'effet, la part des paires de parties où le premier joueur a mis plus longtemps, et la \
     corrélation bisériale des rangs.\n\n\
     Avec un intervalle de boue, comme `--boue 0..50`, la commande compare deux joueurs, et affiche ce que le second \
     gagne sur le premier : la différence de leurs tours moyens, son erreur type, et la même en pour cent.\n\n\
     Sans --duree, une partie n'est coupée que si le joueur tourne en rond : quand il ne trouve pas de fromage en un \
     temps où même une marche au hasard en aurait trouvé. Pour le test, les parties coupées comptent comme égales \
     entre elles, et plus longues que toutes les autres."
))]
pub(crate) struct Args {
    #[arg(long, visible_alias = "bot", value_name = "NAME", num_args = 1.., value_delimiter = ',',
          value_parser = by_name, help = said!(
        "Players [default: aleatoire1 to aleatoire7, dfs, bfs and dijkstra; bfs and dijkstra for a range of mud]",
        "Joueurs [défaut : aleatoire1 à aleatoire7, dfs, bfs et dijkstra ; bfs et dijkstra pour un intervalle \
         de boue]"
    ))]
    ia: Vec<&'static PlayerEntry>,

    #[arg(long, visible_alias = "games", value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000),
          help = said!("Games of each player", "Parties de chaque joueur"))]
    parties: u32,

    #[arg(long, visible_alias = "mud", value_name = "PERCENT", default_value = "30", help = said!(
        "Percentage of the passages that are mud; or a range of it, both ends included, in steps of 5 or \
         another number: 0..50, 0..50:10",
        "Pourcentage des passages dans la boue ; ou un intervalle, bornes comprises, par pas de 5 ou d'un autre \
         nombre : 0..50, 0..50:10"
    ))]
    boue: Mud,

    #[arg(long, visible_alias = "cheese", value_name = "N", default_value_t = 1,
          help = said!("Pieces of cheese", "Morceaux de fromage"))]
    fromages: usize,

    #[command(flatten)]
    maze: MazeArgs,

    #[arg(long, visible_alias = "turns", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Turns after which games are cut off",
        "Tours après lesquels une partie est coupée"
    ))]
    duree: Option<u32>,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 0, help = said!(
        "Seed of the first maze; each later one takes the next number",
        "Graine du premier labyrinthe ; chaque suivant prend le nombre d'après"
    ))]
    graine: u64,

    #[arg(long, help = said!("Print JSON", "Afficher du JSON"))]
    json: bool,

    #[arg(long, value_name = "FILE",
          help = said!("Write a line for each game", "Écrire une ligne par partie"))]
    csv: Option<PathBuf>,

    #[command(flatten)]
    files: PlotFiles,
}

#[derive(Clone, Debug)]
enum Mud {
    One(f64),
    Many(Vec<f64>),
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.boue {
        Mud::One(mud) => {
            let random = (1..=7).map(|number| format!("aleatoire{number}"));
            let names: Vec<_> =
                random.chain(["dfs", "bfs", "dijkstra"].map(String::from)).collect();
            compare(args, &args.experiment(*mud, &names)?)
        }
        Mud::Many(mud) => sweep(args, &args.experiment(0.0, &["bfs", "dijkstra"])?, mud),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn compare(args: &Args, experiment: &Experiment) -> anyhow::Result<()> {
    let comparison = PlayerComparison::of(experiment)?;
    let (players, pairs) = (comparison.players(), comparison.pairs());
    args.write(&[comparison.curves()], || comparison.csv())?;
    if args.json {
        let both = serde_json::json!({ "players": players.to_json(), "pairs": pairs.to_json() });
        return Ok(print(format_args!("{both:#}"))?);
    }
    print(players)?;
    print(comparison.curves().text(coloured()))?;
    if experiment.players.len() > 1 {
        print(pairs)?;
    }
    Ok(())
}

fn sweep(args: &Args, experiment: &Experiment, mud: &[f64]) -> anyhow::Result<()> {
    ensure!(
        experiment.players.len() == 2,
        said!(
            "a range of mud compares two players, got {}",
            "un intervalle de boue compare deux joueurs, et non {}",
            experiment.players.len()
        )
    );
    let gains = Gains::of(experiment, mud)?;
    let plots = gains.plots();
    args.write(&plots, || gains.csv())?;
    print(gains.table().show(args.json))?;
    if !args.json {
        for plot in plots {
            print(plot.text(coloured()))?;
        }
    }
    Ok(())
}

impl Args {
    /// The experiment with the requested players, or with those of these `names` if none are requested.
    fn experiment(&self, mud: f64, names: &[impl AsRef<str>]) -> anyhow::Result<Experiment> {
        let mut players: Vec<&PlayerEntry> = Vec::new();
        for entry in &self.ia {
            let is_new = players.iter().all(|player| player.name != entry.name);
            ensure!(is_new, said!("{} is named twice", "{} est donné deux fois", entry.name));
            players.push(entry);
        }
        if players.is_empty() {
            let entries = names.iter().map(|name| by_name(name.as_ref()));
            players = entries.collect::<Result<_, _>>().map_err(anyhow::Error::msg)?;
        }
        Ok(Experiment {
            recipe: self.maze.recipe(mud),
            cheese: self.fromages,
            seeds: seeds(self.graine, self.parties)?,
            players,
            most_turns: self.duree,
        })
    }

    fn write(&self, plots: &[Plot], csv: impl FnOnce() -> String) -> anyhow::Result<()> {
        self.files.save(plots)?;
        match &self.csv {
            Some(path) => fs::write(path, csv()).with_context(|| {
                said!("cannot write {}", "{} ne peut pas être écrit", path.display())
            }),
            None => Ok(()),
        }
    }
}

fn coloured() -> bool {
    stdout().is_terminal() && !cli::no_color()
}

impl FromStr for Mud {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const STEP: f64 = 5.0;
        const MOST_STEPS: f64 = 1000.0;
        let expected = || {
            said!(
                "expected a percentage from 0 to 100, as `30`, or a range, as `0..50` or `0..50:10`",
                "un pourcentage de 0 à 100 est attendu, comme `30`, ou un intervalle, \
                  comme `0..50` ou `0..50:10`"
            )
        };
        let (ends, step) = match text.split_once(':') {
            Some((ends, step)) => (ends, step.parse().map_err(|_| expected())?),
            None => (text, STEP),
        };
        let ends = range::<f64>(ends).ok_or_else(expected)?;
        let (first, last) = ends.into_inner();
        let is_range = text.contains("..");
        if first < 0.0 || last > 100.0 || (text.contains(':') && !is_range) {
            return Err(expected());
        }
        if !is_range {
            return Ok(Self::One(first));
        }
        if !(step > 0.0 && step * MOST_STEPS >= last - first) {
            return Err(said!(
                "expected a step above 0, and at most 1000 of them",
                "un pas au-dessus de 0 est attendu, et au plus 1000 pas"
            ));
        }
        // Sums of decimal fractions may be a little too large.
        let within = |percent: &f64| *percent <= last + 1e-9;
        let values = (0_u32..).map(|at| first + f64::from(at) * step).take_while(within);
        Ok(Self::Many(values.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mud_is_a_percentage_or_a_range() {
        let many = |text: &str| match text.parse() {
            Ok(Mud::Many(values)) => values,
            other => panic!("{text}: {other:?}"),
        };
        assert!(matches!("30".parse(), Ok(Mud::One(30.0))));
        assert_eq!(many("0..20"), [0.0, 5.0, 10.0, 15.0, 20.0]);
        assert_eq!(many("0..25:10"), [0.0, 10.0, 20.0]);
        assert_eq!(many("0..0.3:0.1").len(), 4);
        assert_eq!(many("7..7"), [7.0]);
        for wrong in
            ["", "x", "-1", "101", "NaN", "0..", "..5", "5..0", "0..5:0", "7..7:0", "0..100:0.01"]
        {
            assert!(wrong.parse::<Mud>().is_err(), "{wrong}");
        }
    }
}
