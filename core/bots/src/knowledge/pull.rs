//! Potential field: each cell attracts by the objects around it.
//!
//! Khatib, “Real-Time Obstacle Avoidance for Manipulators and Mobile Robots”, 1986.
#![expect(clippy::cast_precision_loss, reason = "what is expected need not be exact")]

use game::pacman::{Cell, Object, View};
use graph::{DistanceTable, Distances};

/// Worth of an object too far away to count.
const NEGLIGIBLE: f32 = 0.2;
/// Number of vitamins that count, the nearest ones.
const VITAMINS: u32 = 12;
/// Bound on cells × objects that count: on a large board, only the nearest objects do.
const WORK: usize = 5_000_000;

/// Points that each cell attracts a pacman with.
#[derive(Debug, Default)]
pub(crate) struct Pull {
    points: Vec<f32>,
    /// Points of an object by distance.
    fading: Vec<f32>,
}

impl Pull {
    /// Computes the field of the objects that a pacman reaches, from its distances to all cells. An object attracts with what
    /// `worth` says that it is worth at its own cell, times `fading` for each step of the distance; `None` ends the computation.
    pub(crate) fn fill(
        &mut self,
        view: &View,
        own: &Distances,
        table: &mut DistanceTable,
        fading: f32,
        mut worth: impl FnMut(Cell, Object) -> Option<f32>,
    ) {
        let board = view.board();
        self.points.clear();
        self.points.resize(board.dims().len(), 0.0);
        let mut vitamins = VITAMINS;
        let objects = |&cell: &Cell| Some((cell, view.objects().get(cell)?));
        let objects = own.reached().iter().filter_map(objects);
        for (cell, object) in objects.take(WORK / board.dims().len()) {
            if object == Object::Vitamin {
                if vitamins == 0 {
                    continue;
                }
                vitamins -= 1;
            }
            let Some(worth) = worth(cell, object) else { return };
            let distances = table.from(board, cell);
            let steps = |cell: &Cell| distances.to(*cell) as usize;
            let furthest = distances.reached().last().map_or(0, steps);
            let faded = std::iter::successors(Some(worth * fading), |pull| Some(pull * fading));
            self.fading.clear();
            self.fading.push(worth);
            self.fading.extend(faded.take(furthest).take_while(|&pull| pull >= NEGLIGIBLE));
            let near = distances.reached().partition_point(|cell| steps(cell) < self.fading.len());
            for cell in &distances.reached()[..near] {
                self.points[cell.index()] += self.fading[steps(cell)];
            }
        }
    }

    /// Adds points to each cell, in row-major order.
    pub(crate) fn add(&mut self, points: &[f32]) {
        for (pull, points) in self.points.iter_mut().zip(points) {
            *pull += points;
        }
    }

    pub(crate) fn of(&self, cell: Cell) -> f32 {
        self.points[cell.index()]
    }

    /// Mean over some cells, for the unknown end of a teleport.
    pub(crate) fn mean(&self, cells: &[Cell]) -> f32 {
        cells.iter().map(|&cell| self.of(cell)).sum::<f32>() / cells.len() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pacman::{Map, Quick, Rules, State};

    #[test]
    fn each_object_attracts_by_its_distance_until_that_is_negligible() {
        // One object is in a room of its own.
        let map: Map =
            "7;9\n#########\n#@..&...#\n# ##### #\n#...$...#\n#########\n#..@ &..#\n#########\n"
                .parse()
                .unwrap();
        let state = State::start(&map, Rules::SUJET, 9, 1, &mut Quick::new(1));
        let (view, board) = (state.view(), state.view().board());
        let (mut table, mut pull) = (DistanceTable::new(), Pull::default());
        let own = table.from(board, view.players()[0].pacman).clone();
        for (points, fading) in [(1.0, 0.5), (40.0, 0.96), (0.1, 0.9), (0.0, 0.9)] {
            pull.fill(view, &own, &mut table, fading, |_, _| Some(points));
            for &cell in own.reached() {
                let objects = own.reached().iter().filter(|&&at| view.objects().get(at).is_some());
                let mut expected = 0.0;
                for &object in objects {
                    let steps = table.from(board, object).to(cell);
                    let faded = (0..steps).fold(points, |pull, _| pull * fading);
                    expected += if steps == 0 || faded >= NEGLIGIBLE { faded } else { 0.0 };
                }
                assert_eq!(pull.of(cell).to_bits(), f32::to_bits(expected), "{cell:?}, {fading}");
            }
        }
        let mut asked = 0;
        pull.fill(view, &own, &mut table, 0.9, |_, _| {
            asked += 1;
            None
        });
        assert_eq!(asked, 1);
        assert!(own.reached().iter().all(|&cell| pull.of(cell).abs() < f32::EPSILON));
    }
}
