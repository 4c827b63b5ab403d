//! Rules that find the program of a folder.

use std::path::Path;

use serde::Deserialize;

use crate::command::with_arguments;
use crate::folder::{Folder, is_plain};
use crate::launch_fault::LaunchFault;
use crate::{Limits, Quoted, Refusal, bot_toml, names};

/// Maximum number of files that a refusal lists.
const LISTED: usize = 10;
const CARGO: &str = "Cargo.toml";
const PACKAGE: &str = "package.json";
/// Arguments of a client that is made from `exemples/mon_ia`.
const CLIENT: [&str; 6] = ["--equipe", "{nom}", "--serveur", "{serveur}", "--port", "{port}"];

/// The commands that build and start the program of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments, as `plan::CommandLine` takes them: `{nom}`,
    /// `{serveur}` and `{port}` are replaced when a game starts. Paths are relative to the folder.
    pub command: Vec<String>,
    /// The words of the command that builds the program first, in the folder.
    pub build: Option<Vec<String>>,
    /// The name of the file that told it.
    pub because: String,
}

impl Launch {
    fn run(words: &[&str], because: &str) -> Self {
        Self { command: with_arguments(words), build: None, because: because.to_owned() }
    }

    fn built_by(self, words: &[&str]) -> Self {
        Self { build: Some(words.iter().map(|&word| word.to_owned()).collect()), ..self }
    }
}

type Rule = fn(&Folder) -> Result<Option<Launch>, Refusal>;

/// The first rules: what a student wrote on purpose, and usual names.
const NAMED: [Rule; 6] = [by_bot_toml, by_python, by_node, by_cargo, by_java, by_makefile];
/// The rules that follow: files that are the only ones of their kind.
const ALONE: [Rule; 3] = [by_only_script, by_only_jar, by_program];

/// Finds out what runs in a folder; nothing is run. Only files in the folder itself count, and the first of these rules:
///
/// | file | build | command |
/// | --- | --- | --- |
/// | `bot.toml` | its `construire` (`build`) | its `commande` (`command`) |
/// | `main.py`, else `bot.py` | | `python3 main.py` |
/// | `package.json` with `main`, else `index.js`, `bot.js` or `main.js` | | `node index.js` |
/// | `Cargo.toml` | `cargo build --release --offline` | `./target/release/NAME` |
/// | `Main.java` | `javac -encoding UTF-8 Main.java` | `java -cp . Main` |
/// | `Makefile` or `makefile` | `make` | `./bot` |
/// | the only `.py`, else the only `.js` | | `python3 ada.py`, `node ada.js` |
/// | the only `.jar` | | `java -jar ada.jar` |
/// | the program `bot`, else the only program (ELF or a `#!` line) | | `./bot` |
///
/// `{nom} {serveur} {port}` follow, as in `exemples/bot.py`, except in a command of `bot.toml` that already has one of
/// them, and after a program of Cargo, which gets the flags of a client. In `bot.toml`, a command is a line in shell syntax
/// or a list of words; no shell runs it.
///
/// # Errors
///
/// If no rule fits, or the file that decides is malformed; if the folder cannot be read.
pub fn manifest(folder: &Path) -> Result<Launch, Refusal> {
    let folder = Folder::read(folder).map_err(Refusal::Disk)?;
    for rule in NAMED.into_iter().chain(ALONE) {
        if let Some(launch) = rule(&folder)? {
            return Ok(launch);
        }
    }
    let found = folder.files.iter().chain(&folder.folders);
    let others = found.clone().count().saturating_sub(LISTED);
    Err(LaunchFault::Nothing(found.take(LISTED).map(Quoted::new).collect(), others).into())
}

/// Tests if `bot.toml` or a file of a usual name tells what runs in a folder, even if that file is malformed.
pub fn is_program(folder: &Path) -> bool {
    let told = Folder::read(folder)
        .map(|folder| NAMED.into_iter().any(|rule| !matches!(rule(&folder), Ok(None))));
    told.unwrap_or(false)
}

fn by_bot_toml(folder: &Folder) -> Result<Option<Launch>, Refusal> {
    let Some(text) = folder.text(bot_toml::FILE)? else { return Ok(None) };
    Ok(Some(bot_toml::parse(&text)?))
}

/// The first of these files that is there, started by this interpreter.
fn first_of(folder: &Folder, interpreter: &str, names: &[&str]) -> Option<Launch> {
    let name = names.iter().find(|name| folder.has(name))?;
    Some(Launch::run(&[interpreter, name], name))
}

#[allow(clippy::unnecessary_wraps, reason = "a rule")]
fn by_python(folder: &Folder) -> Result<Option<Launch>, Refusal> {
    Ok(first_of(folder, "python3", &["main.py", "bot.py"]))
}

/// The fields of `package.json` that are read.
#[derive(Deserialize)]
struct NodePackage {
    main: Option<serde_json::Value>,
}

fn by_node(folder: &Folder) -> Result<Option<Launch>, Refusal> {
    if let Some(text) = folder.text(PACKAGE)? {
        let package: NodePackage =
            serde_json::from_str(&text).map_err(|error| LaunchFault::Syntax {
                file: PACKAGE,
                line: error.line(),
                column: error.column(),
                why: bot_toml::printable(&error.to_string()),
            })?;
        if let Some(main) = package.main {
            let no_main = || LaunchFault::NoMain(Quoted::new(main.to_string()));
            let named = main.as_str().ok_or_else(no_main)?;
            let found = [named.to_owned(), format!("{named}.js")];
            let path = found.iter().find_map(|path| below(folder, path)).ok_or_else(no_main)?;
            return Ok(Some(Launch::run(&["node", &path], PACKAGE)));
        }
    }
    Ok(first_of(folder, "node", &["index.js", "bot.js", "main.js"]))
}

/// The path of a file below the folder, if it is there.
fn below(folder: &Folder, path: &str) -> Option<String> {
    let name = names::split(path.as_bytes()).ok()?;
    names::check(&name, &Limits::default()).ok()?;
    let path = name.parts.join("/");
    (is_plain(&path) && folder.has_below(&name.parts)).then_some(path)
}

/// The fields of `Cargo.toml` that are read.
#[derive(Deserialize)]
struct Cargo {
    package: Option<CargoPackage>,
    #[serde(default)]
    bin: Vec<CargoProgram>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct CargoPackage {
    name: Option<String>,
    default_run: Option<String>,
}

#[derive(Deserialize)]
struct CargoProgram {
    name: Option<String>,
}

fn by_cargo(folder: &Folder) -> Result<Option<Launch>, Refusal> {
    let Some(text) = folder.text(CARGO)? else { return Ok(None) };
    let Cargo { package, mut bin } =
        toml::from_str(&text).map_err(|error| bot_toml::syntax(CARGO, &text, &error))?;
    let package = package.ok_or(LaunchFault::NoPackage)?;
    let name = match (package.default_run, bin.len()) {
        (Some(name), _) => Some(name),
        (None, 0) => package.name,
        (None, 1) => bin.pop().and_then(|program| program.name),
        (None, _) => return Err(LaunchFault::SeveralPrograms.into()),
    };
    let name = name.ok_or(LaunchFault::NoPackage)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err(LaunchFault::ProgramName(Quoted::new(name)).into());
    }
    let program = format!("./target/release/{name}");
    let words = std::iter::once(program.as_str()).chain(CLIENT);
    let launch = Launch {
        command: words.map(str::to_owned).collect(),
        build: None,
        because: CARGO.to_owned(),
    };
    Ok(Some(launch.built_by(&["cargo", "build", "--release", "--offline"])))
}

#[allow(clippy::unnecessary_wraps, reason = "a rule")]
fn by_java(folder: &Folder) -> Result<Option<Launch>, Refusal> {
    let main = "Main.java";
    let launch = || Launch::run(&["java", "-cp", ".", "Main"], main);
    let build = ["javac", "-encoding", "UTF-8", main];
    Ok(folder.has(main).then(|| launch().built_by(&build)))
}

#[allow(clippy::unnecessary_wraps, reason = "a rule")]
fn by_makefile(folder: &Folder) -> Result<Option<Launch>, Refusal> {
    let name = ["Makefile", "makefile"].into_iter().find(|name| folder.has(name));
    Ok(name.map(|name| Launch::run(&["./bot"], name).built_by(&["make"])))
}

#[allow(clippy::unnecessary_wraps, reason = "a rule")]
fn by_only_script(folder: &Folder) -> Result<Option<Launch>, Refusal> {
    let only = |interpreter, extension| {
        let name = folder.only(extension)?;
        Some(Launch::run(&[interpreter, name], name))
    };
    Ok(only("python3", "py").or_else(|| only("node", "js")))
}

#[allow(clippy::unnecessary_wraps, reason = "a rule")]
fn by_only_jar(folder: &Folder) -> Result<Option<Launch>, Refusal> {
    let name = folder.only("jar");
    Ok(name.map(|name| Launch::run(&["java", "-jar", name], name)))
}

fn by_program(folder: &Folder) -> Result<Option<Launch>, Refusal> {
    let mut found = None;
    for name in &folder.files {
        let start = folder.program_start(name).map_err(Refusal::Disk)?;
        if start.is_empty() {
            continue;
        }
        if name == "bot" {
            found = Some((name, start));
            break;
        }
        if found.replace((name, start)).is_some() && !folder.has("bot") {
            return Ok(None);
        }
    }
    let Some((name, start)) = found.filter(|(name, _)| is_plain(name)) else { return Ok(None) };
    let first_line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if start.starts_with(b"#!") && first_line.ends_with(b"\r") {
        return Err(LaunchFault::CarriageReturn(Quoted::new(name)).into());
    }
    Ok(Some(Launch::run(&[&format!("./{name}")], name)))
}
