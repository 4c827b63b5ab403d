//! Whether two copies of it do not disturb each other.

use std::time::Duration;

use game::pacman::Colour;
use protocol::Name;
use tokio::time::Instant;

use crate::checkup::bench::{Bench, Known};
use crate::checkup::case::Case;
use crate::checkup::fact::Fact;
use crate::checkup::finding::{Finding, Severity};
use crate::checkup::scene::Scene;

const TURNS: u32 = 30;
const TIME: Duration = Duration::from_secs(20);

pub(in crate::checkup) async fn check(bench: Bench<'_>, known: &Known) -> (Vec<Finding>, usize) {
    let Bench { team, options } = bench;
    let until = Instant::now() + TIME;
    let other = Name::new(&team.name).distinct(|name| name == team.name).to_string();
    // Each has a game of its own, and another letter.
    let twin = |number: usize, name: &str| {
        let me = Colour::new(number - 1).unwrap_or_default();
        let own = (me, name);
        let map = &options.map;
        bench.play(Scene::new(Case::Twin(number), map, options.rules, TURNS, own), until)
    };
    let both = tokio::join!(twin(1, &team.name), twin(2, &other));
    let (mut findings, mut well) = (Vec::new(), 0);
    for (number, twin) in (1..).zip([both.0, both.1]) {
        let found = match twin {
            Ok(played) => played.faults(options.deadline, known),
            Err(finding) => vec![finding],
        };
        well += usize::from(found.is_empty());
        findings.extend(found.into_iter().map(|finding| {
            // Two programs share the machine, as in no tournament.
            let is_slow = matches!(finding.fact, Fact::Missed { .. });
            let most = if is_slow { Severity::Warning } else { Severity::Failure };
            finding.at_most(most).during(&Case::Twin(number))
        }));
    }
    (findings, well)
}
