//! A machine with targets for attempts: an organiser's files, services, another team and its processes.

use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, PipeReader, Read};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::FdFlags;
use rustix::process::{Pid, Signal};
use sandbox::{Invocation, Isolation, Level, Limits, Report, Running, Sandbox, SandboxError};
use tempfile::TempDir;

use crate::services::{serve_path, services};

const SECRET: &str = "the organiser's secret";
const PYTHON: &str = "/usr/bin/python3";
const NOBODY: u32 = 65_534;
/// The places of worlds, one for each test that makes some, one after the other.
const PLACES: [&str; 2] = ["attempts", "files"];
/// Longest wait for an attempt.
const PATIENCE: Duration = Duration::from_secs(60);
/// Longest wait for a detached process to appear.
const APPEARANCE: Duration = Duration::from_secs(5);

pub(crate) struct World<'a> {
    sandbox: &'a Sandbox,
    root: TempDir,
    folder: PathBuf,
    /// The folder of a tournament in a folder of the system.
    cup: PathBuf,
    victim: Child,
    other: Running,
    other_seat: TcpListener,
    /// The argument that identifies a surviving process.
    sleep: String,
    /// The key of objects of System V's IPC.
    key: u32,
    /// A file in the shared memory of the machine.
    shared_memory: PathBuf,
    arguments: Vec<String>,
    /// An open file that programs inherit.
    _leak: File,
}

/// A running program in a world.
pub(crate) struct Run<'a> {
    world: &'a World<'a>,
    output: BufReader<PipeReader>,
    process: Process,
}

enum Process {
    Isolated(Box<Running>),
    Plain(Child),
}

impl<'a> World<'a> {
    pub(crate) fn sandbox(level: Level) -> Result<Sandbox, SandboxError> {
        // A single sandbox serves all worlds, whose folders have known names.
        Sandbox::new(Isolation {
            level,
            launcher: Some(env!("CARGO_BIN_EXE_sandbox-launcher").into()),
            hidden: PLACES
                .iter()
                .flat_map(|place| [hidden(&folder_of(place)), cup_of(place)])
                .chain(["/usr/lib/os-release", "/usr/share/doc"].map(PathBuf::from))
                .collect(),
            ..Isolation::default()
        })
    }

    /// Makes a world at one of the `PLACES`, where no other one is at the same time.
    pub(crate) fn new(sandbox: &'a Sandbox, place: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        assert!(PLACES.contains(&place), "its folders are hidden");
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let root = tempfile::tempdir().unwrap();
        // Files protected by their permissions alone would prove nothing.
        fs::set_permissions(root.path(), Permissions::from_mode(0o755)).unwrap();
        let folder = folder_of(place);
        let _ = fs::remove_dir_all(&folder);
        let other_team = root.path().join("other");
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir(&other_team).unwrap();
        fs::write(folder.join("attempts.py"), include_str!("attempts.py")).unwrap();
        fs::write(folder.join("note.txt"), "own file\n").unwrap();
        let home = root.path().join("home");
        let results = root.path().join("results.sqlite");
        let team = other_team.join("bot.py");
        let shared_memory = PathBuf::from("/dev/shm").join(folder.file_name().unwrap());
        for path in [&home, &results, &team, &hidden(&folder), &shared_memory] {
            fs::write(path, SECRET).unwrap();
        }
        let visible = root.path().join("visible");
        fs::create_dir(&visible).unwrap();
        fs::write(visible.join("secret"), SECRET).unwrap();
        let cup = cup_of(place);
        for place in ["ada", "t.paquets/1"].map(|place| cup.join(place)) {
            // Only root can write there.
            if fs::create_dir_all(&place).is_ok() {
                fs::write(place.join("strategy.py"), SECRET).unwrap();
            }
        }
        let set_user_id = folder.join("id");
        fs::copy("/usr/bin/id", &set_user_id).unwrap();
        // Only root can change the owner of a file.
        let _ = chown(&set_user_id, Some(12_345), None);
        fs::set_permissions(&set_user_id, Permissions::from_mode(0o4755)).unwrap();

        let mark = format!("victim-{}-{number}", std::process::id());
        let victim = Command::new("sleep").arg0(&mark).arg("600").env("SECRET", SECRET).spawn();
        let output = File::options().write(true).open("/dev/null").unwrap();
        let sleeper = |_| Invocation {
            visible: vec![visible.clone()],
            ..program("/bin/sleep", &["600".to_owned()], Path::new("/usr"), 0)
        };
        let mut other = sandbox.start(&Limits::default(), output.into(), sleeper).unwrap();
        let other_seat = other.take_listener().unwrap();
        other_seat.set_nonblocking(true).unwrap();
        let leak = File::open(&home).unwrap();
        rustix::io::fcntl_setfd(&leak, FdFlags::empty()).unwrap();
        let sleep =
            format!("{}", 1_000_000_000 + u64::from(std::process::id()) * 1000 + u64::from(number));
        let victim = victim.unwrap();
        // A process id has at most 22 bits.
        let key = std::process::id() << 9 | number;
        let services = services();
        let text = |path: &Path| path.display().to_string();
        let arguments = [
            ("world", text(root.path())),
            ("folder", text(&folder)),
            ("home", text(&home)),
            ("results", text(&results)),
            ("other_team", text(&team)),
            ("hidden", text(&hidden(&folder))),
            ("visible", text(&visible)),
            ("cup", text(&cup)),
            ("set_user_id", text(&set_user_id)),
            ("mark", mark),
            ("victim", victim.id().to_string()),
            ("other_seat", other_seat.local_addr().unwrap().port().to_string()),
            ("tcp", services.tcp.to_string()),
            ("tcp6", services.tcp6.to_string()),
            ("udp", services.udp.to_string()),
            ("abstract", services.abstract_name.clone()),
            ("path_socket", text(&serve_path(root.path()))),
            ("sleep", sleep.clone()),
            ("key", key.to_string()),
            ("shared_memory", text(&shared_memory)),
        ];
        let arguments = arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Self {
            sandbox,
            root,
            folder,
            cup,
            victim,
            other,
            other_seat,
            sleep,
            key,
            shared_memory,
            arguments,
            _leak: leak,
        }
    }

    /// Starts an attempt in the sandbox of the world.
    pub(crate) fn start(&mut self, name: &str, limits: &Limits) -> Run<'_> {
        let (output, writer) = io::pipe().unwrap();
        let words = self.words(name);
        let start = |port| program(PYTHON, &words, &self.folder, port);
        let running = self.sandbox.start(limits, OwnedFd::from(writer), start).unwrap();
        self.run(output, Process::Isolated(Box::new(running)))
    }

    /// Starts an attempt as an ordinary process, in its own process group.
    pub(crate) fn spawn(&mut self, name: &str) -> Run<'_> {
        self.spawn_by(&mut Command::new(PYTHON), &self.words(name))
    }

    /// Starts an attempt as an ordinary process, without the rights of root.
    pub(crate) fn spawn_as_nobody(&mut self, name: &str) -> Run<'_> {
        self.spawn_by(&mut as_nobody(), &self.words(name))
    }

    fn spawn_by(&self, command: &mut Command, words: &[String]) -> Run<'_> {
        let (output, writer) = io::pipe().unwrap();
        let child = command
            .args(words)
            .current_dir(&self.folder)
            .env("SECRET", SECRET)
            .stdin(Stdio::null())
            .stdout(writer.try_clone().unwrap())
            .stderr(writer)
            .process_group(0)
            .spawn();
        self.run(output, Process::Plain(child.unwrap()))
    }

    fn run(&self, output: PipeReader, process: Process) -> Run<'_> {
        Run { world: self, output: BufReader::new(output), process }
    }

    fn words(&self, name: &str) -> Vec<String> {
        let words = ["attempts.py".to_owned(), name.to_owned()];
        words.into_iter().chain(self.arguments.iter().cloned()).collect()
    }

    /// Tests if the program has left a file on the machine.
    pub(crate) fn dropped(&self) -> bool {
        self.folder.join("dropped").exists() || self.root.path().join("dropped").exists()
    }

    /// Tests if the other process has ended or is stopped.
    pub(crate) fn victim_has_suffered(&self) -> bool {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.victim.id()));
        let stat = stat.unwrap_or_default();
        let state = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
        !state.starts_with('S')
    }

    /// Tests if the intruder has connected to the seat of the other program.
    pub(crate) fn other_seat_has_guest(&self) -> bool {
        let Ok((mut guest, _)) = self.other_seat.accept() else { return false };
        let mut text = String::new();
        guest.read_to_string(&mut text).is_ok() && text == "intruder"
    }

    /// Tests if a process survives, and kills it. Without protections, the test waits for the process to appear.
    pub(crate) fn has_survivor(&self) -> bool {
        let is_outside = self.sandbox.protections().is_empty();
        let deadline = Instant::now() + if is_outside { APPEARANCE } else { Duration::ZERO };
        loop {
            let found = self.survivors();
            for &process in &found {
                let _ = rustix::process::kill_process(process, Signal::KILL);
            }
            if !found.is_empty() || Instant::now() >= deadline {
                return !found.is_empty();
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Tests if an object of System V's IPC with the key of this world is left, and removes it.
    pub(crate) fn has_left_objects(&self) -> bool {
        let remove = |kind: &str| {
            let key = self.key.to_string();
            let removed =
                Command::new("ipcrm").args([kind, key.as_str()]).stderr(Stdio::null()).status();
            removed.unwrap().success()
        };
        ["-M", "-S", "-Q"].into_iter().any(remove)
    }

    fn survivors(&self) -> Vec<Pid> {
        let words = |process: &Path| fs::read(process.join("cmdline")).unwrap_or_default();
        let wanted = format!("sleep\0{}\0", self.sleep).into_bytes();
        fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter(|entry| words(&entry.path()) == wanted)
            .filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
            .collect()
    }
}

impl Drop for World<'_> {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
        let _ = fs::remove_dir_all(&self.folder);
        let _ = fs::remove_dir_all(&self.cup);
        let _ = fs::remove_file(&self.shared_memory);
        let _ = self.other.try_wait();
    }
}

impl<'a> Run<'a> {
    /// Waits for a line of output.
    pub(crate) fn read_line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    /// Waits until the program has ended, and ends its descendants; returns its output.
    pub(crate) fn end(self) -> (String, &'a World<'a>) {
        let (text, _, world) = self.end_with_report();
        (text, world)
    }

    pub(crate) fn end_with_report(mut self) -> (String, Option<Report>, &'a World<'a>) {
        let report = match self.process {
            Process::Isolated(mut running) => {
                assert!(running.wait(PATIENCE).unwrap(), "the program does not end");
                Some(running.finish())
            }
            Process::Plain(mut child) => {
                child.wait().unwrap();
                let group = Pid::from_raw(child.id().cast_signed()).unwrap();
                let _ = rustix::process::kill_process_group(group, Signal::KILL);
                None
            }
        };
        // A surviving process may keep the other end open.
        rustix::io::ioctl_fionbio(self.output.get_ref(), true).unwrap();
        let mut bytes = Vec::new();
        let _ = self.output.read_to_end(&mut bytes);
        (String::from_utf8_lossy(&bytes).into_owned(), report, self.world)
    }

    /// Lets another program find out if this one, which has printed `line`, uses up its limits; returns its output. It
    /// is started as this one was.
    pub(crate) fn neighbour(&self, flood: &str, line: &str) -> String {
        let world = self.world;
        let mut words = world.words("neighbour");
        words.extend([format!("flood={flood}"), format!("line={line}")]);
        let run = match &self.process {
            Process::Isolated(_) => {
                let (output, writer) = io::pipe().unwrap();
                let start = |port| program(PYTHON, &words, &world.folder, port);
                let started = world.sandbox.start(&Limits::default(), writer.into(), start);
                match started {
                    Ok(running) => world.run(output, Process::Isolated(Box::new(running))),
                    // The supervisor passes descriptors, too.
                    Err(error) => return format!("SUCCEEDED: {error}"),
                }
            }
            Process::Plain(_) => world.spawn_by(&mut as_nobody(), &words),
        };
        run.end().0
    }

    /// Ends the program and its descendants.
    pub(crate) fn stop(self) {
        match self.process {
            Process::Isolated(running) => drop(running),
            Process::Plain(mut child) => {
                child.kill().unwrap();
                child.wait().unwrap();
            }
        }
    }

    pub(crate) fn running(&mut self) -> &mut Running {
        match &mut self.process {
            Process::Isolated(running) => running,
            Process::Plain(_) => panic!("it is no program of a sandbox"),
        }
    }
}

/// Tests if the organiser can connect to this port, at which a program listens.
pub(crate) fn is_reachable(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

/// Python without the rights of root, which no limit of a user binds.
fn as_nobody() -> Command {
    let mut command = Command::new(PYTHON);
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

pub(crate) fn program(path: &str, words: &[String], folder: &Path, port: u16) -> Invocation {
    Invocation {
        path: path.into(),
        arguments: words.iter().map(Into::into).collect(),
        folder: folder.into(),
        visible: Vec::new(),
        environment: vec![("PACMAN_PORT".into(), port.to_string().into())],
    }
}

fn folder_of(place: &str) -> PathBuf {
    std::env::temp_dir().join(format!("pacman-team-{}-{place}", std::process::id()))
}

fn cup_of(place: &str) -> PathBuf {
    Path::new("/opt").join(format!("pacman-cup-{}-{place}", std::process::id()))
}

fn hidden(folder: &Path) -> PathBuf {
    folder.join("hidden.txt")
}
