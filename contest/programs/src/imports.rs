//! The modules beside a Python script that it imports. They belong to its program, though no command names them.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Maximum number of bytes that are searched, of all scripts together.
const BYTES: u64 = 16 << 20;

/// The modules and packages that a script imports from its folder, directly or through other modules. `open` opens a
/// script; one that it does not open imports nothing.
pub(crate) fn of(script: &Path, open: impl Fn(&Path) -> Option<File>) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut unread = vec![script.to_owned()];
    let mut left = BYTES;
    while let Some(path) = unread.pop() {
        if path.extension().is_none_or(|extension| extension != "py") {
            continue;
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let script = open(&path).map(|script| imported(script, &mut left));
        for name in script.unwrap_or_default() {
            let module = Some(folder.join(format!("{name}.py"))).filter(|path| path.is_file());
            let package = Some(folder.join(&name)).filter(|path| path.is_dir());
            for path in module.into_iter().chain(package) {
                if found.insert(path.clone()) {
                    unread.push(path);
                }
            }
        }
    }
    found
}

/// The names after `import` and `from` in a script, up to their first dot.
fn imported(script: File, left: &mut u64) -> Vec<String> {
    let mut bytes = Vec::new();
    // An unreadable file is reported elsewhere.
    let _ = script.take(*left).read_to_end(&mut bytes);
    *left -= bytes.len() as u64;
    let text = String::from_utf8_lossy(&bytes);
    let mut names = Vec::new();
    for line in text.lines().map(str::trim_start) {
        let list = match line.split_once([' ', '\t']) {
            Some(("import", list)) => list,
            Some(("from", module)) => module.split_whitespace().next().unwrap_or(""),
            _ => continue,
        };
        let list = list.split('#').next().unwrap_or("");
        for module in list.split(',') {
            let module = module.trim_start_matches([' ', '\t', '.']);
            let name: String =
                module.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if !name.is_empty() {
                names.push(name);
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn modules_beside_a_script_are_found_and_those_of_python_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let bot = "import os, helper # secret\n  from mind.plan import best\nimportant = secret\n";
        fs::write(path("bot.py"), bot).unwrap();
        fs::write(path("helper.py"), "import bot\nfrom .deep import x\n").unwrap();
        for name in ["deep.py", "secret.py"] {
            fs::write(path(name), "").unwrap();
        }
        fs::create_dir(path("mind")).unwrap();
        let expected = ["bot.py", "deep.py", "helper.py", "mind"].map(path);
        let of = |name: &str| of(&path(name), |script| File::open(script).ok());
        assert_eq!(of("bot.py"), expected.into());
        assert_eq!(of("none.py"), BTreeSet::new());
    }

    #[test]
    fn large_scripts_are_not_searched_without_end() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..6 {
            let path = folder.path().join(format!("m{number}.py"));
            fs::write(&path, format!("import m{}\n", number + 1)).unwrap();
            File::options().write(true).open(path).unwrap().set_len(5 << 20).unwrap();
        }
        let found = of(&folder.path().join("m0.py"), |script| File::open(script).ok());
        assert_eq!(found.len(), 4, "{found:?}");
    }
}
