//! Tables of figures, for people and for programs.

use std::fmt;
use std::time::Duration;

use comfy_table::{CellAlignment, LineStyle, presets};
use language::{Language, Note, word};
use serde_json::{Map, Value};

/// Rows of figures under titles.
#[derive(Clone, Debug)]
pub struct Table {
    /// The key and the title of each column.
    columns: Vec<(&'static str, &'static str)>,
    rows: Vec<Vec<Figure>>,
}

/// An entry of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// Words.
    Text(String),
    /// Words in the language of the process; in English for programs.
    Words(Note),
    /// A whole number.
    Whole(i64),
    /// A number, and its decimals for people.
    Real(f64, usize),
    /// A probability, however small.
    Chance(f64),
    /// A truth value.
    Truth(bool),
    /// A duration; in seconds for programs.
    Time(Duration),
    /// A missing or unknown value.
    Missing,
}

impl Table {
    /// An empty table. A column has a key for programs and a title for people.
    #[must_use]
    pub fn new(columns: &[(&'static str, &'static str)]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row: a figure for each column.
    pub fn push(&mut self, row: impl IntoIterator<Item = Figure>) {
        let row: Vec<_> = row.into_iter().collect();
        assert_eq!(row.len(), self.columns.len(), "a figure a column");
        self.rows.push(row);
    }

    /// The rows as objects, by the keys of the columns.
    pub fn to_json(&self) -> Value {
        let object = |row: &Vec<Figure>| {
            let fields = self.columns.iter().zip(row);
            let fields = fields.map(|((key, _), figure)| ((*key).to_owned(), figure.to_json()));
            Value::Object(fields.collect::<Map<_, _>>())
        };
        self.rows.iter().map(object).collect()
    }

    /// The table as a command prints it: lines for people, or JSON.
    pub fn show(&self, json: bool) -> String {
        if json { format!("{:#}", self.to_json()) } else { self.to_string() }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
        table.set_header(self.columns.iter().map(|(_, title)| title));
        table.add_rows(self.rows.iter().map(|row| row.iter().map(Figure::to_string)));
        for (index, column) in table.column_iter_mut().enumerate() {
            if self.rows.iter().any(|row| row[index].is_number()) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        write!(f, "{table}")
    }
}

impl Figure {
    fn is_number(&self) -> bool {
        use Figure::{Chance, Real, Time, Whole};
        matches!(self, Whole(_) | Real(..) | Chance(_) | Time(_))
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Words(words) => words.en.as_str().into(),
            Self::Whole(number) => (*number).into(),
            Self::Real(number, _) | Self::Chance(number) => (*number).into(),
            Self::Truth(truth) => (*truth).into(),
            Self::Time(time) => time.as_secs_f64().into(),
            Self::Missing => Value::Null,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Words(words) => words.fmt(f),
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number, decimals) => {
                f.write_str(&Language::chosen().decimal(*number, *decimals))
            }
            // Smaller numbers cannot be distinguished from 0.
            Self::Chance(0.0) => f.write_str("< 10⁻³⁰⁷"),
            Self::Chance(chance) if *chance < 0.001 => f.write_str(&scientific(*chance, 1)),
            Self::Chance(chance) => f.write_str(&Language::chosen().decimal(*chance, 3)),
            Self::Truth(truth) => {
                f.write_str(if *truth { word("yes", "oui") } else { word("no", "non") })
            }
            Self::Time(time) => match time.as_secs_f64() {
                s if s >= 1.0 => write!(f, "{} s", Language::chosen().decimal(s, 2)),
                s if s >= 1e-3 => write!(f, "{} ms", Language::chosen().decimal(s * 1e3, 2)),
                s => write!(f, "{} µs", Language::chosen().decimal(s * 1e6, 1)),
            },
            Self::Missing => f.write_str("–"),
        }
    }
}

/// A number as a power of ten with a factor of at most this number of decimals, which is left out if it is 1.
pub(crate) fn scientific(value: f64, decimals: u8) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let shown = format!("{value:.*e}", usize::from(decimals));
    let (factor, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
    let digit = |digit: char| digit.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    let power = format!("10{}", exponent.chars().map(digit).collect::<String>());
    match factor.parse() {
        Ok(1.0) => power,
        Ok(factor) => format!("{}·{power}", Language::chosen().number(factor, decimals)),
        Err(_) => shown,
    }
}

impl From<&str> for Figure {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Duration> for Figure {
    fn from(time: Duration) -> Self {
        Self::Time(time)
    }
}

impl From<u64> for Figure {
    /// Saturates at the largest `i64`.
    fn from(number: u64) -> Self {
        Self::Whole(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<usize> for Figure {
    fn from(number: usize) -> Self {
        (number as u64).into()
    }
}

impl<F: Into<Self>> From<Option<F>> for Figure {
    fn from(figure: Option<F>) -> Self {
        figure.map_or(Self::Missing, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&[
            ("name", "Name"),
            ("time_s", "Time"),
            ("value", "Value"),
            ("exact", "Exact"),
        ]);
        let time = Duration::from_micros(1500);
        table.push(["rapide".into(), time.into(), Figure::Whole(-6), Figure::Truth(true)]);
        table.push(["naif".into(), Figure::Missing, Figure::Real(0.25, 1), Figure::Truth(false)]);
        table
    }

    #[test]
    fn people_see_units() {
        let shown = table().to_string();
        let lines: Vec<Vec<&str>> =
            shown.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["Name", "Time", "Value", "Exact"]);
        assert_eq!(lines[3], ["rapide", "1.50", "ms", "-6", "yes"]);
        assert_eq!(lines[4], ["naif", "–", "0.2", "no"]);
    }

    #[test]
    fn chances_are_shown_however_small() {
        let shown = [1.0, 0.6735, 0.001, 2.87e-11, 0.0].map(|p| Figure::Chance(p).to_string());
        assert_eq!(shown, ["1.000", "0.673", "0.001", "2.9·10⁻¹¹", "< 10⁻³⁰⁷"]);
    }

    #[test]
    fn programs_get_numbers() {
        let expected = serde_json::json!([
            { "name": "rapide", "time_s": 0.0015, "value": -6, "exact": true },
            { "name": "naif", "time_s": null, "value": 0.25, "exact": false },
        ]);
        assert_eq!(table().to_json(), expected);
        assert_eq!(serde_json::from_str::<Value>(&table().show(true)).unwrap(), expected);
    }
}
