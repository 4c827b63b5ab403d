//! Games to be played, with all data needed to play them.

use std::time::{Duration, SystemTime};

use game::pacman::RulesPreset;
use referee::Thinking;
use serde::{Deserialize, Serialize};

use crate::matchup::{self, Fixture, Key, SEATS};
use crate::outcome::{Fault, Outcome, SeatOutcome};
use crate::plan::{NamedMap, Plan, TeamLimits};
use crate::team::Program;

/// A game to be played. It does not depend on place or time, and so can be sent to another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The key of the game.
    pub key: Key,
    /// The key of its matchup.
    pub matchup: Key,
    /// The round of the game, from 1.
    pub round: u32,
    /// The map of the game.
    pub map: NamedMap,
    /// The rules of the game.
    pub rules: RulesPreset,
    /// The number of turns.
    pub turns: u32,
    /// The seed of the game.
    pub seed: u64,
    /// Time limit of an answer, from the sending of the state.
    pub deadline: Duration,
    /// Limits of memory and time for each team's program.
    pub limits: TeamLimits,
    /// The players, by colour.
    pub seats: [JobSeat; SEATS],
}

/// A player of a [`Job`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobSeat {
    /// The name of the team, or of the bot if no team has the seat.
    pub name: String,
    /// The program that plays in the seat.
    pub program: Program,
    /// The hash of the files of the program, as packed when the tournament was started or resumed.
    pub package: Option<String>,
    /// The version of the team; empty if no team has the seat.
    pub version: String,
    /// True if a house bot fills the seat because no team has it.
    pub is_house: bool,
    /// The seed of the player, for house bots.
    pub seed: u64,
}

/// The course of a game, apart from its players.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Number of turns played.
    pub elapsed: u32,
    /// Start of the game.
    pub began: SystemTime,
    /// Duration of the game.
    pub took: Duration,
    /// The bytes of its recording.
    pub recording: Vec<u8>,
}

impl Plan {
    /// The job that plays a game.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use game::pacman::RulesPreset;
    /// use plan::{
    ///     Conditions, Fixture, Format, Key, NamedMap, Plan, Program, Schedule, Seatings, Team, TeamLimits,
    /// };
    ///
    /// let plan = Plan {
    ///     conditions: Conditions {
    ///         name: "Essai".to_owned(),
    ///         seed: 7,
    ///         rules: RulesPreset::Sujet,
    ///         turns: 200,
    ///         deadline: Duration::from_secs(1),
    ///         house: "glouton".to_owned(),
    ///         seatings: Seatings::Cyclic,
    ///     },
    ///     maps: vec![NamedMap::parse("petite".to_owned(), "3;4\n#  #\n    \n#  #\n".to_owned())?],
    ///     teams: ["Ada", "Bob", "Cléo"].map(|name| Team::new(name, Program::Remote, "1")).to_vec(),
    ///     schedule: Schedule { format: Format::Swiss, rounds: 1, until: None, lots: 7 },
    ///     limits: TeamLimits::default(),
    ///     notes: Vec::new(),
    /// };
    /// let matchup = plan.schedule.round(1, &plan.teams, plan.maps.len(), &[]).unwrap()[0];
    /// let seating = plan.seatings(&matchup)[0];
    /// let job = plan.job(&Fixture { key: Key::of_game(&plan, &matchup, seating), matchup, seating });
    /// assert_eq!((job.round, job.turns, job.map.name.as_str()), (1, 200, "petite"));
    /// assert_eq!(job.seats.iter().filter(|seat| seat.is_house).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn job(&self, game: &Fixture) -> Job {
        let Fixture { key, matchup, seating } = game;
        let seed = matchup::seed(self, matchup);
        let mut names = self.names(matchup, *seating).into_iter();
        let seats = seating.0.map(|member| {
            let team = self.member(matchup, member);
            let house = || Program::House(self.conditions.house.clone());
            JobSeat {
                name: names.next().unwrap_or_default(),
                program: team.map_or_else(house, |team| team.program.clone()),
                package: team.and_then(|team| team.package.clone()),
                version: team.map(|team| team.version.clone()).unwrap_or_default(),
                is_house: team.is_none(),
                // A bot has the same seed in every seat.
                seed: seed.wrapping_add(member as u64),
            }
        });
        Job {
            key: *key,
            matchup: Key::of_matchup(self, matchup),
            round: matchup.round,
            map: self.maps[matchup.map].clone(),
            rules: self.conditions.rules,
            turns: self.conditions.turns,
            seed,
            deadline: self.conditions.deadline,
            limits: self.limits.clone(),
            seats,
        }
    }
}

impl Job {
    /// The outcome of the game, given those of its seats by colour.
    pub fn outcome(&self, course: Course, seats: Vec<SeatOutcome>) -> Outcome {
        let Course { elapsed, began, took, recording } = course;
        Outcome {
            key: self.key,
            matchup: self.matchup,
            round: self.round,
            map: self.map.name.as_str().into(),
            seed: self.seed,
            turns: self.turns,
            elapsed,
            seats,
            began,
            took,
            recording,
        }
    }
}

impl JobSeat {
    /// The name of the house bot of the seat; `None` for other programs.
    pub fn bot(&self) -> Option<&str> {
        match &self.program {
            Program::House(bot) => Some(bot),
            Program::Command(_) | Program::Remote => None,
        }
    }

    /// The outcome of the seat: its points, its rank from 1, its thinking times, its malformed orders and its fault.
    pub fn outcome(
        &self,
        points: i32,
        rank: u32,
        thinking: Thinking,
        malformed: u32,
        fault: Option<Fault>,
    ) -> SeatOutcome {
        SeatOutcome {
            team: self.name.as_str().into(),
            version: self.version.as_str().into(),
            is_house: self.is_house,
            points,
            rank,
            thinking,
            malformed,
            fault: fault.map(Box::new),
            usage: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;
    use crate::matchup::{Group, Matchup, Seating};
    use crate::testing::plan;

    fn job(seating: [usize; SEATS]) -> Job {
        let plan = plan();
        let matchup = Matchup { round: 2, map: 1, group: Group::new(&[4, 1, 2]).unwrap() };
        let seating = Seating(seating);
        plan.job(&Fixture { key: Key::of_game(&plan, &matchup, seating), matchup, seating })
    }

    #[test]
    fn a_job_and_its_outcome_survive_serialisation() {
        let mut job = job([3, 0, 1, 2]);
        let outcome = |seat: &JobSeat| seat.outcome(-7, 2, Thinking::default(), 1, None);
        let seats: Vec<_> = job.seats.iter().map(outcome).collect();
        let took = Duration::from_millis(7);
        let course = Course { elapsed: 9, began: UNIX_EPOCH, took, recording: vec![0, 255] };
        let outcome = job.outcome(course, seats);
        assert_eq!(outcome.seats.iter().filter(|seat| seat.is_house).count(), 1);
        job.seats[1].program = Program::Command(crate::CommandLine {
            words: vec!["python3".to_owned(), "bot.py".to_owned()],
            folder: "/tmp".into(),
            environment: [("A".to_owned(), "1".to_owned())].into(),
        });
        let text = serde_json::to_string(&job).unwrap();
        assert_eq!(serde_json::from_str::<Job>(&text).unwrap(), job);
        let text = serde_json::to_string(&outcome).unwrap();
        assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), outcome);
    }

    #[test]
    fn a_map_that_is_none_is_refused() {
        let text = serde_json::to_string(&job([0, 1, 2, 3])).unwrap();
        let error = serde_json::from_str::<Job>(&text.replace("3;4", "3;5")).unwrap_err();
        assert!(error.to_string().contains("autre"), "{error}");
    }
}
