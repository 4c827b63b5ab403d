//! A full hall, over real sockets.

use std::net::SocketAddr;
use std::time::Duration;

use arena::hall::{GameRequest, Presence};
use client::{ClientPacman, Inline};
use game::pacman::Rules;
use protocol::Registration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::{ended, names, open, table};

/// The faults of every tenth team, one each.
const FAULTS: [Fault; 6] =
    [Fault::Silent, Fault::Deaf, Fault::Flood, Fault::Huge, Fault::Leaves, Fault::Junk];

#[derive(Clone, Copy)]
enum Fault {
    /// Reads, and never answers.
    Silent,
    /// Never reads.
    Deaf,
    /// Sends orders as fast as it can.
    Flood,
    /// After the first states, sends a message that is too long.
    Huge,
    /// Leaves after the first states, and comes back.
    Leaves,
    /// Answers with bytes that are no orders, half a message at a time.
    Junk,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_teams_play_at_sixteen_tables() {
    let hall = open();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let host = hall.controls.host.clone();
    let listening = tokio::spawn(async move { host.listen(listener).await });

    let mut good = Vec::new();
    let mut faulty = Vec::new();
    for team in 0..64 {
        let name = format!("joueur;team {team}");
        match FAULTS.get(team / 10).filter(|_| team % 10 == 9) {
            Some(fault) => faulty.push(tokio::spawn(misbehave(*fault, address, name))),
            None => good.push(play(address, &name)),
        }
        // The teams register in order of their numbers.
        let all = |teams: &Vec<_>| teams.len() == team + 1;
        hall.controls.teams().wait_for(all).await.unwrap();
    }
    assert_eq!((good.len(), faulty.len()), (58, 6));

    for round in 0..2 {
        let mut games = Vec::new();
        for first in 0..16 {
            // Both rounds mix the teams differently.
            let teams = [
                first,
                16 + (first + round) % 16,
                32 + (first + 2 * round) % 16,
                48 + (first + 3 * round) % 16,
            ];
            let deadline = Duration::from_millis(300);
            let game = hall.play(GameRequest { deadline, ..table(teams) }).await;
            games.push((teams, game));
        }
        for (teams, game) in games {
            let played = ended(game).await;
            assert_eq!(names(&played), teams.map(|team| format!("team {team}")));
        }
    }
    let is_gone = |team: &arena::hall::TeamPresence| team.presence == Presence::Gone;
    let gone = hall.controls.teams().borrow().iter().filter(|team| is_gone(team)).count();
    assert!(gone <= 6, "{gone} have left");
    for fault in faulty {
        fault.abort();
    }
    hall.close(good).await;
    listening.await.expect("who listens stops when the hall is closed");
}

/// Plays well until the end.
fn play(address: SocketAddr, registration: &str) -> JoinHandle<client::ConnectionEnd> {
    let registration = Registration::decode(registration.as_bytes()).unwrap();
    tokio::spawn(async move {
        let stream = TcpStream::connect(address).await.unwrap();
        let mut bot = bots::by_name("prudent").unwrap().make(1);
        client::play(
            stream,
            &registration,
            ClientPacman::new(Rules::SUJET),
            Inline(bot.as_mut()),
            |_| {},
        )
        .await
        .unwrap()
    })
}

async fn misbehave(fault: Fault, address: SocketAddr, registration: String) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let _ = stream.write_all(format!("{registration}\0").as_bytes()).await;
        // The server may close the connection at any moment.
        for read in 0.. {
            let done = match fault {
                Fault::Deaf => std::future::pending().await,
                Fault::Flood => stream.write_all(&b"NN\0".repeat(1000)).await.is_err(),
                _ => stream.read(&mut buffer).await.unwrap_or(0) == 0,
            };
            let answered = match fault {
                Fault::Huge if read == 5 => stream.write_all(&[b'N'; 5000]).await,
                Fault::Junk => stream.write_all(b"\xff\0\xc3").await,
                Fault::Leaves if read < 5 => stream.write_all(b"NN\0").await,
                _ => Ok(()),
            };
            if done || answered.is_err() || (matches!(fault, Fault::Leaves) && read == 5) {
                break;
            }
        }
    }
}
