//! The gain of a player that avoids mud over one that does not, by the share of mud.

use language::{said, word};

use super::comparison::PlayerComparison;
use super::experiment::{Experiment, ExperimentGame};
use crate::plot::{Axis, Plot, PlotSeries, Stroke};
use crate::table::{Figure, Table};

/// The gain of an experiment's second player over the first, in turns, by the share of mud (*avantage*).
#[derive(Clone, Debug)]
pub struct Gains {
    names: [&'static str; 2],
    comparisons: Vec<PlayerComparison>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    /// Share of muddy passages, in percent.
    mud: f64,
    /// Number of games that both finished.
    games: usize,
    /// Mean turns of each player in these games.
    means: [f64; 2],
    /// Standard error of the difference of the two means.
    error: f64,
}

impl Gains {
    /// Plays the games of an experiment with two players, with each of these percentages of mud. A
    /// seed makes the same maze each time, except for the mud.
    ///
    /// # Errors
    ///
    /// If such games are impossible, or the user wants the work to stop.
    pub fn of(experiment: &Experiment, mud: &[f64]) -> anyhow::Result<Self> {
        let [first, second] = experiment.players[..] else {
            anyhow::bail!(said!(
                "expected two players, got {}",
                "deux joueurs sont attendus, et non {}",
                experiment.players.len()
            ));
        };
        let compare = |&mud: &f64| {
            let mut experiment = experiment.clone();
            experiment.recipe.mud = mud;
            PlayerComparison::of(&experiment)
        };
        let comparisons = mud.iter().map(compare).collect::<anyhow::Result<Vec<_>>>()?;
        let row = |comparison: &PlayerComparison| {
            let games = |player: usize| &comparison.players[player].games;
            Row::of(comparison.mud, games(0), games(1))
        };
        let rows = comparisons.iter().map(row).collect();
        Ok(Self { names: [first.name, second.name], comparisons, rows })
    }

    /// The games as CSV: a line of titles, then a line for each game.
    pub fn csv(&self) -> String {
        let lines = self.comparisons.iter().map(PlayerComparison::csv_lines).collect::<String>();
        format!("{}{lines}", PlayerComparison::CSV_TITLES)
    }

    /// A row for each share of mud. A gain has its standard error.
    pub fn table(&self) -> Table {
        let [first, second] = self.names;
        let mut table = Table::new(&[
            ("mud", word("Mud %", "Boue %")),
            ("games", word("Games", "Parties")),
            ("mean_first", first),
            ("mean_second", second),
            ("gain", word("Gain", "Gain")),
            ("gain_error", "±"),
            ("gain_percent", word("Gain %", "Gain %")),
        ]);
        for row in &self.rows {
            let real = |value: f64, decimals| {
                if value.is_finite() { Figure::Real(value, decimals) } else { Figure::Missing }
            };
            table.push([
                real(row.mud, 1),
                row.games.into(),
                real(row.means[0], 2),
                real(row.means[1], 2),
                real(row.gain(), 2),
                real(row.error, 2),
                real(row.gain_percent(), 1),
            ]);
        }
        table
    }

    /// The gains in turns, and in percent.
    pub fn plots(&self) -> Vec<Plot> {
        let [first, second] = self.names;
        let plot = |unit: &str, gain: fn(&Row) -> f64| Plot {
            title: said!("What {second} gains on {first}", "Ce que {second} gagne sur {first}"),
            x: Axis { label: said!("% of mud", "% de boue"), logarithmic: false },
            y: Axis { label: unit.to_owned(), logarithmic: false },
            series: vec![PlotSeries {
                name: format!("{first} − {second}"),
                points: self.rows.iter().map(|row| (row.mud, gain(row))).collect(),
                stroke: Stroke::Dotted,
            }],
        };
        vec![
            plot(word("turns", "tours"), Row::gain),
            plot(word("% of the turns", "% des tours"), Row::gain_percent),
        ]
    }
}

impl Row {
    fn of(mud: f64, first: &[ExperimentGame], second: &[ExperimentGame]) -> Self {
        let both = first.iter().zip(second);
        let both = both.filter_map(|(a, b)| Some((a.finished_in()?, b.finished_in()?)));
        let turns: Vec<_> = both.map(|(a, b)| (f64::from(a), f64::from(b))).collect();
        let count = turns.len() as f64;
        let mean = |value: fn(&(f64, f64)) -> f64| turns.iter().map(value).sum::<f64>() / count;
        let means = [mean(|turns| turns.0), mean(|turns| turns.1)];
        let gain = means[0] - means[1];
        let squares = turns.iter().map(|(a, b)| (a - b - gain).powi(2)).sum::<f64>();
        let error = (squares / (count - 1.0) / count).sqrt();
        Self { mud, games: turns.len(), means, error }
    }

    fn gain(&self) -> f64 {
        self.means[0] - self.means[1]
    }

    fn gain_percent(&self) -> f64 {
        self.gain() * 100.0 / self.means[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_those_of_games_that_both_finished() {
        let game = |turns| ExperimentGame { turns, walls: 0, mud: 0, is_finished: turns < 100 };
        let games = |turns: &[u32]| turns.iter().map(|&turns| game(turns)).collect::<Vec<_>>();
        let row = Row::of(5.0, &games(&[10, 20, 100, 30]), &games(&[10, 16, 20, 22]));
        // The differences are 0, 4 and 8: the variance is 16.
        let error = (16.0_f64 / 3.0).sqrt();
        assert_eq!(row, Row { mud: 5.0, games: 3, means: [20.0, 16.0], error });
        assert_eq!((row.gain(), row.gain_percent()), (4.0, 20.0));
    }
}
