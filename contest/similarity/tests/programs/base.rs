use std::collections::*;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

struct Game {
    me: char,
    rows: usize,
    cols: usize,
    cells: Vec<u8>,
    pacmans: BTreeMap<char, usize>,
    ghosts: BTreeMap<char, usize>,
}

fn decode(message: &str) -> Option<Game> {
    let mut parts = message.split("--------------------\n");
    let me = parts.next()?.chars().nth(4)?;
    let mut lines = parts.next()?.lines();
    let (rows, cols) = lines.next()?.split_once(';')?;
    let (rows, cols) = (rows.parse().ok()?, cols.parse().ok()?);
    let cells = lines.take(rows).flat_map(|line| line.bytes()).collect();
    let (mut pacmans, mut ghosts) = (BTreeMap::new(), BTreeMap::new());
    for line in parts.next()?.lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let number = |index: usize| fields[index].parse::<usize>().unwrap_or(0);
        let colour = fields[0].chars().next()?;
        pacmans.insert(colour, number(3) * cols + number(4));
        ghosts.insert(colour, number(5) * cols + number(6));
    }
    Some(Game { me, rows, cols, cells, pacmans, ghosts })
}

fn main() -> std::io::Result<()> {
    let mut stream = TcpStream::connect("127.0.0.1:1111")?;
    stream.write_all(b"joueur;Rust\0")?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut bytes = Vec::new();
    while reader.read_until(0, &mut bytes)? > 0 {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some(game) = decode(&text) {
            stream.write_all(format!("{}\0", orders(&game)).as_bytes())?;
        }
        bytes.clear();
    }
    Ok(())
}

// YOUR CODE
