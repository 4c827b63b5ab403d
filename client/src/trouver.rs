//! The program `trouver`, which the Python package starts: where the server is that announces itself.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use cli::LogLevel;
use protocol::service;

use crate::discovery;

/// Prints the host and the port of the server that announces itself on this network
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    /// Whether a secret is to be sent there: prints what to type to confirm the server
    #[arg(long)]
    avec_secret: bool,

    /// How long to look for it, as 500ms or 10s
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = cli::duration)]
    insister: Duration,

    /// UDP port of multicast DNS, for machines where the usual one cannot be used
    #[arg(long, hide = true, default_value_t = service::MDNS_PORT)]
    port_mdns: u16,
}

/// Runs the program on the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let args = Args::parse();
    LogLevel::default().init();
    run(&args).map_or_else(|error| cli::fail(&error), |()| ExitCode::SUCCESS)
}

fn run(args: &Args) -> anyhow::Result<()> {
    let game = Some(service::GameKind::Pacman);
    let found = discovery::locate(game, args.insister, args.port_mdns, args.avec_secret);
    let (host, port) = cli::runtime()?.block_on(found)?;
    writeln!(std::io::stdout(), "{host} {port}")?;
    Ok(())
}
