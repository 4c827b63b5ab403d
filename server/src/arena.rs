//! The arena: players gather, play games, and go.

use std::sync::Arc;

use protocol::{Name, Registration};
use replay::Given;
use tokio::sync::{Notify, mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::connection::{Event, Link};
use crate::games::Game;
use crate::host::Host;
use crate::observers::{Lost, Observation, Observers};
use crate::playing::GameEnd;
use crate::relay::Relay;
use crate::results::{GameResult, Progress};
use crate::seats::Seats;
use crate::settings::Settings;

/// Events that wait for the arena; whoever has one more waits with it.
const EVENTS: usize = 256;

/// Results that wait to be received; with one more, the next game waits a moment.
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
    pub(crate) occupied: watch::Sender<Vec<bool>>,
    /// Players of the next game.
    pub(crate) waiting: Vec<(Arc<Link>, Registration)>,
    pub(crate) relay: Relay,
    /// How many spectators there have been.
    pub(crate) spectators: u64,
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
    /// least one and at most [`Colour::MAX`](game::colour::Colour::MAX), and are taken by who comes in [for them](Host::for_seat).
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

    /// Tells an observer of every game, turn by turn. One that does not keep up loses the rest of that
    /// game, which is counted in what is returned.
    pub fn observe(&mut self, observer: mpsc::Sender<Observation>) -> Lost {
        self.observers.add(observer)
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
