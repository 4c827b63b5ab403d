//! The bot that is checked, while it runs.

use std::io::ErrorKind;
use std::net::Ipv4Addr;
use std::time::Duration;

use bots::Bot;
use cli::RulesPreset;
use language::Note;
use protocol::{Name, Registration, Role};
use sandbox::LaunchError;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use plan::{Program, Team};
use programs::process::Process;

use super::Options;
use super::fact::Ending;

/// Lines of a program's output that are shown, and characters of each line.
const LINES: usize = 15;
const COLUMNS: usize = 160;

/// A player that was started, and where it arrives.
pub(super) struct Entry {
    pub(super) player: Player,
    pub(super) listener: TcpListener,
    /// Listener at the default port, for a bot that does not look at the port that it is told.
    pub(super) trap: Option<TcpListener>,
}

/// A program that runs, or a bot of the house that plays.
pub(super) enum Player {
    Program(Box<Process>),
    House(JoinHandle<()>),
}

impl Player {
    /// Starts a team's program, or bot.
    pub(super) fn start(team: &Team, options: &Options, name: &str) -> Result<Entry, LaunchError> {
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
                let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
                    .and_then(|listener| {
                        listener.set_nonblocking(true)?;
                        TcpListener::from_std(listener)
                    })
                    .map_err(machine)?;
                let port = listener.local_addr().map_err(machine)?.port();
                let playing = play(bot.0.make(1), options.rules, port, Name::new(name));
                let player = Self::House(tokio::spawn(playing));
                Ok(Entry { player, listener, trap: None })
            }
            Program::Remote => {
                let source = ErrorKind::Unsupported.into();
                Err(LaunchError::Program { what: team.name.clone(), source })
            }
        }
    }

    /// Waits until it has ended.
    pub(super) async fn wait(&mut self) -> Ending {
        match self {
            // One without a status was ended by a limit.
            Self::Program(process) => process.wait().await.map_or(Ending::Signal(9), Ending::from),
            Self::House(task) => {
                // A task that has been waited for must not be polled again.
                if !task.is_finished() {
                    let _ = task.await;
                }
                Ending::Code(0)
            }
        }
    }

    /// Processor time of all its processes, if the system tells.
    pub(super) fn processor_time(&mut self) -> Option<Duration> {
        match self {
            Self::Program(process) => process.cpu_time(),
            Self::House(_) => None,
        }
    }

    /// Ends it, and gives the last lines that it has written.
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
        // Whatever goes wrong is seen at the other end.
        let _ = client::play(stream, &registration, bot.as_mut(), &rules.rules(), |_| {}).await;
    }
}

/// The last lines, without what a terminal would take for more than text.
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
