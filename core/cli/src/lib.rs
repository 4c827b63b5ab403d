//! Shared parts of the programs' command lines: addresses, durations, rules, maps, results, logs and failures.

mod command_line;
mod endpoint;
mod invocation;
mod map_file;
mod maze_file;
mod output;
mod process;
#[cfg(feature = "runtime")]
mod runtime;
mod say;

use std::net::{Ipv4Addr, SocketAddr};
use std::ops::RangeBounds;
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use game::pacman::RulesPreset;
use language::{colon, in_language, said, word};
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

pub use command_line::{parse, parse_with};
pub use endpoint::Endpoint;
pub use invocation::{command, command_elsewhere, this_command};
pub use map_file::{load_map, load_map_for};
pub use maze_file::load_maze;
pub use output::{print, print_either, print_lines};
pub use process::{on_interrupt, prepare, state_folder};
#[cfg(feature = "runtime")]
pub use runtime::{interrupted, runtime};

/// The exit code after Ctrl-C: 128 plus the number of the signal.
pub const INTERRUPTED: u8 = 130;

/// The longest duration that a flag accepts.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Maximum number of log lines that wait to be written; further lines are dropped.
const LINES: usize = 4096;

/// Reads a flag that names the rules.
#[must_use]
pub fn rules() -> impl TypedValueParser<Value = RulesPreset> {
    let value = |preset: RulesPreset| {
        PossibleValue::new(preset.name()).help(match preset {
            RulesPreset::Sujet => said!("The subject as written", "Le sujet tel quel"),
            RulesPreset::Orleans2024 => said!(
                "The original server of 2024, which older bots were tuned on",
                "Le serveur d'origine de 2024, pour lequel d'anciens bots sont réglés"
            ),
        })
    };
    let names = PossibleValuesParser::new(RulesPreset::ALL.map(value));
    names.try_map(|name| name.parse::<RulesPreset>())
}

/// The verbosity of the log on the standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Nothing
    #[value(help = said!("Nothing", "Rien"))]
    Off,
    /// Failures
    #[value(help = said!("What went wrong", "Ce qui a échoué"))]
    Error,
    /// Also anomalies
    #[value(help = said!("And what looks wrong", "Et ce qui paraît anormal"))]
    Warn,
    /// Also arrivals and departures
    #[value(help = said!("And who comes and goes", "Et qui arrive et part"))]
    #[default]
    Info,
    /// Also the reactions of the program
    #[value(help = said!("And what is done about it", "Et ce qui est fait"))]
    Debug,
    /// Also everything else
    #[value(help = said!("And everything else", "Et tout le reste"))]
    Trace,
}

impl LogLevel {
    /// Starts logging. Call it once per program.
    pub fn init(self) {
        self.init_with(std::io::stderr);
    }

    /// Starts logging until the guard is dropped. Call it once per program. If nobody reads the standard error,
    /// the log loses lines but never blocks the program.
    pub fn init_lossy(self) -> WorkerGuard {
        let (writer, guard) =
            NonBlockingBuilder::default().buffered_lines_limit(LINES).finish(std::io::stderr());
        self.init_with(writer);
        guard
    }

    fn init_with(self, writer: impl for<'a> MakeWriter<'a> + Send + Sync + 'static) {
        let level = match self {
            Self::Off => LevelFilter::OFF,
            Self::Error => LevelFilter::ERROR,
            Self::Warn => LevelFilter::WARN,
            Self::Info => LevelFilter::INFO,
            Self::Debug => LevelFilter::DEBUG,
            Self::Trace => LevelFilter::TRACE,
        };
        // `tournoi` reports the errors of its NATS client itself, and at the level `trace` that client logs passwords.
        let client =
            if level >= LevelFilter::DEBUG { LevelFilter::DEBUG } else { LevelFilter::OFF };
        let targets = Targets::new().with_default(level).with_target("async_nats", client);
        tracing_subscriber::fmt()
            .with_max_level(level)
            .with_target(false)
            .with_timer(tracing_subscriber::fmt::time::uptime())
            .with_writer(writer)
            .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()) && !no_color())
            .finish()
            .with(targets)
            .init();
    }
}

/// Tests if the user wants no colours (<https://no-color.org>).
#[must_use]
pub fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Reads a duration as `500ms`, `2s`, `1m 30s`, or `0`.
///
/// # Errors
///
/// With the expected format.
pub fn duration(text: &str) -> Result<Duration, String> {
    if text.trim() == "0" {
        return Ok(Duration::ZERO);
    }
    let duration = humantime::parse_duration(text).map_err(|_| {
        said!(
            "expected a duration with its unit, as `500ms` or `2s`",
            "une durée avec son unité est attendue, comme `500ms` ou `2s`"
        )
    })?;
    if duration > LONGEST {
        return Err(said!("expected at most a day", "un jour au plus est attendu"));
    }
    Ok(duration)
}

/// As [`duration`], but not 0.
///
/// # Errors
///
/// With the expected format.
pub fn positive_duration(text: &str) -> Result<Duration, String> {
    duration(text).and_then(|duration| match duration {
        Duration::ZERO => Err(said!("expected more than 0", "plus de 0 est attendu")),
        _ => Ok(duration),
    })
}

/// Reads a confidence, a probability from 0.5 to below 1, with a point or a comma.
///
/// # Errors
///
/// With the expected range.
pub fn confidence(text: &str) -> Result<f64, String> {
    number_in(text, 0.5..1.0).ok_or_else(|| {
        said!(
            "expected a confidence from 0.5 to below 1, as 0.95",
            "une confiance entre 0,5 et moins de 1 est attendue, comme 0,95"
        )
    })
}

/// Reads a decimal number in a range, with a point or a comma; `None` if it is something else.
pub fn number_in(text: &str, range: impl RangeBounds<f64>) -> Option<f64> {
    let number = text.replace(',', ".").parse().ok();
    number.filter(|number| range.contains(number))
}

/// Reads an address with its port, or a port alone: that port of the loopback interface.
///
/// # Errors
///
/// With the expected format.
pub fn web_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|_| text.parse()).map_err(|_| {
        said!(
            "expected a port, or an address with its port as 0.0.0.0:8080",
            "un port est attendu, ou une adresse avec son port comme 0.0.0.0:8080"
        )
    })
}

/// Prints the error on one line of the standard error. Returns the exit code 2.
#[must_use]
#[expect(clippy::print_stderr, reason = "this is the program's last word")]
pub fn fail(error: &anyhow::Error) -> ExitCode {
    let what = word("error:", "erreur :");
    let why = in_language(&causes(error));
    eprintln!("{what} {}{}", printable(&why), process::hint(error));
    ExitCode::from(2)
}

/// An error and its causes as `{error:#}` shows them, with colons as the language sets them.
#[must_use]
pub fn causes(error: &anyhow::Error) -> String {
    let causes: Vec<_> = error.chain().map(ToString::to_string).collect();
    causes.join(colon())
}

/// A text, such as a file name, that is safe to print on a terminal: control characters except newlines are
/// replaced.
#[must_use]
pub fn printable(text: &str) -> String {
    let shown = |c: char| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_not_shown() {
        assert_eq!(printable("\u{1b}[31mé\r\u{9b}\n"), "\u{fffd}[31mé\u{fffd}\u{fffd}\n");
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("0"), Ok(Duration::ZERO));
        assert_eq!(duration("0ms"), Ok(Duration::ZERO));
        for wrong in ["", "5", "-1s", "2 apples", "s", "18446744073709551615s"] {
            assert!(duration(wrong).is_err(), "{wrong:?}");
        }
    }
}
