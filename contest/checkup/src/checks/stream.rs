//! Checks that the bot reads messages that arrive in pieces, or several at once.

use std::time::Duration;

use game::pacman::{Colour, Orders};
use tokio::time::sleep;

use crate::bench::Bench;
use crate::case::{Case, Transmission};
use crate::fact::Fact;
use crate::finding::Finding;
use crate::finding_list::FindingList;
use crate::game::Game;
use crate::session::{Broken, Departure, Session, frame};

/// Number of turns with the usual delivery before and after, and of rounds with the special one.
const TURNS: u32 = 2;
/// Number of states sent at once.
const TOGETHER: u32 = 3;
/// Number of pieces of a message.
const PIECES: usize = 16;
/// Pause between pieces, so that the bot reads each by itself.
const PAUSE: Duration = Duration::from_millis(3);
/// Pause before a separate NUL, so long that the bot may take the message for complete.
const LONG_PAUSE: Duration = Duration::from_millis(60);
/// Longest wait for a late answer.
const LATE: Duration = Duration::from_secs(1);

pub(crate) async fn check(bench: Bench<'_>) -> Vec<Finding> {
    let mut list = FindingList::default();
    for delivery in Transmission::ALL {
        let found = play(bench, delivery).await.err();
        list.judge(&Case::Transmission(delivery), found.into_iter().collect());
    }
    list.finish()
}

/// The bot that receives the states, and its game.
struct Receiver {
    session: Session,
    game: Game,
    deadline: Duration,
    /// `true` if missing or malformed answers are known from the first game, and so no fault here.
    is_forgiven: bool,
}

/// The reason to stop delivering states.
enum Stop {
    Gone,
    Wrong(Fact),
}

async fn play(bench: Bench<'_>, delivery: Transmission) -> Result<(), Finding> {
    let Bench { team, options, known } = bench;
    let turns = 4 * TURNS + TOGETHER;
    let case = Case::Transmission(delivery);
    let mut scene = bench.scene(case, &options.map, turns, Colour::default());
    if delivery == Transmission::Characters {
        // Characters of several bytes to cut; another check judges how the bot copes with such names.
        "Zoë 🎮 Fantôme".clone_into(&mut scene.names[1]);
    }
    let session = bench.open(&team.name).await?;
    let game = Game::new(scene.state, scene.me, scene.names);
    let is_forgiven = known.missed || known.malformed;
    let mut receiver = Receiver { session, game, deadline: options.deadline, is_forgiven };
    let done = receiver.receive(delivery).await;
    let turn = receiver.game.turn();
    let moments = receiver.game.moments();
    match done {
        Ok(()) => {
            receiver.session.end().await;
            Ok(())
        }
        Err(Stop::Gone) => {
            let Departure { ending, output, .. } = receiver.session.collapse().await;
            Err(Finding::failure(Fact::gone(turn, moments, ending)).with(&output))
        }
        Err(Stop::Wrong(fact)) => {
            let output = receiver.session.end().await;
            let finding = match fact {
                Fact::Skips { .. } => Finding::warning(fact),
                _ => Finding::failure(fact).with(&output),
            };
            Err(finding)
        }
    }
}

impl Receiver {
    async fn receive(&mut self, delivery: Transmission) -> Result<(), Stop> {
        self.usual().await?;
        match delivery {
            Transmission::Pieces | Transmission::Characters | Transmission::NulApart => {
                for _ in 0..TURNS {
                    let message = frame(&self.game.message());
                    let pause = if delivery == Transmission::NulApart { LONG_PAUSE } else { PAUSE };
                    self.session.begin_state();
                    let mut sent = 0;
                    for cut in cuts(delivery, &message) {
                        self.session.send(&message[sent..cut]).await;
                        sleep(pause).await;
                        sent = cut;
                    }
                    self.session.send(&message[sent..]).await;
                    self.turn().await?;
                }
            }
            Transmission::NextBegun => {
                for _ in 0..TURNS {
                    let message = frame(&self.game.message());
                    // Only the beginning of the next state is known yet.
                    self.deliver(&[&message[..], &message[..BEGINNING]].concat()).await?;
                    let next = frame(&self.game.message());
                    self.deliver(&next[BEGINNING..]).await?;
                }
            }
            Transmission::Together => self.together().await?,
        }
        self.usual().await
    }

    async fn usual(&mut self) -> Result<(), Stop> {
        for _ in 0..TURNS {
            let message = frame(&self.game.message());
            self.deliver(&message).await?;
        }
        Ok(())
    }

    /// Sends what is missing of a state, and plays its turn.
    async fn deliver(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.session.begin_state();
        self.session.send(bytes).await;
        self.turn().await
    }

    /// Waits for the answer to the state just sent, and plays the turn.
    async fn turn(&mut self) -> Result<(), Stop> {
        let turn = self.game.turn();
        let orders = match self.session.answer(self.deadline).await {
            Ok(Some((text, _))) => Orders::decode(&text),
            Ok(None) if self.is_forgiven => {
                self.session.forgive();
                Orders::default()
            }
            Ok(None) => {
                let moments = self.game.moments();
                return Err(Stop::Wrong(Fact::Stuck { turn, moments }));
            }
            Err(Broken::Closed) => return Err(Stop::Gone),
            Err(Broken::TooLong) => {
                let limit = protocol::CLIENT_FRAME_LIMIT;
                return Err(Stop::Wrong(Fact::TooLong { turn, limit }));
            }
        };
        self.game.advance(orders);
        Ok(())
    }

    /// Delivers several states at once, as a slow bot receives them.
    async fn together(&mut self) -> Result<(), Stop> {
        let before = self.session.heard();
        let mut all = Vec::new();
        for turn in 0..TOGETHER {
            all.extend_from_slice(&frame(&self.game.message()));
            self.session.begin_state();
            if turn + 1 < TOGETHER {
                self.game.advance(Orders::default());
            }
        }
        self.session.send(&all).await;
        match self.session.answer(self.deadline).await {
            Ok(Some((text, _))) => {
                self.game.advance(Orders::decode(&text));
                Ok(())
            }
            Err(Broken::Closed) => Err(Stop::Gone),
            Ok(None) | Err(Broken::TooLong) => {
                // Late answers count as answers; another check reports that they are late.
                while self.session.heard() - before < TOGETHER as usize
                    && self.session.any(LATE).await
                {}
                let answered = (self.session.heard() - before) as u32;
                self.session.forgive();
                self.game.advance(Orders::default());
                self.usual().await?;
                if answered < TOGETHER && !self.is_forgiven {
                    Err(Stop::Wrong(Fact::Skips { sent: TOGETHER, answered }))
                } else {
                    Ok(())
                }
            }
        }
    }
}

/// Length of the header of a state, the part that is known in advance.
const BEGINNING: usize = "jeu;A\n".len();

/// The positions at which a message is cut.
fn cuts(delivery: Transmission, message: &[u8]) -> Vec<usize> {
    match delivery {
        Transmission::Pieces => (1..PIECES).map(|piece| piece * message.len() / PIECES).collect(),
        Transmission::Characters => {
            // Continuation bytes of UTF-8 start with the bits 10.
            (0..message.len()).filter(|&at| message[at] & 0xc0 == 0x80).collect()
        }
        Transmission::NulApart | Transmission::NextBegun | Transmission::Together => {
            vec![message.len().saturating_sub(1)]
        }
    }
}
