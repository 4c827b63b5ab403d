//! Tests if all perfect mazes are equally likely, on the 192 perfect mazes of 3×3 cells.

use rand_core::Rng;

use super::Maze;
use crate::Generator;
use graph::{Cell, Dims};

/// Number of perfect mazes of 3×3 cells.
pub const MAZES: u32 = 192;

/// The 0.999 quantile of χ² if all mazes are equally likely (191 degrees of freedom).
pub const LIMIT: f64 = 257.0;

/// Pearson's χ² of `draws` mazes of 3×3 cells against the uniform distribution. `draws` should be hundreds for each of the
/// [`MAZES`].
pub fn chi_squared(generator: Generator, draws: u32, rng: &mut impl Rng) -> f64 {
    let dims = Dims::new(3, 3).expect("3 is more than 0");
    let walls: Vec<_> = Maze::filled(dims).walls().collect();
    let mut counts = vec![0_u32; 1 << walls.len()];
    for _ in 0..draws {
        counts[code(&walls, &generator.generate(dims, rng))] += 1;
    }
    let expected = f64::from(draws) / f64::from(MAZES);
    let perfect = (0..counts.len()).filter(|&code| decode(dims, &walls, code).is_perfect());
    perfect.map(|code| (f64::from(counts[code]) - expected).powi(2) / expected).sum()
}

/// A bit per wall, set for a passage.
fn code(walls: &[(Cell, Cell)], maze: &Maze) -> usize {
    let bits = walls.iter().enumerate();
    bits.map(|(bit, &(a, b))| usize::from(maze.reachable_cells(a).any(|c| c == b)) << bit).sum()
}

fn decode(dims: Dims, walls: &[(Cell, Cell)], code: usize) -> Maze {
    let mut maze = Maze::filled(dims);
    for (_, &(a, b)) in walls.iter().enumerate().filter(|(bit, _)| code >> bit & 1 == 1) {
        maze.remove_wall(a, b).expect("walls are between contiguous cells");
    }
    maze
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maze::tests::rng;

    #[test]
    fn there_are_192_mazes() {
        let dims = Dims::new(3, 3).unwrap();
        let walls: Vec<_> = Maze::filled(dims).walls().collect();
        let perfect: Vec<_> = (0..1 << 12)
            .map(|code| (code, decode(dims, &walls, code)))
            .filter(|(_, maze)| maze.is_perfect())
            .collect();
        assert_eq!(perfect.len(), MAZES as usize);
        assert!(perfect.iter().all(|&(expected, ref maze)| code(&walls, maze) == expected));
    }

    #[test]
    fn only_wilson_is_uniform() {
        for generator in Generator::ALL {
            let found = chi_squared(generator, 96_000, &mut rng(1));
            assert_eq!(found < LIMIT, generator == Generator::Wilson, "{generator}: {found}");
        }
    }
}
