//! A tournament of browsers, which come over a WebSocket each.

use std::net::TcpStream;
use std::thread;

use bots::{Situation, registry};
use game::colour::Colour;
use game::pacman::{Rules, StateReader};
use protocol::ServerMessage;
use tungstenite::Message;

use super::process::{Lan, PATIENCE};
use crate::{Folder, MAP};

const BROWSERS: usize = 30;
const TURNS: u32 = 60;
/// Deadline of a turn, unless the variable `DEADLINE` has another one. Long enough for 30 bots on a busy machine.
const DEADLINE: &str = "3s";

/// Plays all games with a bot of the house; returns the number of states answered.
fn play(port: u16, name: &str, bot: &registry::Entry<dyn bots::Bot>) -> usize {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let (mut socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}/ws"), stream).unwrap();
    socket.send(Message::text(format!("joueur;{name}"))).unwrap();
    let (mut bot, mut reader, mut answered) = (bot.make(1), StateReader::new(), 0);
    loop {
        let message = socket.read().unwrap().into_data();
        match ServerMessage::decode(&message).unwrap() {
            ServerMessage::State { id, state } => {
                let view = &reader.read(state).unwrap().view;
                let me = Colour::from_letter(id.chars().next().unwrap()).unwrap();
                let situation = Situation::new(view, me, &Rules::SUJET);
                if view.elapsed() == 0 {
                    bot.new_game(&situation);
                }
                let order = bot.play(&situation).encode();
                let order = String::from_utf8(order.to_vec()).unwrap();
                socket.send(Message::text(order)).unwrap();
                answered += 1;
            }
            other => {
                assert!(matches!(other, ServerMessage::Quit), "{other:?}");
                return answered;
            }
        }
    }
}

#[tokio::test]
async fn no_turn_is_missed_by_thirty_browsers_with_bots_of_their_own() {
    let folder = Folder::new();
    let deadline = std::env::var("DEADLINE").unwrap_or_else(|_| DEADLINE.to_owned());
    let [turns, browsers] = [TURNS as usize, BROWSERS].map(|number| number.to_string());
    let mut lan = Lan::start(
        &folder,
        &[
            &["--carte", MAP, "--formule", "suisse", "--manches", "1", "--duree", &turns][..],
            &["--delai", &deadline, "--web", "0", "--commencer-a", &browsers],
        ]
        .concat(),
    )
    .await;
    let port = lan.page().await.port;
    let quick = registry::ALL.iter().filter(|bot| bot.name != "champion").cycle();
    let players: Vec<_> = (0..BROWSERS)
        .zip(quick)
        .map(|(number, bot)| thread::spawn(move || play(port, &format!("browser {number}"), bot)))
        .collect();
    lan.says("they play").await;
    // The page stays after the end.
    lan.says("Ctrl-C").await;
    lan.signal("-INT");
    lan.end().await;
    let answered: usize = players.into_iter().map(|player| player.join().unwrap()).sum();
    let outcomes = folder.outcomes("tournoi.sqlite");
    assert!(outcomes.len() >= BROWSERS && outcomes.iter().all(|game| game.elapsed == TURNS));
    let seats = || outcomes.iter().flat_map(|game| &game.seats);
    let turns: u32 = seats().map(|seat| seat.thinking.answers).sum();
    let missed: u32 = seats().map(|seat| seat.thinking.missed()).sum();
    let longest = seats().map(|seat| seat.thinking.longest).max().unwrap();
    println!(
        "{BROWSERS} browsers, {} games, deadline {deadline}: {answered} states answered, {turns} turns counted, {missed} \
         missed, longest answer {longest:?}",
        outcomes.len()
    );
    assert_eq!(missed, 0);
    assert!(seats().all(|seat| seat.fault.is_none()));
}
