//! The ranking of a game as a table.

use comfy_table::{CellAlignment, Table, presets};
use game::pyrat::Counts;
use server::{GameResult, PlayerResult, Standing};

/// The players, best first.
pub(crate) fn table(result: &GameResult) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(["Rank", "Player", "Team", "Points"]);
    for column in [0, 3] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut ranked: Vec<_> = result.players.iter().collect();
    ranked.sort_by_key(|player| (player.standing.rank, player.letter));
    for PlayerResult { name, letter, standing: Standing { points, rank, .. }, .. } in ranked {
        table.add_row([rank.to_string(), letter.to_string(), name.clone(), points.to_string()]);
    }
    table
}

/// How often each player answered what, and how long it took; `None` where the game does not count
/// that.
pub(crate) fn counts(result: &GameResult) -> Option<Table> {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header([
        "Player",
        "Nothing",
        "N",
        "E",
        "S",
        "O",
        "Mud",
        "Wall",
        "Miss",
        "Error",
        "Preparation",
        "Turn, mean",
        "longest",
    ]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for player in &result.players {
        let Counts { nothing, directions, mud, wall, missed, malformed } = player.standing.counts?;
        let [north, east, south, west] = directions;
        let counts = [nothing, north, east, south, west, mud, wall, missed, malformed];
        let thinking = &player.thinking;
        let times = [thinking.first, thinking.mean(), thinking.longest];
        let shown = [player.letter.to_string()].into_iter();
        let shown = shown.chain(counts.map(|count| count.to_string()));
        table.add_row(shown.chain(times.map(|time| format!("{:.2} ms", time.as_secs_f64() * 1e3))));
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use server::{Points, Thinking};

    #[test]
    fn the_table_is_in_order_of_rank() {
        let player = |(name, points, rank): (&str, i32, usize), letter| PlayerResult {
            name: name.to_owned(),
            letter,
            standing: Standing { points: Points::Whole(points), rank, counts: None },
            thinking: Thinking::default(),
        };
        let players = [("Ada", 5, 2), ("Bob", 7, 1), ("Eve", 5, 2)].into_iter().zip('A'..='C');
        let players = players.map(|(own, letter)| player(own, letter)).collect();
        let result = GameResult { game: 1, seed: 1, elapsed: 1, total: 1, players };
        let table = table(&result).to_string();
        let rows: Vec<String> = table
            .lines()
            .filter(|line| line.contains(|c: char| c.is_ascii_digit()))
            .map(|line| line.split(['│', '┆']).map(str::trim).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(rows, [" 1 B Bob 7 ", " 2 A Ada 5 ", " 2 C Eve 5 "]);
    }
}
