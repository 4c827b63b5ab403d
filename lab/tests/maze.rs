//! `lab labyrinthe`, run as a program.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

use game::pacman::Map;
use maze::{Maze, ReadMaze};
use serde_json::{Value, json};

const CORRIDOR: &str = "┏━━━┳━━━┓\n┃       ┃\n┣━━━╋   ┫\n┃       ┃\n┗━━━┻━━━┛\n";

/// Runs `lab labyrinthe` with these words and this standard input.
fn lab(words: &str, input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.arg("labyrinthe").args(words.split_whitespace());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Some commands do not read their input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The output of a command that succeeds.
fn printed(words: &str, input: &str) -> String {
    let output = lab(words, input);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &errors[..]), (Some(0), ""), "{words}");
    String::from_utf8(output.stdout).unwrap()
}

/// The error of a command that fails with the exit code 2.
fn refused(words: &str, input: &str) -> String {
    let output = lab(words, input);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]), "{words}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn every_algorithm_makes_a_maze_that_is_the_same_again() {
    for algo in ["btree", "sidewinder", "fusion", "exploration", "wilson"] {
        let words = format!("generer --algo {algo} --hauteur 5 --largeur 9 --graine 3");
        let drawn = printed(&words, "");
        let maze: Maze = drawn.parse().unwrap();
        assert_eq!((maze.to_string(), maze.dims().to_string()), (drawn.clone(), "5×9".to_owned()));
        assert!(maze.is_perfect());
        let english = format!("generate --algo {algo} --height 5 --width 9 --seed 3");
        assert_eq!(printed(&english, ""), drawn);
        assert_ne!(printed(&words.replace('3', "4"), ""), drawn);
    }
    assert!(refused("generer --algo prim", "").contains("btree, sidewinder, fusion"));
}

#[test]
fn mazes_are_printed_as_graphs_too() {
    let graph = printed("generer --hauteur 1 --largeur 3 --format json", "");
    let graph: Value = serde_json::from_str(&graph).unwrap();
    assert_eq!(graph, json!({ "0": { "1": 1 }, "1": { "0": 1, "2": 1 }, "2": { "1": 1 } }));
}

#[test]
fn large_mazes_work_and_absurd_ones_are_refused() {
    let drawn = printed("generer --hauteur 400 --largeur 700 --algo exploration", "");
    assert_eq!(drawn.lines().count(), 801);
    assert!(refused("generer --hauteur 0", "").contains("1..=65535"));
    let error = refused("generer --hauteur 60000 --largeur 60000", "");
    assert_eq!(error, "error: 60000×60000 cells: expected 1 to 25000000 cells\n");
}

#[test]
fn ways_are_found_and_drawn() {
    let solved =
        "┏━━━┳━━━┓\n┃ D   * ┃\n┣━━━╋   ┫\n┃     A ┃\n┗━━━┻━━━┛\nlength 2, cells visited: 3";
    for algo in ["bfs", "dfs", "dijkstra", "a_etoile", "a_star"] {
        let found = printed(&format!("resoudre - --algo {algo}"), CORRIDOR);
        assert_eq!(found, format!("{solved}\n"));
    }
    for algo in ["main_droite", "right_hand"] {
        let found = printed(&format!("solve --algo {algo}"), CORRIDOR);
        assert_eq!(found, format!("{solved}, steps walked: 2\n"));
    }
}

#[test]
fn ways_lead_from_where_to_where_they_should() {
    let json = |words: &str, input: &str| -> Value {
        serde_json::from_str(&printed(&format!("resoudre --json {words}"), input)).unwrap()
    };
    let path = json!([[1, 0], [1, 1], [0, 1]]);
    let found = json("--algo a_etoile --depart 1,0 --arrivee 0,1", CORRIDOR);
    let expected = json!({
        "algo": "a_etoile", "from": [1, 0], "to": [0, 1], "length": 2, "visited": 3, "path": path,
    });
    assert_eq!(found, expected);
    let marked = CORRIDOR.replacen("       ┃", "     A ┃", 1).replacen("┫\n┃   ", "┫\n┃ D ", 1);
    assert_eq!(json("", &marked)["path"], path, "{marked}");
    assert_eq!(json("--end 1,0", &marked)["path"], json!([[1, 0]]));
    let walk = json("--algo main_droite --depart 1,1 --arrivee 1,0", CORRIDOR);
    assert_eq!(
        (&walk["walk"], &walk["length"], &walk["visited"]),
        (&5.into(), &1.into(), &4.into())
    );
}

#[test]
fn where_no_way_is_found_the_exit_code_says_so() {
    let closed = CORRIDOR.replace("╋   ┫", "╋━━━┫");
    let output = lab("resoudre", &closed);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(shown.ends_with("┗━━━┻━━━┛\nno path found, cells visited: 2\n"), "{shown}");
    let output = lab("resoudre --json --algo main_droite", &closed);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!((&found["length"], &found["path"]), (&Value::Null, &json!([])));
    // There and back again.
    assert_eq!(found["walk"], 2);
}

#[test]
fn errors_name_the_line_and_the_column() {
    let broken = CORRIDOR.replace('╋', "╬");
    let expected = "error: the standard input: line 3, column 5: expected `╋`, found '╬'\n";
    assert_eq!(refused("resoudre", &broken), expected);
    assert!(refused("resoudre no/such/file", "").contains("cannot read no/such/file: "));
    let expected = "error: the cell (2, 0) is outside the maze of 2×2 cells\n";
    assert_eq!(refused("resoudre --depart 2,0", CORRIDOR), expected);
    assert!(refused("resoudre --depart 2", CORRIDOR).contains("as `3,14`"));
    assert!(refused("resoudre --algo dfs2", CORRIDOR).contains("a_etoile"));
    assert!(refused("image", "").contains("--png"));
    let expected = "invalid value 'maze.jpg' for '--png <FILE>': expected a name that ends in .png";
    assert!(refused("image --png maze.jpg", "").contains(expected));
    assert!(
        refused("image --png no/such/maze.png", "").contains("cannot write no/such/maze.png: ")
    );
    assert!(
        refused("image --png maze.png --hauteur 500 --largeur 500 --echelle 1000", "").contains(
            "a picture of 500125×500125 pixels: expected at most 150000000 pixels in all"
        )
    );
    assert!(refused("stats --svg stats", "").contains("expected a name that ends in .svg"));
    assert!(refused("carte --boucles 101%", "").contains("at most `100%`"));
    let error = refused("carte - --boucles 2", CORRIDOR);
    assert_eq!(error, "error: the standard input: 2 loops: the maze has 1 walls\n");
    assert!(refused("carte - --algo wilson", CORRIDOR).contains("cannot be used with"));
    let error = refused("carte --hauteur 250", "");
    assert!(error.contains("expected at most 249 rows and columns"), "{error}");
}

#[test]
fn generators_are_compared() {
    let words = "stats --hauteur 10 --largeur 10 --labyrinthes 3";
    let table: Value = serde_json::from_str(&printed(&format!("{words} --json"), "")).unwrap();
    let uniform: Vec<_> = table.as_array().unwrap().iter().map(|row| &row["uniform"]).collect();
    assert_eq!(uniform, [false, false, false, false, true]);
    let folder = tempfile::tempdir().unwrap();
    let [svg, png] = ["stats.svg", "stats.png"].map(|name| folder.path().join(name));
    let words = format!("{words} --svg {} --png {}", svg.display(), png.display());
    let shown = printed(&words.replace("--labyrinthes 3", "--labyrinthes 1"), "");
    assert!(shown.contains("sidewinder") && shown.contains("χ²"), "{shown}");
    assert!(std::fs::read_to_string(svg).unwrap().contains("exploration"));
    assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn pictures_are_drawn_of_files_and_of_new_mazes() {
    let folder = tempfile::tempdir().unwrap();
    let [svg, png] = ["maze.svg", "maze.png"].map(|name| folder.path().join(name));
    let files = format!("--svg {} --png {}", svg.display(), png.display());
    printed(&format!("image - {files} --solution --echelle 3"), CORRIDOR);
    let drawn = std::fs::read_to_string(&svg).unwrap();
    for colour in ["#D55E00", "#009E73", "#CC003C"] {
        assert!(drawn.contains(colour), "{drawn}");
    }
    // The header of a PNG file has the width and the height after 16 bytes.
    let size = |file| {
        let bytes = std::fs::read(file).unwrap();
        [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
    };
    assert_eq!(size(&png), [7, 7]);
    printed(&format!("image {files} --hauteur 3 --largeur 5 --chaleur --scale 2"), "");
    assert_eq!(size(&png), [11, 7]);
    let drawn = std::fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("#440154") && drawn.contains("#FEE825"), "{drawn}");
    let closed = CORRIDOR.replace("╋   ┫", "╋━━━┫");
    let error = refused(&format!("image - {files} --solution"), &closed);
    assert_eq!(error, "error: no way leads from the start to the end\n");
}

#[test]
fn maps_are_valid_and_the_same_again() {
    let words = "carte --hauteur 9 --largeur 12 --ouvertures 3 --boucles 15 --objets 6 --graine 5";
    let text = printed(words, "");
    let map = Map::parse(text.as_bytes()).unwrap();
    assert_eq!((map.board().dims().rows(), map.board().dims().cols()), (19, 25));
    assert_eq!(map.to_string(), text);
    map.check_room_for(4).unwrap();
    assert_eq!(map.board().corridors().count(), 108 + 107 + 15 + 6);
    assert_eq!(printed(words, ""), text);
    let bare = "carte - --ouvertures 0 --boucles 0 --objets 0 --vitamines 0 --joueurs 3";
    assert_eq!(printed(bare, CORRIDOR), "5;5\n#####\n#   #\n### #\n#   #\n#####\n");
}

#[test]
fn a_reader_may_stop_reading() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.args(["labyrinthe", "generer", "--hauteur", "300", "--largeur", "300"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 3];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, "┏".as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
}

#[test]
fn what_is_drawn_can_be_solved_again() {
    let drawn = printed("generer --hauteur 8 --largeur 8", "");
    let first = printed("resoudre --depart 1,2 --arrivee 6,3", &drawn);
    let drawing: String = first.lines().take(17).map(|line| line.to_owned() + "\n").collect();
    let read = ReadMaze::parse(drawing.as_bytes()).unwrap();
    assert_eq!(read.maze.to_string(), drawn);
    assert_eq!(printed("resoudre", &drawing), first, "from D to A");
}
