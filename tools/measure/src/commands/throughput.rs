//! `measure debit`.

use std::path::PathBuf;
use std::process::ExitCode;

use game::pacman::RulesPreset;
use game::pacman::{Map, Rules};
use language::{Phrase, said};
use measure::crowd::Crowd;
use measure::loopback;
use measure::throughput::{PLAYERS, Throughput};

use super::quantity::{OF_BARE_EXCHANGE, Quantity, TURNS_A_SECOND};

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Measure how much is done in a second, on one core\n\nOn a terminal, each figure has its name and unit; \
     elsewhere it is a line `key=value`.",
    "Mesurer ce qui est fait en une seconde, sur un cœur\n\nSur un terminal, chaque chiffre a son nom et son unité ; \
     ailleurs, c'est une ligne `clé=valeur`."
))]
pub(crate) struct Args {
    #[arg(long, visible_alias = "map", value_name = "FILE",
          help = said!("Map to play on", "Carte des parties"))]
    carte: PathBuf,

    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = 1_000_000,
          value_parser = clap::value_parser!(u32).range(1..),
          help = said!("Turns of each measurement", "Tours de chaque mesure"))]
    tours: u32,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1,
          help = said!("Seed of the games", "Graine des parties"))]
    graine: u64,

    #[arg(long, help = said!(
        "Measure games over TCP too, next to a bare exchange of the same bytes",
        "Mesurer aussi des parties sur TCP, à côté d'un simple échange des mêmes octets"
    ))]
    tcp: bool,

    #[arg(
        long,
        visible_alias = "tcp-turns",
        value_name = "N",
        default_value_t = 20_000,
        value_parser = clap::value_parser!(u32).range(1..),
        help = said!(
        "Turns of each measurement over TCP; with several games at once, the least number in all",
        "Tours de chaque mesure sur TCP ; avec plusieurs parties à la fois, le minimum en tout"
    )
    )]
    tours_tcp: u32,

    #[arg(
        long,
        visible_alias = "games",
        value_name = "N",
        value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=4000),
        help = said!(
        "Also play this many games over TCP at once in one hall, with clients in another process; several \
         numbers are separated by commas",
        "Jouer aussi autant de parties à la fois sur TCP dans une salle, avec des clients dans un autre \
         processus ; plusieurs nombres sont séparés par des virgules"
    )
    )]
    parties: Vec<u32>,

    #[arg(
        long,
        visible_alias = "browsers",
        value_name = "N",
        default_value_t = 0,
        requires = "tcp",
        help = said!(
        "Browsers that watch the games over TCP live on the web page",
        "Navigateurs qui regardent en direct, sur la page web, les parties sur TCP"
    )
    )]
    navigateurs: usize,

    #[arg(long, visible_alias = "rules", value_name = "RULES", value_parser = cli::rules(), default_value_t,
          help = said!("Rules of the games", "Règles des parties"))]
    regles: RulesPreset,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let map = cli::load_map_for(PLAYERS, &args.carte)?;
    let rules = args.regles.rules();
    let measured = Throughput::new(&map, rules, args.graine, args.tours);
    let second = Phrase::new("a second", "par seconde");
    let millisecond = Phrase::new("a millisecond", "par milliseconde");
    let name = said!("the rules alone", "les règles seules");
    Quantity("rules_turns_per_s", name, TURNS_A_SECOND).print(measured.rules(), 0)?;
    let name = said!("with a state written each turn", "avec un état écrit à chaque tour");
    Quantity("state_turns_per_s", name, TURNS_A_SECOND).print(measured.with_state_text(), 0)?;
    let name = said!("with the nine states of a spectator", "avec les neuf états d'un afficheur");
    Quantity("viewer_turns_per_s", name, TURNS_A_SECOND)
        .print(measured.with_spectator_texts(), 0)?;
    let name = said!("states that are read", "états lus");
    Quantity("decode_states_per_s", name, second).print(measured.decoding(), 0)?;
    let name = said!("turns looked ahead", "tours anticipés");
    Quantity("lookahead_turns_per_ms", name, millisecond).print(measured.lookahead_per_ms(), 0)?;
    if args.tcp {
        over_tcp(&map, rules, args)?;
    }
    for &games in &args.parties {
        in_a_hall(&map, rules, games, args)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Number of pairs of measurements.
const ROUNDS: usize = 5;

/// Measures games and bare exchanges alternately, because the machine's speed may drift; prints medians.
fn over_tcp(map: &Map, rules: Rules, args: &Args) -> anyhow::Result<()> {
    const SPECTATORS: u32 = 4;
    let &Args { tours_tcp: turns, graine: seed, navigateurs: browsers, .. } = args;
    let (mut games, mut limits, mut ratios, mut spectator) = (vec![], vec![], vec![], vec![]);
    let mut web = Vec::new();
    for _ in 0..ROUNDS {
        let limit = loopback::bare_barrier(map, rules, seed, turns)?;
        let game = loopback::game(map, rules, seed, turns, 0, 0)?;
        let watched = loopback::game(map, rules, seed, turns, SPECTATORS as usize, 0)?;
        if browsers > 0 {
            let live = loopback::game(map, rules, seed, turns, 0, browsers)?;
            web.push(live.turns_per_second / game.turns_per_second);
        }
        games.push(game.turns_per_second);
        limits.push(limit.turns_per_second);
        ratios.push(game.turns_per_second / limit.turns_per_second);
        if let (Some(with), Some(without)) = (watched.server_cpu_per_turn, game.server_cpu_per_turn)
        {
            let more = with.saturating_sub(without);
            spectator.push(more.as_secs_f64() * 1e6 / f64::from(SPECTATORS));
        }
    }
    let name = said!("a game over TCP", "une partie sur TCP");
    Quantity("tcp_turns_per_s", name.clone(), TURNS_A_SECOND).print(median(games), 0)?;
    let bare = said!("a bare exchange of the same bytes", "un simple échange des mêmes octets");
    Quantity("tcp_limit_turns_per_s", bare, TURNS_A_SECOND).print(median(limits), 0)?;
    Quantity("tcp_ratio", name, OF_BARE_EXCHANGE).print(median(ratios), 2)?;
    let cost = said!("each spectator costs the server", "chaque afficheur coûte au serveur");
    let unit = Phrase::new("µs a turn", "µs par tour");
    if !spectator.is_empty() {
        Quantity("spectator_cpu_us_per_turn", cost, unit).print(median(spectator), 1)?;
    }
    if browsers > 0 {
        let name = said!("the game with browsers", "la partie avec des navigateurs");
        let unit = Phrase::new("of the game without", "de la partie sans eux");
        Quantity("web_ratio", name, unit).print(median(web), 2)?;
    }
    Ok(())
}

/// Measures many simultaneous games in a hall and the same number of bare exchanges alternately.
fn in_a_hall(map: &Map, rules: Rules, games: u32, args: &Args) -> anyhow::Result<()> {
    let crowd = Crowd { games, turns: args.tours_tcp.div_ceil(games).max(100), seed: args.graine };
    let (mut halls, mut limits, mut ratios) = (vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let limit = crowd.bare_barriers(map, rules)?;
        let hall = crowd.hall(map, rules)?;
        halls.push(hall);
        limits.push(limit);
        ratios.push(hall / limit);
    }
    let name = said!("{games} games in a hall", "{games} parties dans une salle");
    let bare = said!("as many bare exchanges", "autant d'échanges simples");
    let key = |figure: &str| format!("hall_{games}_{figure}");
    Quantity(&key("turns_per_s"), name.clone(), TURNS_A_SECOND).print(median(halls), 0)?;
    Quantity(&key("limit_turns_per_s"), bare, TURNS_A_SECOND).print(median(limits), 0)?;
    Quantity(&key("ratio"), name, OF_BARE_EXCHANGE).print(median(ratios), 2)?;
    Ok(())
}

pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    lab::quantile(&figures, 0.5).unwrap_or(f64::NAN)
}
