//! Tests of opponent modelling against bots of the house.

use super::*;
use crate::{Budget, HouseGame, by_name};
use game::pacman::{Map, Rules};

fn game(bots: [Box<dyn Bot>; 2]) -> HouseGame {
    let map: Map = "5;9\n#########\n#...&...#\n# ##### #\n#...$...#\n#########\n".parse().unwrap();
    HouseGame::start(&map, Rules::ORLEANS_2024, 400, 3, bots.into())
}

/// The models after some turns against an opponent.
fn models_of(opponent: Box<dyn Bot>) -> Opponents {
    let mut game = game([by_name("prudent").unwrap().make(1), opponent]);
    let (mut opponents, mut table) = (Opponents::default(), DistanceTable::new());
    for _ in 0..150 {
        let view = game.state().view();
        let me = Colour::new(0).unwrap();
        let situation = Situation::new(view, me, &Rules::ORLEANS_2024);
        let budget = &mut Allowance::new(Budget::default());
        opponents.foresee(&situation, &view.players()[0], &mut table, budget);
        game.play_turn(|_, _| {});
    }
    opponents
}

#[test]
fn the_policy_that_is_followed_is_found_out() {
    for (policy, name) in ["dijkstra", "glouton"].into_iter().enumerate() {
        let opponents = models_of(by_name(name).unwrap().make(1));
        // The fitted policy, which learns to follow it, does not take its place.
        let weights = opponents.models[1].pacman.known();
        assert!(weights[policy] > 0.5, "{name}: {weights:?}");
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(opponents.is_known(Colour::new(1).unwrap()), "{name}");
    }
}

/// Plays as `glouton`, but in one turn of six turns back.
#[derive(Debug, Default)]
struct Distracted(Glouton);

impl Bot for Distracted {
    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let mut orders = self.0.play(situation);
        if situation.view.elapsed() % 6 == 5 {
            orders.pacman = orders.pacman.map(Direction::opposite);
        }
        orders
    }
}

#[test]
fn a_policy_that_is_often_wrong_is_not_simulated() {
    let opponents = models_of(Box::new(Distracted::default()));
    let belief = &opponents.models[1].pacman;
    let [dijkstra, glouton, wandering, ..] = belief.weights();
    assert!(glouton > dijkstra && glouton > wandering, "{belief:?}");
    assert!(!opponents.is_known(Colour::new(1).unwrap()), "{belief:?}");
}
