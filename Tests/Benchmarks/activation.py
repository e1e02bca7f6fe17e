# Starts a server as systemd's socket does, and prints how long the first byte of an answer took, in ms; then ends it.
#
# usage: activation.py PROGRAM ROOT

import os
import socket
import sys
import time

with socket.create_server(("127.0.0.1", 0)) as waiting, socket.create_connection(waiting.getsockname()) as visitor:
    visitor.settimeout(10)
    visitor.sendall(b"GET /planetary/apod HTTP/1.1\r\nHost: localhost\r\n\r\n")
    start = time.monotonic()
    process = os.fork()
    if process == 0:
        os.dup2(waiting.fileno(), 3)
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
        os.execv(sys.argv[1], sys.argv[1:])
    try:
        if visitor.recv(12) != b"HTTP/1.1 200":
            sys.exit("it is not answered")
        print(f"{(time.monotonic() - start) * 1000:.1f}")
    finally:
        os.kill(process, 15)
        os.waitpid(process, 0)
