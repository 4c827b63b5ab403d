//! The first bot plays, as a separate program.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;

/// A pacman two steps west of an object, and a ghost with one exit.
const STATE: &str = "jeu;A\n10;200\n--------------------\n4;13\n#############\n#&     . #  #\n####### #####\n#############\n\
    1\nA;1;5\n1\na;2;7\n--------------------\nA;0;0;1;5;2;7;0;0;0;Ada\n\0";

fn message(stream: &mut BufReader<TcpStream>) -> String {
    let mut message = Vec::new();
    stream.read_until(0, &mut message).unwrap();
    String::from_utf8(message).unwrap()
}

#[test]
fn it_walks_to_the_nearest_object_and_leaves_when_told_to() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let mut bot = Command::new(env!("CARGO_BIN_EXE_mon_ia"));
    let mut bot = bot.args(["Ada", "--serveur", "127.0.0.1", "--port", &port]).spawn().unwrap();
    let mut stream = BufReader::new(listener.accept().unwrap().0);
    assert_eq!(message(&mut stream), "joueur;Ada\0");
    stream.get_mut().write_all(STATE.as_bytes()).unwrap();
    assert_eq!(message(&mut stream), "EN\0");
    stream.get_mut().write_all(b"quit\n\0").unwrap();
    assert!(bot.wait().unwrap().success());
}

#[test]
fn its_help_names_it_as_the_bot_that_plays() {
    let help = Command::new(env!("CARGO_BIN_EXE_mon_ia")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(help.contains("[default: mon_ia]"), "{help}");
}
