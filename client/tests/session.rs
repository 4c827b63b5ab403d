//! Sessions with servers that are not there, drop the line, or talk nonsense.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use bots::{Bot, Situation};
use client::{ClientPacman, Line, News, Session, SessionError};
use game::pacman::{Direction, Map, Orders, Rules, Scripted, Seeded, State, StateText, View};
use protocol::{Name, Registration, Role, Secret};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

const PATIENCE: Duration = Duration::from_secs(3);

async fn listen() -> (TcpListener, Session) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let registration = Registration {
        role: Role::Player,
        name: Name::new("Ada"),
        secret: Secret::new("correcthorse"),
    };
    let server = ("127.0.0.1".to_owned(), listener.local_addr().unwrap().port());
    (listener, Session { server, registration, patience: PATIENCE })
}

async fn run(session: &Session) -> Result<(), SessionError> {
    let mut bot = bots::by_name("prudent").unwrap().make(1);
    session.play(ClientPacman::new(Rules::SUJET), bot.as_mut(), |_| {}).await
}

/// A connection of the client, whose registration has been read.
async fn accept(listener: &TcpListener) -> TcpStream {
    let (mut stream, _) = listener.accept().await.unwrap();
    assert_eq!(receive(&mut stream).await, "joueur;Ada#correcthorse");
    stream
}

async fn receive(stream: &mut TcpStream) -> String {
    let mut message = Vec::new();
    loop {
        match stream.read_u8().await.unwrap() {
            0 => return String::from_utf8(message).unwrap(),
            byte => message.push(byte),
        }
    }
}

fn state() -> Vec<u8> {
    let map: Map = "3;6\n######\n#    #\n######\n".parse().unwrap();
    let state = State::start(&map, Rules::SUJET, 5, 1, &mut Seeded::new(1));
    let mut message = b"jeu;A\n".to_vec();
    message.extend(StateText::new(vec!["Ada".to_owned()]).write(state.view()));
    message.push(0);
    message
}

#[tokio::test]
async fn it_comes_back_as_the_same_team_when_the_line_drops() {
    let (listener, session) = listen().await;
    let server = async {
        for _ in 0..2 {
            let mut stream = accept(&listener).await;
            stream.write_all(&state()).await.unwrap();
            let orders = receive(&mut stream).await;
            assert!(orders.chars().all(|c| "NESO".contains(c)) && orders.len() == 2, "{orders}");
        }
        // The seat is not free at once.
        accept(&listener).await.write_all(b"refused\n\0").await.unwrap();
        accept(&listener).await.write_all(b"quit\n\0").await.unwrap();
    };
    let (ended, ()) = tokio::join!(run(&session), server);
    ended.unwrap();
}

/// A bot that writes down what it is told, and stays.
#[derive(Default)]
struct Witness {
    new_games: u32,
    /// Turns played, those of the state before, and the number of events of the last turn.
    told: Vec<(u32, Option<u32>, usize)>,
}

impl Bot for Witness {
    fn new_game(&mut self, _: &Situation<'_>) {
        self.new_games += 1;
    }

    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        assert_eq!(situation.names, ["Ada"]);
        let before = situation.before.map(View::elapsed);
        self.told.push((situation.view.elapsed(), before, situation.events().len()));
        Orders::default()
    }
}

#[tokio::test]
async fn a_bot_is_told_names_and_the_turn_before() {
    let (listener, session) = listen().await;
    let server = async {
        let mut stream = accept(&listener).await;
        let mut text = StateText::new(vec!["Ada".to_owned()]);
        for shown in [&[0, 1, 3][..], &[0]] {
            let map: Map = "3;6\n######\n#    #\n######\n".parse().unwrap();
            let mut chance = Scripted::default();
            let mut state = State::start(&map, Rules::SUJET, 5, 1, &mut chance);
            for turn in 0..4 {
                if shown.contains(&turn) {
                    stream.write_all(b"jeu;A\n").await.unwrap();
                    stream.write_all(text.write(state.view())).await.unwrap();
                    stream.write_all(b"\0").await.unwrap();
                    receive(&mut stream).await;
                }
                let east = Orders { pacman: Some(Direction::East), ghost: None };
                state.play_turn(&[east], &mut chance, |_, _| {});
            }
        }
        stream.write_all(b"quit\n\0").await.unwrap();
    };
    let mut witness = Witness::default();
    let game = ClientPacman::new(Rules::SUJET);
    let (ended, ()) = tokio::join!(session.play(game, &mut witness, |_| {}), server);
    ended.unwrap();
    assert_eq!(witness.new_games, 2);
    assert_eq!(witness.told, [(0, None, 0), (1, Some(0), 2), (3, None, 0), (0, None, 0)]);
}

#[tokio::test]
async fn it_waits_for_a_server_that_starts_later() {
    let (listener, session) = listen().await;
    let address = listener.local_addr().unwrap();
    drop(listener);
    let server = async {
        tokio::time::sleep(PATIENCE / 4).await;
        let listener = TcpListener::bind(address).await.unwrap();
        accept(&listener).await.write_all(b"quit\n\0").await.unwrap();
    };
    let (ended, ()) = tokio::join!(run(&session), server);
    ended.unwrap();
}

#[tokio::test]
async fn what_goes_wrong_is_told_apart() {
    let (listener, session) = listen().await;
    let refuse = async { accept(&listener).await.write_all(b"refused\n\0").await.unwrap() };
    let (ended, ()) = tokio::join!(run(&session), refuse);
    assert!(matches!(ended, Err(SessionError::Refused { .. })), "{ended:?}");

    for nonsense in [&b"hello\n\0"[..], b"jeu;A\n1;2\n\0", &vec![b'x'; 2 << 20]] {
        let talk = async {
            // The client may hang up before it has heard all of it.
            let _ = accept(&listener).await.write_all(nonsense).await;
        };
        let (ended, ()) = tokio::join!(run(&session), talk);
        assert!(matches!(ended, Err(SessionError::Protocol { .. })), "{ended:?}");
    }

    drop(listener);
    let ended = run(&session).await;
    assert!(matches!(ended, Err(SessionError::NotThere { .. })), "{ended:?}");
}

#[tokio::test]
async fn a_spectator_hears_of_every_state_and_of_the_line() {
    let (listener, mut session) = listen().await;
    session.registration.role = Role::Spectator;
    session.registration.secret = None;
    let (sender, mut news) = mpsc::channel(1);
    let server = async {
        for states in [2, 1] {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert_eq!(receive(&mut stream).await, "afficheur;Ada");
            for _ in 0..states {
                stream.write_all(&state()).await.unwrap();
            }
        }
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"quit\n\0").await.unwrap();
    };
    let heard = async {
        let mut heard = Vec::new();
        while let Some(news) = news.recv().await {
            heard.push(match news {
                News::Line(line) => Some(line),
                News::PyRat(_) => panic!("the server plays Pacman"),
                News::State(reading) => {
                    assert_eq!(reading.names, ["Ada"]);
                    None
                }
            });
        }
        heard
    };
    let watch = async move { session.watch(&sender).await };
    let (ended, (), heard) = tokio::join!(watch, server, heard);
    ended.unwrap();
    let (connected, lost) = (Some(Line::Connected), Some(Line::Lost));
    assert_eq!(heard, [connected, None, None, lost, connected, None, lost, connected]);
}
