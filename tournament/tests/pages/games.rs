//! Tournaments that are really played, in process, to have something to show.

use std::time::{Duration, SystemTime};

use bots::Situation;
use game::pacman::{Colour, Map, Rules};
use replay::{Answer, Game, Given, Marks, PacmanSetup, Recorder, Setup, Turn, hash};
use server::Thinking;
use tournament::matchup::{self, Seatings};
use tournament::plan::NamedMap;
use tournament::standings::{Duel, Row};
use tournament::{
    Conditions, Fault, FaultKind, Format, Group, Key, Matchup, Outcome, Plan, Program, SEATS,
    Schedule, SeatOutcome, Seating, Standings, Team,
};

/// A tournament that was played.
#[derive(Clone)]
pub(crate) struct Tournament {
    pub(crate) plan: Plan,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) standings: Standings,
}

/// The name of the house's bot.
const HOUSE: &str = "prudent";

impl Tournament {
    /// Teams with these names and bots play, each against three others that follow it in the list, at
    /// distances that depend on the round (which are different teams when there are 5, 7 or 12), in all cyclic
    /// seatings, in each round on the next map.
    pub(crate) fn play(teams: &[(&str, &str)], maps: &[&str], rounds: u32, turns: u32) -> Self {
        let plan = plan(teams, maps, rounds, turns);
        let mut outcomes = Vec::new();
        for round in 1..=rounds {
            for first in 0..teams.len() {
                let members = (0..SEATS.min(teams.len())).map(|by| {
                    // Neighbours at other distances meet in other rounds.
                    (first + by * (1 + round as usize % 3)) % teams.len()
                });
                let group = Group::new(&members.collect::<Vec<_>>()).expect("they are different");
                let matchup = Matchup { round, map: (round as usize - 1) % maps.len(), group };
                for seating in plan.conditions.seatings.list() {
                    outcomes.push(play(&plan, &matchup, seating));
                }
            }
        }
        let standings = standings(&plan, &outcomes);
        Self { plan, outcomes, standings }
    }
}

fn plan(teams: &[(&str, &str)], maps: &[&str], rounds: u32, turns: u32) -> Plan {
    let map = |name: &&str| {
        let path = format!("{}/../cartes/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        NamedMap { name: (*name).to_owned(), map: Map::parse(text.as_bytes()).unwrap(), text }
    };
    let team = |(name, bot): &(&str, &str)| Team {
        name: (*name).to_owned(),
        program: Program::House((*bot).to_owned()),
        version: "1".to_owned(),
        generation: 0,
    };
    Plan {
        conditions: Conditions {
            name: "Tournoi de l'IUT'O 2025".to_owned(),
            seed: u64::MAX,
            rules: "sujet".to_owned(),
            turns,
            deadline: Duration::from_secs(1),
            house: HOUSE.to_owned(),
            seatings: Seatings::Cyclic,
        },
        maps: maps.iter().map(map).collect(),
        teams: teams.iter().map(team).collect(),
        schedule: Schedule { format: Format::Groups { per_team: None }, rounds },
    }
}

/// Plays a game with the bots of its teams, and records it.
fn play(plan: &Plan, matchup: &Matchup, seating: Seating) -> Outcome {
    let seed = matchup::seed(plan, matchup);
    let teams: Vec<Option<&Team>> = seating
        .0
        .iter()
        .map(|&member| matchup.group.teams().get(member).map(|&team| &plan.teams[team]))
        .collect();
    let name = |team: Option<&Team>| team.map_or(HOUSE, |team| &team.name).to_owned();
    let setup = Setup::Pacman(PacmanSetup {
        map: plan.maps[matchup.map].map.clone(),
        rules: Rules::SUJET,
        seed,
        turns: plan.conditions.turns,
        names: teams.iter().copied().map(name).collect(),
    });
    let mut bots: Vec<_> = (0_u64..)
        .zip(&teams)
        .map(|(seat, team)| {
            let bot = match team.map(|team| &team.program) {
                Some(Program::House(bot)) => bot,
                _ => HOUSE,
            };
            bots::by_name(bot).unwrap().make(seed ^ seat)
        })
        .collect();
    let mut game = Game::start(&setup);
    let (mut recorder, mut recording) = Recorder::start(setup);
    let mut drawn = seed as u32;
    let mut thinking = [Thinking::default(); SEATS];
    while !game.is_over() {
        let Game::Pacman(state) = &game else { unreachable!() };
        let view = state.state().view().clone();
        let answers = Colour::first(SEATS).zip(&mut bots).zip(&mut thinking);
        let answers = answers.map(|((me, bot), thinking)| {
            let orders = bot.play(&Situation { view: &view, me, rules: &Rules::SUJET });
            drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let taken = Duration::from_micros(u64::from(drawn >> 20) + 200 * me.index() as u64);
            thinking.others += taken;
            thinking.answers += 1;
            thinking.longest = thinking.longest.max(taken);
            Given { answer: Answer::Orders(orders), taken }
        });
        let mut turn = Turn { answers: answers.collect(), marks: Marks::default() };
        game.play(&turn);
        turn.marks = game.marks();
        recording.extend(recorder.turn(turn, hash(game.text())));
    }
    recording.extend(recorder.end(hash(game.text())));
    let Game::Pacman(state) = &game else { unreachable!() };
    let points: Vec<_> = state.state().view().players().iter().map(|p| p.points).collect();
    let key = Key::of_game(plan, matchup, seating);
    let seats = teams.iter().zip(&points).zip(thinking).enumerate();
    let seats = seats.map(|(seat, ((team, &points_of_seat), mut thinking))| {
        thinking.first = Duration::from_millis(40 + 3 * seat as u64);
        // Some go wrong now and then, the one more often than the other.
        let luck = key.as_bytes()[seat] as usize % 40;
        let fault = team.filter(|team| luck < team.name.len() % 4).map(|_| Fault {
            kind: FaultKind::ALL[luck + 2],
            turn: (luck > 0).then_some(u32::from(key.as_bytes()[5]) % plan.conditions.turns),
            detail: format!("exit status: {luck}\nTraceback: <b>list</b> index out of range"),
        });
        thinking.missed = 3 * u32::from(fault.is_some());
        SeatOutcome {
            team: name(*team),
            version: team.map_or("", |team| &team.version).to_owned(),
            is_house: team.is_none(),
            points: points_of_seat,
            rank: 1 + points.iter().filter(|&&other| other > points_of_seat).count() as u32,
            thinking,
            malformed: 0,
            fault,
        }
    });
    Outcome {
        key,
        matchup: Key::of_matchup(plan, matchup),
        round: matchup.round,
        map: plan.maps[matchup.map].name.clone(),
        seed,
        turns: plan.conditions.turns,
        elapsed: plan.conditions.turns,
        seats: seats.collect(),
        began: SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        took: Duration::from_millis(20),
        recording,
    }
}

/// What there is to say about these games, with ratings that are only good enough to be shown.
pub(crate) fn standings(plan: &Plan, outcomes: &[Outcome]) -> Standings {
    let mut rows: Vec<Row> =
        plan.teams.iter().enumerate().map(|(team, _)| row(plan, outcomes, team)).collect();
    rows.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    let chances: Vec<f64> = rows.iter().map(|row| (6.0 * row.strength).exp()).collect();
    for (row, chance) in rows.iter_mut().zip(&chances) {
        row.best = chance / chances.iter().sum::<f64>();
    }
    let duel = |a: &Row, b: &Row| {
        let mut duel = Duel::default();
        if a.name == b.name {
            return duel;
        }
        for outcome in outcomes {
            let points = |name| outcome.seats.iter().find(|seat| seat.team == name);
            if let (Some(a), Some(b)) = (points(&*a.name), points(&*b.name)) {
                duel.games += 1;
                duel.wins += f64::from(a.points.cmp(&b.points) as i32 + 1) / 2.0;
            }
        }
        duel
    };
    let head_to_head = rows.iter().map(|a| rows.iter().map(|b| duel(a, b)).collect()).collect();
    Standings { rows, head_to_head, games: outcomes.len() }
}

fn row(plan: &Plan, outcomes: &[Outcome], team: usize) -> Row {
    let name = &plan.teams[team].name;
    let seats: Vec<&SeatOutcome> = outcomes
        .iter()
        .flat_map(|outcome| &outcome.seats)
        .filter(|seat| !seat.is_house && seat.team == *name)
        .collect();
    let games = seats.len().max(1) as f64;
    let mean = |value: &dyn Fn(&SeatOutcome) -> f64| {
        seats.iter().map(|seat| value(seat)).sum::<f64>() / games
    };
    let mean_rank = mean(&|seat| seat.rank.into());
    let strength = 2.5 - mean_rank;
    let rating = 1500.0 + 400.0 / std::f64::consts::LN_10 * strength;
    let half = 500.0 / games.sqrt();
    let answers: u32 = seats.iter().map(|seat| seat.thinking.answers).sum();
    let thought: Duration = seats.iter().map(|seat| seat.thinking.others).sum();
    let count = |kind| {
        let faults = seats.iter().filter_map(|seat| seat.fault.as_ref());
        faults.filter(|fault| fault.kind == kind).count() as u32
    };
    Row {
        team,
        name: name.clone(),
        games: seats.len() as u32,
        strength,
        rating,
        interval: (rating - half, rating + 1.1 * half),
        best: 0.0,
        online: (25.0 + 4.0 * strength, 8.3 / games.sqrt()),
        mean_points: mean(&|seat| seat.points.into()),
        mean_rank,
        firsts: seats.iter().filter(|seat| seat.rank == 1).count() as f64,
        faults: FaultKind::ALL
            .into_iter()
            .map(|kind| (kind, count(kind)))
            .filter(|(_, count)| *count > 0)
            .collect(),
        malformed: seats.iter().map(|seat| seat.malformed).sum(),
        missed: seats.iter().map(|seat| seat.thinking.missed).sum(),
        thinking: (
            thought / answers.max(1),
            seats.iter().map(|seat| seat.thinking.longest).max().unwrap_or_default(),
        ),
    }
}
