//! Typical mistakes of people and their first programs, and the error messages for them.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::{ROOT, Server, client_program, ended_well, interrupt, server_command};

#[test]
fn the_client_tells_what_is_wrong_by_its_exit_code_too() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let client = |flags: &[&str]| {
        let mut client = Command::new(client_program());
        client.args(["--port", &port]).args(flags).stderr(Stdio::piped());
        client.spawn().unwrap()
    };
    let ended = |client: Child| {
        let output = client.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let refused = client(&["--equipe", "Ada"]);
    listener.accept().unwrap().0.write_all(b"refused\n\0").unwrap();
    let (code, error) = ended(refused);
    assert!(code == Some(1) && error.contains("all seats are taken"), "{code:?} {error}");

    let interrupted = client(&["--equipe", "Ada"]);
    let _connection = listener.accept().unwrap();
    interrupt(&interrupted);
    assert_eq!(ended(interrupted).0, Some(130));

    drop(listener);
    for (flags, expected) in [
        (&["--equipe", "Ada", "--insister", "0"][..], "error: no server at 127.0.0.1:"),
        (&["Ada", "--insister", "0"], "start the server first, and compare the port"),
        (
            &["Ada", "--insister", "0", "--serveur", "no.such.host.invalid"],
            "--host takes a host name",
        ),
        (&["Ada", "--serveur", "127.0.0.1:1"], "--host 127.0.0.1:1 or --host 127.0.0.1:"),
        (&["Ada", "--serveur", "http://127.0.0.1"], "expected HOST or HOST:PORT"),
        (&["Ada", "--port", "65536"], "65536 is not in 1..=65535"),
        (&["Ada", "--equipe", "Bob"], "cannot be used with"),
        (&["--equipe", "Ada", "--ia", "hal"], "there is no bot \"hal\", expected one of:"),
        (&["--equipe", "Team#20242025"], "would be taken for a secret: type Team and, if"),
        (&["--equipe", "Ada", "--secret=short"], "expected 8 to 64 letters and digits"),
        (&[], "client --team Ada`"),
        (&[" "], "client --team Ada`"),
        (&["pyrat"], "client pyrat --team Ada`"),
    ] {
        let (code, error) = ended(client(flags));
        assert!(code == Some(2) && error.contains(expected), "{flags:?}: {code:?} {error}");
    }
}

#[test]
fn a_flag_of_pyrat_is_told_where_it_belongs() {
    let output = server_command().args(["--boue", "30"]).stderr(Stdio::piped()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("server pyrat --boue …`"), "{error}");
    for conflict in [
        &["--sans-enregistrement", "--enregistrer=game"][..],
        &["pyrat", "--labyrinthe", "maze.json", "--largeur", "5", "--boue", "2"],
    ] {
        let output = server_command().args(conflict).stderr(Stdio::piped()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("cannot be used with") && !error.contains("tip:"), "{error}");
    }
    assert_eq!(error.matches("tip:").count(), 1, "{error}");
    assert!(!error.contains("similar argument"), "{error}");
}

#[test]
fn a_team_is_told_under_which_name_it_plays() {
    let server = Server::start(&["--joueurs", "2"]);
    let port = server.port.to_string();
    let client = || {
        let mut client = Command::new(client_program());
        client.args(["Bob", "--port", &port]).stdout(Stdio::null()).stderr(Stdio::piped());
        client.spawn().unwrap()
    };
    let logs = [client(), client()].map(|client| {
        let output = client.wait_with_output().unwrap();
        ended_well(&output);
        String::from_utf8(output.stderr).unwrap()
    });
    let told = logs.map(|log| log.matches(r#"the server calls this team "Bob_2""#).count());
    assert!(told == [0, 1] || told == [1, 0], "{told:?}");
}

#[test]
fn partie_sh_does_not_wait_for_players_that_cannot_come() {
    for (bots, flags, message) in [
        ("prudent dijsktra", &[][..], "there is no bot \"dijsktra\", expected one of:"),
        ("prudent", &["--joueurs", "2"], "BOTS says how many play"),
        (" ", &[], "BOTS names no bot"),
    ] {
        let output = Command::new(format!("{ROOT}/scripts/partie.sh"))
            .args(flags)
            .env("PROFILE", "dev")
            .env("BOTS", bots)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(message), "{error}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn the_python_bot_of_the_documents_plays() {
    let mut server = Server::start(&["--remplir", "prudent", "--attente", "0"]);
    let output = Command::new("python3")
        .current_dir(ROOT)
        .args(["exemples/bot.py", "Pythonistas", "127.0.0.1", &server.port.to_string()])
        .output()
        .unwrap();
    ended_well(&output);
    assert_eq!(server.end().0, Some(0));
    let scores = server.scores();
    let points = |line: &str| line.rsplit(';').next()?.parse::<i32>().ok();
    let own =
        scores.lines().find(|line| line.starts_with("Pythonistas;")).and_then(points).unwrap();
    let better = scores.lines().filter(|line| points(line).unwrap() > own).count();
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(told, format!("rank, rang: {}/4, points: {own}\n", better + 1), "{scores}");

    let output = Command::new("python3")
        .args(["exemples/bot.py", "Ada", "127.0.0.1", "1"])
        .current_dir(ROOT)
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.starts_with("no server, pas de serveur: 127.0.0.1:1 ("), "{error}");
}

#[test]
fn the_examples_say_that_a_server_plays_the_other_game() {
    let pacman = &["--carte", "cartes/petit.txt", "--duree", "30"][..];
    for (game, files) in [(&["pyrat"][..], &["bot.py", "bot.js"][..]), (pacman, &["rat.py"])] {
        for file in files {
            let server = Server::play(game, &["--joueurs", "1"]);
            let output = example(file, server.port).wait_with_output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{error}");
            assert!(error.lines().count() == 1 && error.contains("this server"), "{file}: {error}");
        }
    }
}

/// Starts an example in Python or JavaScript on this port.
fn example(file: &str, port: u16) -> Child {
    Command::new(if file == "bot.js" { "node" } else { "python3" })
        .args([file, "Ada", "127.0.0.1", &port.to_string()])
        .current_dir(format!("{ROOT}/exemples"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The exit code, the output and the error output of an example.
fn told(bot: Child) -> (Option<i32>, String, String) {
    let output = bot.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Reads from a bot until this many messages have ended.
fn heard(stream: &mut TcpStream, messages: usize) {
    let mut bytes = [0; 1];
    for _ in 0..messages {
        while stream.read_exact(&mut bytes).is_ok() && bytes != [0] {}
    }
}

#[test]
fn the_examples_tell_why_there_is_no_game() {
    for (file, reset) in
        [("bot.py", "reset by peer"), ("rat.py", "reset by peer"), ("bot.js", "ECONNRESET")]
    {
        for (farewell, reason) in [
            (Some(&b""[..]), "closed without a word, fermeture sans un mot"),
            (Some(b"refused\n\0"), ": refused\n"),
            (None, reset),
        ] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let bot = example(file, listener.local_addr().unwrap().port());
            let (mut stream, _) = listener.accept().unwrap();
            match farewell {
                Some(farewell) => {
                    heard(&mut stream, 1);
                    stream.write_all(farewell).unwrap();
                }
                // A connection that closes with unread bytes is reset.
                None => assert!(stream.peek(&mut [0]).unwrap() > 0),
            }
            drop(stream);
            let (code, output, error) = told(bot);
            assert_eq!((code, output.as_str()), (Some(1), ""), "{file}: {error}");
            assert!(error.contains(reason) && error.lines().count() == 1, "{file}: {error}");
        }
    }
}

#[test]
fn the_examples_come_back_and_tell_how_the_game_ended() {
    const DASHES: &str = "--------------------\n";
    let pacman = |turn| {
        let board = "3;4\n    \n .  \n    \n1\nA;0;0\n1\na;2;2\n";
        format!("jeu;A\n{turn};9\n{DASHES}{board}{DASHES}A;7;0;0;0;2;2;0;0;0;Ada\n\0")
    };
    let maze = "labyrinthe;A\n2;1\n2\n0;1:1\n1;0:1\n\0";
    let rats = |turn, cheese, score, cell| {
        format!("jeu;A\n{turn};9\n{DASHES}{cheese}{DASHES}A;{score};{cell};;0;Ada\n\0")
    };
    let rat =
        [maze.to_owned() + &rats(0, "1\n1\n", "0", 0), maze.to_owned() + &rats(1, "0\n", "1/2", 1)];
    let pacmans = [pacman(3), pacman(9)];
    for (file, states, result) in [
        ("bot.py", pacmans.clone(), "rank, rang: 1/1, points: 7\n"),
        ("bot.js", pacmans, "rank, rang: 1/1, points: 7\n"),
        ("rat.py", rat, "rank, rang: 1/1, cheese, fromages: 1/2\n"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let bot = example(file, address.port());
        // A bot that has ended comes no more: somebody else does, so that nothing waits for it.
        let ended = std::thread::spawn(move || {
            let told = told(bot);
            let _ = TcpStream::connect(address);
            told
        });
        let [first, last] = states;
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(first.as_bytes()).unwrap();
        heard(&mut stream, 2);
        // The server is gone within a state.
        let state = &first[first.find("jeu;").unwrap()..];
        stream.write_all(&state.as_bytes()[..state.len() - 5]).unwrap();
        drop(stream);
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.write_all(last.as_bytes());
        heard(&mut stream, 2);
        let _ = stream.write_all(b"quit\n\0");
        drop(stream);
        assert_eq!(ended.join().unwrap(), (Some(0), result.to_owned(), String::new()), "{file}");
    }
}
