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

/// The page, one file, which is installed with the programs.
#[derive(Clone, Debug, Default)]
pub struct ArenaPage(Option<PathBuf>);

impl ArenaPage {
    /// The file `arene.html` of the folder `page` beside the folder of this program: `target/page` for programs that
    /// Cargo has built.
    pub fn installed() -> Self {
        let program = std::env::current_exe().ok();
        let folder = program.as_deref().and_then(|program| program.parent()?.parent());
        let file = folder.map(|folder| folder.join("page/arene.html"));
        Self(file.filter(|file| file.is_file()))
    }

    /// True if there is the page.
    pub fn exists(&self) -> bool {
        self.0.is_some()
    }

    /// Serves the page under `/arene/`; without it, the response says so.
    pub fn routes(self) -> Router {
        let page = Arc::new(OnceCell::new());
        let answer = async move |request: HeaderMap| {
            let (page, file) = (Arc::clone(&page), self.0.clone());
            let page: &Option<StaticFile> = page.get_or_init(|| read(file)).await;
            page.as_ref().map_or_else(missing, |page| page.answer(&request))
        };
        Router::new()
            .route("/arene/", get(answer))
            .route("/arene", get(|| async { Redirect::permanent("arene/") }))
    }
}

/// Reads and compresses the page, at its first request. It says itself what it may load and run.
async fn read(file: Option<PathBuf>) -> Option<StaticFile> {
    let policy =
        format!("base-uri 'none'; form-action 'none'; {}", Embedders::default().directive());
    let read = move || {
        let text = std::fs::read(file?).ok()?;
        Some(StaticFile::new("text/html; charset=utf-8", &policy, text))
    };
    spawn_blocking(read).await.ok().flatten()
}

fn missing() -> Response {
    let text = said!(
        "the page in which one plays is not installed with this program: expected page/arene.html beside the folder of \
         the program; scripts/page.sh makes it",
        "la page où l'on joue n'est pas installée avec ce programme : il faut page/arene.html à côté du dossier du \
         programme ; scripts/page.sh la crée"
    );
    (StatusCode::NOT_FOUND, text).into_response()
}
