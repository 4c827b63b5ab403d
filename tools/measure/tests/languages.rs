//! The whole output of `measure` is in the chosen language.

use language::testing::assert_languages;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn nothing_is_said_in_another_language() {
    let lines = [
        "traces nowhere",
        "traces Cargo.toml",
        "debit --carte nowhere",
        "decisions --tournois 2 --manches 2",
        "decisions --confiance 2",
        "echelle --cours 1 --parties 20",
        "echelle --ecart -1",
        "pyrat mazes nowhere",
        "zoo --serveur nowhere",
    ];
    assert_languages(env!("CARGO_BIN_EXE_measure"), ROOT, &lines, |_, _| {});
}
