//! The program `server`, and the web page of its games, which other programs serve as well.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`program`], `args`, `pyrat_args`, [`EmbeddingArgs`] | the program and its command line |
//! | `report`, `ranking`, `score_file`, `recording_file` | what becomes of results and recordings |
//! | [`page`] | the web page: live games, and past games with their time lines |
//! | [`announce`], [`addresses()`], `port` | how other machines find a server, and why it cannot listen on a port |

mod addresses;
pub mod announce;
mod args;
mod embedding_args;
pub mod page;
mod port;
mod practice;
pub mod program;
mod pyrat_args;
mod ranking;
mod recording_file;
mod report;
mod score_file;

pub use addresses::addresses;
pub use embedding_args::EmbeddingArgs;
