//! The games that remain when a team is disqualified.
//!
//! The schedule stays what it was, so that the games that were played keep their places in it. A matchup of which a game
//! was played stays as well, and its other games are not played any more. From all other matchups the disqualified teams
//! are removed, and bots of the house have their seats: the other teams play as many games as before. All that follows
//! from the plan and the results alone, and is undone when the team is admitted again.

use std::collections::BTreeSet;

use plan::{Fixture, Group, Matchup};

use super::Tournament;

impl Tournament {
    /// The matchups of a round without the disqualified teams that have not played in them.
    pub(super) fn remaining(&self, matchups: Vec<Matchup>) -> Vec<Matchup> {
        if self.plan.teams.iter().all(|team| team.disqualified.is_none()) {
            return matchups;
        }
        let mut known = BTreeSet::new();
        let remaining = matchups.into_iter().filter_map(|matchup| {
            let is_played = || self.games_of(&matchup).any(|game| self.has_played(game.key));
            if !self.has_disqualified(&matchup) || is_played() {
                return Some(matchup);
            }
            let members = matchup.group.teams().iter().copied();
            let allowed: Vec<_> =
                members.filter(|&team| self.plan.teams[team].disqualified.is_none()).collect();
            Some(Matchup { group: Group::new(&allowed)?, ..matchup })
        });
        // Two groups of the same teams may remain of a round, which are one.
        remaining.filter(|matchup| known.insert(*matchup)).collect()
    }

    /// Tests if a game of a remaining matchup was played or is to be played.
    pub(super) fn remains(&self, game: &Fixture) -> bool {
        !self.has_disqualified(&game.matchup) || self.has_played(game.key)
    }

    fn has_disqualified(&self, matchup: &Matchup) -> bool {
        let mut members = matchup.group.teams().iter();
        members.any(|&team| self.plan.teams[team].disqualified.is_some())
    }
}
