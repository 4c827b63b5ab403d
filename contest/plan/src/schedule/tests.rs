//! Tests of all formats.

use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::testing::{play, schedule, teams};
use super::*;

const GROUPS: Format = Format::Groups { per_team: None };

#[test]
fn what_cannot_be_played_is_refused() {
    let pools = |final_rounds| Format::Pools { final_rounds };
    let cases = [
        (GROUPS, 1, 0, 1, Err("there is no team")),
        (GROUPS, 1, 4, 0, Err("there is no map")),
        (GROUPS, 0, 4, 1, Err("expected at least one round, found 0")),
        (GROUPS, 1, 1, 1, Ok(())),
        (GROUPS, 10_000, 1, 1, Ok(())),
        (GROUPS, u32::MAX, 4, 1, Err("expected at most 10000 rounds, found 4294967295")),
        (
            Format::Groups { per_team: Some(0) },
            1,
            4,
            1,
            Err("expected at least one group per team and round, found 0"),
        ),
        (Format::Groups { per_team: Some(u32::MAX) }, 1, 12, 1, Ok(())),
        (
            Format::Groups { per_team: Some(u32::MAX) },
            1,
            64,
            1,
            Err("expected at most 20000 groups a round, found 635376"),
        ),
        (Format::Gauntlet { challenger: 3 }, 1, 4, 1, Ok(())),
        (
            Format::Gauntlet { challenger: 4 },
            1,
            4,
            1,
            Err("the challenger is team 5, expected one of 4"),
        ),
        (pools(0), 2, 4, 1, Err("expected at least one round of the final, found 0")),
        (pools(1), 2, 4, 1, Ok(())),
        (
            pools(2),
            2,
            4,
            1,
            Err("expected rounds before the final, found 2 rounds, 2 of them of the final"),
        ),
        (Format::Swiss, 9, 2, 1, Ok(())),
    ];
    for (format, rounds, count, maps, expected) in cases {
        let (schedule, teams) = (schedule(format, rounds), teams(&vec![0; count]));
        let found = schedule.check(&teams, maps).map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(ToOwned::to_owned));
        assert_eq!(schedule.round(1, &teams, maps, &[]).is_some(), found.is_ok(), "{schedule:?}");
    }
}

/// The rounds of a resumed tournament must match those already played, even after an update of the program.
#[test]
fn rounds_stay_what_they_are() {
    let cases = [
        (GROUPS, 11),
        (Format::Groups { per_team: Some(5) }, 8),
        (Format::Gauntlet { challenger: 2 }, 14),
        (Format::Pools { final_rounds: 1 }, 17),
        (Format::Swiss, 15),
    ];
    let hashes = cases.map(|(format, count)| {
        let schedule = schedule(format, 3);
        let generations = [vec![0; count - 1], vec![1]].concat();
        let (teams, mut results, mut text) = (teams(&generations), Vec::new(), String::new());
        for number in 1..=3 {
            let round = schedule.round(number, &teams, 2, &results).unwrap();
            for matchup in &round {
                writeln!(text, "{} {} {:?}", matchup.round, matchup.map, matchup.group.teams())
                    .unwrap();
            }
            results.extend(play(&round, |team| team as u32 * 5 % 7));
        }
        let digest: [u8; 32] = Sha256::digest(&text).into();
        u64::from_be_bytes(*digest.first_chunk().unwrap())
    });
    let expected = [
        0xd7df_6fa5_d01d_0fa8,
        0xe952_c6e0_9ed8_f025,
        0x9c4e_1768_fa3f_9e6d,
        0xec7a_611c_80ba_7465,
        0x5561_98e0_d2cb_9711,
    ];
    assert_eq!(hashes, expected);
}

#[test]
fn there_are_as_many_games_as_promised() {
    let pools = Format::Pools { final_rounds: 2 };
    // The format, the number of rounds, the number of teams, and the games of each round: 4 for a full group.
    let cases: [(Format, u32, usize, &[u64]); 9] = [
        (GROUPS, 2, 12, &[96, 96]),
        (GROUPS, 1, 5, &[20]),
        (GROUPS, 1, 2, &[4]),
        (Format::Groups { per_team: Some(2) }, 3, 9, &[20, 20, 20]),
        (Format::Gauntlet { challenger: 0 }, 2, 5, &[16, 16]),
        (pools.clone(), 4, 10, &[40, 40, 4, 4]),
        (pools, 4, 3, &[4, 4, 4, 4]),
        (Format::Swiss, 2, 13, &[16, 16]),
        (Format::Swiss, 1, 32, &[32]),
    ];
    for (format, rounds, count, expected) in cases {
        let (schedule, teams) = (schedule(format, rounds), teams(&vec![0; count]));
        let games = |number| schedule.games_of_round(number, &teams, Seatings::Cyclic);
        let found: Vec<_> = (1..=rounds).map_while(games).collect();
        assert_eq!(found, expected, "{schedule:?}, {count} teams");
        assert_eq!(schedule.games(&teams, Seatings::Cyclic), expected.iter().sum::<u64>());
        assert_eq!(games(rounds + 1), None);
        // Either all groups are full, or all have two teams.
        let all = if count == 2 { 12 } else { 24 };
        if [2, 5, 12].contains(&count) {
            let expected = expected.iter().sum::<u64>() / 4 * all;
            assert_eq!(schedule.games(&teams, Seatings::All), expected);
        }
    }
    assert_eq!(schedule(GROUPS, 0).games(&teams(&[0; 4]), Seatings::Cyclic), 0);
}

#[test]
fn maps_take_turns() {
    let (schedule, teams) = (schedule(GROUPS, 7), teams(&[0; 6]));
    let map = |number| {
        let round = schedule.round(number, &teams, 3, &[])?;
        assert!(round.iter().all(|matchup| matchup.round == number && matchup.map == round[0].map));
        Some(round[0].map)
    };
    let maps: Vec<_> = (0..=8).map(map).collect();
    let played = [0, 1, 2, 0, 1, 2, 0].map(Some);
    assert_eq!(maps, [&[None][..], &played, &[None]].concat());
}

fn formats() -> impl Strategy<Value = Format> {
    prop_oneof![
        Just(GROUPS),
        (1..6_u32).prop_map(|groups| Format::Groups { per_team: Some(groups) }),
        (0..3_usize).prop_map(|challenger| Format::Gauntlet { challenger }),
        (1..3_u32).prop_map(|final_rounds| Format::Pools { final_rounds }),
        Just(Format::Swiss),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

    /// Each round of a tournament stays the same when it is requested again with more results and in another order, and
    /// has the announced number of games.
    #[test]
    fn a_round_is_the_same_whenever_it_is_asked_for(
        format in formats(),
        generations in vec(prop_oneof![4 => Just(0_u32), 1 => 1..4_u32], 3..16),
        strengths in vec(0..8_u32, 16),
        maps in 1..4_usize,
        shuffle in any::<u64>(),
    ) {
        let (schedule, teams) = (schedule(format, 3), teams(&generations));
        let (mut rounds, mut results) = (Vec::new(), Vec::new());
        for number in 1..=3 {
            let round = schedule.round(number, &teams, maps, &results).unwrap();
            let groups: std::collections::BTreeSet<_> = round.iter().map(|m| m.group).collect();
            prop_assert_eq!(groups.len(), round.len(), "a group comes twice");
            prop_assert!(groups.iter().all(|group| group.teams().iter().all(|&t| t < teams.len())));
            let games: usize = groups.iter().map(|&g| Seatings::All.of_group(g).len()).sum();
            prop_assert_eq!(schedule.games_of_round(number, &teams, Seatings::All), Some(games as u64));
            results.extend(play(&round, |team| strengths[team]));
            rounds.push(Some(round));
        }
        results.sort_by_key(|result| {
            let first = result.matchup.group.teams()[0] as u64;
            (first + u64::from(result.matchup.round) * 16 + 1).wrapping_mul(shuffle | 1).rotate_left(17)
        });
        let again: Vec<_> = (1..=3).map(|n| schedule.round(n, &teams, maps, &results)).collect();
        prop_assert_eq!(again, rounds);
        prop_assert_eq!(schedule.round(4, &teams, maps, &results), None);
    }
}
