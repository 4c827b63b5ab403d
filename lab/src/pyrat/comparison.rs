//! Number of turns that each player needs, with a test of the differences.

use language::{said, word};

use super::experiment::{Experiment, ExperimentGame};
use crate::mann_whitney::{MannWhitney, holm};
use crate::plot::{Axis, Plot, PlotSeries, Stroke};
use crate::quantile;
use crate::table::{Figure, Table};

/// The games of an experiment, player by player (*comparaison*).
#[derive(Clone, Debug)]
pub struct PlayerComparison {
    pub(super) players: Vec<Sample>,
    first_seed: u64,
    /// Share of muddy passages, in percent.
    pub(super) mud: f64,
}

/// The games of a player, by seed.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) name: &'static str,
    pub(super) games: Vec<ExperimentGame>,
}

impl PlayerComparison {
    /// Plays the games of an experiment.
    ///
    /// # Errors
    ///
    /// If such games are impossible, or the user wants the work to stop.
    pub fn of(experiment: &Experiment) -> anyhow::Result<Self> {
        let games = experiment.run()?;
        let players = experiment.players.iter().zip(games);
        let players = players.map(|(entry, games)| Sample { name: entry.name, games }).collect();
        Ok(Self { players, first_seed: experiment.seeds.start, mud: experiment.recipe.mud })
    }

    /// A row for each player: the turns of its finished games, and the total of its wasted turns.
    pub fn players(&self) -> Table {
        let mut table = Table::new(&[
            ("player", word("Player", "Joueur")),
            ("mean", word("Mean", "Moyenne")),
            ("median", word("Median", "Médiane")),
            ("p95", "95 %"),
            ("max", word("Max", "Max")),
            ("wall", word("Wall", "Mur")),
            ("mud", word("Mud", "Boue")),
            ("cut_off", word("Cut off", "Coupées")),
        ]);
        for player in &self.players {
            let sorted = player.finished();
            let turns = |share| quantile(&sorted, share);
            let figure = |value: Option<f64>| value.map(|value| Figure::Real(value, 1));
            let of_all = |wasted: fn(&ExperimentGame) -> u32| {
                mean(player.games.iter().map(|game| wasted(game).into()))
            };
            table.push([
                player.name.into(),
                figure(mean(sorted.iter().copied())).into(),
                figure(turns(0.5)).into(),
                figure(turns(0.95)).into(),
                sorted.last().map(|&most| Figure::Whole(most as i64)).into(),
                figure(of_all(|game| game.walls)).into(),
                figure(of_all(|game| game.mud)).into(),
                (player.games.len() - sorted.len()).into(),
            ]);
        }
        table
    }

    /// A row for each pair of players: the test of Mann and Whitney on their turns. All games that were
    /// cut off count as equally long, and as longer than all others.
    pub fn pairs(&self) -> Table {
        let mut table = Table::new(&[
            ("first", word("First", "Premier")),
            ("second", word("Second", "Second")),
            ("u", "U"),
            ("p", "p"),
            ("p_holm", word("p (Holm)", "p (Holm)")),
            ("first_is_longer", word("First is longer", "Premier plus long")),
            ("rank_biserial", word("Rank-biserial r", "r bisérial des rangs")),
        ]);
        let turns: Vec<_> = self.players.iter().map(Sample::turns).collect();
        let pairs: Vec<_> = (0..turns.len())
            .flat_map(|first| (first + 1..turns.len()).map(move |second| (first, second)))
            .map(|(first, second)| {
                (first, second, MannWhitney::test(&turns[first], &turns[second]))
            })
            .collect();
        let corrected = holm(&pairs.iter().map(|(.., test)| test.p).collect::<Vec<_>>());
        for ((first, second, test), corrected) in pairs.into_iter().zip(corrected) {
            table.push([
                self.players[first].name.into(),
                self.players[second].name.into(),
                Figure::Real(test.u, 1),
                Figure::Chance(test.p),
                Figure::Chance(corrected),
                Figure::Real(test.first_is_larger, 3),
                Figure::Real(test.rank_biserial(), 3),
            ]);
        }
        table
    }

    /// The share of finished games of each player, by turn.
    pub fn curves(&self) -> Plot {
        let games = self.players.iter().flat_map(|player| &player.games);
        let last = games.map(|game| game.turns).max().unwrap_or(0);
        let series = self.players.iter().map(|player| PlotSeries {
            name: player.name.to_owned(),
            points: player.curve(last),
            stroke: Stroke::Plain,
        });
        let axis = |label: &str, logarithmic| Axis { label: label.to_owned(), logarithmic };
        Plot {
            title: said!("Games completed", "Parties finies"),
            x: axis(word("turns", "tours"), true),
            y: axis(word("% of games", "% des parties"), false),
            series: series.collect(),
        }
    }

    /// The games as CSV: a line of titles, then a line for each game.
    pub fn csv(&self) -> String {
        format!("{}{}", Self::CSV_TITLES, self.csv_lines())
    }

    pub(super) const CSV_TITLES: &str = "percent_mud,player,seed,turns,wall,mud,finished\n";

    pub(super) fn csv_lines(&self) -> String {
        let mut lines = String::new();
        for Sample { name, games } in &self.players {
            for (seed, game) in (self.first_seed..).zip(games) {
                let ExperimentGame { turns, walls, mud, is_finished } = game;
                let line =
                    format!("{},{name},{seed},{turns},{walls},{mud},{is_finished}\n", self.mud);
                lines += &line;
            }
        }
        lines
    }
}

impl Sample {
    /// Turns of the finished games, sorted.
    fn finished(&self) -> Vec<f64> {
        let finished = self.games.iter().filter_map(ExperimentGame::finished_in);
        let mut turns: Vec<f64> = finished.map(f64::from).collect();
        turns.sort_by(f64::total_cmp);
        turns
    }

    /// Turns of all games; `u32::MAX` for games that were cut off.
    fn turns(&self) -> Vec<u32> {
        self.games.iter().map(|game| game.finished_in().unwrap_or(u32::MAX)).collect()
    }

    /// A curve that rises by a step at the end of each game; if games were cut off, it extends to the turn `last`.
    fn curve(&self, last: u32) -> Vec<(f64, f64)> {
        let sorted = self.finished();
        let all = self.games.len() as f64;
        let (mut points, mut share) = (Vec::new(), 0.0);
        let mut ended = 0;
        for equal in sorted.chunk_by(|a, b| a.total_cmp(b).is_eq()) {
            points.push((equal[0], share));
            ended += equal.len();
            share = ended as f64 * 100.0 / all;
            points.push((equal[0], share));
        }
        if ended < self.games.len() {
            points.push((last.into(), share));
        }
        points
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = values.len();
    (count > 0).then(|| values.sum::<f64>() / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn comparison() -> PlayerComparison {
        let games = |turns: &[u32]| {
            let game = |&turns| ExperimentGame {
                turns,
                walls: 2,
                mud: turns / 10,
                is_finished: turns < 50,
            };
            turns.iter().map(game).collect()
        };
        let players = vec![
            Sample { name: "slow", games: games(&[40, 10, 50, 20]) },
            Sample { name: "fast", games: games(&[4, 10, 4, 6]) },
            Sample { name: "stuck", games: games(&[50, 50, 50, 50]) },
        ];
        PlayerComparison { players, first_seed: 7, mud: 12.5 }
    }

    #[test]
    fn games_that_were_cut_off_are_counted_apart() {
        let rows = comparison().players().to_json();
        assert_eq!(
            rows[0],
            json!({ "player": "slow", "mean": 70.0 / 3.0, "median": 20.0, "p95": 38.0, "max": 40,
                "wall": 2.0, "mud": 3.0, "cut_off": 1 })
        );
        assert_eq!((&rows[1]["median"], &rows[1]["cut_off"]), (&json!(5.0), &json!(0)));
        assert_eq!((&rows[2]["mean"], &rows[2]["cut_off"]), (&json!(null), &json!(4)));
    }

    #[test]
    fn every_pair_is_tested_once() {
        let rows = comparison().pairs().to_json();
        let names = |row: &serde_json::Value| (row["first"].clone(), row["second"].clone());
        let pairs = [("slow", "fast"), ("slow", "stuck"), ("fast", "stuck")];
        let pairs = pairs.map(|(first, second)| (json!(first), json!(second)));
        assert!(rows.as_array().unwrap().iter().map(names).eq(pairs));
        assert_eq!(rows[0]["u"], 15.5);
        assert_eq!(rows[1]["u"], 2.0, "one is as long");
        assert_eq!(rows[2]["rank_biserial"], -1.0);
    }

    #[test]
    fn curves_rise_at_the_end_of_each_game() {
        let curves = comparison().curves().series;
        let points = |index: usize| curves[index].points.clone();
        let steps =
            [(10.0, 0.0), (10.0, 25.0), (20.0, 25.0), (20.0, 50.0), (40.0, 50.0), (40.0, 75.0)];
        assert_eq!(points(0), [&steps[..], &[(50.0, 75.0)]].concat());
        assert_eq!(points(1).last(), Some(&(10.0, 100.0)));
        assert_eq!(points(2), [(50.0, 0.0)]);
    }

    #[test]
    fn every_game_is_a_line() {
        let csv = comparison().csv();
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!(lines.len(), 13);
        assert_eq!(lines[3], "12.5,slow,9,50,2,5,false");
        assert_eq!(lines[5], "12.5,fast,7,4,2,0,true");
    }
}
