//! Programs of a whole class: `tournoi verifier --dossiers`, `tournoi jouer --dossiers` and `tournoi comparer`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The hand-ins of a class: a folder, an archive, a file, a folder without a known program, and a link.
struct Class(TempDir);

impl Class {
    fn new() -> Self {
        let class = Self(tempfile::tempdir().unwrap());
        for folder in ["ada", "eve"] {
            fs::create_dir_all(class.path(&format!("rendus/{folder}"))).unwrap();
        }
        let bot = fs::read(exemples().join("bot.py")).unwrap();
        fs::write(class.path("rendus/ada/main.py"), &bot).unwrap();
        fs::write(class.path("rendus/bob.py"), &bot).unwrap();
        fs::write(class.path("rendus/eve/notes.txt"), "soon").unwrap();
        let mut tar = Command::new("tar");
        tar.args(["-czf", "rendus/zoe.tar.gz", "-C", "rendus/ada", "main.py"]);
        assert!(tar.current_dir(class.0.path()).status().unwrap().success());
        fs::create_dir(class.path("secret")).unwrap();
        fs::write(class.path("secret/main.py"), "SECRET = 'only for the organiser'\n").unwrap();
        symlink(class.path("secret"), class.path("rendus/mallory")).unwrap();
        class
    }

    /// The paths of all that was handed in, folders and links to folders with a slash behind them, as a shell completes them.
    fn handed_in(&self) -> Vec<String> {
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let entries = fs::read_dir(self.path("rendus")).unwrap();
        let names = entries.map(|entry| name(entry.unwrap()));
        let slash = |name: String| if name.contains('.') { name } else { name + "/" };
        let mut paths: Vec<_> = names.map(|name| format!("rendus/{}", slash(name))).collect();
        paths.sort();
        paths
    }

    /// The exit code, the output and the error output.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tournoi"));
        command.current_dir(self.0.path()).args(arguments).env("LC_ALL", "C");
        let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap(), text(stdout), text(stderr))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn exemples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../exemples")
}

/// The lines of a table or list that begin with a name.
fn line<'a>(text: &'a str, name: &str) -> &'a str {
    let found = text.lines().find(|line| line.trim_start().starts_with(name));
    found.unwrap_or_else(|| panic!("{name} is not there:\n{text}"))
}

#[test]
fn a_class_is_checked_into_one_table() {
    let class = Class::new();
    let handed_in = class.handed_in();
    let mut check = vec!["verifier", "--controle", "start", "--dossiers"];
    check.extend(handed_in.iter().map(String::as_str));
    let (code, text, _) = class.run(&check);
    assert_eq!(code, 1, "{text}");
    for ready in ["ada", "bob", "zoe"] {
        assert!(line(&text, ready).contains(" yes "), "{text}");
    }
    assert!(line(&text, "eve").contains("nothing tells what runs"), "{text}");
    assert!(line(&text, "mallory").contains("it is a link"), "{text}");
    assert!(text.contains("Ready: 3 of 5."), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    // Their folder does as well.
    let (_, whole, _) = class.run(&["verifier", "--controle", "start", "--dossiers", "rendus"]);
    assert!(whole.contains("Ready: 3 of 5."), "{whole}");
    let (_, json, _) = class.run(&[&check[..], &["--json"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["teams"].as_array().unwrap().len(), 3);
    assert_eq!(json["refused"][0]["team"], "eve");
    // Of one alone, the findings are told.
    let (code, text, _) =
        class.run(&["verifier", "--controle", "start", "--dossiers", "rendus/zoe.tar.gz"]);
    assert!(code == 0 && text.contains("Checking “zoe”") && text.contains("✓"), "{text}");
    // A program with older versions beside it is no class, however broken it is.
    for version in ["v1", "v2"] {
        fs::create_dir(class.path(&format!("rendus/ada/{version}"))).unwrap();
        fs::copy(class.path("rendus/bob.py"), class.path(&format!("rendus/ada/{version}/main.py")))
            .unwrap();
    }
    fs::write(class.path("rendus/ada/bot.toml"), "commande = 1").unwrap();
    let (_, text, _) = class.run(&["verifier", "--controle", "start", "--dossiers", "rendus/ada"]);
    assert!(text.contains("bot.toml"), "{text}");
}

#[test]
fn what_has_to_be_built_is_built_and_plays() {
    let class = Class::new();
    fs::rename(class.path("rendus/ada/main.py"), class.path("rendus/ada/source")).unwrap();
    let recipe = "commande = \"python3 ada.py\"\nconstruire = [\"sh\", \"build.sh\"]\n";
    fs::write(class.path("rendus/ada/bot.toml"), recipe).unwrap();
    fs::write(class.path("rendus/ada/build.sh"), "cp source ada.py\n").unwrap();
    fs::remove_file(class.path("rendus/eve/notes.txt")).unwrap();
    fs::write(class.path("rendus/eve/bot.toml"), recipe).unwrap();
    fs::write(class.path("rendus/eve/build.sh"), "echo 'eve.c:3: oh no' >&2; exit 7\n").unwrap();
    fs::create_dir(class.path("rendus/bob")).unwrap();
    fs::rename(class.path("rendus/bob.py"), class.path("rendus/bob/bot.py")).unwrap();
    let teams = ["rendus/ada", "rendus/eve", "rendus/bob"];
    let (code, text, error) =
        class.run(&[&["verifier", "--controle", "start", "--dossiers"], &teams[..]].concat());
    assert_eq!(code, 1, "{text}");
    assert!(line(&text, "ada").contains(" yes ") && text.contains("Ready: 2 of 3."), "{text}");
    assert!(line(&text, "eve").contains("bot.toml: the build has failed"), "{text}");
    assert!(text.contains("eve.c:3: oh no"), "{text}");
    assert!(error.contains("building ada…") && !error.contains("building bob"), "{error}");
    let play = ["jouer", "--carte", "petit", "--duree", "5", "--base", "t", "--dossiers"];
    let (code, text, error) = class.run(&[&play[..], &teams[..]].concat());
    assert_eq!(code, 0, "{text} {error}");
    assert!(line(&error, "eve does not take part: ").contains("with the code 7"), "{error}");
    assert!(text.contains("ada") && text.contains("bob"), "{text}");
    assert!(!class.path("rendus/ada/ada.py").exists(), "the team's folder is only read");
    let (code, text, _) = class.run(&["reprendre", "t"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn the_folders_of_a_class_play_a_tournament() {
    let class = Class::new();
    fs::create_dir(class.path("rendus/bob")).unwrap();
    fs::rename(class.path("rendus/bob.py"), class.path("rendus/bob/bot.py")).unwrap();
    // The target of a link in the folder does not belong to the team.
    fs::create_dir(class.path("rendus/lea")).unwrap();
    fs::write(class.path("rendus/lea/main.py"), "").unwrap();
    symlink("/etc/hostname", class.path("rendus/lea/x.txt")).unwrap();
    let play = ["jouer", "--carte", "petit", "--duree", "5", "--base", "t", "--dossiers", "rendus"];
    let (code, text, error) = class.run(&play);
    assert_eq!(code, 0, "{text} {error}");
    for (absent, why) in [
        ("eve", "nothing tells"),
        ("mallory", "link"),
        ("zoe", "are unpacked"),
        ("lea", "leads out"),
    ] {
        let told = line(&error, &format!("{absent} does not take part: "));
        assert!(told.contains(why), "{error}");
    }
    assert!(text.contains("ada") && text.contains("bob") && !text.contains("eve"), "{text}");
    let (code, text, _) = class.run(&["reprendre", "t"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn copied_programs_are_found_and_what_was_handed_out_does_not_count() {
    let class = Class::new();
    fs::write(class.path("rendus/eve/own.py"), "for x in range(3):\n    print(x)\n").unwrap();
    let handed_in = class.handed_in();
    let own: Vec<_> = handed_in.iter().map(String::as_str).collect();
    let (code, text, error) = class.run(&[&["comparer", "--page", "page.html"], &own[..]].concat());
    assert_eq!(code, 0, "{text} {error}");
    assert!(line(&text, "ada and bob: ").contains("100 % of the smaller"), "{text}");
    assert!(text.contains("Programs compared: 4; suspicious pairs: 3."), "{text}");
    assert!(text.contains("main.py:") && error.contains("mallory: it is a link"), "{text} {error}");
    let page = fs::read_to_string(class.path("page.html")).unwrap();
    assert_eq!(page.matches("<h2>").count(), 3);
    assert!(page.contains("import socket") && !page.contains("SECRET"), "{page}");
    let given = exemples().join("bot.py");
    let given = ["--fourni", given.to_str().unwrap()];
    let (_, json, _) = class.run(&[&["comparer", "--json", "rendus"], &given[..]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["pairs"].as_array().unwrap().len(), 0, "{json}");
    let (code, _, error) = class.run(&["comparer", "rendus/ada"]);
    assert!(code == 2 && error.contains("two programs at least"), "{error}");
}
