//! One game: the rules, a referee, and the connections of the players.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use game::colour::Colour;
use language::log;
use protocol::{Name, ServerMessage};
use referee::{Cause, Effect, Judgement, Referee, Round, Thinking};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::task::{coop::consume_budget, yield_now};
use tokio::time::{Instant, Sleep, sleep_until, timeout};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tracing::debug;

use crate::audience::{Moment, SceneSender};
use crate::coach::Coach;
use crate::games::{Slip, StatePosition};
use crate::hall::{GameRequest, Played};
use crate::inbox::{GameInbox, Message, Text};
use crate::observers::{self, Observers};
use crate::peer::Peer;
use crate::practice::{PATIENCE, PendingTurn};
use crate::results::{EndReason, GameResult, PlayerResult, Progress};
use crate::transport;
use pulse::Pulse;

/// Maximum number of rounds of reading before a turn is judged; enough for everything that had arrived.
const READS: u32 = 8;
/// Longest wait for answers to the last state sent in a game that is stopped.
const STOPPED: Duration = Duration::from_millis(100);
/// Time from the start of a turn in which answers arrive when they are read; no time stamp of the system is needed.
const SOON: Duration = Duration::from_millis(5);
/// Time between two looks at whether a practice game goes on.
const LOOK: Duration = Duration::from_millis(20);
/// Minimum interval between two updates of a game's progress, which people read.
const NEWS: Duration = Duration::from_millis(20);

/// A command to a running game.
#[derive(Debug)]
pub(crate) enum Command {
    /// Gives a seat to a connection.
    Seat(usize, Arc<Peer>),
    /// Tells the game that a connection is gone.
    Leave(u64),
    /// Shows the game on this stage from now on, or nowhere; sent again when a spectator joins.
    Show(Option<SceneSender>),
}

/// The receivers of a game's events.
#[derive(Debug)]
pub(crate) struct Listeners {
    pub(crate) observers: Observers,
    pub(crate) progress: watch::Sender<Progress>,
    /// Notified when a player falls silent, or sends something again.
    pub(crate) silence: Arc<Notify>,
}

/// Plays one game: reports events to the [`Referee`] and carries out its decisions.
#[derive(Debug)]
pub(crate) struct Driver {
    request: GameRequest,
    /// The names of the players, in order of colour.
    names: Vec<Name>,
    referee: Referee<Text>,
    seats: Vec<Seat>,
    commands: mpsc::Receiver<Command>,
    /// Completes when the game is to stop.
    stopped: Pin<Box<WaitForCancellationFutureOwned>>,
    listeners: Listeners,
    pulse: Pulse,
    stage: Option<SceneSender>,
    turn_began: Instant,
    /// Fires at the next time-out of the referee or the tempo. One timer serves all turns, because postponing a timer
    /// costs next to nothing.
    timer: Pin<Box<Sleep>>,
    arrived: Vec<(usize, Message)>,
    slips: Vec<Slip>,
    /// The time of the next progress update.
    tell_next: Instant,
}

#[derive(Debug, Default)]
struct Seat {
    peer: Option<Arc<Peer>>,
    inbox: GameInbox,
    thinking: Thinking,
    coach: Coach,
}

/// The game was told to stop.
struct Stopped;

impl Driver {
    /// Creates a game between players of these names, in order of colour. The seats are empty.
    pub(crate) fn new(
        mut request: GameRequest,
        names: Vec<Name>,
        commands: mpsc::Receiver<Command>,
        stop: CancellationToken,
        listeners: Listeners,
        pulse: Pulse,
    ) -> Self {
        let texts = names.iter().map(Name::to_string).collect();
        request.game.set_up(request.seed, request.turns, texts);
        Self {
            referee: Referee::new(names.len(), request.deadline),
            seats: std::iter::repeat_with(Seat::default).take(names.len()).collect(),
            request,
            names,
            commands,
            stopped: Box::pin(stop.cancelled_owned()),
            listeners,
            pulse,
            stage: None,
            turn_began: Instant::now(),
            timer: Box::pin(sleep_until(Instant::now())),
            arrived: Vec::new(),
            slips: Vec::new(),
            tell_next: Instant::now(),
        }
    }

    /// Plays the game to its end, and gives the players' connections back.
    pub(crate) async fn play(mut self) -> Played {
        let GameRequest { number, seed, .. } = &self.request;
        let names: Vec<_> = self.names.iter().map(Name::as_str).collect();
        log!(
            info,
            "game {number} begins, seed {seed}: {}",
            "la partie {number} commence, graine {seed} : {}",
            names.join(", ")
        );
        self.listeners.observers.catch_up().await;
        self.listeners.observers.begin(*number, self.request.game.as_ref());
        let end = self.play_turns().await.unwrap_or_else(|Stopped| {
            self.referee.stop(now(), STOPPED);
            // The wait for the last answers is short, and is not stopped again.
            self.stopped = Box::pin(CancellationToken::new().cancelled_owned());
            EndReason::Interrupted
        });
        let ended = Instant::now();
        self.listeners.observers.end(self.request.game.as_mut());
        let result = self.result();
        let is_settled = self.settle().await.is_ok();
        if end == EndReason::Finished && is_settled {
            // Spectators need the tempo to see the last turn.
            let _ = self.rest(ended + self.request.tempo).await;
        }
        if let Some(stage) = &self.stage {
            stage.show(self.request.game.text(), Moment::Final);
        }
        Played { result, end }
    }

    async fn play_turns(&mut self) -> Result<EndReason, Stopped> {
        while !self.request.game.is_over() {
            self.begin_turn();
            let over = self.next(None).await?;
            let mut judgements = self.close_turn();
            if over == Some(Effect::Deserted) {
                log!(
                    warn,
                    "all players are gone: the game ends",
                    "tous les joueurs sont partis : la partie s'arrête"
                );
                self.referee.stop(now(), Duration::ZERO);
                return Ok(EndReason::Deserted);
            }
            self.rest(self.turn_began + self.request.tempo).await?;
            self.consult(&mut judgements).await?;
            self.play_turn(&judgements);
        }
        self.referee.finish(now(), self.request.patience);
        Ok(EndReason::Finished)
    }

    /// In a practice game, asks before a turn is played, and replaces messages. Meanwhile, players and spectators come and go.
    async fn consult(&mut self, judgements: &mut [Judgement<Text>]) -> Result<(), Stopped> {
        let Some(practice) = self.request.practice.clone() else { return Ok(()) };
        let (resume, mut resumed) = oneshot::channel();
        let message = |judgement: &Judgement<Text>| {
            judgement.answer.as_ref().map(|(message, _)| message.to_vec())
        };
        let pending = PendingTurn {
            turn: self.request.game.elapsed() + 1,
            messages: judgements.iter().map(message).collect(),
            state: self.request.game.text().to_vec(),
            resume,
        };
        // Nobody to ask any more.
        if practice.send(pending).await.is_err() {
            return Ok(());
        }
        let until = Instant::now() + PATIENCE;
        let replaced = loop {
            match timeout(LOOK, &mut resumed).await {
                Ok(replaced) => break replaced.unwrap_or_default(),
                Err(_) if until <= Instant::now() => break Vec::new(),
                Err(_) => self.rest(Instant::now() + LOOK).await?,
            }
        };
        for (player, message) in replaced {
            if let Some(judgement) = judgements.get_mut(player) {
                let taken = judgement.answer.as_ref().map_or(Duration::ZERO, |(_, taken)| *taken);
                judgement.answer = Some((Text::from_slice(&message), taken));
                judgement.cause = None;
            }
        }
        Ok(())
    }

    /// Waits until all players have answered the final state, or the patience is over.
    async fn settle(&mut self) -> Result<(), Stopped> {
        while self.next(None).await? != Some(Effect::Settled) {}
        Ok(())
    }

    fn begin_turn(&mut self) {
        let GameRequest { game, tempo, .. } = &self.request;
        let is_first = game.elapsed() == 0;
        let preparation = if is_first { game.preparation() } else { Duration::ZERO };
        self.turn_began = Instant::now();
        let round = Round { preparation, at_least: *tempo };
        self.referee.begin(self.turn_began.into_std(), round, |seat| game.is_asked(seat));
    }

    fn close_turn(&mut self) -> Vec<Judgement<Text>> {
        let Self { referee, seats, .. } = self;
        let transport = |seat: usize| {
            let peer = seats[seat].peer.as_ref()?;
            let socket = peer.socket.as_ref().filter(|_| !peer.address.is_loopback())?;
            transport::transport(socket)
        };
        referee.close(now(), transport)
    }

    /// Handles events until the time `until`.
    async fn rest(&mut self, until: Instant) -> Result<(), Stopped> {
        while Instant::now() < until && self.next(Some(until)).await?.is_some() {}
        Ok(())
    }

    /// Carries out the referee's decisions. Returns the effect that ends a turn or the game, or `None` at `until`.
    async fn next(&mut self, until: Option<Instant>) -> Result<Option<Effect>, Stopped> {
        loop {
            // Both calls use the same time, because the host may stall beyond a deadline between them.
            let now = now();
            if self.referee.is_due(now) {
                self.read_on().await;
            }
            while let Some(effect) = self.referee.poll(now) {
                match effect {
                    Effect::Send(seat) => self.send_state(seat),
                    Effect::Absent(seat) => self.set_silent(seat, true),
                    Effect::Present(seat) => self.set_silent(seat, false),
                    Effect::WrittenOff(seat) => {
                        let name = &self.names[seat];
                        debug!("{name} has left states unanswered: they are written off");
                    }
                    over => return Ok(Some(over)),
                }
            }
            if until.is_some_and(|until| until <= Instant::now()) {
                return Ok(None);
            }
            let timeout = self.referee.next_timeout().map(Instant::from_std);
            let timeout = timeout.into_iter().chain(until).min();
            if let Some(timeout) = timeout.filter(|timeout| *timeout != self.timer.deadline()) {
                self.timer.as_mut().reset(timeout);
            }
            let soon = self.soon();
            let Self { seats, arrived, .. } = self;
            tokio::select! {
                biased;
                () = &mut self.stopped => return Err(Stopped),
                Some(command) = self.commands.recv() => self.obey(command),
                () = poll_fn(|context| read(seats, soon, arrived, context)) => {
                    // A flood in a connection's buffer must not starve other tasks.
                    consume_budget().await;
                    self.hand_over();
                }
                () = &mut self.timer, if timeout.is_some() => {}
            }
        }
    }

    /// The time until which no answer of this turn is late.
    fn soon(&self) -> Instant {
        self.turn_began + SOON.min(self.request.deadline)
    }

    /// Before a turn is judged, reads everything that has arrived and reports the stalls of the host.
    async fn read_on(&mut self) {
        for _ in 0..READS {
            // Lets the runtime poll the sockets.
            yield_now().await;
            let soon = self.soon();
            let Self { seats, arrived, .. } = self;
            let _ = poll_fn(|context| Poll::Ready(read(seats, soon, arrived, context))).await;
            let socket = |seat: &Seat| seat.peer.as_ref()?.socket.clone();
            if !self.seats.iter().filter_map(socket).any(|socket| transport::has_unread(&socket)) {
                break;
            }
        }
        report_stalls(&mut self.referee, &self.pulse, self.turn_began);
        self.hand_over();
    }

    /// Hands the referee the messages read, in order of arrival.
    fn hand_over(&mut self) {
        let Self { referee, arrived, pulse, turn_began, .. } = self;
        arrived.sort_by_key(|(_, message)| message.at);
        for (seat, Message { text, at }) in arrived.drain(..) {
            if referee.is_overdue(seat, at.into_std()) {
                // If the host stalled before it sent the state, the answer is in time.
                report_stalls(referee, pulse, *turn_began);
            }
            referee.message(seat, at.into_std(), text);
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Seat(seat, peer) => self.seat(seat, peer),
            Command::Leave(peer) => {
                let has_left = |seat: &Seat| seat.peer.as_ref().is_some_and(|own| own.id == peer);
                if let Some(seat) = self.seats.iter().position(has_left) {
                    log!(
                        warn,
                        "{} is gone; its pieces stay",
                        "{} n'est plus là ; ses pièces restent",
                        self.names[seat]
                    );
                    self.release(seat);
                }
            }
            Command::Show(stage) => {
                self.stage = stage;
                if let Some(stage) = &self.stage {
                    let maze = self.request.game.maze().map(<[u8]>::to_vec);
                    stage.open(maze.as_deref(), self.request.game.text());
                }
            }
        }
    }

    /// Gives a seat to a connection, replacing the current one.
    pub(crate) fn seat(&mut self, seat: usize, peer: Arc<Peer>) {
        if seat >= self.seats.len() {
            return;
        }
        self.release(seat);
        let inbox = peer.inbox.begin_game();
        let mut ledger = std::mem::take(&mut *peer.ledger.lock());
        if !peer.inbox.is_silent() {
            ledger.heard();
        }
        if let Some(maze) = self.request.game.maze() {
            send(&peer, seat, |id| ServerMessage::Maze { id, maze });
        }
        self.seats[seat].inbox = inbox;
        self.seats[seat].peer = Some(peer);
        self.referee.seat(now(), seat, ledger);
    }

    /// Gives a seat's connection back.
    fn release(&mut self, seat: usize) {
        let ledger = self.referee.leave(seat);
        let Seat { peer, inbox, .. } = &mut self.seats[seat];
        if let Some((peer, ledger)) = peer.take().zip(ledger) {
            *peer.ledger.lock() = ledger;
            peer.inbox.end_game(std::mem::take(inbox));
        }
    }

    fn set_silent(&self, seat: usize, is_silent: bool) {
        if is_silent {
            log!(
                warn,
                "{} does not answer: turns no longer wait for it",
                "{} ne répond pas : les tours ne l'attendent plus",
                self.names[seat]
            );
        }
        if let Some(peer) = &self.seats[seat].peer {
            peer.inbox.set_silent(is_silent);
            self.listeners.silence.notify_one();
        }
    }

    fn send_state(&mut self, seat: usize) {
        if let Some(peer) = &self.seats[seat].peer {
            let state = self.request.game.text();
            send(peer, seat, |id| ServerMessage::State { id, state });
        }
    }

    /// Plays a turn with the players' answers, and shows it.
    fn play_turn(&mut self, judgements: &[Judgement<Text>]) {
        let Self {
            request: GameRequest { game, tempo, number, turns, .. },
            names,
            seats,
            stage,
            slips,
            turn_began,
            tell_next,
            ..
        } = self;
        let turn = game.elapsed() + 1;
        let is_first = turn == 1;
        for ((judgement, seat), name) in judgements.iter().zip(seats.iter_mut()).zip(names.iter()) {
            if let Some(late) = &judgement.late {
                seat.coach.late(name.as_str(), turn, late);
            }
            if !judgement.is_asked {
                continue;
            }
            match &judgement.answer {
                Some((_, thought)) => seat.thinking.answer(is_first, *thought),
                None => seat.thinking.miss(judgement.cause.unwrap_or(Cause::Bot)),
            }
            if let Some(cause) = judgement.cause {
                let stalled = judgement.stalled.as_micros();
                debug!("{name} misses turn {turn}: {}, stalled for {stalled} µs", cause.word());
                seat.coach.missed(name.as_str(), turn, cause);
            }
        }
        let answers: Vec<_> = judgements
            .iter()
            .map(|judgement| judgement.answer.as_ref().map(|(text, _)| &**text))
            .collect();
        match stage.as_ref().filter(|stage| stage.is_watched()) {
            None => game.play_turn(&answers, None, slips),
            Some(stage) => {
                let (now, tempo) = (Instant::now(), *tempo);
                let mut show = |state: &[u8], position: StatePosition| {
                    let moment = match (tempo.is_zero(), position.is_last()) {
                        (true, true) => Moment::Now,
                        (true, false) => Moment::Step,
                        (false, _) => Moment::At(now + tempo * (position.number - 1) / position.of),
                    };
                    stage.show(state, moment);
                };
                game.play_turn(&answers, Some(&mut show), slips);
            }
        }
        for slip in slips.drain(..) {
            let message = answers[slip.player].unwrap_or_default();
            let name = names[slip.player].as_str();
            seats[slip.player].coach.slip(name, turn, slip, message);
        }
        self.listeners.observers.turn(
            game.as_mut(),
            |game| judgements.iter().map(|judgement| observers::given(game, judgement)).collect(),
            || observers::thoughts(judgements),
        );
        let is_news = *tell_next <= *turn_began || game.is_over();
        if is_news {
            *tell_next = *turn_began + NEWS;
            let points = game.standings().into_iter().map(|standing| standing.points).collect();
            self.listeners.progress.send_replace(Progress {
                game: *number,
                elapsed: game.elapsed(),
                total: *turns,
                points,
            });
        }
    }

    fn result(&self) -> GameResult {
        let GameRequest { game, number, seed, turns, .. } = &self.request;
        let seats = self.seats.iter().zip(&self.names).zip(Colour::first(Colour::MAX));
        let player =
            |(((seat, name), colour), standing): (((&Seat, &Name), Colour), _)| PlayerResult {
                name: name.to_string(),
                letter: colour.letter(),
                standing,
                thinking: seat.thinking,
            };
        GameResult {
            game: *number,
            seed: *seed,
            elapsed: game.elapsed(),
            total: *turns,
            players: seats.zip(game.standings()).map(player).collect(),
        }
    }
}

impl Drop for Driver {
    /// Gives the players' connections back. A game that panics does so, too: otherwise nobody would read their messages
    /// again.
    fn drop(&mut self) {
        for seat in 0..self.seats.len() {
            self.release(seat);
        }
    }
}

/// Reads the players' messages; `Ready` if there were any. Messages read by `soon` count as arriving now.
fn read(
    seats: &mut [Seat],
    soon: Instant,
    arrived: &mut Vec<(usize, Message)>,
    context: &mut Context<'_>,
) -> Poll<()> {
    let mut has_read = Poll::Pending;
    let arrival = Some(Instant::now()).filter(|now| *now <= soon);
    for (seat, Seat { peer, inbox, .. }) in seats.iter_mut().enumerate() {
        if let Some(peer) = peer
            && inbox
                .poll(&peer.inbox, arrival, context, |message| arrived.push((seat, message)))
                .is_ready()
        {
            has_read = Poll::Ready(());
        }
    }
    has_read
}

/// Reports to the referee the stalls of the host since `began`, the start of the turn.
fn report_stalls(referee: &mut Referee<Text>, pulse: &Pulse, began: Instant) {
    for (from, to) in pulse.stalls_since(began.into_std()) {
        referee.stalled(from, to);
    }
}

/// Sends a message to a player; disconnects the player if its outbox is full.
fn send<'a>(peer: &Peer, seat: usize, message: impl FnOnce(&'a str) -> ServerMessage<'a>) {
    let colour = Colour::new(seat).expect("there are no more seats than colours");
    let id = colour.as_str();
    if peer.send(message(id)).is_err() {
        log!(
            warn,
            "player {id} does not read: its connection is closed",
            "le joueur {id} ne lit pas : sa connexion est fermée"
        );
        peer.abort.cancel();
    }
}

fn now() -> std::time::Instant {
    Instant::now().into_std()
}
