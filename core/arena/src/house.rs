//! Players of the house: bots that play as clients on a pipe inside the process.

use std::sync::Arc;

use client::{ClientPacman, ClientPyRat, Threaded};
use language::log;
use protocol::{Name, Registration, Role};
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

use crate::connection;
use crate::peer::Peer;
use crate::settings::HouseBot;

/// Capacity of a connection inside the process, in bytes.
const PIPE: usize = 64 * 1024;

/// Starts a bot of the house. It thinks on threads of its own, so a slow bot delays nobody, and has the same
/// deadlines as any other player. Returns its connection, and the task that serves it.
///
/// To be called within a tokio runtime.
pub(crate) fn connect(
    bot: HouseBot,
    seed: u64,
    peer: Peer,
    tasks: &TaskTracker,
) -> (Arc<Peer>, JoinHandle<()>) {
    let (ours, theirs) = tokio::io::duplex(PIPE);
    let (reader, writer) = tokio::io::split(ours);
    let peer = Arc::new(peer);
    let served = tasks.spawn(connection::serve_house(Arc::clone(&peer), reader, writer));
    let name = Name::new(bot.name());
    let registration = Registration { role: Role::Player, name, secret: None };
    tasks.spawn(async move {
        let played = match bot {
            HouseBot::Pacman(entry, rules) => {
                let mind = Threaded::new(entry.make(seed));
                client::play(theirs, &registration, ClientPacman::new(rules), mind, |_| {}).await
            }
            HouseBot::PyRat(entry) => {
                let mind = Threaded::new(entry.make(seed));
                client::play(theirs, &registration, ClientPyRat, mind, |_| {}).await
            }
        };
        if let Err(failure) = played {
            log!(
                error,
                "the house's {}: {failure}",
                "le bot {} de la maison : {failure}",
                bot.name()
            );
        }
    });
    (peer, served)
}
