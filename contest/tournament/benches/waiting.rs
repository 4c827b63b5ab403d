//! Games per second of the dispatcher with the live page, while few or many games wait.
//!
//! `cargo bench -p tournament --bench waiting`; it prints `key=value` lines. The games are short and between bots of the
//! house, so that most of the time is the dispatcher's.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark may fail, and prints")]

use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use plan::{Fixture, Job, Key, Outcome};
use report::About;
use report::live::{self, Embedders, LiveState};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tournament::dispatcher::{DispatchOptions, Dispatcher};
use tournament::event::TournamentEvent;
use tournament::featured::FeaturedGame;
use tournament::house_game;
use tournament::tournament::{RoundToPlay, Tournament};
use tournament::venue::{HostFault, Ticket, Venue};
use tournoi::config::Config;
use tournoi::scoreboard::{FileResults, Scoreboard};
use tournoi::setup;

const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/petit.txt");
const TEAMS: usize = 40;
/// Number of games that are played in a measurement.
const GAMES: u32 = 1000;
const FEW: usize = 1000;
const MANY: usize = 20_000;
const RUNS: usize = 9;

fn main() {
    let mut rates = [Vec::new(), Vec::new()];
    // The machine's load changes: both are measured in turn.
    for _ in 0..RUNS {
        for (rates, waiting) in rates.iter_mut().zip([FEW, MANY]) {
            rates.push(measure(waiting));
        }
    }
    let [few, many] = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[RUNS / 2]
    });
    println!("games_per_second_1000={few:.0} # 1000 games wait, the page is served");
    println!("games_per_second_20000={many:.0} # 20000 games wait");
    println!("ratio={:.3}", many / few);
}

/// Plays the first games of those that wait; returns the games per second.
fn measure(waiting: usize) -> f64 {
    let teams = (1..=TEAMS).map(|number| format!("T{number}=ia:glouton"));
    let config = Config {
        maps: vec![MAP.into()],
        turns: Some(20),
        rounds: Some(MANY as u32 / TEAMS as u32),
        teams: teams.map(|team| setup::parse_team(&team).unwrap()).collect(),
        ..Config::default()
    };
    let plan = setup::plan(&config, 1).unwrap();
    let rounds =
        (1..).map_while(|round| plan.schedule.round(round, &plan.teams, plan.maps.len(), &[]));
    let games = rounds.flatten().flat_map(|matchup| {
        plan.seatings(&matchup).into_iter().map(move |seating| (matchup, seating))
    });
    let games = games.map(|(matchup, seating)| {
        let key = Key::of_game(&plan, &matchup, seating);
        Fixture { key, matchup, seating }
    });
    let missing: Vec<Fixture> = games.take(waiting).collect();
    assert_eq!(missing.len(), waiting);
    let round = RoundToPlay { number: 1, games: waiting, missing };

    let mut tournament = Tournament::in_memory(plan).unwrap();
    let (told, shown) = watch::channel(Arc::new(LiveState::lobby(About::of(tournament.plan()))));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let source = Arc::new(FileResults::new(&tournament));
    let page = live::serve(listener, shown, source, None, Embedders::default(), None, || {
        server::page::routes(server::page::PageSettings::default())
    })
    .unwrap();
    let featured = FeaturedGame::new(Some(page));
    let mut board = Scoreboard::new(&tournament, featured.clone(), told);
    let stop = CancellationToken::new();
    let options = DispatchOptions { parallel: 64, until: None, stop: stop.clone() };
    let (_actions, no_actions) = mpsc::channel(1);
    let (mut start, mut took, mut played) = (None, Duration::ZERO, 0);
    let tell = |tournament: &Tournament, event: TournamentEvent<'_>| {
        board.take_in(tournament, &event);
        if let TournamentEvent::Begun(_) = event {
            start.get_or_insert_with(Instant::now);
        }
        if let TournamentEvent::Ended(..) = event {
            played += 1;
            if played == GAMES {
                took = start.unwrap().elapsed();
                stop.cancel();
            }
        }
    };
    let mut dispatcher =
        Dispatcher::new(&mut tournament, House, featured, options, no_actions, tell);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(dispatcher.play_round(round)).unwrap();
    drop(dispatcher);
    assert!(took > Duration::ZERO);
    f64::from(GAMES) / took.as_secs_f64()
}

/// Plays games between bots of the house, on the dispatcher's thread.
struct House;

impl Venue for House {
    const ATTEMPTS: u32 = 1;
    const PAUSE: Duration = Duration::ZERO;

    fn play(
        &mut self,
        job: Job,
        ticket: Ticket,
    ) -> impl Future<Output = Result<Outcome, HostFault>> + Send + 'static {
        ticket.begun();
        async move {
            tokio::task::yield_now().await;
            Ok(house_game::play(&job).unwrap())
        }
    }
}
