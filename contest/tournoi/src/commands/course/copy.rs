//! `tournoi cours copie`.

use std::path::PathBuf;
use std::process::ExitCode;

use course::CourseReader;
use language::said;

use super::FileArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = said!(
    "The copy is a course of its own: `course open` opens it. To restore a course, open the copy.\n\n\
     Exit codes: 0 when all is copied, 1 when the files of a version are damaged, and all others are copied, 2 when nothing is \
     copied.",
    "La copie est un cours à part entière : `cours ouvrir` l'ouvre. Pour restaurer un cours, ouvrez sa copie.\n\n\
     Codes de sortie : 0 quand tout est copié, 1 quand les fichiers d'une version sont abîmés, et tout le reste copié, 2 quand rien \
     n'est copié."
))]
pub(super) struct CopyArgs {
    #[command(flatten)]
    file: FileArgs,

    #[arg(value_name = "COPY", help = said!(
        "New file; the folder of versions is copied beside it",
        "Nouveau fichier ; le dossier des versions est copié à côté"
    ))]
    copie: PathBuf,
}

pub(super) fn run(args: &CopyArgs) -> anyhow::Result<ExitCode> {
    let reader = CourseReader::open(&args.file.cours)?;
    let damaged = reader.copy_to(&args.copie)?;
    let copy = args.copie.display();
    cli::tell!("copied to {copy}", "copié dans {copy}");
    if damaged.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let list: Vec<_> = damaged.iter().map(ToString::to_string).collect();
    let list = list.join(", ");
    cli::warn!(
        "the files of these versions are damaged, and not in the copy: {list}",
        "les fichiers de ces versions sont abîmés, et absents de la copie : {list}"
    );
    Ok(ExitCode::FAILURE)
}
