//! `tournoi noter`.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const SCALE: &str = "parties = 8\ngraine = 7\nacquis = 2\narrondi = 0.25\n\
    [[niveau]]\nia = 'aleatoire'\nnote = 8\nrien = 0.25\ntout = 0.75\n\
    [[niveau]]\nia = 'champion'\nnote = 10\nrien = 0.5\ntout = 1\n";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("bareme.toml"), SCALE).unwrap();
        Self(folder)
    }

    /// The exit code, the output and the error output.
    fn mark(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tournoi"));
        command.current_dir(self.0.path()).arg("noter").args(arguments);
        command.args(["--bareme", "bareme.toml", "--duree", "20"]);
        command.env("XDG_STATE_HOME", self.0.path().join("state")).env("LC_ALL", "C");
        let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap(), text(stdout), text(stderr))
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

#[test]
fn a_mark_is_that_of_the_scale_and_stands_in_all_files() {
    let folder = Folder::new();
    let files = ["--gradescope", "results.json", "--classroom", "result.json"];
    let (code, text, _) = folder.mark(&[&["ia:glouton", "--json"][..], &files].concat());
    assert_eq!(code, 0, "{text}");
    let told: Value = serde_json::from_str(&text).unwrap();
    let share = |level: usize| told["levels"][level]["firsts"][0].as_f64().unwrap();
    let given = |share: f64, marks: f64, none: f64, all: f64| {
        marks * ((share - none) / (all - none)).clamp(0.0, 1.0)
    };
    let exact = 2.0 + given(share(0), 8.0, 0.25, 0.75) + given(share(1), 10.0, 0.5, 1.0);
    let mark = told["mark"].as_f64().unwrap();
    assert!((mark - exact).abs() <= 0.125 && mark > 2.0 && mark <= 20.0, "{text}");
    assert!((mark * 4.0).fract() < 1e-9, "{mark}");
    assert_eq!(told["levels"][0]["games"], 8);
    let gradescope = folder.json("results.json");
    assert_eq!(gradescope["score"], told["mark"]);
    assert_eq!(gradescope["tests"][1]["max_score"], 10.0);
    let classroom = folder.json("result.json");
    assert_eq!(classroom["max_score"], 20.0);
    let tests = classroom["tests"].as_array().unwrap();
    let sum: f64 = tests.iter().map(|test| test["score"].as_f64().unwrap()).sum();
    assert!((sum - mark).abs() < 1e-9, "{sum} {mark}");
    // The seed of the scale decides what is played, so the same bot has the same mark, under any name.
    let (_, again, _) = folder.mark(&["Ada=ia:glouton", "--json"]);
    let again: Value = serde_json::from_str(&again).unwrap();
    assert_eq!(again["mark"], told["mark"]);
    assert_eq!(again["levels"][1]["mean_points"], told["levels"][1]["mean_points"]);
}

#[test]
fn a_program_that_cannot_play_has_no_marks_and_still_its_files() {
    let folder = Folder::new();
    fs::write(folder.path("bot.py"), "raise SystemExit('no')").unwrap();
    let (code, text, _) = folder.mark(&["python3 bot.py", "--gradescope", "results.json"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("without connecting"), "{text}");
    let results = folder.json("results.json");
    assert_eq!(results["score"], 0.0);
    assert!(results["output"].as_str().unwrap().contains("does not start"), "{results}");
    let (code, text, _) = folder.mark(&["python3 bot.py", "--json"]);
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &told["mark"], &told["interval"]), (1, &0.0.into(), &vec![0.0, 0.0].into()));
    assert!(told["failure"].as_str().unwrap().contains("does not start"), "{told}");
    assert_eq!(told["check"]["ready"], false, "{told}");
}

#[test]
fn the_table_tells_the_rule_and_a_wrong_scale_is_refused_before_any_game() {
    let folder = Folder::new();
    let (code, text, _) = folder.mark(&["ia:prudent", "--langue", "fr"]);
    let text = text.replace(['\u{a0}', '\u{202f}'], " ");
    assert_eq!(code, 0, "{text}");
    for expected in
        ["8 parties de 20 tours", "3 × champion", "25–75 %", "Note : ", " sur 20,00 (95 % : "]
    {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    fs::write(folder.path("bareme.toml"), SCALE.replace("champion", "champignon")).unwrap();
    let (code, _, error) = folder.mark(&["ia:prudent"]);
    assert!(code == 2 && error.contains("bareme.toml") && error.contains("champignon"), "{error}");
}
