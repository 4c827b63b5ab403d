//! Teams and their programs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A team (*équipe*): a name and the program that plays under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    /// Its name, unique in the tournament.
    pub name: String,
    /// The program that plays for the team.
    pub program: Program,
    /// The version of its program; games of other versions do not count.
    pub version: String,
    /// True if the organiser gave the version; otherwise the version is derived from the files.
    pub has_given_version: bool,
    /// The files of its program, if it is a command.
    pub files: Option<Files>,
    /// The hash of the files that play, computed when the tournament was started or resumed.
    pub package: Option<String>,
    /// Number of times that teams had been added when this team came; 0 for teams there from the start.
    pub generation: u32,
    /// The organiser's reason why the team plays no more and has no rank, if it is disqualified. Its games stay: other
    /// teams have played them under the same conditions as all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disqualified: Option<String>,
}

impl Team {
    /// A team that takes part from the start, with a version that stands for its files.
    #[must_use]
    pub fn new(name: impl Into<String>, program: Program, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            program,
            version: version.into(),
            has_given_version: false,
            files: None,
            package: None,
            generation: 0,
            disqualified: None,
        }
    }
}

/// The program that plays for a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Program {
    /// The bot of the house with this name; the reader of a plan or a job looks it up.
    House(String),
    /// A program in any language, started for each game.
    Command(CommandLine),
    /// A client that connects under the name of the team.
    Remote,
}

/// The command that starts a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandLine {
    /// The program and its arguments, in which placeholders are replaced: `{nom}`, `{serveur}` and `{port}`.
    pub words: Vec<String>,
    /// The working directory of the program.
    pub folder: PathBuf,
    /// Environment variables of the program, added to the inherited ones.
    pub environment: BTreeMap<String, String>,
}

/// The files of a program, from which its version is derived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Files {
    /// The listed files, and all files in the listed folders, relative to the program's folder.
    These(Vec<PathBuf>),
    /// All files in the program's folder, except hidden files, logs and build products that the command does not name.
    Folder,
    /// The files named by the words of the command.
    Named,
}
