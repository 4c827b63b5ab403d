//! A hall (*salle*): teams that stay connected play games at many tables, one game after the other.
//!
//! [`Hall`] is one task that knows the teams and the spectators, over any transport. For each [`GameRequest`] a
//! driver plays one game, whose seats the hall assigns. [`Controls`] is the organiser's interface.

mod controls;
mod refusals;
mod table;
mod teams;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use language::{log, said, word};
use protocol::{Name, Registration, Role, Secret};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tokio::task::{self, JoinError, JoinSet};
use tokio::time::Instant;

use crate::audience::{Audience, SceneSender};
use crate::connection::Event;
use crate::driver::Command;
use crate::host::Host;
use crate::notices::Notice;
use crate::peer::Peer;
use pulse::Pulse;
use table::{Room, RunningGame};
use teams::Teams;

pub(crate) use controls::{Order, Preview};

pub use crate::registry::SeatClaim;
pub use crate::secret_hash::SecretHash;
pub use controls::{Controls, HallClosed, PlayError, Playing};
pub use refusals::{RefusalReason, RefusedPlayer};
pub use table::{GameRequest, Played, SeatFor, TableId};
pub use teams::{KnownTeam, Presence, TeamId, TeamPresence};

/// Capacity of the queue of events; connections wait when it is full.
const EVENTS: usize = 256;
/// Capacity of the queue of the organiser's orders.
const ORDERS: usize = 64;

/// The settings of a hall.
#[derive(Clone, Debug)]
pub struct HallSettings {
    /// The policy for teams.
    pub admission: Admission,
    /// Maximum number of spectators at a time.
    pub max_spectators: usize,
    /// Maximum number of registered connections. At the maximum, new connections are closed.
    pub max_connections: usize,
    /// Detects stalls of this machine, which are not charged to teams.
    pub pulse: Pulse,
    /// The runtime that serves spectators; `None` for that of the games. In the programs, its thread lets games go first.
    pub gallery: Option<Handle>,
}

/// The policy that decides which teams may play in a hall.
#[derive(Clone, Debug)]
pub enum Admission {
    /// Anybody may join at any time. When the hall is full, a newcomer replaces the oldest team that is gone and has
    /// never played.
    Anybody {
        /// Maximum number of teams.
        max_teams: usize,
        /// Maximum number of teams from one IPv4 address or IPv6 network of 64 bits; loopback is exempt.
        max_per_address: usize,
        /// Names of others, such as players of the house; a team that registers under one gets it with a number.
        reserved: Vec<Name>,
    },
    /// Anybody may join while the next game has free seats. A team that leaves while it does not play loses its place.
    Lobby {
        /// Maximum number of teams.
        seats: usize,
    },
    /// Only the teams on a list may join, with their secrets. A name without a secret goes to the first connection that
    /// registers under it, with the secret of that registration, if any.
    Listed(Vec<(Name, Option<Secret>)>),
}

/// Two teams on the list have the same name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!("two teams are called {_0}", "deux équipes s'appellent {_0}"))]
pub struct SameName(pub Name);

/// The hall: keeps teams and spectators connected while games are played at tables.
///
/// The hall, each game and the audience are tasks of their own. The hall never waits for a peer: connections send it
/// events, and games, which wait for nothing without a deadline, receive its commands.
#[derive(Debug)]
pub struct Hall {
    room: Room,
    events: mpsc::Receiver<Event>,
    orders: mpsc::Receiver<Order>,
    teams: Teams,
    told: watch::Sender<Vec<TeamPresence>>,
    refused: watch::Sender<Vec<RefusedPlayer>>,
    /// Number of tables and previews so far; the last number given to one.
    tables: u64,
    running: BTreeMap<TableId, RunningGame>,
    games: JoinSet<Played>,
    /// The table of each game's task.
    tasks: BTreeMap<task::Id, TableId>,
    audience: Audience,
    gallery: Option<Handle>,
    max_spectators: usize,
    /// The spectators' connections.
    spectators: BTreeSet<u64>,
    /// Number of spectators so far; the last number given to one.
    numbers: u64,
    /// The table that spectators see; `None` while no game is played.
    shown: Option<TableId>,
    /// The table that the organiser wants shown; `None` for any.
    featured: Option<TableId>,
    /// The state that spectators see while no game is played, and its scene.
    preview: Option<(Preview, SceneSender)>,
    closing: bool,
}

/// Offset of the scene numbers of lobbies, beyond the numbers of tables.
const LOBBY: u64 = 1 << 63;

impl Hall {
    /// Creates an empty hall and its controls. `salt` is a secret random number.
    ///
    /// # Errors
    ///
    /// When two teams on the list have the same name.
    pub fn new(settings: HallSettings, salt: u64) -> Result<(Self, Controls), SameName> {
        let (event_sender, events) = mpsc::channel(EVENTS);
        let (order_sender, orders) = mpsc::channel(ORDERS);
        let gallery = settings.gallery;
        let host = Host::new(event_sender, settings.max_connections, gallery.clone());
        let teams = Teams::new(settings.admission, salt)?;
        let (told, told_receiver) = watch::channel(teams.presence());
        let (refused, refused_receiver) = watch::channel(Vec::new());
        let controls = Controls {
            host: host.clone(),
            orders: order_sender,
            teams: told_receiver,
            refused: refused_receiver,
        };
        let hall = Self {
            room: Room { host, pulse: settings.pulse, silence: Arc::default() },
            events,
            orders,
            teams,
            told,
            refused,
            tables: 0,
            running: BTreeMap::new(),
            games: JoinSet::new(),
            tasks: BTreeMap::new(),
            audience: Audience::default(),
            gallery,
            max_spectators: settings.max_spectators,
            spectators: BTreeSet::new(),
            numbers: 0,
            shown: None,
            featured: None,
            preview: None,
            closing: false,
        };
        Ok((hall, controls))
    }

    /// Keeps the places of teams that have played in an earlier run, with the same `salt`. Call it before [`run`](Self::run).
    pub fn restore(&mut self, teams: Vec<KnownTeam>) {
        self.teams.restore(teams);
        self.tell_who_is_there();
    }

    /// Runs the hall until it is told to close or all its controls are dropped. Then stops the running games and sends
    /// `quit` to all peers.
    pub async fn run(mut self) {
        let run = self.audience.clone().run();
        let audience = match &self.gallery {
            Some(gallery) => gallery.spawn(run),
            None => tokio::spawn(run),
        };
        while !self.closing || !self.games.is_empty() {
            tokio::select! {
                Some(event) = self.events.recv() => self.handle(event).await,
                Some(ended) = self.games.join_next_with_id() => self.end_table(ended).await,
                order = self.orders.recv(), if !self.closing => match order {
                    Some(order) => self.obey(order).await,
                    None => self.close_tables(),
                },
                () = self.room.silence.notified() => {}
            }
            self.tell_who_is_there();
        }
        self.events.close();
        while let Ok(event) = self.events.try_recv() {
            if let Event::Registered(peer, _) = event {
                peer.quit();
            }
        }
        self.teams.quit();
        self.audience.close();
        if audience.await.is_err() {
            log!(error, "the audience broke off", "la diffusion s'est arrêtée");
        }
        self.room.host.close().await;
    }

    async fn obey(&mut self, order: Order) {
        match order {
            Order::Play(table, answer) => {
                let playing = self.start_table(*table).await;
                // The organiser may have dropped its request; the game is played all the same.
                let _ = answer.send(playing);
            }
            Order::Feature(table) => {
                self.featured = table;
                self.show_table().await;
            }
            Order::Preview(preview) => self.show_preview(preview),
            Order::Limit(teams) => self.teams.set_limit(teams),
            Order::Dismiss => self.teams.quit(),
            Order::Close => self.close_tables(),
        }
    }

    /// Stops all games, and accepts no new ones.
    fn close_tables(&mut self) {
        self.closing = true;
        self.orders.close();
        for table in self.running.values() {
            table.stop.cancel();
        }
    }

    async fn handle(&mut self, event: Event) {
        match event {
            Event::Registered(peer, _) if self.closing => peer.quit(),
            Event::Registered(peer, registration) => match registration.role {
                Role::Player => self.add_player(&peer, registration).await,
                Role::Spectator => self.add_spectator(peer, &registration).await,
            },
            Event::Left(peer) => self.remove(peer).await,
        }
    }

    async fn add_player(&mut self, peer: &Arc<Peer>, registration: Registration) {
        let name = registration.name.clone();
        peer.inbox.tell_of_silence(Arc::clone(&self.room.silence));
        match self.teams.register(peer, registration, Instant::now()) {
            Ok((team, playing)) => {
                log!(info, "{team} is there, at {}", "{team} est là, depuis {}", peer.address);
                self.refused.send_if_modified(|list| refusals::forget(list, &team, peer.address));
                if let Some((table, colour)) = playing {
                    let command = Command::Seat(colour.index(), Arc::clone(peer));
                    self.tell_table(table, command).await;
                }
            }
            Err(reason) => {
                peer.refuse(&Notice::not_admitted(name.clone(), &reason));
                let refused = RefusedPlayer { name, address: peer.address, reason };
                self.refused.send_if_modified(|list| refusals::note(list, refused));
            }
        }
    }

    async fn add_spectator(&mut self, peer: Arc<Peer>, registration: &Registration) {
        let name = &registration.name;
        let reason = if peer.door.is_some() {
            Some(word("this door is for a player", "cette adresse est réservée à un joueur"))
        } else if self.spectators.len() >= self.max_spectators {
            Some(word("there are too many spectators", "il y a trop de spectateurs"))
        } else {
            None
        };
        if let Some(reason) = reason {
            return peer.refuse(&Notice::not_admitted(name.clone(), &reason));
        }
        log!(info, "{name} at {} looks on", "{name} regarde, depuis {}", peer.address);
        peer.place.accept();
        self.numbers += 1;
        self.spectators.insert(peer.id);
        self.audience.join(peer, self.numbers);
        match (self.shown, &self.preview) {
            (Some(table), _) => {
                let stage = self.audience.stage(table.0);
                self.tell_table(table, Command::Show(Some(stage))).await;
            }
            (None, Some((Preview { maze, state }, stage))) => stage.open(maze.as_deref(), state),
            (None, None) => {}
        }
    }

    async fn remove(&mut self, peer: u64) {
        if self.spectators.remove(&peer) {
            self.audience.leave(peer);
        } else if let Some((team, playing)) = self.teams.leave(peer) {
            log!(info, "{team} is gone", "{team} n'est plus là");
            if let Some((table, _)) = playing {
                self.tell_table(table, Command::Leave(peer)).await;
            }
        }
    }

    /// Sends a command to a table, unless its game is over.
    async fn tell_table(&self, table: TableId, command: Command) {
        if let Some(table) = self.running.get(&table) {
            let _ = table.commands.send(command).await;
        }
    }

    async fn start_table(&mut self, table: GameRequest) -> Result<Playing, PlayError> {
        self.teams.check(&table.seats)?;
        self.tables += 1;
        let id = TableId(self.tables);
        let (driver, running, playing) = table::set(table, &mut self.teams, id, &self.room);
        self.running.insert(id, running);
        // The spectators move before the first turn, so that they see the game from its start.
        self.show_table().await;
        let task = self.games.spawn(driver.play()).id();
        self.tasks.insert(task, id);
        Ok(playing)
    }

    async fn end_table(&mut self, ended: Result<(task::Id, Played), JoinError>) {
        let (task, played) = match ended {
            Ok((task, played)) => (task, Some(played)),
            Err(failure) => {
                log!(error, "a game broke off: {failure}", "une partie s'est arrêtée : {failure}");
                (failure.id(), None)
            }
        };
        let Some(id) = self.tasks.remove(&task) else { return };
        let Some(running) = self.running.remove(&id) else { return };
        running.house.iter().for_each(|peer| peer.quit());
        self.teams.end(id);
        self.show_table().await;
        // The teams must be listed as free before the outcome is sent.
        self.tell_who_is_there();
        if let Some(played) = played {
            // The receiver may be dropped.
            let _ = running.ended.send(played);
        }
    }

    /// Moves the spectators to the first of these tables with a running game: the featured one, the current one, the
    /// oldest one.
    async fn show_table(&mut self) {
        let runs = |id: &TableId| self.running.contains_key(id);
        let oldest = self.running.keys().next().copied();
        let next = self.featured.filter(runs).or(self.shown.filter(runs)).or(oldest);
        if next == self.shown {
            return;
        }
        if let Some(shown) = self.shown.take() {
            self.tell_table(shown, Command::Show(None)).await;
        }
        self.shown = next;
        let Some(next) = next else { return };
        self.preview = None;
        let stage = self.audience.stage(next.0);
        self.tell_table(next, Command::Show(Some(stage))).await;
    }

    /// Shows spectators a state while no game is played.
    fn show_preview(&mut self, preview: Preview) {
        if self.shown.is_some() {
            return;
        }
        self.tables += 1;
        let stage = self.audience.stage(LOBBY + self.tables);
        stage.open(preview.maze.as_deref(), &preview.state);
        self.preview = Some((preview, stage));
    }

    fn tell_who_is_there(&self) {
        self.told.send_if_modified(|known| self.teams.update(known));
    }
}
