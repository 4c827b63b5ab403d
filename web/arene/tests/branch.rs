//! A branch goes on as the game would have, whether its bots come from copies or have seen all turns again.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use arene::{Game, PacmanTerms, PyRatTerms};

const TURNS: u32 = 40;

fn pacman() -> Game {
    let players = ["champion", "dijkstra", "aleatoire"].map(|bot| Some(bot.to_owned()));
    let players = players.into_iter().chain([None]).collect();
    let terms = PacmanTerms { seed: "7".to_owned(), turns: TURNS, players, ..Default::default() };
    Game::start(terms.setup().unwrap(), &terms.players).unwrap()
}

/// The recording of a game that is played to its end.
fn played_on(mut game: Game) -> Vec<u8> {
    while !game.is_over() {
        game.step(&[("D", b"NE")]).unwrap();
    }
    game.recording(0, Vec::new())
}

#[test]
fn every_branch_goes_on_as_the_game_did() {
    let mut game = pacman();
    while !game.is_over() {
        // Only some turns are asked for, and only one adviser knows the whole game.
        if game.turn().is_multiple_of(3) {
            game.advise("D", "champion").unwrap();
        }
        // Bots play the same if they think before the messages are known, even twice, or go on from there.
        if game.turn().is_multiple_of(2) {
            game.think();
            game.think();
        }
        game.step(&[("D", b"NE")]).unwrap();
    }
    let recording = game.recording(0, Vec::new());
    assert!(played_on(pacman()) == recording);
    for turn in [0, 1, 12, 37, TURNS] {
        let mut branch = game.branch(turn, None).unwrap();
        let opened = Game::open(&recording).unwrap();
        for bot in ["champion", "prudent"] {
            let mut opened = opened.branch(turn, None).unwrap();
            assert_eq!(
                branch.advise("D", bot).unwrap(),
                opened.advise("D", bot).unwrap(),
                "{turn}"
            );
            let evaluation = branch.evaluation("D", bot).unwrap();
            assert_eq!(evaluation, opened.evaluation("D", bot).unwrap(), "{turn}");
            assert_eq!(evaluation.is_some(), bot == "champion");
        }
        assert!(played_on(branch.branch(turn, None).unwrap()) == recording, "{turn}, again");
        branch.think();
        assert!(
            played_on(branch.branch(turn, None).unwrap()) == recording,
            "{turn}, having thought"
        );
        assert!(played_on(branch) == recording, "{turn}");
        // Another bot at a seat sees the turns before; those at the others stay as they are.
        let heirs = ["champion", "glouton", "aleatoire", "champion"];
        let heirs = heirs.map(|bot| Some(bot.to_owned())).into_iter().collect();
        let [copied, shown] = [&game, &opened].map(|game| game.branch(turn, Some(&heirs)).unwrap());
        let [copied, shown] = [copied, shown].map(|mut game| {
            while !game.is_over() {
                game.step(&[]).unwrap();
            }
            game.recording(0, Vec::new())
        });
        assert!(copied == shown, "{turn}, with heirs");
    }
}

#[test]
fn searches_of_pyrat_tell_their_paths() {
    let terms = PyRatTerms { seed: "5".to_owned(), ..Default::default() };
    let mut game = Game::start(terms.setup().unwrap(), &terms.players).unwrap();
    let mut line = |bot| game.evaluation("A", bot).unwrap().unwrap().line;
    let (steps, turns) = (line("bfs"), line("dijkstra"));
    assert_eq!(steps.last(), turns.last(), "both lead to the cheese");
    assert!(steps.len() <= turns.len() && !steps.is_empty());
    assert!(game.evaluation("A", "aleatoire1").unwrap().is_none());
}
