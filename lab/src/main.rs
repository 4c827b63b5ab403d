//! `lab`: experiments answered with numbers.
#![expect(clippy::print_stdout, reason = "this is the program's output")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use bots::Entry;
use clap::{Parser, Subcommand};
use cli::RulesPreset;
use game::pacman::{Map, Rules};
use lab::loopback;
use lab::matches::Matches;
use lab::throughput::{PLAYERS, Throughput};
use lab::traces::Report;

/// Experiments answered with numbers
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, Subcommand)]
enum Experiment {
    /// Replay recorded games and compare every state, byte for byte
    ///
    /// Prints `games=N turns=N differences=N`. With a difference, the first one is shown side by
    /// side and the exit code is 1.
    Traces {
        /// Files of games, one a line as JSON, plain or compressed with gzip
        #[arg(required = true)]
        files: Vec<PathBuf>,

        /// Rules that they were played by
        #[arg(
            long,
            visible_alias = "rules",
            value_name = "RULES",
            value_enum,
            default_value = "orleans2024"
        )]
        regles: RulesPreset,
    },

    /// Measure how much is done in a second, on one core
    #[command(visible_alias = "throughput")]
    Debit {
        /// Map to play on
        #[arg(long, visible_alias = "map", value_name = "FILE")]
        carte: PathBuf,

        /// Turns of each measurement
        #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 1_000_000,
              value_parser = clap::value_parser!(u32).range(1..))]
        tours: u32,

        /// Seed of the games
        #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1)]
        graine: u64,

        /// Measure games over TCP instead, next to a bare exchange of the same bytes
        #[arg(long)]
        tcp: bool,

        /// Rules of the games
        #[arg(long, visible_alias = "rules", value_name = "RULES", value_enum, default_value_t)]
        regles: RulesPreset,
    },

    /// Let one bot play against three of another kind, seats rotated
    ///
    /// Prints the share of its first places (one that is shared by k players counts 1/k), its mean
    /// points, the sum of everybody's points in 100 turns, and how long it thinks.
    #[command(visible_alias = "matches")]
    Rencontres {
        /// Bot whose wins are counted
        #[arg(long, visible_alias = "bot", value_name = "BOT", value_parser = bots::by_name)]
        ia: &'static Entry,

        /// Bot on the three other seats
        #[arg(long, visible_alias = "against", value_name = "BOT", value_parser = bots::by_name)]
        contre: &'static Entry,

        /// Games
        #[arg(long, visible_alias = "games", value_name = "N", default_value_t = 400,
              value_parser = clap::value_parser!(u32).range(1..))]
        parties: u32,

        /// Maps, played in turn
        #[arg(long, visible_alias = "maps", value_name = "FILE", num_args = 1.., required = true)]
        cartes: Vec<PathBuf>,

        /// Turns of a game
        #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 200,
              value_parser = clap::value_parser!(u32).range(1..))]
        duree: u32,

        /// Seed of the first game
        #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1)]
        graine: u64,

        /// Rules of the games
        #[arg(long, visible_alias = "rules", value_name = "RULES", value_enum, default_value_t)]
        regles: RulesPreset,
    },
}

fn main() -> ExitCode {
    let done = match Args::parse().experiment {
        Experiment::Traces { files, regles } => traces(&files, regles),
        Experiment::Debit { carte, tours, graine, tcp, regles } => {
            throughput(&carte, tours, graine, tcp, regles)
        }
        Experiment::Rencontres { ia, contre, parties, cartes, duree, graine, regles } => {
            let rules = regles.rules();
            let matches =
                Matches { challenger: ia, field: contre, rules, turns: duree, seed: graine };
            play_matches(&matches, &cartes, parties)
        }
    };
    done.unwrap_or_else(|error| cli::fail(&error))
}

fn play_matches(matches: &Matches, maps: &[PathBuf], games: u32) -> anyhow::Result<ExitCode> {
    let maps = maps.iter().map(|path| playable_map(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let standings = matches.play(&maps, games);
    let points = standings.mean_points();
    println!("games={} firsts={:.3}", standings.games, standings.share());
    println!("points={points:.1} points_per_100_turns={:.1}", standings.points_per_100_turns());
    let a_game = |battles: u32| f64::from(battles) / f64::from(standings.games);
    println!("won_a_game={:.1} lost_a_game={:.1}", a_game(standings.won), a_game(standings.lost));
    println!(
        "thinking_median_us={:.1} thinking_p99_us={:.1}",
        standings.thinking_at(0.5).as_secs_f64() * 1e6,
        standings.thinking_at(0.99).as_secs_f64() * 1e6
    );
    Ok(ExitCode::SUCCESS)
}

/// A map with room for four players.
fn playable_map(path: &Path) -> anyhow::Result<Map> {
    let map = cli::load_map(path)?;
    map.check_room_for(PLAYERS).with_context(|| path.display().to_string())?;
    Ok(map)
}

fn traces(files: &[PathBuf], rules: RulesPreset) -> anyhow::Result<ExitCode> {
    let mut report = Report::default();
    for path in files {
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("cannot open {shown}"))?;
        report.replay(file, rules.rules()).with_context(|| shown.to_string())?;
    }
    let Report { games, turns, differences, first } = report;
    println!("games={games} turns={turns} differences={differences}");
    Ok(match first {
        Some(difference) => {
            print!("{difference}");
            ExitCode::FAILURE
        }
        None => ExitCode::SUCCESS,
    })
}

fn throughput(
    map: &Path,
    turns: u32,
    seed: u64,
    tcp: bool,
    rules: RulesPreset,
) -> anyhow::Result<ExitCode> {
    let map = playable_map(map)?;
    let rules = rules.rules();
    if tcp {
        over_tcp(&map, rules, seed, turns)?;
    } else {
        let measured = Throughput::new(&map, rules, seed, turns);
        println!("rules_turns_per_s={:.0}", measured.rules());
        println!("state_turns_per_s={:.0}", measured.with_state_text());
        println!("viewer_turns_per_s={:.0}", measured.with_spectator_texts());
        println!("decode_states_per_s={:.0}", measured.decoding());
        println!("lookahead_turns_per_ms={:.0}", measured.lookahead_per_ms());
    }
    Ok(ExitCode::SUCCESS)
}

/// Games and bare exchanges take turns, for the machine's speed may drift; medians are printed.
fn over_tcp(map: &Map, rules: Rules, seed: u64, turns: u32) -> anyhow::Result<()> {
    const ROUNDS: usize = 5;
    const SPECTATORS: u32 = 4;
    let (mut games, mut limits, mut ratios, mut spectator) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let limit = loopback::bare_barrier(map, rules, seed, turns)?;
        let game = loopback::game(map, rules, seed, turns, 0)?;
        let watched = loopback::game(map, rules, seed, turns, SPECTATORS as usize)?;
        games.push(game.turns_per_second);
        limits.push(limit.turns_per_second);
        ratios.push(game.turns_per_second / limit.turns_per_second);
        let more = watched.server_cpu_per_turn.saturating_sub(game.server_cpu_per_turn);
        spectator.push(more.as_secs_f64() * 1e6 / f64::from(SPECTATORS));
    }
    println!("tcp_turns_per_s={:.0}", median(games));
    println!("tcp_limit_turns_per_s={:.0}", median(limits));
    println!("tcp_ratio={:.2}", median(ratios));
    println!("spectator_cpu_us_per_turn={:.1}", median(spectator));
    Ok(())
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
