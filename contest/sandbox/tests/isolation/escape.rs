//! Attempts of a hostile program: each attempt succeeds without the sandbox, and fails inside.

use std::time::Duration;

use sandbox::Protection::{self, *};
use sandbox::{Level, Limits};

use crate::world::{Run, World, is_reachable};

/// The control run of an attempt, in which it succeeds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Without {
    /// At the level `aucun`.
    Sandbox,
    /// At the level `aucun`, and as root.
    SandboxAsRoot,
    /// As a plain process whose group is killed at the end.
    Supervisor,
    /// As a plain process, and if the test is root, as `nobody`, as its neighbour.
    User,
}

/// The evidence of the success of an attempt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// The program prints it.
    Printed,
    /// A new file exists.
    Dropped,
    /// The other process has ended or is stopped.
    Victim,
    /// The seat of another program has a connection.
    OtherSeat,
    /// The organiser can connect to the program.
    Reachable,
    /// A process survives the end.
    Survivor,
    /// An object of System V's IPC is left on the machine.
    Left,
    /// Another program at the same time finds the limits of its user used up.
    Neighbour,
}

struct Attempt {
    name: &'static str,
    /// The protections that prevent the attempt.
    against: &'static [Protection],
    without: Without,
    seen: Seen,
}

const fn attempt(name: &'static str, against: &'static [Protection], seen: Seen) -> Attempt {
    Attempt { name, against, without: Without::Sandbox, seen }
}

const fn as_root(name: &'static str, against: &'static [Protection]) -> Attempt {
    Attempt { name, against, without: Without::SandboxAsRoot, seen: Seen::Printed }
}

const fn plain(name: &'static str, against: &'static [Protection], seen: Seen) -> Attempt {
    Attempt { name, against, without: Without::Supervisor, seen }
}

/// An attempt that hurts another program at the same time.
const fn flood(name: &'static str, against: &'static [Protection]) -> Attempt {
    Attempt { name, against, without: Without::User, seen: Seen::Neighbour }
}

const ATTEMPTS: &[Attempt] = &[
    attempt("tcp_host", &[Namespaces], Seen::Printed),
    attempt("tcp_host_ipv6", &[Namespaces], Seen::Printed),
    attempt("tcp_other_seat", &[Namespaces], Seen::OtherSeat),
    attempt("udp_host", &[Namespaces], Seen::Printed),
    attempt("udp_broadcast", &[Namespaces], Seen::Printed),
    attempt("dns", &[Namespaces], Seen::Printed),
    as_root("raw_socket", &[Namespaces]),
    as_root("packet_socket", &[Namespaces]),
    attempt("netlink_audit", &[SystemCalls], Seen::Printed),
    attempt("abstract_socket", &[Namespaces], Seen::Printed),
    attempt("path_socket", &[Namespaces], Seen::Printed),
    attempt("list_unix_sockets", &[Namespaces], Seen::Printed),
    attempt("list_connections", &[Namespaces], Seen::Printed),
    attempt("be_a_server", &[Namespaces], Seen::Reachable),
    attempt("read_home", &[Namespaces], Seen::Printed),
    attempt("read_results", &[Namespaces], Seen::Printed),
    attempt("read_hidden", &[Namespaces], Seen::Printed),
    attempt("read_hidden_in_system", &[Namespaces], Seen::Printed),
    attempt("read_hidden_by_link", &[Namespaces], Seen::Printed),
    attempt("read_hidden_by_descriptor", &[Namespaces], Seen::Printed),
    attempt("read_hidden_by_root", &[Namespaces], Seen::Printed),
    attempt("list_hidden_folder", &[Namespaces], Seen::Printed),
    as_root("read_rival_below_opt", &[Namespaces]),
    as_root("read_packages_below_opt", &[Namespaces]),
    as_root("list_rivals_below_opt", &[Namespaces]),
    attempt("read_visible_of_others", &[Namespaces], Seen::Printed),
    attempt("read_other_team", &[Namespaces], Seen::Printed),
    as_root("read_shadow", &[Namespaces]),
    attempt("write_own_folder", &[Namespaces], Seen::Dropped),
    attempt("change_own_program", &[Namespaces], Seen::Printed),
    as_root("write_system", &[Namespaces]),
    attempt("write_host_tmp", &[Namespaces], Seen::Dropped),
    attempt("hard_link", &[Namespaces], Seen::Printed),
    attempt("symbolic_link", &[Namespaces], Seen::Printed),
    attempt("root_of_others", &[Namespaces, OwnProc], Seen::Printed),
    attempt("files_of_others", &[Namespaces, OwnProc], Seen::Printed),
    attempt("memory_of_parent", &[Namespaces, OwnProc], Seen::Printed),
    as_root("raw_device", &[Namespaces]),
    as_root("kernel_log", &[Namespaces]),
    as_root("write_kernel_log", &[OwnUser]),
    attempt("read_shared_memory_of_others", &[Namespaces], Seen::Printed),
    as_root("make_device", &[Namespaces]),
    as_root("mount_tmpfs", &[Namespaces, SystemCalls]),
    as_root("mount_new_interface", &[Namespaces, SystemCalls]),
    as_root("copy_mount_tree", &[Namespaces, SystemCalls]),
    as_root("change_mount", &[Namespaces, SystemCalls]),
    as_root("watch_file_events", &[SystemCalls]),
    as_root("pivot", &[Namespaces, SystemCalls]),
    as_root("leave_chroot", &[Namespaces, SystemCalls]),
    as_root("file_by_handle", &[Namespaces, SystemCalls]),
    as_root("system_settings", &[Namespaces]),
    as_root("leave_control_group", &[Namespaces]),
    attempt("see_others", &[Namespaces, OwnProc], Seen::Printed),
    attempt("environment_of_others", &[Namespaces, OwnProc], Seen::Printed),
    attempt("kill_other", &[Namespaces], Seen::Victim),
    attempt("stop_other", &[Namespaces], Seen::Victim),
    attempt("kill_other_by_descriptor", &[Namespaces], Seen::Victim),
    attempt("stop_other_by_queue", &[Namespaces], Seen::Victim),
    attempt("priority_of_other", &[Namespaces], Seen::Printed),
    attempt("processors_of_other", &[Namespaces], Seen::Printed),
    attempt("maps_of_others", &[Namespaces, OwnProc], Seen::Printed),
    attempt("stop_parent", &[Namespaces], Seen::Printed),
    attempt("idle_parent", &[SystemCalls], Seen::Printed),
    attempt("idle_parent_by_attributes", &[SystemCalls], Seen::Printed),
    attempt("slow_parent", &[SystemCalls], Seen::Printed),
    attempt("slow_group", &[SystemCalls], Seen::Printed),
    attempt("limits_of_parent", &[SystemCalls], Seen::Printed),
    attempt("io_priority_of_parent", &[SystemCalls], Seen::Printed),
    attempt("compare_with_parent", &[SystemCalls], Seen::Printed),
    attempt("descriptor_of_parent", &[SystemCalls], Seen::Printed),
    as_root("attach_to_other", &[Namespaces, SystemCalls]),
    attempt("trace_child", &[SystemCalls], Seen::Printed),
    attempt("read_process_memory", &[SystemCalls], Seen::Printed),
    attempt("limits_of_other", &[Namespaces], Seen::Printed),
    attempt("new_user_namespace", &[SystemCalls], Seen::Printed),
    attempt("new_user_namespace_by_clone", &[SystemCalls], Seen::Printed),
    attempt("new_user_namespace_by_clone3", &[SystemCalls], Seen::Printed),
    as_root("new_process_namespace", &[SystemCalls]),
    as_root("new_time_namespace", &[SystemCalls]),
    as_root("enter_namespace", &[SystemCalls]),
    as_root("set_user_id", &[Namespaces]),
    as_root("become_root", &[Namespaces]),
    as_root("set_groups", &[OwnUser]),
    as_root("raise_priority", &[Namespaces]),
    as_root("run_in_real_time", &[Namespaces]),
    attempt("choose_processors", &[SystemCalls], Seen::Printed),
    as_root("rename_host", &[SystemCalls]),
    attempt("use_keyring", &[SystemCalls], Seen::Printed),
    as_root("load_bpf", &[SystemCalls]),
    as_root("watch_performance", &[SystemCalls]),
    as_root("catch_page_faults", &[SystemCalls]),
    attempt("set_up_io_uring", &[SystemCalls], Seen::Printed),
    attempt("set_clock", &[SystemCalls], Seen::Printed),
    as_root("kernel_messages", &[SystemCalls]),
    attempt("core_by_pipe", &[SystemCalls], Seen::Printed),
    attempt("core_by_pipe_of_child", &[SystemCalls], Seen::Printed),
    attempt("left_shared_memory", &[Namespaces], Seen::Left),
    attempt("left_semaphores", &[Namespaces], Seen::Left),
    attempt("left_messages", &[Namespaces], Seen::Left),
    attempt("message_queue", &[Namespaces], Seen::Printed),
    plain("environment", &[Namespaces], Seen::Printed),
    plain("inherited_files", &[Namespaces], Seen::Printed),
    attempt("many_processes", &[ProcessCount], Seen::Printed),
    attempt("much_memory", &[TotalMemory], Seen::Printed),
    attempt("much_shared_memory", &[TotalMemory], Seen::Printed),
    attempt("fill_scratch", &[Namespaces], Seen::Printed),
    attempt("fill_shared_memory", &[Namespaces], Seen::Printed),
    attempt("many_files", &[Namespaces], Seen::Printed),
    as_root("many_open_files", &[Namespaces]),
    plain("much_time", &[Namespaces], Seen::Printed),
    attempt("much_time_unseen", &[CpuAccounting], Seen::Printed),
    plain("much_time_unwatched", &[Namespaces, SystemCalls, CpuAccounting], Seen::Printed),
    attempt("lock_memory", &[Namespaces], Seen::Printed),
    attempt("memory_file", &[TotalMemory], Seen::Printed),
    attempt("fill_tcp_buffers", &[TotalMemory], Seen::Printed),
    attempt("fill_unix_buffers", &[TotalMemory], Seen::Printed),
    as_root("fill_pipes", &[TotalMemory]),
    flood("flood_descriptors_in_flight", &[OwnUser]),
    flood("flood_inotify", &[OwnUser]),
    flood("flood_signals", &[OwnUser]),
    flood("flood_pipes", &[OwnUser]),
    flood("flood_as_the_same_user", &[OwnUser]),
    plain("survive_in_session", &[Namespaces], Seen::Survivor),
    plain("survive_without_environment", &[Namespaces], Seen::Survivor),
    plain("survive_as_daemon", &[Namespaces], Seen::Survivor),
    plain("survive_stopped", &[Namespaces], Seen::Survivor),
];

/// The limits of an attempt, which are low so that excess is reached soon.
fn limits(attempt: &Attempt) -> Limits {
    let is_about_time = attempt.name.starts_with("much_time");
    Limits {
        memory: Some(128 << 20),
        processes: Some(40),
        cpu: is_about_time.then_some(Duration::from_secs(1)),
        scratch: 8 << 20,
        ..Limits::default()
    }
}

/// Makes an attempt; returns its success and the output of the program, `None` if the program has not begun with the attempt.
fn succeeds(attempt: &Attempt, mut run: Run<'_>) -> Option<(bool, String)> {
    if run.read_line() != format!("{} begins\n", attempt.name) {
        run.stop();
        return None;
    }
    let line = match attempt.seen {
        Seen::Reachable | Seen::Neighbour => run.read_line(),
        _ => String::new(),
    };
    if attempt.seen == Seen::Neighbour {
        let text = run.neighbour(attempt.name, line.trim());
        run.stop();
        return Some((text.contains("SUCCEEDED"), line + &text));
    }
    let is_reached = attempt.seen == Seen::Reachable && line.trim().parse().is_ok_and(is_reachable);
    let (text, world) = run.end();
    let succeeded = match attempt.seen {
        Seen::Printed => text.contains("SUCCEEDED"),
        Seen::Dropped => world.dropped(),
        Seen::Victim => world.victim_has_suffered(),
        Seen::OtherSeat => world.other_seat_has_guest(),
        Seen::Reachable => is_reached,
        Seen::Survivor => world.has_survivor(),
        Seen::Left => world.has_left_objects(),
        Seen::Neighbour => unreachable!("it is told above"),
    };
    Some((succeeded, line + &text))
}

#[test]
fn attempts_succeed_outside_and_fail_inside() {
    let inside = World::sandbox(Level::Strict).or_else(|error| {
        println!("{error}");
        World::sandbox(Level::Auto)
    });
    let inside = inside.expect("the launcher runs");
    let outside = World::sandbox(Level::None).expect("there is always no sandbox");
    let is_root = rustix::process::geteuid().is_root();
    // The protections that this machine may lack: those that only root has everywhere, and those that `LACKS` names.
    let lacks = std::env::var("LACKS").unwrap_or_default();
    let may_lack = |one: &Protection| {
        let is_roots = [OwnUser, TotalMemory, ProcessCount, CpuAccounting].contains(one);
        is_roots && !is_root || lacks.split(' ').any(|word| word == format!("{one:?}"))
    };
    let is_promised = |attempt: &&Attempt| !attempt.against.iter().any(may_lack);
    let promised = ATTEMPTS.iter().filter(is_promised).count();
    let (mut made, mut shown, mut wrong) = (0, 0, Vec::new());
    for attempt in ATTEMPTS {
        let mut told = Vec::new();
        if attempt.without != Without::SandboxAsRoot || is_root {
            let mut world = World::new(&outside, "attempts");
            let run = match attempt.without {
                Without::Supervisor => world.spawn(attempt.name),
                Without::User => world.spawn_as_nobody(attempt.name),
                _ => world.start(attempt.name, &limits(attempt)),
            };
            let (succeeded, text) = succeeds(attempt, run).unwrap_or_default();
            told.push(if succeeded { "succeeds outside" } else { "FAILS OUTSIDE" });
            shown += 1;
            if !succeeded {
                wrong.push(format!("{} fails without the sandbox:\n{text}", attempt.name));
            }
        }
        if attempt.against.iter().all(|one| inside.protections().contains(one)) {
            let mut world = World::new(&inside, "attempts");
            let run = world.start(attempt.name, &limits(attempt));
            let Some((succeeded, text)) = succeeds(attempt, run) else {
                wrong.push(format!("{} was not made: the program did not begin", attempt.name));
                continue;
            };
            told.push(if succeeded { "SUCCEEDS INSIDE" } else { "fails inside" });
            made += 1;
            if succeeded {
                wrong.push(format!("{} succeeds in the sandbox:\n{text}", attempt.name));
            }
            // A broken attempt would fail too, so errors of the script are fatal.
            let why = text.lines().last().unwrap_or("ended by a limit");
            if text.contains("NameError") || text.contains("KeyError") {
                wrong.push(format!("{} is no attempt:\n{text}", attempt.name));
            }
            println!("{:30} {} ({why})", attempt.name, told.join(", "));
        } else {
            println!("{:30} {} (not protected here)", attempt.name, told.join(", "));
            let is_missing = |one: &&Protection| !inside.protections().contains(one);
            if !attempt.against.iter().filter(is_missing).all(may_lack) {
                wrong.push(format!("{} was not made: {:?}", attempt.name, inside.gaps()));
            }
        }
    }
    println!("{} attempts: {shown} shown outside, {made} made inside", ATTEMPTS.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        made >= promised,
        "{made} attempts were made, of {promised} that this machine has to prevent"
    );
}
