//! `tournoi cours ouvrir`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use classroom::Classroom;
use cli::LevelFilter;
use course::{Course, CourseError, Token};
use language::{Language, said};
use nats::connection::BrokerUrl;

use super::machines::{self, NatsMachines};
use super::settings::settings;
use super::{FileArgs, now};
use crate::commands::broker_args::CoordinatorArgs;
use crate::commands::isolation::{self, IsolationArgs};
use crate::commands::page;
use crate::commands::run::stop_on_interrupt;
use crate::config::Config;

#[derive(Debug, clap::Args)]
#[command(after_help = said!(
    "The first time, this makes the file of the course and prints the teacher's link. Whoever has it can do everything: keep it.\n\n\
     Exit codes: 2 when the command or a file is wrong, or the course cannot be opened, 130 on Ctrl-C.",
    "La première fois, le fichier du cours est créé et le lien de l'enseignant affiché. Ce lien permet tout : \
     gardez-le pour vous.\n\n\
     Codes de sortie : 2 si la commande ou un fichier est incorrect, ou si le cours ne peut pas être ouvert, 130 après \
     Ctrl-C."
))]
pub(super) struct OpenArgs {
    #[command(flatten)]
    file: FileArgs,

    #[arg(long, value_name = "FILE", help = said!(
        "File that describes the course (TOML), as exemples/cours.toml",
        "Fichier qui décrit le cours (TOML), comme exemples/cours.toml"
    ))]
    config: Option<PathBuf>,

    #[arg(long, value_name = "PORT", value_parser = cli::web_address, help = said!(
        "Serve the pages on this port of this machine, or on an address with its port, as 0.0.0.0:8080 for everybody in the network \
         [default: 8080]",
        "Servir les pages sur ce port de cette machine, ou sur une adresse avec son port, comme 0.0.0.0:8080 pour tout le réseau \
         [défaut : 8080]"
    ))]
    web: Option<SocketAddr>,

    #[arg(long, visible_alias = "parallel", value_name = "N",
          value_parser = clap::value_parser!(u16), help = said!(
        "Games at a time on this machine; with --nats, also 0 [default: 1]",
        "Parties à la fois sur cette machine ; 0 est permis avec --nats [défaut : 1]"
    ))]
    parallele: Option<u16>,

    #[arg(long, value_name = "URL", help = said!(
        "Have games of the ladder played on other machines, too, by `tournoi worker URL`, through this NATS broker",
        "Faire jouer aussi des parties du classement sur d'autres machines, qui lancent `tournoi ouvrier URL`, par ce \
         serveur de messages NATS"
    ))]
    nats: Option<BrokerUrl>,

    #[command(flatten)]
    coordinator: CoordinatorArgs,

    #[command(flatten)]
    isolation: IsolationArgs,

    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_parser = cli::log_level(), default_value = "warn",
          help = said!("What is logged to the standard error", "Ce qui est noté sur la sortie d'erreur"))]
    journal: LevelFilter,
}

/// The usual port of the pages.
const PORT: u16 = 8080;

pub(super) fn run(args: &OpenArgs) -> anyhow::Result<ExitCode> {
    let _log = cli::start_lossy_log(args.journal);
    let config = args.config.as_deref().map(Config::read).transpose()?.unwrap_or_default();
    let mut settings = settings(&config, args.isolation.isolement)?;
    if let Some(parallel) = args.parallele {
        settings.parallel = parallel.into();
    }
    ensure!(
        settings.parallel > 0 || args.nats.is_some(),
        said!(
            "`parallele`: 0 games at a time need --nats URL, or nobody would play",
            "`parallele` : 0 partie à la fois demande --nats URL, sinon personne ne jouerait"
        )
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // A broker that is not there is told before the course is made.
    let connection = args.nats.as_ref().map(|url| runtime.block_on(args.coordinator.connect(url)));
    let connection = connection.transpose()?;
    let web = args.web.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)));
    let listener = page::listen(Some(web))?.expect("an address was given");
    let (course, token) = open(args)?;
    tell_damage(&course);
    // The token is told before anything can fail: it cannot be read again.
    let (name, address) = (&settings.name, settings.address.as_deref());
    let local = tell_addresses(name, &listener, address, token.as_ref())?;
    let (versions, deadline) = (course.versions_folder().to_owned(), settings.deadline);
    let lease = args.coordinator.lease();
    let assignment = machines::assignment(&settings, course.path(), &versions, lease)?;
    let mut classroom = Classroom::new(course, settings)?;
    for gap in &classroom.gaps {
        cli::say!("{}", gap.say(Language::chosen()));
    }
    if args.nats.is_some() {
        isolation::say(&[isolation::elsewhere()]);
    }
    let stop = stop_on_interrupt()?;
    // The ladder has what nobody else wants of the machine.
    web::background::step_back();
    runtime.block_on(async {
        let mut task = None;
        if let Some(connection) = connection {
            let opened = NatsMachines::open(connection, assignment, &versions, deadline).await?;
            task = Some(opened.1);
            classroom.play_elsewhere(Box::new(opened.0));
        }
        Box::pin(classroom.open(listener, local, stop)).await?;
        // The workers are told that it is over.
        if let Some(task) = task {
            let _ = task.await;
        }
        anyhow::Ok(())
    })?;
    Ok(ExitCode::from(cli::INTERRUPTED))
}

/// Opens the course, or makes it, with the teacher's token.
fn open(args: &OpenArgs) -> Result<(Course, Option<Token>), CourseError> {
    match Course::open(&args.file.cours) {
        Err(CourseError::Missing(path)) => {
            Course::create(&path, now()).map(|(course, token)| (course, Some(token)))
        }
        opened => Ok((opened?, None)),
    }
}

fn tell_damage(course: &Course) {
    for path in course.leftovers() {
        let path = path.display();
        cli::warn!("{path} cannot be removed", "{path} ne peut pas être supprimé");
    }
    let missing: Vec<_> = course.missing().iter().map(ToString::to_string).collect();
    if !missing.is_empty() {
        let list = missing.join(", ");
        cli::warn!(
            "the files of these versions are missing, and the ones before them play: {list}",
            "les fichiers de ces versions manquent, et les précédentes jouent : {list}"
        );
    }
}

/// Prints where the pages are. Returns the address that links begin with.
fn tell_addresses(
    name: &str,
    listener: &TcpListener,
    proxy: Option<&str>,
    token: Option<&Token>,
) -> anyhow::Result<String> {
    let address = listener
        .local_addr()
        .with_context(|| said!("cannot serve the page", "la page ne peut pas être servie"))?;
    let mut pages: Vec<_> =
        server::addresses(address).iter().map(|at| format!("http://{at}/")).collect();
    pages.splice(0..0, proxy.map(|proxy| format!("{}/", proxy.trim_end_matches('/'))));
    for page in &pages {
        cli::tell!("{name}: {page}", "{name} : {page}");
    }
    let mut here = address;
    if here.ip().is_unspecified() {
        here.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    let base = pages.into_iter().next().unwrap_or_else(|| format!("http://{here}/"));
    if let Some(token) = token {
        cli::tell!(
            "for the teacher only, shown once: {base}#jeton={token}",
            "pour l'enseignant seulement, affiché une seule fois : {base}#jeton={token}"
        );
    } else {
        cli::tell!(
            "the course goes on; the teacher's link was shown when it was made (`{tournoi} course teams --teacher` makes another)",
            "le cours continue ; le lien de l'enseignant a été affiché à sa création (`{tournoi} cours equipes --enseignant` en donne un autre)",
            tournoi = cli::command("tournoi")
        );
    }
    Ok(base)
}
