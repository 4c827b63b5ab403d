//! The web page: games live, and those that were played on their time lines.
//!
//! It has a thread of its own and is told of the games as any observer is; it plays them again from
//! what it is told. So nobody who looks at the page can slow a game.

mod archive;
mod live;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use parking_lot::Mutex;
use replay::page;
use tokio::sync::{Semaphore, mpsc, watch};
use tracing::error;

use crate::observers::Observation;
use archive::Archive;
use live::Live;

/// Turns that wait for the page; with one more, it is told no more.
const WAITING: usize = 16 * 1024;
/// Browsers that watch live at a time.
const VIEWERS: usize = 512;

/// Nothing but the page's own parts is loaded or run, whatever a name may hold.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self' ws: wss:; img-src 'self' data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'self'";

#[derive(Clone)]
struct Shared {
    archive: Arc<Mutex<Archive>>,
    live: watch::Receiver<Live>,
    viewers: Arc<Semaphore>,
}

/// Serves the page to whoever connects, until the program ends. What it is to show goes into what is
/// returned.
///
/// # Errors
///
/// When there is no thread for it.
pub fn serve(listener: TcpListener) -> io::Result<mpsc::Sender<Observation>> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (sender, router) = {
        let _within = runtime.enter();
        routes()
    };
    thread::Builder::new().name("web".to_owned()).spawn(move || {
        if let Err(failure) = runtime.block_on(run(listener, router)) {
            error!("the web page is gone: {failure}");
        }
    })?;
    Ok(sender)
}

async fn run(listener: TcpListener, router: Router) -> io::Result<()> {
    axum::serve(tokio::net::TcpListener::from_std(listener)?, router).await
}

/// The page to be nested in another one, under a path that ends in a slash. What it is to show goes
/// into what is returned with it. To be called within a tokio runtime, which follows the games.
pub fn routes() -> (mpsc::Sender<Observation>, Router) {
    let (observer, observations) = mpsc::channel(WAITING);
    let archive = Arc::new(Mutex::new(Archive::default()));
    let (sender, live) = watch::channel(Live::default());
    tokio::spawn(live::follow(observations, Arc::clone(&archive), sender));
    let shared = Shared { archive, live, viewers: Arc::new(Semaphore::new(VIEWERS)) };
    let router = Router::new()
        .route("/", get(|| async { part("text/html; charset=utf-8", page::INDEX) }))
        .route("/style.css", get(|| async { part("text/css; charset=utf-8", page::STYLE) }))
        .route("/page.js", get(|| async { part("text/javascript; charset=utf-8", page::SCRIPT) }))
        .route("/api/games", get(games))
        .route("/api/games/{id}/film", get(film))
        .route("/api/live", get(watch_live))
        .with_state(shared);
    (observer, router)
}

/// A part of the page.
fn part(kind: &'static str, text: &'static str) -> Response {
    let headers: [(HeaderName, &str); 5] = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}

fn json(text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, text).into_response()
}

async fn games(State(shared): State<Shared>) -> Response {
    json(shared.archive.lock().list().to_string())
}

async fn film(State(shared): State<Shared>, Path(id): Path<u32>) -> Response {
    let recording = shared.archive.lock().recording(id);
    let Some(recording) = recording else {
        return (StatusCode::NOT_FOUND, "there is no such game, or no longer").into_response();
    };
    // A long game takes a while.
    let film =
        tokio::task::spawn_blocking(move || replay::film::film(&recording).to_string()).await;
    film.map_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response(), json)
}

async fn watch_live(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = Arc::clone(&shared.viewers).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many watch already").into_response();
    };
    upgrade.on_upgrade(move |socket| async move {
        live::show(socket, shared.live).await;
        drop(place);
    })
}
