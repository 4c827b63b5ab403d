//! The web page: games live, and those that were played on their time lines.
//!
//! It has a thread of its own and is told of the games as any observer is; it plays them again from
//! what it is told. So nobody who looks at the page can slow a game. What other web pages of the workspace share
//! with it is public: [`door`] lets browsers in, [`films`] are made of games, a [`viewer`] is told what happens.

mod archive;
mod budget;
pub mod door;
pub mod films;
mod live;
mod same_site;
mod stream;
pub mod viewer;
mod visits;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use parking_lot::Mutex;
use replay::{Recording, page};
use tokio::sync::{mpsc, watch};

use crate::observers::Observation;
use archive::Archive;
use films::{Films, Maker};
use live::Live;

pub use visits::Pass;

/// Turns that wait for the page; with one more, some are lost to it.
const WAITING: usize = 16 * 1024;

/// Nothing but the page's own parts is loaded or run, whatever a name may hold.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self' ws: wss:; img-src 'self' data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'self'";
/// How films are sent.
const FILM: [(HeaderName, &str); 3] = [
    (header::CONTENT_TYPE, "application/json"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CACHE_CONTROL, "no-store"),
];

#[derive(Clone)]
struct Shared {
    archive: Arc<Mutex<Archive>>,
    live: watch::Receiver<Live>,
    /// By the numbers of the games, and whether they are over.
    films: Arc<Films<(u32, bool)>>,
}

/// Serves the page to whoever connects, until the program ends. What it is to show goes into what is
/// returned.
///
/// # Errors
///
/// When there is no thread for it.
pub fn serve(listener: TcpListener) -> io::Result<mpsc::Sender<Observation>> {
    door::open("web", listener, routes)
}

/// The page to be nested in another one, under a path that ends in a slash. What it is to show goes
/// into what is returned with it. To be called within a tokio runtime, which follows the games.
pub fn routes() -> (mpsc::Sender<Observation>, Router) {
    let (observer, observations) = mpsc::channel(WAITING);
    let archive = Arc::new(Mutex::new(Archive::default()));
    let (sender, live) = watch::channel(Live::default());
    tokio::spawn(live::follow(observations, Arc::clone(&archive), sender));
    let shared = Shared { archive, live, films: Arc::default() };
    let router = Router::new()
        .route("/", get(|| async { part("text/html; charset=utf-8", POLICY, page::INDEX) }))
        .route("/style.css", get(|| async { part("text/css; charset=utf-8", POLICY, page::STYLE) }))
        .route(
            "/page.js",
            get(|| async { part("text/javascript; charset=utf-8", POLICY, page::SCRIPT) }),
        )
        .route("/api/games", get(games))
        .route("/api/games/{id}/film", get(film))
        .route("/api/live", get(watch_live))
        .with_state(shared);
    (observer, router)
}

/// A part of a page, under this content security policy.
pub fn part(kind: &'static str, policy: &'static str, text: impl Into<Body>) -> Response {
    let headers: [(HeaderName, &str); 5] = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text.into()).into_response()
}

/// An answer to a script of a page.
pub fn json(status: StatusCode, text: impl Into<Body>) -> Response {
    (status, FILM, text.into()).into_response()
}

async fn games(State(shared): State<Shared>) -> Response {
    let list = shared.archive.lock().list();
    json(StatusCode::OK, list.to_string())
}

async fn film(State(shared): State<Shared>, Path(id): Path<u32>, headers: HeaderMap) -> Response {
    let archive = Arc::clone(&shared.archive);
    let Some((is_over, effort)) = archive.lock().state(id) else {
        return films::Unavailable::Missing.into_response();
    };
    let maker = move || {
        let pieces = archive.lock().pieces(id)?;
        let maker: Maker = Box::new(move |out| {
            let recording = Recording::read(&pieces.concat()).map_err(io::Error::other)?;
            replay::film::write(&recording, &mut { out })
        });
        Some(maker)
    };
    match shared.films.get((id, is_over), is_over, effort, maker).await {
        Ok(film) => film.answer(&headers, &FILM),
        Err(unavailable) => unavailable.into_response(),
    }
}

async fn watch_live(
    State(shared): State<Shared>,
    Extension(pass): Extension<Pass>,
    upgrade: WebSocketUpgrade,
) -> Response {
    viewer::watch(upgrade, &pass, |viewer| live::show(viewer, shared.live))
}
