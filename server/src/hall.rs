//! A hall (*salle*): teams that stay connected play games at many tables, one game after the other.
//!
//! [`Hall`] is one task that knows the teams and the spectators, whatever they are connected through;
//! at each [`GameRequest`] a driver plays one game, whose seats the hall gives out. [`Controls`] is what an
//! organiser sees and says.

mod controls;
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

use crate::audience::{Audience, Stage};
use crate::connection::Event;
use crate::driver::Command;
use crate::host::Host;
use crate::link::Link;
use crate::notices::Notice;
use crate::pulse::Pulse;
use controls::Order;
use table::{Room, Running};
use teams::Teams;

pub(crate) use controls::Preview;

pub use controls::{Controls, HallClosed, PlayError, Playing};
pub use table::{GameRequest, Played, SeatFor, TableId};
pub use teams::{Presence, TeamId, TeamPresence};

/// Events that wait for the hall; whoever has one more waits with it.
const EVENTS: usize = 256;
/// Orders of the organiser that wait.
const ORDERS: usize = 64;

/// Who is let in, and how many.
#[derive(Clone, Debug)]
pub struct HallSettings {
    /// Who may play.
    pub admission: Admission,
    /// The most spectators at a time.
    pub max_spectators: usize,
    /// Maximum number of connections that have registered. At the maximum, new ones are closed.
    pub max_connections: usize,
    /// Watches whether this machine runs: what it could not do in time is no fault of a team's.
    pub pulse: Pulse,
    /// Where spectators are served; without it, where games are. See [`background`](crate::background).
    pub gallery: Option<Handle>,
}

/// Who may play in a hall.
#[derive(Clone, Debug)]
pub enum Admission {
    /// Whoever comes, at any time, up to a maximum of teams. When there are more, those make room, oldest
    /// first, that are gone and have never played.
    Anybody {
        /// The most teams.
        max_teams: usize,
        /// The most teams from one address, or from one IPv6 network of 64 bits; loopback is exempt.
        max_per_address: usize,
        /// Names that belong to others, as players of the house: who wants one gets it with a number.
        reserved: Vec<Name>,
    },
    /// Whoever comes while there are seats for the next game. Who goes while it does not play leaves its place.
    Lobby {
        /// The most teams.
        seats: usize,
    },
    /// The teams on a list and no others, with the secret that the list gives them. Who comes first under
    /// a name without one may have it, and may bring a secret.
    Listed(Vec<(Name, Option<Secret>)>),
}

/// Two teams on the list have the same name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!("two teams are called {_0}", "deux équipes s'appellent {_0}"))]
pub struct SameName(pub Name);

/// Where teams and spectators stay while games are played at tables.
///
/// It is one task, each game another one, and the audience a third. It waits for nobody: connections hand it events,
/// and games, which wait for nothing without a deadline, take its commands.
#[derive(Debug)]
pub struct Hall {
    room: Room,
    events: mpsc::Receiver<Event>,
    orders: mpsc::Receiver<Order>,
    teams: Teams,
    told: watch::Sender<Vec<TeamPresence>>,
    /// How many tables there have been.
    tables: u64,
    running: BTreeMap<TableId, Running>,
    games: JoinSet<Played>,
    /// The table of each task.
    tasks: BTreeMap<task::Id, TableId>,
    audience: Audience,
    gallery: Option<Handle>,
    max_spectators: usize,
    /// The connections of spectators.
    spectators: BTreeSet<u64>,
    /// How many spectators there have been.
    numbers: u64,
    /// The table that spectators see.
    shown: Option<TableId>,
    /// The table that spectators are to see.
    featured: Option<TableId>,
    /// What they see while no game is played, and its scene.
    preview: Option<(Preview, Stage)>,
    closing: bool,
}

/// The scenes of lobbies, which are no tables.
const LOBBY: u64 = 1 << 63;

impl Hall {
    /// A hall with nobody in it, and what controls it. `salt` is a number that nobody knows.
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
        let controls = Controls::new(host.clone(), order_sender, told_receiver);
        let hall = Self {
            room: Room { host, pulse: settings.pulse, silence: Arc::default() },
            events,
            orders,
            teams,
            told,
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

    /// Receives teams and spectators and lets games be played, until it is told to close or nobody
    /// controls it any more. Then the games that are played end as they are, and everybody is told
    /// goodbye.
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
            if let Event::Registered(link, _) = event {
                link.quit();
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
                // Who asked may be gone; the game is played all the same.
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

    /// Ends all games; there will be no others.
    fn close_tables(&mut self) {
        self.closing = true;
        self.orders.close();
        for table in self.running.values() {
            table.stop.cancel();
        }
    }

    async fn handle(&mut self, event: Event) {
        match event {
            Event::Registered(link, _) if self.closing => link.quit(),
            Event::Registered(link, registration) => match registration.role {
                Role::Player => self.add_player(&link, registration).await,
                Role::Spectator => self.add_spectator(link, &registration).await,
            },
            Event::Left(link) => self.remove(link).await,
        }
    }

    async fn add_player(&mut self, link: &Arc<Link>, registration: Registration) {
        let name = registration.name.clone();
        link.inbox.tell_of_silence(Arc::clone(&self.room.silence));
        match self.teams.register(link, registration, Instant::now()) {
            Ok((team, playing)) => {
                log!(info, "{team} is there, at {}", "{team} est là, à {}", link.address);
                if let Some((table, colour)) = playing {
                    let command = Command::Seat(colour.index(), Arc::clone(link));
                    self.tell_table(table, command).await;
                }
            }
            Err(reason) => link.refuse(&Notice::not_admitted(name, &reason)),
        }
    }

    async fn add_spectator(&mut self, link: Arc<Link>, registration: &Registration) {
        let name = &registration.name;
        if link.door.is_some() {
            let notice = Notice::not_admitted(
                name.clone(),
                &word("this door is for a player", "cette porte est pour un joueur"),
            );
            return link.refuse(&notice);
        }
        if self.spectators.len() >= self.max_spectators {
            let notice = Notice::not_admitted(
                name.clone(),
                &word("there are too many spectators", "il y a trop de spectateurs"),
            );
            return link.refuse(&notice);
        }
        log!(info, "{name} at {} looks on", "{name}, à {}, regarde", link.address);
        link.place.accept();
        self.numbers += 1;
        self.spectators.insert(link.id);
        self.audience.join(link, self.numbers);
        match (self.shown, &self.preview) {
            (Some(table), _) => {
                let stage = self.audience.stage(table.0);
                self.tell_table(table, Command::Show(Some(stage))).await;
            }
            (None, Some((Preview { maze, state }, stage))) => stage.open(maze.as_deref(), state),
            (None, None) => {}
        }
    }

    async fn remove(&mut self, link: u64) {
        if self.spectators.remove(&link) {
            self.audience.leave(link);
        } else if let Some((team, playing)) = self.teams.leave(link) {
            log!(info, "{team} is gone", "{team} est parti");
            if let Some((table, _)) = playing {
                self.tell_table(table, Command::Leave(link)).await;
            }
        }
    }

    /// Hands a command on to a table. One whose game is over minds no more.
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
        // Before its first turn: spectators see the game from its start.
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
        running.dismiss_house();
        self.teams.end(id);
        self.show_table().await;
        // The teams are seen to be free before anybody hears how it ended.
        self.tell_who_is_there();
        if let Some(played) = played {
            // Nobody may wait for it any more.
            let _ = running.ended.send(played);
        }
    }

    /// Moves the spectators on if they are to see another table: the one that is featured, or else the
    /// one that they see already, or else the one that has been played at for longest.
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
