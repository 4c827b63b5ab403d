//! The log on the standard error.

use clap::ValueEnum;
use language::said;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::no_color;

/// Maximum number of log lines that wait to be written; further lines are dropped.
const LINES: usize = 4096;

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
