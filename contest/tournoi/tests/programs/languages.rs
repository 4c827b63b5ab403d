//! All output of `tournoi` is in the chosen language, and each line of arguments ends with the exit code that it should.

use std::cell::RefCell;
use std::fs;

use language::testing::{Expected, every_help, fault, mixed};

use crate::{Folder, MAP};

const BOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../exemples/bot.py");
const RAT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../exemples/rat.py");

/// Plays with a program of each kind of fault; returns the output on the games, and the headings of the journals.
fn play_faulty(language: &str) -> (String, String) {
    const BOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/bots/faulty.py");
    let folder = Folder::new();
    let faulty = |(name, how)| format!("{name}=python3 {BOT} {{port}} {how}");
    let [bob, eve, zoe] = [("Bob", "kill"), ("Eve", "close"), ("Zoe", "sleep")].map(faulty);
    // Such a deadline is too long for a short stall of this machine to explain a miss.
    let game = ["jouer", "--carte", MAP, "--duree", "8", "--delai", "700ms", "--parallele", "2"];
    let teams = ["Ada=./no-such-program {port}", &bob, &eve, &zoe];
    let teams: Vec<_> = teams.into_iter().flat_map(|team| ["--equipe", team]).collect();
    let output = folder.run(&[&game[..], &teams, &["--langue", language]].concat());
    assert!(output.status.success(), "{output:?}");
    let mut headings = String::new();
    for team in ["Ada", "Bob", "Eve", "Zoe"] {
        let journal = fs::read_to_string(folder.path(&format!("tournoi.journaux/{team}.txt")));
        headings += journal.unwrap().lines().next().unwrap();
        headings += "\n";
    }
    (String::from_utf8([output.stdout, output.stderr].concat()).unwrap(), headings)
}

#[test]
fn nothing_is_said_in_another_language() {
    let small = ["jouer", "--carte", MAP, "--duree", "5", "--graine", "7"];
    let teams = ["--equipe", "Ada=ia:glouton", "--equipe", "Bob=ia:prudent"];
    let play = [&small[..], &teams].concat();
    let wrong = RefCell::new(Vec::new());
    for language in ["fr", "en"] {
        let folder = Folder::new();
        let check = |expected, arguments: &[&str]| {
            let output = folder.run(&[arguments, &["--langue", language]].concat());
            wrong.borrow_mut().extend(fault(arguments, &output, expected, &[MAP], language));
            String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
        };
        every_help(|arguments| {
            let nothing = [&arguments[..arguments.len() - 1], &["--nothing"]].concat();
            check(Expected::UnknownArgument, &nothing);
            check(Expected::Code(0), arguments)
        });
        let check_one = |code, arguments: &[&str]| check(Expected::Code(code), arguments);
        for mistake in [
            &["reprendre"][..],
            &["jouer"],
            &["jouer", "--carte", MAP],
            &["jouer", "--carte", "nowhere"],
            &["jouer", "--delai", "5"],
            &["jouer", "--memoire", "5"],
            &["jouer", "--isolement", "x"],
            &["jouer", "--jusqua", "2"],
            &["jouer", "--equipe", "Ada="],
            &["jouer", "--web", "x"],
            &["annuler", "x"],
            &["ouvrier"],
            &["ouvrier", "nats://127.0.0.1:1", "--insister", "0s"],
            &["ouvrier", "nats://127.0.0.1:1", "--nats-creds", "nowhere"],
            &[
                &small[..],
                &["--equipe", "ia:glouton", "--nats", "nats://127.0.0.1:1", "--insister", "0s"],
            ]
            .concat(),
            &["essayer"],
            &["essayer", "ia:glouton", "--seuil", "2", "--contre", "ia:prudent"],
            &["noter"],
            &["comparer", "nowhere"],
            &["jouer", "--dossiers", "nowhere"],
            &["noter", "ia:glouton", "--bareme", "nowhere"],
            &["rapport", "a", "--base", "b"],
            &["rapport", "--partie", "0"],
            &[&play[..], &["--manches", "20000"]].concat(),
            &[&play[..], &["--formule", "defi"]].concat(),
            &[&play[..], &["--finale", "2"]].concat(),
            &[&play[..], &["--formule", "poules", "--finale", "1", "--manches", "1"]].concat(),
            &["lan", "--carte", MAP, "--equipe", "Ada=python3 x"],
        ] {
            check_one(2, mistake);
        }
        check_one(2, &[&small[..], &["--equipe", "Ada=sh -c true"]].concat());
        check_one(0, &["essayer", "ia:glouton", "--duree", "5", "--parties", "1"]);
        check_one(0, &["noter", "ia:glouton", "--duree", "5"]);
        check_one(0, &["comparer", BOT, RAT, BOT]);
        check_one(1, &["verifier", "--controle", "start", "--dossiers", BOT, MAP]);
        check_one(
            0,
            &["essayer", "ia:glouton", "--contre", "ia:prudent", "--duree", "5", "--parties", "4"],
        );
        let (said, journals) = play_faulty(language);
        wrong.borrow_mut().extend(mixed(&["faults"], &said, language));
        wrong.borrow_mut().extend(mixed(&["journals"], &journals, language));
        check_one(0, &play);
        check_one(2, &play);
        check_one(0, &["rapport"]);
        check_one(0, &["rapport", "tournoi.sqlite", "tournoi.sqlite"]);
        check_one(2, &["rapport", "tournoi.sqlite", "tournoi.sqlite", "--html", "x"]);
        check_one(2, &["rapport", "--partie", "", "--vers", "x"]);
        check_one(2, &["rapport", "--partie", "x", "--vers", "x"]);
        check_one(1, &["lan", "--port", "0"]);
        check_one(0, &["annuler", "--liste"]);
        check_one(2, &["annuler", "Ad", "--raison", "!"]);
        check_one(0, &["annuler", "Ada", "--raison", "!"]);
        check_one(2, &["annuler", "Ada", "--raison", "!"]);
        check_one(0, &["rapport"]);
        check_one(0, &["reprendre", "--jusqua", "0.9", "--manches", "30"]);
        check_one(2, &["annuler", "Ada", "--retablir"]);
        check_one(2, &["annuler", "--disqualifier", "Bob", "--raison", ""]);
        check_one(0, &["annuler", "--disqualifier", "Bob", "--raison", "!"]);
        check_one(2, &["annuler", "--disqualifier", "Bob", "--raison", "!"]);
        check_one(0, &["rapport"]);
        check_one(0, &["annuler", "--disqualifier", "Bob", "--retablir"]);
        check_one(2, &["annuler", "--disqualifier", "Bob", "--retablir"]);
        let said = check_one(0, &["ajouter", "--equipe", "Eva=ia:aleatoire"]);
        assert!(said.contains("Eva"), "{said}");
    }
    let wrong = wrong.into_inner();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
