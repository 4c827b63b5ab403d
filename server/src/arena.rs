//! The arena: players gather, play games, and go.

use std::sync::Arc;

use game::colour::Colour;
use protocol::{Name, Registration, Role, ServerMessage};
use replay::Given;
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use crate::connection::{Event, Link};
use crate::games::Game;
use crate::host::Host;
use crate::observers::{Observation, Observers};
use crate::outbox::LIMIT;
use crate::playing::GameEnd;
use crate::relay::Relay;
use crate::results::{GameResult, Progress};
use crate::seats::{NoSeat, Seat, Seats};
use crate::settings::Settings;

/// Events that wait for the arena; whoever has one more waits with it.
const EVENTS: usize = 256;

/// Results that wait to be received; more are lost.
const RESULTS: usize = 1024;

/// Where players gather, play their games, and spectators look on.
///
/// It is one task that owns all of it; connections only hand it events and take what it puts into
/// their outboxes. Nothing that a peer does makes it wait beyond a deadline.
#[derive(Debug)]
pub struct Arena {
    pub(crate) settings: Settings,
    pub(crate) host: Host,
    pub(crate) events: mpsc::Receiver<Event>,
    /// From the organiser, to start.
    pub(crate) start: mpsc::Receiver<()>,
    pub(crate) shutdown: CancellationToken,
    pub(crate) results: mpsc::Sender<GameResult>,
    pub(crate) progress: watch::Sender<Progress>,
    pub(crate) seats: Seats,
    /// Whether the seats are there from the start, each for one player and no other.
    pub(crate) assigned: bool,
    /// In which seats somebody is.
    occupied: watch::Sender<Vec<bool>>,
    /// Players of the next game.
    waiting: Vec<(Arc<Link>, Registration)>,
    pub(crate) relay: Relay,
    /// How many spectators there have been.
    spectators: u64,
    /// Is told when a player falls silent, or answers again.
    pub(crate) silence: Arc<Notify>,
    /// The game that everybody sees, running or about to start.
    pub(crate) game: Box<dyn Game>,
    /// Who is told of the games.
    pub(crate) observers: Observers,
    /// What the players have given in the turn that is played.
    pub(crate) given: Vec<Given>,
    /// Games begun.
    pub(crate) games: u32,
    pub(crate) playing: bool,
}

/// How the arena's work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All games are played.
    Finished,
    /// All players were gone before that.
    Deserted,
    /// It was told to stop.
    Interrupted,
}

/// What an arena tells while it works, and what it can be told.
#[derive(Debug)]
pub struct Controls {
    /// Where connections come in.
    pub host: Host,
    /// Starts the game, under [`Settings::wait_for_start`] or where seats are assigned.
    pub start: mpsc::Sender<()>,
    /// Stops it, with scores and farewells.
    pub shutdown: CancellationToken,
    /// Each game's result, when it ends. To be received, or dropped.
    pub results: mpsc::Receiver<GameResult>,
    /// How far the game is.
    pub progress: watch::Receiver<Progress>,
    /// In which seats, by order of colour, somebody is who has registered and is still connected.
    pub seats: watch::Receiver<Vec<bool>>,
}

/// The arena was told to stop.
pub(crate) struct Interrupted;

impl Arena {
    /// An arena with nobody in it, and what controls it. `salt` is a number that nobody knows.
    #[must_use]
    pub fn new(settings: Settings, game: Box<dyn Game>, salt: u64) -> (Self, Controls) {
        Self::with_seats(settings, game, Seats::new(salt), false)
    }

    /// An arena for one game, whose seats are assigned: they have these names by order of colour, at
    /// least one and at most [`Colour::MAX`], and are taken by who comes in [for them](Host::for_seat).
    /// The game starts when somebody is in every seat, or when told to, with whoever is there; the
    /// others are absent, and may still come.
    ///
    /// Of the settings, players, games, the house and how to start are not asked for.
    #[must_use]
    pub fn assigned(
        mut settings: Settings,
        game: Box<dyn Game>,
        names: Vec<Name>,
    ) -> (Self, Controls) {
        let seats = Seats::assigned(names);
        (settings.players, settings.games) = (seats.len(), 1);
        Self::with_seats(settings, game, seats, true)
    }

    fn with_seats(
        settings: Settings,
        mut game: Box<dyn Game>,
        seats: Seats,
        assigned: bool,
    ) -> (Self, Controls) {
        let (event_sender, events) = mpsc::channel(EVENTS);
        let (start_sender, start) = mpsc::channel(1);
        let (results, result_receiver) = mpsc::channel(RESULTS);
        let (progress, progress_receiver) = watch::channel(Progress::default());
        let (occupied, occupied_receiver) = watch::channel(seats.occupied().collect());
        let shutdown = CancellationToken::new();
        let host = Host::new(event_sender, settings.max_connections);
        let controls = Controls {
            host: host.clone(),
            start: start_sender,
            shutdown: shutdown.clone(),
            results: result_receiver,
            progress: progress_receiver,
            seats: occupied_receiver,
        };
        game.set_up(settings.seed, settings.turns, seats.names());
        let arena = Self {
            settings,
            host,
            events,
            start,
            shutdown,
            results,
            progress,
            seats,
            assigned,
            occupied,
            waiting: Vec::new(),
            relay: Relay::default(),
            spectators: 0,
            silence: Arc::default(),
            game,
            observers: Observers::default(),
            given: Vec::new(),
            games: 0,
            playing: false,
        };
        (arena, controls)
    }

    /// Tells an observer of every game, turn by turn, until it does not keep up.
    pub fn observe(&mut self, observer: mpsc::Sender<Observation>) {
        self.observers.add(observer);
    }

    /// Lets players gather and plays the games, until they are played, everybody is gone, or it is
    /// told to stop; then says goodbye to everybody.
    pub async fn run(mut self) -> End {
        let end = self.run_games().await.unwrap_or(End::Interrupted);
        self.events.close();
        while let Ok(event) = self.events.try_recv() {
            if let Event::Registered(link, _) = event {
                link.quit();
            }
        }
        self.relay.quit();
        for (link, _) in &self.waiting {
            link.quit();
        }
        self.dismiss_players();
        self.host.close().await;
        end
    }

    async fn run_games(&mut self) -> Result<End, Interrupted> {
        loop {
            if self.assigned {
                self.await_players().await?;
            } else if self.seats.len() < self.settings.players && self.lobby_is_open() {
                self.gather().await?;
            }
            let end = self.play_game().await?;
            if self.games == self.settings.games {
                return Ok(End::Finished);
            }
            if end == GameEnd::Deserted {
                self.dismiss_players();
            }
            self.prepare_next_game();
            if self.seats.len() == 0 && self.settings.games > 0 {
                return Ok(End::Deserted);
            }
        }
    }

    /// Whether players are waited for: before the first game, when all are gone, and when the
    /// house fills seats.
    fn lobby_is_open(&self) -> bool {
        self.games == 0 || self.seats.len() == 0 || self.settings.house.is_some()
    }

    /// What a peer does is taken in: in the lobby as well as in a game.
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

    fn tell_who_is_there(&self) {
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

    /// Seats who stays and who waits, in that order.
    fn prepare_next_game(&mut self) {
        self.playing = false;
        self.seats.keep_present_people();
        for (link, registration) in std::mem::take(&mut self.waiting) {
            self.seats.add(&link, registration);
        }
        self.tell_who_is_there();
    }

    /// Shows spectators the start of the next game with the players so far.
    pub(crate) fn preview(&mut self) {
        self.set_up_game();
        self.relay.show(self.game.text());
    }

    /// Draws the start of the next game for the players who are seated.
    pub(crate) fn set_up_game(&mut self) {
        let seed = self.next_seed();
        self.game.set_up(seed, self.settings.turns, self.seats.names());
        self.relay.set_maze(seed, self.game.maze());
    }

    /// The seed of the next game.
    pub(crate) fn next_seed(&self) -> u64 {
        self.settings.seed.wrapping_add(self.games.into())
    }

    fn dismiss_players(&mut self) {
        for seat in self.seats.iter_mut() {
            if let Some(link) = seat.link.take() {
                link.quit();
            }
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
