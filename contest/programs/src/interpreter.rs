//! Interpreters outside the system, such as a Python of pyenv, and the folders that programs must see to use them.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};

use plan::CommandLine;

/// Folders of the system, which every program sees.
const SYSTEM: [&str; 10] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix"];
/// Folders of version managers, each visible as a whole.
const MANAGERS: [&str; 9] = [
    ".pyenv",
    ".rbenv",
    ".nvm",
    ".volta",
    ".sdkman",
    ".jenv",
    ".asdf",
    ".rustup",
    ".local/share/uv",
];

/// The folders outside the system that the program of a command must see, so that its interpreter is found and finds its
/// libraries.
///
/// # Errors
///
/// If one of them is or contains a home folder or one of the paths `never`, or if it is in the command's folder and
/// belongs to another user, who could swap it for a link while it is shown: this folder.
pub fn folders(command: &CommandLine, never: &[PathBuf]) -> Result<Vec<PathBuf>, PathBuf> {
    let Some(program) = program(command).filter(|program| is_one(command, program)) else {
        return Ok(Vec::new());
    };
    let own = own_folder(command);
    let homes: BTreeSet<_> =
        steps(&program, &own).into_iter().filter_map(|step| home(&step, &own)).collect();
    if homes.is_empty() {
        return Ok(Vec::new());
    }
    let never: Vec<_> = never.iter().map(|path| real(path)).collect();
    let may_be_seen = |folder: &Path| {
        let real = real(folder);
        let is_kept = !owns(&own, folder) || real == folder && system::is_kept(folder);
        is_kept && !is_home(&real) && !never.iter().any(|path| path.starts_with(&real))
    };
    match homes.iter().find(|folder| !may_be_seen(folder)) {
        Some(folder) => Err(folder.clone()),
        None => Ok(homes.into_iter().collect()),
    }
}

/// The program that the first word of a command names, if found.
pub(crate) fn program(command: &CommandLine) -> Option<PathBuf> {
    let word = command.words.first()?;
    if word.contains('/') {
        normal(&command.folder.join(word)).filter(|path| path.is_file())
    } else {
        in_path(Path::new(word))
    }
}

/// Tests if a program is an interpreter, not a team's own program: it belongs to the system, to a version manager, to a
/// virtual environment, or to a folder with libraries outside the command's folder, or is a link to such a program.
pub(crate) fn is_one(command: &CommandLine, program: &Path) -> bool {
    let own = own_folder(command);
    steps(program, &own).iter().any(|step| is_system(step, &own) || prefix(step, &own).is_some())
}

/// The libraries beside a team's own program in a folder `bin`: the folder around both, or only that of the libraries
/// if the folder around both is the command's.
pub(crate) fn libraries(command: &CommandLine, program: &Path) -> Option<PathBuf> {
    let own = own_folder(command);
    let around = installation(program).filter(|around| owns(&own, around))?;
    Some(if around == own { around.join("lib") } else { around })
}

/// Tests if a path is in a folder of the system, and does not belong to a command whose folder is there, too.
pub(crate) fn is_system(path: &Path, own: &Path) -> bool {
    in_system(path) && !owns(own, path)
}

/// Tests if a folder may be hidden from programs: it is no folder of the system that they need. Below `/opt`, each folder
/// may be.
pub fn is_private(folder: &Path) -> bool {
    folder.parent().is_some() && !in_system(folder)
        || folder.starts_with("/opt") && folder != Path::new("/opt")
}

/// The folder of a command, without `.` and `..`.
pub(crate) fn own_folder(command: &CommandLine) -> PathBuf {
    normal(&command.folder).unwrap_or_else(|| command.folder.clone())
}

/// Tests if a path is in a folder of the system.
fn in_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// The path of the program with this name in `PATH`.
fn in_path(name: &Path) -> Option<PathBuf> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let found =
        env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| path.is_file());
    found.filter(|path| path.is_absolute())
}

/// Tests if a path is in a command's folder, which may be a team's.
fn owns(own: &Path, path: &Path) -> bool {
    is_private(own) && path.starts_with(own)
}

/// A program, followed by the targets of its links, step by step. A link in the command's folder may be a team's, and may
/// only lead to programs of the system and of version managers.
fn steps(program: &Path, own: &Path) -> Vec<PathBuf> {
    let follow = |path: &PathBuf| {
        let to = path.read_link().ok()?;
        let to = normal(&path.parent()?.join(to))?;
        let is_known = in_system(&to) || manager(&to).is_some() || owns(own, &to);
        (is_known || !owns(own, path)).then_some(to)
    };
    // The limit ends a circle of links.
    std::iter::successors(normal(program), follow).take(16).collect()
}

/// The folder that a program needs: its prefix, or else its own folder; `None` in the system.
fn home(program: &Path, own: &Path) -> Option<PathBuf> {
    if is_system(program, own) {
        return None;
    }
    prefix(program, own).or_else(|| program.parent().map(Path::to_owned))
}

/// The folder of an interpreter with its libraries, if there is one.
fn prefix(program: &Path, own: &Path) -> Option<PathBuf> {
    if let Some(manager) = manager(program) {
        return Some(manager.to_owned());
    }
    let environment = program.parent()?.parent()?;
    if environment.join("pyvenv.cfg").is_file() {
        return Some(environment.to_owned());
    }
    // In the command's folder, it may be a team's own program. The libraries of a home folder are no interpreter's.
    let is_one = |around: &PathBuf| {
        !owns(own, program)
            && !own.starts_with(around)
            && !is_home(around)
            && !around.ends_with(".local")
    };
    installation(program).filter(is_one)
}

/// The folder of a version manager that a program is in.
fn manager(program: &Path) -> Option<&Path> {
    let is_managed = |folder: &&Path| MANAGERS.iter().any(|manager| folder.ends_with(manager));
    program.ancestors().find(is_managed)
}

/// The folder around a folder `bin` with this program and a folder `lib`.
fn installation(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let around = folder.parent()?;
    (folder.ends_with("bin") && around.join("lib").is_dir()).then(|| around.to_owned())
}

/// Tests if a folder is a home folder, or contains one.
fn is_home(folder: &Path) -> bool {
    let listed = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let listed = listed.lines().filter_map(|line| line.split(':').nth(5)).map(PathBuf::from);
    let own = env::var_os("HOME").map(PathBuf::from);
    // Homes that a network's directory tells are in these folders, too.
    let is_usual = ["/home", "/Users"].map(Path::new).contains(&folder.parent().unwrap_or(folder));
    is_usual || listed.chain(own).any(|home| home.starts_with(folder))
}

/// A path without links, or as it is if nothing is there.
pub(crate) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A path without `.` and `..`; links in the path are kept.
pub(crate) fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in std::path::absolute(path).ok()?.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    Some(normal)
}

#[cfg(unix)]
mod system {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    /// Tests if a folder and those around it belong to root, to this user, or to who owns the current folder, which in a
    /// container is often another user. Modes do not count: on some file systems, all may write.
    pub(super) fn is_kept(folder: &Path) -> bool {
        let owner = fs::metadata(".").map(|found| found.uid());
        let trusted = [Some(0), Some(rustix::process::geteuid().as_raw()), owner.ok()];
        folder.ancestors().all(|folder| {
            fs::symlink_metadata(folder).is_ok_and(|found| trusted.contains(&Some(found.uid())))
        })
    }
}

/// Other systems do not hide folders either.
#[cfg(not(unix))]
mod system {
    use std::path::Path;

    pub(super) fn is_kept(_: &Path) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{chown, symlink};

    use super::*;

    type Seen = Result<&'static [&'static str], &'static str>;

    fn command(word: &Path, folder: &Path) -> CommandLine {
        let words = vec![word.display().to_string()];
        CommandLine { words, folder: folder.to_owned(), environment: [].into() }
    }

    /// A folder with these empty files and links.
    fn world(files: &[&str], links: &[(&str, &str)]) -> tempfile::TempDir {
        let world = tempfile::tempdir().unwrap();
        for file in files {
            let path = world.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        for (to, link) in links {
            symlink(to, world.path().join(link)).unwrap();
        }
        world
    }

    #[test]
    fn interpreters_below_a_home_folder_are_seen_with_their_libraries() {
        let files = [
            "venv/pyvenv.cfg",
            "venv/bin/tool",
            ".pyenv/versions/3/bin/python3",
            "java/21/bin/java",
            "java/21/lib/modules",
            "bin/tool",
            "team/bot.py",
        ];
        let links = [
            ("../../.pyenv/versions/3/bin/python3", "venv/bin/python"),
            ("21", "java/current"),
            ("/usr/bin/env", "bin/env"),
        ];
        let home = world(&files, &links);
        let path = |name: &str| home.path().join(name);
        let seen =
            |program: &str| folders(&command(Path::new(program), &path("team")), &[]).unwrap();
        let paths = |names: &[&str]| names.iter().map(|name| path(name)).collect::<Vec<_>>();
        assert_eq!(seen("../venv/bin/python"), paths(&[".pyenv", "venv"]));
        assert_eq!(seen("../java/current/bin/java"), paths(&["java/current"]));
        assert_eq!(seen("../bin/env"), paths(&["bin"]));
        assert_eq!(seen("../bin/tool"), paths(&[]), "a bot's own program");
        assert_eq!(seen("/usr/bin/env"), paths(&[]));
        assert_eq!(seen("../none"), paths(&[]));
    }

    #[test]
    fn no_program_makes_the_files_of_others_visible() {
        let files = [
            "bin/tool",
            "lib/x",
            "ada/bin/bot",
            "ada/lib/x",
            "ada/env/pyvenv.cfg",
            "ada/env/bin/python",
            "eve/bot.py",
            "srv/bin/app",
            "srv/lib/key",
        ];
        let links = [
            ("../ada/bin/bot", "eve/ada"),
            ("../srv/bin/app", "eve/app"),
            ("../ada/env/bin/python", "eve/python"),
            ("/usr/bin/python3", "eve/system"),
        ];
        let world = world(&files, &links);
        let root = world.path().canonicalize().unwrap();
        let path = |name: &str| root.join(name);
        let hidden = ["ada", "eve", "t.sqlite"].map(path);
        // The word, the folder of the command, and what its program sees, or must not see.
        let expected: [(&str, &str, Seen); 13] = [
            ("./bin/bot", "ada", Ok(&[])),
            ("ada/bin/bot", "", Ok(&[])),
            ("../ada/bin/bot", "eve", Err("ada")),
            ("./bin/tool", "", Ok(&[])),
            ("../bin/tool", "eve", Ok(&[])),
            ("./ada", "eve", Ok(&[])),
            ("./app", "eve", Ok(&[])),
            ("./python", "eve", Ok(&[])),
            ("./system", "eve", Err("eve")),
            ("eve/system", "", Err("eve")),
            ("./env/bin/python", "ada", Ok(&["ada/env"])),
            ("ada/env/bin/python", "", Ok(&["ada/env"])),
            ("../srv/bin/app", "eve", Ok(&["srv"])),
        ];
        for (word, folder, seen) in expected {
            let found = folders(&command(Path::new(word), &path(folder)), &hidden);
            let seen = seen.map(|seen| seen.iter().map(|name| path(name)).collect()).map_err(path);
            assert_eq!(found, seen, "{word} in {folder:?}");
        }
    }

    #[test]
    fn an_environment_of_another_user_is_not_visible() {
        let world = world(&["ada/env/pyvenv.cfg", "ada/env/bin/python"], &[("env", "ada/link")]);
        let root = world.path().canonicalize().unwrap();
        let (ada, env) = (root.join("ada"), root.join("ada/env"));
        let seen = |word: &str| folders(&command(Path::new(word), &ada), &[]);
        assert_eq!(seen("env/bin/python"), Ok(vec![env.clone()]));
        assert_eq!(seen("link/bin/python"), Err(ada.join("link")));
        // Only root can change the owner of a folder.
        if chown(&ada, Some(12_345), None).is_ok() {
            assert_eq!(seen("env/bin/python"), Err(env));
        }
    }

    #[test]
    fn no_home_folder_is_visible() {
        let root = env::var_os("HOME").map(PathBuf::from).unwrap();
        for home in [root.as_path(), Path::new("/"), Path::new("/home/ada"), Path::new("/home")] {
            assert!(is_home(home), "{}", home.display());
        }
        assert!(!is_home(&root.join(".pyenv")));
    }

    #[test]
    fn a_team_whose_folder_is_below_opt_has_files_of_its_own() {
        let is_own = |path: &str, own: &str| !is_system(Path::new(path), Path::new(own));
        assert!(is_own("/opt/cup/ada/bot", "/opt/cup") && is_own("/home/ada/bot", "/"));
        assert!(!is_own("/usr/bin/python3", "/") && !is_own("/usr/bin/python3", "/usr"));
        assert!(!is_own("/opt/jdk/bin/java", "/opt") && !is_own("/opt/jdk/bin/java", "/opt/cup"));
    }
}
