//! The flag for sites that show the web page in frames, and whose pages play.

use language::said;
use web::{Embedders, Site};

/// The flag of the sites that may show the web page in frames, and whose pages may play. It needs `--web`.
#[derive(Clone, Debug, clap::Args)]
pub struct EmbeddingArgs {
    #[arg(long, visible_alias = "embeddable-by", value_name = "ORIGIN", requires = "web", help = said!(
        "With --web: let this site show games in frames, and its pages play, as https://moodle.example; once for each site. \
         The Share menu of the page has the code for it. file:// lets pages play that are opened as files, for which any site \
         can pass. When missing, no other site may",
        "Avec --web : laisser ce site montrer des parties dans ses cadres, et ses pages jouer, comme https://moodle.example ; \
         une fois par site. Le menu Partager de la page donne le code à insérer. file:// laisse jouer les pages ouvertes \
         comme fichiers, pour lesquelles tout site peut se faire passer. Sinon aucun autre site ne le peut"
    ))]
    integrable_par: Vec<Site>,
}

impl EmbeddingArgs {
    /// The sites of the flag.
    pub fn embedders(&self) -> Embedders {
        Embedders(self.integrable_par.clone())
    }
}
