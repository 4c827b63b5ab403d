//! The launch data of a version: its command, its build, and its upload.

use std::collections::BTreeMap;
use std::path::Path;

use intake::{LeftOut, Unpacked};
use plan::{CommandLine, Program, Team};
use serde::{Deserialize, Serialize};

use course::BotVersion;

/// The launch data of a version, and the size and omissions of its upload.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The name of the uploaded file.
    pub upload: String,
    /// The words of the command.
    pub command: Vec<String>,
    /// The words of the command that builds the program first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<Vec<String>>,
    /// The words of the command that has built it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub built: Option<Vec<String>>,
    /// The file that tells the command.
    pub because: String,
    /// Number of files.
    pub files: usize,
    /// Number of bytes of the files.
    pub bytes: u64,
    /// Names of the files and folders of tools that were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

impl About {
    pub(crate) fn new(upload: &str, unpacked: &Unpacked, launch: intake::Launch) -> Self {
        let left_out = unpacked.left_out.iter().map(|LeftOut { name, .. }| name.to_string());
        Self {
            upload: upload.to_owned(),
            command: launch.command,
            build: launch.build,
            built: None,
            because: launch.because,
            files: unpacked.files,
            bytes: unpacked.bytes,
            left_out: left_out.collect(),
        }
    }

    /// Reads the launch data of a version; the default if its text is malformed.
    pub fn of(version: &BotVersion) -> Self {
        serde_json::from_str(&version.about).unwrap_or_default()
    }

    /// The same after the build, which is not made again.
    pub(crate) fn built(&self) -> Self {
        Self { build: None, built: self.build.clone(), ..self.clone() }
    }

    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain data has a text")
    }
}

/// The team that plays with a version, whose files lie in a folder of versions.
pub(crate) fn team(name: String, version: &BotVersion, versions: &Path) -> Team {
    let content = version.content.to_string();
    let command = CommandLine {
        words: About::of(version).command,
        folder: versions.join(&content),
        environment: BTreeMap::new(),
    };
    let mut team = Team::new(name, Program::Command(command), version.id.to_string());
    team.package = Some(content);
    team
}
