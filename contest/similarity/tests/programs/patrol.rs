#[derive(Clone, Copy, PartialEq)]
enum Dir {
    North,
    East,
    South,
    West,
}

impl Dir {
    fn all() -> Vec<Dir> {
        vec![Dir::North, Dir::East, Dir::South, Dir::West]
    }

    fn letter(self) -> char {
        match self {
            Dir::North => 'N',
            Dir::East => 'E',
            Dir::South => 'S',
            Dir::West => 'O',
        }
    }
}

fn go(g: &Game, pos: usize, d: Dir) -> usize {
    let mut r = (pos / g.cols) as i32;
    let mut c = (pos % g.cols) as i32;
    match d {
        Dir::North => r -= 1,
        Dir::South => r += 1,
        Dir::East => c += 1,
        Dir::West => c -= 1,
    }
    let r = r.rem_euclid(g.rows as i32) as usize;
    let c = c.rem_euclid(g.cols as i32) as usize;
    r * g.cols + c
}

fn score(g: &Game, pos: usize) -> i32 {
    let mut s = match g.cells[pos] {
        b'&' => 100,
        b'$' => 40,
        b'@' | b'~' | b'!' => 25,
        b'.' => 5,
        _ => 0,
    };
    for (k, v) in &g.ghosts {
        if *k != g.me && *v == pos {
            s -= 80;
        }
    }
    s
}

// three steps ahead, without going back
fn explore(g: &Game, pos: usize, before: usize, left: u32) -> i32 {
    if left == 0 {
        return 0;
    }
    let mut best = -5;
    for d in Dir::all() {
        let p = go(g, pos, d);
        if g.cells[p] == b'#' || p == before {
            continue;
        }
        let s = score(g, p) * left as i32 + explore(g, p, pos, left - 1);
        if s > best {
            best = s;
        }
    }
    best
}

fn orders(g: &Game) -> String {
    let pos = g.pacmans[&g.me];
    let mut answer = Dir::North;
    let mut best = i32::MIN;
    for d in Dir::all() {
        let p = go(g, pos, d);
        if g.cells[p] != b'#' {
            let s = 9 * score(g, p) + explore(g, p, pos, 8);
            if s > best {
                best = s;
                answer = d;
            }
        }
    }
    let mut patrol = Dir::all();
    let gpos = g.ghosts[&g.me];
    patrol.retain(|d| g.cells[go(g, gpos, *d)] != b'#');
    let turn = (gpos + pos) % patrol.len().max(1);
    let second = patrol.get(turn).copied().unwrap_or(Dir::South);
    format!("{}{}", answer.letter(), second.letter())
}
