//! Recorded games of three programs that nobody who wrote these models has seen: how often is their next move foreseen?

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

#[test]
fn next_moves_of_strangers_are_foreseen() {
    let games = include_str!("../../../tests/strangers.txt");
    let lines: Vec<&str> = games.lines().filter(|line| !line.starts_with('#')).collect();
    let mut tallies = [[Tally::default(); 2]; 3];
    let rules = Rules::ORLEANS_2024;
    for game in lines.chunks(2) {
        let mut models: Vec<Opponents> = (0..4).map(|_| Opponents::default()).collect();
        let mut table = DistanceTable::new();
        replay(game[0], game[1], |names, before, now, after| {
            // `glouton` watches.
            let watcher = names.iter().position(|name| *name == "glouton").unwrap();
            let me = Colour::new(watcher).unwrap();
            let situation = Situation { before, ..Situation::new(now, me, &rules) };
            let budget = &mut Allowance::new(crate::Budget::default());
            let player = &now.players()[watcher];
            let digesting = situation.digesting();
            let all = models[watcher].foresee(&situation, player, &mut table, budget);
            for foreseen in all {
                let index = foreseen.colour.index();
                let Some(stranger) = ["S1", "S2", "S3"].iter().position(|s| *s == names[index])
                else {
                    continue;
                };
                let next = after.players()[index];
                let tally = &mut tallies[stranger];
                tally[0].count(now.board(), &foreseen.pacman, next.pacman);
                let can_move = !digesting.contains(foreseen.colour)
                    && !now.is_frozen(foreseen.player.ghost, &rules);
                if can_move {
                    tally[1].count(now.board(), &foreseen.ghost, next.ghost);
                }
            }
        });
    }
    let mut right = [0.0; 2];
    for (stranger, tallies) in tallies.iter().enumerate() {
        for (piece, tally) in tallies.iter().enumerate() {
            let Tally { moves, right: all, log_likelihood } = tally;
            println!(
                "S{} {}: {moves} moves, {:.1} % foreseen, log-likelihood {:.3}",
                stranger + 1,
                ["pacman", "ghost"][piece],
                100.0 * all / moves,
                log_likelihood / moves
            );
            right[piece] += all / moves / 3.0;
        }
    }
    println!("pacman {:.3}, ghost {:.3}", right[0], right[1]);
    assert!(right[0] > 0.76 && right[1] > 0.835, "{right:?}");
}
