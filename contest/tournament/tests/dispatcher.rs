//! The dispatcher, at a venue whose faults follow a script.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::VecDeque;
use std::time::Duration;

use plan::{Job, Outcome, Plan};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tournament::dispatcher::{DispatchOptions, Dispatcher, RunEnd, RunError};
use tournament::event::TournamentEvent;
use tournament::featured::FeaturedGame;
use tournament::house_game;
use tournament::store::Delivery;
use tournament::tournament::{NextStep, Tournament};
use tournament::venue::{GameEvent, HostFault, Ticket, Venue};
use tournoi::config::Config;
use tournoi::setup;

const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/petit.txt");

/// Turns the outcome of a game into a fault of the host.
type Fault = fn(Outcome) -> HostFault;

const NO_RESULT: Fault = |_| HostFault::NoResult;
const NOT_READY: Fault = |_| HostFault::NotReady("busy".to_owned());
const STALLED: Fault = |mut outcome| {
    outcome.seats[0].malformed = 77;
    HostFault::Stalled(Box::new(outcome))
};

/// Plays games between house bots; the first attempts end with these faults.
struct Scripted(VecDeque<Fault>);

impl Venue for Scripted {
    const ATTEMPTS: u32 = 3;
    const PAUSE: Duration = Duration::from_millis(250);

    fn play(
        &mut self,
        job: Job,
        ticket: Ticket,
    ) -> impl Future<Output = Result<Outcome, HostFault>> + Send + 'static {
        let fault = self.0.pop_front();
        async move {
            let outcome = house_game::play(&job).unwrap();
            ticket.begun();
            match fault {
                Some(fault) => Err(fault(outcome)),
                None => Ok(outcome),
            }
        }
    }
}

/// Plays games between house bots as a function tells; a stalled game counts at once.
struct Venues<F>(F);

impl<F, P> Venue for Venues<F>
where
    F: FnMut(Job, Ticket) -> P,
    P: Future<Output = Result<Outcome, HostFault>> + Send + 'static,
{
    const ATTEMPTS: u32 = 1;
    const PAUSE: Duration = Duration::ZERO;

    fn play(
        &mut self,
        job: Job,
        ticket: Ticket,
    ) -> impl Future<Output = Result<Outcome, HostFault>> + Send + 'static {
        (self.0)(job, ticket)
    }
}

fn plan(rounds: u32) -> Plan {
    let config = Config {
        maps: vec![MAP.into()],
        turns: Some(5),
        rounds: Some(rounds),
        teams: ["ia:glouton", "ia:prudent", "ia:dijkstra", "ia:aleatoire"]
            .map(|team| setup::parse_team(team).unwrap())
            .into(),
        ..Config::default()
    };
    setup::plan(&config, 1).unwrap()
}

/// Runs a tournament of four games a round, all at a time. Returns its end.
fn run_at(venue: impl Venue, tournament: &mut Tournament) -> Result<RunEnd, RunError> {
    let options = DispatchOptions { parallel: 4, until: None, stop: CancellationToken::new() };
    let (_, no_actions) = mpsc::channel(1);
    let featured = FeaturedGame::new(None);
    let dispatcher = Dispatcher::new(tournament, venue, featured, options, no_actions, |_, _| {});
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().start_paused(true).build().unwrap().block_on(dispatcher.run())
}

#[test]
fn games_that_end_well_count_whatever_ends_the_round() {
    let too_large = || HostFault::TooLarge { bytes: 2, allowed: 1 };
    let mut tournament = Tournament::in_memory(plan(1)).unwrap();
    let mut number = 0;
    // One game ends the round, and the others end well as they are stopped.
    let venue = Venues(|job: Job, ticket: Ticket| {
        number += 1;
        let is_first = number == 1;
        async move {
            if is_first {
                return Err(too_large());
            }
            ticket.stop.cancelled().await;
            Ok(house_game::play(&job).unwrap())
        }
    });
    let end = run_at(venue, &mut tournament);
    assert!(matches!(end, Err(RunError::Host(HostFault::TooLarge { .. }))), "{end:?}");
    assert_eq!(tournament.games().count(), 3);

    // All end in the same moment, two of them in faults of the host that leave an outcome.
    let mut tournament = Tournament::in_memory(plan(1)).unwrap();
    let mut number = 0;
    let venue = Venues(|job: Job, _| {
        number += 1;
        let end = match number {
            1 => Err(too_large()),
            2 | 3 => Err(STALLED(house_game::play(&job).unwrap())),
            _ => Ok(house_game::play(&job).unwrap()),
        };
        std::future::ready(end)
    });
    let end = run_at(venue, &mut tournament);
    assert!(matches!(end, Err(RunError::Host(HostFault::TooLarge { .. }))), "{end:?}");
    assert_eq!(tournament.games().count(), 3);
    assert_eq!(tournament.store().attempts().unwrap().len(), 2);
}

#[test]
fn evidence_that_comes_between_two_rounds_is_kept() {
    let mut tournament = Tournament::in_memory(plan(2)).unwrap();
    let mut first = None;
    let mut is_heard = None;
    let venue = Venues(|job: Job, ticket: Ticket| {
        let outcome = house_game::play(&job).unwrap();
        let (early, mut other) = first.get_or_insert_with(|| (ticket, outcome.clone())).clone();
        if job.round == 2 && is_heard.is_none() {
            // The first round is over, and nothing of the second one has been played.
            other.seats[0].points += 1000;
            is_heard = Some(early.tell(|_| GameEvent::Late(Box::new(other))));
        }
        std::future::ready(Ok(outcome))
    });
    assert_eq!(run_at(venue, &mut tournament).unwrap(), RunEnd::Over(NextStep::Over));
    assert_eq!(is_heard, Some(true));
    assert_eq!(tournament.store().conflicts().unwrap().len(), 1);
}

/// Runs a tournament with one game at a time, whose first attempts have these faults. Returns its end, its events and the
/// recorded malformed orders; checks that each spoilt game is kept as an attempt.
fn run(faults: &[Fault]) -> (Result<RunEnd, RunError>, Vec<String>, Vec<u32>) {
    let folder = tempfile::tempdir().unwrap();
    let mut tournament = Tournament::create(&folder.path().join("results"), plan(1)).unwrap();
    let mut told = Vec::new();
    let tell = |_: &Tournament, event: TournamentEvent<'_>| match event {
        TournamentEvent::Begun(_) => told.push("begun".to_owned()),
        TournamentEvent::Again(_, fault) => told.push(fault.to_string()),
        TournamentEvent::Ended(_, delivery) => {
            assert_eq!(delivery, Delivery::New);
            told.push("ended".to_owned());
        }
        _ => {}
    };
    let options = DispatchOptions { parallel: 1, until: None, stop: CancellationToken::new() };
    let (_, no_actions) = mpsc::channel(1);
    let venue = Scripted(faults.iter().copied().collect());
    let featured = FeaturedGame::new(None);
    let dispatcher = Dispatcher::new(&mut tournament, venue, featured, options, no_actions, tell);
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(true).build().unwrap();
    let end = runtime.block_on(dispatcher.run());
    let attempts = tournament.store().attempts().unwrap();
    let is_spoilt = |fault: &&Fault| !std::ptr::fn_addr_eq(**fault, NOT_READY);
    let played = end.as_ref().map_or(attempts.len(), |_| faults.iter().filter(is_spoilt).count());
    assert_eq!(attempts.len(), played, "{attempts:?}");
    let malformed = tournament.games().map(|(_, game)| game.seats[0].malformed);
    (end, told, malformed.collect())
}

#[test]
fn a_game_that_the_host_spoils_is_played_again() {
    let (end, told, recorded) = run(&[NO_RESULT, STALLED]);
    assert_eq!(end.unwrap(), RunEnd::Over(NextStep::Over));
    assert_eq!(told.iter().filter(|line| *line == "begun").count(), 6, "{told:?}");
    assert_eq!(told.iter().filter(|line| *line == "ended").count(), 4, "{told:?}");
    assert!(told.contains(&HostFault::NoResult.to_string()), "{told:?}");
    assert!(recorded.len() == 4 && !recorded.contains(&77), "{recorded:?}");
}

#[test]
fn last_outcome_counts_if_the_host_stalls_in_every_attempt() {
    let (end, _, recorded) = run(&[STALLED; 12]);
    assert_eq!(end.unwrap(), RunEnd::Over(NextStep::Over));
    assert_eq!(recorded, [77; 4]);
}

#[test]
fn a_game_without_any_result_ends_the_run() {
    let (end, told, recorded) = run(&[NO_RESULT; 12]);
    assert!(matches!(end, Err(RunError::Host(HostFault::NoResult))), "{end:?}");
    assert!(!told.contains(&"ended".to_owned()), "{told:?}");
    assert!(recorded.is_empty());
}

#[test]
fn game_whose_players_are_not_ready_is_tried_again() {
    let (end, told, recorded) = run(&[NOT_READY; 20]);
    assert_eq!(end.unwrap(), RunEnd::Over(NextStep::Over));
    assert_eq!(recorded.len(), 4);
    assert!(!told.iter().any(|line| line.contains("busy")), "{told:?}");
}
