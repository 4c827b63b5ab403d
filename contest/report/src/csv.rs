//! The ranking as a file for spreadsheets, and the format of such files.

use std::io::{self, Write};

use ::csv::{IntoInnerError, QuoteStyle, Terminator, Writer, WriterBuilder};
use language::Language;

use super::ranking::milliseconds;
use super::{Column, Line, cells, lines, titles};
use plan::{FaultKind, Voided};
use rating::Standings;

/// First characters that a spreadsheet may read as the start of a formula; the last four are wide forms, which East
/// Asian versions accept.
const FORMULAS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Returns the ranking as a [`sheet`]: a line of titles, then a row for each team, best first.
pub fn csv(standings: &Standings, voids: &[Voided], language: Language) -> String {
    with(&COLUMNS, lines(standings, voids, language), language)
}

/// Teams as a [`sheet`] with a column of their groups.
pub(super) fn grouped<'a>(lines: impl Iterator<Item = Line<'a>>, language: Language) -> String {
    let group: Column = ("Group", "Groupe", |line| text(line.group));
    with(&[&[group][..], &COLUMNS].concat(), lines, language)
}

fn with<'a>(
    columns: &[Column],
    lines: impl Iterator<Item = Line<'a>>,
    language: Language,
) -> String {
    let titles = titles(columns, language).into_iter().map(ToString::to_string).collect();
    let lines = lines.map(|line| cells(columns, &line));
    sheet(std::iter::once(titles).chain(lines), language)
}

/// Returns rows of one length as a [`Sheet`].
pub fn sheet(rows: impl IntoIterator<Item = Vec<String>>, language: Language) -> String {
    const NEVER: &str = "writing rows of one length into memory does not fail";
    let mut sheet = Sheet::begin(Vec::new(), language).expect(NEVER);
    for row in rows {
        sheet.add(&row).expect(NEVER);
    }
    String::from_utf8(sheet.finish().expect(NEVER)).expect("the cells are texts")
}

/// Rows of one length as CSV (RFC 4180), written one by one.
///
/// Spreadsheets open the file with a double click. It is UTF-8 with the byte order mark that Excel expects, with the
/// separators of the language: semicolons and decimal commas in French, commas and decimal points in English. Everything
/// but plain numbers is quoted, so that other separators split no cell. A cell that looks like a formula and is no number
/// starts with an apostrophe.
#[derive(Debug)]
pub struct Sheet<W: Write> {
    file: Writer<W>,
}

impl<W: Write> Sheet<W> {
    /// Begins a file without rows.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written.
    pub fn begin(mut out: W, language: Language) -> io::Result<Self> {
        let separator = match language {
            Language::French => b';',
            Language::English => b',',
        };
        out.write_all("\u{feff}".as_bytes())?;
        let file = WriterBuilder::new()
            .delimiter(separator)
            .terminator(Terminator::CRLF)
            .quote_style(QuoteStyle::NonNumeric)
            .from_writer(out);
        Ok(Self { file })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// When the row cannot be written, or has another length than the rows before.
    pub fn add(&mut self, row: &[String]) -> io::Result<()> {
        self.file.write_record(row.iter().map(|cell| harmless(cell))).map_err(io::Error::from)
    }

    /// Writes what waits in memory.
    ///
    /// # Errors
    ///
    /// When that cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.file.into_inner().map_err(IntoInnerError::into_error)
    }
}

/// Puts an apostrophe before a cell that a spreadsheet might read as a formula, unless it is a number.
fn harmless(cell: &str) -> String {
    if cell.replace(',', ".").parse::<f64>().is_ok() { cell.to_owned() } else { text(cell) }
}

/// Puts an apostrophe before a text that a spreadsheet might read as a formula.
pub(super) fn text(text: &str) -> String {
    let mark = if text.starts_with(FORMULAS) { "'" } else { "" };
    format!("{mark}{text}")
}

/// A team without games, and a disqualified one, has no rank, no rating and no means.
const COLUMNS: [Column; 21] = [
    ("Rank", "Rang", |line| line.rank.map(|rank| rank.to_string()).unwrap_or_default()),
    ("Team", "Équipe", |line| text(&line.row.name)),
    ("Rating", "Cote", |line| ranked(line, line.row.rating, 1)),
    ("Rating (2.5 %)", "Cote (2,5 %)", |line| ranked(line, line.row.interval.0, 1)),
    ("Rating (97.5 %)", "Cote (97,5 %)", |line| ranked(line, line.row.interval.1, 1)),
    ("Games", "Parties", |line| line.row.record.games.to_string()),
    ("Mean points", "Points en moyenne", |line| ranked(line, line.row.record.mean_points, 2)),
    ("Mean rank", "Rang moyen", |line| ranked(line, line.row.record.mean_rank, 3)),
    ("First places", "Premières places", |line| number(line, line.row.record.firsts, 2)),
    of_fault(FaultKind::NotStarted, |line| faults(line, FaultKind::NotStarted)),
    of_fault(FaultKind::NotRegistered, |line| faults(line, FaultKind::NotRegistered)),
    of_fault(FaultKind::Crashed, |line| faults(line, FaultKind::Crashed)),
    of_fault(FaultKind::Disconnected, |line| faults(line, FaultKind::Disconnected)),
    of_fault(FaultKind::TimedOut, |line| faults(line, FaultKind::TimedOut)),
    of_fault(FaultKind::Lingered, |line| faults(line, FaultKind::Lingered)),
    ("Malformed orders", "Ordres mal formés", |line| line.row.record.malformed.to_string()),
    ("Missed deadlines", "Réponses manquées", |line| line.row.record.missed.to_string()),
    ("Mean thinking time (ms)", "Réflexion moyenne (ms)", |line| {
        number(line, milliseconds(line.row.record.thinking.0), 3)
    }),
    ("Longest thinking time (ms)", "Réflexion maximale (ms)", |line| {
        number(line, milliseconds(line.row.record.thinking.1), 3)
    }),
    ("Voided results", "Résultats annulés", |line| line.voided.to_string()),
    ("Disqualified", "Disqualifiée", |line| {
        line.row.disqualified.as_deref().map(text).unwrap_or_default()
    }),
];

/// A kind of fault in words, in English and in French.
pub(super) const fn fault_words(kind: FaultKind) -> (&'static str, &'static str) {
    match kind {
        FaultKind::NotStarted => ("Did not start", "N'a pas démarré"),
        FaultKind::NotRegistered => ("Did not register", "Ne s'est pas inscrit"),
        FaultKind::Crashed => ("Ended during a game", "S'est arrêté en cours de partie"),
        FaultKind::Disconnected => ("Closed its connection", "A coupé la connexion"),
        FaultKind::TimedOut => ("Ran out of time", "A dépassé le temps"),
        FaultKind::Lingered => ("Did not end after a game", "Ne s'est pas arrêté à la fin"),
    }
}

const fn of_fault(kind: FaultKind, cell: fn(&Line<'_>) -> String) -> Column {
    let (english, french) = fault_words(kind);
    (english, french, cell)
}

fn faults(line: &Line<'_>, kind: FaultKind) -> String {
    let counts = line.row.record.faults.iter().filter(|(other, _)| *other == kind);
    counts.map(|(_, count)| count).sum::<u32>().to_string()
}

/// Formats a number; empty for a team without a rank.
fn ranked(line: &Line<'_>, value: f64, digits: usize) -> String {
    if line.row.is_ranked() { number(line, value, digits) } else { String::new() }
}

/// Formats a number; empty if it is not finite.
fn number(line: &Line<'_>, value: f64, digits: usize) -> String {
    if value.is_finite() { line.language.decimal(value, digits) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use plan::record::{HeadToHead, Record};
    use rating::standings::Row;

    fn standings(names: &[&str]) -> Standings {
        let row = |(team, name): (u32, &&str)| Row {
            team: 0,
            name: (*name).to_owned(),
            strength: -f64::from(team),
            rating: 1500.0 - 173.7 * f64::from(team),
            interval: (1480.26, f64::INFINITY),
            risk: 1.0,
            disqualified: None,
            record: Record {
                games: 24,
                mean_points: -3.5,
                mean_rank: 2.25,
                firsts: 0.5,
                faults: vec![(FaultKind::Crashed, 2)],
                malformed: 1,
                missed: 0,
                thinking: (Duration::from_micros(1500), Duration::from_millis(20)),
            },
        };
        let rows: Vec<_> = (0..).zip(names).map(row).collect();
        let head_to_head = vec![vec![HeadToHead::default(); rows.len()]; rows.len()];
        Standings { rows, head_to_head, games: 24 }
    }

    /// Reads the rows of a file, without its titles.
    fn read(file: &str, separator: u8) -> Vec<Vec<String>> {
        let file = file.strip_prefix('\u{feff}').unwrap().as_bytes();
        let reader = ::csv::ReaderBuilder::new().delimiter(separator).from_reader(file);
        reader.into_deserialize().map(Result::unwrap).collect()
    }

    #[test]
    fn numbers_are_written_as_the_language_has_them() {
        let file = csv(&standings(&["Ada"]), &[], Language::French);
        let line = file.lines().nth(1).unwrap();
        let expected = "1;\"Ada\";\"1500,0\";\"1480,3\";\"\";24;\"-3,50\";\"2,250\";\"0,50\";\
                        0;0;2;0;0;0;1;0;\"1,500\";\"20,000\";0;\"\"";
        assert_eq!(line, expected);
        let file = csv(&standings(&["Ada"]), &[], Language::English);
        let expected = "1,\"Ada\",1500.0,1480.3,\"\",24,-3.50,2.250,0.50,\
                        0,0,2,0,0,0,1,0,1.500,20.000,0,\"\"";
        assert_eq!(file.lines().nth(1).unwrap(), expected);
    }

    #[test]
    fn formulas_are_defused_and_marks_are_doubled() {
        let names = ["=1+1", "+1", "-1", "@a", "a=1", "\"; =1", "＝1", "a,=1+1", "'="];
        let shown = ["'=1+1", "'+1", "'-1", "'@a", "a=1", "\"; =1", "'＝1", "a,=1+1", "'="];
        for (language, separator) in [(Language::French, b';'), (Language::English, b',')] {
            let rows = read(&csv(&standings(&names), &[], language), separator);
            let found: Vec<_> = rows.iter().map(|row| row[1].as_str()).collect();
            assert_eq!(found, shown);
        }
    }

    #[test]
    fn a_disqualified_team_has_its_reason_and_no_rank() {
        let mut standings = standings(&["a", "b"]);
        standings.rows[1].disqualified = Some("=copied(1)".to_owned());
        let rows = read(&csv(&standings, &[], Language::English), b',');
        let found: Vec<_> = rows.iter().map(|row| [&*row[0], &row[2], &row[5], &row[20]]).collect();
        assert_eq!(found, [["1", "1500.0", "24", ""], ["", "", "24", "'=copied(1)"]]);
    }

    #[test]
    fn equal_teams_share_a_rank() {
        let mut standings = standings(&["a", "b", "c"]);
        standings.rows[1].strength = 0.0;
        let rows = read(&csv(&standings, &[], Language::French), b';');
        assert_eq!(rows.iter().map(|row| &row[0]).collect::<Vec<_>>(), ["1", "1", "3"]);
    }

    proptest! {
        #[test]
        fn any_name_is_one_cell_and_no_formula(name in ".*", french: bool) {
            let (language, separator) =
                if french { (Language::French, b';') } else { (Language::English, b',') };
            let rows = read(&csv(&standings(&[&name]), &[], language), separator);
            prop_assert_eq!(rows.len(), 1);
            let cell = &rows[0][1];
            prop_assert!(!cell.starts_with(FORMULAS));
            prop_assert_eq!(cell.strip_prefix('\'').unwrap_or(cell), name.strip_prefix('\'').unwrap_or(&name));
        }
    }
}
