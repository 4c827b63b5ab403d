//! The files for platforms that collect marks.

use std::path::Path;

use anyhow::Context;
use language::{said, word};
use serde_json::{Value, json};

use super::{MarkArgs, Marked, MarkedLevel, sentence};
use crate::commands::trial::words;

/// Writes the files that the flags ask for.
pub(super) fn write(args: &MarkArgs, marked: &Marked<'_>) -> anyhow::Result<()> {
    if let Some(path) = &args.gradescope {
        write_gradescope(path, marked)?;
    }
    if let Some(path) = &args.classroom {
        write_classroom(path, marked)?;
    }
    Ok(())
}

/// Writes `results.json` of Gradescope.
pub(in super::super) fn write_gradescope(path: &Path, marked: &Marked<'_>) -> anyhow::Result<()> {
    write_json(path, &gradescope(marked))
}

/// Writes `result.json` of GitHub Classroom.
pub(in super::super) fn write_classroom(path: &Path, marked: &Marked<'_>) -> anyhow::Result<()> {
    write_json(path, &classroom(marked))
}

fn write_json(path: &Path, value: &Value) -> anyhow::Result<()> {
    std::fs::write(path, format!("{value:#}\n"))
        .with_context(|| said!("cannot write {}", "{} ne peut pas être écrit", path.display()))
}

/// A level in a sentence.
fn told(level: &MarkedLevel) -> String {
    let share = level.share.map_or_else(|| "–".to_owned(), words::interval);
    let (games, rule) = (level.games, &level.rule);
    said!(
        "First places in {games} games: {share}; marks grow between {rule}.",
        "Premières places en {games} parties : {share} ; les points croissent entre {rule}."
    )
}

/// `results.json` of Gradescope ("Autograder specifications"): the score of the submission, and a test for each level.
fn gradescope(marked: &Marked<'_>) -> Value {
    let tests = marked.levels.iter().map(|level| {
        json!({
            "name": level.title, "score": level.marks, "max_score": level.best, "output": told(level),
            "visibility": "visible",
        })
    });
    json!({
        "score": marked.mark.value,
        "output": sentence(marked),
        "visibility": "visible",
        "tests": tests.collect::<Vec<_>>(),
    })
}

/// The results of an autograder of GitHub Classroom (`autograding-grading-reporter`, version 1).
fn classroom(marked: &Marked<'_>) -> Value {
    let status = |is_passed| if is_passed { "pass" } else { "fail" };
    let plays = marked.failure.is_none();
    // The score of an assignment is the sum of its tests, so the rounding is here.
    let given: f64 = marked.levels.iter().map(|level| level.marks).sum();
    let base = json!({
        "name": word("The program plays", "Le programme joue"), "status": status(plays),
        "score": marked.mark.value - given, "message": sentence(marked),
    });
    let tests = marked.levels.iter().map(|level| {
        json!({
            "name": level.title, "status": status(level.marks >= level.best),
            "score": level.marks, "message": told(level),
        })
    });
    let tests = std::iter::once(base).chain(tests);
    json!({
        "version": 1,
        "status": if marked.failure.is_some() { "error" } else { status(marked.mark.value >= marked.best) },
        "max_score": marked.best,
        "tests": tests.collect::<Vec<_>>(),
    })
}
