//! A game between teams of a hall.

use std::fmt;
use std::time::{Duration, Instant, SystemTime};

use protocol::Name;
use server::hall::{self, Played, Playing, SeatFor, TableId};
use server::{End, HouseBot, Observation, Pacman};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::roster::Roster;
use crate::faults::{Course as Judged, Start};
use crate::in_process::bot_seed;
use crate::matchup::{self, Game};
use crate::outcome::Outcome;
use crate::plan::Plan;

/// Where a game is played.
pub(super) struct Table {
    pub(super) id: TableId,
    /// Gives the game up.
    pub(super) stop: CancellationToken,
}

/// A game that has ended; how, if the hall was still there.
pub(super) struct Ended {
    pub(super) game: Game,
    pub(super) course: Option<Course>,
}

/// How a game went.
pub(super) struct Course {
    played: Played,
    recording: Vec<u8>,
    began: SystemTime,
    took: Duration,
}

/// Why nobody can be blamed for how a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoilt {
    /// All were gone at once: it was the network.
    Deserted,
    /// This machine stood still, and somebody missed a deadline.
    Stalled,
}

impl fmt::Display for Spoilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deserted => "all its teams were gone at once",
            Self::Stalled => "this machine stood still for a while, and deadlines were missed",
        })
    }
}

/// What a hall has to know of a game, and the observations that the game will give.
pub(super) fn table(
    plan: &Plan,
    game: &Game,
    roster: &Roster,
    tempo: Duration,
) -> (hall::Table, mpsc::Receiver<Observation>) {
    let seed = matchup::seed(plan, &game.matchup);
    let names = plan.names(&game.matchup, game.seating);
    let rules = plan.conditions.rules.rules();
    let seats = game.seating.0.into_iter().zip(&names).map(|(member, name)| {
        match (plan.house_bot(&game.matchup, member), roster.team(plan, game, member)) {
            (Some(bot), _) => SeatFor::House {
                bot: HouseBot::Pacman(bot.0, rules),
                name: Name::new(name),
                seed: bot_seed(seed, member),
            },
            (None, Some(team)) => SeatFor::Team(team),
            (None, None) => SeatFor::Nobody(Name::new(name)),
        }
    });
    // Who takes the game down is never behind: its beginning, its turns and its end fit in.
    let (observer, observations) = mpsc::channel(plan.conditions.turns as usize + 2);
    let table = hall::Table {
        game: Box::new(Pacman::new(plan.maps[game.matchup.map].map.clone(), rules)),
        number: 1,
        turns: plan.conditions.turns,
        seed,
        deadline: plan.conditions.deadline,
        tempo,
        patience: plan.conditions.deadline,
        seats: seats.collect(),
        observers: vec![observer.into()],
    };
    (table, observations)
}

impl Ended {
    /// Waits until this game has ended, which has just begun.
    pub(super) async fn of(game: Game, playing: Playing, recording: JoinHandle<Vec<u8>>) -> Self {
        let (began, start) = (SystemTime::now(), Instant::now());
        let played = playing.ended().await.ok();
        let took = start.elapsed();
        let recording = recording.await.unwrap_or_default();
        let course = played.map(|played| Course { played, recording, began, took });
        Self { game, course }
    }
}

impl Course {
    /// Whether nobody can be blamed for how it went, and why.
    pub(super) fn spoilt(&self) -> Option<Spoilt> {
        let players = &self.played.result.players;
        if self.played.end != End::Finished {
            Some(Spoilt::Deserted)
        } else if players.iter().any(|player| player.thinking.misses.host > 0) {
            Some(Spoilt::Stalled)
        } else {
            None
        }
    }

    /// What it has come to.
    pub(super) fn outcome(self, plan: &Plan, game: &Game) -> Outcome {
        let Self { played, recording, began, took, .. } = self;
        let start = |member| match plan.house_bot(&game.matchup, member) {
            Some(_) => Start::House,
            None => Start::Remote,
        };
        let starts: Vec<_> = game.seating.0.into_iter().map(start).collect();
        let outputs = vec![Vec::new(); starts.len()];
        let seed = matchup::seed(plan, &game.matchup);
        let result = played.result;
        Judged { plan, game, seed, result, recording, began, took }.outcome(&starts, &outputs)
    }
}
