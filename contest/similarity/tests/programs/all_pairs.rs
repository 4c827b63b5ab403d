const NAMES: [char; 4] = ['N', 'E', 'S', 'O'];

fn neighbour(game: &Game, cell: usize, direction: usize) -> Option<usize> {
    let (row, col) = (cell / game.cols, cell % game.cols);
    let next = match direction {
        0 => (row + game.rows - 1) % game.rows * game.cols + col,
        1 => row * game.cols + (col + 1) % game.cols,
        2 => (row + 1) % game.rows * game.cols + col,
        _ => row * game.cols + (col + game.cols - 1) % game.cols,
    };
    (game.cells[next] != b'#').then_some(next)
}

/// Distances between all cells, as rows of a matrix.
fn matrix(game: &Game) -> Vec<Vec<u32>> {
    let cells = game.cells.len();
    let mut all = vec![vec![u32::MAX; cells]; cells];
    for start in 0..cells {
        if game.cells[start] == b'#' {
            continue;
        }
        let row = &mut all[start];
        row[start] = 0;
        let mut queue = VecDeque::from([start]);
        while let Some(cell) = queue.pop_front() {
            for next in (0..4).filter_map(|direction| neighbour(game, cell, direction)) {
                if row[next] == u32::MAX {
                    row[next] = row[cell] + 1;
                    queue.push_back(next);
                }
            }
        }
    }
    all
}

/// A tour by the rule of the nearest neighbour; its length weighs how good a first object is.
fn tour(all: &[Vec<u32>], mut at: usize, mut left: Vec<usize>) -> Option<usize> {
    let mut first = None;
    while !left.is_empty() {
        let index = (0..left.len()).min_by_key(|&index| all[at][left[index]])?;
        at = left.swap_remove(index);
        first = first.or(Some(at));
        if left.len() > 6 {
            break;
        }
    }
    first
}

fn toward(game: &Game, all: &[Vec<u32>], from: usize, to: usize) -> char {
    let open = (0..4).filter_map(|direction| Some((direction, neighbour(game, from, direction)?)));
    open.min_by_key(|&(_, next)| all[next][to]).map_or('N', |(direction, _)| NAMES[direction])
}

fn orders(game: &Game) -> String {
    let all = matrix(game);
    let me = game.pacmans[&game.me];
    let objects: Vec<usize> =
        (0..game.cells.len()).filter(|&cell| !b"# ".contains(&game.cells[cell]) && all[me][cell] < u32::MAX).collect();
    let pacman = tour(&all, me, objects).map_or('N', |goal| toward(game, &all, me, goal));
    let ghost = game.ghosts[&game.me];
    let prey = game.pacmans.iter().filter(|(colour, _)| **colour != game.me).map(|(_, &cell)| cell);
    let ghost = prey.min_by_key(|&cell| all[ghost][cell]).map_or('N', |cell| toward(game, &all, ghost, cell));
    format!("{pacman}{ghost}")
}
