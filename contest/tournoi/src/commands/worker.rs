//! `tournoi ouvrier`.

use std::path::PathBuf;
use std::process::ExitCode;

use cli::LevelFilter;
use language::said;
use nats::connection::{BrokerConnection, BrokerUrl};
use nats::worker::{self, WorkerEnd, WorkerOptions};

use super::broker_args::BrokerArgs;
use super::draw;
use super::isolation::IsolationArgs;
use super::run::stop_on_interrupt;
use super::verify::folder_of_copies;

#[derive(Debug, clap::Args)]
pub(crate) struct WorkerArgs {
    #[arg(value_name = "URL", help = said!(
        "The NATS broker, as nats://host:4222, nats://user:password@host or tls://host",
        "Le serveur de messages NATS, comme nats://machine:4222, nats://nom:motdepasse@machine ou tls://machine"
    ))]
    url: BrokerUrl,

    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help = said!(
        "Games at a time; when missing, as many as leave each program a core of its own, at least one",
        "Parties à la fois ; sinon autant qu'il se peut en laissant un cœur à chaque programme, au moins une"
    ))]
    places: Option<u16>,

    #[arg(long, visible_alias = "name", value_name = "NAME", help = said!(
        "Name of this worker; when missing, that of the machine and a number",
        "Nom de cet ouvrier ; sinon celui de la machine et un numéro"
    ))]
    nom: Option<String>,

    #[arg(long, visible_alias = "once", help = said!(
        "End with the first tournament, instead of waiting for the next one",
        "Se terminer avec le premier tournoi, au lieu d'attendre le suivant"
    ))]
    une_fois: bool,

    #[arg(long, value_name = "DIR", help = said!(
        "Folder that keeps the teams' packages and the output of their programs; when missing, one that is removed in \
         the end",
        "Dossier qui garde les paquets des équipes et ce qu'écrivent leurs programmes ; sinon un dossier effacé à la \
         fin"
    ))]
    dossier: Option<PathBuf>,

    #[command(flatten)]
    isolation: IsolationArgs,

    #[command(flatten)]
    broker: BrokerArgs,

    #[arg(long, visible_alias = "log", value_name = "LEVEL", value_parser = cli::log_level(), default_value = "error",
          help = said!("What is logged to the standard error", "Ce qui est noté sur la sortie d'erreur"))]
    journal: LevelFilter,
}

pub(crate) fn run(args: &WorkerArgs) -> anyhow::Result<ExitCode> {
    let _log = cli::start_lossy_log(args.journal);
    let stop = stop_on_interrupt()?;
    // Temporary folder, removed at the end of this function.
    let mut own_folder = None;
    let folder = match &args.dossier {
        Some(folder) => folder.clone(),
        None => own_folder.insert(folder_of_copies()?).path().to_owned(),
    };
    let options = WorkerOptions {
        name: args.nom.clone().map_or_else(usual_name, Ok)?.into(),
        places: args.places.map(usize::from),
        isolation: args.isolation.isolement,
        folder,
        once: args.une_fois,
    };
    let runtime = cli::runtime()?;
    let ended = runtime.block_on(async {
        let connection =
            BrokerConnection::connect(&args.broker.address(&args.url), options.name.as_str())
                .await?;
        worker::work(connection, options, stop).await
    });
    Ok(match ended? {
        WorkerEnd::Over => ExitCode::SUCCESS,
        WorkerEnd::Stopped => ExitCode::from(cli::INTERRUPTED),
    })
}

/// The default name, unique at the broker: the machine's name and 32 random bits. Containers may share a host name, and
/// number their processes alike.
fn usual_name() -> anyhow::Result<String> {
    Ok(format!("{}-{:08x}", gethostname::gethostname().to_string_lossy(), draw()? as u32))
}
