//! Web pages: their connections and limits, fixed and computed files, and live events. The crate knows no game.
//!
//! - The [`door`] opens a page on a listener: it limits connections, heads, messages and unread answers, and refuses requests
//!   from other sites and under host names of other owners.
//! - A [`StaticFile`] is a fixed file of a page; a [`cache`] has files that take long to make; a [`viewer`] is sent live events;
//!   [`qr_code`] draws an address for phones.
//! - The [`ArenaPage`] is the page in which a browser plays without a server.
//! - [`Embedders`] are the sites that may show pages in frames, and whose pages may play.
//! - [`Players`] come in over a WebSocket each, and are handed to the games.
//! - The [`background`] has threads for work that is less urgent than the rest of the program.

mod arena_page;
pub mod background;
pub mod cache;
pub mod door;
mod embedding;
mod own_names;
mod players;
mod qr;
mod same_site;
mod static_file;
mod stream;
pub mod viewer;
mod visits;

use axum::body::Body;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

pub use arena_page::ArenaPage;
pub use embedding::{Embedders, NoSite, Site};
pub use players::{Arrival, Players};
pub use qr::qr_code;
pub use static_file::StaticFile;
pub use visits::Pass;

/// The headers of data for a script of a page.
pub const JSON: [(HeaderName, &str); 3] = [
    (header::CONTENT_TYPE, "application/json"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CACHE_CONTROL, "no-store"),
];

/// A response with JSON for a script of a page.
pub fn json(status: StatusCode, text: impl Into<Body>) -> Response {
    (status, JSON, text.into()).into_response()
}
