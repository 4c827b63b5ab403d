//! Recorded games of programs that nobody who wrote these models has seen: how often is their next move foreseen?

use super::*;
use game::pacman::{Map, Rules, Seeded, State, View, maps};

/// Predictions of the moves of a kind of piece.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    moves: f64,
    right: f64,
    log_likelihood: f64,
}

impl Tally {
    fn count(&mut self, board: &Board, step: &Step, now: Cell) {
        if now != step.from && board.direction(step.from, now).is_none() {
            return;
        }
        let share = if now == step.from { step.stays } else { step.enters(board, now) };
        self.moves += 1.0;
        self.right += f64::from(u8::from(step.likeliest(board) == now));
        self.log_likelihood += f64::from(libm::logf(share.max(1e-3)));
    }
}

/// A recorded game: the players' names, and what `each` is called with.
fn replay(setup: &str, letters: &str, mut each: impl FnMut(&[&str], Option<&View>, &View, &View)) {
    let setup: Vec<&str> = setup.split(' ').collect();
    let [map, seed, turns, rest @ ..] = &setup[..] else { panic!("a setup") };
    let (names, points) = rest.split_at(4);
    let map: Map = maps::text_of(map).unwrap().parse().unwrap();
    let mut chance = Seeded::new(seed.parse().unwrap());
    let turns = turns.parse().unwrap();
    let mut state = State::start(&map, Rules::ORLEANS_2024, turns, 4, &mut chance);
    let mut before: Option<View> = None;
    let order = |letter| "NESO".find(char::from(letter)).map(|index| Direction::ALL[index]);
    for orders in letters.as_bytes().chunks(8) {
        let orders = orders.chunks(2);
        let orders = orders.map(|pair| Orders { pacman: order(pair[0]), ghost: order(pair[1]) });
        let now = state.view().clone();
        state.play_turn(&orders.collect::<Vec<_>>(), &mut chance, |_, _| {});
        each(names, before.as_ref(), &now, state.view());
        before = Some(now);
    }
    let of = |points: &&str| points.parse().unwrap();
    let points: Vec<i32> = points.iter().map(of).collect();
    let players = state.view().players().iter();
    assert_eq!(players.map(|player| player.points).collect::<Vec<_>>(), points);
}

/// The predictions by a watching `glouton` of the moves of some programs, for the pacman and the ghost of each.
fn watched<const N: usize>(games: &str, programs: [&str; N]) -> [[Tally; 2]; N] {
    let lines: Vec<&str> = games.lines().filter(|line| !line.starts_with('#')).collect();
    let mut tallies = [[Tally::default(); 2]; N];
    let rules = Rules::ORLEANS_2024;
    for game in lines.chunks(2) {
        let mut watching = Opponents::default();
        let mut table = DistanceTable::new();
        replay(game[0], game[1], |names, before, now, after| {
            let watcher = names.iter().position(|name| *name == "glouton").unwrap();
            let me = Colour::new(watcher).unwrap();
            let situation = Situation { before, ..Situation::new(now, me, &rules) };
            let budget = &mut Allowance::new(crate::Budget::default());
            let player = &now.players()[watcher];
            let digesting = situation.digesting();
            for foreseen in watching.foresee(&situation, player, &mut table, budget) {
                let index = foreseen.colour.index();
                let program = programs.iter().position(|program| *program == names[index]);
                let next = after.players()[index];
                let tally = &mut tallies[program.unwrap()];
                tally[0].count(now.board(), &foreseen.pacman, next.pacman);
                let can_move = !digesting.contains(foreseen.colour)
                    && !now.is_frozen(foreseen.player.ghost, &rules);
                if can_move {
                    tally[1].count(now.board(), &foreseen.ghost, next.ghost);
                }
            }
        });
    }
    for (program, tallies) in programs.iter().zip(&tallies) {
        for (piece, Tally { moves, right, log_likelihood }) in
            ["pacman", "ghost"].iter().zip(tallies)
        {
            println!(
                "{program} {piece}: {moves} moves, {:.1} % foreseen, log-likelihood {:.3}",
                100.0 * right / moves,
                log_likelihood / moves
            );
        }
    }
    tallies
}

/// The mean share of the programs' moves that were foreseen, for pacmans and for ghosts.
fn right(tallies: &[[Tally; 2]]) -> [f64; 2] {
    [0, 1].map(|piece| {
        let shares = tallies.iter().map(|tally| tally[piece].right / tally[piece].moves);
        let (sum, count) =
            shares.fold((0.0, 0.0), |(sum, count), share| (sum + share, count + 1.0));
        sum / count
    })
}

#[test]
fn next_moves_of_strangers_are_foreseen() {
    let tallies = watched(include_str!("../../../tests/strangers.txt"), ["S1", "S2", "S3"]);
    let right = right(&tallies);
    assert!(right[0] > 0.76 && right[1] > 0.835, "{right:?}");
}

#[test]
fn next_moves_of_players_that_have_learned_are_foreseen() {
    let right = right(&watched(include_str!("../../../tests/learners.txt"), ["L"]));
    assert!(right[0] > 0.84 && right[1] > 0.68, "{right:?}");
}
