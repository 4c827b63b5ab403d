//! The scripts of the project, as a newcomer types them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::{ROOT, STATE, client_program, ended_well, program_of};

/// A script, with programs of the profile that the tests have.
fn script(name: &str) -> Command {
    let mut command = Command::new(format!("{ROOT}/scripts/{name}"));
    command.env("PROFILE", "dev").env("XDG_STATE_HOME", STATE).env("LC_ALL", "C");
    command.stdin(Stdio::null());
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn the_last_line_of_partie_sh_can_be_typed() {
    let folder = tempfile::tempdir().unwrap();
    for from in [Path::new(ROOT), folder.path()] {
        let output = script("partie.sh")
            .args(["--duree", "3", "--tempo", "0", "--nom-partie", "/dev/null"])
            .current_dir(from)
            .output()
            .unwrap();
        ended_well(&output);
        let printed = text(&output);
        let line = printed.lines().find_map(|line| line.strip_prefix("watch it: ")).unwrap();
        let page = folder.path().join("partie.html");
        let line = line.replace("partie.html", page.to_str().unwrap());
        let typed = Command::new("sh").args(["-c", &line]).current_dir(from).output().unwrap();
        assert!(typed.status.success(), "{line}: {}", text(&typed));
        assert!(fs::read_to_string(&page).unwrap().contains("</html>"));
        fs::remove_file(page).unwrap();
    }
}

#[test]
fn partie_sh_loses_no_line_to_a_file_that_has_both_outputs() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let both = fs::File::create(&log).unwrap();
    let status = script("partie.sh")
        .args(["--duree", "30", "--tempo", "0", "--nom-partie", "/dev/null", "--graine", "7"])
        .current_dir(ROOT)
        .stdout(both.try_clone().unwrap())
        .stderr(both)
        .status()
        .unwrap();
    let log = fs::read_to_string(log).unwrap();
    assert!(status.success(), "{log}");
    assert!(log.starts_with("listening on ") || log.contains("\nlistening on "), "{log:?}");
    for needed in ["game 1, seed 7: 30 of 30 turns\n", "dijkstra 1", "\nwatch it: "] {
        assert!(log.contains(needed), "{needed:?} is missing: {log:?}");
    }
    assert!(log.contains(" for 4 players, seed 7\n") && !log.contains('\0'), "{log:?}");
    assert_eq!(log.matches(" is there, at 127.0.0.1\n").count(), 4, "{log}");
}

/// A folder with a program `cargo` that notes its arguments, and makes an empty program for each `--bin`.
fn cargo(folder: &Path) {
    let cargo = folder.join("cargo");
    fs::write(
        &cargo,
        "#!/bin/sh\necho \"$@\" >>\"$NOTES\"\nmkdir -p \"$CARGO_TARGET_DIR/release\"\n\
         while [ $# -gt 0 ]; do [ \"$1\" != --bin ] || echo 'exit 3' >\"$CARGO_TARGET_DIR/release/$2\"; shift; done\n",
    )
    .unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn installer_sh_is_one_build_and_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    cargo(folder.path());
    let notes = folder.path().join("notes");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let output = script("installer.sh")
        .args(["--root", "here"])
        .current_dir(folder.path())
        .env("PATH", path)
        .env("NOTES", &notes)
        .env("CARGO_TARGET_DIR", folder.path().join("target"))
        .env_remove("BUILT")
        .output()
        .unwrap();
    ended_well(&output);
    let calls = fs::read_to_string(notes).unwrap();
    assert_eq!(calls.lines().count(), 1, "{calls}");
    let bin = folder.path().canonicalize().unwrap().join("here/bin");
    for program in ["server", "client", "afficheur", "rejeu", "tournoi", "lab"] {
        let mode = fs::metadata(bin.join(program)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755, "{program}");
    }
    assert!(
        text(&output).contains(&format!("export PATH=\"{}:$PATH\"", bin.display())),
        "{output:?}"
    );

    let output = script("installer.sh").arg("--rot").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn scripts_show_on_a_terminal_that_they_compile() {
    let folder = tempfile::tempdir().unwrap();
    cargo(folder.path());
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    for name in ["tournoi.sh", "partie.sh", "installer.sh"] {
        let notes = folder.path().join(name);
        let run = |mut command: Command| {
            command.env("PATH", &path).env("NOTES", &notes).env("PROFILE", "release");
            command
                .env("HOME", folder.path())
                .env("CARGO_TARGET_DIR", folder.path().join("target"));
            command.env_remove("BUILT").stdin(Stdio::null()).output().unwrap();
        };
        let mut terminal = Command::new("script");
        terminal.args(["-qec", &format!("{ROOT}/scripts/{name}"), "/dev/null"]);
        run(terminal);
        run(script(name));
        let calls = fs::read_to_string(&notes).unwrap();
        let quiet: Vec<_> = calls.lines().map(|line| line.contains("--quiet")).collect();
        assert_eq!(quiet, [false, true], "{name}: {calls}");
    }
}

#[test]
fn a_server_prints_commands_that_can_be_typed() {
    // The one beside the server.
    let rejeu = program_of("rejeu", "rejeu");
    assert_eq!(rejeu.parent(), client_program().parent());
    let output =
        crate::server_command().args(["--boue", "30"]).stderr(Stdio::piped()).output().unwrap();
    let error = text(&output);
    let typed = error.split('`').nth(1).unwrap().replace('…', "30 --help");
    let help = Command::new("sh").args(["-c", &typed]).current_dir(ROOT).output().unwrap();
    ended_well(&help);
}

#[test]
fn a_release_is_published_last_and_under_its_version() {
    let tag = |tag: &str| script("version.sh").arg(tag).output().unwrap().status.success();
    assert!(tag(concat!("v", env!("CARGO_PKG_VERSION"))));
    assert!(!tag("v99.0.0") && !tag(env!("CARGO_PKG_VERSION")));

    let workflow = fs::read_to_string(format!("{ROOT}/.github/workflows/release.yml")).unwrap();
    let (before, publish) = workflow.split_once("\n  publish:\n").unwrap();
    assert!(publish.contains("needs: [tests, linux, wheels]\n"), "{publish}");
    for needed in
        ["  tests:\n", "  linux:\n", "  wheels:\n", "scripts/version.sh \"$GITHUB_REF_NAME\""]
    {
        assert!(before.contains(needed), "{needed}");
    }
    assert!(!before.contains("gh release") && !before.contains("contents: write"), "{before}");
}
