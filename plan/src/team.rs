//! Teams and their programs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A team (*équipe*): a name, and what plays under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    /// Its name, unlike any other in the tournament.
    pub name: String,
    /// The program that plays for the team.
    pub program: Program,
    /// The version of its program; games of another version do not count.
    pub version: String,
    /// `true` if the organiser gave the version: it does not follow from files.
    #[serde(default)]
    pub has_given_version: bool,
    /// The files of its program, if it is a command; `None` in older plans if the version was given.
    #[serde(default)]
    pub files: Option<Files>,
    /// The hash of the files that play, taken when the tournament was started or resumed.
    #[serde(default)]
    pub package: Option<String>,
    /// 0 for those there from the start, then one more each time that teams were added.
    pub generation: u32,
}

/// Program or bot that plays for a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Program {
    /// A bot of the house.
    House(NamedBot),
    /// A program in any language, started for each game.
    Command(CommandLine),
    /// A client that connects under the name of the team.
    Remote,
}

/// A bot of the house. Files hold its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedBot(pub &'static bots::Entry);

impl PartialEq for NamedBot {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for NamedBot {}

impl Serialize for NamedBot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name)
    }
}

impl<'de> Deserialize<'de> for NamedBot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        bots::by_name(&name).map(Self).map_err(D::Error::custom)
    }
}

/// Command that starts a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandLine {
    /// The program and its arguments, in which `{serveur}`, `{port}` and `{nom}` are replaced.
    pub words: Vec<String>,
    /// The folder that it runs in.
    pub folder: PathBuf,
    /// Variables of its environment, beside those of ours.
    pub environment: BTreeMap<String, String>,
}

/// The files of a program, which its version follows from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Files {
    /// These, or all in these folders; relative to the program's folder.
    These(Vec<PathBuf>),
    /// All in the program's folder, but hidden ones, logs and what is built from others and not named by
    /// the command.
    Folder,
    /// Those that the words of its command name.
    Named,
}
