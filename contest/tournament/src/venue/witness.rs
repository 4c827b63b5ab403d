//! Resource use of programs in late turns: the evidence whether a program or the machine is at fault.

use std::time::Duration;

use arena::Observation;
use plan::MissedTurn;
use replay::Answer;
use sandbox::{Meter, ResourceUse};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

/// Greatest number of missed turns of a player with evidence.
const KEPT: usize = 16;

/// Watches the turns of a game to its end. In each turn, measures the programs from half of the deadline on; shorter turns
/// cost nothing. Returns the missed turns of each seat with the program's resource use.
pub(super) async fn watch(
    mut observations: mpsc::Receiver<Observation>,
    meters: Vec<Option<Meter>>,
    deadline: Duration,
) -> Vec<Vec<MissedTurn>> {
    let mut missed = vec![Vec::new(); meters.len()];
    let mut turns = 0;
    let mut middle = Instant::now() + deadline / 2;
    let mut first: Option<(Instant, Vec<ResourceUse>)> = None;
    loop {
        tokio::select! {
            observation = observations.recv() => match observation {
                Some(Observation::Turn { turn: played, .. }) => {
                    if let Some((since, before)) = first.take() {
                        let late = |seat: usize| {
                            let given = played.answers.get(seat)?;
                            (given.answer == Answer::Missed).then_some(given.cause?)
                        };
                        for (seat, (meter, before)) in meters.iter().zip(before).enumerate() {
                            if let (Some(meter), Some(cause)) = (meter, late(seat))
                                && missed[seat].len() < KEPT
                            {
                                let ResourceUse { cpu, waited, oom_kills, failed_forks } =
                                    meter.read().since(&before);
                                missed[seat].push(MissedTurn {
                                    played: turns,
                                    verdict: cause.into(),
                                    measured: since.elapsed(),
                                    cpu,
                                    waited,
                                    oom_kills,
                                    failed_forks,
                                });
                            }
                        }
                    }
                    turns += 1;
                    middle = Instant::now() + deadline / 2;
                }
                Some(Observation::Gathering { .. } | Observation::Thoughts(_)) => {}
                Some(Observation::Begin { .. }) => middle = Instant::now() + deadline / 2,
                Some(Observation::End { .. }) | None => return missed,
            },
            () = sleep_until(middle), if first.is_none() => {
                let read = |meter: &Option<Meter>| {
                    meter.as_ref().map_or_else(ResourceUse::default, Meter::read)
                };
                first = Some((Instant::now(), meters.iter().map(read).collect()));
            }
        }
    }
}
