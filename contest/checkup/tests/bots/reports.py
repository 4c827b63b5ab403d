"""Tells a witness that it runs, as does its child, which leaves its group; and answers nothing."""
import os
import socket
import subprocess
import sys
import time

from player import register

witness = socket.create_connection(("127.0.0.1", int(os.environ["WITNESS"])))
os.set_inheritable(witness.fileno(), True)
sleep = f"import os, time; os.write({witness.fileno()}, b'here'); time.sleep(60)"
subprocess.Popen([sys.executable, "-c", sleep], start_new_session=True, close_fds=False)
server = register()
witness.sendall(b"here")
time.sleep(60)
