//! Playing the missing games: the common part of `jouer`, `reprendre` and `ajouter`.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::scoreboard::{Scoreboard, farewell};
use crate::setup;
use cli::LevelFilter;
use language::{Language, said};
use nats::connection::BrokerUrl;
use plan::Plan;
use programs::cores::Cores;
use programs::journals::Journals;
use programs::package::Packages;
use server::EmbeddingArgs;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tournament::dispatcher::{DispatchOptions, Dispatcher, RunEnd};
use tournament::event::TournamentEvent;
use tournament::tournament::{SAMPLES, Tournament};
use tournament::venue::{LocalVenue, Venue};

use super::broker_args::CoordinatorArgs;
use super::cluster;
use super::display::Display;
use super::fault_lines::FaultLines;
use super::isolation::{self, IsolationArgs};
use super::page::{self, Broadcast};
use super::resume;

/// Flags of commands that play games.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RunArgs {
    #[arg(long, visible_alias = "parallel", value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..), help = said!(
        "Games at a time; when missing, as many as leave each program a core of its own, at least one",
        "Parties à la fois ; sinon autant qu'il se peut en laissant un cœur à chaque programme, au moins une"
    ))]
    parallele: Option<u16>,

    #[command(flatten)]
    until: UntilArgs,

    #[arg(long, visible_alias = "pace", value_name = "DURATION", default_value = "0",
          value_parser = cli::duration, help = said!(
        "A turn lasts at least that long, to be watched",
        "Durée minimale d'un tour, pour qu'on puisse regarder"
    ))]
    tempo: Duration,

    #[command(flatten)]
    pub(super) isolation: IsolationArgs,

    #[arg(long, visible_alias = "logs", value_name = "DIR", help = said!(
        "Folder for what the teams' programs write; beside the results when missing",
        "Dossier pour ce qu'écrivent les programmes des équipes ; sinon à côté des résultats"
    ))]
    journaux: Option<PathBuf>,

    #[arg(long, value_name = "PORT|HOST:PORT", value_parser = cli::web_address, help = said!(
        "Serve the live page, until Ctrl-C: on this port of this machine, or of an address as 0.0.0.0:8080, \
         which lets other machines in",
        "Servir la page en direct, jusqu'à Ctrl-C : sur ce port de cette machine, ou à une adresse comme 0.0.0.0:8080, \
         qui laisse entrer les autres machines"
    ))]
    web: Option<SocketAddr>,

    #[command(flatten)]
    embedding: EmbeddingArgs,

    #[arg(long, value_name = "URL", conflicts_with_all = ["parallele", "tempo"], help = said!(
        "Have the games played on other machines, by `tournoi worker URL`, through this NATS broker",
        "Faire jouer les parties sur d'autres machines, qui lancent `tournoi ouvrier URL`, par ce serveur de messages \
         NATS"
    ))]
    nats: Option<BrokerUrl>,

    #[command(flatten)]
    coordinator: CoordinatorArgs,

    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_parser = cli::log_level(), default_value = "error",
          help = said!("What is logged to the standard error", "Ce qui est noté sur la sortie d'erreur"))]
    journal: LevelFilter,
}

/// Flag for the condition of an early stop.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct UntilArgs {
    #[arg(long, visible_alias = "until", value_name = "CONFIDENCE", value_parser = cli::confidence, help = said!(
        "Stop as soon as a team is shown to be the best, as 0.95: of 100 tournaments of equal teams, at most 5 \
         name a best one, however long they last. Looks after the same number of rounds on each map; kept with \
         the results",
        "S'arrêter dès qu'une équipe est reconnue la meilleure, comme 0.95 : sur 100 tournois entre équipes égales, 5 \
         au plus en désignent une, si longs soient-ils. La décision se prend chaque fois que toutes les cartes ont eu \
         autant de manches ; ce réglage est gardé avec les résultats"
    ))]
    jusqua: Option<f64>,
}

impl UntilArgs {
    /// Puts the confidence into the plan, if the flag is given.
    pub(crate) fn set(&self, plan: &mut Plan) {
        plan.schedule.until = self.jusqua.or(plan.schedule.until);
    }
}

impl RunArgs {
    /// Takes the port of the page and tries the broker, both of which may fail, before anything is written.
    pub(crate) fn listen(&self) -> anyhow::Result<Option<TcpListener>> {
        if let Some(url) = &self.nats {
            cli::runtime()?.block_on(self.coordinator.connect(url))?;
        }
        page::listen(self.web)
    }
}

/// Plays all missing games of a plan whose results are in the file `base`, and prints the ranking. Once programs on this machine
/// have been tried, or the broker is found to be free, `begin` makes or changes the tournament: until then, nothing but packages is
/// written.
pub(crate) fn run(
    base: &Path,
    mut plan: Plan,
    args: &RunArgs,
    page: Option<TcpListener>,
    begin: impl FnOnce(Plan) -> anyhow::Result<Tournament>,
) -> anyhow::Result<ExitCode> {
    let _log = cli::start_lossy_log(args.journal);
    args.until.set(&mut plan);
    let journals = args.journaux.clone().unwrap_or_else(|| base.with_extension("journaux"));
    let packages = Packages::new(base.with_extension("paquets"));
    setup::take_packages(&mut plan.teams, &packages)?;
    let lines = FaultLines::new(Some(Journals::new(journals.clone())));
    let until = plan.schedule.until;
    let stop = stop_on_interrupt()?;
    let level = args.isolation.isolement;
    if let Some(url) = &args.nats {
        let runtime = cli::runtime()?;
        plan.notes = vec![isolation::elsewhere()];
        isolation::say(&plan.notes);
        let (venue, venue_task) = runtime.block_on(async {
            let connection = args.coordinator.connect(url).await?;
            cluster::open(connection, &plan, &packages, args.coordinator.lease(), level).await
        })?;
        let tournament = begin(plan)?;
        setup::drop_packages(&tournament.plan().teams, &packages);
        let options = DispatchOptions { parallel: cluster::WINDOW, until, stop };
        let mut broadcast = page::serve(&tournament, page, args.embedding.embedders(), None, None)?;
        if args.web.is_some() {
            broadcast.board.follow(venue.cluster());
        }
        let played = Played { tournament, broadcast, lines, options, runtime };
        return played.at(venue, Some(venue_task), args.web.is_some());
    }
    let hidden = isolation::results(base, &journals);
    let runner = programs::isolation::runner(level, &plan.teams, hidden, None, packages.clone())?;
    isolation::try_out(&runner, &plan)?;
    let programs = programs::isolation::programs_per_game(&plan.teams);
    let parallel =
        args.parallele.map_or_else(|| programs::isolation::usual_parallel(programs), usize::from);
    let cores = Cores::new(parallel * programs);
    let deadline = plan.conditions.deadline;
    plan.notes = programs::isolation::terms(&runner, level, &plan.teams, deadline, &cores);
    isolation::say(&plan.notes);
    let tournament = begin(plan)?;
    setup::drop_packages(&tournament.plan().teams, &packages);
    let broadcast = page::serve(&tournament, page, args.embedding.embedders(), None, None)?;
    let journals = Journals::new(journals);
    let featured = broadcast.featured.clone();
    let venue = LocalVenue::new(Arc::new(runner), cores, journals, featured, args.tempo);
    // Each game has a thread.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(parallel)
        .build()?;
    let options = DispatchOptions { parallel, until, stop };
    Played { tournament, broadcast, lines, options, runtime }.at(venue, None, args.web.is_some())
}

/// A tournament that is about to be played.
struct Played {
    tournament: Tournament,
    broadcast: Broadcast,
    lines: FaultLines,
    options: DispatchOptions,
    runtime: Runtime,
}

impl Played {
    /// Plays the tournament at a venue, and waits for the venue's task, if any. With `page_stays`, serves the page until
    /// Ctrl-C.
    fn at<V: Venue>(
        self,
        venue: V,
        venue_task: Option<JoinHandle<()>>,
        page_stays: bool,
    ) -> anyhow::Result<ExitCode> {
        let Self { mut tournament, broadcast, lines, options, runtime } = self;
        let Broadcast { featured, mut board, .. } = broadcast;
        let stop = options.stop.clone();
        let mut display = Display::begin(&tournament, lines);
        let tell = |tournament: &Tournament, event: TournamentEvent<'_>| {
            display.tell(tournament, &event);
            board.take_in(tournament, &event);
        };
        let (_, no_actions) = mpsc::channel(1);
        let dispatcher =
            Dispatcher::new(&mut tournament, venue, featured, options, no_actions, tell);
        let played = runtime.block_on(dispatcher.run());
        if let Some(venue_task) = venue_task {
            let _ = runtime.block_on(venue_task);
        }
        let played = played.map_err(anyhow::Error::from);
        let end = conclude(&tournament, played, board, display, &stop, page_stays);
        runtime.block_on(end)
    }
}

/// Shows the end of a tournament: the error that stopped it, or the reason and the ranking; after a stop, names the command
/// that goes on. A page stays until `stop` is cancelled. Returns the exit code.
pub(crate) async fn conclude(
    tournament: &Tournament,
    played: anyhow::Result<RunEnd>,
    mut board: Scoreboard,
    mut display: Display,
    stop: &CancellationToken,
    has_page: bool,
) -> anyhow::Result<ExitCode> {
    display.end();
    let end = match played {
        Ok(end) => end,
        Err(error) => {
            let _ = cli::fail(&error);
            return Ok(ExitCode::FAILURE);
        }
    };
    let why = match &end {
        RunEnd::Over(next) => Some(next),
        RunEnd::Stopped => None,
    };
    board.over(tournament, why);
    if let Some(message) = why.and_then(farewell) {
        display.say(message.say(Language::chosen()));
    }
    super::report::show(tournament, &tournament.standings(SAMPLES))?;
    if end == RunEnd::Stopped {
        let resume = resume::command(tournament);
        cli::tell!("stopped: `{resume}` goes on", "arrêté : `{resume}` continue");
    }
    if stop.is_cancelled() {
        return Ok(ExitCode::from(cli::INTERRUPTED));
    }
    if has_page {
        cli::tell!("the page stays until Ctrl-C", "la page reste jusqu'à Ctrl-C");
        stop.cancelled().await;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns a token that the first Ctrl-C cancels; the second one ends the program at once.
pub(crate) fn stop_on_interrupt() -> anyhow::Result<CancellationToken> {
    let stop = CancellationToken::new();
    let cancel = stop.clone();
    let runtime = cli::runtime()?;
    thread::spawn(move || {
        runtime.block_on(async {
            cli::interrupted().await;
            cancel.cancel();
            cli::interrupted().await;
            std::process::exit(cli::INTERRUPTED.into());
        });
    });
    Ok(stop)
}
