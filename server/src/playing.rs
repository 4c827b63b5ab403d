//! A game: turn after turn, whoever is there.

use std::pin::pin;

use game::pacman::{Colour, Event, Orders, Seeded};
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::{Instant, sleep_until};
use tracing::{error, info, warn};

use crate::arena::{Arena, Interrupted, send_state};
use crate::clock::sleep_until_any;
use crate::results::GameResult;
use crate::seats::{MISSED_DEADLINES, Seat};

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
        let seed = self.next_seed();
        self.set_up_game();
        self.games += 1;
        self.playing = true;
        info!("game {} begins, seed {seed}: {}", self.games, self.seats.names().join(", "));
        self.send_state_to_players();
        self.relay.show(self.text.write(self.state.view()));

        let end = self.play_turns(&mut Seeded::new(seed)).await;
        self.relay.show_final(self.text.write(self.state.view()));
        let result = GameResult::new(self.games, seed, self.state.view(), &self.seats.names());
        if let Err(TrySendError::Full(result)) = self.results.try_send(result) {
            error!("the result of game {} is lost: nobody takes the results", result.game);
        }
        end
    }

    async fn play_turns(&mut self, chance: &mut Seeded) -> Result<GameEnd, Interrupted> {
        let mut deserted = 0;
        while !self.state.view().is_over() {
            let (orders, nobody) = self.collect_orders().await?;
            deserted = if nobody { deserted + 1 } else { 0 };
            if deserted == MISSED_DEADLINES {
                warn!("all players are gone: the game ends");
                return Ok(GameEnd::Deserted);
            }
            self.play_turn(&orders, chance);
        }
        // Spectators see the last turn to its end.
        let shown = Instant::now() + self.settings.tempo;
        self.wait(shown, |_| false).await?;
        Ok(GameEnd::Over)
    }

    /// Waits for the orders of a turn; those that do not come in time are malformed. Also whether
    /// all seats were absent.
    async fn collect_orders(&mut self) -> Result<(Vec<Orders>, bool), Interrupted> {
        let start = Instant::now();
        let deadline = start + self.settings.deadline;
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
        let orders = self.seats.iter().map(orders).collect();
        let nobody = self.seats.iter().all(Seat::is_absent);
        self.count_missed_deadlines();
        self.wait(end, |_| false).await?;
        Ok((orders, nobody))
    }

    /// Whether everybody who is awaited has answered, unless nobody is there at all.
    fn is_answered(&self) -> bool {
        let nobody = self.seats.iter().all(Seat::is_absent);
        !nobody && !self.seats.iter().any(Seat::is_awaited)
    }

    fn count_missed_deadlines(&mut self) {
        for seat in self.seats.iter_mut() {
            let answered = seat.link.as_ref().is_some_and(|link| link.answers.lock().is_answered());
            seat.missed = if answered { 0 } else { seat.missed.saturating_add(1) };
            if seat.missed == MISSED_DEADLINES && seat.link.is_some() {
                warn!("{} does not answer: turns no longer wait for it", seat.name);
            }
        }
    }

    /// Plays a turn and sends its states: the new one to the players at once, and those on the way
    /// to the spectators, spread over the turn if it has a tempo.
    fn play_turn(&mut self, orders: &[Orders], chance: &mut Seeded) {
        let Self { state, text, relay, settings, .. } = self;
        let tempo = settings.tempo;
        if relay.is_empty() {
            state.play_turn(orders, chance, |_, _| {});
        } else {
            let now = Instant::now();
            // Two states a player and the new one.
            let states = 2 * orders.len() as u32 + 1;
            let mut shown = 0;
            state.play_turn(orders, chance, |event, state| {
                let is_new = event == Event::TurnEnded;
                if is_new || matches!(event, Event::Done(_)) {
                    let written = text.write(state.view());
                    match (tempo.is_zero(), is_new) {
                        (true, true) => relay.show(written),
                        (true, false) => relay.show_step(written),
                        (false, _) => relay.show_at(now + tempo * shown / states, written),
                    }
                    shown += 1;
                }
            });
        }
        self.send_state_to_players();
        self.progress.send_modify(|progress| progress.update(self.games, self.state.view()));
    }

    fn send_state_to_players(&mut self) {
        let state = self.text.write(self.state.view());
        for (seat, colour) in self.seats.iter().zip(Colour::first(Colour::MAX)) {
            if let Some(link) = &seat.link {
                send_state(link, colour, state);
            }
        }
    }

    /// Takes in what peers do until that moment, or until it is enough.
    async fn wait(
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

/// What the seat's player has answered in time.
fn orders(seat: &Seat) -> Orders {
    let answers = seat.link.as_ref().map(|link| link.answers.lock());
    let answer = answers.as_ref().and_then(|answers| answers.current());
    answer.map_or_else(Orders::default, |text| Orders::from_text(text))
}
