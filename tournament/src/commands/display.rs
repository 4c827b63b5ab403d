//! What is seen while games are played.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use tournament::runner::News;
use tournament::store::Delivery;
use tournament::tournament::{Next, Tournament};

/// Tells how far it is: a line a round, and on a terminal a bar.
pub(crate) struct Display {
    bar: ProgressBar,
    round: Option<Played>,
}

/// What was played of a round so far.
struct Played {
    round: u32,
    began: Instant,
    games: usize,
}

impl Display {
    /// Says what is going to be played.
    pub(crate) fn begin(tournament: &Tournament) -> Self {
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
        Self { bar, round: None }
    }

    /// Tells what happens.
    pub(crate) fn tell(&mut self, tournament: &Tournament, news: &News<'_>) {
        match news {
            News::Round(round) => {
                self.end_round();
                self.bar.set_length(round.games as u64);
                self.bar.set_position((round.games - round.missing.len()) as u64);
                let rounds = tournament.plan().schedule.rounds;
                self.bar.set_message(format!("round {} of {rounds}", round.number));
                self.bar.enable_steady_tick(Duration::from_millis(200));
                let began = Instant::now();
                self.round = Some(Played { round: round.number, began, games: 0 });
            }
            News::Begun(_) | News::Running(..) | News::Look => {}
            News::Ended(outcome, delivery) => {
                self.bar.inc(1);
                if let Some(played) = &mut self.round {
                    played.games += 1;
                }
                if *delivery == Delivery::Differs {
                    self.say(&format!(
                        "game {}: another result than before; the first one counts",
                        outcome.key
                    ));
                }
            }
            News::Again(game, trouble) => {
                self.say(&format!("game {} is played again: {trouble}", game.key));
            }
        }
    }

    /// Says these lines.
    pub(crate) fn say_all(&self, lines: impl IntoIterator<Item = String>) {
        lines.into_iter().for_each(|line| self.say(&line));
    }

    /// Takes the bar away.
    pub(crate) fn end(&mut self) {
        self.end_round();
        self.bar.finish_and_clear();
    }

    /// Says how it ended.
    pub(crate) fn over(&self, next: &Next) {
        if let Next::Settled { round, team, probability } = next {
            self.say(&format!(
                "settled after round {round}: {team} is the best with probability {probability:.3}"
            ));
        }
    }

    fn end_round(&mut self) {
        if let Some(Played { round, began, games }) = self.round.take() {
            let seconds = began.elapsed().as_secs_f64();
            self.say(&format!("round {round}: {} in {seconds:.1} s", count(games as u64, "game")));
        }
    }

    fn say(&self, line: &str) {
        self.bar.suspend(|| say!("{line}"));
    }
}

/// So many things, by their English name.
fn count(number: impl Into<u64>, thing: &str) -> String {
    match number.into() {
        1 => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}
