# Raw HTTP to the web server, and messages on the service's sockets.
#
# Secrets lie around the mirror: beside its root, behind links out of it, among the favorites, in its own folder, in the settings.
# None may come up in an answer.
import contextlib
import json
import os
import random
import re
import signal
import socket
import urllib.parse
from os.path import dirname, join

from edges import around
from harm import BYTES, SECRET, VALUES, altered, mutated
from mirror import Mirror, Walk, contents, files_below, last_days
from part import Violation
from upstream import BASE, Upstream

# What libmicrohttpd or the server answers to nonsense: 505 only to another version of HTTP, 503 while the folder is away or too
# much is under way, which is not so here.
STATUSES = {200, 202, 204, 206, 302, 304, 400, 403, 404, 405, 409, 411, 413, 414, 416, 421, 431}
HOST = b"127.0.0.1"
OURS = b"http://127.0.0.1"
OLD = b"If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"


def quote(path):
    return "/" + urllib.parse.quote(path)


class Service(Mirror):
    # A mirror with its service, its web server, and what must stay private.
    def __init__(self, walk, program):
        upstream, self.days = Upstream(), last_days(8)
        self.newest = self.days[0]
        upstream.fill(self.days, walk.seed, ("picture", "video", "embedded", "picture"), ("Night & <b>Clouds</b>”",))
        # The gallery's pages are served, too.
        super().__init__(walk, program, upstream, f"since = {self.days[-1]}\ncontact = {SECRET}@example.org\n"
                         "web-favorites = yes\ngallery = yes\n")
        self.run("sync")
        self.outside = join(walk.folder, "outside")
        self.plant(f"{self.newest:%Y/%m}")
        self.start()
        self.messages = [(words, self.captured(*words.format(self.newest, self.newest).split())) for words in Messages.COMMANDS]
        self.serve()
        self.files = {path: contents(join(self.root, path)) for day in self.days for file in self.files_of(day)
                      for path in [f"{day:%Y/%m}/{file['name']}"]}
        self.outside_before = self.state()

    def plant(self, month):
        # What nobody is to see, and links to it.
        secret = f"{self.outside}/secret.txt"
        files = ["favorites/own.jpg", f"favorites/album/{SECRET}.txt", ".apod-mirror/secret", ".secret.jpg", f"{month}/.hidden"]
        links = {f"{month}/out.jpg": secret, "outside": self.outside, "etc": "/etc", "favorites/album/to-own.jpg": "../own.jpg",
                 "favorites/out.jpg": secret, "own-by-link.jpg": "favorites/own.jpg", "inner-by-link.jpg": ".apod-mirror/secret"}
        for path in [secret, *files]:
            path = join(self.root, path)
            os.makedirs(dirname(path), exist_ok=True)
            with open(path, "a") as file:
                file.write(f"{SECRET}\n")
        for path, target in links.items():
            os.symlink(target, join(self.root, path))
        self.private = [f"/{path}" for path in (*files, *links)]

    def captured(self, *words):
        # What a command says to the service, which does not hear it.
        control = join(self.root, ".apod-mirror", "control")
        os.rename(control, control + "-aside")
        with socket.socket(socket.AF_UNIX) as waiting:
            waiting.bind(control)
            waiting.listen()
            waiting.settimeout(30)
            command = self.begin(*words)
            to, _ = waiting.accept()
            with to, to.makefile("rb") as lines:
                line, *fields = iter(lambda: lines.readline().rstrip(), b"")
                body = lines.read(int(fields[-1].split()[-1]))
        command.wait(60)
        os.rename(control + "-aside", control)
        return line, body

    def state(self):
        return {path: contents(path) for path in files_below(self.outside)}

    def send(self, request, patience=30, is_head=False):
        # (status, head, body) of the first answer, or None; `patience`: seconds without a byte.
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as to:
            try:
                to.sendall(request)
            except (BrokenPipeError, ConnectionResetError):
                pass
            to.settimeout(patience)
            got, answer = b"", None
            while not answer:
                try:
                    piece = to.recv(1 << 20)
                except (TimeoutError, ConnectionResetError):
                    break
                if not piece:
                    break
                got += piece
                answer = self.answer(got, is_head)
        self.look(got)
        return answer

    def answer(self, got, is_head):
        # The first that is whole. Of a stream of news, that is its head.
        head, end, rest = got.partition(b"\r\n\r\n")
        if not end:
            return None
        found = re.match(rb"HTTP/1\.[01] (\d\d\d) ", head)
        if not found:
            raise Violation(f"this is no answer: {got[:200]}")
        if found[1] == b"100":
            return self.answer(rest, is_head)
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        size = int(length[1]) if length and not is_head and found[1] not in (b"304", b"204") else 0
        return (int(found[1]), head, rest[:size]) if len(rest) >= size else None

    def look(self, answer):
        # A foreign name is said back, and in a request that was mixed it may be a secret's; no other answer follows.
        secrets = [] if answer.startswith(b"HTTP/1.1 421 ") else [SECRET.encode()]
        for private in (*secrets, b"SQLite format 3", b"root:x:0:0"):
            if private in answer:
                raise Violation(f"{private} was told: {answer[:300]}")

    def well(self):
        super().well()
        if self.ask("GET", "/health")[0] not in (200, 503):
            raise Violation("the web server does not answer any more")
        if self.state() != self.outside_before:
            raise Violation("what is outside has changed")

    def end(self):
        self.web.send_signal(signal.SIGTERM)
        if self.web.wait(60) != 0:
            raise Violation(f"the web server ended with {self.web.returncode}")
        super().end()


class HTTP:
    # `case()` takes one request, of a kind by the dice.
    METHODS = [b"GET"] * 14 + [b"HEAD", b"POST"] * 7 + [b"PUT", b"DELETE", b"TRACE", b"CONNECT", b"PROPFIND", b"get", b"G" * 200]
    FIELDS = [b"Range: bytes=0-9", b"If-None-Match: *", b"Accept: */*", b"Origin: " + OURS, b"Connection: close", b"Content-Length: 5",
              b"Transfer-Encoding: chunked", b"X-Forwarded-Host: nas", b"X-Forwarded-Proto: https", b"X-Apod-Favorite: add",
              OLD, b"Expect: 100-continue", b"Upgrade: websocket", b"Connection: Upgrade"]
    ODD_FIELDS = [*(b"X: " + b"y" * size for size in (100, 8000, 20000, 60000)), b"X" * 20000 + b": y", b"Cookie: " + b"a=b; " * 2000,
                  b": nothing", b"no colon", b" folded", *(b"Content-Length: " + size for size in (b"0", b"65537", b"9" * 12, b"-1", b"x"))]
    READ_FIELDS = [b"Range: ", b"If-Range: ", b"If-None-Match: ", b"X-Forwarded-Host: ", b"Origin: "]
    VALUES = [b"0", b"-1", b"1", b"3", b"100", b"101", b"1e3", b"picture", b"2026-11-20", b"2001-02-03", b"1990-01-01", b"261120"]
    HOSTS = [HOST] * 40 + [b"evil.example", b"127.0.0.1.evil", b"[::1", b"a@127.0.0.1", b"x" * 300, b"\xff\xfe", b"127.0.0.1:80:80"]
    # The names of a query, and the paths that read it.
    QUERIES = {"date start_date end_date count thumbs hd concept_tags api_key x": ["/planetary/apod", "/v1/apod"],
               "per_page page date_from date_to year month": [BASE, BASE + "/{day}"],
               "w h width height size fit kind sha256": ["/latest.jpg", "/random.jpg", "/favorites/random.jpg", "/latest"]}
    # Other ways to write a path.
    WAYS = ["{path}", "{path}/", "/{year}/..{path}", "/{year}/%2e%2e{path}", "/favorites/..{path}", "{path}%00.jpg", "{path}?sha256=0",
            "/gallery/%2e%2e%2f{path}", "/..%5c..{path}", "/%2e{path}", "/{path}"]

    def __init__(self, service, dice):
        self.service, self.dice, newest = service, dice, service.newest
        self.known = ["/", "/latest", "/latest.jpg", "/latest.json", "/random.jpg", "/favorites/", "/favorites/album/", "/favorites.json",
                      "/feed.xml", "/gallery/", "/gallery/data/favorites.js", "/apod/", "/apod/archivepix.html", "/apod.rss", "/metrics",
                      "/health", "/planetary/apod", "/v1/apod", BASE, f"{BASE}/{newest:%y%m%d}", f"{BASE}/{newest:%y%m%d}/html",
                      f"/apod/ap{newest:%y%m%d}.html", f"/{newest:%Y}/", f"/{newest:%Y/%m}/", *map(quote, service.files)]
        self.private = [*service.private, "/.apod-mirror/catalog.sqlite", "/.apod-mirror/status.json", "/.hidden", "/outside/secret.txt",
                        "/etc/passwd", "/.apod-mirror/", "/outside/", "/etc/", "/.apod-mirror/latest/../secret", "/.apod-mirror/control"]
        self.kinds = [self.mutated] * 8 + [self.mixed] * 9 + [self.file]

    def case(self):
        self.dice.choice(self.kinds)()

    def send(self, request, **more):
        # RFC 9110, 15.6.2 and 15.6.6: libmicrohttpd's own answers, to what is another protocol.
        self.request = request
        is_other = not re.search(rb" HTTP/1\.[01]\r?$", request.lstrip(b"\r\n").partition(b"\n")[0])
        answer = self.service.send(request, **more)
        if answer and answer[0] not in (STATUSES | {501, 505} if is_other else STATUSES):
            raise Violation(f"answered with {answer[0]}")
        return answer

    def get(self, path, *fields, method=b"GET", host=HOST, **more):
        path = path if isinstance(path, bytes) else path.encode()
        request = b"\r\n".join([method + b" " + path + b" HTTP/1.1", b"Host: " + host, *fields, b"", b""])
        return self.send(request, is_head=method == b"HEAD", **more)

    def escaped(self, path):
        # The same path, written in another way.
        out = "".join(f"%{ord(c):02X}" if c.isalnum() and self.dice.random() < 0.2 else c for c in urllib.parse.unquote(path))
        out = urllib.parse.quote(out, safe="/%")
        return out.replace("/", "//", 1) if self.dice.random() < 0.1 else out

    def quoted(self):
        junk = self.dice.choice(BYTES)
        is_plain = self.dice.random() < 0.5 and not any(byte in junk for byte in b"\r\n \t\0")
        return junk if is_plain else urllib.parse.quote(junk).encode()

    def mutated(self):
        # A valid request with some bytes changed. Part of a request brings no answer: the client leaves then.
        dice = self.dice
        fields = [b"Host: " + HOST, *dice.sample(self.FIELDS, dice.randrange(4)), b"", b"hello"]
        head = dice.choice([b"GET", b"GET", b"HEAD", b"OPTIONS", b"POST"]) + f" {dice.choice(self.known + self.private)} HTTP/1.1\r\n".encode()
        self.send(mutated(dice, head + b"\r\n".join(fields), dice.choice([1, 1, 2, 5, 30])) + b"\r\n\r\n", patience=0.01)

    def mixed(self):
        # Whatever is asked is answered with a status that there is, and without a secret; what is private is not there.
        dice = self.dice
        private, known = dice.choice(self.private), dice.choice(self.known)
        path = dice.choice([
            known, self.queried(), known.encode() + b"/" + dice.choice(BYTES), private, private.upper(), self.escaped(private),
            private.replace("/", "//"), dice.choice(self.WAYS).format(path=private, year=self.service.newest.year)])
        fields = [dice.choice([*self.FIELDS, *self.ODD_FIELDS, dice.choice(self.READ_FIELDS) + self.quoted()])
                  for _ in range(dice.choice([0, 0, 1, 1, 2]))] * dice.choice([1, 1, 1, 1, 200])
        has_body = any(field.startswith((b"Content-", b"Transfer-", b"Expect", b"Upgrade")) for field in fields)
        answer = self.get(path, *fields, method=dice.choice(self.METHODS), host=dice.choice(self.HOSTS), patience=0.02 if has_body else 1)
        if path in self.private and answer and answer[0] < 400:
            raise Violation(f"{path} is answered with {answer[0]}")

    def queried(self):
        # What reads a query, with one.
        names, paths = self.dice.choice(list(self.QUERIES.items()))
        words = [self.dice.choice(names.split()).encode() + b"=" + self.dice.choice([*self.VALUES, str(self.service.newest).encode(), self.quoted()])
                 for _ in range(self.dice.choice([1, 1, 2, 3]))]
        return self.dice.choice(paths).format(day=f"{self.service.newest:%y%m%d}").encode() + b"?" + b"&".join(words)

    def file(self):
        path, body = self.dice.choice(list(self.service.files.items()))
        if self.get(self.dice.choice([quote(path), self.escaped(quote(path))]))[::2] != (200, body):
            raise Violation(f"{path} is answered with something else than is in the folder")


    def edges(self):
        # Numbers, dates and lengths one below their limits, at them, and one above: the status, and of a part its bytes.
        path, body = next(iter(self.service.files.items()))
        size, day, huge = len(body), f"{self.service.newest:%y%m%d}", (2 ** 63 - 1, 2 ** 63, 10 ** 30)
        asked = [(quote(path), b"Range: bytes=0-%d" % last, 206, body[:last + 1]) for last in (0, *around(size - 1), *huge)]
        asked += [(quote(path), b"Range: bytes=%d-" % first, 206 if first < size else 416, None) for first in (*around(size), *huge)]
        asked += [(quote(path), b"Range: bytes=-%d" % last, 206 if last else 416, None) for last in (0, 1, *around(size), *huge)]
        for asking, least, most in ((f"{BASE}?page=", 1, 100_000), (f"{BASE}?per_page=", 1, 100), ("/v1/apod?count=", 1, 100),
                                    ("/latest.jpg?width=", 1, 3840)):
            asked += [(f"{asking}{number}", None, 200 if least <= number <= most else 400, None)
                      for number in (*around(least), *around(most), -2 ** 63, *huge)]
        asked += [(f"/v1/apod?date={date}", None, status, None) for date, status in
                  (("1995-06-15", 400), ("1995-06-16", 404), (self.service.newest, 200), ("9999-12-31", 400), ("2094-12-31", 400))]
        asked += [(f"{BASE}?date_from={first}&date_to={last}", None, 200, None) for first, last in
                  (("950616", day), (day, "941231"), (day, "000101"))] + [(f"{BASE}?date_from=950615", None, 400, None)]
        asked += [(quote(path), b"If-Modified-Since: %s 00:00:00 GMT" % date, None, None) for date in
                  (b"Thu, 01 Jan 1970", b"Fri, 31 Dec 9999", b"Sat, 01 Jan 10000", b"Wed, 31 Dec 0000")]
        for asking, field, status, part in asked:
            answer = self.get(asking, *[field] if field else [], patience=30)
            if not answer or status not in (None, answer[0]) or part not in (None, answer[2]):
                raise Violation(f"{asking} {field}: {answer and answer[:2]}, not {status}")


class Messages:
    # What commands say to the service, changed by structure and by byte, on the socket of commands and that of the web.
    COMMANDS = ["status", "sync {}", "sync --since {} --until {}", "prune", "revert {}", "verify --repair", "thumbnails {}", "favorites add {}",
                "favorites restore {}"]
    NO_MESSAGES = ["[" * 5000, '{"a":' * 20000, "", "null", "9" * 10000, '"' + "x" * 100_000]

    def __init__(self, service, dice):
        self.service, self.dice = service, dice

    def changed(self, line, body):
        dice = self.dice
        if dice.random() < 0.1:
            line = mutated(dice, dice.choice([line, b"GET /", b"POST /status HTTP/1.1", re.sub(rb"/\d+", b"/14", line)]), 1).replace(b"\n", b" ")
        if not body:
            return line, body
        part = message = json.loads(body)
        while (below := [each for each in part.values() if isinstance(each, dict)]) and dice.random() < 0.7:
            part = dice.choice(below)
        day = str(self.service.newest)
        altered(dice, part, [*VALUES, day, [day], {"a": day}, "2001-02-03", "add", "Album"], dice.choice([0, 1, 1, 2]))
        text = dice.choice(self.NO_MESSAGES) if dice.random() < 0.05 else json.dumps(message)
        return line, mutated(dice, text.encode("utf-8", "surrogatepass"), dice.choice([1, 3]) if dice.random() < 0.3 else 0)

    def edges(self):
        # Of the longest message there is an answer, not of a longer one.
        [(line, body)] = [message for words, message in self.service.messages if words.startswith("thumbnails")]
        for size in around(1 << 20):
            head = line + b"\r\nContent-Length: %d\r\n\r\n"
            length = size - len(head % size)
            self.request = head % length + body + b" " * (length - len(body))
            self.request += b" " * (size - len(self.request))
            if (b'"end"' in say(join(self.service.root, ".apod-mirror", "control"), self.request)) != (size <= 1 << 20):
                raise Violation(f"a message of {size} bytes is answered, or not")

    def case(self):
        words, message = self.dice.choice(self.service.messages)
        is_changed = self.dice.random() < 0.8
        line, body = self.changed(*message) if is_changed else message
        who = self.dice.choice(["control", "web", "web"])
        self.request = line + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        head, _, answer = say(join(self.service.root, ".apod-mirror", who), self.request).partition(b"\r\n\r\n")
        lines = [json.loads(each) for each in answer.split(b"\n") if each]
        if not head.startswith(b"HTTP/1.1 ") or not lines or not {"end", "mistake", "root"} & lines[-1].keys():
            raise Violation(f"{who} had no end of {head} {answer[-300:]}")
        if who == "web" and SECRET.encode() in answer:
            raise Violation(f"{who} was told {answer[:300]}")
        # The web may ask for favorites alone.
        taken = not is_changed and not words.startswith("favorites") and any("taken" in each for each in lines)
        if who == "web" and (taken or "root" in lines[-1]):
            raise Violation(f"{who} may not ask for {words}: {answer[:300]}")


def say(path, request):
    with socket.socket(socket.AF_UNIX) as to:
        to.settimeout(60)
        to.connect(path)
        got = b""
        with contextlib.suppress(OSError):
            to.sendall(request)
        try:
            while piece := to.recv(1 << 16):
                got += piece
        except ConnectionResetError:
            pass
        except TimeoutError:
            raise Violation(f"a message brought no end within a minute: {got[-200:]}") from None
        return got


def take(part):
    service = Service(Walk(part.seed, part.folder), part.program)

    def take_round(_, kind, number):
        dice = random.Random(f"{part.seed} {number}")
        for player, times in ((HTTP(service, dice), 250), (Messages(service, dice), 25)):
            if number == 0:
                player.request = b""
                with part.falls("the edges"):
                    player.edges()
            for _ in range(times):
                try:
                    player.case()
                except Exception as error:
                    part.fall(f"--case \"{kind} {number}\", {player.request[:700]}", error)
            part.cases += times
        service.well()

    part.rounds(take_round)
    service.end()
    service.run("sync")
    service.verify()
