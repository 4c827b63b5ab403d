//! Copied programs are found, and programs that were written independently are not.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail, and prints its figures"
)]

mod crowd;
mod disguise;
mod hostile;

use std::path::Path;
use std::{fs, str};

use disguise::disguise;
use similarity::{Class, Pair, Program, Region, Source};

/// The programs, each by another student. Those of `copies` were copied from the program of the same name, by hand.
const PROGRAMS: [&str; 20] = [
    "random_walk.py",
    "greedy.py",
    "bfs.py",
    "dijkstra.py",
    "wall.py",
    "flee.py",
    "value.py",
    "minimax.py",
    "astar.py",
    "field.py",
    "cluster.py",
    "voronoi.py",
    "depth.js",
    "monte_carlo.js",
    "beam.js",
    "Largeur.java",
    "Scoring.java",
    "all_pairs.rs",
    "patrol.rs",
    "sweep.c",
];

fn read(path: &str) -> Option<String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).ok()
}

/// The code that the course handed out for a language: its begin and its end, around the student's code.
fn skeleton(extension: &str) -> [String; 2] {
    let (file, begin, end) = match extension {
        "py" => ("../../exemples/bot.py", "def first_step", "def result"),
        // `firstStep` stays in it.
        "js" => ("../../exemples/bot.js", "/** Our thoughts", "/** Our rank"),
        "java" => ("tests/programs/base.java", "    // YOUR CODE\n", "}\n"),
        "rs" => ("tests/programs/base.rs", "// YOUR CODE\n", ""),
        _ => ("tests/programs/base.c", "// YOUR CODE\n", ""),
    };
    let text = read(file).unwrap();
    let before = &text[..text.find(begin).unwrap()];
    let after = &text[text.rfind(end).unwrap()..];
    [before.into(), after.into()]
}

fn base() -> Vec<Source> {
    let files = ["../../exemples/bot.py", "../../exemples/bot.js"];
    let more = ["base.java", "base.rs", "base.c"].map(|name| format!("tests/programs/{name}"));
    let names = files.into_iter().map(String::from).chain(more);
    names.map(|name| Source::new(name.clone(), read(&name).unwrap())).collect()
}

/// A student's program: the code in the skeleton.
fn program(name: &str, code: &str) -> Program {
    let (_, extension) = name.rsplit_once('.').unwrap();
    let [begin, end] = skeleton(extension);
    Program {
        name: name.into(),
        sources: vec![Source::new(name, format!("{begin}{code}\n\n{end}"))],
    }
}

fn disguised(program: &Program, seed: u64) -> Program {
    let source = &program.sources[0];
    let (_, extension) = source.name.rsplit_once('.').unwrap();
    let text = disguise(str::from_utf8(&source.text).unwrap(), extension, seed);
    Program {
        name: format!("{} {seed}", program.name),
        sources: vec![Source::new(&*source.name, text)],
    }
}

fn originals() -> Vec<Program> {
    PROGRAMS.map(|name| program(name, &read(&format!("tests/programs/{name}")).unwrap())).into()
}

/// The copies by hand, each with the index of its original.
fn by_hand() -> Vec<(usize, Program)> {
    let by_hand = PROGRAMS.iter().enumerate().filter_map(|(index, name)| {
        Some((index, program(name, &read(&format!("tests/programs/copies/{name}"))?)))
    });
    by_hand.collect()
}

/// The results for the pairs of a class.
#[derive(Debug)]
struct Figures {
    copied: usize,
    found: usize,
    honest: usize,
    wrong: usize,
}

impl Figures {
    fn add_to(&self, [copied, found, honest, wrong]: &mut [usize; 4]) {
        *copied += self.copied;
        *found += self.found;
        *honest += self.honest;
        *wrong += self.wrong;
    }
}

/// Compares the originals and some copies, each with the index of its original.
fn compare(what: &str, copies: &[(usize, Program)]) -> Figures {
    let mut programs = originals();
    let count = programs.len();
    programs.extend(copies.iter().map(|(_, program)| program.clone()));
    let pairs = Class::new(&base(), &programs).pairs();
    let is_copy = |pair: &&Pair| {
        pair.second.checked_sub(count).is_some_and(|copy| copies[copy].0 == pair.first)
    };
    let (guilty, honest): (Vec<&Pair>, Vec<&Pair>) = pairs.iter().partition(is_copy);
    let suspicious = |pairs: &[&Pair]| pairs.iter().filter(|pair| pair.is_suspicious()).count();
    let figures = Figures {
        copied: copies.len(),
        found: suspicious(&guilty),
        honest: programs.len() * (programs.len() - 1) / 2 - copies.len(),
        wrong: suspicious(&honest),
    };
    println!("{what}: {figures:?}");
    for (kind, pairs) in [("copied", guilty), ("honest", honest)] {
        let shares: Vec<f64> = pairs.iter().map(|pair| pair.of_smaller).collect();
        println!("    {kind}, of the smaller: {shares:.2?}");
    }
    figures
}

/// All originals with a disguise, each by another seed.
fn all_disguised(first_seed: u64) -> Vec<(usize, Program)> {
    let copies = originals().into_iter().zip(first_seed..).enumerate();
    copies.map(|(index, (program, seed))| (index, disguised(&program, seed))).collect()
}

/// The same, but what was copied by hand is disguised in the place of its original.
fn all_by_hand_and_disguised(first_seed: u64) -> Vec<(usize, Program)> {
    let mut copies = all_disguised(first_seed);
    for (index, copy) in by_hand() {
        copies[index].1 = disguised(&copy, first_seed + index as u64);
    }
    copies
}

/// The figure that the crate has to meet.
#[test]
fn copied_programs_are_found_and_honest_ones_are_not() {
    let copies = all_by_hand_and_disguised(1);
    let figures = compare("by hand and disguised", &copies);
    assert_eq!(figures.copied, 20);
    assert!(figures.found >= 18, "{figures:?}");
    let honest = compare("originals", &[]);
    assert_eq!(honest.honest, 190);
    assert!(honest.wrong <= 2 && figures.wrong <= 2, "{honest:?}, {figures:?}");
}

/// Copies by hand, copies by the disguise, and copies by both, which are the hardest to find.
#[test]
fn each_kind_of_copy_is_found() {
    let copies = by_hand();
    assert!(copies.len() >= 8);
    let figures = compare("by hand", &copies);
    assert!(figures.found + 1 >= figures.copied && figures.wrong <= 2, "{figures:?}");
    let [mut disguised, mut both] = [[0; 4]; 2];
    for seed in (1000..1200).step_by(20) {
        compare("disguised", &all_disguised(seed)).add_to(&mut disguised);
        compare("both", &all_by_hand_and_disguised(seed)).add_to(&mut both);
    }
    println!("copied, found, honest, wrong: disguised {disguised:?}, both {both:?}");
    for [copied, found, honest, wrong] in [disguised, both] {
        assert!(found * 10 >= copied * 9 && wrong * 100 <= honest, "{disguised:?} {both:?}");
    }
}

/// A solution that many found in the same book is no copy; the work of a few is.
#[test]
fn what_much_of_the_class_has_does_not_count() {
    let shared = read("tests/programs/dijkstra.py").unwrap();
    let with_shared = |count: usize| {
        let programs: Vec<Program> = PROGRAMS[..12]
            .iter()
            .enumerate()
            .map(|(index, name)| {
                let code = read(&format!("tests/programs/{name}")).unwrap();
                program(name, &if index < count { format!("{code}\n{shared}") } else { code })
            })
            .collect();
        let class = Class::new(&base(), &programs);
        class.pairs().iter().filter(|pair| pair.is_suspicious()).count()
    };
    // The program with that solution is one of the twelve.
    assert_eq!(with_shared(0), 0);
    assert_eq!(with_shared(3), 6);
    assert_eq!(with_shared(9), 0);
}

#[test]
fn regions_are_lines_of_both_files() {
    let original = &originals()[3];
    let text = str::from_utf8(&original.sources[0].text).unwrap();
    let lower = Source::new("lower.py", format!("{}{text}", "# A comment\n".repeat(10)));
    let copy = Program { name: "copy".into(), sources: vec![Source::new("empty.py", ""), lower] };
    let pairs = Class::new(&base(), &[original.clone(), copy]).pairs();
    let regions = &pairs[0].regions;
    let line = 1 + text.lines().position(|line| line.contains("heappop(heap)")).unwrap() as u32;
    assert!(regions.is_sorted_by(|one, other| one.tokens >= other.tokens));
    assert!(pairs[0].of_smaller > 0.999 && regions[0].first.lines.contains(&line), "{regions:?}");
    for Region { first, second, .. } in regions {
        let [from, to] = [first.lines.start() + 10, first.lines.end() + 10];
        assert_eq!((first.source, second.source, &second.lines), (0, 1, &(from..=to)));
    }
}

#[test]
fn what_the_course_handed_out_does_not_count() {
    let code = ["orders = print\n", "def orders(game):\n    return 'NN'\n"];
    let programs = code.map(|code| program("a.py", code));
    assert!(Class::new(&base(), &programs).pairs().is_empty());
    let pairs = Class::new(&[], &programs).pairs();
    assert!(pairs[0].is_suspicious() && pairs[0].of_smaller > 0.9, "{pairs:?}");
    let other = Program { name: String::new(), sources: vec![Source::new("notes.txt", "x = 1")] };
    let extents = Class::new(&base(), &[programs[0].clone(), other]).extents().to_vec();
    assert!(extents[0].own < 30 && extents[0].left_out > 400, "{extents:?}");
    assert_eq!((extents[1].own, extents[1].left_out, extents[1].is_cut), (0, 0, false));
}
