//! Whatever is killed, stopped, cut off or delivered twice, the table is the same as on one machine.

use std::fs;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::ConnectOptions;
use futures_util::StreamExt as _;
use nats::wire;
use tournament::store::Store;

use super::partition::{Network, Traffic};
use super::{Broker, Worker, appended, is_over, on_one_machine, runtime, tournament, words};
use crate::killed::{processes_in, signal};
use crate::{Folder, table};

/// Random numbers with a fixed seed: a linear congruential generator of 64 bits.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The bound is small, so the product does not overflow.
        (((self.0 >> 32) * bound) >> 32) as usize
    }

    fn millis(&mut self, most: u64) -> Duration {
        Duration::from_millis(self.below(most) as u64)
    }
}

/// A failure that a cluster suffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blow {
    KillCoordinator,
    KillWorker,
    KillBroker,
    /// The broker comes back without its messages.
    EmptyBroker,
    /// A worker is stopped for longer than its lease, and comes back stale.
    StopWorker,
    /// Messages between the broker and a coordinator or worker are delayed.
    Partition,
    PartitionToBroker,
    PartitionFromBroker,
    /// Messages between the broker and a coordinator or worker are lost, then their connection is cut.
    Lose,
    Cut,
}

const BLOWS: [Blow; 10] = [
    Blow::KillCoordinator,
    Blow::KillWorker,
    Blow::KillBroker,
    Blow::EmptyBroker,
    Blow::StopWorker,
    Blow::Partition,
    Blow::PartitionToBroker,
    Blow::PartitionFromBroker,
    Blow::Lose,
    Blow::Cut,
];

/// Sends results of workers again, at once and later, until it is dropped.
struct Echo {
    is_over: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Echo {
    fn start(url: String, count: Arc<AtomicUsize>) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            runtime().block_on(async {
                let client = ConnectOptions::new().no_echo().retry_on_initial_connect();
                let client = client.connect(url).await.unwrap();
                let mut results = client.subscribe(wire::RESULT).await.unwrap();
                let mut kept = Vec::new();
                while !ends.load(Ordering::SeqCst) {
                    let wait = Duration::from_millis(50);
                    let Ok(Some(message)) = tokio::time::timeout(wait, results.next()).await else {
                        continue;
                    };
                    kept.push(message.payload);
                    for index in [kept.len() - 1, kept.len() / 2] {
                        let _ = client.publish(wire::RESULT, kept[index].clone()).await;
                        count.fetch_add(1, Ordering::SeqCst);
                    }
                }
                let _ = tokio::time::timeout(Duration::from_secs(5), client.flush()).await;
            });
        });
        Self { is_over, thread: Some(thread) }
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}

/// A tournament with a broker, a coordinator and three workers, each with its own network.
struct Cluster<'a> {
    flags: &'a [&'a str],
    folder: Folder,
    broker: Broker,
    networks: [Network; 4],
    coordinator: Child,
    workers: Vec<Worker>,
    /// The number of workers started so far.
    number: usize,
}

impl<'a> Cluster<'a> {
    fn start(flags: &'a [&'a str]) -> Self {
        let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
        let networks = [(); 4].map(|()| Network::before(broker.port));
        let coordinator = coordinator(&folder, flags, &networks[0]);
        let worker = |index: usize| {
            Worker::through(&folder, &networks[index + 1].url(), &format!("worker{index}"))
        };
        let workers = (0..3).map(worker).collect();
        Self { flags, folder, broker, networks, coordinator, workers, number: 3 }
    }

    fn restart_coordinator(&mut self) {
        self.coordinator = coordinator(&self.folder, self.flags, &self.networks[0]);
    }

    fn restart_worker(&mut self, index: usize) {
        let name = format!("worker{}", self.number);
        self.number += 1;
        // Dropping the previous worker kills it.
        self.workers[index] = Worker::through(&self.folder, &self.networks[index + 1].url(), &name);
    }

    fn suffer(&mut self, blow: Blow, draw: &mut Draw) {
        let pause = draw.millis(800);
        // A partition often lasts longer than a lease.
        let long = Duration::from_millis(500) + draw.millis(4000);
        let index = draw.below(4);
        let network = &self.networks[index];
        let worker = index % 3;
        match blow {
            Blow::KillCoordinator => {
                // The coordinator may have ended already.
                let _ = self.coordinator.kill();
                self.coordinator.wait().unwrap();
                thread::sleep(pause);
                self.restart_coordinator();
            }
            Blow::KillWorker => {
                let _ = self.workers[worker].0.kill();
                thread::sleep(pause);
                self.restart_worker(worker);
            }
            Blow::KillBroker | Blow::EmptyBroker => {
                self.broker.kill();
                thread::sleep(pause);
                if blow == Blow::EmptyBroker {
                    fs::remove_dir_all(self.broker.folder.path().join("jetstream")).unwrap();
                }
                self.broker.restart();
            }
            Blow::StopWorker => {
                let stopped = &self.workers[worker].0;
                signal(stopped, "-STOP");
                thread::sleep(Duration::from_millis(2500) + pause);
                signal(stopped, "-CONT");
            }
            Blow::Partition | Blow::PartitionToBroker | Blow::PartitionFromBroker | Blow::Lose => {
                let (to, from) = match blow {
                    Blow::PartitionToBroker => (Traffic::Waits, Traffic::Passes),
                    Blow::PartitionFromBroker => (Traffic::Passes, Traffic::Waits),
                    Blow::Lose => (Traffic::IsLost, Traffic::IsLost),
                    _ => (Traffic::Waits, Traffic::Waits),
                };
                network.set(to, from);
                thread::sleep(long);
                if blow == Blow::Lose {
                    network.cut();
                }
                network.set(Traffic::Passes, Traffic::Passes);
            }
            Blow::Cut => network.cut(),
        }
    }
}

fn coordinator(folder: &Folder, flags: &[&str], network: &Network) -> Child {
    let url = network.url();
    let begun = Store::look(&folder.path("tournoi.sqlite")).is_ok();
    let arguments = if begun {
        vec!["reprendre", "--nats", &url, "--bail", "2s"]
    } else {
        [&["jouer", "--nats", &url, "--bail", "2s"][..], flags].concat()
    };
    let log = appended(&folder.path("coordinator.log"));
    let mut command = folder.command(&arguments);
    command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap()
}

/// `KILLS` is the number of failures; the default fits a test.
#[test]
fn whatever_is_killed_stopped_or_cut_off_the_table_is_the_same_and_nothing_is_left() {
    let blows = std::env::var("KILLS").map_or(10, |kills| kills.parse().unwrap());
    let flags = tournament();
    let flags = words(&flags);
    let expected = on_one_machine(&flags);
    let mut draw = Draw(19);
    let (mut done, mut tournaments, mut restarts, mut counts) = (0, 0, 0, [0; BLOWS.len()]);
    let echoed = Arc::new(AtomicUsize::new(0));
    while done < blows {
        let mut cluster = Cluster::start(&flags);
        let echo = Echo::start(cluster.broker.url(), Arc::clone(&echoed));
        let mut of_this = 0;
        while of_this < 10 && done < blows && !is_over(&mut cluster.coordinator) {
            thread::sleep(draw.millis(600));
            let kind = draw.below(BLOWS.len() as u64);
            counts[kind] += 1;
            cluster.suffer(BLOWS[kind], &mut draw);
            of_this += 1;
            done += 1;
        }
        // Some workers were killed, or found no broker, and were not restarted.
        for index in 0..3 {
            if cluster.workers[index].0.try_wait().unwrap().is_some() {
                cluster.restart_worker(index);
            }
        }
        let log = cluster.folder.path("coordinator.log");
        let log = || fs::read_to_string(&log).unwrap();
        let give_up = Instant::now() + Duration::from_secs(120);
        let status = loop {
            match cluster.coordinator.try_wait().unwrap() {
                // The coordinator found no broker at its start.
                Some(status) if status.code() == Some(2) && restarts < done => {
                    restarts += 1;
                    cluster.restart_coordinator();
                }
                Some(status) => break status,
                None => {}
            }
            if let Some(state) = cluster.broker.revive() {
                println!("ended by itself: {state}");
            }
            let in_time = Instant::now() < give_up;
            assert!(in_time, "{done} blows, {counts:?}: {}{}", log(), cluster.broker.state());
            thread::sleep(Duration::from_millis(20));
        };
        drop(echo);
        assert!(status.success(), "{}", log());
        let Cluster { folder, broker, workers, .. } = cluster;
        assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
        let store = Store::look(&folder.path("tournoi.sqlite")).unwrap();
        assert!(store.conflicts().unwrap().is_empty());
        for worker in workers {
            worker.stop();
        }
        // A worker that was stopped may have sent results after the end.
        folder.done(&["reprendre", "--nats", &broker.url()]);
        assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
        assert_eq!(runtime().block_on(broker.kept()), (0, 0));
        assert_eq!(processes_in(&folder), 0);
        tournaments += 1;
        let kinds: Vec<_> = BLOWS.iter().zip(counts).collect();
        let echoed = echoed.load(Ordering::SeqCst);
        println!(
            "blows={done} {kinds:?} results sent again={echoed} restarts={restarts} \
             tournaments={tournaments} identical={tournaments} lost=0 doubled=0 orphans=0"
        );
    }
}

#[test]
fn a_worker_behind_a_partition_loses_its_games_to_another_and_its_late_results_change_nothing() {
    let flags = tournament();
    let flags = words(&flags);
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let network = Network::before(broker.port);
    let worker = Worker::through(&folder, &network.url(), "cut-off");
    let url = broker.url();
    let arguments = [&["jouer", "--nats", &url, "--bail", "1s"][..], &flags].concat();
    let mut coordinator = folder.command(&arguments).spawn().unwrap();
    let give_up = Instant::now() + Duration::from_secs(60);
    let store = loop {
        // Wait until the worker has played a game.
        match Store::look(&folder.path("tournoi.sqlite")) {
            Ok(store) if !store.outcomes().unwrap_or_default().is_empty() => break store,
            _ => assert!(Instant::now() < give_up, "nothing is played"),
        }
        thread::sleep(Duration::from_millis(5));
    };
    network.set(Traffic::Waits, Traffic::Waits);
    let other = Worker::start(&folder, &broker, "other");
    let expected = on_one_machine(&flags);
    // The other worker plays all games that were not recorded, if the first one was cut off in time.
    while !is_over(&mut coordinator) {
        let all = store.outcomes().unwrap().len();
        if all + 2 > expected.len() {
            network.set(Traffic::Passes, Traffic::Passes);
        }
        assert!(Instant::now() < give_up + Duration::from_secs(60), "{all} games are played");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
    assert!(store.conflicts().unwrap().is_empty());
    network.set(Traffic::Passes, Traffic::Passes);
    assert_eq!((worker.stop(), other.stop()), (Some(130), Some(130)));
    assert_eq!(processes_in(&folder), 0);
}
