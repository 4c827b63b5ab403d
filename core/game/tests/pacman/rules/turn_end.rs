//! The end of a turn, and the end of a game.

use game::pacman::{Chance, Rules};

use crate::scenario::{BOTH, Scenario};

const ROOM: &str = "
    #######
    #A._@a#
    #######
";

#[test]
fn every_power_loses_a_turn_but_not_at_the_end_of_the_game() {
    for rules in BOTH {
        let powerful = || {
            let game = Scenario::new(rules, ROOM);
            game.power('A', '$', 3).power('A', '~', 1)
        };
        powerful().turn("--", "").powers('A', [2, 0, 0]).turn("--", "").powers('A', [1, 0, 0]);
        powerful().after(98, 100).turn("--", "").powers('A', [2, 0, 0]);
        powerful().after(99, 100).turn("--", "").powers('A', [3, 0, 1]);
    }
}

#[test]
fn an_object_appears_after_each_turn_but_the_last() {
    for rules in BOTH {
        for object in "$@~&!".chars() {
            let appears = format!("{object} appears at 1;3");
            Scenario::new(rules, ROOM)
                .after(98, 100)
                .draws(&[(1, 3)])
                .appears(object)
                .turn("--", &appears)
                .shows(&format!("####### #_.{object}@_# #######"))
                .appears(object)
                .turn("--", "");
        }
    }
}

#[test]
fn an_object_replaces_a_vitamin() {
    Scenario::new(Rules::SUJET, ROOM)
        .draws(&[(1, 2)])
        .appears('&')
        .turn("--", "& appears at 1;2")
        .shows("####### #_&_@_# #######")
        .turn("E-", "A to 1;2, A takes & at 1;2 A+100")
        .shows("####### #___@_# #######");
}

#[test]
fn a_finished_game_stays_as_it_is() {
    struct Never;
    impl Chance for Never {
        fn begin_turn(&mut self, _: u32) {
            panic!("nothing is drawn");
        }
        fn below(&mut self, _: u32) -> u32 {
            panic!("nothing is drawn");
        }
    }
    for (elapsed, total) in [(100, 100), (0, 0), (7, 3)] {
        let Scenario { mut state, .. } = Scenario::new(Rules::SUJET, ROOM).after(elapsed, total);
        let before = state.clone();
        state.play_turn(&[], &mut Never, |event, _| panic!("{event:?} in a finished game"));
        assert!(state.view().is_over());
        assert_eq!(state, before);
    }
}

#[test]
fn a_game_without_players_counts_its_turns() {
    Scenario::new(Rules::SUJET, "### #_# ###")
        .draws(&[(1, 1)])
        .appears('!')
        .turn("", "! appears at 1;1");
}
