//! The guarantees of the file of results.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::slice;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use allocation_counter::measure;
use plan::{Fault, FaultKind, Fixture, Key, Note, Outcome, Plan, Schedule, Usage};
use referee::Misses;
use report::live::{LiveState, ResultSource as _};
use report::{About, Data};
use rusqlite::Connection;
use tokio::sync::watch;
use tournament::featured::FeaturedGame;
use tournament::house_game;
use tournament::store::{Attempt, Delivery, GameOrder, Store, StoreError};
use tournament::tournament::{NextStep, SAMPLES, Tournament};
use tournoi::config::{Config, TeamConfig};
use tournoi::results;
use tournoi::scoreboard::{FileResults, Scoreboard};
use tournoi::setup;

const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/petit.txt");

fn plan() -> Plan {
    let team = |text| -> TeamConfig { setup::parse_team(text).unwrap() };
    let config = Config {
        maps: vec![MAP.into()],
        turns: Some(20),
        rounds: Some(3),
        teams: ["Ada=ia:glouton", "Bob=ia:prudent", "ia:dijkstra", "ia:aleatoire"].map(team).into(),
        ..Config::default()
    };
    setup::plan(&config, u64::MAX - 1).unwrap()
}

/// Plays the missing games of the first incomplete round.
fn play_round(tournament: &mut Tournament) -> Result<Vec<Outcome>, StoreError> {
    let NextStep::Round(round) = tournament.next(None) else { return Ok(Vec::new()) };
    let play = |game| house_game::play(&tournament.plan().job(game)).unwrap();
    let outcomes: Vec<_> = round.missing.iter().map(play).collect();
    tournament.deliver(&outcomes)?;
    Ok(outcomes)
}

/// The outcomes of the games that count.
fn outcomes(tournament: &Tournament) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    tournament.each_outcome(GameOrder::Rounds, |outcome| outcomes.push(outcome)).unwrap();
    outcomes
}

/// A file with one game, in which the first seat has missed turns.
fn with_misses(path: &Path) -> Misses {
    let mut tournament = Tournament::create(path, Plan { notes: vec![note()], ..plan() }).unwrap();
    let NextStep::Round(round) = tournament.next(None) else { panic!("nothing is missing") };
    let mut outcome = house_game::play(&tournament.plan().job(&round.missing[0])).unwrap();
    let misses = Misses { bot: 1, network: 2, host: 3 };
    outcome.seats[0].thinking.misses = misses;
    outcome.seats[0].usage = Some(Box::new(usage()));
    outcome.seats[0].fault =
        Some(Box::new(Fault { kind: FaultKind::TimedOut, played: Some(1), detail: note() }));
    tournament.deliver(&[outcome]).unwrap();
    misses
}

#[test]
fn games_are_read_by_rounds_or_as_they_were_played() {
    let mut tournament = Tournament::in_memory(plan()).unwrap();
    let NextStep::Round(round) = tournament.next(None) else { panic!("nothing is missing") };
    let play = |game| house_game::play(&tournament.plan().job(game)).unwrap();
    let mut played: Vec<_> = round.missing.iter().map(play).collect();
    played.sort_by_key(|outcome| std::cmp::Reverse(outcome.key));
    for (age, outcome) in (0..).zip(&mut played) {
        outcome.began = SystemTime::UNIX_EPOCH + Duration::from_secs(age);
    }
    tournament.deliver(&played).unwrap();
    let keys = |order| {
        let mut keys = Vec::new();
        tournament.each_outcome(order, |outcome| keys.push(outcome.key)).unwrap();
        keys
    };
    let as_played: Vec<_> = played.iter().map(|outcome| outcome.key).collect();
    assert_eq!(keys(GameOrder::Played), as_played);
    let by_keys: Vec<_> = as_played.into_iter().rev().collect();
    assert_eq!(keys(GameOrder::Rounds), by_keys);
}

#[test]
fn misses_usage_notes_and_voids_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let misses = with_misses(&path);
    let read = |tournament: &Tournament| {
        let (key, _) = tournament.games().next().unwrap();
        let seat = tournament.store().outcome(key).unwrap().unwrap().seats[0].clone();
        (seat.thinking.misses, seat.usage, tournament.plan().notes.clone())
    };
    let (notes, usage) = (vec![note()], Some(Box::new(usage())));
    assert_eq!(read(&Tournament::look(&path).unwrap()), (misses, usage, notes));

    let fault = outcomes(&Tournament::look(&path).unwrap())[0].seats[0].fault.clone();
    assert_eq!(fault.unwrap().detail, note());
    let mut store = Store::open(&path).unwrap();
    let attempt = attempt(Key::from_bytes([7; 16]), None);
    store.keep_attempt(&attempt).unwrap();
    assert_eq!(store.attempts().unwrap(), [attempt]);
    let game = store.outcomes().unwrap()[0].key;
    store.void(&[game], "the projector fell").unwrap();
    assert_eq!(store.voids().unwrap()[0].game, game);
    drop(store);

    let tournament = Tournament::look(&path).unwrap();
    let (told, shown) = watch::channel(Arc::new(LiveState::lobby(About::of(tournament.plan()))));
    Scoreboard::new(&tournament, FeaturedGame::new(None), told).addresses(Vec::new(), Vec::new());
    let voids = shown.borrow().voids.clone();
    assert_eq!((voids[0].game.key, &*voids[0].reason), (game, "the projector fell"));
}

#[test]
fn games_that_the_host_has_spoilt_are_kept_and_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let mut tournament = Tournament::create(&path, plan()).unwrap();
    let NextStep::Round(round) = tournament.next(None) else { panic!("nothing is missing") };
    let outcome = house_game::play(&tournament.plan().job(&round.missing[0])).unwrap();
    for outcome in [None, Some(outcome.clone())] {
        tournament.store_mut().keep_attempt(&attempt(round.missing[0].key, outcome)).unwrap();
    }
    drop(tournament);
    let tournament = Tournament::look(&path).unwrap();
    assert_eq!(tournament.games().count(), 0);
    let kept = tournament.store().attempts().unwrap();
    assert_eq!(kept[0], attempt(round.missing[0].key, None));
    let read = kept[1].outcome.as_ref().unwrap();
    assert!(read.agrees_with(&outcome) && read.recording.is_empty());
}

fn note() -> Note {
    Note { en: "It rains.".to_owned(), fr: "Il pleut.".to_owned() }
}

fn usage() -> Usage {
    Usage {
        cpu: Some(Duration::from_millis(120)),
        oom_kills: 1,
        run_delay: Some(Duration::from_nanos(5)),
        ..Usage::default()
    }
}

fn attempt(key: Key, outcome: Option<Outcome>) -> Attempt {
    let at = SystemTime::UNIX_EPOCH + Duration::from_secs(5);
    Attempt { key, at, fault: "it stood still".to_owned(), outcome }
}

#[test]
fn unknown_kind_of_fault_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    with_misses(&path);
    let db = Connection::open(&path).unwrap();
    db.execute("UPDATE seat SET fault = 'sabotage' WHERE fault IS NOT NULL", []).unwrap();
    drop(db);
    let error = Tournament::look(&path).unwrap_err().to_string();
    assert!(error.contains("the fault \"sabotage\" is unknown"), "{error}");
}

#[test]
fn plan_and_outcomes_are_read_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let mut tournament = Tournament::create(&path, plan()).unwrap();
    let mut played = play_round(&mut tournament).unwrap();
    drop(tournament);

    let tournament = Tournament::look(&path).unwrap();
    let (plan, expected) = (tournament.plan(), plan());
    assert_eq!((&plan.conditions, &plan.teams), (&expected.conditions, &expected.teams));
    assert_eq!((&plan.schedule, &plan.limits), (&expected.schedule, &expected.limits));
    assert_eq!(plan.maps[0].text, expected.maps[0].text);
    played.sort_by_key(|outcome| outcome.key);
    let mut read = outcomes(&tournament);
    read.sort_by_key(|outcome| outcome.key);
    for (read, written) in read.iter().zip(&played) {
        let recording = tournament.store().recording(read.key).unwrap().unwrap();
        assert_eq!(recording, written.recording);
        assert!(read.agrees_with(written));
        assert_eq!(
            (read.matchup, &read.map, read.seed),
            (written.matchup, &written.map, written.seed)
        );
        for (read, written) in read.seats.iter().zip(&written.seats) {
            assert_eq!((read.is_house, read.malformed), (written.is_house, written.malformed));
            assert_eq!(read.thinking.answers, written.thinking.answers);
        }
    }
    assert_eq!(tournament.games().count(), 4);
    assert_eq!(tournament.store().recording(Key::from_bytes([0; 16])).unwrap(), None);
}

#[test]
fn a_result_counts_once_and_a_second_one_that_differs_is_kept_aside() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::create(&folder.path().join("results"), &plan()).unwrap();
    let mut tournament_like = plan();
    tournament_like.conditions.turns = 20;
    let other = folder.path().join("other");
    let mut other = Tournament::create(&other, tournament_like).unwrap();
    let outcome = play_round(&mut other).unwrap().remove(0);
    let deliver =
        |store: &mut Store, outcome: &Outcome| store.deliver(slice::from_ref(outcome)).unwrap();
    assert_eq!(deliver(&mut store, &outcome), [Delivery::New]);
    // Played again on another machine: the same game with another duration.
    let again = Outcome { took: outcome.took * 2, ..outcome.clone() };
    assert_eq!(deliver(&mut store, &again), [Delivery::Again]);
    assert!(store.conflicts().unwrap().is_empty());

    let mut different = outcome.clone();
    different.seats[0].points += 1;
    assert_eq!(deliver(&mut store, &different), [Delivery::Differs]);
    assert_eq!(store.outcomes().unwrap().len(), 1);
    assert!(store.outcome(outcome.key).unwrap().unwrap().agrees_with(&outcome));
    let conflicts = store.conflicts().unwrap();
    assert_eq!((conflicts.len(), conflicts[0].key), (1, outcome.key));
    assert_ne!(conflicts[0].kept, conflicts[0].received);

    // Outcomes that are delivered together are compared in the same way.
    let [first, second] = &play_round(&mut other).unwrap()[..2] else { panic!("four games") };
    let mut changed = first.clone();
    changed.seats[0].points += 1;
    let all = [first, second, first, &changed, &outcome].map(Outcome::clone);
    let [new, again, differs] = [Delivery::New, Delivery::Again, Delivery::Differs];
    assert_eq!(store.deliver(&all).unwrap(), [new, new, again, differs, again]);
    assert_eq!((store.outcomes().unwrap().len(), store.conflicts().unwrap().len()), (3, 2));
}

#[test]
fn readers_see_whole_games_while_games_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let plan = Plan { schedule: Schedule { rounds: 60, ..plan().schedule }, ..plan() };
    let mut tournament = Tournament::create(&path, plan).unwrap();
    thread::scope(|scope| {
        let writer = scope.spawn(move || while !play_round(&mut tournament).unwrap().is_empty() {});
        let mut last = 0;
        while !writer.is_finished() {
            let seen = Tournament::look(&path).unwrap();
            let games = seen.games().inspect(|(_, game)| assert_eq!(game.seats.len(), 4)).count();
            assert!(games >= last && seen.standings(0).games == games, "{games} after {last}");
            last = games;
        }
    });
    assert_eq!(Tournament::look(&path).unwrap().standings(0).games, 240);
}

#[test]
fn a_full_disk_loses_nothing_that_was_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let mut tournament = Tournament::create(&path, plan()).unwrap();
    play_round(&mut tournament).unwrap();
    tournament.store_mut().limit_size(0).unwrap();
    let failure = loop {
        match play_round(&mut tournament) {
            Ok(played) => assert!(!played.is_empty(), "there is room for everything"),
            Err(failure) => break failure,
        }
    };
    assert!(matches!(failure, StoreError::Full(_)), "{failure}");
    assert!(failure.to_string().contains("`tournoi resume"), "{failure}");
    let recorded: Vec<_> = tournament.games().map(|(key, _)| key).collect();
    drop(tournament);

    let mut tournament = Tournament::open(&path).unwrap();
    let kept: Vec<_> = tournament.games().map(|(key, _)| key).collect();
    assert_eq!(kept, recorded);
    while !play_round(&mut tournament).unwrap().is_empty() {}
    assert_eq!(tournament.games().count(), 12);
    assert!(recorded.iter().all(|key| tournament.games().any(|(game, _)| game == *key)));
}

#[test]
fn foreign_and_missing_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("text"), "a text that is longer than the header of a database ".repeat(9))
        .unwrap();
    fs::write(path("empty"), "").unwrap();
    fs::create_dir(path("folder")).unwrap();
    for (name, expected) in [
        ("text", "is not the file of a tournament"),
        ("empty", "is not the file of a tournament"),
        ("none", "no such file"),
        ("folder", "is not the file of a tournament"),
    ] {
        for open in [Store::open, Store::look] as [fn(&Path) -> Result<Store, StoreError>; 2] {
            let error = open(&path(name)).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains(name), "{error}");
        }
    }
    // Opening a file does not change it, and an empty file may become a tournament.
    assert!(fs::read(path("empty")).unwrap().is_empty());
    Store::create(&path("empty"), &plan()).unwrap();
    // A program that was killed after it had begun a database has left a file without tables.
    let db = rusqlite::Connection::open(path("begun")).unwrap();
    db.execute_batch("PRAGMA journal_mode = wal").unwrap();
    drop(db);
    assert!(fs::metadata(path("begun")).unwrap().len() > 0);
    for name in ["none", "begun"] {
        Store::expect_none(&path(name)).unwrap();
        Store::create(&path(name), &plan()).unwrap();
    }
    let db = rusqlite::Connection::open(path("other")).unwrap();
    db.execute_batch("CREATE TABLE other (id INTEGER)").unwrap();
    drop(db);
    for begin in [Store::expect_none, |path: &_| Store::create(path, &plan()).map(drop)]
        as [fn(&Path) -> Result<(), StoreError>; 2]
    {
        for name in ["text", "other"] {
            assert!(matches!(begin(&path(name)), Err(StoreError::Foreign(_))), "{name}");
        }
        assert!(matches!(begin(&path("empty")), Err(StoreError::Exists(_))));
    }

    Store::create(&path("one"), &plan()).unwrap();
    let held = Store::open(&path("one")).unwrap();
    assert!(matches!(Store::open(&path("one")), Err(StoreError::Locked(_))));
    Store::look(&path("one")).unwrap();
    // The lock is on a separate file, which stays.
    let results = fs::File::open(path("one")).unwrap();
    assert!(fs4::FileExt::try_lock(&results).is_ok());
    drop((held, results));
    assert!(path("one.verrou").exists());
    let db = rusqlite::Connection::open(path("one")).unwrap();
    db.pragma_update(None, "user_version", 7).unwrap();
    drop(db);
    let error = Store::open(&path("one")).unwrap_err().to_string();
    assert!(error.contains("has the format 7, expected 3"), "{error}");
}

#[test]
fn voided_results_are_kept_and_their_games_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let mut tournament = Tournament::create(&path, plan()).unwrap();
    let played = play_round(&mut tournament).unwrap();
    assert_eq!(play_round(&mut tournament).unwrap().len(), 4);
    let other = Outcome { elapsed: 3, ..played[0].clone() };
    assert_eq!(tournament.deliver(slice::from_ref(&other)).unwrap(), [Delivery::Differs]);
    let void = [played[0].key, played[1].key];
    tournament.void(&void, "the projector fell").unwrap();
    drop(tournament);

    let mut tournament = Tournament::open(&path).unwrap();
    let NextStep::Round(round) = tournament.next(None) else { panic!("nothing is missing") };
    assert_eq!(round.missing.len(), 2);
    assert!(round.missing.iter().all(|game| void.contains(&game.key)));
    let voids = tournament.store().voids().unwrap();
    assert_eq!(voids.iter().map(|one| one.game).collect::<Vec<_>>(), void);
    for (kept, before) in voids.iter().zip(&played) {
        let points = |outcome: &Outcome| outcome.seats.iter().map(|s| s.points).collect::<Vec<_>>();
        assert_eq!(kept.reason, "the projector fell");
        assert_eq!(points(&kept.outcome), points(before));
        let recording = tournament.store().recording(kept.outcome.key).unwrap();
        assert_eq!(recording.as_ref(), Some(&before.recording));
    }
    // Games of later rounds that depend on no results still count.
    assert_eq!(tournament.games().count(), 6);
    // One game is played again, with another result; the other result is restored.
    assert_eq!(tournament.deliver(&[other]).unwrap(), [Delivery::New]);
    tournament.restore(&voids[1..]).unwrap();
    assert_eq!(tournament.games().count(), 8);
    let counting = outcomes(&tournament);
    assert!(counting.iter().any(|game| game.key == void[0] && game.elapsed == 3));
    assert!(counting.iter().any(|game| game.agrees_with(&played[1])));
    assert_eq!(tournament.store().voids().unwrap(), voids[..1]);
    assert_eq!(tournament.store().conflicts().unwrap().len(), 1);
}

#[test]
fn the_version_of_a_file_is_only_judged_by_its_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let writer = Store::create(&path, &plan()).unwrap();
    // A writer of a later version may upgrade the file.
    let db = Connection::open(&path).unwrap();
    db.execute_batch("PRAGMA user_version = 99").unwrap();
    drop(db);
    assert!(matches!(Store::open(&path), Err(StoreError::Locked(_))));
    drop(writer);
    assert!(matches!(Store::open(&path), Err(StoreError::Version { found: 99, .. })));
}

#[test]
fn the_page_reads_the_recordings_that_it_shows() {
    let mut tournament = Tournament::in_memory(plan()).unwrap();
    assert!(play_round(&mut tournament).unwrap().iter().all(|it| !it.recording.is_empty()));
    assert!(outcomes(&tournament).iter().all(|it| it.recording.is_empty()));
    let data = results::data(&tournament, &tournament.standings(0)).unwrap();
    let shown: BTreeSet<String> = data.extremes().map(str::to_owned).collect();
    let read = RefCell::new(BTreeSet::new());
    let page = report::html(data, true, |key| {
        read.borrow_mut().insert(key.to_owned());
        tournament.store().recording(key.parse().unwrap())
    });
    assert!(!shown.is_empty() && page.unwrap().contains("<html"));
    assert_eq!(read.into_inner(), shown);
}

#[test]
fn reports_do_not_depend_on_the_order_of_games() {
    let mut first = Tournament::in_memory(plan()).unwrap();
    let mut played = Vec::new();
    while let more @ [_, ..] = &*play_round(&mut first).unwrap() {
        played.extend_from_slice(more);
    }
    played.reverse();
    let mut second = Tournament::in_memory(plan()).unwrap();
    second.deliver(&played).unwrap();
    second.next(None);
    let [first, second] = [first, second].map(|tournament| {
        let (scope, standings) = (tournament.scope(), tournament.standings(SAMPLES));
        let data = results::data(&tournament, &standings).unwrap();
        // Another thread reads the same from the file.
        let read = results::results(&scope.borrow(), tournament.store()).unwrap();
        assert_eq!(read.standings, standings);
        let text = |data: &Data| serde_json::to_string(data).unwrap();
        assert_eq!(text(&read.data), text(&data));
        text(&data)
    });
    assert!(first == second && first.contains(&played[0].key.to_string()));
}

#[test]
fn a_scope_of_another_thread_follows_rounds_and_changes_of_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let mut tournament = Tournament::create(&folder.path().join("results"), plan()).unwrap();
    let source = FileResults::new(&tournament);
    let games = || source.results().unwrap().standings.games;
    assert_eq!(games(), 0);
    play_round(&mut tournament).unwrap();
    assert_eq!(games(), 4);
    play_round(&mut tournament).unwrap();
    assert_eq!(games(), 8);
    tournament.change(|plan| plan.teams[0].version.push('2')).unwrap();
    assert_eq!(games(), 0, "all were games of the old version");
}

/// The bytes of memory of an open tournament with this number of rounds of four games, and the peak of the bytes that
/// computing the data of its page takes in addition.
fn memory(rounds: u32) -> (i64, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let plan = Plan { schedule: Schedule { rounds, ..plan().schedule }, ..plan() };
    let mut tournament = Tournament::create(&path, plan).unwrap();
    let model = play_round(&mut tournament).unwrap().remove(0);
    let mut outcomes = Vec::new();
    let plan = tournament.plan();
    for round in 2..=rounds {
        let matchups = plan.schedule.round(round, &plan.teams, plan.maps.len(), &[]).unwrap();
        for matchup in matchups {
            for seating in plan.seatings(&matchup) {
                let key = Key::of_game(plan, &matchup, seating);
                let job = plan.job(&Fixture { key, matchup, seating });
                outcomes.push(Outcome { key, matchup: job.matchup, round, ..model.clone() });
            }
        }
    }
    tournament.deliver(&outcomes).unwrap();
    drop(tournament);
    let mut tournament = None;
    let kept = measure(|| tournament = Some(Tournament::look(&path).unwrap())).bytes_current;
    let tournament = tournament.unwrap();
    assert_eq!(tournament.games().count(), 4 * rounds as usize);
    let standings = tournament.standings(0);
    (kept, measure(|| drop(results::data(&tournament, &standings).unwrap())).bytes_max)
}

#[test]
fn a_game_takes_less_memory_than_its_outcome() {
    // The page lists fewer games than the smaller tournament has.
    let (few, many) = (800, 1600);
    let [(small, small_page), (large, large_page)] = [few, many].map(memory);
    let games = 4 * (many - few);
    let (kept, page) =
        ((large - small) / i64::from(games), (large_page - small_page) / u64::from(games));
    assert!(kept < 400 && page < 100, "bytes per game: {kept}, {page} for the page");
}
