//! Tournaments on one machine.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Command;

use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::read::ZlibDecoder;

use replay::{Recording, verify};
use tournament::store::Store;

use crate::{Folder, MAP, client_team, table};

const SMALL: [&str; 6] = ["--carte", MAP, "--duree", "20", "--graine", "7"];

#[test]
fn the_same_tournament_gives_the_same_table_at_any_parallelism() {
    let folder = Folder::new();
    let teams = ["--equipe", "ia:dijkstra", "--equipe", "ia:glouton", "--equipe", "ia:prudent"];
    let more = ["--equipe", "ia:aleatoire", "--equipe", "Zoé=ia:glouton", "--manches", "2"];
    for (base, parallel) in [("one", "1"), ("four", "4")] {
        let flags = ["--base", base, "--parallele", parallel];
        folder.done(&[&["jouer"][..], &SMALL, &teams, &more, &flags].concat());
    }
    let games = folder.outcomes("one");
    // Five groups of four, in four seatings, twice.
    assert_eq!(games.len(), 40);
    assert_eq!(table(&games), table(&folder.outcomes("four")));

    // The four seatings of a group share a seed, and every team has every seat.
    let matchup: Vec<_> = games.iter().filter(|game| game.matchup == games[0].matchup).collect();
    assert_eq!(matchup.len(), 4);
    assert!(matchup.iter().all(|game| game.seed == games[0].seed));
    for seat in 0..4 {
        let mut teams: Vec<_> = matchup.iter().map(|game| &game.seats[seat].team).collect();
        teams.sort();
        teams.dedup();
        assert_eq!(teams.len(), 4);
    }
}

#[test]
fn programs_play_as_bots_of_the_house_do_and_their_games_are_recorded() {
    let folder = Folder::new();
    let [a, b] = ["Ada", "Bob"].map(|name| client_team(name, "glouton"));
    let teams = ["--equipe", &a, "--equipe", &b, "--equipe", "Eve=ia:glouton"];
    folder.done(&[&["jouer", "--base", "programs"][..], &SMALL, &teams].concat());
    let house = ["--equipe", "Ada=ia:glouton", "--equipe", "Bob=ia:glouton"];
    let house = [&house[..], &["--equipe", "Eve=ia:glouton", "--base", "house"]].concat();
    folder.done(&[&["jouer"][..], &SMALL, &house].concat());
    let points = |base: &str| {
        let mut all: Vec<_> = folder
            .outcomes(base)
            .iter()
            .map(|game| game.seats.iter().map(|s| (s.team.clone(), s.points)).collect::<Vec<_>>())
            .collect();
        all.sort();
        all
    };
    // Three teams; the house plays in the fourth seat, unranked.
    assert_eq!(points("programs"), points("house"));
    let games = folder.outcomes("programs");
    assert_eq!(games.len(), 4);
    for game in &games {
        assert!(game.seats.iter().all(|seat| seat.fault.is_none()), "{game:?}");
        assert_eq!(game.seats.iter().filter(|seat| seat.is_house).count(), 1);
        let bytes = Store::look(&folder.path("programs")).unwrap().recording(game.key).unwrap();
        let recording = Recording::read(&bytes.unwrap()).unwrap();
        assert!(recording.is_complete && recording.damage.is_none());
        assert_eq!(verify(&recording), Ok(()));
        let names: Vec<_> = game.seats.iter().map(|seat| seat.team.as_str()).collect();
        assert_eq!(recording.setup.names(), names);
    }
}

/// The films in the page of a report, as JSON.
fn films(page: &Path) -> impl Iterator<Item = String> {
    let page = fs::read_to_string(page).unwrap();
    let (_, films) = page.split_once("\"films\":").unwrap();
    let films = serde_json::Deserializer::from_str(films).into_iter().next().unwrap();
    let films: BTreeMap<String, String> = films.unwrap();
    assert!(!films.is_empty());
    films.into_values().map(|film| {
        let mut text = String::new();
        let packed = BASE64_STANDARD.decode(film).unwrap();
        ZlibDecoder::new(&*packed).read_to_string(&mut text).unwrap();
        text
    })
}

#[test]
fn thoughts_are_kept_and_published_by_teams_that_allow_it_once_the_tournament_is_over() {
    let folder = Folder::new();
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/bots/thinking.py");
    let team = |name: &str, words: &str| format!("{name}=python3 {bot} {{port}} '{words}'");
    let (ada, bob) = (team("Ada", "my secret plan"), team("Bob", "my open plan;public"));
    let teams = ["--equipe", &ada, "--equipe", &bob, "--equipe", "Eve=ia:glouton"];
    folder.done(
        &[&["jouer"][..], &["--carte", MAP, "--duree", "100", "--graine", "7"], &teams].concat(),
    );
    let store = Store::look(&folder.path("tournoi.sqlite")).unwrap();
    for game in folder.outcomes("tournoi.sqlite") {
        let bytes = store.recording(game.key).unwrap().unwrap();
        let recording = Recording::read(&bytes).unwrap();
        assert_eq!(verify(&recording), Ok(()));
        for (name, words) in [("Ada", "my secret plan"), ("Bob", "my open plan;public")] {
            let seat = game.seats.iter().position(|seat| seat.team == name).unwrap();
            let own = recording.thoughts.iter().filter(|thought| thought.player.index() == seat);
            let texts: Vec<_> = own.map(|thought| thought.text).collect();
            let count = |is: &dyn Fn(&str) -> bool| texts.iter().filter(|text| is(text)).count();
            assert!(count(&|text| text == words) > 10, "{name}: {texts:?}");
            assert!(count(&|text| text.starts_with("output written in turn ")) > 0, "{texts:?}");
        }
    }
    folder.done(&["rapport", "--html", "page.html"]);
    let shown = |words: &str| films(&folder.path("page.html")).any(|film| film.contains(words));
    assert!(shown("my open plan") && !shown("my secret plan"));
    // A tournament with a game to play again is not over.
    let game = folder.outcomes("tournoi.sqlite")[0].key.to_string();
    folder.done(&["annuler", &game, "--raison", "a test"]);
    folder.done(&["rapport", "--html", "page.html"]);
    assert!(!shown("my open plan") && !shown("my secret plan"));
}

#[test]
fn resume_plays_only_missing_games() {
    let folder = Folder::new();
    let bot = folder.path("bot");
    fs::create_dir(&bot).unwrap();
    let config = |teams: &str| {
        let client = crate::client().display();
        let text = format!(
            "cartes = ['{MAP}']\nduree = 20\ngraine = 7\n\
             [[equipe]]\nia = 'glouton'\n[[equipe]]\nia = 'prudent'\n[[equipe]]\nia = 'dijkstra'\n\
             [[equipe]]\nnom = 'Ada'\ndossier = 'bot'\n\
             commande = ['{client}', '--equipe', '{{nom}}', '--port', '{{port}}', '--graine', '1']\n{teams}"
        );
        fs::write(folder.path("tournoi.toml"), text).unwrap();
    };
    config("");
    fs::write(bot.join("mind.txt"), "one").unwrap();
    folder.done(&["jouer", "--config", "tournoi.toml"]);
    let keys = || {
        let games = folder.outcomes("tournoi.sqlite");
        games.into_iter().map(|game| (game.key, game.began)).collect::<Vec<_>>()
    };
    let first = keys();
    assert_eq!(first.len(), 4);

    // No game is missing.
    let said = folder.done(&["reprendre"]);
    assert!(!said.contains("has changed"), "{said}");
    assert_eq!(keys(), first);

    // A new team: its games are played, the others stay.
    config("[[equipe]]\nnom = 'Zoé'\nia = 'glouton'\n");
    folder.done(&["ajouter", "tournoi.sqlite", "--config", "tournoi.toml"]);
    let second = keys();
    assert_eq!(second.len(), 5 * 4);
    assert!(first.iter().all(|game| second.contains(game)));

    // A changed team: its games are played again, the others stay.
    fs::write(bot.join("mind.txt"), "two").unwrap();
    let said = folder.done(&["reprendre"]);
    assert!(said.contains("Ada has changed"), "{said}");
    let third = keys();
    assert_eq!(third.len(), 5 * 4);
    let kept = third.iter().filter(|game| second.contains(game)).count();
    assert_eq!(kept, 4, "those of the one group without it");
    assert_eq!(Store::look(&folder.path("tournoi.sqlite")).unwrap().outcomes().unwrap().len(), 36);

    // More rounds: only these are played.
    folder.done(&["reprendre", "--manches", "2"]);
    assert_eq!(keys().len(), 40);
}

#[test]
fn what_is_refused_changes_nothing_and_a_configuration_tells_of_another_version() {
    let folder = Folder::new();
    fs::create_dir(folder.path("coupe")).unwrap();
    let config = |version: &str| {
        let client = crate::client().display();
        let text = format!(
            "cartes = ['{MAP}']\nduree = 20\nformule = 'poules'\nfinale = 1\nmanches = 2\n\
             [[equipe]]\nia = 'glouton'\n[[equipe]]\nnom = 'Bob'\ncommande = '{client} --equipe Bob --port {{port}}'\n\
             [[equipe]]\nnom = 'Ada'\nversion = '{version}'\ncommande = '{client} --equipe Ada --port {{port}}'\n"
        );
        fs::write(folder.path("coupe/tournoi.toml"), text).unwrap();
    };
    config("1");
    let base = "coupe/results.sqlite";
    folder.done(&["jouer", "--config", "coupe/tournoi.toml", "--base", base]);
    let games = || folder.outcomes(base).iter().map(|game| game.key).collect::<Vec<_>>();
    let first = games();
    // Results and journals beside the configuration change no version.
    let said = folder.done(&["reprendre", base]);
    assert!(!said.contains("has changed"), "{said}");

    let (code, complaint) = folder.fails(&["reprendre", base, "--manches", "1"]);
    assert_eq!(code, Some(2));
    assert!(complaint.contains("expected rounds before the final"), "{complaint}");
    let missing = ["ajouter", base, "--equipe", "Eve=ia:nobody"];
    assert_eq!(folder.fails(&missing).0, Some(2));
    assert_eq!(games(), first);

    config("2");
    let said = folder.done(&["reprendre", base, "--config", "coupe/tournoi.toml"]);
    assert!(said.contains("Ada has changed") && !said.contains("Bob has changed"), "{said}");
    assert!(games().len() == first.len() && games().iter().all(|key| !first.contains(key)));
}

#[test]
fn programs_are_tried_before_anything_is_written() {
    let folder = Folder::new();
    let refused = |arguments: &[&str]| {
        let (code, error) = folder.fails(arguments);
        assert!(code == Some(2) && error.contains("./nowhere cannot be started"), "{error}");
    };
    let play = [&["jouer", "--equipe", "ia:glouton"][..], &SMALL].concat();
    let broken = ["--equipe", "Eve=./nowhere {port}"];
    refused(&[&play[..], &broken].concat());
    folder.done(&play);
    refused(&[&["ajouter"][..], &broken].concat());
    folder.done(&["reprendre"]);
    folder.done(&["ajouter", "--equipe", "Eve=ia:glouton"]);
    let games = folder.outcomes("tournoi.sqlite");
    assert!(games.iter().any(|game| game.seats.iter().any(|seat| seat.team == "Eve")));
}

#[test]
fn the_example_of_a_configuration_is_played_with_its_python_bot() {
    let folder = Folder::new();
    let config = format!("{}/exemples/tournoi.toml", crate::ROOT);
    folder.done(&["jouer", "--config", &config, "--duree", "10", "--manches", "1"]);
    let games = folder.outcomes("tournoi.sqlite");
    assert_eq!(games.len(), 4);
    assert!(
        games.iter().flat_map(|game| &game.seats).all(|seat| seat.fault.is_none()),
        "{games:?}"
    );
}

#[test]
fn the_script_plays_a_small_tournament_and_leaves_its_report() {
    let profile = Path::new(env!("CARGO_BIN_EXE_tournoi")).parent().unwrap();
    let target = profile.parent().unwrap();
    let output = Command::new(format!("{}/scripts/tournoi.sh", crate::ROOT))
        .args(["--duree", "10"])
        .envs([("PROFILE", "dev"), ("LC_ALL", "C")])
        .env("CARGO_TARGET_DIR", target)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("the best") && said.contains("rapport.html"), "{said}");
    let page = fs::read_to_string(target.join("tournoi/rapport.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("glouton bis"));
    assert!(target.join("tournoi/rapport.csv").exists());
}

#[test]
fn it_stops_after_a_complete_round_once_the_winner_is_settled() {
    let folder = Folder::new();
    let teams = ["--equipe", "ia:dijkstra", "--equipe", "ia:aleatoire", "--equipe", "ia:prudent"];
    let until = ["--manches", "60", "--jusqua", "0.9"];
    let said = folder.done(&[&["jouer"][..], &SMALL, &teams, &until].concat());
    assert!(
        said.contains("Settled after round") && said.contains("dijkstra is the best"),
        "{said}"
    );
    let games = folder.outcomes("tournoi.sqlite").len();
    assert!(games.is_multiple_of(4) && games < 240, "{games}");
    // A second test gives the same verdict.
    let said = folder.done(&["reprendre", "--jusqua", "0.9"]);
    assert!(said.contains("Settled after round"), "{said}");
    assert_eq!(folder.outcomes("tournoi.sqlite").len(), games);
    // Without `--jusqua`, the tournament goes on.
    folder.done(&["reprendre", "--manches", "61"]);
    assert_eq!(folder.outcomes("tournoi.sqlite").len(), 61 * 4);
}

#[test]
fn wrong_arguments_are_errors() {
    let folder = Folder::new();
    fs::write(folder.path("text.txt"), "no tournament").unwrap();
    fs::write(folder.path("wrong.toml"), "cartes = ['nowhere.txt']\n[[equipe]]\nia = 'x'").unwrap();
    for (arguments, expected) in [
        (&["jouer"][..], "which maps?"),
        (&["jouer", "--carte", MAP], "which teams?"),
        (&["jouer", "--config", "none.toml"], "cannot read none.toml"),
        (&["jouer", "--config", "wrong.toml"], "cannot read the map nowhere.txt"),
        (&["jouer", "--carte", MAP, "--equipe", "ia:x"], "there is no bot \"x\", expected one of"),
        (&["jouer", "--carte", MAP, "--equipe", "Ada="], "expected NAME=COMMAND"),
        (
            &["jouer", "--carte", MAP, "--equipe", "A=x", "--equipe", "A=y"],
            "two teams called \"A\"",
        ),
        (
            &["jouer", "--carte", MAP, "--equipe", "ia:glouton", "--formule", "defi"],
            "which team meets all others?",
        ),
        (
            &["jouer", "--carte", MAP, "--equipe", "ia:glouton", "--manches", "4294967295"],
            "expected at most 10000 rounds, found 4294967295",
        ),
        (&["reprendre", "a", "--base", "b"], "cannot be used with"),
        (&["reprendre"], "there is no tournament in tournoi.sqlite"),
        (&["reprendre", "--base", "text.txt"], "text.txt is not the file of a tournament"),
        (&["reprendre", "text.txt"], "text.txt is not the file of a tournament"),
        (&["rapport", "text.txt"], "text.txt is not the file of a tournament"),
    ] {
        let (code, complaint) = folder.fails(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {complaint}");
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
    assert!(!folder.path("tournoi.sqlite").exists());

    let teams = ["--equipe", "ia:glouton", "--duree", "5"];
    let play = [&["jouer", "--carte", MAP][..], &teams].concat();
    // A program that was killed after it had begun a database has left a file without tables.
    let begun = rusqlite::Connection::open(folder.path("tournoi.sqlite")).unwrap();
    begun.execute_batch("PRAGMA journal_mode = wal").unwrap();
    drop(begun);
    folder.done(&play);
    let (code, complaint) = folder.fails(&play);
    assert_eq!(code, Some(2));
    assert!(complaint.contains("tournoi resume tournoi.sqlite` goes on with it"), "{complaint}");

    let held = Store::open(&folder.path("tournoi.sqlite")).unwrap();
    let (code, complaint) = folder.fails(&["reprendre"]);
    assert_eq!(code, Some(2));
    assert!(complaint.contains("another `tournoi` is working on tournoi.sqlite"), "{complaint}");
    let (code, complaint) = folder.fails(&["annuler", "glouton", "--raison", "cable"]);
    assert!(code == Some(2) && complaint.contains("another `tournoi`"), "{complaint}");
    folder.done(&["rapport"]);
    drop(held);
    folder.done(&["reprendre"]);
}
