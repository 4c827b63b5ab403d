//! Readers beside the writer, and what they copy.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use course::{Course, CourseError, Limits, Player};

use crate::world::{World, check_files, game, house, key, list, recorded};

#[test]
fn a_reader_sees_what_is_written_and_writes_nothing() {
    let mut world = World::with_house();
    let reader = world.course.reader().unwrap();
    let ada = world.team("Ada");
    let version = world.version(ada, "x", true);
    let seats = [Player::Version(version), house("a"), house("b"), house("c")];
    world.course.keep_games(&[(game(1, seats), recorded(50))]).unwrap();
    let read = std::thread::spawn(move || {
        let view = reader.as_team(ada).unwrap();
        assert_eq!(view.playing().unwrap(), Some(version));
        assert_eq!(view.recording(key(1)).unwrap(), Some(vec![7; 50]));
        assert_eq!(reader.public().games().unwrap(), 1);
        reader.ratings().unwrap()
    });
    assert_eq!(read.join().unwrap(), world.course.ratings().unwrap());
}

/// A copy while versions come, lose their files and play: each copy is a course of one moment.
#[test]
fn a_reader_copies_while_the_writer_writes() {
    let mut world = World::with_house();
    let ada = world.team("Ada");
    world.course.set_limits(Limits { per_hour: 100_000, kept: 3, ..Limits::default() });
    world.version(ada, "0", true);
    let reader = world.course.reader().unwrap();
    let (is_over, folder) = (&AtomicBool::new(false), world.folder.path().to_owned());
    std::thread::scope(|threads| {
        let copies = threads.spawn(move || {
            for number in 0..8 {
                let path = folder.join(format!("copy-{number}"));
                assert_eq!(reader.copy_to(&path).unwrap(), []);
                let copy = Course::open(&path).unwrap();
                assert!(copy.missing().is_empty());
                check_files(&copy);
                let versions = copy.versions(ada).unwrap();
                let games: u32 = versions.iter().map(|version| version.games).sum();
                assert_eq!(u64::from(games), copy.game_count().unwrap());
            }
            is_over.store(true, Ordering::Relaxed);
        });
        let mut number = 0;
        while !is_over.load(Ordering::Relaxed) && !copies.is_finished() {
            number += 1;
            let version = world.version(ada, &number.to_string(), true);
            let seats = [Player::Version(version), house("a"), house("b"), house("c")];
            world.course.keep_games(&[(game(number, seats), recorded(50))]).unwrap();
        }
        assert!(number > 3, "{number}");
    });
}

#[test]
fn a_copy_has_all_but_damaged_versions_and_replaces_nothing() {
    let mut world = World::with_house();
    let ada = world.team("Ada");
    let [one, changed, gone] = ["one", "two", "three"].map(|text| world.version(ada, text, true));
    let files = |version| world.course.files(version).unwrap().unwrap();
    fs::write(files(changed).join("main.py"), "else").unwrap();
    fs::remove_dir_all(files(gone)).unwrap();
    let path = world.folder.path().join("copy");
    let beside = world.folder.path().join("copy.versions");
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join("precious"), "").unwrap();
    let refusal = world.course.copy_to(&path).unwrap_err();
    assert!(matches!(&refusal, CourseError::Exists(place) if *place == beside), "{refusal:?}");
    assert_eq!(list(&beside), [beside.join("precious")]);
    fs::remove_file(beside.join("precious")).unwrap();
    assert_eq!(world.course.copy_to(&path).unwrap(), [changed, gone]);
    let copy = Course::open(&path).unwrap();
    assert_eq!(copy.playing(ada).unwrap(), Some(one));
    check_files(&copy);
}
