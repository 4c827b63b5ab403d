//! A course whose ladder is played on other machines, through a broker.

use course::{Course, CourseReader};
use serde_json::Value;

use super::{BOT, CONFIG, FILE, Open, TEAMS, wait};
use crate::Folder;
use crate::killed::processes_in;
use crate::nats::{Broker, Worker, runtime};

impl Open {
    /// A course whose ladder is played on other machines, with this number of games at a time here.
    fn through(folder: &Folder, broker: &Broker, here: &str) -> Self {
        let url = broker.url();
        Self::by(folder, CONFIG, &["--nats", &url, "--bail", "1s", "--parallele", here])
    }

    fn overview(&self) -> Value {
        self.get("/api/enseignant", &self.teacher).json()
    }

    fn games(&self) -> u64 {
        self.get("/api/cours", "").json()["games"].as_u64().unwrap()
    }

    fn wait_for_more_games(&self) {
        let before = self.games();
        wait("more games", || (self.games() > before + 1).then_some(()));
    }

    /// The name of a machine that plays.
    fn machine(&self) -> Option<String> {
        self.overview()["machines"][0]["name"].as_str().map(str::to_owned)
    }

    /// Hands in the example for a team; returns its version, which is ready.
    fn ready(&self, token: &str, line: &str) -> u64 {
        let version = self.hand_in(token, "bot.py", format!("{line}\n{BOT}").as_bytes());
        let verdict = self.verdict(token, version);
        assert_eq!(verdict["ready"], true, "{verdict}");
        version
    }
}

/// Tests that each game in the file counts once for each of its players.
fn check_counts(reader: &CourseReader) {
    let games = reader.recent_games(None, u32::MAX).unwrap();
    let seats = games.iter().flat_map(|game| &game.seats);
    let seats = seats.filter(|seat| seat.player.version().is_some()).count();
    let teams = reader.teams().unwrap();
    let versions = teams.iter().flat_map(|team| reader.versions(team.id).unwrap());
    let counted: u32 = versions.map(|version| version.games).sum();
    assert_eq!((games.len() as u64, seats), (reader.game_count().unwrap(), counted as usize));
}

#[test]
fn workers_play_the_ladder_alone_and_their_kills_lose_and_double_nothing() {
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    // It waits for a course.
    let mut worker = Worker::start(&folder, &broker, "worker0");
    let course = Open::through(&folder, &broker, "0");
    let [ada, bob, _] = <[String; 3]>::try_from(course.add(TEAMS)).unwrap();
    let first = course.ready(&ada, "print(__file__, 'xyzzy', flush=True)");
    course.wait_for_more_games();
    assert_eq!(course.machine().as_deref(), Some("worker0"));
    let game = &course.team(&ada)["games"][0];
    let seats = game["seats"].as_array().unwrap();
    let own = seats.iter().find(|seat| seat["kind"] == "own").unwrap();
    assert!(own["cpu"].as_f64().is_some_and(|cpu| cpu > 0.0), "{game}");
    // The output of a program on another machine comes with the result.
    let output = format!("/api/parties/{}/sortie", game["key"].as_str().unwrap());
    let output = course.get(&output, &ada).text();
    assert!(output.contains("bot.py xyzzy"), "{output}");
    assert!(!output.contains(folder.path("").to_str().unwrap()), "{output}");

    // Versions that come while machines play are played, too.
    course.ready(&bob, "");
    wait("a game of a new version", || {
        (!course.team(&bob)["games"].as_array()?.is_empty()).then_some(())
    });
    let second = course.ready(&ada, "# second");
    assert!(second > first);
    for kill in 1..4 {
        wait("a game", || (course.overview()["playing"].as_u64()? > 0).then_some(()));
        drop(worker);
        worker = Worker::start(&folder, &broker, &format!("worker{kill}"));
        course.wait_for_more_games();
    }
    let other = Worker::start(&folder, &broker, "other");
    wait("games of both", || {
        let machines = course.overview()["machines"].as_array()?.clone();
        let busy = machines.iter().filter(|machine| machine["games"].as_u64() > Some(0));
        (busy.count() == 2).then_some(())
    });

    // Games that no machine has begun are taken back while the ladder pauses, and the others end.
    let pause = |what: &str| {
        let path = format!("/api/enseignant/echelle/{what}");
        assert_eq!(course.http.post(&path, &course.teacher, b"{}").status, 204);
    };
    pause("pause");
    wait("the end of all games", || (course.overview()["playing"] == 0).then_some(()));
    wait("an empty broker", || {
        let (matchups, results) = runtime().block_on(broker.kept());
        (matchups + results == 0).then_some(())
    });
    pause("reprendre");
    course.wait_for_more_games();
    course.close();

    // The workers stop, and wait for the next course.
    wait("the end of all programs", || (processes_in(&folder) == 2).then_some(()));
    assert_eq!(runtime().block_on(broker.kept()).0, 0);
    let reader = Course::open(&folder.path(FILE)).unwrap();
    check_counts(&reader);
    let games = reader.game_count().unwrap();
    drop(reader);
    let course = Open::through(&folder, &broker, "0");
    wait("games after a restart", || (course.games() > games).then_some(()));
    assert_eq!((worker.stop(), other.stop()), (Some(130), Some(130)));
    course.close();
    check_counts(&CourseReader::open(&folder.path(FILE)).unwrap());
}

#[test]
fn a_broker_that_goes_away_leaves_the_games_of_this_machine() {
    let (mut broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let course = Open::through(&folder, &broker, "1");
    let worker = Worker::start(&folder, &broker, "worker");
    let token = course.add("nom\nAda\n").remove(0);
    course.ready(&token, "");
    wait("the worker", || course.machine());
    broker.kill();
    let trouble = |course: &Open| course.overview()["troubles"].to_string();
    wait("the trouble", || trouble(&course).contains("the broker is away").then_some(()));
    course.wait_for_more_games();
    broker.restart();
    wait("the broker", || (!trouble(&course).contains("broker")).then_some(()));
    wait("games of the worker", || {
        (course.overview()["machines"][0]["games"].as_u64()? > 0).then_some(())
    });
    course.close();
    assert_eq!(worker.stop(), Some(130));
    check_counts(&CourseReader::open(&folder.path(FILE)).unwrap());
}

#[test]
fn a_course_without_its_broker_is_not_made() {
    let folder = Folder::new();
    // Nothing listens at this port, which only root may bind.
    let nowhere = "nats://127.0.0.1:1";
    let open = ["cours", "ouvrir", FILE, "--web", "127.0.0.1:0"];
    let (code, error) =
        folder.fails(&[&open[..], &["--nats", nowhere, "--insister", "0s"]].concat());
    assert!(code == Some(2) && error.contains("does not answer"), "{error}");
    let (code, error) = folder.fails(&[&open[..], &["--parallele", "0"]].concat());
    assert!(code == Some(2) && error.contains("--nats URL"), "{error}");
    assert!(!folder.path(FILE).exists());
}
