"""Leaves a process behind that has a group and an output of its own."""
import subprocess
import sys

from player import play

subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
play()
