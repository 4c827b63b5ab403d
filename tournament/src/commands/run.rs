//! Playing what is missing: what `jouer`, `reprendre` and `ajouter` have in common.

use std::net::{SocketAddr, TcpListener};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use cli::{Language, LogLevel};
use plan::{Program, Team};
use programs::journals::Journals;
use programs::orphans;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tournament::dispatcher::{DispatchOptions, Dispatcher, RunEnd};
use tournament::event::TournamentEvent;
use tournament::tournament::{SAMPLES, Tournament};
use tournament::venue::LocalVenue;

use super::display::Display;
use super::fault_lines::FaultLines;
use super::page::{self, Seen};
use super::verify::draw_mark;

/// How to play.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Games at a time; when missing, one for each core, or for every two with programs of teams
    #[arg(long, visible_alias = "parallel", value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..))]
    parallele: Option<u16>,

    /// Stop when a team is the best with this probability, after a complete round; as 0.95. Holds when the
    /// tournament is gone on with, too
    #[arg(long, visible_alias = "until", value_name = "PROBABILITY", value_parser = probability)]
    jusqua: Option<f64>,

    /// A turn lasts at least that long, to be watched
    #[arg(long, visible_alias = "pace", value_name = "DURATION", default_value = "0",
          value_parser = cli::duration)]
    tempo: Duration,

    /// Folder for what the teams' programs write; beside the results when missing
    #[arg(long, visible_alias = "logs", value_name = "DIR")]
    journaux: Option<PathBuf>,

    /// Serve the live page, until Ctrl-C: on this port of this machine, or of an address as 0.0.0.0:8080,
    /// which lets other machines in
    #[arg(long, value_name = "PORT|HOST:PORT", value_parser = cli::web_address)]
    web: Option<SocketAddr>,

    /// Language of the ranking; that of the environment when missing
    #[arg(long, visible_alias = "language", value_enum)]
    langue: Option<Language>,

    /// What is logged to the standard error
    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_enum, default_value = "error")]
    journal: LogLevel,
}

impl RunArgs {
    /// Where the page is served, before anything is written: the port may be taken.
    pub(crate) fn listen(&self) -> anyhow::Result<Option<TcpListener>> {
        page::listen(self.web)
    }
}

/// Plays all that is missing, and prints the ranking.
pub(crate) fn run(
    mut tournament: Tournament,
    args: &RunArgs,
    page: Option<TcpListener>,
) -> anyhow::Result<ExitCode> {
    let _log = args.journal.init_lossy();
    if args.jusqua.is_some() {
        tournament.change(|plan| plan.schedule.until = args.jusqua)?;
    }
    let mark = begin(&mut tournament)?;
    let base = tournament.store().path().to_owned();
    let journals = args.journaux.clone().unwrap_or_else(|| base.with_extension("journaux"));
    let Seen { stage, mut board, .. } = page::serve(&tournament, page, None)?;
    let language = Language::or_environment(args.langue);
    let faults = FaultLines::new(language, Some(Journals::new(journals.clone())));
    let venue = LocalVenue::new(mark.clone(), Journals::new(journals), stage.clone(), args.tempo);
    let options = DispatchOptions {
        parallel: args.parallele.map_or_else(|| parallel(&tournament.plan().teams), usize::from),
        until: tournament.plan().schedule.until,
        stop: stop_on_interrupt(mark.clone())?,
    };
    let stop = options.stop.clone();
    // Each game has a thread.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(options.parallel)
        .build()?;
    let mut display = Display::begin(&tournament, faults);
    let tell = |tournament: &Tournament, event: TournamentEvent<'_>| {
        display.tell(tournament, &event);
        board.take_in(tournament, &event);
    };
    let (_, no_actions) = mpsc::channel(1);
    let dispatcher = Dispatcher::new(&mut tournament, venue, stage, options, no_actions, tell);
    let played = runtime.block_on(dispatcher.run());
    orphans::kill(&mark);
    let ended = tournament.store_mut().end_run(&mark);
    display.end();
    let end = match played {
        Ok(end) => end,
        Err(error) => {
            let _ = cli::fail(&error.into());
            return Ok(ExitCode::FAILURE);
        }
    };
    ended?;
    let why = match &end {
        RunEnd::Over(next) => Some(next),
        RunEnd::Stopped => None,
    };
    board.over(&tournament, why);
    if let Some(next) = why {
        display.over(next);
    }
    say!("{}", report::table(&tournament.standings(SAMPLES), language));
    if end == RunEnd::Stopped {
        say!("stopped: `tournoi reprendre {}` goes on", base.display());
        return Ok(ExitCode::from(cli::INTERRUPTED));
    }
    if args.web.is_some() {
        say!("the page stays until Ctrl-C");
        runtime.block_on(stop.cancelled());
    }
    Ok(ExitCode::SUCCESS)
}

/// Ends what is left of runs that were killed, and begins another one; its mark.
fn begin(tournament: &mut Tournament) -> anyhow::Result<String> {
    for mark in tournament.store().open_runs()? {
        let killed = orphans::kill(&mark);
        if killed > 0 {
            say!("{killed} processes were left of a run that was killed: they are ended");
        }
        tournament.store_mut().end_run(&mark)?;
    }
    let mark = draw_mark()?;
    tournament.store_mut().begin_run(&mark)?;
    Ok(mark)
}

/// Games at a time between these teams, when nobody says how many.
pub(crate) fn parallel(teams: &[Team]) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let is_house = |program: &Program| matches!(program, Program::House(_));
    match teams.iter().all(|team| is_house(&team.program)) {
        true => cores,
        false => (cores / 2).max(1),
    }
}

/// Cancelled by the first Ctrl-C; the second one ends the program at once.
pub(crate) fn stop_on_interrupt(mark: String) -> anyhow::Result<CancellationToken> {
    let stop = CancellationToken::new();
    let cancel = stop.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    thread::spawn(move || {
        runtime.block_on(async {
            cli::interrupted().await;
            cancel.cancel();
            cli::interrupted().await;
            orphans::kill(&mark);
            std::process::exit(cli::INTERRUPTED.into());
        });
    });
    Ok(stop)
}

pub(crate) fn probability(text: &str) -> Result<f64, String> {
    let number = text.replace(',', ".").parse::<f64>().ok();
    number
        .filter(|p| (0.5..1.0).contains(p))
        .ok_or_else(|| "expected a probability from 0.5 to below 1, as 0.95".to_owned())
}
