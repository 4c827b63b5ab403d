"""A player that attacks the tournament: hostile.py PORT KEY=VALUE...

It prints `SUCCEEDED attack` for each attack that got what it wanted, `failed attack` for the others, and plays well.
Whatever it does to processes and ports, it does to those of this tournament, whose commands name its folder.
"""
import ctypes
import errno
import glob
import mmap
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import time

PORT = int(sys.argv[1])
TOLD = {key: value.removeprefix("@") for key, value in (word.split("=", 1) for word in sys.argv[2:])}


def processes():
    """Other processes of the tournament, by number."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{name}/cmdline", "rb").read().decode(errors="replace")
        except OSError:
            continue
        if TOLD["folder"] in words and int(name) not in (os.getpid(), os.getppid()):
            found.append(int(name))
    return found


def stop_others():
    others = processes()
    for process in others:
        os.kill(process, signal.SIGSTOP)
        os.kill(process, signal.SIGCONT)
    return bool(others)


def trace_others():
    return any(os.path.exists(f"/proc/{process}/mem") and open(f"/proc/{process}/maps").read(1)
               for process in processes())


def environment():
    return any(TOLD["secret"] in value for value in os.environ.values())


def environment_of_others():
    parents = processes() + [os.getppid()]
    secret = TOLD["secret"].encode()
    return any(secret in open(f"/proc/{process}/environ", "rb").read() for process in parents)


def own_sockets():
    """The listening ports of the tournament; all of those seen where no process of it is seen."""
    owned = set()
    for process in processes():
        try:
            for descriptor in os.listdir(f"/proc/{process}/fd"):
                owned.add(os.readlink(f"/proc/{process}/fd/{descriptor}"))
        except OSError:
            continue
    ports = set()
    for line in open("/proc/net/tcp").read().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and (not owned or f"socket:[{fields[9]}]" in owned):
            ports.add(int(fields[1].split(":")[1], 16))
    return ports - {PORT}


def take_seats():
    taken = 0
    for port in own_sockets():
        rival = socket.create_connection(("127.0.0.1", port), 1)
        rival.sendall(b"joueur;Ada\0")
        taken += 1
    return taken > 0


def reach_organiser():
    with socket.create_connection(("127.0.0.1", int(TOLD["service"])), 1) as service:
        return service.recv(5) == b"hello"


def greets(family, address, kind=socket.SOCK_STREAM):
    """Whether a service of the organiser answers."""
    with socket.socket(family, kind) as service:
        service.settimeout(10)
        service.connect(address)
        service.send(b"knock")
        return service.recv(5) == b"hello"


def reach_by_path():
    return greets(socket.AF_UNIX, os.path.join(TOLD["folder"], "socket"))


def reach_by_abstract_name():
    return greets(socket.AF_UNIX, "\0" + TOLD["folder"])


def reach_by_udp():
    return greets(socket.AF_INET, ("127.0.0.1", int(TOLD["udp"])), socket.SOCK_DGRAM)


def list_connections():
    return f":{int(TOLD['service']):04X} " in open("/proc/net/tcp").read()


def listen_to_the_kernel():
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15).close()
    return True


def open_results():
    with open(TOLD["results"], "r+b") as results:
        return results.read(6) == b"SQLite"


def read_rival():
    return "ValueError" in open(TOLD["rival"]).read()


def is_results(path):
    # What others have open may be a pipe: reading it would wait, and take what is theirs.
    if not stat.S_ISREG(os.stat(path).st_mode):
        return False
    with open(path, "rb") as file:
        return file.read(6) == b"SQLite"


def any_is_results(pattern):
    for path in glob.glob(pattern):
        try:
            if is_results(path):
                return True
        except OSError:
            continue
    return False


def results_by_root_of_others():
    return any_is_results("/proc/[0-9]*/root" + TOLD["results"])


def results_by_files_of_others():
    return any_is_results("/proc/[0-9]*/fd/*")


def results_by_symbolic_link():
    link = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"link-{os.getpid()}")
    os.symlink(TOLD["results"], link)
    try:
        return is_results(link)
    finally:
        os.unlink(link)


def results_by_hard_link():
    link = os.path.join(TOLD["folder"], f"link-{os.getpid()}")
    os.link(TOLD["results"], link)
    os.unlink(link)
    return True


def list_folder():
    return "tournoi.sqlite" in os.listdir(TOLD["folder"])


def change_itself():
    with open(sys.argv[0], "a") as file:
        return file.write("\n") > 0


def write_beside():
    """Whether it is more than a file of its own is seen by the organiser."""
    with open(os.path.join(TOLD["folder"], "dropped"), "w") as file:
        return file.write("x") < 0


def fill_disk():
    """Half a GB, where 8 MiB are allowed."""
    path = os.path.join(os.environ.get("TMPDIR", "/tmp"), "filled")
    try:
        with open(path, "wb") as file:
            for _ in range(128):
                file.write(bytes(4 << 20))
                file.flush()
        return True
    finally:
        os.unlink(path)


def many_processes():
    """As many as 300, where 64 are allowed."""
    children = []
    try:
        for _ in range(300):
            children.append(subprocess.Popen(["sleep", "30"]))
        return True
    finally:
        for child in children:
            child.kill()
            child.wait()


def much_memory():
    """As much as 600 MB in three processes, where 256 MiB are allowed."""
    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            eaten = b"x" * (200 << 20)
            time.sleep(0.5)
            os._exit(0 if eaten else 1)
        children.append(child)
    # All of them, for none may be seen later.
    return all([os.waitpid(child, 0)[1] == 0 for child in children])


def in_a_child(work):
    """What is done to a whole process is done to another one."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if work() else 1)
        except BaseException:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def much_shared_memory():
    """300 MB, where 256 MiB are allowed."""
    def use():
        block = mmap.mmap(-1, 300 << 20)
        for page in range(0, len(block), 4096):
            block[page] = 1
        return True
    return in_a_child(use)


def many_files():
    """More than fit into 8 MiB, empty as they are."""
    paths = [os.path.join(os.environ.get("TMPDIR", "/tmp"), f"many-{os.getpid()}-{number}") for number in range(4000)]
    made = []
    try:
        for path in paths:
            open(path, "w").close()
            made.append(path)
        return True
    finally:
        for path in made:
            os.unlink(path)


LIBC = ctypes.CDLL(None, use_errno=True)


def call(number, number_elsewhere, *arguments):
    """A system call by its numbers on x86-64 and on other machines; its error, if there is one."""
    number = number if os.uname().machine == "x86_64" else number_elsewhere
    arguments = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    return ctypes.get_errno() if LIBC.syscall(ctypes.c_long(number), *arguments) < 0 else None


def see_others():
    return bool(processes())


def limit_others():
    for process in processes():
        resource.prlimit(process, resource.RLIMIT_CORE)
    return bool(processes())


def trace_child():
    return in_a_child(lambda: LIBC.ptrace(0, 0, None, None) == 0)


def user_namespace():
    return in_a_child(lambda: LIBC.unshare(0x10000000) == 0)


def keyring():
    return call(250, 219, 0, -3, 1) is None


def io_uring():
    return in_a_child(lambda: call(425, 425, 4, ctypes.create_string_buffer(120)) is None)


def clock():
    # Where the call is allowed at all, the null pointer is what is wrong with it.
    return call(227, 112, 0, None) == errno.EFAULT


def processors():
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return True


def leave_survivors():
    """Whether they survive is seen by the organiser."""
    for words in (["sleep", "1000"], ["setsid", "sleep", "1000"], ["setsid", "env", "-i", "sleep", "1000"]):
        subprocess.Popen(words, start_new_session=True)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.execvp("sleep", ["sleep", "1000"])
        os._exit(0)
    os.wait()
    return False


def attack():
    attacks = [take_seats, stop_others, trace_others, environment, environment_of_others, reach_organiser,
               open_results, read_rival, change_itself, write_beside, fill_disk, many_processes, much_memory,
               processors, leave_survivors, reach_by_path, reach_by_abstract_name, reach_by_udp, list_connections,
               listen_to_the_kernel, results_by_root_of_others, results_by_files_of_others, results_by_symbolic_link,
               results_by_hard_link, list_folder, much_shared_memory, many_files, see_others,
               limit_others, trace_child, user_namespace, keyring, io_uring, clock]
    for one in attacks:
        try:
            print("SUCCEEDED" if one() else "failed", one.__name__, flush=True)
        except (OSError, MemoryError) as error:
            print("failed", one.__name__, error, flush=True)


server = socket.create_connection(("127.0.0.1", PORT))
server.sendall(b"joueur;any name\0")
received, turn = b"", 0
while data := server.recv(65536):
    received += data
    *messages, received = received.split(b"\0")
    for message in messages:
        if message.startswith(b"quit"):
            sys.exit(0)
        server.sendall(b"NS\0")
        turn += 1
        if turn == 2:
            attack()
