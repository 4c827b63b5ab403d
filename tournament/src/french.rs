//! What clap says, in French. It has no translations, so its texts are replaced in what it prints.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use cli::Language;

/// Texts of clap and what they are in French; a longer one comes before one that it contains.
const TEXTS: &[(&str, &str)] = &[
    ("<FILE>", "<FICHIER>"),
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
    ("error:", "erreur :"),
    ("tip:", "conseil :"),
    ("a similar argument exists:", "un argument proche existe :"),
    ("a similar subcommand exists:", "une commande proche existe :"),
    ("a similar value exists:", "une valeur proche existe :"),
    ("For more information, try ", "Pour en savoir plus, essayez "),
    ("unexpected argument ", "argument inattendu : "),
    ("unrecognized subcommand ", "commande inconnue : "),
    ("invalid value ", "valeur incorrecte : "),
    ("a value is required for ", "une valeur manque pour "),
    (
        "the following required arguments were not provided:",
        "des arguments obligatoires manquent :",
    ),
    ("to pass '", "pour donner '"),
    ("' as a value, use '", "' comme valeur, tapez '"),
    ("' for '", "' pour '"),
    ("the argument '", "l'argument '"),
    ("' found", "'"),
    (" cannot be used with", " ne va pas avec"),
    (" but none was supplied", ""),
];

/// Prints what clap has to say in the chosen language: help, a version or a mistake. The exit code is clap's.
pub(crate) fn complain(error: &clap::Error) -> ExitCode {
    let rendered = error.render();
    let is_terminal = match error.use_stderr() {
        true => std::io::stderr().is_terminal(),
        false => std::io::stdout().is_terminal(),
    };
    let text = match is_terminal && !cli::no_color() {
        true => rendered.ansi().to_string(),
        false => rendered.to_string(),
    };
    let text = match Language::chosen() {
        Language::English => text,
        Language::French => translated(&text),
    };
    // The reader may be gone; the exit code still tells.
    let _ = match error.use_stderr() {
        true => std::io::stderr().write_all(text.as_bytes()),
        false => std::io::stdout().write_all(text.as_bytes()),
    };
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn translated(text: &str) -> String {
    TEXTS.iter().fold(text.to_owned(), |text, (english, french)| text.replace(english, french))
}
