//! The files of recorded games.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::Context;
use arena::Observation;
use language::{log, said};
use parking_lot::{Condvar, Mutex};
use replay::Recorder;
use tokio::sync::{mpsc, oneshot};
use tracing::{error, warn};

/// Capacity of the queue of turns for a slow disk; the recording of a game stops when it overflows.
const WAITING: usize = 4096;
const EXTENSION: &str = "rejeu";

/// Number of games kept in the user's folder.
const KEPT: usize = 10;
/// Maximum number of bytes of one game in the user's folder.
const LARGEST: u64 = 16 << 20;
/// Maximum number of bytes of all games in the user's folder.
const MOST_BYTES: u64 = 64 << 20;

/// Number of ended recordings remembered.
const REMEMBERED: usize = 16;

/// Writes recordings on a thread of its own, so that a slow or full disk does not delay the games.
pub(crate) struct Recordings {
    /// The folder in which the name of each file gives the number and seed of its game; `None` for a single file.
    pub(crate) folder: Option<PathBuf>,
    /// Receives the events of the games.
    pub(crate) observer: mpsc::Sender<Observation>,
    pub(crate) ended: Ended,
    /// Receives true at the end if everything was written.
    pub(crate) all_written: oneshot::Receiver<bool>,
}

/// The destination of the recordings.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Destination {
    /// A folder, with a file for each game.
    Folder(PathBuf),
    /// This file; later games go into files beside it.
    File(PathBuf),
    /// The user's folder, in which only the last games are kept. The user did not request these recordings, so a write
    /// error is no failure.
    LastGames(PathBuf),
}

impl Recordings {
    /// Writes every game into this file and files beside it, or into this folder. Fails when the path is not writable.
    pub(crate) fn of_all_games(path: &Path) -> io::Result<Self> {
        Ok(Self::start(Destination::new(path)?))
    }

    /// Keeps the last games in the user's folder; logs a warning and returns `None` if the folder is not writable.
    pub(crate) fn of_last_games() -> Option<Self> {
        let folder = cli::state_folder().and_then(|folder| {
            let folder = folder.join("parties");
            fs::create_dir_all(&folder)
                .and_then(|()| crate::score_file::check_writable(&folder.join(EXTENSION)))
                .with_context(|| folder.display().to_string())?;
            Ok(folder)
        });
        match folder {
            Ok(folder) => Some(Self::start(Destination::LastGames(folder))),
            Err(why) => {
                log!(
                    warn,
                    "the games are not recorded: {why:#}",
                    "les parties ne sont pas enregistrées : {why:#}"
                );
                None
            }
        }
    }

    fn start(destination: Destination) -> Self {
        let folder = match &destination {
            Destination::Folder(folder) | Destination::LastGames(folder) => Some(folder.clone()),
            Destination::File(_) => None,
        };
        let (observer, mut observations) = mpsc::channel(WAITING);
        let (done, all_written) = oneshot::channel();
        let ended = Ended::default();
        let mut writer =
            Writer { destination, current: None, ended: ended.clone(), has_failed: false };
        thread::spawn(move || {
            while let Some(observation) = observations.blocking_recv() {
                writer.take(observation);
            }
            writer.cut_off();
            // The receiver is dropped if the program ends without waiting.
            let _ = done.send(!writer.has_failed);
        });
        Self { folder, observer, ended, all_written }
    }
}

/// The last games whose recordings have ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ended(Arc<EndedGames>);

#[derive(Debug, Default)]
struct EndedGames {
    /// The numbers of the games, in order, and the path of each recording, `None` if it is incomplete.
    list: Mutex<VecDeque<(u32, Option<PathBuf>)>>,
    changed: Condvar,
}

impl Ended {
    /// The path of a game's recording if it is complete. Waits at most `patience` for its end.
    pub(crate) fn path(&self, game: u32, patience: Duration) -> Option<PathBuf> {
        let until = Instant::now() + patience;
        let mut list = self.0.list.lock();
        let is_awaited =
            |list: &mut VecDeque<(u32, _)>| list.back().is_none_or(|(last, _)| *last < game);
        self.0.changed.wait_while_until(&mut list, is_awaited, until);
        list.iter().find(|(ended, _)| *ended == game).and_then(|(_, path)| path.clone())
    }

    fn add(&self, game: u32, path: Option<PathBuf>) {
        let mut list = self.0.list.lock();
        list.push_back((game, path));
        if list.len() > REMEMBERED {
            list.pop_front();
        }
        self.0.changed.notify_all();
    }
}

/// Writes every observation at once, so that a crash loses at most the current turn.
struct Writer {
    destination: Destination,
    current: Option<Recording>,
    ended: Ended,
    /// True if something could not be written, or was not observed.
    has_failed: bool,
}

struct Recording {
    game: u32,
    path: PathBuf,
    file: File,
    recorder: Recorder,
    bytes: u64,
}

impl Writer {
    /// Tests if the user did not request the recordings.
    fn is_unasked(&self) -> bool {
        matches!(self.destination, Destination::LastGames(_))
    }

    fn take(&mut self, observation: Observation) {
        match observation {
            Observation::Gathering { .. } => {}
            Observation::Begin { game, setup } => {
                self.cut_off();
                let (recorder, bytes) = Recorder::start(setup.clone());
                match self.destination.create(game, setup.seed()) {
                    Ok((path, file)) => {
                        if !self.is_unasked() {
                            log!(
                                info,
                                "game {game} is recorded in {}",
                                "la partie {game} est enregistrée dans {}",
                                path.display()
                            );
                        }
                        self.current = Some(Recording { game, path, file, recorder, bytes: 0 });
                        self.write(&bytes);
                    }
                    Err((path, failure)) => {
                        self.ended.add(game, None);
                        self.failed(&said!(
                            "cannot record in {}: {failure}",
                            "impossible d'enregistrer dans {} : {failure}",
                            path.display()
                        ));
                    }
                }
            }
            Observation::Thoughts(thoughts) => {
                if let Some(Recording { recorder, .. }) = &mut self.current {
                    recorder.think(thoughts);
                }
            }
            Observation::Turn { turn, hash } => {
                if let Some(recording) = &mut self.current {
                    let bytes = recording.recorder.turn(turn, hash);
                    self.write(&bytes);
                }
            }
            Observation::End { hash } => {
                // There is no current recording after a failure to write.
                if let Some(recording) = &self.current {
                    let bytes = recording.recorder.clone().end(hash);
                    self.write(&bytes);
                }
                if let Some(Recording { game, path, .. }) = self.current.take() {
                    self.ended.add(game, Some(path));
                }
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        let is_bounded = self.is_unasked();
        let Some(recording) = &mut self.current else { return };
        recording.bytes += bytes.len() as u64;
        let written = if is_bounded && recording.bytes > LARGEST {
            Err(said!(
                "it is too large, --record FILE records all of it",
                "il est trop grand, --enregistrer FICHIER l'enregistre en entier"
            ))
        } else {
            recording.file.write_all(bytes).map_err(|failure| failure.to_string())
        };
        let Err(failure) = written else { return };
        let (game, path) = (recording.game, recording.path.clone());
        self.current = None;
        self.ended.add(game, None);
        self.failed(&said!(
            "the recording {} ends here: {failure}",
            "l'enregistrement {} s'arrête ici : {failure}",
            path.display()
        ));
    }

    /// Ends the current recording, if any, as incomplete: the observer missed the end of the game.
    fn cut_off(&mut self) {
        if let Some(Recording { game, path, .. }) = self.current.take() {
            self.ended.add(game, None);
            self.failed(&said!(
                "the recording {} is incomplete: the disk did not keep up",
                "l'enregistrement {} est incomplet : le disque n'a pas suivi",
                path.display()
            ));
        }
    }

    /// Logs a failure; only the first one for recordings that were not requested.
    fn failed(&mut self, what: &str) {
        match (self.is_unasked(), self.has_failed) {
            (false, _) => error!("{what}"),
            (true, false) => warn!("{what}"),
            (true, true) => {}
        }
        self.has_failed = true;
    }
}

impl Destination {
    fn new(path: &Path) -> io::Result<Self> {
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            fs::create_dir_all(path)?;
        }
        if path.is_dir() {
            crate::score_file::check_writable(&path.join(EXTENSION))?;
            return Ok(Self::Folder(path.to_owned()));
        }
        crate::score_file::check_writable(path)?;
        Ok(Self::File(path.to_owned()))
    }

    /// Creates the file of a game; an error contains the path that failed.
    fn create(&self, game: u32, seed: u64) -> Result<(PathBuf, File), (PathBuf, io::Error)> {
        let folder = match self {
            Self::Folder(folder) => folder,
            Self::LastGames(folder) => {
                make_room(folder);
                folder
            }
            Self::File(file) => {
                let path = numbered(file, game);
                return match File::create(&path) {
                    Ok(created) => Ok((path, created)),
                    Err(failure) => Err((path, failure)),
                };
            }
        };
        let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let named = crate::page::recorded::name(game, seed);
        let name = format!("{}{named}.{EXTENSION}", now.replace(':', "-"));
        let first = folder.join(name);
        let mut number = 1;
        loop {
            let path = numbered(&first, number);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    // No server removes a locked file to make room.
                    let _ = fs4::FileExt::try_lock(&file);
                    return Ok((path, file));
                }
                // Another server started the same game in the same second.
                Err(failure) if failure.kind() == io::ErrorKind::AlreadyExists && number < 100 => {
                    number += 1;
                }
                Err(failure) => return Err((path, failure)),
            }
        }
    }
}

/// The path with this number before its extension; unchanged for 1.
fn numbered(file: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return file.to_owned();
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let extension = file.extension().map(|e| format!(".{}", e.to_string_lossy()));
    file.with_file_name(format!("{stem}-{number}{}", extension.unwrap_or_default()))
}

/// Removes the oldest recordings of a folder until there is room for one more; skips files that a server is writing.
fn make_room(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let recordings = entries.filter_map(|entry| {
        let path = entry.path();
        let found = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let is_ours = path.extension()? == EXTENSION;
        is_ours.then(|| (found.modified().unwrap_or(SystemTime::UNIX_EPOCH), found.len(), path))
    });
    let mut recordings: Vec<_> = recordings.collect();
    recordings.sort_unstable();
    let mut bytes: u64 = recordings.iter().map(|(_, bytes, _)| bytes).sum();
    let mut games = recordings.len();
    for (_, len, path) in recordings {
        if games < KEPT && bytes <= MOST_BYTES - LARGEST {
            break;
        }
        let is_written = File::open(&path).is_ok_and(|file| fs4::FileExt::try_lock(&file).is_err());
        if !is_written && fs::remove_file(&path).is_ok() {
            games -= 1;
            bytes -= len;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn every_game_has_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let file = Destination::new(&folder.path().join("finale.rejeu")).unwrap();
        let name = |game| {
            file.create(game, 7).unwrap().0.file_name().unwrap().to_str().unwrap().to_owned()
        };
        assert_eq!(
            [name(1), name(2), name(2)],
            ["finale.rejeu", "finale-2.rejeu", "finale-2.rejeu"]
        );
        let within = Destination::new(&folder.path().join("new/")).unwrap();
        let (first, _file) = within.create(3, 9).unwrap();
        assert_eq!(first.parent().unwrap(), folder.path().join("new"));
        assert!(first.to_string_lossy().ends_with("Z_partie-3_graine-9.rejeu"), "{first:?}");
        for _ in 0..20 {
            within.create(3, 9).unwrap();
        }
        assert_eq!(names(first.parent().unwrap()).len(), 21, "no other game's file is taken");
        assert!(Destination::new(Path::new("/nowhere/finale.rejeu")).is_err());
    }

    #[test]
    fn the_last_games_are_kept_and_those_that_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let place = Destination::LastGames(folder.path().to_owned());
        fs::write(folder.path().join("notes.txt"), "mine").unwrap();
        let (running, _locked) = place.create(1, 0).unwrap();
        for game in 2..=30 {
            place.create(game, 0).unwrap();
        }
        let kept = names(folder.path());
        assert_eq!(kept.len(), KEPT + 1, "{kept:?}");
        assert!(running.exists() && kept.iter().any(|name| name == "notes.txt"), "{kept:?}");
        assert!(kept.iter().any(|name| name.contains("partie-30_")), "{kept:?}");
    }

    #[test]
    fn the_last_games_take_a_bounded_number_of_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let place = Destination::LastGames(folder.path().to_owned());
        for game in 1..=5 {
            let (_, file) = place.create(game, 0).unwrap();
            file.set_len(LARGEST).unwrap();
        }
        let bytes = |folder: &Path| -> u64 {
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().metadata().unwrap().len()).sum()
        };
        assert_eq!(bytes(folder.path()), MOST_BYTES);
        place.create(6, 0).unwrap();
        assert_eq!(bytes(folder.path()), MOST_BYTES - LARGEST);
    }

    fn setup() -> replay::Setup {
        replay::Setup::Pacman(replay::PacmanSetup {
            map: game::pacman::Map::parse(b"3;4\n####\n#..#\n####\n").unwrap(),
            rules: game::pacman::Rules::SUJET,
            seed: 1,
            turns: 3,
            names: vec!["Ada".to_owned()],
        })
    }

    #[test]
    fn a_game_that_is_too_large_is_kept_as_far_as_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        for (destination, is_bounded) in [
            (Destination::LastGames(folder.path().to_owned()), true),
            (Destination::Folder(folder.path().to_owned()), false),
        ] {
            let ended = Ended::default();
            let mut writer =
                Writer { destination, current: None, ended: ended.clone(), has_failed: false };
            writer.take(Observation::Begin { game: 1, setup: setup() });
            let recording = writer.current.as_mut().unwrap();
            recording.bytes = LARGEST;
            let path = recording.path.clone();
            writer.take(Observation::End { hash: 0 });
            assert_eq!(ended.path(1, Duration::ZERO).is_none(), is_bounded);
            let read = replay::Recording::read(&fs::read(path).unwrap()).unwrap();
            assert_eq!((read.is_complete, read.damage), (!is_bounded, None));
        }
    }

    #[test]
    fn a_game_that_is_not_told_to_its_end_is_incomplete() {
        let folder = tempfile::tempdir().unwrap();
        let recordings = Recordings::of_all_games(&folder.path().join("games/")).unwrap();
        let tell = |observation| recordings.observer.try_send(observation).unwrap();
        for game in [1, 2] {
            tell(Observation::Begin { game, setup: setup() });
        }
        tell(Observation::End { hash: 0 });
        let second = recordings.ended.path(2, Duration::from_secs(30)).unwrap();
        assert_eq!(recordings.ended.path(1, Duration::ZERO), None);
        drop(recordings.observer);
        assert_eq!(recordings.all_written.blocking_recv(), Ok(false));
        let read = |path: &Path| replay::Recording::read(&fs::read(path).unwrap()).unwrap();
        assert!(read(&second).is_complete);
        let files = names(second.parent().unwrap());
        let first = files.iter().find(|name| name.contains("partie-1_")).unwrap();
        assert!(!read(&second.with_file_name(first)).is_complete);
    }
}
