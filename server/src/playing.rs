//! A game: turn after turn, whoever is there.

use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use game::colour::Colour;
use replay::Given;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::time::{Instant, sleep_until};
use tracing::{error, info, warn};

use crate::arena::{Arena, Interrupted};
use crate::clock::sleep_until_any;
use crate::games::Part;
use crate::observers;
use crate::peers::{send_maze, send_state};
use crate::results::{GameResult, PlayerResult, Progress, Thinking};
use crate::seats::{MISSED_DEADLINES, Seat};

/// For a result to be taken, when too many wait already.
const TAKEN: Duration = Duration::from_secs(1);

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameEnd {
    /// All its turns are played.
    Over,
    /// Nobody was there any more.
    Deserted,
}

impl Arena {
    /// Plays the next game with the players who are seated, and reports its result.
    pub(crate) async fn play_game(&mut self) -> Result<GameEnd, Interrupted> {
        self.observers.catch_up().await;
        let seed = self.next_seed();
        self.set_up_game();
        self.games += 1;
        self.playing = true;
        info!("game {} begins, seed {seed}: {}", self.games, self.seats.names().join(", "));
        for (seat, colour) in self.seats.iter_mut().zip(Colour::first(Colour::MAX)) {
            seat.thinking = Thinking::default();
            if let Some(link) = &seat.link {
                send_maze(link, colour, self.game.maze());
            }
        }
        self.send_state_to_players();
        self.relay.show(self.game.text());

        self.observers.begin(self.games, self.game.as_ref());
        let end = self.play_turns().await;
        self.observers.end(self.game.as_mut());
        self.relay.show_final(self.game.text());
        let result = self.result(seed);
        if let Err(SendTimeoutError::Timeout(result)) =
            self.results.send_timeout(result, TAKEN).await
        {
            error!("the result of game {} is lost: nobody takes the results", result.game);
        }
        end
    }

    async fn play_turns(&mut self) -> Result<GameEnd, Interrupted> {
        let mut deserted = 0;
        while !self.game.is_over() {
            let (answers, nobody) = self.collect_answers().await?;
            deserted = if nobody { deserted + 1 } else { 0 };
            if deserted == MISSED_DEADLINES {
                warn!("all players are gone: the game ends");
                return Ok(GameEnd::Deserted);
            }
            self.play_turn(&answers);
        }
        // Spectators see the last turn to its end.
        let shown = Instant::now() + self.settings.tempo;
        self.wait(shown, |_| false).await?;
        Ok(GameEnd::Over)
    }

    /// Waits for the answers of a turn; `None` for those that do not come in time. Also whether all
    /// seats were absent.
    async fn collect_answers(&mut self) -> Result<(Vec<Option<Bytes>>, bool), Interrupted> {
        let start = Instant::now();
        let is_first = self.game.elapsed() == 0;
        let preparation = if is_first { self.game.preparation() } else { Duration::ZERO };
        let deadline = start + preparation + self.settings.deadline;
        let end = start + self.settings.tempo;
        loop {
            self.wait(deadline, Self::is_answered).await?;
            // Whoever is not awaited may still answer before the turn ends.
            self.wait(deadline.min(end), |_| false).await?;
            // Meanwhile, somebody may have come back who is.
            if Instant::now() >= deadline || self.is_answered() {
                break;
            }
        }
        let nobody = self.seats.iter().all(Seat::is_absent);
        let answers = self.take_answers(start);
        self.wait(end, |_| false).await?;
        Ok((answers, nobody))
    }

    /// Whether everybody who is awaited has answered, unless nobody is there at all.
    fn is_answered(&self) -> bool {
        let nobody = self.seats.iter().all(Seat::is_absent);
        !nobody && !self.seats.iter().any(Seat::is_awaited)
    }

    /// What the players have answered in time since `start`; deadlines that they missed are counted.
    fn take_answers(&mut self, start: Instant) -> Vec<Option<Bytes>> {
        let Self { seats, game, given, silence, .. } = self;
        given.clear();
        let is_first = game.elapsed() == 0;
        let take = |(player, seat): (usize, &mut Seat)| {
            let mut link = seat.link.as_ref().map(|link| link.answers.lock());
            let answer = link.as_ref().and_then(|answers| answers.current().cloned());
            let taken = answer.as_ref().map(|answer| answer.at.saturating_duration_since(start));
            given.push(match (&answer, taken) {
                (Some(answer), Some(taken)) => Given::in_time(game.read(&answer.text), taken),
                _ => observers::nothing(link.is_some()),
            });
            if !game.is_asked(player) {
                // Some do not answer when it does not matter: that they are silent costs nothing.
                if let Some(answers) = &mut link {
                    answers.forgive();
                }
                return answer.map(|answer| answer.text);
            }
            drop(link);
            seat.thinking.count(is_first, taken);
            seat.missed = if answer.is_some() { 0 } else { seat.missed.saturating_add(1) };
            if let Some(link) = &seat.link
                && link.set_silent(seat.missed >= MISSED_DEADLINES)
            {
                silence.notify_one();
                if seat.missed == MISSED_DEADLINES {
                    warn!("{} does not answer: turns no longer wait for it", seat.name);
                }
            }
            answer.map(|answer| answer.text)
        };
        seats.iter_mut().enumerate().map(take).collect()
    }

    /// Plays a turn and sends its states: the new one to the players at once, and those on the way
    /// to the spectators, spread over the turn if it has a tempo.
    fn play_turn(&mut self, answers: &[Option<Bytes>]) {
        let Self { game, relay, settings, .. } = self;
        let tempo = settings.tempo;
        if relay.is_empty() {
            game.play_turn(answers, None);
        } else {
            let now = Instant::now();
            let mut show = |state: &[u8], part: Part| match (tempo.is_zero(), part.is_last()) {
                (true, true) => relay.show(state),
                (true, false) => relay.show_step(state),
                (false, _) => relay.show_at(now + tempo * (part.number - 1) / part.of, state),
            };
            game.play_turn(answers, Some(&mut show));
        }
        self.observers.turn(&self.given, self.game.as_mut());
        self.send_state_to_players();
        let points = self.game.standings().into_iter().map(|standing| standing.points).collect();
        self.progress.send_replace(Progress {
            game: self.games,
            elapsed: self.game.elapsed(),
            total: self.settings.turns,
            points,
        });
    }

    fn send_state_to_players(&mut self) {
        let state = self.game.text();
        for (seat, colour) in self.seats.iter().zip(Colour::first(Colour::MAX)) {
            if let Some(link) = &seat.link {
                send_state(link, colour, state);
            }
        }
    }

    /// What the game has come to.
    fn result(&self, seed: u64) -> GameResult {
        let seats = self.seats.iter().zip(Colour::first(Colour::MAX));
        let player = |((seat, colour), standing): ((&Seat, Colour), _)| PlayerResult {
            name: seat.name.to_string(),
            letter: colour.letter(),
            standing,
            thinking: seat.thinking,
        };
        GameResult {
            game: self.games,
            seed,
            elapsed: self.game.elapsed(),
            total: self.settings.turns,
            players: seats.zip(self.game.standings()).map(player).collect(),
        }
    }

    /// Takes in what peers do until that moment, or until it is enough.
    pub(crate) async fn wait(
        &mut self,
        moment: Instant,
        enough: impl Fn(&Self) -> bool,
    ) -> Result<(), Interrupted> {
        let mut alarm = pin!(sleep_until(moment));
        // An alarm for a moment that has passed would still ring a millisecond later.
        while Instant::now() < moment && !enough(self) {
            let next_due = self.relay.next_due();
            tokio::select! {
                biased;
                () = self.shutdown.cancelled() => return Err(Interrupted),
                () = &mut alarm => {}
                () = sleep_until_any(next_due) => self.relay.show_due(Instant::now()),
                Some(event) = self.events.recv() => self.handle(event),
            }
        }
        self.relay.show_due(Instant::now());
        Ok(())
    }
}
