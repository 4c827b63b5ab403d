//! The ranking of a game as a table.

use comfy_table::{CellAlignment, Table, presets};
use server::{GameResult, PlayerResult};

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
    ranked.sort_by_key(|player| (player.rank, player.letter));
    for PlayerResult { name, letter, points, rank } in ranked {
        table.add_row([rank.to_string(), letter.to_string(), name.clone(), points.to_string()]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_of_rank() {
        let player = |(name, points, rank): (&str, i32, usize), letter| PlayerResult {
            name: name.to_owned(),
            letter,
            points,
            rank,
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
