//! Checks that two copies of the bot do not disturb each other.

use std::time::Duration;

use game::pacman::Colour;
use protocol::Name;

use crate::bench::Bench;
use crate::case::Case;
use crate::finding::{Finding, Severity};
use crate::finding_list::FindingList;
use crate::scene::Scene;

const TURNS: u32 = 30;
const TIME: Duration = Duration::from_secs(20);

pub(crate) async fn check(bench: Bench<'_>) -> Vec<Finding> {
    let Bench { team, options, .. } = bench;
    let other = Name::new(&team.name).distinct(|name| name == team.name).to_string();
    // Both copies register before either plays. Each has its own game, and another letter.
    let twins = [(1, team.name.as_str()), (2, other.as_str())];
    let [first, second] = twins;
    let opened = tokio::join!(bench.open(first.1), bench.open(second.1));
    let play = |(number, name), session| async move {
        let own = (Colour::new(number - 1).unwrap_or_default(), name);
        let scene = Scene::new(Case::Twin(number), &options.map, options.rules, TURNS, own);
        let (played, session) = bench.go_on(session?, scene, TIME).await;
        if let Some(session) = session {
            session.end().await;
        }
        Ok(played)
    };
    let both = tokio::join!(play(first, opened.0), play(second, opened.1));
    let mut list = FindingList::default();
    for (number, twin) in (1..).zip([both.0, both.1]) {
        let case = Case::Twin(number);
        match twin {
            Ok(played) => {
                // Two programs share the machine here, unlike in a tournament.
                let found = bench.faults(&played).into_iter().map(|finding| {
                    let is_slow = finding.is_slow();
                    if is_slow { finding.at_most(Severity::Warning) } else { finding }
                });
                list.add(&case, &played, found.collect());
            }
            Err(finding) => list.judge(&case, vec![finding]),
        }
    }
    list.finish()
}
