//! `rejeu` as a user runs it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use game::colour::Colour;
use game::pacman::{Map, Rules};
use game::pyrat::{Action, Direction, Maze, Start, State};
use replay::{Answer, Given, Marks, PacmanSetup, PyRatSetup, Recorder, Replay, Setup, Turn, hash};

fn rejeu(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rejeu")).args(args).env("LC_ALL", "C").output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Writes a recording of ten turns in which nobody answers, and returns its bytes.
fn write(path: &Path) -> Vec<u8> {
    write_turns(path, 10)
}

fn write_turns(path: &Path, turns: u32) -> Vec<u8> {
    write_thoughts(path, turns, |_, _| None)
}

fn write_thoughts(
    path: &Path,
    turns: u32,
    thought: impl Fn(u32, Colour) -> Option<String>,
) -> Vec<u8> {
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../cartes/petit.txt");
    let setup = Setup::Pacman(PacmanSetup {
        map: Map::parse(&fs::read(map).unwrap()).unwrap(),
        rules: Rules::SUJET,
        seed: 1,
        turns,
        names: vec!["Ada".to_owned(), "Bob".to_owned()],
    });
    let mut game = Replay::start(&setup);
    let (mut recorder, mut bytes) = Recorder::start(setup);
    while !game.is_over() {
        let answers = vec![Given::nothing(Answer::Missed); 2];
        for player in Colour::first(2) {
            if let Some(text) = thought(game.turn() + 1, player) {
                recorder.think([(player, text)]);
            }
        }
        let mut turn = Turn { answers, marks: Marks::default() };
        game.play(&turn);
        turn.marks = game.marks();
        bytes.extend(recorder.turn(turn, hash(game.text())));
    }
    bytes.extend(recorder.end(hash(game.text())));
    fs::write(path, &bytes).unwrap();
    bytes
}

#[test]
fn recordings_are_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partie.rejeu");
    let bytes = write(&path);
    let file = path.to_str().unwrap();
    let output = rejeu(&["verifier", file]);
    assert_eq!((output.status.code(), printed(&output).as_str()), (Some(0), "identical\n"));

    fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    let output = rejeu(&["verify", file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(printed(&output).contains("after turn 10: the file ends in the middle"), "{output:?}");

    fs::write(&path, "no recording").unwrap();
    let output = rejeu(&["verifier", file]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.ends_with("partie.rejeu: this is no recording of a game\n"), "{error}");
    assert_eq!(rejeu(&["verifier", "missing"]).status.code(), Some(2));
}

#[test]
fn reports_are_in_both_languages() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partie.rejeu");
    write(&path);
    let file = path.to_str().unwrap();
    let english = printed(&rejeu(&["analyse", file]));
    assert!(
        english.contains(" × malformed order") && english.contains("10 turns missed"),
        "{english}"
    );
    let french = printed(&rejeu(&["analyse", file, "--langue", "fr"]));
    assert!(french.contains(" × ordre mal formé"), "{french}");
    // The story comes first, and each player's heading is followed by the reason.
    assert!(english.starts_with("       1–10  A does not answer in time × 10 -20\n"), "{english}");
    let reason = "1. A Ada: -20 points\n";
    assert!(english.contains(reason) && !english.contains("difference to"), "{english}");
    assert!(french.starts_with("       1–10  A ne répond pas à temps × 10 -20\n"), "{french}");
    write_turns(&path, 1);
    assert!(printed(&rejeu(&["analyse", file])).contains(" 1 turn missed: "));
    let french = printed(&rejeu(&["analyse", file, "--langue", "fr"]));
    assert!(french.contains(" 1 tour sans réponse à temps"), "{french}");
}

#[test]
fn reports_tell_the_story_and_why_players_lost() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/replay/tests/data/pyrat.rejeu");
    for (language, parts) in [
        (
            "en",
            [
                "          6  A eats a cheese +1\n          6  A takes the lead\n",
                "\n1. B Bob: 2 points\n   → cheese × 1, turn 10: +1\n",
                "\n   difference to B Bob: -1\n         -1  cheese 1 to 2\n\n",
            ],
        ),
        (
            "fr",
            [
                "          6  A mange un fromage +1\n          6  A prend la tête\n",
                "\n1. B Bob : 2 points\n   → fromage × 1, tour 10 : +1\n",
                "\n   écart avec B Bob : -1\n         -1  fromage 1 contre 2\n\n",
            ],
        ),
    ] {
        let report = printed(&rejeu(&["analyse", file, "--langue", language]));
        for part in parts {
            assert!(report.contains(part), "{report}");
        }
        let story = report.lines().take_while(|line| !line.is_empty()).count();
        assert!((3..=40).contains(&story), "{report}");
    }
}

#[test]
fn shares_of_cheese_are_rounded_in_the_language_of_the_reader() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partie.rejeu");
    let passages = [(0, vec![(1, 1)]), (1, vec![(0, 1), (2, 1)]), (2, vec![(1, 1)])];
    let maze = Maze::from_passages(3, Some(1), passages).unwrap();
    let start = State::start(&maze, 3, &Start::Places(vec![0]), 2, 0, None).unwrap();
    let names = ["Ada", "Bob", "Eve"].map(String::from).to_vec();
    let (mut recorder, mut bytes) =
        Recorder::start(Setup::PyRat(PyRatSetup { start, seed: 0, names }));
    for _ in 0..2 {
        let east = Given::nothing(Answer::Action(Action::Go(Direction::East)));
        bytes.extend(recorder.turn(Turn { answers: vec![east; 3], marks: Marks::default() }, 0));
    }
    fs::write(&path, bytes).unwrap();
    let report =
        |language| printed(&rejeu(&["analyse", path.to_str().unwrap(), "--langue", language]));
    for (language, points, sum, best) in [
        (
            "en",
            "1. A Ada: 0.67 points\n",
            "   +0.67     2 × cheese\n",
            "best: turn 1 (+0.33), turn 2 (+0.33)\n",
        ),
        (
            "fr",
            "1. A Ada : 0,67 point\n",
            "   +0,67     2 × fromage\n",
            "meilleurs : tour 1 (+0,33), tour 2 (+0,33)\n",
        ),
    ] {
        let report = report(language);
        for part in [points, sum, best] {
            assert!(report.contains(part), "{report}");
        }
    }
}

#[test]
fn exports_have_a_line_a_turn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partie.rejeu");
    write(&path);
    let lines = printed(&rejeu(&["jsonl", path.to_str().unwrap()]));
    assert_eq!(lines.lines().count(), 11);
    assert!(lines.starts_with('{') && lines.contains("\"fault\":\"missed\""));
}

#[test]
fn clips_are_of_turns_that_the_recording_has() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("partie.rejeu"), folder.path().join("partie.gif"));
    write(&path);
    let [file, picture] = [&path, &out].map(|path| path.to_str().unwrap());
    for (turns, language, expected) in [
        ("7..4", "en", "expected two turns, the second one after the first one, such as 80..120"),
        ("4..4", "fr", "deux tours sont attendus, le second après le premier, comme 80..120"),
        ("4..11", "en", "turn 11 is too late, expected at most 10, the last turn of the recording"),
        ("4..11", "fr", "le tour 11 est trop tardif, au plus 10 est attendu"),
    ] {
        let output = rejeu(&["gif", file, picture, "--tours", turns, "--langue", language]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(expected), "{error}");
        assert!(!out.exists());
    }
    assert_eq!(rejeu(&["gif", file, picture, "--turns", "4..7"]).status.code(), Some(0));
    let mut decoder = gif::DecodeOptions::new().read_info(fs::File::open(&out).unwrap()).unwrap();
    let mut pictures = 0;
    while decoder.read_next_frame().unwrap().is_some() {
        pictures += 1;
    }
    assert_eq!(pictures, 4);
}

#[test]
fn animations_replace_a_file_only_by_one_that_can_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("partie.rejeu"), folder.path().join("partie.gif"));
    write(&path);
    let [file, picture] = [&path, &out].map(|path| path.to_str().unwrap());
    let output = rejeu(&["gif", file, picture, "--echelle", "8", "--step", "5", "--fps", "20"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let bytes = fs::read(&out).unwrap();
    let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    assert_eq!(delays, [5, 5, 300]);

    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");

    // GIF counts hundredths of a second: 34 pictures a second are not possible.
    let other = folder.path().join("autre.gif");
    let output = rejeu(&["gif", file, other.to_str().unwrap(), "--fps", "34"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("33.3 pictures a second instead of 34, "), "{told}");
    let bytes_of_other = fs::read(&other).unwrap();
    let mut decoder = gif::DecodeOptions::new().read_info(&bytes_of_other[..]).unwrap();
    assert_eq!(decoder.read_next_frame().unwrap().unwrap().delay, 3);

    let output = rejeu(&["gif", file, picture, "--scale", "65535"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("pixels are too large"), "{error}");
    assert_eq!(fs::read(&out).unwrap(), bytes);
    assert_eq!(rejeu(&["gif", file, picture, "--fps", "0"]).status.code(), Some(2));
    let other = folder.path().join("partie.mp4");
    for (command, expected) in [("gif", ".gif"), ("html", ".html")] {
        let output = rejeu(&[command, file, other.to_str().unwrap()]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(&format!("expected a name that ends in {expected}")), "{error}");
    }
    assert!(!other.exists());
}

/// Runs [`rejeu`] with a limited address space, in KiB; a program that needs more aborts.
fn rejeu_within(kilobytes: u32, args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_rejeu");
    let script = format!("ulimit -v {kilobytes} && exec {program} \"$@\"");
    Command::new("sh").args(["-c", &script, "sh"]).args(args).output().unwrap()
}

/// Writes a recording of turns in which nobody answers, and returns the length of its file.
fn write_long(path: &Path, players: usize, turns: u32) -> u64 {
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../cartes/plan1.txt");
    let setup = Setup::Pacman(PacmanSetup {
        map: Map::parse(&fs::read(map).unwrap()).unwrap(),
        rules: Rules::SUJET,
        seed: 1,
        turns,
        names: (0..players).map(|player| format!("Ada_{player}")).collect(),
    });
    let (mut recorder, mut bytes) = Recorder::start(setup);
    for _ in 0..turns {
        let answers = vec![Given::nothing(Answer::Missed); players];
        bytes.extend(recorder.turn(Turn { answers, marks: Marks::default() }, 0));
    }
    fs::write(path, &bytes).unwrap();
    bytes.len() as u64
}

#[test]
fn long_games_take_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("partie.rejeu"), folder.path().join("partie.html"));
    let [file, page] = [&path, &out].map(|path| path.to_str().unwrap());
    assert!(write_long(&path, 1, 40_000) > 400_000);
    for args in [&["analyse", file][..], &["html", file, page]] {
        let output = rejeu_within(40_000, args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    }
    assert!(fs::metadata(&out).unwrap().len() > 2_000_000);
}

#[test]
fn games_that_no_browser_can_show_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("partie.rejeu"), folder.path().join("partie.html"));
    write_long(&path, 26, 80_000);
    let output = rejeu(&["html", path.to_str().unwrap(), out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    let expected =
        "too long for a browser: 80000 turns of 26 players, expected at most 76923 turns";
    assert!(error.contains(expected) && !out.exists(), "{error}");
}

#[test]
fn files_that_are_too_long_are_refused_before_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partie.rejeu");
    fs::File::create(&path).unwrap().set_len((256 << 20) + 1).unwrap();
    let output = rejeu_within(60_000, &["analyse", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("too long: expected at most 256 MiB"), "{error}");
}

#[test]
fn what_is_shown_of_hostile_files_is_fit_for_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("\u{1b}[31m.rejeu");
    let setup = Setup::Pacman(PacmanSetup {
        map: "3;3\n   \n   \n   \n".parse().unwrap(),
        rules: Rules::SUJET,
        seed: 1,
        turns: 10,
        names: vec!["\u{1b}[31mred".to_owned()],
    });
    fs::write(&path, Recorder::start(setup).1).unwrap();
    let output = rejeu(&["analyse", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let all = [output.stdout, output.stderr].concat();
    assert!(!all.contains(&0x1b), "{}", String::from_utf8_lossy(&all));
}

#[test]
fn nothing_is_said_in_another_language() {
    use std::cell::RefCell;

    use language::testing::{every_help, mixed};

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let [whole, damaged, other, text] = ["whole", "damaged", "other", "text"].map(path);
    let bytes = write(whole.as_ref());
    fs::write(&damaged, &bytes[..bytes.len() - 5]).unwrap();
    let mut later = bytes.clone();
    later[b"pacman-iuto\0".len()..][..2].copy_from_slice(&[0xff, 0xff]);
    fs::write(&other, later).unwrap();
    fs::write(&text, "no recording").unwrap();
    let page = path("page.html");
    let wrong = RefCell::new(Vec::new());
    for language in ["fr", "en"] {
        let check = |arguments: &[&str]| {
            let output = rejeu(&[arguments, &["--langue", language]].concat());
            let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            let text = said.replace(folder.path().to_str().unwrap(), "");
            wrong.borrow_mut().extend(mixed(arguments, &text, language));
            said
        };
        every_help(|arguments| {
            check(&[&arguments[..arguments.len() - 1], &["--nothing"]].concat());
            check(arguments)
        });
        for arguments in [
            &[][..],
            &["nothing"],
            &["verifier"],
            &["verifier", &whole],
            &["verifier", &whole, &damaged],
            &["verifier", "nowhere"],
            &["verifier", &other],
            &["verifier", &text],
            &["analyse", &whole],
            &["analyse", &damaged],
            &["html", &damaged, &page],
            &["html", &whole, "page.gif"],
            &["html", &whole, "no/such/folder.html"],
            &["gif", &whole, "page.html"],
            &["gif", &whole, "page.gif", "--echelle", "9000"],
            &["gif", &whole, "page.gif", "--echelle", "x"],
            &["gif", &whole, "page.gif", "--pas", "0"],
            &["jsonl", "nowhere"],
        ] {
            // The page of the damaged file is checked in French only.
            if arguments != ["html", &damaged, &page] || language == "fr" {
                check(arguments);
            }
        }
    }
    let wrong = wrong.into_inner();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program in Python that registers and answers each state with `answer`, in which `state` is the text.
fn bot(folder: &Path, answer: &str) -> String {
    let path = folder.join("bot.py");
    let text = format!(
        "import random, socket, sys, time\n\
         server = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n\
         server.sendall(b'joueur;Ada\\0')\n\
         left = b''\n\
         while data := server.recv(65536):\n    \
             *messages, left = (left + data).split(b'\\0')\n    \
             for state in messages:\n        \
                 if state.startswith(b'jeu;'):\n            \
                     {answer}\n"
    );
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const NE: &str = "server.sendall(b'NE\\0')";

/// Asks the program of a file about a recording.
fn ask(file: &str, bot: &str, flags: &[&str]) -> (Option<i32>, String, String) {
    let args = [&["demander", file][..], flags, &["--", "python3", bot, "{port}"]].concat();
    let output = rejeu(&args);
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    (output.status.code(), printed(&output), errors)
}

#[test]
fn a_program_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partie.rejeu");
    write(&path);
    let file = path.to_str().unwrap();
    let always = bot(folder.path(), NE);
    let (code, told, _) = ask(file, &always, &["--joueur", "Ada"]);
    assert!(told.ends_with("turn 10: NE; — then\nturns with another order: 10 of 10\n"), "{told}");
    assert_eq!(code, Some(0));
    // A letter will do; whoever is called so goes first.
    let (code, told, _) = ask(file, &always, &["--player", "B", "--turn", "3", "--expected", "NE"]);
    assert_eq!((code, told.as_str()), (Some(0), "turn 3: NE; — then\n"));
    let (code, told, _) =
        ask(file, &always, &["--joueur", "B", "--tours", "3..4", "--attendu", "SO"]);
    assert_eq!(code, Some(1));
    assert!(told.ends_with("turn 4: NE; — then\nexpected SO\n"), "{told}");
    let (_, told, _) =
        ask(file, &always, &["--joueur", "A", "--tour", "2", "--json", "--fois", "2"]);
    let line: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&line["turn"], &line["played"]), (&2.into(), &serde_json::Value::Null));
    assert_eq!(line["answers"][1]["answer"], "NE");

    // The state is the one of the turn; chance and wrong orders are told.
    let turn = bot(folder.path(), "server.sendall((state.split(b'\\n')[1][:1] or b'') + b'\\0')");
    let (_, told, _) = ask(file, &turn, &["--joueur", "Ada", "--tour", "7"]);
    assert_eq!(told, "turn 7: \"6\"; — then\n");
    let chance = bot(folder.path(), "server.sendall(random.choice([b'NN\\0', b'SS\\0']))");
    let (_, told, _) = ask(file, &chance, &["--joueur", "Ada", "--tour", "1", "--fois", "20"]);
    assert!(told.contains("NN (") && told.contains("SS ("), "{told}");
}

#[test]
fn thoughts_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partie.rejeu");
    let file = path.to_str().unwrap();
    write(&path);
    let output = rejeu(&["pensees", file]);
    assert_eq!((output.status.code(), printed(&output)), (Some(0), String::new()));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nobody thought aloud"));

    let thought = |turn: u32, player: Colour| match (turn, player.index()) {
        (3, 1) => Some("cell 1,2\u{1b}[31m".to_owned()),
        (_, 0) => Some(format!("to turn {turn}")),
        _ => None,
    };
    write_thoughts(&path, 10, thought);
    let output = rejeu(&["thoughts", file, "--player", "Bob"]);
    assert_eq!(printed(&output), "turn 3, Bob: cell 1,2 [31m\n");
    let output = rejeu(&["pensees", file, "--tours", "2..3", "--joueur", "Ada", "--langue", "fr"]);
    assert_eq!(printed(&output), "tour 2, Ada : to turn 2\ntour 3, Ada : to turn 3\n");
    assert_eq!(rejeu(&["pensees", file, "--joueur", "Zoé"]).status.code(), Some(2));

    write_thoughts(&path, 10, |turn, _| Some(format!("{turn}").repeat(900)));
    let output = rejeu(&["pensees", file]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines = printed(&output).lines().count();
    assert!(told.starts_with(&format!("{} more were dropped", 20 - lines)), "{lines}: {told}");
}

#[test]
fn what_a_program_thinks_is_told_when_it_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partie.rejeu");
    write(&path);
    let bot = bot(folder.path(), "server.sendall(b'NE;to the cherry\\0')");
    let (code, told, _) = ask(path.to_str().unwrap(), &bot, &["--joueur", "Ada", "--tour", "2"]);
    assert_eq!((code, told.as_str()), (Some(0), "turn 2: NE; — then\n    to the cherry\n"));
}

#[test]
fn a_program_that_cannot_be_asked_is_told_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partie.rejeu");
    write(&path);
    let file = path.to_str().unwrap();
    let slow = bot(folder.path(), "time.sleep(60)");
    let (code, told, why) = ask(file, &slow, &["--joueur", "Ada", "--delai", "1s"]);
    assert_eq!((code, told.as_str(), why.as_str()), (Some(1), "", "turn 1: no answer within 1s\n"));
    let (code, _, why) = ask(file, "none.py", &["--joueur", "Ada"]);
    assert_eq!(code, Some(2));
    assert!(why.contains("has ended before it connected"), "{why}");
    for (flags, expected) in [
        (&["--joueur", "Eve"][..], "there is no player \"Eve\": Ada (A), Bob (B)"),
        (&[], "expected --player with one of: Ada (A), Bob (B)"),
        (&["--joueur", "Ada", "--tour", "11"], "there is no turn 11, expected 1 to 10"),
        (&["--joueur", "Ada", "--tour", "0"], "expected a turn from 1 on"),
        (&["--joueur", "Ada", "--attendu", "NE"], "--tours"),
        (&["--joueur", "Ada", "--tour", "3", "--attendu", "NW"], "\"NW\" is no order of this game"),
        (
            &["--joueur", "Ada", "--tour", "3", "--attendu", "N"],
            "expected two letters of N, E, S, O and X (none)",
        ),
    ] {
        let (code, _, why) = ask(file, &slow, flags);
        assert_eq!(code, Some(2), "{why}");
        assert!(why.contains(expected), "{why}");
    }
}

#[test]
fn cases_of_a_folder_are_tried() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("partie.rejeu"));
    let always = bot(folder.path(), NE);
    let case = |name: &str, text: &str| {
        fs::write(folder.path().join(name), format!("partie = \"partie.rejeu\"\n{text}")).unwrap();
    };
    let run = || {
        let folder = folder.path().to_str().unwrap();
        rejeu(&["essais", folder, "--", "python3", &always, "{port}"])
    };
    assert!(String::from_utf8(run().stderr).unwrap().contains("no case"));
    case("bridge.toml", "joueur = \"Ada\"\ntour = 3\nattendu = [\"SS\", \"NE\"]\n");
    let output = run();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    case("trap.toml", "joueur = \"B\"\ntour = 10\nattendu = \"SS\"\n");
    let output = run();
    assert_eq!(
        printed(&output),
        "bridge: NE, as expected\ntrap: turn 10: NE, expected SS\ncases that failed: 1 of 2\n"
    );
    assert_eq!(output.status.code(), Some(1));
    // A broken case keeps no other one from being tried.
    case("bad.toml", "turn = 3\n");
    let output = run();
    assert_eq!(output.status.code(), Some(2));
    assert!(printed(&output).contains("cases that failed: 1 of 3"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("unknown field `turn`"), "{output:?}");
}

/// A rat need not answer in the mud, and is asked all the same what it does outside.
#[test]
fn a_rat_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partie.rejeu");
    let maze = Maze::decode(b"3;1\n3\n0;1:3\n1;0:3;2:1\n2;1:1\n").unwrap();
    let dashes = "-".repeat(20);
    let text = format!("0;\n{dashes}\n1\n2\n{dashes}\nA;0;0;0;;0;Ada\n");
    let start = State::decode(&maze, text.as_bytes()).unwrap().state;
    let setup = Setup::PyRat(PyRatSetup { start, seed: 1, names: vec!["Ada".to_owned()] });
    let (mut recorder, mut bytes) = Recorder::start(setup);
    let east = Given::nothing(Answer::Action(Action::Go(Direction::East)));
    for _ in 0..4 {
        bytes.extend(recorder.turn(Turn { answers: vec![east], marks: Marks::default() }, 0));
    }
    fs::write(&path, bytes).unwrap();
    let silent = "(b';0;0;0;;' in state or b';0;1;0;;' in state) and server.sendall(b'E\\0')";
    for answer in [silent, "server.sendall(b'E\\0')"] {
        let bot = bot(folder.path(), answer);
        let (code, told, why) = ask(path.to_str().unwrap(), &bot, &["--tours", "1..4"]);
        assert_eq!(told, "turn 1: E, as then\nturn 4: E, as then\n", "{why}");
        assert_eq!(code, Some(0));
    }
}

#[test]
fn the_coach_tells_what_cost_most() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partie.rejeu");
    write(&path);
    let file = path.to_str().unwrap();
    let branches = folder.path().join("branches");
    let output =
        rejeu(&["coach", file, "--joueur", "Ada", "--branches", branches.to_str().unwrap()]);
    let told = printed(&output);
    assert!(
        told.starts_with("Ada: what cost most, in points at the end (95 % interval)\n"),
        "{told}"
    );
    let lines: Vec<_> = told.lines().skip(1).collect();
    assert!((1..=5).contains(&lines.len()), "{told}");
    assert!(lines.iter().all(|line| line.contains(", not no direction: +")), "{told}");
    let files: Vec<_> = fs::read_dir(&branches).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), lines.len());
    for branch in files {
        let output = rejeu(&["verifier", branch.to_str().unwrap()]);
        assert_eq!(printed(&output), "identical\n");
    }
    let output = rejeu(&["coach", file, "--json"]);
    let told = printed(&output);
    let players = told.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line["gain"].as_f64().unwrap() > 0.0, "{line}");
        line["player"].as_str().unwrap().to_owned()
    });
    let players: Vec<_> = players.collect();
    assert!(
        ["Ada", "Bob"].iter().all(|name| players.iter().any(|player| player == name)),
        "{told}"
    );
    let output = rejeu(&["coach", file, "--joueur", "Eve"]);
    assert_eq!(output.status.code(), Some(2));
    let rats = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/replay/tests/data/pyrat.rejeu");
    let output = rejeu(&["coach", rats]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("Pacman only"));
}
