//! What a game comes to.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use comfy_table::{CellAlignment, Table, presets};
use game::pacman::View;
use tempfile::NamedTempFile;

/// How far a game is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Which one, from 1; 0 before the first one.
    pub game: u32,
    /// Turns played.
    pub elapsed: u32,
    /// Turns of the whole game.
    pub total: u32,
    /// Points, in order of colour.
    pub points: Vec<i32>,
}

impl Progress {
    pub(crate) fn update(&mut self, game: u32, view: &View) {
        self.game = game;
        self.elapsed = view.elapsed();
        self.total = view.total();
        self.points.clear();
        self.points.extend(view.players().iter().map(|player| player.points));
    }
}

/// The result of a game, of all its turns or of those that were played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Which game, from 1.
    pub game: u32,
    /// Its seed.
    pub seed: u64,
    /// Turns played.
    pub elapsed: u32,
    /// Turns of the whole game.
    pub total: u32,
    /// The players in order of colour.
    pub players: Vec<PlayerResult>,
}

/// What a player has made of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerResult {
    /// Its name.
    pub name: String,
    /// Its colour's letter.
    pub letter: char,
    /// Its points.
    pub points: i32,
    /// From 1; equal points share a rank.
    pub rank: usize,
}

impl GameResult {
    pub(crate) fn new(game: u32, seed: u64, view: &View, names: &[String]) -> Self {
        let mut players: Vec<_> = view
            .ranking()
            .into_iter()
            .map(|(rank, colour, player)| PlayerResult {
                name: names[colour.index()].clone(),
                letter: colour.letter(),
                points: player.points,
                rank,
            })
            .collect();
        players.sort_by_key(|player| player.letter);
        Self { game, seed, elapsed: view.elapsed(), total: view.total(), players }
    }

    /// The scores as a file has them: `NAME;POINTS` a line, in order of colour.
    #[must_use]
    pub fn scores(&self) -> String {
        let line = |player: &PlayerResult| {
            let name = player.name.replace('~', ".").replace(';', ",");
            format!("{name};{}\n", player.points)
        };
        self.players.iter().map(line).collect()
    }

    /// The ranking as a table, best first.
    #[must_use]
    pub fn table(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED);
        table.set_header(["Rank", "Player", "Team", "Points"]);
        for column in [0, 3] {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let mut ranked: Vec<_> = self.players.iter().collect();
        ranked.sort_by_key(|player| (player.rank, player.letter));
        for PlayerResult { name, letter, points, rank } in ranked {
            table.add_row([rank.to_string(), letter.to_string(), name.clone(), points.to_string()]);
        }
        table.to_string()
    }
}

/// Replaces a file as a whole: whoever reads it sees the old text or the new one. What is there and
/// is no file, a pipe or `/dev/null`, is written to.
///
/// # Errors
///
/// When the text cannot be written there, or not beside the file, which then stays as it is.
pub fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    if !is_replaceable(path) {
        return fs::write(path, text);
    }
    let path = &followed(path);
    let mut file = new_file_beside(path)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Whether [`replace_file`] has a chance, to be asked before there is anything to lose.
///
/// # Errors
///
/// When nothing can be written there.
pub fn check_writable(path: &Path) -> io::Result<()> {
    if is_replaceable(path) {
        new_file_beside(&followed(path)).map(drop)
    } else {
        fs::OpenOptions::new().write(true).open(path).map(drop)
    }
}

/// Whether a file is there, or nothing.
fn is_replaceable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file()) || !path.exists()
}

/// Where a link leads to.
fn followed(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A file that is gone unless it is given a name, with the permissions of any other new file.
fn new_file_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".scores-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(players: &[(&str, i32, usize)]) -> GameResult {
        let player = |(&(name, points, rank), letter): (&(&str, i32, usize), char)| PlayerResult {
            name: name.to_owned(),
            letter,
            points,
            rank,
        };
        let players = players.iter().zip('A'..='Z').map(player).collect();
        GameResult { game: 1, seed: 1, elapsed: 1, total: 1, players }
    }

    #[test]
    fn scores_are_in_order_of_colour_and_names_keep_their_fields_apart() {
        let scores = result(&[("a~b", -3, 2), ("c;d", 12, 1), ("Équipe", -3, 2)]).scores();
        assert_eq!(scores, "a.b;-3\nc,d;12\nÉquipe;-3\n");
    }

    #[test]
    fn the_table_is_in_order_of_rank() {
        let table = result(&[("Ada", 5, 2), ("Bob", 7, 1), ("Eve", 5, 2)]).table();
        let rows: Vec<String> = table
            .lines()
            .filter(|line| line.contains(|c: char| c.is_ascii_digit()))
            .map(|line| line.split(['│', '┆']).map(str::trim).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(rows, [" 1 B Bob 7 ", " 2 A Ada 5 ", " 2 C Eve 5 "]);
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("score.csv");
        for text in ["a longer first text", "short"] {
            check_writable(&path).unwrap();
            replace_file(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else stays");
    }

    #[test]
    fn what_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check_writable(folder.path()).is_err(), "a folder");
        let nowhere = folder.path().join("missing").join("score.csv");
        assert!(check_writable(&nowhere).is_err());
        assert!(replace_file(&nowhere, "").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace_file(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());

        assert!(!is_replaceable(Path::new("/dev/null")), "before it is tried");
        check_writable(Path::new("/dev/null")).unwrap();
        replace_file(Path::new("/dev/null"), "nothing").unwrap();
        assert!(!is_replaceable(Path::new("/dev/null")), "still a device");
    }
}
