//! The log on the standard error.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use language::word;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
pub use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::no_color;

/// Maximum number of log lines that wait to be written; further lines are dropped.
const LINES: usize = 4096;

/// Reads a flag for the verbosity of the log on the standard error.
pub fn log_level() -> impl TypedValueParser<Value = LevelFilter> {
    let levels = [
        ("off", word("Nothing", "Rien")),
        ("error", word("What went wrong", "Ce qui a échoué")),
        ("warn", word("And what looks wrong", "Aussi ce qui paraît anormal")),
        ("info", word("And who comes and goes", "Aussi les arrivées et les départs")),
        ("debug", word("And what is done about it", "Aussi chaque action")),
        ("trace", word("And everything else", "Absolument tout")),
    ];
    let values = levels.map(|(level, help)| PossibleValue::new(level).help(help));
    PossibleValuesParser::new(values).try_map(|level| level.parse::<LevelFilter>())
}

/// Starts logging. Call it once per program.
pub fn start_log(level: LevelFilter) {
    start_log_to(std::io::stderr, level);
}

/// Starts logging until the guard is dropped. Call it once per program. If nobody reads the standard error, the log
/// loses lines but never blocks the program.
#[must_use = "the log ends when this is dropped"]
pub fn start_lossy_log(level: LevelFilter) -> WorkerGuard {
    let (writer, guard) =
        NonBlockingBuilder::default().buffered_lines_limit(LINES).finish(std::io::stderr());
    start_log_to(writer, level);
    guard
}

fn start_log_to(writer: impl for<'a> MakeWriter<'a> + Send + Sync + 'static, level: LevelFilter) {
    // `tournoi` reports the errors of its NATS client itself, and at the level `trace` that client logs passwords.
    let client = if level >= LevelFilter::DEBUG { LevelFilter::DEBUG } else { LevelFilter::OFF };
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
