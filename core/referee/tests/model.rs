//! Random schedules in simulated time, and the invariants of the referee in all of them.
//!
//! `SCHEDULES=100000000 cargo test --release -p referee --test model` judges 100 million matches.

use std::thread;
use std::time::{Duration, Instant};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use referee::{Effect, Ledger, Referee, Round};

/// The deadline of an answer, in hundredths of a deadline: the unit of time here.
const DEADLINE: u64 = 100;
const TURNS: u32 = 10;
/// Matches in succession on the same connections.
const MATCHES: u32 = 5;

/// Hundredths of a deadline since the start of the match.
type Time = u64;

/// A message: the number of the state that it answers.
type Message = u64;

/// Random numbers of one schedule.
struct Draw(SplitMix64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }
}

/// The behaviour of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    /// Decides within the deadline, except for a few hiccups of less than three deadlines in each match. Between two
    /// hiccups, at least four decisions are in time.
    Honest { hiccups: u32 },
    /// Takes up to four deadlines for any decision.
    Slow,
    /// Never answers.
    Silent,
    /// Sometimes sends several messages for one state, or messages without a state.
    Flood,
    /// Disconnects, and comes back on a new connection.
    Restless,
}

/// The states that a bot answers.
#[derive(Debug)]
struct Answers {
    /// True if the bot answers every state in order, false if only the newest that it has received.
    reads_all: bool,
    /// True if the bot answers states that need no answer.
    in_mud: bool,
    /// True if the bot answers the final state of each match.
    final_state: bool,
}

#[derive(Debug)]
struct Bot {
    habit: Habit,
    answers: Answers,
    /// The number of coming turns in which the bot need not answer.
    mud: u32,
    /// States that the bot has received and not looked at.
    unread: Vec<Message>,
    /// The state that the bot thinks about, and the time of its decision.
    thinking: Option<(Message, Time)>,
    /// Decisions until the next hiccup is allowed.
    calm: u32,
    /// True if debts were written off on this connection: from then on the bot's answers may be misjudged.
    is_written_off: bool,
    hiccups: u32,
    misses: u32,
    /// Messages since the last hiccup.
    since_hiccup: u32,
    comes_back: Option<Time>,
}

impl Bot {
    fn draw(draw: &mut Draw) -> Self {
        let habit = match draw.below(8) {
            0..4 => Habit::Honest { hiccups: draw.below(4) as u32 },
            4 => Habit::Slow,
            5 => Habit::Silent,
            6 => Habit::Flood,
            _ => Habit::Restless,
        };
        Self {
            habit,
            answers: Answers {
                reads_all: draw.one_in(2),
                in_mud: draw.one_in(2),
                final_state: !draw.one_in(4),
            },
            mud: 0,
            unread: Vec::new(),
            thinking: None,
            calm: 0,
            is_written_off: false,
            hiccups: 0,
            misses: 0,
            since_hiccup: u32::MAX,
            comes_back: None,
        }
    }

    fn is_honest(&self) -> bool {
        matches!(self.habit, Habit::Honest { .. })
    }

    /// Looks at the next state if the bot is idle.
    fn think(&mut self, now: Time, draw: &mut Draw) {
        if self.thinking.is_some() || self.unread.is_empty() || self.habit == Habit::Silent {
            return;
        }
        let state = if self.answers.reads_all {
            self.unread.remove(0)
        } else {
            std::mem::take(&mut self.unread).pop().expect("it is not empty")
        };
        let quick = if draw.one_in(2) { draw.below(10) } else { draw.below(DEADLINE + 1) };
        let takes = match self.habit {
            Habit::Honest { hiccups }
                if self.calm == 0 && self.hiccups < hiccups && draw.one_in(3) =>
            {
                self.hiccups += 1;
                self.since_hiccup = 0;
                self.calm = 5;
                draw.below(3 * DEADLINE)
            }
            Habit::Slow => draw.below(4 * DEADLINE),
            _ => quick,
        };
        self.calm = self.calm.saturating_sub(1);
        self.thinking = Some((state, now + takes));
    }
}

/// A match between bots, and the referee that judges it.
struct Match {
    epoch: Instant,
    now: Time,
    draw: Draw,
    bots: Vec<Bot>,
    referee: Referee<Message>,
    /// The number of the current state, counted over all matches.
    state: Message,
    matches: u32,
    turns: u32,
    has_mud: bool,
    turn_began: Time,
    /// Time that the host has stalled in this turn.
    stalled: Time,
    /// Total time of turns beyond their deadlines.
    excess: Time,
    is_over: bool,
}

impl Match {
    fn new(seed: u64) -> Self {
        let mut draw = Draw(SplitMix64::seed_from_u64(seed));
        let seats = 1 + draw.below(3) as usize;
        let has_mud = draw.one_in(4);
        let epoch = Instant::now();
        let bots: Vec<_> = (0..seats).map(|_| Bot::draw(&mut draw)).collect();
        let mut referee = Referee::new(seats, Duration::from_micros(DEADLINE));
        for seat in 0..seats {
            referee.seat(epoch, seat, Ledger::default());
        }
        Self {
            epoch,
            now: 0,
            draw,
            bots,
            referee,
            state: 0,
            matches: 1,
            turns: 0,
            has_mud,
            turn_began: 0,
            stalled: 0,
            excess: 0,
            is_over: false,
        }
    }

    fn moment(&self, time: Time) -> Instant {
        self.epoch + Duration::from_micros(time)
    }

    fn play(mut self) {
        self.begin();
        while !self.is_over {
            self.obey();
            if self.is_over {
                break;
            }
            let timeout = self
                .referee
                .next_timeout()
                .map(|moment| moment.duration_since(self.epoch).as_micros() as Time);
            let decided = self.bots.iter().filter_map(|bot| bot.thinking.map(|(_, at)| at));
            let back = self.bots.iter().filter_map(|bot| bot.comes_back);
            let next = decided.chain(back).chain(timeout).min().expect("a turn always ends");
            self.now = self.now.max(next);
            if self.draw.one_in(100) {
                self.stop_the_host();
            }
            self.deliver();
            if self.turns < TURNS && self.draw.one_in(500) {
                self.stop_the_match();
            }
        }
    }

    /// Checks the invariants of a whole match, then starts another one on the same connections.
    fn end(&mut self) {
        for bot in self.bots.iter().filter(|bot| !self.has_mud && bot.is_honest()) {
            assert!(bot.misses <= 3 * bot.hiccups, "missed more than its hiccups: {bot:?}");
        }
        let account = 10 * DEADLINE * self.bots.len() as Time;
        assert!(self.excess <= account, "turns lasted {} too long", self.excess);
        if self.matches == MATCHES {
            return self.is_over = true;
        }
        self.matches += 1;
        (self.turns, self.excess) = (0, 0);
        let mut next = Referee::new(self.bots.len(), Duration::from_micros(DEADLINE));
        let now = self.moment(self.now);
        for (seat, bot) in self.bots.iter_mut().enumerate() {
            // A hiccup may go on in the next match.
            (bot.hiccups, bot.misses) = (u32::from(bot.since_hiccup == 0), 0);
            if let Some(ledger) = self.referee.leave(seat) {
                next.seat(now, seat, ledger);
            }
        }
        self.referee = next;
        self.begin();
    }

    fn begin(&mut self) {
        self.state += 1;
        self.turn_began = self.now;
        self.stalled = 0;
        for bot in self.bots.iter_mut().filter(|_| self.has_mud) {
            bot.mud = match bot.mud {
                0 if self.draw.one_in(4) => 2 + self.draw.below(4) as u32,
                mud => mud.saturating_sub(1),
            };
        }
        let at_least = if self.draw.one_in(4) { self.draw.below(2 * DEADLINE) } else { 0 };
        let at_least = Duration::from_micros(at_least);
        let (now, round) = (self.moment(self.now), Round { at_least, ..Round::default() });
        self.referee.begin(now, round, |seat| self.bots[seat].mud == 0);
    }

    /// Carries out the referee's effects.
    fn obey(&mut self) {
        while let Some(effect) = self.referee.poll(self.moment(self.now)) {
            match effect {
                // Nobody reads what was decided before the player left.
                Effect::Send(seat) if self.bots[seat].comes_back.is_some() => {}
                Effect::Send(seat) => {
                    let bot = &mut self.bots[seat];
                    let is_read = match self.turns {
                        TURNS => bot.answers.final_state,
                        _ => bot.mud == 0 || bot.answers.in_mud,
                    };
                    if is_read {
                        bot.unread.push(self.state);
                    }
                    bot.think(self.now, &mut self.draw);
                }
                Effect::WrittenOff(seat) => self.bots[seat].is_written_off = true,
                Effect::TurnOver => self.close(),
                Effect::Deserted => return self.is_over = true,
                Effect::Settled => self.end(),
                Effect::Absent(_) | Effect::Present(_) => {}
            }
        }
    }

    fn close(&mut self) {
        let lasted = self.now - self.turn_began;
        self.excess += lasted.saturating_sub(DEADLINE + self.stalled);
        let judgements = self.referee.close(self.moment(self.now), |_| None);
        for (bot, judgement) in self.bots.iter_mut().zip(judgements) {
            if !judgement.is_asked {
                continue;
            }
            let seen = judgement.answer.map(|(seen, _)| seen);
            bot.misses += u32::from(seen.is_none());
            assert!(
                seen.is_none_or(|seen| seen == self.state) || bot.is_written_off,
                "an answer to state {seen:?} counted for state {}: {bot:?}",
                self.state
            );
            assert!(
                seen == Some(self.state)
                    || bot.since_hiccup <= 4
                    || self.has_mud
                    || !bot.is_honest(),
                "not in step after four answers, with {seen:?} for state {}: {bot:?}",
                self.state
            );
        }
        self.turns += 1;
        if self.turns == TURNS {
            self.state += 1;
            self.referee.finish(self.moment(self.now), Duration::from_micros(DEADLINE));
        } else {
            self.begin();
        }
    }

    /// Stalls the host while the bots go on.
    fn stop_the_host(&mut self) {
        let from = self.now;
        self.now += 1 + self.draw.below(6 * DEADLINE);
        self.stalled += self.now - from;
        self.referee.stalled(self.moment(from), self.moment(self.now));
    }

    /// Ends the match in the middle of a turn, as an organiser may: no final state is sent.
    fn stop_the_match(&mut self) {
        self.turns = TURNS;
        self.referee.stop(self.moment(self.now), Duration::from_micros(DEADLINE));
    }

    /// Delivers the messages that the bots have decided on by now, in order of time.
    fn deliver(&mut self) {
        loop {
            let decided = self.bots.iter().enumerate();
            let decided = decided.filter_map(|(seat, bot)| Some((bot.thinking?.1, seat)));
            let Some((at, seat)) = decided.min().filter(|(at, _)| *at <= self.now) else { break };
            self.decide(seat, at);
        }
        for seat in 0..self.bots.len() {
            if self.bots[seat].comes_back.is_some_and(|at| at <= self.now) {
                let bot = &mut self.bots[seat];
                (bot.comes_back, bot.is_written_off) = (None, false);
                self.referee.seat(self.moment(self.now), seat, Ledger::default());
            }
        }
    }

    fn decide(&mut self, seat: usize, at: Time) {
        let bot = &mut self.bots[seat];
        let (seen, _) = bot.thinking.take().expect("it was thinking");
        bot.since_hiccup = bot.since_hiccup.saturating_add(1);
        let moment = self.moment(at);
        self.referee.message(seat, moment, seen);
        assert!(self.referee.is_present(seat), "it has sent something");
        let bot = &mut self.bots[seat];
        match bot.habit {
            Habit::Flood if self.draw.one_in(2) => {
                // Surplus answers are the bot's own fault: they may count for states to come.
                bot.is_written_off = true;
                for _ in 0..self.draw.below(5) {
                    self.referee.message(seat, moment, seen);
                }
            }
            Habit::Restless if self.draw.one_in(3) => {
                bot.unread.clear();
                bot.comes_back = Some(at + self.draw.below(5 * DEADLINE));
                self.referee.leave(seat);
            }
            _ => {}
        }
        self.bots[seat].think(at, &mut self.draw);
    }
}

#[test]
fn promises_are_kept_in_random_schedules() {
    let schedules: u64 =
        std::env::var("SCHEDULES").map_or(1_000_000, |text| text.parse().expect("a number"));
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    thread::scope(|scope| {
        for first in 0..threads {
            scope.spawn(move || {
                for seed in (first..schedules).step_by(threads as usize) {
                    let played = std::panic::catch_unwind(|| Match::new(seed).play());
                    assert!(played.is_ok(), "in the schedule of seed {seed}");
                }
            });
        }
    });
}
