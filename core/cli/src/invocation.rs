//! The command that starts one of the programs, as a user types it.

use std::env;
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::path::Path;

/// The file that holds all programs, in the Python package, and the command that the package installs.
const PACKAGE: &str = "pacman-iuto";

/// The command that starts a program, such as `rejeu`, in the way in which this process was started: `rejeu` if the
/// programs are installed, `target/jeu/rejeu` beside a `target/jeu/server`, and `pacman-iuto rejeu` in the Python package.
pub fn command(program: &str) -> String {
    let called = env::args_os().next().unwrap_or_default();
    command_beside(Path::new(&called), is_package(), program)
}

/// The command that restarts this program, whatever its name is.
pub fn this_command() -> String {
    command(&this_program())
}

/// The name by which this program was called, without its folder.
pub(crate) fn this_program() -> String {
    let called = env::args_os().next().unwrap_or_default();
    Path::new(&called).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The command that starts a program on another machine, whose folders are not known.
pub fn command_elsewhere(program: &str) -> String {
    command_beside(Path::new(program), is_package(), program)
}

/// Tests if this process is one of the programs of the Python package.
fn is_package() -> bool {
    env::current_exe().is_ok_and(|file| file.file_stem() == Some(OsStr::new(PACKAGE)))
}

/// The command for a program beside the one that was called by this path.
fn command_beside(called: &Path, is_package: bool, program: &str) -> String {
    if is_package {
        return format!("{PACKAGE} {program}");
    }
    let beside = called.with_file_name(format!("{program}{EXE_SUFFIX}"));
    // A name without a folder was found in PATH.
    let has_folder = called.parent().is_some_and(|folder| !folder.as_os_str().is_empty());
    if has_folder && beside.is_file() {
        let path = beside.to_string_lossy();
        // Windows' separator is a letter that this quotes, and its shells read other quotes.
        return if cfg!(windows) {
            path.into_owned()
        } else {
            shell_words::quote(&path).into_owned()
        };
    }
    program.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_typed_as_the_one_that_runs() {
        let folder = tempfile::tempdir().unwrap();
        let built = folder.path().join("it's built");
        std::fs::create_dir(&built).unwrap();
        for program in ["server", "rejeu"] {
            std::fs::write(built.join(format!("{program}{EXE_SUFFIX}")), "").unwrap();
        }
        let server = built.join("server");
        let typed = command_beside(&server, false, "rejeu");
        let expected = built.join(format!("rejeu{EXE_SUFFIX}")).display().to_string();
        if cfg!(windows) {
            assert_eq!(typed, expected);
        } else {
            assert_eq!(shell_words::split(&typed).unwrap(), [expected]);
        }
        assert_eq!(command_beside(&server, false, "tournoi"), "tournoi", "it is not there");
        assert_eq!(command_beside(Path::new("server"), false, "rejeu"), "rejeu");
        assert_eq!(command_beside(Path::new("server"), true, "rejeu"), "pacman-iuto rejeu");
    }
}
