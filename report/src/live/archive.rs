//! The games played, for the page.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use language::{Language, log};
use replay::{Recording, page};
use serde_json::json;
use server::web::films::Maker;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use crate::page::html_of;
use crate::{Data, Results};
use plan::Key;

/// Minimum pause between two readings of all games.
const PAUSE: Duration = Duration::from_secs(3);
/// Minimum pause between two readings, as a multiple of the time that one takes.
const SHARE: u32 = 20;

/// The storage of the games played. Its methods may block: the page calls them on threads of their own.
pub trait Archive: Send + Sync {
    /// Reads the bytes of a game's recording; `None` if there is no such game.
    ///
    /// # Errors
    ///
    /// Any failure. The page logs it, and the browser gets an error.
    fn recording(&self, game: Key) -> Result<Option<Vec<u8>>, Failure>;

    /// Reads the results so far: at least the games that [`LiveState::played`](super::LiveState::played) counts.
    ///
    /// # Errors
    ///
    /// As with [`recording`](Self::recording).
    fn results(&self) -> Result<Results, Failure>;
}

/// A reason why an archive cannot answer.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Answers from an archive; results are cached until there are more games.
pub(super) struct Desk {
    archive: Arc<dyn Archive>,
    page: Cached<Bytes>,
    figures: Cached<Figures>,
}

/// The results without films.
#[derive(Debug)]
pub(super) struct Figures {
    /// The data of the page, as JSON.
    pub(super) data: Bytes,
    /// The CSV file, for French and for English spreadsheets.
    pub(super) csv: [Bytes; 2],
}

/// A value computed from all games, kept until there are more games.
struct Cached<T>(Mutex<Option<Known<T>>>);

struct Known<T> {
    /// Minimum number of games behind the value.
    games: usize,
    /// The earliest time of the next computation.
    until: Instant,
    value: Arc<T>,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").finish_non_exhaustive()
    }
}

impl Desk {
    pub(super) fn new(archive: Arc<dyn Archive>) -> Self {
        Self { archive, page: Cached(Mutex::default()), figures: Cached(Mutex::default()) }
    }

    /// Returns the maker of a recorded game's page.
    pub(super) fn replay(&self, game: Key) -> Maker {
        let archive = Arc::clone(&self.archive);
        Box::new(move |mut out| {
            let bytes = archive.recording(game).map_err(io::Error::other)?;
            let bytes = bytes.ok_or(io::ErrorKind::NotFound)?;
            page::write(&Recording::read(&bytes).map_err(io::Error::other)?, &mut out)
        })
    }

    /// The results after at least this number of games, as a page to download.
    pub(super) async fn page(&self, games: usize) -> Result<Arc<Bytes>, ()> {
        let make = |archive: &dyn Archive, results: &Results| {
            let recording = |key: &str| archive.recording(key.parse().ok()?).ok()?;
            html_of(Data::of(results), recording).into()
        };
        self.page.get(&self.archive, games, make).await
    }

    /// The results after at least this number of games.
    pub(super) async fn figures(&self, games: usize) -> Result<Arc<Figures>, ()> {
        self.figures.get(&self.archive, games, |_, results| Figures::of(results)).await
    }
}

impl Figures {
    fn of(results: &Results) -> Self {
        Self {
            data: json!(Data::of(results)).to_string().into(),
            csv: [Language::French, Language::English]
                .map(|language| crate::csv(&results.standings, &results.voids, language).into()),
        }
    }
}

impl<T: Send + Sync + 'static> Cached<T> {
    /// Returns the known value if it covers at least `games` games, otherwise a new one after a pause, so that frequent
    /// requests take little time from the games.
    async fn get(
        &self,
        archive: &Arc<dyn Archive>,
        games: usize,
        make: fn(&dyn Archive, &Results) -> T,
    ) -> Result<Arc<T>, ()> {
        let mut known = self.0.lock().await;
        if let Some(known) = &*known {
            if known.games >= games {
                return Ok(Arc::clone(&known.value));
            }
            sleep_until(known.until).await;
        }
        let archive = Arc::clone(archive);
        let start = Instant::now();
        let value = apart(move || Ok(Arc::new(make(&*archive, &archive.results()?)))).await?;
        let until = Instant::now() + PAUSE.max(SHARE * start.elapsed());
        *known = Some(Known { games, until, value: Arc::clone(&value) });
        Ok(value)
    }
}

/// Runs work on a thread of its own, so that the page keeps serving others.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, ()> {
    let done: Result<_, tokio::task::JoinError> = tokio::task::spawn_blocking(work).await;
    match done {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(failure)) => {
            log!(
                error,
                "the page cannot show what was played: {failure}",
                "la page ne peut pas montrer ce qui s'est joué : {failure}"
            );
            Err(())
        }
        Err(failure) => {
            log!(
                error,
                "the page cannot show what was played: {failure}",
                "la page ne peut pas montrer ce qui s'est joué : {failure}"
            );
            Err(())
        }
    }
}
