//! A course that is open: its pages, its checks of versions, and the games of its ladder.
//!
//! The crate `course` is the memory of a course; this crate does what a course does all day:
//!
//! - [`Classroom::open`] serves the pages and the interface for programs, checks versions that are handed in, one at a time, and plays
//!   the games of the ladder with what is left of the machine.
//! - [`Settings`] are what the teacher decides.
//! - [`About`] is what is kept with a version; [`links`] are the links of teams, for a mail merge.
//!
//! # Who sees what
//!
//! Handlers of pages for the teacher only, such as the one of similar sources, take `ByTeacher`. Other handlers never ask the course for things of a team by themselves: a team's requests go through `course::TeamView`,
//! which answers the same for what is another team's and what does not exist. Tokens are compared by their hashes in constant
//! time; wrong ones are counted by address. Browsers keep the token in a cookie that scripts cannot read and other sites
//! cannot use.

mod about;
mod comparer;
mod hand_in;
mod inspection;
mod ladder;
mod losses;
mod machines;
mod pages;
mod rest;
mod review;
mod room;
mod settings;

use std::io;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

use course::{Course, CourseError, CourseReader, TeamId, Token};
use language::{Language, said, word};
use plan::Note;
use programs::build::BuildLimits;
use programs::cores::Cores;
use programs::isolation::{self, IsolationError};
use programs::journals::Journals;
use programs::package::Packages;
use tokio_util::sync::CancellationToken;
use tournament::featured::FeaturedGame;
use tournament::venue::LocalVenue;

pub use about::About;
pub use machines::{Machines, Playing};
pub use rest::{NoRest, Rest};
pub use settings::Settings;

use inspection::Inspector;
use ladder::LadderPlayer;
use room::Room;

/// The reason why a course cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The course cannot be read.
    #[error(transparent)]
    Course(#[from] CourseError),
    /// Programs cannot be isolated as demanded.
    #[error(transparent)]
    Isolation(#[from] IsolationError),
    /// The page cannot be served.
    #[error("{}", said!("cannot serve the page: {_0}", "la page ne peut pas être servie : {_0}"))]
    Page(io::Error),
}

/// A course that is open.
pub struct Classroom {
    room: Arc<Room>,
    inspector: Inspector,
    ladder: LadderPlayer,
    /// The protections that programs run without.
    pub gaps: Vec<Note>,
}

impl Classroom {
    /// Prepares an open course: its runners and readers.
    ///
    /// # Errors
    ///
    /// When the course cannot be read, or programs cannot be isolated as demanded.
    pub fn new(mut course: Course, settings: Settings) -> Result<Self, OpenError> {
        course.set_limits(settings.hand_in);
        course.set_house(settings.levels.iter().map(String::as_str))?;
        let (path, versions) = (course.path().to_owned(), course.versions_folder().to_owned());
        let runner = |trap| {
            let packages = Packages::new(versions.clone());
            isolation::runner_of_packages(settings.isolation, vec![path.clone()], trap, packages)
        };
        // Some bots ignore the given port and connect to the usual one.
        let checks = Arc::new(runner(Some(protocol::DEFAULT_PORT))?);
        let hidden = vec![path.clone(), versions.clone()];
        let builder = isolation::builder(settings.isolation, hidden, BuildLimits::default())?;
        let games = runner(None)?;
        let gaps = isolation::gaps_of(&games, settings.isolation);
        let cores = Cores::new(settings.parallel * plan::SEATS);
        // Outputs are kept with their games.
        let journals = Journals::new(PathBuf::new());
        let featured = FeaturedGame::new(None);
        let venue =
            LocalVenue::new(Arc::new(games), cores, journals, featured, std::time::Duration::ZERO);
        let room = Room::new(course, settings)?;
        let ladder = LadderPlayer::new(Arc::clone(&room), venue)?;
        let inspector = Inspector { room: Arc::clone(&room), runner: checks, builder };
        Ok(Self { room, inspector, ladder, gaps })
    }

    /// Lets other machines play games of the ladder, too.
    pub fn play_elsewhere(&mut self, machines: Box<dyn Machines>) {
        self.ladder.play_elsewhere(machines);
    }

    /// Serves the pages, checks and plays until `stop` is cancelled. Links begin with `local`, unless the settings tell the
    /// address of a reverse proxy.
    ///
    /// # Errors
    ///
    /// When the page cannot be served.
    pub async fn open(
        self,
        listener: TcpListener,
        local: String,
        stop: CancellationToken,
    ) -> Result<(), OpenError> {
        let Self { room, inspector, ladder, .. } = self;
        pages::serve(room, listener, local).map_err(OpenError::Page)?;
        tokio::join!(inspector.check_versions(stop.clone()), ladder.play(stop));
        Ok(())
    }
}

/// The links of teams with their tokens, as a CSV file for a mail merge; they begin with `base`.
///
/// # Errors
///
/// When the course cannot be read.
pub fn links(
    reader: &CourseReader,
    tokens: &[(TeamId, Token)],
    base: &str,
) -> Result<String, CourseError> {
    let heads =
        word("name;group;members;mail;token;link", "nom;groupe;membres;courriel;jeton;lien");
    let mut rows = vec![heads.split(';').map(str::to_owned).collect()];
    for (team, token) in tokens {
        let about = reader.team(*team)?.about;
        let (members, mail) = (about.members.join(", "), about.mail.unwrap_or_default());
        let link = format!("{base}#jeton={token}");
        rows.push(vec![about.name, about.group, members, mail, token.to_string(), link]);
    }
    Ok(report::sheet(rows, Language::chosen()))
}
