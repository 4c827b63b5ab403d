//! A hall (*salle*): teams that stay connected play games at many tables, one game after the other.
//!
//! [`Hall`] is one task that knows the teams and the spectators, whatever they are connected through;
//! each [`Table`] is an arena of one game, whose seats the hall gives out. [`Controls`] is what an
//! organiser sees and says.

mod controls;
mod table;
mod teams;

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::{Name, Registration, Role, Secret};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::task::{self, JoinError, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use crate::connection::{Event, Link};
use crate::host::Host;
use controls::Order;
use teams::Teams;

pub use controls::{Controls, Gone, PlayError, Playing};
pub use table::{Played, SeatFor, Table, TableId};
pub use teams::{Presence, TeamId, TeamPresence};

/// Events that wait for the hall; whoever has one more waits with it.
const EVENTS: usize = 256;
/// Orders of the organiser that wait.
const ORDERS: usize = 64;

/// Who is let in, and how many.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who may play.
    pub admission: Admission,
    /// The most spectators at a time.
    pub max_spectators: usize,
    /// Maximum number of connections that have registered. While so many are there, new ones are closed.
    pub max_connections: usize,
}

/// Who may play in a hall.
#[derive(Clone, Debug)]
pub enum Admission {
    /// Whoever comes, at any time: so many teams at most. When there are more, those make room, oldest
    /// first, that are gone and have never played.
    Anybody {
        /// The most teams.
        max_teams: usize,
        /// The most teams from one address, or from one IPv6 network of 64 bits; loopback is exempt.
        max_per_address: usize,
        /// Names that belong to others, as players of the house: who wants one gets it with a number.
        reserved: Vec<Name>,
    },
    /// The teams on a list and no others, with the secret that the list gives them. Who comes first under
    /// a name without one may have it, and may bring a secret.
    Listed(Vec<(Name, Option<Secret>)>),
}

/// Two teams on the list have the same name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two teams are called {0}")]
pub struct SameName(pub Name);

/// Where teams and spectators stay while games are played at tables.
///
/// It is one task, and each table another one. It waits for nobody: connections hand it events, and
/// tables, which wait for nothing without a deadline, take what it hands on to them.
#[derive(Debug)]
pub struct Hall {
    host: Host,
    events: mpsc::Receiver<Event>,
    orders: mpsc::Receiver<Order>,
    teams: Teams,
    told: watch::Sender<Vec<TeamPresence>>,
    /// Told by tables when a player falls silent, or answers again.
    silence: Arc<Notify>,
    /// How many tables there have been.
    tables: u64,
    running: BTreeMap<TableId, Running>,
    games: JoinSet<Option<Played>>,
    spectators: Vec<(Arc<Link>, u64)>,
    max_spectators: usize,
    /// How many spectators there have been.
    numbers: u64,
    /// The table that spectators see.
    shown: Option<TableId>,
    /// The table that spectators are to see.
    featured: Option<TableId>,
    closing: bool,
}

/// A table at which a game is played.
#[derive(Debug)]
struct Running {
    task: task::Id,
    events: mpsc::Sender<Event>,
    stop: CancellationToken,
    ended: oneshot::Sender<Played>,
}

impl Hall {
    /// A hall with nobody in it, and what controls it. `salt` is a number that nobody knows.
    ///
    /// # Errors
    ///
    /// When two teams on the list have the same name.
    pub fn new(settings: Settings, salt: u64) -> Result<(Self, Controls), SameName> {
        let (event_sender, events) = mpsc::channel(EVENTS);
        let (order_sender, orders) = mpsc::channel(ORDERS);
        let host = Host::new(event_sender, settings.max_connections);
        let teams = Teams::new(settings.admission, salt)?;
        let (told, told_receiver) = watch::channel(teams.presence());
        let controls = Controls::new(host.clone(), order_sender, told_receiver);
        let hall = Self {
            host,
            events,
            orders,
            teams,
            told,
            silence: Arc::default(),
            tables: 0,
            running: BTreeMap::new(),
            games: JoinSet::new(),
            spectators: Vec::new(),
            max_spectators: settings.max_spectators,
            numbers: 0,
            shown: None,
            featured: None,
            closing: false,
        };
        Ok((hall, controls))
    }

    /// Receives teams and spectators and lets games be played, until it is told to close or nobody
    /// controls it any more. Then the games that are played end as they are, and everybody is told
    /// goodbye.
    pub async fn run(mut self) {
        while !self.closing || !self.games.is_empty() {
            tokio::select! {
                Some(event) = self.events.recv() => self.handle(event).await,
                Some(ended) = self.games.join_next_with_id() => self.end_table(ended).await,
                order = self.orders.recv(), if !self.closing => match order {
                    Some(Order::Play(table, answer)) => {
                        let playing = self.start_table(*table).await;
                        // Who asked may be gone; the game is played all the same.
                        let _ = answer.send(playing);
                    }
                    Some(Order::Feature(table)) => {
                        self.featured = table;
                        self.show_table().await;
                    }
                    Some(Order::Close) | None => self.close_tables(),
                },
                () = self.silence.notified() => {}
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
        for (link, _) in &self.spectators {
            link.quit();
        }
        self.host.close().await;
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
            // Between two games, a team that was silent has answered the last state.
            Event::Answered => {}
            Event::Seated(..) | Event::Shown(..) | Event::Released(..) => {
                debug_assert!(false, "only a hall says so, to a table");
            }
        }
    }

    async fn add_player(&mut self, link: &Arc<Link>, registration: Registration) {
        let name = registration.name.clone();
        match self.teams.register(link, registration, Instant::now()) {
            Ok((team, playing)) => {
                info!("{team} is there, at {}", link.address);
                if let Some((table, colour)) = playing {
                    self.tell_table(table, Event::Seated(colour, Arc::clone(link))).await;
                }
            }
            Err(reason) => {
                info!("{name} at {} is refused: {reason}", link.address);
                link.refuse();
            }
        }
    }

    async fn add_spectator(&mut self, link: Arc<Link>, registration: &Registration) {
        if self.spectators.len() >= self.max_spectators {
            info!("{} at {} is refused: too many spectators", registration.name, link.address);
            return link.refuse();
        }
        info!("{} at {} looks on", registration.name, link.address);
        link.place.accept();
        self.numbers += 1;
        self.spectators.push((Arc::clone(&link), self.numbers));
        if let Some(table) = self.shown {
            self.tell_table(table, Event::Shown(link, self.numbers)).await;
        }
    }

    async fn remove(&mut self, link: u64) {
        if let Some(index) = self.spectators.iter().position(|(known, _)| known.id == link) {
            self.spectators.remove(index);
            if let Some(table) = self.shown {
                self.tell_table(table, Event::Left(link)).await;
            }
        } else if let Some((team, playing)) = self.teams.leave(link) {
            info!("{team} is gone");
            if let Some((table, _)) = playing {
                self.tell_table(table, Event::Left(link)).await;
            }
        }
    }

    /// Hands an event on to a table. One whose game is over minds no more.
    async fn tell_table(&self, table: TableId, event: Event) {
        if let Some(table) = self.running.get(&table) {
            let _ = table.events.send(event).await;
        }
    }

    async fn start_table(&mut self, table: Table) -> Result<Playing, PlayError> {
        self.teams.check(&table.seats)?;
        self.tables += 1;
        let id = TableId(self.tables);
        let (ended, receiver) = oneshot::channel();
        let silence = Arc::clone(&self.silence);
        let table::Set { arena, controls, house } = table::set(table, &mut self.teams, id, silence);
        let playing = Playing::new(id, controls.progress, controls.shutdown.clone(), receiver);
        let events = controls.host.events();
        let task = self.games.spawn(table::play(arena, house, controls.results)).id();
        let running = Running { task, events, stop: controls.shutdown, ended };
        self.running.insert(id, running);
        self.show_table().await;
        Ok(playing)
    }

    async fn end_table(&mut self, ended: Result<(task::Id, Option<Played>), JoinError>) {
        let (task, played) = match ended {
            Ok(ended) => ended,
            Err(failure) => {
                error!("a game broke off: {failure}");
                (failure.id(), None)
            }
        };
        let id = self.running.iter().find(|(_, running)| running.task == task).map(|(id, _)| *id);
        let Some((id, running)) = id.and_then(|id| Some((id, self.running.remove(&id)?))) else {
            return;
        };
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
            let (done, released) = oneshot::channel();
            self.tell_table(shown, Event::Released(done)).await;
            // If its game is over it has forgotten them.
            let _ = released.await;
        }
        self.shown = next;
        let Some(next) = next else { return };
        for (link, number) in self.spectators.clone() {
            self.tell_table(next, Event::Shown(link, number)).await;
        }
    }

    fn tell_who_is_there(&self) {
        let now = self.teams.presence();
        self.told.send_if_modified(|known| {
            let has_changed = *known != now;
            *known = now;
            has_changed
        });
    }
}
