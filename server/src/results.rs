//! What a game comes to.

use std::io::{self, Write};
use std::path::Path;

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

/// Replaces a file as a whole: whoever reads it sees the old text or the new one.
///
/// # Errors
///
/// When the new text cannot be written beside the file, which then stays as it is.
pub fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    let mut file = new_file(folder_of(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Whether a file can be replaced at all, to be asked before there is anything to lose.
///
/// # Errors
///
/// When nothing can be written beside it, or it is a folder.
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    new_file(folder_of(path)).map(drop)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A file that is gone unless it is given a name, with the permissions of any other new file.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
