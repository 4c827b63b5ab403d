//! The viewer at work: news from the server, keys, and the screen.

use std::io;
use std::pin::pin;
use std::time::Duration;

use crossterm::event::{Event, EventStream};
use futures_util::StreamExt;
use game::pacman::Rules;
use language::said;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::viewer::terminal::Screen;
use crate::viewer::{Command, Leave, Model, Status, Theme};
use crate::{News, Session, SessionError};

/// Between two frames, at least.
const FRAME: Duration = Duration::from_millis(25);
/// Number of states that wait while a frame is drawn; beyond it nothing is read, and the server skips some.
const NEWS: usize = 256;

/// Options of a spectator.
#[derive(Clone, Copy, Debug)]
pub struct Viewing {
    /// The rules that the server plays by.
    pub rules: Rules,
    /// The style of the screen.
    pub theme: Theme,
    /// `true` to leave when no more states will come.
    pub leave_at_end: bool,
}

/// The reason why a game cannot be watched: no state from the server, or no usable terminal.
#[derive(Debug, thiserror::Error)]
pub enum ViewingError {
    /// The connection ended before the first state came.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The server said that it is over before the first state came.
    #[error("{}", said!(
        "{server} says that the game is over",
        "{server} dit que la partie est finie"
    ))]
    Over {
        /// Host and port.
        server: String,
    },
    /// The terminal failed.
    #[error("{}", said!("the terminal: {_0}", "le terminal : {_0}"))]
    Terminal(#[from] io::Error),
}

/// Watches a server: waits for the first state, then shows all that comes until the user leaves.
///
/// Says how the user left, and how it stood with the server then; `None` when the end of the game
/// was the moment to leave. Dropping the future leaves the terminal as it was.
///
/// # Errors
///
/// When the first state does not come, or the terminal fails.
pub async fn run(
    session: &Session,
    viewing: &Viewing,
) -> Result<(Option<Leave>, Status), ViewingError> {
    let mut model = Model::new(session.address(), viewing.rules);
    let (sender, mut news) = mpsc::channel(NEWS);
    let mut watching = pin!(session.watch(&sender));

    while model.shown().is_none() {
        tokio::select! {
            biased;
            Some(told) = news.recv() => {
                if let News::Line(line) = told {
                    session.log(line);
                }
                model.hear(told);
            }
            ended = &mut watching => {
                hear_rest(&mut model, &mut news);
                if model.shown().is_none() {
                    ended?;
                    return Err(ViewingError::Over { server: session.address() });
                }
                model.end(status(ended));
            }
        }
    }

    let mut screen = Screen::open(viewing.theme)?;
    let mut keys = EventStream::new();
    let mut next_frame = Instant::now();
    let mut stale = true;
    loop {
        let over = has_ended(model.status());
        tokio::select! {
            biased;
            event = keys.next() => match event {
                Some(Ok(Event::Key(key))) => {
                    let left = Command::of(key).and_then(|command| model.obey(command));
                    if left.is_some() {
                        return Ok((left, model.status().clone()));
                    }
                    stale = true;
                }
                Some(Ok(_)) => stale = true,
                Some(Err(error)) => return Err(error.into()),
                None => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
            },
            () = sleep_until(next_frame), if stale => {
                screen.draw(&model)?;
                stale = false;
                next_frame = Instant::now() + FRAME;
                if over && viewing.leave_at_end {
                    return Ok((None, model.status().clone()));
                }
            }
            Some(told) = news.recv(), if !over => {
                model.hear(told);
                stale = true;
            }
            ended = &mut watching, if !over => {
                hear_rest(&mut model, &mut news);
                model.end(status(ended));
                stale = true;
            }
        }
    }
}

/// Shows a recording until the user leaves; how it did. Dropping the future leaves the terminal as it
/// was.
///
/// # Errors
///
/// When the terminal fails.
pub async fn show_recording(mut model: Model, theme: Theme) -> io::Result<Leave> {
    let mut screen = Screen::open(theme)?;
    let mut keys = EventStream::new();
    let mut next_frame = Instant::now();
    let mut next_state = Instant::now();
    let mut stale = true;
    loop {
        let pace = model.pace();
        tokio::select! {
            biased;
            event = keys.next() => match event {
                Some(Ok(Event::Key(key))) => {
                    if let Some(left) = Command::of(key).and_then(|command| model.obey(command)) {
                        return Ok(left);
                    }
                    next_state = next_state.max(Instant::now());
                    stale = true;
                }
                Some(Ok(_)) => stale = true,
                Some(Err(error)) => return Err(error),
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
            },
            () = sleep_until(next_frame), if stale => {
                screen.draw(&model)?;
                stale = false;
                next_frame = Instant::now() + FRAME;
            }
            () = sleep_until(next_state), if pace.is_some() => {
                model.advance();
                next_state += pace.unwrap_or_default();
                stale = true;
            }
        }
    }
}

fn hear_rest(model: &mut Model, news: &mut mpsc::Receiver<News>) {
    while let Ok(told) = news.try_recv() {
        model.hear(told);
    }
}

/// State of the line to a server that will send nothing more.
fn status(ended: Result<(), SessionError>) -> Status {
    match ended {
        Ok(()) => Status::Over,
        Err(SessionError::Protocol { source, .. }) => Status::Broken(source.to_string()),
        Err(_) => Status::Gone,
    }
}

fn has_ended(status: &Status) -> bool {
    match status {
        Status::Live | Status::Lost => false,
        Status::Gone | Status::Over | Status::Broken(_) => true,
    }
}
