//! The games played, for the page.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use language::{Language, log};
use replay::{Recording, page};
use serde_json::json;
use tokio::sync::{Mutex, OwnedMutexGuard, watch};
use tokio::time::{Instant, sleep, sleep_until};
use web::cache::Maker;

use crate::{Data, Results, html};
use plan::Key;

/// Minimum pause between two computations of the figures.
const PAUSE: Duration = Duration::from_secs(3);
/// Minimum pause between two computations, as a multiple of the time that one takes.
const SHARE: u32 = 20;

/// The storage of the games played. Its methods may block: the page calls them on threads of their own.
pub trait ResultSource: Send + Sync {
    /// Reads the bytes of a game's recording; `None` if there is no such game.
    ///
    /// # Errors
    ///
    /// Any failure. The page logs it, and the browser gets an error.
    fn recording(&self, game: Key) -> Result<Option<Vec<u8>>, SourceError>;

    /// Reads the results so far: at least the games that [`LiveState::played`](super::LiveState::played) counts.
    ///
    /// # Errors
    ///
    /// As with [`recording`](Self::recording).
    fn results(&self) -> Result<Results, SourceError>;
}

/// A reason why a source cannot answer.
pub type SourceError = Box<dyn Error + Send + Sync>;

/// Figures and pages computed from a source, each once for all requests.
///
/// Figures and pages are computed by tasks of their own, each once for all requests: a request that is dropped starts
/// no computation that the next one repeats.
pub(super) struct ReportCache {
    source: Arc<dyn ResultSource>,
    /// True if other sites may show recorded games in frames.
    is_embeddable: bool,
    /// The number of games that requests want the figures to cover.
    wanted: watch::Sender<usize>,
    cached: watch::Receiver<CachedFigures>,
    /// The earliest time of the next page; locked while one is made.
    next_page: Arc<Mutex<Instant>>,
}

/// The last figures.
#[derive(Debug, Default)]
struct CachedFigures {
    /// The figures, and the number of games that they cover at least; `None` before the first ones.
    known: Option<(usize, Arc<Figures>)>,
    /// The number of attempts to compute figures that failed.
    failures: u64,
}

/// The results could not be read, for a reason that was logged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unreadable;

/// The results without films.
#[derive(Debug)]
pub(super) struct Figures {
    data: Data,
    /// The data of the page, as JSON.
    pub(super) json: Bytes,
    /// The CSV file, for French and for English spreadsheets.
    pub(super) csv: [Bytes; 2],
    /// The page with these figures, once it is wanted.
    page: parking_lot::Mutex<Option<Page>>,
}

/// A page that is made or being made.
type Page = Shared<BoxFuture<'static, Result<Bytes, Unreadable>>>;

impl ReportCache {
    /// A cache of what is computed from a source. To be called within a tokio runtime, which computes the figures.
    pub(super) fn new(source: Arc<dyn ResultSource>, is_embeddable: bool) -> Self {
        let (wanted, asked) = watch::channel(0);
        let (keeper, cached) = watch::channel(CachedFigures::default());
        tokio::spawn(keep(keeper, Arc::clone(&source), asked));
        Self {
            source,
            is_embeddable,
            wanted,
            cached,
            next_page: Arc::new(Mutex::new(Instant::now())),
        }
    }

    /// Returns the maker of a recorded game's page.
    pub(super) fn replay(&self, game: Key) -> Maker {
        let (source, is_embeddable) = (Arc::clone(&self.source), self.is_embeddable);
        Box::new(move |mut out| {
            let bytes = source.recording(game).map_err(io::Error::other)?;
            let bytes = bytes.ok_or(io::ErrorKind::NotFound)?;
            let mut recording = Recording::read(&bytes).map_err(io::Error::other)?;
            recording.thoughts.publish(false);
            page::write_served(&recording, is_embeddable, &mut out)
        })
    }

    /// The results after at least this number of games, as a page to download.
    pub(super) async fn page(&self, games: usize) -> Result<Bytes, Unreadable> {
        let figures = self.figures(games).await?;
        let known = figures.page.lock().clone();
        let page = if let Some(page) = known {
            page
        } else {
            let next = Arc::clone(&self.next_page).lock_owned().await;
            // Another request may have made the page meanwhile.
            if figures.page.lock().is_none() {
                sleep_until(*next).await;
            }
            let mut page = figures.page.lock();
            page.get_or_insert_with(|| self.print(Arc::clone(&figures), next)).clone()
        };
        let page = page.await;
        if page.is_err() {
            // The next request tries again.
            figures.page.lock().take();
        }
        page
    }

    /// Makes the page with these figures on a thread of its own.
    fn print(&self, figures: Arc<Figures>, mut next: OwnedMutexGuard<Instant>) -> Page {
        let source = Arc::clone(&self.source);
        let page = on_own_thread(move || {
            let start = Instant::now();
            let recording = |key: &str| source.recording(key.parse()?);
            let page = html(figures.data.clone(), false, recording);
            *next = Instant::now() + SHARE * start.elapsed();
            page.map(Bytes::from)
        });
        page.boxed().shared()
    }

    /// The results after at least this number of games.
    pub(super) async fn figures(&self, games: usize) -> Result<Arc<Figures>, Unreadable> {
        let mut cached = self.cached.clone();
        let failures = {
            let cached = cached.borrow_and_update();
            if let Some(figures) = cached.after(games) {
                return Ok(figures);
            }
            cached.failures
        };
        self.wanted.send_modify(|wanted| *wanted = games.max(*wanted));
        let is_answered =
            |cached: &CachedFigures| cached.after(games).is_some() || cached.failures > failures;
        let cached = cached.wait_for(is_answered).await.map_err(|_| Unreadable)?;
        cached.after(games).ok_or(Unreadable)
    }
}

impl CachedFigures {
    /// The figures, if they cover this number of games.
    fn after(&self, games: usize) -> Option<Arc<Figures>> {
        let (_, figures) = self.known.as_ref().filter(|(covered, _)| *covered >= games)?;
        Some(Arc::clone(figures))
    }
}

impl Figures {
    fn of(Results { data, standings, voids }: Results) -> Self {
        Self {
            json: json!(data).to_string().into(),
            data,
            csv: [Language::French, Language::English]
                .map(|language| crate::csv(&standings, &voids, language).into()),
            page: parking_lot::Mutex::default(),
        }
    }
}

/// Computes the figures whenever requests want more games than are known, with pauses, so that frequent requests take
/// little time from the games. Ends with the cache.
async fn keep(
    cached: watch::Sender<CachedFigures>,
    source: Arc<dyn ResultSource>,
    mut wanted: watch::Receiver<usize>,
) {
    while wanted.changed().await.is_ok() {
        let games = *wanted.borrow_and_update();
        if cached.borrow().after(games).is_some() {
            continue;
        }
        let (source, asked) = (Arc::clone(&source), Instant::now());
        let figures = on_own_thread(move || {
            // Before, the work may have waited for a thread.
            let start = Instant::now();
            let figures = Figures::of(source.results()?);
            Ok((Arc::new(figures), PAUSE.max(SHARE * start.elapsed())))
        });
        let pause = if let Ok((figures, pause)) = figures.await {
            cached.send_modify(|cached| cached.known = Some((games, figures)));
            pause
        } else {
            cached.send_modify(|cached| cached.failures += 1);
            SHARE * asked.elapsed()
        };
        sleep(pause).await;
    }
}

/// Starts work on a thread of its own, which ends it whether or not anybody waits, so that the page keeps serving others.
fn on_own_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SourceError> + Send + 'static,
) -> impl Future<Output = Result<T, Unreadable>> + Send + 'static {
    let task = tokio::task::spawn_blocking(work);
    async move {
        let failure: SourceError = match task.await {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(failure)) => failure,
            Err(failure) => failure.into(),
        };
        log!(
            error,
            "the page cannot show what was played: {failure}",
            "la page ne peut pas montrer ce qui s'est joué : {failure}"
        );
        Err(Unreadable)
    }
}
