//! The texts of boards and states formatted plainly, straight from the protocol.

use std::fmt::Write as _;

use game::pacman::{Cell, Dims, Object, Player, View};

/// The text of a view.
pub(crate) fn text(view: &View, names: &[String]) -> String {
    let turns = (view.elapsed(), view.total());
    state(turns, &board(view), view.board().dims(), view.players(), names)
}

/// `ROWS;COLS` and the rows.
pub(crate) fn board(view: &View) -> String {
    let dims = view.board().dims();
    let mut text = format!("{};{}\n", dims.rows(), dims.cols());
    for cell in dims.cells() {
        text.push(match view.objects().get(cell) {
            _ if view.board().is_wall(cell) => '#',
            None => ' ',
            Some(Object::Vitamin) => '.',
            Some(Object::Glutton) => '$',
            Some(Object::Freeze) => '@',
            Some(Object::WallPass) => '~',
            Some(Object::Cherry) => '&',
            Some(Object::Teleporter) => '!',
        });
        if dims.pos(cell).col + 1 == dims.cols() {
            text.push('\n');
        }
    }
    text
}

/// The text of a state, from its parts.
pub(crate) fn state(
    (elapsed, total): (u32, u32),
    board: &str,
    dims: Dims,
    players: &[Player],
    names: &[String],
) -> String {
    let place = |cell: Cell| format!("{};{}", dims.pos(cell).row, dims.pos(cell).col);
    let letters = || (b'A'..=b'Z').map(char::from);
    let dashes = "-".repeat(20);
    let mut text = format!("{elapsed};{total}\n{dashes}\n{board}");
    for ghosts in [false, true] {
        let mut pieces: Vec<_> = letters()
            .zip(players)
            .map(|(letter, player)| {
                if ghosts {
                    (player.ghost, letter.to_ascii_lowercase())
                } else {
                    (player.pacman, letter)
                }
            })
            .collect();
        pieces.sort_unstable();
        writeln!(text, "{}", pieces.len()).expect("a string grows");
        for (cell, letter) in pieces {
            writeln!(text, "{letter};{}", place(cell)).expect("a string grows");
        }
    }
    text += &dashes;
    text.push('\n');
    for ((letter, player), name) in letters().zip(players).zip(names) {
        let Player { points, false_moves, pacman, ghost, powers } = player;
        let (pacman, ghost) = (place(*pacman), place(*ghost));
        let powers = format!("{};{};{}", powers.glutton, powers.freeze, powers.wall_pass);
        writeln!(text, "{letter};{points};{false_moves};{pacman};{ghost};{powers};{name}")
            .expect("a string grows");
    }
    text
}
