//! Tournaments on several machines, through a broker.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::{Client, ConnectOptions};
use futures_util::StreamExt as _;
use tempfile::TempDir;
use tournament::nats::wire::{self, ResultMessage};
use tournament::store::Store;

use crate::killed::{processes_in, signal};
use crate::{Folder, MAP, client_team, table};

/// A broker of our own, which ends when it is dropped.
struct Broker {
    process: Child,
    port: u16,
    folder: TempDir,
    arguments: Vec<String>,
}

impl Broker {
    fn start(arguments: &[&str]) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let process = Self::spawn(port, &folder, &arguments);
        Self { process, port, folder, arguments }
    }

    fn spawn(port: u16, folder: &TempDir, arguments: &[String]) -> Child {
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder.path());
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().expect("Debian: apt-get install nats-server");
        let give_up = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < give_up, "the broker does not start");
            thread::sleep(Duration::from_millis(10));
        }
        process
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    fn restart(&mut self) {
        self.process = Self::spawn(self.port, &self.folder, &self.arguments);
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Messages that it keeps: meetings and results.
    async fn kept(&self) -> (u64, u64) {
        let client = async_nats::connect(self.url()).await.unwrap();
        let jetstream = async_nats::jetstream::new(client);
        let mut kept = [0; 2];
        for (count, stream) in kept.iter_mut().zip([wire::MEETINGS, wire::RESULTS]) {
            *count = jetstream.get_stream(stream).await.unwrap().cached_info().state.messages;
        }
        kept.into()
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A worker, which is killed when it is dropped.
struct Worker(Child);

impl Worker {
    fn start(folder: &Folder, broker: &Broker, name: &str) -> Self {
        let (url, cache) = (broker.url(), folder.path(name));
        let arguments =
            ["ouvrier", &url, "--places", "1", "--nom", name, "--dossier", cache.to_str().unwrap()];
        let log = appended(&folder.path(&format!("{name}.log")));
        let mut command = folder.command(&arguments);
        command.stdout(log.try_clone().unwrap()).stderr(log);
        Self(command.spawn().unwrap())
    }

    fn stop(mut self) -> Option<i32> {
        signal(&self.0, "-INT");
        self.0.wait().unwrap().code()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Random numbers, the same each time: a linear congruential generator of 64 bits.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Below the bound, which is small.
        (((self.0 >> 32) * bound) >> 32) as usize
    }

    fn millis(&mut self, most: u64) -> Duration {
        Duration::from_millis(self.below(most) as u64)
    }
}

/// Flags of a tournament of deterministic programs and bots of the house.
fn tournament() -> Vec<String> {
    let flags =
        ["--carte", MAP, "--duree", "20", "--graine", "5", "--manches", "2", "--delai", "3s"];
    let mut all: Vec<_> = flags.map(str::to_owned).into();
    let teams = [client_team("Ada", "glouton"), client_team("Bob", "dijkstra")];
    for team in teams.into_iter().chain(["Zoé", "Eve", "Max"].map(|it| format!("{it}=ia:prudent")))
    {
        all.extend(["--equipe".to_owned(), team]);
    }
    all
}

/// A file that is written on.
fn appended(path: &Path) -> File {
    File::options().create(true).append(true).open(path).unwrap()
}

/// Whether a program has done all that it was to do.
fn is_over(program: &mut Child) -> bool {
    program.try_wait().unwrap().is_some_and(|status| status.success())
}

fn words(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

/// The table of the same tournament on one machine.
fn on_one_machine(flags: &[&str]) -> Vec<String> {
    let folder = Folder::new();
    folder.done(&[&["jouer"][..], flags].concat());
    table(&folder.outcomes("tournoi.sqlite"))
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn two_workers_give_the_table_of_one_machine_and_leave_nothing_behind() {
    let flags = tournament();
    let flags = words(&flags);
    let expected = on_one_machine(&flags);
    assert_eq!(expected.len(), 5 * 4 * 2);
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let url = broker.url();
    // One waits for the tournament, the other one joins it.
    let first = Worker::start(&folder, &broker, "first");
    let arguments = [&["jouer", "--nats", &url][..], &flags].concat();
    let coordinator = folder.command(&arguments).spawn().unwrap();
    let second = Worker::start(&folder, &broker, "second");
    let output = coordinator.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
    let store = Store::look(&folder.path("tournoi.sqlite")).unwrap();
    assert!(store.conflicts().unwrap().is_empty());
    assert_eq!(runtime().block_on(broker.kept()), (0, 0));
    assert_eq!(processes_in(&folder), 3 - 1, "only the workers");

    // They play for the next tournament, too.
    let url = broker.url();
    let more = ["ajouter", "--nats", &url, "--equipe", "Luc=ia:glouton"];
    folder.done(&more);
    assert!(folder.outcomes("tournoi.sqlite").len() > expected.len());
    assert_eq!((first.stop(), second.stop()), (Some(130), Some(130)));
    assert_eq!(processes_in(&folder), 0);
}

#[test]
fn a_result_that_comes_again_late_or_changed_changes_nothing() {
    let flags = tournament();
    let flags = words(&flags);
    let expected = on_one_machine(&flags);
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let url = broker.url();
    let runtime = runtime();
    let _inside = runtime.enter();
    let (client, mut results) = runtime.block_on(async {
        let client: Client = ConnectOptions::new().no_echo().connect(&url).await.unwrap();
        let results = client.subscribe(wire::RESULT).await.unwrap();
        client.flush().await.unwrap();
        (client, results)
    });
    let worker = Worker::start(&folder, &broker, "worker");
    let arguments = [&["jouer", "--nats", &url][..], &flags].concat();
    let mut coordinator = folder.command(&arguments).spawn().unwrap();
    let sent = runtime.block_on(async {
        let (mut sent, mut kept) = (0, Vec::new());
        while sent < expected.len() {
            let message = results.next().await.unwrap();
            let result = ResultMessage::decode(&message.payload).unwrap();
            // It comes twice at once, and again when others are played.
            kept.push(message.payload.clone());
            let mut payloads = vec![message.payload, kept[sent / 2].clone()];
            let mut forged = result.clone();
            forged.outcome.seats[0].points += 1000;
            payloads.push(forged.encode().into());
            let mut other = result.clone();
            other.submission.engine = "other".to_owned();
            payloads.push(other.encode().into());
            let mut stale = result.clone();
            stale.submission.token.publication = 0;
            payloads.push(stale.encode().into());
            let mut unknown = result.clone();
            unknown.outcome.key = unknown.outcome.matchup;
            unknown.submission.game = unknown.outcome.matchup;
            payloads.push(unknown.encode().into());
            payloads.push("nonsense".into());
            for payload in payloads {
                client.publish(wire::RESULT, payload).await.unwrap();
            }
            client.flush().await.unwrap();
            sent += 1;
        }
        sent
    });
    assert_eq!(sent, expected.len());
    assert!(coordinator.wait().unwrap().success());
    assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
    let store = Store::look(&folder.path("tournoi.sqlite")).unwrap();
    assert_eq!(store.outcomes().unwrap().len(), expected.len(), "nothing unscheduled");
    let attempts = store.attempts().unwrap();
    let kept = |why: &str| attempts.iter().filter(|attempt| attempt.fault.contains(why)).count();
    assert!(kept("not to be played") > 10, "{attempts:?}");
    // Those with other points are kept beside the ones that count.
    assert!(!store.conflicts().unwrap().is_empty());
    assert_eq!(worker.stop(), Some(130));
}

#[test]
fn a_worker_that_is_stopped_gives_its_meeting_back_at_once() {
    let flags = tournament();
    let flags = words(&flags);
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let url = broker.url();
    let arguments = [&["jouer", "--nats", &url, "--bail", "1h"][..], &flags].concat();
    let mut coordinator = folder.command(&arguments).spawn().unwrap();
    for number in 0..3 {
        let worker = Worker::start(&folder, &broker, &format!("worker{number}"));
        let give_up = Instant::now() + Duration::from_secs(60);
        // Once it plays.
        while processes_in(&folder) < 3 {
            assert!(Instant::now() < give_up, "nothing is played");
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(worker.stop(), Some(130));
        assert_eq!(processes_in(&folder), 1, "only the coordinator");
    }
    let last = Worker::start(&folder, &broker, "last");
    assert!(coordinator.wait().unwrap().success(), "leases last an hour");
    assert_eq!(table(&folder.outcomes("tournoi.sqlite")), on_one_machine(&flags));
    drop(last);
}

/// `KILLS` says how often; the default is what a test can afford.
#[test]
fn whatever_is_killed_or_stopped_the_table_is_the_same_and_nothing_is_left() {
    let kills = std::env::var("KILLS").map_or(8, |kills| kills.parse().unwrap());
    let flags = tournament();
    let flags = words(&flags);
    let expected = on_one_machine(&flags);
    let mut draw = Draw(19);
    let (mut done, mut tournaments, mut restarts, mut counts) = (0, 0, 0, [0; 5]);
    while done < kills {
        let (mut broker, folder) = (Broker::start(&["-js"]), Folder::new());
        let url = broker.url();
        let start = |folder: &Folder| {
            let begun = Store::look(&folder.path("tournoi.sqlite")).is_ok();
            let arguments = match begun {
                true => vec!["reprendre", "--nats", &url, "--bail", "2s"],
                false => [&["jouer", "--nats", &url, "--bail", "2s"][..], &flags].concat(),
            };
            let log = appended(&folder.path("coordinator.log"));
            let mut command = folder.command(&arguments);
            command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap()
        };
        let mut coordinator = start(&folder);
        let names = ["a", "b", "c"];
        let mut workers: Vec<_> =
            names.iter().map(|name| Worker::start(&folder, &broker, name)).collect();
        let mut of_this = 0;
        while of_this < 10 && done < kills && !is_over(&mut coordinator) {
            thread::sleep(draw.millis(600));
            let pause = draw.millis(800);
            let kind = draw.below(5);
            counts[kind] += 1;
            match kind {
                0 => {
                    // It may have ended by itself.
                    let _ = coordinator.kill();
                    coordinator.wait().unwrap();
                    thread::sleep(pause);
                    coordinator = start(&folder);
                }
                1 => {
                    let index = draw.below(3);
                    let name = format!("{}{done}", names[index]);
                    // It is killed when the next one takes its place.
                    let _ = workers[index].0.kill();
                    thread::sleep(pause);
                    workers[index] = Worker::start(&folder, &broker, &name);
                }
                2 | 3 => {
                    broker.kill();
                    thread::sleep(pause);
                    // It may come back without anything.
                    if kind == 3 {
                        fs::remove_dir_all(broker.folder.path().join("jetstream")).unwrap();
                    }
                    broker.restart();
                }
                _ => {
                    // For longer than its lease: it comes back stale.
                    let stopped = &workers[draw.below(3)].0;
                    signal(stopped, "-STOP");
                    thread::sleep(Duration::from_millis(2500) + pause);
                    signal(stopped, "-CONT");
                }
            }
            of_this += 1;
            done += 1;
        }
        // Some were killed, or found no broker, and nobody has started them again.
        for (index, worker) in workers.iter_mut().enumerate() {
            if worker.0.try_wait().unwrap().is_some() {
                *worker = Worker::start(&folder, &broker, &format!("last{index}"));
            }
        }
        let give_up = Instant::now() + Duration::from_secs(120);
        let status = loop {
            match coordinator.try_wait().unwrap() {
                // It has found no broker when it was started.
                Some(status) if status.code() == Some(2) && restarts < done => {
                    restarts += 1;
                    coordinator = start(&folder);
                }
                Some(status) => break status,
                None => {}
            }
            let log = || fs::read_to_string(folder.path("coordinator.log")).unwrap();
            assert!(Instant::now() < give_up, "{done} kills, {counts:?}: {}", log());
            thread::sleep(Duration::from_millis(20));
        };
        let log = fs::read_to_string(folder.path("coordinator.log")).unwrap();
        assert!(status.success(), "{log}");
        assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
        assert!(
            Store::look(&folder.path("tournoi.sqlite")).unwrap().conflicts().unwrap().is_empty()
        );
        for worker in workers {
            worker.stop();
        }
        // One that was stopped may have sent results when all was over.
        folder.done(&["reprendre", "--nats", &url]);
        assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
        assert_eq!(runtime().block_on(broker.kept()), (0, 0));
        assert_eq!(processes_in(&folder), 0);
        tournaments += 1;
    }
    let [coordinators, workers, brokers, emptied, stops] = counts;
    println!(
        "kills={done} (coordinator {coordinators}, worker {workers}, broker {brokers}, emptied {emptied}, stopped {stops}) \
         restarts={restarts} tournaments={tournaments} identical={tournaments} lost=0 doubled=0 orphans=0"
    );
}

#[test]
fn what_is_wrong_with_the_broker_is_said() {
    let folder = Folder::new();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nowhere = format!("nats://127.0.0.1:{port}");
    let (code, error) = folder.fails(&["ouvrier", &nowhere, "--insister", "0s"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("does not answer") && error.contains("nats-server -js"), "{error}");

    let game = ["jouer", "--carte", MAP, "--equipe", "ia:glouton"];
    let (code, error) =
        folder.fails(&[&game[..], &["--nats", &nowhere, "--insister", "0s"]].concat());
    assert!(code == Some(2) && error.contains("does not answer"), "{error}");
    assert!(!folder.path("tournoi.sqlite").exists(), "nothing is begun");

    let plain = Broker::start(&[]);
    let (_, error) = folder.fails(&["ouvrier", &plain.url()]);
    assert!(error.contains("has no JetStream"), "{error}");

    let closed = Broker::start(&["-js", "--user", "ada", "--pass", "s3cret"]);
    let (_, error) = folder.fails(&["ouvrier", &closed.url()]);
    assert!(error.contains("credentials") && error.contains("--nats-creds"), "{error}");
    let wrong = closed.url().replace("//", "//ada:wr0ng@");
    let (_, error) = folder.fails(&["ouvrier", &wrong, "--journal", "trace"]);
    assert!(error.contains("credentials") && !error.contains("wr0ng"), "{error}");

    // With the right ones, it plays, and nothing that is secret is written down.
    let url = closed.url().replace("//", "//ada:s3cret@");
    let flags =
        ["--carte", MAP, "--duree", "5", "--equipe", "ia:glouton", "--equipe", "ia:prudent"];
    let arguments = [&["jouer", "--nats", &url, "--journal", "trace"][..], &flags].concat();
    let coordinator = folder.command(&arguments).spawn().unwrap();
    let worker = folder.run(&["ouvrier", &url, "--une-fois", "--journal", "trace"]);
    assert!(worker.status.success(), "{worker:?}");
    let coordinator = coordinator.wait_with_output().unwrap();
    assert!(coordinator.status.success(), "{coordinator:?}");
    for output in [worker, coordinator] {
        let said = [output.stdout, output.stderr].concat();
        assert!(!String::from_utf8(said).unwrap().contains("s3cret"));
    }
    let kept = fs::read(folder.path("tournoi.sqlite")).unwrap();
    assert!(!kept.windows(6).any(|bytes| bytes == b"s3cret"));
}
