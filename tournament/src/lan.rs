//! A tournament over a LAN: teams connect once, and play one game after the other.
//!
//! All wait in a [`server::hall`]; games run in parallel among those who are there. What is to be played
//! follows from the plan and the results, as on one machine; only when, from who is there.

mod roster;

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use protocol::Name;
use server::hall::{self, Controls, Played, SeatFor, TeamPresence};
use server::{End as GameEnd, HouseBot, Pacman, Progress};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::faults::{Course, Start};
use crate::in_process::bot_seed;
use crate::live::Action;
use crate::matchup::{self, Game, Key};
use crate::outcome::Outcome;
use crate::runner::News;
use crate::schedule::ScheduleError;
use crate::setup::usual_rounds;
use crate::stage::Stage;
use crate::stalls::Stalls;
use crate::store::StoreError;
use crate::tournament::{Next, Round, Tournament};

use roster::Roster;

/// While nothing happens, who is there is looked at so often.
const LOOK: Duration = Duration::from_millis(500);
/// How often a game is played again that the network or this machine has spoilt.
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
    /// Stop when a team is the best with this probability.
    pub until: Option<f64>,
    /// Stops the tournament; games that are being played are given up.
    pub stop: CancellationToken,
}

/// How far a tournament is, for who looks on.
#[derive(Debug)]
pub enum LanNews<'a> {
    /// Teams have come or gone.
    Teams(&'a [TeamPresence]),
    /// The tournament has begun with these teams, or others have joined.
    Joined(&'a [String]),
    /// As on one machine.
    Game(News<'a>),
    /// A game runs, and how far it is.
    Running(Key, watch::Receiver<Progress>),
    /// The organiser has halted it, or lets it go on.
    Paused(bool),
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
}

/// A tournament over a LAN, as it is run.
pub struct Lan<'a, T> {
    tournament: &'a mut Tournament,
    hall: Controls,
    stage: Stage,
    options: Options,
    tell: T,
    stalls: Stalls,
    roster: Roster,
    actions: mpsc::Receiver<Action>,
    teams: watch::Receiver<Vec<TeamPresence>>,
    paused: bool,
    ending: bool,
}

/// A game at a table.
struct Table {
    id: hall::TableId,
    stop: CancellationToken,
}

/// A game that has ended, if the hall was still there.
type Ended = (Game, Option<(Played, Vec<u8>, SystemTime, Duration, u64)>);

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
            stalls: Stalls::watch(),
            roster: Roster::default(),
            actions,
            teams,
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
        if !self.gather().await {
            return Ok(End::Stopped);
        }
        loop {
            self.take_in_newcomers()?;
            let round = match self.tournament.next(self.options.until) {
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

    /// Waits until the organiser starts with somebody there; `false` when it is ended before.
    async fn gather(&mut self) -> bool {
        loop {
            let teams = self.teams.borrow_and_update().clone();
            self.roster.see(&teams);
            (self.tell)(self.tournament, LanNews::Teams(&teams));
            tokio::select! {
                () = self.options.stop.cancelled() => return false,
                changed = self.teams.changed() => if changed.is_err() { return false },
                action = self.actions.recv() => match action {
                    Some(Action::Start | Action::Resume) if self.roster.anybody() => return true,
                    Some(Action::End) | None => return false,
                    Some(_) => {}
                },
            }
        }
    }

    /// Teams that have come since the last round play from now on.
    fn take_in_newcomers(&mut self) -> Result<(), LanError> {
        self.see_teams();
        let mut teams = self.tournament.plan().teams.clone();
        let joined = self.roster.newcomers(&mut teams);
        if joined.is_empty() {
            return Ok(());
        }
        let plan = self.tournament.plan();
        let (mut schedule, maps) = (plan.schedule.clone(), plan.maps.len());
        if schedule.rounds == 0 {
            schedule.rounds = usual_rounds(&schedule.format, teams.len(), maps);
        }
        schedule.check(&teams, maps)?;
        self.tournament.change(|plan| (plan.teams, plan.schedule) = (teams, schedule))?;
        (self.tell)(self.tournament, LanNews::Joined(&joined));
        Ok(())
    }

    fn see_teams(&mut self) {
        let teams = self.teams.borrow_and_update().clone();
        if self.roster.see(&teams) {
            (self.tell)(self.tournament, LanNews::Teams(&teams));
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
                    pending.push(game);
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
                    running.values().for_each(|table| table.stop.cancel());
                    while games.join_next().await.is_some() {}
                    return Ok(());
                }
                Some(ended) = games.join_next() => {
                    // A game's task only waits: it neither panics nor is it cancelled.
                    let Ok((game, played)) = ended else { continue };
                    running.remove(&game.key);
                    self.roster.free(self.tournament.plan(), &game);
                    let (played, recording, began, took, stalls) = played.ok_or(hall::Gone)?;
                    let was_spoilt = self.was_spoilt(&played, stalls);
                    let tries = attempts.entry(game.key).or_default();
                    *tries += 1;
                    if was_spoilt && *tries < ATTEMPTS {
                        pending.insert(0, game);
                        continue;
                    }
                    let outcome = self.conclude(&game, played, recording, began, took);
                    let delivery = self.tournament.deliver(outcome.clone())?;
                    (self.tell)(self.tournament, LanNews::Game(News::Ended(&outcome, delivery)));
                    self.feature_any(&running).await;
                }
                _ = self.teams.changed() => {}
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

    async fn start(
        &mut self,
        game: Game,
        games: &mut JoinSet<Ended>,
    ) -> Result<Option<Table>, LanError> {
        let plan = self.tournament.plan();
        let seed = matchup::seed(plan, &game.matchup);
        let names = plan.names(&game.matchup, game.seating);
        let rules = plan.conditions.rules.rules();
        let seats = game.seating.0.into_iter().zip(&names).map(|(member, name)| {
            match (plan.house_bot(&game.matchup, member), self.roster.team(plan, &game, member)) {
                (Some(bot), _) => SeatFor::House {
                    bot: HouseBot::Pacman(bot.0, rules),
                    name: Name::new(name),
                    seed: bot_seed(seed, member),
                },
                (None, Some(team)) => SeatFor::Team(team),
                (None, None) => SeatFor::Nobody(Name::new(name)),
            }
        });
        let (observer, observations) = mpsc::channel(plan.conditions.turns as usize + 2);
        let table = hall::Table {
            game: Box::new(Pacman::new(plan.maps[game.matchup.map].map.clone(), rules)),
            turns: plan.conditions.turns,
            seed,
            deadline: plan.conditions.deadline,
            tempo: self.options.tempo,
            seats: seats.collect(),
            observers: vec![observer],
        };
        let (began, start, stalls) = (SystemTime::now(), Instant::now(), self.stalls.count());
        let playing = match self.hall.play(table).await {
            Ok(playing) => playing,
            Err(hall::PlayError::Gone(gone)) => return Err(gone.into()),
            // Who is there has changed meanwhile.
            Err(_) => return Ok(None),
        };
        self.roster.busy(self.tournament.plan(), &game);
        let (id, stop, progress) = (playing.table(), playing.stop(), playing.progress());
        let recording = tokio::spawn(self.stage.clone().record(game.key, observations));
        games.spawn(async move {
            let played = playing.ended().await.ok();
            let recording = recording.await.unwrap_or_default();
            (game, played.map(|played| (played, recording, began, start.elapsed(), stalls)))
        });
        if self.stage.featured().is_none() {
            self.stage.feature(Some(game.key));
        }
        (self.tell)(self.tournament, LanNews::Game(News::Begun(&game)));
        (self.tell)(self.tournament, LanNews::Running(game.key, progress));
        Ok(Some(Table { id, stop }))
    }

    /// Whether nobody can be blamed for how a game went.
    fn was_spoilt(&self, played: &Played, stalls: u64) -> bool {
        let missed = played.result.players.iter().any(|player| player.thinking.missed > 0);
        // When all are gone at once, it is the network.
        played.end != GameEnd::Finished || (missed && self.stalls.count() > stalls)
    }

    fn conclude(
        &self,
        game: &Game,
        Played { result, .. }: Played,
        recording: Vec<u8>,
        began: SystemTime,
        took: Duration,
    ) -> Outcome {
        let plan = self.tournament.plan();
        let seed = matchup::seed(plan, &game.matchup);
        let start = |member| match plan.house_bot(&game.matchup, member) {
            Some(_) => Start::House,
            None => Start::Remote,
        };
        let starts: Vec<_> = game.seating.0.into_iter().map(start).collect();
        let outputs = vec![Vec::new(); starts.len()];
        Course { plan, game, seed, result, recording, began, took }.outcome(&starts, &outputs)
    }

    async fn act(&mut self, action: Action, running: &BTreeMap<Key, Table>) {
        match action {
            Action::Start | Action::Resume => self.paused = false,
            Action::Pause => self.paused = true,
            Action::End => self.ending = true,
            Action::Feature(key) => {
                if let Some(table) = running.get(&key) {
                    self.stage.feature(Some(key));
                    self.hall.feature(Some(table.id)).await;
                }
                return;
            }
        }
        (self.tell)(self.tournament, LanNews::Paused(self.paused));
    }

    /// When the game that was watched has ended, another one is.
    async fn feature_any(&mut self, running: &BTreeMap<Key, Table>) {
        if self.stage.featured().is_some_and(|key| running.contains_key(&key)) {
            return;
        }
        let next = running.iter().next();
        self.stage.feature(next.map(|(key, _)| *key));
        self.hall.feature(next.map(|(_, table)| table.id)).await;
    }
}
