//! Checks that a bot reads messages that come in pieces, or several at once.

use std::time::Duration;

use game::pacman::{Colour, Orders};
use tokio::time::sleep;

use crate::bench::{Bench, Known};
use crate::case::{Case, Transmission};
use crate::fact::Fact;
use crate::finding::Finding;
use crate::game::Game;
use crate::gathering::Gathering;
use crate::scene::Scene;
use crate::session::{Departure, Reply, Session, frame};

/// Turns before and after what is tried, and of that.
const TURNS: u32 = 2;
/// States that come at once.
const TOGETHER: u32 = 3;
/// Pieces of a message, at most.
const PIECES: usize = 16;
/// Between pieces, for the reader to take each by itself.
const PAUSE: Duration = Duration::from_millis(3);
/// The same where it is to think that this was all.
const LONG_PAUSE: Duration = Duration::from_millis(60);
/// For answers that are late.
const LATE: Duration = Duration::from_secs(1);

pub(crate) async fn check(bench: Bench<'_>, known: &Known) -> Vec<Finding> {
    let mut gathering = Gathering::default();
    for delivery in Transmission::ALL {
        let found = play(bench, delivery, known).await.err();
        gathering.judge(&Case::Transmission(delivery), found.into_iter().collect());
    }
    gathering.finish()
}

/// The bot that states are delivered to.
struct Receiver {
    session: Session,
    game: Game,
    deadline: Duration,
    /// `true` if an answer may be missing or malformed, as is known already.
    is_forgiven: bool,
}

/// Why no more states are delivered.
enum Stop {
    Gone,
    Wrong(Fact),
}

async fn play(bench: Bench<'_>, delivery: Transmission, known: &Known) -> Result<(), Finding> {
    let Bench { team, options } = bench;
    let own = (Colour::default(), team.name.as_str());
    let turns = 4 * TURNS + TOGETHER;
    let case = Case::Transmission(delivery);
    let mut scene = Scene::new(case, &options.map, options.rules, turns, own);
    if delivery == Transmission::Characters {
        // Something to cut; whether it stands such names is a matter of its own.
        "Zoë 🎮 Fantôme".clone_into(&mut scene.names[1]);
    }
    let session = bench.open(&team.name).await?;
    let game = Game::new(scene.state, scene.me, scene.names);
    let is_forgiven = known.missed || known.malformed;
    let mut receiver = Receiver { session, game, deadline: options.deadline, is_forgiven };
    let done = receiver.receive(delivery).await;
    let turn = receiver.game.view().elapsed();
    let moments = receiver.game.moments();
    match done {
        Ok(()) => {
            receiver.session.end().await;
            Ok(())
        }
        Err(Stop::Gone) => {
            let Departure { ending, output, .. } = receiver.session.collapse().await;
            let fact = match ending {
                Some(ending) => Fact::Crashed { turn, ending, moments },
                None => Fact::Left { turn, moments },
            };
            Err(Finding::failure(fact).with(&output))
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
                    self.session.begin_state();
                    // The next state is not known yet, but how it begins.
                    self.session.send(&[&message[..], &message[..BEGINNING]].concat()).await;
                    self.turn().await?;
                    let next = frame(&self.game.message());
                    self.session.begin_state();
                    self.session.send(&next[BEGINNING..]).await;
                    self.turn().await?;
                }
            }
            Transmission::Together => self.together().await?,
        }
        self.usual().await
    }

    /// States as they usually come.
    async fn usual(&mut self) -> Result<(), Stop> {
        for _ in 0..TURNS {
            let message = frame(&self.game.message());
            self.session.begin_state();
            self.session.send(&message).await;
            self.turn().await?;
        }
        Ok(())
    }

    /// Waits for the answer to a state that was sent, and plays the turn.
    async fn turn(&mut self) -> Result<(), Stop> {
        let turn = self.game.view().elapsed();
        let orders = match self.session.answer(self.deadline).await {
            Reply::Answer(text, _) => Orders::from_text(&text),
            Reply::Missed if self.is_forgiven => {
                self.session.forgive();
                Orders::default()
            }
            Reply::Missed => {
                let moments = self.game.moments();
                return Err(Stop::Wrong(Fact::Stuck { turn, moments }));
            }
            Reply::Closed => return Err(Stop::Gone),
            Reply::TooLong => {
                let limit = protocol::CLIENT_FRAME_LIMIT;
                return Err(Stop::Wrong(Fact::TooLong { turn, limit }));
            }
        };
        self.game.advance(orders);
        Ok(())
    }

    /// Several states at once, as a slow bot receives them.
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
            Reply::Answer(text, _) => {
                self.game.advance(Orders::from_text(&text));
                Ok(())
            }
            Reply::Closed => Err(Stop::Gone),
            Reply::Missed | Reply::TooLong => {
                // Those that come late are answers all the same; that they are late is told elsewhere.
                while self.session.heard() - before < TOGETHER as usize
                    && self.session.any(LATE).await
                {}
                let answered = (self.session.heard() - before) as u32;
                self.session.forgive();
                self.game.advance(Orders::default());
                self.usual().await?;
                match answered < TOGETHER && !self.is_forgiven {
                    true => Err(Stop::Wrong(Fact::Skips { sent: TOGETHER, answered })),
                    false => Ok(()),
                }
            }
        }
    }
}

/// Length of the beginning of a state that says only which player it is for.
const BEGINNING: usize = "jeu;A\n".len();

/// Positions at which a message is cut.
fn cuts(delivery: Transmission, message: &[u8]) -> Vec<usize> {
    match delivery {
        Transmission::Pieces => (1..PIECES).map(|piece| piece * message.len() / PIECES).collect(),
        Transmission::Characters => {
            // Bytes that go on with a character begin with these bits.
            (0..message.len()).filter(|&at| message[at] & 0xc0 == 0x80).collect()
        }
        Transmission::NulApart | Transmission::NextBegun | Transmission::Together => {
            vec![message.len().saturating_sub(1)]
        }
    }
}
