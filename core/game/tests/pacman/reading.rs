//! Reading states.

use game::notation::Unexpected;
use game::pacman::{Event, Reading, State, StateError, StateReader, StateText};
use proptest::prelude::*;

use crate::games::games;
use crate::plain;
use crate::writing::names;

/// The state of the protocol's example.
const EXAMPLE: &str = "\
0;200
--------------------
5;6
######
#..$ #
 .##. 
#.  &#
######
2
A;1;4
B;3;2
2
b;2;0
a;3;3
--------------------
A;0;0;1;4;3;3;0;0;0;Ghostbuster
B;0;0;3;2;2;0;0;0;0;Greedy
";

/// Reads a text with a new reader.
fn read(text: impl AsRef<[u8]>) -> Result<Reading, StateError> {
    StateReader::new().read(text.as_ref()).cloned()
}

/// Checks that a reader that has read the example, and perhaps another text, reads as a new reader.
fn assert_memory_does_not_matter(text: &[u8]) {
    let mut reader = StateReader::new();
    reader.read(EXAMPLE.as_bytes()).expect("the example is a state");
    for _ in 0..2 {
        assert_eq!(reader.read(text).cloned(), read(text), "{:?}", String::from_utf8_lossy(text));
    }
    assert_eq!(reader.read(EXAMPLE.as_bytes()).cloned(), read(EXAMPLE));
}

#[test]
fn the_example_of_the_protocol_is_read_and_written() {
    let Reading { view, names } = read(EXAMPLE).unwrap();
    assert_eq!((view.elapsed(), view.total()), (0, 200));
    assert_eq!(names, ["Ghostbuster", "Greedy"]);
    assert_eq!(plain::text(&view, &names), EXAMPLE);
    assert_eq!(StateText::new(names).write(&view), EXAMPLE.as_bytes());
}

#[test]
fn pieces_may_be_listed_in_any_order() {
    let expected = read(EXAMPLE);
    assert!(expected.is_ok());
    for (listed, otherwise) in [("A;1;4\nB;3;2", "B;3;2\nA;1;4"), ("b;2;0\na;3;3", "a;3;3\nb;2;0")]
    {
        assert!(EXAMPLE.contains(listed));
        assert_eq!(read(EXAMPLE.replace(listed, otherwise)), expected);
    }
}

#[test]
fn a_name_is_all_that_follows_the_powers() {
    for name in ["", ";", "a;b;c", "  ", "é🕹", "--------------------", "#", "1;2;3;4\r"] {
        let text = EXAMPLE.replace("Greedy", name);
        assert_eq!(read(&text).unwrap().names, ["Ghostbuster", name]);
        assert_memory_does_not_matter(text.as_bytes());
    }
    let text = [EXAMPLE.trim_end().as_bytes(), b"\xff\n"].concat();
    assert_eq!(read(&text).unwrap().names, ["Ghostbuster", "Greedy\u{fffd}"]);
    assert_memory_does_not_matter(&text);
}

/// The example with another text for one of its lines, from 1.
fn with_line(line: usize, text: &str) -> String {
    let mut lines: Vec<_> = EXAMPLE.split('\n').collect();
    lines[line - 1] = text;
    lines.join("\n")
}

#[test]
fn errors_tell_the_line_what_was_expected_and_what_was_found() {
    const PLAYER: &str = "a player, in order of colour,";
    for (line, expected, all_found) in [
        (1, "`ELAPSED;TOTAL`", &["", "0", "0;", "0;200;1", "x;200", "-1;200", "+0;200"][..]),
        (1, "`ELAPSED;TOTAL`", &["0 ;200", "4294967296;200", "0;4294967296", "0;200\r"]),
        (2, "20 dashes", &["", "-------------------", "---------------------", "0;200"]),
        (9, "the number of pacmans", &["", "x", "-2", "2 ", "A;1;4", "99999999999"]),
        (10, "a pacman", &["", "a;1;4", "A;1", "A;1;4;0", "A;5;4", "A;1;6", "A,1,4", "AA;1;4"]),
        (11, "a pacman", &["B;-3;2", "B;3;x", "[;3;2", "@;3;2", "2", "B;99999;2"]),
        (12, "the number of ghosts", &["", "x", "b;2;0"]),
        (13, "a ghost", &["", "B;2;0", "b;2", "b;2;6", "{;2;0", "`;2;0"]),
        (15, "20 dashes", &["", "c;1;1", "A;0;0;1;4;3;3;0;0;0;Ghostbuster"]),
        (16, PLAYER, &["", "A", "A;0;0;1;4;3;3;0;0;Ghostbuster", "B;0;0;1;4;3;3;0;0;0;Greedy"]),
        (16, PLAYER, &["a;0;0;1;4;3;3;0;0;0;x", "A;x;0;1;4;3;3;0;0;0;x", "A;-;0;1;4;3;3;0;0;0;x"]),
        (16, PLAYER, &["A;2147483648;0;1;4;3;3;0;0;0;x", "A;0;0;5;4;3;3;0;0;0;x"]),
        (17, PLAYER, &["", "A;0;0;3;2;2;0;0;0;0;x", "C;0;0;3;2;2;0;0;0;0;x"]),
        (17, PLAYER, &["B;0;0;3;2;2;6;0;0;0;x", "B;0;0;3;2;2;0;-1;0;0;x", "B;0;0;3;2;2;0;0;0;0"]),
        (
            18,
            PLAYER,
            &["\n", "x", "B;0;0;3;2;2;0;0;0;0;Greedy\n", "C;0;0;3;2;2;0;0;0;0;no newline"],
        ),
    ] {
        for found in all_found {
            let text = with_line(line, found);
            let Err(StateError::Unexpected(Unexpected {
                line: at,
                expected: what,
                found: seen,
                ..
            })) = read(&text)
            else {
                panic!("{found:?} in line {line}: {:?}", read(&text));
            };
            assert_eq!((at, seen.as_str()), (line, found.trim_end_matches('\n')), "{what}");
            assert!(
                what.to_string().starts_with(expected),
                "{found:?} in line {line}: expected {what}"
            );
            assert_memory_does_not_matter(text.as_bytes());
        }
    }
    let Err(StateError::Unexpected(Unexpected { found, .. })) = read([b'9'; 100]) else {
        panic!("no state")
    };
    assert_eq!(found.len(), 60, "the beginning of a long line");
}

#[test]
fn errors_of_wrong_numbers_of_pieces_and_players_tell_the_line() {
    for (text, expected) in [
        (with_line(9, "1"), "line 11 of the state: expected the number of ghosts, found \"B;3;2\""),
        (
            with_line(9, "3"),
            "line 12 of the state: expected a pacman as `COLOUR;ROW;COL`, found \"2\"",
        ),
        (with_line(12, "1"), "line 14 of the state: expected 20 dashes, found \"a;3;3\""),
        (
            with_line(12, "3"),
            "line 15 of the state: expected a ghost as `colour;ROW;COL`, found \"--------------------\"",
        ),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), expected);
    }
    let line = |letter| format!("{letter};0;0;1;4;3;3;0;0;0;x\n");
    let players = |letters: &str| -> String {
        let (start, _) = EXAMPLE.split_once("A;0;0;").unwrap();
        start.to_owned() + &letters.chars().map(line).collect::<String>()
    };
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    assert_eq!(read(players(alphabet)).unwrap().view.players().len(), 26);
    let error = read(players(&format!("{alphabet}["))).unwrap_err();
    assert!(error.to_string().starts_with("line 42 of the state: expected at most 26 players"));
}

#[test]
fn errors_of_the_board_tell_its_line_and_column() {
    let character = |found: char| format!("unknown character {found:?}, expected a wall `#`, ");
    for (line, found, place, expected) in [
        (3, "5;6;7", (1, 1), "expected `ROWS;COLS`, two whole numbers, found \"5;6;7\""),
        (3, "", (1, 1), "expected `ROWS;COLS`, two whole numbers, found \"\""),
        (3, "2;6", (1, 1), "2 rows, expected 3 to 500"),
        (3, "5;501", (1, 3), "501 columns, expected 3 to 500"),
        (3, "5;7", (2, 7), "this row has 6 characters, expected 7"),
        (3, "6;6", (7, 1), &character('2')),
        (5, "#..$x#", (3, 5), &character('x')),
        (5, "#..$A#", (3, 5), &character('A')),
        (6, " .##é ", (4, 5), &character('é')),
        (6, " .##.", (4, 6), "this row has 5 characters, expected 6"),
        (6, " .##.  ", (4, 7), "this row has 7 characters, expected 6"),
        (8, "######\r", (6, 7), "this row has 7 characters, expected 6"),
        (4, "", (2, 1), "this row has 0 characters, expected 6"),
    ] {
        let text = with_line(line, found);
        let Err(StateError::Board(error)) = read(&text) else { panic!("{found:?} is read") };
        assert_eq!((error.line, error.column), place, "{error}");
        assert!(error.problem.en.starts_with(expected), "{error}");
        assert_memory_does_not_matter(text.as_bytes());
    }
    let walls = EXAMPLE.replace([' ', '.', '$', '&'], "#");
    let error = read(walls).unwrap_err().to_string();
    assert!(
        error.ends_with("line 2, column 1: the board has no empty cell, where a piece could start")
    );
    // Objects may lie everywhere; a board without empty cells is still that of a state.
    assert!(read(EXAMPLE.replace([' ', '.'], "!")).is_ok());
}

#[test]
fn a_truncated_state_is_an_error_unless_it_ends_with_a_player() {
    let players = EXAMPLE.find("A;0;0").unwrap();
    for end in 0..=EXAMPLE.len() {
        let text = &EXAMPLE[..end];
        let whole = end >= players && text.ends_with('\n');
        match read(text) {
            Ok(_) => assert!(whole, "{text:?}"),
            Err(error) => {
                assert!(!whole, "{text:?}: {error}");
                if let StateError::Unexpected(Unexpected { line, found, .. }) = error {
                    let lines: Vec<_> = text.split('\n').collect();
                    assert_eq!((line, found.as_str()), (lines.len(), lines[lines.len() - 1]));
                }
            }
        }
        assert_memory_does_not_matter(text.as_bytes());
    }
}

#[test]
fn a_reader_reads_on_whatever_byte_is_changed() {
    for at in 0..EXAMPLE.len() {
        for byte in *b"019;-\n\r #.!AaBb\0\xff\xc3" {
            let mut text = EXAMPLE.as_bytes().to_vec();
            text[at] = byte;
            assert_memory_does_not_matter(&text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_written_is_read(game in games(), names in names()) {
        let mut text = StateText::new(names.clone());
        let mut reader = StateReader::new();
        game.play(|event, state| {
            let text = text.write(state.view());
            let expected = Reading {
                view: state.view().clone(),
                names: names[..game.players].to_vec(),
            };
            assert_eq!(reader.read(text), Ok(&expected));
            if event == Event::TurnEnded {
                assert_eq!(read(text), Ok(expected));
            }
        });
    }

    #[test]
    fn one_reader_serves_several_games(
        games in prop::array::uniform2(games()), names in prop::array::uniform2(names()),
    ) {
        let [one, two] = [0, 1].map(|at| {
            let mut writer = StateText::new(names[at].clone());
            let mut texts = Vec::new();
            games[at].play(|event, state| {
                if event == Event::TurnEnded {
                    texts.push(writer.write(state.view()).to_vec());
                }
            });
            texts
        });
        let mut reader = StateReader::new();
        for (one, two) in one.iter().zip(&two) {
            // The second `two` follows a state of the same game.
            for text in [one, two, two] {
                assert_eq!(reader.read(text).cloned(), read(text));
            }
        }
    }

    #[test]
    fn a_game_goes_on_from_what_was_read(game in games()) {
        let end = game.play(|_, _| {});
        let (mut state, mut chance) = game.start();
        let mut text = StateText::new(vec![String::new(); game.players]);
        let mut reader = StateReader::new();
        for orders in game.turns().chain([&[][..]]) {
            let view = reader.read(text.write(state.view())).unwrap().view.clone();
            state = State::from_view(view, game.rules, state.digesting());
            state.play_turn(orders, &mut chance, |_, _| {});
        }
        assert_eq!(state, end);
    }
}

#[test]
fn arbitrary_bytes_are_a_state_or_an_error() {
    bolero::check!().for_each(assert_memory_does_not_matter);
}

#[test]
fn arbitrary_changes_make_a_state_or_an_error() {
    bolero::check!().with_type::<Vec<(u8, u8, Vec<u8>)>>().for_each(|changes| {
        let mut text = EXAMPLE.as_bytes().to_vec();
        for (at, len, new) in changes.iter().take(3) {
            let at = usize::from(*at).min(text.len());
            let end = (at + usize::from(*len % 4)).min(text.len());
            text.splice(at..end, new.iter().copied().take(8));
        }
        assert_memory_does_not_matter(&text);
    });
}
