//! The web page: live games, and past games with their time lines.
//!
//! The page has a thread of its own and is told of the games as any observer is; it replays the games from these
//! observations. So no visitor of the page can slow a game.

mod archive;
mod live;
pub mod recorded;

use std::fmt;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path as FilePath, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use parking_lot::Mutex;
use protocol::service::GameKind;
use replay::film::{self, Film};
use replay::{Animation, Clip, Look, NoClip, Recording, Setup, Thoughts, TooLarge, page};
use serde_json::Value;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::spawn_blocking;
use web::cache::{Cache, Effort, Maker, Unavailable};
use web::{ArenaPage, Embedders, JSON, Pass, Players, StaticFile, door, json, qr_code, viewer};

use archive::GameArchive;
use arena::Observation;
use live::Live;

/// Capacity of the queue of turns for the page; the page loses turns when it is full.
const WAITING: usize = 16 * 1024;

/// Maximum number of answers in a film, such as 37 500 turns of four players; only the beginning of a longer game is shown. Each takes a
/// hundred bytes.
const MOST_ANSWERS: usize = 150_000;

/// Maximum number of pixels of all pictures of an animation together, which take some seconds to draw.
const MOST_DRAWN: u64 = 1_000_000_000;

/// Content security policy: browsers load and run only the page's own parts, even if a name contains markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self' ws: wss:; img-src 'self' data:; base-uri 'none'; form-action 'none'; ";

/// The settings of the page.
#[derive(Debug, Default)]
pub struct PageSettings {
    /// The lobby, if the page tells how to join.
    pub lobby: Option<Lobby>,
    /// The folder with recordings of earlier servers' games.
    pub recordings: Option<PathBuf>,
    /// The sites that may show the page in frames, and whose pages may play.
    pub embedders: Embedders,
    /// True if everybody who sees the page may read thoughts, during games and afterwards.
    pub shows_thoughts: bool,
    /// The way to the games for players and spectators over WebSocket; `None` if there is none. Only [`serve`] uses it.
    pub players: Option<Players>,
}

/// The lobby, which the page shows before a game.
#[derive(Debug)]
pub struct Lobby {
    /// The kind of game.
    pub game: GameKind,
    /// The address that the server of games listens on.
    pub listening: SocketAddr,
    /// The game on its map, without players; `None` if nobody may know the map before.
    pub map: Option<Setup>,
}

#[derive(Clone)]
struct Shared {
    archive: Arc<Mutex<GameArchive>>,
    live: watch::Receiver<Live>,
    /// The files made of games, by name, whether the recording is final, and kind.
    files: Arc<Cache<(GameName, bool, Kind)>>,
    /// The folder with recordings of earlier servers' games.
    recordings: Option<Arc<FilePath>>,
    shows_thoughts: bool,
    /// True if other sites may show the page in frames.
    is_embeddable: bool,
    /// True if the page in which one plays is served, too.
    has_arena: bool,
    /// Permit to search the folder, so that requests that are dropped leave no searches behind.
    search: Arc<Semaphore>,
}

/// Serves the page until the program ends. Returns the sender for the games to show.
///
/// # Errors
///
/// When the socket cannot be set up, or the thread cannot be started.
pub fn serve(
    listener: TcpListener,
    mut settings: PageSettings,
) -> io::Result<mpsc::Sender<Observation>> {
    let players = settings.players.take();
    let embedders = settings.embedders.clone();
    let outside = crate::addresses(listener.local_addr()?).into_iter();
    let outside = outside.filter(|address| !address.ip().is_loopback());
    let pages = outside.map(|address| format!("http://{address}/")).collect();
    // Only numeric addresses are announced.
    door::open(
        "web",
        listener,
        |_| false,
        &embedders,
        players,
        door::NO_BODY,
        move || routes_at(settings, pages),
    )
}

/// The page as a router, to be nested in another one under a path that ends in a slash, and the sender for the games
/// to show. To be called within a tokio runtime, which follows the games.
pub fn routes(settings: PageSettings) -> (mpsc::Sender<Observation>, Router) {
    routes_at(settings, Vec::new())
}

/// The page as [`routes`] has it, which tells that other machines find it at these addresses.
fn routes_at(settings: PageSettings, pages: Vec<String>) -> (mpsc::Sender<Observation>, Router) {
    let PageSettings { lobby, recordings, embedders, shows_thoughts, players: _ } = settings;
    let place = place(lobby.as_ref(), &pages);
    let map = lobby.and_then(|lobby| lobby.map).map(|setup| {
        let mut film = film::beginning(&setup);
        film["frames"] = vec![Film::start(&setup).whole(None)].into();
        StaticFile::new("application/json", "default-src 'none'", film.to_string())
    });
    let (observer, observations) = mpsc::channel(WAITING);
    let archive = Arc::new(Mutex::new(GameArchive::default()));
    let (sender, live) = watch::channel(Live::default());
    tokio::spawn(live::follow(observations, Arc::clone(&archive), sender, place, shows_thoughts));
    let recordings = recordings.map(Arc::from);
    let (files, search) = (Arc::default(), Arc::new(Semaphore::new(1)));
    let is_embeddable = !embedders.is_empty();
    let arena = ArenaPage::installed();
    let has_arena = arena.exists();
    let shared = Shared {
        archive,
        live,
        files,
        recordings,
        shows_thoughts,
        is_embeddable,
        has_arena,
        search,
    };
    let policy = POLICY.to_owned() + &embedders.directive();
    let part = |kind, text: &'static str| {
        let part = StaticFile::new(kind, &policy, text);
        get(async move |request: HeaderMap| part.answer(&request))
    };
    let router = Router::new()
        .route("/", part("text/html; charset=utf-8", page::INDEX))
        .route("/style.css", part("text/css; charset=utf-8", page::STYLE))
        .route("/page.js", part("text/javascript; charset=utf-8", page::script()))
        .route("/api/games", get(games))
        .route(
            "/api/map",
            get(async move |request: HeaderMap| match &map {
                Some(map) => map.answer(&request),
                None => StatusCode::NOT_FOUND.into_response(),
            }),
        )
        .route(
            "/qr/{index}",
            get(async move |Path(index): Path<usize>| {
                qr_code(pages.get(index).map(String::as_str))
            }),
        )
        .route("/api/games/{id}/film", get(send_film))
        .route("/api/games/{id}/file/{kind}", get(download))
        .route("/api/live", get(watch_live))
        .with_state(shared)
        .merge(arena.routes());
    (observer, router)
}

/// The lobby as JSON: the name of the game, the addresses for players, and those of the page.
fn place(lobby: Option<&Lobby>, pages: &[String]) -> Value {
    let game = match lobby.map(|lobby| lobby.game) {
        Some(GameKind::PyRat) => "pyrat",
        Some(GameKind::Pacman) | None => "pacman",
    };
    let players = lobby.map_or_else(Vec::new, |lobby| crate::addresses(lobby.listening));
    let players: Vec<_> = players.iter().map(SocketAddr::to_string).collect();
    serde_json::json!({ "type": "gathering", "game": game, "players": players, "pages": pages })
}

/// The games, whether other sites may show them in frames, and whether one can play in the browser.
async fn games(State(shared): State<Shared>) -> Response {
    let mut list = shared.archive.lock().list();
    list["embeddable"] = shared.is_embeddable.into();
    list["arena"] = shared.has_arena.into();
    json(StatusCode::OK, list.to_string())
}

/// The name of a game in a link: its number on this server, and its seed, so that the link is valid on later servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GameName {
    id: u32,
    seed: Option<u64>,
}

impl FromStr for GameName {
    type Err = Unavailable;

    /// `1`, or `1-17915790164521258562` with the seed.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (id, seed) = match text.split_once('-') {
            Some((id, seed)) => (id, Some(seed.parse())),
            None => (text, None),
        };
        match (id.parse(), seed.transpose()) {
            (Ok(id), Ok(seed)) => Ok(Self { id, seed }),
            _ => Err(Unavailable::Missing),
        }
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)?;
        self.seed.map_or(Ok(()), |seed| write!(f, "-{seed}"))
    }
}

async fn send_film(
    State(shared): State<Shared>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    shared.file(&name, Kind::Film, &headers).await
}

/// A download of a game; a GIF may be of some turns only, as with `?tours=80..120`.
async fn download(
    State(shared): State<Shared>,
    Path((name, kind)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let mut parts = query.as_deref().unwrap_or_default().split('&');
    let turns = parts.find_map(|part| part.strip_prefix("tours="));
    let clip = match turns.map(str::parse::<Clip>).transpose() {
        Ok(clip) => clip,
        Err(no_clip @ NoClip) => {
            return (StatusCode::BAD_REQUEST, no_clip.to_string()).into_response();
        }
    };
    match Kind::named(&kind, clip) {
        Some(kind) => shared.file(&name, kind, &headers).await,
        None => Unavailable::Missing.into_response(),
    }
}

/// A representation of a game that can be downloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Film,
    /// The recording itself.
    Recording,
    /// A page that contains the game.
    Page,
    /// An animated picture, of the whole game or of some turns.
    Gif(Option<Clip>),
}

impl Kind {
    /// The kind of download with this file suffix; only GIFs are made of some turns.
    fn named(suffix: &str, clip: Option<Clip>) -> Option<Self> {
        match suffix {
            "gif" => Some(Self::Gif(clip)),
            _ if clip.is_some() => None,
            "rejeu" => Some(Self::Recording),
            "html" => Some(Self::Page),
            _ => None,
        }
    }

    /// The headers of a response: content type, and a file name, which ends in `-debut` for an incomplete game, and in
    /// `-tours-80-120` for some turns.
    fn headers(self, game: GameName, is_whole: bool) -> HeaderMap {
        let (kind, suffix) = match self {
            Self::Film => ("application/json", "json"),
            Self::Recording => ("application/octet-stream", "rejeu"),
            Self::Page => ("text/html; charset=utf-8", "html"),
            Self::Gif(_) => ("image/gif", "gif"),
        };
        let taken = if self == Self::Film { "inline" } else { "attachment" };
        let part = match self {
            Self::Gif(Some(clip)) => format!("-tours-{}", clip.to_string().replace("..", "-")),
            _ if is_whole => String::new(),
            _ => "-debut".to_owned(),
        };
        let disposition = format!("{taken}; filename=\"partie-{game}{part}.{suffix}\"");
        let disposition = HeaderValue::try_from(disposition).expect("it is ASCII without controls");
        let mut headers: HeaderMap =
            JSON.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert(header::CONTENT_DISPOSITION, disposition);
        headers
    }

    /// Converts the bytes of a recording to this kind, without thoughts unless they are wanted, and writes the result.
    fn write(self, bytes: &[u8], has_thoughts: bool, mut out: &mut dyn Write) -> io::Result<()> {
        if self == Self::Recording {
            return out.write_all(bytes);
        }
        let mut recording = Recording::read(bytes).map_err(io::Error::other)?;
        if !has_thoughts {
            recording.thoughts = Thoughts::default();
        }
        match self {
            Self::Film | Self::Recording => {
                recording.truncate(MOST_ANSWERS / recording.setup.names().len().max(1));
                film::write(&recording, &mut out)
            }
            Self::Page => page::write(&recording, &mut out),
            Self::Gif(clip) => {
                let language = language::Language::chosen();
                let look = Look { clip, most_drawn: MOST_DRAWN, language, ..Look::default() };
                let animation = Animation::new(&recording, look).map_err(|error| match error {
                    TooLarge::Clip { .. } => io::ErrorKind::NotFound.into(),
                    error => io::Error::other(error),
                });
                animation?.write(out)
            }
        }
    }
}

impl Shared {
    async fn file(&self, name: &str, kind: Kind, request: &HeaderMap) -> Response {
        self.find(name, kind, request).await.unwrap_or_else(Unavailable::into_response)
    }

    async fn find(
        &self,
        name: &str,
        kind: Kind,
        request: &HeaderMap,
    ) -> Result<Response, Unavailable> {
        let name: GameName = name.parse()?;
        let kept = self.archive.lock().state(name.id, name.seed);
        let is_enough = |kept: &archive::GameState| kind != Kind::Recording || kept.is_whole;
        if let Some(kept) = kept.filter(is_enough) {
            return self.kept(name, kind, kept, request).await;
        }
        match (self.recorded(name, kind, request).await, kept) {
            (Err(Unavailable::Missing), Some(kept)) => self.kept(name, kind, kept, request).await,
            (found, _) => found,
        }
    }

    /// A response made from the recording in memory.
    async fn kept(
        &self,
        name: GameName,
        kind: Kind,
        kept: archive::GameState,
        request: &HeaderMap,
    ) -> Result<Response, Unavailable> {
        let archive = Arc::clone(&self.archive);
        let maker = move || {
            let pieces = archive.lock().pieces(name.id)?;
            let maker: Maker = Box::new(move |out| kind.write(&pieces.concat(), true, out));
            Some(maker)
        };
        let effort = if matches!(kind, Kind::Gif(_)) { Effort::Long } else { kept.effort };
        let key = (name, kept.is_final, kind);
        let film = self.files.get(key, kept.is_final, effort, maker).await?;
        Ok(film.answer(request, kind.headers(name, kept.is_whole)))
    }

    /// A response made from the recording in the folder.
    async fn recorded(
        &self,
        name: GameName,
        kind: Kind,
        request: &HeaderMap,
    ) -> Result<Response, Unavailable> {
        let (Some(folder), Some(seed)) = (self.recordings.clone(), name.seed) else {
            return Err(Unavailable::Missing);
        };
        let permit = Arc::clone(&self.search).acquire_owned().await;
        let found = spawn_blocking(move || {
            let found = recorded::find(&folder, name.id, seed);
            drop(permit);
            found
        });
        let (path, len) = found.await.ok().flatten().ok_or(Unavailable::Missing)?;
        if kind == Kind::Recording {
            let body = if self.shows_thoughts {
                recorded::stream(path, len).await
            } else {
                recorded::stream_without_thoughts(path, len).await
            };
            let body = body.map_err(|_| Unavailable::Failed)?;
            let length = self.shows_thoughts.then_some([(header::CONTENT_LENGTH, len)]);
            return Ok((length, kind.headers(name, true), body).into_response());
        }
        let has_thoughts = self.shows_thoughts;
        let maker: Maker =
            Box::new(move |out| kind.write(&recorded::read(&path)?, has_thoughts, out));
        let effort = if matches!(kind, Kind::Gif(_)) { Effort::Long } else { Effort::Great };
        // Another server may still be writing the recording.
        let film = self.files.get((name, false, kind), false, effort, || Some(maker)).await?;
        Ok(film.answer(request, kind.headers(name, len <= recorded::LARGEST)))
    }
}

async fn watch_live(
    State(shared): State<Shared>,
    Extension(pass): Extension<Pass>,
    upgrade: WebSocketUpgrade,
) -> Response {
    viewer::watch(upgrade, &pass, |viewer| live::show(viewer, shared.live))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn requests_wait_for_their_search_and_leave_none_behind() {
        let folder = tempfile::tempdir().unwrap();
        let shared = Shared {
            archive: Arc::default(),
            live: watch::channel(Live::default()).1,
            files: Arc::default(),
            recordings: Some(folder.path().into()),
            shows_thoughts: false,
            is_embeddable: false,
            has_arena: false,
            search: Arc::new(Semaphore::new(1)),
        };
        let headers = HeaderMap::new();
        let find = async || shared.find("1-7", Kind::Recording, &headers).await.err();
        let permit = shared.search.acquire().await.unwrap();
        for _ in 0..10 {
            assert!(timeout(Duration::from_secs(1), find()).await.is_err());
        }
        drop(permit);
        assert_eq!(find().await, Some(Unavailable::Missing));
        assert_eq!(shared.search.available_permits(), 1);
    }
}
