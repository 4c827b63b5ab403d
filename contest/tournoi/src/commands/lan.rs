//! `tournoi lan`.

mod admission;
mod refusals;

use std::io::{self, IsTerminal};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use crate::setup;
use anyhow::{Context, ensure};
use arena::Host;
use arena::hall::{Admission, Controls, Hall, HallSettings, KnownTeam};
use cli::LevelFilter;
use language::{Language, said};
use plan::OrganiserAction;
use plan::{Plan, Program, Team};
use protocol::{DEFAULT_PORT, Name, service};
use pulse::Pulse;
use server::EmbeddingArgs;
use server::announce::Service;
use server::program::browser_players;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tournament::dispatcher::{DispatchOptions, Dispatcher, RunError};
use tournament::event::TournamentEvent;
use tournament::lan;
use tournament::store::StoreError;
use tournament::tournament::Tournament;
use tournament::venue::HallVenue;

use super::base::BaseArgs;
use super::display::Display;
use super::fault_lines::FaultLines;
use super::page::{self, Broadcast};
use super::plan_args::PlanArgs;
use super::resume;
use super::run::{UntilArgs, conclude};
use admission::{TeamList, admission, read_teams};
use refusals::Refusals;

/// Greatest number of waiting actions of the organiser.
const ACTIONS: usize = 16;

#[derive(Debug, clap::Args)]
pub(crate) struct LanArgs {
    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    base: BaseArgs,

    #[arg(long, default_value_t = DEFAULT_PORT, help = said!(
        "Port that teams connect to; 0 for any that is free",
        "Port auquel les équipes se connectent ; 0 pour un port libre"
    ))]
    port: u16,

    #[arg(long, visible_alias = "host", value_name = "HOST", default_value = "0.0.0.0", help = said!(
        "Address to listen on, for teams and for the page",
        "Adresse sur laquelle écouter, pour les équipes et pour la page"
    ))]
    serveur: IpAddr,

    #[arg(long, value_name = "PORT", help = said!(
        "Serve the live page on this port: ranking, games, who is there; and the organiser's buttons, for who \
         has the address with the token that is printed here",
        "Servir la page en direct sur ce port : classement, parties, équipes présentes ; et les boutons de \
         l'organisateur, à l'adresse avec jeton affichée ici"
    ))]
    web: Option<u16>,

    #[command(flatten)]
    embedding: EmbeddingArgs,

    #[arg(long, visible_alias = "teams", value_name = "FILE", help = said!(
        "Only let these teams in: a file with a team a line, `NAME` or `NAME#SECRET`",
        "N'admettre que ces équipes : un fichier avec une équipe par ligne, `NOM` ou `NOM#SECRET`"
    ))]
    equipes: Option<PathBuf>,

    #[arg(long, visible_alias = "max-per-address", value_name = "N", default_value_t = 16, help = said!(
        "Most teams from one address, this machine excepted; teams of --teams are not limited",
        "Nombre maximal d'équipes par adresse, sauf pour cette machine ; celles de --equipes ne sont pas limitées"
    ))]
    max_par_adresse: usize,

    #[arg(long, visible_alias = "parallel", value_name = "N", default_value_t = 64,
          value_parser = clap::value_parser!(u16).range(1..),
          help = said!("Games at a time", "Parties à la fois"))]
    parallele: u16,

    #[arg(long, visible_alias = "pace", value_name = "DURATION", default_value = "0",
          value_parser = cli::duration, help = said!(
        "A turn lasts at least that long, to be watched",
        "Durée minimale d'un tour, pour qu'on puisse regarder"
    ))]
    tempo: Duration,

    #[arg(long, visible_alias = "patience", value_name = "DURATION", default_value = "30s",
          value_parser = cli::duration, help = said!(
        "Games of a team that is gone wait for it that long, then they are played without it",
        "Temps pendant lequel les parties d'une équipe absente l'attendent, avant de se jouer sans elle"
    ))]
    absence: Duration,

    #[arg(long, visible_alias = "start-with", value_name = "TEAMS",
          value_parser = clap::value_parser!(u16).range(1..), help = said!(
        "Start as soon as this number of teams is there, without waiting for the organiser",
        "Commencer dès que ce nombre d'équipes est là, sans attendre l'organisateur"
    ))]
    commencer_a: Option<u16>,

    #[command(flatten)]
    until: UntilArgs,

    #[arg(long, visible_alias = "mdns-port", hide = true, default_value_t = service::MDNS_PORT)]
    port_mdns: u16,

    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_parser = cli::log_level(), default_value = "warn",
          help = said!("What is logged to the standard error", "Ce qui est noté sur la sortie d'erreur"))]
    journal: LevelFilter,
}

/// The sockets of a tournament, opened before anything is written.
struct Listeners {
    teams: TcpListener,
    page: Option<TcpListener>,
}

impl Listeners {
    fn open(args: &LanArgs) -> anyhow::Result<Self> {
        let wanted = SocketAddr::from((args.serveur, args.port));
        let teams = TcpListener::bind(wanted)
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
            .with_context(|| {
                said!("cannot listen on {wanted}", "écouter sur {wanted} est impossible")
            })?;
        let page = page::listen(args.web.map(|port| SocketAddr::from((args.serveur, port))))?;
        Ok(Self { teams, page })
    }
}

pub(crate) fn run(args: &LanArgs) -> anyhow::Result<ExitCode> {
    let _log = cli::start_lossy_log(args.journal);
    let list = args.equipes.as_deref().map(read_teams).transpose()?;
    let listeners = Listeners::open(args)?;
    let listed: Vec<_> = list.iter().flatten().map(|(name, _)| name.to_string()).collect();
    let (mut tournament, admission) = open(args, list)?;
    tournament.change(|plan| args.until.set(plan))?;
    let runtime = cli::runtime()?;
    runtime.block_on(play(args, tournament, admission, listed, listeners))
}

/// Opens the tournament of the file, or creates a new one; returns it with the rule of admission.
fn open(args: &LanArgs, list: Option<TeamList>) -> anyhow::Result<(Tournament, Admission)> {
    let other = match Tournament::open(args.base.path()) {
        Ok(tournament) => {
            let admission = admission(tournament.plan(), list, args.max_par_adresse)?;
            return Ok((go_on(tournament)?, admission));
        }
        // The file may also be of a tournament that was killed before it wrote anything.
        Err(error @ (StoreError::Missing(_) | StoreError::Foreign(_))) => error,
        Err(error) => return Err(error.into()),
    };
    let plan = setup::open_plan(&args.plan.config()?, super::draw()?)?;
    ensure!(
        !plan.teams.iter().any(|team| matches!(team.program, Program::Command(_))),
        said!(
            "teams connect from elsewhere: here --team takes bots of the house only, as ia:dijkstra",
            "les équipes se connectent d'ailleurs : ici --equipe ne prend que des bots de la maison, comme ia:dijkstra"
        )
    );
    check(&plan)?;
    let admission = admission(&plan, list, args.max_par_adresse)?;
    match Tournament::create(args.base.path(), plan) {
        Err(StoreError::Exists(_)) => Err(other.into()),
        created => Ok((created?, admission)),
    }
}

fn go_on(tournament: Tournament) -> anyhow::Result<Tournament> {
    let (plan, base) = (tournament.plan(), tournament.store().path().display());
    ensure!(
        !plan.teams.iter().any(|team| matches!(team.program, Program::Command(_))),
        said!(
            "the teams of this tournament are programs: `{resume}` goes on with it",
            "les équipes de ce tournoi sont des programmes : `{resume}` le continue",
            resume = resume::command(&tournament)
        )
    );
    cli::tell!(
        "going on with {base}, as it was begun: games played: {}; --results FILE begins another one",
        "suite de {base}, avec ses réglages du début : parties jouées : {} ; --base FICHIER en commence un autre",
        tournament.games().count()
    );
    Ok(tournament)
}

/// Checks that the tournament can be played once a team has come.
fn check(plan: &Plan) -> anyhow::Result<()> {
    let (mut teams, mut schedule) = (plan.teams.clone(), plan.schedule.clone());
    teams.push(Team::new("", Program::Remote, ""));
    if schedule.rounds == 0 {
        schedule.rounds = schedule.format.usual_rounds(teams.len(), plan.maps.len());
    }
    Ok(schedule.check(&teams, plan.maps.len())?)
}

fn hall_settings(admission: Admission) -> HallSettings {
    HallSettings {
        admission,
        max_spectators: 64,
        max_connections: 1024,
        pulse: Pulse::start(),
        gallery: web::background::start("spectators"),
    }
}

/// The teams that connect from elsewhere, with the proofs that the places are theirs.
fn known_teams(tournament: &Tournament) -> Result<Vec<KnownTeam>, StoreError> {
    let mut claims = tournament.store().claims()?;
    let remote = tournament.plan().teams.iter().filter(|team| team.program == Program::Remote);
    let known = remote
        .map(|Team { name, .. }| KnownTeam { name: Name::new(name), claim: claims.remove(name) });
    Ok(known.collect())
}

async fn play(
    args: &LanArgs,
    mut tournament: Tournament,
    admission: Admission,
    listed: Vec<String>,
    listeners: Listeners,
) -> anyhow::Result<ExitCode> {
    let address = listeners.teams.local_addr()?;
    let salt = tournament.store_mut().salt(super::draw()?)?;
    let (mut hall, controls) = Hall::new(hall_settings(admission), salt)?;
    hall.restore(known_teams(&tournament)?);
    let (actions, received) = mpsc::channel(ACTIONS);
    let stop = CancellationToken::new();
    stop_on_interrupt(stop.clone(), controls.clone());

    let games: Vec<_> = server::addresses(address).iter().map(ToString::to_string).collect();
    let mut display = Display::begin(&tournament, FaultLines::new(None));
    welcome(args, address, &games);
    display.expect(expected(tournament.plan(), &listed));
    let mut refusals = Refusals::new(listed);
    let (closed, games_runtime) = serve(hall, controls.host.clone(), listeners.teams)?;
    let players = Some(browser_players(controls.host.clone(), games_runtime));
    let organiser = listeners.page.is_some().then(|| actions.clone());
    let Broadcast { featured, mut board, addresses } =
        page::serve(&tournament, listeners.page, args.embedding.embedders(), organiser, players)?;
    board.addresses(games, addresses);
    start_on_enter(actions);

    let announcement = Service {
        name: Name::new(&tournament.plan().conditions.name),
        game: service::GameKind::Pacman,
        is_hall: true,
        address,
        mdns_port: args.port_mdns,
    }
    .announce();

    let options = DispatchOptions {
        parallel: args.parallele.into(),
        until: tournament.plan().schedule.until,
        stop: stop.clone(),
    };
    let venue = HallVenue::new(controls.clone(), featured.clone(), args.tempo, args.absence);
    let tell = |tournament: &Tournament, event: TournamentEvent<'_>| {
        let mut news = Vec::new();
        if let TournamentEvent::Refused(refused) = &event {
            let notes: Vec<_> = refused.iter().map(|one| refusals.words(one)).collect();
            news = refusals.news(&notes);
            board.refused(notes);
        }
        board.take_in(tournament, &event);
        display.tell(tournament, &event);
        for note in news {
            display.say(note.say(Language::chosen()));
        }
    };
    let dispatcher = Dispatcher::new(&mut tournament, venue, featured, options, received, tell);
    let ended = lan::run(dispatcher, args.commencer_a.map(usize::from)).await;
    drop(announcement);
    controls.close().await;
    // On an error the thread of the hall is gone: the hall is closed as well.
    let _ = closed.await;
    let ended = ended.map_err(|error| match error {
        RunError::Unattended => anyhow::Error::from(error).context(said!(
            "there is no Enter to be pressed: --web PORT or --start-with TEAMS lets it start",
            "personne ne peut appuyer sur Entrée : --web PORT ou --commencer-a ÉQUIPES permet de commencer"
        )),
        error => error.into(),
    });
    let has_page = args.web.is_some();
    conclude(&tournament, ended, board, display, &stop, has_page).await
}

/// The teams that shall come: those on the list, or those of an earlier run.
fn expected(plan: &Plan, listed: &[String]) -> Vec<String> {
    let remote = plan.teams.iter().filter(|team| team.program == Program::Remote);
    match listed {
        [] => remote.map(|team| team.name.clone()).collect(),
        listed => listed.to_vec(),
    }
}

/// Prints the addresses to connect to, and the ways to start.
fn welcome(args: &LanArgs, address: SocketAddr, games: &[String]) {
    cli::tell!("listening on {address}", "à l'écoute sur {address}");
    for at in server::addresses(address) {
        let (host, port) = (at.ip(), at.port());
        cli::tell!(
            "  teams connect with: {client} --team NAME --host {host} --port {port}",
            "  les équipes se connectent avec : {client} --equipe NOM --serveur {host} --port {port}",
            client = cli::command_elsewhere("client")
        );
    }
    if games.is_empty() {
        cli::tell!(
            "this machine has no address that others could use: is it on a network?",
            "cette machine n'a pas d'adresse utilisable par d'autres : est-elle sur un réseau ?"
        );
    }
    if let Some(enough) = args.commencer_a {
        cli::tell!(
            "it starts when {enough} teams are there",
            "le tournoi commence quand {enough} équipes sont là"
        );
    }
    if io::stdin().is_terminal() {
        cli::tell!(
            "press Enter to start with those who are there",
            "appuyez sur Entrée pour commencer avec les équipes présentes"
        );
    }
}

/// Serves the hall on a thread of its own, so that writing results and ranking teams never delay its games. The receiver
/// gets a message when all clients are gone; the handle is the hall's runtime.
fn serve(
    hall: Hall,
    host: Host,
    listener: TcpListener,
) -> anyhow::Result<(oneshot::Receiver<()>, Handle)> {
    let runtime = cli::runtime()?;
    let handle = runtime.handle().clone();
    let (done, closed) = oneshot::channel();
    let listener = {
        let _within = runtime.enter();
        tokio::net::TcpListener::from_std(listener)?
    };
    thread::Builder::new().name("hall".to_owned()).spawn(move || {
        runtime.block_on(async {
            tokio::spawn(async move { host.listen(listener).await });
            hall.run().await;
        });
        // The receiver is gone when the program ends.
        let _ = done.send(());
    })?;
    Ok((closed, handle))
}

/// The first Ctrl-C ends the tournament with a farewell to all clients, the second one without, the third one the program.
fn stop_on_interrupt(stop: CancellationToken, hall: Controls) {
    tokio::spawn(async move {
        cli::interrupted().await;
        stop.cancel();
        cli::interrupted().await;
        hall.host.abort();
        cli::interrupted().await;
        std::process::exit(cli::INTERRUPTED.into());
    });
}

/// Starts when Enter is pressed, as long as the standard input is open.
fn start_on_enter(actions: mpsc::Sender<OrganiserAction>) {
    // Reading a terminal cannot be stopped.
    thread::spawn(move || {
        for line in io::stdin().lines() {
            if line.is_err() || actions.blocking_send(OrganiserAction::Start).is_err() {
                break;
            }
        }
    });
}
