//! A recording as the viewer plays it.

use game::colour::Colour;
use game::pacman::{Event, Rules};
use replay::{Recording, Replay, Setup, Thought, Turn};

use crate::viewer::{History, Sample, Scene};

/// A recording whose states can be played from any turn on.
///
/// States have numbers: the start has number 0, and each turn adds the same number of states, in Pacman one
/// after each move of a piece and one at its end. What is kept is the recording, some games on the way to play
/// on from, and the samples of the chart; so memory does not grow with the number of states.
#[derive(Debug)]
pub(super) struct Recorded {
    recording: Recording,
    /// Number of states that a turn adds.
    per_turn: u64,
    /// The game after every `spacing` turns.
    checkpoints: Vec<Replay>,
    spacing: usize,
    samples: Vec<Sample>,
    /// The game whose next turn is played next, and how many turns it has behind it.
    game: Replay,
    played: usize,
}

/// Remark on a player's answer, in words.
pub(super) type Remark = (Colour, String);

impl Recorded {
    /// The most games that are kept to play on from.
    const CHECKPOINTS: usize = 64;
    /// The most samples for the chart: enough for the widest screens.
    const SAMPLES: usize = 1000;
    /// Most states before the one that is shown that are played again.
    const BACK: u64 = 4000;

    /// Plays a recording once.
    pub(super) fn new(recording: Recording) -> Self {
        let per_turn = match &recording.setup {
            Setup::Pacman(setup) => 2 * setup.names.len() as u64 + 1,
            Setup::PyRat(_) => 1,
        };
        let turns = recording.turns.len();
        let spacing = turns.div_ceil(Self::CHECKPOINTS).max(1);
        let stride = turns.div_ceil(Self::SAMPLES).max(1);
        let mut game = Replay::start(&recording.setup);
        let (mut checkpoints, mut samples) = (Vec::new(), vec![Sample::of(&scene(&game))]);
        for (index, turn) in recording.turns.iter().enumerate() {
            if index % spacing == 0 {
                checkpoints.push(game.clone());
            }
            game.play(&turn);
            if (index + 1) % stride == 0 || index + 1 == turns {
                samples.push(Sample::of(&scene(&game)));
            }
        }
        Self { recording, per_turn, checkpoints, spacing, samples, game, played: turns }
    }

    /// The rules of Pacman that hold.
    pub(super) fn rules(&self) -> Rules {
        match &self.recording.setup {
            Setup::Pacman(setup) => setup.rules,
            Setup::PyRat(_) => Rules::SUJET,
        }
    }

    /// Standing of the players in turns throughout the game.
    pub(super) fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The thoughts of players about the state after some turns.
    pub(super) fn thoughts(&self, turns: u32) -> impl Iterator<Item = Thought> + '_ {
        self.recording.thoughts.of_turn(turns.saturating_add(1))
    }

    /// The number of the last state.
    pub(super) fn last(&self) -> u64 {
        self.recording.turns.len() as u64 * self.per_turn
    }

    /// The nearest number before this one at which a turn begins.
    pub(super) fn turn_before(&self, number: u64) -> u64 {
        number.saturating_sub(1) / self.per_turn * self.per_turn
    }

    /// The nearest number after this one at which a turn begins.
    pub(super) fn turn_after(&self, number: u64) -> u64 {
        ((number / self.per_turn + 1) * self.per_turn).min(self.last())
    }

    /// Sees to it that a history has a state and some before it.
    pub(super) fn load(&mut self, number: u64, history: &mut History) {
        let remembers = history.ends().is_some_and(|(oldest, newest)| {
            let margin = ((newest - oldest) / 4).min(Self::BACK / 4);
            let is_near = number <= newest + Self::BACK;
            (oldest == 0 || number >= oldest + margin) && number >= oldest && is_near
        });
        if !remembers {
            self.start_before(number, history);
        }
        let names = self.recording.setup.names().to_vec();
        while history.ends().is_some_and(|(_, newest)| newest < number) {
            let Some(turn) = self.recording.turns.get(self.played) else { return };
            self.play(&turn, |scene| history.push(scene, &names));
            let thoughts = self.recording.thoughts.of_turn(self.played as u32);
            let thoughts = thoughts.map(|Thought { player, text, .. }| (player, text));
            history.remark(remarks(&turn).into_iter().chain(thoughts).collect());
        }
    }

    /// Starts a history as far before a state as it can remember.
    fn start_before(&mut self, number: u64, history: &mut History) {
        // The states that are remembered are of about the same size as this one.
        let states = History::room(&scene(&self.game)) / 2;
        let from = number.saturating_sub(states.clamp(1, Self::BACK)) / self.per_turn;
        // No more than the number of turns.
        let from = (from as usize).min(self.recording.turns.len());
        let checkpoint = from / self.spacing;
        (self.game, self.played) = match self.checkpoints.get(checkpoint) {
            Some(game) => (game.clone(), checkpoint * self.spacing),
            None => (Replay::start(&self.recording.setup), 0),
        };
        for turn in self.recording.turns.range(self.played..from) {
            self.game.play(&turn);
        }
        self.played = from;
        *history = History::starting_at(from as u64 * self.per_turn);
        history.push(scene(&self.game), self.recording.setup.names());
    }

    /// Plays a turn, and hands out its states.
    fn play(&mut self, turn: &Turn, mut see: impl FnMut(Scene)) {
        self.played += 1;
        match &mut self.game {
            Replay::Pacman(game) => game.play(turn, |event, state| {
                if matches!(event, Event::Done(_) | Event::TurnEnded) {
                    see(state.view().clone().into());
                }
            }),
            Replay::PyRat(game) => {
                game.play(turn);
                see(game.state().clone().into());
            }
        }
    }
}

fn scene(game: &Replay) -> Scene {
    match game {
        Replay::Pacman(game) => game.state().view().clone().into(),
        Replay::PyRat(game) => game.state().clone().into(),
    }
}

/// Remarks on a turn.
fn remarks(turn: &Turn) -> Vec<Remark> {
    let answers = Colour::first(turn.answers.len()).zip(&turn.answers);
    answers
        .filter_map(|(colour, given)| Some((colour, given.remark(language::Language::chosen())?)))
        .collect()
}
