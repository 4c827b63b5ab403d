//! A course: a real program, real uploads by HTTP, real bots in the sandbox, and a real browser.

mod browser;
mod hostile;
mod http;
mod killed;
mod machines;
mod review;
mod secrecy;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use course::{Course, CourseReader, VersionState};
use serde_json::Value;

use crate::killed::signal;
use crate::{Folder, MAP, ROOT};
use http::{Answer, Http};

const BOT: &str = include_str!("../../../../exemples/bot.py");
/// A bot that cannot even be read.
const BROKEN: &str = "def play(:\n";
const FILE: &str = "cours.sqlite";
/// Longest wait for something that a course does by itself, only to end a test that hangs.
const PATIENCE: Duration = Duration::from_secs(600);

/// Short games, so that checks are quick.
const CONFIG: &str =
    "nom = 'Algorithmique'\nduree = 12\n[cours]\nniveaux = ['aleatoire', 'prudent']\n";
const TEAMS: &str = "nom;groupe;courriel\nAda;TD 1;ada@example.org\nBob;TD 1;\nCléo;TD 2;\n";

/// A course that is open.
struct Open {
    process: Child,
    http: Http,
    /// The teacher's token, the first time.
    teacher: String,
}

impl Open {
    fn new(folder: &Folder) -> Self {
        Self::with(folder, CONFIG)
    }

    fn with(folder: &Folder, config: &str) -> Self {
        Self::by(folder, config, &[])
    }

    /// Opens a course with further flags.
    fn by(folder: &Folder, config: &str, flags: &[&str]) -> Self {
        fs::write(folder.path("cours.toml"), config).unwrap();
        let arguments = ["cours", "ouvrir", FILE, "--config", "cours.toml", "--web", "127.0.0.1:0"];
        let mut command = folder.command(&[&arguments, flags].concat());
        let mut process = command.stderr(Stdio::inherit()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut told = String::new();
        let mut line = || {
            let line = lines.next().unwrap().unwrap();
            told += &line;
            line
        };
        let port = loop {
            let line = line();
            if let Some((_, rest)) = line.split_once("http://127.0.0.1:") {
                break rest.trim_end_matches('/').parse().unwrap();
            }
        };
        let last = line();
        let teacher = last.split_once("jeton=").map(|(_, token)| token.to_owned());
        Self { process, http: Http(port), teacher: teacher.unwrap_or_default() }
    }

    /// Adds teams; returns their tokens in the order of the file.
    fn add(&self, teams: &str) -> Vec<String> {
        let answer = self.http.post("/api/enseignant/equipes", &self.teacher, teams.as_bytes());
        assert_eq!(answer.status, 200, "{}", answer.text());
        let text = answer.text();
        let lines = text.lines().skip(1);
        lines
            .map(|line| line.rsplit_once("jeton=").unwrap().1.trim_matches('"').to_owned())
            .collect()
    }

    /// Hands a file in; returns the number of the version.
    fn hand_in(&self, token: &str, name: &str, content: &[u8]) -> u64 {
        let answer = self.http.upload(token, name, content);
        assert_eq!(answer.status, 202, "{}", answer.text());
        answer.json()["version"].as_u64().unwrap()
    }

    /// Waits for the verdict of a version.
    fn verdict(&self, token: &str, version: u64) -> Value {
        wait("a verdict", || {
            let version = self.http.get(&format!("/api/versions/{version}"), token).json();
            (!version["ready"].is_null()).then_some(version)
        })
    }

    fn team(&self, token: &str) -> Value {
        self.http.get("/api/equipe", token).json()
    }

    fn get(&self, path: &str, token: &str) -> Answer {
        self.http.get(path, token)
    }

    /// Ends the course as Ctrl-C does.
    fn close(mut self) {
        signal(&self.process, "-INT");
        assert_eq!(self.process.wait().unwrap().code(), Some(130));
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until something is there.
fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "{what} did not come");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Verdicts and errors are in the language that is asked for; `version` is one that has failed.
fn check_languages(course: &Open, token: &str, version: u64) {
    for (language, failed, missing) in [
        ("fr", "À corriger d'abord", "cela n'existe pas ici"),
        ("en-GB", "Fix first", "there is no such thing here"),
    ] {
        let get = |path: &str| {
            let lines = format!("Authorization: Bearer {token}\r\nAccept-Language: {language}\r\n");
            course.http.ask("GET", path, &lines, b"").json()
        };
        let verdict = get(&format!("/api/versions/{version}"))["verdict"].to_string();
        assert!(verdict.contains(failed), "{verdict}");
        assert_eq!(get("/api/versions/99")["message"], missing);
    }
}

/// The lost games of a team are explained, as long as they are recorded.
fn check_losses(course: &Open, token: &str) {
    let is_lost = |game: &&Value| {
        let seats = game["seats"].as_array().unwrap();
        seats.iter().any(|seat| seat["kind"] == "own" && seat["place"] != 1)
    };
    let lost = course.team(token)["games"].as_array().unwrap().iter().filter(is_lost).count();
    let losses = course.get("/api/equipe/defaites", token).json();
    assert!(losses["games"].as_u64().unwrap() >= lost.min(20) as u64, "{losses}");
    assert!(lost == 0 || !losses["sources"].as_array().unwrap().is_empty(), "{losses}");
}

#[test]
fn a_course_goes_from_the_first_upload_to_marks_and_a_copy() {
    let folder = Folder::new();
    let course = Open::new(&folder);
    let tokens = course.add(TEAMS);
    let [ada, bob, _] = &tokens[..] else { panic!("{tokens:?}") };
    let first = course.hand_in(ada, "bot.py", BOT.as_bytes());
    let other = course.hand_in(bob, "bot.py", BOT.as_bytes());
    assert_eq!(course.verdict(ada, first)["ready"], true);
    assert_eq!(course.verdict(bob, other)["ready"], true);

    // A version that fails says why, and the one before plays on.
    let second = course.hand_in(ada, "bot.py", BROKEN.as_bytes());
    let verdict = course.verdict(ada, second);
    assert_eq!(verdict["ready"], false);
    let text = verdict["verdict"].to_string();
    assert!(text.contains("SyntaxError"), "{text}");
    assert_eq!(course.team(ada)["plays"], first);
    check_languages(&course, ada, second);

    let played = |course: &Open| course.get("/api/cours", "").json()["games"].as_u64().unwrap();
    let games = wait("games", || Some(played(&course)).filter(|games| *games >= 12));
    let team = course.team(ada);
    let seats = team["games"][0]["seats"].as_array().unwrap();
    assert!(seats.iter().any(|seat| seat["kind"] == "own"), "{team}");
    check_losses(&course, ada);
    let ladder = course.get("/api/cours", "").json();
    let names: Vec<_> = ladder["ladder"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert!(names.len() == 4 && names.contains(&&Value::from("Ada")), "{names:?}");

    // Marks and copies are made while the course is open.
    let platforms = ["--gradescope", "gradescope", "--classroom", "classroom"];
    let mut mark = vec!["cours", "noter", FILE, "--csv", "notes.csv", "--bareme"];
    let scale = scale(&folder);
    mark.push(&scale);
    mark.extend(platforms);
    let marks = folder.done(&mark);
    assert!(marks.contains("Ada") && marks.contains("Cléo"), "{marks}");
    let csv = fs::read_to_string(folder.path("notes.csv")).unwrap();
    assert!(csv.contains("\"Cléo\"") && csv.contains("No version"), "{csv}");
    let number = csv.lines().find(|line| line.contains("Cléo")).unwrap().split(',').next().unwrap();
    let file = |platform| {
        let path = folder.path(&format!("{platform}/{}.json", number.trim_matches('"')));
        serde_json::from_str::<Value>(&fs::read_to_string(path).unwrap()).unwrap()
    };
    assert_eq!(file("gradescope")["score"], 0.0);
    assert_eq!(file("classroom")["status"], "error");
    folder.done(&["cours", "copie", FILE, "copie.sqlite"]);
    let copy = Course::open(&folder.path("copie.sqlite")).unwrap();
    assert_eq!(copy.teams().unwrap().len(), 3);
    assert!(copy.game_count().unwrap() >= games);

    // The final is a tournament as any other, between the versions of the moment.
    let last =
        folder.done(&["cours", "finale", FILE, "finale.sqlite", "--carte", MAP, "--duree", "5"]);
    assert!(last.contains("Cléo does not take part"), "{last}");
    let teams: BTreeSet<_> = folder
        .outcomes("finale.sqlite")
        .iter()
        .flat_map(|it| &it.seats)
        .filter(|it| !it.is_house)
        .map(|it| it.team.to_string())
        .collect();
    assert_eq!(teams, ["Ada".to_owned(), "Bob".to_owned()].into());
    // A killed command has left a database without tables.
    let begun = rusqlite::Connection::open(folder.path("early.sqlite")).unwrap();
    begun.execute_batch("PRAGMA journal_mode = wal").unwrap();
    drop(begun);
    let early =
        ["cours", "finale", FILE, "early.sqlite", "--carte", MAP, "--jusquau", "2001-01-01T08:00"];
    let (code, error) = folder.fails(&early);
    assert!(code == Some(2) && error.contains("no team has a version"), "{code:?} {error}");
    let wrong = ["cours", "finale", FILE, "early.sqlite", "--carte", "nowhere.txt"];
    let (code, error) = folder.fails(&wrong);
    assert!(code == Some(2) && error.contains("the map nowhere.txt"), "{code:?} {error}");
    assert!(!folder.path("early.versions").exists());
    fs::create_dir(folder.path("early.versions")).unwrap();
    let (code, error) = folder.fails(&early);
    assert!(code == Some(2) && error.contains("early.versions is there already"), "{error}");
    assert!(folder.path("early.versions").exists());

    // It goes on after a restart, with the same tokens.
    course.close();
    let course = Open::new(&folder);
    assert_eq!(course.teacher, "");
    assert_eq!(course.team(ada)["plays"], first);
    let before = played(&course);
    wait("more games", || (played(&course) > before.max(games)).then_some(()));

    // The good version is taken back; nothing plays for the team any more.
    let path = format!("/api/versions/{first}/retirer");
    assert_eq!(course.http.post(&path, bob, b"").status, 404);
    assert_eq!(course.http.post(&path, ada, b"").status, 204);
    assert!(course.team(ada)["plays"].is_null());
    course.close();
    let reader = CourseReader::open(&folder.path(FILE)).unwrap();
    let states = reader
        .teams()
        .unwrap()
        .iter()
        .flat_map(|it| reader.versions(it.id).unwrap())
        .map(|it| it.state)
        .collect::<Vec<_>>();
    assert_eq!(states, [VersionState::Passed, VersionState::Failed, VersionState::Passed]);
}

#[test]
fn the_script_goes_from_nothing_to_marks() {
    let folder = Folder::new();
    let programs = folder.path("programs");
    fs::create_dir(&programs).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tournoi"), programs.join("tournoi")).unwrap();
    let mut script = std::process::Command::new(format!("{ROOT}/scripts/cours.sh"));
    let environment = [("BUILT", programs), ("CARGO_TARGET_DIR", folder.path("target"))];
    script.envs(environment).env("GAMES", "8").env("LC_ALL", "C").stdin(Stdio::null());
    let output = script.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains("JavaScript"), "{output:?}");
    assert!(folder.path("target/cours/notes.csv").exists());
}

#[test]
fn programs_are_built_before_they_are_checked() {
    let folder = Folder::new();
    let course = Open::new(&folder);
    let token = course.add("nom\nAda\n").remove(0);
    let archive = |build: &str| {
        let toml =
            "commande = 'python3 out.py {nom} {serveur} {port}'\nconstruire = 'sh build.sh'\n";
        let mut archive = tar::Builder::new(Vec::new());
        for (name, content) in [("bot.toml", toml), ("source.txt", BOT), ("build.sh", build)] {
            let mut head = tar::Header::new_gnu();
            head.set_size(content.len() as u64);
            head.set_mode(0o644);
            archive.append_data(&mut head, name, content.as_bytes()).unwrap();
        }
        archive.into_inner().unwrap()
    };
    let good = course.hand_in(&token, "bot.tar", &archive("cp source.txt out.py\n"));
    assert_eq!(course.verdict(&token, good)["ready"], true);
    let bad = course.hand_in(&token, "bot.tar", &archive("echo no such rule; exit 3\n"));
    let verdict = course.verdict(&token, bad);
    assert_eq!(verdict["ready"], false);
    assert!(verdict["verdict"].to_string().contains("no such rule"), "{verdict}");
    assert_eq!(course.team(&token)["plays"], good);

    // Versions are compared, here with one whose pacman goes nowhere.
    let dull = archive("sed 's/    pacman = .*/    pacman = \"N\"/' source.txt > out.py\n");
    let other = course.hand_in(&token, "bot.tar", &dull);
    assert_eq!(course.verdict(&token, other)["ready"], true);
    let path = format!("/api/versions/{other}/comparer");
    let body = format!("{{\"avec\": {good}}}");
    assert_eq!(course.http.post(&path, &token, body.as_bytes()).status, 202);
    let result = wait("a comparison", || {
        let known = course.team(&token)["comparisons"][0]["result"].clone();
        (!known.is_null()).then_some(known)
    });
    let verdict = result["verdict"].as_str().unwrap();
    assert!(["worse", "not_better"].contains(&verdict), "{result}");
}

/// A scale with the levels of the course.
fn scale(folder: &Folder) -> String {
    let path = folder.path("bareme.toml");
    let level = |bot| format!("[[niveau]]\nia = '{bot}'\nnote = 9\nrien = 0.2\ntout = 0.6\n");
    let text = format!("parties = 8\nacquis = 2\n{}{}", level("aleatoire"), level("prudent"));
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn the_script_hands_in_and_tells_the_verdict_by_its_exit_code() {
    const SCRIPT: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/pacman_iuto/deposer.py");
    let folder = Folder::new();
    let course = Open::new(&folder);
    let token = course.add("nom\nAda\n").remove(0);
    let script = course.get("/deposer.py", "").body;
    assert_eq!(script, fs::read(SCRIPT).unwrap());
    fs::create_dir_all(folder.path("rendu/__pycache__")).unwrap();
    fs::write(folder.path("rendu/main.py"), BOT).unwrap();
    fs::write(folder.path("rendu/__pycache__/main.pyc"), "x").unwrap();
    fs::write(folder.path("broken.py"), BROKEN).unwrap();
    let server = format!("http://127.0.0.1:{}", course.http.0);
    let hand_in = |what: &str, token: &str, server: &str| {
        let mut command = std::process::Command::new("python3");
        command.args([SCRIPT, what, "--serveur", server, "--langue", "fr"]);
        command.current_dir(folder.path("")).env("PACMAN_JETON", token).output().unwrap()
    };
    let output = hand_in("rendu", &token, &server);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("la version 1 est arrivée"), "{said}");
    for (what, token, server, code) in [
        ("broken.py", token.as_str(), server.as_str(), 1),
        ("rendu", "0123", &server, 1),
        ("nowhere", &token, &server, 2),
        ("rendu", "", &server, 2),
        ("rendu", &token, "http://127.0.0.1:1", 3),
    ] {
        let output = hand_in(what, token, server);
        assert_eq!(output.status.code(), Some(code), "{what} {token}: {output:?}");
    }
}
