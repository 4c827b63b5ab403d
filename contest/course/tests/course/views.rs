//! Teams and the public see their own views, and nothing else.

use course::{NewTeam, Player, SeenPlayer, TeamId, Traces, VersionId, Who};
use plan::FaultKind;

use crate::world::{World, game, hand_in, house, key, recorded};

/// Each thing of a team has its mark in it.
const MARKS: [&str; 3] = ["MARK-ADA", "MARK-BOB", "MARK-EVE"];

struct Class {
    world: World,
    teams: Vec<TeamId>,
    versions: Vec<Vec<VersionId>>,
}

/// Three teams with three versions each. Game 1 is Ada's and Bob's, game 2 Bob's and Eve's, game 3 Bob's alone.
fn class() -> Class {
    let mut world = World::new();
    world.course.set_house(["x", "y", "z"]).unwrap();
    let mut teams = Vec::new();
    for (name, mark) in ["Ada", "Bob", "MARK-EVE-name"].into_iter().zip(MARKS) {
        let team = NewTeam {
            name: name.to_owned(),
            group: "TD 1".to_owned(),
            members: vec![format!("{mark}-member")],
            mail: Some(format!("{mark}-mail")),
            pseudonym: (mark == MARKS[2]).then(|| "Zorro".to_owned()),
        };
        teams.push(world.course.add_team(&team, 1000).unwrap().0);
    }
    let mut versions = Vec::new();
    for (team, mark) in teams.iter().zip(MARKS) {
        let passed =
            ["one", "two"].map(|text| world.version(*team, &format!("{mark} {text}"), true));
        let failed = world.version(*team, &format!("{mark} bad"), false);
        versions.push([passed[0], passed[1], failed].to_vec());
    }
    let player = |team: usize| Player::Version(versions[team][1]);
    for (number, seats, owners) in [
        (1, [player(0), player(1), house("x"), house("y")], [0, 1, 9, 9]),
        (2, [player(1), player(2), house("x"), house("y")], [1, 2, 9, 9]),
        (3, [player(1), house("x"), house("y"), house("z")], [1, 9, 9, 9]),
    ] {
        let mut traces = Traces { recording: vec![1], ..Traces::default() };
        let mut game = game(number, seats);
        for (seat, owner) in owners.into_iter().enumerate().filter(|(_, owner)| *owner < 3) {
            traces.outputs[seat] = MARKS[owner].as_bytes().to_vec();
            traces.thoughts[seat] = format!("{} thought", MARKS[owner]).into_bytes();
            game.seats[seat].fault = Some(FaultKind::Crashed);
            game.seats[seat].cpu = 7_654_321;
        }
        if number > 1 {
            traces.recording = b"MARK-BOB recording".to_vec();
        }
        world.course.keep_games(&[(game, traces)]).unwrap();
    }
    Class { world, teams, versions }
}

/// A text that shows bytes as letters.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Everything that a team can ask for, as text, with the number of questions.
fn all_answers(class: &Class, who: usize) -> (usize, String) {
    let view = class.world.course.as_team(class.teams[who]).unwrap();
    let mut answers = vec![
        format!("{:?}", view.team().unwrap()),
        format!("{:?}", view.versions().unwrap()),
        format!("{:?}", view.games(None, 100).unwrap()),
        format!("{:?}", view.playing().unwrap()),
        format!("{:?}", view.rating().unwrap()),
        format!("{:?}", view.rating_days().unwrap()),
        format!("{:?}", view.pairs().unwrap()),
        format!("{:?}", view.lost_games(100).unwrap()),
        format!("{:?}", class.world.course.public().rating_days().unwrap()),
        format!("{:?}", class.world.course.public().ladder().unwrap()),
    ];
    for number in 0..20 {
        let version = VersionId::from_number(number);
        answers.push(format!("{:?}", view.version(version).unwrap()));
        answers.push(view.verdict(version).unwrap().unwrap_or_default());
        let files = view.files(version).unwrap();
        answers.push(files.map_or(String::new(), |files| {
            std::fs::read_to_string(files.join("main.py")).unwrap()
        }));
    }
    for number in 0..5 {
        answers.push(format!("{:?}", view.game(key(number)).unwrap()));
        answers.push(format!("{:?}", view.games(Some(key(number)), 100).unwrap()));
        answers.push(view.recording(key(number)).unwrap().map_or(String::new(), |it| text(&it)));
        answers.push(view.thoughts(key(number)).unwrap().map_or(String::new(), |it| text(&it)));
        let outputs = view.outputs(key(number)).unwrap();
        answers
            .extend(outputs.iter().map(|(version, output)| format!("{version} {}", text(output))));
    }
    (answers.len(), answers.join("\n"))
}

#[test]
fn a_team_sees_nothing_of_the_others() {
    let mut class = class();
    class.world.course.note_ratings(1).unwrap();
    let (mut asked, mut seen) = (0, 0);
    for who in [0, 2] {
        let (questions, answers) = all_answers(&class, who);
        asked += questions;
        for other in (0..3).filter(|other| *other != who) {
            // Eve has played in Bob's game 2, whose recording she may see.
            let answers =
                if who == 2 { answers.replace("MARK-BOB recording", "") } else { answers.clone() };
            seen += usize::from(answers.contains(MARKS[other]));
        }
        assert!(answers.contains(MARKS[who]), "{answers}");
    }
    assert!(asked >= 90 && seen == 0, "{asked} asked, {seen} seen");
}

#[test]
fn each_attempt_to_reach_another_team_gives_nothing() {
    let mut class = class();
    let mut attempts = 0;
    let ada = class.world.course.as_team(class.teams[0]).unwrap();
    for version in class.versions[1..].iter().flatten() {
        assert_eq!(ada.version(*version).unwrap(), None);
        assert_eq!(ada.files(*version).unwrap(), None);
        assert_eq!(ada.verdict(*version).unwrap(), None);
        attempts += 3;
    }
    for number in [2, 3] {
        assert_eq!(ada.game(key(number)).unwrap(), None);
        assert_eq!(ada.recording(key(number)).unwrap(), None);
        assert_eq!(ada.outputs(key(number)).unwrap(), []);
        assert_eq!(ada.thoughts(key(number)).unwrap(), None);
        assert_eq!(ada.games(Some(key(number)), 10).unwrap(), []);
        attempts += 5;
    }
    let own = ada.outputs(key(1)).unwrap();
    assert_eq!(own, [(class.versions[0][1], MARKS[0].as_bytes().to_vec())]);
    assert_eq!(ada.thoughts(key(1)).unwrap(), Some(format!("{} thought", MARKS[0]).into_bytes()));
    let game = ada.game(key(1)).unwrap().unwrap();
    assert_eq!(game.seats[0].player, SeenPlayer::Own(class.versions[0][1]));
    assert_eq!(
        (game.seats[0].fault, game.seats[0].cpu),
        (Some(FaultKind::Crashed), Some(7_654_321))
    );
    for seat in &game.seats[1..] {
        assert!(!matches!(seat.player, SeenPlayer::Own(_)));
        assert_eq!((seat.fault, seat.cpu), (None, None));
        attempts += 2;
    }
    assert_eq!(ada.games(None, 10).unwrap().len(), 1);
    let eve = class.world.course.as_team(class.teams[2]).unwrap();
    let eves = eve.games(None, 10).unwrap();
    assert_eq!((eves.len(), eves[0].key), (1, key(2)));
    for number in 0..10 {
        assert!(class.world.course.as_team(TeamId::from_number(number + 4)).is_err());
        attempts += 1;
    }
    for version in class.versions[1..].iter().flatten() {
        let by = Who::Team(class.teams[0]);
        class.world.course.withdraw(*version, by, 4000).unwrap_err();
        attempts += 1;
    }
    assert!(attempts >= 30, "{attempts}");
    assert_eq!(class.world.course.playing(class.teams[1]).unwrap(), Some(class.versions[1][1]));
}

#[test]
fn lost_games_are_those_of_the_version_that_plays() {
    let mut class = class();
    let versions = class.versions[0].clone();
    let others = [house("x"), house("y"), house("z")];
    let mut keep = |number, version: VersionId, seat: usize, place, recording| {
        let mut seats = others.to_vec();
        seats.insert(seat, Player::Version(version));
        let mut game = game(number, seats.try_into().unwrap());
        for (other, kept) in game.seats.iter_mut().enumerate() {
            kept.place = if other == seat { place } else { 3 - place };
        }
        class.world.course.keep_games(&[(game, recorded(recording))]).unwrap();
    };
    keep(4, versions[1], 3, 2, 5);
    keep(5, versions[1], 1, 1, 5);
    keep(6, versions[1], 0, 2, 0);
    keep(7, versions[0], 2, 2, 5);
    keep(8, versions[1], 2, 2, 6);
    let ada = class.world.course.as_team(class.teams[0]).unwrap();
    let lost = |most| {
        let games = ada.lost_games(most).unwrap();
        games.into_iter().map(|(game, bytes)| (game.key, bytes.len())).collect::<Vec<_>>()
    };
    assert_eq!(lost(2), [(key(8), 6), (key(4), 5)]);
    assert_eq!(lost(1), [(key(8), 6)]);
}

#[test]
fn games_are_paged_by_key() {
    let class = class();
    let course = &class.world.course;
    let bob = course.as_team(class.teams[1]).unwrap();
    let page = |before| {
        let games = bob.games(before, 2).unwrap();
        games.iter().map(|game| game.key).collect::<Vec<_>>()
    };
    assert_eq!(page(None), [key(3), key(2)]);
    assert_eq!(page(Some(key(2))), [key(1)]);
    assert_eq!(page(Some(key(1))), []);
    assert_eq!(page(Some(key(9))), []);
    let all = course.recent_games(Some(key(3)), 9).unwrap();
    assert_eq!(all.iter().map(|game| game.key).collect::<Vec<_>>(), [key(2), key(1)]);
    assert_eq!(course.recent_games(None, 1).unwrap()[0], course.game(key(3)).unwrap().unwrap());
}

#[test]
fn after_the_end_games_are_open_and_the_rest_is_not() {
    let mut class = class();
    class.world.course.end(5000).unwrap();
    let ada = class.world.course.as_team(class.teams[0]).unwrap();
    let game = ada.game(key(2)).unwrap().unwrap();
    assert_eq!(game.seats[1].player, SeenPlayer::Other("Zorro".to_owned()));
    assert!(game.seats.iter().all(|seat| seat.fault.is_none() && seat.cpu.is_none()));
    assert!(ada.recording(key(3)).unwrap().is_some());
    assert_eq!(ada.outputs(key(3)).unwrap(), []);
    let (_, answers) = all_answers(&class, 0);
    let answers = answers.replace("MARK-BOB recording", "");
    assert!(!answers.contains(MARKS[1]) && !answers.contains(MARKS[2]));
}

#[test]
fn ratings_are_noted_once_a_day() {
    let mut class = class();
    let course = &mut class.world.course;
    for now in [86_399, 86_400, 90_000, 200_000] {
        course.note_ratings(now).unwrap();
    }
    let days = course.as_team(class.teams[1]).unwrap().rating_days().unwrap();
    assert_eq!(days.iter().map(|day| day.day).collect::<Vec<_>>(), [0, 1, 2]);
    let rating = course.as_team(class.teams[1]).unwrap().rating().unwrap().unwrap();
    assert!(days.iter().all(|day| (day.rating, day.games) == (rating.rating, 3)), "{days:?}");
    assert!(days.iter().all(|day| day.version == class.versions[1][1]));
    let public = course.public().rating_days().unwrap();
    assert_eq!((public.len(), public[2].name.as_str(), public[2].day), (9, "Zorro", 0));
    course.disqualify(class.teams[2], Some("copied"), 3).unwrap();
    assert_eq!(course.public().rating_days().unwrap().len(), 6);
}

#[test]
fn who_beats_whom_is_summed_up_over_all_versions() {
    let mut class = class();
    let course = &mut class.world.course;
    let sums = |course: &course::Course| {
        let pairs = course.pairs().unwrap();
        pairs.iter().map(|it| (it.games, it.wins, it.draws)).collect::<Vec<_>>()
    };
    // Ada with Bob, Ada with Eve, Bob with Ada, …
    let first = [(1, 1, 0), (0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 0), (1, 0, 0)];
    assert_eq!(sums(course), first);
    let old = |team: usize| Player::Version(class.versions[team][0]);
    let mut drawn = game(9, [old(0), house("x"), old(1), old(2)]);
    drawn.seats[2].place = 1;
    course.keep_games(&[(drawn, recorded(1))]).unwrap();
    let then = [(2, 1, 1), (1, 1, 0), (2, 0, 1), (2, 2, 0), (1, 0, 0), (2, 0, 0)];
    assert_eq!(sums(course), then);
    let pairs = course.as_team(class.teams[1]).unwrap().pairs().unwrap();
    let seen: Vec<_> = pairs.iter().map(|it| (it.name.as_str(), it.games, it.wins)).collect();
    assert_eq!(seen, [("Ada", 2, 0), ("Zorro", 2, 2)]);
    course.disqualify(class.teams[2], Some("copied"), 3).unwrap();
    assert_eq!(sums(&class.world.reopen().course), [(2, 1, 1), (2, 0, 1)]);
}

#[test]
fn equal_ratings_are_in_the_order_of_names() {
    let mut world = World::new();
    for name in ["Zoé", "Ada", "Bob"] {
        let team = world.team(name);
        world.version(team, name, true);
    }
    let ladder = world.course.public().ladder().unwrap();
    let names: Vec<_> = ladder.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["Ada", "Bob", "Zoé"]);
}

#[test]
fn the_public_ladder_has_pseudonyms_and_intervals() {
    let mut class = class();
    for number in 10..30 {
        let seats = [class.versions[2][1], class.versions[1][1]].map(Player::Version);
        let [eve, bob] = seats;
        let game = game(number, [eve, house("x"), bob, house("y")]);
        class.world.course.keep_games(&[(game, recorded(10))]).unwrap();
    }
    let public = class.world.course.public();
    let ladder = public.ladder().unwrap();
    assert_eq!(public.games().unwrap(), 23);
    assert!(ladder.iter().all(|row| row.low < row.rating && row.rating < row.high));
    assert_eq!((ladder[0].name.as_str(), ladder[0].games), ("Zorro", 21));
    let levels: Vec<f64> = ladder.iter().filter(|row| row.is_house).map(|row| row.rating).collect();
    let mean = levels.iter().sum::<f64>() / 3.0;
    assert!(levels.len() == 3 && (mean - 1500.0).abs() < 1e-6, "{levels:?}");
    // The sums are those of a course that reads all games at once.
    let before = format!("{ladder:?}");
    let _ = hand_in(&mut class.world.course, class.teams[0], "new", 6000).unwrap();
    let world = class.world.reopen();
    assert_eq!(format!("{:?}", world.course.public().ladder().unwrap()), before);
}
