//! The ranking as a file for spreadsheets.

use ::csv::{QuoteStyle, Terminator, WriterBuilder};
use language::Language;

use super::ranking::milliseconds;
use super::ranks;
use plan::{FaultKind, Voided};
use rating::standings::{Row, Standings};

/// First characters that a spreadsheet may read as the start of a formula; the last four are wide forms, which East
/// Asian versions accept.
const FORMULAS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Returns the ranking as CSV (RFC 4180): a line of titles, then a row for each team, best first.
///
/// Spreadsheets open the file with a double click. It is UTF-8 with the byte order mark that Excel expects, with the
/// separators of the language: semicolons and decimal commas in French, commas and decimal points in English. Everything
/// but plain numbers is quoted, so that other separators split no cell. A text that looks like a formula starts with an
/// apostrophe.
#[must_use]
pub fn csv(standings: &Standings, voids: &[Voided], language: Language) -> String {
    const NEVER: &str = "writing rows of one length into memory does not fail";
    let separator = match language {
        Language::French => b';',
        Language::English => b',',
    };
    let mut file = WriterBuilder::new()
        .delimiter(separator)
        .terminator(Terminator::CRLF)
        .quote_style(QuoteStyle::NonNumeric)
        .from_writer("\u{feff}".as_bytes().to_vec());
    file.write_record(titles(language)).expect(NEVER);
    for (row, rank) in standings.rows.iter().zip(ranks(standings)) {
        let is_its = |voided: &&Voided| {
            voided.outcome.seats.iter().any(|seat| !seat.is_house && seat.team == row.name)
        };
        let voided = voids.iter().filter(is_its).count();
        file.write_record(cells(row, rank, voided, language)).expect(NEVER);
    }
    let bytes = file.into_inner().expect(NEVER);
    String::from_utf8(bytes).expect("the cells are texts")
}

fn titles(language: Language) -> Vec<&'static str> {
    let (first, last) = match language {
        Language::French => (
            [
                "Rang",
                "Équipe",
                "Cote",
                "Cote (2,5 %)",
                "Cote (97,5 %)",
                "Parties",
                "Points en moyenne",
                "Rang moyen",
                "Premières places",
            ],
            [
                "Ordres mal formés",
                "Réponses manquées",
                "Réflexion moyenne (ms)",
                "Réflexion maximale (ms)",
                "Résultats annulés",
            ],
        ),
        Language::English => (
            [
                "Rank",
                "Team",
                "Rating",
                "Rating (2.5 %)",
                "Rating (97.5 %)",
                "Games",
                "Mean points",
                "Mean rank",
                "First places",
            ],
            [
                "Malformed orders",
                "Missed deadlines",
                "Mean thinking time (ms)",
                "Longest thinking time (ms)",
                "Voided results",
            ],
        ),
    };
    let faults = FaultKind::ALL.map(|kind| fault_title(kind, language));
    first.into_iter().chain(faults).chain(last).collect()
}

fn fault_title(kind: FaultKind, language: Language) -> &'static str {
    let (french, english) = match kind {
        FaultKind::NotStarted => ("N'a pas démarré", "Did not start"),
        FaultKind::NotRegistered => ("Ne s'est pas inscrit", "Did not register"),
        FaultKind::Crashed => ("S'est arrêté en cours de partie", "Ended during a game"),
        FaultKind::Disconnected => ("A coupé la connexion", "Closed its connection"),
        FaultKind::TimedOut => ("A dépassé le temps", "Ran out of time"),
        FaultKind::Lingered => ("Ne s'est pas arrêté à la fin", "Did not end after a game"),
    };
    match language {
        Language::French => french,
        Language::English => english,
    }
}

fn cells(row: &Row, rank: Option<usize>, voided: usize, language: Language) -> Vec<String> {
    let number = |value: f64, digits: usize| number(value, digits, language);
    // A team without games has no rank, no rating and no means.
    let ranked = |value, digits| number(if row.is_ranked() { value } else { f64::NAN }, digits);
    let time = |time| number(milliseconds(time), 3);
    let count = |kind| {
        let counts = row.record.faults.iter().filter(|(other, _)| *other == kind);
        counts.map(|(_, count)| count).sum::<u32>().to_string()
    };
    let first = [
        rank.map(|rank| rank.to_string()).unwrap_or_default(),
        text(&row.name),
        ranked(row.rating, 1),
        ranked(row.interval.0, 1),
        ranked(row.interval.1, 1),
        row.record.games.to_string(),
        ranked(row.record.mean_points, 2),
        ranked(row.record.mean_rank, 3),
        number(row.record.firsts, 2),
    ];
    let last = [
        row.record.malformed.to_string(),
        row.record.missed.to_string(),
        time(row.record.thinking.0),
        time(row.record.thinking.1),
        voided.to_string(),
    ];
    first.into_iter().chain(FaultKind::ALL.map(count)).chain(last).collect()
}

/// Puts an apostrophe before a text that a spreadsheet might read as a formula.
fn text(text: &str) -> String {
    let mark = if text.starts_with(FORMULAS) { "'" } else { "" };
    format!("{mark}{text}")
}

/// Formats a number; empty if it is not finite.
fn number(value: f64, digits: usize, language: Language) -> String {
    if !value.is_finite() {
        return String::new();
    }
    language.decimal(value, digits)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use plan::record::{HeadToHead, Record};

    fn standings(names: &[&str]) -> Standings {
        let row = |(team, name): (u32, &&str)| Row {
            team: 0,
            name: (*name).to_owned(),
            strength: -f64::from(team),
            rating: 1500.0 - 173.7 * f64::from(team),
            interval: (1480.26, f64::INFINITY),
            risk: 1.0,
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
                        0;0;2;0;0;0;1;0;\"1,500\";\"20,000\";0";
        assert_eq!(line, expected);
        let file = csv(&standings(&["Ada"]), &[], Language::English);
        let expected = "1,\"Ada\",1500.0,1480.3,\"\",24,-3.50,2.250,0.50,\
                        0,0,2,0,0,0,1,0,1.500,20.000,0";
        assert_eq!(file.lines().nth(1).unwrap(), expected);
        assert_eq!(number(-0.001, 2, Language::French), "0,00");
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
