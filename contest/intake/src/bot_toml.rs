//! The file `bot.toml`, in which a student says what runs.

use std::collections::BTreeMap;
use std::ops::Range;

use language::{Note, in_french};
use toml::{Spanned, Value};

use crate::command;
use crate::launch_fault::{ConfigFault, LaunchFault};
use crate::{Launch, Quoted};

pub(crate) const FILE: &str = "bot.toml";
const COMMAND: [&str; 2] = ["commande", "command"];
const BUILD: [&str; 2] = ["construire", "build"];

/// Reads the text of a `bot.toml`: `commande`, and `construire` if the program has to be built.
///
/// # Errors
///
/// If the text is no TOML, has unknown keys or no command, or a command is malformed or leads out of the folder. Errors
/// tell line and column.
pub(crate) fn parse(text: &str) -> Result<Launch, LaunchFault> {
    let mut keys: BTreeMap<Spanned<String>, Spanned<Value>> =
        toml::from_str(text).map_err(|error| syntax(FILE, text, &error))?;
    let fault = |span: Range<usize>, fault| {
        let (line, column) = position(text, span.start);
        LaunchFault::Config(line, column, fault)
    };
    let (mut command, mut build) = (None, None);
    while let Some((key, value)) = keys.pop_first() {
        let name = key.get_ref().as_str();
        let place = match name {
            _ if COMMAND.contains(&name) => &mut command,
            _ if BUILD.contains(&name) => &mut build,
            _ => return Err(fault(key.span(), ConfigFault::UnknownKey(Quoted::new(name)))),
        };
        if place.is_some() {
            return Err(fault(key.span(), ConfigFault::Twice(Quoted::new(name))));
        }
        let span = value.span();
        let words = words(name, value.into_inner());
        *place = Some(words.map_err(|why| fault(span, why))?);
    }
    let command = command::completed(command.ok_or(LaunchFault::NoCommand)?);
    Ok(Launch { command, build, because: FILE.to_owned() })
}

/// The words of a command, from a line in shell syntax or a list.
fn words(key: &str, value: Value) -> Result<Vec<String>, ConfigFault> {
    let not_words = || ConfigFault::NotWords(Quoted::new(key));
    let words = match value {
        Value::String(line) => shell_words::split(&line).map_err(|_| ConfigFault::Quotes)?,
        Value::Array(list) => {
            let word = |value| match value {
                Value::String(word) => Ok(word),
                _ => Err(not_words()),
            };
            list.into_iter().map(word).collect::<Result<_, _>>()?
        }
        _ => return Err(not_words()),
    };
    command::check(&words).map_err(ConfigFault::Word)?;
    Ok(words)
}

/// The fault of a file that is no TOML.
pub(crate) fn syntax(file: &'static str, text: &str, error: &toml::de::Error) -> LaunchFault {
    let (line, column) = position(text, error.span().map_or(0, |span| span.start));
    LaunchFault::Syntax { file, line, column, why: printable(error.message()) }
}

/// A message of a parser, without the unprintable characters of the file that it quotes.
pub(crate) fn printable(message: &str) -> Note {
    Note::new(Quoted::new(message).as_str(), Quoted::new(in_french(message)).as_str())
}

/// Line and column of a byte of a text, both from 1.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    (line, column)
}
