"""Looks for files of others: each argument is a path with a `@` before it, and may be a pattern."""

import glob
import os
import sys

for word in sys.argv[1:]:
    pattern = word.removeprefix("@")
    for path in glob.glob(pattern) or [pattern]:
        try:
            if os.path.isdir(path):
                os.listdir(path)
            else:
                open(path, "rb").read(1)
            print("SUCCEEDED", path, flush=True)
        except OSError as error:
            print("failed", path, error, flush=True)
