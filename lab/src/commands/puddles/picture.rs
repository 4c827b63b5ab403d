//! Grids as text.

use std::fmt::Write;

use puddles::Puzzle;

/// The grids after each jump, as many side by side as fit into `width` columns. The cursor's counter stands
/// in brackets; above each grid are the number of the jump and its cell.
pub(super) fn picture(puzzle: &Puzzle, jumps: &[usize], width: usize) -> String {
    const GAP: usize = 3;
    let board = puzzle.board();
    let mut counters = vec![puzzle.value(); board.cells()];
    let grids: Vec<_> = jumps
        .iter()
        .map(|&cell| {
            puzzle.jump(&mut counters, cell);
            counters.clone()
        })
        .collect();
    let digits = grids.iter().flatten().map(|counter| counter.to_string().len()).max().unwrap_or(1);
    let title = |at: usize| format!("{}: {}", at + 1, board.pos(jumps[at]));
    let titles = (0..jumps.len()).map(|at| title(at).len()).max().unwrap_or(0);
    let grid_width = (board.columns() * (digits + 2)).max(titles);
    let abreast = ((width + GAP) / (grid_width + GAP)).max(1);

    let mut text = String::new();
    let mut line = |parts: &mut dyn Iterator<Item = String>| {
        let mut whole = String::new();
        for part in parts {
            let _ = write!(whole, "{part:grid_width$}{:GAP$}", "");
        }
        text.push_str(whole.trim_end());
        text.push('\n');
    };
    let all: Vec<usize> = (0..jumps.len()).collect();
    for (band, abreast) in all.chunks(abreast).enumerate() {
        if band > 0 {
            line(&mut std::iter::empty());
        }
        line(&mut abreast.iter().map(|&at| title(at)));
        for row in 0..board.rows() {
            line(&mut abreast.iter().map(|&at| {
                let cells = row * board.columns()..(row + 1) * board.columns();
                let cell = |cell| match (cell == jumps[at], grids[at][cell]) {
                    (true, counter) => format!("{:>1$}]", format!("[{counter}"), digits + 1),
                    (false, counter) => format!("{counter:>0$} ", digits + 1),
                };
                cells.map(cell).collect()
            }));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use graph::Pos;

    use super::*;
    use puddles::Board;

    #[test]
    fn grids_stand_side_by_side() {
        let start = Pos { row: 0, col: 0 };
        let puzzle = Puzzle::new(Board::new(2, 3).unwrap(), 9, start).unwrap();
        let expected = "\
1: (0, 0)      2: (0, 1)
 [7] 10   9      8  [7] 10
 10   9   9     10  10   9

3: (0, 2)
  8   8  [8]
 10  10  10
";
        assert_eq!(picture(&puzzle, &[0, 1, 2], 30), expected);
    }
}
