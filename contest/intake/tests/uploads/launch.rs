//! The rules that find the program of a folder.

use std::fs;

use intake::{ConfigFault, Launch, LaunchFault, Quoted, Refusal, WordFault, manifest};
use language::Language;
use protocol::is_invisible;

/// The commands found for a folder with these files.
fn found(files: &[(&str, &str)]) -> Result<Launch, Refusal> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    manifest(folder.path())
}

/// Files with their texts, then the command without its arguments, the arguments, the build command and the file that tells.
type Case = (&'static [(&'static str, &'static str)], [&'static str; 4]);

const SCRIPT: &str = "#!/bin/sh\n";
const CARGO: &str = "[package]\nname = 'ada-bot'\nedition = '2024'\n";
const CARGO_BIN: &str = "[package]\nname = 'x'\n[[bin]]\nname = 'ada'\npath = 'ada.rs'\n";
const CARGO_TWO: &str =
    "[package]\nname = 'x'\ndefault-run = 'b'\n[[bin]]\nname = 'a'\n[[bin]]\nname = 'b'\n";
const SHELL: &str = "commande = 'python3 -O \"my bot.py\"'";
const LIST: &str = "command = ['./ada', '--port={port}']\nbuild = 'make ada'";
const WINDOWS: &str = "\u{feff}commande = 'java Ada'\r\nconstruire = ['javac', 'Ada.java']\r\n";
const MAIN: &str = "{\"main\": \"./src/ada.js\"}";
const SHORT_MAIN: &str = "{\"main\": \"ada\"}";
const ARGS: &str = "{nom} {serveur} {port}";
const FLAGS: &str = "--equipe {nom} --serveur {serveur} --port {port}";
const RELEASE: &str = "cargo build --release --offline";
const JAVAC: &str = "javac -encoding UTF-8 Main.java";

const CASES: &[Case] = &[
    (&[("bot.toml", SHELL), ("main.py", "")], ["python3 -O 'my bot.py'", ARGS, "", "bot.toml"]),
    (&[("bot.toml", LIST)], ["./ada '--port={port}'", "", "make ada", "bot.toml"]),
    (&[("bot.toml", WINDOWS)], ["java Ada", ARGS, "javac Ada.java", "bot.toml"]),
    (
        &[("main.py", ""), ("bot.py", ""), (CARGO_FILE, CARGO)],
        ["python3 main.py", ARGS, "", "main.py"],
    ),
    (&[("bot.py", ""), ("other.py", ""), ("Makefile", "")], ["python3 bot.py", ARGS, "", "bot.py"]),
    (
        &[("package.json", MAIN), ("src/ada.js", ""), ("index.js", "")],
        ["node src/ada.js", ARGS, "", "package.json"],
    ),
    (&[("package.json", SHORT_MAIN), ("ada.js", "")], ["node ada.js", ARGS, "", "package.json"]),
    (
        &[("package.json", "{}"), ("index.js", ""), ("bot.js", "")],
        ["node index.js", ARGS, "", "index.js"],
    ),
    (&[("main.js", ""), ("bot.js", "")], ["node bot.js", ARGS, "", "bot.js"]),
    (
        &[(CARGO_FILE, CARGO), ("Makefile", "")],
        ["./target/release/ada-bot", FLAGS, RELEASE, CARGO_FILE],
    ),
    (&[(CARGO_FILE, CARGO_BIN)], ["./target/release/ada", FLAGS, RELEASE, CARGO_FILE]),
    (&[(CARGO_FILE, CARGO_TWO)], ["./target/release/b", FLAGS, RELEASE, CARGO_FILE]),
    (&[("Main.java", ""), ("lib.jar", "")], ["java -cp . Main", ARGS, JAVAC, "Main.java"]),
    (&[("Makefile", ""), ("bot.c", ""), ("plot.py", "")], ["./bot", ARGS, "make", "Makefile"]),
    (&[("ada.py", ""), ("ada.js", ""), ("notes.txt", "")], ["python3 ada.py", ARGS, "", "ada.py"]),
    (&[("Ada.PY", "")], ["python3 Ada.PY", ARGS, "", "Ada.PY"]),
    (&[("ada.js", ""), ("run", SCRIPT)], ["node ada.js", ARGS, "", "ada.js"]),
    (&[("ada.jar", ""), ("README.md", "")], ["java -jar ada.jar", ARGS, "", "ada.jar"]),
    (&[("ada", "\u{7f}ELF"), ("data", "x")], ["./ada", ARGS, "", "ada"]),
    (&[("bot", SCRIPT), ("train.sh", SCRIPT), ("a.sh", SCRIPT)], ["./bot", ARGS, "", "bot"]),
    (&[("z.sh", SCRIPT)], ["./z.sh", ARGS, "", "z.sh"]),
];
const CARGO_FILE: &str = "Cargo.toml";

#[test]
fn files_tell_what_runs_in_their_order_of_precedence() {
    for (files, [command, arguments, build, because]) in CASES {
        let launch = found(files).unwrap();
        let command = shell_words::split(&format!("{command} {arguments}")).unwrap();
        let build = Some(*build).filter(|build| !build.is_empty());
        let build = build.map(|build| shell_words::split(build).unwrap());
        let because = (*because).to_owned();
        assert_eq!(launch, Launch { command, build, because });
    }
}

#[test]
fn what_does_not_tell_what_runs_is_refused_with_its_place() {
    let config = |line, column, fault| LaunchFault::Config(line, column, fault);
    let quoted = |text: &str| Quoted::new(text);
    let outside = |word: &str| ConfigFault::Word(WordFault::Outside(quoted(word)));
    let unknown = |key: &str| ConfigFault::UnknownKey(quoted(key));
    for (text, expected) in [
        ("", LaunchFault::NoCommand),
        ("construire = 'make'", LaunchFault::NoCommand),
        ("commande = 'x'\nversion = 2", config(2, 1, unknown("version"))),
        ("commande = 'x'\n[env]\nA = 1", config(2, 2, unknown("env"))),
        ("\"\\u202Ex\" = 1", config(1, 1, unknown("\u{202e}x"))),
        ("commande = 'x'\ncommand = 'y'", config(1, 1, ConfigFault::Twice(quoted("commande")))),
        (
            "é = 1",
            LaunchFault::Syntax {
                file: "bot.toml",
                line: 1,
                column: 1,
                why: language::Note::new("", ""),
            },
        ),
        ("commande = 3", config(1, 12, ConfigFault::NotWords(quoted("commande")))),
        ("command = ['a', 3]", config(1, 11, ConfigFault::NotWords(quoted("command")))),
        ("commande = 'python3 \"main.py'", config(1, 12, ConfigFault::Quotes)),
        ("commande = ' '", config(1, 12, ConfigFault::Word(WordFault::Empty))),
        ("commande = []", config(1, 12, ConfigFault::Word(WordFault::Empty))),
        ("commande = ['', 'x']", config(1, 12, ConfigFault::Word(WordFault::Empty))),
        ("commande = 'python3 ../rival/bot.py'", config(1, 12, outside("../rival/bot.py"))),
        ("commande = 'cat /etc/passwd'", config(1, 12, outside("/etc/passwd"))),
        ("commande = '/usr/bin/python3 main.py'", config(1, 12, outside("/usr/bin/python3"))),
        ("commande = 'x --data=/home/prof'", config(1, 12, outside("--data=/home/prof"))),
        ("commande = 'x a:..'", config(1, 12, outside("a:.."))),
        ("commande = ['x', 'a\\..\\..\\b']", config(1, 12, outside("a\\..\\..\\b"))),
        ("commande = 'x'\nconstruire = 'cp /etc/shadow .'", config(2, 14, outside("/etc/shadow"))),
        (
            "commande = \"x a\\u0000b\"",
            config(1, 12, ConfigFault::Word(WordFault::Invisible(quoted("a\0b")))),
        ),
    ] {
        let refusal = found(&[("bot.toml", text), ("main.py", "")]).unwrap_err();
        check(&refusal, &expected, text);
    }
}

#[test]
fn a_malformed_file_that_decides_is_refused() {
    let quoted = |text: &str| Quoted::new(text);
    let syntax = |file, line, column| LaunchFault::Syntax {
        file,
        line,
        column,
        why: language::Note::new("", ""),
    };
    for (name, text, expected) in [
        ("bot.toml", "commande = 'x'\nb = ", syntax("bot.toml", 2, 5)),
        ("bot.toml", "commande = 'x\n", syntax("bot.toml", 1, 14)),
        ("bot.toml", &"#".repeat(70_000), LaunchFault::TooLarge("bot.toml", 65_536)),
        ("package.json", "{\"main\": }", syntax("package.json", 1, 10)),
        ("package.json", "{\"main\": \"../x.js\"}", LaunchFault::NoMain(quoted("\"../x.js\""))),
        ("package.json", "{\"main\": \"absent.js\"}", LaunchFault::NoMain(quoted("\"absent.js\""))),
        ("package.json", "{\"main\": 3}", LaunchFault::NoMain(quoted("3"))),
        ("Cargo.toml", "[package", syntax("Cargo.toml", 1, 9)),
        ("Cargo.toml", "[workspace]", LaunchFault::NoPackage),
        ("Cargo.toml", "[package]\nversion = '1'", LaunchFault::NoPackage),
        (
            "Cargo.toml",
            "[package]\nname = '../../bin/sh'",
            LaunchFault::ProgramName(quoted("../../bin/sh")),
        ),
        (
            "Cargo.toml",
            "[package]\nname = 'x'\n[[bin]]\nname = 'a'\n[[bin]]\nname = 'b'",
            LaunchFault::SeveralPrograms,
        ),
        ("run", "#!/bin/sh\r\necho\r\n", LaunchFault::CarriageReturn(quoted("run"))),
    ] {
        check(&found(&[(name, text)]).unwrap_err(), &expected, text);
    }
}

#[test]
fn a_refusal_lists_what_was_found() {
    let nothing = |found: &[&str], others| {
        LaunchFault::Nothing(found.iter().map(Quoted::new).collect(), others)
    };
    let none: &[(&str, &str)] = &[];
    for (files, expected) in [
        (none, nothing(&[], 0)),
        (&[("a.txt", ""), ("src/main.py", "")], nothing(&["a.txt", "src/"], 0)),
        (&[("a.py", ""), ("b.py", "")], nothing(&["a.py", "b.py"], 0)),
        (&[("a", "#!x\n"), ("b", "#!x\n")], nothing(&["a", "b"], 0)),
        // Programs would take these names for a flag and for a placeholder.
        (&[("-c.py", "")], nothing(&["-c.py"], 0)),
        (&[("{nom}.py", "")], nothing(&["{nom}.py"], 0)),
    ] {
        check(&found(files).unwrap_err(), &expected, "");
    }
    let many: Vec<_> = (10..40).map(|n| n.to_string()).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), "")).collect();
    let words = found(&many).unwrap_err().words();
    assert!(words.en.contains("`10`, `11`") && words.en.ends_with("`19`, … (+ 20)"), "{words}");
}

#[test]
fn a_part_of_a_word_names_no_file_outside() {
    // A tournament copies what stands after `=`, `:`, `,` or `;`.
    let files =
        [("package.json", "{\"main\": \"a=/etc/x.js\"}"), ("a=/etc/x.js", ""), ("ada.js", "")];
    let expected = LaunchFault::NoMain(Quoted::new("\"a=/etc/x.js\""));
    check(&found(&files).unwrap_err(), &expected, "");
    let expected = LaunchFault::Nothing(vec![Quoted::new("a=..,.py")], 0);
    check(&found(&[("a=..,.py", "")]).unwrap_err(), &expected, "");
}

#[cfg(unix)]
#[test]
fn links_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("bot.toml")).unwrap();
    fs::write(folder.path().join("ada.py"), "").unwrap();
    assert_eq!(manifest(folder.path()).unwrap().because, "ada.py");
}

/// Compares a refusal with the expected one, except for what a parser says.
fn check(refusal: &Refusal, expected: &LaunchFault, text: &str) {
    let Refusal::Launch(fault) = refusal else { panic!("{refusal}") };
    let mut fault = fault.clone();
    if let LaunchFault::Syntax { why, .. } = &mut fault {
        *why = language::Note::new("", "");
    }
    assert_eq!(&fault, expected, "{text}");
    let words = refusal.words();
    assert_ne!(words.en, words.fr);
    for text in [Language::English, Language::French].map(|language| words.say(language)) {
        assert!(!text.contains(is_invisible) && text.chars().count() < 600, "{text:?}");
    }
}
