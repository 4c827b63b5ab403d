//! The whole output of `measure` is in the chosen language, and each line of arguments ends with the exit code that it should.

use language::testing::assert_languages;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn nothing_is_said_in_another_language() {
    let lines = [
        (2, "traces nowhere"),
        (2, "traces Cargo.toml"),
        (2, "debit --carte nowhere"),
        (0, "decisions --tournois 2 --manches 2"),
        (2, "decisions --jusqua 2"),
        (0, "echelle --cours 1 --parties 20"),
        (2, "echelle --ecart -1"),
        (2, "pyrat mazes nowhere"),
        (2, "zoo --carte cartes/petit.txt --serveur nowhere"),
    ];
    assert_languages(env!("CARGO_BIN_EXE_measure"), ROOT, &lines, |_, _| {});
}
