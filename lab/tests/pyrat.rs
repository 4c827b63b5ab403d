//! PyRat in the lab: recorded mazes.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs::File;

use lab::pyrat::mazes::Report;

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pyrat-mazes.jsonl.gz");
/// Made with PyRat 6.2.14: other sizes, shares, mud, seeds, pieces of cheese, and all kinds of holes.
const VARIANTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pyrat-variants.jsonl.gz");

#[test]
fn every_recorded_maze_is_made_again() {
    for (file, mazes) in [(RECORDED, 45), (VARIANTS, 13)] {
        let mut report = Report::default();
        report.compare(File::open(file).unwrap()).unwrap();
        assert_eq!(report, Report { mazes, identical: mazes, first: None });
    }
}
