//! Trials of one bot: games against bots of the house, or against another version of it. No file holds their results.

mod record;
mod version_trial;

use std::time::Duration;

use game::pacman::RulesPreset;
use plan::OrganiserAction;
use plan::{
    Conditions, Fixture, Format, Group, Key, Matchup, NamedMap, Outcome, Plan, Program, SEATS,
    Schedule, Seating, Seatings, Team, TeamLimits,
};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::dispatcher::{DispatchOptions, Dispatcher, RunError};
use crate::event::TournamentEvent;
use crate::featured::FeaturedGame;
use crate::store::StoreError;
use crate::tournament::{RoundToPlay, Tournament};
use crate::venue::LocalVenue;

pub use record::{ThinkingSummary, TrialRecord};
pub use version_trial::VersionTrial;

/// The common conditions of the games of a trial.
#[derive(Clone, Debug)]
pub struct TrialSetting {
    /// The maps, one for each round, repeated as needed.
    pub maps: Vec<NamedMap>,
    /// The number of turns of a game.
    pub turns: u32,
    /// Time limit of an answer.
    pub deadline: Duration,
    /// Resource limits of programs.
    pub limits: TeamLimits,
    /// The seed from which the seeds of the games are derived.
    pub seed: u64,
}

/// The venue and the time limit of the games of a trial. Clones share `stop`.
#[derive(Clone, Debug)]
pub struct TrialRun {
    /// The venue.
    pub venue: LocalVenue,
    /// The number of games at a time.
    pub parallel: usize,
    /// The time after which no game starts; `None` without a limit.
    pub until: Option<Instant>,
    /// Stops the trial and abandons the running games.
    pub stop: CancellationToken,
}

impl TrialRun {
    /// Tests if no more games start.
    pub fn is_over(&self) -> bool {
        self.stop.is_cancelled() || self.until.is_some_and(|until| until <= Instant::now())
    }
}

/// The opponents of the bot on trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponents {
    /// Three copies of the house bot of this name.
    Three(&'static str),
    /// The three strongest house bots, one of each.
    Mixed,
}

impl Opponents {
    /// All opponents, from weak to strong, the mixed ones last.
    pub fn all() -> Vec<Self> {
        let three = bots::registry::ALL.iter().map(|bot| Self::Three(bot.name));
        three.chain([Self::Mixed]).collect()
    }

    /// The names of the bots of the mixed field.
    pub fn mixed() -> impl Iterator<Item = &'static str> {
        bots::registry::ALL[bots::registry::ALL.len() - (SEATS - 1)..].iter().map(|bot| bot.name)
    }
}

/// Teams that meet again and again, with a house bot in the other seats.
#[derive(Debug)]
struct Field {
    tournament: Tournament,
    group: Group,
}

impl Field {
    fn new(
        setting: &TrialSetting,
        rules: RulesPreset,
        house: &str,
        teams: Vec<Team>,
    ) -> Result<Self, StoreError> {
        let members: Vec<_> = (0..teams.len()).collect();
        let group = Group::new(&members).expect("one to four teams");
        let TrialSetting { maps, turns, deadline, limits, seed } = setting.clone();
        let tournament = Tournament::in_memory(Plan {
            conditions: Conditions {
                name: String::new(),
                seed,
                rules,
                turns,
                deadline,
                house: house.to_owned(),
                seatings: Seatings::Cyclic,
            },
            maps,
            teams,
            schedule: Schedule {
                format: Format::Gauntlet { challenger: 0 },
                rounds: 0,
                until: None,
                lots: seed,
            },
            limits,
            notes: Vec::new(),
        })?;
        Ok(Self { tournament, group })
    }

    /// Games with the seed of this number, in these seatings, on the map of this round.
    fn fixtures(&self, number: u32, round: u32, seatings: &[Seating]) -> Vec<Fixture> {
        let plan = self.tournament.plan();
        let map = round as usize % plan.maps.len();
        let matchup = Matchup { round: number, map, group: self.group };
        let fixture =
            |&seating| Fixture { key: Key::of_game(plan, &matchup, seating), matchup, seating };
        seatings.iter().map(fixture).collect()
    }

    async fn play(
        &mut self,
        games: Vec<Fixture>,
        run: &TrialRun,
        mut tell: impl FnMut(&Outcome),
    ) -> Result<(), RunError> {
        let options =
            DispatchOptions { parallel: run.parallel, until: None, stop: run.stop.clone() };
        let round = RoundToPlay { number: 1, games: games.len(), missing: games };
        let tell = |_: &Tournament, event: TournamentEvent<'_>| {
            if let TournamentEvent::Ended(outcome, _) = event {
                tell(outcome);
            }
        };
        let (sender, actions) = mpsc::channel(1);
        let (featured, venue) = (FeaturedGame::new(None), run.venue.clone());
        let mut dispatcher =
            Dispatcher::new(&mut self.tournament, venue, featured, options, actions, tell);
        let end_in_time = async {
            match run.until {
                Some(until) => sleep_until(until).await,
                None => std::future::pending().await,
            }
            // The channel is closed once the games have ended.
            let _ = sender.send(OrganiserAction::End).await;
            std::future::pending::<()>().await;
        };
        tokio::select! {
            played = dispatcher.play_round(round) => played,
            () = end_in_time => unreachable!("it never ends"),
        }
    }
}

/// Trials of one bot against the same opponents.
#[derive(Debug)]
pub struct Trial {
    opponents: Opponents,
    rules: RulesPreset,
    field: Field,
    /// The number of games requested.
    asked: u32,
    record: TrialRecord,
}

impl Trial {
    /// A trial without games.
    ///
    /// # Errors
    ///
    /// When there is no memory.
    pub fn new(
        team: &Team,
        opponents: Opponents,
        rules: RulesPreset,
        setting: &TrialSetting,
    ) -> Result<Self, StoreError> {
        let (house, others) = match opponents {
            Opponents::Three(bot) => (bot, Vec::new()),
            Opponents::Mixed => {
                let bots: Vec<_> = Opponents::mixed().collect();
                (bots[0], bots)
            }
        };
        let mut teams = vec![team.clone()];
        for bot in others {
            let is_taken = |name: &str| teams.iter().any(|team| team.name == name);
            let name = protocol::Name::new(bot).distinct(is_taken).to_string();
            let program = Program::House(bot.to_owned());
            teams.push(Team::new(name, program, ""));
        }
        let field = Field::new(setting, rules, house, teams)?;
        let record = TrialRecord::new(&team.name);
        Ok(Self { opponents, rules, field, asked: 0, record })
    }

    /// The opponents of the bot.
    pub fn opponents(&self) -> Opponents {
        self.opponents
    }

    /// The rules.
    pub fn rules(&self) -> RulesPreset {
        self.rules
    }

    /// The bot on trial, and the bots of a mixed field.
    pub fn teams(&self) -> &[Team] {
        &self.field.tournament.plan().teams
    }

    /// The results of the games so far.
    pub fn record(&self) -> &TrialRecord {
        &self.record
    }

    /// Plays more games, from each seat in turn. Each game has its own seed, so the games are independent. Calls `tell`
    /// after each game.
    ///
    /// # Errors
    ///
    /// When games cannot be played, and no bot is to blame.
    pub async fn play(
        &mut self,
        games: u32,
        run: &TrialRun,
        mut tell: impl FnMut(&Outcome),
    ) -> Result<(), RunError> {
        let seatings = Seatings::Cyclic.list();
        let numbers = self.asked..self.asked + games;
        self.asked += games;
        let fixtures = |number: u32| {
            let (round, seat) = (number / SEATS as u32, number as usize % SEATS);
            self.field.fixtures(number, round, &seatings[seat..=seat])
        };
        let games = numbers.flat_map(fixtures).collect();
        let Self { field, record, .. } = self;
        let played = field.play(games, run, |outcome| {
            record.add(outcome);
            tell(outcome);
        });
        played.await
    }
}
