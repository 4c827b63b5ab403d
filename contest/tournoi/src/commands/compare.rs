//! `tournoi comparer`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use language::{Language, said};
use programs::package::PackageError;
use report::alike::{self, place, title};
use serde_json::{Value, json};
use similarity::{Class, MAX_BYTES, Pair, Place, Program, Source};

use crate::handed_in;

use super::check_list::wrapped;
use super::verify::folder_of_copies;

/// Number of regions that are shown of a pair.
const REGIONS: usize = 3;
/// Maximum number of bytes of the source files of a program.
const ALL_BYTES: u64 = 64 << 20;

#[derive(Debug, clap::Args)]
#[command(after_help = said!(
    "Programs are compared by their tokens, so that other names, comments, layout or order of functions hide nothing. Python, Java, \
     JavaScript, Rust and C are read. A pair is suspicious when an unusual part of the smaller program is found in the other one; that proves \
     nothing: look at the lines, and ask. What more than 30 % of a class has in common does not count.\n\n\
     Exit codes: 0 when the programs are compared, 2 when the command or a file is wrong.",
    "Les programmes sont comparés par leurs lexèmes : d'autres noms, commentaires, mises en page ou ordres de \
     fonctions ne cachent rien. Python, Java, JavaScript, Rust et C sont lus. Une paire est suspecte si une part \
     inhabituelle du plus petit programme se retrouve dans l'autre ; cela ne prouve rien : regardez les lignes, et \
     interrogez les équipes. Ce que plus de 30 % d'une classe a en commun ne compte pas.\n\n\
     Codes de sortie : 0 quand les programmes sont comparés, 2 si la commande ou un fichier est incorrect."
))]
pub(crate) struct CompareArgs {
    #[arg(value_name = "PATH", required = true, help = said!(
        "What teams have handed in, a folder, an archive or a file each, or one folder with all of it",
        "Ce que les équipes ont rendu, un dossier, une archive ou un fichier chacune, ou un dossier qui contient tout"
    ))]
    rendus: Vec<PathBuf>,

    #[arg(long, visible_alias = "given", value_name = "FILE", num_args = 1.., help = said!(
        "What the course has handed out, which does not count",
        "Ce que le cours a distribué, qui ne compte pas"
    ))]
    fourni: Vec<PathBuf>,

    #[arg(long, visible_alias = "all", help = said!(
        "Show all pairs that have regions in common, not only suspicious ones",
        "Montrer toutes les paires qui ont des passages communs, pas seulement les suspectes"
    ))]
    toutes: bool,

    #[arg(long, value_name = "FILE", help = said!(
        "Write a web page that shows the lines side by side",
        "Écrire une page web qui montre les lignes côte à côte"
    ))]
    page: Option<PathBuf>,

    #[arg(long, help = said!("Print the pairs as JSON", "Écrire les paires en JSON"))]
    json: bool,
}

pub(crate) fn run(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    let copies = folder_of_copies()?;
    // One program is compared with nothing, and its folder is that of a class.
    let class = if let [folder] = &args.rendus[..] { handed_in::entries(folder) } else { None };
    let folders = handed_in::folders(class.as_deref().unwrap_or(&args.rendus), copies.path())?;
    let mut programs = Vec::new();
    for (name, folder) in folders {
        let sources = match folder {
            Ok(folder) => sources(&folder),
            Err(why) => Err(anyhow::anyhow!(why)),
        };
        match sources {
            Ok(sources) if sources.is_empty() => {
                cli::warn!(
                    "{name}: no source text is there",
                    "{name} : aucun fichier source trouvé"
                );
            }
            Ok(sources) => programs.push(Program { name, sources }),
            Err(why) => cli::warn!("{name}: {why:#}", "{name} : {why:#}"),
        }
    }
    ensure!(
        programs.len() > 1,
        said!("expected two programs at least", "deux programmes au moins sont attendus")
    );
    let given = args.fourni.iter().map(|path| {
        let text = fs::read(path).with_context(|| path.display().to_string())?;
        Ok(Source::new(path.display().to_string(), text))
    });
    let given = given.collect::<anyhow::Result<Vec<_>>>()?;
    let class = Class::new(&given, &programs);
    for (program, extent) in
        programs.iter().zip(class.extents()).filter(|(_, extent)| extent.is_cut)
    {
        let (name, own) = (&program.name, extent.own);
        cli::warn!(
            "{name} is long: only its first {own} tokens are compared",
            "{name} est long : seuls ses {own} premiers lexèmes sont comparés"
        );
    }
    for (program, extent) in programs.iter().zip(class.extents()) {
        let (name, own, left_out) = (&program.name, extent.own, extent.left_out);
        if left_out > own {
            cli::warn!(
                "{name}: {left_out} of its tokens are handed out or common to many programs, and do not count; {own} do",
                "{name} : {left_out} de ses lexèmes sont distribués ou communs à beaucoup de programmes, et ne comptent pas ; {own} comptent"
            );
        }
    }
    let mut pairs = class.pairs();
    pairs.retain(|pair| args.toutes || pair.is_suspicious());
    if let Some(path) = &args.page {
        let cannot = || said!("cannot write {}", "{} ne peut pas être écrit", path.display());
        fs::write(path, alike::html(&pairs, &programs, Language::chosen())).with_context(cannot)?;
    }
    if args.json {
        let pairs: Vec<_> = pairs.iter().map(|pair| as_json(pair, &programs)).collect();
        cli::say!("{:#}", json!({ "pairs": pairs }));
    } else {
        show(&pairs, &programs);
    }
    Ok(ExitCode::SUCCESS)
}

/// The source texts of a folder and its folders, by their paths in it.
fn sources(folder: &Path) -> anyhow::Result<Vec<Source>> {
    let is_source = |name: &Path| similarity::Language::of(&name.to_string_lossy()).is_some();
    let cannot =
        |error: PackageError| anyhow::anyhow!(error.words().say(Language::chosen()).to_owned());
    let texts = programs::texts(folder, is_source, MAX_BYTES as u64 + 1, ALL_BYTES);
    let source = |(name, text): (PathBuf, Vec<u8>)| Source::new(name.display().to_string(), text);
    Ok(texts.map_err(cannot)?.into_iter().map(source).collect())
}

fn show(pairs: &[Pair], programs: &[Program]) {
    for pair in pairs {
        cli::say!("{}", title(pair, programs, Language::chosen()));
        let [first, second] = [pair.first, pair.second].map(|index| &programs[index]);
        for region in pair.regions.iter().take(REGIONS) {
            cli::say!("    {} = {}", place(&region.first, first), place(&region.second, second));
        }
        match pair.regions.len().saturating_sub(REGIONS) {
            0 => (),
            more => cli::say!("    {}", said!("and {more} more", "et {more} de plus")),
        }
    }
    let (compared, found) =
        (programs.len(), pairs.iter().filter(|pair| pair.is_suspicious()).count());
    let count = said!(
        "Programs compared: {compared}; suspicious pairs: {found}.",
        "Programmes comparés : {compared} ; paires suspectes : {found}."
    );
    let line = if found > 0 {
        format!("{count} {}", alike::CAUTION.say(Language::chosen()))
    } else {
        count
    };
    cli::say!("{}", wrapped(&Language::chosen().typeset(&line), "", ""));
}

fn as_json(pair: &Pair, programs: &[Program]) -> Value {
    let [first, second] = [pair.first, pair.second].map(|index| &programs[index]);
    let place = |place: &Place, program: &Program| {
        json!({
            "file": program.sources[place.source].name,
            "lines": [place.lines.start(), place.lines.end()],
        })
    };
    let regions = pair.regions.iter().map(|region| {
        json!({
            "tokens": region.tokens,
            "places": [place(&region.first, first), place(&region.second, second)],
        })
    });
    json!({
        "teams": [first.name, second.name],
        "of_smaller": pair.of_smaller,
        "of_both": pair.of_both,
        "suspicious": pair.is_suspicious(),
        "regions": regions.collect::<Vec<_>>(),
    })
}
