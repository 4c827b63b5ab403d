//! Checks that the bot plays with every letter, and not always for `A`.

use std::time::Duration;

use game::pacman::Colour;

use crate::bench::{Bench, KnownFaults};
use crate::case::Case;
use crate::fact::Fact;
use crate::finding::Finding;
use crate::scene::{PLAYERS, Scene};

const TURNS: u32 = 24;
const TIME: Duration = Duration::from_secs(20);

pub(crate) async fn check(bench: Bench<'_>, known: &KnownFaults) -> Vec<Finding> {
    let Bench { team, options } = bench;
    // The bot had the letter A in its first game.
    let letters = Colour::first(PLAYERS).skip(1);
    let scene = |me: Colour| {
        let own = (me, team.name.as_str());
        Scene::new(Case::Letter(me.letter()), &options.map, options.rules, TURNS, own)
    };
    bench
        .play_all(letters.map(scene).collect(), TIME, known, |case, played, mut findings| {
            let Case::Letter(own) = *case else { return findings };
            findings.extend(played.record.plays_for().map(|other| {
                let other = other.letter();
                Finding::failure(Fact::PlaysFor { own, other, remembered: false })
            }));
            findings
        })
        .await
        .finish()
}
