//! Disguises a program as somebody does who has copied it: other names, comments, literals, order and layout.
//!
//! The result need not run. Its tokens are those of a program that would.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Words that no renaming changes: keywords, and names of the libraries that the programs use.
const KEPT: &str = "False None True abs all and any append apply as break by case char chars choice class clear clone \
    collect cols concat const continue continues copied default def deque dict double elif else enum f64 false filter find \
    first_or floor fn for forEach from fromkeys function get global has heapq heappop heappush i32 if impl import in include \
    includes index indexOf insert int is items iter join key keys lambda len let list loop map match math max min mut new \
    next null of open or pop popleft print private public push push_back pop_front random range remove retain return \
    reversed round self set setdefault slice some sort sorted sort_by static str strchr String struct sum super switch \
    this true try tuple u32 u8 update use usize values var vec Vec void while yield zip Math Set Map Object Infinity \
    Arrays Deque ArrayDeque List ArrayList Integer Option Some \
    add assert bool boolean byte catch except extends final flush i64 is_empty insert keys long not package private \
    raise Result size startswith static String switch throw throws TypeError typeof u64 unsafe unwrap_or with copy";

/// The marks of comments and declarations in a file, by its extension.
struct Style {
    comment: &'static str,
    has_braces: bool,
    /// The indentation of functions.
    margin: usize,
    dead: &'static str,
}

impl Style {
    fn of(extension: &str) -> Self {
        let (comment, has_braces, margin, dead) = match extension {
            "py" => ("#", false, 0, "unused = 3"),
            "js" | "rs" => ("//", true, 0, "let unused = 3;"),
            "java" => ("//", true, 4, "int unused = 3;"),
            _ => ("//", true, 0, "int unused = 3;"),
        };
        Self { comment, has_braces, margin, dead }
    }
}

/// Disguises a program; another seed gives another disguise.
pub(crate) fn disguise(text: &str, extension: &str, seed: u64) -> String {
    let style = Style::of(extension);
    let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(seed));
    let lines: Vec<String> =
        text.lines().filter(|line| !is_comment(line, &style)).map(String::from).collect();
    let lines = move_functions(lines, &style, &mut random);
    let lines = swap_statements(lines, &mut random);
    let lines = insert_dead_statements(lines, &style, &mut random);
    let mut names = BTreeMap::new();
    let mut result = String::new();
    for line in lines {
        let line = change_words(&line, &mut names, &mut random);
        lay_out(&line, &style, &mut random, &mut result);
    }
    result
}

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    /// True once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_comment(line: &str, style: &Style) -> bool {
    let line = line.trim();
    let is_attribute =
        line.starts_with("#[") || line.starts_with("#include") || line.starts_with("#define");
    (line.starts_with(style.comment) && !is_attribute)
        || (line.starts_with("\"\"\"") && line.ends_with("\"\"\"") && line.len() > 3)
        || (line.starts_with("/*") && line.ends_with("*/"))
}

fn is_function(line: &str, style: &Style) -> bool {
    let opens = if style.has_braces { line.ends_with('{') } else { line.ends_with(':') };
    let words = [
        "def ",
        "class ",
        "function ",
        "fn ",
        "impl ",
        "enum ",
        "static ",
        "private ",
        "void ",
        "const orders",
    ];
    indentation(line) == style.margin
        && opens
        && words.iter().any(|word| line.trim().starts_with(word))
}

/// Moves functions into the places of other functions.
fn move_functions(lines: Vec<String>, style: &Style, random: &mut Random) -> Vec<String> {
    let mut chunks: Vec<(bool, Vec<String>)> = Vec::new();
    for line in lines {
        let ends = indentation(&line) <= style.margin
            && !line.trim().is_empty()
            && !line.trim().starts_with(['}', ')']);
        if is_function(&line, style) {
            chunks.push((true, vec![line]));
        } else if ends || chunks.is_empty() {
            chunks.push((false, vec![line]));
        } else if let Some((_, chunk)) = chunks.last_mut() {
            chunk.push(line);
        }
    }
    let functions: Vec<usize> = (0..chunks.len()).filter(|&index| chunks[index].0).collect();
    for last in (1..functions.len()).rev() {
        chunks.swap(functions[last], functions[random.below(last + 1)]);
    }
    chunks.into_iter().flat_map(|(_, chunk)| chunk).collect()
}

fn is_assignment(line: &str) -> bool {
    let line = line.trim();
    let count = |brackets: [char; 3]| line.matches(brackets).count();
    line.contains(" = ")
        && !line.ends_with([':', '{', ','])
        && count(['(', '[', '{']) == count([')', ']', '}'])
}

/// Swaps a third of the neighbouring assignments.
fn swap_statements(mut lines: Vec<String>, random: &mut Random) -> Vec<String> {
    for index in 1..lines.len() {
        let [one, other] = [&lines[index - 1], &lines[index]];
        let may_swap =
            is_assignment(one) && is_assignment(other) && indentation(one) == indentation(other);
        if may_swap && random.once_in(3) {
            lines.swap(index - 1, index);
        }
    }
    lines
}

/// Inserts a statement without effect before one in twelve lines that begin a statement.
fn insert_dead_statements(lines: Vec<String>, style: &Style, random: &mut Random) -> Vec<String> {
    let mut result: Vec<String> = Vec::new();
    let mut depth = 0;
    for line in lines {
        let is_inside = indentation(&line) > style.margin && depth == 0;
        let begins = is_assignment(&line)
            || ["if ", "for ", "while ", "return "]
                .iter()
                .any(|word| line.trim().starts_with(word));
        if is_inside && begins && random.once_in(12) {
            result.push(format!("{}{}", " ".repeat(indentation(&line)), style.dead));
        }
        let brackets: &[char] = if style.has_braces { &['(', '['] } else { &['(', '[', '{'] };
        let closing: &[char] = if style.has_braces { &[')', ']'] } else { &[')', ']', '}'] };
        depth =
            (depth + line.matches(brackets).count()).saturating_sub(line.matches(closing).count());
        result.push(line);
    }
    result
}

/// Renames all names but the kept ones, always in the same way, and changes half of the literals.
fn change_words(line: &str, names: &mut BTreeMap<String, String>, random: &mut Random) -> String {
    let mut result = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let is_quoted = matches!(first, '"' | '\'') && rest[1..].contains(first);
        let length = if is_quoted {
            rest[1..].find(first).map_or(1, |end| end + 2)
        } else if first.is_alphanumeric() || first == '_' {
            rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        let number = names.len();
        if is_quoted && length > 5 && random.once_in(2) {
            write!(result, "{first}other text{first}").unwrap();
        } else if first.is_ascii_digit() && word.parse::<u32>().is_ok() && random.once_in(2) {
            write!(result, "{}", word.parse::<u32>().unwrap() + 1).unwrap();
        } else if (first.is_alphabetic() || first == '_')
            && !rest.starts_with(['"', '\''])
            && !KEPT.split_whitespace().any(|kept| kept == word)
        {
            result.push_str(names.entry(word.into()).or_insert_with(|| format!("nom_{number}")));
        } else {
            result.push_str(word);
        }
    }
    result
}

/// Writes a line with another indentation, blank lines, comments and line breaks.
fn lay_out(line: &str, style: &Style, random: &mut Random, result: &mut String) {
    if line.trim().is_empty() && random.once_in(2) {
        return;
    }
    let indentation = " ".repeat(indentation(line) / 2 * 3);
    if random.once_in(9) {
        write!(result, "\n{indentation}{} commentaire\n", style.comment).unwrap();
    }
    let line = line.trim();
    let written = match line.strip_suffix(" {").filter(|_| style.has_braces) {
        Some(before) => writeln!(result, "{indentation}{before}\n{indentation}{{"),
        None => writeln!(result, "{indentation}{}", line.replace(" + ", "+").replace(", ", ",")),
    };
    written.unwrap();
}
