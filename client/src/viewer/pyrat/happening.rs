//! What happened between two states of PyRat that a spectator has seen.

use std::collections::BTreeSet;

use game::colour::{Colour, ColourSet};
use game::pyrat::{Rat, State};

/// One thing that happened, as far as two successive states tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happening {
    /// Nothing came from a player in time.
    Missed {
        /// Which.
        colour: Colour,
        /// How often that has happened so far.
        times: u32,
    },
    /// A rat walked into the mud.
    EnteredMud {
        /// Whose.
        colour: Colour,
        /// How many turns this passage takes.
        turns: u16,
    },
    /// A piece of cheese was eaten.
    Ate {
        /// Who shared it; nobody when too little was seen to tell.
        by: ColourSet,
        /// How many pieces were left.
        left: usize,
    },
    /// The game ended although cheese was left.
    Over(Ending),
}

/// Why a game ended before all cheese was eaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// What is left changes no rank.
    Settled,
    /// The turns are played.
    Turns,
}

impl Happening {
    /// What happened between two states of one game, in the order of the rules.
    ///
    /// When states are missing in between, it is what can be told all the same.
    pub(super) fn between(before: &State, after: &State) -> Vec<Self> {
        let rats: Vec<_> =
            Colour::first(after.rats().len()).zip(before.rats().iter().zip(after.rats())).collect();
        let mut happenings = Vec::new();
        for &(colour, (was, is)) in &rats {
            if is.counts.missed > was.counts.missed {
                happenings.push(Self::Missed { colour, times: is.counts.missed });
            }
        }
        for &(colour, (was, is)) in &rats {
            happenings.extend(entered_mud(after, colour, was, is));
        }

        let grown = rats.iter().filter(|(_, (was, is))| is.score > was.score);
        let eaters: ColourSet = grown.clone().map(|&(colour, _)| colour).collect();
        let seen = after.turn().saturating_sub(before.turn()) == 1;
        let left: BTreeSet<_> = after.cheese().iter().collect();
        let eaten: Vec<_> = before.cheese().iter().filter(|cell| !left.contains(cell)).collect();
        for (at, &&cell) in eaten.iter().enumerate() {
            let there = rats.iter().filter(|(_, (_, is))| is.cell == cell);
            let by = match seen {
                true => there.map(|&(colour, _)| colour).collect(),
                false if grown.clone().count() == 1 => eaters,
                false => ColourSet::EMPTY,
            };
            let left = after.cheese().len() + eaten.len() - at - 1;
            happenings.push(Self::Ate { by, left });
        }
        if after.is_over() && !before.is_over() && !after.cheese().is_empty() {
            let ending = if after.is_decided() { Ending::Settled } else { Ending::Turns };
            happenings.push(Self::Over(ending));
        }
        happenings
    }
}

fn entered_mud(state: &State, colour: Colour, was: &Rat, is: &Rat) -> Option<Happening> {
    let mud = is.mud?;
    let same = was.cell == is.cell && was.mud.is_some_and(|was| was.target == mud.target);
    let direction = state.maze().direction(is.cell, mud.target);
    let turns = direction.map_or(0, |direction| state.maze().weight(is.cell, direction));
    (!same).then_some(Happening::EnteredMud { colour, turns: turns.max(mud.left) })
}
