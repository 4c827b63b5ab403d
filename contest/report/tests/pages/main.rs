//! Tests of the pages of tournaments, over HTTP and in a real browser.
#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![allow(clippy::cast_precision_loss, reason = "there are few games")]

mod browser;
mod games;
mod http;
mod live;
mod report;
mod words;
