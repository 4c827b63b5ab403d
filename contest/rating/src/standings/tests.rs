use std::time::{Duration, SystemTime};

use plan::record::GameRecord;
use plan::{Fault, FaultKind, Key, Note, Outcome, Program, SeatOutcome, Team};
use proptest::collection::vec;
use proptest::prelude::*;
use referee::{Misses, Thinking};

use super::*;

/// Teams of these names, all in the version "1".
fn teams(names: &[&str]) -> Vec<Team> {
    names.iter().map(|name| Team::new(*name, Program::Remote, "1")).collect()
}

/// A game, given by the names and the points of its seats. A name may end in `/` and a version other than 1; the house
/// has the name `house`.
fn game(number: u8, matchup: u8, seats: &[(&str, i32)]) -> Outcome {
    let seat = |&(name, points): &(&str, i32)| {
        let (team, version) = name.split_once('/').unwrap_or((name, "1"));
        let is_house = team == "house";
        SeatOutcome {
            team: team.into(),
            version: if is_house { "" } else { version }.into(),
            is_house,
            points,
            rank: 1 + seats.iter().filter(|(_, other)| *other > points).count() as u32,
            thinking: Thinking::default(),
            malformed: 0,
            usage: None,
            fault: None,
        }
    };
    Outcome {
        key: Key::from_bytes([number; 16]),
        matchup: Key::from_bytes([matchup; 16]),
        round: 1,
        map: "plan1".into(),
        seed: 1,
        turns: 100,
        elapsed: 100,
        seats: seats.iter().map(seat).collect(),
        began: SystemTime::UNIX_EPOCH,
        took: Duration::ZERO,
        recording: Vec::new(),
    }
}

fn standings(teams: &[Team], outcomes: &[Outcome], samples: usize) -> Standings {
    let mut records = Records::new(teams);
    for outcome in outcomes {
        records.add(&GameRecord::from(outcome));
    }
    Standings::of(records, samples)
}

fn row<'a>(standings: &'a Standings, name: &str) -> &'a Row {
    standings.rows.iter().find(|row| row.name == name).unwrap()
}

fn duel(standings: &Standings, first: &str, second: &str) -> (u32, f64) {
    let place = |name| standings.rows.iter().position(|row| row.name == name).unwrap();
    let duel = standings.head_to_head[place(first)][place(second)];
    (duel.games, duel.wins)
}

#[test]
fn a_disqualified_team_is_last_and_evidence_about_the_others() {
    let mut teams = teams(&["cheat", "a", "b", "idle"]);
    // Alone, a and b are equal: all that tells them apart is how they fare against the disqualified team.
    let outcomes: Vec<_> = (0..20)
        .flat_map(|number| {
            let (a, b) = if number % 2 == 0 { (3, 4) } else { (4, 3) };
            let seats = [("a", a), ("b", b), ("house", 0), ("house", 0)];
            let second = [("a", 9), ("cheat", 5), ("house", 0), ("house", 0)];
            let third = [("b", 2), ("cheat", 5), ("house", 0), ("house", 0)];
            [seats, second, third].into_iter().zip(3 * number..)
        })
        .map(|(seats, number)| game(number, number, &seats))
        .collect();
    let before = standings(&teams, &outcomes, 0);
    teams[0].disqualified = Some("copied".to_owned());
    let after = standings(&teams, &outcomes, 0);
    let names: Vec<_> = after.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "idle", "cheat"]);
    let ranked: Vec<_> = after.rows.iter().map(Row::is_ranked).collect();
    assert_eq!(ranked, [true, true, false, false]);
    assert_eq!(after.rows[3].disqualified.as_deref(), Some("copied"));
    assert!(after.rows[3].risk.abs() < f64::EPSILON && after.games == 60);
    for name in ["a", "b", "cheat"] {
        let change = row(&before, name).strength - row(&after, name).strength;
        assert!(change.abs() < f64::EPSILON, "{name}");
    }
    assert!(row(&after, "a").rating > row(&after, "b").rating + 100.0);
    // Only a and b are in the race, in which they are equal.
    assert!(row(&before, "b").risk < 0.05 && row(&after, "b").risk > 0.9);
    let alone = &[outcomes[1].clone()];
    assert!(!standings(&teams[..2], alone, 0).is_settled(0.05), "a has nobody to be compared with");
}

#[test]
fn games_are_summed_up_among_the_teams() {
    let outcomes = [
        game(1, 1, &[("a", 30), ("b", 30), ("house", 30), ("c", -10)]),
        game(2, 1, &[("c", 5), ("a", 8), ("b", 5), ("house", 40)]),
    ];
    let standings = standings(&teams(&["c", "b", "a", "d"]), &outcomes, 50);
    assert_eq!(standings.games, 2);
    let names: Vec<&str> = standings.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
    let sums = ["a", "b", "c", "d"].map(|name| {
        let row = row(&standings, name);
        (
            row.team,
            row.record.games,
            row.record.mean_points,
            row.record.mean_rank,
            row.record.firsts,
        )
    });
    // The house counts neither among ranks nor in ratings.
    assert_eq!(
        sums,
        [
            (2, 2, 19.0, 1.25, 1.5),
            (1, 2, 17.5, 2.0, 0.5),
            (0, 2, -2.5, 2.75, 0.0),
            (3, 0, 0.0, 0.0, 0.0)
        ]
    );
    assert_eq!(duel(&standings, "a", "b"), (2, 1.5));
    assert_eq!(duel(&standings, "b", "a"), (2, 0.5));
    assert_eq!(duel(&standings, "b", "c"), (2, 1.5));
    assert_eq!(duel(&standings, "a", "d"), (0, 0.0));
    assert_eq!(duel(&standings, "a", "a"), (0, 0.0));
    let strengths: f64 = standings.rows.iter().map(|row| row.strength).sum();
    assert!(strengths.abs() < 1e-9);
    for row in &standings.rows {
        assert!((row.rating - elo(row.strength)).abs() < 1e-9);
        assert!(row.interval.0 < row.rating && row.rating < row.interval.1, "{row:?}");
    }
}

#[test]
fn faults_and_thinking_are_summed_up() {
    let mut outcome = game(1, 1, &[("a", 1), ("b", 2), ("house", 3), ("house", 4)]);
    let milliseconds = Duration::from_millis;
    let mut outcomes = Vec::new();
    for (number, kind) in FaultKind::ALL.into_iter().chain([FaultKind::Crashed]).enumerate() {
        outcome.key = Key::from_bytes([number as u8; 16]);
        let seat = &mut outcome.seats[0];
        seat.fault = Some(Box::new(Fault { kind, played: Some(3), detail: Note::new("", "") }));
        seat.malformed = 2;
        seat.thinking = Thinking {
            first: milliseconds(900),
            others: milliseconds(20),
            answers: 10,
            longest: milliseconds(number as u64),
            misses: Misses { bot: 1, ..Misses::default() },
        };
        outcomes.push(outcome.clone());
    }
    let standings = standings(&teams(&["a", "b"]), &outcomes, 0);
    let [a, b] = ["a", "b"].map(|name| row(&standings, name));
    let times = |kind| if kind == FaultKind::Crashed { 2 } else { 1 };
    assert_eq!(a.record.faults, FaultKind::ALL.map(|kind| (kind, times(kind))));
    assert_eq!((a.record.malformed, a.record.missed), (14, 7));
    assert_eq!(a.record.thinking, (milliseconds(2), milliseconds(6)));
    assert_eq!(
        (&b.record.faults, b.record.thinking),
        (&Vec::new(), (Duration::ZERO, Duration::ZERO))
    );
    // Without samples, the interval is the rating.
    assert_eq!((a.interval, standings.risk()), ((a.rating, a.rating), 1.0));
}

#[test]
fn extreme_numbers_in_a_file_do_not_overflow() {
    let mut outcome = game(1, 1, &[("a", i32::MAX), ("b", i32::MIN), ("house", 3), ("house", 4)]);
    for seat in &mut outcome.seats {
        (seat.rank, seat.malformed) = (u32::MAX, u32::MAX);
        let most = Duration::MAX;
        let (answers, count) = (u32::MAX, u32::MAX);
        let misses = Misses { bot: count, network: count, host: count };
        seat.thinking = Thinking { first: most, others: most, answers, longest: most, misses };
    }
    let mut other = outcome.clone();
    other.key = Key::from_bytes([2; 16]);
    let standings = standings(&teams(&["a", "b"]), &[outcome, other], 2);
    assert_eq!((standings.games, standings.rows[0].record.malformed), (2, u32::MAX));
}

#[test]
fn only_games_of_teams_in_the_list_and_in_their_version_count() {
    let others = [("house", 0), ("house", 0)];
    let counts = |seats: &[(&str, i32)], expected| {
        let standings = standings(&teams(&["a", "b"]), &[game(1, 1, seats)], 1);
        let games: Vec<u32> = standings.rows.iter().map(|row| row.record.games).collect();
        assert_eq!(games, [expected; 2], "{seats:?}");
        assert_eq!(standings.games, expected as usize, "{seats:?}");
    };
    counts(&[[("a", 1), ("b", 1)], others].concat(), 1);
    counts(&[("a", 1), ("b/2", 1), ("house", 0), ("house", 0)], 0);
    counts(&[("a", 1), ("b", 1), ("c", 1), ("house", 0)], 0);
    counts(&[("a", 1), ("b", 1), ("a", 1), ("house", 0)], 0);
    counts(&[("a", 1), ("b", 1), ("house", 0)], 0);
    counts(&[others, others].concat(), 0);
}

#[test]
fn equal_strengths_are_told_apart_by_points_and_then_by_name() {
    let order = |names: &[&str], seats: &[(&str, i32)]| {
        let standings = standings(&teams(names), &[game(1, 1, seats)], 1);
        standings.rows.into_iter().map(|row| row.name).collect::<Vec<_>>()
    };
    assert_eq!(
        order(&["b", "d", "a", "c"], &[("a", 1), ("b", 1), ("c", 1), ("d", 1)]),
        ["a", "b", "c", "d"]
    );
    // No two teams have met: the house is not a team.
    let outcomes = [(1, "a", 3), (2, "b", 9)].map(|(number, name, points)| {
        game(number, 1, &[(name, points), ("house", 9), ("house", 9), ("house", 9)])
    });
    let standings = standings(&teams(&["a", "b"]), &outcomes, 1);
    assert_eq!((standings.rows[0].name.as_str(), standings.rows[0].strength), ("b", 0.0));
}

#[test]
fn strengths_that_are_equal_but_for_rounding_are_equal() {
    // Each game is repeated with teams "a" and "b" swapped.
    let places = [["c", "a", "b", "d"], ["c", "d", "a", "b"], ["e", "a", "d", "c"]];
    let in_turn = |name: &'static str| match name {
        "a" => "b",
        "b" => "a",
        other => other,
    };
    let mut outcomes = Vec::new();
    for (number, names) in (0..).zip(places) {
        let seats = |names: [&'static str; 4]| std::array::from_fn(|i| (names[i], [9, 7, 2, 1][i]));
        let seats: [[(&str, i32); 4]; 2] = [seats(names), seats(names.map(in_turn))];
        outcomes.push(game(2 * number, number, &seats[0]));
        outcomes.push(game(2 * number + 1, number, &seats[1]));
    }
    for first in 0..5 {
        for step in 1..5 {
            let names: Vec<&str> =
                (0..5).map(|place| ["a", "b", "c", "d", "e"][(first + step * place) % 5]).collect();
            let rows = standings(&teams(&names), &outcomes, 1).rows;
            let place = |name| rows.iter().position(|row| row.name == name);
            assert!(place("a") < place("b"), "{rows:?}");
        }
    }
}

#[test]
fn the_strongest_comes_first_whatever_its_points() {
    let mut outcomes: Vec<_> = (0..3)
        .map(|number| game(number, number, &[("a", 1), ("b", 0), ("house", 0), ("house", 0)]))
        .collect();
    outcomes.push(game(3, 3, &[("a", 0), ("b", 1000), ("house", 0), ("house", 0)]));
    let rows = standings(&teams(&["b", "a"]), &outcomes, 1).rows;
    assert_eq!(rows[0].name, "a");
    assert!(rows[0].record.mean_points < rows[1].record.mean_points);
}

#[test]
fn few_teams_and_few_games_have_standings() {
    let nobody = standings(&[], &[], 10);
    assert_eq!(nobody, Standings { rows: Vec::new(), head_to_head: Vec::new(), games: 0 });
    let teams = teams(&["a", "b"]);
    let unplayed = standings(&teams, &[], 10);
    assert_eq!((unplayed.rows.len(), unplayed.games, unplayed.risk()), (2, 0, 1.0));
    let alone = game(1, 1, &[("a", 1), ("house", 0), ("house", 0), ("house", 0)]);
    let standings = standings(&teams[..1], &[alone], 10);
    assert_eq!((standings.is_settled(0.5), standings.rows[0].interval), (false, (1500.0, 1500.0)));
}

#[test]
fn a_team_without_games_comes_last() {
    let lost = game(1, 1, &[("a", 1), ("b", 9), ("house", 10), ("house", 0)]);
    let standings = standings(&teams(&["0", "a", "b"]), &[lost], 100);
    let rows: Vec<_> = standings.rows.iter().map(|row| (&*row.name, row.is_ranked())).collect();
    assert_eq!(rows, [("b", true), ("a", true), ("0", false)]);
}

#[test]
fn a_tournament_is_settled_when_many_matchups_agree() {
    let seats = [("a", 1), ("b", 9), ("house", 0), ("house", 0)];
    let after = |matchups: u8| {
        let outcomes: Vec<_> = (0..matchups).map(|number| game(number, number, &seats)).collect();
        standings(&teams(&["a", "b"]), &outcomes, 0).risk()
    };
    let [one, ten] = [after(1), after(10)];
    assert!(one > 0.99 && ten < 0.05, "{one:?} {ten:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_order_of_outcomes_changes_nothing(
        (played, shuffled) in vec((0..4_u8, [0..4_i32, 0..4_i32, 0..4_i32, 0..4_i32]), 0..12)
            .prop_map(|games| {
                let names = ["a", "b", "c", "d", "house"];
                let outcome = |(number, (first, points)): (u8, (u8, [i32; 4]))| {
                    let name = |seat| names[(usize::from(first) + seat) % names.len()];
                    let seats: Vec<_> = (0..4).map(|seat| (name(seat), points[seat])).collect();
                    game(number.wrapping_mul(89), first, &seats)
                };
                (0..).zip(games).map(outcome).collect::<Vec<_>>()
            })
            .prop_flat_map(|played| (Just(played.clone()), Just(played).prop_shuffle()))
    ) {
        let teams = teams(&["a", "b", "c", "d"]);
        prop_assert_eq!(standings(&teams, &played, 5), standings(&teams, &shuffled, 5));
    }
}
