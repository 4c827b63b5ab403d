//! Tests that every text of a page is in both languages and is used.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;

/// The words in one language, from its table in `words.js`: the name of each, with the names of its parts.
fn words(table: &str, language: &str) -> BTreeMap<String, BTreeSet<String>> {
    let start = format!("\nconst {language} = {{\n");
    let (_, rest) = table.split_once(&start).expect("the table has the language");
    let (table, _) = rest.split_once("\n};\n").expect("the table has an end");
    let texts = Regex::new(r#""(?:[^"\\]|\\.)*""#).unwrap();
    let entry = Regex::new(r"(?m)^  (\w+)[:(]").unwrap();
    let part = Regex::new(r"[{,]\s*(\w+):").unwrap();
    let table = texts.replace_all(table, "\"\"");
    let starts: Vec<_> = entry.captures_iter(&table).collect();
    let ends = starts.iter().skip(1).map(|next| next.get(0).unwrap().start());
    let ends = ends.chain([table.len()]);
    let named = starts.iter().zip(ends).map(|(start, end)| {
        let value = &table[start.get(0).unwrap().end()..end];
        let parts = part.captures_iter(value).map(|part| part[1].to_owned());
        (start[1].to_owned(), parts.collect())
    });
    named.collect()
}

/// Returns all files of a page, without the tables of texts.
fn users(folder: &Path) -> String {
    let mut all = String::new();
    for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let text = fs::read_to_string(&file).unwrap();
        all += if file.ends_with("words.js") {
            text.rsplit_once("\n};\n").expect("the tables have an end").1
        } else {
            &text
        };
    }
    all
}

/// Tests if a script has `say.NAME`, or an attribute in HTML or in a script has the name.
fn is_used(name: &str, users: &str) -> bool {
    let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    let mut said = users.split("say.").skip(1);
    let is_said = said.any(|rest| rest.strip_prefix(name).is_some_and(is_whole));
    is_said
        || ["text", "title", "label"].iter().any(|kind| {
            users.contains(&format!("data-{kind}=\"{name}\""))
                || users.contains(&format!("data-{kind}\": \"{name}\""))
        })
}

#[test]
fn words_of_pages_are_in_both_languages_and_used() {
    let said =
        Regex::new(r#"\bsay\.(\w+)(?:\.(\w+))?|data-(?:text|title|label)(?:"\s*:|=)\s*"(\w+)""#)
            .unwrap();
    for page in ["course", "replay", "report"] {
        let folder = Path::new("../../web/page").join(page);
        let table = fs::read_to_string(folder.join("words.js")).unwrap();
        let [english, french] = ["en", "fr"].map(|language| words(&table, language));
        assert!(english.len() > 50, "{page}: {english:?}");
        assert_eq!(english, french, "{page}");
        let users = users(&folder);
        let unused: Vec<_> = english.keys().filter(|name| !is_used(name, &users)).collect();
        assert!(unused.is_empty(), "{page}: no script says {unused:?}");
        for said in said.captures_iter(&users) {
            let name = said.get(1).or(said.get(3)).unwrap().as_str();
            let parts = english.get(name);
            assert!(parts.is_some(), "{page}: there is no word for {name}");
            let part = said.get(2).map_or("", |part| part.as_str());
            let is_known = parts.unwrap().contains(part) || parts.unwrap().is_empty();
            assert!(part.is_empty() || is_known, "{page}: there is no word for {name}.{part}");
        }
    }
}

#[test]
fn all_modules_are_in_the_script_of_a_page() {
    let scripts = [replay::page::script(), report::page::script()];
    for (folder, scripts) in
        [("replay", &scripts[..1]), ("report", &scripts[1..]), ("shared", &scripts)]
    {
        let files = fs::read_dir(Path::new("../../web/page").join(folder)).unwrap();
        let files = files.map(|entry| entry.unwrap().path());
        let modules: Vec<_> =
            files.filter(|path| path.extension() == Some("js".as_ref())).collect();
        assert!(modules.len() > 1, "{folder}: {modules:?}");
        for module in modules {
            let name = module.file_name().unwrap().display();
            let head = format!("// {folder}/{name}\n");
            assert!(scripts.iter().any(|script| script.contains(&head)), "{head}");
        }
    }
}
