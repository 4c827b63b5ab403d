//! The dispatcher, at a venue whose faults follow a script.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::VecDeque;
use std::time::Duration;

use plan::{Job, Outcome, house_game};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tournament::config::Config;
use tournament::dispatcher::{DispatchOptions, Dispatcher, RunEnd, RunError};
use tournament::event::TournamentEvent;
use tournament::setup;
use tournament::stage::Stage;
use tournament::store::Delivery;
use tournament::tournament::{Next, Tournament};
use tournament::venue::{HostFault, Ticket, Venue};

const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../cartes/petit.txt");

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

/// Runs a tournament with one game at a time, whose first attempts have these faults. Returns its end, its events and the
/// recorded malformed orders; checks that each spoilt game is kept as an attempt.
fn run(faults: &[Fault]) -> (Result<RunEnd, RunError>, Vec<String>, Vec<u32>) {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        maps: vec![MAP.into()],
        turns: Some(5),
        rounds: Some(1),
        teams: ["ia:glouton", "ia:prudent", "ia:dijkstra", "ia:aleatoire"]
            .map(|team| setup::parse_team(team).unwrap())
            .into(),
        ..Config::default()
    };
    let plan = setup::plan(&config, 1).unwrap();
    let mut tournament = Tournament::create(&folder.path().join("results"), plan).unwrap();
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
    let stage = Stage::new(None);
    let dispatcher = Dispatcher::new(&mut tournament, venue, stage, options, no_actions, tell);
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(true).build().unwrap();
    let end = runtime.block_on(dispatcher.run());
    let attempts = tournament.store().attempts().unwrap();
    let is_spoilt = |fault: &&Fault| !std::ptr::fn_addr_eq(**fault, NOT_READY);
    let played = end.as_ref().map_or(attempts.len(), |_| faults.iter().filter(is_spoilt).count());
    assert_eq!(attempts.len(), played, "{attempts:?}");
    let malformed = tournament.outcomes().map(|outcome| outcome.seats[0].malformed);
    (end, told, malformed.collect())
}

#[test]
fn a_game_that_the_host_spoils_is_played_again() {
    let (end, told, recorded) = run(&[NO_RESULT, STALLED]);
    assert_eq!(end.unwrap(), RunEnd::Over(Next::Over));
    assert_eq!(told.iter().filter(|line| *line == "begun").count(), 6, "{told:?}");
    assert_eq!(told.iter().filter(|line| *line == "ended").count(), 4, "{told:?}");
    assert!(told.contains(&HostFault::NoResult.to_string()), "{told:?}");
    assert!(recorded.len() == 4 && !recorded.contains(&77), "{recorded:?}");
}

#[test]
fn a_host_that_always_stalls_is_what_the_tournament_is_played_on() {
    let (end, _, recorded) = run(&[STALLED; 12]);
    assert_eq!(end.unwrap(), RunEnd::Over(Next::Over));
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
fn players_that_are_not_ready_are_no_fault() {
    let (end, told, recorded) = run(&[NOT_READY; 20]);
    assert_eq!(end.unwrap(), RunEnd::Over(Next::Over));
    assert_eq!(recorded.len(), 4);
    assert!(!told.iter().any(|line| line.contains("busy")), "{told:?}");
}
