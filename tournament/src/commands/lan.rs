//! `tournoi lan`.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use cli::{Language, LogLevel};
use protocol::{DEFAULT_PORT, Name, Registration, Secret, service};
use server::announce::Service;
use server::hall::{Admission, Controls, Hall, Presence, Settings, TeamPresence};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tournament::lan::{End, Lan, LanNews, Options};
use tournament::live::Action;
use tournament::tournament::{SAMPLES, Tournament};
use tournament::{Program, report, setup};

use super::display::Display;
use super::page::{self, Seen};
use super::plan_args::PlanArgs;

/// Actions of the organiser that wait.
const ACTIONS: usize = 16;
/// The most teams that may come.
const TEAMS: usize = 256;

/// Flags of `tournoi lan`.
#[derive(Debug, clap::Args)]
pub(crate) struct LanArgs {
    #[command(flatten)]
    plan: PlanArgs,

    /// File for the results; a tournament that is in it already is gone on with
    #[arg(long, visible_alias = "results", value_name = "FILE", default_value = "tournoi.sqlite")]
    base: PathBuf,

    /// Port that teams connect to; 0 for any that is free
    #[arg(long, default_value_t = DEFAULT_PORT)]
    port: u16,

    /// Address to listen on, for teams and for the page
    #[arg(long, visible_alias = "host", value_name = "HOST", default_value = "0.0.0.0")]
    serveur: IpAddr,

    /// Serve the live page on this port: ranking, games, who is there; and the organiser's buttons, for who
    /// has the address with the token that is printed here
    #[arg(long, value_name = "PORT")]
    web: Option<u16>,

    /// Only let these teams in: a file with a team a line, `NAME` or `NAME#SECRET`
    #[arg(long, visible_alias = "teams", value_name = "FILE")]
    equipes: Option<PathBuf>,

    /// Games at a time
    #[arg(long, visible_alias = "parallel", value_name = "N", default_value_t = 64,
          value_parser = clap::value_parser!(u16).range(1..))]
    parallele: u16,

    /// A turn lasts at least that long, to be watched
    #[arg(long, visible_alias = "pace", value_name = "DURATION", default_value = "0",
          value_parser = cli::duration)]
    tempo: Duration,

    /// Games of a team that is gone wait for it that long, then they are played without it
    #[arg(long, visible_alias = "patience", value_name = "DURATION", default_value = "30s",
          value_parser = cli::duration)]
    absence: Duration,

    /// Start as soon as so many teams are there, without waiting for the organiser
    #[arg(long, visible_alias = "start-with", value_name = "TEAMS",
          value_parser = clap::value_parser!(u16).range(1..))]
    commencer_a: Option<u16>,

    /// Stop when a team is the best with this probability, after a complete round; as 0.95
    #[arg(long, visible_alias = "until", value_name = "PROBABILITY",
          value_parser = super::run::probability)]
    jusqua: Option<f64>,

    /// Language of the ranking; that of the environment when missing
    #[arg(long, visible_alias = "language", value_enum)]
    langue: Option<Language>,

    /// UDP port of multicast DNS, for machines where the usual one cannot be used
    #[arg(long, visible_alias = "mdns-port", hide = true, default_value_t = service::MDNS_PORT)]
    port_mdns: u16,

    /// What is logged to the standard error
    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_enum, default_value = "warn")]
    journal: LogLevel,
}

/// Runs a tournament over a LAN.
pub(crate) fn run(args: &LanArgs) -> anyhow::Result<ExitCode> {
    let _log = args.journal.init_lossy();
    let tournament = open(args)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(play(args, tournament))
}

/// The tournament of the file, or a new one.
fn open(args: &LanArgs) -> anyhow::Result<Tournament> {
    if args.base.exists() {
        let tournament = Tournament::open(&args.base)?;
        println!("going on with {}", args.base.display());
        return Ok(tournament);
    }
    let draw = getrandom::u64().context("cannot draw a number")?;
    let plan = setup::open_plan(&args.plan.config()?, draw)?;
    ensure!(
        !plan.teams.iter().any(|team| matches!(team.program, Program::Command(_))),
        "teams connect from elsewhere: here --equipe takes bots of the house only, as ia:dijkstra"
    );
    Ok(Tournament::create(&args.base, plan)?)
}

async fn play(args: &LanArgs, mut tournament: Tournament) -> anyhow::Result<ExitCode> {
    let listener = TcpListener::bind((args.serveur, args.port))
        .await
        .with_context(|| format!("cannot listen on {}, port {}", args.serveur, args.port))?;
    let address = listener.local_addr()?;
    let admission = match &args.equipes {
        Some(path) => Admission::Listed(read_teams(path)?),
        None => Admission::Anybody { max_teams: TEAMS },
    };
    let settings = Settings { admission, max_spectators: 64, max_connections: 1024 };
    let (hall, controls) = Hall::new(settings, getrandom::u64().context("cannot draw a number")?)?;
    let (actions, received) = mpsc::channel(ACTIONS);

    let games: Vec<_> = server::addresses(address).iter().map(ToString::to_string).collect();
    welcome(&tournament, address, &games);
    let page = args.web.map(|port| SocketAddr::from((args.serveur, port)));
    let Seen { stage, mut board, addresses } =
        page::serve(&tournament, page, page.map(|_| actions.clone()))?;
    board.addresses(games, addresses);

    let announcement = Service {
        name: Name::new(&tournament.plan().conditions.name),
        game: service::Game::Pacman,
        is_hall: true,
        address,
        mdns_port: args.port_mdns,
    }
    .announce();
    let stop = CancellationToken::new();
    stop_on_interrupt(stop.clone(), controls.clone());
    start_on_enter(actions.clone(), args.commencer_a, controls.teams());
    let hall = tokio::spawn(hall.run());
    let door = controls.clone();
    tokio::spawn(async move { door.listen(listener).await });

    let options = Options {
        tables: args.parallele.into(),
        tempo: args.tempo,
        patience: args.absence,
        until: args.jusqua,
        stop: stop.clone(),
    };
    let mut display = Display::begin(&tournament);
    let mut known = Vec::new();
    let tell = |tournament: &Tournament, news: LanNews<'_>| match news {
        LanNews::Teams(teams) => {
            display.say_all(changes(&mut known, teams));
            board.teams(teams);
        }
        LanNews::Joined(names) => display.say_all([format!("they play: {}", names.join(", "))]),
        LanNews::Game(news) => {
            display.tell(tournament, &news);
            board.take_in(tournament, &news);
        }
        LanNews::Running(game, progress) => board.follow(tournament.plan(), game, progress),
        LanNews::Paused(is_paused) => {
            display.say_all([if is_paused { "paused" } else { "going on" }.to_owned()]);
            board.pause(is_paused);
        }
        LanNews::Look => board.refresh(tournament.plan()),
    };
    let ended = Lan::new(&mut tournament, controls.clone(), stage, received, options, tell);
    let ended = ended.run().await;
    drop(announcement);
    controls.close().await;
    let _ = hall.await;
    display.end();
    let end = match ended {
        Ok(end) => end,
        Err(error) => {
            let _ = cli::fail(&error.into());
            return Ok(ExitCode::FAILURE);
        }
    };
    board.over(&tournament, None);
    if let End::Over(next) = &end {
        display.over(next);
    }
    let language = Language::or_environment(args.langue);
    println!("{}", report::table(&tournament.standings(SAMPLES), language));
    if end == End::Stopped {
        println!("stopped: `tournoi lan --base {}` goes on", args.base.display());
    }
    if stop.is_cancelled() {
        return Ok(ExitCode::from(cli::INTERRUPTED));
    }
    if args.web.is_some() {
        println!("the page stays until Ctrl-C");
        stop.cancelled().await;
    }
    Ok(ExitCode::SUCCESS)
}

/// Says where to connect.
fn welcome(tournament: &Tournament, address: SocketAddr, games: &[String]) {
    println!("{}: listening on {address}", tournament.plan().conditions.name);
    for at in server::addresses(address) {
        let (host, port) = (at.ip(), at.port());
        println!("  teams connect with: client --equipe NAME --serveur {host} --port {port}");
    }
    if games.is_empty() {
        println!("this machine has no address that others could use: is it on a network?");
    }
    println!("press Enter to start with those who are there");
}

/// Reads the list of teams.
fn read_teams(path: &Path) -> anyhow::Result<Vec<(Name, Option<Secret>)>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the teams {}", path.display()))?;
    let mut teams: Vec<(Name, Option<Secret>)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        // A line is what a client would register with.
        let Ok(Registration { name, secret, .. }) =
            Registration::decode(format!("joueur;{line}").as_bytes())
        else {
            bail!("{}, line {number}: expected NAME or NAME#SECRET", path.display());
        };
        if teams.iter().any(|(known, _)| *known == name) {
            bail!("{}, line {number}: {name} is there twice", path.display());
        }
        teams.push((name, secret));
    }
    ensure!(!teams.is_empty(), "{}: there is no team in it", path.display());
    Ok(teams)
}

/// Who has come and gone since the last time, in words.
fn changes(known: &mut Vec<(Name, bool)>, teams: &[TeamPresence]) -> Vec<String> {
    let now: Vec<_> =
        teams.iter().map(|team| (team.name.clone(), team.presence != Presence::Gone)).collect();
    let was_there = |name: &Name| known.iter().any(|(known, there)| known == name && *there);
    let there = now.iter().filter(|(_, there)| *there).count();
    let line = |(name, is_there): &(Name, bool)| match (was_there(name), *is_there) {
        (false, true) => Some(format!("+ {name} ({there} there)")),
        (true, false) => Some(format!("- {name} is gone ({there} there)")),
        _ => None,
    };
    let lines = now.iter().filter_map(line).collect();
    *known = now;
    lines
}

/// The first Ctrl-C ends the tournament with a farewell to everybody, the second one at once.
fn stop_on_interrupt(stop: CancellationToken, hall: Controls) {
    tokio::spawn(async move {
        cli::interrupted().await;
        stop.cancel();
        cli::interrupted().await;
        hall.abort();
        cli::interrupted().await;
        std::process::exit(cli::INTERRUPTED.into());
    });
}

/// Starts when Enter is pressed, or when so many teams are there.
fn start_on_enter(
    actions: mpsc::Sender<Action>,
    enough: Option<u16>,
    mut teams: watch::Receiver<Vec<TeamPresence>>,
) {
    let pressed = actions.clone();
    // Reading a terminal cannot be stopped.
    std::thread::spawn(move || {
        for line in io::stdin().lines() {
            if line.is_err() || pressed.blocking_send(Action::Start).is_err() {
                break;
            }
        }
    });
    let Some(enough) = enough else { return };
    tokio::spawn(async move {
        let are_enough = |teams: &Vec<TeamPresence>| {
            let there = teams.iter().filter(|team| team.presence != Presence::Gone).count();
            there >= usize::from(enough)
        };
        if teams.wait_for(are_enough).await.is_ok() {
            // Nobody listens any more when it is over.
            let _ = actions.send(Action::Start).await;
        }
    });
}
