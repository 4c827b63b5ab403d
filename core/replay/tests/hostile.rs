//! Forged and altered recordings with correct checksums, through all code that uses recordings: nothing
//! panics, and memory stays small.
//!
//! `RECORDINGS=10000000 cargo test --release -p replay --test hostile -- --nocapture` tries ten million recordings
//! and prints the number of each kind and the peak of memory; without the variable it tries few.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use game::colour::Colour;
use game::pacman::{Dims, Direction, FalseMoveCounter, Map, Orders, Rules};
use game::pyrat::{self, Maze, Recipe, Start, State};
use language::Language;
use referee::{Cause, Transport};
use replay::{
    Analysis, Animation, Answer, Excerpt, Flaw, Given, Look, Marks, PacmanSetup, PyRatSetup,
    Recorder, Recording, Replay, Setup, Turn, hash, jsonl, page, verify,
};

/// The number of recordings to try without the variable `RECORDINGS`.
const USUAL: u64 = 3000;
/// Maximum memory of the whole test, in KiB, on Linux.
const MEMORY: u64 = 200 << 10;

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end.max(1)
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn one_of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// Draws a number, often one of the extremes.
    fn number(&mut self) -> i32 {
        match self.below(8) {
            0 => i32::MAX,
            1 => i32::MIN,
            2 => self.next() as i32,
            _ => i32::try_from(self.below(12)).unwrap() - 4,
        }
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most + 1)).map(|_| self.next() as u8).collect()
    }
}

/// The bytes of a recording in parts: its first ten bytes, and the contents of its records.
#[derive(Clone)]
struct File {
    head: Vec<u8>,
    records: Vec<Vec<u8>>,
}

impl File {
    fn parse(bytes: &[u8]) -> Self {
        let (head, mut rest) = bytes.split_at(10);
        let mut records = Vec::new();
        while !rest.is_empty() {
            let digits = rest.iter().position(|byte| *byte < 0x80).unwrap() + 1;
            let digit = |(at, byte): (usize, &u8)| usize::from(byte & 0x7f) << (7 * at);
            let len: usize = rest[..digits].iter().enumerate().map(digit).sum();
            records.push(rest[digits..digits + len].to_vec());
            rest = &rest[digits + len + 2..];
        }
        Self { head: head.to_vec(), records }
    }

    /// Returns the file with correct lengths and checksums.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        for record in &self.records {
            let mut len = record.len();
            while len >= 0x80 {
                bytes.push(len as u8 | 0x80);
                len >>= 7;
            }
            bytes.push(len as u8);
            bytes.extend(record);
            bytes.extend((hash(record) as u16).to_le_bytes());
        }
        bytes
    }

    fn change(&mut self, random: &mut Random, others: &[File]) {
        if self.records.is_empty() {
            return;
        }
        let at = random.below(self.records.len());
        match random.below(10) {
            0 => drop(self.records.remove(at)),
            1 => self.records.insert(at, self.records[random.below(self.records.len())].clone()),
            2 => {
                let other = &others[random.below(others.len())].records;
                self.records[at].clone_from(&other[random.below(other.len())]);
            }
            3 => self.records.swap(at, 0),
            4 if random.one_in(8) => self.head[random.below(10)] = random.next() as u8,
            _ => {
                // The setup is one record of many, but has the most fields to get wrong.
                let at = if random.one_in(3) { 0 } else { at };
                change(&mut self.records[at], random);
            }
        }
    }
}

/// Changes some bytes of a record.
fn change(record: &mut Vec<u8>, random: &mut Random) {
    const EDGES: [u8; 10] = [0, 1, 32, 33, 34, 127, 250, 251, 252, 255];
    for _ in 0..=random.below(3) {
        let at = random.below(record.len() + 1);
        match (random.below(8), record.get_mut(at)) {
            (0, Some(_)) => drop(record.remove(at)),
            (1, _) => record.insert(at, random.next() as u8),
            (2, Some(byte)) => *byte ^= 1 << random.below(8),
            (3, Some(byte)) => *byte = random.next() as u8,
            (4, Some(byte)) => *byte = EDGES[random.below(EDGES.len())],
            // Texts of mazes and states are mostly numbers.
            (_, Some(byte)) if byte.is_ascii_digit() => *byte = b'0' + random.below(10) as u8,
            (_, Some(byte)) => {
                *byte = *random.one_of(&[&b'#', &b' ', &b'.', &b'$', &b'!', &b'\n', &b'7']);
            }
            (_, None) => record.truncate(at.saturating_sub(random.below(4))),
        }
    }
}

/// Makes a recording of an unusual game that a recorder can write.
fn made_up(random: &mut Random) -> Vec<u8> {
    let setup = if random.one_in(3) { pyrat(random) } else { pacman(random) };
    let players = setup.names().len();
    // Games with an invalid setup cannot be played.
    let mut game = setup.check().is_ok().then(|| Replay::start(&setup));
    let (mut recorder, mut bytes) = Recorder::start(setup);
    for _ in 0..random.below(12) {
        let players = if random.one_in(30) { random.below(30) } else { players };
        let mut turn = Turn {
            answers: (0..players).map(|_| given(random)).collect(),
            marks: Marks::default(),
        };
        if random.one_in(3) {
            let player = Colour::new(random.below(Colour::MAX)).unwrap();
            let text = String::from_utf8_lossy(&random.bytes(60)).into_owned();
            recorder.think([(player, text)]);
        }
        let mut after = 0;
        if let Some(game) = &mut game {
            game.play(&turn);
            turn.marks = game.marks();
            after = hash(game.text());
        }
        bytes.extend(recorder.turn(turn, after));
    }
    if random.one_in(2) {
        bytes.extend(recorder.end(random.next()));
    }
    bytes
}

fn names(random: &mut Random) -> Vec<String> {
    const NAMES: [&str; 12] = [
        "Ada",
        "équipe 3",
        "<b>",
        "",
        ";",
        "\u{1b}[31m",
        "\u{202e}",
        "-------------------",
        "日本",
        "😀",
        "\n",
        " x",
    ];
    let players = match random.below(20) {
        0 => 26,
        1 => random.below(30),
        _ => 1 + random.below(4),
    };
    let usual = !random.one_in(10);
    (0..players)
        .map(|_| NAMES[random.below(if usual { 3 } else { NAMES.len() })].to_owned())
        .collect()
}

fn pacman(random: &mut Random) -> Setup {
    let (rows, cols) = (3 + random.below(7), 3 + random.below(7));
    let letters = if random.one_in(2) { "  #" } else { "  ##.$@~&!" };
    let letter = |random: &mut Random| char::from(letters.as_bytes()[random.below(letters.len())]);
    let row =
        |random: &mut Random| (0..cols).map(|_| letter(random)).chain(['\n']).collect::<String>();
    let rows: String = (0..rows).map(|_| row(random)).collect();
    let map = format!("{};{cols}\n{rows}", rows.lines().count());
    let map: Map = map.parse().unwrap_or_else(|_| "3;3\n   \n   \n   \n".parse().unwrap());
    let counter = random.number();
    let false_moves = if random.one_in(2) {
        FalseMoveCounter::Made { limit: counter }
    } else {
        FalseMoveCounter::Left { refill: counter }
    };
    let rules = Rules {
        false_moves,
        blocked_ghost: random.number(),
        freeze_range: random.number().unsigned_abs() as u16,
        digestion: random.one_in(2),
    };
    let turns = random.number().unsigned_abs();
    Setup::Pacman(PacmanSetup { map, rules, seed: random.next(), turns, names: names(random) })
}

fn pyrat(random: &mut Random) -> Setup {
    let names = names(random);
    let (width, height) = (2 + random.below(9) as u16, 2 + random.below(9) as u16);
    let recipe = Recipe { width, height, ..Recipe::default() };
    let seed = random.next();
    let turns = random.one_in(2).then(|| random.number().unsigned_abs());
    // Rarely the largest maze, with only two cells.
    let maze = if random.one_in(5000) {
        Maze::decode(b"1000;1000\n2\n0;1:1\n1;0:1\n").ok()
    } else {
        recipe.make(seed).ok()
    };
    let start = maze.and_then(|maze| {
        let cheese = 1 + random.below(4);
        State::start(&maze, names.len(), &Start::Random, cheese, seed, turns).ok()
    });
    match start {
        Some(start) => Setup::PyRat(PyRatSetup { start, seed, names }),
        None => pacman(random),
    }
}

fn given(random: &mut Random) -> Given {
    let direction = |random: &mut Random| Direction::ALL.get(random.below(5)).copied();
    let answer = match random.below(9) {
        0 => Answer::Missed,
        1 => Answer::Disconnected,
        2 => Answer::Action(pyrat::Action::Malformed),
        3 | 4 => {
            Answer::Action(direction(random).map_or(pyrat::Action::Nothing, pyrat::Action::Go))
        }
        _ => Answer::Orders(Orders { pacman: direction(random), ghost: direction(random) }),
    };
    let mut given = Given::in_time(answer, Duration::from_nanos(random.next() >> random.below(64)));
    if random.one_in(3) {
        let time = Duration::from_nanos(random.next() >> random.below(64));
        let numbers = [random.number(), random.number(), random.number()].map(i32::unsigned_abs);
        let [unacknowledged, retransmits, queued] = numbers;
        given.cause = Some(match random.below(3) {
            0 => Cause::Bot,
            1 => Cause::Host(time),
            _ => Cause::Network(Transport { rtt: time, unacknowledged, retransmits, queued }),
        });
    }
    if random.one_in(3) {
        let flaw = if random.one_in(2) { Flaw::Malformed } else { Flaw::Late };
        given.excerpt = Some(Excerpt::new(flaw, &random.bytes(40)));
    }
    given
}

/// Makes the recordings to be altered.
fn usual() -> Vec<File> {
    let mut random = Random(7);
    let mut files = vec![
        File::parse(include_bytes!("data/pacman.rejeu")),
        File::parse(include_bytes!("data/pyrat.rejeu")),
    ];
    // The PyRat game is long.
    files[1].records.truncate(30);
    while files.len() < 40 {
        let bytes = made_up(&mut random);
        if Recording::read(&bytes).is_ok_and(|read| read.damage.is_none() && read.turn() > 3) {
            files.push(File::parse(&bytes));
        }
    }
    files
}

/// The number of recordings by outcome.
#[derive(Default)]
struct Counts {
    refused: AtomicU64,
    damaged: AtomicU64,
    whole: AtomicU64,
    identical: AtomicU64,
    /// The number of analyses, films, animations and exports as lines of JSON.
    exported: [AtomicU64; 4],
}

fn dims() -> Dims {
    Dims::new(9, 9).unwrap()
}

/// Reads, verifies and exports a recording, as a user would.
fn use_recording(bytes: &[u8], random: &mut Random, counts: &Counts) {
    let Ok(recording) = Recording::read(bytes) else {
        counts.refused.fetch_add(1, Relaxed);
        return;
    };
    let read = if recording.damage.is_some() { &counts.damaged } else { &counts.whole };
    read.fetch_add(1, Relaxed);
    counts.identical.fetch_add(u64::from(verify(&recording).is_ok()), Relaxed);
    let export = match random.below(16) {
        0..5 => 0,
        5..10 => 1,
        10 => 2,
        _ => 3,
    };
    counts.exported[export].fetch_add(1, Relaxed);
    match export {
        0 => {
            let analysis = Analysis::of(&recording);
            for (_, given) in analysis.players.iter().flat_map(|player| &player.remarks) {
                for language in [Language::English, Language::French] {
                    let remark = given.remark(language).unwrap_or_default();
                    assert!(!remark.contains(char::is_control), "{remark:?}");
                }
            }
        }
        1 => {
            page::check_length(&recording).unwrap();
            assert!(!page::film_text(&recording).contains('<'));
        }
        2 => {
            let look = Look { scale: Some(1 + random.below(2) as u16), ..Look::default() };
            if let Ok(animation) = Animation::new(&recording, look) {
                animation.write(io::sink()).unwrap();
            }
        }
        _ => jsonl::lines(&recording).for_each(|line| assert!(line.is_object())),
    }
    for thought in recording.thoughts.iter().take(100) {
        assert!(!thought.text.contains(char::is_control), "{thought:?}");
        assert!(thought.items().map(|item| item.cells(dims()).len()).sum::<usize>() <= 1000);
    }
}

#[test]
fn nothing_that_a_file_holds_panics_or_takes_much_memory() {
    let recordings = std::env::var("RECORDINGS").map_or(USUAL, |count| count.parse().unwrap());
    let threads = thread::available_parallelism().unwrap().get() as u64;
    let (usual, counts, start) = (usual(), Counts::default(), Instant::now());
    thread::scope(|scope| {
        for number in 0..threads {
            let (usual, counts) = (&usual, &counts);
            scope.spawn(move || {
                let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ number);
                for _ in 0..recordings.div_ceil(threads) {
                    let bytes = if random.one_in(8) {
                        made_up(&mut random)
                    } else {
                        let mut file = usual[random.below(usual.len())].clone();
                        for _ in 0..=random.below(3) {
                            file.change(&mut random, usual);
                        }
                        let mut bytes = file.bytes();
                        if random.one_in(20) {
                            bytes.truncate(random.below(bytes.len()));
                        }
                        bytes
                    };
                    use_recording(&bytes, &mut random, counts);
                }
            });
        }
    });
    let all = |counts: &[&AtomicU64]| counts.iter().map(|count| count.load(Relaxed)).sum::<u64>();
    let Counts { refused, damaged, whole, identical, exported } = &counts;
    println!(
        "{} recordings in {:?}: {refused:?} refused, {damaged:?} damaged, {whole:?} whole, {identical:?} \
         identical; analyses, films, animations, lines of JSON: {exported:?}",
        all(&[refused, damaged, whole]),
        start.elapsed(),
    );
    // Enough recordings pass the checks of reading to reach the rest of the code.
    assert!(all(&[damaged, whole]) > all(&[refused]) / 4);
    assert!(exported.iter().all(|count| all(&[count]) > 0) && all(&[identical]) > 0);
    if let Ok(status) = fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        println!("at most {} of memory", peak.trim());
        let kilobytes: u64 = peak.split_whitespace().next().unwrap().parse().unwrap();
        assert!(kilobytes < MEMORY, "{kilobytes} KiB");
    }
}
