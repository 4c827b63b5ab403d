//! `measure grappe`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use cli::print_either;
use language::{Language, said};
use measure::simulation::{Scenario, SimulationReport, simulate};

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Play a tournament on a simulated cluster whose parts fail, and say what is busy and what \
     waits\n\nCoordinator, leases and ledger are those of `tournoi play --nats`; broker, network, workers and \
     games are simulated. On a terminal, the outcome is told in sentences; elsewhere, as `key=value`.",
    "Jouer un tournoi sur une grappe simulée dont des parties tombent en panne, et dire ce qui est occupé et ce \
     qui attend\n\nLe coordinateur, les baux et le registre sont ceux de `tournoi jouer --nats` ; le serveur de \
     messages, le réseau, les ouvriers et les parties sont simulés. Sur un terminal, le résultat est dit en phrases ; \
     ailleurs, par `clé=valeur`."
))]
pub(crate) struct Args {
    #[arg(long, visible_alias = "workers", value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000), help = said!(
        "Workers, of one place each",
        "Ouvriers, d'une place chacun"
    ))]
    ouvriers: u32,

    #[arg(long, visible_alias = "meetings", value_name = "N", default_value_t = 250_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), help = said!(
        "Matchups, of four games each",
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

    #[arg(long, visible_alias = "window", value_name = "N", default_value_t = 1024,
          value_parser = clap::value_parser!(u32).range(1..), help = said!(
        "Matchups at the broker at a time",
        "Rencontres à la fois chez le serveur de messages"
    ))]
    fenetre: u32,

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
        matchups: args.rencontres,
        window: args.fenetre as usize,
        game: args.partie,
        lease: args.bail,
        delay: args.reseau,
        commit: args.enregistrement,
        flush: Duration::from_secs(120),
        failures: args.pannes,
        span: ideal,
        duplicates: 100,
    });
    let simulated = Simulated { games, ideal, report, in_time: start.elapsed() };
    print_either(simulated.for_people(), simulated.for_programs())?;
    let SimulationReport { committed, committed_twice, orphans, .. } = simulated.report;
    let is_right = (committed, committed_twice, orphans) == (games, 0, 0);
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Simulated {
    games: u64,
    /// Duration without failures, if no worker ever waits.
    ideal: Duration,
    report: SimulationReport,
    /// Real duration of the simulation.
    in_time: Duration,
}

impl Simulated {
    fn efficiency(&self) -> f64 {
        self.ideal.as_secs_f64() / self.report.took.as_secs_f64()
    }

    /// Number of events in a second of simulated time.
    fn per_second(&self, events: u64) -> f64 {
        events as f64 / self.report.took.as_secs_f64()
    }

    /// Share of the time that the coordinator is busy, in percent.
    fn busy(&self) -> f64 {
        100.0 * self.report.busy.as_secs_f64() / self.report.took.as_secs_f64()
    }

    fn for_people(&self) -> String {
        let Self { games, report, .. } = self;
        let language = Language::chosen();
        let whole = |number: u64| language.whole(number);
        let rounded = |number: f64| language.whole(number.round() as u64);
        let decimal = |number: f64, decimals| language.decimal(number, decimals);
        let [games, committed, twice, late, orphans] = [
            *games,
            report.committed,
            report.committed_twice,
            report.committed_stale,
            report.orphans,
        ]
        .map(whole);
        let [played, again, stale, given_up] =
            [report.played, report.again, report.stale, report.given_up].map(whole);
        language.typeset(&said!(
            "Of {games} games, {committed} have a result; recorded twice: {twice}; recorded after a later lease: {late}; \
             messages left at the broker: {orphans}.\n\
             {played} games were played; results for a game that had one: {again}; results of ended leases: {stale}; \
             matchups offered once more: {given_up}.\n\
             It took {} s of simulated time; {} s without failures and waits, so that efficiency is {}.\n\
             Games a second: {}; messages a second: {}; the coordinator is busy {} % of the time.\n\
             Results that waited for it: {} at most, {} s at most. The simulation took {} s.",
            "De {games} parties, {committed} ont un résultat ; notées deux fois : {twice} ; notées après un bail \
             postérieur : {late} ; messages restés chez le serveur de messages : {orphans}.\n\
             {played} parties ont été jouées ; résultats d'une partie qui en avait un : {again} ; résultats de baux \
             finis : {stale} ; rencontres proposées à nouveau : {given_up}.\n\
             Temps simulé : {} s, dont {} s seraient nécessaires sans pannes ni attentes : l'efficacité est de {}.\n\
             Parties par seconde : {} ; messages par seconde : {} ; le coordinateur est occupé {} % du temps.\n\
             Résultats qui l'attendaient : {} au plus, {} s au plus. La simulation a pris {} s.",
            rounded(report.took.as_secs_f64()),
            rounded(self.ideal.as_secs_f64()),
            decimal(self.efficiency(), 2),
            rounded(self.per_second(report.committed)),
            rounded(self.per_second(report.messages)),
            decimal(self.busy(), 1),
            whole(report.backlog as u64),
            decimal(report.longest_wait.as_secs_f64(), 2),
            decimal(self.in_time.as_secs_f64(), 1),
        ))
    }

    fn for_programs(&self) -> String {
        let Self { games, ideal, report, in_time } = self;
        let SimulationReport { committed, committed_twice, committed_stale, orphans, .. } = report;
        let SimulationReport { played, again, stale, given_up, backlog, longest_wait, .. } = report;
        let (took, ideal) = (report.took.as_secs_f64(), ideal.as_secs_f64());
        format!(
            "games={games} committed={committed} twice={committed_twice} stale_committed={committed_stale} \
             orphans={orphans} played={played} again={again} stale={stale} given_up={given_up}\n\
             took={took:.0}s ideal={ideal:.0}s efficiency={:.2} games_per_s={:.0} coordinator_busy={:.1}% \
             messages_per_s={:.0} backlog={backlog} longest_wait={longest_wait:.1?} simulated_in={in_time:.1?}",
            self.efficiency(),
            self.per_second(*committed),
            self.busy(),
            self.per_second(report.messages),
        )
    }
}
