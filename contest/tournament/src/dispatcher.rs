//! Plays a round: hands its games out to a venue, repeats those that the host spoils, and records results.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::iter;
use std::slice;
use std::time::Duration;

use arena::hall::SeatClaim;
use language::said;
use plan::OrganiserAction;
use plan::schedule::ScheduleError;
use plan::{Fixture, Key, Matchup, Outcome};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tracing::debug;

use crate::event::TournamentEvent;
use crate::featured::FeaturedGame;
use crate::store::{Attempt, StoreError};
use crate::tournament::{NextStep, RoundToPlay, Tournament};
use crate::venue::{GameEvent, HostFault, Ticket, Venue};

/// Pause without any event after which [`TournamentEvent::Idle`] is sent.
pub(crate) const IDLE: Duration = Duration::from_millis(500);
/// Maximum number of results written in one transaction.
const TOGETHER: usize = 64;
/// Delay before a retry of a game whose players were not ready.
const NOT_READY: Duration = Duration::from_millis(50);

/// Options of a dispatcher.
#[derive(Clone, Debug)]
pub struct DispatchOptions {
    /// The number of games to play at the same time.
    pub parallel: usize,
    /// Stop when a team is shown to be the best with this confidence; see [`Tournament::next`].
    pub until: Option<f64>,
    /// Stops the tournament and abandons the running games.
    pub stop: CancellationToken,
}

/// The end of a run of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEnd {
    /// All rounds are played, or the winner is settled.
    Over(NextStep),
    /// The organiser ended the tournament, or it was stopped.
    Stopped,
}

/// The reason why a tournament cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A result cannot be recorded.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game cannot be played, and no team is to blame.
    #[error("{}", said!(
        "a game could not be played, and no team is to blame: {_0}",
        "une partie n'a pas pu être jouée, et aucune équipe n'est en cause : {_0}"
    ))]
    Host(HostFault),
    /// No schedule is possible with the teams that have connected.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The tournament waits for its start, but no organiser is left to start it.
    #[error("{}", said!("nobody can start the tournament", "personne ne peut commencer le tournoi"))]
    Unattended,
}

/// Plays rounds of a tournament at a venue, and reports events to `T`.
pub struct Dispatcher<'a, V, T> {
    pub(crate) tournament: &'a mut Tournament,
    pub(crate) venue: V,
    featured: FeaturedGame,
    pub(crate) options: DispatchOptions,
    pub(crate) actions: mpsc::Receiver<OrganiserAction>,
    tell: T,
    paused: bool,
    ending: bool,
    /// The claims of teams that are in the file.
    claims: BTreeMap<String, SeatClaim>,
    /// The channel of the games' news. It outlasts rounds: other machines may send evidence between two of them.
    sender: mpsc::UnboundedSender<GameEvent>,
    news: mpsc::UnboundedReceiver<GameEvent>,
}

impl<'a, V: Venue, T: FnMut(&Tournament, TournamentEvent<'_>)> Dispatcher<'a, V, T> {
    /// A dispatcher that shows the featured game and obeys the organiser's actions.
    pub fn new(
        tournament: &'a mut Tournament,
        venue: V,
        featured: FeaturedGame,
        options: DispatchOptions,
        actions: mpsc::Receiver<OrganiserAction>,
        tell: T,
    ) -> Self {
        let (sender, news) = mpsc::unbounded_channel();
        Self {
            tournament,
            venue,
            featured,
            options,
            actions,
            tell,
            paused: false,
            ending: false,
            claims: BTreeMap::new(),
            sender,
            news,
        }
    }

    /// Plays the missing games of all rounds.
    ///
    /// # Errors
    ///
    /// When a result cannot be recorded, or the venue cannot play. Recorded results are kept.
    pub async fn run(self) -> Result<RunEnd, RunError> {
        self.run_rounds(|this| Ok(this.tournament.next(this.options.until))).await
    }

    /// Plays rounds as long as there is a next one.
    pub(crate) async fn run_rounds(
        mut self,
        next: impl Fn(&mut Self) -> Result<NextStep, RunError>,
    ) -> Result<RunEnd, RunError> {
        loop {
            match next(&mut self)? {
                NextStep::Round(round) => self.play_round(round).await?,
                next => return Ok(RunEnd::Over(next)),
            }
            if self.ending || self.options.stop.is_cancelled() {
                return Ok(RunEnd::Stopped);
            }
        }
    }

    pub(crate) fn tell(&mut self, event: TournamentEvent<'_>) {
        (self.tell)(self.tournament, event);
    }

    /// Reports the presence of the teams and who is refused if that has changed since the last call, and keeps new claims to
    /// their places, so that a restart leaves the places to the same teams.
    pub(crate) fn see_teams(&mut self) -> Result<(), StoreError> {
        if let Some(refused) = self.venue.new_refusals() {
            self.tell(TournamentEvent::Refused(&refused));
        }
        let Some(teams) = self.venue.new_teams() else { return Ok(()) };
        let claims =
            teams.iter().filter_map(|team| Some((team.name.as_str(), team.claim.as_ref()?)));
        let new: Vec<_> =
            claims.filter(|(name, claim)| self.claims.get(*name) != Some(*claim)).collect();
        if !new.is_empty() {
            self.tournament.store_mut().keep_claims(new.iter().copied())?;
            self.claims
                .extend(new.into_iter().map(|(name, claim)| (name.to_owned(), claim.clone())));
        }
        self.tell(TournamentEvent::Teams(&teams));
        Ok(())
    }

    /// Plays the missing games of a round, until the round is complete or stopped.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub async fn play_round(&mut self, round: RoundToPlay) -> Result<(), RunError> {
        self.tell(TournamentEvent::Round(&round));
        let mut round = RoundInPlay {
            pending: round.missing.into(),
            failed: BTreeMap::new(),
            last: None,
            games: JoinSet::new(),
            begun: BTreeSet::new(),
            stop: self.options.stop.child_token(),
        };
        let mut played = self.dispatch(&mut round).await;
        // Abandons the running games. Those that end well all the same count, whatever has ended the round.
        round.stop.cancel();
        while let Some(ended) = round.games.join_next().await {
            let Ok((game, result)) = ended else { continue };
            self.venue.ended(self.tournament.plan(), &game);
            if let Ok(outcome) = result {
                played = played.and(self.deliver(&[outcome]));
            }
        }
        let heard = self.hear_all(&mut round).await;
        played.and(heard)
    }

    async fn dispatch(&mut self, round: &mut RoundInPlay) -> Result<(), RunError> {
        let mut ended = Vec::new();
        loop {
            self.see_teams()?;
            while let Some(game) = self.next_startable(round) {
                let job = self.tournament.plan().job(&game);
                let ticket = Ticket::new(game, self.sender.clone(), round.stop.clone());
                let played = self.venue.play(job, ticket);
                round.games.spawn(async move { (game, played.await) });
            }
            // The next games run while the results of the last ones are written.
            if !ended.is_empty() {
                self.take_in(round, std::mem::take(&mut ended))?;
                continue;
            }
            if round.games.is_empty() && (round.pending.is_empty() || self.ending) {
                return Ok(());
            }
            let pause = round.pause();
            tokio::select! {
                // Read the news of a game before its end.
                biased;
                () = round.stop.cancelled() => return Ok(()),
                Some(news) = self.news.recv() => self.hear(round, news).await?,
                Some(done) = round.games.join_next() => {
                    let others = iter::from_fn(|| round.games.try_join_next());
                    let done = iter::once(done).chain(others).take(TOGETHER);
                    let (done, panicked): (Vec<_>, Vec<_>) = done.partition(Result::is_ok);
                    ended = done.into_iter().flatten().collect();
                    // A game that ended while this one was awaited may have begun since the last news.
                    self.hear_all(round).await?;
                    for (game, _) in &ended {
                        round.begun.remove(&game.key);
                        self.venue.ended(self.tournament.plan(), game);
                    }
                    if !panicked.is_empty() {
                        self.take_in(round, ended)?;
                        return Err(RunError::Host(HostFault::NoResult));
                    }
                    self.feature_any(round).await;
                }
                changed = self.venue.changed() => changed.map_err(RunError::Host)?,
                Some(action) = self.actions.recv() => self.act(round, action).await,
                () = sleep(pause) => self.tell(TournamentEvent::Idle),
            }
        }
    }

    /// Takes the first pending game that can start.
    fn next_startable(&self, round: &mut RoundInPlay) -> Option<Fixture> {
        if self.paused || self.ending {
            return None;
        }
        // A venue that takes whole matchups gets the rest of one beyond the limit.
        let next = round.pending.front()?;
        let is_rest = V::WHOLE_MATCHUPS && Some(next.matchup) == round.last;
        if round.games.len() >= self.options.parallel && !is_rest {
            return None;
        }
        let plan = self.tournament.plan();
        let can_start = |game: &Fixture| round.is_due(game.key) && self.venue.is_ready(plan, game);
        let game =
            round.pending.iter().position(can_start).and_then(|i| round.pending.remove(i))?;
        round.last = Some(game.matchup);
        Some(game)
    }

    /// Takes in all news that have arrived.
    async fn hear_all(&mut self, round: &mut RoundInPlay) -> Result<(), RunError> {
        while let Ok(news) = self.news.try_recv() {
            self.hear(round, news).await?;
        }
        Ok(())
    }

    async fn hear(&mut self, round: &mut RoundInPlay, news: GameEvent) -> Result<(), RunError> {
        match news {
            GameEvent::Begun(game) => {
                round.begun.insert(game.key);
                if self.featured.get().is_none() {
                    self.feature(Some(game.key)).await;
                }
                self.tell(TournamentEvent::Begun(&game));
            }
            GameEvent::Running(game, progress) => {
                self.tell(TournamentEvent::Running(game, progress));
            }
            GameEvent::Evidence(attempt) => self.tournament.store_mut().keep_attempt(&attempt)?,
            GameEvent::Late(outcome) if self.tournament.has_played(outcome.key) => {
                self.tournament.deliver(&[*outcome])?;
            }
            GameEvent::Late(outcome) => {
                let fault = said!(
                    "a result of a game that is not to be played",
                    "le résultat d'une partie que le tournoi n'attend pas"
                );
                let attempt = Attempt::new(outcome.key, fault, Some(*outcome));
                self.tournament.store_mut().keep_attempt(&attempt)?;
            }
        }
        Ok(())
    }

    /// Records the results of games, and re-queues the games that the host spoilt.
    fn take_in(
        &mut self,
        round: &mut RoundInPlay,
        ended: Vec<(Fixture, Result<Outcome, HostFault>)>,
    ) -> Result<(), RunError> {
        let (mut outcomes, mut faults) = (Vec::with_capacity(ended.len()), Vec::new());
        for (game, result) in ended {
            match result {
                Ok(outcome) => outcomes.push(outcome),
                Err(fault) => faults.push((game, fault)),
            }
        }
        self.deliver(&outcomes)?;
        // After a fatal fault, the outcomes of the other games still count.
        let taken = faults.into_iter().map(|(game, fault)| self.take_fault(round, game, fault));
        taken.fold(Ok(()), Result::and)
    }

    /// Re-queues a game, if another attempt can help.
    fn take_fault(
        &mut self,
        round: &mut RoundInPlay,
        game: Fixture,
        fault: HostFault,
    ) -> Result<(), RunError> {
        match &fault {
            HostFault::Stopped => return Ok(()),
            HostFault::Closed | HostFault::TooLarge { .. } => return Err(RunError::Host(fault)),
            HostFault::NotReady(_) => {
                debug!("game {}: {fault}", game.key);
                round.pending.push_front(game);
                round.failed.entry(game.key).or_default().due = Some(Instant::now() + NOT_READY);
                return Ok(());
            }
            _ => {}
        }
        let attempt = Attempt::new(game.key, fault.to_string(), fault.spoilt().cloned());
        self.tournament.store_mut().keep_attempt(&attempt)?;
        let failed = round.failed.entry(game.key).or_default();
        failed.attempts += 1;
        if failed.attempts >= V::ATTEMPTS {
            // If the host stalls in every attempt, the last result counts.
            return match fault.spoilt() {
                Some(outcome) => self.deliver(slice::from_ref(outcome)),
                None => Err(RunError::Host(fault)),
            };
        }
        failed.due = Some(Instant::now() + V::PAUSE * (1 << (failed.attempts - 1)));
        round.pending.push_front(game);
        self.tell(TournamentEvent::Again(&game, &fault));
        Ok(())
    }

    fn deliver(&mut self, outcomes: &[Outcome]) -> Result<(), RunError> {
        let deliveries = self.tournament.deliver(outcomes)?;
        for (outcome, delivery) in outcomes.iter().zip(deliveries) {
            self.venue.recorded(outcome.key);
            self.tell(TournamentEvent::Ended(outcome, delivery));
        }
        Ok(())
    }

    async fn act(&mut self, round: &RoundInPlay, action: OrganiserAction) {
        match action {
            OrganiserAction::Start | OrganiserAction::Resume => self.pause(false),
            OrganiserAction::Pause => self.pause(true),
            OrganiserAction::End if !self.ending => {
                self.ending = true;
                self.tell(TournamentEvent::Ending);
            }
            OrganiserAction::End => {}
            OrganiserAction::Feature(game) => {
                if round.begun.contains(&game) {
                    self.feature(Some(game)).await;
                    self.tell(TournamentEvent::Idle);
                }
            }
        }
    }

    fn pause(&mut self, paused: bool) {
        if self.paused != paused {
            self.paused = paused;
            self.tell(TournamentEvent::Paused(paused));
        }
    }

    /// Features another game if the featured one has ended.
    async fn feature_any(&self, round: &RoundInPlay) {
        if !self.featured.get().is_some_and(|game| round.begun.contains(&game)) {
            self.feature(round.begun.first().copied()).await;
        }
    }

    async fn feature(&self, game: Option<Key>) {
        self.featured.set(game);
        self.venue.feature(game).await;
    }
}

struct RoundInPlay {
    /// Games that have not started.
    pending: VecDeque<Fixture>,
    /// Games that have failed, or were not ready.
    failed: BTreeMap<Key, Failed>,
    /// The matchup of the game that was dispatched last.
    last: Option<Matchup>,
    games: JoinSet<(Fixture, Result<Outcome, HostFault>)>,
    /// Games that have started and not ended.
    begun: BTreeSet<Key>,
    stop: CancellationToken,
}

/// A game to retry.
#[derive(Default)]
struct Failed {
    /// The number of attempts that the host has spoilt.
    attempts: u32,
    /// The earliest start of the next attempt.
    due: Option<Instant>,
}

impl RoundInPlay {
    fn is_due(&self, game: Key) -> bool {
        let due = self.failed.get(&game).and_then(|failed| failed.due);
        due.is_none_or(|due| due <= Instant::now())
    }

    /// The time to wait for an event: until the next pending game is due, at most [`IDLE`].
    fn pause(&self) -> Duration {
        let now = Instant::now();
        let due = self.failed.values().filter_map(|failed| failed.due);
        let next = due.filter(|due| *due > now).map(|due| due - now).min();
        next.map_or(IDLE, |next| next.min(IDLE))
    }
}
