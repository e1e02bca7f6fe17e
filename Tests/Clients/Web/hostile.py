#!/usr/bin/python3
"""Sends a mirror on the web what no honest program sends: hostile.py ROOT PORT PROCESS

Around ROOT, the caller has put what must not be seen: files that hold SECRET, outside, hidden or a person's, and links
that lead there. Meanwhile an honest client asks; what is wrong is printed, then the figures after `# `.
"""
import contextlib
import os
import re
import socket
import sys
import threading
import time
import urllib.parse

root, port, process = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SECRET = b"nobody may see this"
DAY = "2019-05-01"
BIG = "big.mp4"
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


def get(path, *headers, method="GET", host="localhost"):
    path = path if isinstance(path, bytes) else path.encode()
    lines = [method.encode() + b" " + path + b" HTTP/1.1", f"Host: {host}".encode(), b"Connection: close"]
    return b"\r\n".join(lines + [header.encode() for header in headers]) + b"\r\n\r\n"


def raw(head, body=b""):
    return b"\r\n".join(line.encode("latin-1") for line in head) + b"\r\n\r\n" + body


POST = f"POST /favorites/{DAY} HTTP/1.1"
HOST = "Host: localhost"
INNER = get("/health")
PICTURE = "/" + urllib.parse.quote(os.path.relpath(os.path.realpath(os.path.join(root, "latest")), os.path.realpath(root)))

# Paths that lead to nothing.
NOWHERE = [
    "/../SECRET", "/../../../../../../SECRET", "/2019/../../SECRET", "/%2e%2e/SECRET", "/%2E%2e/SECRET", "/.%2e/SECRET",
    "/..%2fSECRET", "/%2e%2e%2fSECRET", "/2019%2f..%2f..%2fSECRET", "/..%5cSECRET", "/..\\SECRET", "/%252e%252e/SECRET",
    "/%25%32%65%25%32%65/SECRET", "/%c0%ae%c0%ae/SECRET", "/%e0%80%ae%e0%80%ae/SECRET", "/%f0%80%80%ae%f0%80%80%ae/SECRET",
    "/..%c0%afSECRET", "/..%ef%bc%8fSECRET", "/..;/SECRET", "/..%00/SECRET", "/SECRET%00.jpg", "/%00", "/latest.jpg%00",
    "/%u002e%u002e/SECRET", "/%", "/%2", "/%zz", "/%ff%fe", "/%ed%a0%80", "//../SECRET", "/./SECRET", "/2019/./05", b"/\xc0\xae\xc0\xae/SECRET",
    b"/\x80\xff", "/.apod-mirror/", "/.apod-mirror/catalog.sqlite", "/%2eapod-mirror/catalog.sqlite",
    "/.apod-mirror%2fcatalog.sqlite", "/2019/.hidden", "/2019/05/.sh_thumbnails/", "/2019/%2e%2e/.apod-mirror/SECRET", "/out/SECRET",
    "/out.txt", "/2019/05/out.jpg", "/up/SECRET", "/hidden.sqlite", "/favorites/own.txt", "/favorites/out.txt", "/favorites/../out.txt",
    "/gallery/..%2f.apod-mirror/SECRET", "/content/dam/../../SECRET", "/content/dam/%2e%2e/%2e%2e/SECRET", "/vi/../SECRET",
    "/apod/image/1905/../../../SECRET", "/apod/image/1905/%2e%2e%2fSECRET", "/etc/passwd", "/%0d%0aSet-Cookie:%20a=b",
    "/" + "a/" * 3000, "/" + "a" * 300, "/wp-json/wp/v2/apod-basic/../../../../SECRET", "file:///etc/passwd",
    "http://localhost/latest.json", "*", "latest.json", "",
]
RANGES = [
    ("bytes=0-0", 206), ("bytes=99999999999999999999-", 416), ("bytes=-0", 416), ("bytes=-99999999999999999999", 206),
    ("bytes=0-99999999999999999999", 206), ("bytes=5-2", 200), ("bytes=--5", 200), ("bytes=-", 200), ("bytes=", 200), ("bytes", 200),
    ("items=0-1", 200), ("bytes=0x1-0x2", 200), ("bytes=1-2-3", 200), ("bytes=+1-2", 200), ("bytes=0-1,3-4", 200),
    ("bytes=" + ",".join(["0-"] * 1000), 200), ("bytes=٣-٤", 200),
]
# What is refused. libmicrohttpd 0.9.75 itself sends the head of some refusals twice, and then closes.
REFUSED = {400, 403, 404, 405, 408, 413, 414, 421, 431, 500, 501, 505}
# A request and the status of its one answer; None: no answer, or none but refusals.
TABLE = [
    *[(f"{path!r:.60}", get(path if isinstance(path, bytes) else path.replace("SECRET", "secret.txt")), None) for path in NOWHERE],
    *[(f"Range: {text:.40}", get(PICTURE, f"Range: {text}".encode().decode("latin-1")), status) for text, status in RANGES],
    *[(query, get(query), None) for query in (
        "/planetary/apod?count=99999999999999999999", "/planetary/apod?count=-1", "/planetary/apod?date=9999999999-01-01",
        "/planetary/apod?start_date=0000-00-00", "/planetary/apod?date=2019-05-01%00", "/planetary/apod?x=" + "a" * 3000,
        "/wp-json/wp/v2/apod-basic?page=99999999999999999999", "/wp-json/wp/v2/apod-basic?per_page=-1",
        "/latest.jpg?width=99999999999999999999&height=1", "/latest.jpg?width=-1&height=-1", "/latest.jpg?width=0&height=0",
        "/random.jpg?width=1e9&height=1e9", "/latest.jpg?width=%00&height=4")],
    # For libmicrohttpd, the address ends there.
    ("NUL in an address", get(b"/\x00../secret.txt"), 200),
    ("a host that is not this machine", get("/", host="evil.example"), 421),
    ("such a host behind a proxy", get("/", "X-Forwarded-Host: evil.example"), 421),
    ("a host with a path", get("/", host="localhost/../x"), 421),
    ("no host", raw(["GET / HTTP/1.1"]), None),
    ("two hosts", get("/", "Host: evil.example"), 400),
    *[(f"the method {method}", get("/", method=method), None) for method in ("TRACE", "CONNECT", "PUT", "DELETE", "get", "GETGETGET" * 9)],
    ("HTTP 2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", None),
    ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), None),
    ("noise", bytes(range(256)) * 40, None),
    ("NULs", bytes(100_000), None),
    ("only line ends", b"\r\n" * 100_000, None),
    ("100,000 headers", raw(["GET / HTTP/1.1", HOST] + ["A: b"] * 100_000), None),
    ("a header of 1 MB", raw(["GET / HTTP/1.1", HOST, "A: " + "b" * (1 << 20)]), None),
    ("an address of 1 MB", get("/" + "a" * (1 << 20)), None),
    ("a cookie in the name of a header", raw(["GET / HTTP/1.1", HOST, "A\x00: b"]), None),
    # Where the first request ends must be no question.
    ("two lengths", raw([POST, HOST, "Content-Length: 5", f"Content-Length: {len(INNER)}"], INNER), None),
    ("two lengths in one", raw([POST, HOST, f"Content-Length: 5, {len(INNER)}"], INNER), None),
    ("the same length twice", raw([POST, HOST, "Content-Length: 0", "Content-Length: 0"], INNER), None),
    ("a length and chunks", raw([POST, HOST, "Content-Length: 4", "Transfer-Encoding: chunked"], b"0\r\n\r\n" + INNER), None),
    ("chunks and a length", raw([POST, HOST, "Transfer-Encoding: chunked", f"Content-Length: {len(INNER) + 5}"], b"0\r\n\r\n" + INNER), None),
    *[(f"a length of {length}", raw([POST, HOST, f"Content-Length: {length}"], INNER), None)
      for length in ("-1", "+5", "0x5", "5 5", "", "99999999999999999999", "1e3", "5\x00")],
    *[(f"the encoding {words}", raw([POST, HOST, words], b"0\r\n\r\n" + INNER), None)
      for words in ("Transfer-Encoding: xchunked", "Transfer-Encoding : chunked", "Transfer-Encoding: chunked, identity",
                    "Transfer-Encoding:\x0bchunked", "Transfer-Encoding: identity")],
    *[(f"a chunk of {size}", raw([POST, HOST, "Transfer-Encoding: chunked"], size.encode() + b"\r\n" + INNER), None)
      for size in ("ffffffffffffffff", "-1", "0x1", "1;" + "a" * 100_000)],
    ("a folded length", raw([POST, HOST, "A: b", " Content-Length: 5"], INNER[:5]), None),
    # A page of another server may ask a browser to send these.
    *[(f"a foreign page that posts: {headers[-1]}", raw([POST, HOST, "Connection: close", "Content-Length: 0", *headers]), 403) for headers in (
        ["Origin: http://evil.example"], ["X-Apod-Favorite: add", "Origin: http://evil.example"], ["X-Apod-Favorite: add", "Origin: null"],
        ["X-Apod-Favorite: add", "Sec-Fetch-Site: cross-site"], ["Content-Type: text/plain"], ["X-Apod-Favorite: prune"])],
    ("a post elsewhere", raw(["POST /index.html HTTP/1.1", HOST, "Connection: close", "Content-Length: 0", "X-Apod-Favorite: add"]), 405),
]


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


def table():
    for what, request, status in TABLE:
        answer = sent(request)
        got = statuses(answer)
        if SECRET in answer or b"SQLite format" in answer or b"\nSet-Cookie" in answer:
            wrong(f"{what}: tells what it must not")
        if not REFUSED.issuperset(got) if status is None else got != [status]:
            wrong(f"{what:.60}: {got}, not {status or 'refused'}")


def preflight():
    answer = sent(get(f"/favorites/{DAY}", "Origin: http://evil.example", "Access-Control-Request-Method: POST",
                      "Access-Control-Request-Headers: x-apod-favorite", method="OPTIONS")).lower()
    if b"x-apod-favorite" in answer or b"post" in answer:
        wrong("a foreign page is allowed to post")


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


def pipeline():
    with connected() as connection:
        threading.Thread(target=lambda: connection.sendall(get("/health").replace(b"Connection: close\r\n", b"") * 2000 + get("/health")),
                         daemon=True).start()
        got = statuses(everything(connection))
    if got != [200] * 2001:
        wrong(f"of 2001 requests at once, {len(got)} are answered")


def crowd(count, request):
    """Connections that ask and then do nothing."""
    crowd = [connected() for _ in range(count)]
    for connection in crowd:
        with contextlib.suppress(OSError):
            connection.sendall(request)
    return crowd


def crowds():
    """Together fewer than there may be connections."""
    readers = crowd(300, get(f"/{BIG}"))
    writers = crowd(200, b"GET / HTTP/1.1\r\nHost: loc")
    posters = crowd(100, raw([POST, HOST, "Content-Length: 60000"], b"a"))
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


def replaced():
    """A file that is replaced while it is sent arrives as it was."""
    path = os.path.join(root, BIG)
    with open(path, "rb") as file:
        former = file.read()
    with connected() as connection:
        connection.sendall(get(f"/{BIG}"))
        heard = connection.recv(1)
        with open(path + ".new", "wb") as file:
            file.write(bytes(len(former) // 2))
        os.rename(path + ".new", path)
        heard += everything(connection)
    if not heard.endswith(former):
        wrong("a file that was replaced came in parts")
    if not sent(get(f"/{BIG}")).endswith(bytes(len(former) // 2)):
        wrong("the new file does not come")


def peak():
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024


honest = Honest()
honest.start()
begun = time.monotonic()
table()
preflight()
flood(raw([POST, HOST, f"Content-Length: {GIGABYTE}"]))
flood(raw([POST, HOST, "Transfer-Encoding: chunked"]))
flood(raw(["GET / HTTP/1.1", HOST, f"Content-Length: {GIGABYTE}"]))
pipeline()
replaced()
sizes = crowds()
addresses = one_address()
time.sleep(0.5)
honest.ended.set()
honest.join(20)
if peak() > 40:
    wrong(f"{peak():.1f} MB")
if honest.longest > 1:
    wrong(f"the honest client waited {honest.longest:.1f} s")
print(f"# {len(TABLE)} requests, {addresses}, {sizes}; at most {peak():.1f} MB, {honest.count} honest answers, the longest after "
      f"{honest.longest:.2f} s; {time.monotonic() - begun:.0f} s")
