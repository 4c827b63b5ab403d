//! The practice table.

use std::cell::RefCell;
use std::fs;
use std::io::{BufRead, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use replay::{Recording, verify};

use crate::{server_command, start};

/// Plays a game to its end as Ada, who sends the same message in each turn.
fn play(port: u16, message: &str) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(b"joueur;Ada\0").unwrap();
    let (mut left, mut received, mut turn) = (Vec::new(), [0; 4096], 0);
    loop {
        let read = stream.read(&mut received).unwrap();
        left.extend_from_slice(&received[..read]);
        while let Some(end) = left.iter().position(|&byte| byte == 0) {
            let state: Vec<_> = left.drain(..=end).collect();
            if state.starts_with(b"quit") {
                return;
            }
            turn += 1;
            let pause = if turn == 9 { ";pause" } else { "" };
            stream.write_all(format!("{message}{pause}\0").as_bytes()).unwrap();
        }
        assert!(read > 0, "the server says quit");
    }
}

#[test]
fn a_practice_game_stops_where_it_is_told_and_takes_changed_orders() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = folder.path().join("partie.rejeu");
    let mut command = server_command();
    command.current_dir(folder.path());
    command.args([
        "--exercice",
        "--pause",
        "3",
        "--duree",
        "20",
        "--joueurs",
        "1",
        "--enregistrer",
    ]);
    command.arg(&recorded).arg("--nom-partie").arg(folder.path().join("score.csv"));
    let (mut server, mut output, port) = start(command.stdin(Stdio::piped()));
    let mut typed = server.stdin.take().unwrap();
    let player = std::thread::spawn(move || play(port, "OO"));
    let output = RefCell::new(&mut output);
    let told = || {
        let mut line = String::new();
        output.borrow_mut().read_line(&mut line).unwrap();
        line
    };
    let stops_at = |expected: &str| assert_eq!(told(), format!("{expected}   (? for help)\n"));
    stops_at("turn 3: Ada OO");
    typed.write_all(b"Eve SE\nAda SW\n").unwrap();
    assert_eq!(told(), "there is no player \"Eve\", expected one of Ada\n");
    stops_at("turn 3: Ada SW (OO)");
    assert_eq!(told(), "SW is a false move: two letters of N, E, S, O are expected\n");
    typed.write_all(b"Ada SE\n").unwrap();
    stops_at("turn 3: Ada SE (OO)");
    typed.write_all(b"\n").unwrap();
    let name = told();
    let name = name.trim().strip_prefix("the game as it was up to this turn: ").unwrap();
    stops_at("turn 4: Ada OO");
    typed.write_all(b"p 12\nc\n").unwrap();
    // The bot itself asks for a stop.
    stops_at("turn 9 [Ada asks for it]: Ada OO");
    typed.write_all(b"c\n").unwrap();
    stops_at("turn 12: Ada OO");
    // Once nothing more can be typed, the game goes on.
    drop(typed);
    player.join().unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(0));

    let recording = Recording::read(&fs::read(&recorded).unwrap()).unwrap();
    assert!(recording.is_complete);
    assert_eq!(verify(&recording), Ok(()));
    let orders = |recording: &Recording| -> Vec<_> {
        recording.turns.iter().map(|turn| turn.answers[0].letters().unwrap()).collect()
    };
    let expected = |turn: usize| if turn == 3 { "SE" } else { "OO" };
    assert_eq!(orders(&recording), (1..=20).map(expected).collect::<Vec<_>>());
    // The original stays.
    let original = Recording::read(&fs::read(folder.path().join(name)).unwrap()).unwrap();
    assert_eq!((orders(&original), verify(&original)), (vec!["OO".to_owned(); 3], Ok(())));
}

#[test]
fn breakpoints_are_turns_or_events() {
    let told = |place: &str| {
        let mut command = server_command();
        let output = command.args(["--exercice", "--pause", place]).stderr(Stdio::piped()).output();
        let output = output.unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for wrong in ["0", "bite"] {
        let (code, said) = told(wrong);
        assert!(said.contains("expected a turn from 1 on, or one of: took, battle"), "{said}");
        assert_eq!(code, Some(2));
    }
}
