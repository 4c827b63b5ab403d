//! Teams, tokens, invitations, CSV files and the audit log.

use course::{Course, CourseError, CsvFault, Deed, ImportError, NewTeam, Refusal, Who, read_teams};

use crate::world::World;

fn named(name: &str) -> NewTeam {
    NewTeam { name: name.to_owned(), ..NewTeam::default() }
}

fn refused<T: std::fmt::Debug>(result: Result<T, CourseError>) -> Refusal {
    match result {
        Err(CourseError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn names_are_printable_and_unique_without_case() {
    let mut world = World::new();
    let course = &mut world.course;
    let (ada, _) = course.add_team(&named("Éva"), 1).unwrap();
    assert_eq!(refused(course.add_team(&named("éVA"), 1)), Refusal::Taken("éVA".into()));
    for bad in ["", " x", "a\nb", "a;b", "\u{202e}x", &"x".repeat(65)] {
        assert_eq!(refused(course.add_team(&named(bad), 1)), Refusal::Name(bad.into()));
    }
    let (bob, _) = course.add_team(&named("Bob"), 1).unwrap();
    let by = Who::Team(bob);
    refused(course.show_as(bob, Some("ÉVA"), by, 2));
    course.show_as(bob, Some("Zorro"), by, 2).unwrap();
    assert_eq!(course.team(bob).unwrap().public_name(), "Zorro");
    // Nobody may take what another team was shown by.
    course.show_as(bob, None, by, 3).unwrap();
    refused(course.show_as(ada, Some("zorro"), Who::Team(ada), 4));
    assert_eq!(course.teams().unwrap().len(), 2);
}

#[test]
fn a_token_is_valid_until_it_is_renewed() {
    let mut world = World::new();
    let (ada, token) = world.course.add_team(&named("Ada"), 1).unwrap();
    let (whose, teacher) = (Who::Team(ada), world.teacher.clone());
    let new = world.course.renew_token(whose, Who::Teacher, 2).unwrap();
    let next = world.course.renew_token(Who::Teacher, Who::Teacher, 3).unwrap();
    let world = world.reopen();
    let who = |token: &str| world.course.who(token).unwrap();
    assert_eq!(who(&new.to_string()), Some(whose));
    assert_eq!(who(&next.to_string()), Some(Who::Teacher));
    for old in [&token.to_string(), &teacher, "", "x", &"0".repeat(32)] {
        assert_eq!(who(old), None);
    }
    // The file has no token in it.
    let bytes = std::fs::read(world.path()).unwrap();
    let digits = new.to_string();
    let raw = u128::from_str_radix(&digits, 16).unwrap().to_be_bytes();
    for secret in [digits.as_bytes(), &raw] {
        assert!(!bytes.windows(secret.len()).any(|part| part == secret));
    }
    let deeds: Vec<_> = world.course.audit(99).unwrap();
    let deeds: Vec<_> = deeds.iter().map(|entry| (entry.at, entry.who, &entry.deed)).collect();
    let expected = [
        (3, Who::Teacher, &Deed::TeacherTokenRenewed),
        (2, Who::Teacher, &Deed::TokenRenewed(ada)),
        (1, Who::Teacher, &Deed::TeamAdded(ada)),
    ];
    assert_eq!(deeds, expected);
    assert_eq!(world.course.audit(1).unwrap().len(), 1);
}

#[test]
fn a_pause_lasts_over_a_restart_and_is_in_the_log() {
    let mut world = World::new();
    assert!(!world.course.is_paused().unwrap());
    for (at, is_paused) in [(1, true), (2, true), (3, false), (4, true)] {
        world.course.pause(is_paused, at).unwrap();
    }
    let world = world.reopen();
    assert!(world.course.is_paused().unwrap());
    let deeds = world.course.audit(9).unwrap();
    let deeds: Vec<_> = deeds.iter().map(|entry| (entry.at, &entry.deed)).collect();
    assert_eq!(deeds, [(4, &Deed::Paused), (3, &Deed::Resumed), (1, &Deed::Paused)]);
}

#[test]
fn a_team_changes_its_own_things_only() {
    let mut world = World::new();
    let (ada, bob) = (world.team("Ada"), world.team("Bob"));
    let course = &mut world.course;
    let by = Who::Team(ada);
    for whose in [Who::Team(bob), Who::Teacher] {
        assert_eq!(refused(course.renew_token(whose, by, 2)), Refusal::NoTeam);
    }
    assert_eq!(refused(course.show_as(bob, Some("x"), by, 2)), Refusal::NoTeam);
    assert_eq!(course.who(&world.teacher).unwrap(), Some(Who::Teacher));
    course.renew_token(by, by, 2).unwrap();
    course.show_as(bob, Some("x"), Who::Teacher, 2).unwrap();
}

/// The team before keeps its name and two pseudonyms.
#[test]
fn a_team_reserves_three_names() {
    let mut world = World::new();
    let (ada, bob) = (world.team("Ada"), world.team("Bob"));
    let mut show = |team, name: &str| world.course.show_as(team, Some(name), Who::Team(team), 2);
    for name in ["one", "two", "ADA", "three"] {
        show(ada, name).unwrap();
    }
    for name in ["ada", "two", "three"] {
        assert_eq!(refused(show(bob, name)), Refusal::Taken(name.into()));
    }
    show(bob, "ONE").unwrap();
    // A pseudonym that is taken up again is the last one.
    for name in ["two", "four"] {
        show(ada, name).unwrap();
    }
    show(bob, "three").unwrap();
    refused(show(bob, "two"));
}

#[test]
fn an_invitation_is_used_a_bounded_number_of_times() {
    let mut world = World::new();
    let code = world.course.invite("TD 2", 2, 1).unwrap().to_string();
    let (ada, _) = world.course.join(&code, &named("Ada"), 2).unwrap();
    assert_eq!(world.course.team(ada).unwrap().about.group, "TD 2");
    // A refused name uses nothing up.
    refused(world.course.join(&code, &named("ada"), 2));
    let mut world = world.reopen();
    world.course.join(&code, &named("Bob"), 2).unwrap();
    assert_eq!(refused(world.course.join(&code, &named("Eve"), 2)), Refusal::Invitation);
    assert_eq!(refused(world.course.join("no code", &named("Eve"), 2)), Refusal::Invitation);
}

#[test]
fn a_csv_file_is_read_by_its_heads() {
    for text in [
        "name,group,members,mail\nAda,TD 1,\"A, B\",a@b\n\nBob,TD 2,,\n",
        "\u{feff}Courriel;MEMBRES;nom;Groupe\r\na@b;A|B;Ada;TD 1\r\n;;;\r\n;;Bob;TD 2\r\n",
    ] {
        let teams = read_teams(text.as_bytes()).unwrap();
        let ada = &teams[0].team;
        assert_eq!((ada.name.as_str(), ada.group.as_str()), ("Ada", "TD 1"));
        assert_eq!((ada.members.join("+").as_str(), ada.mail.as_deref()), ("A+B", Some("a@b")));
        assert_eq!((teams[1].team.name.as_str(), &teams[1].team.mail), ("Bob", &None));
        assert_eq!(teams.len(), 2);
    }
}

#[test]
fn a_fault_of_a_csv_file_has_its_place_and_adds_nothing() {
    let mut world = World::new();
    let table: [(&[u8], u64, usize, CsvFault); 9] = [
        (b"", 1, 1, CsvFault::NoNames),
        (b"group\nTD 1", 1, 1, CsvFault::NoNames),
        (b"nom,mark\nAda,2", 1, 2, CsvFault::Unknown("mark".into())),
        (b"nom,name\nAda,2", 1, 2, CsvFault::Twice("name".into())),
        (b"nom;td\nAda;1\nBob;1;2", 3, 3, CsvFault::TooLong),
        (b"td,nom\n1,Ada\n1,\"\"", 3, 2, Refusal::Name(String::new()).into()),
        (b"td,nom\n1,Ada\n1", 3, 2, Refusal::Name(String::new()).into()),
        (b"td,nom\n1,Ada\n\n1,ada", 4, 2, Refusal::Taken("ada".into()).into()),
        (b"nom\nAda\n\xff", 3, 1, CsvFault::Encoding),
    ];
    for (text, line, column, fault) in table {
        match world.course.import(text, 1) {
            Err(ImportError::Csv { line: at, column: across, fault: found }) => {
                assert_eq!((at, across, found), (line, column, fault));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(world.course.teams().unwrap().len(), 0);
    }
    let added = world.course.import("nom;groupe\nAda;TD 1\nBob;TD 1".as_bytes(), 1).unwrap();
    assert_eq!(world.course.who(&added[1].1.to_string()).unwrap(), Some(Who::Team(added[1].0)));
}

#[test]
fn a_course_is_created_once_and_opened_once() {
    let world = World::new();
    let path = world.path();
    assert!(matches!(Course::open(&path), Err(CourseError::Locked(_))));
    let World { folder, course, .. } = world;
    #[cfg(unix)]
    {
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(matches!(Course::open(&link), Err(CourseError::Locked(_))));
        assert!(matches!(Course::create(&link, 1), Err(CourseError::Locked(_))));
    }
    drop(course);
    assert!(matches!(Course::create(&path, 1), Err(CourseError::Exists(_))));
    let other = folder.path().join("other");
    assert!(matches!(Course::open(&other), Err(CourseError::Missing(_))));
    std::fs::write(&other, "no database, but a text that is long enough to be one".repeat(99))
        .unwrap();
    assert!(matches!(Course::open(&other), Err(CourseError::Foreign(_))));
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch("CREATE TRIGGER t AFTER INSERT ON audit BEGIN DELETE FROM game; END").unwrap();
    assert!(matches!(Course::open(&path), Err(CourseError::Foreign(_))));
    db.execute_batch("DROP TRIGGER t; PRAGMA user_version = 99").unwrap();
    assert!(matches!(Course::open(&path), Err(CourseError::Version { found: 99, .. })));
}
