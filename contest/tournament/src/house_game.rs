//! Bots of the house, which plans and jobs name, and games between them, played in this process.

use std::time::{Instant, SystemTime};

use bots::{Bot, Budget, Entry, HouseGame};
use game::pacman::{Colour, StateText};
use referee::Thinking;
use replay::{Answer, Given, Marks, PacmanSetup, Recorder, Setup, Turn};

use plan::{Course, Job, JobSeat, Outcome, Plan, Program, SEATS};

/// Looks the bot of a seat up; `None` if another program plays there.
///
/// # Errors
///
/// If there is no such bot, with the list of all bots.
pub fn bot_of(seat: &JobSeat) -> Result<Option<&'static Entry>, String> {
    seat.bot().map(bots::by_name).transpose()
}

/// Checks that all house bots of a plan exist.
///
/// # Errors
///
/// Names the first unknown bot, and lists all known ones.
pub fn check(plan: &Plan) -> Result<(), String> {
    let programs = plan.teams.iter().map(|team| &team.program);
    let named = programs.filter_map(|program| match program {
        Program::House(bot) => Some(bot),
        Program::Command(_) | Program::Remote => None,
    });
    named.chain([&plan.conditions.house]).try_for_each(|bot| bots::by_name(bot).map(|_| ()))
}

/// Plays a game between house bots, without deadlines; `None` if another program has a seat, or if one of the bots does not
/// exist.
pub fn play(job: &Job) -> Option<Outcome> {
    let (began, start) = (SystemTime::now(), Instant::now());
    let bots: Option<Vec<Box<dyn Bot>>> =
        job.seats.iter().map(|seat| Some(bot_of(seat).ok()??.make(seat.seed))).collect();
    let (map, rules) = (&job.map.map, job.rules.rules());
    let mut game = HouseGame::start(map, rules, job.turns, job.seed, bots?);
    let names: Vec<_> = job.seats.iter().map(|seat| seat.name.clone()).collect();
    let mut text = StateText::new(names.clone());
    let (mut recorder, mut recording) = Recorder::start(Setup::Pacman(PacmanSetup {
        map: map.clone(),
        rules,
        seed: job.seed,
        turns: job.turns,
        names,
    }));

    let mut thinking = [Thinking::default(); SEATS];
    let mut malformed = [0; SEATS];
    while !game.state().view().is_over() {
        let is_first = game.state().view().elapsed() == 0;
        let mut answers = Vec::with_capacity(SEATS);
        for me in Colour::first(job.seats.len()) {
            let asked = Instant::now();
            let orders = game.ask(me, Budget::default());
            let taken = asked.elapsed();
            thinking[me.index()].answer(is_first, taken);
            let given = Given::in_time(Answer::Orders(orders), taken);
            malformed[me.index()] += u32::from(given.fault().is_some());
            answers.push(given);
        }
        game.play_asked(|_, _| {});
        let turn = Turn { answers, marks: Marks::of_pacman(game.state()) };
        recording.extend(recorder.turn(turn, replay::hash(text.write(game.state().view()))));
    }
    let view = game.state().view();
    recording.extend(recorder.end(replay::hash(text.write(view))));

    let mut ranking = view.ranking();
    ranking.sort_unstable_by_key(|(_, colour, _)| *colour);
    let seats = ranking.into_iter().zip(&job.seats).map(|((rank, colour, player), seat)| {
        let me = Colour::index(colour);
        seat.outcome(player.points, rank as u32, thinking[me], malformed[me], None)
    });
    let seats = seats.collect();
    let course = Course { elapsed: view.elapsed(), began, took: start.elapsed(), recording };
    Some(job.outcome(course, seats))
}
