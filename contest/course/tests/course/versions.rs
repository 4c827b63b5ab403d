//! Handing in, limits, copies.

use std::fs;
use std::path::Path;

use course::{Course, CourseError, Limits, Player, Refusal, Sealed};

use crate::world::{World, check_files, game, hand_in, house, key, recorded};

#[test]
fn a_team_that_hands_in_much_does_not_starve_others() {
    let mut world = World::new();
    let (ada, bob, eve) = (world.team("Ada"), world.team("Bob"), world.team("Eve"));
    for number in 0..50 {
        hand_in(&mut world.course, ada, &number.to_string(), 10).unwrap();
    }
    for team in [bob, eve, bob] {
        hand_in(&mut world.course, team, "x", 20).unwrap();
    }
    let mut order = Vec::new();
    while let Some(next) = world.course.next_check().unwrap() {
        world.course.judge(next.id, "{}", true).unwrap();
        order.push(next.team);
    }
    assert_eq!(order[..6], [ada, bob, eve, ada, bob, ada]);
    assert_eq!(order.len(), 53);
}

#[test]
fn hand_ins_within_an_hour_are_limited() {
    let mut world = World::new();
    let ada = world.team("Ada");
    world.course.set_limits(Limits { per_hour: 2, kept: 9, ..Limits::default() });
    hand_in(&mut world.course, ada, "1", 10_000).unwrap();
    hand_in(&mut world.course, ada, "2", 10_100).unwrap();
    let refusal = hand_in(&mut world.course, ada, "3", 10_200).unwrap_err();
    let CourseError::Refused(refusal) = refusal else { panic!("{refusal:?}") };
    assert_eq!(refusal, Refusal::TooOften { limit: 2, wait: 3400 });
    hand_in(&mut world.course, ada, "3", 13_600).unwrap();
    hand_in(&mut world.course, ada, "4", 13_600).unwrap_err();
    world.course.set_limits(Limits { per_hour: 0, kept: 9, ..Limits::default() });
    hand_in(&mut world.course, ada, "5", 99_000).unwrap_err();
}

#[test]
fn files_of_the_versions_that_play_are_kept() {
    let mut world = World::new();
    let ada = world.team("Ada");
    world.course.set_limits(Limits { per_hour: 99, kept: 3, ..Limits::default() });
    let first = world.version(ada, "first", true);
    let second = world.version(ada, "second", true);
    let failed = world.version(ada, "failed", false);
    let third = world.version(ada, "third", false);
    let has = |world: &World| {
        [first, second, failed, third].map(|it| world.course.files(it).unwrap().is_some())
    };
    assert_eq!(has(&world), [true, true, false, true]);
    let fourth = world.version(ada, "fourth", true);
    assert_eq!(has(&world), [true, true, false, false]);
    world.version(ada, "fifth", true);
    world.version(ada, "sixth", false);
    assert_eq!(has(&world), [false; 4]);
    assert!(world.course.files(fourth).unwrap().is_some());
    check_files(&world.reopen().course);
}

#[test]
fn the_same_content_is_one_folder() {
    let mut world = World::new();
    let (ada, bob) = (world.team("Ada"), world.team("Bob"));
    world.course.set_limits(Limits { per_hour: 99, kept: 1, ..Limits::default() });
    let one = world.version(ada, "same", false);
    let other = world.version(bob, "same", true);
    let files = |world: &World, it| world.course.files(it).unwrap();
    assert_eq!(files(&world, one), files(&world, other));
    // Ada's is not needed any more, Bob's is.
    world.version(ada, "else", true);
    assert_eq!(files(&world, one), None);
    check_files(&world.course);
}

/// A machine that plays games runs a version as the package of this hash.
#[test]
fn a_version_is_a_package() {
    let mut world = World::new();
    let ada = world.team("Ada");
    let version = world.version(ada, "x", true);
    let content = world.course.version(version).unwrap().content.to_string();
    let packages = programs::package::Packages::new(world.course.versions_folder().to_owned());
    assert!(packages.has(&content));
    let files = world.course.files(version).unwrap().unwrap();
    fs::write(files.join("more.py"), "").unwrap();
    assert!(!packages.has(&content));
}

#[test]
fn versions_are_compared_as_often_as_a_team_may() {
    let mut world = World::new();
    let [ada, bob] = ["Ada", "Bob"].map(|name| world.team(name));
    let [old, new, failed] = [("x", true), ("y", true), ("z", false)]
        .map(|(text, is_ready)| world.version(ada, text, is_ready));
    let theirs = world.version(bob, "b", true);
    let waiting = hand_in(&mut world.course, ada, "w", 2000).unwrap();
    let now = 1_000_000;
    for pair in [[new, new], [new, failed], [waiting, old], [new, theirs], [theirs, old]] {
        assert!(world.course.compare(ada, pair, now).is_err(), "{pair:?}");
    }
    assert_eq!(world.course.next_comparison().unwrap(), None);
    for second in 0..3 {
        world.course.compare(ada, [new, old], now + second).unwrap();
    }
    assert!(world.course.compare(ada, [new, old], now + 3).is_err());
    assert!(world.course.compare(ada, [new, old], now + 90_000).is_ok());
    let next = world.course.next_comparison().unwrap().unwrap();
    assert_eq!((next.newer, next.older, next.at), (new, old, now));
    world.course.conclude(next.id, "{}").unwrap();
    let after = world.course.next_comparison().unwrap().unwrap();
    assert_eq!(after.at, now + 1);
    let known = world.course.comparisons(ada, 9).unwrap();
    assert_eq!(known.len(), 4);
    assert_eq!(known.last().unwrap().result.as_deref(), Some("{}"));
    assert!(world.course.comparisons(bob, 9).unwrap().is_empty());
}

/// A build makes other files; those that were handed in stay for the versions that have them, too.
#[test]
fn a_version_that_is_checked_may_get_other_files() {
    let mut world = World::new();
    let [ada, bob] = ["Ada", "Bob"].map(|name| world.team(name));
    let [first, same] =
        [ada, bob].map(|team| hand_in(&mut world.course, team, "source", 1).unwrap());
    let files = |world: &World, version| world.course.files(version).unwrap().unwrap();
    let source = files(&world, first);
    let built = |world: &World, name: &str| {
        let folder = world.course.incoming().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("program"), "built").unwrap();
        Sealed::of(folder).unwrap()
    };
    let early = built(&world, "early");
    assert!(world.course.replace_files(first, early, "").is_err(), "it is not checked yet");
    for version in [first, same] {
        assert_eq!(world.course.next_check().unwrap().unwrap().id, version);
        assert!(source.is_dir());
        let sealed = built(&world, "built");
        world.course.replace_files(version, sealed, "built").unwrap();
        assert_eq!(world.course.version(version).unwrap().about, "built");
        assert!(files(&world, version).join("program").is_file());
    }
    assert!(!source.exists(), "nobody needs it any more");
    assert_eq!(files(&world, first), files(&world, same));
    assert_eq!(fs::read_dir(world.course.incoming()).unwrap().count(), 0);
}

#[test]
fn what_is_no_folder_of_files_is_refused() {
    let mut world = World::new();
    let ada = world.team("Ada");
    let upload = world.course.incoming().join("upload");
    fs::create_dir_all(upload.join("empty")).unwrap();
    let refuse = |upload: &Path| match Sealed::of(upload.to_owned()) {
        Err(CourseError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    };
    assert_eq!(refuse(&upload), Refusal::NoFiles);
    #[cfg(unix)]
    {
        fs::create_dir(&upload).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", upload.join("link")).unwrap();
        assert_eq!(refuse(&upload), Refusal::NotAFile("link".into()));
    }
    // A folder that is refused, or dropped, leaves nothing.
    fs::create_dir(&upload).unwrap();
    fs::write(upload.join("main.py"), "x").unwrap();
    drop(Sealed::of(upload.clone()).unwrap());
    assert!(!upload.exists());
    world.course.set_limits(Limits { per_hour: 0, kept: 9, ..Limits::default() });
    hand_in(&mut world.course, ada, "x", 1).unwrap_err();
    check_files(&world.course);
}

#[test]
#[cfg(unix)]
fn a_folder_that_leads_elsewhere_is_not_swept() {
    let mut world = World::new();
    let ada = world.team("Ada");
    let version = world.version(ada, "x", true);
    let (incoming, files) =
        (world.course.incoming(), world.course.files(version).unwrap().unwrap());
    let World { folder, course, .. } = world;
    drop(course);
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("precious"), "").unwrap();
    // A link in the place of a version is removed, without what it leads to.
    let place = incoming.parent().unwrap().join("0".repeat(64));
    std::os::unix::fs::symlink(&other, &place).unwrap();
    let path = folder.path().join("cours.sqlite");
    let course = Course::open(&path).unwrap();
    assert!(!place.is_symlink() && other.join("precious").exists());
    // Files that were changed are not copied as what they are not.
    fs::write(files.join("main.py"), "changed").unwrap();
    assert_eq!(course.copy_to(&folder.path().join("copy")).unwrap(), [version]);
    drop(course);
    fs::remove_dir(&incoming).unwrap();
    std::os::unix::fs::symlink(&other, &incoming).unwrap();
    let refusal = Course::open(&path).unwrap_err();
    assert!(matches!(refusal, CourseError::Refused(Refusal::NotAFile(_))), "{refusal:?}");
    assert!(other.join("precious").exists());
}

#[test]
#[cfg(unix)]
fn only_the_owner_reads_a_course_and_lists_its_versions() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut world = World::new();
    let ada = world.team("Ada");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    let folder = world.folder.path().to_owned();
    let of = |suffix: &str| folder.join(format!("cours.sqlite{suffix}"));
    for suffix in ["", "-wal", "-shm", ".verrou"] {
        assert_eq!(mode(&of(suffix)), 0o600, "{suffix}");
        set(&of(suffix), 0o644).unwrap();
    }
    set(&of(".versions"), 0o755).unwrap();
    let mut world = world.reopen();
    hand_in(&mut world.course, ada, "x", 1).unwrap();
    for suffix in ["", "-wal", "-shm", ".verrou"] {
        assert_eq!(mode(&of(suffix)), 0o600, "{suffix}");
    }
    assert_eq!((mode(&of(".versions")), mode(&world.course.incoming())), (0o711, 0o700));
}

#[test]
fn what_is_missing_or_left_over_is_told_and_the_course_opens() {
    let mut world = World::new();
    let ada = world.team("Ada");
    let [one, two] = ["one", "two"].map(|text| world.version(ada, text, true));
    let waiting = hand_in(&mut world.course, ada, "three", 1).unwrap();
    for gone in [two, waiting] {
        fs::remove_dir_all(world.course.files(gone).unwrap().unwrap()).unwrap();
    }
    let left = world.course.incoming().join("left");
    fs::create_dir_all(left.join("within")).unwrap();
    let lock_up = |is_locked| {
        #[cfg(unix)]
        let _ = fs::set_permissions(
            &left,
            std::os::unix::fs::PermissionsExt::from_mode(if is_locked { 0o500 } else { 0o700 }),
        );
    };
    lock_up(true);
    let mut world = world.reopen();
    // The superuser removes everything.
    let expected = left.exists().then_some(left.clone());
    assert_eq!(world.course.leftovers(), expected.as_slice());
    lock_up(false);
    assert_eq!(world.course.missing(), [two, waiting]);
    assert_eq!(world.course.playing(ada).unwrap(), Some(one));
    assert_eq!(world.course.next_check().unwrap(), None);
    let world = world.reopen();
    assert!(world.course.missing().is_empty() && world.course.leftovers().is_empty());
    check_files(&world.course);
}

#[test]
fn a_copy_is_a_course() {
    let mut world = World::with_house();
    let ada = world.team("Ada");
    let version = world.version(ada, "x", true);
    let seats = [Player::Version(version), house("a"), house("b"), house("c")];
    world.course.keep_games(&[(game(1, seats.clone()), recorded(100))]).unwrap();
    let path = world.folder.path().join("copy.sqlite");
    assert_eq!(world.course.copy_to(&path).unwrap(), []);
    assert!(matches!(world.course.copy_to(&path), Err(CourseError::Exists(_))));
    let missing = world.folder.path().join("missing");
    assert!(world.course.copy_to(&missing.join("copy.sqlite")).is_err());
    assert!(!missing.exists(), "a folder that does not exist is not made");
    let mut copy = Course::open(&path).unwrap();
    #[cfg(unix)]
    for file in [&path, &world.path()] {
        let mode =
            std::os::unix::fs::PermissionsExt::mode(&fs::metadata(file).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
    }
    assert_eq!(copy.versions(ada).unwrap(), world.course.versions(ada).unwrap());
    assert_eq!(copy.recording(key(1)).unwrap(), Some(vec![7; 100]));
    assert_eq!(copy.who(&world.teacher).unwrap(), Some(course::Who::Teacher));
    check_files(&copy);
    // The copy goes its own way.
    copy.keep_games(&[(game(2, seats), recorded(100))]).unwrap();
    assert_eq!((copy.game_count().unwrap(), world.course.game_count().unwrap()), (2, 1));
}

#[test]
fn a_check_that_was_lost_is_made_again() {
    let mut world = World::new();
    let ada = world.team("Ada");
    let version = hand_in(&mut world.course, ada, "x", 1).unwrap();
    let release = |world: &mut World| match world.course.release(version) {
        Err(CourseError::Refused(refusal)) => Some(refusal),
        done => done.map(|()| None).unwrap(),
    };
    assert_eq!(release(&mut world), Some(Refusal::NotChecking));
    for _ in 0..2 {
        assert_eq!(world.course.next_check().unwrap().map(|next| next.id), Some(version));
        assert_eq!(release(&mut world), None);
    }
    world.course.next_check().unwrap().unwrap();
    world.course.withdraw(version, course::Who::Team(ada), 2).unwrap();
    assert_eq!(release(&mut world), None);
    assert_eq!(world.course.next_check().unwrap(), None);
}

#[test]
fn a_verdict_is_json_of_a_version_that_is_checked() {
    let mut world = World::new();
    let ada = world.team("Ada");
    let refused = |result| match result {
        Err(CourseError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    };
    let version = hand_in(&mut world.course, ada, "x", 1).unwrap();
    assert_eq!(refused(world.course.judge(version, "{}", true)), Refusal::NotChecking);
    world.course.next_check().unwrap().unwrap();
    assert_eq!(refused(world.course.judge(version, "{", true)), Refusal::Verdict);
    let long = format!("[{}]", " ".repeat(64 << 10));
    assert_eq!(refused(world.course.judge(version, &long, true)), Refusal::TooLong(64 << 10));
    assert_eq!(world.course.verdict(version).unwrap(), None);
    world.course.judge(version, "{}", true).unwrap();
    assert_eq!(world.course.verdict(version).unwrap().as_deref(), Some("{}"));
    assert_eq!(refused(world.course.judge(version, "{}", false)), Refusal::NotChecking);
    assert_eq!(world.course.playing(ada).unwrap(), Some(version));
    // The one that is checked when it is withdrawn never plays.
    let second = hand_in(&mut world.course, ada, "y", 1).unwrap();
    world.course.next_check().unwrap().unwrap();
    world.course.withdraw(second, course::Who::Team(ada), 2).unwrap();
    world.course.judge(second, "{}", true).unwrap();
    assert_eq!(world.course.playing(ada).unwrap(), Some(version));
}
