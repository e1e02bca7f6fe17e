# Starts a service and prints how long it took to say that it is ready, in ms; then ends it.
#
# usage: ready.py PROGRAM ARGUMENT…

import os
import socket
import subprocess
import sys
import tempfile
import time

with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as news:
    news.bind(folder + "/notify")
    news.settimeout(30)
    environment = dict(os.environ, NOTIFY_SOCKET=folder + "/notify", RUNTIME_DIRECTORY=folder)
    start = time.monotonic()
    service = subprocess.Popen(sys.argv[1:], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        while b"READY=1" not in news.recv(4096).split(b"\n"):
            pass
        print(f"{(time.monotonic() - start) * 1000:.1f}")
    finally:
        service.terminate()
        service.wait()
