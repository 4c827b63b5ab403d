//! Episodes: what goes on for several turns between the same players, told as one thing.
//!
//! Forty bites in a row are one episode. Events belong to the episode of the same kind and the same players that ended a few
//! turns before, else they begin another one.

use std::collections::HashMap;

use game::pacman::{Colour, Event, FalseMove, Object};
use game::pyrat::Score;
use serde_json::{Value, json};

use crate::turn::{AnswerFault, Given};

/// What an episode is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EpisodeKind {
    /// The player's pacman takes objects.
    Took(Object),
    /// The player's ghost bites the other's pacman.
    Bite,
    /// The player's pacman, a glutton, eats the other's ghost.
    Meal,
    /// The player's rat eats cheese.
    Cheese,
    /// The player's pieces run into walls.
    Blocked,
    /// The player's answers are at fault.
    Fault(AnswerFault),
}

impl EpisodeKind {
    /// The word for programs: the letter of an object, or a name.
    #[must_use]
    pub fn key(self) -> String {
        match self {
            Self::Took(object) => return object.letter().to_string(),
            Self::Bite => "bite",
            Self::Meal => "meal",
            Self::Cheese => "cheese",
            Self::Blocked => "blocked",
            Self::Fault(fault) => fault.word(),
        }
        .to_owned()
    }

    /// The number of turns without an event that an episode bears. After a bite, a ghost digests and has to come near again.
    fn patience(self) -> u32 {
        match self {
            Self::Bite | Self::Meal => 12,
            // A row of vitamins ends where the next cell has none.
            Self::Took(Object::Vitamin) | Self::Blocked | Self::Fault(_) => 3,
            Self::Took(_) | Self::Cheese => 8,
        }
    }
}

/// Events of one kind between the same players, close to each other in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Episode {
    /// What it is about.
    pub kind: EpisodeKind,
    /// The player, by colour, that acts.
    pub player: usize,
    /// The player, by colour, that bears it: whose piece is bitten or eaten.
    pub other: Option<usize>,
    /// The first turn, from 1.
    pub first: u32,
    /// The last turn so far.
    pub last: u32,
    /// The number of events; of faults, of turns with one.
    pub count: u32,
    /// The points that the player won, below 0 if it lost some; pieces of cheese in PyRat.
    pub points: f64,
    /// The points that the other player won, below 0 if it lost some.
    pub other_points: f64,
}

/// The episodes of a game, told turn by turn.
#[derive(Clone, Debug, Default)]
pub struct Story {
    episodes: Vec<Episode>,
    /// The newest episode of each kind and pair of players.
    newest: HashMap<(EpisodeKind, usize, Option<usize>), usize>,
    /// The episodes that the current turn began or continued.
    changed: Vec<usize>,
    turn: u32,
    /// The fault of each player in the current turn.
    faults: Vec<Option<EpisodeKind>>,
}

impl Story {
    /// The episodes so far, by the turn in which they began.
    #[must_use]
    pub fn episodes(&self) -> &[Episode] {
        &self.episodes
    }

    /// Begins a turn with the players' answers, by colour.
    pub fn begin_turn(&mut self, turn: u32, answers: &[Given]) {
        self.turn = turn;
        self.changed.clear();
        self.faults.clear();
        for (player, given) in answers.iter().enumerate() {
            let fault = given.fault().map(EpisodeKind::Fault);
            self.faults.push(fault);
            if let Some(kind) = fault {
                self.add(kind, player, None, [0.0; 2]);
            }
        }
    }

    /// Tells an event of Pacman, and the points that it changed, by colour.
    pub fn tell(&mut self, event: Event, changes: &[i64]) {
        let (kind, player, other) = match event {
            Event::Took { colour, object, .. } => (EpisodeKind::Took(object), colour, None),
            Event::Battle { pacman, ghost, bitten: true } => {
                (EpisodeKind::Bite, ghost, Some(pacman))
            }
            Event::Battle { pacman, ghost, bitten: false } => {
                (EpisodeKind::Meal, pacman, Some(ghost))
            }
            Event::FalseMove { piece, cause } => {
                let fault = self.faults.get(piece.colour.index()).copied().flatten();
                let kind = match cause {
                    FalseMove::Malformed => {
                        fault.unwrap_or(EpisodeKind::Fault(AnswerFault::Malformed))
                    }
                    FalseMove::Blocked => EpisodeKind::Blocked,
                };
                (kind, piece.colour, None)
            }
            _ => return,
        };
        let other = other.map(|other: Colour| other.index());
        let points = [Some(player.index()), other].map(|of| {
            let change = of.and_then(|of| changes.get(of)).copied().unwrap_or(0);
            #[expect(clippy::cast_precision_loss, reason = "points have 32 bits")]
            let points = change as f64;
            points
        });
        self.add(kind, player.index(), other, points);
    }

    /// Tells that a rat, by colour, ate cheese.
    pub fn ate(&mut self, rat: usize, share: Score) {
        self.add(EpisodeKind::Cheese, rat, None, [share.as_f64(), 0.0]);
    }

    /// Adds an event with the points that the player and the other one won.
    fn add(
        &mut self,
        kind: EpisodeKind,
        player: usize,
        other: Option<usize>,
        [points, other_points]: [f64; 2],
    ) {
        let turn = self.turn;
        let newest = self.newest.entry((kind, player, other)).or_insert(usize::MAX);
        let index = match self.episodes.get_mut(*newest) {
            Some(episode) if turn <= episode.last.saturating_add(kind.patience()) => {
                // Both pieces of a player may be at fault in one turn.
                let is_repeated = episode.last == turn
                    && matches!(kind, EpisodeKind::Blocked | EpisodeKind::Fault(_));
                episode.count += u32::from(!is_repeated);
                episode.last = turn;
                episode.points += points;
                episode.other_points += other_points;
                *newest
            }
            _ => {
                *newest = self.episodes.len();
                let episode = Episode {
                    kind,
                    player,
                    other,
                    first: turn,
                    last: turn,
                    count: 1,
                    points,
                    other_points,
                };
                self.episodes.push(episode);
                *newest
            }
        };
        if !self.changed.contains(&index) {
            self.changed.push(index);
        }
    }

    /// The episodes that the current turn began or continued, as in a [film](crate::film).
    pub(crate) fn changes_json<'a>(&self, letter: impl Fn(usize) -> &'a str) -> Vec<Value> {
        let json = |&index: &usize| {
            let Episode { kind, player, other, first, last, count, points, other_points } =
                self.episodes[index];
            let other = other.map(&letter);
            json!([
                index,
                kind.key(),
                letter(player),
                other,
                first,
                last,
                count,
                points,
                other_points
            ])
        };
        self.changed.iter().map(json).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::Answer;

    fn bite(story: &mut Story, turn: u32, pacman: usize, ghost: usize) {
        let colours: Vec<_> = Colour::first(4).collect();
        story.begin_turn(turn, &[]);
        let event = Event::Battle { pacman: colours[pacman], ghost: colours[ghost], bitten: true };
        let mut changes = [0; 4];
        (changes[pacman], changes[ghost]) = (-20, 20);
        story.tell(event, &changes);
    }

    #[test]
    fn bites_close_to_each_other_are_one_episode() {
        let mut story = Story::default();
        for turn in [10, 11, 20] {
            bite(&mut story, turn, 0, 3);
        }
        bite(&mut story, 21, 1, 3);
        bite(&mut story, 33, 0, 3);
        let told: Vec<_> = story
            .episodes()
            .iter()
            .map(|e| (e.first, e.last, e.count, e.points, e.other))
            .collect();
        assert_eq!(
            told,
            [(10, 20, 3, 60.0, Some(0)), (21, 21, 1, 20.0, Some(1)), (33, 33, 1, 20.0, Some(0))]
        );
        assert_eq!(
            Value::from(story.changes_json(|player| &"ABCD"[player..=player])),
            json!([[2, "bite", "D", "A", 33, 33, 1, 20.0, -20.0]])
        );
    }

    #[test]
    fn both_pieces_of_a_missed_turn_are_one_fault() {
        let mut story = Story::default();
        let colour = Colour::first(1).next().unwrap();
        for turn in 1..=2 {
            story.begin_turn(turn, &[Given::nothing(Answer::Missed)]);
            for kind in [game::pacman::PieceKind::Pacman, game::pacman::PieceKind::Ghost] {
                let piece = game::pacman::Piece { colour, kind };
                story.tell(Event::FalseMove { piece, cause: FalseMove::Malformed }, &[-1]);
            }
        }
        let [episode] = story.episodes() else { panic!("{:?}", story.episodes()) };
        assert_eq!(
            (episode.kind, episode.count, episode.points),
            (EpisodeKind::Fault(AnswerFault::Missed), 2, -4.0)
        );
    }
}
