//! Texts that are alike for the scanner, and texts that are not.

use super::*;

fn codes(language: Language, text: &str) -> Vec<u32> {
    scan(language, text.as_bytes(), 100).iter().map(|token| token.code).collect()
}

fn check(language: Language, alike: &[[&str; 2]], unlike: &[[&str; 2]]) {
    for [one, other] in alike {
        assert_eq!(codes(language, one), codes(language, other), "{language:?}: {one} and {other}");
    }
    for [one, other] in unlike {
        assert_ne!(codes(language, one), codes(language, other), "{language:?}: {one} and {other}");
    }
}

#[test]
fn python() {
    check(
        Language::Python,
        &[
            ["def f(a, b):\n    return a + b", "# sum\n\ndef total(x,y):\n  return x+y # both\n"],
            ["def f():\n  '''What it\n  does.'''\n  \"more\"\n  return 1", "def f(): return 2"],
            ["\"\"\"A module.\"\"\"\nx = 'a'", "y = \"\"\"b\n'c' \\\"\"\" \"\"\""],
            ["x = f'{a[\"b\"]}'", "y = rb\"it's\""],
            ["x = [\n  'a',\n]", "x = ['b']"],
            ["x = 'a' \\\n  'b'", "x = 'ab'"],
            ["x = 0xFF_FF", "x = 1.5e-3j"],
            ["x = 'never closed\ny = 1", "x = ''\ny = 1"],
            ["été = 1", "x = 1"],
            ["for item in items: keys = item", "for x in y: z = x"],
            ["x = [1, 2, 3]", "x = [4, 5]"],
        ],
        &[
            ["x = 1", "x = 'a'"],
            ["x = y", "x == y"],
            ["for x in y: pass", "while x in y: pass"],
            ["f(x); 'a'\n", "f(x)"],
            ["x = f(\n'a'\n)", "x = f()"],
            ["x.append(y)", "x.remove(y)"],
            ["max(x)", "min(x)"],
        ],
    );
}

#[test]
fn java() {
    check(
        Language::Java,
        &[
            [
                "int f(int a) { return a; } // end",
                "/** Doc\n * comment */ int g(int b)\n{ return b; }",
            ],
            ["char c = '\\'';", "char d = '\"';"],
            ["String s = \"\"\"\n a \"b\" \n\"\"\";", "String s = \"//\";"],
            ["long x = 1_000L;", "long x = 0x1F;"],
        ],
        &[["int x;", "long x;"], ["x /* y */ z", "x /* y */"], ["a / b", "a"]],
    );
}

#[test]
fn javascript() {
    check(
        Language::JavaScript,
        &[
            ["const f = (a) => a / 2; // half", "const g=(b)=>b/3"],
            ["x = /[/'\"]+/gi.test(y)", "x = 'a'.test(y)"],
            ["return /'/;", "return ''"],
            ["x = a / b / c", "x = d / e / f"],
            ["`a${b + `c${{d: 1}.d}`}e`; x()", "`${b + `${{d: 2}.d}f`}`; y()"],
            ["`it's`", "'its'"],
            ["#!/usr/bin/env node\nx", "x"],
        ],
        &[["`${a}`", "`a`"], ["a = b / c", "a = /c/"], ["let x", "var x"]],
    );
}

#[test]
fn rust() {
    check(
        Language::Rust,
        &[
            ["fn f<'a>(x: &'a str) -> &'a str { x }", "fn g<>(y: & str) -> & str { y }"],
            ["let c = 'a';", "let c = '\\u{1F600}';"],
            ["let c = 'é';", "let c = '\\'';"],
            ["let s = r##\"a \"# b\"##;", "let s = \"a \\\" // b\";"],
            ["let s = br#\"a\"#;", "let s = b\"c\";"],
            ["/* a /* b */ c */ let x = 1..2;", "let y = 3..4;"],
        ],
        &[["0..=9", "0..9"], ["let x = 1;", "let mut x = 1;"]],
    );
}

#[test]
fn c() {
    check(
        Language::C,
        &[
            ["#include <a.h>\n#define X \\\n  1\nint x;", "int y;"],
            ["auto s = R\"ab()\" )ab\";", "auto s = L\"\\\"\";"],
            ["int x = 1'000'000;", "int x = 5;"],
            ["char c = '\\0', d = 'd';", "char e = 'e', f = '\\'';"],
        ],
        &[["x->y", "x.y"], ["x++;", "++x;"]],
    );
}

#[test]
fn tokens_know_their_lines() {
    let lines = |text: &str| -> Vec<u32> {
        scan(Language::Python, text.as_bytes(), 100).iter().map(|token| token.line).collect()
    };
    assert_eq!(lines("a\n\n'''b\nc'''\nd = \\\n e"), [1, 5, 5, 6]);
    assert_eq!(lines("x = '''b\nc''' + d"), [1, 1, 1, 2, 2]);
}
