//! `lab pyrat`, as a student runs it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn pyrat(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab")).arg("pyrat").args(args).output().unwrap()
}

fn printed(args: &[&str]) -> String {
    let output = pyrat(args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn complaint(args: &[&str]) -> String {
    let output = pyrat(args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn sums_of_turns_are_those_of_the_original() {
    assert_eq!(printed(&["somme"]), "dijkstra=19061 bfs=23283 dfs=109814\n");
    let smaller = ["sum", "--width", "13", "--height", "10", "--mud", "20", "--seeds", "0..1000"];
    assert_eq!(printed(&smaller), "dijkstra=13097 bfs=15793 dfs=59741\n");
}

/// The exercise prints these figures, for 1000 games of its own players. It does not define its sixth
/// random player, which plays the same moves as `aleatoire7`.
#[test]
fn the_experiment_of_the_exercise_gives_its_figures() {
    let expected = [
        ("aleatoire7", "dfs", 162_119.5, 6.405_872_673_441_549e-151),
        ("aleatoire7", "bfs", 606_551.5, 1.542_153_182_019_001_6e-16),
        ("aleatoire7", "dijkstra", 677_083.0, 8.029_647_822_629_658e-43),
        ("dfs", "bfs", 942_846.0, 8.965_401_864_417_458e-258),
        ("dfs", "dijkstra", 959_817.0, 9.410_337_210_363_598e-278),
        ("bfs", "dijkstra", 585_881.0, 2.868_946_010_618_201_2e-11),
    ];
    let shown = printed(&["comparer", "--ia", "aleatoire7", "dfs", "bfs", "dijkstra", "--json"]);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["pairs"].as_array().unwrap().len(), expected.len());
    for (pair, (first, second, u, p)) in shown["pairs"].as_array().unwrap().iter().zip(expected) {
        assert_eq!((&pair["first"], &pair["second"]), (&json!(first), &json!(second)));
        assert_eq!(pair["u"], u);
        assert!((pair["p"].as_f64().unwrap() / p - 1.0).abs() < 1e-9, "{pair}");
    }
    assert_eq!(shown["players"][3]["mean"], 19.061);
}

#[test]
fn players_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [svg, png, csv] = ["plot.svg", "plot.png", "games.csv"].map(path);
    let small = ["--parties", "20", "--largeur", "7", "--hauteur", "6", "--graine", "5"];
    let files = ["--svg", &svg, "--png", &png, "--csv", &csv];
    let default = printed(&[&["comparer"][..], &small, &files].concat());
    for name in ["aleatoire1", "aleatoire7", "dfs", "bfs", "dijkstra"] {
        assert!(default.contains(name), "{default}");
    }
    assert!(default.contains("j dijkstra") && !default.contains('\x1b'), "{default}");
    assert!(fs::read_to_string(&svg).unwrap().contains("aleatoire4"));
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let games = fs::read_to_string(&csv).unwrap();
    let lines: Vec<_> = games.lines().collect();
    assert_eq!(lines.len(), 1 + 10 * 20);
    assert!(lines[1].starts_with("30,aleatoire1,5,") && lines[1].ends_with(",true"));
    assert!(lines[200].starts_with("30,dijkstra,24,"));

    printed(&[&["compare"][..], &small, &files].concat());
    assert_eq!(fs::read_to_string(&csv).unwrap(), games, "the seed decides");
    let cut = [&["comparer"][..], &small, &["--ia", "aleatoire1,bfs", "--duree", "3", "--json"]];
    let cut: Value = serde_json::from_str(&printed(&cut.concat())).unwrap();
    let within = |name: &str| {
        let games = lines.iter().filter(|line| line.contains(name));
        games.filter(|line| line.split(',').nth(3).unwrap().parse::<u32>().unwrap() <= 3).count()
    };
    for (row, name) in [(0, ",aleatoire1,"), (1, ",bfs,")] {
        assert_eq!(cut["players"][row]["cut_off"], 20 - within(name));
    }
}

#[test]
fn the_gain_depends_on_the_mud() {
    let sweep = ["comparer", "--boue", "0..40:20", "--parties", "100", "--json"];
    let rows: Value = serde_json::from_str(&printed(&sweep)).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 3);
    assert_eq!((&rows[0]["gain"], &rows[0]["mud"]), (&json!(0.0), &json!(0.0)));
    assert!(rows[2]["gain"].as_f64() > Some(2.0), "{rows}");
    let text = printed(&["comparer", "--boue", "0..5", "--ia", "dfs", "bfs", "--parties", "9"]);
    assert!(text.contains("What bfs gains on dfs"), "{text}");
}

#[test]
fn the_one_that_minds_its_rival_wins() {
    for rival in ["glouton", "tournee"] {
        let shown = printed(&["duel", "--ia", "duel", "--contre", rival, "--parties", "24"]);
        let (share, _) = shown.split_once("a share of ").unwrap().1.split_once(" %\n").unwrap();
        assert!(share.parse::<f64>().unwrap() > 75.0, "{shown}");
    }
    let mirror = printed(&["duel", "--bot", "glouton", "--against", "glouton", "--games", "10"]);
    assert!(mirror.contains("a share of 50.0 %"), "both had both seats: {mirror}");
}

#[test]
fn mistakes_are_explained() {
    let cases: [(&[&str], &str); 8] = [
        (&["comparer", "--ia", "dijstra"], "there is no bot"),
        (&["comparer", "--ia", "bfs", "dfs", "bfs"], "bfs is named twice"),
        (&["comparer", "--boue", "0..20", "--ia", "bfs"], "two players, got 1"),
        (&["comparer", "--boue", "20..0"], "as `0..50`"),
        (&["comparer", "--boue", "101"], "expected a percentage from 0 to 100"),
        (&["comparer", "--fromages", "900"], "pieces of cheese"),
        (&["somme", "--graines", "5..5"], "expected seeds as `0..1000`"),
        (&["somme", "--largeur", "0"], "rows and columns"),
    ];
    for (args, expected) in cases {
        let complaint = complaint(args);
        assert!(complaint.contains(expected), "{args:?}: {complaint}");
    }
    let last = u64::MAX.to_string();
    assert!(complaint(&["comparer", "--graine", &last]).contains("there are no 1000 seeds from"));
}
