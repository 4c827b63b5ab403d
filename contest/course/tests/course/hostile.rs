//! Files that are damaged, unfinished or not what they seem: errors, never a panic.

use std::fs;

use course::{Course, LadderRules, Player};

use crate::world::{World, game, house, key, recorded};

#[test]
fn a_creation_that_was_killed_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cours.sqlite");
    fs::write(&path, "").unwrap();
    drop(Course::create(&path, 1).unwrap());
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch("DELETE FROM course").unwrap();
    assert!(Course::open(&path).is_err());
    let (course, token) = Course::create(&path, 1).unwrap();
    assert!(course.who(&token.to_string()).unwrap().is_some());
}

/// Asks for everything.
fn read_all(course: &mut Course) -> Result<(), course::CourseError> {
    course.audit(u32::MAX)?;
    course.is_paused()?;
    course.used()?;
    course.ratings()?;
    course.pairs()?;
    course.note_ratings(5)?;
    course.public().rating_days()?;
    course.recent_games(None, 100)?;
    course.public().ladder()?;
    course.next_games(5, &LadderRules::default(), &[])?;
    for team in course.teams()? {
        course.playing(team.id)?;
        let view = course.as_team(team.id)?;
        view.versions()?;
        for game in view.games(None, 100)? {
            view.recording(game.key)?;
            view.outputs(game.key)?;
        }
    }
    course.next_check()?;
    course.thin(10, 100)?;
    Ok(())
}

#[test]
fn a_damaged_file_is_an_error_and_no_panic() {
    let mut world = World::with_house();
    let ada = world.team("Ada");
    let version = world.version(ada, "x", true);
    for number in 0..20 {
        let seats = [Player::Version(version), house("a"), house("b"), house("c")];
        world.course.keep_games(&[(game(number, seats), recorded(50))]).unwrap();
    }
    let (path, folder) = (world.path(), world.folder);
    drop(world.course);
    let whole = fs::read(&path).unwrap();
    let (mut random, mut failures) = (1_u64, 0);
    let mut draw = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(random >> 33).unwrap() % below
    };
    for _ in 0..150 {
        let mut bytes = whole.clone();
        for _ in 0..=draw(40) {
            let at = draw(bytes.len());
            bytes[at] = u8::try_from(draw(256)).unwrap();
        }
        fs::write(&path, bytes).unwrap();
        for journal in ["-wal", "-shm"] {
            let _ = fs::remove_file(folder.path().join(format!("cours.sqlite{journal}")));
        }
        let read = Course::open(&path).and_then(|mut course| read_all(&mut course));
        failures += usize::from(read.is_err());
    }
    assert!(failures > 10, "{failures}");
}

/// Values that the tables allow and this program never writes.
#[test]
fn impossible_values_are_errors() {
    for damage in [
        "UPDATE team SET members = 'x'",
        "UPDATE team SET credit = -99999999",
        "UPDATE team SET credit = 9223372036854775807; UPDATE version SET cpu = 9",
        "UPDATE version SET content = x'00'",
        "UPDATE version SET team = 0",
        "UPDATE version SET games = 99999999999",
        "UPDATE version SET handed_in = -1",
        "UPDATE game SET f0 = 'unheard of'",
        "UPDATE game SET p0 = 77",
        "UPDATE game SET r0 = -1",
        "UPDATE game SET key = x'00'",
        "UPDATE game SET at = -1",
        "UPDATE audit SET deed = '{}'",
        "DROP TABLE game",
        "PRAGMA application_id = 0",
        "DELETE FROM course",
    ] {
        let mut world = World::with_house();
        let ada = world.team("Ada");
        let version = world.version(ada, "x", true);
        let seats = [Player::Version(version), house("a"), house("b"), house("c")];
        world.course.keep_games(&[(game(1, seats), recorded(50))]).unwrap();
        assert!(read_all(&mut world.course).is_ok());
        assert!(world.course.game(key(1)).unwrap().is_some());
        let path = world.path();
        drop(world.course);
        let db = rusqlite::Connection::open(&path).unwrap();
        db.execute_batch(&format!("PRAGMA foreign_keys = off; {damage}")).unwrap();
        drop(db);
        let read = Course::open(&path).and_then(|mut course| read_all(&mut course));
        let may_pass = damage.contains("team = 0");
        assert!(read.is_err() || may_pass, "{damage}");
    }
}
