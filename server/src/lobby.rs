//! Before a game: players gather.

use std::time::Duration;

use tokio::time::Instant;
use tracing::{info, warn};

use crate::arena::{Arena, Interrupted};
use crate::clock::sleep_until_any;
use crate::settings::House;

impl Arena {
    /// Waits until the players of a game are there.
    pub(crate) async fn gather(&mut self) -> Result<(), Interrupted> {
        let mut wait_for_start = self.settings.wait_for_start && self.seats.len() == 0;
        // Once a game is played there is nobody to wait for.
        let patience =
            |house: House| if self.seats.len() == 0 { house.wait } else { Duration::ZERO };
        let mut house = self.settings.house.map(|house| (house, patience(house)));
        let mut house_comes = None;
        loop {
            let registered = self.seats.len();
            if registered == self.settings.players && !wait_for_start {
                return Ok(());
            }
            house_comes = match house {
                Some((_, wait)) if registered > 0 && !wait_for_start => {
                    house_comes.or_else(|| Some(Instant::now() + wait))
                }
                _ => None,
            };
            tokio::select! {
                () = self.shutdown.cancelled() => return Err(Interrupted),
                Some(event) = self.events.recv() => self.handle(event),
                () = sleep_until_any(house_comes) => if let Some((house, _)) = house.take() {
                    self.fill_seats(house);
                },
                started = self.start.recv(), if wait_for_start => match (started, house.take()) {
                    (Some(()), Some((house, _))) => {
                        self.fill_seats(house);
                        wait_for_start = false;
                    }
                    (Some(()), None) if registered > 0 => return Ok(()),
                    (Some(()), None) => warn!("nobody has registered yet"),
                    (None, given) => {
                        warn!("nobody can press Enter: the game starts when all seats are taken");
                        house = given;
                        wait_for_start = false;
                    }
                },
            }
        }
    }

    fn fill_seats(&self, House { bot, .. }: House) {
        info!("the house fills the empty seats with {}", bot.name);
        for seat in self.seats.len()..self.settings.players {
            let seed = self.settings.seed.wrapping_add(seat as u64);
            self.host.connect_house(bot, seed, self.settings.rules);
        }
    }
}
