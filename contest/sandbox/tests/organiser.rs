//! Organisers as separate processes: one is killed, another has no user namespaces, another a masked `/proc`, another a
//! terminal, and another is root with the rights that root usually has in a container.
#![cfg(target_os = "linux")]
#![expect(clippy::print_stdout, reason = "an organiser tells the test by it")]

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, exit};
use std::time::Duration;

use nix::sched::CloneFlags;
use rustix::mount::MountFlags;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::pty::OpenptFlags;
use rustix::thread::CapabilitySet;
use sandbox::{
    Invocation, Isolation, LaunchError, Level, Limits, Protection, Sandbox, SandboxError,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    sandbox::launcher_main();
    match std::env::args().nth(1).as_deref() {
        Some("organise") => organise(),
        Some("without-namespaces") => without_namespaces(),
        Some("with-masked-proc") => with_masked_proc(),
        Some("as-restricted-root") => as_restricted_root(),
        Some("with-terminal") => with_terminal(),
        Some("with-stopped-supervisor") => with_stopped_supervisor(),
        Some("as-root-of-container") => as_root_of_container(),
        // The test runner lists the tests; these ones always run together.
        Some("--list") => {
            if std::env::args().all(|word| word != "--ignored") {
                println!("organiser: test");
            }
            Ok(())
        }
        _ => {
            programs_end_with_the_organiser()?;
            again("without-namespaces")?;
            again("with-masked-proc")?;
            again("as-restricted-root")?;
            again("with-terminal")?;
            again("with-stopped-supervisor")?;
            in_container("as-root-of-container")?;
            println!("organiser: ok");
            Ok(())
        }
    }
}

/// All processes of a program end when its organiser is killed; the organiser prints their ids before.
fn programs_end_with_the_organiser() -> Outcome {
    let mut organiser =
        Command::new("/proc/self/exe").arg("organise").stdout(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(organiser.stdout.take().ok_or("no output")?).lines();
    let mut started = Vec::new();
    for process in lines.next().ok_or("no process")??.split(' ') {
        let process = process.parse().ok().and_then(Pid::from_raw).ok_or("no number")?;
        started.push(pidfd_open(process, PidfdFlags::empty())?);
    }
    assert!(started.len() >= 3, "launcher, supervisor, program and the sleeper of the program");
    organiser.kill()?;
    organiser.wait()?;
    for process in started {
        let mut event = [rustix::event::PollFd::new(&process, rustix::event::PollFlags::IN)];
        let patience = rustix::event::Timespec { tv_sec: 30, tv_nsec: 0 };
        assert_eq!(rustix::event::poll(&mut event, Some(&patience))?, 1, "it is still there");
    }
    // The killed organiser could not remove its control groups; the next organiser does.
    let _next = Sandbox::new(Isolation::default())?;
    let name = format!("pacman-{}-", organiser.id());
    let left = groups(Path::new("/sys/fs/cgroup"), &name);
    assert!(left.is_empty(), "{left:?}");
    Ok(())
}

/// Control groups below `folder` whose names start with `name`.
fn groups(folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(name) {
            found.push(entry.path());
        } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(groups(&entry.path(), name));
        }
    }
    found
}

/// Starts a program with a child in a session of its own, prints their process ids, and waits.
fn organise() -> Outcome {
    let sandbox = Sandbox::new(Isolation::default())?;
    let (mut output, writer) = std::io::pipe()?;
    let _running = sandbox.start(&Limits::default(), writer.into(), |_| Invocation {
        path: "/bin/sh".into(),
        arguments: vec!["-c".into(), "setsid sleep 600 & echo started; sleep 600".into()],
        folder: "/usr".into(),
        visible: Vec::new(),
        environment: Vec::new(),
    })?;
    output.read_exact(&mut [0; 8])?;
    let mut found = Vec::new();
    let mut left = children("self");
    while let Some(process) = left.pop() {
        left.extend(children(&process));
        found.push(process);
    }
    println!("{}", found.join(" "));
    loop {
        std::thread::park();
    }
}

fn children(process: &str) -> Vec<String> {
    let mut found = Vec::new();
    for task in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
        let text = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(text.split_whitespace().map(str::to_owned));
    }
    found
}

/// Runs a part of this test in a separate process.
fn again(part: &str) -> Outcome {
    let done = Command::new("/proc/self/exe").arg(part).status()?;
    assert!(done.success(), "{part}: {done}");
    Ok(())
}

/// Runs a part of this test as root in a user namespace with the usual number of users, as a container may have. Root's
/// files still belong to it. Needs root.
fn in_container(part: &str) -> Outcome {
    if !rustix::process::geteuid().is_root() {
        println!("{part}: only root can test this");
        return Ok(());
    }
    let mut child = Command::new("/proc/self/exe")
        .arg(part)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no output")?);
    let mut line = String::new();
    output.read_line(&mut line)?;
    if line == "entered\n" {
        for map in ["uid_map", "gid_map"] {
            fs::write(format!("/proc/{}/{map}", child.id()), "0 0 65536")?;
        }
    }
    drop(child.stdin.take());
    io::copy(&mut output, &mut io::stdout())?;
    let done = child.wait()?;
    assert!(done.success(), "{part}: {done}");
    Ok(())
}

/// Becomes root of new namespaces; `false` if this system has no user namespaces.
fn enter(flags: CloneFlags) -> Result<bool, Box<dyn std::error::Error>> {
    let (user, group) = (nix::unistd::geteuid(), nix::unistd::getegid());
    if nix::sched::unshare(CloneFlags::CLONE_NEWUSER | flags).is_err() {
        println!("there are no user namespaces here");
        return Ok(false);
    }
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("0 {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("0 {group} 1"))?;
    Ok(true)
}

/// In a container, parts of `/proc` are usually covered, and then the kernel does not mount a complete `/proc`.
fn with_masked_proc() -> Outcome {
    if !enter(CloneFlags::CLONE_NEWNS)? {
        return Ok(());
    }
    let (flags, options) = (MountFlags::empty(), None);
    rustix::mount::mount("none", "/proc/sys", "tmpfs", flags, options)?;
    let sandbox = Sandbox::new(Isolation::default())?;
    let missing: Vec<_> = sandbox.gaps().iter().map(|gap| gap.protection).collect();
    assert!(missing.contains(&Protection::OwnProc), "{missing:?}");
    assert!(sandbox.protections().contains(&Protection::Namespaces), "{:?}", sandbox.gaps());
    let text = run(&sandbox, Path::new("/usr"), "echo $$; echo $HOME")?;
    assert_eq!(text, "2\n/tmp\n", "the second process of a namespace of its own");
    Ok(())
}

/// Runs a script of bash in a sandbox to its end; returns its output.
fn run(
    sandbox: &Sandbox,
    folder: &Path,
    script: &str,
) -> Result<String, Box<dyn std::error::Error>> {
    let (mut output, writer) = std::io::pipe()?;
    let mut running = sandbox.start(&Limits::default(), writer.into(), |_| Invocation {
        path: "bash".into(),
        arguments: vec!["-c".into(), script.into()],
        folder: folder.into(),
        visible: Vec::new(),
        environment: Vec::new(),
    })?;
    assert!(running.wait(Duration::from_secs(60))?, "the program does not end");
    let _ = running.finish();
    let mut text = String::new();
    output.read_to_string(&mut text)?;
    Ok(text)
}

/// The organiser itself limits processor time, should a supervisor not do so.
fn with_stopped_supervisor() -> Outcome {
    let sandbox = Sandbox::new(Isolation::default())?;
    if !sandbox.protections().contains(&Protection::CpuAccounting) {
        println!("there is no control group to measure processor time");
        return Ok(());
    }
    let (mut output, writer) = std::io::pipe()?;
    let limits = Limits { cpu: Some(Duration::from_secs(1)), ..Limits::default() };
    let script = "echo started; while :; do :; done & while :; do :; done";
    let mut running = sandbox.start(&limits, writer.into(), |_| Invocation {
        path: "bash".into(),
        arguments: vec!["-c".into(), script.into()],
        folder: "/usr".into(),
        visible: Vec::new(),
        environment: Vec::new(),
    })?;
    output.read_exact(&mut [0; 8])?;
    // The launcher and, unless it is the same process, the supervisor.
    let mut left = children("self");
    while let Some(process) = left.pop() {
        left.extend(children(&process));
        if fs::read_to_string(format!("/proc/{process}/comm"))? != "bash\n" {
            let process = process.parse().ok().and_then(Pid::from_raw).ok_or("no number")?;
            rustix::process::kill_process(process, rustix::process::Signal::STOP)?;
        }
    }
    assert!(running.wait(Duration::from_secs(60))?, "nothing ends the program");
    let report = running.finish();
    assert!(report.exceeded.cpu, "{report:?}");
    assert!(report.cpu.is_some_and(|cpu| cpu < Duration::from_secs(4)), "{report:?}");
    Ok(())
}

/// Programs have no controlling terminal: they could type commands into that of the organiser.
fn with_terminal() -> Outcome {
    rustix::process::setsid()?;
    let terminal = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    rustix::pty::unlockpt(&terminal)?;
    let name = rustix::pty::ptsname(&terminal, Vec::new())?.into_string()?;
    // It becomes the controlling terminal of this session.
    let _terminal = fs::File::options().read(true).write(true).open(name)?;
    // The seventh field of `stat` is the number of the terminal. The name of the process is a single word here.
    let script = "read -r -a stat < /proc/self/stat; echo ${stat[6]}";
    let none = Sandbox::new(Isolation { level: Level::None, ..Isolation::default() })?;
    assert_ne!(run(&none, Path::new("/usr"), script)?, "0\n", "there is a terminal");
    let sandbox = Sandbox::new(Isolation::default())?;
    assert_eq!(run(&sandbox, Path::new("/usr"), script)?, "0\n");
    // A terminal that is closed earlier hangs up, which ends its session.
    exit(0)
}

/// Root without the right to make namespaces, as in Docker: programs still lose the user, and everything with it.
fn as_root_of_container() -> Outcome {
    if nix::sched::unshare(CloneFlags::CLONE_NEWUSER).is_err() {
        println!("there are no user namespaces here");
        return Ok(());
    }
    println!("entered");
    io::stdin().read_to_end(&mut Vec::new())?;
    fs::write("/proc/sys/user/max_user_namespaces", "0")?;
    let strict = Sandbox::new(Isolation { level: Level::Strict, ..Isolation::default() });
    let Err(SandboxError::Gaps(gaps)) = strict else { panic!("strict is no error: {strict:?}") };
    assert!(gaps.iter().any(|gap| gap.protection == Protection::Namespaces), "{gaps:?}");
    let hidden = vec!["/usr/lib/os-release".into()];
    let sandbox = Sandbox::new(Isolation { hidden, ..Isolation::default() })?;
    let protections = sandbox.protections();
    assert!(!protections.contains(&Protection::Namespaces), "{protections:?}");

    let world = tempfile::tempdir()?;
    fs::set_permissions(world.path(), fs::Permissions::from_mode(0o755))?;
    let folder = world.path().join("team");
    fs::create_dir(&folder)?;
    root_is_left_behind(&sandbox, &folder)?;
    nothing_outlives_the_supervisor(&sandbox, &folder)?;
    fs::set_permissions(world.path(), fs::Permissions::from_mode(0o700))?;
    match run(&sandbox, &folder, "true") {
        Ok(text) => panic!("it is in a closed folder: {text}"),
        Err(error) => {
            let error = error.downcast::<LaunchError>()?;
            assert!(matches!(*error, LaunchError::Machine { .. }), "it is no fault: {error}");
            assert!(error.to_string().contains(&folder.display().to_string()), "{error}");
        }
    }
    the_rest_still_protects(&sandbox)
}

/// Checks that programs have users of their own, no rights, and devices that are harmless.
fn root_is_left_behind(sandbox: &Sandbox, folder: &Path) -> Outcome {
    let script = "echo $UID $(id -G); grep CapEff /proc/self/status; echo x > /dev/null && echo null; \
        echo kept > $HOME/note && cat $HOME/note; head -c 1 /dev/urandom | wc -c; \
        for file in /etc/shadow /dev/kmsg /dev/mem /dev/loop0 /dev/sda /dev/vda /dev/tty /root/.profile; do \
            (: < $file) && echo reads $file; done; \
        for file in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/self/comm /dev/kmsg /dev/loop0 \
            /dev/ptmx /dev/net/tun /dev/fuse; do (: >> $file) && echo writes $file; done";
    let organiser = std::process::id();
    let script = format!("{script}; kill -0 {organiser} && echo signals the organiser; exit 0");
    let (one, other) = (run(sandbox, folder, &script)?, run(sandbox, folder, &script)?);
    for text in [&one, &other] {
        for word in ["reads", "writes", "signals"] {
            assert!(!text.lines().any(|line| line.starts_with(word)), "{text}");
        }
        let user = text.split(' ').next().and_then(|user| user.parse::<u32>().ok());
        let user = user.filter(|user| (60_578..=61_183).contains(user)).ok_or(text.clone())?;
        assert!(text.starts_with(&format!("{user} {user}\n")), "{text}");
        for line in ["CapEff:\t0000000000000000", "null", "kept", "1"] {
            assert!(text.lines().any(|other| other == line), "{line} is missing:\n{text}");
        }
    }
    Ok(())
}

/// A program cannot kill its supervisor, and ends with all its processes when somebody else does.
fn nothing_outlives_the_supervisor(sandbox: &Sandbox, folder: &Path) -> Outcome {
    let (mut output, writer) = std::io::pipe()?;
    let running = sandbox.start(&Limits::default(), writer.into(), |_| Invocation {
        path: "bash".into(),
        arguments: vec![
            "-c".into(),
            "kill -KILL $PPID 2>/dev/null; setsid sleep 600 & echo $! $PPID; wait".into(),
        ],
        folder: folder.into(),
        visible: Vec::new(),
        environment: Vec::new(),
    })?;
    let mut line = String::new();
    BufReader::new(&mut output).read_line(&mut line)?;
    let mut numbers = line.split_whitespace().map(|word| Pid::from_raw(word.parse().ok()?));
    let sleeper = numbers.next().flatten().ok_or("no number")?;
    let supervisor = numbers.next().flatten().ok_or("no supervisor")?;
    let sleeper = pidfd_open(sleeper, PidfdFlags::empty())?;
    rustix::process::kill_process(supervisor, rustix::process::Signal::KILL)?;
    drop(running);
    let mut event = [rustix::event::PollFd::new(&sleeper, rustix::event::PollFlags::IN)];
    let patience = rustix::event::Timespec { tv_sec: 30, tv_nsec: 0 };
    assert_eq!(rustix::event::poll(&mut event, Some(&patience))?, 1, "it is still there");
    Ok(())
}

/// Runs as root without the right to copy mounts, as in a container.
fn as_restricted_root() -> Outcome {
    if !rustix::process::geteuid().is_root() {
        println!("only root can give a right of root up");
        return Ok(());
    }
    let mut rights = rustix::thread::capabilities(None)?;
    rights.effective.remove(CapabilitySet::SYS_ADMIN);
    rights.permitted.remove(CapabilitySet::SYS_ADMIN);
    rustix::thread::set_capabilities(None, rights)?;
    let sandbox = Sandbox::new(Isolation::default())?;
    let missing: Vec<_> = sandbox.gaps().iter().map(|gap| gap.protection).collect();
    assert!(missing.contains(&Protection::Namespaces), "{missing:?}");
    let (mut output, writer) = std::io::pipe()?;
    let mut running = sandbox.start(&Limits::default(), writer.into(), |_| Invocation {
        path: "bash".into(),
        arguments: vec!["-c".into(), "echo started".into()],
        folder: "/usr".into(),
        visible: vec!["/usr/lib".into()],
        environment: Vec::new(),
    })?;
    assert!(running.wait(Duration::from_secs(30))?);
    let _ = running.finish();
    let mut text = String::new();
    output.read_to_string(&mut text)?;
    assert_eq!(text, "started\n");
    Ok(())
}

/// Runs in a user namespace whose settings forbid nested namespaces.
fn without_namespaces() -> Outcome {
    if enter(CloneFlags::empty())? {
        fs::write("/proc/sys/user/max_user_namespaces", "0")?;
    }
    let strict = Sandbox::new(Isolation { level: Level::Strict, ..Isolation::default() });
    match strict {
        Err(SandboxError::Gaps(gaps)) => {
            assert!(gaps.iter().any(|gap| gap.protection == Protection::Namespaces), "{gaps:?}");
        }
        other => {
            println!("strict is no error: {other:?}");
            exit(1);
        }
    }
    let hidden = vec!["/usr/lib/os-release".into()];
    let sandbox = Sandbox::new(Isolation { hidden, ..Isolation::default() })?;
    assert!(!sandbox.protections().contains(&Protection::Namespaces));
    for gap in sandbox.gaps() {
        println!("not protected: {gap}");
    }
    the_rest_still_protects(&sandbox)
}

/// Checks that Landlock still protects files, and refuses connections to other ports.
fn the_rest_still_protects(sandbox: &Sandbox) -> Outcome {
    if !sandbox.protections().contains(&Protection::Landlock) {
        return Ok(());
    }
    let other = std::net::TcpListener::bind("127.0.0.1:0")?;
    let port = other.local_addr()?.port();
    let world = tempfile::tempdir()?;
    let (folder, secret) = (world.path().join("team"), world.path().join("secret"));
    fs::create_dir(&folder)?;
    fs::write(&secret, "secret")?;
    let script = format!(
        "cat {secret}; cat /usr/lib/os-release; echo x > {folder}/dropped; echo kept > $HOME/note && cat $HOME/note; \
         (: < /dev/tcp/127.0.0.1/{port}) && echo connected; \
         (: < /dev/tcp/127.0.0.1/$PACMAN_PORT) && echo playing; \
         unshare -m true && echo unshared; kill -0 {organiser} && echo signalled; exit 0",
        secret = secret.display(),
        folder = folder.display(),
        organiser = std::process::id(),
    );
    let (mut output, writer) = std::io::pipe()?;
    let mut running = sandbox.start(&Limits::default(), writer.into(), |port| Invocation {
        path: "bash".into(),
        arguments: vec!["-c".into(), script.into()],
        folder: folder.clone(),
        visible: Vec::new(),
        environment: vec![("PACMAN_PORT".into(), port.to_string().into())],
    })?;
    let mut text = String::new();
    output.read_to_string(&mut text)?;
    let seat = running.take_listener().ok_or("no seat")?;
    let (_guest, _) = seat.accept()?;
    assert!(running.wait(Duration::from_secs(30))?);
    let report = running.finish();
    assert!(report.status.is_some_and(|status| status.success()), "{report:?}\n{text}");
    for word in ["kept", "playing"] {
        assert!(text.lines().any(|line| line == word), "{word} is missing:\n{text}");
    }
    for word in ["secret", "connected", "unshared", "signalled"] {
        assert!(!text.lines().any(|line| line == word), "{word}:\n{text}");
    }
    assert!(!text.contains("NAME="), "a hidden file of the system:\n{text}");
    assert!(!folder.join("dropped").exists());
    Ok(())
}
