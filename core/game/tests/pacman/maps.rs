//! Reading maps.

use game::pacman::{Direction, Map};
use graph::traversal;

use crate::cartes;

/// Common beginning of many cases.
const ROOM: &str = "3;4\n####\n#. #\n####\n";

#[test]
fn errors_tell_the_line_and_the_column() {
    let in_row = |row: &str| format!("3;4\n####\n{row}\n####\n");
    let after_room = |text: &str| format!("{ROOM}{text}");
    let cases = [
        ("", "line 1, column 1: expected `ROWS;COLS`, two whole numbers, found \"\""),
        ("\n\n", "line 1, column 1: expected `ROWS;COLS`, two whole numbers, found \"\""),
        ("3", "line 1, column 1: expected `ROWS;COLS`, two whole numbers, found \"3\""),
        ("3;", "line 1, column 1: expected `ROWS;COLS`"),
        (";4", "line 1, column 1: expected `ROWS;COLS`"),
        ("3;4;5", "line 1, column 1: expected `ROWS;COLS`"),
        ("3,4", "line 1, column 1: expected `ROWS;COLS`"),
        ("-3;4", "line 1, column 1: expected `ROWS;COLS`"),
        ("+3;4", "line 1, column 1: expected `ROWS;COLS`"),
        (" 3;4", "line 1, column 1: expected `ROWS;COLS`"),
        ("####\n# .#\n####", "line 1, column 1: expected `ROWS;COLS`"),
        ("2;4", "line 1, column 1: 2 rows, expected 3 to 500"),
        ("501;4", "line 1, column 1: 501 rows, expected 3 to 500"),
        ("65539;4", "line 1, column 1: 65539 rows, expected 3 to 500"),
        ("99999999999999999999;4", "line 1, column 1: 18446744073709551615 rows"),
        ("3;2", "line 1, column 3: 2 columns, expected 3 to 500"),
        ("300;501", "line 1, column 5: 501 columns, expected 3 to 500"),
        ("3;4", "line 2, column 1: expected row 1 of 3, found the end of the map"),
        ("3;4\n####\n#. #", "line 4, column 1: expected row 3 of 3"),
        ("3;4\n####\n#. #\n\n\n", "line 4, column 1: expected row 3 of 3"),
        ("3;4\r\n####\r\n#. #\r\n", "line 4, column 1: expected row 3 of 3"),
        (&in_row("#.#"), "line 3, column 4: this row has 3 characters, expected 4"),
        (&in_row(""), "line 3, column 1: this row has 0 characters, expected 4"),
        (&in_row("#.  #"), "line 3, column 5: this row has 5 characters, expected 4"),
        (&in_row("#. #\r\r"), "line 3, column 5: this row has 5 characters, expected 4"),
        (&in_row("#. #é"), "line 3, column 5: this row has 5 characters, expected 4"),
        (&in_row("#.x#"), "line 3, column 3: unknown character 'x'"),
        (&in_row("#.\t#"), "line 3, column 3: unknown character '\\t'"),
        (&in_row("é  #"), "line 3, column 1: unknown character 'é'"),
        (&in_row("#🕹A#"), "line 3, column 2: unknown character '🕹'"),
        (&in_row("#A"), "line 3, column 2: unknown character 'A'"),
        (&in_row("####"), "line 2, column 1: the board has no empty cell"),
        (&in_row("#$!#"), "line 2, column 1: the board has no empty cell"),
        (&after_room("####"), "line 5, column 1: expected the number of pacmans, found \"####\""),
        (&after_room("\n0"), "line 5, column 1: expected the number of pacmans, found \"\""),
        (&after_room("-1"), "line 5, column 1: expected the number of pacmans, found \"-1\""),
        (
            &after_room("1\nA;1"),
            "line 6, column 1: expected a piece as `LETTER;ROW;COL`, found \"A;1\"",
        ),
        (&after_room("1\nAB;1;1"), "line 6, column 1: expected a piece"),
        (&after_room("1\n1\nA;1;1"), "line 6, column 1: expected a piece"),
        (
            &after_room("3\nA;1;1"),
            "line 7, column 1: expected a piece as `LETTER;ROW;COL`, found \"\"",
        ),
        (&after_room("99999999999999\n"), "line 6, column 1: expected a piece"),
        (
            &after_room("1\nA;1;1\nx"),
            "line 7, column 1: expected the number of ghosts, found \"x\"",
        ),
        (
            &after_room("0\n1\na;1;1\n0"),
            "line 8, column 1: expected the end of the map, found \"0\"",
        ),
    ];
    for (text, expected) in cases {
        let error = Map::parse(text.as_bytes()).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text:?}\nexpected {expected}\nfound    {error}");
    }
    // Bytes that are not UTF-8.
    let text = b"3;4\n####\n#.\xff#\n####\n";
    let error = Map::parse(text).unwrap_err();
    assert_eq!((error.line, error.column), (3, 3));
    assert!(error.problem.en.starts_with("unknown character '\u{fffd}', "), "{error}");
    let error = Map::parse(&[b'#'; 1000]).unwrap_err().to_string();
    let found = format!("found \"{}…\"", "#".repeat(40));
    assert!(error.ends_with(&found), "the beginning of a long line: {error}");
}

#[test]
fn line_ends_blank_lines_and_pieces_make_no_difference() {
    let map: Map = ROOM.parse().unwrap();
    assert_eq!(map.to_string(), ROOM);
    for text in [
        ROOM.trim_end().to_owned(),
        ROOM.replace('\n', "\r\n"),
        ROOM.trim_end().replace('\n', "\r\n"),
        format!("\u{feff}{ROOM}"),
        format!("{ROOM}\n\r\n\n"),
        format!("{ROOM}   \n\t\n"),
        format!("{ROOM}0\n0\n"),
        format!("{ROOM}1\nA;1;2"),
        format!("{ROOM}2\nB;1;1\nA;1;2\n2\na;77;0\nb;x;y\n\n"),
        format!("{ROOM}2\nB;1;1\nA;1;2\n2\na;1;1\nb;1;1\n").replace('\n', "\r\n"),
    ] {
        assert_eq!(Map::parse(text.as_bytes()).as_ref(), Ok(&map), "{text:?}");
    }
}

#[test]
fn a_row_of_spaces_is_not_blank() {
    for text in ["3;3\n###\n###\n   ", "3;3\n   \n   \n   \n\n", "3;3\n   \n###\n   \n   \n"] {
        let map = Map::parse(text.as_bytes()).unwrap();
        assert!(text.starts_with(map.to_string().trim_end_matches('\n')), "{text:?}");
    }
}

#[test]
fn boards_have_3_to_500_rows_and_columns() {
    for (rows, cols) in [(3, 3), (3, 500), (500, 3), (500, 500)] {
        let text = format!("{rows};{cols}\n") + &(".".repeat(cols) + "\n").repeat(rows);
        let map: Map = text.parse().unwrap();
        assert_eq!(map.to_string(), text);
        assert_eq!(map.empty_cells(), rows * cols);
    }
}

#[test]
fn every_piece_needs_an_empty_cell() {
    let map: Map = "3;6\n######\n#. $ #\n   ###\n".parse().unwrap();
    assert_eq!(map.empty_cells(), 6);
    for players in 0..=3 {
        assert!(map.check_room_for(players).is_ok());
    }
    let error = map.check_room_for(4).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 1: 4 players need 8 empty cells, the board has 6"
    );
}

#[test]
fn the_maps_of_the_project_are_playable() {
    let files = cartes::all();
    assert!(files.iter().any(|(name, _)| name == "plan1.txt"));
    for (name, text) in files {
        let map = Map::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(map.to_string(), text, "{name}");

        let (_, rows) = text.split_once('\n').unwrap();
        let empty = rows.matches([' ', '.']).count();
        assert_eq!(map.check_room_for(26).is_ok(), empty >= 52, "{name}");
        assert!(map.check_room_for(4).is_ok(), "{name}");

        let board = map.board();
        let first = board.corridors().next().unwrap();
        let reached = traversal::bfs(board.dims().len(), first.index(), |at| {
            let cell = board.dims().nth(at).unwrap();
            board.exits(cell).iter().map(move |&exit| board.neighbour(cell, exit).index())
        });
        let distances = reached.unwrap().distances;
        for cell in board.corridors() {
            let pos = board.dims().pos(cell);
            assert!(distances[cell.index()].is_some(), "{name}: {pos} is cut off");
            assert!(!board.exits(cell).is_empty(), "{name}: {pos} is a trap");
        }
    }
}

#[test]
fn the_corridors_of_the_map_of_the_subject_are_one_cell_wide() {
    let map = cartes::load("plan1.txt");
    let board = map.board();
    for cell in board.corridors() {
        let east = board.neighbour(cell, Direction::East);
        let south = board.neighbour(cell, Direction::South);
        let block = [east, south, board.neighbour(east, Direction::South)];
        let pos = board.dims().pos(cell);
        assert!(block.iter().any(|&other| board.is_wall(other)), "a square from {pos} on");
    }
}

#[test]
fn what_was_read_is_written_and_read_again() {
    bolero::check!().for_each(|bytes: &[u8]| {
        if let Ok(map) = Map::parse(bytes) {
            assert_eq!(map.to_string().parse(), Ok(map));
        }
    });
    // Bytes limited to these few letters are maps far more often.
    bolero::check!().with_type::<(u8, u8, Vec<u8>)>().for_each(|(rows, cols, cells)| {
        let (rows, cols) = (3 + usize::from(rows % 3), 3 + usize::from(cols % 3));
        let mut text = format!("{rows};{cols}\n");
        for row in cells.chunks(cols).take(rows + 1) {
            let letter = |cell: &u8| char::from(b"#  ..$@~&!\r\n0;"[usize::from(*cell) % 14]);
            text.extend(row.iter().map(letter));
            text.push('\n');
        }
        if let Ok(map) = Map::parse(text.as_bytes()) {
            let written = map.to_string();
            assert!(text.replace('\r', "").starts_with(&written));
            assert_eq!(written.parse(), Ok(map));
        }
    });
}
