//! Recorded games as pages, and files to be saved.

use std::io;
use std::sync::Arc;

use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use course::TeamId;
use plan::Key;
use replay::{Recording, page};
use web::cache::Maker;

use crate::room::Room;

/// The headers of the page of a game: only its own scripts run, and only pages of the course show it in a frame.
pub(super) const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'self'"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "private, max-age=3600"),
];

/// The maker of the page of a game, with the thoughts of the reader's own team.
pub(super) fn maker(room: Arc<Room>, key: Key, reader: Option<TeamId>) -> Maker {
    Box::new(move |mut out| {
        let bytes = room.recording(key, reader).map_err(io::Error::other)?;
        let bytes = bytes.ok_or(io::ErrorKind::NotFound)?;
        let recording = Recording::read(&bytes).map_err(io::Error::other)?;
        page::write_served(&recording, false, &mut out)
    })
}

/// A file to be saved.
pub(super) fn file(kind: &'static str, name: &str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    (headers, bytes).into_response()
}
