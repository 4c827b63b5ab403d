//! The supervisor: sets namespaces up, starts the program, and adopts orphaned processes.
//!
//! In a process namespace, the supervisor is the first process: when it ends, the kernel kills all others.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio, exit};
use std::time::Duration;

use language::{Note, Phrase};
use nix::sys::signal::{SigSet, Signal as SignalNumber};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::process::{
    DumpableBehavior, Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitOptions, setrlimit,
    wait, waitid, waitpid,
};
use rustix::thread::{CpuSet, sched_setaffinity};

use crate::gap::Protection;
use crate::linux::cgroup::OWN_PROCESSES;
use crate::linux::meter::cpu_in;
use crate::linux::processes;
use crate::linux::wire::{self, Answer, Cause, Failure, Job, Question, Step};
use crate::linux::{copy, domain, filter, loopback, privileges, view};
use crate::program::{Invocation, Limits};

/// The step of a start that changes the user, in words.
pub(crate) const USER: Phrase = Phrase::new("to become another user", "changer d'utilisateur");
/// Maximum number of open files of a process.
const FILES: u64 = 4096;
/// Maximum number of pending signals, which timers need too.
const SIGNALS: u64 = 4096;
/// Size in bytes of the largest core file.
const CORE: u64 = 1;
/// Shortest interval between two checks of the processor time.
const SHORTEST_LOOK: Duration = Duration::from_millis(10);

/// The supervisor as the first process of its namespaces.
pub(crate) fn run(job: &Job, mounts: Vec<OwnedFd>, control: &OwnedFd) -> Result<(), Failure> {
    // The supervisor ends with the launcher.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .on_machine("to end with the launcher", "finir avec le lanceur")?;
    hide()?;
    loopback::bring_up().in_namespaces("a network of its own", "un réseau à lui")?;
    let listen = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = listen(job.port)
        .on_machine("a port in a network of its own", "un port dans un réseau à lui")?;
    let trap = job.trap.and_then(|port| listen(port).ok());
    let sockets: Vec<_> = [Some(&listener), trap.as_ref()].into_iter().flatten().collect();
    let sockets: Vec<_> = sockets.into_iter().map(AsFd::as_fd).collect();
    wire::send(control, &Answer::Listening, &sockets)
        .on_machine("to hand a socket over", "passer une socket")?;
    drop((listener, trap));
    rustix::system::sethostname(b"localhost")
        .in_namespaces("a host name of its own", "un nom de machine à lui")?;
    let cpu_file = open_cpu_file(job)?;
    view::build(job, mounts)?;
    start_and_watch(job, cpu_file, control)
}

/// The supervisor without namespaces.
pub(crate) fn supervise(job: &Job, control: &OwnedFd) -> Result<(), Failure> {
    if !job.protections.is_empty() {
        hide()?;
    }
    let cpu_file = open_cpu_file(job)?;
    start_and_watch(job, cpu_file, control)
}

/// Keeps the program, which may have the same user, from inspecting this process.
fn hide() -> Result<(), Failure> {
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).on_machine(
        "a process that cannot be looked into",
        "un processus que personne ne peut inspecter",
    )
}

fn open_cpu_file(job: &Job) -> Result<Option<File>, Failure> {
    job.cpu_file.as_ref().map(File::open).transpose().step(
        Cause::Protection(Protection::CpuAccounting),
        Phrase::new("to measure processor time", "mesurer le temps de calcul"),
    )
}

fn start_and_watch(job: &Job, cpu_file: Option<File>, control: &OwnedFd) -> Result<(), Failure> {
    // The first process of a process namespace is safe from the others; any other supervisor keeps rights of its own.
    let is_apart = !job.has(Protection::Namespaces) && !job.protections.is_empty();
    if !is_apart {
        confine(job)?;
    }
    let mut meter = ProgramTime { file: cpu_file, before: Duration::ZERO };
    meter.before = meter.total();
    let started = Answer::Started { cpu_before: meter.before };
    let child = if is_apart { start_apart(job)? } else { start(job)? };
    release_output().on_machine("to close the output", "fermer la sortie")?;
    wire::send(control, &started, &[]).on_machine("an answer", "une réponse")?;
    let Some(child) = child else { return Ok(()) };
    let watched = watch(child, &job.limits, &mut meter, control);
    end_descendants(job.has(Protection::Namespaces));
    watched.on_machine("to watch a program", "surveiller un programme")
}

/// Limits this process and its descendants for good.
fn confine(job: &Job) -> Result<(), Failure> {
    limit(job).on_machine("the limits of a process", "les limites d'un processus")?;
    bind(&job.limits.cores)
        .on_machine("the processors of a program", "les processeurs d'un programme")?;
    if !job.protections.is_empty() {
        privileges::give_up().on_machine("to give up rights", "renoncer à des droits")?;
    }
    if job.has(Protection::Landlock) {
        domain::enter(job)
            .step(Cause::Protection(Protection::Landlock), Phrase::new("Landlock", "Landlock"))?;
    }
    if job.has(Protection::SystemCalls) {
        filter::apply(job).step(
            Cause::Protection(Protection::SystemCalls),
            Phrase::new("a filter of system calls", "un filtre d'appels système"),
        )?;
    }
    Ok(())
}

/// Starts the program, with the rights of this process; `None` in a trial.
fn start(job: &Job) -> Result<Option<Pid>, Failure> {
    let Some(program) = &job.program else { return Ok(None) };
    enter_folder(job, &program.folder)?;
    match command(program).spawn() {
        // A process id is positive.
        Ok(child) => Ok(Pid::from_raw(child.id().cast_signed())),
        Err(error) => Err(not_started(program, &error)),
    }
}

/// Starts the program in a copy of this process, which gives up the rights that this process keeps; `None` in a trial.
/// Thus, the program can neither signal nor inspect its supervisor, even without namespaces.
fn start_apart(job: &Job) -> Result<Option<Pid>, Failure> {
    const STEP: Phrase = Phrase::new("a process for a program", "un processus pour un programme");
    // The pipe is closed when the copy becomes the program.
    let (mut reader, writer) = io::pipe().step(Cause::Machine, STEP)?;
    let Some(copy) = copy::begin().step(Cause::Machine, STEP)? else {
        let written = serde_json::to_writer(&writer, &become_program(job).err());
        exit(i32::from(written.is_err()));
    };
    drop(writer);
    let mut failed = Vec::new();
    reader.read_to_end(&mut failed).step(Cause::Machine, STEP)?;
    if failed.is_empty() {
        return Ok(Some(copy));
    }
    waitpid(Some(copy), WaitOptions::empty()).step(Cause::Machine, STEP)?;
    match serde_json::from_slice(&failed).map_err(io::Error::from).step(Cause::Machine, STEP)? {
        Some(failure) => Err(failure),
        None => Ok(None),
    }
}

/// Becomes the program, and returns only if this fails, or in a trial.
fn become_program(job: &Job) -> Result<(), Failure> {
    if let Some(user) = job.user {
        privileges::become_user(user).step(Cause::Protection(Protection::OwnUser), USER)?;
    }
    confine(job)?;
    let Some(program) = &job.program else { return Ok(()) };
    enter_folder(job, &program.folder)?;
    Err(not_started(program, &command(program).exec()))
}

fn command(program: &Invocation) -> Command {
    let mut command = Command::new(&program.path);
    command
        .args(&program.arguments)
        .env_clear()
        .envs(program.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null());
    command
}

fn not_started(program: &Invocation, error: &io::Error) -> Failure {
    let cause = match Errno::from_io_error(error) {
        // The machine has too many processes or files. Any other error is the program's, such as a file being written.
        Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE) => Cause::Machine,
        _ => Cause::Program,
    };
    Failure::new(cause, Note::same(program.path.to_string_lossy()), error)
}

/// Makes the folder of the program the current one. Without a mount namespace, a user of the sandbox may be unable to enter
/// the organiser's home, which is no fault of the program.
fn enter_folder(job: &Job, folder: &Path) -> Result<(), Failure> {
    let entered = rustix::process::chdir(folder);
    let name = folder.to_string_lossy();
    match (entered, job.user) {
        (Err(Errno::ACCESS), Some(user)) if !job.has(Protection::Namespaces) => {
            let what = Note::new(
                format!("a folder that the user {user} of a program may enter, unlike {name}"),
                format!(
                    "un dossier ouvert à l'utilisateur {user} d'un programme, ce que {name} n'est pas"
                ),
            );
            entered.step(Cause::Machine, what)
        }
        _ => entered.step(Cause::Program, Note::same(name)),
    }
}

/// Kills and reaps all descendants, which become children when their parents end. The kernel would also kill those in
/// a process namespace, but would not add up their resource usage.
fn end_descendants(isolated: bool) {
    let is_first = isolated && rustix::process::getpid().is_init();
    loop {
        if is_first {
            // Kills all processes of the namespace except this one; fails if there are none.
            let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(-1), SignalNumber::SIGKILL);
        } else {
            for child in processes::children_of_self() {
                // Fails if the child has ended already.
                let _ = rustix::process::kill_process(child, Signal::KILL);
            }
        }
        match wait(WaitOptions::empty()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// Closes the output in this process, so that the output ends with the program.
pub(crate) fn release_output() -> io::Result<()> {
    let null = File::options().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}

/// Waits until the program ends, the organiser exits or requests an end, or the processor time is used up.
fn watch(
    child: Pid,
    limits: &Limits,
    meter: &mut ProgramTime,
    control: &OwnedFd,
) -> io::Result<()> {
    let mut signals = SigSet::empty();
    signals.add(SignalNumber::SIGCHLD);
    signals.thread_block()?;
    let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
    let ended = SignalFd::with_flags(&signals, flags)?;
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    loop {
        let run_delay = has_ended(child).then(|| processes::run_delay(child)).flatten();
        if let Some(status) = reap(child)? {
            let answer = Answer::Ended { status: Some(status), cpu_exceeded: false, run_delay };
            return wire::send(control, &answer, &[]);
        }
        let left = limits.cpu.map(|limit| limit.saturating_sub(meter.used()));
        if left.is_some_and(|left| left.is_zero()) {
            let answer = Answer::Ended { status: None, cpu_exceeded: true, run_delay: None };
            return wire::send(control, &answer, &[]);
        }
        // On all processors at once, the program can use up the time within this pause.
        let pause = left.map(|left| (left / processors as u32).max(SHORTEST_LOOK));
        let pause = pause.and_then(|pause| Timespec::try_from(pause).ok());
        let mut sources = [PollFd::new(control, PollFlags::IN), PollFd::new(&ended, PollFlags::IN)];
        match poll(&mut sources, pause.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let (is_asked, is_told) =
            (!sources[0].revents().is_empty(), !sources[1].revents().is_empty());
        if is_asked {
            match wire::receive(control, RecvFlags::empty())? {
                Some((Question::Cpu, _)) => {
                    wire::send(control, &Answer::Cpu(meter.used()), &[])?;
                }
                None => return Ok(()),
            }
        }
        if is_told {
            // Ended processes are found by `wait`; several signals may arrive as one.
            ended.read_signal()?;
        }
    }
}

/// Tests if a child has ended, without reaping it.
fn has_ended(child: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::Pid(child), options), Ok(Some(_)))
}

/// Reaps ended processes up to the program itself. Returns the program's status in the encoding of the kernel, or `None`
/// while it runs.
fn reap(child: Pid) -> io::Result<Option<i32>> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((ended, status))) if ended == child => return Ok(Some(status.as_raw())),
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Sets the limits of single processes, which all descendants of the program inherit.
fn limit(job: &Job) -> io::Result<()> {
    let both = |limit| Rlimit { current: Some(limit), maximum: Some(limit) };
    // With the limit 0, the kernel still starts the program of a piped `core_pattern`, as root; with the limit 1, neither
    // this nor a file.
    setrlimit(Resource::Core, both(CORE))?;
    if job.protections.is_empty() {
        // Without isolation, only the requested limits apply.
        limit_single(&job.limits)?;
        return Ok(());
    }
    setrlimit(Resource::Nofile, both(FILES))?;
    // The kernel counts messages, locked memory and signals for each user, not for each program.
    setrlimit(Resource::Msgqueue, both(0))?;
    setrlimit(Resource::Memlock, both(64 << 10))?;
    setrlimit(Resource::Sigpending, both(SIGNALS))?;
    if !job.has(Protection::TotalMemory) {
        limit_single(&job.limits)?;
    }
    let by_user = [Protection::Namespaces, Protection::OwnUser].into_iter().any(|one| job.has(one));
    let by_user = by_user && !job.groups_count_processes;
    if let Some(count) = job.limits.processes.filter(|_| by_user) {
        // This limit counts the processes of a user in a user namespace, including the launcher and this process.
        setrlimit(Resource::Nproc, both(u64::from(count) + u64::from(OWN_PROCESSES)))?;
    }
    Ok(())
}

/// Binds this process and its descendants to these processors.
fn bind(cores: &[u32]) -> io::Result<()> {
    if cores.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    // A number that does not fit is no processor of this machine.
    let known = cores.iter().filter(|&&core| (core as usize) < CpuSet::MAX_CPU);
    known.for_each(|&core| set.set(core as usize));
    Ok(sched_setaffinity(None, &set)?)
}

/// Limits memory and processor time of single processes.
fn limit_single(limits: &Limits) -> io::Result<()> {
    if let Some(bytes) = limits.memory {
        // Memory that is reserved but never used, as by Java, does not count as data.
        setrlimit(Resource::Data, Rlimit { current: Some(bytes), maximum: Some(bytes) })?;
    }
    if let Some(time) = limits.cpu {
        let seconds = time.as_secs() + 1;
        let limit = Rlimit { current: Some(seconds), maximum: Some(seconds + 1) };
        setrlimit(Resource::Cpu, limit)?;
    }
    Ok(())
}

/// Processor time of the program: of its control group, otherwise of the descendants of this process.
struct ProgramTime {
    file: Option<File>,
    /// Processor time of the launcher and this process before the start of the program.
    before: Duration,
}

impl ProgramTime {
    fn used(&mut self) -> Duration {
        self.total().saturating_sub(self.before)
    }

    fn total(&mut self) -> Duration {
        self.in_group().unwrap_or_else(processes::cpu_of_descendants)
    }

    fn in_group(&mut self) -> Option<Duration> {
        let file = self.file.as_mut()?;
        file.rewind().ok()?;
        let mut text = String::new();
        file.read_to_string(&mut text).ok()?;
        cpu_in(&text)
    }
}
