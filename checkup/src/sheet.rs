//! Record of the answers in a game.

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
use super::session::{Reply, Session, shown};
use super::slip::order_slip;

/// After this number of turns in a row without a message, the next state is sent only once a message comes.
const SILENT: u32 = 3;
/// Longest wait for that message: a multiple of the deadline, within these limits.
const GRACE: u32 = 3;
const LEAST_GRACE: Duration = Duration::from_secs(1);
const MOST_GRACE: Duration = Duration::from_secs(5);
/// After this number of missed turns the game is cut short.
const MOST_MISSED: usize = 10;
/// Orders are taken to be for another player's pieces if there are this number of different ones, if this
/// percentage leads somewhere there, and if this number leads somewhere only there.
const DISTINCT: usize = 3;
const WAYS: u32 = 85;
const THEIRS: u32 = 8;

/// Outcome of a game.
#[derive(Debug)]
pub(super) struct Sheet {
    /// Time of each answer that was in time.
    pub(super) times: Vec<Duration>,
    /// The turns without one.
    pub(super) missed: Vec<u32>,
    /// The orders that name no two directions, with their turns.
    pub(super) malformed: Vec<(u32, Bytes)>,
    /// The orders with more characters than two.
    pub(super) trailing: Vec<Bytes>,
    /// The first turn at which more came than was asked for.
    pub(super) surplus: Option<u32>,
    /// Objects that its pacman took.
    pub(super) took: Vec<Object>,
    /// Moves of its pacman and its ghost that ended at a wall.
    pub(super) blocked: [u32; 2],
    /// The orders it gave.
    orders: BTreeSet<[u8; 2]>,
    /// Explanations that remain for orders that lead into walls.
    hypotheses: Hypotheses,
    /// For each player, how well the orders fit the pieces of that player.
    fits: Vec<Fit>,
    /// End of the game.
    pub(super) end: End,
    /// Turns played.
    pub(super) played: u32,
}

/// Fit of the orders with the pieces of another player than the bot.
#[derive(Clone, Copy, Debug, Default)]
struct Fit {
    /// They lead somewhere.
    ways: u32,
    /// They do, and would not for the bot's own pieces.
    only_theirs: u32,
    /// The other way round.
    only_own: u32,
}

/// End of a game.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    /// All turns were played; whether the final state was answered.
    Over { answered: bool },
    /// There was no more time, or too much of it was lost.
    CutShort,
    /// The connection was closed.
    Gone { turn: u32, moments: Vec<GameMoment> },
    /// There came no more answers.
    Stuck { turn: u32, moments: Vec<GameMoment> },
    /// Its answers have no NUL.
    NoNul { received: String },
    /// A message was too long.
    TooLong { turn: u32 },
}

/// Deadlines of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    /// For the game.
    pub(super) until: Instant,
    /// For the answer to the final state.
    pub(super) last: Duration,
}

/// Plays a game to its end, unless there is no more time.
pub(super) async fn play(
    session: &mut Session,
    game: &mut Game,
    deadline: Duration,
    time: Time,
) -> Sheet {
    let players = game.view().players().len();
    let mut sheet = Sheet::new(players);
    let grace = (deadline * GRACE).clamp(LEAST_GRACE, MOST_GRACE);
    let mut silent = 0;
    // Peculiarities of the state at which it fell silent.
    let mut moments = Vec::new();
    while !game.view().is_over() {
        let turn = game.view().elapsed();
        if Instant::now() >= time.until || sheet.missed.len() >= MOST_MISSED {
            sheet.end = End::CutShort;
            return sheet;
        }
        let (heard, surplus) = (session.heard(), session.surplus);
        let mut orders = Orders::default();
        match session.ask(&game.message(), deadline).await {
            Reply::Answer(text, taken) => {
                silent = 0;
                sheet.times.push(taken);
                orders = sheet.read(turn, &text, game);
            }
            Reply::Missed => {
                sheet.missed.push(turn);
                silent = if session.heard() > heard { 0 } else { silent + 1 };
                if silent == 1 {
                    moments = game.moments();
                }
                if let Some(received) = session.partial() {
                    sheet.missed.pop();
                    sheet.end = End::NoNul { received };
                    return sheet;
                }
                if silent == SILENT && !session.any(grace).await {
                    let turn = turn + 1 - SILENT;
                    // That it stopped is more than that these were missed.
                    sheet.missed.retain(|&missed| missed < turn);
                    sheet.end = End::Stuck { turn, moments };
                    return sheet;
                }
                silent %= SILENT;
            }
            Reply::Closed => {
                sheet.end = End::Gone { turn, moments: game.moments() };
                return sheet;
            }
            Reply::TooLong => {
                sheet.end = End::TooLong { turn };
                return sheet;
            }
        }
        if session.surplus > surplus {
            sheet.surplus.get_or_insert(turn.saturating_sub(1));
        }
        let own = game.advance(orders);
        sheet.took.extend(own.took);
        for (all, now) in sheet.blocked.iter_mut().zip(own.blocked) {
            *all += u32::from(now);
        }
        sheet.played += 1;
    }
    let answer = session.ask(&game.message(), deadline.min(time.last)).await;
    sheet.end = End::Over { answered: matches!(answer, Reply::Answer(..)) };
    sheet
}

impl Sheet {
    fn new(players: usize) -> Self {
        Self {
            times: Vec::new(),
            missed: Vec::new(),
            malformed: Vec::new(),
            trailing: Vec::new(),
            surplus: None,
            took: Vec::new(),
            blocked: [0; 2],
            orders: BTreeSet::new(),
            hypotheses: Hypotheses::default(),
            fits: vec![Fit::default(); players],
            end: End::Over { answered: false },
            played: 0,
        }
    }

    fn read(&mut self, turn: u32, text: &Bytes, game: &Game) -> Orders {
        let orders = Orders::from_text(text);
        if orders.pacman.is_none() || orders.ghost.is_none() {
            self.malformed.push((turn, text.clone()));
        } else if text.len() > 2 {
            self.trailing.push(text.clone());
        }
        self.orders.insert(orders.to_text());
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

    /// States that were to be answered.
    pub(super) fn asked(&self) -> usize {
        self.times.len() + self.missed.len()
    }

    /// Percentages of the moves of its pacman and of its ghost that ended at a wall.
    pub(super) fn walls(&self) -> [u32; 2] {
        // Malformed ones did not end anywhere, but are told of anyway.
        [PACMAN, GHOST].map(|piece| self.blocked[piece] * 100 / self.played.max(1))
    }

    /// That its orders lead into walls, and the mistake that explains it.
    pub(super) fn wall_fact(&self) -> Fact {
        let [pacman, ghost] = self.walls();
        let blocked = self.blocked.iter().sum();
        Fact::Walls { pacman, ghost, blocked, suspicion: self.suspicion() }
    }

    /// The mistake that explains why its orders lead into walls.
    pub(super) fn suspicion(&self) -> Option<Suspicion> {
        self.hypotheses.suspicion()
    }

    /// The order that it gives all the time.
    pub(super) fn only_order(&self) -> Option<String> {
        let order = self.orders.first().filter(|_| self.orders.len() == 1)?;
        Some(String::from_utf8_lossy(order).into_owned())
    }

    /// Whose pieces its orders are for, when they are not its own.
    pub(super) fn plays_for(&self) -> Option<Colour> {
        let theirs = |other: &Colour| self.fits[other.index()].only_theirs;
        let best = Colour::first(self.fits.len()).max_by_key(theirs)?;
        let Fit { ways, only_theirs, only_own } = self.fits[best.index()];
        // A bot that moves at random leads the pieces of any player into walls more often than that.
        let all = 2 * self.times.len() as u32;
        let is_theirs =
            ways * 100 >= all * WAYS && only_theirs >= THEIRS && only_own * 4 <= only_theirs;
        (self.orders.len() >= DISTINCT && is_theirs).then_some(best)
    }

    /// The mistake in the form of its orders.
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

    /// The oddity in the length of its orders.
    pub(super) fn trailing(&self) -> Option<Fact> {
        let received = shown(self.trailing.first()?);
        Some(Fact::Trailing { orders: self.trailing.len(), received })
    }

    /// The problem with its times.
    pub(super) fn missed(&self, deadline: Duration, latest: Option<Duration>) -> Option<Fact> {
        Some(Fact::Missed {
            missed: self.missed.len(),
            asked: self.asked(),
            first: *self.missed.first()?,
            deadline,
            latest,
        })
    }

    /// Times of its answers.
    pub(super) fn times(&self) -> Option<Fact> {
        let mut sorted = self.times.clone();
        sorted.sort_unstable();
        // A game has far fewer than 2³² turns.
        let count = sorted.len() as u32;
        let quantile = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100) - 1];
        let longest = *sorted.last()?;
        Some(Fact::Times {
            answered: sorted.len(),
            mean: sorted.iter().sum::<Duration>() / count,
            median: quantile(50),
            p99: quantile(99),
            longest,
        })
    }

    /// The reason of an early end, if it can be told without knowing how its
    /// program ended.
    pub(super) fn broken_off(&self, of: u32) -> Option<Fact> {
        Some(match &self.end {
            End::Over { .. } | End::Gone { .. } => return None,
            End::CutShort => Fact::CutShort { played: self.played, of },
            End::Stuck { turn, moments } => Fact::Stuck { turn: *turn, moments: moments.clone() },
            End::NoNul { received } => Fact::OrderWithoutNul { received: received.clone() },
            End::TooLong { turn } => Fact::TooLong { turn: *turn, limit: CLIENT_FRAME_LIMIT },
        })
    }
}
