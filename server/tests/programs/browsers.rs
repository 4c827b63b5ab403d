//! Players and spectators that come through the web page, each over a WebSocket.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use replay::{Recording, Turn, verify};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::frame::coding::{Data, OpCode};
use tungstenite::{Message, WebSocket};

use crate::web::{page_port, with_page};
use crate::web_load::{MEMORY, half_requests, peak};
use crate::{Server, from_environment, interrupt};

/// A connection to a server, of either kind.
enum Peer {
    Tcp(BufReader<TcpStream>),
    Web(Box<WebSocket<TcpStream>>),
}

impl Peer {
    fn send(&mut self, message: &str) {
        match self {
            Self::Tcp(stream) => {
                stream.get_mut().write_all(format!("{message}\0").as_bytes()).unwrap();
            }
            Self::Web(socket) => socket.send(Message::text(message)).unwrap(),
        }
    }

    /// The next message; `None` at the end.
    fn receive(&mut self) -> Option<String> {
        match self {
            Self::Tcp(stream) => {
                let mut bytes = Vec::new();
                stream.read_until(0, &mut bytes).unwrap();
                bytes.pop();
                (!bytes.is_empty()).then(|| String::from_utf8(bytes).unwrap())
            }
            Self::Web(socket) => match socket.read().unwrap() {
                Message::Text(text) => Some(text.to_string()),
                Message::Close(_) => None,
                other => panic!("{other:?}"),
            },
        }
    }

    /// Waits for a message that contains `text`.
    fn wait_for(&mut self, text: &str) {
        while !self.receive().unwrap().contains(text) {}
    }
}

/// Opens a WebSocket to the games on the page's port, as a program does, or as the page of an origin does.
fn browser(port: u16, origin: Option<&str>) -> WebSocket<TcpStream> {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut request = format!("ws://127.0.0.1:{port}/ws").into_client_request().unwrap();
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().unwrap());
    }
    tungstenite::client(request, stream).unwrap().0
}

fn web_peer(port: u16, origin: Option<&str>) -> Peer {
    Peer::Web(Box::new(browser(port, origin)))
}

/// Reads until a close frame; returns its code and reason.
fn farewell(socket: &mut WebSocket<TcpStream>) -> (CloseCode, String) {
    loop {
        if let Message::Close(frame) = socket.read().unwrap() {
            let frame = frame.unwrap();
            return (frame.code, frame.reason.to_string());
        }
    }
}

/// Plays a game of four players, who register one after the other; `is_web` says over what. A spectator watches over the
/// other kind of connection than the first player. Returns the recording.
fn played(is_web: [bool; 4], file: &Path) -> Recording {
    let flags = ["--graine", "7", "--delai", "20s", "--enregistrer", file.to_str().unwrap()];
    let (mut server, port) = with_page(&flags);
    let connect = |is_web: bool| {
        if is_web { web_peer(port, None) } else { Peer::Tcp(BufReader::new(server.connect())) }
    };
    let mut spectator = connect(!is_web[0]);
    spectator.send("afficheur;Beamer");
    let mut players = Vec::new();
    for (name, is_web) in ["Ada", "Bob", "Eve", "Zoé"].into_iter().zip(is_web) {
        let mut player = connect(is_web);
        player.send(&format!("joueur;{name}"));
        // Colours follow the order of registration.
        spectator.wait_for(&format!(";{name}\n"));
        players.push(std::thread::spawn(move || {
            let (mut states, mut last) = (0, None);
            while last.as_deref() != Some("quit\n") {
                last = player.receive();
                if last.as_ref().unwrap().starts_with("jeu;") {
                    let order: String =
                        "NESO".chars().cycle().skip(states * 7 / 3).step_by(3).take(2).collect();
                    player.send(&order);
                    states += 1;
                }
            }
            states
        }));
    }
    for player in players {
        assert_eq!(player.join().unwrap(), 31);
    }
    spectator.wait_for("quit\n");
    drop(spectator);
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
    let recording = Recording::open(file).unwrap();
    assert_eq!(verify(&recording), Ok(()));
    recording
}

#[test]
fn games_over_web_sockets_equal_those_over_tcp() {
    let folder = tempfile::tempdir().unwrap();
    let play = |is_web, name| played(is_web, &folder.path().join(name));
    let answers = |recording: &Recording| {
        let turns = recording.turns.iter();
        let answers =
            |turn: Turn| turn.answers.iter().map(|given| given.answer).collect::<Vec<_>>();
        turns.map(answers).collect::<Vec<_>>()
    };
    let tcp = play([false; 4], "tcp.rejeu");
    assert_eq!(tcp.turn(), 30);
    for (is_web, name) in [([true; 4], "web.rejeu"), ([true, false, false, true], "mixed.rejeu")] {
        let web = play(is_web, name);
        assert_eq!(web.setup, tcp.setup);
        assert_eq!(web.checkpoints, tcp.checkpoints);
        assert_eq!(answers(&web), answers(&tcp), "{name}");
    }
}

#[test]
fn only_pages_of_this_server_and_named_sites_play_and_others_are_told() {
    let (server, port) = with_page(&["--joueurs", "2"]);
    let mut foreign = browser(port, Some("https://evil.example"));
    let (code, reason) = farewell(&mut foreign);
    assert_eq!(code, CloseCode::Policy);
    assert!(reason.contains("--embeddable-by"), "{reason}");
    let mut own = web_peer(port, Some(&format!("http://127.0.0.1:{port}")));
    own.send("afficheur;Beamer");
    own.wait_for("jeu;1\n");
    drop(server);
    let (_server, port) = with_page(&["--integrable-par", "file://"]);
    let mut file = web_peer(port, Some("null"));
    file.send("afficheur;Beamer");
    file.wait_for("jeu;1\n");
}

/// A frame as it is, whatever the protocol says of it.
fn frame(data: Data, payload: Vec<u8>, is_final: bool) -> Message {
    Message::Frame(Frame::message(payload, OpCode::Data(data), is_final))
}

#[test]
fn who_breaks_a_limit_is_told_why_and_closed() {
    let (_server, port) = with_page(&["--joueurs", "2", "--max-afficheurs", "0"]);
    let policy = CloseCode::Policy;
    let mut silent = browser(port, None);
    for (messages, code, why) in [
        (vec![Message::text("Joueur;Ada")], policy, "expected \"joueur;NAME\""),
        (vec![Message::text("afficheur;Beamer")], policy, "Beamer is refused"),
        (vec![Message::text("joueur;Ada\0")], policy, "without a NUL"),
        (vec![Message::binary(b"joueur;Ada".to_vec())], CloseCode::Unsupported, "binary"),
        (vec![Message::text("x".repeat(1025))], CloseCode::Size, "at most 1024 bytes"),
        (
            [frame(Data::Text, vec![], false)]
                .into_iter()
                .chain(std::iter::repeat_n(frame(Data::Continue, vec![], false), 2000))
                .collect(),
            CloseCode::Size,
            "at most 1024 bytes",
        ),
        (vec![frame(Data::Text, b"\xff".to_vec(), true)], CloseCode::Invalid, "UTF-8"),
        (vec![Message::Ping(vec![0; 125].into()); 20], policy, "too many pings"),
    ] {
        let mut socket = browser(port, None);
        for message in messages {
            // The server may have closed.
            let _ = socket.send(message);
        }
        let (found, reason) = farewell(&mut socket);
        assert!(found == code && reason.contains(why), "{found}: {reason}");
    }
    let (found, reason) = farewell(&mut silent);
    assert!(found == policy && reason.contains("no registration in time"), "{found}: {reason}");
}

/// Answers states until a game's farewell; returns how many came.
fn answer_all(mut player: Peer) -> usize {
    let mut states = 0;
    loop {
        let message = player.receive().unwrap();
        if message == "quit\n" {
            return states;
        }
        player.send("NE");
        states += 1;
    }
}

#[test]
fn hostile_browsers_harm_nobody() {
    let crowd = from_environment("CROWD", 400) as usize;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.rejeu");
    let game = ["--carte", "cartes/petit.txt", "--duree", "200", "--delai", "1s"];
    let flags = ["--web", "0", "--joueurs", "3", "--enregistrer", file.to_str().unwrap()];
    let mut server = Server::play(&game, &flags);
    let port = page_port(&mut server);
    let mut spectator = web_peer(port, None);
    spectator.send("afficheur;Beamer");
    let mut register = |mut player: Peer, name: &str| {
        player.send(&format!("joueur;{name}"));
        spectator.wait_for(&format!(";{name}\n"));
        player
    };
    let ada = register(web_peer(port, None), "Ada");
    let bob = register(Peer::Tcp(BufReader::new(server.connect())), "Bob");

    // Some never end their requests, and some never register.
    let half = half_requests(port, crowd);
    let silent: Vec<_> = (0..crowd).map(|_| browser(port, None)).collect();
    // Nobody reads these: spectators, one who sends pings, and one who begins huge frames and fragments without end.
    let mut deaf: Vec<_> = (0..8).map(|_| browser(port, None)).collect();
    for socket in &mut deaf {
        socket.send(Message::text("afficheur;Deaf")).unwrap();
    }
    let mut pings = browser(port, None);
    let mut fragments = browser(port, None);
    let _ = fragments.send(frame(Data::Text, vec![b'x'], false));
    for _ in 0..20_000 {
        let _ = pings.send(Message::Ping(vec![0; 125].into()));
        let _ = fragments.send(frame(Data::Continue, vec![], false));
    }
    // The last player floods, and reads nothing; the game begins with it.
    let mut flood = browser(port, None);
    flood.get_ref().set_write_timeout(Some(Duration::from_millis(100))).unwrap();
    flood.send(Message::text("joueur;Flood")).unwrap();
    let flooding = std::thread::spawn(move || {
        for _ in 0..100_000 {
            if flood.send(Message::text("NE")).is_err() {
                break;
            }
        }
        flood
    });
    let players = [ada, bob].map(|player| std::thread::spawn(move || answer_all(player)));
    for player in players {
        assert_eq!(player.join().unwrap(), 201);
    }
    assert!(peak(&server) < MEMORY, "{} KiB", peak(&server));
    drop((half, silent, deaf, pings, fragments, flooding.join().unwrap()));
    interrupt(&server.process);
    assert_eq!(server.end().0, Some(0));
    let recording = Recording::open(&file).unwrap();
    assert_eq!(recording.turn(), 200);
    let missed = |turn: Turn| turn.answers[..2].iter().any(|given| given.cause.is_some());
    assert_eq!(recording.turns.iter().filter(|turn| missed(turn.clone())).count(), 0);
}
