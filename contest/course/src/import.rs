//! Teams from a CSV file.

use std::collections::BTreeSet;

use csv::{ByteRecord, ReaderBuilder};
use language::{colon, said};

use crate::audit::log;
use crate::course::time;
use crate::team::{check_name, check_text, insert};
use crate::{Course, CourseError, Deed, NewTeam, Refusal, Seconds, TeamId, Token, Who};

/// A fault in a CSV file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CsvFault {
    /// The text is not encoded in UTF-8.
    #[error("{}", said!("the text is not UTF-8", "le texte n'est pas en UTF-8"))]
    Encoding,
    /// No column has the names of teams.
    #[error("{}", said!(
        "no column is called \"name\" (of the team)",
        "aucune colonne ne s'appelle « nom » (de l'équipe)"
    ))]
    NoNames,
    /// Two columns mean the same.
    #[error("{}", said!("there are two columns {_0:?}", "il y a deux colonnes {_0:?}"))]
    Twice(String),
    /// The head of a column is unknown.
    #[error("{}", said!(
        "the column {_0:?} is unknown; expected name, group, members, mail or pseudonym",
        "la colonne {_0:?} est inconnue ; colonnes possibles : nom, groupe, membres, courriel ou pseudonyme"
    ))]
    Unknown(String),
    /// A line has more cells than the first one.
    #[error("{}", said!("the line has too many cells", "la ligne a trop de cases"))]
    TooLong,
    /// A cell is not possible.
    #[error(transparent)]
    Cell(#[from] Refusal),
}

/// The reason why teams were not imported. None of them was.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file is wrong at a place.
    #[error("{}{}{fault}", said!("line {line}, column {column}", "ligne {line}, colonne {column}"), colon())]
    Csv {
        /// The line, from 1.
        line: u64,
        /// The column (the cell of the line), from 1.
        column: usize,
        /// The fault.
        fault: CsvFault,
    },
    /// The course cannot be written.
    #[error(transparent)]
    Course(#[from] CourseError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Name,
    Group,
    Members,
    Mail,
    Pseudonym,
}

impl Column {
    fn of_head(head: &str) -> Option<Self> {
        Some(match head.trim().to_lowercase().as_str() {
            "name" | "team" | "nom" | "équipe" | "equipe" => Self::Name,
            "group" | "groupe" | "td" => Self::Group,
            "members" | "membres" => Self::Members,
            "mail" | "email" | "e-mail" | "courriel" => Self::Mail,
            "pseudonym" | "pseudonyme" | "pseudo" => Self::Pseudonym,
            _ => return None,
        })
    }
}

/// A team in a CSV file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvTeam {
    /// The team as the file describes it.
    pub team: NewTeam,
    /// The line, from 1.
    pub line: u64,
    /// The column of its name, from 1.
    pub column: usize,
}

/// Reads teams from a CSV file. The first line has the heads of the columns, in English or
/// French and in any order; cells are separated by `;` if the first line has one, else by `,`. Members in one cell are
/// separated by `,`, `;`, `|` or line ends. Empty lines do not count.
///
/// # Errors
///
/// [`ImportError::Csv`] at the first fault.
pub fn read_teams(text: &[u8]) -> Result<Vec<CsvTeam>, ImportError> {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let head = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let separator = if head.contains(&b';') { b';' } else { b',' };
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text);
    let (mut columns, mut teams) = (Vec::new(), Vec::new());
    for record in reader.byte_records() {
        // Only a limit of the machine is an error: each sequence of bytes has cells.
        let record = record.map_err(|_| fault_at(1, 1, CsvFault::Encoding))?;
        let line = Line::new(text, record);
        if columns.is_empty() {
            columns = read_heads(&line)?;
        } else if line.record.iter().any(|cell| !cell.trim_ascii().is_empty()) {
            teams.push(read_team(&line, &columns)?);
        }
    }
    if columns.is_empty() { Err(fault_at(1, 1, CsvFault::NoNames)) } else { Ok(teams) }
}

fn read_heads(line: &Line) -> Result<Vec<Column>, ImportError> {
    let (mut columns, mut seen) = (Vec::new(), BTreeSet::new());
    for (column, cell) in line.cells() {
        let head = cell?;
        let fault = |fault| fault_at(line.number, column, fault);
        let known =
            Column::of_head(head).ok_or_else(|| fault(CsvFault::Unknown(head.to_owned())))?;
        if !seen.insert(known) {
            return Err(fault(CsvFault::Twice(head.to_owned())));
        }
        columns.push(known);
    }
    if seen.contains(&Column::Name) {
        Ok(columns)
    } else {
        Err(fault_at(line.number, 1, CsvFault::NoNames))
    }
}

fn read_team(line: &Line, columns: &[Column]) -> Result<CsvTeam, ImportError> {
    let mut team = NewTeam::default();
    let place = columns.iter().position(|column| *column == Column::Name).map_or(1, |at| at + 1);
    for (column, cell) in line.cells() {
        let fault = |fault| fault_at(line.number, column, fault);
        let cell = cell?.trim();
        let Some(known) = columns.get(column - 1) else {
            if cell.is_empty() {
                continue;
            }
            return Err(fault(CsvFault::TooLong));
        };
        let optional = Some(cell.to_owned()).filter(|cell| !cell.is_empty());
        let checked = match known {
            Column::Name => check_name(cell),
            Column::Pseudonym => optional.as_deref().map_or(Ok(()), check_name),
            // Its lines are checked one by one.
            Column::Members => cell.split(is_between).try_for_each(check_text),
            Column::Group | Column::Mail => check_text(cell),
        };
        checked.map_err(|refusal| fault(refusal.into()))?;
        match known {
            Column::Name => cell.clone_into(&mut team.name),
            Column::Group => cell.clone_into(&mut team.group),
            Column::Members => {
                let members = cell.split(is_between).map(str::trim);
                team.members = members.filter(|it| !it.is_empty()).map(str::to_owned).collect();
            }
            Column::Mail => team.mail = optional,
            Column::Pseudonym => team.pseudonym = optional,
        }
    }
    check_name(&team.name).map_err(|refusal| fault_at(line.number, place, refusal.into()))?;
    Ok(CsvTeam { team, line: line.number, column: place })
}

/// A record and its place.
struct Line {
    number: u64,
    record: ByteRecord,
}

impl Line {
    fn new(text: &[u8], record: ByteRecord) -> Self {
        let (line, byte) = record.position().map_or((1, 0), |at| (at.line(), at.byte()));
        // The position of a record is before the empty lines that are skipped.
        let rest = usize::try_from(byte).ok().and_then(|byte| text.get(byte..)).unwrap_or_default();
        let skipped = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let skipped = skipped.map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
        Self { number: line + skipped, record }
    }

    /// The cells with their columns, from 1.
    fn cells(&self) -> impl Iterator<Item = (usize, Result<&str, ImportError>)> {
        (1..).zip(&self.record).map(|(column, cell)| {
            let cell = std::str::from_utf8(cell);
            (column, cell.map_err(|_| fault_at(self.number, column, CsvFault::Encoding)))
        })
    }
}

/// Tests if a character separates members.
fn is_between(c: char) -> bool {
    matches!(c, ',' | ';' | '|' | '\n' | '\r')
}

fn fault_at(line: u64, column: usize, fault: CsvFault) -> ImportError {
    ImportError::Csv { line, column, fault }
}

impl Course {
    /// Adds the teams of a CSV file, as by [`read_teams`], all or none. Returns their tokens, which cannot be read again.
    ///
    /// # Errors
    ///
    /// [`ImportError::Csv`] with the place of the fault; else, when the course cannot be written.
    pub fn import(
        &mut self,
        text: &[u8],
        now: Seconds,
    ) -> Result<Vec<(TeamId, Token)>, ImportError> {
        let teams = read_teams(text)?;
        let at = time(now).map_err(CourseError::from)?;
        let tokens: Vec<Token> =
            teams.iter().map(|_| Token::draw()).collect::<Result<_, CourseError>>()?;
        let mut place = (1, 1);
        let added = self.try_write(|transaction| {
            let mut ids = Vec::new();
            for (CsvTeam { team, line, column }, token) in teams.iter().zip(&tokens) {
                place = (*line, *column);
                let id = insert(transaction, team, token.hash())?;
                log(transaction, at, Who::Teacher, &Deed::TeamAdded(id))?;
                ids.push(id);
            }
            Ok(ids)
        });
        match added {
            Ok(ids) => Ok(ids.into_iter().zip(tokens).collect()),
            Err(CourseError::Refused(refusal)) => Err(fault_at(place.0, place.1, refusal.into())),
            Err(error) => Err(error.into()),
        }
    }
}
