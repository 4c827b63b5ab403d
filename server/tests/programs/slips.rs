//! Typical mistakes of people and their first programs, and the error messages for them.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
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
            "--serveur takes a host name",
        ),
        (&["Ada", "--serveur", "127.0.0.1:1"], "--serveur 127.0.0.1:1 or --serveur 127.0.0.1:"),
        (&["Ada", "--serveur", "http://127.0.0.1"], "expected HOST or HOST:PORT"),
        (&["Ada", "--port", "65536"], "65536 is not in 1..=65535"),
        (&["Ada", "--equipe", "Bob"], "cannot be used with"),
        (&["--equipe", "Ada", "--ia", "hal"], "there is no bot \"hal\", expected one of:"),
        (&["--equipe", "Team#20242025"], "would be taken for a secret: type Team and, if"),
        (&["--equipe", "Ada", "--secret=short"], "expected 8 to 64 letters and digits"),
        (&[], "as in `client --equipe Ada`"),
        (&[" "], "as in `client --equipe Ada`"),
        (&["pyrat"], "as in `client pyrat --equipe Ada`"),
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
    assert!(error.contains("as in `server pyrat --boue …`"), "{error}");
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
    for (language, file) in [("python", "exemples/bot.py"), ("rust", "exemples/mon_ia/mon_ia.rs")] {
        let bot = fs::read_to_string(format!("{ROOT}/{file}")).unwrap();
        let shown = format!("```{language}\n{bot}```\n");
        for document in ["docs/en/bot.md", "docs/fr/bot.md"] {
            let text = fs::read_to_string(format!("{ROOT}/{document}")).unwrap();
            assert!(text.contains(&shown), "{document} does not show {file} as it is");
        }
    }
    let mut server = Server::start(&["--remplir", "prudent", "--attente", "0"]);
    let output = Command::new("python3")
        .current_dir(ROOT)
        .args(["exemples/bot.py", "Pythonistas", "127.0.0.1", &server.port.to_string()])
        .output()
        .unwrap();
    ended_well(&output);
    assert_eq!(output.stdout, b"quit\n");
    assert_eq!(server.end().0, Some(0));
    let scores = server.scores();
    let points = scores.lines().find_map(|line| line.strip_prefix("Pythonistas;")).unwrap();
    assert!(points.parse::<i32>().is_ok(), "{scores}");

    let output = Command::new("python3")
        .args(["exemples/bot.py", "Ada", "127.0.0.1", "1"])
        .current_dir(ROOT)
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.starts_with("no server, pas de serveur: 127.0.0.1:1 ("), "{error}");
}
