#!/usr/bin/python3
"""Floods a mirror on the web, and crowds it: hostile.py PORT PROCESS

It serves big.mp4. Meanwhile an honest client asks; what is wrong is printed, then the figures after `# `.
"""
import contextlib
import re
import socket
import sys
import threading
import time

port, process = int(sys.argv[1]), int(sys.argv[2])
# An address of this machine that is not loopback.
ELSEWHERE = "192.0.2.1"
GIGABYTE = 1 << 30


def wrong(words):
    print(words, flush=True)


def connected(address="127.0.0.1", patience=10):
    connection = socket.create_connection((address, port), timeout=patience)
    return connection


def everything(connection, most=64 << 20):
    """All that comes until the server closes or says no more."""
    heard = bytearray()
    with contextlib.suppress(OSError):
        while len(heard) < most:
            more = connection.recv(1 << 16)
            if not more:
                break
            heard += more
    return bytes(heard)


def sent(request, patience=3):
    with connected(patience=patience) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
        return everything(connection)


def statuses(answer):
    """Of all answers; no body here holds such a line."""
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


def raw(*head):
    return "".join(f"{line}\r\n" for line in head).encode() + b"\r\n"


def get(path):
    return raw(f"GET {path} HTTP/1.1", HOST, "Connection: close")


POST = "POST /favorites/2019-05-01 HTTP/1.1"
HOST = "Host: localhost"


class Honest(threading.Thread):
    """Asks all the time, and keeps how long the longest answer took."""

    def __init__(self):
        super().__init__(daemon=True)
        self.longest, self.count, self.ended = 0, 0, threading.Event()

    def run(self):
        while not self.ended.is_set():
            begun = time.monotonic()
            try:
                answer = sent(get("/latest.json"), patience=10)
                if statuses(answer) != [200]:
                    wrong(f"the honest client got {answer[:60]}")
            except OSError as error:
                wrong(f"the honest client: {error}")
            self.longest, self.count = max(self.longest, time.monotonic() - begun), self.count + 1
            self.ended.wait(0.05)


def flood(head):
    """A body of a gigabyte is refused long before its end."""
    piece, count = bytes(1 << 20), 0
    with connected() as connection:
        connection.sendall(head)
        with contextlib.suppress(OSError):
            while count < GIGABYTE:
                connection.sendall(b"100000\r\n" + piece + b"\r\n" if b"chunked" in head else piece)
                count += len(piece)
        got = statuses(everything(connection))
    if count > 64 << 20 or 200 in got:
        wrong(f"{count >> 20} MB of a body are taken, {got}")


def crowd(count, request):
    """Connections that ask and then do nothing."""
    crowd = [connected() for _ in range(count)]
    for connection in crowd:
        with contextlib.suppress(OSError):
            connection.sendall(request)
    return crowd


def crowds():
    """Together fewer than there may be connections."""
    readers = crowd(300, get("/big.mp4"))
    writers = crowd(200, b"GET / HTTP/1.1\r\nHost: loc")
    posters = crowd(100, raw(POST, HOST, "Content-Length: 60000") + b"a")
    streams = crowd(300, get("/events"))
    frames = [connection for width in range(300, 400) for connection in crowd(1, get(f"/latest.jpg?width={width}&height=200"))]
    for _ in range(5):
        time.sleep(1)
        for connection in writers + posters:
            with contextlib.suppress(OSError):
                connection.send(b"a")
    for connection in readers + writers + posters + streams + frames:
        connection.close()
    begun = time.monotonic()
    with connected(patience=60) as connection:
        connection.sendall(get("/latest.jpg?width=64&height=48"))
        made = everything(connection)
    if statuses(made) != [200]:
        wrong(f"no picture of a size is made any more: {made[:100]}")
    return f"the next picture of a size after {time.monotonic() - begun:.0f} s"


def one_address():
    """Of one machine that is not this one, at most a hundred are let in."""
    taken = [connected(ELSEWHERE) for _ in range(300)]
    time.sleep(1)
    open_still = 0
    for connection in taken:
        connection.settimeout(0.01)
        try:
            open_still += connection.recv(1) != b""
        except TimeoutError:
            open_still += 1
        except OSError:
            pass
        connection.close()
    if not 1 <= open_still <= 100:
        wrong(f"one address has {open_still} connections")
    return f"{open_still} of 300 connections of one address"


def peak():
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024


honest = Honest()
honest.start()
begun = time.monotonic()
flood(raw(POST, HOST, f"Content-Length: {GIGABYTE}"))
flood(raw(POST, HOST, "Transfer-Encoding: chunked"))
flood(raw("GET / HTTP/1.1", HOST, f"Content-Length: {GIGABYTE}"))
sizes = crowds()
addresses = one_address()
time.sleep(0.5)
honest.ended.set()
honest.join(20)
if peak() > 40:
    wrong(f"{peak():.1f} MB")
if honest.longest > 1:
    wrong(f"the honest client waited {honest.longest:.1f} s")
print(f"# {addresses}, {sizes}; at most {peak():.1f} MB, {honest.count} honest answers, the longest after "
      f"{honest.longest:.2f} s; {time.monotonic() - begun:.0f} s")
