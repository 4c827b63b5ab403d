//! Games per second, and the overhead of a game beyond the thinking time of its players.
//!
//! `cargo bench -p tournament --bench games`; it prints `key=value` lines. The programs are `client`s
//! with the bot `prudent`, built for release beside the benchmark.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark may fail, and prints")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use plan::{Program, SEATS};
use programs::cores::Cores;
use programs::journals::Journals;
use programs::package::Packages;
use programs::runner::Runner;
use replay::Recording;
use sandbox::Isolation;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tournament::dispatcher::{DispatchOptions, Dispatcher, RunEnd};
use tournament::event::TournamentEvent;
use tournament::featured::FeaturedGame;
use tournament::store::Delivery;
use tournament::tournament::{NextStep, Tournament};
use tournament::venue::LocalVenue;
use tournoi::config::Config;
use tournoi::setup;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn main() {
    // This program is also started as the launcher of the teams' programs.
    sandbox::launcher_main();
    let house: Vec<_> = (1..=4).map(|number| format!("G{number}=ia:glouton")).collect();
    let (rate, _) = measure(&house, 250, 2);
    println!("in_process_games_per_second={rate:.0} # 4 glouton, 200 turns, two at a time");

    let client = client();
    let program = |number| {
        let client = client.display();
        format!("C{number}={client} --equipe {{nom}} --port {{port}} --journal off")
    };
    let programs: Vec<_> = (1..=4).map(program).collect();
    let (rate, _) = measure(&programs, 25, 2);
    println!("process_games_per_second={rate:.1} # 4 processes over TCP, 200 turns, two at a time");
    let (rate, overhead) = measure(&programs, 25, 1);
    println!("process_games_per_second_alone={rate:.1} # one at a time");
    println!(
        "overhead_ms={:.2} # of a game, beyond the slowest answer of each turn",
        overhead.as_secs_f64() * 1e3
    );
}

/// Plays rounds of four games. Returns the games per second, and the mean overhead of a game beyond its players' answers.
fn measure(teams: &[String], rounds: u32, parallel: usize) -> (f64, Duration) {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        maps: vec![Path::new(ROOT).join("cartes/plan1.txt")],
        rounds: Some(rounds),
        teams: teams.iter().map(|team| setup::parse_team(team).unwrap()).collect(),
        ..Config::default()
    };
    let mut plan = setup::plan(&config, 1).unwrap();
    let packages = Packages::new(folder.path().join("packages"));
    setup::take_packages(&mut plan.teams, &packages).unwrap();
    let journals = Journals::new(folder.path().join("journals"));
    let featured = FeaturedGame::new(None);
    let commands = plan.teams.iter().filter_map(|team| match &team.program {
        Program::Command(command) => Some(command),
        Program::House(_) | Program::Remote => None,
    });
    let cores = Cores::new(parallel * commands.count().min(SEATS));
    let runner = Runner::new(Isolation::default(), packages).unwrap();
    let venue =
        LocalVenue::new(Arc::new(runner), cores, journals, featured.clone(), Duration::ZERO);
    let mut tournament = Tournament::create(&folder.path().join("results"), plan).unwrap();
    let options = DispatchOptions { parallel, until: None, stop: CancellationToken::new() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (_, no_actions) = mpsc::channel(1);
    let (mut beyond, mut games) = (Duration::ZERO, 0);
    let start = Instant::now();
    let tell = |_: &Tournament, event: TournamentEvent<'_>| {
        if let TournamentEvent::Ended(outcome, delivery) = event {
            assert_eq!(delivery, Delivery::New);
            assert!(outcome.seats.iter().all(|seat| seat.fault.is_none()), "{outcome:?}");
            assert_eq!(outcome.elapsed, 200);
            let turns = Recording::read(&outcome.recording).unwrap().turns;
            let slowest = |turn: replay::Turn| turn.answers.iter().map(|a| a.taken).max();
            let answers: Duration = turns.iter().filter_map(slowest).sum();
            beyond += outcome.took.saturating_sub(answers);
            games += 1;
        }
    };
    let dispatcher = Dispatcher::new(&mut tournament, venue, featured, options, no_actions, tell);
    let end = runtime.block_on(dispatcher.run());
    assert_eq!(end.unwrap(), RunEnd::Over(NextStep::Over));
    assert_eq!(games, rounds * 4);
    (f64::from(games) / start.elapsed().as_secs_f64(), beyond / games)
}

/// Builds the client program as for users; returns its path.
fn client() -> PathBuf {
    let bench = std::env::current_exe().unwrap();
    let target = bench.ancestors().nth(3).unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--release", "--package", "client", "--bin", "client"]);
    build.arg("--target-dir").arg(target);
    assert!(build.current_dir(ROOT).status().unwrap().success());
    target.join("release/client")
}
