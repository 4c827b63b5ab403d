//! Finding a server, and coming back when the line drops.

use std::io;
use std::time::Duration;

use bots::Bot;
use game::pacman::Rules;
use protocol::Registration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};
use tracing::{info, warn};

use crate::{End, PlayError, Seen, play};

/// Between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(250);
/// For one attempt to connect.
const CONNECT: Duration = Duration::from_secs(5);

/// Where to play, as whom, and how.
#[derive(Clone, Debug)]
pub struct Session {
    /// Host and port.
    pub server: (String, u16),
    /// Who registers.
    pub registration: Registration,
    /// The rules that the server plays by.
    pub rules: Rules,
    /// How long to look for a server that is not there, or no longer.
    pub patience: Duration,
}

/// Why a session did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Nobody listens there, or not for long enough.
    #[error("no server at {server} within {patience:?}: {reason}")]
    NotThere {
        /// Host and port.
        server: String,
        /// How long it was looked for.
        patience: Duration,
        /// The last failure.
        reason: io::Error,
    },
    /// The line dropped, and coming back failed.
    #[error("the connection to {server} is gone, and did not come back within {patience:?}")]
    Gone {
        /// Host and port.
        server: String,
        /// How long it was tried.
        patience: Duration,
    },
    /// There is no seat for this team.
    #[error("{server} refused the team: all seats are taken, or the game is running")]
    Refused {
        /// Host and port.
        server: String,
    },
    /// The server does not speak the protocol.
    #[error("{server}: {source}")]
    Protocol {
        /// Host and port.
        server: String,
        /// What it did.
        source: PlayError,
    },
}

impl Session {
    /// Plays until the server says that it is over. When the line drops, the same team registers
    /// again and so takes its seat back.
    ///
    /// # Errors
    ///
    /// When there is no server, or none any more, and when it refuses or breaks the protocol.
    pub async fn run(
        &self,
        bot: &mut dyn Bot,
        mut watch: impl FnMut(Seen<'_>),
    ) -> Result<(), SessionError> {
        let server = format!("{}:{}", self.server.0, self.server.1);
        let mut seated = false;
        let mut give_up = Instant::now() + self.patience;
        let mut announced = false;
        loop {
            let failure = match connect(&self.server).await {
                Ok(stream) => {
                    info!("connected to {server} as {}", self.registration.name);
                    let mut states = 0_u64;
                    let count = |seen: Seen<'_>| {
                        states += 1;
                        watch(seen);
                    };
                    let end = play(stream, &self.registration, bot, &self.rules, count).await;
                    if states > 0 {
                        seated = true;
                        give_up = Instant::now() + self.patience;
                    }
                    match end {
                        Ok(End::Quit) => return Ok(()),
                        // The server may not have noticed yet that the old connection is gone.
                        Ok(End::Refused) if !seated => {
                            return Err(SessionError::Refused { server });
                        }
                        Ok(End::Refused) => warn!("the seat is not free yet"),
                        Ok(End::Lost) => warn!("the connection is gone, trying again"),
                        Err(source) => return Err(SessionError::Protocol { server, source }),
                    }
                    None
                }
                Err(failure) => {
                    if !announced {
                        info!("waiting for a server at {server}");
                        announced = true;
                    }
                    Some(failure)
                }
            };
            if Instant::now() + PAUSE > give_up {
                let patience = self.patience;
                return Err(match failure {
                    Some(reason) if !seated => SessionError::NotThere { server, patience, reason },
                    _ => SessionError::Gone { server, patience },
                });
            }
            sleep(PAUSE).await;
        }
    }
}

async fn connect((host, port): &(String, u16)) -> io::Result<TcpStream> {
    let stream = timeout(CONNECT, TcpStream::connect((host.as_str(), *port)))
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}
