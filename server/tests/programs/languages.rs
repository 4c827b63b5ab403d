//! All output of `server`, `client` and `afficheur` is in the chosen language.

use std::cell::RefCell;
use std::net::TcpListener;
use std::process::{Command, Stdio};

use language::testing::{every_help, mixed};

use crate::{client_program, program_of, server_command};

/// The text that a program prints on both outputs.
fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// Plays a game between a client and a bot of the house. Returns the outputs of the server and of the client.
fn play(language: &str, game: &[&str], kind: &[&str]) -> [String; 2] {
    let folder = tempfile::tempdir().unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let server = server_command()
        .args(game)
        .args(["--port", &free, "--joueurs", "2", "--attente", "0", "--duree", "8"])
        .args(["--web", "0", "--langue", language, "--enregistrer"])
        .arg(folder.path().join("game"))
        .arg("--nom-partie")
        .arg(folder.path().join("score.csv"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut client = Command::new(client_program());
    let client = said(client.args(kind).args(["Ada", "--port", &free, "--langue", language]));
    // The web page stays until Ctrl-C.
    std::thread::sleep(std::time::Duration::from_secs(1));
    crate::interrupt(&server);
    let output = server.wait_with_output().unwrap();
    [String::from_utf8([output.stdout, output.stderr].concat()).unwrap(), client]
}

/// Wrong commands of `server`.
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
        &["--boue", "20"],
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
        let check = |program: &str, arguments: &[&str]| {
            let mut command = match program {
                "server" => server_command(),
                "client" => Command::new(client_program()),
                _ => Command::new(program_of("client", program)),
            };
            if program == "server" {
                command.stderr(Stdio::piped());
            }
            let said = said(command.args(arguments).args(["--langue", language]));
            let shown = [&[program], arguments].concat();
            wrong.borrow_mut().extend(mixed(&shown, &said.replace(&small, ""), language));
            said
        };
        for program in ["server", "client", "afficheur"] {
            every_help(|arguments| {
                check(program, &[&arguments[..arguments.len() - 1], &["--nothing"]].concat());
                check(program, arguments)
            });
        }
        for arguments in server_mistakes(&small, &port) {
            check("server", &arguments);
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
            check("client", arguments);
        }
        for arguments in [
            &["--port", "1", "--insister", "0"][..],
            &["--port", "x"],
            &["--serveur", "a/b"],
            &["nowhere"],
        ] {
            check("afficheur", arguments);
        }
        let pacman = play(language, &["cartes/petit.txt", "--remplir", "prudent"], &[]);
        let pyrat = play(language, &["pyrat", "--remplir", "bfs"], &["pyrat"]);
        for said in pacman.iter().chain(&pyrat) {
            // The file name is the same in both languages.
            let said = said.replace("partie.html", "");
            wrong.borrow_mut().extend(mixed(&["a game"], &said, language));
        }
    }
    let wrong = wrong.into_inner();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
