//! The record of a bot's answers in a game.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use game::pacman::{Colour, Object, Orders};
use protocol::CLIENT_FRAME_LIMIT;
use tokio::time::Instant;

use super::case::GameMoment;
use super::fact::Fact;
use super::game::{GHOST, Game, PACMAN};
use super::mistake::{Hypotheses, Suspicion};
use super::session::{Broken, Session, shown};
use super::slip::order_slip;

/// Number of turns in a row without a message after which the next state is held back until a message comes.
const SILENT: u32 = 3;
/// Longest wait for this message: a multiple of the deadline, within these limits.
const GRACE: u32 = 3;
const LEAST_GRACE: Duration = Duration::from_secs(1);
const MOST_GRACE: Duration = Duration::from_secs(5);
/// Number of missed turns after which the game is cut short.
const MOST_MISSED: usize = 10;
/// Conditions for orders to be meant for another player's pieces: a minimum number of different orders, a minimum
/// percentage of orders that would move these pieces, and a minimum number of orders that would move only these.
const DISTINCT: usize = 3;
const WAYS: u32 = 85;
const THEIRS: u32 = 8;

/// The record of a bot's answers in a game.
#[derive(Debug, Default)]
pub(super) struct GameRecord {
    /// The times of the answers that came before the deadline.
    pub(super) times: Vec<Duration>,
    /// The turns without an answer in time.
    pub(super) missed: Vec<u32>,
    /// The orders that do not start with two directions, with their turns.
    pub(super) malformed: Vec<(u32, Bytes)>,
    /// The orders of more than two characters.
    pub(super) trailing: Vec<Bytes>,
    /// The first turn with more messages than states.
    pub(super) surplus: Option<u32>,
    /// The objects that its pacman took.
    pub(super) took: Vec<Object>,
    /// Moves of its pacman and its ghost that ended at a wall.
    pub(super) blocked: [u32; 2],
    /// The different orders of the bot.
    orders: BTreeSet<[u8; 2]>,
    /// Counts for the mistakes that may explain orders into walls.
    hypotheses: Hypotheses,
    /// For each player, the counts of how well the orders fit the pieces of that player.
    fits: Vec<Fit>,
    pub(super) end: End,
    pub(super) played: u32,
}

/// Counts of how well the orders of the bot fit the pieces of another player.
#[derive(Clone, Copy, Debug, Default)]
struct Fit {
    /// Orders that would move the other player's piece.
    ways: u32,
    /// Orders that would move the other player's piece, but not the bot's own.
    only_theirs: u32,
    /// Orders that would move the bot's own piece, but not the other player's.
    only_own: u32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum End {
    /// The time was over, or the bot missed too many turns.
    #[default]
    CutShort,
    /// All turns were played; `answered` tells if the bot answered the final state.
    Over { answered: bool },
    /// The connection was closed.
    Gone { turn: u32, moments: Vec<GameMoment> },
    /// The bot stopped answering, or its messages are unusable.
    Broken(Fact),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    /// The time when the game is cut short.
    pub(super) until: Instant,
    /// Longest wait for the answer to the final state.
    pub(super) last: Duration,
}

/// Plays a game to its end, or until it is cut short.
pub(super) async fn play(
    session: &mut Session,
    game: &mut Game,
    deadline: Duration,
    time: Time,
) -> GameRecord {
    let players = game.view().players().len();
    let mut record = GameRecord { fits: vec![Fit::default(); players], ..GameRecord::default() };
    let grace = (deadline * GRACE).clamp(LEAST_GRACE, MOST_GRACE);
    let mut silent = 0;
    // Special circumstances in the first state of the present silence.
    let mut moments = Vec::new();
    record.end = loop {
        if game.view().is_over() {
            let answer = session.ask(&game.message(), deadline.min(time.last)).await;
            break End::Over { answered: matches!(answer, Ok(Some(_))) };
        }
        let turn = game.turn();
        if Instant::now() >= time.until || record.missed.len() >= MOST_MISSED {
            break End::CutShort;
        }
        let (heard, surplus) = (session.heard(), session.surplus);
        let mut orders = Orders::default();
        match session.ask(&game.message(), deadline).await {
            Ok(Some((text, taken))) => {
                silent = 0;
                record.times.push(taken);
                orders = record.read(turn, &text, game);
            }
            Ok(None) => {
                record.missed.push(turn);
                silent = if session.heard() > heard { 0 } else { silent + 1 };
                if silent == 1 {
                    moments = game.moments();
                }
                if let Some(received) = session.partial() {
                    record.missed.pop();
                    break End::Broken(Fact::OrderWithoutNul { received });
                }
                if silent == SILENT && !session.any(grace).await {
                    let turn = turn + 1 - SILENT;
                    // The last missed turns are part of the silence, which is reported by itself.
                    record.missed.retain(|&missed| missed < turn);
                    break End::Broken(Fact::Stuck { turn, moments });
                }
                silent %= SILENT;
            }
            Err(Broken::Closed) => break End::Gone { turn, moments: game.moments() },
            Err(Broken::TooLong) => {
                break End::Broken(Fact::TooLong { turn, limit: CLIENT_FRAME_LIMIT });
            }
        }
        if session.surplus > surplus {
            record.surplus.get_or_insert((turn - 1).max(1));
        }
        let own = game.advance(orders);
        record.took.extend(own.took);
        for (all, now) in record.blocked.iter_mut().zip(own.blocked) {
            *all += u32::from(now);
        }
        record.played += 1;
    };
    record
}

impl GameRecord {
    fn read(&mut self, turn: u32, text: &Bytes, game: &Game) -> Orders {
        let orders = Orders::decode(text);
        if orders.pacman.is_none() || orders.ghost.is_none() {
            self.malformed.push((turn, text.clone()));
        } else if text.len() > 2 {
            self.trailing.push(text.clone());
        }
        self.orders.insert(orders.encode());
        self.hypotheses.add(game, orders);
        let own = game.is_way(game.me(), orders);
        for (colour, fit) in Colour::first(self.fits.len()).zip(&mut self.fits) {
            for (own, theirs) in own.into_iter().zip(game.is_way(colour, orders)) {
                fit.ways += u32::from(theirs);
                fit.only_theirs += u32::from(theirs && !own);
                fit.only_own += u32::from(own && !theirs);
            }
        }
        orders
    }

    /// The number of states to answer.
    pub(super) fn asked(&self) -> usize {
        self.times.len() + self.missed.len()
    }

    /// Percentages of the moves of its pacman and of its ghost that ended at a wall.
    pub(super) fn walls(&self) -> [u32; 2] {
        // Malformed orders move no piece, so that they do not count here; they are reported separately.
        [PACMAN, GHOST].map(|piece| self.blocked[piece] * 100 / self.played.max(1))
    }

    /// The fact that orders of the bot lead into walls, with the mistake that explains them.
    pub(super) fn wall_fact(&self) -> Fact {
        let [pacman, ghost] = self.walls();
        let blocked = self.blocked.iter().sum();
        Fact::Walls { pacman, ghost, blocked, suspicion: self.suspicion() }
    }

    /// The mistake that explains why orders of the bot lead into walls.
    pub(super) fn suspicion(&self) -> Option<Suspicion> {
        self.hypotheses.suspicion()
    }

    /// The order that the bot gives every turn; `None` if its orders differ.
    pub(super) fn only_order(&self) -> Option<String> {
        let order = self.orders.first().filter(|_| self.orders.len() == 1)?;
        Some(String::from_utf8_lossy(order).into_owned())
    }

    /// The other player whose pieces the orders clearly fit better than the bot's own, if any.
    pub(super) fn plays_for(&self) -> Option<Colour> {
        let theirs = |other: &Colour| self.fits[other.index()].only_theirs;
        let best = Colour::first(self.fits.len()).max_by_key(theirs)?;
        let Fit { ways, only_theirs, only_own } = self.fits[best.index()];
        // A bot with random moves stays below this percentage for any player's pieces.
        let all = 2 * self.times.len() as u32;
        let is_theirs =
            ways * 100 >= all * WAYS && only_theirs >= THEIRS && only_own * 4 <= only_theirs;
        // A mistake that explains as many orders also makes some of them fit the pieces of others.
        let is_explained = self.hypotheses.best_percentage() * all >= ways * 100;
        (self.orders.len() >= DISTINCT && is_theirs && !is_explained).then_some(best)
    }

    /// The malformed orders, if any.
    pub(super) fn malformed(&self) -> Option<Fact> {
        let (turn, text) = self.malformed.first()?;
        Some(Fact::Malformed {
            malformed: self.malformed.len(),
            asked: self.asked(),
            turn: *turn,
            received: shown(text),
            slip: order_slip(text),
        })
    }

    /// The orders of more than two characters, if any.
    pub(super) fn trailing(&self) -> Option<Fact> {
        let received = shown(self.trailing.first()?);
        Some(Fact::Trailing { orders: self.trailing.len(), received })
    }

    /// The missed turns, if any, with the time of the slowest late answer.
    pub(super) fn missed(&self, deadline: Duration, latest: Option<Duration>) -> Option<Fact> {
        Some(Fact::Missed {
            missed: self.missed.len(),
            asked: self.asked(),
            first: *self.missed.first()?,
            deadline: deadline.into(),
            latest: latest.map(Into::into),
        })
    }

    /// Statistics of the answer times; `None` without an answer in time.
    pub(super) fn times(&self) -> Option<Fact> {
        let mut sorted = self.times.clone();
        sorted.sort_unstable();
        // A game has far fewer than 2³² turns.
        let count = sorted.len() as u32;
        let quantile = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100) - 1].into();
        let longest = (*sorted.last()?).into();
        Some(Fact::Times {
            answered: sorted.len(),
            mean: (sorted.iter().sum::<Duration>() / count).into(),
            median: quantile(50),
            p99: quantile(99),
            longest,
        })
    }

    /// Tests if the bot stopped answering.
    pub(super) fn is_stuck(&self) -> bool {
        matches!(self.end, End::Broken(Fact::Stuck { .. }))
    }
}
