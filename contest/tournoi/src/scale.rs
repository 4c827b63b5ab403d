//! The scale of marks of a course, as a file describes it.

use std::path::Path;

use anyhow::{Context, ensure};
use language::said;
use rating::marks::{Level, Scale};
use serde::Deserialize;
use tournament::trial::Opponents;

use crate::config::read;

/// The scale that is used if no file is named.
const USUAL: &str = include_str!("../../../exemples/bareme.toml");

/// The content of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaleFile {
    /// The marks that everybody has whose program plays.
    #[serde(rename = "acquis", alias = "base", default)]
    pub base: f64,
    /// The step to which marks are rounded.
    #[serde(rename = "arrondi", alias = "step", default)]
    pub step: f64,
    /// The number of games against each level.
    #[serde(rename = "parties", alias = "games")]
    pub games: u32,
    /// The seed of the games, the same for everybody.
    #[serde(rename = "graine", alias = "seed")]
    pub seed: Option<u64>,
    /// The levels.
    #[serde(rename = "niveau", alias = "level")]
    pub levels: Vec<LevelFile>,
}

/// A level of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelFile {
    /// The house bot, which has the three other seats, or `melange` for the three strongest ones.
    #[serde(rename = "ia", alias = "bot")]
    pub bot: String,
    /// The marks that the level gives.
    #[serde(rename = "note", alias = "marks")]
    pub marks: f64,
    /// The share of first places up to which it gives none.
    #[serde(rename = "rien", alias = "none")]
    pub none: f64,
    /// The share of first places from which on it gives all.
    #[serde(rename = "tout", alias = "all")]
    pub all: f64,
}

impl ScaleFile {
    /// Reads a file, or the usual scale.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is invalid; the error tells where.
    pub fn read(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else {
            let file: Self = toml::from_str(USUAL).expect("the example is valid");
            return Ok(file);
        };
        let file: Self = read(path)?;
        file.check().with_context(|| path.display().to_string())?;
        Ok(file)
    }

    fn check(&self) -> anyhow::Result<()> {
        let is_amount = |number: f64| number.is_finite() && number >= 0.0;
        ensure!(
            is_amount(self.base) && is_amount(self.step),
            said!(
                "`acquis` and `arrondi`: expected numbers from 0",
                "`acquis` et `arrondi` : des nombres à partir de 0 sont attendus"
            )
        );
        ensure!(
            (1..=1_000_000).contains(&self.games),
            said!(
                "`parties`: expected a number of games from 1 to 1000000",
                "`parties` : un nombre de parties entre 1 et 1000000 est attendu"
            )
        );
        ensure!(
            !self.levels.is_empty(),
            said!(
                "expected a level at least, as [[niveau]]",
                "au moins un niveau est attendu, par [[niveau]]"
            )
        );
        for (place, level) in self.levels.iter().enumerate() {
            // The games of two levels with the same bot would be the same.
            let is_new = self.levels[..place].iter().all(|before| before.bot != level.bot);
            let bot = &level.bot;
            let twice = || said!("there are two levels of {bot}", "il y a deux niveaux de {bot}");
            ensure!(is_new, twice());
            opponents(bot)?;
            let LevelFile { bot, marks, none, all } = level;
            ensure!(
                is_amount(*marks)
                    && (0.0..1.0).contains(none)
                    && (0.0..=1.0).contains(all)
                    && none < all,
                said!(
                    "the level {bot}: expected `note` from 0, and shares of first places with `rien` below `tout`, both from 0 to 1",
                    "le niveau {bot} : `note` à partir de 0 est attendue, et des parts de premières places avec `rien` plus petit que \
                     `tout`, entre 0 et 1"
                )
            );
        }
        Ok(())
    }

    /// The scale.
    pub fn scale(&self) -> Scale {
        let level =
            |level: &LevelFile| Level { marks: level.marks, none: level.none, all: level.all };
        Scale { base: self.base, step: self.step, levels: self.levels.iter().map(level).collect() }
    }

    /// The opponents of each level.
    ///
    /// # Errors
    ///
    /// When no house bot has the name.
    pub fn opponents(&self) -> anyhow::Result<Vec<Opponents>> {
        self.levels.iter().map(|level| opponents(&level.bot)).collect()
    }
}

fn opponents(name: &str) -> anyhow::Result<Opponents> {
    if matches!(name, "melange" | "mixed") {
        return Ok(Opponents::Mixed);
    }
    bots::by_name(name).map(|bot| Opponents::Three(bot.name)).map_err(anyhow::Error::msg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_scale_gives_twenty_marks() {
        let file = ScaleFile::read(None).unwrap();
        file.check().unwrap();
        assert!((file.scale().best() - 20.0).abs() < 1e-12);
        assert_eq!(file.opponents().unwrap().len(), file.levels.len());
    }

    #[test]
    fn a_file_says_what_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bareme.toml");
        let level = "[[niveau]]\nia = 'glouton'\nnote = 5\nrien = 0.2\ntout = 0.6\n";
        let good = format!("games = 8\nbase = 1\n{level}");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            ScaleFile::read(Some(&path))
        };
        assert_eq!(read(&good).unwrap().levels[0].bot, "glouton");
        for (from, to, expected) in [
            ("games = 8", "games = 0", "`parties`"),
            ("base = 1", "base = nan", "`acquis`"),
            ("base = 1", "basis = 1", "unknown field `basis`"),
            ("games = 8\n", "", "missing field `parties`"),
            ("glouton", "gluton", "gluton"),
            ("tout = 0.6", "tout = 0.2", "`rien` below `tout`"),
            ("note = 5", "note = -5", "the level glouton"),
            ("rien = 0.2", "rien = 'x'", "line 6, column"),
        ] {
            let error = format!("{:#}", read(&good.replace(from, to)).unwrap_err());
            assert!(error.contains(expected) && error.contains("bareme.toml"), "{error}");
        }
        let twice = format!("{:#}", read(&format!("{good}{level}")).unwrap_err());
        assert!(twice.contains("two levels of glouton"), "{twice}");
        let none = format!("{:#}", read("games = 8\nlevel = []").unwrap_err());
        assert!(none.contains("[[niveau]]"), "{none}");
    }
}
