//! What a teacher takes out of the file of a tournament: its games as a spreadsheet, and recordings.

use std::fs;

use replay::{Recording, verify};

use crate::{Folder, MAP};

/// A tournament between bots of the house: five groups of four, in four seatings.
fn played(folder: &Folder) {
    let game = ["jouer", "--carte", MAP, "--duree", "20", "--graine", "7"];
    let teams = [
        "Ada=ia:glouton",
        "Bob=ia:prudent",
        "@lan=ia:dijkstra",
        "Eve=ia:glouton",
        "Zoé=ia:aleatoire",
    ];
    let teams = teams.map(|team| format!("--equipe={team}"));
    folder.done(&game.into_iter().chain(teams.iter().map(String::as_str)).collect::<Vec<_>>());
}

#[test]
fn the_games_are_a_spreadsheet_in_the_order_of_play() {
    let folder = Folder::new();
    played(&folder);
    let mut games = folder.outcomes("tournoi.sqlite");
    folder.done(&["annuler", &games[3].key.to_string(), "--raison", "a test"]);
    games.remove(3);
    games.sort_by_key(|game| (game.began, game.key));
    folder.done(&["rapport", "--games", "games.csv"]);
    let text = fs::read_to_string(folder.path("games.csv")).unwrap();
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split(',').map(|cell| cell.trim_matches('"')).collect())
        .collect();
    assert!(text.starts_with("\u{feff}\"Key\",\"Began\",\"Round\","), "{text}");
    assert_eq!(lines.len(), 1 + games.len());
    for (line, game) in lines[1..].iter().zip(&games) {
        assert_eq!(line.len(), 8 + 4 * 6);
        assert_eq!(line[0], game.key.to_string());
        assert!(line[1].ends_with('Z') && line[1].contains('T'), "{line:?}");
        assert_eq!(line[2..8], ["1", "petit", &game.seed.to_string(), "sujet", "20", "20"]);
        for (cells, seat) in line[8..].chunks(6).zip(&game.seats) {
            assert_eq!(cells[0].trim_start_matches('\''), seat.team);
            assert_eq!(cells[1..5], ["", &seat.points.to_string(), &seat.rank.to_string(), ""]);
        }
    }
    assert!(!text.contains("\"@lan\"") && text.contains("\"'@lan\""), "{text}");
    folder.done(&["rapport", "--parties", "parties.csv", "--langue", "fr"]);
    let text = fs::read_to_string(folder.path("parties.csv")).unwrap();
    assert!(text.starts_with("\u{feff}\"Clé\";\"Début\";"), "{text}");
}

#[test]
fn any_game_is_found_by_the_beginning_of_its_key() {
    let folder = Folder::new();
    played(&folder);
    let games = folder.outcomes("tournoi.sqlite");
    let (voided, other) = (games[0].key.to_string(), games[1].key.to_string());
    folder.done(&["annuler", &voided, "--raison", "a test"]);
    for (key, file) in [(&voided[..10], "void.rejeu"), (&*other.to_uppercase(), "game.rejeu")] {
        folder.done(&["rapport", "--partie", key, "--vers", file]);
        let recording = Recording::open(&folder.path(file)).unwrap();
        assert_eq!(verify(&recording), Ok(()));
        let game = &games[usize::from(file == "game.rejeu")];
        let names: Vec<_> = game.seats.iter().map(|seat| seat.team.as_str()).collect();
        assert_eq!(recording.setup.names(), names);
    }
    // Played again, the game has two results: the one that counts is taken.
    folder.done(&["reprendre"]);
    folder.done(&["rapport", "--game", &voided, "--to", "again.rejeu"]);
    let before = fs::read(folder.path("game.rejeu")).unwrap();
    for (key, file, why) in [
        (&*other, "game.rejeu", "game.rejeu exists already"),
        ("", "x", "20 games have keys that begin with"),
        ("xyz", "x", "--parties FILE` lists the keys"),
        ("%", "x", "no game has a key that begins with"),
    ] {
        let (code, error) = folder.fails(&["rapport", "--partie", key, "--vers", file]);
        assert!(code == Some(2) && error.contains(why), "{key}: {error}");
    }
    assert_eq!(fs::read(folder.path("game.rejeu")).unwrap(), before);
    assert!(!folder.path("x").exists());
}
