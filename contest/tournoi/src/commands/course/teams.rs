//! `tournoi cours equipes`.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use course::{Course, TeamId, Token, Who};
use language::said;

use super::{FileArgs, now};

#[derive(Debug, clap::Args)]
pub(super) struct TeamsArgs {
    #[command(flatten)]
    file: FileArgs,

    #[arg(long, value_name = "FILE", help = said!(
        "Add the teams of this CSV file: columns name, group, members, mail, pseudonym",
        "Ajouter les équipes de ce fichier CSV : colonnes nom, groupe, membres, courriel, pseudonyme"
    ))]
    csv: Option<PathBuf>,

    #[arg(long, visible_alias = "renew", value_name = "TEAM", help = said!(
        "Renew the token of this team; may be given several times",
        "Renouveler le jeton de cette équipe ; peut être donné plusieurs fois"
    ))]
    renouveler: Vec<String>,

    #[arg(long, visible_alias = "tokens", value_name = "FILE", help = said!(
        "Write the new tokens and links to this file, which only you may read [default: print them]",
        "Écrire les nouveaux jetons et liens dans ce fichier, que vous seul pouvez lire [défaut : les afficher]"
    ))]
    jetons: Option<PathBuf>,

    #[arg(long, visible_alias = "address", value_name = "URL", required_unless_present_any = ["lister", "enseignant"], help = said!(
        "Address of the course, that the links begin with",
        "Adresse du cours, par laquelle commencent les liens"
    ))]
    adresse: Option<String>,

    #[arg(long, visible_alias = "list", help = said!("Print the names of the teams", "Afficher le nom des équipes"))]
    lister: bool,

    #[arg(long, visible_alias = "teacher", help = said!(
        "Renew the teacher's token; the old one is not valid any more",
        "Renouveler le jeton de l'enseignant ; l'ancien ne marche plus"
    ))]
    enseignant: bool,
}

pub(super) fn run(args: &TeamsArgs) -> anyhow::Result<ExitCode> {
    let base = args.adresse.as_deref().unwrap_or("http://localhost:8080");
    let base = format!("{}/", base.trim_end_matches('/'));
    let mut course = Course::open(&args.file.cours)?;
    // Names and files are checked before a token is made, because a token cannot be shown again.
    let all = course.teams()?;
    let renewed = args.renouveler.iter().map(|name| {
        let known = all.iter().find(|team| team.about.name == *name);
        let no_team = || said!("there is no team {name:?}", "il n'y a pas d'équipe {name:?}");
        known.map(|team| team.id).with_context(no_team)
    });
    let renewed: Vec<TeamId> = renewed.collect::<anyhow::Result<_>>()?;
    let cannot = |path: &Path| said!("cannot read {}", "{} est illisible", path.display());
    let csv = args.csv.as_ref().map(|path| std::fs::read(path).with_context(|| cannot(path)));
    let csv = csv.transpose()?;
    let out = args.jetons.as_deref().map(create).transpose()?;

    let mut tokens: Vec<(TeamId, Token)> = Vec::new();
    if let (Some(path), Some(text)) = (&args.csv, csv) {
        let added = course.import(&text, now()).with_context(|| path.display().to_string());
        if added.is_err()
            && let Some(path) = &args.jetons
        {
            let _ = std::fs::remove_file(path);
        }
        tokens = added?;
    }
    for team in renewed {
        tokens.push((team, course.renew_token(Who::Team(team), Who::Teacher, now())?));
    }
    if !tokens.is_empty() {
        let text = classroom::links(&course, &tokens, &base)?;
        if let Some(mut file) = out {
            file.write_all(text.as_bytes()).and_then(|()| file.sync_all())?;
        } else {
            cli::say!("{}", text.trim_end());
        }
    }
    if args.enseignant {
        let token = course.renew_token(Who::Teacher, Who::Teacher, now())?;
        cli::tell!(
            "for the teacher only, shown once: {base}#jeton={token}",
            "pour l'enseignant seulement, affiché une seule fois : {base}#jeton={token}"
        );
    }
    if args.lister {
        for team in course.teams()? {
            cli::say!("{}", cli::printable(&team.about.name));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Creates a file for secrets; an existing one is not overwritten.
fn create(path: &Path) -> anyhow::Result<File> {
    ensure!(!path.exists(), said!("{} is there already", "{} existe déjà", path.display()));
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).with_context(|| path.display().to_string())
}
