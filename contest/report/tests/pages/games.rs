//! Tournaments played in process, as data for the tests.

use std::convert::Infallible;
use std::time::{Duration, SystemTime};

use game::pacman::RulesPreset;
use plan::record::{GameRecord, Records, Roster};
use plan::{
    Conditions, Fault, FaultKind, Fixture, Format, Group, Key, Matchup, NamedMap, Note, Outcome,
    Plan, Program, SEATS, Schedule, Seatings, Team, TeamLimits, Voided,
};
use rating::{RoundRating, Standings, history};
use report::{Collector, Data, Results};
use tournament::house_game;

/// The number of bootstrap samples: few, as the tests need no precision.
const SAMPLES: usize = 100;

/// A tournament and its games.
#[derive(Clone)]
pub(crate) struct Played {
    pub(crate) plan: Plan,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) standings: Standings,
    pub(crate) voids: Vec<Voided>,
    pub(crate) lots: [Vec<String>; 2],
}

impl Played {
    pub(crate) fn data(&self) -> Data {
        let mut collector = Collector::new(&self.plan, &self.voids);
        let mut outcomes = self.outcomes.clone();
        outcomes.sort_by_key(|outcome| (outcome.round, outcome.map.clone(), outcome.key));
        for outcome in outcomes {
            collector.add(outcome);
        }
        collector.data(&self.standings, &self.history(), self.lots.clone())
    }

    fn history(&self) -> Vec<Vec<RoundRating>> {
        let roster = Roster::new(&self.plan.teams);
        let games = self.outcomes.iter().filter_map(|outcome| {
            let record = GameRecord::from(outcome);
            Some((record.round, record.matchup, roster.ranking(&record)?))
        });
        history(self.plan.teams.len(), &games, SAMPLES)
    }

    pub(crate) fn results(&self) -> Results {
        let (standings, voids) = (self.standings.clone(), self.voids.clone());
        Results { data: self.data(), standings, voids }
    }

    pub(crate) fn html(&self) -> String {
        let recording = |key: &str| {
            let mut outcomes = self.outcomes.iter();
            let found = outcomes.find(|outcome| outcome.key.to_string() == key);
            Ok::<_, Infallible>(found.map(|outcome| outcome.recording.clone()))
        };
        let Ok(page) = report::html(self.data(), true, recording);
        page
    }
}

/// Plays a tournament of teams with names and bots. Each team meets three others that follow it in the list, at
/// distances that depend on the round (they are different teams if there are 5, 7 or 12), in all cyclic seatings. Each
/// round is on the next map.
pub(crate) fn play_all(teams: &[(&str, &str)], maps: &[&str], rounds: u32, turns: u32) -> Played {
    let plan = plan(teams, maps, rounds, turns);
    let mut outcomes = Vec::new();
    for round in 1..=rounds {
        for first in 0..teams.len() {
            let members = (0..SEATS.min(teams.len())).map(|by| {
                // The distance between the members depends on the round.
                (first + by * (1 + round as usize % 3)) % teams.len()
            });
            let group = Group::new(&members.collect::<Vec<_>>()).expect("they are different");
            let matchup = Matchup { round, map: (round as usize - 1) % maps.len(), group };
            for seating in Seatings::Cyclic.list() {
                let key = Key::of_game(&plan, &matchup, seating);
                outcomes.push(play(&plan, &Fixture { key, matchup, seating }));
            }
        }
    }
    let standings = standings(&plan, &outcomes);
    Played { plan, outcomes, standings, voids: Vec::new(), lots: Default::default() }
}

fn plan(teams: &[(&str, &str)], maps: &[&str], rounds: u32, turns: u32) -> Plan {
    let map = |name: &&str| {
        let file = format!("{}/../../cartes/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        NamedMap::parse((*name).to_owned(), std::fs::read_to_string(file).unwrap()).unwrap()
    };
    let bot = |name: &str| name.to_owned();
    let team = |(name, of): &(&str, &str)| Team::new(*name, Program::House(bot(of)), "1");
    Plan {
        conditions: Conditions {
            name: "Tournoi de l'IUT'O 2025".to_owned(),
            seed: u64::MAX,
            rules: RulesPreset::Sujet,
            turns,
            deadline: Duration::from_secs(1),
            house: bot("prudent"),
            seatings: Seatings::Cyclic,
        },
        maps: maps.iter().map(map).collect(),
        teams: teams.iter().map(team).collect(),
        schedule: Schedule {
            format: Format::Groups { per_team: None },
            rounds,
            until: None,
            lots: 7,
        },
        limits: TeamLimits::default(),
        notes: vec![Note { en: "Two share a core.".into(), fr: "Deux pour un cœur.".into() }],
    }
}

/// Plays a game with the bots of its teams, and adds random faults, whose rate depends on the team.
fn play(plan: &Plan, game: &Fixture) -> Outcome {
    let mut outcome = house_game::play(&plan.job(game)).expect("all are bots of the house");
    outcome.began = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    for (seat, &byte) in outcome.seats.iter_mut().zip(game.key.as_bytes()) {
        let luck = usize::from(byte) % 40;
        if !seat.is_house && luck < seat.team.len() % 4 {
            seat.fault = Some(Box::new(Fault {
                kind: FaultKind::ALL[luck + 2],
                played: (luck > 0).then_some(u32::from(byte) % plan.conditions.turns),
                detail: Note::new(
                    format!("exit status: {luck}\nTraceback: <b>list</b> index out of range"),
                    format!("code {luck}\nTraceback: <b>list</b> index out of range"),
                ),
            }));
            seat.thinking.misses.bot = 3;
        }
    }
    outcome
}

/// Returns the standings after some games.
pub(crate) fn standings(plan: &Plan, outcomes: &[Outcome]) -> Standings {
    let mut records = Records::new(&plan.teams);
    for outcome in outcomes {
        records.add(&GameRecord::from(outcome));
    }
    Standings::of(records, SAMPLES)
}
