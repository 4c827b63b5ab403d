//! Orders that are malformed, lead into walls, or are meant for another player's pieces.

use std::time::Duration;

use checkup::{Case, Check, CheckVerdict, Fact, Mistake, Options, OrderSlip, Severity, Suspicion};
use clap::ValueEnum;
use plan::{Program, Team};

use crate::{at_once, bad, faults, only, options, run, script};

#[test]
fn malformed_and_constant_orders_are_reported() {
    for (name, slip, shown) in
        [("lower", OrderSlip::LowerCase, 2), ("two_messages", OrderSlip::OneLetter, 1)]
    {
        let (severity, _, fact) = only(faults(name, &[Check::Orders]));
        let Fact::Malformed { malformed: 40, asked: 40, turn: 1, received, slip: found } = fact
        else {
            panic!("{fact:?}");
        };
        assert_eq!((severity, found, received.len()), (Severity::Failure, slip, shown));
    }
    let (severity, _, fact) = only(faults("always_north", &[Check::Orders]));
    assert_eq!((severity, fact), (Severity::Failure, Fact::AlwaysSame { order: "NN".to_owned() }));
    let options =
        Options { deadline: Duration::from_millis(500), ..options(&Check::value_variants()[..4]) };
    let report = run(&script("newline"), &options);
    let Fact::OrderWithoutNul { received } = only(bad(&report)).2 else { panic!("{report:?}") };
    assert!(received.ends_with("\\n"), "{received}");
    // Without orders, there is nothing to check.
    assert_eq!(report.checks[2].verdict, CheckVerdict::Skipped);
}

#[test]
fn mistakes_that_lead_into_walls_are_told_apart() {
    let cases = [
        ("north_south", Mistake::NorthSouth),
        ("east_west", Mistake::EastWest),
        ("transposed", Mistake::Transposed),
        ("exchanged", Mistake::Exchanged),
        ("previous", Mistake::Previous),
    ];
    at_once(cases, |(name, expected)| {
        let options = Options { turns: 200, ..options(&[Check::Orders]) };
        let (severity, _, fact) = only(bad(&run(&script(name), &options)));
        let Fact::Walls { blocked, suspicion, .. } = fact else { panic!("{name}: {fact:?}") };
        let Some(Suspicion { mistake, explained, blocked: different }) = suspicion else {
            panic!("{name}: nothing is suspected of {fact:?}");
        };
        assert_eq!((mistake, severity), (expected, Severity::Failure), "{name}");
        assert!(explained <= different && blocked > 0, "{name}: {fact:?}");
    });
}

#[test]
fn orders_with_a_mistake_are_not_taken_for_orders_to_pieces_of_others() {
    let names = ["north_south", "east_west", "transposed", "exchanged", "previous"];
    at_once(names, |name| {
        for turns in [40, 200] {
            let checks = [Check::Orders, Check::Letters, Check::Series];
            let found = bad(&run(&script(name), &Options { turns, ..options(&checks) }));
            let others = found.iter().filter(|found| matches!(found.fact, Fact::PlaysFor { .. }));
            assert_eq!(others.count(), 0, "{name}: {found:#?}");
        }
    });
}

#[test]
fn unexplained_blocked_orders_have_no_suspicion() {
    let options = Options { turns: 200, ..options(&[Check::Orders]) };
    for (name, expected) in
        [("into_walls", Severity::Failure), ("through_walls", Severity::Warning)]
    {
        let (severity, _, fact) = only(bad(&run(&script(name), &options)));
        let Fact::Walls { suspicion: None, .. } = fact else { panic!("{name}: {fact:?}") };
        assert_eq!(severity, expected, "{name}: {fact:?}");
    }
    let bot = "aleatoire".to_owned();
    let team = Team { program: Program::House(bot), ..script("good") };
    let (severity, _, fact) = only(bad(&run(&team, &options)));
    let Fact::Walls { suspicion: None, .. } = fact else { panic!("{fact:?}") };
    assert_eq!(severity, Severity::Warning);
}

#[test]
fn surplus_messages_are_reported() {
    for name in ["twice", "two_messages"] {
        let (severity, _, fact) = only(faults(name, &[Check::Answers]));
        let Fact::TooMany { turn: 1..3, surplus: 1.. } = fact else { panic!("{name}: {fact:?}") };
        assert_eq!(severity, Severity::Failure);
    }
}

#[test]
fn objects_that_were_never_taken_are_reported() {
    // In a corridor from west to east, a wall blocks the north.
    let map = format!("5;24\n{0}\n{1}\n{0}\n{1}\n{0}\n", "#".repeat(24), ".".repeat(24));
    let options = Options { map: map.parse().unwrap(), ..options(&[Check::Powers]) };
    let report = run(&script("always_north"), &options);
    let (severity, _, Fact::Untried { objects }) = only(bad(&report)) else { panic!("{report:?}") };
    // Every fourth false move teleports the piece that made it.
    assert_eq!((severity, objects), (Severity::Warning, vec!['.', '$', '@', '~', '&', '!']));
}

#[test]
fn orders_for_the_letter_of_another_player_are_reported() {
    let found = faults("as_a", &[Check::Letters, Check::Series]);
    let said: Vec<_> = found
        .into_iter()
        .map(|finding| match (finding.case, finding.fact) {
            (
                Some(Case::Letter(letter) | Case::Game(_, letter, ..)),
                Fact::PlaysFor { own, other, remembered },
            ) => (letter == own, own, other, remembered),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        said,
        [
            (true, 'B', 'A', false),
            (true, 'C', 'A', false),
            (true, 'D', 'A', false),
            (true, 'D', 'A', false)
        ]
    );
    let found = faults("first_letter", &[Check::Letters, Check::Series]);
    let facts: Vec<_> = found.into_iter().map(|finding| finding.fact).collect();
    let plays = |own| Fact::PlaysFor { own, other: 'C', remembered: true };
    assert_eq!(facts, [plays('A'), plays('D')]);
}
