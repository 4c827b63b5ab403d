//! The pages of a course, and the interface for programs below `/api/`.

mod answer;
mod asked;
mod depot;
mod guard;
mod public;
mod replay;
mod review;
mod seen;
mod teacher;
mod team;

use std::io;
use std::net::TcpListener;
use std::sync::{Arc, LazyLock};

use ::replay::page;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderMap;
use axum::middleware::from_fn;
use axum::routing::{MethodRouter, get, post};
use course::TeamId;
use plan::Key;
use web::cache::Cache;
use web::{ArenaPage, Embedders, StaticFile, door};

use crate::room::Room;
use answer::Problem;

/// The policy of the page: it loads and runs only its own parts, whatever a name may hold.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
     img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Maximum number of bytes of a request that is no upload.
const SMALL: usize = 16 * 1024;
/// Maximum number of bytes of a file of teams.
const TEAMS: usize = 1 << 20;

const INDEX: &str = include_str!("../../../web/page/course/index.html");
const STYLE: &str = include_str!("../../../web/page/course/style.css");
const MODULES: [page::Module; 10] = ::replay::modules![
    "course/ask.js",
    "course/games.js",
    "course/ladder.js",
    "course/losses.js",
    "course/main.js",
    "course/review.js",
    "course/table.js",
    "course/teacher.js",
    "course/team.js",
    "course/words.js",
];
/// The program that hands in from a terminal.
const HAND_IN: &str = include_str!("../../../python/pacman_iuto/deposer.py");
static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let modules = [&page::SHARED[..], &MODULES].concat();
    page::join(&modules, "course/main.js").expect("a test joins the modules")
});

/// The state that all handlers share.
struct Shared {
    room: Arc<Room>,
    guesses: guard::Guesses,
    uploads: depot::Uploads,
    /// The pages of games, each for a team or, without one, for the teacher.
    films: Cache<(Key, Option<TeamId>)>,
    /// The address of the page on this machine.
    local: String,
    /// True if the page is there in which one writes and plays in the browser.
    has_arena: bool,
}

impl Shared {
    /// Tests if a reverse proxy may be before the pages.
    fn has_proxy(&self) -> bool {
        self.room.settings.address.is_some()
    }

    /// Tests if the pages come over TLS.
    fn is_secure(&self) -> bool {
        self.room.settings.address.as_ref().is_some_and(|address| address.starts_with("https:"))
    }

    /// The address that links begin with.
    fn base(&self) -> String {
        self.room.settings.address.as_ref().unwrap_or(&self.local).trim_end_matches('/').to_owned()
            + "/"
    }
}

/// Serves the pages until the program ends. Links begin with `local`, unless a reverse proxy has another address.
///
/// # Errors
///
/// When the socket cannot be set up, or the thread cannot be started.
pub(crate) fn serve(room: Arc<Room>, listener: TcpListener, local: String) -> io::Result<()> {
    let host = room.settings.address.as_deref().and_then(host_of).map(str::to_owned);
    let is_announced =
        move |name: &str| host.as_deref().is_some_and(|host| host.eq_ignore_ascii_case(name));
    let body = room.settings.upload.upload + depot::FORM;
    door::open("course", listener, is_announced, &Embedders::default(), None, body, || {
        ((), routes(room, local))
    })
}

/// The host of an address such as `https://pacman.example:8443/`.
fn host_of(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split('/').next()?;
    authority.split(':').next().filter(|host| !host.is_empty())
}

fn routes(room: Arc<Room>, local: String) -> Router {
    let upload = usize::try_from(room.settings.upload.upload + depot::FORM).unwrap_or(usize::MAX);
    let arena = ArenaPage::installed();
    let shared = Arc::new(Shared {
        room,
        guesses: guard::Guesses::default(),
        uploads: depot::Uploads::default(),
        films: Cache::default(),
        local,
        has_arena: arena.exists(),
    });
    let depot = || post(depot::receive).layer(DefaultBodyLimit::max(upload));
    Router::new()
        .route("/", part("text/html; charset=utf-8", INDEX))
        .route("/style.css", part("text/css; charset=utf-8", [page::BASE_STYLE, STYLE].concat()))
        .route("/page.js", part("text/javascript; charset=utf-8", SCRIPT.as_str()))
        .route("/deposer.py", part("text/x-python; charset=utf-8", HAND_IN))
        .route("/api/cours", get(public::course))
        .route("/api/jours", get(public::days))
        .route("/api/session", post(public::log_in).delete(public::log_out))
        .route("/api/rejoindre", post(public::join))
        .route("/api/depot", depot())
        .route("/deposer", depot())
        .route("/api/equipe", get(team::team))
        .route("/api/equipe/parties", get(team::older_games))
        .route("/api/parties", get(team::all_games))
        .route("/api/equipe/defaites", get(team::losses))
        .route("/api/equipe/pseudonyme", post(team::show_as))
        .route("/api/equipe/defi", post(team::challenge))
        .route("/api/equipe/jeton", post(team::renew_token))
        .route("/api/versions/{id}", get(team::version))
        .route("/api/versions/{id}/retirer", post(team::withdraw))
        .route("/api/versions/{id}/comparer", post(team::compare))
        .route("/parties/{key}", get(team::game_page))
        .route("/api/parties/{key}/enregistrement", get(team::recording))
        .route("/api/parties/{key}/sortie", get(team::output))
        .route("/api/enseignant", get(teacher::overview))
        .route("/api/enseignant/parties", get(teacher::older_games))
        .route("/api/enseignant/equipes", post(teacher::import))
        .route("/api/enseignant/equipes/{id}/jeton", post(teacher::renew))
        .route("/api/enseignant/equipes/{id}/disqualifier", post(teacher::disqualify))
        .route("/api/enseignant/invitation", post(teacher::invite))
        .route("/api/enseignant/echelle/{what}", post(teacher::pause))
        .route("/api/enseignant/fin", post(teacher::end))
        .route("/api/enseignant/equite", post(review::begin))
        .route("/enseignant/ressemblance/{one}/{other}", get(review::pair))
        .fallback(async || Problem::Missing)
        .method_not_allowed_fallback(async || Problem::Missing)
        .layer(DefaultBodyLimit::max(SMALL))
        .layer(from_fn(answer::translate))
        .with_state(shared)
        .merge(arena.routes())
}

/// Serves a part of the page.
fn part(kind: &'static str, text: impl Into<axum::body::Bytes>) -> MethodRouter<Arc<Shared>> {
    let part = StaticFile::new(kind, POLICY, text.into());
    get(async move |request: HeaderMap| part.answer(&request))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_modules_are_in_the_script_of_the_page() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/page/course");
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let names = names.map(|name| name.into_string().unwrap());
        let is_module =
            |name: &String| std::path::Path::new(name).extension() == Some("js".as_ref());
        let modules: Vec<_> = names.filter(is_module).collect();
        assert_eq!(modules.len(), MODULES.len());
        for name in modules {
            assert!(SCRIPT.contains(&format!("// course/{name}\n")), "{name}");
        }
    }

    #[test]
    fn the_host_of_a_proxy_is_known() {
        for (address, host) in [
            ("https://pacman.example", Some("pacman.example")),
            ("https://pacman.example:8443/", Some("pacman.example")),
            ("pacman.example", None),
            ("https:///", None),
        ] {
            assert_eq!(host_of(address), host, "{address}");
        }
    }
}
