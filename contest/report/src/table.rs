//! The ranking in a terminal.

use std::fmt::Write;

use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Row, Table, Width,
    presets,
};
use language::Language;
use protocol::Name;

use super::{RISK, ranks};
use rating::standings::{self, Standings};

/// Maximum number of possible best teams listed by name.
const LISTED: usize = 5;

/// Columns of the narrowest usual terminal.
const WIDTH: u16 = 80;

/// Returns the ranking as lines of at most 80 columns, and the certainty of the first place. Long names are cut.
#[must_use]
pub fn table(standings: &Standings, language: Language) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_truncation_indicator("…");
    table.set_header(titles(language));
    let mut widest = [0; COLUMNS];
    let is_compared = standings.rows.iter().filter(|row| row.is_ranked()).count() > 1;
    for (row, rank) in standings.rows.iter().zip(ranks(standings)) {
        let cells = cells(row, rank, is_compared, language);
        for (widest, cell) in widest.iter_mut().zip(&cells) {
            *widest = (*widest).max(cell.chars().count());
        }
        let mut row = Row::from(cells.map(Cell::new).to_vec());
        row.max_height(1);
        table.add_row(row);
    }
    for ((index, column), title) in table.column_iter_mut().enumerate().zip(titles(language)) {
        // The style has a blank between columns.
        column.set_padding((0, 0));
        if index != NAME {
            column.set_cell_alignment(CellAlignment::Right);
            // Only names shrink. The width of a figure fits in 16 bits.
            let width = widest[index].max(title.chars().count()) as u16;
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
        }
    }
    let mut shown = format!("{table}\n");
    write_certainty(&mut shown, standings, language);
    shown
}

/// The index of the column of names.
const NAME: usize = 1;

/// Number of columns.
const COLUMNS: usize = 9;

/// The last two columns are the games with a fault and the malformed orders.
fn titles(language: Language) -> [&'static str; COLUMNS] {
    match language {
        Language::French => [
            "",
            "Équipe",
            "Cote (95 %)",
            "Parties",
            "Points",
            "Rang",
            "1res",
            "Fautes",
            "Mal formés",
        ],
        Language::English => {
            ["", "Team", "Rating (95 %)", "Games", "Points", "Rank", "1sts", "Faults", "Malformed"]
        }
    }
}

/// The cells of a row. A team that is compared with no other one has no rating.
fn cells(
    row: &standings::Row,
    rank: Option<usize>,
    is_compared: bool,
    language: Language,
) -> [String; COLUMNS] {
    let decimal = |value, digits| language.decimal(value, digits);
    let faults: u32 = row.record.faults.iter().map(|(_, count)| count).sum();
    let (low, high) = row.interval;
    // Names from a file may hold control characters that move the cursor.
    let name = Name::new(&row.name).to_string();
    let Some(rank) = rank else {
        let none = || "–".to_owned();
        return [none(), name, none(), "0".to_owned(), none(), none(), none(), none(), none()];
    };
    [
        rank.to_string(),
        name,
        if is_compared {
            format!("{:.0} {low:.0}–{high:.0}", row.rating)
        } else {
            "–".to_owned()
        },
        row.record.games.to_string(),
        decimal(row.record.mean_points, 1),
        decimal(row.record.mean_rank, 2),
        decimal(row.record.firsts, 1),
        faults.to_string(),
        row.record.malformed.to_string(),
    ]
}

/// Writes the number of games, and the best team if one is shown to be the best.
fn write_certainty(shown: &mut String, standings: &Standings, language: Language) {
    const NEVER: &str = "writing into memory does not fail";
    let games = standings.games;
    match language {
        Language::French => {
            write!(shown, "{games} {}.", language.plural(games, "partie", "parties"))
        }
        Language::English => write!(shown, "{games} {}.", language.plural(games, "game", "games")),
    }
    .expect(NEVER);
    let risk = standings.risk();
    if risk <= RISK {
        let name = Name::new(&standings.rows[0].name);
        let percent = (1000.0 * risk).ceil().max(1.0) / 10.0;
        match language {
            Language::French => write!(
                shown,
                " {name} est la meilleure ; le risque d'erreur est d'au plus {} %.",
                format!("{percent:.1}").replace('.', ",")
            ),
            Language::English => write!(
                shown,
                " {name} is the best; the risk of an error is at most {percent:.1} %."
            ),
        }
        .expect(NEVER);
    } else if standings.rows.len() > 1 && games > 0 {
        let racing = standings.rows.iter().filter(|row| row.risk > RISK);
        let names: Vec<_> = racing.map(|row| Name::new(&row.name).to_string()).collect();
        let (none, possible, more) = match language {
            Language::French => {
                (" Aucune équipe n'est reconnue la meilleure.", " Encore possibles :", "de plus")
            }
            Language::English => (" No team is shown to be the best.", " Still possible:", "more"),
        };
        shown.push_str(none);
        match names.len() {
            // Every team is shown to be worse than another one, as in rock, paper, scissors.
            0 => {}
            few @ 1..=LISTED => {
                write!(shown, "{possible} {}.", names[..few].join(", ")).expect(NEVER);
            }
            many => {
                let listed = names[..LISTED].join(", ");
                write!(shown, "{possible} {listed}, + {} {more}.", many - LISTED).expect(NEVER);
            }
        }
    }
    shown.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan::FaultKind;
    use plan::record::{HeadToHead, Record};

    fn row(name: &str, risk: f64) -> standings::Row {
        standings::Row {
            team: 0,
            name: name.to_owned(),
            strength: 1.0 - risk,
            rating: 1713.4,
            interval: (1689.6, 1740.2),
            risk,
            record: Record {
                games: 1980,
                mean_points: -1234.56,
                mean_rank: 1.625,
                firsts: 1021.5,
                faults: vec![(FaultKind::TimedOut, 1200), (FaultKind::Crashed, 3)],
                malformed: 8000,
                missed: 7,
                ..Record::default()
            },
        }
    }

    fn standings(rows: Vec<standings::Row>) -> Standings {
        let head_to_head = vec![vec![HeadToHead::default(); rows.len()]; rows.len()];
        Standings { rows, head_to_head, games: 9900 }
    }

    #[test]
    fn it_fits_and_says_everything() {
        let standings = standings(vec![row("Ada", 0.07), row("Les Gloutons", 1.0)]);
        let shown = table(&standings, Language::French);
        let lines: Vec<Vec<&str>> =
            shown.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1][..4], ["Équipe", "Cote", "(95", "%)"]);
        assert_eq!(
            lines[3],
            ["1", "Ada", "1713", "1690–1740", "1980", "-1234,6", "1,62", "1021,5", "1203", "8000"]
        );
        assert_eq!(lines[4][..3], ["2", "Les", "Gloutons"]);
        assert!(shown.contains("Encore possibles : Ada, Les Gloutons."), "{shown}");
        let mut standings = standings;
        standings.rows[0].risk = 1.0;
        standings.rows[1].risk = 0.0312;
        let shown = table(&standings, Language::French);
        assert!(
            shown.contains("Ada est la meilleure ; le risque d'erreur est d'au plus 3,2 %."),
            "{shown}"
        );
        assert!(table(&standings, Language::English).contains(" -1234.6 "));
    }

    #[test]
    fn no_name_breaks_the_lines() {
        let wide = "宽".repeat(64);
        let long = "x".repeat(64);
        let marks = format!("a{}", "\u{301}".repeat(63));
        let names = ["\u{1b}[2J\u{7}\nnext", &wide, &long, &marks, "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", ""];
        let rows: Vec<_> = names.iter().map(|name| row(name, 0.9)).collect();
        let shown = table(&standings(rows), Language::English);
        assert_eq!(shown.lines().count(), 3 + names.len() + 2, "{shown}");
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
        assert!(shown.contains("xxx…"), "{shown}");
        for line in shown.lines().take(3 + names.len()) {
            // A wide character takes two columns, a combining mark none.
            let columns: usize = line
                .chars()
                .map(|c| match c {
                    '宽' => 2,
                    '\u{301}' => 0,
                    _ => 1,
                })
                .sum();
            assert!(columns <= WIDTH.into(), "{columns}: {line}");
        }
    }

    #[test]
    fn nobody_is_the_best_of_none() {
        let shown = table(&standings(Vec::new()), Language::French);
        assert!(shown.contains("Équipe") && !shown.contains("meilleure"), "{shown}");
    }

    #[test]
    fn a_team_without_games_is_not_ranked() {
        let mut rows = vec![row("Ada", 0.1), row("Bob", 1.0)];
        rows[1].record = Record::default();
        let shown = table(&standings(rows), Language::French);
        let last: Vec<_> = shown.lines().nth(4).unwrap().split_whitespace().collect();
        assert_eq!(last, ["–", "Bob", "–", "0", "–", "–", "–", "–", "–"]);
    }

    #[test]
    fn a_team_that_is_compared_with_no_other_one_has_no_rating() {
        let alone = |rows| {
            let shown = table(&standings(rows), Language::English);
            assert!(!shown.contains("1713"), "{shown}");
            let line = shown.lines().nth(3).unwrap().split_whitespace().map(str::to_owned);
            (line.collect::<Vec<_>>(), shown)
        };
        let (line, shown) = alone(vec![row("Ada", 1.0)]);
        assert_eq!(line, ["1", "Ada", "–", "1980", "-1234.6", "1.62", "1021.5", "1203", "8000"]);
        assert!(!shown.contains("best"), "{shown}");
        let mut rows = vec![row("Ada", 1.0), row("Bob", 1.0)];
        rows[1].record = Record::default();
        assert_eq!(alone(rows).0[2], "–");
    }

    #[test]
    fn five_equal_teams_are_given_no_probability() {
        let rows = ["a", "b", "c", "d", "e"].map(|name| row(name, 0.9));
        for language in [Language::English, Language::French] {
            let shown = table(&standings(rows.to_vec()), language);
            // The only percentage is that of the interval.
            assert_eq!(shown.matches('%').count(), 1, "{shown}");
        }
    }
}
