//! `tournoi rapport` of several tournaments: the groups of a class in one table.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use language::Language;
use report::GroupStandings;
use tournament::tournament::{SAMPLES, Tournament};

use super::disqualify;
use crate::output_file;

/// Prints the rankings of these tournaments, one after the other in the order of the files, and writes them for a
/// spreadsheet.
pub(super) fn show(bases: &[PathBuf], csv: Option<&Path>) -> anyhow::Result<ExitCode> {
    let (mut groups, mut tournaments) = (Vec::new(), Vec::new());
    for base in bases {
        let tournament = Tournament::look(base)?;
        let name = tournament.plan().conditions.name.clone();
        let (standings, voids) = (tournament.standings(SAMPLES), tournament.store().voids()?);
        groups.push(GroupStandings { name, standings, voids });
        tournaments.push(tournament);
    }
    let names: Vec<_> = groups.iter().map(|group| group.name.clone()).collect();
    for (group, base) in groups.iter_mut().zip(bases) {
        // Tournaments without a name have the same one.
        if names.iter().filter(|name| **name == group.name).count() > 1 {
            group.name = base.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        }
    }
    let language = Language::chosen();
    cli::say!("{}", report::groups_table(&groups, language));
    tournaments.iter().for_each(disqualify::show);
    if let Some(path) = csv {
        let table = report::groups_csv(&groups, language);
        output_file::replace(path, |out| Ok(out.write_all(table.as_bytes())?))?;
    }
    Ok(ExitCode::SUCCESS)
}
