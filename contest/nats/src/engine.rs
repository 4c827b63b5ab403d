//! The fingerprint of the engine, and the speed of this machine.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use bots::HouseGame;
use cluster::Capacity;
use game::pacman::RulesPreset;
use game::pacman::StateText;

/// Turns of a reference game.
const TURNS: u32 = 100;
const BOTS: [&str; 4] = ["glouton", "prudent", "dijkstra", "aleatoire"];
const SAMPLES: usize = 200;

/// A hash of every state, as the protocol writes it, of games between bots of the house under all rules. It depends on
/// the rules, the draws, the notation and the bots: machines of the same fingerprint judge alike.
pub(crate) fn fingerprint() -> String {
    let mut all = Vec::new();
    for rules in [RulesPreset::Sujet, RulesPreset::Orleans2024] {
        reference_game(rules, |text| all.extend_from_slice(text));
    }
    format!("{:016x}", replay::hash(&all))
}

/// Measures this machine, which takes about half a second.
///
/// # Errors
///
/// When there is no loopback network.
pub(crate) fn measure(places: u32) -> io::Result<Capacity> {
    let start = Instant::now();
    let mut turns = 0_u64;
    while turns == 0 || start.elapsed() < Duration::from_millis(50) {
        reference_game(RulesPreset::Sujet, |_| turns += 1);
    }
    let micros = start.elapsed().as_micros().max(1) as u64;
    let turns_per_second = u32::try_from(turns * 1_000_000 / micros).unwrap_or(u32::MAX);
    let lateness = lateness()?;
    Ok(Capacity { engine: fingerprint(), places, turns_per_second, lateness })
}

/// The load average of the last minute, in percent of this machine's cores; `None` if the system does not report it.
pub(crate) fn load() -> Option<u32> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    let load: f64 = text.split(' ').next()?.parse().ok()?;
    let cores = thread::available_parallelism().map_or(1, usize::from) as u32;
    percent(load, cores)
}

fn percent(load: f64, cores: u32) -> Option<u32> {
    format!("{:.0}", 100.0 * load / f64::from(cores)).parse().ok()
}

/// Plays a reference game, and calls `tell` with the text of each state.
fn reference_game(rules: RulesPreset, mut tell: impl FnMut(&[u8])) {
    let map = game::pacman::maps::plan1();
    let bots = BOTS.iter().zip(1..);
    let bots = bots.map(|(name, seed)| bots::by_name(name).expect("a test finds it").make(seed));
    let mut game = HouseGame::start(&map, rules.rules(), TURNS, 7, bots.collect());
    let mut text = StateText::new(BOTS.map(str::to_owned).into());
    while !game.state().view().is_over() {
        tell(text.write(game.state().view()));
        game.play_turn(|_, _| {});
    }
    tell(text.write(game.state().view()));
}

/// The 99th percentile of the lateness: the longer of the oversleep of a thread and a round trip on the loopback.
fn lateness() -> io::Result<Duration> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let mut near = TcpStream::connect(listener.local_addr()?)?;
    let (mut far, _) = listener.accept()?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    let echo = thread::spawn(move || {
        let mut byte = [0];
        while far.read_exact(&mut byte).is_ok() && far.write_all(&byte).is_ok() {}
    });
    let pause = Duration::from_millis(1);
    let mut late = Vec::with_capacity(SAMPLES);
    let mut byte = [0];
    for _ in 0..SAMPLES {
        let start = Instant::now();
        thread::sleep(pause);
        let slept = start.elapsed().saturating_sub(pause);
        let start = Instant::now();
        near.write_all(&byte)?;
        near.read_exact(&mut byte)?;
        late.push(slept.max(start.elapsed()));
    }
    drop(near);
    let _ = echo.join();
    late.sort_unstable();
    Ok(late[SAMPLES - 1 - SAMPLES / 100])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_is_in_percent_of_all_cores() {
        assert_eq!((percent(1.25, 2), percent(0.0, 4)), (Some(62), Some(0)));
        assert_eq!(percent(f64::NAN, 1), None);
        assert!(cfg!(not(target_os = "linux")) || load().is_some());
    }

    #[test]
    fn the_same_engine_has_the_same_fingerprint_and_a_machine_has_a_speed() {
        let capacity = measure(2).unwrap();
        assert_eq!((capacity.engine, capacity.places), (fingerprint(), 2));
        assert!(capacity.turns_per_second > 0 && capacity.lateness > Duration::ZERO);
        let mut states = Vec::new();
        reference_game(RulesPreset::Sujet, |text| states.push(text.to_vec()));
        assert_eq!(states.len(), TURNS as usize + 1);
        states.dedup();
        assert_eq!(states.len(), TURNS as usize + 1, "every turn counts");
    }
}
