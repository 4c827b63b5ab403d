//! The question that a bot answers in each turn.

use game::pacman::{Colour, ColourSet, Rules, State, View};

/// The question that a bot answers: the visible state, the bot's colour, and the rules.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The state of the game.
    pub view: &'a View,
    /// The bot's own colour; the view has a player of it.
    pub me: Colour,
    /// The rules that hold.
    pub rules: &'a Rules,
}

impl Situation<'_> {
    /// The ghosts that digest in this turn, as far as the view shows it: under rules with digestion, those on a pacman that
    /// is no glutton.
    ///
    /// The view does not tell a bite from a teleport onto a pacman, nor what was bitten in the last turn of its glutton.
    #[must_use]
    pub fn digesting(&self) -> ColourSet {
        let players = self.view.players();
        let has_bitten =
            |ghost| players.iter().any(|prey| prey.pacman == ghost && prey.powers.glutton == 0);
        let owners = Colour::first(Colour::MAX).zip(players);
        let digest = owners.filter(|(_, owner)| self.rules.digestion && has_bitten(owner.ghost));
        digest.map(|(colour, _)| colour).collect()
    }

    /// The game as it stands, to play it on: with the ghosts that digest as far as the view shows it.
    ///
    /// ```
    /// use bots::Situation;
    /// use game::pacman::{Map, Orders, Piece, Quick, Rules, State};
    ///
    /// let map: Map = "3;6\n#    #\n  &.  \n#    #\n".parse().unwrap();
    /// let real = State::start(&map, Rules::SUJET, 20, 2, &mut Quick::new(1));
    /// let me = game::pacman::Colour::new(0).unwrap();
    /// let situation = Situation { view: real.view(), me, rules: &Rules::SUJET };
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
    #[must_use]
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
    fn a_ghost_on_a_pacman_digests() {
        let map: Map =
            "5;9\n#########\n#...&...#\n# ##### #\n#...$...#\n#########\n".parse().unwrap();
        let (mut seen, mut right) = (0, 0);
        for rules in [Rules::SUJET, Rules::ORLEANS_2024] {
            let bots = ["glouton", "glouton"].map(|bot| by_name(bot).unwrap().make(1));
            let mut game = HouseGame::start(&map, rules, 400, 3, bots.into());
            let me = Colour::new(0).unwrap();
            while !game.state().view().is_over() {
                game.play_turn(|_, decide| decide(), |_, _| {});
                let state = game.state();
                let inferred = Situation { view: state.view(), me, rules: &rules }.digesting();
                assert!(rules.digestion || inferred.is_empty());
                seen += inferred.iter().count();
                right += inferred.iter().filter(|&ghost| state.digesting().contains(ghost)).count();
            }
        }
        // Neither a teleport onto a pacman nor the last turn of a glutton shows.
        assert!(seen > 20 && right * 5 >= seen * 4, "{right} of {seen}");
    }
}
