//! The compiled arena plays the same games as the programs: states and recordings, byte for byte.
//!
//! Node plays with the module that `scripts/page.sh` makes, and this test with the crates that the programs use. `GAMES` is the
//! number of games and `TURNS` that of their turns.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod folder;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, thread};

use base64::prelude::{BASE64_STANDARD, Engine};
use bots::{Bot, Budget, HouseGame, pyrat};
use game::pacman::{Colour, Map, Rules, RulesPreset, StateText, maps};
use game::pyrat::{Action, Recipe, Start, State};
use replay::{Answer, Given, Marks, PacmanSetup, PyRatSetup, Recorder, Setup, Turn, hash};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

fn number(name: &str, usual: u32) -> u32 {
    env::var(name).map_or(usual, |text| text.parse().expect("a number"))
}

/// Plays games in Node; returns a line for each.
fn in_node(games: &[Value]) -> Vec<String> {
    let mut node = Command::new("node")
        .args([Path::new("tests/games.js"), &folder::page()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node is installed");
    let mut input = node.stdin.take().unwrap();
    let lines = games.iter().fold(String::new(), |lines, game| lines + &format!("{game}\n"));
    // Both pipes may be full.
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = node.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The states and the recording of a game.
struct Played {
    states: Sha256,
    recording: Vec<u8>,
    recorder: Recorder,
}

impl Played {
    fn start(setup: Setup, state: &[u8]) -> Self {
        let (recorder, recording) = Recorder::start(setup);
        Self { states: Sha256::new_with_prefix(state), recording, recorder }
    }

    fn turn(&mut self, answers: Vec<Given>, marks: Marks, state: &[u8]) {
        self.states.update(state);
        self.recording.extend(self.recorder.turn(Turn { answers, marks }, hash(state)));
    }

    /// The line that Node prints.
    fn line(mut self, state: &[u8]) -> String {
        self.recording.extend(self.recorder.end(hash(state)));
        let [states, recording] = [self.states.finalize(), Sha256::digest(&self.recording)];
        format!("{} {}", BASE64_STANDARD.encode(states), BASE64_STANDARD.encode(recording))
    }
}

/// The names of players without names of their own.
fn names(bots: &[&str]) -> Vec<String> {
    let all = Colour::first(bots.len()).zip(bots);
    all.map(|(colour, bot)| format!("{bot} {}", colour.as_str())).collect()
}

fn pacman_game(map: &str, rules: Rules, seed: u64, turns: u32, bots: &[&str]) -> String {
    let map = Map::parse(maps::text_of(map).unwrap().as_bytes()).unwrap();
    let made: Vec<Box<dyn Bot>> = (0..)
        .zip(bots)
        .map(|(n, bot)| bots::by_name(bot).unwrap().make(seed.wrapping_add(n)))
        .collect();
    let mut game = HouseGame::start(&map, rules, turns, seed, made);
    let names = names(bots);
    let mut text = StateText::new(names.clone());
    let setup = Setup::Pacman(PacmanSetup { map, rules, seed, turns, names });
    let mut left = Played::start(setup, text.write(game.state().view()));
    while !game.state().view().is_over() {
        let answer = |me| Given::nothing(Answer::Orders(game.ask(me, Budget::default())));
        let answers = Colour::first(bots.len()).map(answer).collect();
        game.play_asked(|_, _| {});
        let marks = Marks::of_pacman(game.state());
        left.turn(answers, marks, text.write(game.state().view()));
    }
    left.line(text.write(game.state().view()))
}

fn pyrat_game(seed: u64, turns: u32, bots: &[&str]) -> String {
    let maze = Recipe::default().make(seed).unwrap();
    let mut state =
        State::start(&maze, bots.len(), &Start::Corners, 11, seed, Some(turns)).unwrap();
    let mut rats: Vec<_> = (0..)
        .zip(bots)
        .map(|(n, bot)| pyrat::by_name(bot).unwrap().make(seed.wrapping_add(n)))
        .collect();
    let names = names(bots);
    let text = |state: &State| {
        let mut text = Vec::new();
        state.encode(&names, &mut text);
        text
    };
    let setup = Setup::PyRat(PyRatSetup { start: state.clone(), seed, names: names.clone() });
    let mut left = Played::start(setup, &text(&state));
    for (me, bot) in Colour::first(bots.len()).zip(&mut rats) {
        bot.new_game(&pyrat::Situation { state: &state, me });
    }
    while !state.is_over() {
        let mut answer = |(me, bot): (Colour, &mut Box<dyn pyrat::Bot>)| {
            if state.rats()[me.index()].mud.is_some() {
                return Given::nothing(Answer::Missed);
            }
            let step = bot.play(&pyrat::Situation { state: &state, me });
            Given::nothing(Answer::Action(step.map_or(Action::Nothing, Action::Go)))
        };
        let answers: Vec<_> = Colour::first(bots.len()).zip(&mut rats).map(&mut answer).collect();
        state.play_turn(&answers.iter().map(Given::action).collect::<Vec<_>>());
        left.turn(answers, Marks::of_pyrat(&state), &text(&state));
    }
    left.line(&text(&state))
}

/// All house bots meet on all maps under both presets of the rules.
#[test]
fn games_in_node_equal_those_of_the_programs() {
    let (games, turns) = (number("GAMES", 200), number("TURNS", 20));
    let all: Vec<_> = bots::registry::ALL.iter().map(|bot| bot.name).collect();
    let maps: Vec<_> = maps::names().collect();
    let mut asked = Vec::new();
    for game in 0..games as usize {
        let bots: Vec<_> =
            (0..4).map(|seat| all[(game + seat * (1 + game / 5)) % all.len()]).collect();
        let (map, preset) = (maps[game % maps.len()], RulesPreset::ALL[game / maps.len() % 2]);
        // Beyond the integers of JavaScript.
        asked.push((map, preset, u64::MAX - game as u64, bots));
    }
    let terms: Vec<_> = asked
        .iter()
        .map(|(map, preset, seed, bots)| {
            json!({ "map": map, "rules": preset.name(), "seed": seed.to_string(), "turns": turns, "players": bots })
        })
        .collect();
    thread::scope(|scope| {
        let node = scope.spawn(|| in_node(&terms));
        let played: Vec<_> = asked
            .iter()
            .map(|(map, preset, seed, bots)| pacman_game(map, preset.rules(), *seed, turns, bots))
            .collect();
        let in_node = node.join().unwrap();
        assert_eq!(in_node.len(), played.len());
        for ((terms, in_node), played) in terms.iter().zip(in_node).zip(played) {
            assert_eq!(in_node, played, "{terms}");
        }
    });
}

#[test]
fn games_of_pyrat_in_node_equal_those_of_the_programs() {
    let all: Vec<_> = bots::pyrat::ALL.iter().map(|bot| bot.name).collect();
    let (mut asked, mut expected) = (Vec::new(), Vec::new());
    for (seed, bot) in (1..).zip(&all) {
        let bots = [bot, "tournee"];
        asked.push(json!({
            "kind": "pyrat", "cheese": 11, "corners": true, "seed": seed.to_string(), "turns": 200, "players": bots,
        }));
        expected.push(pyrat_game(seed, 200, &bots));
    }
    assert_eq!(in_node(&asked), expected);
}

/// Terms of a wrong name, type or range are refused with a reason; no number is rounded or cut.
#[test]
fn terms_that_do_not_fit_are_refused() {
    let script = r#"
        import { readFile } from "node:fs/promises";
        const [folder] = process.argv.slice(1);
        const { load } = await import(`${folder}/arene.js`);
        const arena = await load(await readFile(`${folder}/arene.wasm`));
        const refused = (act) => {
            try {
                act();
                console.log("taken");
            } catch ({ message }) {
                console.log(message);
            }
        };
        for (const terms of [{}, { turns: undefined }, { widht: 3 }, { turns: 1.5 }, { turns: -1 }, { turns: "9" }, { seed: -1 }, { map: 5 }, { names: [] }]) {
            refused(() => arena.game(terms));
        }
        for (const terms of [{ mud_turns: [2, 3], cells: 90.5, corners: true, cheese: 3 }, { width: 65551 }, { cells: NaN }, { mud_turns: [5, 2] }]) {
            refused(() => arena.pyrat(terms));
        }
        arena.language = "fr";
        refused(() => arena.game({ turns: 1.5 }));
        refused(() => arena.game().step({ B: "NE" }));
        refused(() => arena.game().branch(1));
    "#;
    let node = Command::new("node")
        .args(["--input-type=module", "--eval", script])
        .arg(folder::page())
        .output()
        .expect("node is installed");
    assert!(node.status.success(), "{}", String::from_utf8_lossy(&node.stderr));
    assert_eq!(
        String::from_utf8(node.stdout).unwrap().lines().collect::<Vec<_>>(),
        [
            "taken",
            "taken",
            "unknown field widht",
            "turns: 1.5 is not possible, expected something like 200",
            "turns: -1 is not possible, expected something like 200",
            "turns: 9 is not possible, expected something like 200",
            r#"the seed "-1": expected a whole number from 0 to 18446744073709551615"#,
            "map: 5 is not possible, expected something like plan1",
            "0 entries in `names`, expected one for each of the 1 players",
            "taken",
            "width: 65551 is not possible, expected something like 15",
            "cells: NaN is not possible, expected something like 80",
            "expected mud of 2 turns or more, the least first, got 5 to 2",
            "turns : 1.5 n'est pas possible ; une valeur comme 200 est attendue",
            r#"il n'y a pas de joueur "B""#,
            "il n'y a pas de tour 1, de 0 à 0 est attendu",
        ]
    );
}
