//! The modules of a page, joined into one script.
//!
//! A page is one file that loads nothing, so it cannot import. Each module therefore becomes a function with a scope of
//! its own, which runs once, after the modules that it imports, and returns what it exports.
//!
//! Only this part of the language is understood, each statement at the beginning of a line:
//! `import { a, b } from "./other.js";`, and `export` before `const`, `class`, `function` or `async function`.
//! The path is relative to the folder of the module. Lines that are comments only, from `//` to their end or from `/*` to the line
//! that ends with `*/`, are left out, as are empty lines; no text over several lines may have such a line.

use std::collections::BTreeMap;
use std::fmt::Write;

/// A module: its path in the folder `web/page`, and its text.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// The path, such as `shared/element.js`.
    pub path: &'static str,
    /// The text.
    pub text: &'static str,
}

/// Returns the [`Module`]s with these paths in the folder `web/page`, for crates two folders below the root.
#[macro_export]
macro_rules! modules {
    ($($path:literal),* $(,)?) => {
        [$($crate::page::Module {
            path: $path,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/page/", $path)),
        }),*]
    };
}

/// The reasons why modules cannot be joined. Each has the path of the module, or of those on the way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JoinError {
    /// There is no module with this path.
    Missing(String),
    /// The modules import each other: each the next one, and the last one the first one.
    Cycle(Vec<String>),
    /// A line that begins with `import` or `export` is not understood.
    NotUnderstood(String, String),
    /// The module imports a name from another module, which does not export it.
    NotExported(String, String, String),
}

/// Joins a module with all that it imports into one script.
///
/// # Errors
///
/// When a module is missing, imports what is not exported, or is written in another way than these modules may be.
pub fn join(modules: &[Module], start: &str) -> Result<String, JoinError> {
    let texts = modules.iter().map(|module| (module.path, module.text)).collect();
    let mut joiner = Joiner { texts, done: Vec::new(), way: Vec::new(), script: String::new() };
    joiner.add(start)?;
    Ok(joiner.script)
}

struct Joiner {
    texts: BTreeMap<&'static str, &'static str>,
    /// The modules in the script, with the names that they export.
    done: Vec<(String, Vec<String>)>,
    /// The modules that wait for those that they import.
    way: Vec<String>,
    script: String,
}

impl Joiner {
    /// Adds a module, after those that it imports; returns its number.
    fn add(&mut self, path: &str) -> Result<usize, JoinError> {
        if let Some(number) = self.done.iter().position(|(done, _)| done == path) {
            return Ok(number);
        }
        if let Some(first) = self.way.iter().position(|waiting| waiting == path) {
            return Err(JoinError::Cycle(self.way[first..].to_vec()));
        }
        let text = *self.texts.get(path).ok_or_else(|| JoinError::Missing(path.to_owned()))?;
        self.way.push(path.to_owned());
        let (mut body, mut exports) = (String::new(), Vec::new());
        let mut is_comment = false;
        for line in text.lines() {
            let not_understood = || JoinError::NotUnderstood(path.to_owned(), line.to_owned());
            let words = line.trim();
            is_comment |= words.starts_with("/*");
            if is_comment || words.is_empty() || words.starts_with("//") {
                is_comment &= !words.ends_with("*/");
                continue;
            }
            if line.starts_with("import") {
                let Import { names, from } = Import::read(line).ok_or_else(not_understood)?;
                let number = self.add(&beside(path, from))?;
                let exported = &self.done[number].1;
                if let Some(name) = names.iter().find(|name| !exported.iter().any(|e| e == *name)) {
                    let from = self.done[number].0.clone();
                    return Err(JoinError::NotExported(path.to_owned(), (*name).to_owned(), from));
                }
                write!(body, "const {{ {} }} = module{number};", names.join(", ")).expect(FINE);
            } else if let Some(declaration) = line.strip_prefix("export") {
                let declaration = declaration.strip_prefix(' ').ok_or_else(not_understood)?;
                exports.push(declared(declaration).ok_or_else(not_understood)?.to_owned());
                body += declaration;
            } else {
                body += line;
            }
            body.push('\n');
        }
        self.way.pop();
        let number = self.done.len();
        writeln!(
            self.script,
            "// {path}\nconst module{number} = (() => {{\n{body}return {{ {} }};\n}})();",
            exports.join(", ")
        )
        .expect(FINE);
        self.done.push((path.to_owned(), exports));
        Ok(number)
    }
}

const FINE: &str = "writing into memory does not fail";

/// An import of names from another module.
struct Import<'a> {
    names: Vec<&'a str>,
    from: &'a str,
}

impl<'a> Import<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (names, from) = line.strip_prefix("import { ")?.split_once(" } from \"")?;
        let from = from.strip_suffix("\";")?;
        let names: Vec<_> = names.split(", ").collect();
        (names.iter().all(|name| is_name(name))).then_some(Self { names, from })
    }
}

/// Returns the name that a line declares.
fn declared(line: &str) -> Option<&str> {
    let kinds = ["const ", "class ", "function ", "async function "];
    let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    let end = rest.find(|letter: char| !is_letter(letter))?;
    is_name(&rest[..end]).then_some(&rest[..end])
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_letter)
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

/// Returns the path of a module that another one names by its relative path.
fn beside(path: &str, relative: &str) -> String {
    let mut parts: Vec<_> = path.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALVES: Module = Module {
        path: "shared/halves.js",
        text: "// Halves.\n\nconst TWO = 2;\n\n/**\n * Half of it.\n */\nexport function half(whole) {\n  // Exactly.\n  \
               return whole / TWO;\n}\n",
    };

    fn joined(text: &'static str) -> Result<String, JoinError> {
        join(&[HALVES, Module { path: "page/start.js", text }], "page/start.js")
    }

    #[test]
    fn modules_are_joined_in_the_order_of_their_imports() {
        let start =
            "import { half } from \"../shared/halves.js\";\n\nexport const TWO = half(4);\n";
        let expected = "\
// shared/halves.js
const module0 = (() => {
const TWO = 2;
function half(whole) {
  return whole / TWO;
}
return { half };
})();
// page/start.js
const module1 = (() => {
const { half } = module0;
const TWO = half(4);
return { TWO };
})();
";
        assert_eq!(joined(start).as_deref(), Ok(expected));
    }

    #[test]
    fn a_module_that_two_import_runs_once() {
        let one = "import { half } from \"../shared/halves.js\";\nexport const ONE = half(2);\n";
        let start =
            "import { half } from \"../shared/halves.js\";\nimport { ONE } from \"./one.js\";\n";
        let modules = [
            HALVES,
            Module { path: "page/one.js", text: one },
            Module { path: "page/two.js", text: one },
            Module { path: "page/start.js", text: start },
        ];
        let script = join(&modules, "page/start.js").unwrap();
        assert_eq!(script.matches("function half").count(), 1);
        assert!(!script.contains("page/two.js"), "nobody imports it");
    }

    #[test]
    fn an_import_names_an_export() {
        let path = |path: &str| path.to_owned();
        let other = JoinError::NotExported(path("page/start.js"), path("TWO"), path(HALVES.path));
        assert_eq!(joined("import { TWO } from \"../shared/halves.js\";\n"), Err(other));
        let missing = JoinError::Missing(path("page/halves.js"));
        assert_eq!(joined("import { half } from \"./halves.js\";\n"), Err(missing));
    }

    #[test]
    fn modules_do_not_import_each_other_in_a_circle() {
        let modules = [
            Module { path: "page/there.js", text: "import { a } from \"./back.js\";\n" },
            Module { path: "page/back.js", text: "import { a } from \"./there.js\";\n" },
        ];
        let cycle = modules.map(|module| module.path.to_owned()).to_vec();
        assert_eq!(join(&modules, modules[0].path), Err(JoinError::Cycle(cycle)));
    }

    #[test]
    fn other_statements_are_refused() {
        for line in [
            "import \"../shared/halves.js\";",
            "import { half as middle } from \"../shared/halves.js\";",
            "import * as halves from \"../shared/halves.js\";",
            "import {",
            "export { half };",
            "export default half;",
            "export let half = 1;",
            "export const { half } = halves;",
            "export * from \"../shared/halves.js\";",
        ] {
            let text = Box::leak(format!("{line}\n").into_boxed_str());
            let expected = JoinError::NotUnderstood("page/start.js".to_owned(), line.to_owned());
            assert_eq!(joined(text), Err(expected));
        }
    }
}
