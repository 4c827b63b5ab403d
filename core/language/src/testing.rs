//! Finds words of the other language in the output of a program.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::process::Command;

/// Words that occur in English texts but never in French ones; `FRENCH` is the reverse.
const ENGLISH: &str = "also all and are as at be because before by cannot cells does each else expanded expected file for found from \
                       game games has in is it its language length none nor not of or other player players round rounds \
                       several shows team teams than that the there this to turn turns until vertices visited way when where \
                       which while with without";
const FRENCH: &str = "attendu attendue attendus au aucun aucune avec ce celle ces comme dans de des du elle en équipe \
                      équipes est et graine il joueur joueurs la le les manche manches ne ou par partie parties pas \
                      pour qui quoi sans ses sont sur tour tours un une";
/// Beginnings of the lists of values or aliases in a help text.
const LISTS: [&str; 6] = ["[aliases", "[alias", "[synonyme", "[possible", "[valeurs", "[env"];

/// The words of a text, without names of flags, values, aliases and files.
fn words(text: &str) -> BTreeSet<String> {
    let mut plain = String::new();
    for line in text.lines() {
        let end = LISTS.iter().filter_map(|list| line.find(list)).min().unwrap_or(line.len());
        let is_text = |word: &&str| {
            let is_name = word.starts_with(['-', '<', '[', '`', '\'', '"', '/']);
            !is_name && !word.contains(['=', '_', '/'])
        };
        let mut line: Vec<_> = line[..end].split_whitespace().filter(is_text).collect();
        // A possible value of a flag, before its description.
        if line.first().is_some_and(|first| first.ends_with(':')) {
            line.remove(0);
        }
        plain.push_str(&line.join(" "));
        plain.push('\n');
    }
    let words =
        plain.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Describes the fault of an output in the language of this code (`en` or `fr`): no text, or words of the other
/// language. `None` if there is no fault. The description names the `arguments` of the program.
pub fn mixed(arguments: &[&str], said: &str, language: &str) -> Option<String> {
    let foreign = if language == "fr" { ENGLISH } else { FRENCH };
    let words = words(said);
    let mixed: Vec<_> = foreign.split_whitespace().filter(|word| words.contains(*word)).collect();
    let is_wrong = !mixed.is_empty() || said.trim().is_empty();
    is_wrong.then(|| format!("{arguments:?} in {language} says {mixed:?}:\n{said}"))
}

/// Asks for the help of a program and of all its commands; `run` returns the output of the program for its arguments.
pub fn every_help(run: impl Fn(&[&str]) -> String) {
    let mut asked = vec![Vec::<String>::new()];
    while let Some(command) = asked.pop() {
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        arguments.push("--help");
        let help = run(&arguments);
        let mut lines = help.lines().skip_while(|line| !line.starts_with("Command"));
        lines.next();
        // Commands are indented by two blanks, their descriptions by more.
        for line in lines.take_while(|line| line.starts_with("  ")) {
            let name = line[2..].split_whitespace().next().filter(|_| !line[2..].starts_with(' '));
            if let Some(name) = name.filter(|name| *name != "help") {
                asked.push([command.as_slice(), &[name.to_owned()]].concat());
            }
        }
    }
}

/// Runs a program in a folder, in both languages: for every help, and for these lines of arguments. `more` gets the code of
/// the language and a function that runs the program with other arguments and returns its output.
///
/// # Panics
///
/// If an output has words of the other language.
pub fn assert_languages(
    program: &str,
    folder: &str,
    lines: &[&str],
    more: impl Fn(&str, &dyn Fn(&[&str]) -> String),
) {
    let wrong = RefCell::new(Vec::new());
    for language in ["fr", "en"] {
        let run = |arguments: &[&str]| {
            let mut command = Command::new(program);
            let command = command.current_dir(folder).args(arguments).args(["--langue", language]);
            let output = command.output().expect("the program can be started");
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8(said).expect("programs print UTF-8");
            wrong.borrow_mut().extend(mixed(arguments, &said, language));
            said
        };
        every_help(|arguments| {
            run(&[&arguments[..arguments.len() - 1], &["--nothing"]].concat());
            run(arguments)
        });
        for line in lines {
            run(&line.split(' ').collect::<Vec<_>>());
        }
        more(language, &run);
    }
    let wrong = wrong.into_inner();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_other_language_are_found() {
        let help = "Options :\n  --carte <FICHIER>  Carte\n  of: the course of a file";
        let wrong = mixed(&["--help"], help, "fr").unwrap();
        assert!(wrong.contains(r#"says ["file", "of", "the"]"#), "{wrong}");
        assert_eq!(mixed(&[], "--the=of `with` analyse-game [possible values: for]", "fr"), None);
        assert!(mixed(&[], "une carte", "en").is_some());
        assert!(mixed(&[], " ", "en").is_some());
    }

    #[test]
    fn every_command_is_asked_for_its_help() {
        let asked = std::cell::RefCell::new(Vec::new());
        every_help(|arguments| {
            asked.borrow_mut().push(arguments.join(" "));
            match arguments {
                ["--help"] => {
                    "Commands:\n  a     does a\n          and more\n  help  helps\n\nOptions:\n  -h"
                }
                ["a", "--help"] => "Commandes :\n  b  fait b\n",
                _ => "Usage: b",
            }
            .to_owned()
        });
        assert_eq!(asked.into_inner(), ["--help", "a --help", "a b --help"]);
    }
}
