//! Files that were made to harm: no bytes make the comparison panic, hang or take much memory.

use proptest::prelude::*;
use similarity::{Class, MAX_BYTES, MAX_TOKENS, Program, Source};

const FILES: [&str; 5] = ["a.py", "a.java", "a.ts", "a.rs", "a.cpp"];

/// Characters that open, close or continue a token, or change the meaning of the next ones.
const MARKS: [&str; 40] = [
    "\"", "'", "`", "\"\"\"", "'''", "${", "{", "}", "(", ")", "[", "]", "/", "/*", "*/", "//",
    "#", "\\", "\n", "\\\n", "r#\"", "\"#", "R\"(", ")\"", "rb'", "f\"", "'a", "b'", "0x", "1e",
    "1.", "..", ".5", "é", "\0", "\u{feff}", "x", " = ", "return ", "#include",
];

fn compare(file: &str, texts: [Vec<u8>; 2]) -> Class {
    let programs =
        texts.map(|text| Program { name: String::new(), sources: vec![Source::new(file, text)] });
    let class = Class::new(&[], &programs);
    for pair in class.pairs() {
        assert!(pair.of_smaller <= 1.0 && pair.of_both <= pair.of_smaller);
        assert_eq!(pair.matched, pair.regions.iter().map(|region| region.tokens).sum::<usize>());
        for (place, program) in
            pair.regions.iter().flat_map(|region| [(&region.first, 0), (&region.second, 1)])
        {
            let text = &programs[program].sources[place.source].text;
            let lines = text.split(|byte| *byte == b'\n').count();
            let [from, to] = [place.lines.start(), place.lines.end()].map(|line| *line as usize);
            assert!(1 <= from && from <= to && to <= lines, "{place:?} of {lines}");
        }
    }
    class
}

proptest! {
    #[test]
    fn any_bytes_are_compared(
        file in prop::sample::select(&FILES[..]),
        one in prop::collection::vec(any::<u8>(), 0..400),
        other in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        compare(file, [one, other]);
    }

    #[test]
    fn any_marks_are_compared(
        file in prop::sample::select(&FILES[..]),
        marks in prop::collection::vec(prop::sample::select(&MARKS[..]), 0..150),
        from in 0..150_usize,
    ) {
        let rest = marks.get(from..).unwrap_or_default().concat();
        compare(file, [marks.concat().into(), rest.into()]);
    }
}

/// With a quadratic cost, this test would take hours.
#[test]
fn long_files_are_cut_and_cost_no_more_than_their_length() {
    let more = [
        "(/[",
        "(/a",
        "a,b+",
        "x=1\n",
        "f(a)(b)[c]",
        "`${",
        "{`",
        "r##",
        "''",
        "'\\",
        "/*/*",
        "R\"aaaaaaaaaaaaaaaaa",
    ];
    for mark in MARKS.into_iter().chain(more) {
        for file in FILES {
            let text = mark.repeat(MAX_BYTES / mark.len() + 2);
            let class = compare(file, [text.clone().into(), text.into()]);
            assert!(class.extents().iter().all(|extent| extent.is_cut && extent.own <= MAX_TOKENS));
        }
    }
}

/// Of a word that is periodic at every scale, many shifts have long regions.
#[test]
fn self_similar_files_cost_no_more() {
    let mut words = ["+ ", "- "].map(String::from);
    while words[0].len() < 100_000 {
        words = [words.concat(), words[0].clone()];
    }
    let [fibonacci, _] = words;
    let thue_morse = |n: u32| if n.count_ones().is_multiple_of(2) { "+ " } else { "- " };
    let thue_morse: String = (0..60_000).map(thue_morse).collect();
    for text in [&fibonacci, &thue_morse] {
        compare("a.js", [text.clone().into(), text[2..].into()]);
    }
    compare("a.js", [fibonacci.into(), thue_morse.into()]);
}
