//! The ranking in a terminal.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Row, Table, Width, presets,
};
use language::Language;
use protocol::Name;

use super::{Column, Line, RISK, cells, lines, titles};
use rating::Standings;

/// Maximum number of possible best teams listed by name.
const LISTED: usize = 5;

/// Columns of the narrowest usual terminal.
const WIDTH: u16 = 80;

/// Returns the ranking as lines of at most 80 columns, and the certainty of the first place. Long names are cut.
pub fn table(standings: &Standings, language: Language) -> String {
    let table = drawn(&COLUMNS, &[NAME], lines(standings, &[], language), language);
    format!("{table}\n{}", certainty(standings, language))
}

/// Teams as lines of at most 80 columns with a column of their groups.
pub(super) fn grouped<'a>(lines: impl Iterator<Item = Line<'a>>, language: Language) -> Table {
    let group: Column = ("Group", "Groupe", |line| plain(line.group));
    drawn(&[&[group][..], &COLUMNS].concat(), &[0, 1 + NAME], lines, language)
}

/// A table of teams, whose columns of `names` are cut where they are too wide.
fn drawn<'a>(
    columns: &[Column],
    names: &[usize],
    lines: impl Iterator<Item = Line<'a>>,
    language: Language,
) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_truncation_indicator("…");
    table.set_header(titles(columns, language));
    let mut widest = titles(columns, language).iter().map(|title| width(title)).collect::<Vec<_>>();
    for line in lines {
        let cells = cells(columns, &line);
        for (widest, cell) in widest.iter_mut().zip(&cells) {
            *widest = width(cell).max(*widest);
        }
        let mut row = Row::from(cells);
        row.max_height(1);
        table.add_row(row);
    }
    for (index, (column, widest)) in table.column_iter_mut().zip(widest).enumerate() {
        // The style has a blank between columns.
        column.set_padding((0, 0));
        if !names.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
            // Only names shrink.
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(widest)));
        }
    }
    table
}

/// A name from a file without control characters, which move the cursor.
pub(super) fn plain(name: &str) -> String {
    Name::new(name).to_string()
}

/// The index of the column of names.
const NAME: usize = 1;

/// The last two columns are the games with a fault and the malformed orders.
const COLUMNS: [Column; 9] = [
    ("", "", |line| ranked(line, |line| line.rank.map(|rank| rank.to_string()))),
    ("Team", "Équipe", |line| plain(&line.row.name)),
    ("Rating (95 %)", "Cote (95 %)", |line| {
        ranked(line, |Line { row, is_compared, .. }| {
            let (low, high) = row.interval;
            is_compared.then(|| format!("{:.0} {low:.0}–{high:.0}", row.rating))
        })
    }),
    ("Games", "Parties", |line| line.row.record.games.to_string()),
    ("Points", "Points", |line| decimal(line, line.row.record.mean_points, 1)),
    ("Rank", "Rang", |line| decimal(line, line.row.record.mean_rank, 2)),
    ("1sts", "1res", |line| decimal(line, line.row.record.firsts, 1)),
    ("Faults", "Fautes", |line| {
        let counts = line.row.record.faults.iter().map(|(_, count)| count);
        ranked(line, |_| Some(counts.sum::<u32>().to_string()))
    }),
    ("Malformed", "Mal formés", |line| {
        ranked(line, |line| Some(line.row.record.malformed.to_string()))
    }),
];

/// A cell, or a dash for a team without a rank or without this figure.
fn ranked<'a>(line: &Line<'a>, cell: impl FnOnce(&Line<'a>) -> Option<String>) -> String {
    line.rank.and_then(|_| cell(line)).unwrap_or_else(|| "–".to_owned())
}

fn decimal(line: &Line<'_>, value: f64, digits: usize) -> String {
    ranked(line, |line| Some(line.language.decimal(value, digits)))
}

/// The number of characters of a cell; that of a figure fits in 16 bits.
fn width(cell: &str) -> u16 {
    cell.chars().count() as u16
}

/// The number of games, and the best team if one is shown to be the best, in a line.
pub(super) fn certainty(standings: &Standings, language: Language) -> String {
    let games = standings.games;
    let noun = match language {
        Language::French => language.plural(games, "partie", "parties"),
        Language::English => language.plural(games, "game", "games"),
    };
    let risk = standings.risk();
    let best = if risk <= RISK {
        let name = Name::new(&standings.rows[0].name);
        let percent = language.decimal((1000.0 * risk).ceil().max(1.0) / 10.0, 1);
        match language {
            Language::French => {
                format!(" {name} est la meilleure ; le risque d'erreur est d'au plus {percent} %.")
            }
            Language::English => {
                format!(" {name} is the best; the risk of an error is at most {percent} %.")
            }
        }
    } else if standings.rows.len() > 1 && games > 0 {
        let racing = standings.rows.iter().filter(|row| row.risk > RISK);
        let names: Vec<_> = racing.map(|row| Name::new(&row.name).to_string()).collect();
        let (none, possible, more) = match language {
            Language::French => {
                ("Aucune équipe n'est reconnue la meilleure.", "Encore possibles :", "de plus")
            }
            Language::English => ("No team is shown to be the best.", "Still possible:", "more"),
        };
        match names.len() {
            // Every team is shown to be worse than another one, as in rock, paper, scissors.
            0 => format!(" {none}"),
            few @ 1..=LISTED => format!(" {none} {possible} {}.", names[..few].join(", ")),
            many => {
                let (listed, others) = (names[..LISTED].join(", "), many - LISTED);
                format!(" {none} {possible} {listed}, + {others} {more}.")
            }
        }
    } else {
        String::new()
    };
    format!("{games} {noun}.{best}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan::FaultKind;
    use plan::record::{HeadToHead, Record};
    use rating::standings;

    fn row(name: &str, risk: f64) -> standings::Row {
        standings::Row {
            team: 0,
            name: name.to_owned(),
            strength: 1.0 - risk,
            rating: 1713.4,
            interval: (1689.6, 1740.2),
            risk,
            disqualified: None,
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
    fn table_fits_in_80_columns_and_has_all_figures() {
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
    fn names_with_control_and_wide_characters_keep_the_lines_of_the_table() {
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
    fn table_without_teams_names_no_best_team() {
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
