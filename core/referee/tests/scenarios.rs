//! Matches in simulated time, one situation each, and the referee's judgements.

use std::time::{Duration, Instant};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use referee::{Cause, Effect, Judgement, Ledger, Referee, Round, Transport, Verdict};

/// Milliseconds since the start of the match.
type Time = u64;

const DEADLINE: Time = 1000;
const TURNS: u32 = 200;

/// A bot that thinks about one state at a time. Its answer is the number of the state.
struct Bot {
    /// True if the bot answers every state in order, false if only the newest that it has received.
    reads_all: bool,
    /// The thinking time of decision n, from 0; `None` if it never ends.
    thinks: Box<dyn FnMut(u32) -> Option<Time>>,
    decisions: u32,
    unread: Vec<u32>,
    thinking: Option<(u32, Option<Time>)>,
}

/// The result of one turn.
struct Turn {
    lasted: Time,
    judgements: Vec<Judgement<u32>>,
}

/// The result of a match.
#[derive(Default)]
struct Course {
    turns: Vec<Turn>,
    effects: Vec<Effect>,
}

impl Bot {
    fn new(reads_all: bool, thinks: impl FnMut(u32) -> Option<Time> + 'static) -> Self {
        let thinks = Box::new(thinks);
        Self { reads_all, thinks, decisions: 0, unread: Vec::new(), thinking: None }
    }

    fn steady(time: Time) -> Self {
        Self::new(true, move |_| Some(time))
    }

    fn silent() -> Self {
        Self::new(true, |_| None)
    }

    fn think(&mut self, now: Time) {
        if self.thinking.is_none() && !self.unread.is_empty() {
            let state = if self.reads_all {
                self.unread.remove(0)
            } else {
                self.unread.drain(..).next_back().expect("it is not empty")
            };
            let takes = (self.thinks)(self.decisions);
            self.decisions += 1;
            self.thinking = Some((state, takes.map(|takes| now + takes)));
        }
    }
}

/// Plays a match to its last turn, or until it is deserted. In turn `turn`, the host stops for `stop.1` as soon as it
/// has sent the states.
fn play(bots: &mut [Bot], turns: u32, stop: Option<(u32, Time)>) -> Course {
    let epoch = Instant::now();
    let at = |time: Time| epoch + Duration::from_millis(time);
    let mut referee = Referee::new(bots.len(), Duration::from_millis(DEADLINE));
    for seat in 0..bots.len() {
        referee.seat(epoch, seat, Ledger::default());
    }
    let mut course = Course::default();
    let mut now = 0;
    for turn in 1..=turns {
        let began = now;
        referee.begin(at(now), Round::default(), |_| true);
        let mut stop = stop.filter(|stop| stop.0 == turn).map(|stop| stop.1);
        loop {
            let mut over = None;
            while let Some(effect) = referee.poll(at(now)) {
                course.effects.push(effect);
                match effect {
                    Effect::Send(seat) => {
                        bots[seat].unread.push(turn);
                        bots[seat].think(now);
                    }
                    Effect::TurnOver | Effect::Deserted => over = Some(effect),
                    _ => {}
                }
            }
            if let Some(over) = over {
                let judgements = referee.close(at(now), |_| None);
                course.turns.push(Turn { lasted: now - began, judgements });
                if over == Effect::Deserted {
                    return course;
                }
                break;
            }
            if let Some(stop) = stop.take() {
                referee.stalled(at(now), at(now + stop));
                now += stop;
            }
            let decided = bots.iter().enumerate();
            let decided = decided.filter_map(|(seat, bot)| Some((bot.thinking?.1?, seat))).min();
            let timeout = referee.next_timeout().expect("a turn ends");
            let timeout = timeout.duration_since(epoch).as_millis() as Time;
            match decided.filter(|(decided, _)| *decided <= timeout) {
                Some((decided, seat)) => {
                    now = now.max(decided);
                    let (state, _) = bots[seat].thinking.take().expect("it was thinking");
                    referee.message(seat, at(decided), state);
                    bots[seat].think(decided);
                }
                None => now = now.max(timeout),
            }
        }
    }
    course
}

impl Course {
    /// The number of turns without an answer of a seat.
    fn misses(&self, seat: usize) -> usize {
        self.turns.iter().filter(|turn| turn.judgements[seat].answer.is_none()).count()
    }

    /// The number of turns in which the answer of a seat was to an older state.
    fn stale(&self, seat: usize) -> usize {
        let is_stale = |(number, turn): (u32, &Turn)| {
            turn.judgements[seat].answer.is_some_and(|(seen, _)| seen != number)
        };
        (1..).zip(&self.turns).filter(|turn| is_stale(*turn)).count()
    }

    fn is_in_step_after(&self, turn: u32, seat: usize) -> bool {
        let later = (1..).zip(&self.turns).filter(|(number, _)| *number > turn);
        later.clone().all(|(number, turn)| {
            turn.judgements[seat].answer.is_some_and(|(seen, _)| seen == number)
        })
    }

    fn causes(&self, seat: usize) -> Vec<Cause> {
        self.turns.iter().filter_map(|turn| turn.judgements[seat].cause).collect()
    }
}

fn copied(judgement: &Judgement<&'static str>) -> Option<&'static str> {
    judgement.answer.map(|(text, _)| text)
}

#[test]
fn a_hiccup_costs_few_turns_and_leaves_nobody_behind() {
    for (hiccup, reads_all, misses) in [
        (900, true, 0),
        (900, false, 0),
        (1200, true, 1),
        (1200, false, 1),
        (1600, true, 1),
        (1600, false, 1),
        (2000, true, 1),
        (2000, false, 1),
        (3000, true, 2),
        (3000, false, 2),
    ] {
        for rival in [5, 750] {
            let thinks = move |n| Some(if n == 50 { hiccup } else { 750 });
            let mut bots = [Bot::new(reads_all, thinks), Bot::steady(rival)];
            let course = play(&mut bots, TURNS, None);
            let case = format!("hiccup {hiccup}, reads all: {reads_all}, rival {rival}");
            assert_eq!(course.misses(0), misses, "{case}");
            assert_eq!((course.stale(0), course.misses(1)), (0, 0), "{case}");
            assert!(course.is_in_step_after(51 + misses as u32, 0), "{case}");
        }
    }
}

#[test]
fn many_hiccups_cost_turns_and_who_reads_all_states_gives_no_stale_answer() {
    for (reads_all, expected) in [(true, 30..60), (false, 60..120)] {
        let mut misses = 0;
        for seed in 0..20 {
            let mut random = SplitMix64::seed_from_u64(seed);
            let thinks = move |n| match n % 10 {
                9 => Some(1200 + random.next_u64() % 1800),
                _ => Some(750),
            };
            let course = play(&mut [Bot::new(reads_all, thinks), Bot::steady(750)], TURNS, None);
            assert!(!reads_all || course.stale(0) == 0, "seed {seed}");
            misses += course.misses(0);
        }
        assert!(expected.contains(&(misses / 20)), "{} a match: {reads_all}", misses / 20);
    }
}

#[test]
fn hiccups_at_any_decision_leave_hardly_anybody_behind() {
    // One decision in ten takes 1.2 to 3 deadlines: hiccups may follow one another, and the account is soon used up.
    let mut lost = 0;
    for seed in 0..24 {
        let mut random = SplitMix64::seed_from_u64(seed / 2);
        let thinks = move |_| match random.next_u64() % 10 {
            9 => Some(1200 + random.next_u64() % 1800),
            _ => Some(750),
        };
        let mut bots = [Bot::new(seed % 2 == 0, thinks), Bot::steady(750)];
        lost += usize::from(play(&mut bots, TURNS, None).stale(0) > 10);
    }
    assert!(lost <= 1, "{lost} of 24 matches had more than ten stale answers");
}

#[test]
fn a_slow_player_delays_turns_no_longer_than_its_account() {
    for takes in [1100, 1900, 2900] {
        let course = play(&mut [Bot::steady(takes), Bot::steady(5)], TURNS, None);
        let excess: Time =
            course.turns.iter().map(|turn| turn.lasted.saturating_sub(DEADLINE)).sum();
        assert!((1..=10 * DEADLINE).contains(&excess), "{takes}: {excess}");
        assert_eq!(course.misses(1), 0, "{takes}");
    }
}

#[test]
fn a_player_that_reads_only_the_newest_has_its_debts_written_off() {
    let mut bots = [Bot::new(false, |n| Some(if n == 20 { 2500 } else { 750 })), Bot::steady(5)];
    let course = play(&mut bots, TURNS, None);
    assert!(course.effects.contains(&Effect::WrittenOff(0)));
    assert_eq!(course.stale(0), 0);
    assert!(course.is_in_step_after(25, 0));
}

#[test]
fn what_the_host_could_not_do_is_not_missed() {
    for stop in [400, 900, 3000] {
        // Without the stall, the tenth answer would come after the deadline.
        let mut bots = [Bot::new(true, |n| Some(if n == 9 { 1200 } else { 5 })), Bot::steady(5)];
        let course = play(&mut bots, 20, Some((10, stop)));
        assert_eq!((course.misses(0), course.misses(1)), (0, 0), "{stop}");
        let mut bots = [Bot::new(true, move |n| (n != 9).then_some(5)), Bot::steady(5)];
        let course = play(&mut bots, 10, Some((10, stop)));
        assert_eq!(course.causes(0), [Cause::Host(Duration::from_millis(stop))]);
        assert_eq!(course.turns[9].lasted, DEADLINE + stop);
    }
}

#[test]
fn no_stall_excuses_silence_for_three_deadlines() {
    let (mut referee, at) = alone();
    let stall = 60;
    let mut now = 0;
    let mut causes = Vec::new();
    for stalled in [stall, stall, stall, 0, stall] {
        referee.begin(at(now), Round::default(), |_| true);
        referee.stalled(at(now), at(now + stalled));
        now += DEADLINE + stalled;
        effects(&mut referee, at(now));
        causes.extend(referee.close(at(now), |_| None)[0].cause.map(Cause::word));
    }
    // In the last turn the host stalled again, so the host is to blame again.
    assert_eq!(causes, ["host", "host", "host", "bot", "host"]);
}

#[test]
fn silence_is_an_absence_that_any_message_ends() {
    // The bot thinks about the third state for a long time.
    let mut bots = [Bot::new(true, |n| Some(if n == 2 { 8000 } else { 5 })), Bot::steady(500)];
    let course = play(&mut bots, TURNS, None);
    let absent = course.effects.iter().position(|effect| *effect == Effect::Absent(0));
    let present = course.effects.iter().position(|effect| *effect == Effect::Present(0));
    assert!(absent.is_some() && absent < present);
    let while_absent = course.turns.iter().filter(|turn| turn.lasted == 500).count();
    assert!(while_absent > 5, "turns wait for the rival only");
    assert!(course.is_in_step_after(30, 0));
    assert_eq!(course.stale(0), 0);
}

#[test]
fn nobody_is_sent_more_than_four_states_in_advance() {
    let course = play(&mut [Bot::silent(), Bot::steady(5)], 50, None);
    let sent = course.effects.iter().filter(|effect| **effect == Effect::Send(0)).count();
    assert_eq!((sent, course.misses(0), course.misses(1)), (4, 50, 0));
    assert_eq!(course.causes(0), vec![Cause::Bot; 50]);
}

#[test]
fn a_match_without_anybody_ends_unless_somebody_speaks() {
    let course = play(&mut [Bot::silent(), Bot::silent()], 50, None);
    // Three turns until all seats are absent, and three more deadlines.
    assert_eq!(course.turns.len(), 6);
    assert_eq!(course.effects.last(), Some(&Effect::Deserted));
    let spoke = |n| Some(if n == 0 { 5500 } else { 5 });
    let course = play(&mut [Bot::new(true, spoke), Bot::silent()], 50, None);
    assert_eq!(course.turns.len(), 50, "one has answered in the last deserted turn");
    assert!(course.is_in_step_after(10, 0));
}

/// A referee of one seat, and a function that converts times of its match.
fn alone() -> (Referee<&'static str>, impl Fn(Time) -> Instant) {
    let epoch = Instant::now();
    let mut referee = Referee::new(1, Duration::from_millis(DEADLINE));
    referee.seat(epoch, 0, Ledger::default());
    (referee, move |time| epoch + Duration::from_millis(time))
}

/// The effects at a time.
fn effects(referee: &mut Referee<&'static str>, now: Instant) -> Vec<Effect> {
    std::iter::from_fn(|| referee.poll(now)).collect()
}

#[test]
fn the_network_is_blamed_with_evidence_only() {
    let rtt = Duration::from_millis;
    for (transport, is_network) in [
        (Transport { rtt: rtt(1), ..Transport::default() }, false),
        (Transport { rtt: rtt(1), queued: 5000, ..Transport::default() }, false),
        (Transport { rtt: rtt(1), unacknowledged: 1, ..Transport::default() }, true),
        (Transport { rtt: rtt(1), retransmits: 1, ..Transport::default() }, true),
        (Transport { rtt: rtt(600), ..Transport::default() }, true),
    ] {
        let (mut referee, at) = alone();
        referee.begin(at(0), Round::default(), |_| true);
        assert_eq!(effects(&mut referee, at(DEADLINE)), [Effect::Send(0), Effect::TurnOver]);
        let cause = referee.close(at(DEADLINE), |_| Some(transport))[0].cause;
        let expected = if is_network { Cause::Network(transport) } else { Cause::Bot };
        assert_eq!(cause, Some(expected));
    }
}

#[test]
fn an_answer_in_the_mud_never_counts_for_the_next_state() {
    let (mut referee, at) = alone();
    referee.begin(at(0), Round::default(), |seat| seat != 0);
    assert_eq!(effects(&mut referee, at(DEADLINE)), [Effect::Send(0), Effect::TurnOver]);
    referee.close(at(DEADLINE), |_| None);
    referee.begin(at(DEADLINE), Round::default(), |seat| seat != 0);
    assert_eq!(effects(&mut referee, at(DEADLINE)), [Effect::Send(0)]);
    // The bot answers in the mud; the first answer is 1 ms late.
    assert_eq!(referee.message(0, at(1001), "first"), Verdict::Late);
    assert_eq!(referee.message(0, at(1002), "second"), Verdict::Current);
    effects(&mut referee, at(1002));
    assert_eq!(copied(&referee.close(at(1002), |_| None)[0]), Some("second"));
    // The bot is now known to answer optional states, so the next state is owed too.
    referee.begin(at(1002), Round::default(), |seat| seat != 0);
    effects(&mut referee, at(2003));
    referee.close(at(2003), |_| None);
    referee.begin(at(2003), Round::default(), |_| true);
    effects(&mut referee, at(2003));
    assert_eq!(referee.message(0, at(2004), "of the mud"), Verdict::Late);
    assert_eq!(referee.message(0, at(2005), "of the last"), Verdict::Current);
}

#[test]
fn who_never_answers_in_the_mud_is_not_waited_for_after_the_first_passage() {
    let (mut referee, at) = alone();
    let mut now = 0;
    let mut lasted = Vec::new();
    for turn in 0..12 {
        let is_mud = turn % 3 == 1;
        referee.begin(at(now), Round::default(), |seat| seat != 0 || !is_mud);
        let began = now;
        let mut done = effects(&mut referee, at(now));
        if !is_mud {
            now += 5;
            referee.message(0, at(now), "NE");
            done = effects(&mut referee, at(now));
        }
        while !done.contains(&Effect::TurnOver) {
            let timeout = referee.next_timeout().expect("a turn ends");
            now = timeout.duration_since(at(0)).as_millis() as Time;
            done = effects(&mut referee, at(now));
        }
        let answered = referee.close(at(now), |_| None)[0].answer.is_some();
        assert_eq!(answered, !is_mud, "turn {turn}");
        if is_mud {
            lasted.push(now - began);
        }
    }
    assert_eq!(lasted, [DEADLINE, 0, 0, 0]);
}

#[test]
fn between_two_matches_accounts_are_settled() {
    let (mut referee, at) = alone();
    referee.finish(at(0), Duration::from_millis(DEADLINE));
    assert_eq!(effects(&mut referee, at(0)), [Effect::Send(0)]);
    assert_eq!(referee.message(0, at(300), "to the final state"), Verdict::Current);
    assert_eq!(effects(&mut referee, at(300)), [Effect::Settled]);
    // The bot leaves the next final state unanswered: only the first match waits for it.
    let mut now = 300;
    let mut waited = Vec::new();
    for _ in 0..3 {
        let ledger = referee.leave(0).expect("it was there");
        referee = Referee::new(1, Duration::from_millis(DEADLINE));
        referee.seat(at(now), 0, ledger);
        referee.begin(at(now), Round::default(), |_| true);
        effects(&mut referee, at(now));
        assert_eq!(referee.message(0, at(now + 5), "NE"), Verdict::Current);
        now += 5;
        while !effects(&mut referee, at(now)).contains(&Effect::TurnOver) {
            let timeout = referee.next_timeout().expect("a turn ends");
            now = timeout.duration_since(at(0)).as_millis() as Time;
        }
        assert_eq!(copied(&referee.close(at(now), |_| None)[0]), Some("NE"));
        referee.finish(at(now), Duration::from_millis(DEADLINE));
        let began = now;
        while !effects(&mut referee, at(now)).contains(&Effect::Settled) {
            let timeout = referee.next_timeout().expect("it settles");
            now = timeout.duration_since(at(0)).as_millis() as Time;
        }
        waited.push(now - began);
    }
    assert_eq!(waited, [DEADLINE, 0, 0]);
}
