//! Random schedules of kills, stops, partitions, power cuts and duplicates, and the promises kept in all of them.
//!
//! `SCHEDULES=100000 cargo test --release -p measure --test simulation` plays 100000 tournaments.

use std::time::Duration;

use measure::simulation::{Scenario, SimulationReport, simulate};

/// Mostly small clusters, in which failures often coincide.
fn scenario(seed: u64) -> Scenario {
    let is_large = seed.is_multiple_of(20);
    Scenario {
        seed,
        workers: if is_large { 40 } else { 1 + (seed % 5) as u32 },
        matchups: if is_large { 100 } else { 12 },
        window: 1 + (seed % 7) as usize * if is_large { 20 } else { 1 },
        game: Duration::from_millis(400),
        lease: Duration::from_secs(2),
        delay: Duration::from_millis(20),
        commit: Duration::from_millis(2),
        flush: Duration::from_secs(10),
        failures: (seed % 30) as u32,
        span: Duration::from_secs(40),
        duplicates: seed % 4,
    }
}

#[test]
fn every_game_counts_once_whatever_fails() {
    let schedules = std::env::var("SCHEDULES").map_or(3000, |count| count.parse().unwrap());
    let (mut failures, mut stale, mut again, mut given_up) = (0, 0, 0, 0);
    for seed in 0..schedules {
        let scenario = scenario(seed);
        let games = scenario.matchups * 4;
        failures += u64::from(scenario.failures);
        let report = simulate(scenario);
        let SimulationReport { committed, committed_twice, committed_stale, orphans, .. } = report;
        assert_eq!(
            (committed, committed_twice, committed_stale, orphans),
            (games, 0, 0, 0),
            "seed {seed}: {report:?}"
        );
        stale += report.stale;
        again += report.again;
        given_up += report.given_up;
    }
    println!(
        "schedules={schedules} failures={failures} stale={stale} again={again} given_up={given_up}"
    );
    // The schedules have reached the cases that the promises are about.
    assert!(schedules < 3000 || stale > 100 && again > 1000 && given_up > 0);
}

#[test]
fn without_failures_every_game_is_played_once() {
    let report = simulate(Scenario { failures: 0, duplicates: 0, ..scenario(3) });
    assert_eq!((report.played, report.again, report.stale), (48, 0, 0), "{report:?}");
}
