//! A course that lasts for weeks: teams, the versions of their bots and their checks, the games of the ladder.
//!
//! ```
//! use course::{Course, NewTeam, Sealed, Who};
//!
//! let world = tempfile::tempdir()?;
//! let path = world.path().join("course.sqlite");
//! let (mut course, teacher) = Course::create(&path, 0)?;
//! let (ada, token) = course.add_team(&NewTeam { name: "Ada".into(), ..NewTeam::default() }, 1)?;
//! assert_eq!(course.who(&teacher.to_string())?, Some(Who::Teacher));
//! assert_eq!(course.who(&token.to_string())?, Some(Who::Team(ada)));
//!
//! let upload = course.incoming().join("upload");
//! std::fs::create_dir(&upload)?;
//! std::fs::write(upload.join("main.py"), "print('hello')")?;
//! let version = course.hand_in(ada, Sealed::of(upload)?, "python3 main.py", 2)?;
//!
//! assert_eq!(course.next_check()?.map(|next| next.id), Some(version));
//! course.judge(version, r#"{"ready": true}"#, true)?;
//! assert_eq!(course.playing(ada)?, Some(version));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Course`] is the file, with a folder of the versions' files beside it. One program at a time opens it; its threads read
//! it through [`CourseReader`]s, while one writes. There is no clock: the caller tells the time, in [`Seconds`].
//!
//! - [`NewTeam`] and [`CourseTeam`] are teams. They come from a [CSV file](Course::import) or by
//!   [invitations](Course::invite); a [`Token`] tells [`Who`] asks.
//! - [`BotVersion`] is what a team has [handed in](Course::hand_in), a [`Sealed`] folder, within its [`Limits`].
//! - [`LadderGame`] is a game, kept once; [`thin`](Course::thin) removes old recordings.
//! - [`next_games`] chooses who plays next, and [`LadderRating`] is how strong a version is; [`RatingDay`] is what it was
//!   on a day, and a [`PairRecord`] tells who beats whom.
//! - [`TeamView`] is all that a team may see, and [`PublicView`] all that everybody may see.
//! - [`AuditEntry`] says what the teacher has done, and when.
//!
//! # Durability
//!
//! | event | effect |
//! | --- | --- |
//! | the program is killed, the power fails | what a method has returned is there; what it has not returned is there as a whole or not at all |
//! | the disk is full | the method fails with [`CourseError::Full`] or [`CourseError::Io`] and changes nothing; reading works |
//! | a later program opens the file | its tables are brought up to date, each step in one transaction |
//! | an earlier program opens the file | it refuses, with [`CourseError::Version`] |
//! | files of versions are missing, or cannot be removed | the course opens, and [tells](Course::missing) |
//! | a second program opens the file | it refuses, with [`CourseError::Locked`] |
//!
//! # Size
//!
//! The file grows by about 150 bytes a game, without its recording and outputs; these are within the budget that is
//! given to [`thin`](Course::thin). The example `weeks` measures it.

mod audit;
mod challenge;
mod check;
mod comparison;
mod copy;
mod course;
mod error;
mod folder;
mod game;
mod hand_in;
mod import;
mod invitation;
mod keep_game;
mod level_result;
mod lock;
mod next_games;
mod pairs;
mod public;
mod rating_day;
mod ratings;
mod reader;
mod row;
mod schema;
mod sealed;
mod team;
mod team_view;
mod thinning;
mod token;
mod version;

pub use audit::{AuditEntry, Deed};
pub use challenge::Challenged;
pub use comparison::Comparison;
pub use course::Course;
pub use error::{CourseError, Refusal};
pub use folder::Content;
pub use game::{Kept, LadderGame, LadderSeat, Player, Traces};
pub use hand_in::Limits;
pub use import::{CsvFault, CsvTeam, ImportError, read_teams};
pub use level_result::LevelResult;
pub use next_games::{Entrant, EntrantKind, LadderRules, next_games};
pub use pairs::PairRecord;
pub use public::{PublicRating, PublicRatingDay, PublicView};
pub use rating_day::RatingDay;
pub use ratings::LadderRating;
pub use reader::CourseReader;
pub use row::{Seconds, TeamId, VersionId};
pub use sealed::Sealed;
pub use team::{CourseTeam, NewTeam, Who};
pub use team_view::{SeenGame, SeenPair, SeenPlayer, SeenSeat, TeamView};
pub use thinning::Thinned;
pub use token::Token;
pub use version::{BotVersion, VersionState};
