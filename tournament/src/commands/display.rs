//! The terminal while games are played.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use server::hall::{Presence, TeamPresence};
use tournament::event::TournamentEvent;
use tournament::store::Delivery;
use tournament::tournament::{Next, Tournament};

use super::fault_lines::FaultLines;

/// Shows the progress of a tournament: a line for each round, and on a terminal a bar.
pub(crate) struct Display {
    bar: ProgressBar,
    round: Option<RoundSoFar>,
    /// The teams that were there when teams came or went last.
    there: BTreeSet<String>,
    faults: FaultLines,
}

/// The part of a round that was played so far.
struct RoundSoFar {
    round: u32,
    began: Instant,
    games: usize,
}

impl Display {
    /// Shows the size of the tournament.
    pub(crate) fn begin(tournament: &Tournament, faults: FaultLines) -> Self {
        let plan = tournament.plan();
        let (teams, rounds) = (plan.teams.len(), plan.schedule.rounds);
        // Where teams come later, rounds may depend on how many there will be.
        let size = match rounds {
            0 => String::new(),
            _ if teams == 0 => format!("{}, ", count(rounds, "round")),
            _ => {
                let games = plan.schedule.games(&plan.teams, plan.conditions.seatings);
                let (teams, rounds) = (count(teams as u64, "team"), count(rounds, "round"));
                format!("{teams}, {rounds}, {}, ", count(games, "game"))
            }
        };
        say!(
            "{}: {size}seed {}; results in {}",
            plan.conditions.name,
            plan.conditions.seed,
            tournament.store().path().display()
        );
        let template = "{msg} {wide_bar} {human_pos}/{human_len} {eta}";
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let bar = ProgressBar::new(0).with_style(style);
        Self { bar, round: None, there: BTreeSet::new(), faults }
    }

    /// Shows an event.
    pub(crate) fn tell(&mut self, tournament: &Tournament, event: &TournamentEvent<'_>) {
        match event {
            TournamentEvent::Round(round) => {
                self.end_round();
                self.bar.set_length(round.games as u64);
                self.bar.set_position((round.games - round.missing.len()) as u64);
                let rounds = tournament.plan().schedule.rounds;
                self.bar.set_message(format!("round {} of {rounds}", round.number));
                self.bar.enable_steady_tick(Duration::from_millis(200));
                let began = Instant::now();
                self.round = Some(RoundSoFar { round: round.number, began, games: 0 });
            }
            TournamentEvent::Begun(_) | TournamentEvent::Running(..) | TournamentEvent::Idle => {}
            TournamentEvent::Ended(outcome, delivery) => {
                self.bar.inc(1);
                if let Some(round) = &mut self.round {
                    round.games += 1;
                }
                for line in self.faults.after(outcome) {
                    self.say(&line);
                }
                if *delivery == Delivery::Differs {
                    let key = outcome.key;
                    self.say(&format!(
                        "game {key}: another result than before; the first one counts"
                    ));
                }
            }
            TournamentEvent::Again(game, fault) => {
                self.say(&format!("game {} is played again: {fault}", game.key));
            }
            TournamentEvent::Teams(teams) => {
                for line in self.changes(teams) {
                    self.say(&line);
                }
            }
            TournamentEvent::Nobody => self.say("nobody is there yet"),
            TournamentEvent::Joined(names) => self.say(&format!("they play: {}", names.join(", "))),
            TournamentEvent::Paused(is_paused) => {
                self.say(if *is_paused { "paused" } else { "going on" });
            }
            TournamentEvent::Ending => self.say("it ends after the games that are played now"),
        }
    }

    /// The teams that have come and gone since the last call, in words.
    fn changes(&mut self, teams: &[TeamPresence]) -> Vec<String> {
        let is_there = |team: &&TeamPresence| team.presence != Presence::Gone;
        let now: BTreeSet<String> =
            teams.iter().filter(is_there).map(|team| team.name.to_string()).collect();
        let there = now.len();
        let line = |team: &TeamPresence| {
            let name = team.name.as_str();
            match (self.there.contains(name), now.contains(name)) {
                (false, true) => Some(format!("+ {name} ({there} there)")),
                (true, false) => Some(format!("- {name} is gone ({there} there)")),
                _ => None,
            }
        };
        let lines = teams.iter().filter_map(line).collect();
        self.there = now;
        lines
    }

    /// Takes the bar away, and shows how often each fault happened.
    pub(crate) fn end(&mut self) {
        self.end_round();
        for line in self.faults.counts() {
            self.say(&line);
        }
        self.bar.finish_and_clear();
    }

    /// Shows how the tournament ended.
    pub(crate) fn over(&self, next: &Next) {
        if let Next::Settled { round, team, probability } = next {
            self.say(&format!(
                "settled after round {round}: {team} is the best with probability {probability:.3}"
            ));
        }
    }

    fn end_round(&mut self) {
        if let Some(RoundSoFar { round, began, games }) = self.round.take() {
            let seconds = began.elapsed().as_secs_f64();
            self.say(&format!("round {round}: {} in {seconds:.1} s", count(games as u64, "game")));
        }
    }

    fn say(&self, line: &str) {
        self.bar.suspend(|| say!("{line}"));
    }
}

/// A number of things, by their English name.
fn count(number: impl Into<u64>, thing: &str) -> String {
    match number.into() {
        1 => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}
