//! Episodes: what goes on for several turns between the same players, told as one thing.
//!
//! Forty bites in a row are one episode. Events belong to the episode of the same kind and the same players that ended a few
//! turns before, else they begin another one.

use game::pacman::{Colour, Event, FalseMove, Object, State};
use game::pyrat::Score;
use serde_json::{Value, json};

use crate::game::{PacmanGame, PyRatGame, Replay};
use crate::recording::Recording;
use crate::turn::{AnswerFault, Given, Turn};

/// The kind of the events of an episode.
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

    /// Maximum number of turns from an event of an episode to the next one. After a bite, a ghost digests and has to come near
    /// again.
    pub fn patience(self) -> u32 {
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
    /// The kind of its events.
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

impl Episode {
    /// The points that a player, by colour, won in it, below 0 if it lost some; 0 for who has no part in it.
    pub fn points_of(&self, player: usize) -> f64 {
        if self.player == player {
            self.points
        } else if self.other == Some(player) {
            self.other_points
        } else {
            0.0
        }
    }

    /// Tests if the episode is worth a line in the story of a game whose best player has `most` points. Of objects
    /// that only bring points, and of walls, only those are that change a twentieth of `most` points, and at least
    /// of 100, or that go on; a player's ghost and its own pacman never are.
    fn is_notable(&self, most: f64) -> bool {
        let is_small = match self.kind {
            EpisodeKind::Took(object) => {
                matches!(object, Object::Vitamin | Object::Cherry | Object::Teleporter)
            }
            EpisodeKind::Blocked => self.count <= 4,
            _ => false,
        };
        let least = most.max(100.0) / 20.0;
        !(is_small && self.points.abs() < least || self.other == Some(self.player))
    }
}

/// A change of the lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The turn after which the player has more points than each other one; 0 for the start.
    pub turn: u32,
    /// The player, by colour.
    pub player: usize,
}

/// The episodes of a game and the changes of its lead, told turn by turn.
#[derive(Clone, Debug, Default)]
pub struct Story {
    episodes: Vec<Episode>,
    /// The indices of the newest episodes of each kind and pair of players.
    newest: Vec<usize>,
    /// The episodes that the current turn began or continued.
    changed: Vec<usize>,
    turn: u32,
    /// The points after the current turn, by colour.
    points: Vec<f64>,
    leads: Vec<Lead>,
    /// The fault of each player in the current turn.
    faults: Vec<Option<EpisodeKind>>,
}

impl Story {
    /// Starts the story of a game.
    #[must_use]
    pub fn start(game: &Replay) -> Self {
        let mut story = Self::default();
        story.end_turn(game.points());
        story
    }

    /// The story of a recorded game.
    #[must_use]
    pub fn of(recording: &Recording) -> Self {
        let mut game = Replay::start(&recording.setup);
        let mut story = Self::start(&game);
        for turn in recording.turns.iter() {
            let turn = game.judge(&turn).into_owned();
            match &mut game {
                Replay::Pacman(game) => story.play_pacman(game, &turn, |_, _, _| {}),
                Replay::PyRat(game) => story.play_pyrat(game, &turn),
            }
        }
        story
    }

    /// The episodes that are worth a line, by the turn in which they began. Faults of one kind are joined where a player
    /// has nothing else in between.
    pub fn notable(&self) -> Vec<Episode> {
        let most = self.points.iter().copied().fold(0.0, f64::max);
        let mut told: Vec<Episode> = Vec::new();
        for episode in self.episodes.iter().filter(|episode| episode.is_notable(most)) {
            let run = told.iter_mut().rfind(|run| run.player == episode.player);
            match run {
                Some(run)
                    if run.kind == episode.kind && matches!(run.kind, EpisodeKind::Fault(_)) =>
                {
                    run.last = episode.last;
                    run.count += episode.count;
                    run.points += episode.points;
                }
                _ => told.push(*episode),
            }
        }
        told
    }

    /// The changes of the lead so far. Who is level with the leader does not lead, nor who plays alone.
    pub fn leads(&self) -> &[Lead] {
        &self.leads
    }

    /// The episode that changed a player's points most, downwards or, for `wins`, upwards; of equal ones the first.
    pub fn decisive(&self, player: usize, wins: bool) -> Option<&Episode> {
        let changed = |episode: &Episode| episode.points_of(player) * if wins { 1.0 } else { -1.0 };
        let changing = self.episodes.iter().filter(|episode| changed(episode) > 0.0);
        changing.rev().max_by(|a, b| changed(a).total_cmp(&changed(b)))
    }

    /// Plays a turn of Pacman and tells it. `sink` gets each event, the state at that moment, and how the event changed
    /// the points, by colour.
    pub(crate) fn play_pacman(
        &mut self,
        game: &mut PacmanGame,
        turn: &Turn,
        mut sink: impl FnMut(Event, &State, &[i64]),
    ) {
        let points = |state: &State| -> Vec<i64> {
            state.view().players().iter().map(|player| player.points.into()).collect()
        };
        let mut before = points(game.state());
        self.begin_turn(game.state().view().elapsed() + 1, &turn.answers);
        game.play(turn, |event, state| {
            let now = points(state);
            let changes: Vec<_> =
                now.iter().zip(&before).map(|(now, before)| now - before).collect();
            self.tell(event, &changes);
            sink(event, state, &changes);
            before = now;
        });
        self.end_turn(game.points());
    }

    /// Plays a turn of PyRat and tells it.
    pub(crate) fn play_pyrat(&mut self, game: &mut PyRatGame, turn: &Turn) {
        let before: Vec<_> = game.state().rats().iter().map(|rat| rat.score).collect();
        self.begin_turn(game.state().turn() + 1, &turn.answers);
        game.play(turn);
        for (rat, (was, is)) in before.into_iter().zip(game.state().rats()).enumerate() {
            let share = is.score.saturating_sub(was);
            if share > Score::default() {
                self.ate(rat, share);
            }
        }
        self.end_turn(game.points());
    }

    /// Ends a turn with the points, by colour.
    fn end_turn(&mut self, points: Vec<f64>) {
        let most = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut first = (0..points.len()).filter(|&player| points[player] >= most);
        if let (Some(player), None) = (first.next(), first.next())
            && points.len() > 1
            && self.leads.last().is_none_or(|lead| lead.player != player)
        {
            self.leads.push(Lead { turn: self.turn, player });
        }
        self.points = points;
    }

    /// The episodes so far, by the turn in which they began.
    pub fn episodes(&self) -> &[Episode] {
        &self.episodes
    }

    /// Begins a turn with the players' answers, by colour.
    fn begin_turn(&mut self, turn: u32, answers: &[Given]) {
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
    fn tell(&mut self, event: Event, changes: &[i64]) {
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
    fn ate(&mut self, rat: usize, share: Score) {
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
        let Self { episodes, newest, .. } = self;
        let is_alike = |index: &usize| {
            let Episode { kind: its, player: own, other: theirs, .. } = episodes[*index];
            (its, own, theirs) == (kind, player, other)
        };
        let place = newest.iter().position(is_alike).unwrap_or(newest.len());
        let lasts = |index: &usize| turn <= episodes[*index].last.saturating_add(kind.patience());
        let index = if let Some(index) = newest.get(place).copied().filter(lasts) {
            let episode = &mut episodes[index];
            // Both pieces of a player may be at fault in one turn.
            let is_repeated = episode.last == turn
                && matches!(kind, EpisodeKind::Blocked | EpisodeKind::Fault(_));
            episode.count += u32::from(!is_repeated);
            episode.last = turn;
            episode.points += points;
            episode.other_points += other_points;
            index
        } else {
            let index = episodes.len();
            episodes.push(Episode {
                kind,
                player,
                other,
                first: turn,
                last: turn,
                count: 1,
                points,
                other_points,
            });
            match newest.get_mut(place) {
                Some(newest) => *newest = index,
                None => newest.push(index),
            }
            index
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

    fn episode(kind: EpisodeKind, other: Option<usize>, count: u32, points: f64) -> Episode {
        Episode { kind, player: 0, other, first: 1, last: 9, count, points, other_points: -points }
    }

    #[test]
    fn small_gains_and_single_walls_are_not_worth_a_line() {
        use EpisodeKind::{Bite, Blocked, Cheese, Fault, Took};
        for (kind, other, count, points, most, expected) in [
            (Took(Object::Vitamin), None, 4, 4.0, 0.0, false),
            (Took(Object::Vitamin), None, 5, 5.0, 100.0, true),
            (Took(Object::Vitamin), None, 5, 5.0, 101.0, false),
            (Took(Object::Cherry), None, 1, 30.0, 601.0, false),
            (Took(Object::Cherry), None, 1, 30.0, 600.0, true),
            (Took(Object::Teleporter), None, 1, 1.0, 0.0, false),
            (Took(Object::Glutton), None, 1, 0.0, 1000.0, true),
            (Blocked, None, 4, -4.0, 0.0, false),
            (Blocked, None, 5, -4.0, 0.0, true),
            (Blocked, None, 2, -50.0, 1000.0, true),
            (Bite, Some(1), 1, 0.0, 1000.0, true),
            (Bite, Some(0), 3, 0.0, 0.0, false),
            (Cheese, None, 1, 1.0, 20.0, true),
            (Fault(AnswerFault::Missed), None, 1, 0.0, 1000.0, true),
        ] {
            let episode = episode(kind, other, count, points);
            assert_eq!(episode.is_notable(most), expected, "{episode:?}, {most}");
        }
    }

    #[test]
    fn the_lead_changes_when_another_player_is_alone_in_front() {
        for (points, expected) in [
            (&[[0.0, 0.0], [0.0, 0.0]][..], &[][..]),
            (&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]], &[(1, 0)]),
            (
                &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [3.0, 2.0]],
                &[(1, 0), (3, 1), (4, 0)],
            ),
            (&[[0.0, 0.0], [-2.0, -1.0], [-2.0, -3.0]], &[(1, 1), (2, 0)]),
        ] {
            let mut story = Story::default();
            for (turn, points) in (0..).zip(points) {
                story.turn = turn;
                story.end_turn(points.to_vec());
            }
            let leads: Vec<_> = story.leads().iter().map(|lead| (lead.turn, lead.player)).collect();
            assert_eq!(leads, expected, "{points:?}");
        }
    }

    #[test]
    fn nobody_takes_the_lead_who_plays_alone() {
        let mut story = Story::default();
        for points in [0.0, 1.0, 5.0] {
            story.turn += 1;
            story.end_turn(vec![points]);
        }
        assert!(story.leads().is_empty());
    }

    #[test]
    fn faults_that_nothing_else_divides_are_one_line() {
        let fault = |kind: AnswerFault, player, first| Episode {
            kind: EpisodeKind::Fault(kind),
            player,
            other: None,
            first,
            last: first + 1,
            count: 2,
            points: -1.0,
            other_points: 0.0,
        };
        let mut story = Story::default();
        for turn in (1..300).step_by(3) {
            story.episodes.push(fault(AnswerFault::Missed, 0, turn));
            story.episodes.push(fault(AnswerFault::Malformed, 1, turn));
        }
        bite(&mut story, 301, 1, 0);
        story.episodes.push(fault(AnswerFault::Missed, 0, 310));
        let told = story.notable();
        let lines: Vec<_> =
            told.iter().map(|told| (told.player, told.first, told.last, told.count)).collect();
        assert_eq!(lines[..2], [(0, 1, 299, 200), (1, 1, 299, 200)]);
        assert_eq!(lines[lines.len() - 1], (0, 310, 311, 2));
        assert_eq!((lines.len(), told[0].points), (4, -100.0));
    }

    #[test]
    fn the_decisive_episode_changed_the_points_most() {
        let mut story = Story::default();
        for (turn, pacman, ghost) in [(1, 0, 3), (30, 0, 2), (31, 0, 2), (60, 0, 1), (61, 0, 1)] {
            bite(&mut story, turn, pacman, ghost);
        }
        let first = |player, wins| story.decisive(player, wins).map(|episode| episode.first);
        assert_eq!(first(0, false), Some(30));
        assert_eq!(first(0, true), None);
        assert_eq!(first(3, true), Some(1));
        assert_eq!(first(3, false), None);
    }
}
