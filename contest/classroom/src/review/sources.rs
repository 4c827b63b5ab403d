//! Which of the versions that play look copied from each other.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use course::{CourseError, CourseReader, TeamId, VersionId};
use language::Language;
use similarity::{Class, MAX_BYTES, Pair, Program, Source};

/// Maximum number of bytes of the source files of a program; one with more is not compared.
const BYTES: u64 = 16 << 20;
/// Number of pairs that are told, and of regions that are kept of each.
const PAIRS: usize = 100;
const REGIONS: usize = 1000;

/// The comparison of the sources.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    /// The suspicious pairs, the most similar one first.
    pub(crate) pairs: Vec<AlikePair>,
    /// Number of programs that were compared.
    pub(crate) programs: usize,
    /// The teams whose programs are too long, so that only their beginning was compared.
    pub(crate) cut: Vec<TeamId>,
    /// The teams most of whose code is handed out, or common to many programs, and does not count.
    pub(crate) common: Vec<TeamId>,
    /// The teams whose files could not be read, with the reason.
    pub(crate) unread: Vec<(TeamId, String)>,
    /// True if the time was over before all pairs were compared.
    pub(crate) is_cut_short: bool,
}

/// Two versions that look alike.
#[derive(Debug)]
pub(crate) struct AlikePair {
    pub(crate) teams: [TeamId; 2],
    pub(crate) versions: [VersionId; 2],
    /// The matching parts of the two programs, which are numbered 0 and 1.
    pub(crate) pair: Pair,
}

/// Compares the versions that play. Calls `read` with the number of programs that were read.
pub(super) fn compare(
    reader: &CourseReader,
    given: &[Source],
    deadline: Instant,
    read: impl Fn(u32),
) -> Result<Alike, CourseError> {
    let present = reader.present()?;
    let folders = present.iter().map(|(_, version)| reader.files(*version));
    let folders = folders.collect::<Result<Vec<_>, _>>()?;
    let mut alike = Alike::default();
    let programs = (1..).zip(present.iter().zip(&folders)).map(|(number, ((team, _), folder))| {
        let folder = folder.as_deref();
        let sources = folder.map_or(Ok(Vec::new()), sources).unwrap_or_else(|why| {
            alike.unread.push((*team, why));
            Vec::new()
        });
        read(number);
        Program { name: String::new(), sources }
    });
    let class = Class::new(given, programs);
    let teams = || present.iter().map(|(team, _)| *team).zip(class.extents());
    alike.programs = teams().filter(|(_, extent)| extent.own + extent.left_out > 0).count();
    alike.cut = teams().filter(|(_, extent)| extent.is_cut).map(|(team, _)| team).collect();
    let is_common = |extent: &similarity::Extent| extent.left_out > extent.own;
    alike.common = teams().filter(|(_, extent)| is_common(extent)).map(|(team, _)| team).collect();
    let mut pairs: Vec<Pair> = Vec::new();
    let end = class.each_pair(|pair| {
        if let Some(mut pair) = pair.filter(Pair::is_suspicious) {
            pair.regions.truncate(REGIONS);
            pair.regions.shrink_to_fit();
            pairs.push(pair);
            if pairs.len() > 2 * PAIRS {
                best_of(&mut pairs);
            }
        }
        if Instant::now() < deadline { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    alike.is_cut_short = end.is_break();
    best_of(&mut pairs);
    let pair = |pair: Pair| {
        let both = [pair.first, pair.second].map(|index| present[index]);
        let pair = Pair { first: 0, second: 1, ..pair };
        AlikePair { teams: both.map(|(team, _)| team), versions: both.map(|it| it.1), pair }
    };
    alike.pairs = pairs.into_iter().map(pair).collect();
    Ok(alike)
}

fn best_of(pairs: &mut Vec<Pair>) {
    pairs.sort_by(Pair::by_likeness);
    pairs.truncate(PAIRS);
}

/// The program in the folder of a version, under the name of its team.
///
/// # Errors
///
/// If its files cannot be read, with the reason.
pub(crate) fn program(name: String, folder: &Path) -> Result<Program, String> {
    Ok(Program { name, sources: sources(folder)? })
}

fn sources(folder: &Path) -> Result<Vec<Source>, String> {
    let is_source = |name: &Path| similarity::Language::of(&name.to_string_lossy()).is_some();
    // A byte more tells that a file is too long.
    let texts = programs::texts(folder, is_source, MAX_BYTES as u64 + 1, BYTES);
    let texts = texts.map_err(|error| error.words().say(Language::chosen()).to_owned())?;
    let source = |(name, text): (PathBuf, Vec<u8>)| Source::new(name.display().to_string(), text);
    Ok(texts.into_iter().map(source).collect())
}
