//! Time for the ratings of a large tournament: 12 teams, 2500 matchups of four games each, and 1000 bootstrap samples;
//! and for the fit and 10 samples with more teams.
#![allow(missing_docs, reason = "a benchmark")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use plan::record::GameRanking;
use plan::{Key, SEATS};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rating::Games;

const MATCHUPS: u32 = 2500;
const SAMPLES: usize = 1000;

/// The strength of a player: the first is the best, all lie within 2 nats.
fn strength(player: usize, players: usize) -> f64 {
    let place = |player| f64::from(u32::try_from(player).expect("there are few"));
    1.0 - 2.0 * place(player) / place(players - 1)
}

/// Games of players of known strengths, by the model: a race whose times are exponential.
fn played(players: usize) -> Games {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut games = Games::new(players);
    for number in 0..MATCHUPS {
        let mut key = [0; 16];
        key[..4].copy_from_slice(&number.to_be_bytes());
        let mut all: Vec<usize> = (0..players).collect();
        for place in 0..SEATS {
            let below = u64::try_from(players - place).expect("there are few");
            all.swap(place, place + usize::try_from(random.next_u64() % below).expect("few"));
        }
        for _ in 0..SEATS {
            let mut run = |&player: &usize| {
                let uniform = (f64::from(random.next_u32()) + 0.5) / f64::from(u32::MAX);
                (-uniform.ln() / strength(player, players).exp(), player)
            };
            let mut times: Vec<(f64, usize)> = all[..SEATS].iter().map(&mut run).collect();
            times.sort_by(|a, b| a.0.total_cmp(&b.0));
            let places: Vec<_> =
                times.iter().zip(1..).map(|(&(_, player), rank)| (player, rank)).collect();
            let ranking = GameRanking::new(&places).expect("four players, each once");
            games.add(Key::from_bytes(key), &ranking);
        }
    }
    games
}

fn ratings(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ratings");
    group.sample_size(10);

    let games = played(12);
    let fit = games.fit();
    let samples = fit.bootstrap(SAMPLES);
    let mut covered = 0;
    for (player, found) in fit.strengths().iter().enumerate() {
        assert!((found - strength(player, 12)).abs() < 0.15, "{player}: {found}");
        let (low, high) = samples.interval(player).expect("there are samples");
        assert!(low < *found && *found < high && high - low < 0.3, "{player}: {low} to {high}");
        covered += u32::from((low..=high).contains(&strength(player, 12)));
    }
    assert!(covered >= 9, "{covered} of 12 intervals cover");
    assert!((samples.best().iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(samples.best()[0] > 0.9, "{:?}", samples.best());
    group.bench_function("12 teams: fit and 1000 samples", |bencher| {
        bencher.iter(|| {
            let samples = black_box(&games).fit().bootstrap(SAMPLES);
            (samples.best(), samples.interval(0))
        });
    });

    for (players, within) in [(12, 0.15), (64, 0.35), (500, 1.2)] {
        let games = played(players);
        let fit = games.fit();
        for (player, found) in fit.strengths().iter().enumerate() {
            assert!((found - strength(player, players)).abs() < within, "{player}: {found}");
        }
        group.bench_function(format!("{players} teams: fit"), |bencher| {
            bencher.iter(|| black_box(&games).fit());
        });
        group.bench_function(format!("{players} teams: 10 samples"), |bencher| {
            bencher.iter(|| black_box(&fit).bootstrap(10));
        });
    }
    group.finish();
}

criterion_group!(benches, ratings);
criterion_main!(benches);
