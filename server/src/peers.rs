//! What peers do, in the lobby as well as in a game: they come and go.

use std::sync::Arc;

use game::colour::Colour;
use protocol::{Registration, Role, ServerMessage};
use tokio::time::Instant;
use tracing::{debug, info, warn};

use crate::arena::Arena;
use crate::connection::{Event, Link};
use crate::outbox::LIMIT;
use crate::seats::{NoSeat, Seat};

impl Arena {
    /// Takes in what has happened.
    pub(crate) fn handle(&mut self, event: Event) {
        match event {
            Event::Answered => return,
            Event::Registered(link, registration) => match registration.role {
                Role::Spectator if link.seat.is_some() => {
                    refuse(&link, &registration, NoSeat::NotAssigned);
                }
                Role::Spectator => self.add_spectator(link, &registration),
                Role::Player if self.assigned => self.add_player_to_its_seat(&link, &registration),
                Role::Player if self.playing => self.add_player_to_game(link, registration),
                Role::Player => self.add_player_to_lobby(&link, registration),
            },
            Event::Left(link) => self.remove(link),
            Event::Seated(colour, link) => self.seat(colour, &link),
            Event::Shown(link, number) => self.relay.add(link, number, self.game.text()),
            Event::Released(done) => {
                self.relay.clear();
                // Nobody waits when the hall is gone.
                let _ = done.send(());
            }
        }
        self.tell_who_is_there();
    }

    /// Tells who watches the seats when somebody has come or gone.
    pub(crate) fn tell_who_is_there(&self) {
        self.occupied.send_if_modified(|known| {
            let has_changed = !self.seats.occupied().eq(known.iter().copied());
            if has_changed {
                *known = self.seats.occupied().collect();
            }
            has_changed
        });
    }

    fn add_spectator(&mut self, link: Arc<Link>, registration: &Registration) {
        if self.relay.len() >= self.settings.max_spectators {
            info!("{} at {} is refused: too many spectators", registration.name, link.address);
            return link.refuse();
        }
        info!("{} at {} looks on", registration.name, link.address);
        link.place.accept();
        self.spectators += 1;
        self.relay.add(link, self.spectators, self.game.text());
    }

    fn add_player_to_its_seat(&mut self, link: &Arc<Link>, registration: &Registration) {
        let colour = link.seat.ok_or(NoSeat::NotAssigned);
        match colour.and_then(|colour| self.seats.take(colour, link).map(|name| (colour, name))) {
            Ok((colour, name)) => {
                info!("{name} at {} takes its seat", link.address);
                self.bring_up_to_date(colour, link);
            }
            Err(reason) => refuse(link, registration, reason),
        }
    }

    /// Puts a player of a hall into a seat, whoever was there.
    pub(crate) fn seat(&mut self, colour: Colour, link: &Arc<Link>) {
        let Some(seat) = self.seats.get_mut(colour.index()) else { return };
        seat.seat(link);
        link.set_route(Some(self.host.events()));
        self.bring_up_to_date(colour, link);
    }

    /// Sends somebody who comes during the game what the others know.
    fn bring_up_to_date(&mut self, colour: Colour, link: &Link) {
        if self.playing {
            send_maze(link, colour, self.game.maze());
            send_state(link, colour, self.game.text());
        }
    }

    fn add_player_to_lobby(&mut self, link: &Arc<Link>, registration: Registration) {
        if self.seats.len() == self.settings.players {
            let now = Instant::now();
            return match self.seats.take_back(link, &registration, now) {
                Ok(_) => info!("{} is back from {}", registration.name, link.address),
                Err(reason) => refuse(link, &registration, reason),
            };
        }
        let address = link.address;
        let seat = self.seats.add(link, registration);
        info!("{} at {address} takes a seat", seat.name);
        self.preview();
    }

    fn add_player_to_game(&mut self, link: Arc<Link>, registration: Registration) {
        match self.seats.take_back(&link, &registration, Instant::now()) {
            Ok(seat) => {
                info!("{} is back from {}", registration.name, link.address);
                let colour = Colour::new(seat).expect("there are no more seats than colours");
                self.bring_up_to_date(colour, &link);
            }
            Err(NoSeat::UnknownName) if self.has_room_in_the_next_game() => {
                info!("{} at {} takes a seat in the next game", registration.name, link.address);
                link.place.accept();
                self.waiting.push((link, registration));
            }
            Err(reason) => refuse(&link, &registration, reason),
        }
    }

    fn has_room_in_the_next_game(&self) -> bool {
        self.games != self.settings.games
            && self.seats.people() + self.waiting.len() < self.settings.players
    }

    fn remove(&mut self, link: u64) {
        if self.relay.remove(link) {
            return debug!("a spectator is gone");
        }
        self.waiting.retain(|(waiting, _)| waiting.id != link);
        if self.playing {
            if let Some(Seat { name, .. }) = self.seats.leave(link) {
                warn!("{name} is gone; its pieces stay");
            }
        } else if self.assigned {
            if let Some(Seat { name, .. }) = self.seats.leave(link) {
                info!("{name} is gone");
            }
        } else if let Some(name) = self.seats.free(link) {
            info!("{name} is gone");
            self.preview();
        }
    }
}

fn refuse(link: &Link, registration: &Registration, reason: NoSeat) {
    info!("{} at {} is refused: {reason}", registration.name, link.address);
    link.refuse();
}

/// Sends a player the current state. One that does not read any more is disconnected.
pub(crate) fn send_state(link: &Link, colour: Colour, state: &[u8]) {
    link.answers.lock().state_sent();
    send(link, colour, |id| ServerMessage::State { id, state });
}

/// Sends a player the maze of its game, if there is one.
pub(crate) fn send_maze(link: &Link, colour: Colour, maze: Option<&[u8]>) {
    if let Some(maze) = maze {
        send(link, colour, |id| ServerMessage::Maze { id, maze });
    }
}

fn send<'a>(link: &Link, colour: Colour, message: impl FnOnce(&'a str) -> ServerMessage<'a>) {
    let id = colour.as_str();
    if link.outbox.push(message(id), LIMIT).is_err() {
        warn!("player {id} does not read: its connection is closed");
        link.abort.cancel();
    }
}
