//! Tests that every text of a page is in both languages and is used.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Returns the names of the texts in one language, from the table at the beginning of `words.js`.
fn names<'t>(words: &'t str, language: &str) -> BTreeSet<&'t str> {
    let start = format!("\n  {language}: {{\n");
    let (_, rest) = words.split_once(&start).expect("the table has the language");
    let (table, _) = rest.split_once("\n  },\n").expect("the table has an end");
    let entries = table.lines().filter_map(|line| line.strip_prefix("    "));
    let entries = entries.filter(|line| line.starts_with(|c: char| c.is_ascii_alphabetic()));
    entries.filter_map(|line| line.split([':', '(']).next()).collect()
}

/// Returns all files of a page, without the table of texts.
fn users(folder: &Path) -> String {
    let mut all = String::new();
    for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let text = fs::read_to_string(&file).unwrap();
        all += match file.ends_with("words.js") {
            true => text.split_once("\n};").expect("the table has an end").1,
            false => &text,
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
    for page in ["../replay/page", "page"] {
        let folder = Path::new(page);
        let words = fs::read_to_string(folder.join("words.js")).unwrap();
        let [english, french] = ["en", "fr"].map(|language| names(&words, language));
        assert!(english.len() > 50, "{page}: {english:?}");
        assert_eq!(english, french, "{page}");
        let users = users(folder);
        let unused: Vec<_> = english.iter().filter(|name| !is_used(name, &users)).collect();
        assert!(unused.is_empty(), "{page}: no script says {unused:?}");
    }
}
