//! All output of `server`, `client` and `afficheur` is in the chosen language, and each line of arguments ends with the exit code
//! that it should.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

use language::testing::{Expected, every_help, fault};

use crate::{client_program, program_of, server_command};

/// Plays a game between a client and a bot of the house. Returns the outputs of the server and of the client.
fn play(language: &str, game: &[&str], kind: &[&str]) -> [Output; 2] {
    let folder = tempfile::tempdir().unwrap();
    let mut server = server_command()
        .args(game)
        .args(["--port", "0", "--joueurs", "2", "--attente", "0", "--duree", "8"])
        .args(["--web", "0", "--langue", language, "--enregistrer"])
        .arg(folder.path().join("game"))
        .arg("--nom-partie")
        .arg(folder.path().join("score.csv"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut said = String::new();
    output.read_line(&mut said).unwrap();
    let address = said.split(' ').find(|word| word.contains("127.0.0.1:")).unwrap().to_owned();
    let mut client = Command::new(client_program());
    let client = client.args(kind).args(["Ada", "--serveur", &address, "--langue", language]);
    let client = client.output().unwrap();
    // The server ends with how to watch the recording; the web page stays until Ctrl-C.
    while !said.contains("partie.html") {
        assert!(output.read_line(&mut said).unwrap() > 0, "{said}");
    }
    crate::interrupt(&server);
    output.read_to_string(&mut said).unwrap();
    let mut output = server.wait_with_output().unwrap();
    output.stdout = said.into_bytes();
    [output, client]
}

/// Wrong commands of `server`, which ends with the exit code 2.
fn server_mistakes<'a>(small: &'a str, port: &'a str) -> Vec<Vec<&'a str>> {
    let mistakes: &[&[&str]] = &[
        &["nowhere"],
        &["cartes"],
        &["Cargo.toml"],
        &[small, "--joueurs", "26"],
        &["--joueurs", "27"],
        &["--duree", "0"],
        &["--duree", "x"],
        &["--delai", "5"],
        &["--delai", "0"],
        &["--delai", "25h"],
        &["--remplir", "nobody"],
        &["--attente", "2s"],
        &["--regles", "nothing"],
        &["--web", "x"],
        &["--port", "65536"],
        &["--port", port],
        &["--port", "1", "--serveur", "localhost:2"],
        &["--port", "0", "--web", port],
        &["--serveur", "a b"],
        &["--serveur", "192.0.2.1"],
        &["--serveur", "nowhere.invalid"],
        &["--nom-partie", "no/such/folder/score.csv"],
        &["--enregistrer", "no/such/folder/game"],
        &["--enregistrer", "game", "--sans-enregistrement"],
        &["--port", "0", "pyrat"],
        &["--langue"],
        &["pyrat", "--cellules", "0"],
        &["pyrat", "--boue", "101"],
        &["pyrat", "--largeur", "0"],
        &["pyrat", "--largeur", "100000"],
        &["pyrat", "--tours-boue", "x"],
        &["pyrat", "--tours-boue", "9..4"],
        &["pyrat", "--trous", "x"],
        &["pyrat", "--depart", "x"],
        &["pyrat", "--depart", "9999"],
        &["pyrat", "--fromages", "9999"],
        &["pyrat", "--remplir", "nobody"],
        &["pyrat", "--labyrinthe", "nowhere"],
        &["pyrat", "--labyrinthe", "nowhere", "--largeur", "5"],
        &["pyrat", "--labyrinthe", "Cargo.toml", "--largeur", "5"],
        &["pyrat", "--labyrinthe", "nowhere", "--largeur", "5", "--boue", "2"],
    ];
    mistakes.iter().map(|arguments| arguments.to_vec()).collect()
}

#[test]
fn nothing_is_said_in_another_language() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = tempfile::tempdir().unwrap();
    let small = folder.path().join("map.txt").display().to_string();
    std::fs::write(&small, "3;3\n...\n...\n...\n").unwrap();
    let wrong = RefCell::new(Vec::new());
    for language in ["fr", "en"] {
        let check = |program: &str, expected, arguments: &[&str]| {
            let mut command = match program {
                "server" => server_command(),
                "client" => Command::new(client_program()),
                _ => Command::new(program_of("client", program)),
            };
            if program == "server" {
                command.stderr(Stdio::piped());
            }
            let output = command.args(arguments).args(["--langue", language]).output().unwrap();
            let shown = [&[program], arguments].concat();
            wrong.borrow_mut().extend(fault(&shown, &output, expected, &[&small], language));
            String::from_utf8(output.stdout).unwrap()
        };
        for program in ["server", "client", "afficheur"] {
            every_help(|arguments| {
                let nothing = [&arguments[..arguments.len() - 1], &["--nothing"]].concat();
                check(program, Expected::UnknownArgument, &nothing);
                check(program, Expected::Code(0), arguments)
            });
        }
        // A flag of PyRat, which the error explains.
        check("server", Expected::UnknownArgument, &["--boue", "20"]);
        for arguments in server_mistakes(&small, &port) {
            check("server", Expected::Code(2), &arguments);
        }
        let away = ["--insister", "0", "--serveur"];
        for arguments in [
            &[][..],
            &["pyrat"],
            &["--equipe", "Ada", "--port", "1", "--insister", "0"],
            &["Ada", "--equipe", "Bob"],
            &["Ada#abcdefgh12"],
            &["Ada", "--secret=x"],
            &["Ada", "--ia", "nobody"],
            &["pyrat", "Ada", "--ia", "nobody"],
            &["Ada", "pyrat"],
            &["Ada", "--insister", "x"],
            &["Ada", "--serveur", "a/b"],
            &["Ada", "--serveur", "a:x"],
            &["Ada", "--serveur", "a:1", "--port", "2"],
            &[&["Ada"], &away[..], &["nowhere.invalid"]].concat(),
            &[&["Ada"], &away[..], &["auto"]].concat(),
        ] {
            check("client", Expected::Code(2), arguments);
        }
        for arguments in
            [&["--port", "1", "--insister", "0"][..], &["--port", "x"], &["--serveur", "a/b"]]
        {
            check("afficheur", Expected::Code(2), arguments);
        }
        check("afficheur", Expected::UnknownArgument, &["nowhere"]);
        let pacman = play(language, &["cartes/petit.txt", "--remplir", "prudent"], &[]);
        let pyrat = play(language, &["pyrat", "--remplir", "bfs"], &["pyrat"]);
        for output in pacman.iter().chain(&pyrat) {
            let same = ["partie.html"];
            wrong.borrow_mut().extend(fault(
                &["a game"],
                output,
                Expected::Code(0),
                &same,
                language,
            ));
        }
    }
    let wrong = wrong.into_inner();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
