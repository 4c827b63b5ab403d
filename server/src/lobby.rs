//! Before a game: players gather.

use std::time::Duration;

use tokio::time::Instant;
use tracing::{info, warn};

use crate::arena::{Arena, Interrupted};
use crate::clock::sleep_until_any;
use crate::settings::HouseBot;

/// If seats are still empty that long after the house was asked to fill them, it is asked again.
const AGAIN: Duration = Duration::from_secs(1);

impl Arena {
    /// Waits until the players of a game are there.
    pub(crate) async fn gather(&mut self) -> Result<(), Interrupted> {
        let is_first = self.seats.len() == 0;
        let mut wait_for_start = self.settings.wait_for_start && is_first;
        let mut is_started = false;
        let mut fill_at = None;
        // Some may have left since the last game.
        self.preview();
        loop {
            if self.seats.len() == self.settings.players && !wait_for_start {
                return Ok(());
            }
            let people = self.seats.people();
            fill_at = match self.settings.house {
                Some(_) if wait_for_start || (people == 0 && !is_started) => None,
                // Once a game is played there is nobody to wait for.
                Some(house) => fill_at.or_else(|| {
                    let now = Instant::now();
                    Some(if is_first && !is_started { now + house.wait } else { now })
                }),
                None => None,
            };
            tokio::select! {
                () = self.shutdown.cancelled() => return Err(Interrupted),
                Some(event) = self.events.recv() => self.handle(event),
                () = sleep_until_any(fill_at) => if let Some(house) = self.settings.house {
                    self.fill_seats(house.bot);
                    fill_at = Some(Instant::now() + AGAIN);
                },
                started = self.start.recv(), if wait_for_start => match started {
                    Some(()) if self.settings.house.is_some() => {
                        is_started = true;
                        wait_for_start = false;
                    }
                    Some(()) if people > 0 => return Ok(()),
                    Some(()) => warn!("nobody has registered yet"),
                    None => {
                        warn!("nobody can press Enter: the game starts when all seats are taken");
                        wait_for_start = false;
                    }
                },
            }
        }
    }

    /// Waits until somebody is in every seat, or until told to start.
    pub(crate) async fn await_players(&mut self) -> Result<(), Interrupted> {
        let mut can_be_started = true;
        self.preview();
        while !self.seats.occupied().all(|occupied| occupied) {
            tokio::select! {
                () = self.shutdown.cancelled() => return Err(Interrupted),
                Some(event) = self.events.recv() => self.handle(event),
                started = self.start.recv(), if can_be_started => match started {
                    Some(()) => return Ok(()),
                    None => can_be_started = false,
                },
            }
        }
        Ok(())
    }

    fn fill_seats(&self, bot: HouseBot) {
        info!("the house fills the empty seats with {}", bot.name());
        for seat in self.seats.len()..self.settings.players {
            let seed = self.settings.seed.wrapping_add(seat as u64);
            self.host.connect_house(bot, seed);
        }
    }
}
