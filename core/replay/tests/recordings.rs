//! Recorded games: written, read, damaged, verified.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use game::colour::Colour;
use game::pacman::{Direction, FalseMoveCounter, Map, Orders, Rules};
use game::pyrat::{self, Maze, Recipe, Start, State};
use language::Language;
use referee::{Cause, Transport};
use replay::analysis::Causes;
use replay::{
    Analysis, Answer, AnswerFault, Excerpt, Flaw, Given, Marks, PacmanSetup, PyRatSetup, ReadError,
    Recorder, Recording, Replay, Setup, Source, Story, Turn, film, hash, jsonl, page, verify,
    with_thoughts, without_thoughts,
};
use serde_json::{Value, json};

fn pacman(turns: u32) -> Setup {
    Setup::Pacman(pacman_setup(turns))
}

fn pacman_setup(turns: u32) -> PacmanSetup {
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/plan1.txt");
    PacmanSetup {
        map: Map::parse(&std::fs::read(map).unwrap()).unwrap(),
        rules: Rules::SUJET,
        seed: 7,
        turns,
        names: ["Ada", "Bob", "équipe 3", "<b>"].map(String::from).to_vec(),
    }
}

fn pyrat() -> Setup {
    let maze = Recipe::default().make(3).unwrap();
    let start = State::start(&maze, 2, &Start::Corners, 21, 3, Some(120)).unwrap();
    Setup::PyRat(PyRatSetup { start, seed: 3, names: vec!["Ada".to_owned(), "Bob".to_owned()] })
}

/// Draws the answers of a turn from a fixed sequence; some are faults.
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
            (2, Setup::PyRat(_)) => Answer::Action(pyrat::Action::Malformed),
            (_, Setup::PyRat(_)) => Answer::Action(
                direction(bits >> 4).map_or(pyrat::Action::Nothing, pyrat::Action::Go),
            ),
        };
        Given::in_time(answer, Duration::from_micros((bits % 5000).into()))
    };
    setup.names().iter().map(answer).collect()
}

/// Returns the bytes and the turns of a recorded game. `finish` tells whether its end is recorded.
fn record(setup: &Setup, finish: bool) -> (Vec<u8>, Vec<Turn>) {
    let mut game = Replay::start(setup);
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
            let read: Vec<Turn> = recording.turns.iter().collect();
            let parts = |turns: &[Turn]| -> Vec<_> {
                turns
                    .iter()
                    .map(|t| (t.marks, t.answers.iter().map(|a| a.answer).collect::<Vec<_>>()))
                    .collect()
            };
            assert_eq!(parts(&read), parts(&turns));
            let given =
                |turns: &[Turn]| turns.iter().flat_map(|t| t.answers.clone()).collect::<Vec<_>>();
            for (read, written) in given(&read).iter().zip(given(&turns)) {
                let (read, written) = (read.taken.as_secs_f64(), written.taken.as_secs_f64());
                assert!((read - written).abs() <= written * 0.031 + 1e-5, "{read} for {written}");
            }
            assert_eq!(verify(&recording), Ok(()));
        }
    }
}

#[test]
fn the_first_turns_of_a_recording_may_be_kept() {
    for setup in [pacman(200), pyrat()] {
        let (bytes, _) = record(&setup, true);
        let whole = Recording::read(&bytes).unwrap();
        for turns in [0, 1, 57, whole.turns.len() - 1] {
            let mut beginning = whole.clone();
            beginning.truncate(turns);
            assert!(beginning.turns.iter().eq(whole.turns.range(0..turns)), "{turns}");
            assert!(!beginning.is_complete && verify(&beginning).is_ok(), "{turns}");
        }
        let mut same = whole.clone();
        same.truncate(whole.turns.len());
        assert_eq!(same, whole);
    }
}

/// Records a game in which players think aloud, and returns its bytes.
fn record_thoughts(setup: &Setup, think: impl Fn(u32, Colour) -> Option<String>) -> Vec<u8> {
    let mut game = Replay::start(setup);
    let (mut recorder, mut bytes) = Recorder::start(setup.clone());
    let mut drawn = 1;
    while !game.is_over() {
        for player in Colour::first(setup.names().len()) {
            if let Some(text) = think(game.turn() + 1, player) {
                recorder.think([(player, text)]);
            }
        }
        let mut turn = Turn { answers: answers(setup, &mut drawn), marks: Marks::default() };
        game.play(&turn);
        turn.marks = game.marks();
        bytes.extend(recorder.turn(turn, hash(game.text())));
    }
    bytes.extend(recorder.end(hash(game.text())));
    bytes
}

#[test]
fn a_player_gets_its_own_thoughts_back_into_a_recording() {
    for turns in [7, 100, 350] {
        let setup = pacman(turns);
        let plain = record_thoughts(&setup, |_, _| None);
        let all = record_thoughts(&setup, |turn, player| {
            (turn % 3 > 0 && player.index() < 3).then(|| format!("{} {turn}", player.as_str()))
        });
        let recording = Recording::read(&all).unwrap();
        let others: Vec<u8> =
            without_thoughts(&*all).collect::<Result<Vec<_>, _>>().unwrap().concat();
        assert_eq!(others, plain);
        for player in Colour::first(4) {
            let own = recording.thoughts.record_of(player);
            let expected: Vec<_> =
                recording.thoughts.iter().filter(|thought| thought.player == player).collect();
            assert_eq!(own.is_empty(), expected.is_empty());
            if own.is_empty() {
                continue;
            }
            // A game that was given up has no end.
            for (bytes, is_complete) in [(plain.clone(), true), (without_end(&plain), false)] {
                let read = Recording::read(&with_thoughts(&bytes, &own)).unwrap();
                assert_eq!((read.is_complete, &read.damage), (is_complete, &None));
                assert_eq!(read.thoughts.iter().collect::<Vec<_>>(), expected);
            }
        }
    }
}

/// The bytes of a recording up to its last record.
fn without_end(recording: &[u8]) -> Vec<u8> {
    let mut records: Vec<_> = without_thoughts(recording).map(Result::unwrap).collect();
    records.pop();
    records.concat()
}

#[test]
fn thoughts_take_at_most_a_fifth_of_a_recording() {
    let ada = Colour::new(0).unwrap();
    let told = |turn: u32, player: Colour| {
        let index = player.index() as u32;
        format!("cherry at {},{} in {index};cell {turn},{index}", turn * 7 % 20, turn * 3 % 11)
    };
    for setup in [pacman(200), pyrat()] {
        let plain = record(&setup, true).0.len();
        for (talkers, one_in) in [(1, 2), (setup.names().len(), 10)] {
            let bytes = record_thoughts(&setup, |turn, player| {
                (player.index() < talkers).then(|| told(turn, player))
            });
            assert!((bytes.len() - plain) * 5 <= bytes.len(), "{plain} of {}", bytes.len());
            let recording = Recording::read(&bytes).unwrap();
            assert!(recording.is_complete && recording.damage.is_none());
            assert_eq!(verify(&recording), Ok(()));
            let kept: Vec<_> = recording.thoughts.iter().collect();
            let all = talkers * recording.turns.len();
            assert_eq!(kept.len() + recording.thoughts.dropped() as usize, all);
            assert!(kept.len() * one_in >= all, "{} of {all}", kept.len());
            assert!(kept.iter().all(|kept| kept.text == told(kept.turn, kept.player)));
        }
        // A player with long thoughts does not drop those of others.
        let bytes = record_thoughts(&setup, |turn, player| {
            Some(if player == ada { "9".to_owned() } else { format!("{turn} ").repeat(300) })
        });
        let recording = Recording::read(&bytes).unwrap();
        let own = recording.thoughts.iter().filter(|thought| thought.player == ada).count();
        assert!(own * 2 > recording.turns.len(), "{own} of {}", recording.turns.len());
    }
}

#[test]
fn thoughts_stand_in_films_and_lines_of_their_turn() {
    let setup = pacman(50);
    let bytes = record_thoughts(&setup, |turn, player| {
        (turn == 7 && player.index() == 1).then(|| "path 1,2 NNE".to_owned())
    });
    let recording = Recording::read(&bytes).unwrap();
    let film = film_of(&recording);
    assert_eq!(film["frames"][7]["w"], json!([["B", "path 1,2 NNE"]]));
    let frames = film["frames"].as_array().unwrap().iter();
    assert_eq!(frames.filter(|frame| !frame["w"].is_null()).count(), 1);
    let lines: Vec<_> = jsonl::lines(&recording).collect();
    assert_eq!(lines[7]["answers"][1]["thought"], "path 1,2 NNE");
    assert!(film["dropped"].is_null());
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
                assert!(read.turns.iter().eq(whole.turns.range(0..read.turns.len())));
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
    // In turn 38, one player whose orders had an effect misses the deadline.
    let mut game = Replay::start(&setup);
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
    let mut recording = Recording::new(setup);
    for turn in &turns {
        recording.turns.push(turn);
    }
    let difference = verify(&recording).unwrap_err();
    assert_eq!(difference.turn, 38);
    assert!(
        ["pieces", "points", "powers", "objects"].contains(&difference.part.to_string().as_str())
    );
    assert!(difference.to_string().starts_with("turn 38: other "));
}

#[test]
fn other_files_are_refused() {
    let (bytes, _) = record(&pacman(1), true);
    let error = |bytes: &[u8]| Recording::read(bytes).unwrap_err().to_string();
    assert_eq!(error(b""), "this is no recording of a game");
    assert_eq!(error(b"PK\x03\x04 and so on"), "this is no recording of a game");
    for version in [1, 9] {
        let mut other = bytes.clone();
        other[8] = version;
        let expected = "of the format, only version 2 is supported";
        assert_eq!(error(&other), format!("the recording has version {version} {expected}"));
    }
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
        let mut game = Replay::start(&setup);
        recording.turns.iter().for_each(|turn| game.play(&turn));
        for (index, player) in analysis.players.iter().enumerate() {
            let points = match &game {
                Replay::Pacman(game) => game.state().view().players()[index].points.into(),
                Replay::PyRat(game) => game.state().rats()[index].score.as_f64(),
            };
            let sum: f64 = player.sources.iter().map(|(_, _, points)| points).sum();
            assert!((sum - points).abs() < 1e-9, "{sum} of {points}: {player:?}");
            assert!((player.points - points).abs() < 1e-9);
            let faults =
                recording.turns.iter().filter(|turn| turn.answers[index].fault().is_some());
            let counted = player.missed + player.malformed + player.disconnected;
            assert_eq!(counted as usize, faults.count());
            assert!(player.best.is_sorted_by(|a, b| a.1 >= b.1));
            assert!(player.worst.is_sorted_by(|a, b| a.1 <= b.1));
        }
    }
}

#[test]
fn every_bite_is_known_by_who_bit_whom() {
    let recording = Recording::read(&record(&pacman(300), true).0).unwrap();
    let bites = replay::bites(&recording).unwrap();
    let of = |player: usize, source| {
        let sources = &Analysis::of(&recording).players[player].sources;
        sources.iter().find(|(known, _, _)| *known == source).map_or(0, |(_, count, _)| *count)
    };
    let mut all = 0;
    for player in 0..4 {
        // A ghost that bites its own pacman changes no points.
        let others = |other: &usize| *other != player;
        let made: u32 = (0..4).filter(others).map(|other| bites[player][other]).sum();
        let suffered: u32 = (0..4).filter(others).map(|other| bites[other][player]).sum();
        let counted = (of(player, Source::Bite), of(player, Source::Bitten));
        assert_eq!((made, suffered), counted, "{bites:?}");
        all += made;
    }
    assert!(all > 0);
    assert_eq!(replay::bites(&Recording::read(&record(&pyrat(), true).0).unwrap()), None);
}

/// Points are shares of cheese: what is equal is not ranked by the order in which it was eaten.
#[test]
fn equal_shares_rank_equally_in_any_order() {
    // A corridor: Ada eats one half and then a third, Bob a third and then one half.
    const LENGTH: u64 = 12;
    let passages = (0..LENGTH).map(|cell| {
        let beside = [cell.checked_sub(1), Some(cell + 1).filter(|next| *next < LENGTH)];
        (cell, beside.into_iter().flatten().map(|next| (next, 1)).collect())
    });
    let maze = Maze::from_passages(12, Some(1), passages).unwrap();
    // The cells of the rats at the start, and their steps in both turns.
    let rats =
        [(1, "EE"), (7, "EE"), (1, "E-"), (7, "E-"), (7, "E-"), (4, "-O"), (4, "-O"), (10, "-O")];
    let dashes = "-".repeat(20);
    let places =
        ('A'..).zip(rats).map(|(letter, (cell, _))| format!("{letter};0;{cell};0;;0;{letter}\n"));
    let text = format!("0;\n{dashes}\n5\n2\n8\n3\n9\n11\n{dashes}\n{}", places.collect::<String>());
    let start = State::decode(&maze, text.as_bytes()).unwrap().state;
    let names = ('A'..).take(rats.len()).map(String::from).collect();
    let mut recording = Recording::new(Setup::PyRat(PyRatSetup { start, seed: 0, names }));
    for turn in 0..2 {
        let answer = |steps: &str| match steps.as_bytes()[turn] {
            b'E' => pyrat::Action::Go(Direction::East),
            b'O' => pyrat::Action::Go(Direction::West),
            _ => pyrat::Action::Nothing,
        };
        let answers = rats.map(|(_, steps)| Given::nothing(Answer::Action(answer(steps))));
        recording.turns.push(&Turn { answers: answers.to_vec(), marks: Marks::default() });
    }
    let analysis = Analysis::of(&recording);
    let [ada, bob, ..] = &analysis.players[..] else { unreachable!() };
    assert_eq!((ada.rank, bob.rank), (1, 1), "{} and {}", ada.points, bob.points);
    assert_eq!([&ada.points, &bob.points], [&(5.0 / 6.0); 2]);
    assert_eq!(ada.sources, [(Source::Cheese, 2, 5.0 / 6.0)]);
    assert_eq!(ada.best, [(1, 1.0 / 2.0), (2, 1.0 / 3.0)]);
}

fn film_of(recording: &Recording) -> Value {
    let mut written = Vec::new();
    film::write(recording, &mut written).unwrap();
    serde_json::from_slice(&written).unwrap()
}

#[test]
fn films_have_a_frame_for_each_turn_and_hold_no_markup() {
    for setup in [pacman(40), pyrat()] {
        let recording = Recording::read(&record(&setup, true).0).unwrap();
        let written = film_of(&recording);
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
        let mut game = Replay::start(&setup);
        for (line, turn) in lines[1..].iter().zip(recording.turns.iter()) {
            game.play(&turn);
            assert_eq!(line["state"], String::from_utf8_lossy(game.text()).into_owned());
            assert_eq!(line["turn"], game.turn());
            let faults = line["answers"].as_array().unwrap().iter();
            let faults = faults.map(|answer| answer["fault"].as_str());
            assert!(
                faults.eq(turn.answers.iter().map(|given| given.fault().map(AnswerFault::word)))
            );
        }
    }
}

/// Tests that films and lines of JSON keep their bytes: for a game of Pacman with every event, one of PyRat, and every flaw.
#[test]
fn exports_keep_their_bytes() {
    let exports = |recording: &Recording| {
        let mut film = Vec::new();
        film::write(recording, &mut film).unwrap();
        let lines: Vec<_> = jsonl::lines(recording).map(|line| line.to_string()).collect();
        (String::from_utf8(film).unwrap(), lines.join("\n"))
    };
    let games: Vec<_> =
        [Setup::Pacman(PacmanSetup { rules: Rules::ORLEANS_2024, ..pacman_setup(300) }), pyrat()]
            .map(|setup| exports(&Recording::read(&record(&setup, true).0).unwrap()))
            .into_iter()
            .chain([exports(&flawed().0)])
            .collect();
    let (film, lines) = &games[0];
    for event in ["took", "battle", "teleport", "false", "frozen", "digest", "appear"] {
        assert!(film.contains(&format!("[\"{event}\",")), "{event}");
        assert!(lines.contains(&format!("\"event\":\"{event}")), "{event}");
    }
    let hashes: Vec<_> =
        games.iter().map(|(film, lines)| [hash(film.as_bytes()), hash(lines.as_bytes())]).collect();
    assert_eq!(
        hashes,
        [
            [0x9326_da51_ecea_6f11, 0x8012_69e9_61f6_f275],
            [0x81f4_f3b9_7bb8_0fa2, 0x204e_3030_c7bc_8481],
            [0x7107_470b_5984_b86a, 0xaa0e_f0e5_37d0_f3ed],
        ]
    );
}

/// Returns the bytes of a recording without turns.
fn begun(setup: Setup) -> Vec<u8> {
    Recorder::start(setup).1
}

#[test]
fn setups_are_checked_when_a_recording_is_opened() {
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    for (wrong, expected) in [
        (vec!["x".to_owned(); 27], "27 players, expected 1 to 26"),
        (vec![], "0 players, expected 1 to 26"),
        (names(&["Ada", "\u{1b}[31mred"]), r#"player 2 has the name "\u{1b}[31mred", expected"#),
        (names(&["a;b"]), r#"player 1 has the name "a;b", expected"#),
        (names(&["a\nb"]), r#"player 1 has the name "a\nb", expected"#),
        (names(&[""]), r#"player 1 has the name "", expected"#),
        (names(&["\u{202e}evil"]), r#"player 1 has the name "\u{202e}evil", expected"#),
        (names(&[&"x".repeat(65)]), "expected 1 to 64 characters"),
    ] {
        let error = Recording::read(&begun(Setup::Pacman(PacmanSetup {
            names: wrong,
            ..pacman_setup(20)
        })))
        .unwrap_err()
        .to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn rules_without_a_name_are_read_again() {
    for false_moves in [FalseMoveCounter::Made { limit: -7 }, FalseMoveCounter::Left { refill: 9 }]
    {
        let rules = Rules { false_moves, blocked_ghost: 12, freeze_range: 3, digestion: true };
        let setup = Setup::Pacman(PacmanSetup { rules, ..pacman_setup(20) });
        let recording = Recording::read(&record(&setup, true).0).unwrap();
        assert_eq!(recording.setup, setup);
        assert_eq!(verify(&recording), Ok(()));
    }
}

#[test]
fn a_miss_takes_five_more_bytes_with_its_cause() {
    let answers = vec![Given::nothing(Answer::Missed); 4];
    let bytes = |turn: &Turn| Recorder::start(pacman(1)).0.turn(turn.clone(), 0).len();
    let mut turn = Turn { answers, marks: Marks::default() };
    let before = bytes(&turn);
    turn.answers[2].cause = Some(Cause::Bot);
    assert_eq!(bytes(&turn), before + 5);
}

#[test]
fn recordings_keep_their_bytes() {
    let files: [(_, &[u8]); 3] = [
        (record(&pacman(20), true).0, include_bytes!("data/pacman.rejeu")),
        (record(&pyrat(), true).0, include_bytes!("data/pyrat.rejeu")),
        (flawed().1, include_bytes!("data/flawed.rejeu")),
    ];
    for (bytes, file) in files {
        assert_eq!(bytes, file);
    }
}

/// Maps a fuzzer's numbers to an answer of a player of Pacman.
fn given(
    answer: u8,
    taken: u8,
    cause: u8,
    numbers: [u32; 4],
    excerpt: Option<&(bool, Vec<u8>)>,
) -> Given {
    let direction = |code: u8| Direction::ALL.get(usize::from(code)).copied();
    let answer = match answer % 27 {
        25 => Answer::Missed,
        26 => Answer::Disconnected,
        code => Answer::Orders(Orders { pacman: direction(code / 5), ghost: direction(code % 5) }),
    };
    let [micros, unacknowledged, retransmits, queued] = numbers;
    let time = Duration::from_micros(micros.into());
    Given {
        cause: match cause % 4 {
            0 => None,
            1 => Some(Cause::Bot),
            2 => Some(Cause::Host(time)),
            _ => Some(Cause::Network(Transport { rtt: time, unacknowledged, retransmits, queued })),
        },
        excerpt: excerpt.map(|(is_late, bytes)| {
            Excerpt::new(if *is_late { Flaw::Late } else { Flaw::Malformed }, bytes)
        }),
        ..Given::in_time(answer, Duration::from_millis(taken.into()))
    }
}

type Drawn = (u8, u8, u8, [u32; 4], Option<(bool, Vec<u8>)>);

#[test]
fn any_turns_are_read_as_they_were_written() {
    bolero::check!().with_type::<Vec<[Drawn; 4]>>().for_each(|drawn| {
        let mut recording = Recording::new(pacman(1000));
        let (mut recorder, mut bytes) = Recorder::start(pacman(1000));
        for (index, answers) in drawn.iter().enumerate() {
            let answers: Vec<Given> =
                answers.iter().map(|(a, b, c, d, e)| given(*a, *b, *c, *d, e.as_ref())).collect();
            let turn = Turn { answers, marks: Marks::default() };
            recording.turns.push(&turn);
            bytes.extend(recorder.turn(turn.clone(), 0));
            // Memory keeps the same as a file: all but the last digits of the times.
            let kept = recording.turns.get(index).unwrap();
            for (kept, given) in kept.answers.iter().zip(&turn.answers) {
                assert_eq!(Given { taken: kept.taken, ..*given }, *kept);
            }
            let mut again = Recording::new(pacman(1000));
            again.turns.push(&kept);
            assert_eq!(again.turns.get(0), Some(kept));
        }
        let read = Recording::read(&bytes).unwrap();
        assert_eq!((read.turns, read.damage), (recording.turns, None));
    });
}

/// A rat in the mud is not asked; recordings keep that as a miss.
#[test]
fn a_rat_in_the_mud_is_not_blamed() {
    // Two of three turns from the first cell to the second are spent in the mud.
    let maze = Maze::decode(b"3;1\n3\n0;1:3\n1;0:3;2:1\n2;1:1\n").unwrap();
    let dashes = "-".repeat(20);
    let text = format!("0;\n{dashes}\n1\n2\n{dashes}\nA;0;0;0;;0;Ada\n");
    let start = State::decode(&maze, text.as_bytes()).unwrap().state;
    let setup = Setup::PyRat(PyRatSetup { start, seed: 3, names: vec!["Ada".to_owned()] });
    let mut recording = Recording::new(setup);
    let go = Answer::Action(pyrat::Action::Go(Direction::East));
    let malformed = Answer::Action(pyrat::Action::Malformed);
    for answer in [Answer::Missed, go, Answer::Missed, malformed, Answer::Missed] {
        recording
            .turns
            .push(&Turn { answers: vec![Given::nothing(answer)], marks: Marks::default() });
    }
    let mut game = Replay::start(&recording.setup);
    let mut film = film::Film::start(&recording.setup);
    let mut asked = Vec::new();
    let mut faults = Vec::new();
    for turn in recording.turns.iter() {
        let Replay::PyRat(rats) = &game else { unreachable!() };
        asked.push(rats.state().rats()[0].mud.is_none());
        faults.push(film.next(&turn)["g"][0][1].clone());
        game.play(&turn);
    }
    assert_eq!(asked, [true, true, false, false, true]);
    assert_eq!(faults, [2, 0, 0, 0, 2]);
    let told = jsonl::lines(&recording).skip(1).map(|line| line["answers"][0]["fault"].clone());
    assert_eq!(told.collect::<Value>(), json!(["missed", null, null, null, "missed"]));
    let analysis = &Analysis::of(&recording).players[0];
    assert_eq!((analysis.missed, analysis.malformed, analysis.held), (2, 0, 2));
    let faults = Story::of(&recording).episodes().iter().map(|episode| episode.count).sum::<u32>();
    assert_eq!(faults, 2);
}

/// Returns a recording of nine turns of Pacman, in each of which player A has another flaw, and its bytes.
fn flawed() -> (Recording, Vec<u8>) {
    let setup = pacman(9);
    let (mut recorder, mut bytes) = Recorder::start(setup);
    let orders = Orders { pacman: Some(Direction::North), ghost: Some(Direction::East) };
    let fine = Given::in_time(Answer::Orders(orders), Duration::from_millis(5));
    let missed = |cause| Given { cause, ..Given::nothing(Answer::Missed) };
    let malformed = |text: &[u8]| Given {
        excerpt: Some(Excerpt::new(Flaw::Malformed, text)),
        ..Given::in_time(Answer::Orders(Orders::decode(text)), Duration::from_millis(5))
    };
    let transport =
        Transport { rtt: Duration::from_millis(210), unacknowledged: 3, retransmits: 2, queued: 0 };
    let late = Some(Excerpt::new(Flaw::Late, b"NE"));
    let firsts = [
        malformed(b"se"),
        malformed(b"N"),
        malformed(b"\x1b[31mred \xff\"\xe2\x80\xae it's long enough to be cut off"),
        missed(Some(Cause::Bot)),
        missed(Some(Cause::Network(transport))),
        missed(Some(Cause::Host(Duration::from_secs(3)))),
        Given { excerpt: late, ..missed(Some(Cause::Bot)) },
        Given { excerpt: late, ..fine },
        missed(None),
    ];
    for first in firsts {
        let answers = vec![first, fine, fine, fine];
        bytes.extend(recorder.turn(Turn { answers, marks: Marks::default() }, 0));
    }
    (Recording::read(&bytes).unwrap(), bytes)
}

#[test]
fn what_went_wrong_is_told() {
    let (recording, _) = flawed();
    let analysis = Analysis::of(&recording);
    let player = &analysis.players[0];
    assert_eq!(player.causes, Causes { bot: 2, network: 1, host: 1, unknown: 1 });
    assert_eq!((player.missed, player.malformed, player.late), (5, 3, 2));
    let told = |language| {
        let remarks = player.remarks.iter();
        remarks
            .map(|(turn, given)| format!("{turn}: {}", given.remark(language).unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        told(Language::English),
        [
            r#"1: malformed order "se": capitals N E S O"#,
            r#"2: malformed order "N": two letters, the pacman's and the ghost's, of N E S O"#,
            r#"3: malformed order "\u{1b}[31mred \xff\"\u{202e} it's long enough "…: expected N E S O"#,
            "4: nothing came in time (bot)",
            "5: nothing came in time (network: rtt 210 ms, 3 unacknowledged, 2 retransmits, 0 bytes queued)",
            "6: nothing came in time (host: stalled for 3000 ms)",
            r#"7: nothing came in time (bot), late answer "NE""#,
            r#"8: late answer "NE""#,
            "9: nothing came in time",
        ]
    );
    assert_eq!(told(Language::French)[0], r#"1: ordre mal formé "se" : majuscules N E S O"#);
    let film = film_of(&recording);
    let given = |turn: usize| film["frames"][turn]["g"][0].clone();
    assert_eq!(
        given(1).as_array().unwrap()[1..],
        [json!(1), json!(null), json!(["malformed", "\"se\"", "capitals"])]
    );
    assert_eq!(given(5), json!([0.0, 2, ["network", 210, 3, 2, 0], null]));
    assert_eq!(given(6), json!([0.0, 2, ["host", 3000], null]));
    assert_eq!(given(7), json!([0.0, 2, ["bot"], ["late", "\"NE\""]]));
    assert_eq!(given(9), json!([0.0, 2]));
    assert_eq!(
        film["analysis"][0]["causes"],
        json!({ "bot": 2, "network": 1, "host": 1, "unknown": 1 })
    );
    assert_eq!(film["analysis"][0]["remarks"][6], json!([7, 2, ["bot"], ["late", "\"NE\""]]));
    let lines: Vec<_> = jsonl::lines(&recording).collect();
    let answer = &lines[7]["answers"][0];
    assert_eq!(answer["cause"], json!({ "cause": "bot" }));
    assert_eq!(answer["excerpt"], json!({ "flaw": "late", "text": "NE" }));
    assert_eq!(lines[5]["answers"][0]["cause"]["rtt_s"], 0.21);
    assert_eq!(lines[6]["answers"][0]["cause"]["stalled_s"], 3.0);
}

/// Tests a maze of parallel corridors with cheese almost everywhere, whose texts take more than 2 MiB.
#[test]
fn large_mazes_are_read_again() {
    let (cols, cells) = (1000, 85_000);
    let line = |cell: usize| {
        let beside = [cell.wrapping_sub(1), cell + 1];
        let beside = beside.into_iter().filter(|next| next / cols == cell / cols);
        let links: Vec<_> = beside.map(|next| format!(";{next}:1")).collect();
        format!("{cell}{}\n", links.concat())
    };
    let text = format!("{cols};100\n{cells}\n{}", (0..cells).map(line).collect::<String>());
    let maze = Maze::decode(text.as_bytes()).unwrap();
    let start = State::start(&maze, 1, &Start::Random, 80_000, 1, Some(10)).unwrap();
    let setup = Setup::PyRat(PyRatSetup { start, seed: 1, names: vec!["Ada".to_owned()] });
    let bytes = begun(setup.clone());
    assert!(bytes.len() > 2 << 20, "{}", bytes.len());
    assert_eq!(Recording::read(&bytes).unwrap().setup, setup);
}
