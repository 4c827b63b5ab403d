//! The configuration file of a tournament.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use bytesize::ByteSize;
use language::{colon, said};
use serde::Deserialize;
use serde::de::Error as _;

use plan::Seatings;

/// The content of a configuration file. Flags or defaults replace missing values.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The name of the tournament.
    #[serde(rename = "nom", alias = "name")]
    pub name: Option<String>,
    /// Paths of the maps.
    #[serde(rename = "cartes", alias = "maps", default)]
    pub maps: Vec<PathBuf>,
    /// The preset of the rules.
    #[serde(rename = "regles", alias = "rules")]
    pub rules: Option<String>,
    /// The number of turns of a game.
    #[serde(rename = "duree", alias = "turns")]
    pub turns: Option<u32>,
    /// Time limit of an answer, from the moment when its state is sent.
    #[serde(rename = "delai", alias = "deadline", deserialize_with = "duration", default)]
    pub deadline: Option<Duration>,
    /// The seed from which all others are derived.
    #[serde(rename = "graine", alias = "seed")]
    pub seed: Option<u64>,
    /// The format: `groupes`, `defi`, `poules` or `suisse`.
    #[serde(rename = "formule", alias = "format")]
    pub format: Option<FormatName>,
    /// The number of rounds.
    #[serde(rename = "manches", alias = "rounds")]
    pub rounds: Option<u32>,
    /// The number of groups that each team plays in per round.
    #[serde(rename = "groupes", alias = "groups")]
    pub groups: Option<u32>,
    /// The team that meets all others, for `defi`.
    #[serde(rename = "champion", alias = "challenger")]
    pub challenger: Option<String>,
    /// The number of rounds of the final, for `poules`.
    #[serde(rename = "finale", alias = "final")]
    pub final_rounds: Option<u32>,
    /// The seatings to play.
    #[serde(rename = "rotations", alias = "seatings")]
    pub seatings: Option<SeatingsName>,
    /// The house bot for seats without a team.
    #[serde(rename = "maison", alias = "house")]
    pub house: Option<String>,
    /// Longest time for a program to start and register.
    #[serde(rename = "demarrage", alias = "start", deserialize_with = "duration", default)]
    pub start: Option<Duration>,
    /// Memory limit of a program, all its processes together.
    #[serde(rename = "memoire", alias = "memory", deserialize_with = "bytes", default)]
    pub memory: Option<u64>,
    /// Maximum number of processes and threads of a program.
    #[serde(rename = "processus", alias = "processes")]
    pub processes: Option<u32>,
    /// Maximum processor time of a program in a game, all its processes together.
    #[serde(deserialize_with = "duration", default)]
    pub cpu: Option<Duration>,
    /// Maximum size of the files that a program may write.
    #[serde(rename = "brouillon", alias = "scratch", deserialize_with = "bytes", default)]
    pub scratch: Option<u64>,
    /// The teams.
    #[serde(rename = "equipe", alias = "team", default)]
    pub teams: Vec<TeamConfig>,
    /// The table `[cours]`, which only `tournoi cours` reads.
    #[serde(rename = "cours", alias = "course")]
    pub course: Option<CourseConfig>,
}

/// The settings that only a course has.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseConfig {
    /// The house bots that play on the ladder.
    #[serde(rename = "niveaux", alias = "levels")]
    pub levels: Option<Vec<String>>,
    /// True if each group has a ladder of its own.
    #[serde(rename = "groupes_separes", alias = "separate_groups", default)]
    pub separate_groups: bool,
    /// The number of games at a time.
    #[serde(rename = "parallele", alias = "parallel")]
    pub parallel: Option<u16>,
    /// Maximum number of versions that a team hands in within an hour.
    #[serde(rename = "depots_par_heure", alias = "uploads_per_hour")]
    pub per_hour: Option<u32>,
    /// Number of versions of a team whose files are kept.
    #[serde(rename = "versions")]
    pub kept: Option<u32>,
    /// Maximum number of games of challenges that a team asks for within a day.
    #[serde(rename = "defis_par_jour", alias = "challenges_per_day")]
    pub challenges: Option<u32>,
    /// Hours, by this machine's clock, in which no game of the ladder begins.
    #[serde(rename = "repos", alias = "rest", default)]
    pub rest: Vec<String>,
    /// Size of the recordings that are kept.
    #[serde(rename = "enregistrements", alias = "recordings", deserialize_with = "bytes", default)]
    pub recordings: Option<u64>,
    /// The address of the reverse proxy that serves the pages.
    #[serde(rename = "adresse", alias = "address")]
    pub address: Option<String>,
    /// Files that the course has handed out: what they have does not count when sources are compared.
    #[serde(rename = "fourni", alias = "given", default)]
    pub given: Vec<PathBuf>,
}

/// A team of a configuration file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeamConfig {
    /// The name of the team.
    #[serde(rename = "nom", alias = "name")]
    pub name: Option<String>,
    /// The house bot that plays for the team.
    #[serde(rename = "ia", alias = "bot")]
    pub bot: Option<String>,
    /// The command of the team's program.
    #[serde(rename = "commande", alias = "command")]
    pub command: Option<Words>,
    /// The folder that the program runs in.
    #[serde(rename = "dossier", alias = "folder")]
    pub folder: Option<PathBuf>,
    /// True if the folder belongs to the team alone, so that its content determines the team's version.
    #[serde(skip)]
    pub own_folder: bool,
    /// Environment variables of the program.
    #[serde(rename = "environnement", alias = "environment", default)]
    pub environment: BTreeMap<String, String>,
    /// The version of the program, instead of a hash of its files.
    pub version: Option<String>,
    /// The files that determine the version, instead of all files in the folder.
    #[serde(rename = "fichiers", alias = "files")]
    pub files: Option<Vec<PathBuf>>,
}

/// A command, as a shell line or as a list of words.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Words {
    /// A line in shell syntax.
    Line(String),
    /// A list of words.
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

/// The reason why a configuration file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}", said!("cannot read {}: {_1}", "{} est illisible : {_1}", .0.display()))]
    Read(PathBuf, std::io::Error),
    /// The content of the file is invalid; the error tells line and column.
    #[error("{}{}{_1}", .0.display(), colon())]
    Content(PathBuf, toml::de::Error),
}

impl Config {
    /// Reads a file. Relative paths in it are relative to its folder; they become relative to the working directory.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is invalid; the error tells line and column.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let mut config: Self = read(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for map in &mut config.maps {
            *map = folder.join(&*map);
        }
        for path in config.course.iter_mut().flat_map(|course| &mut course.given) {
            *path = folder.join(&*path);
        }
        for team in &mut config.teams {
            team.own_folder = team.folder.is_some();
            let own = team.folder.take().unwrap_or_default();
            team.folder = Some(folder.join(own));
        }
        Ok(config)
    }
}

/// Reads a TOML file.
///
/// # Errors
///
/// When the file cannot be read, or is invalid; the error tells line and column.
pub fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, ConfigError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| ConfigError::Read(path.to_owned(), error))?;
    toml::from_str(&text).map_err(|error| ConfigError::Content(path.to_owned(), error))
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
/// The expected form.
pub fn parse_bytes(text: &str) -> anyhow::Result<u64> {
    let has_unit = text.ends_with(|last: char| last.is_ascii_alphabetic());
    let bytes = text.parse::<ByteSize>().ok().filter(|_| has_unit).map(|size| size.0);
    // `ByteSize` saturates at the largest number, which thus means an overflow.
    bytes.filter(|bytes| (1..u64::MAX).contains(bytes)).with_context(|| {
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
            assert_eq!(parse_bytes(text).ok(), Some(expected), "{text}");
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
        let text = "nom = 'Coupe'\ncartes = ['plan.txt']\ndelai = '500ms'\nformat = 'swiss'\n\
             [[equipe]]\nnom = 'Ada'\ncommande = 'python3 bot.py {port}'\ndossier = 'ada'\n\
             [[equipe]]\nbot = 'dijkstra'";
        // Both languages are accepted, but not for the same list.
        assert!(read(&text.replacen("[[equipe]]\nbot", "[[team]]\nbot", 1)).is_err());
        let config = read(text).unwrap();
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
        // In French, what is wrong has no English word but names.
        for text in [
            "cartes = [",
            "nom",
            "nom =",
            "nom = abc",
            "nom = \"a",
            "nom = 'a",
            "nom = \"\\q\"",
            "nom = 'a'\nnom = 'b'",
            "[[equipe]",
            "[equipe",
            "= 3",
            "a b = 3",
            "nom = 'a' 'b'",
            "nom = 3",
            "nom = 1.5",
            "nom = true",
            "nom = []",
            "nom = {}",
            "cartes = 'plan.txt'",
            "cartes = [3]",
            "graine = 'x'",
            "graine = -1",
            "manches = 1.5",
            "manches = 99999999999",
            "equipe = 3",
            "[[equipe]]\nnam = 'a'",
            "tours = 3",
            "formule = 'ronde'",
        ] {
            let error = language::in_french(&read(text).unwrap_err().to_string());
            let what = error.trim_end().lines().last().unwrap();
            let unquoted: Vec<_> = what.split('`').step_by(2).collect();
            let unquoted: Vec<_> =
                unquoted.iter().map(|part| part.replace(['"', '\''], " ")).collect();
            let unquoted = unquoted.join(" ");
            let words = unquoted.split(|c: char| !c.is_alphanumeric());
            let is_english = |word: &&str| ENGLISH.split(' ').any(|english| english == *word);
            let english: Vec<_> = words.filter(is_english).collect();
            assert_eq!(english, [""; 0], "{text}: {error}");
        }
    }

    /// Words of errors of the parser and of serde.
    const ENGLISH: &str = "array basic boolean cannot character control duplicate empty escaped expected field float floating \
        integer invalid key keys letters literal map missing must newline no numbers of one quoted sequence \
        string struct the unclosed unexpected unknown value variant with";
}
