//! The connection and registration of a bot.

use std::io::ErrorKind;
use std::time::Duration;

use bytes::BytesMut;
use protocol::{CLIENT_FRAME_LIMIT, FrameCodec, Registration, Role};
use sandbox::LaunchError;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, timeout, timeout_at};

use plan::{CommandLine, Note, Program, Team};

use super::Options;
use super::fact::{Fact, NoStart};
use super::player::Player;
use super::session::{COLLAPSE, SENDING, shown};
use super::slip::registration_slip;

/// Error number of the system for a file that is no program: `ENOEXEC`, on Windows `ERROR_BAD_EXE_FORMAT`.
const NO_PROGRAM: i32 = if cfg!(windows) { 193 } else { 8 };

/// Longest wait for a registration on a connection, as on a server.
const REGISTRATION: Duration = Duration::from_secs(5);
/// Longest pause within a message; after a longer one, its NUL is considered missing.
const REST: Duration = Duration::from_secs(1);

/// Waits for a program to connect and register; returns its connection, the decoder with unread bytes, and its name.
pub(super) async fn register(
    player: &mut Player,
    team: &Team,
    options: &Options,
    listener: &TcpListener,
    trap: Option<TcpListener>,
    began: Instant,
) -> Result<(TcpStream, FrameCodec, BytesMut, String), Fact> {
    let patience = options.limits.start;
    let command = match &team.program {
        Program::Command(command) => Some(command),
        Program::House(_) | Program::Remote => None,
    };
    let has_port = command.is_none_or(|c| c.words.iter().any(|word| word.contains("{port}")));
    let early = |ending, connected| {
        let missing = command.and_then(missing_file);
        Fact::EndedEarly { ending, connected, missing, has_port }
    };
    let trapped = async {
        match &trap {
            Some(trap) => trap.accept().await.and_then(|_| trap.local_addr()),
            None => std::future::pending().await,
        }
    };
    let mut stream = tokio::select! {
        // A program that connects and ends at once counts as connected.
        biased;
        accepted = listener.accept() => match accepted {
            Ok((stream, _)) => stream,
            // This machine has too many open files, for example.
            Err(source) => {
                let what = Note::new("a connection of the program", "une connexion du programme");
                return Err(not_started(LaunchError::Machine { what, source }, team));
            }
        },
        Ok(address) = trapped => return Err(Fact::Elsewhere { port: address.port(), has_port }),
        ending = player.wait() => return Err(early(ending, false)),
        () = tokio::time::sleep_until(began + patience) => {
            return Err(Fact::NoConnection { waited: patience.into(), has_port });
        }
    };
    // Disables Nagle's algorithm, which delays short messages; a failure has no other effect.
    let _ = stream.set_nodelay(true);
    let connected = Instant::now();
    let (mut decoder, mut buffer) = (FrameCodec::new(CLIENT_FRAME_LIMIT), BytesMut::new());
    let message = loop {
        match decoder.decode(&mut buffer) {
            Ok(Some(message)) => break message,
            Ok(None) => {}
            Err(_) => return Err(Fact::NoNul { received: shown(&buffer) }),
        }
        let until = if buffer.is_empty() {
            connected + REGISTRATION.min(patience)
        } else {
            Instant::now() + REST
        };
        let read = timeout_at(until, stream.read_buf(&mut buffer)).await;
        match read {
            Ok(Ok(1..)) => {}
            _ if !buffer.is_empty() => return Err(Fact::NoNul { received: shown(&buffer) }),
            Err(_) => return Err(Fact::Silent { waited: connected.elapsed().into() }),
            Ok(_) => match timeout(COLLAPSE, player.wait()).await {
                Ok(ending) => return Err(early(ending, true)),
                Err(_) => return Err(Fact::HungUp),
            },
        }
    };
    match Registration::decode(&message) {
        Ok(Registration { role: Role::Player, name, .. }) => {
            Ok((stream, decoder, buffer, name.to_string()))
        }
        refused => {
            // A server sends the same reply; an error means that the bot has left.
            let _ = timeout(SENDING, stream.write_all(b"refused\n\0")).await;
            Err(match refused {
                Ok(_) => Fact::Spectator,
                Err(_) => Fact::NoRegistration {
                    received: shown(&message),
                    slip: registration_slip(&message),
                },
            })
        }
    }
}

/// An argument of a command that looks like the name of a file and does not exist in its folder, if any.
fn missing_file(command: &CommandLine) -> Option<String> {
    let is_file = |word: &&String| {
        let path = std::path::Path::new(word.as_str());
        !word.starts_with('-') && !word.contains('{') && path.extension().is_some()
    };
    // A module, as in `python3 -m package.module`, is no file.
    let arguments = command.words.windows(2).filter(|pair| pair[0] != "-m").map(|pair| &pair[1]);
    arguments.filter(is_file).find(|word| !command.folder.join(word).exists()).cloned()
}

pub(super) fn not_started(error: LaunchError, team: &Team) -> Fact {
    let (program, source) = match error {
        LaunchError::Program { what, source } => (what, source),
        LaunchError::Machine { .. } => {
            let cause = NoStart::Machine(error.note());
            return Fact::NotStarted { program: team.name.clone(), cause };
        }
    };
    let is_no_program = source.raw_os_error() == Some(NO_PROGRAM);
    let cause = match source.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => NoStart::NotFound,
        ErrorKind::PermissionDenied => NoStart::NotExecutable,
        _ if is_no_program => NoStart::NoProgram,
        _ => NoStart::Other(source.to_string()),
    };
    Fact::NotStarted { program, cause }
}
