//! Ordinary programs in the sandbox, and the reports on them.

use std::fs;
use std::io::{self, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use sandbox::{Invocation, Isolation, LaunchError, Level, Limits, Protection, Report, Sandbox};

use crate::services;
use crate::world::{self, World};

fn sandbox() -> Sandbox {
    World::sandbox(Level::Auto).expect("the launcher runs")
}

fn shell(script: &str) -> impl FnOnce(u16) -> Invocation {
    move |port| {
        world::program("bash", &["-c".to_owned(), script.to_owned()], Path::new("/usr"), port)
    }
}

/// Runs a script to its end; returns its output and its report.
fn run(sandbox: &Sandbox, limits: &Limits, script: &str) -> (String, Report) {
    let (mut output, writer) = io::pipe().unwrap();
    let mut running = sandbox.start(limits, writer.into(), shell(script)).unwrap();
    assert!(running.wait(Duration::from_secs(60)).unwrap(), "the program does not end");
    let report = running.finish();
    let mut text = String::new();
    output.read_to_string(&mut text).unwrap();
    (text, report)
}

#[test]
fn python_plays() {
    let sandbox = sandbox();
    let mut world = World::new(&sandbox, "files");
    let mut run = world.start("ordinary", &Limits::default());
    let listener = run.running().take_listener().expect("it was not taken");
    let game = thread::spawn(move || services::answer(listener.accept().unwrap().0));
    let (text, report, _) = run.end_with_report();
    assert_eq!(text, "ordinary begins\nSUCCEEDED\n");
    assert_eq!(report.unwrap().status.and_then(|status| status.code()), Some(0));
    game.join().unwrap();
}

#[test]
fn java_and_a_compiled_program_run() {
    let sandbox = sandbox();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("team");
    fs::create_dir(&path).unwrap();
    let source = "public class Bot { public static void main(String[] words) throws Exception {
        var threads = new Thread[4];
        for (int i = 0; i < 4; i++) (threads[i] = new Thread(() -> {})).start();
        for (var thread : threads) thread.join();
        java.io.File.createTempFile(\"bot\", null).delete();
        System.out.println(\"java \" + System.getProperty(\"java.io.tmpdir\")
            + java.net.InetAddress.getLocalHost().isLoopbackAddress()); } }";
    fs::write(path.join("Bot.java"), source).unwrap();
    let code = "#include <stdio.h>\nint main(void) { puts(\"compiled\"); return 3; }";
    fs::write(path.join("bot.c"), code).unwrap();
    let mut expected = Vec::new();
    if Command::new("gcc").current_dir(&path).args(["-o", "bot", "bot.c"]).status().is_ok() {
        expected.push(("./bot", Vec::new(), "compiled\n", 3));
    }
    if Command::new("java").arg("--version").output().is_ok() {
        expected.push(("java", vec!["Bot.java".to_owned()], "java /tmptrue\n", 0));
    }
    for (program, words, text, code) in expected {
        let (mut output, writer) = io::pipe().unwrap();
        let start = |port| world::program(program, &words, &path, port);
        let mut running = sandbox.start(&Limits::default(), writer.into(), start).unwrap();
        assert!(running.wait(Duration::from_secs(60)).unwrap());
        let report = running.finish();
        let mut written = String::new();
        output.read_to_string(&mut written).unwrap();
        assert_eq!(written, text, "{report:?}");
        assert_eq!(report.status.and_then(|status| status.code()), Some(code));
    }
}

#[test]
fn many_start_at_a_time_each_with_a_seat_of_its_own() {
    let sandbox = sandbox();
    thread::scope(|scope| {
        for number in 0..8 {
            let sandbox = &sandbox;
            scope.spawn(move || {
                let script = format!("exec 3<>/dev/tcp/127.0.0.1/$PACMAN_PORT; echo {number} >&3");
                let output = io::pipe().unwrap().1;
                let start = shell(&script);
                let mut running = sandbox.start(&Limits::default(), output.into(), start).unwrap();
                let listener: TcpListener = running.take_listener().unwrap();
                let mut text = String::new();
                listener.accept().unwrap().0.read_to_string(&mut text).unwrap();
                assert_eq!(text, format!("{number}\n"));
            });
        }
    });
}

/// The folder of a program lies in a hidden folder of the system, as a package in the folder of a tournament below `/opt`.
#[test]
fn the_inner_one_of_a_hidden_and_a_visible_folder_decides() {
    let cup = Path::new("/opt").join(format!("pacman-cup-{}", std::process::id()));
    let own = cup.join("packages/1");
    if fs::create_dir_all(&own).is_err() {
        println!("only root can write in /opt");
        return;
    }
    fs::write(own.join("bot"), "own\n").unwrap();
    fs::write(own.join("key"), "key\n").unwrap();
    fs::create_dir(cup.join("ada")).unwrap();
    fs::write(cup.join("ada/bot"), "rival\n").unwrap();
    let sandbox = Sandbox::new(Isolation {
        hidden: vec![cup.clone(), own.join("key")],
        launcher: Some(env!("CARGO_BIN_EXE_sandbox-launcher").into()),
        ..Isolation::default()
    });
    let sandbox = sandbox.unwrap();
    let (mut output, writer) = io::pipe().unwrap();
    let script = "cat bot; exec 3<>/dev/tcp/127.0.0.1/$PACMAN_PORT; read -u 3; \
                  cat key ../../*/* ../../t.sqlite; ls ../..";
    let start = |port| world::program("bash", &["-c".to_owned(), script.to_owned()], &own, port);
    let mut running = sandbox.start(&Limits::default(), writer.into(), start).unwrap();
    let mut game = running.take_listener().unwrap().accept().unwrap().0;
    // A file that is made while the program runs is hidden, too.
    fs::write(cup.join("t.sqlite"), "result\n").unwrap();
    game.write_all(b"go\n").unwrap();
    assert!(running.wait(Duration::from_secs(60)).unwrap(), "the program does not end");
    let mut text = String::new();
    output.read_to_string(&mut text).unwrap();
    drop(running);
    fs::remove_dir_all(&cup).unwrap();
    assert!(text.starts_with("own\n"), "{text}");
    for secret in ["key\n", "rival", "result", "ada"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

#[test]
fn the_end_is_reported() {
    let sandbox = sandbox();
    let (_, report) = run(&sandbox, &Limits::default(), "exit 7");
    assert_eq!(report.status.and_then(|status| status.code()), Some(7));
    assert!(!report.exceeded.has_killed());
    let (_, report) = run(&sandbox, &Limits::default(), "kill -SEGV $$");
    let signal =
        report.status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status));
    assert_eq!(signal, Some(11));
    if sandbox.protections().contains(&Protection::Namespaces) {
        assert!(report.run_delay.is_some());
    }
}

#[test]
fn usage_is_measured_with_that_of_children() {
    let sandbox = sandbox();
    let burn = "(while ((SECONDS < 1 || i++ < 200000)); do :; done); :";
    let (_, report) = run(&sandbox, &Limits::default(), burn);
    let cpu = report.cpu.unwrap();
    assert!(cpu > Duration::from_millis(100) && cpu < Duration::from_secs(30), "{report:?}");
    let eat = "x=$(head -c 50000000 /dev/zero | tr '\\0' x); echo ${#x}";
    let (text, report) = run(&sandbox, &Limits::default(), eat);
    assert_eq!(text, "50000000\n");
    assert!(report.peak_memory.unwrap() > 50_000_000, "{report:?}");
}

#[test]
fn limits_that_were_hit_are_reported() {
    let sandbox = sandbox();
    let limits = Limits { cpu: Some(Duration::from_millis(300)), ..Limits::default() };
    let (_, report) = run(&sandbox, &limits, "while :; do :; done");
    assert!(report.exceeded.cpu && report.exceeded.has_killed(), "{report:?}");
    assert_eq!(report.status, None);
    assert!(report.cpu.unwrap() >= Duration::from_millis(250), "{report:?}");
    // Only control groups count kills and refusals.
    if sandbox.protections().contains(&Protection::TotalMemory) {
        let limits = Limits { memory: Some(64 << 20), processes: Some(5), ..Limits::default() };
        let (_, report) = run(&sandbox, &limits, "head -c 200000000 /dev/zero | tail");
        assert!(report.exceeded.oom_kills > 0, "{report:?}");
        let (_, report) = run(&sandbox, &limits, "for i in 1 2 3 4 5 6 7 8; do sleep 9 & done");
        assert!(report.exceeded.failed_forks > 0, "{report:?}");
    }
}

#[test]
fn processor_time_is_told_while_it_runs() {
    let sandbox = sandbox();
    let (mut output, writer) = io::pipe().unwrap();
    let burn = shell("for ((i = 0; i < 300000; i++)); do :; done; echo; sleep 600");
    let mut running = sandbox.start(&Limits::default(), writer.into(), burn).unwrap();
    output.read_exact(&mut [0]).unwrap();
    let first = running.cpu_time().unwrap();
    assert!(first > Duration::from_millis(50), "{first:?}");
    assert!(running.cpu_time().unwrap() >= first);
    if sandbox.protections().contains(&Protection::CpuAccounting) {
        let read = running.meter().read();
        assert!(read.cpu.unwrap() >= first && read.waited.is_some(), "{read:?}");
    }
    assert!(!running.try_wait().unwrap());
    let report = running.finish();
    assert_eq!(report.status, None);
    assert!(report.cpu.unwrap() >= first, "{report:?}");
}

#[test]
fn a_process_name_that_is_not_utf_8_hides_no_processor_time() {
    // Without protections, there is no control group to measure processor time.
    let sandbox = World::sandbox(Level::None).expect("there is always no sandbox");
    let (mut output, writer) = io::pipe().unwrap();
    let script = "printf '\\xff' > /proc/$$/comm; for ((i = 0; i < 300000; i++)); do :; done; echo; sleep 600";
    let mut running = sandbox.start(&Limits::default(), writer.into(), shell(script)).unwrap();
    output.read_exact(&mut [0]).unwrap();
    let used = running.cpu_time().unwrap();
    assert!(used > Duration::from_millis(50), "{used:?}");
}

#[test]
fn a_wrong_program_is_its_own_fault() {
    let sandbox = sandbox();
    let none = || fs::File::options().write(true).open("/dev/null").unwrap().into();
    let own = |path: &str, folder: &str| {
        let start = |port| world::program(path, &[], Path::new(folder), port);
        match sandbox.start(&Limits::default(), none(), start) {
            Err(error @ LaunchError::Program { .. }) => error.to_string(),
            other => panic!("{path} in {folder}: {other:?}"),
        }
    };
    assert!(own("no-such-program", "/usr").contains("no-such-program"));
    assert!(own("/etc/passwd", "/usr").contains("/etc/passwd"));
    assert!(own("bash", "/no/such/folder").contains("/no/such/folder"));
    assert!(own("bash", "/").contains('/'));
    assert!(own("bash", "/etc/passwd").contains("/etc/passwd"));
}

/// A crowd of processes does not keep the program's own supervisor from ending it.
#[test]
fn a_crowd_uses_no_more_time_than_its_limit() {
    let sandbox = sandbox();
    let limits = Limits { cpu: Some(Duration::from_secs(1)), ..Limits::default() };
    let script = "import os, time
parent = os.getppid()
for slow in (
    lambda: os.sched_setscheduler(parent, os.SCHED_IDLE, os.sched_param(0)),
    lambda: os.setpriority(os.PRIO_PROCESS, parent, 19),
):
    try:
        slow()
    except OSError:
        pass
for _ in range(200):
    if os.fork() == 0:
        while True:
            pass
time.sleep(600)";
    let writer = io::pipe().unwrap().1;
    let words = ["-c".to_owned(), script.to_owned()];
    let start = |port| world::program("python3", &words, Path::new("/usr"), port);
    let mut running = sandbox.start(&limits, writer.into(), start).unwrap();
    assert!(running.wait(Duration::from_secs(60)).unwrap(), "the program does not end");
    let report = running.finish();
    assert!(report.exceeded.cpu, "{report:?}");
    let cpu = report.cpu.unwrap();
    assert!(cpu < Duration::from_secs(4), "{cpu:?}");
    println!("{cpu:?} of 1 s");
}

#[test]
fn levels_keep_their_word() {
    let none = World::sandbox(Level::None).unwrap();
    assert!(none.protections().is_empty() && none.gaps().is_empty());
    let auto = sandbox();
    match World::sandbox(Level::Strict) {
        Ok(strict) => assert_eq!(strict.protections(), auto.protections()),
        Err(error) => {
            for gap in auto.gaps().iter().filter(|gap| gap.protection.is_required()) {
                assert!(error.to_string().contains(&gap.to_string()), "{error}");
            }
        }
    }
}
