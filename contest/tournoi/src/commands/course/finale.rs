//! `tournoi cours finale`.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow, ensure};
use classroom::About;
use course::{CourseReader, CourseTeam, TeamId, VersionId};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use language::said;
use tournament::store::Store;

use super::FileArgs;
use crate::commands::play::{self, PlayArgs};
use crate::config::{TeamConfig, Words};

#[derive(Debug, clap::Args)]
#[command(after_help = said!(
    "The versions that play at that moment are copied beside the results, and the tournament is played as by `tournoi play`, whose \
     flags and exit codes it has; `tournoi resume` goes on with it. The course may stay open meanwhile.",
    "Les versions qui jouent à ce moment sont copiées à côté des résultats, et le tournoi se joue comme par `tournoi jouer`, avec ses \
     options et ses codes de sortie ; `tournoi reprendre` le continue. Le cours peut rester ouvert pendant ce temps."
))]
pub(super) struct FinaleArgs {
    #[command(flatten)]
    file: FileArgs,

    #[arg(long, visible_alias = "until-date", value_name = "DATE", value_parser = moment, help = said!(
        "Last moment of handing in, in local time, as 2026-12-10T18:00 [default: now]",
        "Dernier moment de dépôt, à l'heure locale, comme 2026-12-10T18:00 [défaut : maintenant]"
    ))]
    jusquau: Option<u64>,

    #[command(flatten)]
    play: PlayArgs,
}

/// Seconds since 1970 at a local time.
fn moment(text: &str) -> Result<u64, String> {
    let expected = || {
        said!(
            "expected a day and a time as 2026-12-10T18:00",
            "un jour et une heure comme 2026-12-10T18:00 sont attendus"
        )
    };
    let moment: DateTime = text.parse().map_err(|_| expected())?;
    let moment = moment.to_zoned(TimeZone::system()).map_err(|_| expected())?;
    u64::try_from(moment.timestamp().as_second()).map_err(|_| expected())
}

pub(super) fn run(args: &FinaleArgs) -> anyhow::Result<ExitCode> {
    let base = args.play.base_path();
    Store::expect_none(base)?;
    let reader = CourseReader::open(&args.file.cours)?;
    let present = reader.present_until(args.jusquau.unwrap_or(u64::MAX))?;
    let place = base.with_extension("versions");
    // A folder of this run alone, which may be removed again.
    fs::create_dir(&place).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow!(said!(
            "{} is there already: choose another --results, or remove it if an interrupted `course final` has left it",
            "{} existe déjà : choisissez un autre --base, ou supprimez ce dossier s'il reste d'un `cours finale` interrompu",
            place.display()
        )),
        _ => anyhow::Error::new(error).context(place.display().to_string()),
    })?;
    let played =
        freeze(&reader, &present, &place).and_then(|teams| play::run_with(&args.play, teams));
    if Store::expect_none(base).is_ok() {
        // Nothing was begun: the same command works once what kept it from that is mended.
        let _ = fs::remove_dir_all(&place);
    }
    played
}

/// The teams that take part, each with a copy of its present version. Tells which do not.
fn freeze(
    reader: &CourseReader,
    present: &[(TeamId, VersionId)],
    place: &Path,
) -> anyhow::Result<Vec<TeamConfig>> {
    let mut teams = Vec::new();
    for team in reader.teams()? {
        let name = cli::printable(&team.about.name);
        let version = present.iter().find(|(other, _)| *other == team.id);
        match (version, &team.disqualified) {
            (Some((_, version)), _) => teams.push(frozen(reader, &team, *version, place)?),
            (None, Some(why)) => cli::tell!(
                "{name} does not take part: disqualified, {why}",
                "{name} ne participe pas : disqualifiée, {why}"
            ),
            (None, None) => cli::tell!(
                "{name} does not take part: no version is able to play",
                "{name} ne participe pas : aucune version n'est en état de jouer"
            ),
        }
    }
    ensure!(
        !teams.is_empty(),
        said!(
            "no team has a version that is able to play",
            "aucune équipe n'a de version en état de jouer"
        )
    );
    Ok(teams)
}

/// A team with a copy of the files of a version.
fn frozen(
    reader: &CourseReader,
    team: &CourseTeam,
    version: VersionId,
    place: &Path,
) -> anyhow::Result<TeamConfig> {
    let about = About::of(&reader.version(version)?);
    let files = reader.files(version)?.with_context(|| {
        said!("version {version} has no files", "la version {version} n'a pas de fichiers")
    })?;
    let folder = place.join(version.to_string());
    copy(&files, &folder).with_context(|| folder.display().to_string())?;
    Ok(TeamConfig {
        name: Some(team.about.name.clone()),
        bot: None,
        command: Some(Words::List(about.command)),
        folder: Some(folder),
        own_folder: true,
        environment: [].into(),
        version: None,
        files: None,
    })
}

/// Copies a folder of plain files.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &place)?;
        } else {
            fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}
