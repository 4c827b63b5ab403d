//! The behaviour of all commands if the reader of their output exits early, as `head` does.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::process::{Command, Stdio};

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    for (words, code) in [
        ("traces tests/data/orleans2024.jsonl.gz", 0),
        ("traces --regles sujet tests/data/orleans2024.jsonl.gz", 1),
        ("debit --carte ../../cartes/plan1.txt --tours 10", 0),
        ("debit --carte ../../cartes/plan1.txt --tours 10 --tcp --tours-tcp 10 --parties 2", 0),
    ] {
        let mut measure = Command::new(env!("CARGO_BIN_EXE_measure"));
        measure.args(words.split_whitespace()).current_dir(env!("CARGO_MANIFEST_DIR"));
        let mut child = measure.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), &errors[..]), (Some(code), ""), "{words}");
    }
}

#[test]
fn numbers_out_of_range_are_refused_with_the_flag_and_the_range() {
    for (words, expected) in [
        ("grappe --rencontres 18446744073709551615", "--rencontres"),
        ("grappe --rencontres 0", "--rencontres"),
        ("grappe --ouvriers 4000000000", "--ouvriers"),
        ("grappe --fenetre 0", "--fenetre"),
        ("decisions --jusqua 2", "from 0.5 to below 1"),
        ("decisions --jusqua nan", "from 0.5 to below 1"),
        ("decisions --avance nan", "nats from -30 to 30"),
        ("decisions --avance inf", "nats from -30 to 30"),
        ("decisions --chance -1", "nats from 0 to 30"),
        ("decisions --tournois 0", "--tournois"),
        ("decisions --manches 0", "--manches"),
        ("decisions --ia glouton prudent --duree 0", "--duree"),
    ] {
        let mut measure = Command::new(env!("CARGO_BIN_EXE_measure"));
        let output = measure.args(words.split(' ')).args(["--langue", "en"]).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}: {errors}");
        assert!(errors.contains(expected), "{words}: {errors}");
    }
}

#[test]
fn tournaments_are_held_in_any_folder() {
    let mut measure = Command::new(env!("CARGO_BIN_EXE_measure"));
    let words = "decisions --ia glouton prudent --tournois 1 --manches 1 --duree 1";
    let output = measure.args(words.split(' ')).current_dir(std::env::temp_dir()).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &errors[..]), (Some(0), ""));
    assert!(output.stdout.starts_with(b"tournaments=1 "));
}
