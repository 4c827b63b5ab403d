//! Checks that the bot plays with every letter, and not always for `A`.

use std::time::Duration;

use game::pacman::Colour;

use crate::bench::Bench;
use crate::case::Case;
use crate::fact::Fact;
use crate::finding::Finding;
use crate::scene::PLAYERS;

const TURNS: u32 = 24;
const TIME: Duration = Duration::from_secs(20);

pub(crate) async fn check(bench: Bench<'_>) -> Vec<Finding> {
    // The bot had the letter A in its first game.
    let letters = Colour::first(PLAYERS).skip(1);
    let scene = |me: Colour| bench.scene(Case::Letter(me.letter()), &bench.options.map, TURNS, me);
    bench
        .play_all(letters.map(scene).collect(), TIME, |case, played, mut findings| {
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
