//! Whether it stands strange names, its own and those of others.

use std::time::Duration;

use game::pacman::Colour;
use protocol::Name;

use crate::checkup::bench::{Bench, Known};
use crate::checkup::case::Case;
use crate::checkup::finding::Finding;
use crate::checkup::scene::Scene;

const TURNS: u32 = 6;
/// For a game.
const TIME: Duration = Duration::from_secs(4);

/// Its own name, then those of three others, as a server gives them on.
const GROUPS: [[&str; 4]; 4] = [
    ["Zoé & les Fantômes 🎮", "=1+1", "<b>gras</b>", "O'Brien \"le Rapide\""],
    ["Équipe n°1 (très, très très longue : soixante-quatre caractères)", "A", "C#", "jeu"],
    ["名前", "-------------------", "~/.bashrc; rm", "\u{202e}שלום $HOME %s {0} \\n"],
    ["a;b", "42", "🏴\u{200d}☠\u{fe0f} 👻👻👻", "Non fournie"],
];

pub(in crate::checkup) async fn check(bench: Bench<'_>, known: &Known) -> (Vec<Finding>, usize) {
    let (mut findings, mut well) = (Vec::new(), 0);
    for group in GROUPS {
        let names = group.map(|name| Name::new(name).to_string());
        let found = play(bench, known, Case::Names(names.to_vec()), names.clone()).await;
        if found.is_empty() {
            well += 1;
            continue;
        }
        // Which of them is it?
        let mut blamed = Vec::new();
        for (seat, name) in names.iter().enumerate() {
            let mut usual = [&bench.team.name, "Ada", "Blaise", "Carl"].map(str::to_owned);
            usual[seat].clone_from(name);
            let case = match seat {
                0 => Case::OwnName(name.clone()),
                _ => Case::Opponent(name.clone()),
            };
            blamed.extend(play(bench, known, case, usual).await);
        }
        findings.extend(if blamed.is_empty() { found } else { blamed });
    }
    (findings, well)
}

async fn play(bench: Bench<'_>, known: &Known, case: Case, names: [String; 4]) -> Vec<Finding> {
    let (me, options) = (Colour::default(), bench.options);
    let own = (me, names[0].as_str());
    let mut scene = Scene::new(case.clone(), &options.map, options.rules, TURNS, own);
    scene.names = names.to_vec();
    let found = match bench.play(scene, TIME).await {
        Ok(played) => played.faults(options.deadline, known),
        Err(finding) => vec![finding],
    };
    found.into_iter().map(|finding| finding.during(&case)).collect()
}
