//! A game between bots of the house: played at once, without a server.

use std::time::{Instant, SystemTime};

use bots::{Bot, Situation};
use game::pacman::{Colour, Orders, Seeded, State, StateText};
use replay::{Answer, Given, Marks, PacmanSetup, Recorder, Setup, Turn};
use server::Thinking;

use crate::matchup::{self, Game, SEATS, Seating};
use crate::outcome::{Outcome, SeatOutcome};
use crate::plan::Plan;

/// Plays a game, if bots of the house play on all its seats. They have no deadline.
#[must_use]
pub fn play(plan: &Plan, game: &Game) -> Option<Outcome> {
    let Seating(seating) = game.seating;
    let bots = seating.map(|member| plan.house_bot(&game.matchup, member));
    if bots.iter().any(Option::is_none) {
        return None;
    }
    let (began, start) = (SystemTime::now(), Instant::now());
    let rules = plan.conditions.rules.rules();
    let map = &plan.maps[game.matchup.map].map;
    let seed = matchup::seed(plan, &game.matchup);
    let names = plan.names(&game.matchup, game.seating);
    let mut chance = Seeded::new(seed);
    let mut state = State::start(map, rules, plan.conditions.turns, SEATS, &mut chance);
    let mut text = StateText::new(names.clone());
    let (mut recorder, mut recording) = Recorder::start(Setup::Pacman(PacmanSetup {
        map: map.clone(),
        rules,
        seed,
        turns: plan.conditions.turns,
        names: names.clone(),
    }));

    let seats = bots.iter().flatten().zip(seating);
    let mut players: Vec<Box<dyn Bot>> =
        seats.map(|(bot, member)| bot.0.make(bot_seed(seed, member))).collect();
    for (me, bot) in Colour::first(SEATS).zip(&mut players) {
        bot.new_game(&Situation { view: state.view(), me, rules: &rules });
    }
    let mut thinking = [Thinking::default(); SEATS];
    let mut malformed = [0; SEATS];
    let mut orders = [Orders::default(); SEATS];
    while !state.view().is_over() {
        let is_first = state.view().elapsed() == 0;
        let mut answers = Vec::with_capacity(SEATS);
        for (me, bot) in Colour::first(SEATS).zip(&mut players) {
            let asked = Instant::now();
            let given = bot.play(&Situation { view: state.view(), me, rules: &rules });
            let taken = asked.elapsed();
            thinking[me.index()].answer(is_first, taken);
            orders[me.index()] = given;
            let given = Given::in_time(Answer::Orders(given), taken);
            malformed[me.index()] += u32::from(given.is_fault());
            answers.push(given);
        }
        state.play_turn(&orders, &mut chance, |_, _| {});
        let turn = Turn { answers, marks: Marks::of_pacman(&state) };
        recording.extend(recorder.turn(turn, replay::hash(text.write(state.view()))));
    }
    recording.extend(recorder.end(replay::hash(text.write(state.view()))));

    let mut ranking = state.view().ranking();
    ranking.sort_unstable_by_key(|(_, colour, _)| *colour);
    let seat = |(((rank, colour, player), member), team): (((usize, Colour, _), usize), String)| {
        let player: game::pacman::Player = player;
        let own = plan.member(&game.matchup, member);
        SeatOutcome {
            team,
            version: own.map(|team| team.version.clone()).unwrap_or_default(),
            is_house: own.is_none(),
            points: player.points,
            rank: rank as u32,
            thinking: thinking[colour.index()],
            malformed: malformed[colour.index()],
            fault: None,
        }
    };
    Some(Outcome {
        key: game.key,
        matchup: matchup::Key::of_matchup(plan, &game.matchup),
        round: game.matchup.round,
        map: plan.maps[game.matchup.map].name.clone(),
        seed,
        turns: plan.conditions.turns,
        elapsed: state.view().elapsed(),
        seats: ranking.into_iter().zip(seating).zip(names).map(seat).collect(),
        began,
        took: start.elapsed(),
        recording,
    })
}

/// The seed of a house's bot: it draws the same wherever it sits.
pub(crate) fn bot_seed(seed: u64, member: usize) -> u64 {
    seed.wrapping_add(member as u64)
}
