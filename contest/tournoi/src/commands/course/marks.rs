//! `tournoi cours noter`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use comfy_table::{CellAlignment, LineStyle, Table, presets};
use course::{CourseReader, CourseTeam};
use language::{Language, said, word};
use rating::Share;
use tournament::trial::Opponents;

use super::FileArgs;
use crate::commands::mark::{Marked, files, sentence};
use crate::scale::ScaleFile;

#[derive(Debug, clap::Args)]
#[command(after_help = said!(
    "A mark follows from the ladder's games of the version that plays, against three copies of a bot of the house, so it does not \
     move when other teams improve. The interval holds the mark of endlessly many games in 95 % of cases.\n\n\
     Exit codes: 0 when all teams are marked, 2 when the command or a file is wrong.",
    "La note vient des parties du classement de la version qui joue, contre trois exemplaires d'un bot de la maison : \
     elle ne bouge donc pas quand d'autres équipes progressent. L'intervalle contient la note d'une infinité de \
     parties dans 95 % des cas.\n\n\
     Codes de sortie : 0 quand toutes les équipes sont notées, 2 si la commande ou un fichier est incorrect."
))]
pub(super) struct MarksArgs {
    #[command(flatten)]
    file: FileArgs,

    #[arg(long, visible_alias = "scale", value_name = "FILE", help = said!(
        "Scale of marks (TOML) [default: that of exemples/bareme.toml]",
        "Barème (TOML) [défaut : celui d'exemples/bareme.toml]"
    ))]
    bareme: Option<PathBuf>,

    #[arg(long, value_name = "FILE", help = said!(
        "Write the marks for a spreadsheet",
        "Écrire les notes pour un tableur"
    ))]
    csv: Option<PathBuf>,

    #[arg(long, value_name = "FILE", help = said!(
        "Write the marks for Moodle's import of grades: mail, mark and comment of each team with a mail",
        "Écrire les notes pour l'import de Moodle : courriel, note et commentaire de chaque équipe qui a un courriel"
    ))]
    moodle: Option<PathBuf>,

    #[arg(long, value_name = "DIR", help = said!(
        "Write a `results.json` of Gradescope for each team into this folder, as N.json, with the number of --csv",
        "Écrire dans ce dossier un `results.json` de Gradescope par équipe, sous le nom N.json, avec le numéro de --csv"
    ))]
    gradescope: Option<PathBuf>,

    #[arg(long, value_name = "DIR", help = said!(
        "Write a `result.json` for each team into this folder, as the autograders of GitHub Classroom do; names as for --gradescope",
        "Écrire dans ce dossier un `result.json` par équipe, au format des correcteurs de GitHub Classroom ; mêmes \
         noms que --gradescope"
    ))]
    classroom: Option<PathBuf>,
}

pub(super) fn run(args: &MarksArgs) -> anyhow::Result<ExitCode> {
    let scale = ScaleFile::read(args.bareme.as_deref())?;
    let levels = levels(&scale)?;
    let reader = CourseReader::open(&args.file.cours)?;
    let known = reader.levels()?;
    for level in &levels {
        let known = known.join(", ");
        ensure!(
            known.split(", ").any(|it| it == *level),
            said!(
                "the scale has the level {level}, which does not play on this ladder; `niveaux` of the course: {known}",
                "le barème a le niveau {level}, qui ne joue pas dans ce classement ; `niveaux` du cours : {known}"
            )
        );
    }
    let teams = reader.teams()?;
    let mut all = Vec::with_capacity(teams.len());
    for team in &teams {
        all.push((team, marked(&reader, &scale, &levels, team)?));
    }
    show(&all);
    let is_short = |marked: &Marked<'_>| {
        marked.failure.is_none() && marked.levels.iter().any(|level| level.games < scale.games)
    };
    let short = all.iter().filter(|(_, marked)| is_short(marked)).count();
    if short > 0 {
        let games = scale.games;
        cli::warn!(
            "{short} teams have fewer than the {games} games of the scale against a level: let the ladder go on, and look at the intervals",
            "{short} équipes ont moins que les {games} parties du barème contre un niveau : laissez jouer, et regardez les intervalles"
        );
    }
    if let Some(path) = &args.csv {
        write(path, spreadsheet(&all), Language::chosen())?;
    }
    if let Some(path) = &args.moodle {
        // Moodle's usual separator, whatever the language.
        write(path, moodle(&all), Language::English)?;
    }
    if let Some(folder) = &args.gradescope {
        write_each(folder, &all, files::write_gradescope)?;
    }
    if let Some(folder) = &args.classroom {
        write_each(folder, &all, files::write_classroom)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a file for each team, named by its number.
fn write_each(
    folder: &Path,
    all: &[(&CourseTeam, Marked<'_>)],
    write: impl Fn(&Path, &Marked<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    all.iter()
        .try_for_each(|(team, marked)| write(&folder.join(format!("{}.json", team.id)), marked))
}

/// The house bots of the scale.
fn levels(scale: &ScaleFile) -> anyhow::Result<Vec<&'static str>> {
    let level = |opponents| match opponents {
        Opponents::Three(bot) => Ok(bot),
        Opponents::Mixed => bail!(said!(
            "the ladder has no games against `melange`: each level of the scale has to be one bot of the house",
            "le classement n'a pas de parties contre `melange` : chaque niveau du barème doit être un bot de la maison"
        )),
    };
    scale.opponents()?.into_iter().map(level).collect()
}

fn marked<'a>(
    reader: &CourseReader,
    scale: &ScaleFile,
    levels: &[&str],
    team: &'a CourseTeam,
) -> anyhow::Result<Marked<'a>> {
    let version = reader.playing(team.id)?;
    let known = match version {
        Some(version) => reader.level_results(version)?,
        None => Vec::new(),
    };
    let of_level = |level: &&str| {
        let found = known.iter().find(|result| result.level == **level);
        found.map_or((None, 0), |it| (Share::of(it.firsts, it.games), it.games))
    };
    let results: Vec<_> = levels.iter().map(of_level).collect();
    let failure = version.is_none().then(|| {
        team.disqualified.clone().unwrap_or_else(|| {
            word("No version is able to play.", "Aucune version n'est en état de jouer.").to_owned()
        })
    });
    Marked::of(scale, &team.about.name, &results, failure)
}

fn show(all: &[(&CourseTeam, Marked<'_>)]) {
    let decimal = |number| Language::chosen().decimal(number, 2);
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    let mark = word("Mark", "Note");
    table.set_header([
        word("Team", "Équipe"),
        word("Group", "Groupe"),
        mark,
        "95 %",
        word("Games", "Parties"),
    ]);
    for (team, marked) in all {
        let low_high = format!("{} – {}", decimal(marked.mark.low), decimal(marked.mark.high));
        table.add_row([
            cli::printable(&team.about.name),
            cli::printable(&team.about.group),
            format!("{} / {}", decimal(marked.mark.value), decimal(marked.best)),
            if marked.failure.is_some() { "–".to_owned() } else { low_high },
            games(marked).to_string(),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    cli::say!("{table}");
    for (team, marked) in all {
        if let Some(why) = &marked.failure {
            cli::say!("{}", cli::printable(&format!("{}: {why}", team.about.name)));
        }
    }
}

fn games(marked: &Marked<'_>) -> u32 {
    marked.levels.iter().map(|level| level.games).sum()
}

/// A line a team, with decimal commas in French.
fn spreadsheet(all: &[(&CourseTeam, Marked<'_>)]) -> Vec<Vec<String>> {
    let decimal = |number| Language::chosen().decimal(number, 2);
    let heads = word(
        "number;team;group;members;mail;mark;low;high;best;games;comment",
        "numéro;équipe;groupe;membres;courriel;note;bas;haut;maximum;parties;commentaire",
    );
    let mut lines = vec![heads.split(';').map(str::to_owned).collect()];
    lines.extend(all.iter().map(|(team, marked)| {
        let about = &team.about;
        vec![
            team.id.to_string(),
            about.name.clone(),
            about.group.clone(),
            about.members.join(", "),
            about.mail.clone().unwrap_or_default(),
            decimal(marked.mark.value),
            decimal(marked.mark.low),
            decimal(marked.mark.high),
            decimal(marked.best),
            games(marked).to_string(),
            sentence(marked),
        ]
    }));
    lines
}

/// A line for each team with a mail.
fn moodle(all: &[(&CourseTeam, Marked<'_>)]) -> Vec<Vec<String>> {
    let heads = word("Email address,Grade,Feedback", "Adresse de courriel,Note,Commentaire");
    let mut lines = vec![heads.split(',').map(str::to_owned).collect()];
    lines.extend(all.iter().filter_map(|(team, marked)| {
        let mail = team.about.mail.clone()?;
        Some(vec![mail, format!("{:.2}", marked.mark.value), sentence(marked)])
    }));
    lines
}

fn write(path: &Path, lines: Vec<Vec<String>>, language: Language) -> anyhow::Result<()> {
    std::fs::write(path, report::sheet(lines, language))
        .with_context(|| said!("cannot write {}", "{} ne peut pas être écrit", path.display()))
}
