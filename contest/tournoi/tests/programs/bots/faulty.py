"""A client that goes wrong in the way it is told, in turn 5: faulty.py PORT HOW."""
import os
import socket
import subprocess
import sys
import time

port, how = int(sys.argv[1]), sys.argv[2]
if how == "early":
    sys.exit("no: this bot does not want to play")
if how == "mute":
    time.sleep(1000)
if how == "children":
    # One in its group, and one that leaves it.
    subprocess.Popen(["sleep", "1000"])
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
server = socket.create_connection(("127.0.0.1", port))
server.sendall(b"joueur;any name\0")
received, turn = b"", 0
while True:
    data = server.recv(65536)
    if not data:
        break
    received += data
    *messages, received = received.split(b"\0")
    for message in messages:
        if message.startswith(b"quit"):
            if how == "linger":
                print("x" * 100_000, flush=True)
                time.sleep(1000)
            sys.exit(0)
        if turn == 5:
            if how == "crash":
                raise ValueError("the answer is 42")
            if how == "kill":
                os.kill(os.getpid(), 9)
            if how == "close":
                server.close()
                time.sleep(1000)
            if how == "sleep":
                time.sleep(1000)
            if how == "eat":
                eaten = bytearray(os.urandom(1 << 20) * 512)
            if how == "fork":
                while True:
                    subprocess.Popen(["sleep", "1000"])
            if how == "bomb":
                while True:
                    try:
                        os.fork()
                    except OSError:
                        pass
            if how == "burn":
                while True:
                    pass
            if how == "busy":
                # Three deadlines; then it reads on.
                end = time.process_time() + 1.2
                while time.process_time() < end:
                    pass
        if how == "ponder" and turn == 12:
            # The final state, like any other.
            time.sleep(4.5)
        if how == "slow":
            time.sleep(0.1)
        if how == "think":
            # Three fifths of the deadline.
            while time.process_time() < 0.3 * (turn + 1):
                pass
        turn += 1
        server.sendall(b"?" if how == "malformed" and turn > 5 else b"NS")
        server.sendall(b"\0")
