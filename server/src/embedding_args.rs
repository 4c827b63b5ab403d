//! The flag for sites that show the web page in frames.

use language::said;
use web::{Embedders, Site};

/// The flag of the sites that may show the web page in frames. It needs `--web`.
#[derive(Clone, Debug, clap::Args)]
pub struct EmbeddingArgs {
    #[arg(long, visible_alias = "embeddable-by", value_name = "ORIGIN", requires = "web", help = said!(
        "With --web: let this site show games in frames, as https://moodle.example; once for each site. The Share menu \
         of the page has the code for it. When missing, no other site may",
        "Avec --web : laisser ce site montrer des parties dans ses cadres, comme https://moodle.example ; une fois par \
         site. Le menu Partager de la page donne le code à insérer. Sinon aucun autre site ne le peut"
    ))]
    integrable_par: Vec<Site>,
}

impl EmbeddingArgs {
    /// The sites of the flag.
    pub fn embedders(&self) -> Embedders {
        Embedders(self.integrable_par.clone())
    }
}
