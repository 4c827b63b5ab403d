//! Checks that the bot plays several games on one connection, each with another letter and another board.

use std::time::Duration;

use game::pacman::{Colour, Map};

use crate::bench::Bench;
use crate::case::Case;
use crate::fact::Fact;
use crate::finding::Finding;
use crate::finding_list::FindingList;
use crate::game_record::End;
use crate::scene;

const TURNS: u32 = 24;
/// The indices of the bot's letters. The first is not A, so that a bot that always plays for A differs from a bot that
/// keeps its first letter.
const SEATS: [usize; 3] = [2, 0, 3];
/// Longest duration of a game.
const TIME: Duration = Duration::from_secs(8);

pub(crate) async fn check(bench: Bench<'_>) -> Vec<Finding> {
    let Bench { team, options, .. } = bench;
    let mut session = match bench.open(&team.name).await {
        Ok(session) => session,
        Err(finding) => return vec![finding],
    };
    let maps =
        [options.map.clone(), scene::pillars(7, 9, false, '.'), scene::pillars(13, 25, false, '.')];
    let games: Vec<(Colour, &Map)> = SEATS.into_iter().filter_map(Colour::new).zip(&maps).collect();
    let first = games.first().map(|(me, _)| *me);
    let mut list = FindingList::default();
    for (number, (me, map)) in (1..).zip(games) {
        let dims = map.board().dims();
        let case = Case::Game(number, me.letter(), dims.rows(), dims.cols());
        let scene = bench.scene(case.clone(), map, TURNS, me);
        let (played, going_on) = bench.go_on(session, scene, TIME).await;
        let mut found = bench.faults(&played);
        if number > 1 {
            let own = me.letter();
            found.extend(played.record.plays_for().map(|other| {
                let (other, remembered) = (other.letter(), Some(other) == first);
                Finding::failure(Fact::PlaysFor { own, other, remembered })
            }));
            if let Some(fact) = bench.lost(&played).filter(|_| found.is_empty()) {
                found.push(Finding::failure(fact));
            }
        }
        let is_last_answered = played.record.end != End::Over { answered: false };
        list.add(&case, &played, found);
        let Some(mut going_on) = going_on else { return list.finish() };
        if !is_last_answered && number == 1 {
            list.push(Finding::warning(Fact::FinalUnanswered).during(&case));
        }
        // Late answers are reported already, and must not count against the next game.
        going_on.forgive();
        session = going_on;
    }
    session.end().await;
    list.finish()
}
