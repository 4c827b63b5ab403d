//! Refusals of the system are reported in one sentence; they cause no panic and end no game.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::{
    ROOT, STATE, client, client_program, ended_well, played, port, program_of, server_command,
};

/// A program under a limit of `ulimit`, such as `-n 6`.
fn limited(limit: &str, program: &Path, flags: &[&str]) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("ulimit {limit} && exec \"$@\"")).arg("sh").arg(program);
    shell.args(flags).current_dir(ROOT).env("XDG_STATE_HOME", STATE).stdin(Stdio::null());
    shell
}

fn server() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_server"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn too_few_open_files_are_said() {
    let port = ["--port", "1", "--insister", "0"];
    let client = [&["Ada"][..], &port].concat();
    let pyrat = [&["pyrat", "Ada"][..], &port].concat();
    let games = ["--port", "0", "--serveur", "0.0.0.0", "--web", "0", "--nom-partie", "/dev/null"];
    let pyrat_games = [&["pyrat"][..], &games].concat();
    for limit in 4..=16 {
        for (program, flags) in [
            (server(), &games[..]),
            (server(), &pyrat_games),
            (client_program(), &client),
            (client_program(), &pyrat),
        ] {
            let Output { status, stderr, .. } =
                limited(&format!("-n {limit}"), program, flags).output().unwrap();
            let said = text(&stderr);
            assert!(!said.contains("panicked"), "{limit} {program:?}: {said}");
            assert_eq!(status.code(), Some(2), "{limit} {program:?}: {said}");
            let is_limit = said.contains("Too many open files")
                && said.trim_end().ends_with(&format!("; the limit is {limit} (ulimit -n)"));
            // A client needs few files, and then finds no server.
            let is_alone = limit >= 15 && said.contains("error: no server at");
            assert!(is_limit || is_alone, "{limit} {program:?}: {said}");
        }
    }
}

/// Flags for a game of one bot of the house that starts at Enter; the file for the scores follows.
const GAMES: [&str; 10] = [
    "--port",
    "0",
    "--joueurs",
    "1",
    "--duree",
    "3",
    "--remplir",
    "prudent",
    "--attendre-entree",
    "--nom-partie",
];

fn play(mut command: Command) -> Output {
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(b"\n").unwrap();
    process.wait_with_output().unwrap()
}

#[test]
fn a_file_size_limit_is_said_and_ends_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let scores = folder.path().join("score.csv");
    let recordings = folder.path().join("games/");
    let recordings = recordings.to_str().unwrap();
    let flags = [&GAMES[..], &[scores.to_str().unwrap(), "--enregistrer", recordings]].concat();
    // No byte can be written, neither of scores nor of recordings.
    let Output { status, stdout, stderr } = play(limited("-f 0", server(), &flags));
    let (printed, said) = (text(&stdout), text(&stderr));
    assert_eq!(status.code(), Some(1), "{status:?} {said}");
    assert!(said.contains("cannot write the scores to "), "{said}");
    assert!(said.contains("ends here: File too large (os error 27)"), "{said}");
    assert!(printed.contains("3 of 3 turns") && !printed.contains("watch it"), "{printed}");
    // The limit also applies to other programs that write files.
    let recording = folder.path().join("game.rejeu");
    let recording = recording.to_str().unwrap();
    let mut server = server_command();
    server.args(GAMES).args(["/dev/null", "--enregistrer", recording]);
    ended_well(&play(server));
    let page = folder.path().join("page.html");
    let flags = ["html", recording, page.to_str().unwrap()];
    let Output { status, stderr, .. } =
        limited("-f 0", &program_of("rejeu", "rejeu"), &flags).output().unwrap();
    let said = text(&stderr);
    assert_eq!(status.code(), Some(2), "{status:?} {said}");
    assert!(said.contains("page.html: File too large (os error 27)"), "{said}");
}

#[test]
fn the_scores_of_the_next_game_are_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let (place, away) = (folder.path().join("scores"), folder.path().join("away"));
    fs::create_dir(&place).unwrap();
    let scores = place.join("score.csv");
    let mut server = server_command()
        .args([
            "--port",
            "0",
            "--joueurs",
            "1",
            "--duree",
            "100",
            "--parties",
            "2",
            "--tempo",
            "5ms",
        ])
        .arg("--nom-partie")
        .arg(&scores)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let port = port(&mut output);
    // The folder is missing at the end of the first game, and back at the end of the second one.
    fs::rename(&place, &away).unwrap();
    let player = client("Ada", port);
    let mut line = String::new();
    while !line.starts_with("game 1, ") {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "there is no first game");
    }
    fs::rename(&away, &place).unwrap();
    ended_well(&player.wait_with_output().unwrap());
    output.read_to_string(&mut line).unwrap();
    let Output { status, stderr, .. } = server.wait_with_output().unwrap();
    let said = text(&stderr);
    assert_eq!(status.code(), Some(1), "{said}");
    assert_eq!(said.matches("cannot write the scores to ").count(), 1, "{said}");
    assert!(said.contains("No such file or directory (os error 2)"), "{said}");
    assert!(fs::read_to_string(scores).unwrap().starts_with("Ada;"));
}

#[test]
fn an_output_that_is_full_or_closed_ends_no_game() {
    let folder = tempfile::tempdir().unwrap();
    for (case, redirection) in
        [">/dev/full", ">&-", ">&- 2>&-", ">/dev/full 2>/dev/full"].iter().enumerate()
    {
        let scores = folder.path().join(format!("{case}.csv"));
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("exec \"$@\" {redirection}")).arg("sh").arg(server());
        shell.args(GAMES).arg(&scores).current_dir(ROOT).env("XDG_STATE_HOME", STATE);
        let output = play(shell);
        assert_eq!(output.status.code(), Some(0), "{redirection}: {}", text(&output.stderr));
        assert_eq!(fs::read_to_string(scores).unwrap().lines().count(), 1, "{redirection}");
    }
}

#[test]
fn no_results_of_short_games_are_lost() {
    let folder = tempfile::tempdir().unwrap();
    let scores = folder.path().join("score.csv");
    let recordings = folder.path().join("games/");
    let mut server = server_command();
    server.args(["--port", "0", "--joueurs", "1", "--duree", "1", "--parties", "3000"]);
    server.args(["--journal", "warn", "--nom-partie"]).arg(&scores);
    server.arg("--enregistrer").arg(&recordings);
    let Output { status, stdout, stderr } = played(server);
    assert_eq!((status.code(), text(&stderr).as_str()), (Some(0), ""));
    let printed = text(&stdout);
    let number = |line: &str| line.strip_prefix("game ")?.split_once(", seed")?.0.parse().ok();
    let shown: Vec<u32> = printed.lines().filter_map(number).collect();
    assert_eq!(shown.last(), Some(&3000));
    let are_counted = shown.len() == 3000 || printed.contains("left out here");
    assert!(are_counted, "{} of 3000 games are shown", shown.len());
    assert_eq!(fs::read_to_string(&scores).unwrap().lines().count(), 1);
    assert_eq!(fs::read_dir(&recordings).unwrap().count(), 3000);
}
