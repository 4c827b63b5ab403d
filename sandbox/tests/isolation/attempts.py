"""Attempts of a hostile program. `python3 attempts.py NAME KEY=VALUE...` makes one.

It prints SUCCEEDED when the attempt got what it wanted. Everything else, an exception for one, is a failure.
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


def list_connections():
    with open("/proc/net/tcp") as table:
        return f":{int(ARGUMENTS['tcp']):04X} " in table.read()


def be_a_server():
    server = socket.create_server(("0.0.0.0", int(ARGUMENTS["free_port"])))
    print("DONE", flush=True)
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


def enter_namespace():
    check(LIBC.setns(os.open("/proc/self/ns/uts", os.O_RDONLY), 0))
    return True


def set_user_id():
    output = subprocess.check_output([ARGUMENTS["set_user_id"], "-u"])
    return int(output) != os.getuid()


def become_root():
    os.setresuid(0, 0, 0)
    return os.geteuid() == 0


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


# Survivors. They are looked for by their mark.

def survivor(*words, **options):
    subprocess.Popen([*words, "sleep", ARGUMENTS["sleep"]], **options)


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
    child = subprocess.Popen(["setsid", "sleep", ARGUMENTS["sleep"]])
    time.sleep(0.05)
    os.kill(child.pid, signal.SIGSTOP)


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
    outcome = globals()[sys.argv[1]]()
    print({None: "DONE", True: "SUCCEEDED", False: "FAILED"}[outcome], flush=True)
