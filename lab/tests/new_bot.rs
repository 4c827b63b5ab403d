//! A crate that `lab nouveau-bot` has written compiles, and its bot is named after it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;
use std::process::{Command, Output};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn new_bot(folder: &Path, source: &str) -> Output {
    let mut lab = Command::new(env!("CARGO_BIN_EXE_lab"));
    lab.arg("nouveau-bot").arg(folder).args(["--source", source]).output().unwrap()
}

fn error(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn it_compiles_and_is_named_after_its_folder() {
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = scratch.path().join("ada_2");
    assert!(new_bot(&folder, SOURCE).status.success());
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--offline"]).current_dir(&folder);
    // The folder is kept, so that the next run of the tests only checks the bot itself.
    cargo.env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/nouveau-bot"));
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let bot = std::fs::read_to_string(folder.join("main.rs")).unwrap();
    assert!(bot.contains("Entry::new(\"ada_2\","), "{bot}");
}

#[test]
fn slips_are_answered_and_nothing_is_overwritten() {
    let scratch = tempfile::tempdir().unwrap();
    let output = new_bot(&scratch.path().join("Ada Lovelace"), SOURCE);
    assert!(error(&output).contains("small letters, digits and _, as in `"), "{output:?}");
    for name in ["game", "language", "test", "deps", "match"] {
        let output = new_bot(&scratch.path().join(name), SOURCE);
        let expected = format!("a bot cannot be called `{name}`: expected a name that neither");
        assert!(error(&output).contains(&expected), "{output:?}");
        assert!(!scratch.path().join(name).exists());
    }
    let output = new_bot(&scratch.path().join("ada"), scratch.path().to_str().unwrap());
    assert!(error(&output).contains("has no crate `core/bots`; type --source"), "{output:?}");
    assert!(!scratch.path().join("ada").exists());
    let output = new_bot(scratch.path(), SOURCE);
    assert!(!output.status.success());
    assert!(new_bot(&scratch.path().join("ada"), SOURCE).status.success());
    let output = new_bot(&scratch.path().join("ada"), SOURCE);
    assert!(error(&output).contains("exists already; nothing was changed"), "{output:?}");
}
