//! The pages of tournaments, over HTTP and in a real browser.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod browser;
mod games;
mod http;
mod live;
mod report;
