//! Builds of programs, good ones and hostile ones: whatever a build does, only plain files within limits come out of it.
#![cfg_attr(not(target_os = "linux"), allow(unused))]
#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![expect(clippy::print_stdout, reason = "the test runner reads it")]

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use programs::build::{BuildFault, BuildJob, BuildLimits, BuildProblem, Builder, Built};
use sandbox::{Isolation, Level, Protection};
use tempfile::TempDir;

const SECRET: &str = "the rival's secret";
/// A word in the arguments of processes that must not survive.
const MARK: &str = "86399.75";

/// Writes a forged archive to the pipe through which files leave.
const FORGE: &str = "f=$(echo /proc/$PPID/fd/1[0-9]); true > $f || exit 9; cat /tmp/forged > $f";

/// A build that would do harm, and a part of what is said about it, or several such parts; empty if the build may succeed.
/// Only a build of the organiser's own user can open the pipe.
const HOSTILE: &[(&str, &str)] = &[
    // Files of others.
    ("cat {world}/ada/bot.py > bot", "No such file"),
    ("cat {world}/key {world}/ada/* {world}/eve/../key > bot 2>&1; true", ""),
    ("cp -r {home} loot || true; find / -name key -path '*{mark}*' > list; echo > bot", ""),
    ("cat /proc/1/environ /proc/$PPID/environ > bot 2>/dev/null; true", ""),
    ("cat {world}/into/* {world}/into/*/* > bot; true", ""),
    // Writing elsewhere.
    ("echo > {world}/eve/harm", "failed"),
    ("echo > {world}/into/harm", ""),
    (
        "for d in / /usr /etc /var/tmp /opt {home} /tmp /dev/shm; do echo > $d/harm{mark}; done; echo > bot",
        "",
    ),
    ("rm -rf {world} {home}/* /usr/lib/* 2>/dev/null; echo > bot", ""),
    // Using things up.
    ("dd if=/dev/zero of=big bs=1M count=900", "No space left"),
    ("i=0; while echo > f$i; do i=$((i+1)); done", ""),
    ("f() { f | f & }; f; sleep {mark}", "did not end|processor time|too many|all its memory"),
    ("sleep {mark}", "did not end"),
    ("while :; do :; done", "processor time|did not end"),
    ("yes", ""),
    ("tail /dev/zero", "failed"),
    ("sleep {mark} & setsid sleep {mark} & echo > bot", ""),
    ("(trap '' TERM HUP INT; exec setsid sleep {mark}) & exit 3", "code 3"),
    // Faulty results of a build.
    ("ln -s /etc/passwd bot", "`bot`: this is a link"),
    ("ln -s {world}/ada loot; echo > bot", "`loot`: this is a link"),
    ("echo > a; ln a bot", "this is a link"),
    ("mkfifo bot", "a device, a pipe"),
    ("mknod bot c 1 3", "failed"),
    ("echo > bot; chmod u+s bot", "setuid"),
    ("echo > bot; echo > BOT", "BOT"),
    ("echo > \"$(printf 'a\\033[31m')\"", "invisible"),
    ("echo > 'a\nb'", "invisible"),
    (
        "d=.; for i in 1 2 3 4 5 6 7 8 9 0 1 2 3 4; do d=$d/$i; done; mkdir -p $d; echo > $d/f",
        "folders",
    ),
    ("for i in $(seq 100); do echo > f$i; done", "more than 50 files"),
    ("dd if=/dev/zero of=big bs=1M count=30", "more than 5 MB"),
    ("truncate -s 20G big", "more than 5 MB"),
    ("rm -rf ./* .[!.]*", "failed"),
    // Forged archives in the pipe, whose descriptor the shell around the build has saved; the code 9 if it cannot be opened.
    (
        "mkdir -p a/b; echo x > harm; cd a/b; tar -cPf- ../../harm | head -c 1024 > /tmp/forged; {forge}",
        "`../../harm`|code 9",
    ),
    ("tar -cPf- /etc/hostname | head -c 1024 > /tmp/forged; {forge}", "`/etc/hostname`|code 9"),
    ("head -c 5000 /dev/urandom > /tmp/forged; {forge}", "archive|code 9"),
    ("ln -s /dev/zero /tmp/forged; {forge}", "more than 5 MB|code 9"),
    ("echo x > /tmp/forged; {forge}; kill -9 $PPID", "killed|code 9"),
    ("kill -9 $PPID; sleep {mark}", "killed"),
    // Others.
    ("bash -c 'echo > /dev/tcp/127.0.0.1/{port}'", "failed"),
    ("printf '\\033]0;x\\007\\n'; exit 1", "code 1"),
];

fn main() {
    sandbox::launcher_main();
    if std::env::args().any(|word| word == "--list") {
        if std::env::args().all(|word| word != "--ignored") {
            println!("builds: test");
        }
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        good_builds(Level::Auto).await;
        good_builds(Level::None).await;
        faults_are_told().await;
        a_build_that_is_given_up_leaves_nothing().await;
        if cfg!(target_os = "linux") {
            hostile_builds_do_no_harm().await;
        }
    });
    println!("builds: ok");
}

/// The folders of two teams, the organiser's secret, and the folder of what is built.
struct World(TempDir);

impl World {
    fn new() -> Self {
        let world = Self(tempfile::Builder::new().suffix(MARK).tempdir().unwrap());
        for folder in ["eve", "ada", "into/other"] {
            fs::create_dir_all(world.at(folder)).unwrap();
        }
        for secret in ["ada/bot.py", "into/other/bot.py", "key"] {
            fs::write(world.at(secret), SECRET).unwrap();
        }
        world
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.at("eve").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    async fn build(
        &self,
        builder: &Builder,
        build: &str,
        command: &str,
    ) -> Result<Built, BuildFault> {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let (folder, into) = (self.at("eve"), self.at("into"));
        let (build, command) = (words(build), words(command));
        let job = BuildJob { folder: &folder, build: &build, command: &command, into: &into };
        builder.build(job).await
    }

    fn builder(&self, level: Level, limits: BuildLimits) -> Builder {
        let hidden = ["ada", "eve", "into", "key"].map(|name| self.at(name)).into();
        Builder::new(Isolation { level, hidden, ..Isolation::default() }, limits).unwrap()
    }

    /// All files of the world and their contents.
    fn all(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        read(self.0.path(), &mut found);
        found
    }
}

fn read(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kind = fs::symlink_metadata(&path).unwrap();
        if kind.is_dir() {
            read(&path, found);
        }
        let bytes = if kind.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        found.insert(path, bytes);
    }
}

/// Limits that end hostile builds soon.
fn strict() -> BuildLimits {
    let result = intake::Limits { unpacked: 5_000_000, files: 50, ..intake::Limits::default() };
    BuildLimits {
        wall: Duration::from_secs(4),
        cpu: Duration::from_secs(2),
        memory: 200_000_000,
        processes: 64,
        scratch: 100_000_000,
        result,
    }
}

fn names(built: &Built) -> Vec<String> {
    let mut found = BTreeMap::new();
    let root = built.unpacked.folder.path();
    read(root, &mut found);
    let files = found.into_keys().filter(|path| path.is_file());
    files.map(|path| path.strip_prefix(root).unwrap().display().to_string()).collect()
}

/// Tests if a compiler is installed for everybody.
fn has(program: &str) -> bool {
    Path::new("/usr/bin").join(program).exists()
}

async fn good_builds(level: Level) {
    let world = World::new();
    let builder = world.builder(level, BuildLimits::default());
    world.write("build.sh", "echo it builds; cp source bot; chmod +x bot; echo >> source\n");
    world.write("source", "#!/bin/sh\n");
    world.write(".config/x", "");
    world.write(".git/x", "");
    let built = world.build(&builder, "sh build.sh", "./bot {port}").await.unwrap();
    assert_eq!(names(&built), [".config/x", "bot", "build.sh", "source"]);
    assert_eq!(built.output, b"it builds\n");
    let bot = built.unpacked.folder.path().join("bot");
    assert_eq!(fs::metadata(bot).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(fs::read(world.at("eve/source")).unwrap(), b"#!/bin/sh\n", "only the copy changes");
    // Of what Cargo builds, what the command names is kept.
    world.write("Cargo.toml", "[package]\n");
    world.write("target/old", "");
    world.write(
        "build.sh",
        "mkdir -p target/release/deps; cd target/release; echo > ada; ln ada deps/ada\n",
    );
    let built = world.build(&builder, "sh build.sh", "./target/release/ada").await.unwrap();
    assert_eq!(
        names(&built),
        [".config/x", "Cargo.toml", "build.sh", "source", "target/release/ada"]
    );
    if has("gcc") && has("make") {
        let world = World::new();
        let builder = world.builder(level, BuildLimits::default());
        world.write("Makefile", "bot: bot.c\n\tcc -O2 -o bot bot.c\n");
        world.write("bot.c", "#include <stdio.h>\nint main(void) { puts(\"hello\"); }\n");
        let built = world.build(&builder, "make", "./bot").await.unwrap();
        assert!(names(&built).contains(&"bot".to_owned()));
    }
    if has("javac") {
        let world = World::new();
        let builder = world.builder(level, BuildLimits::default());
        world.write(
            "Main.java",
            "class Main { class In {} public static void main(String[] a) {} }\n",
        );
        let built =
            world.build(&builder, "javac -encoding UTF-8 Main.java", "java -cp . Main").await;
        assert_eq!(names(&built.unwrap()), ["Main$In.class", "Main.class", "Main.java"]);
    }
}

async fn faults_are_told() {
    let world = World::new();
    let builder = world.builder(Level::Auto, BuildLimits::default());
    world.write("build.sh", "for i in $(seq 100); do echo line $i; done; echo oh no >&2; exit 7\n");
    let fault = world.build(&builder, "sh build.sh", "./bot").await.unwrap_err();
    let words = fault.words();
    assert!(
        words.en.contains("code 7\nline 90\n") && words.en.ends_with("line 100\noh no"),
        "{words:?}"
    );
    assert!(words.fr.contains("la construction a échoué avec le code 7\n"), "{words:?}");
    world.write("build.sh", "");
    let fault = world.build(&builder, "sh build.sh", "./bot").await.unwrap_err();
    assert!(matches!(fault.problem, BuildProblem::NothingBuilt(_)), "{fault}");
    let fault = world.build(&builder, "no-such-compiler", "./bot").await.unwrap_err();
    assert!(matches!(fault.problem, BuildProblem::NotInstalled(_)), "{fault}");
    // A program in a folder of the organiser's alone.
    let tools = world.at("tools");
    fs::create_dir(&tools).unwrap();
    fs::copy("/bin/sh", tools.join("own-compiler")).unwrap();
    let tool = tools.join("own-compiler");
    let fault = world.build(&builder, tool.to_str().unwrap(), "./bot").await.unwrap_err();
    assert!(matches!(fault.problem, BuildProblem::NotShared(_)), "{fault}");
    assert_eq!(fs::read_dir(world.at("into")).unwrap().count(), 1, "only the other one");
}

async fn a_build_that_is_given_up_leaves_nothing() {
    let world = World::new();
    let builder = world.builder(Level::Auto, BuildLimits::default());
    world.write("build.sh", &format!("setsid sleep {MARK} & sleep {MARK}\n"));
    let before = world.all();
    let building = world.build(&builder, "sh build.sh", "./bot");
    tokio::time::timeout(Duration::from_millis(800), building).await.unwrap_err();
    assert_eq!(marked_processes(), 0);
    assert!(world.all() == before);
}

async fn hostile_builds_do_no_harm() {
    let world = World::new();
    let builder = world.builder(Level::Auto, strict());
    let is_apart = !builder.gaps().iter().any(|gap| gap.protection == Protection::Namespaces);
    if !is_apart {
        let lacks = std::env::var("LACKS").unwrap_or_default();
        let is_known = lacks.split(' ').any(|word| word == "Namespaces");
        assert!(is_known, "hostile builds were not tried: {:?}", builder.gaps());
        println!("builds: no namespaces here, hostile builds are left out");
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let home = std::env::var("HOME").unwrap();
    let mut unexpected = Vec::new();
    for (script, expected) in HOSTILE {
        let path = world.0.path().display().to_string();
        let script = [
            ("{world}", path.as_str()),
            ("{home}", &home),
            ("{port}", &port),
            ("{mark}", MARK),
            ("{forge}", FORGE),
        ]
        .iter()
        .fold(script.to_string(), |script, (name, value)| script.replace(name, value));
        world.write("build.sh", &script);
        let before = world.all();
        match world.build(&builder, "sh build.sh", "sh build.sh").await {
            Ok(built) => {
                if !expected.is_empty() {
                    unexpected.push(format!("{script}: {:?}", names(&built)));
                }
                let mut found = BTreeMap::new();
                read(built.unpacked.folder.path(), &mut found);
                let has_secret = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains(SECRET);
                assert!(!found.values().any(has_secret), "{script}");
                assert!(!String::from_utf8_lossy(&built.output).contains(SECRET), "{script}");
            }
            Err(fault) => {
                let words = fault.words().en;
                if !expected.split('|').any(|one| words.contains(one)) {
                    unexpected.push(format!("{script}: {words}"));
                }
                assert!(!words.contains(SECRET) && !fault.is_of_machine(), "{script}: {words}");
                assert!(words.chars().all(|c| c == '\n' || !c.is_control()), "{script}: {words:?}");
                assert!(fault.output.len() < 40_000, "{script}");
            }
        }
        assert!(world.all() == before, "{script} has changed something");
        assert_eq!(marked_processes(), 0, "{script}");
        assert!(listener.accept().is_err(), "{script}");
        for folder in ["/", "/usr", "/etc", "/var/tmp", "/opt", &home, "/tmp", "/dev/shm"] {
            let harm = Path::new(folder).join(format!("harm{MARK}"));
            assert!(!harm.exists(), "{script}: {}", harm.display());
        }
    }
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n\n"));
    println!("builds: {} hostile ones tried, none has done harm", HOSTILE.len());
}

/// Number of processes of builds that still run.
fn marked_processes() -> usize {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(&format!("sleep\0{MARK}"))).count()
}
