//! Asking a program again: it is sent what a player of a recorded game saw, and answers.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use game::colour::Colour;
use game::pacman::Orders;
use game::pyrat::Action;
use language::said;
use protocol::{
    CLIENT_FRAME_LIMIT, FrameCodec, FrameTooLong, Registration, RegistrationError, Role,
    ServerMessage, encode_frame,
};

use replay::{Answer, AnswerFault, Excerpt, Flaw, Given, Recording, Replay, Thought};

/// Most time for an answer in the first mud of a rat, which it need not give.
const MUD: Duration = Duration::from_secs(1);
/// Time from the end of the game until a program is ended.
const FAREWELL: Duration = Duration::from_secs(1);
/// Time between two looks at a program that has not connected yet.
const PAUSE: Duration = Duration::from_millis(2);

/// A program that is asked in the place of a player of a recorded game.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The game.
    pub recording: &'a Recording,
    /// The player.
    pub player: Colour,
    /// The last turn that is asked, from 1.
    pub last: u32,
    /// The program and its arguments, in which placeholders are replaced: see [`protocol::command`].
    pub command: &'a [String],
    /// Most time from the start to the registration, and for an answer.
    pub patience: Duration,
}

/// An answer of a program.
pub struct Heard {
    /// The order, with the thinking time.
    pub given: Given,
    /// The thought after the order.
    pub thought: Option<String>,
}

/// Returns the exit code of a program in words, or that a signal ended it.
fn how(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => said!("exit code {code}", "code de sortie {code}"),
        None => said!("by a signal", "par un signal"),
    }
}

/// A reason why a program has not answered.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The program cannot be started.
    #[error("{}", said!("cannot start {program:?}", "{program:?} ne peut pas être lancé"))]
    Start {
        /// The program.
        program: String,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The program has ended without connecting.
    #[error("{}", said!(
        "the program has ended before it connected ({})",
        "le programme s'est terminé avant de se connecter ({})",
        how(*_0)
    ))]
    Ended(ExitStatus),
    /// The program has not connected in time.
    #[error("{}", said!(
        "the program has not connected within {_0:?}",
        "le programme ne s'est pas connecté en {_0:?}"
    ))]
    Absent(Duration),
    /// The first message is no registration of a player.
    #[error("{}", said!("the program does not register: {_0}", "le programme ne s'inscrit pas : {_0}"))]
    Registration(#[from] RegistrationError),
    /// The program wants to watch.
    #[error("{}", said!(
        "the program registers as a spectator, expected joueur;NAME",
        "le programme s'inscrit comme spectateur, joueur;NOM est attendu"
    ))]
    Spectator,
    /// The program has sent a message that is too long.
    #[error("{}", said!("the program has sent {_0}", "le programme a envoyé {_0}"))]
    Long(#[from] FrameTooLong),
    /// The program has not answered in time.
    #[error("{}", said!("no answer within {_0:?}", "pas de réponse en {_0:?}"))]
    Silent(Duration),
    /// The program has closed its connection.
    #[error("{}", said!("the program has closed its connection", "le programme a fermé sa connexion"))]
    Closed,
    /// The program has not answered the state of a turn.
    #[error("{}", said!("turn {turn}: {source}", "tour {turn} : {source}"))]
    Turn {
        /// The turn, from 1.
        turn: u32,
        /// The cause.
        source: Box<AskError>,
    },
    /// The machine has failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Question<'_> {
    /// Starts the program and sends it the states, one by one, once it has answered the one before. `told` is told of each
    /// turn from 1 on, but not of those that a rat spends in the mud: what was played then, and the answer.
    ///
    /// # Errors
    ///
    /// If the program does not start, or does not answer one of the states.
    pub fn ask(&self, mut told: impl FnMut(u32, Given, Heard)) -> Result<(), AskError> {
        let Self { recording, player, last, patience, .. } = *self;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let mut program = self.start(listener.local_addr()?.port())?;
        let mut connection = program.accept(&listener, patience)?;
        let registration = Registration::decode(&connection.receive(patience)?)?;
        if registration.role != Role::Player {
            return Err(AskError::Spectator);
        }
        let mut game = Replay::start(&recording.setup);
        if let Replay::PyRat(rats) = &game {
            let mut maze = Vec::new();
            rats.state().maze().encode(&mut maze);
            connection.send(ServerMessage::Maze { id: player.as_str(), maze: &maze })?;
        }
        let mut answers_in_mud = true;
        for (number, turn) in (1..=last).zip(recording.turns.iter()) {
            let is_in_mud = match &game {
                Replay::Pacman(_) => false,
                Replay::PyRat(rats) => rats.state().rats()[player.index()].mud.is_some(),
            };
            let unanswered = |source| AskError::Turn { turn: number, source: Box::new(source) };
            let state = ServerMessage::State { id: player.as_str(), state: game.text() };
            connection.send(state).map_err(unanswered)?;
            let sent = Instant::now();
            // A program that sends no answer in its first mud is not waited for in later mud.
            let heard = match (is_in_mud, answers_in_mud) {
                (false, _) => Some(connection.receive(patience)),
                (true, true) => Some(connection.receive(patience.min(MUD))),
                (true, false) => None,
            };
            match heard {
                None => {}
                Some(Err(AskError::Silent(_))) if is_in_mud => answers_in_mud = false,
                Some(heard) => {
                    let message = heard.map_err(unanswered)?;
                    if !is_in_mud {
                        let played = game.judge(&turn).answers[player.index()];
                        let given = read(&game, &message, sent.elapsed());
                        told(number, played, Heard { given, thought: Thought::of(&message) });
                    }
                }
            }
            game.play(&turn);
        }
        connection.send(ServerMessage::Quit)?;
        drop(connection);
        program.end();
        Ok(())
    }

    fn start(&self, port: u16) -> Result<Program, AskError> {
        let name = self.recording.setup.names()[self.player.index()].as_str();
        let fill = |word: &String| protocol::command::filled(word, name, "127.0.0.1", port);
        let mut words = self.command.iter().map(fill);
        let program = words.next().unwrap_or_default();
        let started = Command::new(&program)
            .args(words)
            .envs([
                ("PACMAN_SERVEUR", "127.0.0.1"),
                ("PACMAN_PORT", &port.to_string()),
                ("PACMAN_NOM", name),
                ("PYTHONUNBUFFERED", "1"),
            ])
            .stdin(Stdio::null())
            // The output of the program must not mix with the answers on the standard output.
            .stdout(io::stderr())
            .spawn();
        started.map(Program).map_err(|source| AskError::Start { program, source })
    }
}

/// Reads an answer as a server does.
fn read(game: &Replay, message: &[u8], taken: Duration) -> Given {
    let answer = match game {
        Replay::Pacman(_) => Answer::Orders(Orders::decode(message)),
        Replay::PyRat(_) => Answer::Action(Action::decode(message)),
    };
    let given = Given::in_time(answer, taken);
    let is_malformed = given.fault() == Some(AnswerFault::Malformed);
    Given { excerpt: is_malformed.then(|| Excerpt::of_answer(Flaw::Malformed, message)), ..given }
}

/// A program that runs, and ends with this value.
struct Program(Child);

impl Program {
    /// Waits until the program connects.
    fn accept(
        &mut self,
        listener: &TcpListener,
        patience: Duration,
    ) -> Result<Connection, AskError> {
        listener.set_nonblocking(true)?;
        let end = Instant::now() + patience;
        loop {
            match listener.accept() {
                Ok((stream, _)) => return Ok(Connection::new(stream, patience)?),
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error.into()),
                Err(_) => {}
            }
            if let Some(status) = self.0.try_wait()? {
                return Err(AskError::Ended(status));
            }
            if Instant::now() > end {
                return Err(AskError::Absent(patience));
            }
            thread::sleep(PAUSE);
        }
    }

    /// Leaves the program some time to end by itself.
    fn end(&mut self) {
        let end = Instant::now() + FAREWELL;
        while matches!(self.0.try_wait(), Ok(None)) && Instant::now() < end {
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Connection {
    stream: TcpStream,
    codec: FrameCodec,
    received: BytesMut,
}

impl Connection {
    fn new(stream: TcpStream, patience: Duration) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(patience))?;
        let codec = FrameCodec::new(CLIENT_FRAME_LIMIT);
        Ok(Self { stream, codec, received: BytesMut::new() })
    }

    fn send(&mut self, message: ServerMessage<'_>) -> Result<(), AskError> {
        let (mut text, mut frame) = (Vec::new(), BytesMut::new());
        message.encode(&mut text);
        encode_frame(&text, &mut frame);
        self.stream.write_all(&frame).map_err(closed)
    }

    /// The next message.
    fn receive(&mut self, patience: Duration) -> Result<Bytes, AskError> {
        let end = Instant::now() + patience;
        loop {
            if let Some(message) = self.codec.decode(&mut self.received)? {
                return Ok(message);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(AskError::Silent(patience));
            }
            self.stream.set_read_timeout(Some(left))?;
            let mut part = [0; 4096];
            match self.stream.read(&mut part) {
                Ok(0) => return Err(AskError::Closed),
                Ok(read) => self.received.extend_from_slice(&part[..read]),
                Err(error) if is_pause(&error) => {}
                Err(error) => return Err(closed(error)),
            }
        }
    }
}

/// Tests if reading has ended with its time, or was interrupted.
fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// A connection that the other end has closed in the middle.
fn closed(error: io::Error) -> AskError {
    match error.kind() {
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => {
            AskError::Closed
        }
        _ => error.into(),
    }
}
