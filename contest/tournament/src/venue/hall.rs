//! A hall on a network, to which teams connect from their own machines.

mod attendance;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use arena::EndReason;
use arena::hall::{Controls, PlayError, RefusedPlayer, SeatFor, TableId, TeamPresence};
use plan::{Fixture, Job, Key, Outcome, Plan};
use protocol::Name;
use tokio::sync::watch;

use super::{HostFault, Ticket, Venue, house_seat, request};
use crate::faults::{self, PlayedGame, Start};
use crate::featured::FeaturedGame;
use attendance::HallAttendance;

/// Games between teams that connect to a [`arena::hall`].
///
/// A team plays one game at a time. A game starts when each of its teams is free, and present or absent for too long.
#[derive(Debug)]
pub struct HallVenue {
    hall: Controls,
    featured: FeaturedGame,
    tempo: Duration,
    patience: Duration,
    pub(crate) attendance: HallAttendance,
    teams: watch::Receiver<Vec<TeamPresence>>,
    refused: watch::Receiver<Vec<RefusedPlayer>>,
    /// The refused players when [`new_refusals`](Venue::new_refusals) was called last.
    known_refused: Option<Vec<RefusedPlayer>>,
    /// The teams when [`new_teams`](Venue::new_teams) was called last.
    known_teams: Option<Vec<TeamPresence>>,
    tables: Tables,
}

/// The tables of the games in progress.
type Tables = Arc<Mutex<BTreeMap<Key, TableId>>>;

impl HallVenue {
    /// A venue in `hall` that shows the `featured` game. A turn lasts at least `tempo`. The games of an absent team
    /// wait at most `patience` for it; then they are played without it.
    #[must_use]
    pub fn new(
        hall: Controls,
        featured: FeaturedGame,
        tempo: Duration,
        patience: Duration,
    ) -> Self {
        let (teams, refused) = (hall.teams(), hall.refused());
        Self {
            hall,
            featured,
            tempo,
            patience,
            attendance: HallAttendance::default(),
            teams,
            refused,
            // That nobody is refused is no news.
            known_refused: Some(Vec::new()),
            known_teams: None,
            tables: Tables::default(),
        }
    }
}

impl Venue for HallVenue {
    const ATTEMPTS: u32 = 3;
    const PAUSE: Duration = Duration::ZERO;

    fn play(
        &mut self,
        job: Job,
        ticket: Ticket,
    ) -> impl Future<Output = Result<Outcome, HostFault>> + Send + 'static {
        let rules = job.rules.rules();
        let seats = job.seats.iter().map(|seat| {
            let of_team = || match self.attendance.team(&seat.name) {
                Some(team) => SeatFor::Team(team),
                None => SeatFor::Nobody(Name::new(&seat.name)),
            };
            Ok(house_seat(seat, rules)?.unwrap_or_else(of_team))
        });
        let seats: Result<Vec<_>, HostFault> = seats.collect();
        let request = seats.map(|seats| request(&job, seats, self.tempo, job.deadline));
        self.attendance.occupy(&job);
        let (hall, featured, tables) =
            (self.hall.clone(), self.featured.clone(), self.tables.clone());
        async move {
            let (request, observations) = request?;
            let playing = hall.play(request).await.map_err(|refusal| match refusal {
                PlayError::Closed(_) => HostFault::Closed,
                refusal => HostFault::NotReady(refusal.to_string()),
            })?;
            let (began, start) = (SystemTime::now(), Instant::now());
            let set = |table: Option<TableId>| {
                let mut tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
                match table {
                    Some(table) => tables.insert(job.key, table),
                    None => tables.remove(&job.key),
                }
            };
            set(Some(playing.table));
            let recording = tokio::spawn(featured.record(job.key, observations, Vec::new()));
            ticket.begun();
            ticket.running(playing.progress.clone());
            let stop = playing.stop.clone();
            let mut ended = std::pin::pin!(playing.ended());
            let (played, was_stopped) = tokio::select! {
                played = &mut ended => (played, false),
                () = ticket.stop.cancelled() => {
                    stop.cancel();
                    (ended.await, true)
                }
            };
            set(None);
            if was_stopped {
                return Err(HostFault::Stopped);
            }
            // The game broke off; if the hall is closed, the next one will find out.
            let played = played.map_err(|_| HostFault::NoResult)?;
            let recording = recording.await.unwrap_or_default();
            let starts = job.seats.each_ref().map(|seat| match seat.bot() {
                Some(_) => Start::House,
                None => Start::Remote,
            });
            let took = start.elapsed();
            let result = played.result;
            let game = PlayedGame { job: &job, result, recording, began, took, cores: None };
            let outcome = Box::new(game.outcome(&starts, &[const { Vec::new() }; 4]));
            if played.end != EndReason::Finished {
                Err(HostFault::Deserted(outcome))
            } else if faults::is_spoilt(&outcome) {
                Err(HostFault::Stalled(outcome))
            } else {
                Ok(*outcome)
            }
        }
    }

    fn is_ready(&self, plan: &Plan, game: &Fixture) -> bool {
        self.attendance.can_play(plan, game, self.patience)
    }

    fn ended(&mut self, plan: &Plan, game: &Fixture) {
        self.attendance.free(plan, game);
    }

    async fn changed(&mut self) -> Result<(), HostFault> {
        let changed = tokio::select! {
            changed = self.teams.changed() => changed,
            changed = self.refused.changed() => changed,
        };
        changed.map_err(|_| HostFault::Closed)
    }

    fn new_teams(&mut self) -> Option<Vec<TeamPresence>> {
        let teams = news(&mut self.teams, &mut self.known_teams)?;
        self.attendance.see(&teams);
        Some(teams)
    }

    fn new_refusals(&mut self) -> Option<Vec<RefusedPlayer>> {
        news(&mut self.refused, &mut self.known_refused)
    }

    async fn feature(&self, game: Option<Key>) {
        let table = game.and_then(|game| {
            self.tables.lock().unwrap_or_else(PoisonError::into_inner).get(&game).copied()
        });
        self.hall.feature(table).await;
    }
}

/// The present list of a channel, if it differs from the one that was known.
fn news<T: Clone + PartialEq>(
    channel: &mut watch::Receiver<Vec<T>>,
    known: &mut Option<Vec<T>>,
) -> Option<Vec<T>> {
    let list = channel.borrow_and_update();
    if known.as_ref() == Some(&*list) {
        return None;
    }
    *known = Some(list.clone());
    known.clone()
}
