//! Inference of the events of the last turn from the states before and after it.

use game::pacman::rules::BATTLE;
use game::pacman::{Cell, Colour, Direction, Event, Object, Piece, Player, View};

/// Maximum number of encounters whose outcomes are all compared with the points; in further ones, the pacman moves first.
const COMPARED: usize = 10;

/// Moves, teleports, objects taken, battles and objects that appeared between two successive states of a game, in this order.
///
/// States are ambiguous: a teleport to an adjacent cell looks like a step, and of several outcomes of the battles that explain
/// the points, the first one is assumed.
pub(crate) fn infer(before: &View, after: &View) -> Vec<Event> {
    let mut events = Vec::new();
    let mut gained: Vec<i64> = Vec::new();
    for (colour, was, is) in players(before, after) {
        gained.push(i64::from(is.points) - i64::from(was.points));
        events.extend(step(before, Piece::pacman(colour), was.pacman, is.pacman));
        events.extend(step(before, Piece::ghost(colour), was.ghost, is.ghost));
    }
    let board = before.board();
    for (cell, object) in missing(before, after) {
        let was_entered = |(_, was, is): &(Colour, &Player, &Player)| match object {
            Object::Teleporter => {
                Direction::ALL.iter().any(|&d| board.neighbour(was.pacman, d) == cell)
            }
            _ => is.pacman == cell && was.pacman != cell,
        };
        let takers = players(before, after).filter(was_entered);
        // Of several pacmans on the cell, the one with the most points gained took the object.
        if let Some((colour, ..)) = takers.max_by_key(|(colour, ..)| gained[colour.index()]) {
            gained[colour.index()] -= i64::from(object.points());
            events.push(Event::Took { colour, object, cell });
        }
    }
    let battles = battles(before, after, &events, &gained);
    events.extend(battles);
    events.extend(missing(after, before).map(|(cell, object)| Event::Appeared { object, cell }));
    events
}

/// The players before and after the turn.
fn players<'a>(
    before: &'a View,
    after: &'a View,
) -> impl Iterator<Item = (Colour, &'a Player, &'a Player)> {
    let players = before.players().iter().zip(after.players());
    Colour::first(Colour::MAX).zip(players).map(|(colour, (was, is))| (colour, was, is))
}

/// The objects of `view` that `other` does not have.
fn missing<'a>(view: &'a View, other: &'a View) -> impl Iterator<Item = (Cell, Object)> + 'a {
    view.objects().iter().filter(|&(cell, object)| other.objects().get(cell) != Some(object))
}

fn step(view: &View, piece: Piece, from: Cell, to: Cell) -> Option<Event> {
    (from != to).then_some(if view.board().direction(from, to).is_some() {
        Event::Moved { piece, from, to }
    } else {
        Event::Teleported { piece, from, to }
    })
}

/// The battles of the turn. If the battles of an encounter depend on the play order, the outcome that fits the points best.
fn battles(before: &View, after: &View, events: &[Event], gained: &[i64]) -> Vec<Event> {
    let walked = |piece| {
        events
            .iter()
            .any(|event| matches!(event, Event::Moved { piece: moved, .. } if *moved == piece))
    };
    let mut battles = Vec::new();
    let mut open: Vec<[Vec<Event>; 2]> = Vec::new();
    for (pacman, prey_was, prey) in players(before, after) {
        let took_glutton = events.iter().any(|event| matches!(event, Event::Took { colour, object: Object::Glutton, .. } if *colour == pacman));
        let battle = |ghost, is_there: bool, is_glutton: bool| {
            is_there.then_some(Event::Battle { pacman, ghost, bitten: !is_glutton })
        };
        let pacman_walked = walked(Piece::pacman(pacman));
        let was_glutton = prey_was.powers.glutton > 0;
        let is_glutton = was_glutton || took_glutton;
        for (ghost, hunter_was, hunter) in players(before, after) {
            let ghost_walked = walked(Piece::ghost(ghost));
            let pacman_first = [
                battle(ghost, pacman_walked && prey.pacman == hunter_was.ghost, is_glutton),
                battle(ghost, ghost_walked && hunter.ghost == prey.pacman, is_glutton),
            ];
            let ghost_first = [
                battle(ghost, ghost_walked && hunter.ghost == prey_was.pacman, was_glutton),
                battle(ghost, pacman_walked && prey.pacman == hunter.ghost, is_glutton),
            ];
            let [first, second] = [pacman_first, ghost_first]
                .map(|events| events.into_iter().flatten().collect::<Vec<_>>());
            // A player's own pacman moves before its ghost.
            if first == second || pacman == ghost || open.len() == COMPARED {
                battles.extend(first);
            } else {
                open.push([first, second]);
            }
        }
    }
    let chosen = |outcomes: u32| {
        open.iter().enumerate().flat_map(move |(at, both)| &both[(outcomes >> at & 1) as usize])
    };
    let surprise = |outcomes: &u32| {
        let mut left = gained.to_vec();
        for battle in battles.iter().chain(chosen(*outcomes)) {
            if let Event::Battle { pacman, ghost, bitten } = battle {
                let points = i64::from(if *bitten { BATTLE } else { -BATTLE });
                left[ghost.index()] -= points;
                left[pacman.index()] += points;
            }
        }
        left.iter().map(|left| left.abs()).sum::<i64>()
    };
    let best = (0..1 << open.len()).min_by_key(surprise).unwrap_or(0);
    battles.extend(chosen(best).copied().collect::<Vec<_>>());
    battles
}
