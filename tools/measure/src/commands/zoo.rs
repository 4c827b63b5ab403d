//! `measure zoo`, and the processes that it and `measure debit` start.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};
use cli::print;
use language::{Phrase, said, word};
use measure::crowd::Process;
use measure::zoo::{self, Honest, SEATS, TurnTimes};

use super::quantity::Quantity;
use super::throughput::median;

/// Duration of the warm-up: long enough that all deadlines of the player that never answers have passed.
const WARM_UP: Duration = Duration::from_secs(4);

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Measure what hostile peers cost honest players: how long turns last with and without them\n\nOn a terminal, \
     each figure has its name and unit; elsewhere it is a line `key=value`.",
    "Mesurer ce que des connexions hostiles coûtent aux joueurs honnêtes : la durée des tours avec et sans \
     elles\n\nSur un terminal, chaque chiffre a son nom et son unité ; ailleurs, c'est une ligne `clé=valeur`."
))]
pub(crate) struct Args {
    #[arg(long, visible_alias = "map", value_name = "FILE",
          help = said!("Map to play on", "Carte des parties"))]
    carte: PathBuf,

    #[arg(long, visible_alias = "pairs", value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u8).range(1..), help = said!(
        "Pairs of games, without and with the zoo",
        "Paires de parties, sans et avec le zoo"
    ))]
    paires: u8,

    #[arg(long, visible_alias = "time", value_name = "DURATION", default_value = "5s",
          value_parser = cli::positive_duration, help = said!(
        "Duration of the measurement of each game",
        "Durée de la mesure de chaque partie"
    ))]
    temps: Duration,

    #[arg(long, visible_alias = "thinking", value_name = "DURATION", default_value = "0",
          value_parser = cli::duration, help = said!(
        "Thinking time of the honest players for each state",
        "Temps de réflexion des joueurs honnêtes pour chaque état"
    ))]
    reflexion: Duration,

    #[arg(long, visible_alias = "server", value_name = "FILE", help = said!(
        "The program `server` [default: beside this one]",
        "Le programme `server` [défaut : à côté de celui-ci]"
    ))]
    serveur: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(about = said!(
    "Play as honest players: print `seated` when they are, then the number of turns, their median and their 99th percentile in µs",
    "Jouer en joueurs honnêtes : afficher `seated` quand ils sont assis, puis le nombre de tours, leur médiane et leur 99e centile en µs"
))]
pub(crate) struct HonestArgs {
    address: SocketAddr,
    #[arg(long, value_parser = cli::duration)]
    thinking: Duration,
    #[arg(long, value_parser = cli::duration)]
    measured: Duration,
    #[arg(long)]
    flood: bool,
}

#[derive(Debug, clap::Args)]
#[command(about = said!(
    "Let the zoo loose on a server and its web page",
    "Lâcher le zoo sur un serveur et sa page web"
))]
pub(crate) struct AnimalsArgs {
    game: SocketAddr,
    page: SocketAddr,
}

#[derive(Debug, clap::Args)]
#[command(about = said!("Play as trivial players", "Jouer en joueurs sans malice"))]
pub(crate) struct ClientsArgs {
    address: SocketAddr,
    number: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let beside = std::env::current_exe()?.with_file_name("server");
    let server = args.serveur.as_deref().unwrap_or(&beside);
    let (mut alone, mut besieged, mut ratios) = (vec![], vec![], vec![]);
    let (mut peak, mut zoo_cpu) = (0, 0.0);
    for _ in 0..args.paires {
        let without = measure(args, server, false)?;
        let with = measure(args, server, true)?;
        alone.push(without.turns.p99.as_secs_f64() * 1e6);
        besieged.push(with.turns.p99.as_secs_f64() * 1e6);
        ratios.push(with.turns.p99.as_secs_f64() / without.turns.p99.as_secs_f64());
        peak = peak.max(with.server_peak_kib);
        zoo_cpu = with.zoo_cpu.max(zoo_cpu);
        print(said!(
            "without: {}; with: {} (turns, median µs, p99 µs)",
            "sans : {} ; avec : {} (tours, médiane en µs, p99 en µs)",
            without.turns,
            with.turns
        ))?;
    }
    let (micros, cores) = (Phrase::from("µs"), Phrase::new("cores", "cœurs"));
    let turn = said!(
        "99 turns of 100 last at most, without the zoo",
        "99 tours sur 100 durent au plus, sans le zoo"
    );
    Quantity("p99_us", turn, micros).print(median(alone), 0)?;
    let with = said!("with the zoo", "avec le zoo");
    Quantity("zoo_p99_us", with.clone(), micros).print(median(besieged), 0)?;
    let times = Phrase::new("times as long", "fois plus longtemps");
    Quantity("zoo_ratio", with, times).print(median(ratios), 2)?;
    let memory = said!(
        "the server's memory with the zoo, at most",
        "mémoire du serveur avec le zoo, au plus"
    );
    Quantity("zoo_server_peak_mb", memory, Phrase::new("MiB", "Mio"))
        .print(f64::from(peak) / 1024.0, 1)?;
    let keeps = said!("the zoo keeps busy", "le zoo occupe");
    Quantity("zoo_cpu_cores", keeps, cores).print(zoo_cpu, 2)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn play_honestly(args: &HonestArgs) -> anyhow::Result<ExitCode> {
    let &HonestArgs { address, thinking, measured, flood: has_flood } = args;
    let honest = Honest { thinking, warm_up: WARM_UP, measured, has_flood };
    print(honest.play(address, || print("seated"))?)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn let_loose(args: &AnimalsArgs) -> anyhow::Result<ExitCode> {
    zoo::run(args.game, args.page)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn play_trivially(args: &ClientsArgs) -> anyhow::Result<ExitCode> {
    measure::crowd::play_all(args.address, args.number)?;
    Ok(ExitCode::SUCCESS)
}

struct Measured {
    turns: TurnTimes,
    /// Peak memory of the server.
    server_peak_kib: u32,
    /// Mean number of cores that the zoo kept busy.
    zoo_cpu: f64,
}

fn measure(args: &Args, server: &Path, has_zoo: bool) -> anyhow::Result<Measured> {
    let seats = SEATS.to_string();
    let mut server = Process(
        Command::new(server)
            .arg("--carte")
            .arg(&args.carte)
            .args(["--joueurs", &seats, "--duree", "2000", "--parties", "0", "--delai", "500ms"])
            .args(["--port", "0", "--web", "0", "--nom-partie", "/dev/null"])
            .args(["--sans-enregistrement", "--journal", "off", "--langue", "en"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| {
                said!("cannot start {}", "{} ne peut pas être lancé", server.display())
            })?,
    );
    let mut output = output_of(&mut server)?;
    let game = address(&mut output, "listening on ")?;
    let page = address(&mut output, "web page at http://")?;
    // Drains the output, so that a full pipe never blocks the server.
    std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    let this_program = std::env::current_exe()?;
    let mut honest = Command::new(&this_program);
    honest.args(["honest", &game.to_string()]);
    for (flag, duration) in [("--thinking", args.reflexion), ("--measured", args.temps)] {
        honest.args([flag, &format!("{}us", duration.as_micros())]);
    }
    if has_zoo {
        honest.arg("--flood");
    }
    let mut honest = Process(honest.stdout(Stdio::piped()).spawn()?);
    let mut printed = output_of(&mut honest)?;
    let mut text = String::new();
    printed.read_line(&mut text)?;
    ensure!(
        text == "seated\n",
        word("the honest players have no seats", "les joueurs honnêtes n'ont pas de place")
    );
    text.clear();
    let animals = has_zoo.then(|| {
        let mut zoo = Command::new(&this_program);
        zoo.args(["animals", &game.to_string(), &page.to_string()]).spawn().map(Process)
    });
    let animals = animals.transpose()?;
    let start = std::time::Instant::now();
    printed.read_to_string(&mut text)?;
    ensure!(
        honest.0.wait()?.success(),
        word("the honest players failed", "les joueurs honnêtes ont échoué")
    );
    let zoo_cpu = match &animals {
        Some(animals) => cpu_time(&animals.0)?.as_secs_f64() / start.elapsed().as_secs_f64(),
        None => 0.0,
    };
    Ok(Measured {
        turns: TurnTimes::parse(&text)?,
        server_peak_kib: peak_memory(&server.0)?,
        zoo_cpu,
    })
}

fn output_of(process: &mut Process) -> anyhow::Result<BufReader<ChildStdout>> {
    let output = process.0.stdout.take();
    Ok(BufReader::new(output.with_context(|| said!("no output", "pas de sortie"))?))
}

/// Reads the next line, which starts with these words, and returns the address after them.
fn address(output: &mut BufReader<ChildStdout>, words: &str) -> anyhow::Result<SocketAddr> {
    let mut line = String::new();
    output.read_line(&mut line)?;
    let address = line.strip_prefix(words).and_then(|rest| {
        let end = rest.find([' ', '/', '\n'])?;
        rest[..end].parse().ok()
    });
    address.with_context(|| said!("no address in {line:?}", "pas d'adresse dans {line:?}"))
}

/// The peak memory of a process, in KiB.
fn peak_memory(process: &Child) -> anyhow::Result<u32> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id()))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
    peak.with_context(|| {
        said!(
            "the system does not tell how much memory the server has had",
            "le système ne dit pas combien de mémoire le serveur a eue"
        )
    })
}

/// The CPU time of a process with one thread.
fn cpu_time(process: &Child) -> anyhow::Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{}/schedstat", process.id()))?;
    let ran = stat.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    let ran = ran.with_context(|| {
        said!(
            "the system does not tell how much time the zoo has taken",
            "le système ne dit pas combien de temps le zoo a pris"
        )
    })?;
    Ok(Duration::from_nanos(ran))
}
