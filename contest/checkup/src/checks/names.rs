//! Checks that the bot copes with unusual names, its own and those of others.

use std::time::Duration;

use game::pacman::Colour;
use protocol::Name;
use tokio::time::Instant;

use crate::bench::{Bench, Played};
use crate::case::Case;
use crate::finding::Finding;
use crate::finding_list::FindingList;

const TURNS: u32 = 6;
/// Longest duration of a game.
const TIME: Duration = Duration::from_secs(4);
/// Time after which no more names are tried.
const MOST: Duration = Duration::from_secs(20);

/// The name of the bot and those of three others, as a server passes them on.
const GROUPS: [[&str; 4]; 4] = [
    ["Zoé & les Fantômes 🎮", "=1+1", "<b>gras</b>", "O'Brien \"le Rapide\""],
    ["Équipe n°1 (très, très très longue : soixante-quatre caractères)", "A", "C#", "jeu"],
    ["名前", "-------------------", "~/.bashrc; rm", "\u{202e}שלום $HOME %s {0} \\n"],
    ["a;b", "42", "🏴\u{200d}☠\u{fe0f} 👻👻👻", "Non fournie"],
];

pub(crate) async fn check(bench: Bench<'_>) -> Vec<Finding> {
    let began = Instant::now();
    let mut list = FindingList::default();
    for group in GROUPS {
        // A bot that hangs at every name would take too long.
        if began.elapsed() > MOST {
            break;
        }
        let names = group.map(|name| Name::new(name).to_string());
        let case = Case::Names(names.to_vec());
        let (played, found) = play(bench, &case, &names).await;
        let blamed = if found.is_empty() { Vec::new() } else { blame(bench, &names).await };
        match (played, blamed.is_empty()) {
            (Some(played), true) => list.add(&case, &played, found),
            (None, true) => list.judge(&case, found),
            (_, false) => blamed.into_iter().for_each(|finding| list.push(finding)),
        }
    }
    list.finish()
}

/// Tries each of these names alone; returns the findings for those that cause a fault by themselves. A bot that fails with
/// each of them fails for another reason, so that there are none.
async fn blame(bench: Bench<'_>, names: &[String; 4]) -> Vec<Finding> {
    let mut blamed = Vec::new();
    let mut failures = 0;
    for (seat, name) in names.iter().enumerate() {
        let mut usual = [&bench.team.name, "Ada", "Blaise", "Carl"].map(str::to_owned);
        usual[seat].clone_from(name);
        let case = match seat {
            0 => Case::OwnName(name.clone()),
            _ => Case::Opponent(name.clone()),
        };
        let (_, found) = play(bench, &case, &usual).await;
        failures += usize::from(!found.is_empty());
        blamed.extend(found.into_iter().map(|finding| finding.during(&case)));
    }
    if failures < names.len() { blamed } else { Vec::new() }
}

async fn play(
    bench: Bench<'_>,
    case: &Case,
    names: &[String; 4],
) -> (Option<Played>, Vec<Finding>) {
    let mut scene = bench.scene(case.clone(), &bench.options.map, TURNS, Colour::default());
    scene.names = names.to_vec();
    match bench.play(scene, TIME).await {
        Ok(played) => {
            let found = bench.faults(&played);
            (Some(played), found)
        }
        Err(finding) => (None, vec![finding]),
    }
}
