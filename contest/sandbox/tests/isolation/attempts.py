"""Attempts of a hostile program. `python3 attempts.py NAME KEY=VALUE...` makes one.

It prints that the attempt begins, and SUCCEEDED when the attempt got what it wanted. Everything else, an exception for one, is
a failure.
Attempts whose effect only the organiser can see print DONE.
"""

import atexit
import ctypes
import errno
import glob
import os
import resource
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time

LIBC = ctypes.CDLL(None, use_errno=True)
ARGUMENTS = dict(word.split("=", 1) for word in sys.argv[2:])
SECRET = "the organiser's secret"
CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18


def check(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def call(number, *arguments):
    """A system call by its number on x86-64, or on the others, where they have common numbers."""
    common = os.uname().machine != "x86_64"
    longs = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    return check(LIBC.syscall(ctypes.c_long(number[common]), *longs))


def scratch():
    folder = tempfile.mkdtemp()
    owner = os.getpid()
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(folder, ignore_errors=True))
    return folder


def contains_secret(path):
    with open(path, errors="replace") as file:
        return SECRET in file.read(4096)


def connect(address, family=socket.AF_INET):
    with socket.socket(family) as connection:
        connection.settimeout(10)
        connection.connect(address)
        connection.sendall(b"knock")
        return connection.recv(16) == b"come in"


# Network.

def tcp_host():
    return connect(("127.0.0.1", int(ARGUMENTS["tcp"])))


def tcp_host_ipv6():
    return connect(("::1", int(ARGUMENTS["tcp6"])), socket.AF_INET6)


def tcp_other_seat():
    with socket.create_connection(("127.0.0.1", int(ARGUMENTS["other_seat"])), 2) as seat:
        seat.sendall(b"intruder")


def udp_host():
    with socket.socket(type=socket.SOCK_DGRAM) as sender:
        sender.settimeout(10)
        sender.sendto(b"knock", ("127.0.0.1", int(ARGUMENTS["udp"])))
        return sender.recv(16) == b"come in"


def udp_broadcast():
    with socket.socket(type=socket.SOCK_DGRAM) as sender:
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        sender.settimeout(10)
        sender.sendto(b"knock", ("127.255.255.255", int(ARGUMENTS["udp"])))
        return sender.recv(16) == b"come in"


def dns():
    query = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x04test\x00\x00\x01\x00\x01"
    with socket.socket(type=socket.SOCK_DGRAM) as resolver:
        resolver.settimeout(10)
        resolver.connect(("127.0.0.1", int(ARGUMENTS["udp"])))
        resolver.send(query)
        return len(resolver.recv(64)) > 0


def raw_socket():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
    return True


def packet_socket():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close()
    return True


def netlink_audit():
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15).close()
    return True


def abstract_socket():
    return connect("\0" + ARGUMENTS["abstract"], socket.AF_UNIX)


def path_socket():
    return connect(ARGUMENTS["path_socket"], socket.AF_UNIX)


def list_unix_sockets():
    with open("/proc/net/unix") as table:
        return "@" + ARGUMENTS["abstract"] in table.read()


def list_connections():
    with open("/proc/net/tcp") as table:
        return f":{int(ARGUMENTS['tcp']):04X} " in table.read()


def be_a_server():
    server = socket.create_server(("0.0.0.0", 0))
    print(server.getsockname()[1], flush=True)
    server.settimeout(5)
    server.accept()


# Files.

def read_home():
    return contains_secret(ARGUMENTS["home"])


def read_results():
    return contains_secret(ARGUMENTS["results"])


def read_hidden():
    return contains_secret(ARGUMENTS["hidden"])


def read_hidden_in_system():
    with open("/usr/lib/os-release") as file:
        return "NAME=" in file.read()


def read_hidden_by_link():
    with open("/etc/os-release") as file:
        return "NAME=" in file.read()


def read_hidden_by_descriptor():
    folder = os.open("/usr/lib", os.O_RDONLY)
    with open(f"/proc/self/fd/{folder}/os-release") as file:
        return "NAME=" in file.read()


def read_hidden_by_root():
    with open("/proc/self/root/usr/lib/os-release") as file:
        return "NAME=" in file.read()


def list_hidden_folder():
    return len(os.listdir("/usr/share/doc")) > 0


def read_rival_below_opt():
    return contains_secret(os.path.join(ARGUMENTS["cup"], "ada", "strategy.py"))


def read_packages_below_opt():
    return contains_secret(os.path.join(ARGUMENTS["cup"], "t.paquets", "1", "strategy.py"))


def list_rivals_below_opt():
    return "ada" in os.listdir(ARGUMENTS["cup"])


def read_visible_of_others():
    return contains_secret(os.path.join(ARGUMENTS["visible"], "secret"))


def read_other_team():
    return contains_secret(ARGUMENTS["other_team"])


def read_shadow():
    with open("/etc/shadow") as file:
        return "root" in file.read()


def write_own_folder():
    with open(os.path.join(ARGUMENTS["folder"], "dropped"), "w") as file:
        file.write("for the next game")


def change_own_program():
    os.chmod(os.path.join(ARGUMENTS["folder"], "attempts.py"), 0o777)
    return True


def write_system():
    path = "/usr/local/pacman-dropped"
    with open(path, "w"):
        os.unlink(path)
    return True


def write_host_tmp():
    with open(os.path.join(ARGUMENTS["world"], "dropped"), "w") as file:
        file.write("for the next game")


def hard_link():
    path = os.path.join(ARGUMENTS["world"], "link")
    os.link(ARGUMENTS["home"], path)
    return contains_secret(path)


def symbolic_link():
    path = os.path.join(scratch(), "link")
    os.symlink(ARGUMENTS["home"], path)
    return contains_secret(path)


def root_of_others():
    for root in glob.glob("/proc/[0-9]*/root"):
        try:
            if contains_secret(root + ARGUMENTS["home"]):
                return True
        except OSError:
            pass
    return False


def files_of_others():
    for path in glob.glob("/proc/[0-9]*/fd/*"):
        try:
            if stat.S_ISREG(os.stat(path).st_mode) and contains_secret(path):
                return True
        except OSError:
            pass
    return False


def memory_of_parent():
    with open(f"/proc/{os.getppid()}/mem", "rb", buffering=0):
        return True


def raw_device():
    for path in glob.glob("/dev/*"):
        if stat.S_ISBLK(os.stat(path).st_mode):
            with open(path, "rb"):
                return True
    return False


def kernel_log():
    with open("/dev/kmsg", "rb", buffering=0):
        return True


def make_device():
    path = os.path.join(scratch(), "null")
    os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    with open(path, "w") as device:
        device.write("nothing")
    return True


def mount_tmpfs():
    folder = scratch()
    check(LIBC.mount(b"none", folder.encode(), b"tmpfs", 0, None))
    check(LIBC.umount2(folder.encode(), 2))
    return True


def mount_new_interface():
    call((430, 430), b"tmpfs", 0)
    return True


def pivot():
    check(LIBC.unshare(CLONE_NEWNS))
    check(LIBC.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None))
    folder = scratch().encode()
    check(LIBC.mount(folder, folder, None, MS_BIND, None))
    os.chdir(folder)
    call((155, 41), b".", b".")
    return True


def leave_chroot():
    inner = os.path.join(scratch(), "inner")
    os.mkdir(inner)
    above = os.open("/", os.O_RDONLY)
    os.chroot(inner)
    os.fchdir(above)
    os.chroot(".")
    return contains_secret(ARGUMENTS["home"])


def file_by_handle():
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    call((303, 264), -100, b"/etc/passwd", handle, ctypes.byref(mount), 0)
    root = os.open("/etc", os.O_RDONLY)
    return os.read(call((304, 265), root, handle, os.O_RDONLY), 4) == b"root"


def system_settings():
    with open("/proc/sys/kernel/core_pattern", "r+"):
        return True


def write_kernel_log():
    with open("/dev/kmsg", "wb", buffering=0):
        return True


def copy_mount_tree():
    call((428, 428), -100, b"/usr", 1)
    return True


def change_mount():
    folder = os.open("/usr", os.O_PATH)
    # An empty change: flags to set, flags to clear, propagation, user namespace.
    call((442, 442), folder, b"", 0x1000, struct.pack("4Q", 0, 0, 0, 0), 32)
    return True


def watch_file_events():
    call((300, 262), 0, os.O_RDONLY)
    return True


def read_shared_memory_of_others():
    return contains_secret(ARGUMENTS["shared_memory"])


def leave_control_group():
    files = glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True)
    with open(files[0], "w"):
        return True


# Processes.

def see_others():
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path) as file:
                if ARGUMENTS["mark"] in file.read() and str(os.getpid()) not in path:
                    return True
        except OSError:
            pass
    return False


def environment_of_others():
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            if contains_secret(path):
                return True
        except OSError:
            pass
    return False


def kill_other():
    os.kill(int(ARGUMENTS["victim"]), signal.SIGKILL)


def stop_other():
    os.kill(int(ARGUMENTS["victim"]), signal.SIGSTOP)


def kill_other_by_descriptor():
    signal.pidfd_send_signal(os.pidfd_open(int(ARGUMENTS["victim"])), signal.SIGKILL)


def stop_other_by_queue():
    # A `siginfo_t` of the kind that only the kernel's check of the sender protects against.
    information = struct.pack("iii", signal.SIGSTOP, 0, -1) + bytes(116)
    call((129, 138), int(ARGUMENTS["victim"]), signal.SIGSTOP, information)


def priority_of_other():
    os.setpriority(os.PRIO_PROCESS, int(ARGUMENTS["victim"]), 5)
    return True


def processors_of_other():
    victim = int(ARGUMENTS["victim"])
    os.sched_setaffinity(victim, os.sched_getaffinity(victim))
    return True


def maps_of_others():
    with open(f"/proc/{ARGUMENTS['victim']}/maps") as file:
        return "sleep" in file.read()


# The parent, which is the supervisor inside: the program must neither stop it, nor slow it down, nor look into it.

def stop_parent():
    parent = os.getppid()
    os.kill(parent, signal.SIGSTOP)
    try:
        # It stops when it gets a processor.
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            with open(f"/proc/{parent}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "T":
                    return True
            time.sleep(0.01)
        return False
    finally:
        os.kill(parent, signal.SIGCONT)


def idle_parent():
    os.sched_setscheduler(os.getppid(), os.SCHED_IDLE, os.sched_param(0))
    return True


def idle_parent_by_attributes():
    # Size, policy, flags, nice value, priority, and the three times of a deadline.
    call((314, 274), os.getppid(), struct.pack("IIQiI3Q", 48, os.SCHED_IDLE, 0, 0, 0, 0, 0, 0), 0)
    return True


def slow_parent():
    os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)
    return True


def slow_group():
    os.setpriority(os.PRIO_PGRP, os.getpgid(os.getppid()), 0)
    return True


def limits_of_parent():
    limit = resource.prlimit(os.getppid(), resource.RLIMIT_CPU)
    resource.prlimit(os.getppid(), resource.RLIMIT_CPU, limit)
    return True


def io_priority_of_parent():
    # The class of idle processes, for one process.
    call((251, 30), 1, os.getppid(), 3 << 13)
    return True


def compare_with_parent():
    # Whether both have the same memory.
    call((312, 272), os.getpid(), os.getppid(), 1, 0, 0)
    return True


def descriptor_of_parent():
    call((438, 438), os.pidfd_open(os.getppid()), 0, 0)
    return True


def attach_to_other():
    check(LIBC.ptrace(0x4206, int(ARGUMENTS["victim"]), None, None))
    return True


def trace_child():
    check(LIBC.ptrace(0, 0, None, None))
    return True


def read_process_memory():
    ours, copy = ctypes.create_string_buffer(b"here"), ctypes.create_string_buffer(4)
    vector = lambda buffer: struct.pack("PN", ctypes.addressof(buffer), 4)
    call((310, 270), os.getpid(), vector(copy), 1, vector(ours), 1, 0)
    return copy.raw == b"here"


def limits_of_other():
    resource.prlimit(int(ARGUMENTS["victim"]), resource.RLIMIT_CORE)
    return True


def new_user_namespace():
    check(LIBC.unshare(CLONE_NEWUSER))
    return True


def new_user_namespace_by_clone():
    child = call((56, 220), CLONE_NEWUSER | signal.SIGCHLD, None, None, None, None)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


def new_user_namespace_by_clone3():
    arguments = struct.pack("11Q", CLONE_NEWUSER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, 0)
    child = call((435, 435), arguments, len(arguments))
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


def new_process_namespace():
    check(LIBC.unshare(0x20000000))
    return True


def new_time_namespace():
    check(LIBC.unshare(0x00000080))
    return True


def enter_namespace():
    check(LIBC.setns(os.open("/proc/self/ns/uts", os.O_RDONLY), 0))
    return True


def set_user_id():
    output = subprocess.check_output([ARGUMENTS["set_user_id"], "-u"])
    return int(output) != os.getuid()


def become_root():
    os.setresuid(0, 0, 0)
    return os.geteuid() == 0


def set_groups():
    os.setgroups([0])
    return True


def raise_priority():
    os.setpriority(os.PRIO_PROCESS, 0, -5)
    return True


def run_in_real_time():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return True


def choose_processors():
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return True


def rename_host():
    socket.sethostname(socket.gethostname())
    return True


def use_keyring():
    call((250, 219), 0, -3, 1)
    return True


def load_bpf():
    # A map with 4 entries of 4 bytes.
    attributes = ctypes.create_string_buffer(struct.pack("5I", 2, 4, 4, 4, 0), 128)
    call((321, 280), 0, attributes, 128)
    return True


def watch_performance():
    # The software clock of this process.
    attributes = ctypes.create_string_buffer(struct.pack("IIQ", 1, 112, 1), 112)
    call((298, 241), attributes, 0, -1, -1, 0)
    return True


def catch_page_faults():
    call((323, 282), 1)
    return True


def set_up_io_uring():
    call((425, 425), 4, ctypes.create_string_buffer(120))
    return True


def set_clock():
    # Where the call is allowed at all, the null pointer is what is wrong with it.
    try:
        call((227, 112), 0, None)
    except OSError as error:
        return error.errno == errno.EFAULT


def kernel_messages():
    # The size of the buffer of messages.
    call((103, 116), 10, None, 0)
    return True


def core_by_pipe():
    # A limit of 0 does not keep the kernel from starting the program of a piped `core_pattern`; a limit of 1 does.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    return True


def core_by_pipe_of_child():
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    try:
        resource.prlimit(child, resource.RLIMIT_CORE, (0, 0))
        return True
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


# What stays behind, looked for by its key.

def left_shared_memory():
    check(LIBC.shmget(int(ARGUMENTS["key"]), 4096, 0o1666))


def left_semaphores():
    check(LIBC.semget(int(ARGUMENTS["key"]), 1, 0o1666))


def left_messages():
    check(LIBC.msgget(int(ARGUMENTS["key"]), 0o1666))


def message_queue():
    name = b"/pacman-" + ARGUMENTS["key"].encode()
    check(LIBC.mq_open(name, os.O_CREAT | os.O_RDWR, 0o600, None))
    check(LIBC.mq_unlink(name))
    return True


# Floods of what the kernel counts for each user. `neighbour` is another program at the same time.

def flood_and_wait(step, count=1 << 20):
    kept = []
    try:
        for _ in range(count):
            kept.append(step())
    except OSError as error:
        print(f"{len(kept)} times: {error}", flush=True)
    else:
        print(f"{len(kept)} times", flush=True)
    time.sleep(60)


def limit_files(limit):
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))


def send_descriptors():
    sender, receiver = socket.socketpair()
    socket.send_fds(sender, [b"x"], [0] * 64)
    sender.close()
    return receiver


def queue_signal():
    check(LIBC.sigqueue(os.getpid(), signal.SIGRTMIN, ctypes.c_void_p()))


def new_inotify():
    return check(LIBC.inotify_init1(0))


def large_pipe():
    import fcntl
    reader, writer = os.pipe()
    fcntl.fcntl(writer, 1031, 1 << 20)
    return reader, writer


def flood_descriptors_in_flight():
    limit_files(256)
    flood_and_wait(send_descriptors)


def flood_inotify():
    flood_and_wait(new_inotify)


def flood_signals():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    flood_and_wait(queue_signal)


def flood_pipes():
    flood_and_wait(large_pipe)


def flood_as_the_same_user():
    print(os.getuid(), flush=True)
    time.sleep(60)


def neighbour():
    """Tests if the flood of another program hurts this one."""
    flood, line = ARGUMENTS["flood"], ARGUMENTS["line"]
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    limit_files(256)
    needs = {
        "flood_descriptors_in_flight": send_descriptors,
        "flood_inotify": new_inotify,
        "flood_signals": queue_signal,
        "flood_pipes": large_pipe,
    }
    try:
        if flood == "flood_as_the_same_user":
            return line == str(os.getuid())
        needs[flood]()
        return False
    except OSError as error:
        print(error)
        # A call that all programs lack cannot be used up.
        return error.errno != errno.ENOSYS


# Environment.

def environment():
    return any(SECRET in value for value in os.environ.values())


def inherited_files():
    for number in os.listdir("/proc/self/fd"):
        try:
            if SECRET in os.pread(int(number), 4096, 0).decode(errors="replace"):
                return True
        except OSError:
            pass
    return False


# Resources.

def many_processes():
    children = []
    for _ in range(120):
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        children.append(child)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return True


def in_children(count, work):
    children = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            work()
            os._exit(0)
        children.append(child)
    return children


def much_memory():
    ready, tell = os.pipe()

    def work():
        block = bytearray(b"x") * (60 << 20)
        os.write(tell, b"1")
        time.sleep(60)
        return block

    children = in_children(4, work)
    os.set_blocking(ready, False)
    done = 0
    # Until all have their memory at a time, or one is killed.
    while done < len(children) and os.waitpid(-1, os.WNOHANG) == (0, 0):
        time.sleep(0.01)
        try:
            done += len(os.read(ready, 4))
        except BlockingIOError:
            pass
    succeeded = done == len(children)
    for child in children if succeeded else []:
        os.kill(child, signal.SIGKILL)
    return succeeded


def much_shared_memory():
    import mmap
    block = mmap.mmap(-1, 200 << 20)
    for page in range(0, len(block), 4096):
        block[page] = 1
    return True


def lock_memory():
    import mmap
    block = mmap.mmap(-1, 1 << 20)
    check(LIBC.mlock(ctypes.byref(ctypes.c_char.from_buffer(block)), ctypes.c_size_t(1 << 20)))
    return True


def memory_file():
    file = os.memfd_create("large")
    for _ in range(200):
        os.write(file, bytes(1 << 20))
    return True


def fill_buffers(pair, count):
    """Writes to what nobody reads, until 200 MiB wait there."""
    kept, waiting, block = [], 0, bytes(1 << 20)
    for _ in range(count):
        kept.append(pair())
        writer = kept[-1][0]
        os.set_blocking(writer.fileno(), False)
        try:
            while waiting < 200 << 20:
                waiting += os.write(writer.fileno(), block)
        except BlockingIOError:
            pass
    print(f"{waiting >> 20} MiB wait")
    return waiting >= 200 << 20


def fill_tcp_buffers():
    listener = socket.create_server(("127.0.0.1", 0))

    def pair():
        writer = socket.create_connection(listener.getsockname())
        return writer, listener.accept()[0]

    return fill_buffers(pair, 200)


def fill_unix_buffers():
    def pair():
        writer, reader = socket.socketpair()
        writer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        return writer, reader

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    return fill_buffers(pair, 2000)


def fill_pipes():
    def pair():
        reader, writer = (os.fdopen(end, mode, 0) for end, mode in zip(large_pipe(), ("rb", "wb")))
        return writer, reader

    return fill_buffers(pair, 201)


def fill(path, size):
    with open(path, "wb", buffering=0) as file:
        for _ in range(size >> 20):
            if file.write(bytes(1 << 20)) < 1 << 20:
                return False
    return True


def fill_scratch():
    return fill(os.path.join(scratch(), "large"), 32 << 20)


def fill_shared_memory():
    path = "/dev/shm/large"
    try:
        return fill(path, 32 << 20)
    finally:
        os.unlink(path)


def many_files():
    folder = scratch()
    for number in range(3000):
        open(os.path.join(folder, str(number)), "w").close()
    return True


def many_open_files():
    # As many as the hard limit allows, of which the organiser has some thousands.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    files = [open("/dev/null") for _ in range(5000)]
    return len(files) == 5000


def burn(seconds):
    while time.process_time() < seconds:
        pass


def much_time():
    children = in_children(4, lambda: burn(0.7))
    return all([os.waitpid(child, 0)[1] == 0 for child in children])


def much_time_unseen():
    # The time of children that nobody waits for is nowhere in that of their parent.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(6):
        reader, writer = os.pipe()
        in_children(1, lambda: burn(0.3))
        os.close(writer)
        # It ends with the child.
        os.read(reader, 1)
    return True


def much_time_unwatched():
    # Whoever watches the time of this program gets a processor last.
    parent = os.getppid()
    for slow in (
        lambda: os.sched_setscheduler(parent, os.SCHED_IDLE, os.sched_param(0)),
        lambda: os.setpriority(os.PRIO_PROCESS, parent, 19),
        lambda: os.kill(parent, signal.SIGSTOP),
    ):
        try:
            # Outside, the parent is the test.
            if "SECRET" not in os.environ:
                slow()
        except OSError as error:
            print(error)
    children = in_children(30, lambda: burn(0.2))
    return all([os.waitpid(child, 0)[1] == 0 for child in children])


# Survivors. They are looked for by their mark.

def survivor(*words, **options):
    child = subprocess.Popen([*words, "sleep", ARGUMENTS["sleep"]], **options)
    # Before, it may end with the group of this process, and is not known by its words.
    while is_other_program(child.pid):
        time.sleep(0.001)
    return child


def is_other_program(process):
    with open(f"/proc/{process}/cmdline") as words:
        return not words.read().startswith("sleep\0")


def survive_in_session():
    survivor(start_new_session=True)


def survive_without_environment():
    survivor("setsid", "env", "-i")


def survive_as_daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            null = os.open("/dev/null", os.O_RDWR)
            for standard in range(3):
                os.dup2(null, standard)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.execvp("sleep", ["sleep", ARGUMENTS["sleep"]])
        os._exit(0)
    os.wait()


def survive_stopped():
    os.kill(survivor("setsid").pid, signal.SIGSTOP)


# Nothing hostile: what an ordinary program needs.

def ordinary():
    import json
    import threading
    import multiprocessing
    for name in ("null", "zero", "urandom"):
        open("/dev/" + name, "rb").close()
    assert os.environ["HOME"] == os.environ["TMPDIR"] == tempfile.gettempdir()
    with open(os.path.join(os.environ["HOME"], "note"), "w") as file:
        json.dump({"é": 1}, file)
    assert "é".encode() == "é".encode(sys.getfilesystemencoding())
    threads = [threading.Thread(target=time.sleep, args=(0,)) for _ in range(16)]
    for thread in threads:
        thread.start()
    with multiprocessing.Pool(2) as pool:
        assert pool.map(abs, [-1, -2]) == [1, 2]
    assert open("note.txt").read() == "own file\n"
    assert subprocess.check_output(["bash", "-c", "echo $((6 * 7))"]) == b"42\n"
    assert socket.gethostbyname("localhost") == "127.0.0.1"
    assert connect(("127.0.0.1", int(os.environ["PACMAN_PORT"])))
    return True


if __name__ == "__main__":
    attempt = globals()[sys.argv[1]]
    print(f"{sys.argv[1]} begins", flush=True)
    outcome = attempt()
    print({None: "DONE", True: "SUCCEEDED", False: "FAILED"}[outcome], flush=True)
