//! A program that is killed at random moments: nothing lost, nothing doubled, no orphans.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use course::{Course, Kept, Limits, NewTeam, Player, Sealed, VersionId, VersionState};

use crate::world::{World, check_files, game, hand_in, house, key, recorded};

const CHILD: &str = "COURSE_OF_CHILD";

/// The changes that the child has acknowledged.
#[derive(Default)]
struct Acknowledged {
    versions: BTreeMap<u32, String>,
    verdicts: BTreeMap<u32, bool>,
    games: u32,
    thinned: u32,
}

/// Works on the course that the parent names until it is killed, and says what is done.
#[test]
fn child() {
    let Ok(path) = std::env::var(CHILD) else { return };
    let mut course = Course::open(Path::new(&path)).unwrap();
    course.set_limits(Limits { per_hour: 1_000_000, kept: 6, ..Limits::default() });
    let teams: Vec<_> = course.teams().unwrap().iter().map(|team| team.id).collect();
    let mut out = std::io::stdout();
    let mut number = u32::try_from(course.game_count().unwrap()).unwrap();
    let mut say = |text: String| {
        writeln!(out, "{text}").unwrap();
        out.flush().unwrap();
    };
    for step in std::process::id().. {
        let team = teams[step as usize % teams.len()];
        // Some versions have the same files.
        let text = format!("{}", step % 50);
        let version = hand_in(&mut course, team, &text, 2000).unwrap();
        say(format!("\nversion {version} {}", course.version(version).unwrap().content));
        let next = course.next_check().unwrap().unwrap();
        let is_ready = step % 3 > 0;
        course.judge(next.id, "{}", is_ready).unwrap();
        say(format!("verdict {} {is_ready}", next.id));
        let level = house("champion");
        let seats = [Player::Version(version), level.clone(), level.clone(), level];
        let games: Vec<_> = (0..step % 4)
            .map(|_| {
                number += 1;
                (game(number, seats.clone()), recorded(3000))
            })
            .collect();
        course.keep_games(&games).unwrap();
        // A result that comes twice.
        assert!(course.keep_games(&games).unwrap().iter().all(|kept| *kept == Kept::Again));
        say(format!("games {number}"));
        let thinned = course.thin(50_000, 10).unwrap();
        say(format!("thinned {}", thinned.removed));
    }
}

fn read(said: &str, known: &mut Acknowledged) {
    // A line without its end may be cut.
    for line in said.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = words.get(1).and_then(|word| word.parse().ok());
        match (words.first(), number) {
            (Some(&"version"), Some(id)) => {
                assert_eq!(known.versions.insert(id, words[2].to_owned()), None, "doubled");
            }
            (Some(&"verdict"), Some(id)) => {
                assert_eq!(known.verdicts.insert(id, words[2] == "true"), None, "checked twice");
            }
            (Some(&"games"), Some(games)) => known.games = games,
            (Some(&"thinned"), Some(removed)) => known.thinned += removed,
            _ => {}
        }
    }
}

fn check(path: &Path, known: &mut Acknowledged) {
    let course = Course::open(path).unwrap();
    for (id, content) in &known.versions {
        let version = course.version(VersionId::from_number(*id)).unwrap();
        assert_eq!(version.content.to_string(), *content);
    }
    for (id, is_ready) in &known.verdicts {
        let expected = if *is_ready { VersionState::Passed } else { VersionState::Failed };
        let version = course.version(VersionId::from_number(*id)).unwrap();
        assert_eq!(version.state, expected, "{version:?}");
    }
    for number in 1..=known.games {
        assert!(course.game(key(number)).unwrap().is_some(), "game {number}");
    }
    // A batch that was not acknowledged has up to 3 games. From now on it is known, too: the next child may be killed as early.
    let games = course.game_count().unwrap();
    assert!((known.games.into()..=u64::from(known.games) + 3).contains(&games));
    known.games = u32::try_from(games).unwrap();
    let teams = course.teams().unwrap();
    let versions: Vec<_> =
        teams.iter().flat_map(|team| course.versions(team.id).unwrap()).collect();
    assert!(versions.iter().all(|version| version.state != VersionState::Checking));
    // Each seat of each game is counted once.
    let seats: u64 = versions.iter().map(|version| u64::from(version.games)).sum();
    assert_eq!(seats, games);
    assert_eq!(versions.iter().map(|version| version.cpu).sum::<u64>(), 1_000_000 * games);
    check_files(&course);
    drop(course);
    let db = rusqlite::Connection::open(path).unwrap();
    for (question, answer) in [("integrity_check", "ok"), ("journal_mode", "wal")] {
        let found: String = db.pragma_query_value(None, question, |row| row.get(0)).unwrap();
        assert_eq!(found, answer);
    }
}

#[test]
fn a_kill_at_any_moment_loses_and_doubles_nothing() {
    let kills: u64 = std::env::var("KILLS").map_or(30, |kills| kills.parse().unwrap());
    let mut world = World::new();
    for name in ["Ada", "Bob", "Cléo"] {
        world.team(name);
    }
    world.course.set_house(["champion"]).unwrap();
    let (path, folder) = (world.path(), world.folder);
    drop(world.course);
    let (mut known, mut random) = (Acknowledged::default(), 12345_u64);
    for round in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kill::child", "--nocapture"])
            .env(CHILD, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round);
        // From before it opens the course to many steps later.
        let end = Instant::now() + Duration::from_micros((random >> 33) % 250_000);
        while Instant::now() < end {
            assert_eq!(child.try_wait().unwrap(), None, "the child ended by itself");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        child.wait().unwrap();
        read(&said, &mut known);
        check(&path, &mut known);
    }
    println!(
        "{kills} kills: {} versions, {} games, {} recordings removed",
        known.versions.len(),
        known.games,
        known.thinned
    );
    assert!(known.versions.len() > 10 && known.games > 10, "too slow");
    drop(folder);
}

#[test]
fn a_full_disk_refuses_and_changes_nothing() {
    let mut world = World::with_house();
    let ada = world.team("Ada");
    let first = world.version(ada, "first", true);
    world.course.limit_size(4).unwrap();
    let mut kept = 0;
    let failure = loop {
        let seats = [Player::Version(first), house("a"), house("b"), house("c")];
        match world.course.keep_games(&[(game(kept, seats), recorded(2000))]) {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(failure, course::CourseError::Full(_)), "{failure:?}");
    assert_eq!(world.course.game_count().unwrap(), u64::from(kept));
    let long = "x".repeat(4 << 10);
    let upload = world.course.incoming().join("upload");
    std::fs::create_dir_all(&upload).unwrap();
    std::fs::write(upload.join("main.py"), "second").unwrap();
    let sealed = Sealed::of(upload).unwrap();
    let failure = world.course.hand_in(ada, sealed, &long, 3000).unwrap_err();
    assert!(matches!(failure, course::CourseError::Full(_)), "{failure:?}");
    check_files(&world.course);
    // Room is made, and all goes on.
    let mut world = world.reopen();
    assert_eq!(world.course.version(first).unwrap().games, kept);
    assert_eq!(world.course.playing(ada).unwrap(), Some(first));
    let second = hand_in(&mut world.course, ada, "second", 3000).unwrap();
    assert!(second > first);
    let team = NewTeam { name: "Bob".into(), ..NewTeam::default() };
    world.course.add_team(&team, 3000).unwrap();
    check_files(&world.course);
}
