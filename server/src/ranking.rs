//! The ranking of a game as a table.

use std::time::Duration;

use arena::{GameResult, Misses, PlayerResult, Points, Standing, Thinking};
use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, Width, presets,
};
use game::pyrat::Counts;
use language::{Language, colon, word};

/// Columns of the narrowest usual terminal.
const WIDTH: u16 = 80;
/// The columns of names and of missed turns.
const TEAM: usize = 2;
const MISSED: usize = 5;

/// Points as the web page writes them: cheese with at most two decimals.
pub(crate) fn shown(points: Points) -> String {
    match points {
        Points::Whole(points) => points.to_string(),
        Points::Cheese(score) => Language::chosen().number(score.as_f64(), 2),
    }
}

/// The players, best first, with their false moves, missed turns and thinking times.
pub(crate) fn table(result: &GameResult) -> Table {
    let mut table = with_header(
        [
            word("Rank", "Rang"),
            word("Player", "Joueur"),
            word("Team", "Équipe"),
            word("Points", "Points"),
            word("False\nmoves", "Faux\nmouvements"),
            word("Missed\nturns", "Tours\nmanqués"),
            word("Mean\nthinking", "Réflexion\nmoyenne"),
            word("Longest\nthinking", "Réflexion\nmaximale"),
        ],
        [0, 3, 4, 5, 6, 7],
    );
    let mut ranked: Vec<_> = result.players.iter().collect();
    ranked.sort_by_key(|player| (player.standing.rank, player.letter));
    for PlayerResult { name, letter, standing, thinking } in ranked {
        let Standing { points, rank, false_moves, counts } = standing;
        // In PyRat the first answer includes the preparation, which has a column of its own.
        let (mean, longest) = match counts {
            Some(_) => (thinking.mean(), thinking.longest),
            None => all_answers(thinking),
        };
        table.add_row([
            rank.to_string(),
            letter.to_string(),
            name.clone(),
            shown(*points),
            false_moves.to_string(),
            missed(thinking.misses),
            milliseconds(mean),
            milliseconds(longest),
        ]);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        // Names and the causes of misses take several lines where they are long.
        column.set_constraint(match index {
            TEAM => ColumnConstraint::LowerBoundary(Width::Fixed(8)),
            MISSED => ColumnConstraint::LowerBoundary(Width::Fixed(9)),
            _ => ColumnConstraint::ContentWidth,
        });
    }
    table
}

/// The counts of each player's answers in PyRat and the time of its first answer; `None` for other games.
pub(crate) fn counts(result: &GameResult) -> Option<Table> {
    let mut table = with_header(
        [
            word("Player", "Joueur"),
            word("Nothing", "Rien"),
            "N",
            "E",
            "S",
            "O",
            word("Mud", "Boue"),
            word("Wall", "Mur"),
            word("Error", "Erreur"),
            word("Preparation", "Préparation"),
        ],
        1..10,
    );
    for player in &result.players {
        let Counts { nothing, directions, mud, wall, missed: _, malformed } =
            player.standing.counts?;
        let [north, east, south, west] = directions;
        let counts = [nothing, north, east, south, west, mud, wall, malformed];
        let shown = [player.letter.to_string()].into_iter();
        let shown = shown.chain(counts.map(|count| count.to_string()));
        table.add_row(shown.chain([milliseconds(player.thinking.first)]));
    }
    Some(table)
}

fn with_header<const N: usize>(
    header: [&str; N],
    numbers: impl IntoIterator<Item = usize>,
) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_header(header);
    for number in numbers {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    table
}

/// The mean and the longest time of all answers, the first one included.
fn all_answers(thinking: &Thinking) -> (Duration, Duration) {
    let Thinking { first, others, answers, longest, .. } = *thinking;
    let answers = answers.saturating_add(u32::from(!first.is_zero()));
    (first.saturating_add(others) / answers.max(1), longest.max(first))
}

/// The number of missed turns in all and by cause: `3: 2 bot, 1 network`.
fn missed(misses: Misses) -> String {
    let Misses { bot, network, host } = misses;
    let causes = [
        (bot, word("bot", "bot")),
        (network, word("network", "réseau")),
        (host, word("host", "machine")),
    ]
    .into_iter();
    let shown: Vec<_> = causes
        .filter(|(count, _)| *count > 0)
        .map(|(count, cause)| format!("{count} {cause}"))
        .collect();
    if shown.is_empty() {
        "0".to_owned()
    } else {
        format!("{}{}{}", misses.sum(), colon(), shown.join(", "))
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{} ms", Language::chosen().decimal(time.as_secs_f64() * 1e3, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(table: &Table) -> Vec<String> {
        let table = table.to_string();
        let rows = table.lines().filter(|line| line.contains(|c: char| c.is_ascii_digit()));
        rows.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    fn player(name: &str, letter: char, points: i32, rank: usize) -> PlayerResult {
        PlayerResult {
            name: name.to_owned(),
            letter,
            standing: Standing {
                points: Points::Whole(points),
                rank,
                false_moves: 0,
                counts: None,
            },
            thinking: Thinking::default(),
        }
    }

    #[test]
    fn the_table_is_in_order_of_rank_and_says_whose_fault_misses_were() {
        let mut players =
            vec![player("Ada", 'A', 5, 2), player("Bob", 'B', 7, 1), player("Eve", 'C', 5, 2)];
        players[0].standing.false_moves = 4;
        players[0].thinking = Thinking {
            first: Duration::from_millis(90),
            others: Duration::from_millis(30),
            answers: 2,
            longest: Duration::from_millis(20),
            misses: Misses { bot: 2, network: 0, host: 1 },
        };
        let result = GameResult { game: 1, seed: 1, elapsed: 1, total: 1, players };
        let expected = [
            "1 B Bob 7 0 0 0.00 ms 0.00 ms",
            "2 A Ada 5 4 3: 2 bot, 1 host 40.00 ms 90.00 ms",
            "2 C Eve 5 0 0 0.00 ms 0.00 ms",
        ];
        assert_eq!(rows(&table(&result)), expected);
        assert!(counts(&result).is_none());
    }

    #[test]
    fn shares_of_cheese_are_decimals() {
        for (count, parts, expected) in [(29, 2, "14.5"), (1, 3, "0.33"), (3, 1, "3")] {
            let score = game::pyrat::Score::fraction(count, parts).unwrap();
            assert_eq!(shown(Points::Cheese(score)), expected);
        }
        assert_eq!(shown(Points::Whole(-1000)), "-1000");
    }

    #[test]
    fn no_line_is_longer_than_a_terminal_of_80_columns() {
        let mut players = vec![player("Ada", 'A', -1000, 1), player(&"É".repeat(64), 'B', 5, 2)];
        players[0].thinking.longest = Duration::from_secs(1);
        players[1].thinking.misses = Misses { bot: 100, network: 100, host: 100 };
        let result = GameResult { game: 1, seed: 1, elapsed: 1, total: 1, players };
        let shown = table(&result).to_string();
        let widest = shown.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(WIDTH.into()), "{shown}");
        for word in ["thinking", "moves", "1000.00 ms", "-1000"] {
            assert!(shown.contains(word), "{shown}");
        }
    }

    #[test]
    fn pyrat_shows_its_preparation_apart() {
        let mut rat = player("Ada", 'A', 5, 1);
        let counts =
            Counts { directions: [1, 2, 3, 4], wall: 5, malformed: 6, ..Counts::default() };
        rat.standing.counts = Some(counts);
        rat.thinking.first = Duration::from_secs(2);
        rat.thinking.longest = Duration::from_millis(3);
        let result = GameResult { game: 1, seed: 1, elapsed: 1, total: 1, players: vec![rat] };
        assert_eq!(rows(&table(&result)), ["1 A Ada 5 0 0 0.00 ms 3.00 ms"]);
        let counts = super::counts(&result).unwrap();
        assert_eq!(rows(&counts), ["A 0 1 2 3 4 0 5 6 2000.00 ms"]);
    }
}
