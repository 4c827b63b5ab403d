//! Recorded games: written, read, damaged, verified.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use game::pacman::{Direction, Map, Orders, Rules};
use game::pyrat::{self, Recipe, Start, State};
use replay::{
    Analysis, Answer, Game, Given, Marks, PacmanSetup, PyRatSetup, ReadError, Recorder, Recording,
    Setup, Turn, film, hash, jsonl, page, verify,
};
use serde_json::Value;

fn pacman(turns: u32) -> Setup {
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../cartes/plan1.txt");
    Setup::Pacman(PacmanSetup {
        map: Map::parse(&std::fs::read(map).unwrap()).unwrap(),
        rules: Rules::SUJET,
        seed: 7,
        turns,
        names: ["Ada", "Bob", "équipe 3", "<b>"].map(String::from).to_vec(),
    })
}

fn pyrat() -> Setup {
    let maze = Recipe::default().make(3).unwrap();
    let start = State::start(&maze, 2, &Start::Corners, 21, 3, Some(120)).unwrap();
    Setup::PyRat(PyRatSetup { start, seed: 3, names: vec!["Ada".to_owned(), "Bob".to_owned()] })
}

/// Answers drawn from a fixed sequence, some of them faults.
fn answers(setup: &Setup, drawn: &mut u32) -> Vec<Given> {
    let answer = |_: &String| {
        *drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let bits = *drawn >> 8;
        let direction = |bits: u32| Direction::ALL.get((bits % 5) as usize).copied();
        let answer = match (bits % 13, setup) {
            (0, _) => return Given::nothing(Answer::Missed),
            (1, _) => return Given::nothing(Answer::Disconnected),
            (_, Setup::Pacman(_)) => {
                let (pacman, ghost) = (direction(bits >> 4), direction(bits >> 7));
                Answer::Orders(Orders { pacman, ghost })
            }
            (2, Setup::PyRat(_)) => Answer::Action(pyrat::Answer::Malformed),
            (_, Setup::PyRat(_)) => Answer::Action(
                direction(bits >> 4).map_or(pyrat::Answer::Nothing, pyrat::Answer::Go),
            ),
        };
        Given::in_time(answer, Duration::from_micros((bits % 5000).into()))
    };
    setup.names().iter().map(answer).collect()
}

/// The bytes of a recorded game, and the turns in it. `finish` tells whether it goes to its end.
fn record(setup: &Setup, finish: bool) -> (Vec<u8>, Vec<Turn>) {
    let mut game = Game::start(setup);
    let (mut recorder, mut bytes) = Recorder::start(setup.clone());
    let (mut drawn, mut turns) = (1, Vec::new());
    while !game.is_over() {
        let mut turn = Turn { answers: answers(setup, &mut drawn), marks: Marks::default() };
        game.play(&turn);
        turn.marks = game.marks();
        bytes.extend(recorder.turn(turn.clone(), hash(game.text())));
        turns.push(turn);
    }
    if finish {
        bytes.extend(recorder.end(hash(game.text())));
    }
    (bytes, turns)
}

#[test]
fn what_is_recorded_is_read_and_identical() {
    for setup in [pacman(200), pyrat()] {
        for finish in [true, false] {
            let (bytes, turns) = record(&setup, finish);
            let recording = Recording::read(&bytes).unwrap();
            assert_eq!(recording.setup, setup);
            assert_eq!((recording.is_complete, &recording.damage), (finish, &None));
            let parts = |turns: &[Turn]| -> Vec<_> {
                turns
                    .iter()
                    .map(|t| (t.marks, t.answers.iter().map(|a| a.answer).collect::<Vec<_>>()))
                    .collect()
            };
            assert_eq!(parts(&recording.turns), parts(&turns));
            let given =
                |turns: &[Turn]| turns.iter().flat_map(|t| t.answers.clone()).collect::<Vec<_>>();
            for (read, written) in given(&recording.turns).iter().zip(given(&turns)) {
                let (read, written) = (read.taken.as_secs_f64(), written.taken.as_secs_f64());
                assert!((read - written).abs() <= written * 0.031 + 1e-5, "{read} for {written}");
            }
            assert_eq!(verify(&recording), Ok(()));
        }
    }
}

#[test]
fn a_usual_game_takes_less_than_five_kilobytes() {
    let (bytes, turns) = record(&pacman(200), true);
    assert_eq!(turns.len(), 200);
    assert!(bytes.len() < 5000, "{}", bytes.len());
}

#[test]
fn a_file_that_is_cut_off_is_read_as_far_as_it_goes() {
    let (bytes, turns) = record(&pacman(30), true);
    let whole = Recording::read(&bytes).unwrap();
    let mut last = 0;
    for len in 0..bytes.len() {
        match Recording::read(&bytes[..len]) {
            Ok(read) => {
                assert_eq!(read.turns, whole.turns[..read.turns.len()]);
                assert!(!read.is_complete && read.turns.len() >= last);
                assert_eq!(verify(&read), Ok(()));
                if let Some(damage) = read.damage {
                    assert_eq!(damage.what, "the file ends in the middle of a record");
                }
                last = read.turns.len();
            }
            Err(ReadError::NoRecording | ReadError::Setup(_)) => assert_eq!(last, 0),
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(last, turns.len());
}

#[test]
fn a_byte_that_is_altered_is_noticed() {
    for setup in [pacman(20), pyrat()] {
        let (bytes, _) = record(&setup, true);
        let mut unnoticed = 0;
        for at in 0..bytes.len() {
            let mut altered = bytes.clone();
            altered[at] ^= 0x15;
            if let Ok(read) = Recording::read(&altered)
                && read.damage.is_none()
            {
                unnoticed += usize::from(verify(&read).is_ok());
            }
        }
        assert_eq!(unnoticed, 0);
    }
}

#[test]
fn another_order_is_told_by_its_turn_and_part() {
    let setup = pacman(60);
    let (_, mut turns) = record(&setup, true);
    // In turn 38 somebody whose pacman walked stays.
    let mut game = Game::start(&setup);
    turns[..37].iter().for_each(|turn| game.play(turn));
    let walks = |turn: &Turn, player: usize| {
        let mut others = turn.clone();
        others.answers[player] = Given::nothing(Answer::Missed);
        let (mut a, mut b) = (game.clone(), game.clone());
        a.play(turn);
        b.play(&others);
        a.marks() != b.marks()
    };
    let player = (0..4).find(|&player| walks(&turns[37], player)).unwrap();
    turns[37].answers[player] = Given::nothing(Answer::Missed);
    let mut recording = Recording::read(&record(&setup, true).0).unwrap();
    recording.turns = turns;
    let difference = verify(&recording).unwrap_err();
    assert_eq!(difference.turn, 38);
    assert!(["pieces", "points", "powers", "objects"].contains(&difference.part));
    assert!(difference.to_string().starts_with("turn 38: other "));
}

#[test]
fn other_files_are_refused() {
    let (bytes, _) = record(&pacman(1), true);
    let error = |bytes: &[u8]| Recording::read(bytes).unwrap_err().to_string();
    assert_eq!(error(b""), "this is no recording of a game");
    assert_eq!(error(b"PK\x03\x04 and so on"), "this is no recording of a game");
    let mut later = bytes.clone();
    later[8] = 9;
    assert_eq!(error(&later), "the recording has the format 9, expected at most 1");
    let mut more = bytes.clone();
    more.extend_from_slice(&bytes[10..]);
    let read = Recording::read(&more).unwrap();
    assert_eq!(read.damage.unwrap().what, "something follows the end of the game");
}

#[test]
fn no_bytes_are_a_panic() {
    let (bytes, _) = record(&pacman(3), true);
    bolero::check!().with_type::<(usize, Vec<u8>)>().for_each(|(at, other)| {
        let mut altered = bytes.clone();
        let at = at % altered.len();
        let len = other.len().min(altered.len() - at);
        altered[at..at + len].copy_from_slice(&other[..len]);
        for bytes in [&altered, other] {
            if let Ok(read) = Recording::read(bytes) {
                let _ = verify(&read);
            }
        }
    });
}

#[test]
fn every_point_has_a_source() {
    for setup in [pacman(300), pyrat()] {
        let recording = Recording::read(&record(&setup, true).0).unwrap();
        let analysis = Analysis::of(&recording);
        let mut game = Game::start(&setup);
        recording.turns.iter().for_each(|turn| game.play(turn));
        for (index, player) in analysis.players.iter().enumerate() {
            let points = match &game {
                Game::Pacman(game) => game.state().view().players()[index].points.into(),
                Game::PyRat(game) => game.state().rats()[index].score.as_f64(),
            };
            let sum: f64 = player.sources.iter().map(|(_, _, points)| points).sum();
            assert!((sum - points).abs() < 1e-9, "{sum} of {points}: {player:?}");
            assert!((player.points - points).abs() < 1e-9);
            let faults = recording.turns.iter().filter(|turn| turn.answers[index].is_fault());
            let counted = player.missed + player.malformed + player.disconnected;
            assert_eq!(counted as usize, faults.count());
            assert!(player.best.is_sorted_by(|a, b| a.1 >= b.1));
            assert!(player.worst.is_sorted_by(|a, b| a.1 <= b.1));
        }
    }
}

#[test]
fn films_are_written_as_they_are_made() {
    for setup in [pacman(40), pyrat()] {
        let recording = Recording::read(&record(&setup, true).0).unwrap();
        let mut written = Vec::new();
        film::write(&recording, &mut written).unwrap();
        let written: Value = serde_json::from_slice(&written).unwrap();
        assert_eq!(written, film::film(&recording));
        assert_eq!(written["frames"].as_array().map(Vec::len), Some(recording.turns.len() + 1));
        let harmless: Value = serde_json::from_str(&page::film_text(&recording)).unwrap();
        assert_eq!(harmless, written);
        assert!(!page::film_text(&recording).contains('<'));
    }
}

#[test]
fn lines_of_json_tell_the_whole_game() {
    for setup in [pacman(40), pyrat()] {
        let recording = Recording::read(&record(&setup, true).0).unwrap();
        let lines: Vec<_> = jsonl::lines(&recording).collect();
        assert_eq!(lines.len(), recording.turns.len() + 1);
        assert_eq!(lines[0]["players"][0], "Ada");
        let mut game = Game::start(&setup);
        for (line, turn) in lines[1..].iter().zip(&recording.turns) {
            game.play(turn);
            assert_eq!(line["state"], String::from_utf8_lossy(game.text()).into_owned());
            assert_eq!(line["turn"], game.turn());
            let faults = line["answers"].as_array().unwrap().iter();
            let faults: Vec<bool> = faults.map(|answer| !answer["fault"].is_null()).collect();
            assert!(faults.into_iter().eq(turn.answers.iter().map(Given::is_fault)));
        }
    }
}
