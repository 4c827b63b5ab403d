//! `dijkstra` in the place of an opponent.

use game::pacman::{Cell, Orders, Rules, View};
use graph::DistanceTable;

use crate::Situation;
use crate::dijkstra::Dijkstra;
use crate::knowledge::Forecast;

/// Turns whose last answer is kept.
const KEPT: usize = 16;

/// Asks `dijkstra`, and keeps its answers: states are foreseen more than once, and some of them come true. Against three `dijkstra`, a
/// decision then asks for a ninth less.
#[derive(Debug, Default)]
pub(super) struct Imitation {
    dijkstra: Dijkstra,
    /// For each turn modulo `KEPT`, the last state that was asked about.
    answers: [Option<Answer>; KEPT],
}

/// The decision of `dijkstra` in a state.
#[derive(Debug)]
pub(super) struct Answer {
    view: View,
    rules: Rules,
    pub orders: Orders,
    /// The cells of the walk that its pacman begins, from the first step on.
    pub walk: Vec<Cell>,
}

impl Imitation {
    /// The answer to a situation of the same player as those before.
    pub(super) fn ask(
        &mut self,
        seen: &Situation<'_>,
        forecast: &mut Forecast,
        table: &mut DistanceTable,
    ) -> &Answer {
        let kept = &mut self.answers[seen.view.elapsed() as usize % KEPT];
        let known =
            kept.take().filter(|answer| answer.view == *seen.view && answer.rules == *seen.rules);
        kept.insert(known.unwrap_or_else(|| Answer {
            view: seen.view.clone(),
            rules: *seen.rules,
            orders: self.dijkstra.play_with(seen, forecast, table),
            walk: self.dijkstra.walk(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bot, HouseGame, by_name};
    use game::pacman::{Colour, Map, Quick, Rules};

    #[test]
    fn it_answers_as_dijkstra_whatever_it_was_asked_before() {
        let map: Map =
            "5;9\n#########\n#...~...#\n# ##### #\n#...&...#\n#########\n".parse().unwrap();
        let bots = ["dijkstra", "glouton"].map(|bot| by_name(bot).unwrap().make(1));
        let mut game = HouseGame::start(&map, Rules::SUJET, 60, 3, bots.into());
        let (mut forecast, mut table) = (Forecast::default(), DistanceTable::new());
        let mut imitation = Imitation::default();
        let me = Colour::new(0).unwrap();
        let (mut asked, mut known) = (0, 0);
        while !game.state().view().is_over() {
            // The present state, and what follows when nobody moves; then both again.
            let mut next = game.state().clone();
            next.play_turn(&[Orders::default(); 2], &mut Quick::new(1), |_, _| {});
            for view in [game.state().view(), next.view()].into_iter().cycle().take(4) {
                let seen = Situation::new(view, me, &Rules::SUJET);
                let kept = &imitation.answers[view.elapsed() as usize % KEPT];
                known += usize::from(kept.as_ref().is_some_and(|kept| kept.view == *view));
                let answer = imitation.ask(&seen, &mut forecast, &mut table);
                let mut dijkstra = Dijkstra::default();
                assert_eq!(answer.orders, dijkstra.play(&seen), "turn {}", view.elapsed());
                assert_eq!(answer.walk, dijkstra.walk(), "turn {}", view.elapsed());
                asked += 1;
            }
            game.play_turn(|_, _| {});
        }
        // Half of them are asked again at once.
        assert_eq!(asked, 4 * 60);
        assert!((2 * 60..3 * 60).contains(&known), "{known}");
    }
}
