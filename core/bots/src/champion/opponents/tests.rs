//! Tests of opponent modelling against bots of the house.

use super::*;
use crate::dijkstra::Dijkstra;
use crate::{Budget, HouseGame, by_name, students};
use game::pacman::{Map, Rules, maps};

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

#[test]
fn a_rehearsal_begins_with_the_orders_of_dijkstra() {
    let mut game = game(["prudent", "dijkstra"].map(|bot| by_name(bot).unwrap().make(1)));
    let (mut opponents, mut table) = (Opponents::default(), DistanceTable::new());
    let [me, other] = [0, 1].map(|index| Colour::new(index).unwrap());
    let mut asked = 0;
    for _ in 0..100 {
        let (view, rules) = (game.state().view(), &Rules::ORLEANS_2024);
        let situation = Situation::new(view, me, rules);
        let budget = &mut Allowance::new(Budget::default());
        opponents.foresee(&situation, &view.players()[0], &mut table, budget);
        let seen = Situation::new(view, other, rules);
        let mut dijkstra = Dijkstra::default();
        let expected = dijkstra.play(&seen);
        // A second rehearsal begins after the first one has planned further turns.
        for _ in 0..2 {
            let orders = opponents.replanned(&seen, 0, None, &mut table);
            if opponents.models[1].is_dijkstra() {
                asked += 1;
                assert_eq!(orders, expected, "turn {}", view.elapsed());
                assert_eq!(opponents.planned(other, 0), dijkstra.walk());
            }
            opponents.replanned(&seen, 1, None, &mut table);
        }
        game.play_turn(|_, _| {});
    }
    assert!(asked > 100, "{asked}");
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

/// The share of the moves of a student's pacman and ghost that the families foresee from turn 30 on.
fn foreseen_by_families(student: &crate::Entry) -> [f64; 2] {
    let map: Map = maps::text_of("petit").unwrap().parse().unwrap();
    let bots = [by_name("glouton").unwrap(), student, by_name("prudent").unwrap()];
    let bots = bots.map(|bot| bot.make(1)).into();
    let mut game = HouseGame::start(&map, Rules::SUJET, 130, 5, bots);
    let (mut opponents, mut table) = (Opponents::default(), DistanceTable::new());
    let (mut all, mut right) = ([0.0; 2], [0.0; 2]);
    while !game.state().view().is_over() {
        let view = game.state().view().clone();
        let situation = Situation::new(&view, Colour::new(0).unwrap(), &Rules::SUJET);
        let budget = &mut Allowance::new(Budget::default());
        opponents.foresee(&situation, &view.players()[0], &mut table, budget);
        let model = &opponents.models[1];
        let steps = [&model.pacman, &model.ghost].map(|it| it.last.map(|(_, steps)| steps[FAMILY]));
        game.play_turn(|_, _| {});
        let now = game.state().view().players()[1];
        for (piece, to) in [now.pacman, now.ghost].into_iter().enumerate() {
            let Some(step) = steps[piece].filter(|_| view.elapsed() >= 30) else { continue };
            all[piece] += 1.0;
            right[piece] += f64::from(u8::from(step.likeliest(view.board()) == to));
        }
    }
    [0, 1].map(|piece| right[piece] / all[piece])
}

#[test]
fn the_families_foresee_students() {
    for number in [1, 8, 10, 12, 16] {
        let student = &students::NAMES[number - 1];
        let [pacman, ghost] = foreseen_by_families(student);
        println!("{}: {pacman:.2} {ghost:.2}", student.name);
        assert!(pacman > 0.88 && ghost > 0.8, "{}: {pacman} and {ghost}", student.name);
    }
}
