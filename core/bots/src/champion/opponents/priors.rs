//! The weights with which the fitted policies begin are those of greatest likelihood for the moves of the students that bots are
//! tuned on. This command fits them anew, and prints them:
//!
//! ```sh
//! PRIOR_GAMES=300 cargo test --release -p bots --lib priors -- --nocapture
//! ```
#![expect(clippy::cast_precision_loss, reason = "there are few examples")]

use super::super::fitted::{Choice, FEATURES, Fitted};
use super::habit::{GHOST, PACMAN};
use super::*;
use crate::students::{NAMES, UNSEEN};
use crate::{Budget, HouseGame, by_name};
use game::pacman::{Chance, Map, Quick, Rules, maps};

/// A choice of a piece, and the index of its move.
type Example = (Choice, usize);

/// The moves of the students' pacmans and ghosts in some games, as `glouton` sees them.
fn examples(games: u64) -> [Vec<Example>; 2] {
    let mut examples = [Vec::new(), Vec::new()];
    for number in 0..games {
        let map = ["petit", "plan1", "objets", "dense"][number as usize % 4];
        let map: Map = maps::text_of(map).unwrap().parse().unwrap();
        let rules = [Rules::SUJET, Rules::ORLEANS_2024][number as usize / 4 % 2];
        let (mut draws, mut bots) = (Quick::new(number), vec![by_name("glouton").unwrap().make(1)]);
        bots.extend([0; 3].map(|_| NAMES[draws.below(UNSEEN as u32) as usize].make(number)));
        let mut game = HouseGame::start(&map, rules, 100, number, bots);
        let (mut opponents, mut table) = (Opponents::default(), DistanceTable::new());
        while !game.state().view().is_over() {
            let now = game.state().view().clone();
            let situation = Situation::new(&now, Colour::new(0).unwrap(), &rules);
            let budget = &mut Allowance::new(Budget::default());
            opponents.foresee(&situation, &now.players()[0], &mut table, budget);
            game.play_turn(|_, _| {});
            let players = game.state().view().players();
            for (model, player) in opponents.models.iter().zip(players) {
                let cells = [player.pacman, player.ghost];
                for ((habit, to), examples) in model.fitted.iter().zip(cells).zip(&mut examples) {
                    let Some((from, choice)) = habit.choice else { continue };
                    let heading = now.board().direction(from, to).map(Direction::index);
                    let chosen = if from == to { Some(STAY) } else { heading };
                    let chosen = chosen.filter(|&chosen| choice.is_legal[chosen]);
                    examples.extend(chosen.map(|chosen| (choice, chosen)));
                }
            }
        }
    }
    examples
}

/// Mean log-likelihood of the examples.
fn log_likelihood(fitted: &Fitted, examples: &[Example]) -> f32 {
    let log = |(choice, chosen): &Example| libm::logf(fitted.probabilities(choice)[*chosen]);
    examples.iter().map(log).sum::<f32>() / examples.len() as f32
}

#[test]
fn the_fitted_policies_begin_with_the_likeliest_weights() {
    let games = std::env::var("PRIOR_GAMES").map_or(8, |games| games.parse().unwrap());
    for ((name, prior), examples) in
        [("pacman", &PACMAN), ("ghost", &GHOST)].into_iter().zip(examples(games))
    {
        let mut anew = Fitted::new(prior);
        anew.set([0.0; FEATURES]);
        let indifferent = log_likelihood(&anew, &examples);
        // The mean of the weights in the second half of the steps, which become shorter.
        let (mut draws, mut weights, mut mean) = (Quick::new(5), [0.0; FEATURES], [0.0; FEATURES]);
        let steps = 6 * examples.len();
        for step in 0..steps {
            let done = step as f32 / steps as f32;
            let (choice, chosen) = &examples[draws.below(examples.len() as u32) as usize];
            let errors = anew.errors(choice, *chosen);
            for ((weight, mean), error) in weights.iter_mut().zip(&mut mean).zip(errors) {
                *weight += 0.05 * (1.0 - done) * error;
                *mean += if 2 * step < steps { 0.0 } else { *weight * 2.0 / steps as f32 };
            }
            anew.set(weights);
        }
        anew.set(mean);
        let [known, best] =
            [&Fitted::new(prior), &anew].map(|fitted| log_likelihood(fitted, &examples));
        println!("{name}: log-likelihood {known:.3}; {best:.3} with {mean:.2?}");
        assert!(known > indifferent + 0.5, "{name}: {known} and {indifferent}");
        assert!(known > best - 0.05, "{name}: {known} and {best}");
    }
}
