# Runs a program and prints after how many seconds its first line came, and its last: stream.py PROGRAM ARGUMENT…

import subprocess
import sys
import time

start = time.monotonic()
program = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
times = [time.monotonic() - start for _ in program.stdout]
if program.wait() != 0 or not times:
    sys.exit(1)
print(f"{times[0]:.3f} {times[-1]:.3f}")
