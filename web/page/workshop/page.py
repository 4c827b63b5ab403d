"""The environment of a Python program in a page: a socket whose other end is the page, and the time of a turn."""
import linecache
import os
import signal
import socket
import sys
import time
import traceback
import types

import pacman_iuto
from pyodide.ffi import run_sync


def search_with(distances):
    """Lets the module `pacman_iuto` search with the engine of the page."""
    def search(view, start, wall_pass):
        cols = view.cols
        found = distances("".join(view.board), view.rows, start[0] * cols + start[1], wall_pass).to_py().tolist()
        return {divmod(cell, cols): steps for cell, steps in zip(found[::2], found[1::2])}

    pacman_iuto.search = search


class Stopped(BaseException):
    """The page ends the program."""


class Overtime(Stopped):
    """An answer takes longer than it may."""


class Connection:
    """A socket whose other end is the page."""

    family, type, proto = socket.AF_INET, socket.SOCK_STREAM, 0

    def __init__(self, *_, **__):
        self._left, self._io_refs, self._closed = b"", 0, False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def connect(self, address):
        pass

    def connect_ex(self, address):
        return 0

    def send(self, data, flags=0):
        seat.send(bytes(data))
        return len(data)

    def sendall(self, data, flags=0):
        self.send(data)

    def recv(self, size, flags=0):
        if not self._left:
            message = seat.receive()
            if not isinstance(message, (str, type(None))):
                message = run_sync(message)
            if message is None:
                raise Stopped
            self._left = message.encode()
        part, self._left = self._left[:size], self._left[size:]
        return part

    def recv_into(self, buffer, nbytes=0, flags=0):
        part = self.recv(nbytes or len(buffer))
        buffer[: len(part)] = part
        return len(part)

    makefile = socket.socket.makefile

    def _decref_socketios(self):
        self._io_refs -= 1

    def close(self):
        self._closed = True

    def fileno(self):
        return 3

    def gettimeout(self):
        return None

    def getpeername(self):
        return "127.0.0.1", 1111

    def getsockname(self):
        return "127.0.0.1", 40000

    def shutdown(self, how=0):
        pass

    def setsockopt(self, *_):
        pass

    settimeout = setblocking = setsockopt


def sleep(seconds):
    """Waits so that the page can end the wait."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def late(*_):
    raise Overtime


def run(text, name, argv, language, page_seat):
    """Runs a program: what went wrong, as a text, and the number of its line; None for each if nothing did."""
    global seat
    seat = page_seat
    socket.socket, socket.create_connection = Connection, lambda *_, **__: Connection()
    time.sleep = sleep
    signal.signal(signal.SIGINT, late)
    sys.argv, os.environ["LANG"] = [name, *argv], language
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__file__ = name
    said = line = None
    try:
        exec(compile(text, name, "exec"), vars(main))
    except Overtime as error:
        line = line_of(error, name)
    except Stopped:
        pass
    except SystemExit as error:
        if error.code not in (None, 0):
            said = f"sys.exit: {error.code}"
    except BaseException as error:
        line = error.lineno if isinstance(error, SyntaxError) else line_of(error, name)
        frames = error.__traceback__
        while frames and frames.tb_frame.f_code.co_filename != name:
            frames = frames.tb_next
        said = "".join(traceback.format_exception(type(error), error, frames))
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    return said, line


def line_of(error, name):
    """The line of the program in which something was raised."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
    return lines[-1] if lines else None


seat = None
