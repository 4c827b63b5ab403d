//! A tournament over a LAN: teams connect once, and play one game after the other.
//!
//! All wait in a [`server::hall`]; games run in parallel among those who are there. What is to be played
//! follows from the plan and the results, as on one machine; only when, from who is there.

mod game;
mod roster;

use std::collections::BTreeMap;
use std::time::Duration;

use server::Progress;
use server::hall::{self, Controls, TeamPresence};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::debug;

use crate::live::Action;
use crate::matchup::{Game, Key};
use crate::runner::News;
use crate::schedule::ScheduleError;
use crate::setup::usual_rounds;
use crate::stage::Stage;
use crate::store::StoreError;
use crate::tournament::{Next, Round, Tournament};

use game::{Ended, Table};
use roster::Roster;

pub use game::Spoilt;

/// While nothing happens, who is there is looked at so often.
const LOOK: Duration = Duration::from_millis(500);
/// How often a game is played at most that the network or this machine spoils.
const ATTEMPTS: u32 = 3;

/// How to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// Games at a time.
    pub tables: usize,
    /// A turn lasts at least that long.
    pub tempo: Duration,
    /// Games of a team that is gone wait for it that long; then they are played without it.
    pub patience: Duration,
    /// Start when so many teams are there, whatever the organiser says.
    pub enough: Option<usize>,
    /// Stop when a team is the best with this probability.
    pub until: Option<f64>,
    /// Stops the tournament; games that are being played are given up.
    pub stop: CancellationToken,
}

/// How far a tournament is, for who looks on.
#[derive(Debug)]
pub enum LanNews<'a> {
    /// Teams have come or gone, or play now, or do no more.
    Teams(&'a [TeamPresence]),
    /// It was to start, but nobody is there.
    Nobody,
    /// The tournament has begun with these teams, or others have joined.
    Joined(&'a [String]),
    /// As on one machine.
    Game(News<'a>),
    /// A game runs, and how far it is.
    Running(Key, watch::Receiver<Progress>),
    /// A game is played again, for this reason.
    Again(&'a Game, Spoilt),
    /// The organiser has halted it, or lets it go on.
    Paused(bool),
    /// The organiser ends it after the games that are played now.
    Ending,
    /// Nothing: games go on.
    Look,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// All rounds are played, or it is settled.
    Over(Next),
    /// The organiser has ended it, or it was stopped.
    Stopped,
}

/// Why it cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LanError {
    /// A result cannot be recorded.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The hall is closed.
    #[error(transparent)]
    Hall(#[from] hall::Gone),
    /// The teams cannot be made meet.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// It waits to be started, and no action of the organiser can come any more.
    #[error("nobody can start the tournament")]
    Unattended,
}

/// A tournament over a LAN, as it is run.
pub struct Lan<'a, T> {
    tournament: &'a mut Tournament,
    hall: Controls,
    stage: Stage,
    options: Options,
    tell: T,
    roster: Roster,
    actions: mpsc::Receiver<Action>,
    teams: watch::Receiver<Vec<TeamPresence>>,
    /// Who was there the last time that was told.
    known: Option<Vec<TeamPresence>>,
    paused: bool,
    ending: bool,
}

impl<'a, T: FnMut(&Tournament, LanNews<'_>)> Lan<'a, T> {
    /// Over this hall, whose organiser's actions come from `actions`. Who looks on is told by `tell`.
    pub fn new(
        tournament: &'a mut Tournament,
        hall: Controls,
        stage: Stage,
        actions: mpsc::Receiver<Action>,
        options: Options,
        tell: T,
    ) -> Self {
        let teams = hall.teams();
        Self {
            tournament,
            hall,
            stage,
            options,
            tell,
            roster: Roster::default(),
            actions,
            teams,
            known: None,
            paused: false,
            ending: false,
        }
    }

    /// Waits for the organiser to start, and plays all that is missing.
    ///
    /// # Errors
    ///
    /// When a result cannot be recorded, or the hall is gone. Everything recorded stays so.
    pub async fn run(mut self) -> Result<End, LanError> {
        if !self.gather().await? {
            return Ok(End::Stopped);
        }
        loop {
            let round = match self.next_round()? {
                Next::Round(round) => round,
                next => return Ok(End::Over(next)),
            };
            (self.tell)(self.tournament, LanNews::Game(News::Round(&round)));
            self.play_round(round).await?;
            if self.ending || self.options.stop.is_cancelled() {
                return Ok(End::Stopped);
            }
        }
    }

    /// Waits until it is to start with somebody there; `false` when it is ended before.
    async fn gather(&mut self) -> Result<bool, LanError> {
        let mut is_attended = true;
        loop {
            self.see_teams();
            if self.options.enough.is_some_and(|enough| self.roster.present() >= enough) {
                return Ok(true);
            }
            tokio::select! {
                () = self.options.stop.cancelled() => return Ok(false),
                changed = self.teams.changed() => changed.map_err(|_| hall::Gone)?,
                action = self.actions.recv(), if is_attended => match action {
                    Some(Action::Start | Action::Resume) => {
                        // Who has come at the same moment counts.
                        self.see_teams();
                        if self.roster.present() > 0 {
                            return Ok(true);
                        }
                        (self.tell)(self.tournament, LanNews::Nobody);
                    }
                    Some(Action::End) => return Ok(false),
                    Some(Action::Pause | Action::Feature(_)) => {}
                    None if self.options.enough.is_none() => return Err(LanError::Unattended),
                    None => is_attended = false,
                },
            }
        }
    }

    /// What is played next. Teams that have come meanwhile play from then on; but a round that was begun
    /// before this program is played to its end first, as it would have been.
    fn next_round(&mut self) -> Result<Next, LanError> {
        let next = self.tournament.next(self.options.until);
        if matches!(&next, Next::Round(round) if round.missing.len() < round.games) {
            return Ok(next);
        }
        match self.take_in_newcomers()? {
            true => Ok(self.tournament.next(self.options.until)),
            false => Ok(next),
        }
    }

    /// Teams that have come since the last round play from now on; whether there are any.
    fn take_in_newcomers(&mut self) -> Result<bool, LanError> {
        self.see_teams();
        let mut teams = self.tournament.plan().teams.clone();
        let joined = self.roster.newcomers(&mut teams);
        if joined.is_empty() {
            return Ok(false);
        }
        let plan = self.tournament.plan();
        let (mut schedule, maps) = (plan.schedule.clone(), plan.maps.len());
        if schedule.rounds == 0 {
            schedule.rounds = usual_rounds(&schedule.format, teams.len(), maps);
        }
        schedule.check(&teams, maps)?;
        self.tournament.change(|plan| (plan.teams, plan.schedule) = (teams, schedule))?;
        (self.tell)(self.tournament, LanNews::Joined(&joined));
        Ok(true)
    }

    fn see_teams(&mut self) {
        let teams = self.teams.borrow_and_update().clone();
        if self.known.as_ref() != Some(&teams) {
            self.roster.see(&teams);
            (self.tell)(self.tournament, LanNews::Teams(&teams));
            self.known = Some(teams);
        }
    }

    async fn play_round(&mut self, round: Round) -> Result<(), LanError> {
        let mut pending = round.missing;
        let mut attempts: BTreeMap<Key, u32> = BTreeMap::new();
        let mut running: BTreeMap<Key, Table> = BTreeMap::new();
        let mut games: JoinSet<Ended> = JoinSet::new();
        let stop = self.options.stop.clone();
        loop {
            self.see_teams();
            while let Some(game) = self.next_startable(&mut pending, running.len()) {
                let Some(table) = self.start(game, &mut games).await? else {
                    pending.insert(0, game);
                    break;
                };
                running.insert(game.key, table);
            }
            let is_done = pending.is_empty() || self.ending;
            if running.is_empty() && is_done {
                return Ok(());
            }
            tokio::select! {
                () = stop.cancelled() => {
                    for table in running.values() {
                        table.stop.cancel();
                    }
                    while games.join_next().await.is_some() {}
                    return Ok(());
                }
                Some(ended) = games.join_next() => {
                    // A game's task only waits: it neither panics nor is it cancelled.
                    let Ok(Ended { game, course }) = ended else { continue };
                    running.remove(&game.key);
                    self.roster.free(self.tournament.plan(), &game);
                    self.feature_any(&running).await;
                    let course = course.ok_or(hall::Gone)?;
                    let tries = attempts.entry(game.key).or_default();
                    *tries += 1;
                    if let Some(why) = course.spoilt().filter(|_| *tries < ATTEMPTS) {
                        pending.insert(0, game);
                        (self.tell)(self.tournament, LanNews::Again(&game, why));
                        continue;
                    }
                    let outcome = course.outcome(self.tournament.plan(), &game);
                    let delivery = self.tournament.deliver(outcome.clone())?;
                    (self.tell)(self.tournament, LanNews::Game(News::Ended(&outcome, delivery)));
                }
                changed = self.teams.changed() => changed.map_err(|_| hall::Gone)?,
                Some(action) = self.actions.recv() => self.act(action, &running).await,
                () = tokio::time::sleep(LOOK) => (self.tell)(self.tournament, LanNews::Look),
            }
        }
    }

    /// The first game that can begin: its teams are free, and there or gone for too long.
    fn next_startable(&mut self, pending: &mut Vec<Game>, running: usize) -> Option<Game> {
        if self.paused || self.ending || running >= self.options.tables {
            return None;
        }
        let (plan, patience) = (self.tournament.plan(), self.options.patience);
        let can_begin = |game: &Game| self.roster.can_play(plan, game, patience);
        let index = pending.iter().position(can_begin)?;
        Some(pending.remove(index))
    }

    /// Has a game played; `None` when who is there has changed meanwhile.
    async fn start(
        &mut self,
        game: Game,
        games: &mut JoinSet<Ended>,
    ) -> Result<Option<Table>, LanError> {
        let plan = self.tournament.plan();
        let (table, observations) = game::table(plan, &game, &self.roster, self.options.tempo);
        let playing = match self.hall.play(table).await {
            Ok(playing) => playing,
            Err(hall::PlayError::Gone(gone)) => return Err(gone.into()),
            Err(refusal) => {
                debug!("game {} does not begin yet: {refusal}", game.key);
                return Ok(None);
            }
        };
        self.roster.busy(self.tournament.plan(), &game);
        let table = Table { id: playing.table(), stop: playing.stop() };
        let progress = playing.progress();
        let recording = tokio::spawn(self.stage.clone().record(game.key, observations));
        games.spawn(Ended::of(game, playing, recording));
        if self.stage.featured().is_none() {
            self.feature(Some((game.key, &table))).await;
        }
        (self.tell)(self.tournament, LanNews::Game(News::Begun(&game)));
        (self.tell)(self.tournament, LanNews::Running(game.key, progress));
        Ok(Some(table))
    }

    async fn act(&mut self, action: Action, running: &BTreeMap<Key, Table>) {
        match action {
            Action::Start | Action::Resume => self.pause(false),
            Action::Pause => self.pause(true),
            Action::End if !self.ending => {
                self.ending = true;
                (self.tell)(self.tournament, LanNews::Ending);
            }
            Action::End => {}
            Action::Feature(key) => {
                if let Some(table) = running.get(&key) {
                    self.feature(Some((key, table))).await;
                    (self.tell)(self.tournament, LanNews::Look);
                }
            }
        }
    }

    fn pause(&mut self, paused: bool) {
        if self.paused != paused {
            self.paused = paused;
            (self.tell)(self.tournament, LanNews::Paused(paused));
        }
    }

    /// When the game that was watched has ended, another one is.
    async fn feature_any(&mut self, running: &BTreeMap<Key, Table>) {
        if !self.stage.featured().is_some_and(|key| running.contains_key(&key)) {
            self.feature(running.iter().next().map(|(key, table)| (*key, table))).await;
        }
    }

    /// This game is watched on the page, and by spectators of the hall.
    async fn feature(&self, game: Option<(Key, &Table)>) {
        self.stage.feature(game.map(|(key, _)| key));
        self.hall.feature(game.map(|(_, table)| table.id)).await;
    }
}
