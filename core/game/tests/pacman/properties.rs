//! Properties of every game.

use std::collections::HashMap;

use game::pacman::{
    Cell, Colour, ColourSet, Direction, Event, Orders, Piece, PieceKind, Player, Quick, Rules,
    Scripted, State, StateReader, View,
};
use proptest::prelude::*;

use crate::games::games;
use crate::ledger::Ledger;
use crate::plain;

proptest! {
    #[test]
    fn the_events_explain_all_points_powers_counters_places_and_objects(game in games()) {
        let mut ledger = Ledger::open(&game.start().0);
        game.play(|event, state| ledger.enter(event, state));
    }

    #[test]
    fn a_battle_moves_twenty_points_between_two_owners(game in games()) {
        let mut before = game.start().0;
        game.play(|event, state| {
            if let Event::Battle { pacman, ghost, bitten } = event {
                let won = |colour| -> i32 {
                    let [old, new] = [&before, state].map(|s| s.view().player(colour).unwrap().points);
                    new - old
                };
                let (winner, loser) = if bitten { (ghost, pacman) } else { (pacman, ghost) };
                let expected = if winner == loser { (0, 0) } else { (20, -20) };
                assert_eq!((won(winner), won(loser)), expected);
                let [old, new] = [&before, state].map(total);
                assert_eq!(old, new);
            }
            before.clone_from(state);
        });
    }

    #[test]
    fn only_pacmans_enter_walls_and_only_by_wall_pass(game in games()) {
        game.play(|event, state| {
            let board = state.view().board();
            match event {
                Event::Moved { piece, to, .. } if board.is_wall(to) => {
                    assert_eq!(piece.kind, PieceKind::Pacman);
                    assert!(state.view().player(piece.colour).unwrap().powers.wall_pass > 0);
                }
                Event::Teleported { to: cell, .. } | Event::Appeared { cell, .. } => {
                    assert!(!board.is_wall(cell));
                }
                _ => {}
            }
            assert!(state.view().players().iter().all(|player| !board.is_wall(player.ghost)));
        });
    }

    #[test]
    fn ghosts_stay_still_exactly_when_they_digest_or_are_frozen(game in games()) {
        let range = if game.rules == Rules::SUJET { 4 } else { 5 };
        let mut digesting = ColourSet::EMPTY;
        let mut eaten = ColourSet::EMPTY;
        game.play(|event, state| match event {
            Event::Battle { ghost, bitten: true, .. } => eaten.insert(ghost),
            Event::TurnEnded if game.rules == Rules::ORLEANS_2024 => {
                digesting = std::mem::take(&mut eaten);
            }
            Event::Digesting(ghost) => assert!(digesting.contains(ghost)),
            Event::Frozen(ghost) => {
                let place = state.view().player(ghost).unwrap().ghost;
                assert!(!digesting.contains(ghost) && is_frozen(state.view(), place, range));
            }
            Event::Moved { piece, from: place, .. } if piece.kind == PieceKind::Ghost => {
                let still = digesting.contains(piece.colour);
                assert!(!still && !is_frozen(state.view(), place, range));
            }
            Event::FalseMove { piece, .. } if piece.kind == PieceKind::Ghost => {
                let still = digesting.contains(piece.colour);
                let place = state.view().player(piece.colour).unwrap().ghost;
                assert!(!still && !is_frozen(state.view(), place, range));
            }
            _ => {}
        });
    }

    #[test]
    fn what_is_kept_at_hand_agrees_with_what_is_seen(game in games()) {
        game.play(|event, state| {
            if event == Event::TurnEnded {
                let seen = State::from_view(state.view().clone(), game.rules, state.digesting());
                assert_eq!(&seen, state);
            }
        });
    }

    #[test]
    fn positions_and_their_hashes_are_the_same_or_both_differ(game in games()) {
        let mut positions = HashMap::new();
        game.play(|event, state| {
            if event == Event::TurnEnded {
                let view = state.view();
                let players = view.players().iter();
                let players: Vec<_> = players.map(|player| Player { points: 0, ..*player }).collect();
                let objects: Vec<_> = view.objects().iter().collect();
                let position = (view.elapsed(), state.digesting(), players, objects);
                let known = positions.entry(state.zobrist()).or_insert_with(|| position.clone());
                assert_eq!(*known, position);
                // The hash does not depend on objects taken and laid before.
                let anew = plain::text(view, &vec![String::new(); game.players]);
                let mut reader = StateReader::new();
                let anew = reader.read(anew.as_bytes()).unwrap().view.clone();
                let anew = State::from_view(anew, game.rules, state.digesting());
                assert_eq!(anew.zobrist(), state.zobrist());
            }
        });
        assert_eq!(positions.len(), game.turns().count() + 1, "each turn is another position");
    }

    #[test]
    fn moves_are_the_orders_that_are_not_false(game in games()) {
        let mut before = game.start().0;
        game.play(|event, state| {
            if event != Event::TurnEnded {
                return;
            }
            for index in 0..game.players {
                // The own pacman plays before the ghost, and may move too far away to freeze it.
                let freezes = before.view().players()[index].powers.freeze > 0;
                let colour = Colour::new(index).unwrap();
                let pieces = [Piece::pacman(colour), Piece::ghost(colour)];
                for piece in pieces.into_iter().take(if freezes { 1 } else { 2 }) {
                    let is_move = |direction: &Direction| {
                        let mut orders = vec![Orders::default(); game.players];
                        match piece.kind {
                            PieceKind::Pacman => orders[index].pacman = Some(*direction),
                            PieceKind::Ghost => orders[index].ghost = Some(*direction),
                        }
                        let mut play_order: Vec<_> = Colour::first(game.players).collect();
                        play_order.swap(0, index);
                        let mut chance = Scripted { play_order, ..Scripted::default() };
                        let mut moved = false;
                        before.clone().play_turn(&orders, &mut chance, |event, _| {
                            moved |= matches!(event, Event::Moved { piece: found, .. } if found == piece);
                        });
                        moved
                    };
                    let moves: Vec<_> = Direction::ALL.into_iter().filter(is_move).collect();
                    assert_eq!(before.moves(piece), moves, "{piece:?}");
                }
            }
            before.clone_from(state);
        });
    }

    #[test]
    fn a_game_follows_from_its_map_rules_seed_and_orders(game in games()) {
        let mut events = Vec::new();
        let end = game.play(|event, _| events.push(event));
        let mut again = events.iter();
        assert_eq!(game.play(|event, _| assert_eq!(Some(&event), again.next())), end);
        assert_eq!(again.next(), None);
    }

    #[test]
    fn a_game_can_be_taken_up_at_any_turn(game in games(), from in any::<prop::sample::Index>()) {
        let mut states = Vec::new();
        let end = game.play(|event, state| {
            if event == Event::TurnEnded {
                states.push(state.clone());
            }
        });
        let from = from.index(states.len());
        let mut state = states.swap_remove(from);
        let (_, mut chance) = game.start();
        for orders in game.turns().skip(from + 1).chain([&[][..]]) {
            state.play_turn(orders, &mut chance, |_, _| {});
        }
        assert_eq!(state, end);
    }

    #[test]
    fn a_copy_is_equal_and_leads_a_life_of_its_own(game in games(), other in games()) {
        let mut copy = other.play(|_, _| {});
        let end = game.play(|event, state| {
            copy.clone_from(state);
            assert_eq!(&copy, state);
            if event == Event::TurnEnded {
                copy.play_turn(&[], &mut Quick::new(0), |_, _| {});
            }
        });
        assert_eq!(game.play(|_, _| {}), end);
    }
}

/// Tests if a freezing pacman is within `range` king moves of a ghost.
fn is_frozen(view: &View, ghost: Cell, range: i32) -> bool {
    let dims = view.board().dims();
    let within = |a: u16, b: u16, side: u16| {
        let there = (i32::from(a) - i32::from(b)).rem_euclid(side.into());
        there <= range || i32::from(side) - there <= range
    };
    let ghost = dims.pos(ghost);
    view.players().iter().filter(|player| player.powers.freeze > 0).any(|player| {
        let pacman = dims.pos(player.pacman);
        within(pacman.row, ghost.row, dims.rows()) && within(pacman.col, ghost.col, dims.cols())
    })
}

fn total(state: &State) -> i32 {
    state.view().players().iter().map(|player| player.points).sum()
}
