//! The live page: the report during the tournament.
//!
//! The page has a thread of its own, and sees the tournament through a [`LiveState`] that the tournament updates, so
//! viewers cannot slow a game. Actions of the organiser, who has to know a token, go through a channel.

mod feed;
mod organiser;
mod results;
pub mod state;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Router, body::Body};
use bytes::Bytes;
use language::said;
use serde_json::json;
use tokio::sync::watch;
use web::cache::{Cache, Effort};
use web::{ArenaPage, Pass, Players, StaticFile, door, viewer};

pub use web::Embedders;

pub use organiser::Organiser;
pub use results::{ResultSource, SourceError};
pub use state::LiveState;

use crate::page;
use feed::Feed;
use organiser::Guard;
use plan::Key;
use results::{Figures, ReportCache, Unreadable};

/// The policy of the page: it loads and runs only its own parts, whatever a name may hold.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self' ws: wss:; img-src 'self' data:; frame-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'self'";
/// The headers of the pages of recorded games, beside the policy that says which pages may embed them.
const REPLAY: [(HeaderName, &str); 4] = [
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    // A key identifies one game for ever.
    (header::CACHE_CONTROL, "max-age=3600"),
];

#[derive(Clone)]
struct Shared {
    state: watch::Receiver<Arc<LiveState>>,
    feed: watch::Receiver<Feed>,
    cache: Arc<ReportCache>,
    files: Arc<Cache<Key>>,
    guard: Option<Arc<Guard>>,
    /// The sites that may show recorded games in frames.
    embedders: Embedders,
}

/// Serves the page until the program ends.
///
/// `state` is the state to show, and `source` holds the games played. Without an organiser the page takes no
/// actions. The `embedders` may show recorded games in frames, but not the page itself, which has the organiser's buttons;
/// their pages may play. `players` takes in players and spectators that come through the page.
/// `direct` is called within the runtime of the page; it returns the page of the featured game, which is served
/// below `/direct/`, and a value for the caller.
///
/// # Errors
///
/// When the thread of the page cannot be started.
pub fn serve<T>(
    listener: TcpListener,
    state: watch::Receiver<Arc<LiveState>>,
    source: Arc<dyn ResultSource>,
    organiser: Option<Organiser>,
    embedders: Embedders,
    players: Option<Players>,
    direct: impl FnOnce() -> (T, Router),
) -> io::Result<T> {
    let shown = state.clone();
    let is_announced = move |name: &str| shown.borrow().is_page_at(name);
    let sites = embedders.clone();
    door::open("live page", listener, is_announced, &sites, players, door::NO_BODY, || {
        let (result, direct) = direct();
        (result, routes(state, source, organiser, embedders, direct))
    })
}

fn routes(
    state: watch::Receiver<Arc<LiveState>>,
    source: Arc<dyn ResultSource>,
    organiser: Option<Organiser>,
    embedders: Embedders,
    direct: Router,
) -> Router {
    let arena = ArenaPage::installed();
    let (sender, feed) = watch::channel(Feed::default());
    tokio::spawn(feed::follow(state.clone(), arena.exists(), sender));
    let shared = Shared {
        state,
        feed,
        cache: Arc::new(ReportCache::new(source, !embedders.is_empty())),
        files: Arc::default(),
        guard: organiser.map(|organiser| Arc::new(Guard::new(organiser))),
        embedders,
    };
    Router::new()
        .route("/", part("text/html; charset=utf-8", page::INDEX))
        .route("/style.css", part("text/css; charset=utf-8", page::style()))
        .route("/page.js", part("text/javascript; charset=utf-8", page::script()))
        .route("/api/live", get(follow))
        .route("/api/report", get(report))
        .route("/api/organiser", get(organiser::who))
        .route("/api/refused", get(organiser::refused))
        .route("/api/{action}", post(organiser::act))
        .route("/api/feature/{key}", post(organiser::feature))
        .route("/qr.svg", get(qr_page))
        .route("/rejeu/{key}", get(replay))
        .route("/rapport.html", get(report_page))
        .route("/rapport.csv", get(report_csv))
        .route("/direct", get(|| async { Redirect::permanent("direct/") }))
        .with_state(shared)
        .merge(arena.routes())
        .nest("/direct/", direct)
}

/// Serves a part of the page.
fn part(kind: &'static str, text: impl Into<Bytes>) -> MethodRouter<Shared> {
    let part = StaticFile::new(kind, POLICY, text);
    get(async move |request: HeaderMap| part.answer(&request))
}

async fn follow(
    State(shared): State<Shared>,
    Extension(pass): Extension<Pass>,
    upgrade: WebSocketUpgrade,
) -> Response {
    viewer::watch(upgrade, &pass, |viewer| feed::tell(viewer, shared.feed))
}

impl Shared {
    /// The figures after all games played so far.
    async fn figures(&self) -> Result<Arc<Figures>, Unreadable> {
        let played = self.state.borrow().played;
        self.cache.figures(played).await
    }
}

impl IntoResponse for Unreadable {
    fn into_response(self) -> Response {
        web::json(StatusCode::INTERNAL_SERVER_ERROR, json!({ "error": "failed" }).to_string())
    }
}

/// Answers with the data of the report, without films.
async fn report(State(shared): State<Shared>) -> Result<Response, Unreadable> {
    Ok(web::json(StatusCode::OK, shared.figures().await?.json.clone()))
}

/// Answers with the QR code of the first address of the page.
async fn qr_page(State(shared): State<Shared>) -> Response {
    let state = Arc::clone(&shared.state.borrow());
    web::qr_code(state.page_addresses.first().map(String::as_str))
}

async fn report_page(State(shared): State<Shared>) -> Result<Response, Unreadable> {
    let played = shared.state.borrow().played;
    Ok(file("text/html; charset=utf-8", "rapport.html", shared.cache.page(played).await?))
}

/// Answers with the CSV file, for English spreadsheets with `?lang=en`, else for French ones.
async fn report_csv(
    State(shared): State<Shared>,
    RawQuery(asked): RawQuery,
) -> Result<Response, Unreadable> {
    let is_english = asked.is_some_and(|asked| asked.split('&').any(|part| part == "lang=en"));
    let csv = &shared.figures().await?.csv[usize::from(is_english)];
    Ok(file("text/csv; charset=utf-8", "rapport.csv", csv.clone()))
}

/// Makes a response to be saved as a file.
fn file(kind: &'static str, name: &str, text: Bytes) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::CONTENT_SECURITY_POLICY, Embedders::default().directive()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, Body::from(text)).into_response()
}

/// Answers with the page of a recorded game.
async fn replay(
    State(shared): State<Shared>,
    Path(key): Path<String>,
    headers: HeaderMap,
) -> Response {
    let Ok(key) = key.parse::<Key>() else {
        return (
            StatusCode::NOT_FOUND,
            said!("that is no game's key", "ce n'est la clé d'aucune partie"),
        )
            .into_response();
    };
    let maker = || Some(shared.cache.replay(key));
    match shared.files.get(key, true, Effort::Usual, maker).await {
        Ok(page) => {
            let policy = [(header::CONTENT_SECURITY_POLICY, shared.embedders.directive())];
            page.answer(&headers, (REPLAY, policy))
        }
        Err(unavailable) => unavailable.into_response(),
    }
}
