//! The process of the bot to be checked.

use std::io::ErrorKind;
use std::net::Ipv4Addr;
use std::time::Duration;

use bots::Bot;
use client::{ClientPacman, Inline};
use game::pacman::RulesPreset;
use language::Note;
use protocol::{Name, Registration, Role};
use sandbox::LaunchError;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use plan::{Program, Team};
use programs::process::Process;

use super::Options;
use super::fact::Ending;

/// Maximum number of output lines shown, and of characters per line.
const LINES: usize = 15;
const COLUMNS: usize = 160;

/// A player just started, with the sockets for its connection.
pub(super) struct Entry {
    pub(super) player: Player,
    pub(super) listener: TcpListener,
    /// The socket for bots that ignore the port given to them, if any.
    pub(super) trap: Option<TcpListener>,
}

pub(super) enum Player {
    Program(Box<Process>),
    House(JoinHandle<()>),
}

impl Player {
    pub(super) async fn start(
        team: &Team,
        options: &Options,
        name: &str,
    ) -> Result<Entry, LaunchError> {
        let machine = |source| LaunchError::Machine {
            what: Note::new("a port for a program", "un port pour un programme"),
            source,
        };
        match &team.program {
            Program::Command(command) => {
                let mut process = options.runner.start(
                    command,
                    team.package.as_deref(),
                    &options.limits,
                    None,
                    name,
                )?;
                let listener = process.take_listener().transpose();
                let listener = listener.unwrap_or_else(|| Err(ErrorKind::NotFound.into()));
                let listener = listener.map_err(machine)?;
                let trap = process.take_trap().map_err(machine)?;
                Ok(Entry { player: Self::Program(Box::new(process)), listener, trap })
            }
            Program::House(bot) => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
                let listener = listener.map_err(machine)?;
                let port = listener.local_addr().map_err(machine)?.port();
                let bot = bots::by_name(bot)
                    .map_err(|unknown| machine(std::io::Error::other(unknown)))?;
                let playing = play(bot.make(1), options.rules, port, Name::new(name));
                let player = Self::House(tokio::spawn(playing));
                Ok(Entry { player, listener, trap: None })
            }
            Program::Remote => {
                let source = ErrorKind::Unsupported.into();
                Err(LaunchError::Program { what: team.name.clone(), source })
            }
        }
    }

    pub(super) async fn wait(&mut self) -> Ending {
        match self {
            // A program without a status was ended by a limit.
            Self::Program(process) => process.wait().await.map_or(Ending::Signal(9), Ending::from),
            Self::House(task) => {
                // A finished task must not be polled again.
                if !task.is_finished() {
                    let _ = task.await;
                }
                Ending::Code(0)
            }
        }
    }

    /// The processor time of all processes of the program so far; `None` if unknown.
    pub(super) fn processor_time(&mut self) -> Option<Duration> {
        match self {
            Self::Program(process) => process.cpu_time(),
            Self::House(_) => None,
        }
    }

    /// Ends the player, and returns the last lines of its output.
    pub(super) async fn finish(self) -> Vec<String> {
        match self {
            Self::Program(process) => last_lines(&process.finish().await.output),
            Self::House(task) => {
                task.abort();
                Vec::new()
            }
        }
    }
}

async fn play(mut bot: Box<dyn Bot>, rules: RulesPreset, port: u16, name: Name) {
    let registration = Registration { role: Role::Player, name, secret: None };
    if let Ok(stream) = TcpStream::connect(("127.0.0.1", port)).await {
        // Any error shows at the other end of the connection.
        let _ = client::play(
            stream,
            &registration,
            ClientPacman::new(rules.rules()),
            Inline(bot.as_mut()),
            |_| {},
        )
        .await;
    }
}

/// The last lines of an output, without control characters.
fn last_lines(output: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let harmless = |line: &str| {
        let line: String = line.replace('\t', "    ").chars().filter(|c| !c.is_control()).collect();
        match line.char_indices().nth(COLUMNS) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    };
    let lines: Vec<_> = text.lines().map(harmless).collect();
    let end = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    lines[end.saturating_sub(LINES)..end].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_harmless() {
        assert_eq!(last_lines(b""), [""; 0]);
        assert_eq!(last_lines(b"\x1b[2Jred\tone\n\n \n"), ["[2Jred    one"]);
        let many: Vec<_> = (0..30).map(|line| line.to_string()).collect();
        let shown = last_lines(many.join("\n").as_bytes());
        assert_eq!((shown.len(), shown[0].as_str()), (LINES, "15"));
        let long = last_lines("é".repeat(500).as_bytes());
        assert_eq!(long[0].chars().count(), COLUMNS + 1);
    }
}
