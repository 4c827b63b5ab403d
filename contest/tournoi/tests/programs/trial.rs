//! `tournoi essayer`.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use replay::{Recording, verify};
use tempfile::TempDir;

/// The home of a user, with a folder of bots.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tournoi"));
        command.current_dir(self.0.path()).arg("essayer").args(arguments);
        command.env("XDG_STATE_HOME", self.0.path().join("state")).env("LC_ALL", "C");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The exit code, the output and the error output.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap(), text(stdout), text(stderr))
    }

    /// Writes a bot: the example with `line` before each answer.
    fn bot(&self, name: &str, line: &str) -> String {
        let example = fs::read_to_string(exemples().join("bot.py")).unwrap();
        let place = "    others = [";
        assert!(example.contains(place));
        let changed = example.replace(place, &format!("    {line}\n{place}"));
        fs::write(self.0.path().join(name), changed).unwrap();
        format!("python3 {name} {{nom}} {{serveur}} {{port}}")
    }

    /// All files in the user's state folder.
    fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        let mut folders = vec![self.0.path().join("state")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let inside = path.strip_prefix(self.0.path()).unwrap();
                    files.push(inside.to_str().unwrap().to_owned());
                }
            }
        }
        files.sort();
        files
    }

    fn essais(&self) -> PathBuf {
        self.0.path().join("state/pacman-iuto/essais")
    }
}

fn exemples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../exemples")
}

const SHORT: [&str; 6] = ["--parties", "4", "--duree", "10", "--graine", "7"];

#[test]
fn a_bot_is_tried_against_each_bot_of_the_house() {
    let home = Home::new();
    let (code, text, _) = home.run(&[&["ia:glouton", "--langue", "fr"][..], &SHORT].concat());
    assert_eq!(code, 0, "{text}");
    let text = text.replace('\u{a0}', " ");
    for expected in [
        "Essai de « glouton » : parties de 10 tours, graine 7.\n",
        " Contre ",
        " 3 × aleatoire         4 ",
        " 3 × dijkstra          4 ",
        " un de chaque          4 ",
        "Temps de réflexion : ",
        "Pour en voir un : ",
        "rejeu html ",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let files = home.files();
    assert!(files.len() > 5 && files.len() <= 12, "{files:?}");
    for file in &files {
        let path = home.0.path().join(file);
        assert!(file.starts_with("state/pacman-iuto/essais/"), "{file}");
        assert_eq!(verify(&Recording::open(&path).unwrap()), Ok(()));
    }
    // The next trial removes the files of this one.
    let (code, text, _) =
        home.run(&[&["ia:prudent", "--contre", "ia:prudent", "--json"][..], &SHORT].concat());
    assert_eq!(code, 0, "{text}");
    let files = home.files();
    assert!(files.iter().all(|file| file.contains("/versions_")) && files.len() <= 2, "{files:?}");
}

#[test]
fn opponents_can_be_chosen() {
    let home = Home::new();
    let chosen = ["ia:glouton", "--adversaire", "prudent", "--adversaire", "melange"];
    let (code, text, _) = home.run(&[&chosen[..], &SHORT].concat());
    assert_eq!(code, 0, "{text}");
    assert!(text.contains(" 3 × prudent ") && text.contains(" one of each "), "{text}");
    assert_eq!(text.matches("3 × ").count(), 1, "{text}");
    assert!(text.contains("One of each: "), "{text}");
    let (_, text, _) = home.run(&[&chosen[..3], &SHORT].concat());
    assert!(!text.contains("One of each"), "there is no such row: {text}");
    let (code, _, errors) = home.run(&["ia:glouton", "--adversaire", "prudence"]);
    assert!(code == 2 && errors.contains("prudent"), "{errors}");
}

#[test]
fn the_seed_decides_what_is_played_and_both_rules_can_be_asked_for() {
    let home = Home::new();
    let rules = ["--regles", "sujet", "--regles", "orleans2024", "--json"];
    let arguments = [&["ia:prudent"][..], &SHORT, &rules].concat();
    let read = |arguments: &[&str]| {
        let (code, text, _) = home.run(arguments);
        assert_eq!(code, 0, "{text}");
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        for trial in value["trials"].as_array_mut().unwrap() {
            trial["thinking"].take();
        }
        value
    };
    let value = read(&arguments);
    let trials = value["trials"].as_array().unwrap();
    let rules = |wanted: &str| trials.iter().filter(|trial| trial["rules"] == wanted).count();
    // Each house bot, and the mixed field.
    assert_eq!((rules("sujet"), rules("orleans2024")), (6, 6));
    assert!(trials.iter().all(|trial| trial["games"] == 4), "{value}");
    assert_eq!(value, read(&arguments));
}

#[test]
fn trial_of_a_bot_that_cannot_start_shows_the_cause_and_advice() {
    let home = Home::new();
    fs::write(home.0.path().join("typo.py"), "import sokcet\n").unwrap();
    for (bot, expected) in [
        ("pyton3 bot.py {port}", "there is no program `pyton3`"),
        ("python3 none.py {port}", "The file `none.py` is not in the folder"),
        ("python3 typo.py {port}", "| ModuleNotFoundError: No module named 'sokcet'"),
    ] {
        let (code, text, _) = home.run(&[bot]);
        assert_eq!(code, 1, "{text}");
        assert!(text.contains(expected) && text.contains("`tournoi check`"), "{text}");
        assert!(!text.contains("First places"), "{text}");
    }
}

#[test]
fn trial_waits_for_registration_as_long_as_demarrage() {
    let home = Home::new();
    fs::write(home.0.path().join("mute.py"), "import signal\nsignal.pause()\n").unwrap();
    let (code, text, _) = home.run(&["python3 mute.py {port}", "--demarrage", "300ms"]);
    assert!(code == 1 && text.contains("did not connect within 0.30 s"), "{text}");
}

#[test]
fn a_crash_in_every_game_ends_the_trial_with_the_last_lines_of_the_program() {
    let home = Home::new();
    let bot = home.bot("dies.py", "global left; left = globals().get('left', 4) - 1; 1 / left");
    let (code, text, _) = home.run(&[&[&*bot][..], &SHORT].concat());
    assert_eq!(code, 1, "{text}");
    let log = home.essais().join("journaux/dies.txt");
    let first = format!(
        "dies: its program ended with the code 1: ZeroDivisionError: division by zero (turn 4) [log: {}]\n",
        log.display()
    );
    assert!(text.contains(&first), "{text}");
    assert_eq!(text.matches("its program ended").count(), 2, "{text}");
    for expected in [
        "dies: its program ended during the game, 6 times\n",
        "The last lines that your program wrote:\n",
        "  | ZeroDivisionError: division by zero\n",
        "`tournoi check`",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(fs::read_to_string(log).unwrap().contains("Traceback"));
}

#[test]
fn malformed_orders_are_counted_and_told_what_to_mend() {
    let home = Home::new();
    let bot = home.bot("lower.py", "return 'ne'");
    for contre in [&[][..], &["--contre", "ia:prudent"]] {
        let arguments = [&[&*bot][..], contre, &["--duree", "10", "--parties", "2"]].concat();
        let (code, text, _) = home.run(&arguments);
        assert_eq!(code, 0, "{text}");
        for expected in [
            "lower: malformed order \"ne\": capitals N E S O (turn 1)\n",
            "`tournoi check` with the same command says what to fix.",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert_eq!(text.matches("malformed order \"ne\"").count(), 1, "{text}");
        if contre.is_empty() {
            let line = text.lines().find(|line| line.contains("3 × champion")).unwrap();
            assert_eq!(line.split_whitespace().last(), Some("20"), "{text}");
        }
        // Each line fits a terminal of 80 columns, but for those with paths and commands to copy.
        let is_wide = |line: &&str| line.chars().count() > 80 && !line.contains('/');
        assert_eq!(text.lines().filter(is_wide).collect::<Vec<_>>(), [""; 0]);
    }
}

#[test]
fn the_longest_time_is_said_before_the_first_game() {
    let home = Home::new();
    let contre = ["--contre", "ia:prudent"];
    for (flags, expected) in [
        (&["--temps", "2s", "--parties", "2"][..], "at most 2 games; none starts after 2s"),
        (&["--parties", "2"], "at most 2 games"),
        (&["--temps", "1ms"], "at most 1,000 games; none starts after 1ms"),
    ] {
        let (_, text, _) =
            home.run(&[&["ia:prudent", "--duree", "4"][..], &contre, flags].concat());
        assert!(text.contains(&format!("\nThere are {expected}.\n")), "{text}");
    }
}

#[test]
fn a_better_version_is_found_better_and_the_same_one_is_not() {
    let home = Home::new();
    let flags = ["--duree", "40", "--graine", "1"];
    let (code, text, _) =
        home.run(&[&["ia:glouton", "--contre", "ia:prudent"][..], &flags].concat());
    assert!(code == 0 && text.contains("\nBetter: glouton beats prudent; duels won "), "{text}");
    assert!(text.contains("\n4 pairs: duels won "), "{text}");
    let (_, text, _) = home.run(&[&["ia:prudent", "--contre", "ia:glouton"][..], &flags].concat());
    assert!(text.contains("\nWorse: glouton beats prudent;"), "{text}");
    // The same deterministic bot draws each pair.
    let same = ["ia:glouton", "--contre", "ia:glouton", "--json"];
    let (_, text, _) = home.run(&[&same[..], &flags].concat());
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&value["verdict"], &value["duels_won"][0]), (&"not_better".into(), &0.5.into()));
    let few = ["--parties", "8"];
    let (_, text, _) =
        home.run(&[&["ia:prudent", "--contre", "ia:prudent"][..], &flags, &few].concat());
    assert!(text.contains("\nUndecided: "), "{text}");
}

#[test]
fn two_versions_of_a_program_meet() {
    let home = Home::new();
    for folder in ["new", "old"] {
        fs::create_dir(home.0.path().join(folder)).unwrap();
    }
    let new = home.bot("new/bot.py", "pass");
    let old = home.bot("old/bot.py", "return 'NN'");
    let game = ["--duree", "15", "--graine", "1"];
    let (code, text, _) =
        home.run(&[&[&*new, "--contre", &old, "--seuil", "0.8"][..], &game].concat());
    assert!(code == 0 && text.contains("Better: bot (new) beats bot (old)"), "{text}");
}

#[test]
fn what_the_results_depend_on_is_said_at_the_start() {
    let home = Home::new();
    let bot = home.bot("bot.py", "pass");
    // More games at the same time than there are cores.
    let many = ["--parallele", "400", "--isolement", "aucun"];
    let short = ["--duree", "2", "--parties", "1"];
    let (code, text, _) = home.run(&[&[&*bot][..], &many, &short].concat());
    assert_eq!(code, 0, "{text}");
    for note in ["Isolation: none.", "400 programs think at a time on"] {
        assert!(text.contains(note), "{note}\n{text}");
    }
    let (_, json, _) = home.run(&[&[&*bot, "--json"][..], &many, &short].concat());
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["notes"].as_array().unwrap().len(), 2, "{json}");
}

#[test]
fn ctrl_c_shows_what_is_known_so_far() {
    let home = Home::new();
    let witness = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = witness.local_addr().unwrap().port();
    // The bot answers the five turns and the final state of one game, and waits for ever in the second game.
    let turns = home.0.path().join("turns");
    let wait = format!(
        "import os, socket; open({turns:?}, 'a').write('x'); os.path.getsize({turns:?}) > 6 and \
         socket.create_connection(('127.0.0.1', {port})).recv(1)"
    );
    let bot = home.bot("waits.py", &wait);
    // Without isolation, the bot counts its turns over all games, and tells this test.
    let arguments = [
        &[&bot, "--parties", "4", "--duree", "5", "--delai", "1h", "--parallele", "1"][..],
        &["--isolement", "aucun"],
    ]
    .concat();
    let running = home.command(&arguments).spawn().unwrap();
    let _waits = witness.accept().unwrap();
    let id = rustix::process::Pid::from_raw(running.id().cast_signed()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let output = running.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{text}");
    let row = text.lines().find(|line| line.starts_with(" 3 × aleatoire ")).unwrap();
    assert_eq!(row.split_whitespace().nth(3), Some("1"), "{text}");
}

#[test]
fn contradictory_arguments_of_a_trial_are_errors() {
    let home = Home::new();
    for (arguments, expected) in [
        (&["--langue", "fr"][..], "quel bot ?"),
        (&["ia:nobody"], "there is no bot \"nobody\""),
        (&["ia:glouton", "--contre", "ia:nobody"], "there is no bot \"nobody\""),
        (&["ia:glouton", "--seuil", "0.6"], "--contre"),
        (&["ia:glouton", "--contre", "ia:glouton", "--seuil", "0.4"], "from 0.51 to 0.95"),
        (
            &["ia:glouton", "--contre", "x", "--regles", "sujet", "--regles", "orleans2024"],
            "under one preset",
        ),
        (&["ia:glouton", "--carte", "/no/such.txt"], "cannot read the map"),
        (&["ia:glouton", "--config", "/no/such.toml"], "/no/such.toml"),
    ] {
        let (code, out, error) = home.run(arguments);
        assert!(code == 2 && out.is_empty() && error.contains(expected), "{error}{out}");
    }
}
