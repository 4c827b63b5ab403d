//! The arena in a page, in which a browser plays games without a server.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use language::said;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::{Embedders, StaticFile};

/// The page, one file, and the scripts of its workshop, which are installed with the programs.
#[derive(Clone, Debug, Default)]
pub struct ArenaPage(Option<PathBuf>);

/// The files under `/arene/`, with their kinds; the first one is the page.
const FILES: [(&str, &str, &str); 3] = [
    ("/arene/", "arene.html", "text/html; charset=utf-8"),
    ("/arene/atelier.js", "atelier.js", "text/javascript; charset=utf-8"),
    ("/arene/python.js", "python.js", "text/javascript; charset=utf-8"),
];

impl ArenaPage {
    /// The page in the folder `page` beside the folder of this program: `target/page` for programs that Cargo has built.
    pub fn installed() -> Self {
        let program = std::env::current_exe().ok();
        let folder = program.as_deref().and_then(|program| program.parent()?.parent());
        let folder = folder.map(|folder| folder.join("page"));
        Self(folder.filter(|folder| folder.join("arene.html").is_file()))
    }

    /// True if there is the page.
    pub fn exists(&self) -> bool {
        self.0.is_some()
    }

    /// Serves the page under `/arene/`; without it, the response says so.
    pub fn routes(self) -> Router {
        let router = Router::new().route("/arene", get(|| async { Redirect::permanent("arene/") }));
        FILES.into_iter().fold(router, |router, (path, name, kind)| {
            let path_of_file = self.0.as_ref().map(|folder| folder.join(name));
            let made = Arc::new(OnceCell::new());
            let answer = async move |request: HeaderMap| {
                let (made, file) = (Arc::clone(&made), path_of_file.clone());
                let made: &Option<StaticFile> = made.get_or_init(|| read(file, kind)).await;
                made.as_ref().map_or_else(|| missing(name), |file| file.answer(&request))
            };
            router.route(path, get(answer))
        })
    }
}

/// Reads and compresses a file, at its first request. The page says itself what it may load and run.
async fn read(file: Option<PathBuf>, kind: &'static str) -> Option<StaticFile> {
    let policy =
        format!("base-uri 'none'; form-action 'none'; {}", Embedders::default().directive());
    let read = move || {
        let text = std::fs::read(file?).ok()?;
        Some(StaticFile::new(kind, &policy, text))
    };
    spawn_blocking(read).await.ok().flatten()
}

fn missing(name: &str) -> Response {
    let text = said!(
        "the page in which one plays is not installed with this program: expected page/{name} beside the folder of \
         the program; scripts/page.sh makes it",
        "la page où l'on joue n'est pas installée avec ce programme : il faut page/{name} à côté du dossier du \
         programme ; scripts/page.sh la crée"
    );
    (StatusCode::NOT_FOUND, text).into_response()
}
