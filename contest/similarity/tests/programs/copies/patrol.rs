use Way::*;

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Up,
    Right,
    Down,
    Left,
}

const WAYS: [Way; 4] = [Up, Right, Down, Left];

fn worth(game: &Game, cell: usize) -> i32 {
    let mut total = match game.cells[cell] {
        b'.' => 4,
        b'$' => 50,
        b'&' => 90,
        b'@' | b'~' | b'!' => 20,
        _ => 0,
    };
    for (team, ghost) in &game.ghosts {
        if *team != game.me && *ghost == cell {
            total -= 70;
        }
    }
    total
}

fn walk(game: &Game, cell: usize, way: Way) -> usize {
    let mut row = (cell / game.cols) as i32;
    let mut col = (cell % game.cols) as i32;
    if way == Up {
        row -= 1;
    } else if way == Down {
        row += 1;
    } else if way == Right {
        col += 1;
    } else {
        col -= 1;
    }
    let row = row.rem_euclid(game.rows as i32) as usize;
    let col = col.rem_euclid(game.cols as i32) as usize;
    row * game.cols + col
}

fn orders(game: &Game) -> String {
    let here = game.pacmans[&game.me];
    let (mut chosen, mut most) = (Up, i32::MIN);
    for way in WAYS {
        let next = walk(game, here, way);
        if game.cells[next] == b'#' {
            continue;
        }
        let total = 10 * worth(game, next) + look(game, next, here, 7);
        if total > most {
            most = total;
            chosen = way;
        }
    }
    let ghost = game.ghosts[&game.me];
    let open: Vec<Way> = WAYS.into_iter().filter(|way| game.cells[walk(game, ghost, *way)] != b'#').collect();
    let second = open.get((ghost + here) % open.len().max(1)).copied().unwrap_or(Down);
    format!("{}{}", letter(chosen), letter(second))
}

fn look(game: &Game, cell: usize, from: usize, turns: u32) -> i32 {
    let mut most = -4;
    if turns == 0 {
        return 0;
    }
    for way in WAYS {
        let next = walk(game, cell, way);
        if game.cells[next] != b'#' && next != from {
            let total = worth(game, next) * turns as i32 + look(game, next, cell, turns - 1);
            if total > most {
                most = total;
            }
        }
    }
    most
}

fn letter(way: Way) -> char {
    match way {
        Up => 'N',
        Right => 'E',
        Down => 'S',
        Left => 'O',
    }
}
