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
    let other = Name::new(&team.name).distinct(|name| name == team.name).to_string();
    // Both are there before either plays. Each has a game of its own, and another letter.
    let twins = [(1, team.name.as_str()), (2, other.as_str())];
    let [first, second] = twins;
    let opened = tokio::join!(bench.open(first.1), bench.open(second.1));
    let play = |(number, name), session| async move {
        let me = Colour::new(number - 1).unwrap_or_default();
        let own = (me, name);
        let scene = Scene::new(Case::Twin(number), &options.map, options.rules, TURNS, own);
        let (played, session) = bench.go_on(session?, scene, Instant::now() + TIME).await;
        if let Some(session) = session {
            session.end().await;
        }
        Ok(played)
    };
    let both = tokio::join!(play(first, opened.0), play(second, opened.1));
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
