//! Verification of the results of workers.
//!
//! The coordinator trusts a worker for the orders of its programs, not for their effects: it replays the game from its
//! recording.

use language::said;
use plan::{Job, Outcome};
use replay::{PacmanSetup, Recording, Replay, Setup};

/// Verifies the outcome of a job that was played with these packages.
///
/// # Errors
///
/// When the outcome is wrong, with the reason in words.
pub(crate) fn check(
    job: &Job,
    packages: &[Option<String>],
    outcome: &Outcome,
) -> Result<(), String> {
    let own: Vec<_> = job.seats.iter().map(|seat| seat.package.clone()).collect();
    if packages != own {
        return Err(said!("it was played with other packages", "jouée avec d'autres paquets"));
    }
    if !is_of(job, outcome) {
        return Err(said!("it is about another game", "elle parle d'une autre partie"));
    }
    let recording = Recording::read(&outcome.recording);
    let recording = recording.map_err(|error| {
        said!("its recording cannot be read: {error}", "son rejeu est illisible : {error}")
    })?;
    if let Some(damage) = &recording.damage {
        return Err(said!(
            "its recording cannot be read: {damage}",
            "son rejeu est illisible : {damage}"
        ));
    }
    let setup = Setup::Pacman(PacmanSetup {
        map: job.map.map.clone(),
        rules: job.rules.rules(),
        seed: job.seed,
        turns: job.turns,
        names: job.seats.iter().map(|seat| seat.name.clone()).collect(),
    });
    if recording.setup != setup {
        return Err(said!(
            "its recording is of another game",
            "son rejeu est celui d'une autre partie"
        ));
    }
    replay::verify(&recording).map_err(|difference| {
        let turn = difference.turn;
        said!(
            "its recording does not follow from its orders: turn {turn}",
            "son rejeu ne correspond pas à ses ordres : tour {turn}"
        )
    })?;
    if agrees(&recording, outcome) {
        Ok(())
    } else {
        Err(said!(
            "its points are not those of its recording",
            "ses points ne sont pas ceux de son rejeu"
        ))
    }
}

/// Tests if an outcome is about the game of a job.
fn is_of(job: &Job, outcome: &Outcome) -> bool {
    let seats = job.seats.iter().map(|seat| (&*seat.name, &*seat.version, seat.is_house));
    let played = outcome.seats.iter().map(|seat| (&*seat.team, &*seat.version, seat.is_house));
    let game = (job.key, job.matchup, job.round, &*job.map.name, job.seed, job.turns);
    let Outcome { key, matchup, round, map, seed, turns, .. } = outcome;
    game == (*key, *matchup, *round, &**map, *seed, *turns) && seats.eq(played)
}

/// Tests if the number of turns, the points and the ranks are those at the end of the recorded game.
fn agrees(recording: &Recording, outcome: &Outcome) -> bool {
    let mut game = Replay::start(&recording.setup);
    for turn in recording.turns.iter() {
        game.play(&turn);
    }
    let Replay::Pacman(game) = game else { return false };
    let view = game.state().view();
    let mut ranking = view.ranking();
    ranking.sort_unstable_by_key(|(_, colour, _)| *colour);
    let recorded = ranking.iter().map(|(rank, _, player)| (player.points, *rank as u32));
    view.elapsed() == outcome.elapsed
        && recorded.eq(outcome.seats.iter().map(|seat| (seat.points, seat.rank)))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use tournament::tournament::{NextStep, Tournament};
    use tournoi::config::Config;
    use tournoi::setup;

    /// A game between bots of the house.
    pub(crate) fn job() -> Job {
        let teams = ["ia:glouton", "ia:prudent", "ia:dijkstra", "ia:aleatoire"];
        let config = Config {
            maps: vec![concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/petit.txt").into()],
            turns: Some(30),
            teams: teams.map(|team| setup::parse_team(team).unwrap()).into(),
            ..Config::default()
        };
        let mut tournament = Tournament::in_memory(setup::plan(&config, 1).unwrap()).unwrap();
        let NextStep::Round(round) = tournament.next(None) else { panic!("nothing to play") };
        tournament.plan().job(&round.missing[0])
    }

    /// The outcome of the same game.
    pub(crate) fn played() -> Outcome {
        tournament::house_game::play(&job()).unwrap()
    }

    #[test]
    fn a_result_counts_if_it_follows_from_its_recording() {
        let (job, outcome) = (job(), played());
        let none = [const { None }; 4];
        assert_eq!(check(&job, &none, &outcome), Ok(()));

        let refused = |change: &dyn Fn(&mut Outcome)| {
            let mut changed = outcome.clone();
            change(&mut changed);
            check(&job, &none, &changed).unwrap_err()
        };
        let points = "points are not those";
        assert!(refused(&|it| it.seats[0].points += 1).contains(points));
        assert!(refused(&|it| it.elapsed -= 1).contains(points));
        let other = "another game";
        assert!(refused(&|it| it.seed += 1).contains(other));
        assert!(refused(&|it| it.seats.swap(0, 1)).contains(other));
        assert!(refused(&|it| it.seats[2].version = "2".into()).contains(other));
        assert!(refused(&|it| it.recording.clear()).contains("cannot be read"));
        let _ = refused(&|it| it.recording.truncate(it.recording.len() / 2));
        let all = outcome.recording.len();
        for at in (all / 2..all).step_by(7) {
            // A changed byte may alter recorded times, but nothing that counts.
            let mut changed = outcome.clone();
            changed.recording[at] ^= 0x55;
            if check(&job, &none, &changed).is_ok() {
                assert!(changed.agrees_with(&outcome));
            }
        }
        let package = Some("0".repeat(64));
        let error = check(&job, &[package, None, None, None], &outcome).unwrap_err();
        assert!(error.contains("packages"), "{error}");
    }
}
