//! Exports from the file of a tournament: its games as a spreadsheet, and recordings.

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
        ("xyz", "x", "--games FILE` lists the keys"),
        ("%", "x", "no game has a key that begins with"),
    ] {
        let (code, error) = folder.fails(&["rapport", "--partie", key, "--vers", file]);
        assert!(code == Some(2) && error.contains(why), "{key}: {error}");
    }
    assert_eq!(fs::read(folder.path("game.rejeu")).unwrap(), before);
    assert!(!folder.path("x").exists());
}

#[test]
fn a_disqualified_team_stays_in_the_table_and_plays_no_more() {
    let folder = Folder::new();
    played(&folder);
    let base = "tournoi.sqlite";
    let keys = || folder.outcomes(base).iter().map(|game| game.key).collect::<Vec<_>>();
    let before = keys();
    // One game of a matchup with Zoé, and all games of another one.
    let games = folder.outcomes(base);
    let has = |game: &&plan::Outcome, team: &str| game.seats.iter().any(|seat| seat.team == team);
    let matchup = |without: &str| {
        let mut found = games.iter().filter(|game| has(game, "Zoé") && !has(game, without));
        let first = found.next().unwrap().matchup;
        games.iter().filter(move |game| game.matchup == first).map(|game| game.key.to_string())
    };
    let (some, all): (Vec<_>, Vec<_>) =
        (matchup("Ada").take(1).collect(), matchup("Bob").collect());
    let voided: Vec<_> = some.iter().chain(&all).map(String::as_str).collect();
    folder.done(&[&["annuler"], &voided[..], &["--raison", "a power cut"]].concat());
    let disqualify = ["annuler", "--disqualify", "Zoé", "--raison", "copied from Ada"];
    let said = folder.done(&disqualify);
    assert!(said.contains("Zoé is disqualified") && said.contains("--restore"), "{said}");
    let (code, error) = folder.fails(&disqualify);
    assert!(code == Some(2) && error.contains("already: copied from Ada"), "{error}");
    let missing = "Games are missing: `";
    let interrupted = folder.done(&["rapport", "--html", "before.html"]);
    assert!(
        interrupted.contains(missing) && interrupted.contains("tournoi resume tournoi.sqlite`"),
        "{interrupted}"
    );
    // The remaining teams of the matchup of which no game counts play with the house; the other one stays as it is.
    folder.done(&["reprendre"]);
    let after = folder.outcomes(base);
    assert_eq!(after.len(), 15 + 4);
    let new: Vec<_> = after.iter().filter(|game| !before.contains(&game.key)).collect();
    assert_eq!(new.len(), 4);
    for game in new {
        assert!(!has(&game, "Zoé") && game.seats.iter().filter(|seat| seat.is_house).count() == 1);
    }
    let text = folder.done(&["rapport", "--csv", "table.csv", "--html", "page.html"]);
    assert!(!text.contains(missing), "{text}");
    let rows: Vec<_> = text.lines().filter(|line| line.contains("Zoé")).collect();
    assert!(rows[0].split_whitespace().take(2).eq(["–", "Zoé"]), "{text}");
    assert_eq!(rows[1], "Disqualified: Zoé. copied from Ada");
    let table = fs::read_to_string(folder.path("table.csv")).unwrap();
    let last = table.lines().last().unwrap();
    assert!(last.starts_with("\"\",\"Zoé\"") && last.ends_with(",\"copied from Ada\""), "{table}");
    let page = fs::read_to_string(folder.path("page.html")).unwrap();
    assert!(
        page.contains("\"disqualified\":\"copied from Ada\"") && page.contains("\"over\":true")
    );
    assert!(fs::read_to_string(folder.path("before.html")).unwrap().contains("\"over\":false"));
    // Admitted again, the team has its games back, and plays those that are missing.
    folder.done(&["annuler", "--disqualifier", "Zoé", "--retablir"]);
    assert_eq!(folder.outcomes(base).len(), 15);
    folder.done(&["reprendre"]);
    assert_eq!(keys(), before);
    for (team, why) in [("Zoé", "Zoé is not disqualified"), ("Zoe", "the nearest teams are Zoé")]
    {
        let (code, error) = folder.fails(&["annuler", "--disqualifier", team, "--retablir"]);
        assert!(code == Some(2) && error.contains(why), "{error}");
    }
}

#[test]
fn groups_of_a_class_are_in_one_table() {
    let folder = Folder::new();
    let game = ["jouer", "--carte", MAP, "--duree", "10", "--equipe", "Ada=ia:glouton", "--equipe"];
    for (base, name, team) in [("td2", "TD 2", "Bob=ia:prudent"), ("td1", "TD 1", "Eve=ia:prudent")]
    {
        folder.done(&[&game[..], &[team, "--base", base, "--nom", name]].concat());
    }
    let shown = folder.done(&["rapport", "td2", "td1", "--csv", "all.csv"]);
    let table = fs::read_to_string(folder.path("all.csv")).unwrap();
    let groups: Vec<_> = table.lines().skip(1).map(|line| &line[..8]).collect();
    assert_eq!(groups, ["\"TD 2\",1", "\"TD 2\",2", "\"TD 1\",1", "\"TD 1\",2"]);
    assert!(shown.contains("ratings of different groups cannot be compared"), "{shown}");
    let (code, error) = folder.fails(&["rapport", "td1", "td2", "--html", "x"]);
    assert!(code == Some(2) && error.contains("name one file"), "{error}");
    // Without names of their own, the files tell the groups apart.
    for base in ["a.sqlite", "b.sqlite"] {
        folder.done(&[&game[..], &["Eve=ia:prudent", "--base", base]].concat());
    }
    let shown = folder.done(&["rapport", "a.sqlite", "b.sqlite"]);
    assert!(shown.contains("a: 4 games.") && shown.contains("b: 4 games."), "{shown}");
}
