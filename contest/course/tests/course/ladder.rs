//! Games, thinning, and who plays next.

use course::{
    Challenged, CourseError, Entrant, EntrantKind, Kept, LadderRules, Limits, Player, Refusal,
    VersionId, Who, next_games,
};
use plan::FaultKind;
use plan::record::GameRanking;
use rating::{Games, Meetings};

use crate::world::{World, game, house, key, recorded};

fn with_versions(names: &[&str]) -> (World, Vec<VersionId>) {
    let mut world = World::new();
    let mut versions = Vec::new();
    for name in names {
        let team = world.team(name);
        versions.push(world.version(team, name, true));
    }
    (world, versions)
}

#[test]
fn a_game_counts_once_and_is_read_back() {
    let (mut world, versions) = with_versions(&["Ada"]);
    world.course.set_house(["a", "b", "c", "d"]).unwrap();
    let seats = [Player::Version(versions[0]), house("a"), house("a"), house("b")];
    let mut one = game(1, seats.clone());
    one.seats[2].fault = Some(FaultKind::TimedOut);
    let batch = [(one.clone(), recorded(5)), (one.clone(), recorded(6))];
    assert_eq!(world.course.keep_games(&batch).unwrap(), [Kept::New, Kept::Again]);
    let world = world.reopen();
    assert_eq!(world.course.game(key(1)).unwrap(), Some(one));
    assert_eq!(world.course.recording(key(1)).unwrap(), Some(vec![7; 5]));
    assert_eq!(world.course.version(versions[0]).unwrap().games, 1);
}

#[test]
fn an_impossible_game_leaves_out_its_batch() {
    let (mut world, versions) = with_versions(&["Ada"]);
    world.course.set_house(["a", "b", "c", "d"]).unwrap();
    let seats = [Player::Version(versions[0]), house("a"), house("a"), house("b")];
    let unknown = [Player::Version(VersionId::from_number(9)), house("a"), house("a"), house("b")];
    let mut fifth = game(2, seats.clone());
    fifth.seats[3].place = 5;
    let own = Player::Version(versions[0]);
    let twice = game(2, [own.clone(), house("a"), own.clone(), house("b")]);
    let new_level = game(2, [own, house("a"), house("new"), house("b")]);
    for bad in [game(2, unknown), fifth, twice, new_level] {
        let batch = [(game(1, seats.clone()), recorded(5)), (bad, recorded(5))];
        let refusal = world.course.keep_games(&batch).unwrap_err();
        assert!(matches!(refusal, CourseError::Refused(Refusal::Game)), "{refusal:?}");
        assert_eq!(world.course.game_count().unwrap(), 0);
    }
}

#[test]
fn thinning_keeps_results_and_what_is_worth_most() {
    let (mut world, versions) = with_versions(&["Ada"]);
    world.course.set_house(["a", "b", "c", "d"]).unwrap();
    let ada = Player::Version(versions[0]);
    let places = [2, 1, 2, 4, 2, 3, 2, 2, 2, 2];
    for (number, place) in (0..).zip(places) {
        let mut seats = [house("a"), house("b"), house("c"), house("d")];
        seats[place - 1] = ada.clone();
        let mut game = game(number, seats);
        if number == 6 {
            game.seats[0].fault = Some(FaultKind::Crashed);
        }
        world.course.keep_games(&[(game, recorded(100_000))]).unwrap();
    }
    let left = |world: &World| -> Vec<u32> {
        (0..10).filter(|it| world.course.recording(key(*it)).unwrap().is_some()).collect()
    };
    let mut world = world.reopen();
    let pages = std::fs::metadata(world.path()).unwrap().len();
    assert_eq!(world.course.thin(u64::MAX, 9).unwrap().removed, 0);
    assert_eq!(world.course.thin(400_000, 2).unwrap().removed, 2);
    assert_eq!(left(&world), [1, 3, 4, 5, 6, 7, 8, 9]);
    let newest = |before: Option<u32>| -> Vec<_> {
        let games = world.course.recorded_games(before.map(key), 4).unwrap();
        games.iter().map(|game| game.key).collect()
    };
    assert_eq!(newest(None), [9, 8, 7, 6].map(key));
    assert_eq!(newest(Some(6)), [5, 4, 3, 1].map(key));
    assert!(newest(Some(1)).is_empty());
    for (budget, kept) in
        [(400_000, vec![1, 3, 6, 9]), (300_000, vec![1, 3, 9]), (100_000, vec![9]), (0, vec![])]
    {
        let thinned = world.course.thin(budget, 99).unwrap();
        assert_eq!((left(&world), thinned.bytes), (kept, budget));
    }
    let world = world.reopen();
    assert!(std::fs::metadata(world.path()).unwrap().len() < pages / 2);
    assert_eq!(world.course.game_count().unwrap(), 10);
    assert_eq!(world.course.version(versions[0]).unwrap().games, 10);
}

#[test]
fn what_the_house_writes_is_not_kept_and_costs_nothing() {
    let (mut world, versions) = with_versions(&["Ada"]);
    world.course.set_house(["a"]).unwrap();
    let seats = [Player::Version(versions[0]), house("a"), house("a"), house("a")];
    let mut traces = recorded(5);
    traces.outputs = [vec![1; 10], vec![2; 1000], vec![3; 1000], Vec::new()];
    world.course.keep_games(&[(game(1, seats), traces)]).unwrap();
    assert_eq!(world.course.thin(u64::MAX, 1).unwrap().bytes, 15);
    assert_eq!(world.course.output(key(1), versions[0]).unwrap(), Some(vec![1; 10]));
}

/// The choice after no games at all.
fn meetings(players: usize) -> Meetings {
    Meetings::after(&Games::new(players).fit())
}

fn entrant(games: u32, used: u64) -> Entrant {
    Entrant { games, house_games: games / 4, used, expected: 10, ..Entrant::default() }
}

const LEVEL: Entrant =
    Entrant { kind: EntrantKind::House, games: 0, house_games: 0, used: 0, expected: 0, group: 0 };

#[test]
fn new_versions_come_first_until_they_have_their_games() {
    let mut entrants: Vec<_> = (0..8).map(|_| entrant(100, 1000)).collect();
    entrants[5] = entrant(0, 1000);
    let rules = LadderRules { new_until: 3, ahead: 1000, house_every: 0, ..LadderRules::default() };
    let games = next_games(6, &entrants, &mut meetings(8), &rules);
    assert_eq!(games.len(), 6);
    assert!(games[..3].iter().all(|game| game.contains(&5)), "{games:?}");
}

#[test]
fn processor_time_becomes_equal() {
    let mut entrants: Vec<_> = (0..12).map(|_| entrant(100, 1000)).collect();
    // The programs of some teams need more time, and one is far behind.
    for (place, entrant) in entrants.iter_mut().enumerate() {
        entrant.expected = 10 + 10 * (place as u64 % 3);
    }
    entrants[7].used = 0;
    entrants.extend([LEVEL; 3]);
    let rules = LadderRules { new_until: 0, ahead: 50, ..LadderRules::default() };
    let games = next_games(1500, &entrants, &mut meetings(15), &rules);
    assert_eq!(games.len(), 1500);
    for game in &games {
        for &player in game {
            entrants[player].used += entrants[player].expected;
        }
    }
    let used = entrants[..12].iter().map(|entrant| entrant.used);
    let (least, most) = (used.clone().min().unwrap(), used.max().unwrap());
    assert!(most - least <= 50 + 30, "{least} {most}");
    let against: Vec<_> =
        games.iter().filter(|game| game.iter().filter(|&&it| it < 12).count() == 1).collect();
    assert!(against.len() > 100, "{}", against.len());
}

/// A team plays in games that were begun for others, too: its games against the house must not be skipped by these.
#[test]
fn each_team_meets_each_level_equally_often() {
    let mut entrants: Vec<_> = (0..7).map(|_| entrant(0, 0)).collect();
    entrants.extend([LEVEL; 3]);
    let rules = LadderRules { new_until: 0, ..LadderRules::default() };
    let games = next_games(700, &entrants, &mut meetings(10), &rules);
    for team in 0..7 {
        let of_team = games.iter().filter(|game| game.contains(&team)).count();
        let against = |level| games.iter().filter(|&it| *it == [team, level, level, level]).count();
        let levels = [7, 8, 9].map(against);
        let (least, most) = (levels.iter().min().unwrap(), levels.iter().max().unwrap());
        assert!(most - least <= 1, "{levels:?}");
        let all: usize = levels.iter().sum();
        assert!(all.abs_diff(of_team / 4) <= 2, "{all} of {of_team}");
    }
}

#[test]
fn the_results_against_a_level_are_those_against_three_copies_of_it() {
    let (mut world, versions) = with_versions(&["Ada", "Bob"]);
    world.course.set_house(["a", "b", "c"]).unwrap();
    let ada = Player::Version(versions[0]);
    let a = |number, place| {
        let mut game = game(number, [house("a"), ada.clone(), house("a"), house("a")]);
        game.seats[1].place = place;
        game.seats[0].place = if place == 1 { 2 } else { 1 };
        game
    };
    let mut shared = a(3, 1);
    shared.seats[0].place = 1;
    let mixed = game(4, [house("a"), ada.clone(), house("a"), house("b")]);
    let met = game(5, [ada.clone(), Player::Version(versions[1]), house("c"), house("c")]);
    let b = game(6, [ada.clone(), house("b"), house("b"), house("b")]);
    for game in [a(1, 1), a(2, 3), shared, mixed, met, b] {
        world.course.keep_games(&[(game, recorded(1))]).unwrap();
    }
    let results = world.course.level_results(versions[0]).unwrap();
    let found: Vec<_> = results.iter().map(|it| (it.level.as_str(), it.games)).collect();
    assert_eq!(found, [("a", 3), ("b", 1)]);
    assert!((results[0].firsts - 1.5).abs() < 1e-12, "{results:?}");
    assert_eq!(world.course.version(versions[0]).unwrap().house_games, 4);
    assert!(world.course.level_results(versions[1]).unwrap().is_empty());
}

#[test]
fn a_level_that_was_taken_out_plays_no_more() {
    let (mut world, versions) = with_versions(&["Ada", "Bob"]);
    world.course.set_house(["a", "b", "c"]).unwrap();
    let played = [Player::Version(versions[0]), house("b"), house("b"), house("b")];
    world.course.keep_games(&[(game(1, played), recorded(1))]).unwrap();
    world.course.set_house(["a", "c"]).unwrap();
    let rules = LadderRules::default();
    let games = world.course.next_games(30, &rules, &[]).unwrap();
    assert_eq!(games.len(), 30);
    assert!(games.iter().flatten().all(|player| *player != house("b")));
    assert!(games.iter().flatten().any(|player| *player == house("c")));
    let team = world.course.version(versions[0]).unwrap().team;
    let challenge = [Challenged::House("b".to_owned())];
    world.course.challenge(team, &challenge, 1, 10).unwrap_err();
    // Its games stay, and it may come back.
    assert_eq!(world.course.level_results(versions[0]).unwrap()[0].level, "b");
    world.course.set_house(["b"]).unwrap();
    let games = world.course.next_games(5, &rules, &[]).unwrap();
    assert!(games.iter().flatten().any(|player| *player == house("b")));
}

#[test]
fn a_challenge_is_played_first_and_as_often_as_asked() {
    let (mut world, versions) = with_versions(&["Ada", "Bob", "Cléo", "Dan"]);
    world.course.set_house(["a", "b"]).unwrap();
    world.course.set_limits(Limits { challenges: 3, ..Limits::default() });
    let teams: Vec<_> = versions.iter().map(|it| world.course.version(*it).unwrap().team).collect();
    let (ada, bob) = (teams[0], Challenged::Team(teams[1]));
    let now = 1_000_000;
    for (others, games) in [
        (vec![], 1),
        (vec![bob.clone()], 0),
        (vec![bob.clone(), bob.clone()], 1),
        (vec![Challenged::Team(ada)], 1),
        (vec![Challenged::House("c".into())], 1),
    ] {
        assert!(world.course.challenge(ada, &others, games, now).is_err(), "{others:?} {games}");
    }
    world.course.challenge(ada, std::slice::from_ref(&bob), 2, now).unwrap();
    assert_eq!(world.course.challenges_left(ada, now).unwrap(), 1);
    let refused = world.course.challenge(ada, std::slice::from_ref(&bob), 2, now + 3600);
    assert!(matches!(refused, Err(CourseError::Refused(Refusal::TooManyChallenges(1)))));

    let rules = LadderRules::default();
    let two = [Player::Version(versions[0]), Player::Version(versions[1]), house("a"), house("b")];
    let next = world.course.next_games(3, &rules, &[]).unwrap();
    let is_asked = |game: &[Player; 4]| {
        let mut game = game.clone();
        game.sort();
        game == two
    };
    assert_eq!(next.iter().map(is_asked).collect::<Vec<_>>(), [true, true, false], "{next:?}");
    // A game in flight counts, and so does one that was played, in any order of seats.
    let next = world.course.next_games(2, &rules, std::slice::from_ref(&two)).unwrap();
    assert_eq!(next.iter().map(is_asked).collect::<Vec<_>>(), [true, false], "{next:?}");
    let [x, y, z, w] = two.clone();
    world.course.keep_games(&[(game(1, [w, y, x, z]), recorded(1))]).unwrap();
    assert_eq!(world.course.challenges_pending(ada).unwrap(), 1);
    world.course.keep_games(&[(game(2, two.clone()), recorded(1))]).unwrap();
    assert_eq!(world.course.challenges_pending(ada).unwrap(), 0);
    // The next day, others may be asked for; games of who does not play wait.
    world.course.challenge(ada, &[bob], 3, now + 24 * 3600).unwrap();
    world.course.withdraw(versions[1], Who::Teacher, now).unwrap();
    let next = world.course.next_games(4, &rules, &[]).unwrap();
    assert!(next.len() == 4 && !next.iter().any(is_asked), "{next:?}");
    assert_eq!(world.course.challenges_pending(ada).unwrap(), 3);
}

#[test]
fn nobody_plays_alone() {
    let rules = LadderRules::default();
    assert!(next_games(3, &[], &mut meetings(0), &rules).is_empty());
    assert!(next_games(3, &[entrant(0, 0)], &mut meetings(1), &rules).is_empty());
    assert!(next_games(3, &[LEVEL; 4], &mut meetings(4), &rules).is_empty());
    assert_eq!(next_games(1, &[entrant(0, 0), LEVEL], &mut meetings(2), &rules), [[0, 1]]);
}

#[test]
fn the_ladder_of_a_course_fills_its_games_with_the_house() {
    let (mut world, versions) = with_versions(&["Ada", "Bob"]);
    let rules = LadderRules::default();
    assert!(world.course.next_games(2, &rules, &[]).unwrap().is_empty());
    world.course.set_house(["glouton"]).unwrap();
    let next = world.course.next_games(2, &rules, &[]).unwrap();
    assert_eq!(next.len(), 2);
    let (mut ours, glouton) = (next[0].to_vec(), house("glouton"));
    ours.sort();
    let expected =
        [Player::Version(versions[0]), Player::Version(versions[1]), glouton.clone(), glouton];
    assert_eq!(ours, expected);
}

#[test]
fn games_in_flight_count_as_played() {
    let (mut world, versions) =
        with_versions(&["Ada", "Bob", "Cléo", "Dan", "Eve", "Fay", "Gus", "Hal"]);
    world.course.set_house(["a"]).unwrap();
    let rules = LadderRules { house_every: 0, new_until: 3, ..LadderRules::default() };
    let mut running: Vec<[Player; 4]> = Vec::new();
    for _ in 0..12 {
        running.extend(world.course.next_games(1, &rules, &running).unwrap());
    }
    assert_eq!(running, world.course.next_games(12, &rules, &[]).unwrap());
    let games = |version: &VersionId| {
        running.iter().flatten().filter(|it| it.version() == Some(*version)).count()
    };
    assert!(versions.iter().all(|version| (4..=8).contains(&games(version))), "{running:?}");
    let unknown = [Player::Version(VersionId::from_number(99)), house("a"), house("a"), house("a")];
    assert!(world.course.next_games(1, &rules, &[unknown]).is_err());
}

/// A version that needs no time is charged the least for each game.
#[test]
fn a_version_that_costs_nothing_does_not_play_all_the_time() {
    let (mut world, versions) = with_versions(&["Ada", "Bob"]);
    world.course.set_house(["a"]).unwrap();
    let rules = LadderRules { new_until: 0, ..LadderRules::default() };
    let teams = versions.iter().map(|it| world.course.version(*it).unwrap().team);
    let teams: Vec<_> = teams.collect();
    for number in 0..30 {
        let mut game =
            game(number, [Player::Version(versions[0]), house("a"), house("a"), house("a")]);
        game.seats[0].cpu = 10;
        world.course.keep_games(&[(game, recorded(1))]).unwrap();
    }
    let used = world.course.used().unwrap();
    assert_eq!((used[&teams[0]], used[&teams[1]]), (30 * rules.least, 0));
    assert_eq!(world.course.version(versions[0]).unwrap().cpu, 300);
    // The other one is due until it has used as much.
    let rules = LadderRules { ahead: 0, ..rules };
    let next = world.course.next_games(3, &rules, &[]).unwrap();
    assert!(next.iter().flatten().all(|it| it.version() != Some(versions[0])), "{next:?}");
}

#[test]
fn groups_apart_have_ladders_of_their_own() {
    let entrant = |group, used| Entrant { group, ..entrant(100, used) };
    // The third group is one team, which nobody meets and for which nobody waits.
    let mut entrants: Vec<_> = (0..10).map(|at| entrant(at % 2, 1000)).collect();
    entrants.push(entrant(2, 0));
    let rules = LadderRules { ahead: 50, house_every: 0, apart: true, ..LadderRules::default() };
    let games = next_games(2000, &entrants, &mut meetings(11), &rules);
    assert_eq!(games.len(), 2000);
    let of = |group| games.iter().filter(|game| entrants[game[0]].group == group).count();
    assert!(
        games
            .iter()
            .all(|game| game.iter().all(|&it| entrants[it].group == entrants[game[0]].group))
    );
    assert!(of(0) > 500 && of(1) > 500 && of(2) == 0, "{} {}", of(0), of(1));
    entrants.push(LEVEL);
    let games = next_games(50, &entrants, &mut meetings(12), &rules);
    assert!(games.contains(&vec![10, 11]), "{games:?}");
}

/// A team that comes late does not get weeks of games alone.
#[test]
fn a_late_team_begins_with_the_time_of_the_others() {
    let (mut world, versions) = with_versions(&["Ada", "Bob"]);
    world.course.set_house(["a", "b"]).unwrap();
    for number in 0..10 {
        let seats =
            [Player::Version(versions[0]), Player::Version(versions[1]), house("a"), house("b")];
        world.course.keep_games(&[(game(number, seats), recorded(1))]).unwrap();
    }
    let eve = world.team("Eve");
    world.version(eve, "late", true);
    world.version(eve, "later", true);
    assert_eq!(world.course.used().unwrap()[&eve], 10_000_000);
}

/// A game of a version that plays no more counts for the others in it.
#[test]
fn ratings_are_those_of_the_games_of_who_is_present() {
    let (mut world, versions) = with_versions(&["Ada", "Bob"]);
    world.course.set_house(["a", "b"]).unwrap();
    let (ada, bob) = (Player::Version(versions[0]), Player::Version(versions[1]));
    let mut expected = Games::new(4);
    for number in 0..9 {
        let seats = [bob.clone(), ada.clone(), house("a"), house("b")];
        world.course.keep_games(&[(game(number, seats), recorded(1))]).unwrap();
        world.course.ratings().unwrap();
        let ranking = GameRanking::new(&[(0, 2), (2, 3), (3, 4)]).unwrap();
        expected.add(key(0), &ranking);
    }
    let team = world.course.version(versions[1]).unwrap().team;
    world.version(team, "new", true);
    let strengths = expected.fit().strengths().to_vec();
    let found = world.course.ratings().unwrap();
    let difference = rating::elo(strengths[0]) - rating::elo(strengths[3]);
    assert!((found[0].rating - found[3].rating - difference).abs() < 1e-6, "{found:?}");
    assert!(found[1].high - found[1].low > found[0].high - found[0].low);
}
