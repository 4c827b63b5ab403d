//! All searches on the same random mazes: a check that they agree, and their costs.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use graph::Dims;
use graph::traversal::{Traversal, TraversalError, all_pairs, find_route};
use language::{said, word};
use maze::muddy_grid;

use super::{Algorithm, Question};
use crate::mazes::rng;
use crate::plot::{Axis, Plot, PlotSeries, Stroke};
use crate::progress::ProgressDisplay;
use crate::table::{Figure, Table};

/// Random mazes of growing sizes for all searches.
#[derive(Clone, Debug)]
pub struct PathComparison {
    /// Maximum number of vertices of each maze, from 2 to 4,000,000; the grids are nearly square.
    pub sizes: Vec<u32>,
    /// Percentage of the passages outside the spanning tree that are added to it.
    pub loops: u32,
    /// Percentage of the passages that are mud.
    pub mud: u32,
    /// Seed of the mazes.
    pub seed: u64,
}

/// The costs of the searches, by search and then by maze.
#[derive(Clone, Debug)]
pub struct Costs(Vec<Cost>);

#[derive(Clone, Copy, Debug)]
struct Cost {
    contender: Contender,
    vertices: usize,
    edges: usize,
    /// Time and number of expanded vertices; `None` if the contender did not run.
    measured: Option<(Duration, usize)>,
}

impl PathComparison {
    /// Runs every search on every maze that is not too large for it. Each time is the minimum of
    /// several runs.
    ///
    /// # Errors
    ///
    /// If two searches disagree, or the user wants the work to stop.
    pub fn run(&self) -> anyhow::Result<Costs> {
        let steps = self.sizes.len() * CONTENDERS.len();
        let progress = ProgressDisplay::steps(word("comparing", "comparaison"), steps as u64);
        let mut costs = Vec::with_capacity(steps);
        for &size in &self.sizes {
            let rows = size.isqrt();
            // Both sides are below 2¹⁶, as sizes are at most 4 million.
            let dims = Dims::new(rows as u16, (size / rows.max(1)) as u16);
            let dims = dims.with_context(|| {
                said!(
                    "expected a maze of at least one cell",
                    "un labyrinthe d'au moins une case est attendu"
                )
            })?;
            let mut rng = rng(self.seed);
            let graph = muddy_grid(dims, self.loops, self.mud, &mut rng);
            let question = Question {
                graph: &graph,
                reversed: &graph.reversed(),
                source: 0,
                target: Some(graph.len() - 1),
                width: Some(dims.cols().into()),
            };
            for contender in CONTENDERS {
                progress.advance(1)?;
                let fits = graph.len() <= contender.most_vertices();
                let measured = fits.then(|| contender.measure(&question, &progress)).transpose()?;
                let (vertices, edges) = (graph.len(), graph.edge_count());
                costs.push(Cost { contender, vertices, edges, measured });
            }
        }
        // By contender, then from small to large.
        costs.sort_by_key(|cost| CONTENDERS.iter().position(|other| *other == cost.contender));
        Ok(Costs(costs))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Contender {
    algorithm: Algorithm,
    /// True if the search runs from each vertex.
    repeated: bool,
}

const CONTENDERS: [Contender; 10] = [
    Contender { algorithm: Algorithm::Bfs, repeated: false },
    Contender { algorithm: Algorithm::Dfs, repeated: false },
    Contender { algorithm: Algorithm::Dijkstra, repeated: false },
    Contender { algorithm: Algorithm::AStar, repeated: false },
    Contender { algorithm: Algorithm::Bidirectional, repeated: false },
    Contender { algorithm: Algorithm::BellmanFord, repeated: false },
    Contender { algorithm: Algorithm::Bfs, repeated: true },
    Contender { algorithm: Algorithm::Dijkstra, repeated: true },
    Contender { algorithm: Algorithm::Johnson, repeated: false },
    Contender { algorithm: Algorithm::FloydWarshall, repeated: false },
];

impl Contender {
    fn name(self) -> String {
        let name = self.algorithm.name();
        if self.repeated { format!("{name} × n") } else { name }
    }

    /// The complexity, as the exercise writes it if it does.
    fn complexity(self) -> &'static str {
        match self.algorithm {
            Algorithm::BellmanFord => "O(mn) = O(n²)",
            Algorithm::Johnson => "O(n² log n + mn)",
            _ => self.growth().name(),
        }
    }

    /// The growth of the cost in mazes, where m is about n.
    fn growth(self) -> Growth {
        match (self.algorithm, self.repeated) {
            (Algorithm::Bfs | Algorithm::Dfs, false) => Growth::Linear,
            (Algorithm::Bfs | Algorithm::Dfs, true) | (Algorithm::BellmanFord, _) => {
                Growth::Quadratic
            }
            (Algorithm::Dijkstra | Algorithm::AStar | Algorithm::Bidirectional, false) => {
                Growth::Linearithmic
            }
            (Algorithm::FloydWarshall, _) => Growth::Cubic,
            (_, true) | (Algorithm::Johnson, _) => Growth::QuadraticLog,
        }
    }

    /// Maximum number of vertices: larger mazes would need too much time or memory.
    fn most_vertices(self) -> usize {
        match (self.algorithm, self.growth()) {
            (_, Growth::Linear | Growth::Linearithmic) => usize::MAX,
            (Algorithm::BellmanFord, _) => 100_000,
            (_, Growth::Quadratic | Growth::QuadraticLog) => 2000,
            (_, Growth::Cubic) => 1000,
        }
    }

    /// The minimum time of several runs, after a first run whose answers are checked.
    fn measure(
        self,
        question: &Question<'_>,
        progress: &ProgressDisplay,
    ) -> anyhow::Result<(Duration, usize)> {
        const RUNS: usize = 20;
        const ENOUGH: Duration = Duration::from_millis(200);
        let found = self.run(question)?;
        for (row, traversal) in found.iter().enumerate() {
            let source = if found.len() > 1 { row } else { question.source };
            let truth = Algorithm::Dijkstra.run(&Question { source, ..*question })?.remove(0);
            ensure!(
                self.agrees(question, source, traversal, &truth),
                said!(
                    "{} and dijkstra disagree from {source} in the maze of {} cells",
                    "{} et dijkstra ne sont pas d'accord à partir de {source} dans le labyrinthe de {} cases",
                    self.name(),
                    question.graph.len()
                )
            );
            progress.advance(0)?;
        }
        let expanded = found.iter().map(|traversal| traversal.expanded).sum();
        drop(found);

        let (mut least, mut total) = (Duration::MAX, Duration::ZERO);
        for _ in 0..RUNS {
            progress.advance(0)?;
            let start = Instant::now();
            let found = self.run(question)?;
            let time = start.elapsed();
            drop(found);
            least = least.min(time);
            total += time;
            if total > ENOUGH {
                break;
            }
        }
        Ok((least, expanded))
    }

    fn run(self, question: &Question<'_>) -> Result<Vec<Traversal>, TraversalError> {
        if !self.repeated {
            return self.algorithm.run(question);
        }
        all_pairs(question.graph.len(), |source| {
            Ok(self.algorithm.run(&Question { source, ..*question })?.remove(0))
        })
    }

    /// Tests if an answer equals that of Dijkstra's algorithm, in the parts that the algorithm guarantees.
    fn agrees(
        self,
        question: &Question<'_>,
        source: usize,
        found: &Traversal,
        truth: &Traversal,
    ) -> bool {
        let reached = |traversal: &Traversal| -> Vec<bool> {
            traversal.distances.iter().map(Option::is_some).collect()
        };
        let route = |traversal: &Traversal| {
            let target = question.target.unwrap_or(source);
            (traversal.distances[target], find_route(&traversal.routing_table, source, target))
        };
        match self.algorithm {
            Algorithm::Bfs | Algorithm::Dfs => reached(found) == reached(truth),
            Algorithm::AStar | Algorithm::Bidirectional => route(found) == route(truth),
            _ => found.distances == truth.distances && found.routing_table == truth.routing_table,
        }
    }
}

/// The growth of a cost with the number n of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Growth {
    Linear,
    Linearithmic,
    Quadratic,
    QuadraticLog,
    Cubic,
}

impl Growth {
    const ALL: [Self; 5] =
        [Self::Linear, Self::Linearithmic, Self::Quadratic, Self::QuadraticLog, Self::Cubic];

    fn name(self) -> &'static str {
        match self {
            Self::Linear => "O(n)",
            Self::Linearithmic => "O(n log n)",
            Self::Quadratic => "O(n²)",
            Self::QuadraticLog => "O(n² log n)",
            Self::Cubic => "O(n³)",
        }
    }

    fn at(self, n: f64) -> f64 {
        match self {
            Self::Linear => n,
            Self::Linearithmic => n * n.ln(),
            Self::Quadratic => n * n,
            Self::QuadraticLog => n * n * n.ln(),
            Self::Cubic => n * n * n,
        }
    }
}

impl Costs {
    /// A row for each search and maze.
    pub fn table(&self) -> Table {
        let mut table = Table::new(&[
            ("algorithm", word("Algorithm", "Algorithme")),
            ("complexity", word("Complexity", "Complexité")),
            ("vertices", word("Vertices", "Sommets")),
            ("edges", word("Edges", "Arêtes")),
            ("time_s", word("Time", "Temps")),
            ("ns_per_vertex", word("ns/vertex", "ns/sommet")),
            ("expanded", word("Expanded", "Développés")),
        ]);
        for &Cost { contender, vertices, edges, measured } in &self.0 {
            let per_vertex = |time: Duration| time.as_secs_f64() * 1e9 / vertices as f64;
            table.push([
                Figure::Text(contender.name()),
                contender.complexity().into(),
                vertices.into(),
                edges.into(),
                measured.map(|(time, _)| time).into(),
                measured.map_or(Figure::Missing, |(time, _)| Figure::Real(per_vertex(time), 1)),
                measured.map(|(_, expanded)| expanded).into(),
            ]);
        }
        table
    }

    /// Time over size, one plot for each complexity; a curve of that complexity passes through the last point
    /// of the first search.
    pub fn plots(&self) -> Vec<Plot> {
        Growth::ALL.into_iter().map(|growth| self.plot(growth)).collect()
    }

    fn plot(&self, growth: Growth) -> Plot {
        let contenders = CONTENDERS.into_iter().filter(|contender| contender.growth() == growth);
        let mut series: Vec<PlotSeries> = contenders
            .map(|contender| {
                let costs = self.0.iter().filter(|cost| cost.contender == contender);
                let points = costs.filter_map(|cost| {
                    let seconds = cost.measured?.0.as_secs_f64();
                    Some((cost.vertices as f64, seconds * 1e3))
                });
                let (name, points) = (contender.name(), points.collect());
                PlotSeries { name, points, stroke: Stroke::Dotted }
            })
            .collect();
        let measured = series.first().map_or(&[][..], |series| &series.points);
        if let Some(&(last, time)) = measured.last() {
            let curve = measured.iter().map(|&(n, _)| (n, time * growth.at(n) / growth.at(last)));
            let (name, points) = (growth.name().to_owned(), curve.collect());
            series.push(PlotSeries { name, points, stroke: Stroke::Reference });
        }
        let axis = |label: &str| Axis { label: label.to_owned(), logarithmic: true };
        let title =
            said!("Searches in mazes, {}", "Recherches dans des labyrinthes, {}", growth.name());
        Plot {
            title,
            x: axis(word("vertices", "sommets")),
            y: axis(word("milliseconds", "millisecondes")),
            series,
        }
    }
}
