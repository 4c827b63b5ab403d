//! Writing states.

use game::pacman::{Colour, Dims, Event, Player, Pos, Powers, Rules, StateReader, StateText};
use proptest::prelude::*;

use crate::games::games;
use crate::plain;
use crate::scenario::Scenario;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_text_of_a_game_is_the_plain_one(game in games(), names in names()) {
        let mut text = StateText::new(names.clone());
        game.play(|_, state| {
            let expected = plain::text(state.view(), &names);
            assert_eq!(String::from_utf8_lossy(text.write(state.view())), expected);
        });
    }

    #[test]
    fn one_writer_serves_several_boards(game in games(), other in games(), names in names()) {
        let mut text = StateText::new(names.clone());
        let end = other.play(|_, _| {});
        game.play(|event, state| {
            let views = [end.view(), state.view()];
            for view in views.into_iter().filter(|_| event == Event::TurnEnded) {
                assert_eq!(text.write(view), plain::text(view, &names).as_bytes());
            }
        });
    }
}

/// Names for the maximum number of players.
pub(crate) fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[^;\n]{0,20}", Colour::MAX)
}

#[test]
fn pieces_are_listed_by_cell_then_by_letter_and_a_wall_stays_a_wall() {
    let drawing = "
        #####
        #_b_#
        #A$C#
        #_ac#
        #####
    ";
    let game = Scenario::new(Rules::SUJET, drawing)
        .put('B', 1, 2)
        .put('C', 0, 4)
        .put('a', 1, 2)
        .points('B', -20)
        .power('C', '~', 7);
    let game = "ABC".chars().fold(game, |game, colour| game.counter(colour, 0));
    let names = ["Ghostbuster", "", "C#"].map(str::to_owned);
    let expected = [
        "0;100",
        "--------------------",
        "5;5",
        "#####",
        "#   #",
        "# $ #",
        "#   #",
        "#####",
        "3",
        "C;0;4",
        "B;1;2",
        "A;2;1",
        "3",
        "a;1;2",
        "b;1;2",
        "c;3;3",
        "--------------------",
        "A;0;0;2;1;1;2;0;0;0;Ghostbuster",
        "B;-20;0;1;2;1;2;0;0;0;",
        "C;0;0;0;4;3;3;0;0;7;C#",
        "",
    ];
    let mut text = StateText::new(names.to_vec());
    let written = String::from_utf8_lossy(text.write(game.state.view()));
    assert_eq!(written.split('\n').collect::<Vec<_>>(), expected);
}

#[test]
fn a_player_without_a_name_gets_an_empty_one() {
    let game = Scenario::new(Rules::SUJET, "##### #Aa_# #Bb_# #####");
    let empty = [String::new(), String::new()];
    let expected = plain::text(game.state.view(), &empty);
    for names in [&empty[..0], &empty[..1], &empty] {
        assert_eq!(StateText::new(names.to_vec()).write(game.state.view()), expected.as_bytes());
    }
}

/// The buffer has room for the longest state: all 26 players, the far corner, the longest numbers.
#[test]
fn the_longest_text_is_written() {
    let dims = Dims::new(500, 500).unwrap();
    let board = format!("500;500\n{}", format!("{}\n", " ".repeat(500)).repeat(500));
    let corner = dims.cell(Pos { row: 499, col: 499 }).unwrap();
    let longest = Player {
        points: i32::MIN,
        false_moves: i32::MIN,
        pacman: corner,
        ghost: corner,
        powers: Powers { glutton: u32::MAX, freeze: u32::MAX, wall_pass: u32::MAX },
    };
    for name in ["", "-"] {
        let names = vec![name.repeat(64); Colour::MAX];
        let turns = (u32::MAX, u32::MAX);
        let expected = plain::state(turns, &board, dims, &[longest; Colour::MAX], &names);
        let mut reader = StateReader::new();
        let reading = reader.read(expected.as_bytes()).unwrap();
        assert_eq!(reading.view.players(), [longest; Colour::MAX]);
        let mut text = StateText::new(names);
        assert!(text.write(&reading.view) == expected.as_bytes(), "the text as it was read");
    }
}
