//! The file with the results, which all commands name alike.

use std::path::{Path, PathBuf};

use language::said;

/// The file with the results, by flag or by position.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct BaseArgs {
    #[arg(value_name = "BASE", conflicts_with = "base",
          help = said!("File with the results, as --results", "Fichier des résultats, comme --base"))]
    file: Option<PathBuf>,

    #[command(flatten)]
    flag: BaseFlag,
}

/// The file with the results by flag only, for commands with other arguments.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct BaseFlag {
    #[arg(long, visible_alias = "results", value_name = "FILE",
          help = said!("File with the results [default: tournoi.sqlite]",
                       "Fichier des résultats [défaut : tournoi.sqlite]"))]
    base: Option<PathBuf>,
}

impl BaseArgs {
    pub(crate) fn path(&self) -> &Path {
        self.file.as_deref().unwrap_or(self.flag.path())
    }
}

impl BaseFlag {
    pub(crate) fn path(&self) -> &Path {
        self.base.as_deref().unwrap_or(Path::new("tournoi.sqlite"))
    }
}
