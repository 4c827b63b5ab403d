//! The terminal while games are played.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use arena::hall::{Presence, TeamPresence};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use language::{Language, said, word};
use plan::Plan;
use tournament::event::TournamentEvent;
use tournament::store::Delivery;
use tournament::tournament::Tournament;

use super::fault_lines::FaultLines;

/// Maximum number of missing teams listed by name.
const LISTED: usize = 5;

/// Number of teams that are named while games are played.
const LEADERS: usize = 5;

/// Shortest time between two computations of the ranking.
const PAUSE: Duration = Duration::from_secs(1);

/// The time between two computations of the ranking is at least this many times the time that one takes.
const SHARE: u32 = 20;

/// Shows the progress of a tournament: a line for each round, and on a terminal a bar, with the time left and the first
/// teams under it.
pub(crate) struct Display {
    lines: MultiProgress,
    /// The games of the round.
    bar: ProgressBar,
    /// The games of all rounds; its message names the first teams.
    whole: ProgressBar,
    /// No ranking is computed before this time.
    due: Instant,
    round: Option<RoundSoFar>,
    /// The teams that were present at the last event about teams.
    there: BTreeSet<String>,
    /// The teams that shall come, on a list or since an earlier run.
    expected: Vec<String>,
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
    pub(crate) fn begin(tournament: &Tournament, mut faults: FaultLines) -> Self {
        let plan = tournament.plan();
        faults.spare_house(&plan.teams);
        let (name, size, seed) = (&plan.conditions.name, size(plan), plan.conditions.seed);
        let base = tournament.store().path().display();
        cli::tell!(
            "{name}: {size}seed {seed}; results in {base}",
            "{name} : {size}graine {seed} ; résultats dans {base}"
        );
        // Nothing is shown before the first round: a bar of no games would look full.
        let lines = MultiProgress::new();
        let line = || lines.add(ProgressBar::new(0).with_style(style("{msg}")));
        let (bar, whole) = (line(), line());
        let due = Instant::now();
        Self {
            lines,
            bar,
            whole,
            due,
            round: None,
            there: BTreeSet::new(),
            expected: Vec::new(),
            faults,
        }
    }

    /// Names teams that shall come, which are missing until then.
    pub(crate) fn expect(&mut self, teams: Vec<String>) {
        self.expected = teams;
        if let Some(missing) = self.missing() {
            self.say(&said!("missing: {missing}", "il manque : {missing}"));
        }
    }

    /// The expected teams that are not present, at most five of them by name; `None` if there are none.
    fn missing(&self) -> Option<String> {
        let missing = self.expected.iter().filter(|team| !self.there.contains(*team));
        let missing: Vec<_> = missing.map(|team| cli::printable(team)).collect();
        match missing.len() {
            0 => None,
            few @ 1..=LISTED => Some(missing[..few].join(", ")),
            many => {
                let (listed, more) = (missing[..LISTED].join(", "), many - LISTED);
                Some(said!("{listed}, and {more} more", "{listed}, et {more} autres"))
            }
        }
    }

    pub(crate) fn tell(&mut self, tournament: &Tournament, event: &TournamentEvent<'_>) {
        match event {
            TournamentEvent::Round(round) => {
                self.end_round();
                self.begin_whole(tournament);
                self.bar.set_style(style("{msg} {wide_bar} {human_pos}/{human_len}"));
                self.bar.set_length(round.games as u64);
                self.bar.set_position((round.games - round.missing.len()) as u64);
                let rounds = tournament.plan().schedule.rounds;
                let number = round.number;
                self.bar.set_message(said!(
                    "round {number} of {rounds}",
                    "manche {number} sur {rounds}"
                ));
                self.bar.enable_steady_tick(Duration::from_millis(200));
                let began = Instant::now();
                self.round = Some(RoundSoFar { round: round.number, began, games: 0 });
            }
            // The sentences about refused players depend on the list of teams, which the command knows.
            TournamentEvent::Begun(_)
            | TournamentEvent::Running(..)
            | TournamentEvent::Refused(_) => {}
            TournamentEvent::Idle => self.rank(tournament),
            TournamentEvent::Ended(outcome, delivery) => {
                self.bar.inc(1);
                self.whole.inc(1);
                self.rank(tournament);
                if let Some(round) = &mut self.round {
                    round.games += 1;
                }
                for line in self.faults.after(outcome) {
                    self.say(&line);
                }
                if *delivery == Delivery::Differs {
                    let key = outcome.key;
                    self.say(&said!(
                        "game {key}: another result than before; the first one counts",
                        "partie {key} : un autre résultat qu'avant ; le premier compte"
                    ));
                }
            }
            TournamentEvent::Again(game, fault) => {
                let (key, why) = (game.key, fault.to_string());
                self.say(&said!(
                    "game {key} is played again: {why}",
                    "la partie {key} est rejouée : {why}"
                ));
            }
            TournamentEvent::Teams(teams) => {
                for line in self.changes(teams) {
                    self.say(&line);
                }
            }
            TournamentEvent::Nobody => {
                self.say(&said!("nobody is there yet", "personne n'est encore là"));
            }
            TournamentEvent::Joined(names) => {
                self.say(&said!("they play: {}", "participent : {}", names.join(", ")));
            }
            TournamentEvent::Paused(true) => self.say(&said!("paused", "en pause")),
            TournamentEvent::Paused(false) => self.say(&said!("going on", "reprise")),
            TournamentEvent::Ending => self.say(&said!(
                "it ends after the games that are played now",
                "le tournoi se termine après les parties en cours"
            )),
        }
    }

    /// Shows the time left, unless it is shown already.
    fn begin_whole(&mut self, tournament: &Tournament) {
        let plan = tournament.plan();
        self.whole.set_length(plan.schedule.games(&plan.teams, plan.conditions.seatings));
        if self.round.is_none() && self.whole.position() == 0 {
            self.whole.set_style(style(word("{eta} left  {wide_msg}", "reste {eta}  {wide_msg}")));
            self.whole.set_position(tournament.games().count() as u64);
            // The games of an earlier run say nothing about the speed of this one.
            self.whole.reset_eta();
            self.whole.enable_steady_tick(Duration::from_millis(200));
        }
    }

    /// Names the first teams, on a terminal and from time to time.
    fn rank(&mut self, tournament: &Tournament) {
        let start = Instant::now();
        if start < self.due || self.whole.is_hidden() {
            return;
        }
        let standings = tournament.standings(0);
        let ranked = standings.rows.iter().filter(|row| row.is_ranked()).take(LEADERS);
        let leaders = ranked.map(|row| format!("{} {:.0}", cli::printable(&row.name), row.rating));
        self.whole.set_message(leaders.collect::<Vec<_>>().join(" · "));
        self.due = Instant::now() + PAUSE.max(SHARE * start.elapsed());
    }

    /// The teams that have come and gone since the last call, in words.
    fn changes(&mut self, teams: &[TeamPresence]) -> Vec<String> {
        let is_there = |team: &&TeamPresence| team.presence != Presence::Gone;
        let now: BTreeSet<String> =
            teams.iter().filter(is_there).map(|team| team.name.to_string()).collect();
        let there = now.len();
        let before = std::mem::replace(&mut self.there, now);
        let missing =
            self.missing().map(|names| said!("; missing: {names}", " ; il manque : {names}"));
        let missing = missing.unwrap_or_default();
        let line = |team: &TeamPresence| {
            let name = team.name.as_str();
            match (before.contains(name), self.there.contains(name)) {
                (false, true) => Some(said!(
                    "+ {name} (present: {there}{missing})",
                    "+ {name} (équipes présentes : {there}{missing})"
                )),
                (true, false) => Some(said!(
                    "- {name} is gone (present: {there}{missing})",
                    "- {name} n'est plus là (équipes présentes : {there}{missing})"
                )),
                _ => None,
            }
        };
        teams.iter().filter_map(line).collect()
    }

    /// Removes the lines of progress, and shows the counts of faults.
    pub(crate) fn end(&mut self) {
        self.end_round();
        for line in self.faults.counts() {
            self.say(&line);
        }
        self.bar.finish_and_clear();
        self.whole.finish_and_clear();
    }

    fn end_round(&mut self) {
        if let Some(RoundSoFar { round, began, games }) = self.round.take() {
            let seconds = Language::chosen().decimal(began.elapsed().as_secs_f64(), 1);
            let games = count(games as u64, ["game", "partie"]);
            self.say(&said!(
                "round {round}: {games} in {seconds} s",
                "manche {round} : {games} en {seconds} s"
            ));
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn say(&self, line: &str) {
        self.lines.suspend(|| cli::say!("{line}"));
    }
}

/// The numbers of teams, rounds and games, as far as they are known, each with a comma after it. Before teams come, the number
/// of rounds may be 0, which stands for one that follows from the number of teams.
fn size(plan: &Plan) -> String {
    let (teams, rounds) = (plan.teams.len(), plan.schedule.rounds);
    let round_count = count(rounds, ["round", "manche"]);
    match rounds {
        0 => String::new(),
        _ if teams == 0 => format!("{round_count}, "),
        _ => {
            let games = plan.schedule.games(&plan.teams, plan.conditions.seatings);
            let teams = count(teams as u64, ["team", "équipe"]);
            format!("{teams}, {round_count}, {}, ", count(games, ["game", "partie"]))
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well formed")
}

/// A number of things, by their English and French names.
fn count(number: impl Into<u64>, [english, french]: [&str; 2]) -> String {
    let (number, language) = (number.into(), Language::chosen());
    let thing = language.say(english, french);
    format!("{number} {thing}{}", language.plural(number, "", "s"))
}

#[cfg(test)]
mod tests {
    use indicatif::{InMemoryTerm, ProgressDrawTarget};
    use tournament::house_game;
    use tournament::tournament::NextStep;

    use super::*;
    use crate::config::Config;
    use crate::setup;

    fn config(teams: &[&str]) -> Config {
        Config {
            maps: vec![concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/petit.txt").into()],
            teams: teams.iter().map(|team| setup::parse_team(team).unwrap()).collect(),
            ..Config::default()
        }
    }

    #[test]
    fn bar_without_games_is_not_shown_before_the_first_round() {
        let plan = setup::plan(&config(&["ia:glouton", "ia:prudent"]), 1).unwrap();
        let mut tournament = Tournament::in_memory(plan).unwrap();
        let mut display = Display::begin(&tournament, FaultLines::new(None));
        let terminal = InMemoryTerm::new(5, 80);
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        display.lines.set_draw_target(target);
        display.bar.tick();
        assert_eq!(terminal.contents(), "");
        let NextStep::Round(round) = tournament.next(None) else { panic!("nothing to play") };
        display.tell(&tournament, &TournamentEvent::Round(&round));
        display.bar.tick();
        assert!(terminal.contents().contains(" 0/4"), "{}", terminal.contents());
    }

    #[test]
    fn first_teams_and_the_time_left_are_under_the_bar() {
        let names = ["glouton", "prudent", "aleatoire", "glouton", "prudent", "aleatoire"];
        let teams: Vec<String> =
            names.iter().zip('A'..).map(|(bot, team)| format!("{team}=ia:{bot}")).collect();
        let teams: Vec<_> = teams.iter().map(String::as_str).collect();
        let plan = setup::plan(&config(&teams), 1).unwrap();
        let mut tournament = Tournament::in_memory(plan).unwrap();
        let mut display = Display::begin(&tournament, FaultLines::new(None));
        let terminal = InMemoryTerm::new(5, 80);
        display.lines.set_draw_target(ProgressDrawTarget::term_like(Box::new(terminal.clone())));
        let NextStep::Round(round) = tournament.next(None) else { panic!("nothing to play") };
        display.tell(&tournament, &TournamentEvent::Round(&round));
        for game in &round.missing {
            let outcome = house_game::play(&tournament.plan().job(game)).unwrap();
            let delivery = tournament.deliver(std::slice::from_ref(&outcome)).unwrap()[0];
            display.due = Instant::now();
            display.tell(&tournament, &TournamentEvent::Ended(&outcome, delivery));
        }
        display.whole.tick();
        let shown = terminal.contents();
        let lines: Vec<_> = shown.lines().collect();
        assert!(lines[0].starts_with("round 1 of "), "{shown}");
        assert!(lines[1].contains(" left  "), "{shown}");
        let standings = tournament.standings(0);
        for (place, row) in standings.rows.iter().enumerate() {
            let team = format!("{} {:.0}", row.name, row.rating);
            assert_eq!(lines[1].contains(&team), place < LEADERS, "{team}: {shown}");
        }
        display.end();
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn number_of_rounds_is_shown_once_it_is_known() {
        assert_eq!(size(&setup::open_plan(&config(&[]), 1).unwrap()), "");
        let rounds = Config { rounds: Some(2), ..config(&[]) };
        assert_eq!(size(&setup::open_plan(&rounds, 1).unwrap()), "2 rounds, ");
        let teams = setup::plan(&config(&["ia:glouton", "ia:prudent"]), 1).unwrap();
        assert_eq!(size(&teams), "2 teams, 1 round, 4 games, ");
    }
}
