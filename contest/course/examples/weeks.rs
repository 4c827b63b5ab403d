//! Makes the course of six weeks with small fake recordings, and tells what it costs.
//!
//! ```text
//! cargo run --release -p course --example weeks -- 60 600 100000
//! ```
//!
//! The arguments are the numbers of teams, versions and games, and the budget for recordings in megabytes (400). The peak
//! of memory (`VmHWM`) is that of this program; with the path of such a file as its only argument, the program only opens
//! it and rates.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example may fail and tells")]

use std::fs;
use std::path::Path;
use std::time::Instant;

use course::{
    Course, LadderGame, LadderRules, LadderSeat, Limits, NewTeam, Player, Sealed, Traces,
};
use plan::Key;

const LEVELS: [&str; 5] = ["aleatoire", "glouton", "prudent", "dijkstra", "champion"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [path] = &words[..] {
        return look(Path::new(path));
    }
    let number = |at: usize, usual| words.get(at).map_or(usual, |word| word.parse().unwrap());
    let (teams, versions, games) = (number(0, 60), number(1, 600), number(2, 100_000));
    let budget = u64::from(number(3, 400)) << 20;
    let folder = tempfile::Builder::new().prefix("weeks-").tempdir_in(".").unwrap().keep();
    let path = folder.join("course.sqlite");
    let begin = Instant::now();
    let (mut course, _) = Course::create(&path, 0).unwrap();
    course.set_limits(Limits { per_hour: u32::MAX, kept: 20, ..Limits::default() });
    course.set_house(LEVELS).unwrap();
    let ids: Vec<_> = (0..teams)
        .map(|team| {
            let team = NewTeam { name: format!("Team {team}"), ..NewTeam::default() };
            course.add_team(&team, 0).unwrap().0
        })
        .collect();
    let (mut played, mut handed_in, mut thinned) = (0_u32, 0_u32, 0);
    let mut random = 1_u64;
    while played < games {
        // Versions are spread over the weeks.
        while u64::from(handed_in) * u64::from(games) <= u64::from(versions) * u64::from(played)
            && handed_in < versions
        {
            hand_in(&mut course, ids[(handed_in % teams) as usize], handed_in);
            handed_in += 1;
        }
        let next = course.next_games(100, &LadderRules::default(), &[]).unwrap();
        let next = if next.is_empty() {
            vec![LEVELS.map(|it| Player::House(it.into()))[..4].to_vec().try_into().unwrap()]
        } else {
            next
        };
        let batch: Vec<_> = next
            .into_iter()
            .map(|players| {
                played += 1;
                play(played, players, &mut random)
            })
            .collect();
        course.keep_games(&batch).unwrap();
        if played % 1000 < 100 {
            thinned += course.thin(budget, 5000).unwrap().removed;
        }
    }
    println!(
        "{teams} teams, {handed_in} versions, {played} games: {:.1} s, {thinned} recordings removed",
        begin.elapsed().as_secs_f64()
    );
    drop(course);
    println!("file: {} bytes; peak of memory: {} kB", fs::metadata(&path).unwrap().len(), peak());
    let mut course = Course::open(&path).unwrap();
    course.thin(0, usize::MAX).unwrap();
    let copy = folder.join("results.sqlite");
    course.copy_to(&copy).unwrap();
    println!(
        "without recordings: {} bytes a game",
        fs::metadata(&copy).unwrap().len() / u64::from(played)
    );
    println!("folder: {}", folder.display());
}

/// Opens a course and asks for what pages show.
fn look(path: &Path) {
    let time = |what: &str, begin: Instant| {
        println!(
            "{what}: {:.1} ms; peak of memory: {} kB",
            begin.elapsed().as_secs_f64() * 1e3,
            peak()
        );
    };
    let begin = Instant::now();
    let course = Course::open(path).unwrap();
    time("open", begin);
    let begin = Instant::now();
    course.ratings().unwrap();
    time("first ratings", begin);
    let begin = Instant::now();
    course.ratings().unwrap();
    time("ratings again", begin);
    let begin = Instant::now();
    course.next_games(10, &LadderRules::default(), &[]).unwrap();
    time("next 10 games", begin);
    let begin = Instant::now();
    course.pairs().unwrap();
    time("who beats whom", begin);
    let mut pages: Vec<f64> = course
        .teams()
        .unwrap()
        .iter()
        .map(|team| {
            let begin = Instant::now();
            let view = course.as_team(team.id).unwrap();
            view.versions().unwrap();
            view.games(None, 50).unwrap();
            view.rating().unwrap();
            begin.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    pages.sort_by(f64::total_cmp);
    println!(
        "data of a team's page: median {:.1} ms, longest {:.1} ms",
        pages[pages.len() / 2],
        pages[pages.len() - 1]
    );
}

fn hand_in(course: &mut Course, team: course::TeamId, number: u32) {
    let upload = course.incoming().join("upload");
    fs::create_dir(&upload).unwrap();
    fs::write(upload.join("main.py"), format!("print({number})")).unwrap();
    let sealed = Sealed::of(upload).unwrap();
    course.hand_in(team, sealed, "python3 main.py", number.into()).unwrap();
    let next = course.next_check().unwrap().unwrap();
    course.judge(next.id, r#"{"ready": true}"#, !number.is_multiple_of(5)).unwrap();
}

/// A game in any order, with a recording of 6 kB.
fn play(number: u32, players: [Player; 4], random: &mut u64) -> (LadderGame, Traces) {
    let mut next = || {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        *random >> 33
    };
    let mut draws = players.map(|player| (next() % 60, player));
    draws.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
    let mut place = 0;
    let seats = draws.map(|(points, player)| {
        place += 1;
        let cpu = 1_000_000 + u32::try_from(next() % 1_000_000).unwrap();
        LadderSeat { player, place, points: i32::try_from(points).unwrap(), fault: None, cpu }
    });
    let key = Key::from_bytes((u128::from(number) << 64 | u128::from(next())).to_be_bytes());
    let recording = (0..750).flat_map(|_| next().to_le_bytes()).collect();
    let game = LadderGame { key, at: number.into(), map: "carte".into(), seed: next(), seats };
    (game, Traces { recording, ..Traces::default() })
}

/// The peak of this program's memory in kB; 0 where the system does not tell.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
