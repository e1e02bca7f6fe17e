# Floods a mirror on the web, and crowds it: hostile.py PORT PROCESS
#
# It serves big.mp4. Meanwhile an honest client asks; what is wrong is printed, then the figures after `# `.
import contextlib
import re
import socket
import sys
import threading
import time

port, process = map(int, sys.argv[1:])
# An address of this machine that is not loopback.
ELSEWHERE = "10.9.8.7"
MB = 1 << 20
POST, HOST = "POST /favorites/2019-05-01 HTTP/1.1", "Host: localhost"


def check(holds, words):
    if not holds:
        print(words, flush=True)


def connected(address="127.0.0.1", patience=10):
    return socket.create_connection((address, port), timeout=patience)


def send(connection, data):
    with contextlib.suppress(OSError):
        connection.sendall(data)


def answered(connection):
    # The statuses of all answers until the server closes or says no more; no body here holds such a line.
    heard = b""
    with contextlib.suppress(OSError):
        while more := connection.recv(1 << 16):
            heard += more
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", heard)]


def raw(*head):
    return "".join(f"{line}\r\n" for line in head).encode() + b"\r\n"


def get(path):
    return raw(f"GET {path} HTTP/1.1", HOST, "Connection: close")


class Honest(threading.Thread):
    # Asks all the time, and keeps how long the longest answer took.

    def __init__(self):
        super().__init__(daemon=True)
        self.longest, self.count, self.ended = 0, 0, threading.Event()

    def run(self):
        while not self.ended.wait(0.05):
            begun = time.monotonic()
            try:
                with connected() as connection:
                    send(connection, get("/latest.json"))
                    got = answered(connection)
                check(got == [200], f"the honest client got {got}")
            except OSError as error:
                check(False, f"the honest client: {error}")
            self.longest, self.count = max(self.longest, time.monotonic() - begun), self.count + 1


def flood(head):
    # A body of a gigabyte is refused long before its end.
    piece, count = bytes(MB), 0
    with connected() as connection:
        connection.sendall(head)
        with contextlib.suppress(OSError):
            while count < 1 << 30:
                connection.sendall(b"100000\r\n" + piece + b"\r\n" if b"chunked" in head else piece)
                count += len(piece)
        got = answered(connection)
    check(count <= 64 * MB and 200 not in got, f"{count // MB} MB of a body are taken, {got}")


def crowd(*requests):
    # Connections that ask and then do nothing.
    crowd = [connected() for _ in requests]
    for connection, request in zip(crowd, requests):
        send(connection, request)
    return crowd


def crowds():
    # Together fewer than there may be connections.
    slow = crowd(*[b"GET / HTTP/1.1\r\nHost: loc"] * 200, *[raw(POST, HOST, "Content-Length: 60000") + b"a"] * 100)
    others = crowd(*[get("/big.mp4")] * 300, *[get("/events")] * 300,
                   *(get(f"/latest.jpg?width={width}&height=200") for width in range(300, 400)))
    for _ in range(5):
        time.sleep(1)
        for connection in slow:
            send(connection, b"a")
    for connection in slow + others:
        connection.close()
    begun = time.monotonic()
    with connected(patience=60) as connection:
        connection.sendall(get("/latest.jpg?width=64&height=48"))
        got = answered(connection)
    check(got == [200], f"no picture of a size is made any more: {got}")
    return f"the next picture of a size after {time.monotonic() - begun:.0f} s"


def one_address():
    # Of one machine that is not this one, at most a hundred are let in.
    taken = [connected(ELSEWHERE) for _ in range(300)]
    time.sleep(1)
    still = 0
    for connection in taken:
        connection.settimeout(0.01)
        try:
            still += connection.recv(1) != b""
        except TimeoutError:
            still += 1
        except OSError:
            pass
        connection.close()
    check(1 <= still <= 100, f"one address has {still} connections")
    return f"{still} of 300 connections of one address"


def peak():
    with open(f"/proc/{process}/status") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) / 1024


honest, begun = Honest(), time.monotonic()
honest.start()
for request in [(POST, HOST, f"Content-Length: {1 << 30}"), (POST, HOST, "Transfer-Encoding: chunked"),
                ("GET / HTTP/1.1", HOST, f"Content-Length: {1 << 30}")]:
    flood(raw(*request))
figures = [crowds(), one_address()]
time.sleep(0.5)
honest.ended.set()
honest.join(20)
check(peak() <= 40, f"{peak():.1f} MB")
check(honest.longest <= 1, f"the honest client waited {honest.longest:.1f} s")
print(f"# {', '.join(figures)}; at most {peak():.1f} MB, {honest.count} honest answers, the longest after "
      f"{honest.longest:.2f} s; {time.monotonic() - begun:.0f} s")
