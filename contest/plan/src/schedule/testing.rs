//! Teams and results for the tests.

use std::cmp::Ordering;

use super::{Format, MatchupResult, Schedule};
use crate::matchup::{Group, Matchup};
use crate::team::{Program, Team};

pub(crate) fn schedule(format: Format, rounds: u32) -> Schedule {
    Schedule { format, rounds, until: None, lots: 7 }
}

/// Teams `t00`, `t01`, … of these generations.
pub(crate) fn teams(generations: &[u32]) -> Vec<Team> {
    let team = |(index, &generation): (usize, &u32)| {
        let team = Team::new(format!("t{index:02}"), Program::Remote, "1");
        Team { generation, ..team }
    };
    generations.iter().enumerate().map(team).collect()
}

pub(crate) fn played(round: u32, group: &[usize], scores: &[(f64, f64)]) -> MatchupResult {
    let group = Group::new(group).unwrap();
    MatchupResult { matchup: Matchup { round, map: 0, group }, scores: scores.to_vec() }
}

/// The results of matchups in which the stronger team always wins.
pub(crate) fn play(matchups: &[Matchup], strength: impl Fn(usize) -> u32) -> Vec<MatchupResult> {
    let result = |&matchup: &Matchup| {
        let strengths: Vec<_> = matchup.group.teams().iter().map(|&team| strength(team)).collect();
        let score = |&own: &u32| {
            let beside = |&other: &u32| match other.cmp(&own) {
                Ordering::Greater => 1.0,
                Ordering::Equal => 0.5,
                Ordering::Less => 0.0,
            };
            // The sum includes the team itself.
            (3.5 - strengths.iter().map(beside).sum::<f64>(), f64::from(own) / 8.0)
        };
        MatchupResult { matchup, scores: strengths.iter().map(score).collect() }
    };
    matchups.iter().map(result).collect()
}
