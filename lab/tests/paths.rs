//! `lab chemins` as a student runs it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// A ring of six vertices with mud between 10 and 11, a vertex that leads into the ring, and an isolated one.
const RING: &str = r#"{
    "10": {"11": 9, "15": 1}, "11": {"10": 9, "12": 1}, "12": {"11": 1, "13": 1},
    "13": {"12": 1, "14": 1}, "14": {"13": 1, "15": 1}, "15": {"14": 1, "10": 1},
    "2": {"10": 1}, "77": {}
}"#;

const ALGORITHMS: [&str; 8] = [
    "bfs",
    "dfs",
    "dijkstra",
    "a_etoile",
    "bidirectionnel",
    "bellman_ford",
    "floyd_warshall",
    "johnson",
];

/// Runs `lab chemins` on this standard input.
fn chemins(args: &[&str], input: &str) -> Output {
    let mut lab = Command::new(env!("CARGO_BIN_EXE_lab"));
    lab.arg("chemins").args(args);
    lab.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = lab.spawn().unwrap();
    // The program may have found a mistake in the flags and exited already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn resoudre(args: &[&str], graph: &str) -> Output {
    chemins(&[&["resoudre", "--graphe", "-"], args].concat(), graph)
}

fn printed(output: Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn solved(args: &[&str], graph: &str) -> Value {
    serde_json::from_str(&printed(resoudre(&[args, &["--json"]].concat(), graph))).unwrap()
}

fn complaint(output: Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn all_algorithms_give_the_shortest_route_but_those_that_ignore_weights() {
    for algo in ALGORITHMS {
        let found = solved(&["--source", "2", "--cible", "11", "--algo", algo], RING);
        // Depth-first search happens to take the longer path.
        let (route, length) = match algo {
            "bfs" => (json!([2, 10, 11]), 10),
            _ => (json!([2, 10, 15, 14, 13, 12, 11]), 6),
        };
        assert_eq!((&found["route"], &found["length"]), (&route, &json!(length)), "{algo}");
        assert_eq!(found["steps"], json!(route.as_array().unwrap().len() - 1));
        assert_eq!(found["algorithm"], algo);

        let all = solved(&["--source", "10", "--algo", algo], RING);
        let parents = json!({ "2": null, "10": null, "11": 12, "12": 13, "13": 14, "14": 15,
            "15": 10, "77": null });
        let lengths = json!({ "2": null, "10": 0, "11": 5, "12": 4, "13": 3, "14": 2, "15": 1,
            "77": null });
        if algo != "bfs" {
            assert_eq!((&all["routing_table"], &all["distances"]), (&parents, &lengths), "{algo}");
        }
    }
}

#[test]
fn people_get_lines() {
    let shown = printed(resoudre(&["--source", "10", "--cible", "12"], RING));
    assert!(
        shown.starts_with("10 15 14 13 12\nlength 4, steps: 4, vertices expanded: "),
        "{shown}"
    );
    let shown = printed(resoudre(&["--source", "10", "--cible", "2"], RING));
    assert!(shown.starts_with("no route from 10 to 2\n"), "{shown}");

    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), RING).unwrap();
    let path = file.path().to_str().unwrap();
    let table = printed(chemins(&["solve", "--graph", path, "--source", "10"], ""));
    let rows: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.contains(&vec!["11", "5", "12"]) && rows.contains(&vec!["77", "–", "–"]));
}

#[test]
fn routes_without_a_way_are_empty_in_json() {
    let found = solved(&["--source", "10", "--target", "77"], RING);
    let nothing = (&json!([]), &Value::Null, &Value::Null);
    assert_eq!((&found["route"], &found["length"], &found["steps"]), nothing);
    let found = solved(&["--source", "77", "--cible", "77"], RING);
    assert_eq!((&found["route"], &found["length"]), (&json!([77]), &json!(0)));
}

#[test]
fn a_grid_guides_a_star() {
    // A row of eleven cells, from its middle: A* need not expand half of them.
    let cells = (0..11).map(|at: u64| {
        let beside = [at.checked_sub(1), Some(at + 1).filter(|&next| next < 11)];
        let edges = beside.into_iter().flatten().map(|next| (next.to_string(), json!(1)));
        (at.to_string(), edges.collect())
    });
    let row = Value::Object(cells.collect()).to_string();
    let a_star = ["--source", "5", "--cible", "10", "--algo", "a_etoile"];
    let blind = solved(&a_star, &row);
    let guided = solved(&[&a_star[..], &["--largeur", "11"]].concat(), &row);
    assert_eq!(blind["route"], guided["route"]);
    assert_eq!((&blind["expanded"], &guided["expanded"]), (&json!(10), &json!(5)));

    let error = complaint(resoudre(&[&a_star[..], &["--largeur", "4"]].concat(), &row));
    assert!(error.contains("3 leads to 4, which is not beside it"), "{error}");
    let error = complaint(resoudre(&["--source", "5", "--cible", "1", "--largeur", "11"], &row));
    assert!(error.contains("--width is for --algo a_star"), "{error}");
}

#[test]
fn pictures_are_named_as_what_they_are() {
    for (flag, name) in [("--svg", "plot.png"), ("--png", "plot.svg"), ("--svg", "plot")] {
        let error = complaint(chemins(&["comparer", flag, name], ""));
        assert!(error.contains(&format!("that ends in .{}", &flag[2..])), "{error}");
    }
}

#[test]
fn mistakes_are_explained() {
    let aside = r#"{"0": {}, "1": {"2": 0}}"#;
    let negative = r#"{"7": {"3": 1}, "3": {"9": -2}, "9": {"7": 0}}"#;
    for (args, graph, expected) in [
        (&["--source", "3"][..], RING, "there is no vertex 3; their names run from 2 to 77"),
        (&["--source", "10", "--cible", "3"], RING, "there is no vertex 3;"),
        (&["--source", "7"], negative, "the edge from 3 to 9 weighs -2, expected at least 1"),
        (&["--source", "7", "--algo", "floyd_warshall"], negative, "weighs -2"),
        (&["--source", "0"], aside, "the edge from 1 to 2 weighs 0"),
        (&["--source", "0", "--cible", "0", "--algo", "a_etoile"], aside, "weighs 0"),
        (&["--source", "0", "--cible", "0", "--algo", "bidirectionnel"], aside, "weighs 0"),
        (&["--source", "7", "--algo", "bellman_ford"], negative, "negative weight: 3 → 9 → 7 → 3"),
        (&["--source", "7", "--algo", "johnson"], negative, "negative weight: 3 → 9 → 7 → 3"),
        (&["--source", "0"], "{\"0\": {\"1\": 1},\n \"a\": {}}", "at line 2 column 4"),
        (&["--source", "0"], "{\"0\": {\"1\": 1.5}}", "expected a weight"),
        (&["--source", "0"], "{\"0\": {}, \"0\": {}}", "vertex 0 is given twice"),
        (&["--source", "0"], "{}", "there is no vertex 0"),
        (&["--source", "0"], "", "EOF"),
    ] {
        let error = complaint(resoudre(args, graph));
        assert!(
            error.starts_with("error: the standard input: ") && error.contains(expected),
            "{error}"
        );
    }
    let error = complaint(chemins(&["resoudre", "--graphe", "no/such", "--source", "0"], ""));
    assert!(error.starts_with("error: cannot read no/such: "), "{error}");

    let many: Vec<_> = (0..4001).map(|name| format!("\"{name}\": {{}}")).collect();
    let many = format!("{{{}}}", many.join(","));
    for algo in ["johnson", "floyd_warshall", "bidirectionnel"] {
        let error = complaint(resoudre(&["--source", "0", "--algo", algo], &many));
        assert!(error.contains("expected at most 4000 vertices, found 4001"), "{error}");
    }
}

#[test]
fn searches_are_compared() {
    let directory = tempfile::tempdir().unwrap();
    let [svg, png] = ["plot.svg", "plot.png"].map(|name| directory.path().join(name));
    let flags = ["comparer", "--tailles", "30,2500", "--graine", "3", "--json", "--svg"];
    let files = [svg.to_str().unwrap(), "--png", png.to_str().unwrap()];
    let compare = || printed(chemins(&[&flags[..], &files].concat(), ""));
    let rows: Vec<Value> = serde_json::from_str(&compare()).unwrap();
    assert_eq!(rows.len(), 20, "ten searches, two sizes");
    for row in &rows {
        let large = row["vertices"] == 2500;
        assert!(large || row["vertices"] == 30);
        let growth = row["complexity"].as_str().unwrap();
        let for_all_pairs = growth.contains(['²', '³']) && row["algorithm"] != "bellman_ford";
        assert_eq!(row["time_s"].is_null(), large && for_all_pairs, "{row}");
        assert_eq!(row["expanded"].is_null(), row["time_s"].is_null());
    }
    let expanded =
        |rows: &[Value]| -> Vec<Value> { rows.iter().map(|row| row["expanded"].clone()).collect() };
    let again: Vec<Value> = serde_json::from_str(&compare()).unwrap();
    assert_eq!(expanded(&rows), expanded(&again), "the seed decides");
    let other = chemins(&["compare", "--sizes", "30,2500", "--seed", "4", "--json"], "");
    let other: Vec<Value> = serde_json::from_str(&printed(other)).unwrap();
    assert_ne!(expanded(&rows), expanded(&other));

    assert!(fs::read_to_string(svg).unwrap().contains("O(n² log n)"));
    assert!(fs::read(png).unwrap().starts_with(b"\x89PNG"));
}
