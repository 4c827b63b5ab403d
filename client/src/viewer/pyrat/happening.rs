//! Events between two states of PyRat that a spectator has seen.

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
        /// Number of times so far.
        times: u32,
    },
    /// A rat walked into the mud.
    EnteredMud {
        /// Whose.
        colour: Colour,
        /// Turns that this passage takes.
        turns: u16,
    },
    /// A piece of cheese was eaten.
    Ate {
        /// Rats that shared it; empty if too little was seen to tell.
        by: ColourSet,
        /// Number of pieces that were left.
        left: usize,
    },
    /// The game ended although cheese was left.
    Over(Ending),
}

/// The reason why a game ended before all cheese was eaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The cheese that is left changes no rank.
    Settled,
    /// The turns are played.
    Turns,
}

impl Happening {
    /// Events between two states of one game, in the order of the rules.
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

#[cfg(test)]
mod tests {
    use game::pyrat::{Action, Counts, Direction, Maze, Recipe, Score, Start};

    use super::*;

    /// Plays games with rats that walk at random and hands over, at every turn, the state before it
    /// and the one after it as a spectator sees them, and the latter as it is.
    fn played(mut each: impl FnMut(&State, &State, &State)) {
        for seed in 0..20 {
            let recipe = Recipe { width: 7, height: 6, mud: 40.0, ..Recipe::default() };
            let maze = recipe.make(seed).unwrap();
            let mut state = State::start(&maze, 4, &Start::Same, 9, seed, Some(300)).unwrap();
            let mut random = game::pyrat::Mersenne::new(seed);
            let mut before = seen(&maze, &state);
            while !state.is_over() {
                let answers: Vec<_> = (0..4)
                    .map(|_| match random.below(12) {
                        0 => Action::Missed,
                        draw => Action::Go(Direction::ALL[draw as usize % 4]),
                    })
                    .collect();
                state.play_turn(&answers);
                let after = seen(&maze, &state);
                each(&before, &after, &state);
                before = after;
            }
        }
    }

    fn seen(maze: &Maze, state: &State) -> State {
        let mut text = Vec::new();
        state.encode(&[], &mut text);
        State::decode(maze, &text).unwrap().state
    }

    #[test]
    fn events_between_states_are_those_that_happened() {
        let mut counts = [0; 4];
        let mut entered = [0; 4];
        played(|before, after, real| {
            if before.turn() == 0 {
                entered = [0; 4];
            }
            let mut gains = [Score::default(); 4];
            for happening in Happening::between(before, after) {
                match happening {
                    Happening::Missed { colour, times } => {
                        assert_eq!(times, real.rats()[colour.index()].counts.missed);
                        counts[0] += 1;
                    }
                    Happening::EnteredMud { colour, turns } => {
                        let mud = real.rats()[colour.index()].mud.unwrap();
                        assert_eq!(turns, mud.left + 1);
                        entered[colour.index()] += u32::from(turns) - 1;
                        counts[1] += 1;
                    }
                    Happening::Ate { by, left } => {
                        assert!((after.cheese().len()..before.cheese().len()).contains(&left));
                        let eaters: Vec<_> = Colour::first(4).filter(|&c| by.contains(c)).collect();
                        for colour in &eaters {
                            let share = Score::fraction(1, eaters.len() as u64);
                            gains[colour.index()] += share.unwrap();
                        }
                        counts[2] += 1;
                    }
                    Happening::Over(ending) => {
                        assert!(real.is_over());
                        assert_eq!(ending == Ending::Settled, real.turn() < 300);
                        counts[3] += 1;
                    }
                }
            }
            let rats = before.rats().iter().zip(after.rats());
            for ((was, is), gain) in rats.zip(gains) {
                assert_eq!(was.score + gain, is.score);
            }
            for (rat, entered) in real.rats().iter().zip(entered) {
                let Counts { mud, .. } = rat.counts;
                assert_eq!(mud + rat.mud.map_or(0, |mud| u32::from(mud.left)), entered);
            }
        });
        assert!(counts[..3].iter().all(|&count| count > 100) && counts[3] > 3, "{counts:?}");
    }

    /// When states are missing, nothing is made up about who ate.
    #[test]
    fn eaters_are_named_across_missing_states_only_if_known() {
        let mut start: Option<State> = None;
        let (mut named, mut unnamed) = (0, 0);
        played(|before, after, _| {
            let first = start.get_or_insert_with(|| before.clone()).clone();
            if after.turn() % 5 != 0 && !after.is_over() {
                return;
            }
            start = None;
            for happening in Happening::between(&first, after) {
                let Happening::Ate { by, .. } = happening else { continue };
                for colour in Colour::first(4).filter(|&colour| by.contains(colour)) {
                    let [was, is] = [&first, after].map(|state| state.rats()[colour.index()].score);
                    assert!(is > was);
                }
                *(if by.iter().next().is_none() { &mut unnamed } else { &mut named }) += 1;
            }
        });
        assert!(named > 10 && unnamed > 10, "{named} named, {unnamed} not");
    }
}
