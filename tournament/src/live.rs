//! The live page: the report while the tournament goes on.
//!
//! It has a thread of its own, and looks at the tournament through a [`LiveState`] that whoever runs it fills in.
//! So nobody who looks at the page can slow a game. What the organiser does there goes through a
//! channel, to whoever knows the token only.

mod archive;
mod doors;
mod feed;
mod organiser;
mod same_site;
pub mod state;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use serde_json::json;
use server::{Observation, web};
use tokio::sync::{Semaphore, mpsc, watch};
use tracing::error;

pub use archive::{Archive, Failure, Results};
pub use organiser::{Action, Organiser};
pub use state::LiveState;

use crate::report::page;
use archive::Desk;
use doors::Doors;
use feed::Feed;
use organiser::Guard;

/// Browsers that follow the tournament at a time.
const VIEWERS: usize = 512;
/// Threads for what takes a while.
const THREADS: usize = 4;

/// Nothing but the page's own parts is loaded or run, whatever a name may hold.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self' ws: wss:; img-src 'self' data:; frame-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'self'";
/// A page that brings its own policy is only told who may show it.
const FRAMED: &str = "frame-ancestors 'self'";

#[derive(Clone, Debug)]
struct Shared {
    state: watch::Receiver<Arc<LiveState>>,
    feed: watch::Receiver<Feed>,
    viewers: Arc<Semaphore>,
    desk: Arc<Desk>,
    guard: Option<Arc<Guard>>,
}

/// Serves the page to whoever connects, until the program ends.
///
/// `state` is what is to be seen, `archive` has what was played. Without an organiser the page is only to
/// be looked at. What is returned takes what an arena tells of the games that are to be watched, as
/// [`server::Arena::observe`] wants it.
///
/// # Errors
///
/// When there is no thread for it.
pub fn serve(
    listener: TcpListener,
    state: watch::Receiver<Arc<LiveState>>,
    archive: Arc<dyn Archive>,
    organiser: Option<Organiser>,
) -> io::Result<mpsc::Sender<Observation>> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()?;
    let (sender, direct) = {
        let _within = runtime.enter();
        web::routes()
    };
    thread::Builder::new().name("live page".to_owned()).spawn(move || {
        if let Err(failure) = runtime.block_on(run(listener, state, archive, organiser, direct)) {
            error!("the live page is gone: {failure}");
        }
    })?;
    Ok(sender)
}

async fn run(
    listener: TcpListener,
    state: watch::Receiver<Arc<LiveState>>,
    archive: Arc<dyn Archive>,
    organiser: Option<Organiser>,
    direct: Router,
) -> io::Result<()> {
    let doors = Doors::new(tokio::net::TcpListener::from_std(listener)?);
    let (sender, feed) = watch::channel(Feed::default());
    tokio::spawn(feed::follow(state.clone(), sender));
    let shared = Shared {
        state,
        feed,
        viewers: Arc::new(Semaphore::new(VIEWERS)),
        desk: Arc::new(Desk::new(archive)),
        guard: organiser.map(|organiser| Arc::new(Guard::new(organiser))),
    };
    let router = Router::new()
        .route("/", get(|| async { part("text/html; charset=utf-8", page::INDEX.to_owned()) }))
        .route("/style.css", get(|| async { part("text/css; charset=utf-8", page::style()) }))
        .route("/page.js", get(|| async { part("text/javascript; charset=utf-8", page::script()) }))
        .route("/api/live", get(follow))
        .route("/api/report", get(report))
        .route("/api/organiser", get(organiser::who))
        .route("/api/{action}", post(organiser::act))
        .route("/api/feature/{key}", post(organiser::feature))
        .route("/rejeu/{key}", get(replay))
        .route("/rapport.html", get(report_page))
        .route("/rapport.csv", get(report_csv))
        .route("/direct", get(|| async { Redirect::permanent("direct/") }))
        .with_state(shared.clone())
        .nest("/direct/", direct)
        .layer(middleware::from_fn_with_state(shared, same_site::check));
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(doors.tap_io(|_| {}), service).await
}

/// A part of the page.
fn part(kind: &'static str, text: String) -> Response {
    let headers: [(HeaderName, &str); 5] = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}

fn json(status: StatusCode, text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, text).into_response()
}

async fn follow(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = Arc::clone(&shared.viewers).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many follow already").into_response();
    };
    // Nobody has anything to say here.
    upgrade.max_message_size(1024).on_upgrade(move |socket| async move {
        feed::tell(socket, shared.feed).await;
        drop(place);
    })
}

/// What a page with all games shows, without games to look at within it.
async fn report(State(shared): State<Shared>) -> Response {
    let played = shared.state.borrow().played;
    match shared.desk.figures(played).await {
        Ok(figures) => json(StatusCode::OK, figures.data.clone()),
        Err(()) => {
            json(StatusCode::INTERNAL_SERVER_ERROR, json!({ "error": "failed" }).to_string())
        }
    }
}

async fn report_page(State(shared): State<Shared>) -> Response {
    let played = shared.state.borrow().played;
    match shared.desk.page(played).await {
        Ok(page) => file("text/html; charset=utf-8", "rapport.html", page.as_str().to_owned()),
        Err(()) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// With `?lang=en` as English spreadsheets want it.
async fn report_csv(State(shared): State<Shared>, RawQuery(asked): RawQuery) -> Response {
    let is_english = asked.is_some_and(|asked| asked.split('&').any(|part| part == "lang=en"));
    let played = shared.state.borrow().played;
    match shared.desk.figures(played).await {
        Ok(figures) => {
            let [french, english] = &figures.csv;
            let csv = if is_english { english } else { french };
            file("text/csv; charset=utf-8", "rapport.csv", csv.clone())
        }
        Err(()) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Something to keep.
fn file(kind: &'static str, name: &str, text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::CONTENT_SECURITY_POLICY, FRAMED.to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, text).into_response()
}

/// A recorded game on its time line.
async fn replay(State(shared): State<Shared>, Path(key): Path<String>) -> Response {
    let Some(key) = archive::key_of(&key) else {
        return (StatusCode::NOT_FOUND, "that is no game's key").into_response();
    };
    match shared.desk.replay(key).await {
        Ok(Some(page)) => {
            let headers = [
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                (header::CONTENT_SECURITY_POLICY, FRAMED),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (header::REFERRER_POLICY, "no-referrer"),
                // A key stands for one game for ever.
                (header::CACHE_CONTROL, "max-age=3600"),
            ];
            (headers, page).into_response()
        }
        Ok(None) => (StatusCode::NOT_FOUND, "there is no such game").into_response(),
        Err(()) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
