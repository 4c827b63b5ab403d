//! The last games are recorded by default.

use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use replay::{Recording, verify};

use crate::{client, ended_well, played, port, program_of, server_command};

/// A server for games of one player, with this state folder.
fn games(state: &Path, flags: &[&str]) -> Command {
    let mut server = server_command();
    server.args(["--port", "0", "--joueurs", "1", "--duree", "3", "--nom-partie", "/dev/null"]);
    server.args(flags).env("XDG_STATE_HOME", state);
    server
}

fn play(state: &Path, flags: &[&str]) -> Output {
    played(games(state, flags))
}

fn recordings(state: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(state.join("pacman-iuto/parties")).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// The words of the commands that the server prints for users.
fn commands(output: &Output) -> Vec<Vec<String>> {
    let printed = String::from_utf8(output.stdout.clone()).unwrap();
    let commands = printed.lines().filter_map(|line| line.strip_prefix("watch it: "));
    commands.map(|line| shell_words::split(line).unwrap()).collect()
}

#[test]
fn what_is_printed_shows_the_last_game() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("it's a state");
    let output = play(&state, &["--parties", "2"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let commands = commands(&output);
    assert_eq!(commands.len(), 2, "{commands:?}");
    let rejeu = program_of("rejeu", "rejeu");
    for command in commands {
        let recording = Recording::read(&fs::read(&command[2]).unwrap()).unwrap();
        assert!(recording.is_complete && recording.turn() == 3);
        assert_eq!(verify(&recording), Ok(()));
        // The path, if the program is beside the server.
        assert_eq!(Path::new(&command[0]).file_name(), rejeu.file_name());
        let shown =
            Command::new(&rejeu).args(&command[1..]).current_dir(folder.path()).output().unwrap();
        ended_well(&shown);
        let page = folder.path().join(&command[3]);
        assert!(fs::read_to_string(&page).unwrap().contains("<html"));
        fs::remove_file(page).unwrap();
    }
    // Two servers write to the same folder at once.
    let others: Vec<_> = (0..2)
        .map(|_| {
            let state = state.clone();
            std::thread::spawn(move || play(&state, &["--parties", "20", "--graine", "1"]))
        })
        .collect();
    for other in others {
        assert_eq!(other.join().unwrap().status.code(), Some(0));
    }
    let kept = recordings(&state);
    assert!((1..=11).contains(&kept.len()), "{kept:?}");
    for path in kept {
        let recording = Recording::read(&fs::read(&path).unwrap()).unwrap();
        assert!(recording.is_complete, "{path:?}");
    }
}

#[test]
fn only_what_is_asked_for_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let none = play(&state, &["--sans-enregistrement"]);
    assert!(none.status.success() && commands(&none).is_empty());
    let asked = folder.path().join("asked.rejeu");
    let one = play(&state, &["--enregistrer", asked.to_str().unwrap()]);
    assert_eq!(commands(&one)[0][2], asked.to_str().unwrap());
    assert!(!state.exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_said_once_and_ends_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let output = play(&file, &["--parties", "3"]);
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), commands(&output).len()), (Some(0), 0), "{said}");
    assert_eq!(said.matches("the games are not recorded: ").count(), 1, "{said}");
    assert!(said.contains("(os error "), "{said}");
    // The folder may also fill up or vanish later.
    let state = folder.path().join("state");
    fs::create_dir_all(state.join("pacman-iuto/parties")).unwrap();
    let mut server = games(&state, &["--parties", "3"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let port = port(&mut BufReader::new(server.stdout.take().unwrap()));
    fs::remove_dir_all(&state).unwrap();
    ended_well(&client("Ada", port).wait_with_output().unwrap());
    let output = server.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(said.matches("cannot record in ").count(), 1, "{said}");
}
