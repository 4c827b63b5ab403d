//! Words of commands.

use protocol::command::{PLACEHOLDERS, has_placeholder};
use protocol::is_invisible;

use crate::Quoted;
use crate::launch_fault::WordFault;

/// Characters that separate the paths in a word, as tournaments look for them when they copy what a command names.
const SEPARATORS: [char; 4] = ['=', ':', ',', ';'];

/// The words with the name of the team, the address of the server and its port at the end.
pub(crate) fn with_arguments(words: &[&str]) -> Vec<String> {
    words.iter().chain(&PLACEHOLDERS).map(|&word| word.to_owned()).collect()
}

/// The words, with the arguments of [`with_arguments`] unless a word has a placeholder.
pub(crate) fn completed(words: Vec<String>) -> Vec<String> {
    if words.iter().any(|word| has_placeholder(word)) {
        return words;
    }
    with_arguments(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Tests if the words of a command that a student wrote are harmless.
///
/// A tournament copies the files that a command names, with the rights of the organiser; so no word may lead out of the
/// folder.
///
/// # Errors
///
/// If there is no program, or a word has invisible characters or leads out of the folder.
pub(crate) fn check(words: &[String]) -> Result<(), WordFault> {
    if words.first().is_none_or(String::is_empty) {
        return Err(WordFault::Empty);
    }
    for word in words {
        if word.chars().any(is_invisible) {
            return Err(WordFault::Invisible(Quoted::new(word)));
        }
        if !stays_inside(word) {
            return Err(WordFault::Outside(Quoted::new(word)));
        }
    }
    Ok(())
}

/// Tests if no path in a word leads out of the folder.
pub(crate) fn stays_inside(word: &str) -> bool {
    !word.split(SEPARATORS).any(leads_out)
}

fn leads_out(part: &str) -> bool {
    part.starts_with(['/', '\\']) || part.split(['/', '\\']).any(|name| name == "..")
}
