//! Folders without a program to be run.

use language::{Note, note};

use crate::Quoted;

/// The reason why no command could be found for a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchFault {
    /// No file tells what runs; these files and folders were found, and this number of others.
    Nothing(Vec<Quoted>, usize),
    /// This file has more bytes than the limit.
    TooLarge(&'static str, u64),
    /// This file is no text in UTF-8.
    NotText(&'static str),
    /// This file is malformed.
    Syntax {
        /// The name of the file.
        file: &'static str,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The message of the parser.
        why: Note,
    },
    /// A value or a key of `bot.toml` at this line and column, both from 1, is wrong.
    Config(usize, usize, ConfigFault),
    /// `bot.toml` gives no command.
    NoCommand,
    /// `Cargo.toml` names no package.
    NoPackage,
    /// `Cargo.toml` has several programs, and does not say which one runs.
    SeveralPrograms,
    /// `Cargo.toml` gives a program this name, which Cargo does not allow.
    ProgramName(Quoted),
    /// `package.json` names this file as `main`, which is not there.
    NoMain(Quoted),
    /// The `#!` line of this script ends with a carriage return, so that Linux finds no interpreter.
    CarriageReturn(Quoted),
}

/// A fault in `bot.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigFault {
    /// A key is unknown.
    UnknownKey(Quoted),
    /// This key is given in English and in French.
    Twice(Quoted),
    /// The value of this key is neither a line nor a list of words.
    NotWords(Quoted),
    /// A quotation mark of a command is not closed.
    Quotes,
    /// A word of a command is wrong.
    Word(WordFault),
}

/// A fault in a word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordFault {
    /// There is no program.
    Empty,
    /// The word has an invisible character.
    Invisible(Quoted),
    /// The word leads out of the folder of the program.
    Outside(Quoted),
}

impl LaunchFault {
    /// The fault in words.
    pub fn words(&self) -> Note {
        match self {
            Self::Nothing(found, others) => nothing(found, *others),
            Self::TooLarge(file, limit) => note!(
                "`{file}` is too large; expected at most {limit} bytes",
                "`{file}` est trop grand ; {limit} octets au plus sont attendus",
            ),
            Self::NotText(file) => note!(
                "`{file}` is no text; expected UTF-8",
                "`{file}` n'est pas un texte ; de l'UTF-8 est attendu",
            ),
            Self::Syntax { file, line, column, why } => place(file, *line, *column).because(why),
            Self::Config(line, column, fault) => {
                place("bot.toml", *line, *column).because(&fault.words())
            }
            Self::NoCommand => note!(
                "`bot.toml` has no command; expected `commande = \"python3 main.py\"`",
                "`bot.toml` n'a pas de commande ; `commande = \"python3 main.py\"` est attendu",
            ),
            Self::NoPackage => note!(
                "`Cargo.toml` names no package; expected `[package]` with a `name`, or a `bot.toml` with a `commande`",
                "`Cargo.toml` ne nomme aucun paquet ; `[package]` avec un `name`, ou un `bot.toml` avec une `commande`, \
                 est attendu",
            ),
            Self::SeveralPrograms => note!(
                "`Cargo.toml` has several programs; expected `default-run`, or a `bot.toml` with a `commande`",
                "`Cargo.toml` a plusieurs programmes ; `default-run`, ou un `bot.toml` avec une `commande`, est attendu",
            ),
            Self::ProgramName(name) => note!(
                "`Cargo.toml` has a program called `{name}`; expected letters, digits, `-` and `_`",
                "`Cargo.toml` a un programme appelé `{name}` ; des lettres, des chiffres, `-` et `_` sont attendus",
            ),
            Self::NoMain(name) => note!(
                "`package.json` names `{name}` as `main`; expected a file of the folder",
                "`package.json` donne `{name}` comme `main` ; un fichier du dossier est attendu",
            ),
            Self::CarriageReturn(name) => note!(
                "the first line of `{name}` ends as on Windows, so that Linux finds no interpreter; save it with LF ends of \
                 lines",
                "la première ligne de `{name}` finit comme sous Windows, et Linux ne trouve pas l'interpréteur ; \
                 enregistrez-le avec des fins de ligne LF",
            ),
        }
    }
}

impl ConfigFault {
    /// The fault in words, without its place.
    pub fn words(&self) -> Note {
        match self {
            Self::UnknownKey(key) => note!(
                "`{key}` is unknown; expected `commande` (or `command`) and `construire` (or `build`)",
                "`{key}` est inconnu ; `commande` (ou `command`) et `construire` (ou `build`) sont attendus",
            ),
            Self::Twice(key) => note!(
                "`{key}` is given twice, in English and in French; expected one of them",
                "`{key}` est donné deux fois, en anglais et en français ; un seul est attendu",
            ),
            Self::NotWords(key) => note!(
                "`{key}` is neither a line nor a list of words; expected for instance `\"python3 main.py\"`",
                "`{key}` n'est ni une ligne ni une liste de mots ; par exemple `\"python3 main.py\"` est attendu",
            ),
            Self::Quotes => note!(
                "a quotation mark of the command is not closed; expected a second one",
                "un guillemet de la commande n'est pas fermé ; un second est attendu",
            ),
            Self::Word(fault) => fault.words(),
        }
    }
}

impl WordFault {
    /// The fault in words.
    pub fn words(&self) -> Note {
        match self {
            Self::Empty => note!(
                "the command is empty; expected for instance `\"python3 main.py\"`",
                "la commande est vide ; par exemple `\"python3 main.py\"` est attendu",
            ),
            Self::Invisible(word) => note!(
                "`{word}` has an invisible character; expected visible characters only",
                "`{word}` contient un caractère invisible ; seuls des caractères visibles sont attendus",
            ),
            Self::Outside(word) => note!(
                "`{word}` leads out of the folder; expected the name of a program, such as `python3`, and paths in the \
                 folder",
                "`{word}` sort du dossier ; le nom d'un programme, comme `python3`, et des chemins dans le dossier sont \
                 attendus",
            ),
        }
    }
}

fn place(file: &str, line: usize, column: usize) -> Note {
    note!("`{file}`, line {line}, column {column}", "`{file}`, ligne {line}, colonne {column}")
}

fn nothing(found: &[Quoted], others: usize) -> Note {
    let mut found: Vec<_> = found.iter().map(|name| format!("`{name}`")).collect();
    if others > 0 {
        found.push(format!("… (+ {others})"));
    }
    let found = found.join(", ");
    note!(
        "nothing tells what runs; looked for bot.toml, main.py, bot.py, package.json, index.js, bot.js, main.js, Cargo.toml, \
         Main.java, Makefile, a program `bot`, or one .py, .js, .jar or program; found {found}",
        "aucun fichier n'indique ce qui joue ; cherché : bot.toml, main.py, bot.py, package.json, index.js, bot.js, \
         main.js, Cargo.toml, Main.java, Makefile, un programme `bot`, ou un seul .py, .js, .jar ou programme ; trouvé \
         : {found}",
    )
}
