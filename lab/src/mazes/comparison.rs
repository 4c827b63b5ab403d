//! The generators of mazes side by side.

use graph::Dims;
use language::{said, word};
use maze::{Generator, Statistics, uniformity};

use super::rng;
use crate::plot::{Axis, Plot, PlotSeries, Stroke};
use crate::progress::{Interrupted, ProgressDisplay};
use crate::table::{Figure, Table};

/// Number of mazes of 3×3 cells for the test of uniformity.
const DRAWS: u32 = 96_000;
/// Sides of the square mazes for the growth of paths, in cells.
const SIDES: [u16; 6] = [8, 16, 32, 64, 128, 256];
/// Maximum length of plotted corridors; a length with fewer than `FEWEST_CORRIDORS` corridors is not plotted.
const LONGEST_CORRIDOR: usize = 40;
const FEWEST_CORRIDORS: usize = 5;

/// The parameters of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct MazeComparison {
    /// Rows and columns.
    pub dims: Dims,
    /// Number of mazes of each generator.
    pub mazes: u32,
    /// Seed of the first maze of each generator; each later maze takes the next number.
    pub seed: u64,
}

/// The figures of all mazes of a generator together.
#[derive(Clone, Debug)]
struct Figures {
    /// The counts, without those of paths.
    counts: Statistics,
    cells: usize,
    /// Means over the mazes.
    longest_way: f64,
    mean_way: f64,
}

impl MazeComparison {
    /// A row for each generator.
    ///
    /// # Errors
    ///
    /// If the user has pressed Ctrl-C.
    pub fn table(&self) -> Result<Table, Interrupted> {
        let steps = Generator::ALL.len() * (self.mazes as usize + 1);
        let progress = ProgressDisplay::steps(word("mazes", "labyrinthes"), steps as u64);
        let mut table = Table::new(&[
            ("generator", word("Generator", "Générateur")),
            ("dead_ends", word("Dead ends", "Impasses")),
            ("bias", word("Bias", "Biais")),
            ("horizontal", word("East–west", "Est–ouest")),
            ("mean_corridor", word("Corridor", "Couloir")),
            ("longest_path", word("Longest way", "Plus long chemin")),
            ("mean_path", word("Mean way", "Chemin moyen")),
            ("chi_squared", "χ² (3×3)"),
            ("uniform", word("Uniform", "Uniforme")),
        ]);
        for generator in Generator::ALL {
            let figures = self.figures(generator, self.dims, &progress)?;
            let Figures { counts, cells, longest_way, mean_way } = &figures;
            let chi_squared = uniformity::chi_squared(generator, DRAWS, &mut rng(self.seed));
            progress.advance(1)?;
            let passages = cells - self.mazes as usize;
            let dead_ends = counts.dead_ends.iter().sum::<usize>();
            table.push([
                generator.name().into(),
                Figure::Real(dead_ends as f64 / *cells as f64, 4),
                counts.bias().map(|bias| Figure::Real(bias, 3)).into(),
                match passages {
                    0 => Figure::Missing,
                    _ => Figure::Real(counts.horizontal as f64 / passages as f64, 3),
                },
                counts.mean_corridor().map(|length| Figure::Real(length, 2)).into(),
                Figure::Real(*longest_way, 1),
                Figure::Real(*mean_way, 1),
                Figure::Real(chi_squared, 0),
                Figure::Truth(chi_squared < uniformity::LIMIT),
            ]);
        }
        Ok(table)
    }

    /// The lengths of corridors, and the growth of paths with the side of a maze.
    ///
    /// # Errors
    ///
    /// If the user has pressed Ctrl-C.
    pub fn plots(&self) -> Result<[Plot; 2], Interrupted> {
        let steps = Generator::ALL.len() * (SIDES.len() + 1) * self.mazes as usize;
        let progress = ProgressDisplay::steps(word("plots", "courbes"), steps as u64);
        let (mut corridors, mut growth) = (Vec::new(), Vec::new());
        for generator in Generator::ALL {
            let found = self.figures(generator, self.dims, &progress)?.counts.corridors;
            let all = found.iter().sum::<usize>() as f64;
            let lengths = found.iter().enumerate().take(LONGEST_CORRIDOR + 1);
            let points = lengths
                .filter(|&(_, &count)| count >= FEWEST_CORRIDORS)
                .map(|(length, &count)| (length as f64, count as f64 / all));
            corridors.push(series(generator.name(), points.collect(), Stroke::Dotted));
            let mut points = Vec::new();
            for side in SIDES {
                let dims = Dims::new(side, side).expect("sides are more than 0");
                let mean = self.figures(generator, dims, &progress)?.mean_way;
                points.push((f64::from(side), mean));
            }
            growth.push(series(generator.name(), points, Stroke::Dotted));
        }
        for (name, exponent) in [
            (word("side", "côté"), 1.0),
            (word("side^(5/4)", "côté^(5/4)"), 1.25),
            (word("side²", "côté²"), 2.0),
        ] {
            let points =
                SIDES.map(f64::from).map(|side| (side, 10.0 * (side / 8.0).powf(exponent)));
            growth.push(series(name, points.to_vec(), Stroke::Reference));
        }
        let axis = |label: &str, logarithmic| Axis { label: label.to_owned(), logarithmic };
        Ok([
            Plot {
                title: said!(
                    "Corridors of mazes of {} cells",
                    "Couloirs de labyrinthes de {} cases",
                    self.dims
                ),
                x: axis(
                    word("length of a corridor, in steps", "longueur d'un couloir, en pas"),
                    false,
                ),
                y: axis(word("share of all corridors", "part de tous les couloirs"), true),
                series: corridors,
            },
            Plot {
                title: said!("Mean way between two cells", "Chemin moyen entre deux cases"),
                x: axis(word("side of the maze, in cells", "côté du labyrinthe, en cases"), true),
                y: axis(word("steps", "pas"), true),
                series: growth,
            },
        ])
    }

    fn figures(
        &self,
        generator: Generator,
        dims: Dims,
        progress: &ProgressDisplay,
    ) -> Result<Figures, Interrupted> {
        let counts =
            Statistics { dead_ends: [0; 4], horizontal: 0, corridors: Vec::new(), paths: None };
        let mut all = Figures { counts, cells: 0, longest_way: 0.0, mean_way: 0.0 };
        for number in 0..self.mazes {
            let seed = self.seed.wrapping_add(number.into());
            let found = generator.generate(dims, &mut rng(seed)).statistics();
            all.cells += dims.len();
            add(&mut all.counts.dead_ends, &found.dead_ends);
            all.counts.horizontal += found.horizontal;
            let longest = all.counts.corridors.len().max(found.corridors.len());
            all.counts.corridors.resize(longest, 0);
            add(&mut all.counts.corridors, &found.corridors);
            let paths = found.paths.expect("generators make perfect mazes");
            all.longest_way += f64::from(paths.longest);
            all.mean_way += paths.mean;
            progress.advance(1)?;
        }
        all.longest_way /= f64::from(self.mazes);
        all.mean_way /= f64::from(self.mazes);
        Ok(all)
    }
}

fn add(counts: &mut [usize], more: &[usize]) {
    for (count, more) in counts.iter_mut().zip(more) {
        *count += more;
    }
}

fn series(name: &str, points: Vec<(f64, f64)>, stroke: Stroke) -> PlotSeries {
    PlotSeries { name: name.to_owned(), points, stroke }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison() -> MazeComparison {
        MazeComparison { dims: Dims::new(12, 9).unwrap(), mazes: 4, seed: 1 }
    }

    #[test]
    fn generators_differ_as_they_should() {
        let table = comparison().table().unwrap().to_json();
        let column = |key: &str| -> Vec<_> {
            table.as_array().unwrap().iter().map(|row| row[key].clone()).collect()
        };
        assert_eq!(column("generator"), Generator::ALL.map(Generator::name));
        assert_eq!(column("uniform"), [false, false, false, false, true]);
        let [dead_ends, ways, bias] = ["dead_ends", "mean_path", "bias"]
            .map(|key| column(key).iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>());
        let exploration = 3;
        assert!(dead_ends.iter().all(|&share| share >= dead_ends[exploration]));
        assert!(ways.iter().all(|&steps| steps <= ways[exploration]));
        assert!(bias.iter().all(|&share| share <= bias[0]));
    }

    #[test]
    fn curves_are_shares_and_grow() {
        let [corridors, growth] = MazeComparison { mazes: 2, ..comparison() }.plots().unwrap();
        for series in &corridors.series {
            assert!(series.points.iter().map(|point| point.1).sum::<f64>() <= 1.0);
        }
        assert_eq!(growth.series.len(), 8);
        for series in &growth.series {
            assert!(series.points.windows(2).all(|pair| pair[0].1 < pair[1].1));
        }
    }
}
