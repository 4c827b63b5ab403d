//! The bot that is checked, while it runs.

use std::fs;
use std::time::Duration;

use bots::Bot;
use cli::RulesPreset;
use protocol::{Name, Registration, Role};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use plan::{Limits, Program, Team};
use programs::process::{Place, Process, SpawnError};

use super::fact::Ending;

/// Lines of a program's output that are shown, and characters of each line.
const LINES: usize = 15;
const COLUMNS: usize = 160;
/// The unit of processor times in `/proc`, which is the same on every Linux machine.
const TICK: Duration = Duration::from_millis(10);

/// A program that runs, or a bot of the house that plays.
pub(super) enum Player {
    Program(Process),
    House(JoinHandle<()>),
}

impl Player {
    /// Starts a team's program, or bot.
    pub(super) fn start(
        team: &Team,
        rules: RulesPreset,
        limits: &Limits,
        place: Place<'_>,
    ) -> Result<Self, SpawnError> {
        match &team.program {
            Program::Command(command) => Process::start(command, limits, place).map(Self::Program),
            Program::House(bot) => {
                let bot = bot.0.make(1);
                Ok(Self::House(tokio::spawn(play(bot, rules, place.port, Name::new(place.name)))))
            }
            Program::Remote => {
                let source = std::io::ErrorKind::Unsupported.into();
                Err(SpawnError::Own { program: team.name.clone(), source })
            }
        }
    }

    /// Waits until it has ended.
    pub(super) async fn wait(&mut self) -> Ending {
        match self {
            Self::Program(process) => process.wait().await.map_or(Ending::Code(0), Ending::from),
            Self::House(task) => {
                // A task that has been waited for must not be polled again.
                if !task.is_finished() {
                    let _ = task.await;
                }
                Ending::Code(0)
            }
        }
    }

    /// What all processes of its group have used of processors, where the system tells.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        let Self::Program(process) = self else { return None };
        let group = process.group().to_string();
        let ticks = |entry: fs::DirEntry| {
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            // The name of the program, in brackets, may hold anything. After it: state, parent, group.
            let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
            let number = |at: usize| fields.get(at)?.parse::<u32>().ok();
            (*fields.get(2)? == group).then_some(number(11)?.saturating_add(number(12)?))
        };
        let ticks: Vec<u32> = fs::read_dir("/proc").ok()?.flatten().filter_map(ticks).collect();
        (!ticks.is_empty()).then(|| TICK * ticks.iter().sum())
    }

    /// Ends it, and gives the last lines that it has written.
    pub(super) async fn finish(self) -> Vec<String> {
        match self {
            Self::Program(process) => last_lines(&process.finish().await),
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
