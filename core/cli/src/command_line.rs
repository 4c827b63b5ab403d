//! Reading a command line, in the chosen language.
//!
//! clap has no translations, so its texts are replaced in its output.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Parser};
use game::pacman::RulesPreset;
use language::{Language, in_french, said, word};

use crate::invocation;

/// Names of values that are not the same in French.
const VALUES: &[(&str, &str)] = &[
    ("ALGORITHM", "ALGORITHME"),
    ("CELLS", "CASES"),
    ("CHECK", "CONTRÔLE"),
    ("COMMAND", "COMMANDE"),
    ("CONFIDENCE", "CONFIANCE"),
    ("COPY", "COPIE"),
    ("COURSE", "COURS"),
    ("DIR", "DOSSIER"),
    ("DURATION", "DURÉE"),
    ("FILE", "FICHIER"),
    ("FILES", "FICHIERS"),
    ("FILE|DIR", "FICHIER|DOSSIER"),
    ("FIRST..LAST", "PREMIER..DERNIER"),
    ("FOLDER", "DOSSIER"),
    ("FROM..TO", "DÉBUT..FIN"),
    ("GAME|TEAM", "PARTIE|ÉQUIPE"),
    ("HOST", "HÔTE"),
    ("HOST[:PORT]", "HÔTE[:PORT]"),
    ("HOST[:PORT]|auto", "HÔTE[:PORT]|auto"),
    ("KEY", "CLÉ"),
    ("LANGUAGE", "LANGUE"),
    ("LEAST..MOST", "MIN..MAX"),
    ("LEVEL", "NIVEAU"),
    ("NAME", "NOM"),
    ("NAMES", "NOMS"),
    ("N|RxC", "N|LxC"),
    ("ORDER", "ORDRE"),
    ("ORIGIN", "ORIGINE"),
    ("OUT", "SORTIE"),
    ("PATH", "CHEMIN"),
    ("PERCENT", "POUR-CENT"),
    ("PICTURES", "IMAGES"),
    ("PLAYER", "JOUEUR"),
    ("PORT|HOST:PORT", "PORT|HÔTE:PORT"),
    ("RULES", "RÈGLES"),
    ("SEATINGS", "PLACEMENTS"),
    ("SHARE", "PART"),
    ("SIZE", "TAILLE"),
    ("TEAM", "ÉQUIPE"),
    ("TEAMS", "ÉQUIPES"),
    ("TEXT", "TEXTE"),
    ("TURNS", "TOURS"),
    ("TURN|EVENT", "TOUR|ÉVÉNEMENT"),
    ("TURN|FIRST..LAST", "TOUR|PREMIER..DERNIER"),
    ("WHERE", "OÙ"),
];

/// Placeholder for words of the user while clap's words around them are translated.
const TYPED: &str = "\u{e000}";
/// Placeholder for the reason why a value is wrong, which is in the chosen language already.
const REASON: &str = "\u{e001}";

/// Texts of clap with their French translations; a text precedes the shorter ones that it contains.
const TEXTS: &[(&str, &str)] = &[
    ("Usage:", "Utilisation :"),
    ("Commands:", "Commandes :"),
    ("Arguments:", "Arguments :"),
    ("Options:", "Options :"),
    ("Possible values:", "Valeurs possibles :"),
    // A line may be wrapped between two words, and before what follows them.
    ("[possible", "[valeurs"),
    ("values:", "possibles :"),
    ("[default:", "[défaut :"),
    ("[aliases:", "[synonymes :"),
    ("[alias:", "[synonyme :"),
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
    (" cannot be used multiple times", " ne peut être donné qu'une fois"),
    (
        " cannot be used with one or more of the other specified arguments",
        " est incompatible avec les autres",
    ),
    ("to pass '", "pour donner '"),
    ("' as a value, use '", "' comme valeur, tapez '"),
    ("' for '", "' pour '"),
    ("the argument '", "l'argument '"),
    ("the subcommand '", "la commande '"),
    ("' found", "'"),
    (" cannot be used with", " est incompatible avec"),
    (" but none was supplied", ""),
    (
        "invalid UTF-8 was detected in one or more arguments",
        "les arguments ne sont pas tous en UTF-8",
    ),
];

/// Reads the arguments of this process, and chooses its language: every program has `--langue`.
///
/// # Errors
///
/// With the exit code, if help, a version or a mistake was printed instead.
pub fn parse<A: Parser>() -> Result<A, ExitCode> {
    parse_with(|command| command, |error| error)
}

/// As [`parse`], after `adapt` has changed the definition of the command line; `advise` may change the mistake to
/// print.
///
/// # Errors
///
/// With the exit code, if help, a version or a mistake was printed instead.
pub fn parse_with<A: Parser>(
    adapt: impl FnOnce(Command) -> Command,
    advise: impl FnOnce(clap::Error) -> clap::Error,
) -> Result<A, ExitCode> {
    let arguments: Vec<OsString> = env::args_os().collect();
    // The texts of the flags are made in the chosen language.
    Language::choose(asked_language(&arguments));
    let mut command = typeset(adapt(A::command()).arg(language_flag()));
    // Usage says what was typed: the programs of the Python package follow the name of the package.
    command = command.bin_name(invocation::command_elsewhere(&invocation::this_program()));
    let matches = command.try_get_matches_from_mut(arguments);
    matches.and_then(|matches| A::from_arg_matches(&matches)).map_err(|error| {
        let error = match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => error,
            _ => advise(error),
        };
        print(error)
    })
}

/// Applies the typography of the language to the texts of a command and its subcommands. The first paragraph of a
/// long description becomes the short one.
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
    command = command.subcommand_value_name(word("COMMAND", "COMMANDE")).mut_args(|mut arg| {
        if let Some(help) = arg.get_help().map(set) {
            arg = arg.help(help);
        }
        let is_named = |name: &str| arg.get_value_names().is_some_and(|names| names == [name]);
        match VALUES.iter().find(|(english, _)| is_named(english)) {
            Some((english, french)) => arg.value_name(word(english, french)),
            None => arg,
        }
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

/// Prints clap's output: help, a version or a mistake. Returns clap's exit code.
fn print(error: clap::Error) -> ExitCode {
    let (code, is_mistake) = (error.exit_code(), error.use_stderr());
    let is_terminal =
        if is_mistake { std::io::stderr().is_terminal() } else { std::io::stdout().is_terminal() };
    let has_colours = is_terminal && !crate::no_color();
    let text = match Language::chosen() {
        Language::English => rendered(&error, has_colours),
        Language::French => translated(error, has_colours),
    };
    // If the reader is gone, the exit code still reports the mistake.
    let _ = if is_mistake {
        std::io::stderr().write_all(text.as_bytes())
    } else {
        std::io::stdout().write_all(text.as_bytes())
    };
    ExitCode::from(u8::try_from(code).unwrap_or(2))
}

fn rendered(error: &clap::Error, has_colours: bool) -> String {
    let text = error.render();
    if has_colours { text.ansi().to_string() } else { text.to_string() }
}

/// Translates the output of clap into French, except the words that the user has typed.
fn translated(mut error: clap::Error, has_colours: bool) -> String {
    let typed = take_typed(&mut error).unwrap_or_default();
    let reason = error.source().map(ToString::to_string).unwrap_or_default();
    let mut text = rendered(&error, has_colours);
    if error.use_stderr() {
        // Only in a mistake: a help text may list `error:` as a flag's value.
        text = text.replacen("error:", "erreur :", 1);
        text = text.replacen(
            &format!(": {reason}"),
            &format!(": {REASON}"),
            usize::from(!reason.is_empty()),
        );
    }
    let text = TEXTS.iter().fold(text, |text, (english, french)| text.replace(english, french));
    let text: String = text.split_inclusive('\n').map(spaced).collect();
    text.replace(TYPED, &typed).replace(REASON, &in_french(&reason))
}

/// A line of clap's list of possible values, `- name: what it is`, with the space before the colon; any other line as it is.
fn spaced(line: &str) -> String {
    match line.split_once(": ") {
        Some((start, rest)) if is_item(start) => format!("{start} : {rest}"),
        _ => line.to_owned(),
    }
}

fn is_item(start: &str) -> bool {
    start.trim_start().strip_prefix("- ").is_some_and(|name| !name.contains(' '))
}

/// Replaces the words of the user in a message by [`TYPED`], and returns them.
fn take_typed(error: &mut clap::Error) -> Option<String> {
    let unknown = (error.kind() == ErrorKind::UnknownArgument).then_some(ContextKind::InvalidArg);
    let kinds = [ContextKind::InvalidValue, ContextKind::InvalidSubcommand];
    let (kind, typed) =
        kinds.into_iter().chain(unknown).find_map(|kind| match error.get(kind) {
            Some(ContextValue::String(typed)) if !typed.is_empty() => Some((kind, typed.clone())),
            _ => None,
        })?;
    error.insert(kind, ContextValue::String(TYPED.to_owned()));
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) {
        let tips = tips.iter().map(|tip| tip.ansi().to_string().replace(&typed, TYPED).into());
        let tips = ContextValue::StyledStrs(tips.collect());
        error.insert(ContextKind::Suggested, tips);
    }
    Some(typed)
}

/// Reads a flag that names the rules.
pub fn rules() -> impl TypedValueParser<Value = RulesPreset> {
    let value = |preset: RulesPreset| {
        PossibleValue::new(preset.name()).help(match preset {
            RulesPreset::Sujet => said!("The subject as written", "Le sujet tel quel"),
            RulesPreset::Orleans2024 => said!(
                "The original server of 2024, which older bots were tuned on",
                "Le serveur d'origine de 2024, pour lequel d'anciens bots sont réglés"
            ),
        })
    };
    let names = PossibleValuesParser::new(RulesPreset::ALL.map(value));
    names.try_map(|name| name.parse::<RulesPreset>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake(arguments: &[&str]) -> String {
        let small =
            Arg::new("tours").long("tours").value_name("TURNS").value_parser(|text: &str| {
                text.parse::<u8>().map_err(|_| format!("« {text} » n'est pas un nombre"))
            });
        let level = Arg::new("journal").long("journal").value_parser(["info", "warn"]);
        let command = Command::new("essai").args([small, level]).subcommand(Command::new("jouer"));
        let arguments = [&["essai"], arguments].concat();
        translated(typeset(command).try_get_matches_from(arguments).unwrap_err(), false)
    }

    #[test]
    fn typed_words_are_not_translated() {
        for typed in ["Usage:", "error: bad", "' for '", "<FILE>", "tip:", "Print help"] {
            for line in [&["--journal", typed][..], &["--tours", typed], &[typed]] {
                let text = mistake(line);
                assert!(
                    text.starts_with("erreur : ") && text.contains(&format!("'{typed}'")),
                    "{text}"
                );
            }
            let text = mistake(&["--tours", typed]);
            assert!(text.contains(&format!("« {typed} » n'est pas un nombre")), "{text}");
        }
        let text = mistake(&["--Usage:"]);
        assert!(text.starts_with("erreur : argument inattendu : '--Usage:'\n"), "{text}");
        let text = mistake(&["--journal", "Usage:"]);
        assert!(
            text.starts_with("erreur : valeur incorrecte : 'Usage:' pour '--journal <journal>'\n"),
            "{text}"
        );
        assert!(mistake(&["--journal"]).contains("une valeur manque pour '--journal <journal>'"));
    }

    #[test]
    fn possible_values_are_listed_with_a_space_before_the_colon() {
        let values = [PossibleValue::new("en").help("Anglais : oui"), PossibleValue::new("fr")];
        let flag = Arg::new("langue").long("langue").value_parser(values);
        let help = Command::new("essai").arg(flag).try_get_matches_from(["essai", "--help"]);
        let text = translated(help.unwrap_err(), false);
        assert!(text.contains("- en : Anglais : oui\n"), "{text}");
    }

    #[test]
    fn lines_are_translated_wherever_they_are_wrapped() {
        for width in 20..120 {
            let pace = Arg::new("tempo").long("tempo").visible_alias("pace").help("Le temps");
            let pace = pace.default_value("lent").value_parser(["lent", "vif"]);
            let command = Command::new("essai").term_width(width).arg(pace);
            let help = command.try_get_matches_from(["essai", "-h"]);
            let text = translated(help.unwrap_err(), false);
            let english = ["default", "alias", "possible ", "values"];
            assert!(!english.iter().any(|word| text.contains(word)), "{width}: {text}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn arguments_are_utf_8() {
        use std::os::unix::ffi::OsStringExt;
        let command = Command::new("essai").arg(Arg::new("nom"));
        let arguments = ["essai".into(), OsString::from_vec(vec![0xff])];
        let text = translated(command.try_get_matches_from(arguments).unwrap_err(), false);
        assert!(text.starts_with("erreur : les arguments ne sont pas tous en UTF-8\n"), "{text}");
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
