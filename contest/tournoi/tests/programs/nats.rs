//! Tournaments on several machines, through a broker.

mod access;
mod away;
mod chaos;
mod hostile;
mod matchups;
mod partition;

use std::fs::{self, File};
use std::io::Read as _;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::object_store;
use async_nats::{Client, ConnectOptions, Message};
use futures_util::StreamExt as _;
use nats::wire::{self, ResultMessage};
use partition::{Network, Traffic};
use tempfile::TempDir;
use tournament::store::Store;

use crate::killed::{processes_in, signal};
use crate::{Folder, MAP, client_team, table};

/// A private broker, which ends when it is dropped.
pub(crate) struct Broker {
    process: Child,
    port: u16,
    folder: TempDir,
    arguments: Vec<String>,
}

impl Broker {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let (process, port) = Self::spawn(None, &folder, &arguments);
        Self { process, port, folder, arguments }
    }

    /// Starts a broker at this port, or at one that it chooses; returns the port when the broker greets.
    fn spawn(port: Option<u16>, folder: &TempDir, arguments: &[String]) -> (Child, u16) {
        let give_up = Instant::now() + Duration::from_secs(20);
        let wanted = port.map_or("-1".to_owned(), |port| port.to_string());
        loop {
            let mut command = Command::new("nats-server");
            command.args(["-a", "127.0.0.1", "-p", &wanted, "-sd"]).arg(folder.path());
            command.arg("--ports_file_dir").arg(folder.path());
            let log = appended(&folder.path().join("log"));
            command.current_dir(folder).args(arguments).stdout(Stdio::null()).stderr(log);
            let mut process = command.spawn().expect("Debian: apt-get install nats-server");
            // While the broker was away, another connection may have been given its port.
            while process.try_wait().unwrap().is_none() {
                assert!(Instant::now() < give_up, "the broker does not start");
                let port = port.or_else(|| chosen_port(&process, folder));
                if let Some(port) = port.filter(|&port| greets(port)) {
                    return (process, port);
                }
                thread::sleep(Duration::from_millis(10));
            }
            assert!(Instant::now() < give_up, "the broker ends at once");
            thread::sleep(Duration::from_millis(100));
        }
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub(crate) fn restart(&mut self) {
        (self.process, _) = Self::spawn(Some(self.port), &self.folder, &self.arguments);
    }

    /// Starts it again if it has ended by itself, as a service manager does; returns its state before.
    fn revive(&mut self) -> Option<String> {
        self.process.try_wait().unwrap()?;
        let state = self.state();
        self.restart();
        Some(state)
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Its exit status, if it has ended by itself, and its log.
    fn state(&mut self) -> String {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap();
        format!("broker: ended {:?}, greets {}\n{log}", self.process.try_wait(), greets(self.port))
    }

    /// The numbers of messages that the broker keeps: matchups and results.
    pub(crate) async fn kept(&self) -> (u64, u64) {
        let client = async_nats::connect(self.url()).await.unwrap();
        let jetstream = async_nats::jetstream::new(client);
        let mut kept = [0; 2];
        for (count, stream) in kept.iter_mut().zip([wire::MATCHUPS, wire::RESULTS]) {
            *count = jetstream.get_stream(stream).await.unwrap().cached_info().state.messages;
        }
        kept.into()
    }
}

/// The port that a broker has chosen, from the file in which it writes its addresses.
fn chosen_port(broker: &Child, folder: &TempDir) -> Option<u16> {
    let file = folder.path().join(format!("nats-server_{}.ports", broker.id()));
    let text = fs::read_to_string(file).ok()?;
    let address = text.split('"').find(|word| word.contains("://127.0.0.1:"))?;
    address.rsplit_once(':')?.1.parse().ok()
}

/// Tests if a broker listens at this port.
fn greets(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut greeting = [0; 5];
    stream.read_exact(&mut greeting).is_ok() && &greeting == b"INFO "
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A worker, which is killed when it is dropped.
pub(crate) struct Worker(Child);

impl Worker {
    pub(crate) fn start(folder: &Folder, broker: &Broker, name: &str) -> Self {
        Self::through(folder, &broker.url(), name)
    }

    fn through(folder: &Folder, url: &str, name: &str) -> Self {
        let cache = folder.path(name);
        let arguments =
            ["ouvrier", url, "--places", "1", "--nom", name, "--dossier", cache.to_str().unwrap()];
        let log = appended(&folder.path(&format!("{name}.log")));
        let mut command = folder.command(&arguments);
        command.stdout(log.try_clone().unwrap()).stderr(log);
        Self(command.spawn().unwrap())
    }

    pub(crate) fn stop(mut self) -> Option<i32> {
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

/// Opens a file to append to it.
fn appended(path: &Path) -> File {
    File::options().create(true).append(true).open(path).unwrap()
}

/// Tests if a program has ended successfully.
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

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Waits until the coordinator has published matchups, which it does after it has sent the packages.
async fn matchups_are_published(client: &Client) -> async_nats::jetstream::Context {
    let jetstream = async_nats::jetstream::new(client.clone());
    let give_up = Instant::now() + Duration::from_secs(60);
    while !matches!(jetstream.get_stream(wire::MATCHUPS).await, Ok(it) if it.cached_info().state.messages > 0)
    {
        assert!(Instant::now() < give_up, "nothing is to be played");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    jetstream
}

#[test]
fn two_workers_give_the_table_of_one_machine_and_leave_nothing_behind() {
    let flags = tournament();
    let flags = words(&flags);
    let expected = on_one_machine(&flags);
    assert_eq!(expected.len(), 5 * 4 * 2);
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let url = broker.url();
    // One worker waits for the tournament, the other one joins it.
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

    // The workers play for the next tournament, too.
    let url = broker.url();
    let more = ["ajouter", "--nats", &url, "--equipe", "Luc=ia:glouton"];
    folder.done(&more);
    assert!(folder.outcomes("tournoi.sqlite").len() > expected.len());
    assert_eq!((first.stop(), second.stop()), (Some(130), Some(130)));
    assert_eq!(processes_in(&folder), 0);
}

#[test]
fn two_coordinators_never_share_a_broker() {
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let url = broker.url();
    let teams = ["--equipe", "ia:glouton", "--equipe", "ia:prudent", "--duree", "5"];
    let game = [&["jouer", "--nats", &url, "--carte", MAP][..], &teams].concat();
    runtime().block_on(async {
        let client = async_nats::connect(&url).await.unwrap();
        let mut claims = client.subscribe(wire::CLAIMS).await.unwrap();
        client.flush().await.unwrap();
        // Nobody answers: the other coordinator is busy, or its answers get lost.
        let (code, error) = folder.fails(&game);
        assert!(code == Some(2) && error.contains("does not say whether"), "{error}");

        let answers = async {
            while let Some(question) = claims.next().await {
                client.publish(question.reply.unwrap(), "".into()).await.unwrap();
            }
        };
        let refused = async {
            let play = folder.command(&game);
            let output = tokio::process::Command::from(play).output().await.unwrap();
            (output.status.code(), String::from_utf8(output.stderr).unwrap())
        };
        let (code, error) = tokio::select! {
            () = answers => panic!("the broker has ended"),
            refused = refused => refused,
        };
        assert!(code == Some(2) && error.contains("another coordinator plays"), "{error}");
    });
    // Now there is none.
    let _worker = Worker::start(&folder, &broker, "worker");
    folder.done(&game);
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
            // Each result comes twice at once, and again during later games.
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
    // Results with other points are kept beside those that count.
    assert!(!store.conflicts().unwrap().is_empty());
    assert_eq!(worker.stop(), Some(130));
}

#[test]
fn a_worker_that_is_stopped_gives_its_matchup_back_at_once() {
    let flags = tournament();
    let flags = words(&flags);
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let url = broker.url();
    let arguments = [&["jouer", "--nats", &url, "--bail", "1h"][..], &flags].concat();
    let mut coordinator = folder.command(&arguments).spawn().unwrap();
    for number in 0..3 {
        let worker = Worker::start(&folder, &broker, &format!("worker{number}"));
        let give_up = Instant::now() + Duration::from_secs(60);
        // Wait until games run.
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

#[test]
fn a_broker_that_has_lost_the_packages_is_given_them_again_and_nobody_is_to_blame() {
    let flags = tournament();
    let flags = words(&flags);
    let expected = on_one_machine(&flags);
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let url = broker.url();
    let arguments = [&["jouer", "--nats", &url, "--bail", "1s"][..], &flags].concat();
    let mut coordinator = folder.command(&arguments).spawn().unwrap();
    runtime().block_on(async {
        let jetstream = matchups_are_published(&async_nats::connect(&url).await.unwrap()).await;
        jetstream.delete_object_store(wire::FILES).await.unwrap();
    });
    let worker = Worker::start(&folder, &broker, "worker");
    assert!(coordinator.wait().unwrap().success());
    assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
    let store = Store::look(&folder.path("tournoi.sqlite")).unwrap();
    assert!(store.attempts().unwrap().is_empty());
    assert_eq!(worker.stop(), Some(130));
}

#[test]
fn a_broker_that_has_no_jetstream_for_a_while_is_given_everything_later() {
    let flags = tournament();
    let flags = words(&flags);
    let expected = on_one_machine(&flags);
    let (mut broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let url = broker.url();
    let arguments = [&["jouer", "--nats", &url, "--bail", "1s"][..], &flags].concat();
    let mut coordinator = folder.command(&arguments).spawn().unwrap();
    // Waits until a stream has messages, or JetStream answers at all.
    let wait_for = async |subject: String| {
        let give_up = Instant::now() + Duration::from_secs(60);
        let client = async_nats::connect(&url).await.unwrap();
        let is_early = |answer: Message| {
            let text = String::from_utf8_lossy(&answer.payload);
            text.contains("\"error\"") || text.contains("\"messages\":0,")
        };
        while client.request(subject.clone(), "".into()).await.map_or(true, is_early) {
            assert!(Instant::now() < give_up, "{subject}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    runtime().block_on(wait_for(format!("$JS.API.STREAM.INFO.{}", wire::MATCHUPS)));
    broker.kill();
    fs::remove_dir_all(broker.folder.path().join("jetstream")).unwrap();
    let configuration = broker.folder.path().join("broker.conf");
    fs::write(&configuration, "debug: false\n").unwrap();
    broker.arguments = vec!["-c".to_owned(), configuration.display().to_string()];
    broker.restart();
    // The coordinator is connected again, and finds no streams.
    thread::sleep(Duration::from_secs(2));
    let store = broker.folder.path();
    fs::write(&configuration, format!("jetstream {{ store_dir: {store:?} }}\n")).unwrap();
    signal(&broker.process, "-HUP");
    runtime().block_on(wait_for("$JS.API.INFO".to_owned()));
    let worker = Worker::start(&folder, &broker, "worker");
    let give_up = Instant::now() + Duration::from_secs(60);
    while coordinator.try_wait().unwrap().is_none() {
        assert!(Instant::now() < give_up, "the coordinator waits for ever");
        thread::sleep(Duration::from_millis(20));
    }
    let output = coordinator.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
    assert_eq!(worker.stop(), Some(130));
}

#[test]
fn a_package_that_vanishes_while_it_is_fetched_is_fetched_again() {
    let flags = tournament();
    let flags = words(&flags);
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let network = Network::before(broker.port);
    let worker = Worker::through(&folder, &network.url(), "worker");
    let url = broker.url();
    let arguments = [&["jouer", "--nats", &url, "--bail", "1s"][..], &flags].concat();
    let mut coordinator = folder.command(&arguments).spawn().unwrap();
    let give_up = Instant::now() + Duration::from_secs(120);
    // Wait until a part of the first package has arrived.
    network.lose_after(1 << 20, give_up);
    runtime().block_on(async {
        let jetstream = async_nats::jetstream::new(async_nats::connect(&url).await.unwrap());
        jetstream.delete_object_store(wire::FILES).await.unwrap();
        // An emptied broker has none of the objects whose transfer has begun, and tells no client.
        let bucket = wire::FILES.to_owned();
        let config = object_store::Config { bucket, ..object_store::Config::default() };
        jetstream.create_object_store(config).await.unwrap();
    });
    network.cut();
    network.set(Traffic::Passes, Traffic::Passes);
    while coordinator.try_wait().unwrap().is_none() {
        assert!(Instant::now() < give_up, "the worker waits for ever");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(table(&folder.outcomes("tournoi.sqlite")), on_one_machine(&flags));
    assert_eq!(worker.stop(), Some(130));
}
