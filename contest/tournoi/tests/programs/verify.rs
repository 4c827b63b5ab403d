//! `tournoi verifier`.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::MAP;
use crate::faults::BOT as FAULTY;

/// The folder of the bots for tests of the checkup.
fn bots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../checkup/tests/bots")
}

fn tournoi() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tournoi"));
    command.current_dir(bots()).env("PYTHONDONTWRITEBYTECODE", "1");
    command.args(["verifier", "--delai", "20s", "--duree", "20"]);
    command
}

fn verify(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = tournoi().args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

#[test]
fn a_good_bot_is_ready_in_both_languages() {
    let bot = "Ada=python3 good.py {nom} {serveur} {port}";
    let (code, text, _) = verify(&[bot, "--langue", "fr", "--check", "start", "--check", "fin"]);
    let lines: Vec<_> = text.lines().map(|line| line.replace('\u{a0}', " ")).collect();
    assert_eq!(code, 0, "{text}");
    assert_eq!(lines[0], "Vérification de « Ada »");
    assert!(lines[1].starts_with("  ✓ réussi     Démarrage et inscription — inscrit en "));
    assert!(lines[2].starts_with("  ✓ réussi     Fin de partie — terminé "), "{text}");
    assert_eq!(lines[3], "2 contrôles réussis sur 2 : prêt pour le tournoi.");
    // The words may also be separate arguments, and the language may come from the environment.
    let words = ["python3", "good.py", "{nom}", "{serveur}", "{port}"];
    let mut command = tournoi();
    command.args(words).args(["--controle", "fin"]).env("LC_ALL", "C");
    let Output { status, stdout, .. } = command.output().unwrap();
    let text = String::from_utf8(stdout).unwrap();
    assert!(status.success() && text.starts_with("Checking “good”\n  ✓ passed "), "{text}");
}

#[test]
fn a_bad_bot_is_told_what_to_mend() {
    let bot = "python3 crash_in_wall.py {nom} {serveur} {port}";
    let (code, text, _) = verify(&[bot, "--langue", "en", "--check", "powers"]);
    assert_eq!(code, 1, "{text}");
    for expected in [
        "✗ failed     Objects and powers\n",
        "→ Advice: With the wall-pass, a pacman may stand inside a wall, and\n",
        "          | KeyError: ",
        "\n0 of 1 checks passed. Fix first: Objects and powers.\n",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "✗ pacman inside a wall, wall-pass nearly over: the program ended (code 1) in turn 1",
        "✗ the same error, KeyError: ",
        "1 more time: wall-pass over in the middle of a thick wall",
        ": 2 times in all 0 of 1 checks passed. ",
    ] {
        assert!(joined.contains(expected), "{expected}\n{text}");
    }
    assert_eq!(text.matches("Advice").count(), 1, "{text}");
    // The student's own file, not the copy that ran.
    let folder = bots().canonicalize().unwrap();
    let file = folder.join("crash_in_wall.py");
    assert!(text.contains(&format!("  File \"{}\", line ", file.display())), "{text}");
    let (_, text, _) = verify(&["./good.py {port}", "--langue", "en", "--check", "start"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let file = folder.join("good.py");
    assert!(text.contains(&format!("`{}` is not executable", file.display())), "{text}");
}

#[test]
fn one_exception_is_one_traceback_and_a_count() {
    let bot = format!("python3 {FAULTY} {{port}} crash");
    for (language, traceback, count) in [
        ("en", "ValueError: the answer is 42\n", " times in all\n"),
        ("fr", "ValueError: the answer is 42\n", " fois en tout\n"),
    ] {
        let checks = ["--check", "answers", "--check", "letters", "--check", "pieces"];
        let (code, text, _) = verify(&[&[&*bot, "--langue", language][..], &checks].concat());
        assert_eq!(code, 1, "{text}");
        assert_eq!(text.matches("Traceback").count(), 1, "{text}");
        assert_eq!(text.matches(&format!("| {traceback}")).count(), 1, "{text}");
        assert_eq!(text.matches(count).count(), 1, "{text}");
        let of_output = |line: &&str| line.trim_start().starts_with('|');
        let wide = text.lines().filter(|line| !of_output(line) && line.chars().count() > 80);
        assert_eq!(wide.collect::<Vec<_>>(), [""; 0]);
    }
}

#[test]
fn scripts_read_json() {
    let (code, text, _) =
        verify(&["python3 exits.py {port}", "--json", "--controle", "demarrage", "--langue", "fr"]);
    assert_eq!(code, 1);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let team = &report["teams"][0];
    assert_eq!((&team["team"], &team["ready"]), (&"exits".into(), &false.into()));
    let check = &team["checks"][0];
    assert_eq!((&check["check"], &check["verdict"]), (&"start".into(), &"failed".into()));
    let finding = &check["findings"][0];
    assert_eq!(finding["fact"]["kind"], "ended_early");
    assert_eq!(finding["fact"]["ending"]["code"], 0);
    assert_eq!(finding["output"][0], "nothing to do");
    assert!(finding["seen"].as_str().unwrap().starts_with("le programme s'est terminé"));
}

#[test]
fn teams_of_a_file_are_checked_as_they_will_play() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tournoi.toml");
    let file = format!(
        "cartes = [{:?}]\n[[equipe]]\nnom = 'Ada'\ncommande = 'python3 good.py {{nom}} {{serveur}} {{port}}'\n\
         dossier = {:?}\n[[equipe]]\nnom = 'Bob'\nia = 'glouton'\n",
        Path::new(MAP),
        bots()
    );
    std::fs::write(&path, file).unwrap();
    let path = path.to_str().unwrap();
    let some = ["--config", path, "--langue", "en", "--check", "answers"];
    let (code, text, _) = verify(&some);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("Checking “Ada”") && text.contains("Checking “Bob”"), "{text}");
    let (_, text, _) = verify(&[&some[..], &["Bob"]].concat());
    assert!(!text.contains("Ada") && text.contains("20 answers in time"), "{text}");
    let (code, _, error) = verify(&[&some[..], &["Zoe"]].concat());
    assert!(code == 2 && error.contains("there is no team \"Zoe\", expected one of Ada, Bob"));
}

#[test]
fn wrong_commands_are_errors() {
    for (arguments, expected) in [
        (&["--langue", "fr"][..], "quel bot ?"),
        (&["--langue", "en"], "which bot?"),
        (&["ia:nobody"], "there is no bot \"nobody\""),
        (&["x", "--dossier", "/no/such", "--langue", "fr"], "le dossier /no/such n'existe pas"),
        (&["a 'b"], "missing closing quote"),
        (&["x", "--carte", "/no/such.txt"], "cannot read the map"),
        (&["x", "--config", "/no/such.toml"], "/no/such.toml"),
        (&["x", "--delai", "5"], "expected a duration with its unit"),
    ] {
        let (code, out, error) = verify(arguments);
        assert!(code == 2 && out.is_empty() && error.contains(expected), "{error}");
    }
}

#[test]
fn ctrl_c_ends_the_checks_and_the_programs_started() {
    let witness = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = witness.local_addr().unwrap().port().to_string();
    let mut command = tournoi();
    // The bot reaches the witness over the network of this machine.
    let bot = "Ada=env WITNESS=PORT python3 reports.py {nom} {serveur} {port}";
    let bot = bot.replace("PORT", &port);
    command.args([&bot, "--check", "answers", "--isolement", "aucun"]);
    let mut running = command.stdout(Stdio::piped()).spawn().unwrap();
    let (mut bot, _) = witness.accept().unwrap();
    // The bot and its child both report to the witness.
    let mut here = [0; 8];
    bot.read_exact(&mut here).unwrap();
    let id = rustix::process::Pid::from_raw(running.id().cast_signed()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    assert_eq!(running.wait().unwrap().code(), Some(130));
    // The bot and its child hold the connection as long as they live.
    let mut rest = Vec::new();
    bot.read_to_end(&mut rest).unwrap();
    let said: Vec<_> = BufReader::new(running.stdout.take().unwrap()).lines().collect();
    assert_eq!(said.len(), 2, "that nothing is isolated, and who is checked: {said:?}");
}
