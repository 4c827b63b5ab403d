//! A tournament that is killed or stopped.

use std::fs;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use tournament::store::{Store, StoreError};

use crate::{Folder, MAP, client_team, table};

const LEAVES_CHILDREN: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/bots/leaves_children.sh");

/// Numbers of the processes whose working folder is this one, or below: the teams' programs and their children, which
/// run in the folder of their package.
pub(crate) fn numbers_in(folder: &Folder) -> impl Iterator<Item = String> {
    let inside = move |id: &String| {
        let connection = fs::read_link(format!("/proc/{id}/cwd"));
        connection.is_ok_and(|cwd| cwd.starts_with(folder.0.path()))
    };
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.bytes().all(|b| b.is_ascii_digit())).filter(inside)
}

/// Counts the processes in a folder.
pub(crate) fn processes_in(folder: &Folder) -> usize {
    numbers_in(folder).count()
}

pub(crate) fn signal(process: &Child, signal: &str) {
    let pid = process.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
}

/// Flags of a tournament of deterministic programs; one of them leaves children behind.
fn tournament() -> Vec<String> {
    let ada = client_team("Ada", "glouton").replacen('=', &format!("=sh {LEAVES_CHILDREN} "), 1);
    let teams = [ada, client_team("Bob", "glouton"), client_team("Eve", "dijkstra")];
    let flags = ["--carte", MAP, "--duree", "30", "--graine", "3", "--manches", "2"];
    let mut all: Vec<_> = flags.map(str::to_owned).into();
    for team in teams.into_iter().chain(["Zoé=ia:glouton".to_owned(), "ia:dijkstra".to_owned()]) {
        all.extend(["--equipe".to_owned(), team]);
    }
    all
}

/// `KILLS` is the number of kills; the default fits a test.
#[test]
fn after_kill_9_at_any_moment_the_table_is_the_same_in_the_end() {
    let kills = std::env::var("KILLS").map_or(5, |kills| kills.parse().unwrap());
    let flags = tournament();
    let flags: Vec<_> = flags.iter().map(String::as_str).collect();
    let whole = Folder::new();
    let start = Instant::now();
    whole.done(&[&["jouer"][..], &flags].concat());
    let lasts = start.elapsed();
    let expected = table(&whole.outcomes("tournoi.sqlite"));
    assert_eq!(expected.len(), 5 * 4 * 2);

    let (mut done, mut completed) = (0, 0);
    // A low-discrepancy sequence of moments in a run.
    let mut moment = 0.618_f64;
    while done < kills {
        let folder = Folder::new();
        // A tournament is killed a few times, each time a little later in its course.
        for _ in 0..10.min(kills - done) {
            let arguments = if is_begun(&folder) {
                vec!["reprendre"]
            } else {
                [&["jouer"][..], &flags].concat()
            };
            let mut process = folder.command(&arguments).spawn().unwrap();
            thread::sleep(lasts.mul_f64(moment / 4.0));
            moment = (moment + 0.618_034).fract();
            signal(&process, "-KILL");
            process.wait().unwrap();
            done += 1;
        }
        if !is_begun(&folder) {
            folder.done(&[&["jouer"][..], &flags].concat());
        }
        folder.done(&["reprendre"]);
        assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
        assert_eq!(processes_in(&folder), 0);
        completed += 1;
    }
    println!("kills={done} tournaments={completed} identical={completed} orphans=0");
}

fn is_begun(folder: &Folder) -> bool {
    match Store::look(&folder.path("tournoi.sqlite")) {
        Ok(_) => true,
        Err(StoreError::Missing(_) | StoreError::Foreign(_)) => false,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn ctrl_c_leaves_a_file_to_go_on_with_and_no_process() {
    let flags = tournament();
    let flags: Vec<_> = flags.iter().map(String::as_str).collect();
    let folder = Folder::new();
    let process = folder.command(&[&["jouer"][..], &flags].concat()).spawn().unwrap();
    let give_up = Instant::now() + Duration::from_secs(30);
    // Wait until some games are recorded.
    while fs::metadata(folder.path("tournoi.sqlite-wal")).map_or(0, |file| file.len()) < 80_000 {
        assert!(Instant::now() < give_up, "nothing is played");
        thread::sleep(Duration::from_millis(5));
    }
    signal(&process, "-INT");
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("tournoi resume tournoi.sqlite` goes on"), "{said}");
    assert_eq!(processes_in(&folder), 0);
    let before = folder.outcomes("tournoi.sqlite").len();
    assert!((1..40).contains(&before), "{before}");
    folder.done(&["reprendre"]);
    assert_eq!(folder.outcomes("tournoi.sqlite").len(), 40);
}
