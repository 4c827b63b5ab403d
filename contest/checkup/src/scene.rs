//! Games made for a purpose: boards of any size, and unusual states.

use std::fmt::Write as _;

use game::pacman::{
    Board, Cell, Colour, ColourSet, Direction, Map, Player, Pos, Powers, RulesPreset, Seeded,
    State, StateReader, StateText,
};

use super::case::Case;

/// Default number of players of a game.
pub(super) const PLAYERS: usize = 4;
/// The names of the other players, unless a check chooses names.
const NAMES: [&str; 8] = ["Ada", "Blaise", "Carl", "Dora", "Emil", "Fanny", "Grace", "Hana"];

/// A game to be played.
pub(super) struct Scene {
    /// The purpose of the scene.
    pub(super) case: Case,
    /// The colour of the bot.
    pub(super) me: Colour,
    /// The names of the players, in order of colour.
    pub(super) names: Vec<String>,
    pub(super) state: State,
}

impl Scene {
    /// Creates a game on a map, with `own` as the name of the bot.
    pub(super) fn new(
        case: Case,
        map: &Map,
        rules: RulesPreset,
        turns: u32,
        (me, own): (Colour, &str),
    ) -> Self {
        Self::of(PLAYERS, case, map, rules, turns, (me, own))
    }

    /// Creates such a game with this number of players.
    pub(super) fn of(
        players: usize,
        case: Case,
        map: &Map,
        rules: RulesPreset,
        turns: u32,
        (me, own): (Colour, &str),
    ) -> Self {
        let state = State::start(map, rules.rules(), turns, players, &mut Seeded::new(2024));
        let mut names: Vec<_> =
            NAMES.into_iter().filter(|name| *name != own).map(str::to_owned).collect();
        names.insert(me.index().min(names.len()), own.to_owned());
        names.truncate(players);
        Self { case, me, names, state }
    }

    /// Changes the players of a scene in which the bot has the first letter: the bot, and the others.
    pub(super) fn with(mut self, change: impl FnOnce(&Board, &mut Player, &mut [Player])) -> Self {
        let mut players = self.state.view().players().to_vec();
        if let [own, others @ ..] = &mut players[..] {
            change(self.state.view().board(), own, others);
        }
        self.state = with_players(&self.state, &players);
        self
    }
}

/// A map with walls like pillars, open at its edges or not, and `filling` in its corridors. Most of its cells have
/// two ways out.
pub(super) fn pillars(rows: u16, cols: u16, is_open: bool, filling: char) -> Map {
    let is_wall = |row: u16, col: u16| {
        let is_pillar = row.is_multiple_of(2) && col.is_multiple_of(2);
        let is_edge = row == 0 || col == 0 || row == rows - 1 || col == cols - 1;
        is_pillar || (is_edge && !is_open)
    };
    drawn(rows, cols, |row, col| if is_wall(row, col) { '#' } else { filling })
}

/// A map without any wall.
pub(super) fn hall(rows: u16, cols: u16, filling: char) -> Map {
    drawn(rows, cols, |_, _| filling)
}

/// A map with one thick wall in its middle.
pub(super) fn block(rows: u16, cols: u16) -> Map {
    let middle = |at: u16, of: u16| at.abs_diff(of / 2) <= 2;
    drawn(rows, cols, |row, col| if middle(row, rows) && middle(col, cols) { '#' } else { '.' })
}

/// A map with the same walls and `filling` in all its corridors.
pub(super) fn filled(map: &Map, filling: char) -> Map {
    let board = map.board();
    let dims = board.dims();
    drawn(dims.rows(), dims.cols(), |row, col| match dims.cell(Pos { row, col }) {
        Some(cell) if !board.is_wall(cell) => filling,
        _ => '#',
    })
}

/// Draws a map. If no corridor is empty or holds a vitamin, empties the middle one: the text of a map needs a cell
/// for the first pacman.
fn drawn(rows: u16, cols: u16, letter: impl Fn(u16, u16) -> char) -> Map {
    let mut text = format!("{rows};{cols}\n");
    for row in 0..rows {
        text.extend((0..cols).map(|col| letter(row, col)));
        text.push('\n');
    }
    if !text.contains(['.', ' ']) {
        let corridors: Vec<_> = text.match_indices(['$', '@', '~', '&', '!']).collect();
        if let Some(&(middle, _)) = corridors.get(corridors.len() / 2) {
            text.replace_range(middle..=middle, " ");
        }
    }
    text.parse().expect("sides are at least 3, rows are complete, and a corridor is empty")
}

pub(super) fn middle(board: &Board) -> Cell {
    let dims = board.dims();
    let pos = Pos { row: dims.rows() / 2, col: dims.cols() / 2 };
    dims.cell(pos).unwrap_or_default()
}

/// A wall and a corridor beside it, or the first cell twice if there is none.
pub(super) fn wall_beside_corridor(board: &Board) -> (Cell, Cell) {
    let walls = board.dims().cells().filter(|&cell| board.is_wall(cell));
    let beside = |wall: Cell| {
        let around = Direction::ALL.map(|direction| board.neighbour(wall, direction));
        around.into_iter().find(|&cell| !board.is_wall(cell)).map(|corridor| (wall, corridor))
    };
    // Walls in the second half of the board come first, to avoid the edge.
    let count = board.dims().len() / 2;
    let found = walls.clone().filter(|cell| cell.index() > count).find_map(beside);
    found.or_else(|| walls.clone().find_map(beside)).unwrap_or_default()
}

/// All corridors, the nearest to a cell first.
pub(super) fn near(board: &Board, cell: Cell) -> Vec<Cell> {
    let mut corridors: Vec<_> = board.corridors().collect();
    corridors.sort_by_key(|&other| board.dims().chebyshev(cell, other));
    corridors
}

/// Replaces the players of a state. A state can only be changed by its text, which is written and read here.
fn with_players(state: &State, players: &[Player]) -> State {
    let view = state.view();
    let dims = view.board().dims();
    let written = StateText::new(vec!["x".to_owned(); players.len()]).write(view).to_vec();
    let written = String::from_utf8_lossy(&written);
    // The lines with the numbers of turns, the dashes, the size and the rows.
    let board = written.split_inclusive('\n').take(3 + usize::from(dims.rows()));
    let mut text: String = board.collect();
    // No pieces are listed: their positions are in the lines of the players.
    text.push_str("0\n0\n--------------------\n");
    for (colour, player) in Colour::first(players.len()).zip(players) {
        let [pacman, ghost] = [player.pacman, player.ghost].map(|cell| {
            let Pos { row, col } = dims.pos(cell);
            format!("{row};{col}")
        });
        let Player { points, false_moves, powers, .. } = player;
        let Powers { glutton, freeze, wall_pass } = powers;
        // A `String` takes all that is written.
        let _ = writeln!(
            text,
            "{};{points};{false_moves};{pacman};{ghost};{glutton};{freeze};{wall_pass};x",
            colour.as_str()
        );
    }
    let mut reader = StateReader::new();
    let reading = reader.read(text.as_bytes()).expect("the text of a state, just written");
    State::from_view(reading.view.clone(), *state.rules(), ColourSet::EMPTY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pacman::Object;

    #[test]
    fn boards_are_as_asked_for() {
        for (rows, cols) in [(3, 3), (7, 12), (60, 80)] {
            for filling in [' ', '.', '$', '!'] {
                for map in [
                    hall(rows, cols, filling),
                    pillars(rows, cols, true, filling),
                    filled(&pillars(rows, cols, true, '.'), filling),
                ] {
                    let dims = map.board().dims();
                    assert_eq!((dims.rows(), dims.cols()), (rows, cols));
                    assert!(map.board().is_connected(), "{map}");
                }
            }
        }
        let full = filled(&pillars(9, 11, false, '.'), '$');
        let gluttons = full.board().corridors();
        let gluttons = gluttons.filter(|&c| full.objects().get(c) == Some(Object::Glutton));
        assert_eq!(gluttons.count() + 1, full.board().corridors().count());
    }

    #[test]
    fn a_state_is_as_its_players_are_changed() {
        let case = Case::InsideWall;
        let scene =
            Scene::new(case, &block(9, 11), RulesPreset::Sujet, 7, (Colour::default(), "M"));
        let before = scene.state.clone();
        let same = with_players(&before, before.view().players());
        assert_eq!(same, before);
        let scene = scene.with(|board, own, _| {
            own.pacman = middle(board);
            own.points = -60;
            own.powers.wall_pass = 2;
        });
        let own = scene.state.view().players()[0];
        assert!(scene.state.view().board().is_wall(own.pacman));
        assert_eq!((own.points, own.powers.wall_pass), (-60, 2));
        assert_eq!(scene.names, ["M", "Ada", "Blaise", "Carl"]);
    }

    #[test]
    fn a_wall_is_beside_its_corridor() {
        let map = pillars(9, 11, false, '.');
        let (wall, corridor) = wall_beside_corridor(map.board());
        assert!(map.board().is_wall(wall) && !map.board().is_wall(corridor));
        assert_eq!(map.board().dims().chebyshev(wall, corridor), 1);
        assert_eq!(near(map.board(), corridor)[0], corridor);
    }
}
