//! `tournoi rapport --partie`: the recording of one game as a file.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use language::said;
use tournament::store::Store;

use super::void::in_words;
use crate::output_file;

/// Writes the recording of the game whose key begins with these digits to a new file.
pub(crate) fn save(base: &Path, digits: &str, to: &Path) -> anyhow::Result<ExitCode> {
    let store = Store::look(base)?;
    let found = store.find(digits)?;
    let &[(game, result)] = &found[..] else {
        let (tournoi, base) = (cli::command("tournoi"), base.display());
        let list = said!(
            "`{tournoi} report {base} --games FILE` lists the keys",
            "`{tournoi} rapport {base} --parties FICHIER` donne les clés"
        );
        bail!(match found.len() {
            0 => said!(
                "--game: no game has a key that begins with {digits:?}; {list}",
                "--partie : aucune partie n'a de clé qui commence par {digits:?} ; {list}"
            ),
            many => said!(
                "--game: {many} games have keys that begin with {digits:?}: give more digits; {list}",
                "--partie : {many} parties ont une clé qui commence par {digits:?} : donnez plus de chiffres ; {list}"
            ),
        })
    };
    let recording = store.recording(result)?.unwrap_or_default();
    let nothing =
        || said!("no recording of {game} was kept", "aucun enregistrement de {game} n'a été gardé");
    ensure!(!recording.is_empty(), nothing());
    output_file::create(to, &recording)?;
    let outcome = store.outcome(result)?.with_context(nothing)?;
    let (words, to) = (in_words(&game, &outcome), to.display());
    cli::tell!("{words}\nwritten: {to}", "{words}\nécrit : {to}");
    Ok(ExitCode::SUCCESS)
}
