//! The examples of PROTOCOL.md are correct.

use game::pacman::{
    ColourSet, Event, Map, Orders, Reading, Rules, Scripted, State, StateReader, StateText,
};
use game::pyrat::{self, Action, Maze};
use protocol::{
    CLIENT_FRAME_LIMIT, DEFAULT_PORT, Registration, SERVER_FRAME_LIMIT, ServerMessage,
    THOUGHT_LIMIT,
};

const PROTOCOL: &str = include_str!("../../PROTOCOL.md");

/// A fenced block: its mark, and its text with `⏎` replaced by newlines.
struct Example {
    mark: &'static str,
    text: String,
}

/// A message of a conversation.
#[derive(Debug)]
enum Message {
    Registration,
    Orders { of: usize, orders: Orders },
    State { id: String, state: String },
    Quit,
    Refused,
}

/// All blocks, in the order of the document.
fn examples() -> Vec<Example> {
    let mut lines = PROTOCOL.lines();
    let mut examples = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(mark) = line.strip_prefix("```") {
            let text = lines.by_ref().take_while(|line| *line != "```").collect::<String>();
            examples.push(Example { mark, text: with_newlines(&text) });
        }
    }
    examples
}

fn with_newlines(text: &str) -> String {
    text.replace('⏎', "\n")
}

/// The messages of the document, each one checked.
fn conversation() -> Vec<Message> {
    let message = |example: &Example| match example.mark.split_once(' ') {
        Some(("message", way)) => match way.split_once(' ') {
            Some(("client", peer)) => Some(from_client(peer, &example.text)),
            Some(("server", peer)) => Some(from_server(peer, &example.text)),
            _ => panic!("{:?} is no mark of a message", example.mark),
        },
        _ => None,
    };
    examples().iter().filter_map(message).collect()
}

fn from_client(peer: &str, text: &str) -> Message {
    assert!(text.len() <= CLIENT_FRAME_LIMIT);
    if let Ok(registration) = Registration::decode(text.as_bytes()) {
        assert_eq!(registration.encode(), text);
        return Message::Registration;
    }
    let orders = Orders::decode(text.as_bytes());
    assert_eq!(orders.encode(), *text.as_bytes(), "{text:?} is neither registration nor orders");
    assert!(orders.pacman.is_some() && orders.ghost.is_some(), "{text:?} is malformed");
    let of = ["A", "B"].iter().position(|player| *player == peer);
    Message::Orders { of: of.unwrap_or_else(|| panic!("{peer} does not play")), orders }
}

fn from_server(peer: &str, text: &str) -> Message {
    assert!(text.len() <= SERVER_FRAME_LIMIT);
    let decoded = ServerMessage::decode(text.as_bytes()).expect("a message of a server");
    let mut encoded = Vec::new();
    decoded.encode(&mut encoded);
    assert_eq!(encoded, text.as_bytes());
    match decoded {
        ServerMessage::Quit => Message::Quit,
        ServerMessage::Refused => Message::Refused,
        ServerMessage::Maze { .. } => panic!("{peer} plays Pacman"),
        ServerMessage::State { id, state } => {
            assert_eq!(id, peer, "a state is addressed to its receiver");
            let Reading { view, names } = read(state);
            let state = str::from_utf8(state).expect("a part of the document");
            let written = StateText::new(names).write(&view).to_vec();
            assert_eq!(str::from_utf8(&written), Ok(state));
            Message::State { id: id.to_owned(), state: state.to_owned() }
        }
    }
}

fn read(state: &[u8]) -> Reading {
    StateReader::new().read(state).unwrap_or_else(|error| panic!("{error}")).clone()
}

#[test]
fn every_block_has_a_known_mark() {
    for Example { mark, .. } in examples() {
        let kind = mark.split(' ').next();
        // A program of a page has no message of its own.
        assert!(matches!(kind, Some("message" | "map" | "abnf" | "pyrat" | "js")), "{mark:?}");
    }
}

#[test]
fn there_is_an_example_of_every_message() {
    let messages = conversation();
    let is_there = |kind: fn(&Message) -> bool| messages.iter().any(kind);
    assert!(is_there(|m| matches!(m, Message::Registration)), "a registration");
    assert!(is_there(|m| matches!(m, Message::Orders { .. })), "orders");
    assert!(is_there(|m| matches!(m, Message::State { .. })), "a state");
    assert!(is_there(|m| matches!(m, Message::Quit)), "quit");
    assert!(is_there(|m| matches!(m, Message::Refused)), "refused");
}

#[test]
fn maps_print_as_they_are_written() {
    let maps: Vec<_> = examples().into_iter().filter(|example| example.mark == "map").collect();
    assert!(!maps.is_empty());
    for Example { text, .. } in maps {
        assert_eq!(Map::parse(text.as_bytes()).unwrap().to_string(), text);
        let played = conversation();
        assert!(
            played
                .iter()
                .any(|m| matches!(m, Message::State { state, .. } if state.contains(&text))),
            "the map of the conversation"
        );
    }
}

/// The states that A receives follow from the orders, and the spectator's lie between them.
#[test]
fn the_conversation_is_a_game() {
    let mut game: Option<(State, StateText)> = None;
    let mut orders = [Orders::default(); 2];
    let mut seen_on_the_way = Vec::new();
    for message in conversation() {
        match message {
            Message::Orders { of, orders: given } => orders[of] = given,
            Message::State { id, state } if id != "A" => seen_on_the_way.push(state),
            Message::State { state, .. } => match &mut game {
                None => {
                    let Reading { view, names } = read(state.as_bytes());
                    let start = State::from_view(view, Rules::SUJET, ColourSet::EMPTY);
                    game = Some((start, StateText::new(names)));
                }
                Some((game, text)) => {
                    let mut steps = Vec::new();
                    game.play_turn(&orders, &mut Scripted::default(), |event, game| {
                        if matches!(event, Event::Done(_)) {
                            steps.push(text.write(game.view()).to_vec());
                        }
                    });
                    assert_eq!(str::from_utf8(text.write(game.view())), Ok(state.as_str()));
                    for seen in seen_on_the_way.drain(..) {
                        assert!(steps.iter().any(|step| step == seen.as_bytes()), "{seen}");
                    }
                    orders = [Orders::default(); 2];
                }
            },
            Message::Registration | Message::Quit | Message::Refused => {}
        }
    }
    let (game, text) = game.expect("a state for A");
    assert!(game.view().is_over() && seen_on_the_way.is_empty());
    let lines = text.names().iter().zip(game.view().players());
    let scores: Vec<_> = lines.map(|(name, player)| format!("{name};{}⏎", player.points)).collect();
    let scores = scores.concat();
    assert!(PROTOCOL.contains(&scores), "{scores}");
}

/// The states of the conversation in PyRat follow from the maze, the first one, and the answers.
#[test]
fn the_conversation_in_pyrat_is_a_game() {
    let (mut maze, mut game, mut answer) = (None, None, Action::Missed);
    let mut names = Vec::new();
    for Example { mark, text } in examples() {
        match mark {
            "pyrat client A" if Registration::decode(text.as_bytes()).is_ok() => {}
            "pyrat client A" => answer = Action::decode(text.as_bytes()),
            "pyrat server A" => match ServerMessage::decode(text.as_bytes()).unwrap() {
                ServerMessage::Maze { id: "A", maze: text } => {
                    let read = Maze::decode(text).unwrap();
                    let mut written = Vec::new();
                    read.encode(&mut written);
                    assert_eq!(written, text);
                    maze = Some(read);
                }
                ServerMessage::State { id: "A", state } => {
                    let maze = maze.as_ref().expect("the maze comes first");
                    match &mut game {
                        None => {
                            let read = pyrat::State::decode(maze, state).unwrap();
                            (game, names) = (Some(read.state), read.names);
                        }
                        Some(game) => game.play_turn(&[answer]),
                    }
                    let mut written = Vec::new();
                    game.as_ref().expect("just set").encode(&names, &mut written);
                    assert_eq!(str::from_utf8(&written), str::from_utf8(state));
                }
                ServerMessage::Quit => assert!(game.as_ref().is_some_and(pyrat::State::is_over)),
                other => panic!("{other:?}"),
            },
            _ => {}
        }
    }
    let rats = game.expect("a state").rats().to_vec();
    assert!(PROTOCOL.contains(&format!("`{};{}⏎`", names[0], rats[0].score)));
}

#[test]
fn numbers_are_those_of_the_code() {
    for number in [
        format!("port {DEFAULT_PORT} "),
        format!("| message of a client | {CLIENT_FRAME_LIMIT} bytes |"),
        format!("| thought | {THOUGHT_LIMIT} bytes |"),
        format!("| message of a server | {SERVER_FRAME_LIMIT} bytes |"),
    ] {
        assert!(PROTOCOL.contains(&number), "{number}");
    }
}
