//! The question that a bot answers in each turn.

use game::pacman::{Colour, ColourSet, Event, Rules, State, View};

use crate::{Budget, last_turn};

/// The question that a bot answers: the visible state, the bot's colour, and the rules.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The state of the game.
    pub view: &'a View,
    /// The state a turn earlier; `None` in the first state that the bot sees, and if a turn was missed.
    pub before: Option<&'a View>,
    /// The players' names, in order of colour; empty in a game without names.
    pub names: &'a [String],
    /// The bot's own colour; the view has a player of this colour.
    pub me: Colour,
    /// The rules of the game.
    pub rules: &'a Rules,
    /// Time that the bot may think.
    pub budget: Budget<'a>,
}

impl<'a> Situation<'a> {
    /// A situation without names, without the state a turn earlier, and with the usual budget.
    #[must_use]
    pub fn new(view: &'a View, me: Colour, rules: &'a Rules) -> Self {
        Self { view, before: None, names: &[], me, rules, budget: Budget::default() }
    }

    /// The events of the last turn, inferred from the states before and after it: first moves and teleports, then objects
    /// taken, battles, and objects that appeared. Empty if the state before is not known. O(cells).
    ///
    /// The points identify most battles; a few are confused with others that explain the same points.
    pub fn events(&self) -> Vec<Event> {
        self.before.map_or_else(Vec::new, |before| last_turn::infer(before, self.view))
    }

    /// The ghosts that digest in this turn under rules with digestion: those that bit in one of the [`events`](Self::events).
    ///
    /// If the state before is not known, the ghosts on the cell of a pacman that is no glutton; about half of these digest.
    pub fn digesting(&self) -> ColourSet {
        if !self.rules.digestion {
            return ColourSet::EMPTY;
        }
        if self.before.is_some() {
            let bites = self.events().into_iter().filter_map(|event| match event {
                Event::Battle { ghost, bitten: true, .. } => Some(ghost),
                _ => None,
            });
            return bites.collect();
        }
        let players = self.view.players();
        let has_bitten =
            |ghost| players.iter().any(|prey| prey.pacman == ghost && prey.powers.glutton == 0);
        let owners = Colour::first(Colour::MAX).zip(players);
        let digest = owners.filter(|(_, owner)| has_bitten(owner.ghost));
        digest.map(|(colour, _)| colour).collect()
    }

    /// The state of the game, for look-ahead, with the ghosts that [digest](Self::digesting).
    ///
    /// ```
    /// use bots::Situation;
    /// use game::pacman::{Map, Orders, Piece, Quick, Rules, State};
    ///
    /// let map: Map = "3;6\n#    #\n  &.  \n#    #\n".parse().unwrap();
    /// let real = State::start(&map, Rules::SUJET, 20, 2, &mut Quick::new(1));
    /// let me = game::pacman::Colour::new(0).unwrap();
    /// let situation = Situation::new(real.view(), me, &Rules::SUJET);
    ///
    /// // For each legal move, the points of the pacman after it.
    /// let now = situation.state();
    /// for &direction in now.moves(Piece::pacman(me)) {
    ///     let mut next = now.clone();
    ///     let orders = [Orders { pacman: Some(direction), ghost: None }];
    ///     next.play_turn(&orders, &mut Quick::new(2), |_, _| {});
    ///     assert!(next.view().players()[0].points >= -21);
    /// }
    /// ```
    pub fn state(&self) -> State {
        State::from_view(self.view.clone(), *self.rules, self.digesting())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HouseGame, by_name};
    use game::pacman::Map;

    #[test]
    fn what_happened_is_inferred_from_two_states() {
        let map: Map =
            "5;9\n#########\n#...&...#\n# ##### #\n#...$...#\n#########\n".parse().unwrap();
        let is_inferred = |event: &Event| {
            use Event::{Appeared, Battle, Moved, Teleported, Took};
            matches!(
                event,
                Moved { .. } | Teleported { .. } | Took { .. } | Battle { .. } | Appeared { .. }
            )
        };
        let (mut happened, mut inferred, mut right, mut digested, mut told) = (0, 0, 0, 0, 0);
        for rules in [Rules::SUJET, Rules::ORLEANS_2024] {
            let bots = ["glouton", "dijkstra", "glouton"].map(|bot| by_name(bot).unwrap().make(1));
            let mut game = HouseGame::start(&map, rules, 400, 3, bots.into());
            let me = Colour::new(0).unwrap();
            while !game.state().view().is_over() {
                let before = game.state().view().clone();
                let mut events = Vec::new();
                game.play_turn(|event, _| events.push(event));
                events.retain(is_inferred);
                let state = game.state();
                let situation =
                    Situation { before: Some(&before), ..Situation::new(state.view(), me, &rules) };
                let seen = situation.events();
                happened += events.len();
                inferred += seen.len();
                right += seen.iter().filter(|event| events.contains(event)).count();
                digested += 3;
                let digests = |state: ColourSet, ghost| state.contains(ghost);
                told += Colour::first(3)
                    .filter(|&ghost| {
                        digests(situation.digesting(), ghost) == digests(state.digesting(), ghost)
                    })
                    .count();
            }
        }
        assert!(happened > 4000, "{happened}");
        assert!(
            right * 100 >= happened * 99 && right * 100 >= inferred * 99,
            "{right} of {inferred}, {happened}"
        );
        assert!(told * 100 >= digested * 99, "{told} of {digested}");
    }
}
