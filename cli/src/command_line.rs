//! Reading a command line, in the chosen language.
//!
//! clap has no translations, so its texts are replaced in what it prints.

use std::env;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr};
use clap::error::ErrorKind;
use clap::{Arg, Command, Parser};
use language::{Language, in_french, said};

/// Texts of clap and what they are in French; a longer one comes before one that it contains.
const TEXTS: &[(&str, &str)] = &[
    ("<FILE|DIR>", "<FICHIER|DOSSIER>"),
    ("<FILE>", "<FICHIER>"),
    ("[FILE]", "[FICHIER]"),
    ("<FILES>", "<FICHIERS>"),
    ("<OUT>", "<SORTIE>"),
    ("<ALGORITHM>", "<ALGORITHME>"),
    ("<CELLS>", "<CASES>"),
    ("<CHECK>", "<CONTRÔLE>"),
    ("<HOST>", "<HÔTE>"),
    ("<NAMES>", "<NOMS>"),
    ("<SHARE>", "<PART>"),
    ("[NAME]", "[NOM]"),
    ("<PLAYER>", "<JOUEUR>"),
    ("HOST[:PORT]", "HÔTE[:PORT]"),
    ("PORT|HOST:PORT", "PORT|HÔTE:PORT"),
    ("<PERCENT>", "<POUR-CENT>"),
    ("<LEAST..MOST>", "<MIN..MAX>"),
    ("<WHERE>", "<OÙ>"),
    ("<TURNS>", "<TOURS>"),
    ("<PICTURES>", "<IMAGES>"),
    ("<TEAM>", "<ÉQUIPE>"),
    ("<TEAMS>", "<ÉQUIPES>"),
    ("GAME|TEAM", "PARTIE|ÉQUIPE"),
    ("<NAME>", "<NOM>"),
    ("<DURATION>", "<DURÉE>"),
    ("<RULES>", "<RÈGLES>"),
    ("<LANGUAGE>", "<LANGUE>"),
    ("<LEVEL>", "<NIVEAU>"),
    ("<DIR>", "<DOSSIER>"),
    ("<CONFIDENCE>", "<CONFIANCE>"),
    ("<SIZE>", "<TAILLE>"),
    ("<SEATINGS>", "<PLACEMENTS>"),
    ("<COMMAND>", "<COMMANDE>"),
    ("[COMMAND]", "[COMMANDE]"),
    ("<TEXT>", "<TEXTE>"),
    ("Usage:", "Utilisation :"),
    ("Commands:", "Commandes :"),
    ("Arguments:", "Arguments :"),
    ("Options:", "Options :"),
    ("Possible values:", "Valeurs possibles :"),
    ("[possible values: ", "[valeurs possibles : "),
    ("[default: ", "[défaut : "),
    ("[aliases: ", "[synonymes : "),
    ("[alias: ", "[synonyme : "),
    (
        "Print this message or the help of the given subcommand(s)",
        "Montrer cette aide, ou celle d'une commande",
    ),
    ("Print help (see a summary with '-h')", "Montrer l'aide (résumée avec -h)"),
    ("Print help (see more with '--help')", "Montrer l'aide (plus avec --help)"),
    ("Print help", "Montrer l'aide"),
    ("Print version", "Montrer la version"),
    ("tip:", "conseil :"),
    ("a similar argument exists:", "un argument proche existe :"),
    ("a similar subcommand exists:", "une commande proche existe :"),
    ("a similar value exists:", "une valeur proche existe :"),
    ("For more information, try ", "Pour en savoir plus, essayez "),
    ("some similar arguments exist:", "des arguments proches existent :"),
    ("some similar subcommands exist:", "des commandes proches existent :"),
    ("some similar values exist:", "des valeurs proches existent :"),
    ("unexpected argument ", "argument inattendu : "),
    ("unrecognized subcommand ", "commande inconnue : "),
    ("invalid value ", "valeur incorrecte : "),
    ("a value is required for ", "une valeur manque pour "),
    (
        "the following required arguments were not provided:",
        "des arguments obligatoires manquent :",
    ),
    ("' requires a subcommand but one was not provided", "' : une commande manque"),
    ("[subcommands: ", "[commandes : "),
    ("unexpected value '", "valeur en trop : '"),
    ("; no more were expected", ""),
    (
        "equal sign is needed when assigning values to '",
        "un signe égal manque entre la valeur et '",
    ),
    (" cannot be used multiple times", " ne va qu'une fois"),
    (
        " cannot be used with one or more of the other specified arguments",
        " ne va pas avec les autres",
    ),
    ("to pass '", "pour donner '"),
    ("' as a value, use '", "' comme valeur, tapez '"),
    ("' for '", "' pour '"),
    ("the argument '", "l'argument '"),
    ("the subcommand '", "la commande '"),
    ("' found", "'"),
    (" cannot be used with", " ne va pas avec"),
    (" but none was supplied", ""),
];

/// Reads the arguments of this process, and chooses its language: every program has `--langue`.
///
/// # Errors
///
/// With the exit code, when help, a version or a mistake was printed instead.
pub fn parse<A: Parser>() -> Result<A, ExitCode> {
    parse_with(|error| error)
}

/// As [`parse`], of a program whose command line is adapted first.
///
/// # Errors
///
/// With the exit code, when help, a version or a mistake was printed instead.
pub fn parse_as<A: Parser>(adapt: impl FnOnce(Command) -> Command) -> Result<A, ExitCode> {
    read(adapt, |error| error)
}

/// As [`parse`]; a mistake is told as `advise` makes it.
///
/// # Errors
///
/// With the exit code, when help, a version or a mistake was printed instead.
pub fn parse_with<A: Parser>(
    advise: impl FnOnce(clap::Error) -> clap::Error,
) -> Result<A, ExitCode> {
    read(|command| command, advise)
}

fn read<A: Parser>(
    adapt: impl FnOnce(Command) -> Command,
    advise: impl FnOnce(clap::Error) -> clap::Error,
) -> Result<A, ExitCode> {
    let arguments: Vec<OsString> = env::args_os().collect();
    // The texts of the flags are made in the chosen language.
    Language::choose(asked_language(&arguments));
    let mut command = typeset(adapt(A::command()).arg(language_flag()));
    let matches = command.try_get_matches_from_mut(arguments);
    matches.and_then(|matches| A::from_arg_matches(&matches)).map_err(|error| {
        let error = match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => error,
            _ => advise(error),
        };
        print(&error)
    })
}

/// Sets the texts of a command and its subcommands as the language does. Of a long description, the first paragraph
/// is the short one.
fn typeset(mut command: Command) -> Command {
    let set = |text: &StyledStr| Language::chosen().typeset(&text.to_string());
    if let Some(about) = command.get_about().map(set) {
        command = command.about(about);
    }
    if let Some(long) = command.get_long_about().map(set) {
        let first = long.split("\n\n").next().unwrap_or_default().to_owned();
        command = command.about(first).long_about(long);
    }
    if let Some(after) = command.get_after_help().map(set) {
        command = command.after_help(after);
    }
    command = command.mut_args(|arg| match arg.get_help().map(set) {
        Some(help) => arg.help(help),
        None => arg,
    });
    command.mut_subcommands(typeset)
}

fn language_flag() -> Arg {
    let languages = PossibleValuesParser::new([
        PossibleValue::new("en").help(said!("English", "Anglais")),
        PossibleValue::new("fr").help(said!("French", "Français")),
    ]);
    Arg::new("langue")
        .long("langue")
        .visible_alias("language")
        .value_name("LANGUAGE")
        .value_parser(languages)
        .global(true)
        .overrides_with("langue")
        .help(said!(
            "Language of all that is shown; that of the environment when missing",
            "Langue de tout ce qui s'affiche ; sinon celle de l'environnement"
        ))
}

/// The language that the last `--langue` asks for.
fn asked_language(arguments: &[OsString]) -> Option<Language> {
    let texts: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let value = |(place, text): (usize, &str)| {
        let rest = text.strip_prefix("--langue").or(text.strip_prefix("--language"))?;
        let value = match rest.strip_prefix('=') {
            Some(value) => value,
            None if rest.is_empty() => texts.get(place + 1)?,
            None => return None,
        };
        Language::from_code(value)
    };
    texts.iter().map(AsRef::as_ref).enumerate().filter_map(value).next_back()
}

/// Prints what clap has to say: help, a version or a mistake. The exit code is clap's.
fn print(error: &clap::Error) -> ExitCode {
    let rendered = error.render();
    let is_terminal = match error.use_stderr() {
        true => std::io::stderr().is_terminal(),
        false => std::io::stdout().is_terminal(),
    };
    let text = match is_terminal && !crate::no_color() {
        true => rendered.ansi().to_string(),
        false => rendered.to_string(),
    };
    let text = match Language::chosen() {
        Language::English => text,
        Language::French => translated(&text, error.use_stderr()),
    };
    // The reader may be gone; the exit code still tells.
    let _ = match error.use_stderr() {
        true => std::io::stderr().write_all(text.as_bytes()),
        false => std::io::stdout().write_all(text.as_bytes()),
    };
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// What clap prints, in French. A mistake begins with its word for it, which a help text may have as a flag's value.
fn translated(text: &str, is_mistake: bool) -> String {
    let text = text.replacen("error:", "erreur :", usize::from(is_mistake));
    let text = TEXTS.iter().fold(text, |text, (english, french)| text.replace(english, french));
    in_french(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_flags_are_not_translated() {
        let mistake = "error: a value is required for '--journal'\n  - error: bad";
        assert_eq!(
            translated(mistake, true),
            "erreur : une valeur manque pour '--journal'\n  - error: bad"
        );
        assert_eq!(translated("Options:\n  - error: bad", false), "Options :\n  - error: bad");
    }

    #[test]
    fn the_last_language_that_is_asked_for_counts() {
        let asked = |line: &str| {
            let words: Vec<_> = line.split(' ').map(OsString::from).collect();
            asked_language(&words)
        };
        assert_eq!(asked("server --port 0"), None);
        assert_eq!(asked("server --langue fr"), Some(Language::French));
        assert_eq!(asked("server --language=en --langue fr pyrat"), Some(Language::French));
        assert_eq!(asked("server --langue"), None);
        assert_eq!(asked("server --langue de"), None);
    }
}
