//! The state of the live page, kept up to date by events.

use crate::results;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::hall::{Presence, TeamPresence};
use arena::{Points, Progress};
use tokio::sync::watch;

use cluster::state::ClusterState;
use plan::{Fixture, Key, Note, Plan, Program, Team, Voided};
use report::About;
use report::Ranking;
use report::Results;
use report::live::state::{
    Attendance, LastFault, LastGame, LastVoid, LiveSeat, LiveState, NextMatchup, Phase,
    RunningGame, TeamState,
};
use report::live::{ResultSource, SourceError};
use tournament::event::TournamentEvent;
use tournament::featured::FeaturedGame;
use tournament::store::{Delivery, Store};
use tournament::tournament::{NextStep, SAMPLES, Scope, Tournament};

/// Pause between two computations of the ranking, as a multiple of the time of one computation.
const SHARE: u32 = 20;
/// Minimum pause between two computations of the ranking.
const PAUSE: Duration = Duration::from_millis(500);
/// Minimum pause between two pictures of the tournament for the page, which shows one every 400 ms.
const PICTURE: Duration = Duration::from_millis(200);
/// Maximum number of recent games, recent faults and next matchups on the page.
const SHOWN: usize = 12;

/// Follows the events of a tournament for the live page.
///
/// An event takes the same time however many games wait. The page is sent a picture a few times per second.
#[derive(Debug)]
pub struct Scoreboard {
    /// The last picture, whose running games and next matchups are drawn anew for each one.
    state: LiveState,
    told: watch::Sender<Arc<LiveState>>,
    featured: FeaturedGame,
    running: BTreeMap<Key, (Fixture, Option<watch::Receiver<Progress>>)>,
    /// Games of the round that have not started, soonest first.
    waiting: Queue,
    /// The places in [`LiveState::voids`] of each voided game that was not played again.
    voided: HashMap<Key, Vec<usize>>,
    /// The earliest time of the next picture.
    picture_due: Instant,
    /// True if results have arrived since the last computation of the ranking.
    is_outdated: bool,
    /// The earliest time of the next computation of the ranking.
    due: Instant,
    /// The state of the other machines; `None` if all games run on this one.
    cluster: Option<watch::Receiver<ClusterState>>,
}

impl Scoreboard {
    /// A scoreboard of a tournament that knows the featured game, and sends the state of the page through `told`.
    #[must_use]
    pub fn new(
        tournament: &Tournament,
        featured: FeaturedGame,
        told: watch::Sender<Arc<LiveState>>,
    ) -> Self {
        let ranking = Ranking::provisional(&tournament.standings(0));
        // If voids cannot be read, nothing can be recorded either, and that error is reported then.
        let voids = tournament.store().voids().unwrap_or_default();
        let line = |voided: &Voided| LastVoid::of(voided, tournament.has_played(voided.game));
        let voids: Vec<LastVoid> = voids.iter().rev().map(line).collect();
        let mut voided: HashMap<Key, Vec<usize>> = HashMap::new();
        for (place, void) in voids.iter().enumerate().filter(|(_, void)| !void.again) {
            voided.entry(void.game.key).or_default().push(place);
        }
        Self {
            state: LiveState {
                ranking,
                voids,
                teams: missing(tournament.plan(), &[]),
                ..LiveState::lobby(About::of(tournament.plan()))
            },
            told,
            featured,
            running: BTreeMap::new(),
            waiting: Queue::default(),
            voided,
            picture_due: Instant::now(),
            is_outdated: false,
            due: Instant::now(),
            cluster: None,
        }
    }

    /// Shows the machines of this cluster from now on.
    pub fn follow(&mut self, cluster: watch::Receiver<ClusterState>) {
        self.cluster = Some(cluster);
    }

    /// Sets the addresses that teams connect to, and those of the page.
    pub fn addresses(&mut self, games: Vec<String>, pages: Vec<String>) {
        (self.state.game_addresses, self.state.page_addresses) = (games, pages);
        self.tell();
    }

    /// Sets what the organiser reads of refused players when they change.
    pub fn refused(&mut self, refused: Vec<Note>) {
        self.state.refused = refused;
    }

    /// Updates the state by an event.
    pub fn take_in(&mut self, tournament: &Tournament, event: &TournamentEvent<'_>) {
        if self.told.is_closed() {
            // No page listens.
            return;
        }
        let plan = tournament.plan();
        match event {
            TournamentEvent::Round(round) => {
                self.state.about = About::of(plan);
                if self.state.phase != Phase::Paused {
                    self.state.phase = Phase::Running;
                }
                self.state.round = round.number;
                self.waiting = round.missing.iter().copied().collect();
                self.state.played = tournament.games().count();
                // The count takes a while with many teams, and only changes between rounds.
                let total = plan.schedule.games(&plan.teams, plan.conditions.seatings);
                self.state.total = usize::try_from(total).ok();
            }
            TournamentEvent::Begun(game) => {
                self.waiting.remove(game.key);
                self.running.insert(game.key, (**game, None));
            }
            TournamentEvent::Running(game, progress) => {
                if let Some((_, followed)) = self.running.get_mut(game) {
                    *followed = Some(progress.clone());
                }
            }
            TournamentEvent::Ended(outcome, delivery) => {
                self.running.remove(&outcome.key);
                // A venue that reports no start ends games that wait.
                self.waiting.remove(outcome.key);
                self.state.results.insert(0, LastGame::of(outcome));
                self.state.results.truncate(SHOWN);
                self.state.faults.splice(0..0, LastFault::of(outcome));
                self.state.faults.truncate(SHOWN);
                for place in self.voided.remove(&outcome.key).into_iter().flatten() {
                    self.state.voids[place].again = true;
                }
                self.state.played += usize::from(*delivery == Delivery::New);
                self.is_outdated = true;
            }
            TournamentEvent::Again(game, _) => {
                self.running.remove(&game.key);
                self.waiting.push_front(**game);
            }
            TournamentEvent::Teams(teams) => {
                self.state.teams = teams.iter().map(team_state).collect();
                self.state.teams.extend(missing(plan, &self.state.teams));
            }
            TournamentEvent::Refused(_) => self.state.refusals += 1,
            TournamentEvent::Paused(is_paused) => {
                self.state.phase = if *is_paused { Phase::Paused } else { Phase::Running };
            }
            TournamentEvent::Idle
            | TournamentEvent::Nobody
            | TournamentEvent::Joined(_)
            | TournamentEvent::Ending => {}
        }
        if self.is_outdated && Instant::now() >= self.due {
            self.rank(tournament);
        }
        // Events of the round and of the organiser are shown at once; an idle tournament has time.
        let is_frequent = matches!(
            event,
            TournamentEvent::Begun(_)
                | TournamentEvent::Running(..)
                | TournamentEvent::Ended(..)
                | TournamentEvent::Again(..)
                | TournamentEvent::Teams(_)
        );
        if !is_frequent || Instant::now() >= self.picture_due {
            self.refresh(plan);
            self.picture_due = Instant::now() + PICTURE;
        }
    }

    /// Shows that the tournament is over, and why unless it was stopped.
    pub fn over(&mut self, tournament: &Tournament, why: Option<&NextStep>) {
        if self.told.is_closed() {
            return;
        }
        self.state.phase = Phase::Over;
        self.state.message = why.and_then(farewell);
        self.state.ranking = Ranking::of(&tournament.standings(SAMPLES));
        self.running.clear();
        self.waiting = Queue::default();
        self.featured.set(None);
        self.state.played = tournament.games().count();
        self.refresh(tournament.plan());
    }

    /// Updates the running games and the next matchups.
    fn refresh(&mut self, plan: &Plan) {
        // Games on other machines cannot be watched.
        let featured = self.featured.get().filter(|_| self.cluster.is_none());
        let running = |(key, (game, progress)): (&Key, &(Fixture, Option<_>))| {
            let progress: Option<&watch::Receiver<Progress>> = progress.as_ref();
            let progress = progress.map(|progress| progress.borrow().clone()).unwrap_or_default();
            let points = progress.points.iter().map(|points| match points {
                Points::Whole(points) => *points,
                Points::Cheese(_) => 0,
            });
            let points = points.chain(std::iter::repeat(0));
            let seats = plan.names(&game.matchup, game.seating).into_iter().zip(game.seating.0);
            let seats = seats.zip(points).map(|((team, member), points)| {
                let house = plan.member(&game.matchup, member).is_none();
                LiveSeat { team, house, points }
            });
            RunningGame {
                key: *key,
                map: plan.maps[game.matchup.map].name.clone(),
                seats: seats.collect(),
                turn: progress.elapsed,
                turns: plan.conditions.turns,
                featured: featured == Some(*key),
            }
        };
        self.state.running = self.running.iter().map(running).collect();
        let mut next: Vec<NextMatchup> = Vec::new();
        for game in self.waiting.iter() {
            if next.len() >= SHOWN {
                break;
            }
            let map = plan.maps[game.matchup.map].name.clone();
            let teams = game.matchup.group.teams().iter();
            let matchup =
                NextMatchup { map, teams: teams.map(|&t| plan.teams[t].name.clone()).collect() };
            if next.last() != Some(&matchup) {
                next.push(matchup);
            }
        }
        self.state.next = next;
        self.state.cluster = self.cluster.as_ref().map(|cluster| cluster.borrow().clone());
        self.tell();
    }

    fn rank(&mut self, tournament: &Tournament) {
        let start = Instant::now();
        self.is_outdated = false;
        self.state.ranking = Ranking::provisional(&tournament.standings(0));
        self.due = Instant::now() + PAUSE.max(SHARE * start.elapsed());
    }

    fn tell(&self) {
        self.told.send_replace(Arc::new(self.state.clone()));
    }
}

/// Games in order, from which any game is removed in constant time.
#[derive(Debug, Default)]
struct Queue {
    /// The games, among them removed ones.
    games: VecDeque<Fixture>,
    /// The games that were not removed.
    waiting: HashSet<Key>,
}

impl Queue {
    fn iter(&self) -> impl Iterator<Item = &Fixture> {
        self.games.iter().filter(|game| self.waiting.contains(&game.key))
    }

    fn push_front(&mut self, game: Fixture) {
        self.games.retain(|other| other.key != game.key);
        self.games.push_front(game);
        self.waiting.insert(game.key);
    }

    fn remove(&mut self, game: Key) {
        self.waiting.remove(&game);
        let is_removed = |game: &Fixture| !self.waiting.contains(&game.key);
        while self.games.front().is_some_and(is_removed) {
            self.games.pop_front();
        }
    }
}

impl FromIterator<Fixture> for Queue {
    fn from_iter<I: IntoIterator<Item = Fixture>>(games: I) -> Self {
        let games: VecDeque<_> = games.into_iter().collect();
        Self { waiting: games.iter().map(|game| game.key).collect(), games }
    }
}

/// The remote teams of the plan that are to play and have not come since the program was started.
fn missing(plan: &Plan, known: &[TeamState]) -> Vec<TeamState> {
    let plays = |team: &&Team| team.program == Program::Remote && team.disqualified.is_none();
    let remote = plan.teams.iter().filter(plays);
    let missing = remote.filter(|team| known.iter().all(|known| known.name != team.name));
    let absent = |team: &Team| TeamState { name: team.name.clone(), presence: Attendance::Absent };
    missing.map(absent).collect()
}

fn team_state(team: &TeamPresence) -> TeamState {
    TeamState {
        name: team.name.to_string(),
        presence: match (team.presence, team.playing) {
            (Presence::Gone, _) => Attendance::Absent,
            (_, Some(_)) => Attendance::Playing,
            (_, None) => Attendance::Present,
        },
    }
}

/// The message at the end; `None` if the tournament was not settled early.
pub fn farewell(why: &NextStep) -> Option<Note> {
    let NextStep::Settled { round, team, risk } = why else { return None };
    let percent = (1000.0 * risk).ceil() / 10.0;
    let decimal = percent.to_string().replace('.', ",");
    Some(Note {
        fr: format!(
            "Décidé après la manche {round} : {team} est la meilleure ; le risque d'erreur est d'au plus {decimal} %."
        ),
        en: format!(
            "Settled after round {round}: {team} is the best; the risk of an error is at most {percent} %."
        ),
    })
}

/// The results in the file of a tournament that another thread plays.
#[derive(Debug)]
pub struct FileResults {
    path: PathBuf,
    scope: watch::Receiver<Scope>,
}

impl FileResults {
    /// The results of this tournament.
    #[must_use]
    pub fn new(tournament: &Tournament) -> Self {
        Self { path: tournament.store().path().to_owned(), scope: tournament.scope() }
    }
}

impl ResultSource for FileResults {
    fn recording(&self, game: Key) -> Result<Option<Vec<u8>>, SourceError> {
        Ok(Store::look(&self.path)?.recording(game)?)
    }

    fn results(&self) -> Result<Results, SourceError> {
        let scope = self.scope.borrow().clone();
        Ok(results::results(&scope, &Store::look(&self.path)?)?)
    }
}

#[cfg(test)]
mod tests {
    use plan::{Group, Matchup, Seating};

    use super::*;

    #[test]
    fn queue_keeps_its_order_when_games_are_removed() {
        let game = |number: u8| Fixture {
            key: Key::from_bytes([number; 16]),
            matchup: Matchup { round: 1, map: 0, group: Group::new(&[0]).unwrap() },
            seating: Seating([0, 1, 2, 3]),
        };
        let mut queue: Queue = (1..=5).map(game).collect();
        let keys =
            |queue: &Queue| queue.iter().map(|game| game.key.as_bytes()[0]).collect::<Vec<_>>();
        queue.remove(game(3).key);
        queue.remove(game(9).key);
        assert_eq!(keys(&queue), [1, 2, 4, 5]);
        queue.push_front(game(4));
        queue.push_front(game(7));
        assert_eq!(keys(&queue), [7, 4, 1, 2, 5]);
    }
}
