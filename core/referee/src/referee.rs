//! One match, turn by turn.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::cause::{Cause, Transport};
use crate::judgement::{Effect, Judgement, Round, Verdict};
use crate::ledger::Ledger;
use crate::seat::{Seat, SeatState};
use crate::stalls::Stalls;

/// Deadlines that a turn waits for a player after it pays an old debt; if the player is silent for as long, it has
/// skipped states.
const GRACE: u32 = 2;
/// Budget of a seat for waits beyond the turns' deadlines, in deadlines per match.
const ACCOUNT: u32 = 10;
/// Turns in a row with every seat absent after which the match is deserted.
const DESERTED: u32 = 3;

/// The referee of one match. Seats are numbered from 0; messages are of type `M`.
#[derive(Debug)]
pub struct Referee<M> {
    deadline: Duration,
    seats: Vec<Seat<M>>,
    phase: Phase,
    /// The number of the current state, from 1.
    state: u64,
    /// Turns in a row in which every seat was absent until the end.
    deserted: u32,
    stalls: Stalls,
    effects: VecDeque<Effect>,
}

#[derive(Debug)]
enum Phase {
    /// Before the first turn, between two turns, and after the last one.
    Idle,
    Turn(Turn),
    /// The final state is sent, and answers to it are awaited.
    Settling {
        start: Instant,
        until: Instant,
    },
}

#[derive(Debug)]
struct Turn {
    start: Instant,
    /// The deadline without stalls of the host.
    due: Instant,
    /// The deadline with stalls of the host, for all players but those that catch up.
    deadline: Instant,
    /// The turn does not end before this time.
    earliest: Instant,
    /// Time that the host has stalled in this turn.
    stalled: Duration,
    /// True if the shell has been told that the turn is over.
    is_over: bool,
}

impl<M: Clone> Referee<M> {
    /// The referee of a match with this many seats, all empty, and this deadline for an answer.
    #[must_use]
    pub fn new(seats: usize, deadline: Duration) -> Self {
        Self {
            deadline,
            seats: std::iter::repeat_with(|| Seat::new(deadline * ACCOUNT)).take(seats).collect(),
            phase: Phase::Idle,
            state: 0,
            deserted: 0,
            stalls: Stalls::default(),
            effects: VecDeque::new(),
        }
    }

    /// Connects a player with this ledger to a seat; returns the ledger of the connection that it replaces, if any. Once
    /// the match has begun, the player is sent the current state at once and has a full deadline.
    pub fn seat(&mut self, now: Instant, seat: usize, ledger: Ledger) -> Option<Ledger> {
        let replaced = self.leave(seat);
        let own = &mut self.seats[seat];
        own.silence = None;
        own.answer = None;
        own.released = None;
        let ledger = own.ledger.insert(ledger);
        if self.state > 0 {
            // A player that only reconnects, and never sends a message, is soon absent again.
            ledger.silent_turns = own.silent_turns.min(Ledger::ABSENT - 1);
        }
        match self.phase {
            Phase::Turn(Turn { is_over: false, .. }) => self.send(now, seat),
            _ if self.state > 0 => {
                ledger.owe(self.state, now, own.is_asked);
                self.effects.push_back(Effect::Send(seat));
            }
            _ => {}
        }
        replaced
    }

    /// Disconnects a seat and returns the ledger of its connection. An answer from this turn still counts.
    pub fn leave(&mut self, seat: usize) -> Option<Ledger> {
        let own = &mut self.seats[seat];
        own.standing = SeatState::InStep;
        own.last_message = None;
        if let Some(ledger) = &own.ledger {
            own.silent_turns = ledger.silent_turns;
        }
        own.ledger.take()
    }

    /// Tests if turns wait for this seat: it is connected, and has sent a message in the last three turns.
    pub fn is_present(&self, seat: usize) -> bool {
        self.seats[seat].is_present()
    }

    /// Tests if the next [poll](Self::poll) at this time would penalise a missing answer. If so, the shell first reads all
    /// messages and reports stalls, and then polls with the same time.
    pub fn is_due(&self, now: Instant) -> bool {
        let is_missed = match &self.phase {
            Phase::Turn(turn) if !turn.is_over => {
                self.is_deserted() || self.seats.iter().any(|seat| seat.awaited_until().is_some())
            }
            _ => false,
        };
        let writes_off = self.next_write_off().is_some_and(|(moment, _)| moment <= now);
        writes_off || is_missed && self.ends_at().is_some_and(|end| end <= now)
    }

    /// Ends the match at once: sends no more states, and waits at most `patience` for answers.
    pub fn stop(&mut self, now: Instant, patience: Duration) {
        for own in self.seats.iter_mut().filter(|own| own.write_off_at().is_some()) {
            own.standing = SeatState::InStep;
        }
        self.phase = Phase::Settling { start: now, until: now + patience };
    }

    /// Starts a turn: sends a new state to every seat that has credit. Seats that are not asked need not answer it, such as
    /// that of a rat in the mud.
    pub fn begin(&mut self, now: Instant, round: Round, is_asked: impl Fn(usize) -> bool) {
        self.state += 1;
        let deadline = now + self.deadline + round.preparation;
        for seat in 0..self.seats.len() {
            let own = &mut self.seats[seat];
            own.is_asked = is_asked(seat);
            own.answer = None;
            own.released = None;
            own.late = None;
            own.has_spoken = false;
            own.waited_until = Some(deadline);
            let is_held = own.held_until().is_some();
            let Some(ledger) = &mut own.ledger else { continue };
            if own.is_asked && ledger.write_off_optional() {
                self.effects.push_back(Effect::WrittenOff(seat));
            }
            if ledger.has_credit() && !is_held {
                ledger.owe(self.state, now, own.is_asked);
                self.effects.push_back(Effect::Send(seat));
            }
        }
        let earliest = deadline.min(now + round.at_least);
        self.phase = Phase::Turn(Turn {
            start: now,
            due: deadline,
            deadline,
            earliest,
            stalled: Duration::ZERO,
            is_over: false,
        });
    }

    /// Sends the final state to every seat, with or without credit, and waits at most `patience` for the answers. Then
    /// writes off all debts.
    pub fn finish(&mut self, now: Instant, patience: Duration) {
        self.state += 1;
        for (seat, own) in self.seats.iter_mut().enumerate() {
            own.standing = SeatState::InStep;
            if let Some(ledger) = &mut own.ledger {
                if ledger.write_off_optional() {
                    self.effects.push_back(Effect::WrittenOff(seat));
                }
                ledger.owe_final(self.state, now);
                self.effects.push_back(Effect::Send(seat));
            }
        }
        self.phase = Phase::Settling { start: now, until: now + patience };
    }

    /// Tests if a message of this seat at this time comes after its deadline. [Report](Self::stalled) stalls before you
    /// hand over such a message: they may extend the deadline.
    pub fn is_overdue(&self, seat: usize, at: Instant) -> bool {
        let is_turn = matches!(&self.phase, Phase::Turn(turn) if !turn.is_over);
        is_turn && self.seats[seat].waited_until.is_some_and(|until| until < at)
    }

    /// Takes in a message that a seat sent at this time, which lies in the past if the host was busy. If the message
    /// [is overdue](Self::is_overdue), report stalls before.
    pub fn message(&mut self, seat: usize, at: Instant, message: M) -> Verdict {
        let Self { seats, phase, effects, state, deadline, .. } = self;
        let own = &mut seats[seat];
        let Some(ledger) = &mut own.ledger else { return Verdict::Unasked };
        if !ledger.is_present() {
            effects.push_back(Effect::Present(seat));
        }
        ledger.heard();
        own.has_spoken = true;
        own.silence = None;
        let before = own.last_message.replace(at);
        if ledger.owed() == 0 && ledger.is_doubtful() {
            // One message more than states: the player has skipped none of them. Its answer since the write-off was to an
            // older state.
            ledger.reinstate();
            if let Some((stale, _)) = own.answer.take() {
                own.late.get_or_insert(stale);
                own.released = None;
            }
            if let SeatState::Probation { sent } = own.standing {
                ledger.owe(*state, sent, true);
                ledger.pay();
            }
            if matches!(own.standing, SeatState::Probation { .. } | SeatState::Held { .. }) {
                own.standing = SeatState::InStep;
            }
        }
        let Some(paid) = ledger.pay() else { return Verdict::Unasked };
        let turn = match phase {
            Phase::Turn(turn) if !turn.is_over => turn,
            // An answer to a final state, or after the turn was closed.
            _ => return if paid.state == *state { Verdict::Current } else { Verdict::Late },
        };
        if paid.state == *state {
            own.standing = SeatState::InStep;
            let is_in_time = own.waited_until.is_some_and(|until| at <= until);
            if !is_in_time {
                own.released = Some(at);
                own.late.get_or_insert(message);
                return Verdict::Late;
            }
            let began = before.map_or(paid.sent, |before| before.max(paid.sent));
            own.answer = Some((message, at.saturating_duration_since(began)));
            if ledger.is_doubtful() {
                own.standing = SeatState::Probation { sent: paid.sent };
                own.waited_until = Some((at + *deadline).min(turn.deadline + own.account));
            } else {
                own.released = Some(at);
            }
            return Verdict::Current;
        }
        // The player catches up.
        own.late.get_or_insert_with(|| message.clone());
        own.standing = SeatState::CatchingUp {
            write_off: at + *deadline * GRACE,
            last: ledger.newest().map(|newest| (message, newest.state)),
        };
        let grace = (at + *deadline * GRACE).min(turn.deadline + own.account);
        own.waited_until = own.waited_until.max(Some(grace));
        if !ledger.owes(*state) {
            self.send(at, seat);
        }
        Verdict::Late
    }

    /// Reports that the host did not run in this interval: extends the deadlines that overlap with it by the same time.
    pub fn stalled(&mut self, from: Instant, to: Instant) {
        let start = match &self.phase {
            Phase::Idle => return self.stalls.add(from, to),
            Phase::Turn(turn) => turn.start,
            Phase::Settling { start, .. } => *start,
        };
        let before = self.stalls.since(start);
        self.stalls.add(from, to);
        let new = self.stalls.since(start).saturating_sub(before);
        match &mut self.phase {
            Phase::Idle => {}
            Phase::Turn(turn) => {
                turn.stalled += new;
                turn.deadline += new;
            }
            Phase::Settling { until, .. } => *until += new,
        }
        for seat in &mut self.seats {
            let silence = match &mut seat.standing {
                SeatState::CatchingUp { write_off, .. } => Some(write_off),
                SeatState::Held { until } => Some(until),
                SeatState::InStep | SeatState::Probation { .. } => None,
            };
            for moment in seat.waited_until.iter_mut().chain(silence) {
                *moment += new;
            }
        }
    }

    /// Returns the next action at this time; `None` if there is none before a message arrives or the
    /// [next timeout](Self::next_timeout).
    pub fn poll(&mut self, now: Instant) -> Option<Effect> {
        if let Some(effect) = self.effects.pop_front() {
            return Some(effect);
        }
        while let Some((moment, seat)) = self.next_write_off().filter(|(moment, _)| *moment <= now)
        {
            if self.ends_at().is_some_and(|end| end < moment) {
                break;
            }
            self.write_off(moment, seat);
        }
        self.release_held(now);
        if self.ends_at().is_some_and(|end| end <= now) {
            self.end();
        }
        self.effects.pop_front()
    }

    /// The time of the next [poll](Self::poll) if nothing happens before.
    pub fn next_timeout(&self) -> Option<Instant> {
        let write_off = self.next_write_off().map(|(moment, _)| moment);
        let held = self.seats.iter().filter_map(Seat::held_until).min();
        let is_turn = matches!(&self.phase, Phase::Turn(turn) if !turn.is_over);
        self.ends_at().into_iter().chain(write_off).chain(held.filter(|_| is_turn)).min()
    }

    /// Closes a turn that is over and returns the judgement of each seat. `transport` returns the state of a seat's
    /// connection, if known.
    pub fn close(
        &mut self,
        now: Instant,
        transport: impl Fn(usize) -> Option<Transport>,
    ) -> Vec<Judgement<M>> {
        let Phase::Turn(turn) = std::mem::replace(&mut self.phase, Phase::Idle) else {
            return Vec::new();
        };
        let Self { seats, effects, deadline, stalls, state, .. } = self;
        let close = |(seat, own): (usize, &mut Seat<M>)| {
            let released = own.released.or(own.waited_until).unwrap_or(now).min(now);
            let stalled = turn.stalled.saturating_sub(stalls.since(released));
            let waited = released.saturating_duration_since(turn.due + stalled);
            own.account = own.account.saturating_sub(waited);
            let is_connected = own.ledger.is_some();
            if let SeatState::Probation { .. } = own.standing
                && let Some(ledger) = &mut own.ledger
            {
                let proven = own.last_message.map(|at| at + *deadline);
                own.standing = if let Some(until) = proven.filter(|proven| *proven > now) {
                    SeatState::Held { until }
                } else {
                    ledger.confirm(*state == 1);
                    SeatState::InStep
                };
            }
            let cause = match &mut own.ledger {
                Some(ledger) if own.is_asked && own.answer.is_none() => {
                    let took = now.saturating_duration_since(turn.start);
                    let found = Cause::find(turn.stalled, transport(seat), took, *deadline);
                    // An absent seat misses its turns for the cause of its absence.
                    let known = own.silence.filter(|_| !ledger.is_present() && !found.is_host());
                    let cause = known.unwrap_or(found);
                    if !own.has_spoken {
                        let mut silence = cause.join(own.silence);
                        ledger.silent_turns = ledger.silent_turns.saturating_add(1);
                        if ledger.silent_turns == Ledger::ABSENT {
                            effects.push_back(Effect::Absent(seat));
                            // The host did run for three whole deadlines (stalls extend them): no stall explains this silence.
                            if silence.is_host() {
                                silence = Cause::Bot;
                            }
                        }
                        own.silence = Some(silence);
                    }
                    Some(cause)
                }
                _ => None,
            };
            Judgement {
                answer: own.answer.take(),
                cause,
                stalled: turn.stalled,
                late: own.late.take(),
                is_asked: own.is_asked,
                is_connected,
            }
        };
        seats.iter_mut().enumerate().map(close).collect()
    }

    /// Sends the current state to a seat in the middle of a turn. The turn waits a full deadline for the answer, as far as
    /// the seat's account allows.
    fn send(&mut self, now: Instant, seat: usize) {
        let Phase::Turn(turn) = &self.phase else { return };
        let own = &mut self.seats[seat];
        let Some(ledger) = &mut own.ledger else { return };
        ledger.owe(self.state, now, own.is_asked);
        let full = (now + self.deadline).min(turn.deadline + own.account);
        own.waited_until = own.waited_until.max(Some(full)).max(Some(turn.deadline));
        self.effects.push_back(Effect::Send(seat));
    }

    /// Sends the current state to the players whose silence has proven that they have skipped states.
    fn release_held(&mut self, now: Instant) {
        if !matches!(&self.phase, Phase::Turn(turn) if !turn.is_over) {
            return;
        }
        for seat in 0..self.seats.len() {
            let own = &mut self.seats[seat];
            if own.held_until().is_some_and(|until| until <= now) {
                own.standing = SeatState::InStep;
                if let Some(ledger) = &mut own.ledger {
                    ledger.confirm(false);
                }
                self.send(now, seat);
            }
        }
    }

    fn next_write_off(&self) -> Option<(Instant, usize)> {
        let seats = self.seats.iter().enumerate();
        seats.filter_map(|(seat, own)| Some((own.write_off_at()?, seat))).min()
    }

    /// A player has been silent after a late message, so it has skipped states. The last message answers the current
    /// state if it arrived after that state was sent; otherwise the player still thinks about the newest state.
    fn write_off(&mut self, now: Instant, seat: usize) {
        let own = &mut self.seats[seat];
        let SeatState::CatchingUp { last, .. } = std::mem::take(&mut own.standing) else { return };
        let Some(ledger) = &mut own.ledger else { return };
        let Some(newest) = ledger.newest() else { return };
        self.effects.push_back(Effect::WrittenOff(seat));
        let last = last.filter(|(_, known)| *known == newest.state);
        ledger.write_off(last.is_none());
        if last.is_none() {
            return;
        }
        if let Phase::Turn(turn) = &self.phase
            && !turn.is_over
        {
            if newest.state == self.state {
                let at = own.last_message.unwrap_or(now);
                let thought = at.saturating_duration_since(newest.sent);
                own.answer = last.map(|(message, _)| (message, thought));
                own.released = Some(now);
            } else {
                self.send(now, seat);
            }
        }
    }

    /// The time at which the turn or the settling ends if no message arrives before.
    fn ends_at(&self) -> Option<Instant> {
        match &self.phase {
            Phase::Turn(turn) if !turn.is_over => Some(if self.is_deserted() {
                turn.deadline
            } else {
                let waited = self.seats.iter().filter_map(Seat::awaited_until);
                waited.fold(turn.earliest, Instant::max)
            }),
            Phase::Settling { start, until } => {
                Some(if self.seats.iter().any(Seat::is_settling) { *until } else { *start })
            }
            _ => None,
        }
    }

    fn end(&mut self) {
        let is_deserted = self.is_deserted();
        match &mut self.phase {
            Phase::Idle => {}
            Phase::Turn(turn) => {
                turn.is_over = true;
                self.deserted = if is_deserted { self.deserted + 1 } else { 0 };
                let is_last = self.deserted == DESERTED;
                self.effects.push_back(if is_last { Effect::Deserted } else { Effect::TurnOver });
            }
            Phase::Settling { .. } => {
                for (seat, own) in self.seats.iter_mut().enumerate() {
                    if own.ledger.as_mut().is_some_and(Ledger::settle) {
                        self.effects.push_back(Effect::WrittenOff(seat));
                    }
                }
                self.phase = Phase::Idle;
                self.effects.push_back(Effect::Settled);
            }
        }
    }

    fn is_deserted(&self) -> bool {
        !self.seats.iter().any(Seat::is_present)
    }
}
