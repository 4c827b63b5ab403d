//! The program `find_server`, which the Python package starts: where the server is that announces itself.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use cli::LevelFilter;
use language::said;
use protocol::service;

use crate::discovery;

#[derive(Debug, Parser)]
#[command(version, about = said!(
    "Prints the host and the port of the server that announces itself on this network",
    "Affiche la machine et le port du serveur qui s'annonce sur ce réseau"
))]
struct Args {
    #[arg(long, help = said!(
        "Whether a secret is to be sent there: prints what to type to confirm the server",
        "Si un secret doit y être envoyé : affiche ce qu'il faut taper pour confirmer le serveur"
    ))]
    avec_secret: bool,

    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = cli::duration, help = said!(
        "How long to look for it, as 500ms or 10s",
        "Combien de temps le chercher, comme 500ms ou 10s"
    ))]
    insister: Duration,

    #[arg(long, hide = true, default_value_t = service::MDNS_PORT, help = said!(
        "UDP port of multicast DNS, for machines where the usual one cannot be used",
        "Port UDP du DNS multicast, si le port habituel ne convient pas"
    ))]
    port_mdns: u16,
}

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    let args: Args = match cli::parse() {
        Ok(args) => args,
        Err(code) => return code,
    };
    cli::start_log(LevelFilter::INFO);
    run(&args).map_or_else(|error| cli::fail(&error), |()| ExitCode::SUCCESS)
}

fn run(args: &Args) -> anyhow::Result<()> {
    let game = Some(service::GameKind::Pacman);
    let found = discovery::locate(game, args.insister, args.port_mdns, args.avec_secret);
    let (host, port) = cli::runtime()?.block_on(found)?;
    writeln!(std::io::stdout(), "{host} {port}")?;
    Ok(())
}
