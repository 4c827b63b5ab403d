//! Writes the results of a tournament of many games into a file, without playing them, to measure reports:
//!
//! ```sh
//! cargo build --release -p tournament -p tournoi --bin tournoi --example played
//! target/release/examples/played played.sqlite 100000
//! /usr/bin/time -v target/release/tournoi rapport played.sqlite --csv played.csv
//! ```
#![allow(clippy::unwrap_used, reason = "an example may fail")]

use std::path::Path;
use std::time::Duration;

use plan::{Fixture, Job, Key, Outcome, SeatOutcome, Usage};
use tournament::house_game;
use tournament::store::Store;
use tournoi::config::Config;
use tournoi::setup;

const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/petit.txt");
const TEAMS: usize = 40;
/// Number of games in a transaction.
const TOGETHER: usize = 1000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("the first argument is the file");
    let games: usize = arguments.next().map_or(100_000, |games| games.parse().unwrap());
    let teams = (1..=TEAMS).map(|number| format!("Équipe {number}=ia:glouton"));
    let config = Config {
        maps: vec![MAP.into()],
        turns: Some(50),
        teams: teams.map(|team| setup::parse_team(&team).unwrap()).collect(),
        ..Config::default()
    };
    let mut plan = setup::plan(&config, 1).unwrap();
    for (number, team) in plan.teams.iter_mut().enumerate() {
        team.version = format!("{number:016x}");
    }
    let schedule = plan.schedule.clone();
    let rounds = (1..).map_while(|round| schedule.round(round, &plan.teams, plan.maps.len(), &[]));
    let per_round = rounds.take(1).flatten().map(|it| plan.seatings(&it).len()).sum::<usize>();
    plan.schedule.rounds = u32::try_from(games.div_ceil(per_round)).unwrap();

    let mut store = Store::create(Path::new(&path), &plan).unwrap();
    let mut model = None;
    let mut waiting = Vec::new();
    for round in 1..=plan.schedule.rounds {
        let matchups = plan.schedule.round(round, &plan.teams, plan.maps.len(), &[]).unwrap();
        for matchup in matchups {
            for seating in plan.seatings(&matchup) {
                let key = Key::of_game(&plan, &matchup, seating);
                let job = plan.job(&Fixture { key, matchup, seating });
                let model = model.get_or_insert_with(|| house_game::play(&job).unwrap());
                waiting.push(outcome(&job, model));
            }
        }
        if waiting.len() >= TOGETHER || round == plan.schedule.rounds {
            store.deliver(&std::mem::take(&mut waiting)).unwrap();
        }
    }
}

/// An outcome of a game with points that follow from its key, and with the recording of another game.
fn outcome(job: &Job, model: &Outcome) -> Outcome {
    let points: Vec<i32> =
        job.key.as_bytes()[..4].iter().map(|byte| i32::from(*byte) * 10).collect();
    let rank = |own: i32| 1 + points.iter().filter(|points| **points > own).count() as u32;
    let usage = Usage {
        cpu: Some(Duration::from_millis(20)),
        peak_memory: Some(20 << 20),
        run_delay: Some(Duration::from_millis(1)),
        ..Usage::default()
    };
    let seats = job.seats.iter().zip(&model.seats).zip(&points).map(|((seat, model), &points)| {
        SeatOutcome {
            team: seat.name.as_str().into(),
            version: seat.version.as_str().into(),
            is_house: seat.is_house,
            points,
            rank: rank(points),
            usage: Some(Box::new(usage.clone())),
            ..model.clone()
        }
    });
    Outcome {
        key: job.key,
        matchup: job.matchup,
        round: job.round,
        map: job.map.name.as_str().into(),
        seed: job.seed,
        seats: seats.collect(),
        ..model.clone()
    }
}
