//! Mazes as in the subject: drawings, properties of the generators, and reading.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use graph::{Cell, Dims, Direction, Pos};
use maze::{Generator, Maze, MazeTextError, ReadMaze};
use proptest::prelude::*;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn dims(rows: u16, cols: u16) -> Dims {
    Dims::new(rows, cols).unwrap()
}

fn at(maze: &Maze, row: u16, col: u16) -> Cell {
    maze.dims().cell(Pos { row, col }).unwrap()
}

/// The drawings of a file, with the titles above them.
fn drawings(text: &str) -> Vec<(&str, String)> {
    let parts = text.split("= ").skip(1).map(|part| part.split_once('\n').unwrap());
    parts.map(|(title, drawing)| (title, drawing.to_owned())).collect()
}

#[test]
fn the_subjects_mazes_are_drawn_as_in_the_subject() {
    let expected = drawings(include_str!("data/subject.txt"));
    let drawn = |title: &str| &expected.iter().find(|(name, _)| *name == title).unwrap().1;
    let mut maze = Maze::filled(dims(5, 5));
    assert_eq!(maze.to_string(), *drawn("cells 3 and 4"));
    maze.clear();
    maze.fill();
    assert_eq!(maze.to_string(), *drawn("cells 3 and 4"));
    maze.remove_wall(at(&maze, 0, 0), at(&maze, 0, 1)).unwrap();
    assert_eq!(maze.to_string(), *drawn("cell 5"));
    maze.clear();
    maze.add_wall(at(&maze, 0, 0), at(&maze, 0, 1)).unwrap();
    maze.add_wall(at(&maze, 0, 1), at(&maze, 1, 1)).unwrap();
    assert_eq!(maze.to_string(), *drawn("cell 6"));

    let binary_tree: Maze = drawn("cell 10").parse().unwrap();
    assert_eq!(binary_tree.to_string(), *drawn("cell 10"));
    check_binary_tree(&binary_tree);
    let sidewinder: Maze = drawn("cell 11").parse().unwrap();
    assert_eq!(sidewinder.to_string(), *drawn("cell 11"));
    check_sidewinder(&sidewinder);
}

#[test]
fn cells_hold_what_they_are_given() {
    let mut maze = Maze::filled(dims(2, 2));
    maze.remove_wall(at(&maze, 0, 0), at(&maze, 0, 1)).unwrap();
    maze.remove_wall(at(&maze, 0, 1), at(&maze, 1, 1)).unwrap();
    let drawn = maze.rendering(|cell| ['D', '*', 'é', 'A'][cell.index()]).to_string();
    assert_eq!(drawn, "┏━━━┳━━━┓\n┃ D   * ┃\n┣━━━╋   ┫\n┃ é ┃ A ┃\n┗━━━┻━━━┛\n");
    let read = ReadMaze::parse(drawn.as_bytes()).unwrap();
    assert_eq!(read, ReadMaze { maze, contents: vec!['D', '*', 'é', 'A'] });
}

#[test]
fn a_seed_gives_the_same_maze_for_ever() {
    let mut expected = drawings(include_str!("data/seed_1.txt")).into_iter();
    for generator in Generator::ALL {
        let maze = generator.generate(dims(4, 6), &mut rng(1));
        let (name, drawing) = expected.next().unwrap();
        assert_eq!((generator.name(), maze.to_string()), (name, drawing));
    }
}

#[test]
fn all_generators_make_perfect_mazes_of_all_sizes() {
    let sides = [1, 2, 3, 5, 63, 64, 65, 130];
    for generator in Generator::ALL {
        for (rows, cols) in sides.into_iter().flat_map(|rows| sides.map(|cols| (rows, cols))) {
            let maze = generator.generate(dims(rows, cols), &mut rng(2));
            assert!(maze.is_perfect(), "{generator} {rows}×{cols}");
            assert_eq!(maze.passage_count(), maze.dims().len() - 1);
            assert_eq!(maze.passages().count(), maze.dims().len() - 1);
            if rows * cols < 100 {
                assert!(maze.info().ends_with("cohérente\n"), "{}", maze.info());
                assert!(maze.distances(at(&maze, 0, 0)).iter().all(Option::is_some));
            }
        }
        let [first, other] = [1, 2].map(|seed| generator.generate(dims(9, 9), &mut rng(seed)));
        assert_ne!(first, other);
    }
}

#[test]
fn generators_keep_their_promises() {
    for seed in 0..5 {
        for (rows, cols) in [(1, 1), (1, 8), (8, 1), (12, 7), (9, 150)] {
            check_binary_tree(&Generator::BinaryTree.generate(dims(rows, cols), &mut rng(seed)));
            check_sidewinder(&Generator::Sidewinder.generate(dims(rows, cols), &mut rng(seed)));
        }
    }
}

/// Checks that the last row and the last column are corridors, and that the path from any cell to their corner only goes
/// south and east.
fn check_binary_tree(maze: &Maze) {
    let (rows, cols) = (maze.dims().rows(), maze.dims().cols());
    let corner = at(maze, rows - 1, cols - 1);
    assert!((1..cols).all(|col| maze.is_open(at(maze, rows - 1, col), Direction::West)));
    assert!((1..rows).all(|row| maze.is_open(at(maze, row, cols - 1), Direction::North)));
    for (cell, steps) in maze.dims().cells().zip(maze.distances(corner)) {
        assert_eq!(steps, Some(maze.distance_man(cell, corner)));
    }
}

/// Checks that the last row is a corridor, and that each run of another row has one passage to the south.
fn check_sidewinder(maze: &Maze) {
    let (rows, cols) = (maze.dims().rows(), maze.dims().cols());
    assert!((1..cols).all(|col| maze.is_open(at(maze, rows - 1, col), Direction::West)));
    for row in 0..rows - 1 {
        let mut openings = 0;
        for cell in (0..cols).map(|col| at(maze, row, col)) {
            openings += u32::from(maze.is_open(cell, Direction::South));
            if !maze.is_open(cell, Direction::East) {
                assert_eq!(openings, 1, "in the run that ends at {}", maze.dims().pos(cell));
                openings = 0;
            }
        }
    }
}

#[test]
fn runs_of_sidewinder_open_anywhere() {
    let maze = Generator::Sidewinder.generate(dims(400, 400), &mut rng(3));
    // Number of runs of three cells by the place of their opening.
    let mut places = [0; 3];
    for row in 0..399 {
        let mut run = Vec::new();
        for cell in (0..400).map(|col| at(&maze, row, col)) {
            run.push(maze.is_open(cell, Direction::South));
            if !maze.is_open(cell, Direction::East) {
                if run.len() == 3 {
                    places[run.iter().position(|&open| open).unwrap()] += 1;
                }
                run.clear();
            }
        }
    }
    // A third of 400 · 400 / 2 / 8 runs, within five standard deviations.
    assert!(places.iter().all(|place| (3330 - 290..3330 + 290).contains(place)), "{places:?}");
}

#[test]
fn wilsons_dead_ends_are_as_many_as_theory_says() {
    // 8/π²·(1 − 2/π) = 0.2945… of the cells of an infinite grid.
    let maze = Generator::Wilson.generate(dims(1000, 1000), &mut rng(1));
    let share = f64::from(u32::try_from(maze.dead_ends().count()).unwrap()) / 1e6;
    assert!((share - 0.2945).abs() <= 0.002, "{share}");
}

#[test]
fn texts_that_are_not_mazes_say_where() {
    let cases = [
        ("", "line 1, column 1: expected `┏`, found the end of the text"),
        ("┏━━━", "line 1, column 5: expected `┓`, found the end of the line"),
        ("┏━━┓\n", "line 1, column 4: expected `━`, found '┓'"),
        ("┏━━━┓\n", "line 2, column 1: expected `┃`, found the end of the text"),
        ("┏━━━┓x\n", "line 1, column 6: expected the end of the line, found 'x'"),
        ("┏━━━┓\n┃", "line 2, column 2: expected a space, found the end of the line"),
        ("┏━━━┓\n┃   ┃   ┃", "line 2, column 6: expected the end of the line, found ' '"),
        ("┏━━━┳━━━┓\n┃   ┃", "line 2, column 6: expected a space, found the end of the line"),
        ("┏━━━┓\n┃      ", "line 2, column 5: expected `┃`, found ' '"),
        ("┏━━━┓\n┃AAA┃", "line 2, column 2: expected a space, found 'A'"),
        ("┏━━━┓\n┃   ┃\n", "line 3, column 1: expected `┗`, found the end of the text"),
        ("┏━━━┓\n┃   ┃\n┣━━━╋", "line 3, column 5: expected `┫`, found '╋'"),
        ("┏━━━┳━━━┓\n┃   ┃   ┃\n┣━━━┫", "line 3, column 5: expected `╋`, found '┫'"),
        ("┏━━━┓\n┃   ┃\n┣━ ━┫", "line 3, column 3: expected `━`, found ' '"),
        ("┏━━━┓\n┃   ┃\n┣ ━ ┫", "line 3, column 3: expected a space, found '━'"),
        ("┏━━━┓\n┃   ┃\n┗━━━┛┛", "line 3, column 6: expected the end of the line, found '┛'"),
        ("┏━━━┓\n┃   ┃\n┗   ┛", "line 3, column 2: expected `━`, found ' '"),
        ("┏━━━┓\n┃   ┃\n┗━━━┛\n\n┏", "line 5, column 1: expected the end of the text, found '┏'"),
    ];
    for (text, expected) in cases {
        assert_eq!(text.parse::<Maze>().unwrap_err().to_string(), expected, "{text}");
    }
    // Long lines alone make no large maze.
    let wide = format!("┏{}┓{}", "━━━┳".repeat(60_000), "\n┣".repeat(100_000));
    assert!(wide.parse::<Maze>().unwrap_err().to_string().starts_with("line 1, column 240002: "));
    let wide = format!("┏{}━━━┓", "━━━┳".repeat(70_000));
    let error = wide.parse::<Maze>().unwrap_err();
    assert_eq!(error, MazeTextError::TooLarge { line: 1, column: 4 * 65_536 + 1 });
    let tall = format!("┏━━━┓\n{}", "┃   ┃\n┣━━━┫\n".repeat(70_000));
    let error = tall.parse::<Maze>().unwrap_err();
    assert_eq!(error, MazeTextError::TooLarge { line: 2 * 65_536, column: 1 });
}

/// Mazes with any walls, perfect or not.
fn mazes() -> impl Strategy<Value = Maze> {
    (1..9_u16, 1..9_u16, any::<u64>(), any::<u64>()).prop_map(|(rows, cols, a, b)| {
        let mut maze = Maze::filled(dims(rows, cols));
        let bits = u128::from(a) << 64 | u128::from(b);
        let walls: Vec<_> = maze.walls().collect();
        for (_, (a, b)) in walls.into_iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1) {
            maze.remove_wall(a, b).unwrap();
        }
        maze
    })
}

proptest! {
    #[test]
    fn what_is_drawn_is_read_again(maze in mazes(), content in "[^\r\n]") {
        let content = content.chars().next().unwrap();
        let drawn = maze.rendering(|cell| if cell.index() % 3 == 0 { content } else { ' ' });
        let drawn = drawn.to_string();
        prop_assert_eq!(&drawn.parse::<Maze>().unwrap(), &maze);
        let contents = ReadMaze::parse(drawn.as_bytes()).unwrap().contents;
        prop_assert!(contents.iter().step_by(3).all(|&found| found == content));
        prop_assert_eq!(&drawn.replace('\n', "\r\n").parse::<Maze>().unwrap(), &maze);
        prop_assert_eq!(&drawn.trim_end().parse::<Maze>().unwrap(), &maze);
        prop_assert_eq!(&format!("\u{feff}{drawn}\n \n").parse::<Maze>().unwrap(), &maze);
    }

    #[test]
    fn damaged_drawings_are_errors_or_other_mazes(
        maze in mazes(), at in any::<prop::sample::Index>(), put in "[┏┳┓┃ ━┣╋┫┗┻┛\n]?",
    ) {
        let mut drawn: Vec<char> = maze.to_string().chars().collect();
        let at = at.index(drawn.len());
        drawn.splice(at..=at, put.chars());
        let text: String = drawn.into_iter().collect();
        if let Ok(other) = text.parse::<Maze>() {
            let plain = other.to_string();
            // The contents of cells and the newlines at the end are dropped.
            prop_assert_eq!(plain.trim_end().chars().count(), text.trim_end().chars().count());
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in any::<Vec<u8>>()) {
        let _ = ReadMaze::parse(&bytes);
    }
}
