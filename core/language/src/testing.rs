//! Runs programs in both languages: compares how they end with what a test expects, and finds words of the other language in
//! their output.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::process::{Command, Output};

/// Words that occur in English texts but never in French ones; `FRENCH` is the reverse.
const ENGLISH: &str = "also all and are as at be because before by cannot cells does each else expanded expected file for found from \
                       game games has in is it its language length none nor not of or other player players round rounds \
                       several shows team teams than that the there this to turn turns until vertices visited way when where \
                       which while with without";
const FRENCH: &str = "attendu attendue attendus au aucun aucune avec ce celle ces comme dans de des du elle en équipe \
                      équipes est et graine il joueur joueurs la le les manche manches ne ou par partie parties pas \
                      pour qui quoi sans ses sont sur tour tours un une";
/// Beginnings of the errors about an argument that a program does not know.
const UNKNOWN: [&str; 2] = ["error: unexpected argument", "erreur : argument inattendu"];
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

/// The expected end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// This exit code; the program knows all of the arguments.
    Code(i32),
    /// The exit code 2, because the program does not know one of the arguments.
    UnknownArgument,
}

/// Describes the fault of a run in the language of this code (`en` or `fr`): another end than the expected one, no text, or words of
/// the other language. `None` if there is no fault. Names in `same`, which are the same in both languages, are no words.
pub fn fault(
    arguments: &[&str],
    output: &Output,
    expected: Expected,
    same: &[&str],
    language: &str,
) -> Option<String> {
    let bytes = [output.stdout.as_slice(), &output.stderr].concat();
    let said = String::from_utf8_lossy(&bytes).into_owned();
    let is_unknown = UNKNOWN.iter().any(|start| said.contains(start));
    let found = match output.status.code() {
        Some(2) if is_unknown => Some(Expected::UnknownArgument),
        code => code.map(Expected::Code),
    };
    if found != Some(expected) {
        return Some(format!("{arguments:?} ends with {found:?}, expected {expected:?}:\n{said}"));
    }
    let words = same.iter().fold(said, |said, name| said.replace(name, ""));
    mixed(arguments, &words, language)
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

/// Runs a program in a folder, in both languages: for every help, and for these lines of arguments, each with the exit code that is
/// expected. `more` gets the code of the language and a function that runs the program with an expected exit code and other arguments.
///
/// # Panics
///
/// If a run ends in another way, if a line has a flag that the program does not know, or if an output has words of the other language.
pub fn assert_languages(
    program: &str,
    folder: &str,
    lines: &[(i32, &str)],
    more: impl Fn(&str, &dyn Fn(i32, &[&str])),
) {
    let wrong = RefCell::new(Vec::new());
    for language in ["fr", "en"] {
        let run = |expected, arguments: &[&str]| {
            let mut command = Command::new(program);
            let command = command.current_dir(folder).args(arguments).args(["--langue", language]);
            let output = command.output().expect("the program can be started");
            wrong.borrow_mut().extend(fault(arguments, &output, expected, &[], language));
            String::from_utf8(output.stdout).expect("programs print UTF-8")
        };
        every_help(|arguments| {
            let nothing = [&arguments[..arguments.len() - 1], &["--nothing"]].concat();
            run(Expected::UnknownArgument, &nothing);
            run(Expected::Code(0), arguments)
        });
        let run = |code, arguments: &[&str]| {
            run(Expected::Code(code), arguments);
        };
        for (code, line) in lines {
            run(*code, &line.split(' ').collect::<Vec<_>>());
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
    fn another_end_than_the_expected_one_is_a_fault() {
        let fault = |line: &str, expected| {
            let output = Command::new("sh").args(["-c", line]).output().unwrap();
            super::fault(&[line], &output, expected, &["plan"], "en")
        };
        assert!(fault("echo a plan avec; exit 1", Expected::Code(1)).unwrap().contains("avec"));
        assert_eq!(fault("echo a plan; exit 1", Expected::Code(1)), None);
        assert!(fault("echo a plan; exit 1", Expected::Code(2)).unwrap().contains("Code(1)"));
        assert!(fault("kill -9 $$", Expected::Code(0)).unwrap().contains("None"));
        let unknown = "echo \"error: unexpected argument '--x' found\" >&2; exit 2";
        assert!(fault(unknown, Expected::Code(2)).unwrap().contains("UnknownArgument"));
        assert_eq!(fault(unknown, Expected::UnknownArgument), None);
        assert!(fault("echo plain; exit 2", Expected::UnknownArgument).is_some());
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
