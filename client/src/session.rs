//! Connecting to a server, and reconnecting when the connection is lost.

use std::io;
use std::time::Duration;

use game::colour::Colour;
use language::{colon, log, said};
use protocol::{Registration, Role};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use crate::games::{ClientGame, Seen};
use crate::states::GameReading;
use crate::{ConnectionEnd, Inline, ProtocolError, play, watch};

/// Pause between the first two attempts to connect; each later pause is twice as long, up to [`LONGEST_PAUSE`].
const PAUSE: Duration = Duration::from_millis(250);
/// Maximum pause between two attempts to connect.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// Time-out of one attempt to connect.
const CONNECT: Duration = Duration::from_secs(5);

/// Address of the server, and the role there.
#[derive(Clone, Debug)]
pub struct Session {
    /// Host and port.
    pub server: (String, u16),
    /// Registration of the client.
    pub registration: Registration,
    /// Maximum time to look for a server that is absent or gone.
    pub patience: Duration,
}

/// State of the connection to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// No server listens at the address yet.
    Waiting,
    /// The client is connected.
    Connected,
    /// The connection is lost, and a new one is tried.
    Lost,
    /// The server still holds the seat for the lost connection.
    NotFree,
}

/// A message to a spectator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The state of the connection has changed.
    Line(Line),
    /// A state of Pacman has come.
    State(game::pacman::Reading),
    /// A state of PyRat has come.
    PyRat(game::pyrat::Reading),
}

/// The reason why a session failed.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No server listens at the address.
    #[error("{}", said!(
        "no server at {server} within {patience:?}: {reason}{}",
        "pas de serveur à {server} en {patience:?} : {reason}{}",
        advice(.reason)
    ))]
    NotThere {
        /// Host and port.
        server: String,
        /// Duration of the search.
        patience: Duration,
        /// The last failure.
        reason: io::Error,
    },
    /// The connection was lost, and reconnecting failed.
    #[error("{}", said!(
        "the connection to {server} is gone, and did not come back within {patience:?}",
        "la connexion à {server} est perdue, et n'a pas été rétablie en {patience:?}"
    ))]
    Gone {
        /// Host and port.
        server: String,
        /// Duration of the attempts.
        patience: Duration,
    },
    /// The server refused the registration.
    #[error("{}", said!(
        "{server} refused the {}",
        "{server} a refusé {}",
        refused(*role)
    ))]
    Refused {
        /// Host and port.
        server: String,
        /// The role that was asked for.
        role: Role,
    },
    /// The server broke the protocol.
    #[error("{server}{}{source}", colon())]
    Protocol {
        /// Host and port.
        server: String,
        /// The violation of the protocol.
        source: ProtocolError,
    },
}

impl Session {
    /// Plays until the server ends the games. When the connection is lost, the same team registers again, which gives it its
    /// seat back.
    ///
    /// # Errors
    ///
    /// If there is no server, or it disappears, refuses the registration or breaks the protocol.
    pub async fn play<G: ClientGame>(
        &self,
        game: G,
        bot: &mut G::Bot,
        mut watch: impl FnMut(Seen<'_, G::State>),
    ) -> Result<(), SessionError> {
        let talk = async |stream, heard: &mut bool| {
            let seen = |seen: Seen<'_, G::State>| {
                self.log_name(seen.names, seen.me, *heard);
                *heard = true;
                watch(seen);
            };
            play(stream, &self.registration, game.clone(), Inline(&mut *bot), seen).await
        };
        self.run(talk, async |line| self.log(line)).await
    }

    /// Watches until the server ends the games, and registers again when the connection is lost. Waits while `news` is full.
    ///
    /// # Errors
    ///
    /// As [`play`](Self::play).
    pub async fn watch(&self, news: &mpsc::Sender<News>) -> Result<(), SessionError> {
        // The receiver may be dropped.
        let tell = async |told| drop(news.send(told).await);
        let talk = async |stream, heard: &mut bool| {
            let show = async |reading: GameReading<'_>| {
                *heard = true;
                tell(match reading {
                    GameReading::Pacman(reading) => News::State(reading.clone()),
                    GameReading::PyRat(reading) => News::PyRat(reading),
                })
                .await;
            };
            watch(stream, &self.registration, show).await
        };
        self.run(talk, async |line| tell(News::Line(line)).await).await
    }

    /// Connects to the server and talks with it, again whenever the connection is lost. `talk` sets its flag once it has
    /// received a state.
    async fn run(
        &self,
        mut talk: impl AsyncFnMut(TcpStream, &mut bool) -> Result<ConnectionEnd, ProtocolError>,
        mut tell: impl AsyncFnMut(Line),
    ) -> Result<(), SessionError> {
        let server = self.address();
        let mut seated = false;
        let mut give_up = Instant::now() + self.patience;
        let mut announced = false;
        let mut pause = PAUSE;
        loop {
            let failure = match connect(&self.server).await {
                Ok(stream) => {
                    tell(Line::Connected).await;
                    let mut heard = false;
                    let connected = Instant::now();
                    let end = talk(stream, &mut heard).await;
                    seated |= heard;
                    // A server that hangs up at once is as good as none.
                    if heard || connected.elapsed() > LONGEST_PAUSE {
                        give_up = Instant::now() + self.patience;
                        pause = PAUSE;
                    }
                    match end {
                        Ok(ConnectionEnd::Quit) => return Ok(()),
                        // The server may not have noticed yet that the old connection is gone.
                        Ok(ConnectionEnd::Refused) if !seated => {
                            let role = self.registration.role;
                            return Err(SessionError::Refused { server, role });
                        }
                        Ok(ConnectionEnd::Refused) => tell(Line::NotFree).await,
                        Ok(ConnectionEnd::Lost) => tell(Line::Lost).await,
                        Err(source) => return Err(SessionError::Protocol { server, source }),
                    }
                    None
                }
                Err(failure) => {
                    if !announced {
                        tell(Line::Waiting).await;
                        announced = true;
                    }
                    Some(failure)
                }
            };
            if Instant::now() + pause > give_up {
                let patience = self.patience;
                return Err(match failure {
                    Some(reason) if !seated => SessionError::NotThere { server, patience, reason },
                    _ => SessionError::Gone { server, patience },
                });
            }
            sleep(pause).await;
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    /// Logs the name that the server gives the team if the team asked for another one, once for each connection.
    fn log_name(&self, names: &[String], me: Colour, is_known: bool) {
        let asked = self.registration.name.to_string();
        if let Some(name) = names.get(me.index()).filter(|name| !is_known && **name != asked) {
            log!(
                info,
                "the server calls this team {name:?}",
                "le serveur appelle cette équipe {name:?}"
            );
        }
    }

    /// Logs the state of the connection.
    pub fn log(&self, line: Line) {
        let server = self.address();
        match line {
            Line::Waiting => {
                log!(
                    info,
                    "waiting for a server at {server}",
                    "en attente d'un serveur à {server}"
                );
            }
            Line::Connected => log!(
                info,
                "connected to {server} as {}",
                "connecté à {server}, nom : {}",
                self.registration.name
            ),
            Line::Lost => log!(
                warn,
                "the connection is gone, trying again",
                "la connexion est perdue, nouvel essai"
            ),
            Line::NotFree => {
                log!(warn, "the seat is not free yet", "la place n'est pas encore libre");
            }
        }
    }

    /// Host and port, as `HOST:PORT`.
    pub fn address(&self) -> String {
        let (host, port) = self.server.clone();
        cli::Endpoint { host, port: Some(port) }.to_string()
    }
}

/// Message about a refusal, with its possible reasons.
fn refused(role: Role) -> String {
    match role {
        Role::Player => said!(
            "team: all seats are taken, the game is running, or the organiser has a list with another name or \
             secret; compare each letter and accent of the name, and ask the organiser, who sees why",
            "l'équipe : toutes les places sont prises, la partie est commencée, ou la liste de l'organisateur a un \
             autre nom ou un autre secret ; comparez chaque lettre et chaque accent du nom, et demandez à \
             l'organisateur, qui voit pourquoi"
        ),
        Role::Spectator => {
            said!(
                "spectator: it has as many as it takes",
                "le spectateur : il n'en accepte pas plus"
            )
        }
    }
}

/// Advice to the user about a connection that fails.
fn advice(failure: &io::Error) -> String {
    match failure.kind() {
        io::ErrorKind::ConnectionRefused => said!(
            "; start the server first, and compare the port with the one that it prints",
            " ; lancez d'abord le serveur, et comparez le port avec celui qu'il affiche"
        ),
        io::ErrorKind::TimedOut
        | io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkUnreachable => said!(
            "; compare the address with the one that the server prints, and ask whether a firewall is in between",
            " ; comparez l'adresse avec celle que le serveur affiche, et demandez si un pare-feu est entre les deux"
        ),
        // The resolver's errors have no number of the system.
        _ if failure.raw_os_error().is_none() => said!(
            "; --host takes a host name or an address as the server prints it",
            " ; --serveur attend un nom de machine ou une adresse, comme le serveur l'affiche"
        ),
        _ => String::new(),
    }
}

async fn connect((host, port): &(String, u16)) -> io::Result<TcpStream> {
    let stream = timeout(CONNECT, TcpStream::connect((host.as_str(), *port)))
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}
