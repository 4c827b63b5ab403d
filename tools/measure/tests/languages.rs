//! The whole output of `measure` is in the chosen language.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::cell::RefCell;
use std::process::Command;

use language::testing::{every_help, mixed};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn nothing_is_said_in_another_language() {
    let wrong = RefCell::new(Vec::new());
    for language in ["fr", "en"] {
        let check = |arguments: &[&str]| {
            let mut measure = Command::new(env!("CARGO_BIN_EXE_measure"));
            let measure = measure.current_dir(ROOT).args(arguments).args(["--langue", language]);
            let output = measure.output().unwrap();
            let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            wrong.borrow_mut().extend(mixed(arguments, &said, language));
            said
        };
        every_help(|arguments| {
            check(&[&arguments[..arguments.len() - 1], &["--nothing"]].concat());
            check(arguments)
        });
        for line in [
            "traces nowhere",
            "traces Cargo.toml",
            "debit --carte nowhere",
            "decisions --tournois 2 --manches 2",
            "decisions --confiance 2",
            "pyrat mazes nowhere",
            "zoo --serveur nowhere",
        ] {
            check(&line.split(' ').collect::<Vec<_>>());
        }
    }
    let wrong = wrong.into_inner();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
