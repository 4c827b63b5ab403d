//! `lab grappe`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use cluster::simulation::{Scenario, simulate};
use language::said;

use super::print;

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Play a tournament on a simulated cluster whose parts fail, and say what is busy and what \
     waits\n\nCoordinator, leases and ledger are those of `tournoi jouer --nats`; broker, network, workers and \
     games are simulated.",
    "Jouer un tournoi sur une grappe simulée dont des parties tombent en panne, et dire ce qui est occupé et ce \
     qui attend\n\nLe coordinateur, les baux et le registre sont ceux de `tournoi jouer --nats` ; le serveur de \
     messages, le réseau, les ouvriers et les parties sont simulés."
))]
pub(crate) struct Args {
    #[arg(long, visible_alias = "workers", value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Workers, of one place each",
        "Ouvriers, d'une place chacun"
    ))]
    ouvriers: u32,

    #[arg(long, visible_alias = "meetings", value_name = "N", default_value_t = 250_000, help = said!(
        "Meetings, of four games each",
        "Rencontres, de quatre parties chacune"
    ))]
    rencontres: u64,

    #[arg(long, visible_alias = "game", value_name = "DURATION", default_value = "3s", value_parser = cli::positive_duration,
          help = said!("Mean duration of a game", "Durée moyenne d'une partie"))]
    partie: Duration,

    #[arg(long, visible_alias = "lease", value_name = "DURATION", default_value = "15s", value_parser = cli::positive_duration,
          help = said!("Duration of a lease", "Durée d'un bail"))]
    bail: Duration,

    #[arg(long, visible_alias = "delay", value_name = "DURATION", default_value = "1ms", value_parser = cli::duration,
          help = said!("Mean delay of a message", "Délai moyen d'un message"))]
    reseau: Duration,

    #[arg(long, visible_alias = "commit", value_name = "DURATION", default_value = "1ms", value_parser = cli::duration, help = said!(
        "For the coordinator to verify and record a result",
        "Temps du coordinateur pour vérifier et noter un résultat"
    ))]
    enregistrement: Duration,

    #[arg(long, visible_alias = "window", value_name = "N", default_value_t = 1024, help = said!(
        "Meetings at the broker at a time",
        "Rencontres à la fois chez le serveur de messages"
    ))]
    fenetre: usize,

    #[arg(long, visible_alias = "failures", value_name = "N", default_value_t = 1000, help = said!(
        "Kills, stops, partitions and power cuts in all",
        "Arrêts brutaux, pauses, coupures du réseau et du courant en tout"
    ))]
    pannes: u32,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1,
          help = said!("Seed", "Graine"))]
    graine: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let games = args.rencontres * 4;
    // The duration without failures, if no worker ever waits.
    let ideal = args.partie.mul_f64(games as f64 / f64::from(args.ouvriers));
    let start = Instant::now();
    let report = simulate(Scenario {
        seed: args.graine,
        workers: args.ouvriers,
        meetings: args.rencontres,
        window: args.fenetre,
        game: args.partie,
        lease: args.bail,
        delay: args.reseau,
        commit: args.enregistrement,
        flush: Duration::from_secs(120),
        failures: args.pannes,
        span: ideal,
        duplicates: 100,
    });
    let took = report.took.as_secs_f64();
    let busy = 100.0 * report.busy.as_secs_f64() / took;
    print(format_args!(
        "games={games} committed={} twice={} stale_committed={} orphans={} played={} again={} stale={} given_up={}\n\
         took={took:.0}s ideal={:.0}s efficiency={:.2} games_per_s={:.0} coordinator_busy={busy:.1}% \
         messages_per_s={:.0} backlog={} longest_wait={:.1?} simulated_in={:.1?}",
        report.committed,
        report.committed_twice,
        report.committed_stale,
        report.orphans,
        report.played,
        report.again,
        report.stale,
        report.given_up,
        ideal.as_secs_f64(),
        ideal.as_secs_f64() / took,
        report.committed as f64 / took,
        report.messages as f64 / took,
        report.backlog,
        report.longest_wait,
        start.elapsed(),
    ))?;
    let is_right = (report.committed, report.committed_twice, report.orphans) == (games, 0, 0);
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
