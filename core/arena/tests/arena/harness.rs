//! An in-process server, and peers that connect to it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use arena::games::{Show, Slip};
use arena::{
    EndReason, Game, GameResult, Host, House, HouseBot, Observation, Pacman, PlayerResult, Points,
    Series, SeriesControls, Settings, Standing,
};
use bytes::{Bytes, BytesMut};
use client::{ClientPacman, ConnectionEnd, Inline};
use game::pacman::{Direction, Map, Orders, Reading, Rules, StateReader};
use game::pyrat::{self, Maze};
use protocol::{FrameCodec, Name, Registration, Role, SERVER_FRAME_LIMIT, ServerMessage};
use replay::{Answer, Marks, Setup};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

/// Longer than any wait in these games; paused time makes it free.
pub(crate) const LONG: Duration = Duration::from_secs(3600);

pub(crate) const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
pub(crate) const LAPTOP: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 7));
pub(crate) const STRANGER: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 66));

pub(crate) fn map() -> Map {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/petit.txt");
    Map::parse(&std::fs::read(path).unwrap()).unwrap()
}

/// A game of 20 turns.
pub(crate) fn settings(players: usize) -> Settings {
    Settings { players, turns: 20, seed: 7, ..Settings::default() }
}

/// A house that fills the seats with `prudent`, `wait` after the first player.
pub(crate) fn house(wait: Duration) -> House {
    let bot = HouseBot::Pacman(bots::by_name("prudent").unwrap(), Rules::SUJET);
    House { bot, wait }
}

/// The points of a player of Pacman.
pub(crate) fn points(player: &PlayerResult) -> i32 {
    match player.standing.points {
        Points::Whole(points) => points,
        Points::Cheese(score) => panic!("expected points, found {score} cheese"),
    }
}

/// Orders of a player that lead into no wall.
pub(crate) fn legal_orders(reading: &Reading, player: usize) -> String {
    let (board, player) = (reading.view.board(), &reading.view.players()[player]);
    let legal = |cell| Direction::ALL.into_iter().find(|&way| board.step(cell, way).is_some());
    let orders = Orders { pacman: legal(player.pacman), ghost: legal(player.ghost) };
    String::from_utf8(orders.encode().to_vec()).unwrap()
}

/// A game whose first turns panic, each of which breaks one game off.
#[derive(Debug)]
pub(crate) struct Breaking {
    game: Box<dyn Game>,
    panics: Arc<AtomicU32>,
}

impl Breaking {
    pub(crate) fn boxed(game: impl Game + 'static, panics: u32) -> Box<dyn Game> {
        Box::new(Self { game: Box::new(game), panics: Arc::new(panics.into()) })
    }
}

impl Game for Breaking {
    fn set_up(&mut self, seed: u64, turns: u32, names: Vec<String>) {
        self.game.set_up(seed, turns, names);
    }

    fn maze(&self) -> Option<&[u8]> {
        self.game.maze()
    }

    fn preparation(&self) -> Duration {
        self.game.preparation()
    }

    fn text(&mut self) -> &[u8] {
        self.game.text()
    }

    fn elapsed(&self) -> u32 {
        self.game.elapsed()
    }

    fn is_over(&self) -> bool {
        self.game.is_over()
    }

    fn is_asked(&self, player: usize) -> bool {
        self.game.is_asked(player)
    }

    fn play_turn(
        &mut self,
        answers: &[Option<&[u8]>],
        show: Option<&mut Show<'_>>,
        slips: &mut Vec<Slip>,
    ) {
        let left = self
            .panics
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        assert!(left.is_err(), "a turn that panics, as the test wants");
        self.game.play_turn(answers, show, slips);
    }

    fn another(&self) -> Box<dyn Game> {
        Box::new(Self { game: self.game.another(), panics: Arc::clone(&self.panics) })
    }

    fn setup(&self) -> Setup {
        self.game.setup()
    }

    fn read(&self, message: &[u8]) -> Answer {
        self.game.read(message)
    }

    fn marks(&self) -> Marks {
        self.game.marks()
    }

    fn standings(&self) -> Vec<Standing> {
        self.game.standings()
    }
}

/// A duration in tenths of a second, rounded, because the harness sleeps a few milliseconds.
pub(crate) fn tenths(duration: Duration) -> u128 {
    (duration.as_millis() + 50) / 100
}

/// A running arena.
pub(crate) struct Running {
    pub(crate) host: Host,
    pub(crate) start: mpsc::Sender<()>,
    pub(crate) shutdown: CancellationToken,
    results: mpsc::Receiver<GameResult>,
    arena: JoinHandle<EndReason>,
}

pub(crate) fn open(settings: Settings) -> Running {
    open_on(settings, map())
}

pub(crate) fn open_on(settings: Settings, map: Map) -> Running {
    open_with(settings, Box::new(Pacman::new(map, Rules::SUJET)))
}

pub(crate) fn open_with(settings: Settings, game: Box<dyn Game>) -> Running {
    run(Series::new(settings, game, 42))
}

/// An arena with an observer of its games.
pub(crate) fn observed(settings: Settings, observer: mpsc::Sender<Observation>) -> Running {
    let game = Box::new(Pacman::new(map(), Rules::SUJET));
    let (mut series, controls) = Series::new(settings, game, 42);
    series.observe(observer.into());
    run((series, controls))
}

fn run((series, controls): (Series, SeriesControls)) -> Running {
    let SeriesControls { host, start, shutdown, results, .. } = controls;
    Running { host, start, shutdown, results, arena: tokio::spawn(series.run()) }
}

impl Running {
    /// A connection from this machine that has not registered.
    pub(crate) fn connect(&self) -> Peer {
        self.connect_from(LOOPBACK)
    }

    pub(crate) fn connect_from(&self, address: IpAddr) -> Peer {
        self.connect_through(address, 64 * 1024)
    }

    /// A connection that holds `capacity` unread bytes.
    pub(crate) fn connect_through(&self, address: IpAddr, capacity: usize) -> Peer {
        Peer::connect(&self.host, address, capacity)
    }

    /// A registered connection.
    pub(crate) async fn register(&self, registration: &str) -> Peer {
        register_at(&self.host, registration).await
    }

    /// A player that answers every state well and at once.
    pub(crate) async fn good_player(&self, name: &str) -> JoinHandle<ConnectionEnd> {
        good_player_at(&self.host, name).await
    }

    pub(crate) async fn good_players<const N: usize>(&self) -> [JoinHandle<ConnectionEnd>; N] {
        let mut players = Vec::new();
        for number in 1..=N {
            players.push(self.good_player(&format!("good {number}")).await);
        }
        players.try_into().expect("as many as were made")
    }

    /// The next result of a game.
    pub(crate) async fn result(&mut self) -> GameResult {
        timeout(LONG, self.results.recv()).await.expect("the game ends").expect("a result")
    }

    /// Waits until the arena has ended.
    pub(crate) async fn end(self) -> EndReason {
        timeout(LONG, self.arena).await.expect("the arena ends").unwrap()
    }

    /// Waits for a game, and checks that all turns are played and that these well-behaved players end with `quit`. Returns
    /// the result, and the time it took from now on.
    pub(crate) async fn all_is_well(
        mut self,
        players: impl IntoIterator<Item = JoinHandle<ConnectionEnd>>,
    ) -> (GameResult, Duration) {
        let start = Instant::now();
        let result = self.result().await;
        let elapsed = start.elapsed();
        assert_eq!(result.elapsed, result.total, "all turns are played");
        for player in players {
            assert_eq!(player.await.unwrap(), ConnectionEnd::Quit);
        }
        assert_eq!(self.end().await, EndReason::Finished);
        (result, elapsed)
    }
}

/// A registered connection.
pub(crate) async fn register_at(host: &Host, registration: &str) -> Peer {
    let mut peer = Peer::connect(host, LOOPBACK, 64 * 1024);
    peer.send(registration).await;
    // The registration must arrive before the next one.
    tokio::time::sleep(Duration::from_millis(1)).await;
    peer
}

/// A player that answers every state well and at once.
pub(crate) async fn good_player_at(host: &Host, name: &str) -> JoinHandle<ConnectionEnd> {
    let theirs = connect(host, LOOPBACK, 64 * 1024);
    let registration = Registration { role: Role::Player, name: Name::new(name), secret: None };
    let mut bot = bots::by_name("prudent").unwrap().make(1);
    let playing = tokio::spawn(async move {
        client::play(
            theirs,
            &registration,
            ClientPacman::new(Rules::SUJET),
            Inline(bot.as_mut()),
            |_| {},
        )
        .await
        .unwrap()
    });
    tokio::time::sleep(Duration::from_millis(1)).await;
    playing
}

/// The peer's end of a new connection that holds `capacity` unread bytes.
pub(crate) fn connect(host: &Host, address: IpAddr, capacity: usize) -> DuplexStream {
    let (ours, theirs) = tokio::io::duplex(capacity);
    let (reader, writer) = tokio::io::split(ours);
    host.connect(reader, writer, address);
    theirs
}

/// A peer under the test's control.
pub(crate) struct Peer {
    stream: DuplexStream,
    decoder: FrameCodec,
    buffer: BytesMut,
    reader: StateReader,
    /// The maze of the current game of PyRat.
    maze: Option<Maze>,
}

/// A message to a peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    State(String, Reading),
    Maze(String, Maze),
    PyRat(String, pyrat::Reading),
    Quit,
    Refused,
}

impl Peer {
    /// A peer on a new connection that holds `capacity` unread bytes.
    pub(crate) fn connect(host: &Host, address: IpAddr, capacity: usize) -> Self {
        Self {
            stream: connect(host, address, capacity),
            decoder: FrameCodec::new(SERVER_FRAME_LIMIT),
            buffer: BytesMut::new(),
            reader: StateReader::new(),
            maze: None,
        }
    }

    /// Sends a whole message.
    pub(crate) async fn send(&mut self, message: &str) {
        self.send_raw(message.as_bytes()).await;
        self.send_raw(b"\0").await;
    }

    /// Sends bytes; ignores failures, because the server may close the connection.
    pub(crate) async fn send_raw(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes).await;
    }

    /// Closes the writing half; the peer still reads.
    pub(crate) async fn stop_writing(&mut self) {
        self.stream.shutdown().await.unwrap();
    }

    async fn frame(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.decoder.decode(&mut self.buffer).unwrap() {
                return Some(frame);
            }
            if self.stream.read_buf(&mut self.buffer).await.unwrap_or(0) == 0 {
                return None;
            }
        }
    }

    /// The next message; `None` when the connection is closed.
    pub(crate) async fn message(&mut self) -> Option<Message> {
        let frame = timeout(LONG, self.frame()).await.expect("a message, or the end")?;
        Some(match ServerMessage::decode(&frame).unwrap() {
            ServerMessage::State { id, state } => match &self.maze {
                None => Message::State(id.to_owned(), self.reader.read(state).unwrap().clone()),
                Some(maze) => {
                    Message::PyRat(id.to_owned(), pyrat::State::decode(maze, state).unwrap())
                }
            },
            ServerMessage::Maze { id, maze } => {
                let maze = Maze::decode(maze).unwrap();
                self.maze = Some(maze.clone());
                Message::Maze(id.to_owned(), maze)
            }
            ServerMessage::Quit => Message::Quit,
            ServerMessage::Refused => Message::Refused,
        })
    }

    /// The next message, which must be a state.
    pub(crate) async fn state(&mut self) -> Reading {
        self.addressed_state().await.1
    }

    /// The addressee and the content of the next message, which must be a state.
    pub(crate) async fn addressed_state(&mut self) -> (String, Reading) {
        match self.message().await {
            Some(Message::State(id, reading)) => (id, reading),
            other => panic!("expected a state, found {other:?}"),
        }
    }

    /// Answers every state with `orders` until another message. Returns the number of states, and that message.
    pub(crate) async fn answer_all(&mut self, orders: &str) -> (u32, Option<Message>) {
        let mut states = 0;
        loop {
            match self.message().await {
                Some(Message::State(..)) => states += 1,
                other => return (states, other),
            }
            self.send(orders).await;
        }
    }

    /// Checks that the server closes the connection, after the message `last` if there is one.
    pub(crate) async fn is_closed_after(&mut self, last: Option<Message>) {
        if last.is_some() {
            assert_eq!(self.message().await, last);
        }
        assert_eq!(self.message().await, None);
    }
}
