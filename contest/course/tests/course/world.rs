//! A course in a temporary folder, and what is made for it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use course::{
    Course, CourseError, LadderGame, LadderSeat, NewTeam, Player, Sealed, Seconds, TeamId, Traces,
    VersionId,
};
use plan::Key;
use tempfile::TempDir;

pub(crate) struct World {
    pub(crate) folder: TempDir,
    pub(crate) course: Course,
    pub(crate) teacher: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (mut course, token) = Course::create(&path(&folder), 1000).unwrap();
        course.set_limits(course::Limits {
            per_hour: 1000,
            kept: 1000,
            ..course::Limits::default()
        });
        Self { folder, course, teacher: token.to_string() }
    }

    /// A course with the house levels a, b, c and d.
    pub(crate) fn with_house() -> Self {
        let mut world = Self::new();
        world.course.set_house(["a", "b", "c", "d"]).unwrap();
        world
    }

    pub(crate) fn path(&self) -> PathBuf {
        path(&self.folder)
    }

    pub(crate) fn team(&mut self, name: &str) -> TeamId {
        let team = NewTeam { name: name.to_owned(), ..NewTeam::default() };
        self.course.add_team(&team, 1000).unwrap().0
    }

    /// Hands in a version that passes or fails.
    pub(crate) fn version(&mut self, team: TeamId, text: &str, is_ready: bool) -> VersionId {
        let version = hand_in(&mut self.course, team, text, 2000).unwrap();
        let next = self.course.next_check().unwrap().unwrap();
        assert_eq!(next.id, version);
        self.course.judge(version, &format!("{{\"of\": {text:?}}}"), is_ready).unwrap();
        version
    }

    pub(crate) fn reopen(self) -> Self {
        let Self { folder, course, teacher } = self;
        drop(course);
        let mut course = Course::open(&path(&folder)).unwrap();
        course.set_limits(course::Limits {
            per_hour: 1000,
            kept: 1000,
            ..course::Limits::default()
        });
        Self { folder, course, teacher }
    }
}

fn path(folder: &TempDir) -> PathBuf {
    folder.path().join("cours.sqlite")
}

/// Hands in a folder with a file in a folder.
pub(crate) fn hand_in(
    course: &mut Course,
    team: TeamId,
    text: &str,
    now: Seconds,
) -> Result<VersionId, CourseError> {
    let upload = course.incoming().join("upload");
    let _ = fs::remove_dir_all(&upload);
    fs::create_dir_all(upload.join("lib")).unwrap();
    fs::write(upload.join("main.py"), text).unwrap();
    fs::write(upload.join("lib/one.py"), "1").unwrap();
    course.hand_in(team, Sealed::of(upload)?, "python3 main.py", now)
}

pub(crate) fn key(number: u32) -> Key {
    Key::from_bytes(u128::from(number).to_be_bytes())
}

/// A game that ends in the order of its seats.
pub(crate) fn game(number: u32, players: [Player; 4]) -> LadderGame {
    let mut place = 0;
    let seats = players.map(|player| {
        place += 1;
        let points = 40 - 10 * i32::from(place);
        LadderSeat { player, place, points, fault: None, cpu: 1_000_000 }
    });
    LadderGame { key: key(number), at: 3000, map: "carte".into(), seed: u64::MAX, seats }
}

pub(crate) fn house(name: &str) -> Player {
    Player::House(name.to_owned())
}

pub(crate) fn recorded(bytes: usize) -> Traces {
    Traces { recording: vec![7; bytes], ..Traces::default() }
}

/// Checks that exactly the files that versions need are there, and that the database is sound.
pub(crate) fn check_files(course: &Course) {
    let mut needed = BTreeSet::new();
    for team in course.teams().unwrap() {
        for version in course.versions(team.id).unwrap() {
            if let Some(files) = course.files(version.id).unwrap() {
                assert!(files.join("main.py").is_file(), "{version:?}");
                needed.insert(files);
            }
        }
    }
    let incoming = course.incoming();
    let root = incoming.parent().unwrap();
    let there: BTreeSet<_> = list(root).into_iter().filter(|path| *path != incoming).collect();
    assert_eq!(there, needed);
    assert_eq!(list(&incoming), Vec::<PathBuf>::new());
}

pub(crate) fn list(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}
