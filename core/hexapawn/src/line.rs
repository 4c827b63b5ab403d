//! A best line of play.

use std::fmt;

use super::{Configuration, HexapawnSolver, Value};

/// A game with best play of both players: configurations with their values for the player to move, from
/// the first one to the end.
///
/// `Display` shows boards side by side, each under the player to move and the value;
/// no end of line follows the last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestLine(pub Vec<(Configuration, Value)>);

/// Maximum width of boards side by side, in characters; a wider board stands alone.
const WIDTH: usize = 80;

impl BestLine {
    /// The best line from a configuration on, with the first one of equal moves.
    ///
    /// # Errors
    ///
    /// The errors of `watch`, which learns about the solver's nodes.
    pub fn best<E>(
        solver: &mut HexapawnSolver,
        start: &Configuration,
        mut watch: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut line = vec![(*start, solver.value(start, &mut watch)?.value)];
        while let Some((configuration, value)) = line.last() {
            let next = solver.best_successor(configuration, *value, &mut watch)?;
            let Some(next) = next else { break };
            let value = solver.value(&next, &mut watch)?.value;
            line.push((next, value));
        }
        Ok(Self(line))
    }
}

impl fmt::Display for BestLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames: Vec<Vec<String>> = self.0.iter().map(frame).collect();
        let width = frames.iter().flatten().map(String::len).max().unwrap_or(0);
        let side_by_side = |row: &[Vec<String>]| {
            let lines = (0..row[0].len()).map(|at| {
                let line: Vec<_> =
                    row.iter().map(|frame| format!("{:width$}", frame[at])).collect();
                line.join("  ").trim_end().to_owned()
            });
            lines.collect::<Vec<_>>().join("\n")
        };
        let rows: Vec<_> = frames.chunks((WIDTH + 2) / (width + 2)).map(side_by_side).collect();
        f.write_str(&rows.join("\n\n"))
    }
}

/// The lines of a board under its value.
fn frame((configuration, value): &(Configuration, Value)) -> Vec<String> {
    let title = format!("{} {:+}", configuration.player.letter(), value.get());
    let board = configuration.board.to_string().replace(' ', ".");
    std::iter::once(title).chain(board.lines().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Size, memo::Memo};

    #[test]
    fn values_count_down_to_the_end() {
        let forever = |_| Ok::<(), ()>(());
        for (lines, columns) in [(1, 3), (2, 2), (3, 3), (3, 4), (4, 4), (5, 4)] {
            let size = Size::new(lines, columns).unwrap();
            let start = Configuration::start(size);
            let BestLine(line) =
                BestLine::best(&mut HexapawnSolver::new(size), &start, forever).unwrap();
            let plies = usize::from(line[0].1.plies());
            assert_eq!((line[0].0, line.len()), (start, plies + 1));
            for (at, (configuration, value)) in line.iter().enumerate() {
                let expected = Memo::default().value(configuration, forever).unwrap().value;
                assert_eq!((*value, usize::from(value.plies())), (expected, plies - at));
                assert!(at == 0 || line[at - 1].0.successors().contains(configuration));
            }
        }
    }

    #[test]
    fn boards_stand_side_by_side() {
        let size = Size::new(3, 3).unwrap();
        let start = Configuration::start(size);
        let forever = |_| Ok::<(), ()>(());
        let BestLine(mut line) =
            BestLine::best(&mut HexapawnSolver::new(size), &start, forever).unwrap();
        line.truncate(2);
        assert_eq!(
            BestLine(line.clone()).to_string(),
            "P -6  p +5\nppp   ppp\n...   .P.\nPPP   P.P"
        );
        // 13 boards of 4 characters fit.
        let line = BestLine(line.repeat(8)).to_string();
        assert_eq!(line.lines().count(), 9);
        assert_eq!(line.lines().map(str::len).max(), Some(13 * 6 - 2));
    }
}
