//! A tournament as a file describes it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytesize::ByteSize;
use language::said;
use serde::Deserialize;
use serde::de::Error as _;

use plan::Seatings;

/// The content of a configuration file. Missing values are left to the flags, or to a default.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The name of the tournament.
    #[serde(rename = "nom", alias = "name")]
    pub name: Option<String>,
    /// Files of maps.
    #[serde(rename = "cartes", alias = "maps", default)]
    pub maps: Vec<PathBuf>,
    /// The preset of the rules.
    #[serde(rename = "regles", alias = "rules")]
    pub rules: Option<String>,
    /// Turns of a game.
    #[serde(rename = "duree", alias = "turns")]
    pub turns: Option<u32>,
    /// Time limit of an answer, from when its state is sent.
    #[serde(rename = "delai", alias = "deadline", deserialize_with = "duration", default)]
    pub deadline: Option<Duration>,
    /// Seed of all seeds.
    #[serde(rename = "graine", alias = "seed")]
    pub seed: Option<u64>,
    /// Format of the schedule: `groupes`, `defi`, `poules` or `suisse`.
    #[serde(rename = "formule", alias = "format")]
    pub format: Option<FormatName>,
    /// Rounds.
    #[serde(rename = "manches", alias = "rounds")]
    pub rounds: Option<u32>,
    /// Groups that each team plays in, in a round.
    #[serde(rename = "groupes", alias = "groups")]
    pub groups: Option<u32>,
    /// The team that meets all others.
    #[serde(rename = "champion", alias = "challenger")]
    pub challenger: Option<String>,
    /// Rounds of the final.
    #[serde(rename = "finale", alias = "final")]
    pub final_rounds: Option<u32>,
    /// Which seatings are played.
    #[serde(rename = "rotations", alias = "seatings")]
    pub seatings: Option<SeatingsName>,
    /// The house's bot in seats that no team has.
    #[serde(rename = "maison", alias = "house")]
    pub house: Option<String>,
    /// For a program to start and register.
    #[serde(rename = "demarrage", alias = "start", deserialize_with = "duration", default)]
    pub start: Option<Duration>,
    /// Memory of a program, all its processes together.
    #[serde(rename = "memoire", alias = "memory", deserialize_with = "bytes", default)]
    pub memory: Option<u64>,
    /// Processes and threads of a program.
    #[serde(rename = "processus", alias = "processes")]
    pub processes: Option<u32>,
    /// Processor time of a program in a game, all its processes together.
    #[serde(deserialize_with = "duration", default)]
    pub cpu: Option<Duration>,
    /// Size of the files that a program may write.
    #[serde(rename = "brouillon", alias = "scratch", deserialize_with = "bytes", default)]
    pub scratch: Option<u64>,
    /// The teams.
    #[serde(rename = "equipe", alias = "team", default)]
    pub teams: Vec<TeamConfig>,
}

/// A team of a configuration file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeamConfig {
    /// Its name.
    #[serde(rename = "nom", alias = "name")]
    pub name: Option<String>,
    /// Its bot of the house.
    #[serde(rename = "ia", alias = "bot")]
    pub bot: Option<String>,
    /// Its program.
    #[serde(rename = "commande", alias = "command")]
    pub command: Option<Words>,
    /// The folder that it runs in.
    #[serde(rename = "dossier", alias = "folder")]
    pub folder: Option<PathBuf>,
    /// `true` if that folder is the team's own: what is in it makes its version.
    #[serde(skip)]
    pub own_folder: bool,
    /// Variables of its environment.
    #[serde(rename = "environnement", alias = "environment", default)]
    pub environment: BTreeMap<String, String>,
    /// Version of its program, instead of the hash of its files.
    pub version: Option<String>,
    /// The files that tell it, instead of all in its folder.
    #[serde(rename = "fichiers", alias = "files")]
    pub files: Option<Vec<PathBuf>>,
}

/// A command, as a shell would read it or word by word.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Words {
    /// As a shell would read it.
    Line(String),
    /// Word by word.
    List(Vec<String>),
}

/// The formats, as files and flags name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum FormatName {
    /// Everyone against everyone, in groups of four
    #[serde(alias = "groups")]
    #[value(alias = "groups", help = said!("Everyone against everyone, in groups of four", "Toutes contre toutes, par groupes de quatre"))]
    Groupes,
    /// One team against the field
    #[serde(alias = "gauntlet")]
    #[value(alias = "gauntlet", help = said!("One team against the field", "Une équipe contre toutes les autres"))]
    Defi,
    /// Pools, then a final
    #[serde(alias = "pools")]
    #[value(alias = "pools", help = said!("Pools, then a final", "Des poules, puis une finale"))]
    Poules,
    /// Teams that stand alike meet
    #[serde(alias = "swiss")]
    #[value(alias = "swiss", help = said!("Teams that stand alike meet", "Des équipes de niveau proche se rencontrent"))]
    Suisse,
}

/// Seatings, as files and flags name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum SeatingsName {
    /// Four games: everybody moves on by a seat
    #[serde(alias = "cyclic")]
    #[value(alias = "cyclic", help = said!("Four games: everybody moves on by a seat", "Quatre parties : chacune avance d'une place"))]
    Cycliques,
    /// All 24 orders
    #[serde(alias = "all")]
    #[value(alias = "all", help = said!("All 24 orders", "Les 24 ordres"))]
    Toutes,
}

impl From<SeatingsName> for Seatings {
    fn from(name: SeatingsName) -> Self {
        match name {
            SeatingsName::Cycliques => Self::Cyclic,
            SeatingsName::Toutes => Self::All,
        }
    }
}

/// Why a configuration file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("{}", said!("cannot read {}: {_1}", "{} est illisible : {_1}", .0.display()))]
    Read(PathBuf, std::io::Error),
    /// It does not say what it should; with the line and the column.
    #[error("{0}: {1}")]
    Content(PathBuf, toml::de::Error),
}

impl Config {
    /// Reads a file. Paths in it that are relative are so to its folder, and are made relative to where
    /// the program runs.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or says what it should not: with the line and the column.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::Read(path.to_owned(), error))?;
        let mut config: Self =
            toml::from_str(&text).map_err(|error| ConfigError::Content(path.to_owned(), error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for map in &mut config.maps {
            *map = folder.join(&*map);
        }
        for team in &mut config.teams {
            team.own_folder = team.folder.is_some();
            let own = team.folder.take().unwrap_or_default();
            team.folder = Some(folder.join(own));
        }
        Ok(config)
    }
}

fn duration<'de, D: serde::Deserializer<'de>>(text: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(text)?;
    cli::positive_duration(&text).map(Some).map_err(D::Error::custom)
}

fn bytes<'de, D: serde::Deserializer<'de>>(text: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(text)?;
    parse_bytes(&text).map(Some).map_err(D::Error::custom)
}

/// Reads an amount of memory as `512MiB` or `2GiB`.
///
/// # Errors
///
/// Says what was expected.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let has_unit = text.ends_with(|last: char| last.is_ascii_alphabetic());
    let bytes = text.parse::<ByteSize>().ok().filter(|_| has_unit).map(|size| size.0);
    // Sizes saturate at the largest number.
    bytes.filter(|bytes| (1..u64::MAX).contains(bytes)).ok_or_else(|| {
        said!(
            "expected an amount of memory with its unit, as `512MiB` or `2GiB`",
            "une taille de mémoire avec son unité est attendue, comme `512MiB` ou `2GiB`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_has_a_unit() {
        for (text, expected) in [("512MiB", 512 << 20), ("2 GiB", 2 << 30), ("1.5GiB", 3 << 29)] {
            assert_eq!(parse_bytes(text), Ok(expected), "{text}");
        }
        for text in ["", "12", "GiB", "0MiB", "99999999999999999999GiB", "9999999999999GiB"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_file_says_where_it_is_wrong_and_paths_are_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tournoi.toml");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Config::read(&path)
        };
        let config = read(
            "nom = 'Coupe'\ncartes = ['plan.txt']\ndelai = '500ms'\nformat = 'swiss'\n\
             [[equipe]]\nnom = 'Ada'\ncommande = 'python3 bot.py {port}'\ndossier = 'ada'\n\
             [[team]]\nbot = 'dijkstra'",
        );
        // Both languages, but not for the same list.
        assert!(config.is_err());
        let config = read(
            "nom = 'Coupe'\ncartes = ['plan.txt']\ndelai = '500ms'\nformat = 'swiss'\n\
             [[equipe]]\nnom = 'Ada'\ncommande = 'python3 bot.py {port}'\ndossier = 'ada'\n\
             [[equipe]]\nbot = 'dijkstra'",
        )
        .unwrap();
        assert_eq!(config.maps, [folder.path().join("plan.txt")]);
        assert_eq!(config.teams[0].folder, Some(folder.path().join("ada")));
        assert_eq!(config.deadline, Some(Duration::from_millis(500)));
        assert_eq!(config.format, Some(FormatName::Suisse));
        for (text, expected) in [
            ("duree = 'long'", "line 1, column 9"),
            ("\nmanche = 3", "unknown field `manche`"),
            ("delai = '5'", "expected a duration with its unit"),
            ("formule = 'ronde'", "unknown variant `ronde`"),
            ("[[equipe]]\nnom = 3", "line 2, column 7"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("tournoi.toml"), "{error}");
        }
    }
}
