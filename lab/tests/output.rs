//! The behaviour of all commands if the reader of their output exits early, as `head` does.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::process::{Command, Stdio};

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    for (words, code) in [
        (
            "rencontres --ia glouton --contre glouton --parties 1 --duree 2 \
             --cartes ../cartes/plan1.txt",
            0,
        ),
        ("labyrinthe generer --hauteur 200 --largeur 200", 0),
        ("labyrinthe carte", 0),
        ("chemins comparer --tailles 9", 0),
        ("hexapawn table --lignes 3 --colonnes 3", 0),
        ("flaques resoudre --taille 2", 0),
        ("--help", 0),
    ] {
        let mut lab = Command::new(env!("CARGO_BIN_EXE_lab"));
        lab.args(words.split_whitespace()).current_dir(env!("CARGO_MANIFEST_DIR"));
        let mut child = lab.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), &errors[..]), (Some(code), ""), "{words}");
    }
}
