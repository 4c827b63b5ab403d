//! Builds the programs of teams that hand in sources.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use intake::Launch;
use language::{Language, said};
use programs::build::{BuildJob, BuildLimits, Builder};
use programs::interpreter::is_private;
use sandbox::Level;
use tokio::runtime::Runtime;

/// Builds programs one after the other, and keeps them in a folder. Nothing is set up before the first one.
#[derive(Debug)]
pub struct Workshop {
    level: Level,
    /// The folder of the built programs, a folder each.
    folder: PathBuf,
    hidden: Vec<PathBuf>,
    means: Option<(Builder, Runtime)>,
}

impl Workshop {
    /// A workshop that isolates builds to this level, and keeps built programs in this folder, which is made with the first
    /// one.
    pub fn new(level: Level, folder: PathBuf) -> Self {
        Self { level, folder, hidden: Vec::new(), means: None }
    }

    /// Hides what teams have handed in, and the folder of their unpacked archives.
    pub(crate) fn hide(&mut self, paths: &[PathBuf], into: &Path) {
        let all = paths.iter().map(PathBuf::as_path).chain([into, &self.folder]);
        let real = all.filter_map(|path| std::path::absolute(path).ok());
        self.hidden = real.filter(|path| is_private(path)).collect();
    }

    /// Builds the program of a team, and returns its folder or what is wrong with it; `None` if the user interrupts this.
    ///
    /// # Errors
    ///
    /// If this machine cannot build it.
    pub(crate) fn build(
        &mut self,
        name: &str,
        launch: &Launch,
        folder: &Path,
    ) -> anyhow::Result<Option<Result<PathBuf, String>>> {
        let shown = cli::printable(name);
        cli::warn!("building {shown}…", "construction de {shown}…");
        let at_fault = || self.folder.display().to_string();
        fs::create_dir_all(&self.folder).with_context(at_fault)?;
        let into = self.folder.canonicalize().with_context(at_fault)?;
        let (builder, runtime) = match &mut self.means {
            Some(means) => means,
            means => {
                let (hidden, limits) = (self.hidden.clone(), BuildLimits::default());
                let builder = programs::isolation::builder(self.level, hidden, limits)?;
                means.insert((builder, cli::runtime()?))
            }
        };
        let words = launch.build.as_deref().unwrap_or_default();
        let job = BuildJob { folder, build: words, command: &launch.command, into: &into };
        let built = runtime.block_on(async {
            tokio::select! {
                built = builder.build(job) => Some(built),
                () = cli::interrupted() => None,
            }
        });
        match built {
            None => Ok(None),
            Some(Ok(built)) => {
                let place = free(&into);
                fs::rename(built.unpacked.folder.keep(), &place).with_context(at_fault)?;
                Ok(Some(Ok(place)))
            }
            Some(Err(fault)) if fault.is_of_machine() => Err(fault.into()),
            Some(Err(fault)) => {
                let (because, why) = (&launch.because, fault.words());
                let why = why.say(Language::chosen());
                Ok(Some(Err(said!("{because}: {why}", "{because} : {why}"))))
            }
        }
    }
}

/// The path of a folder that is not there yet, named by a number.
fn free(folder: &Path) -> PathBuf {
    let paths = (1_u64..).map(|number| folder.join(number.to_string()));
    paths.into_iter().find(|path| !path.exists()).unwrap_or_else(|| folder.join("0"))
}
