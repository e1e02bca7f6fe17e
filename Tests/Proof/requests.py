"""Raw HTTP to the web server, messages on the service's sockets, settings files, `.hidden` files and names in the folder.

Secrets lie around the mirror: beside its root, behind links out of it, among the favorites, in its own folder, in the settings.
None may come up in an answer.
"""
import datetime
import hashlib
import json
import os
import random
import re
import select
import shutil
import signal
import socket
import subprocess
import urllib.parse

from mirror import Mirror, Violation, Walk, until
from part import Clock, Figures
from upstream import BASE, Record, Upstream

# As root, the service belongs to a system user, so that members of its group may ask it.
NEEDS_ROOT = os.geteuid() == 0
SERVICE, MEMBER = 987, 65534
# What libmicrohttpd or the server answers to nonsense: 505 only to another version of HTTP, 503 while too much is under way.
STATUSES = {200, 202, 204, 206, 302, 304, 400, 403, 404, 405, 409, 411, 413, 414, 416, 421, 431}
SECRET = "x7Qz-secret"
HOST = b"Host: 127.0.0.1\r\n"


class Service:
    """A mirror with its service, its web server, and what must stay private."""

    def __init__(self, walk, program, folder):
        self.walk, self.upstream = walk, Upstream()
        self.newest = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(1)
        self.days = [self.newest - datetime.timedelta(back) for back in range(8)]
        for index, day in enumerate(self.days):
            kind = ("picture", "video", "embedded", "picture")[index % 4]
            names = [f"{day:%Y/%m}/s{index}.{suffix}" for suffix in (["mp4"] if kind == "video" else []) + ["jpg"]]
            self.upstream.add(Record(day, f"Night “{index}” & <b>Clouds</b>", kind, names), walk.seed)
        self.mirror = Mirror(walk, program, self.upstream, f"since = {self.days[-1]}\ncontact = {SECRET}@example.org\n"
                             "web-favorites = yes\n", "disk")
        self.root = self.mirror.root
        # The gallery's pages are served, too.
        words = open(self.mirror.settings).read().replace("gallery = no", "gallery = yes")
        open(self.mirror.settings, "w").write(words)
        self.mirror.run("sync")
        self.plant()
        self.mirror.start()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = open(os.path.join(walk.folder, "web"), "wb")
        self.web = subprocess.Popen([program, "serve", "--config", self.mirror.settings, "--listen", f"127.0.0.1:{self.port}"],
                                    stdout=self.log, stderr=self.log, env=self.mirror.environment)
        self.files = {}
        for day in self.days:
            document = self.mirror.document(day)
            for file in document["mirror"]["files"]:
                path = f"{day:%Y/%m}/{file['name']}"
                self.files[path] = open(os.path.join(self.root, path), "rb").read()
        if not until(self.answers):
            raise Violation("the web server does not answer")
        self.outside_before = self.state(self.outside)

    def plant(self):
        self.outside = os.path.join(self.walk.folder, "outside")
        os.makedirs(self.outside)
        secret = os.path.join(self.outside, "secret.txt")
        open(secret, "w").write(SECRET)
        month = os.path.join(self.root, f"{self.newest:%Y/%m}")
        os.symlink(secret, os.path.join(month, "out.jpg"))
        os.symlink(self.outside, os.path.join(self.root, "outside"))
        os.symlink("/etc", os.path.join(self.root, "etc"))
        favorites = self.mirror.favorites
        os.makedirs(os.path.join(favorites, "album"))
        open(os.path.join(favorites, "own.jpg"), "w").write(SECRET)
        open(os.path.join(favorites, "album", f"{SECRET}.txt"), "w").write(SECRET)
        os.symlink("../own.jpg", os.path.join(favorites, "album", "to-own.jpg"))
        os.symlink(secret, os.path.join(favorites, "out.jpg"))
        os.symlink("favorites/own.jpg", os.path.join(self.root, "own-by-link.jpg"))
        os.symlink(".apod-mirror/secret", os.path.join(self.root, "inner-by-link.jpg"))
        open(os.path.join(self.root, ".apod-mirror", "secret"), "w").write(SECRET)
        open(os.path.join(self.root, ".secret.jpg"), "w").write(SECRET)
        with open(os.path.join(month, ".hidden"), "a") as file:
            file.write(f"{SECRET}\n")

    @staticmethod
    def state(folder):
        return {path: hashlib.sha256(open(os.path.join(path, name), "rb").read()).hexdigest()
                for path, _, names in os.walk(folder) for name in names}

    def answers(self):
        try:
            path, body = next(iter(self.files.items()))
            return self.ask(b"GET /" + urllib.parse.quote(path).encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n")[0][2] == body
        except (OSError, IndexError):
            return False

    def ask(self, request, answers=1, patience=30, is_head=False):
        """(status, head, body) of each answer; `patience`: seconds without a byte."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as to:
            try:
                to.sendall(request)
            except (BrokenPipeError, ConnectionResetError):
                pass
            return self.read(to, answers, patience, is_head)

    def read(self, to, answers, patience, is_head):
        got, result = b"", []
        while len(result) < answers:
            head, end, rest = got.partition(b"\r\n\r\n")
            if end:
                found = re.match(rb"HTTP/1\.[01] (\d\d\d) ", head)
                if not found:
                    raise Violation(f"this is no answer: {got[:200]}")
                length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
                is_stream = b"text/event-stream" in head
                has_body = not is_head and found[1] not in (b"304", b"204", b"100") and not is_stream
                size = int(length[1]) if length and has_body else 0
                if len(rest) >= size:
                    if found[1] != b"100":
                        result.append((int(found[1]), head, rest[:size]))
                    if is_stream:
                        break
                    got = rest[size:]
                    continue
            if not select.select([to], [], [], patience)[0]:
                break
            try:
                piece = to.recv(1 << 20)
            except ConnectionResetError:
                break
            if not piece:
                break
            got += piece
        self.look(b"".join(head + body for _, head, body in result) + got)
        return result

    def look(self, answer):
        # A foreign name is said back, and in a request that was mixed it may be a secret's; no other answer follows.
        secrets = [] if answer.startswith(b"HTTP/1.1 421 ") else [SECRET.encode()]
        for private in (*secrets, b"SQLite format 3", b"root:x:0:0"):
            if private in answer:
                raise Violation(f"{private} was told: {answer[:300]}")

    def well(self):
        if self.web.poll() is not None:
            raise Violation(f"the web server ended with {self.web.returncode}")
        if self.mirror.service.poll() is not None:
            raise Violation(f"the service ended with {self.mirror.service.returncode}")
        if not self.answers():
            raise Violation("the web server does not answer a plain request any more")
        for process in (self.web, self.mirror.service):
            words = open(f"/proc/{process.pid}/status").read()
            if int(re.search(r"VmRSS:\s+(\d+)", words)[1]) > 120 << 10:
                raise Violation("more than 120 MB resident")
        if self.state(self.outside) != self.outside_before:
            raise Violation("what is outside has changed")

    def end(self):
        self.web.send_signal(signal.SIGTERM)
        if self.web.wait(60) != 0:
            raise Violation(f"the web server ended with {self.web.returncode}")
        self.mirror.end()


class HTTP:
    """`case()` takes one request, of a kind by the dice."""

    def __init__(self, service, dice):
        self.service, self.dice = service, dice
        self.paths = [f"/{urllib.parse.quote(path)}" for path in service.files]
        self.known = ["/", "/latest", "/latest.jpg", "/latest.json", "/random.jpg", "/favorites/", "/favorites.json", "/feed.xml",
                      "/gallery/", "/gallery/data/favorites.js", "/apod/", "/apod/archivepix.html", "/apod.rss", "/metrics",
                      "/health",
                      "/planetary/apod", "/v1/apod", BASE, f"{BASE}/{service.newest:%y%m%d}",
                      f"{BASE}/{service.newest:%y%m%d}/html", f"/apod/ap{service.newest:%y%m%d}.html",
                      f"/{service.newest:%Y}/", f"/{service.newest:%Y/%m}/"] + self.paths
        self.private = ["/favorites/own.jpg", f"/favorites/album/{SECRET}.txt", "/favorites/album/to-own.jpg", "/favorites/out.jpg",
                        "/.apod-mirror/secret", "/.apod-mirror/catalog.sqlite", "/.apod-mirror/status.json", "/.secret.jpg",
                        "/.hidden",
                        "/outside/secret.txt", "/etc/passwd", f"/{service.newest:%Y/%m}/out.jpg",
                        f"/{service.newest:%Y/%m}/.hidden",
                        "/own-by-link.jpg", "/inner-by-link.jpg", "/.apod-mirror/", "/favorites/album/", "/outside/", "/etc/",
                        "/.apod-mirror/latest/../secret", "/.apod-mirror/control"]
        self.kinds = [self.mutated] * 8 + [self.file, self.ranged, self.conditional, self.hidden, self.method, self.host, self.v1,
                                           self.basic, self.sized, self.piped, self.hostile_path, self.body, self.heart,
                                           self.headers,
                                           self.upgrade]
        self.slow = []

    def case(self):
        self.dice.choice(self.kinds)()

    def get(self, path, *fields, method=b"GET", **more):
        path = path if isinstance(path, bytes) else path.encode()
        self.request = method + b" " + path + b" HTTP/1.1\r\n" + HOST + b"".join(field + b"\r\n" for field in fields) + b"\r\n"
        answers = self.service.ask(self.request, is_head=method == b"HEAD", **more)
        for status, _, _ in answers:
            self.must(status, STATUSES)
        return answers

    def must(self, status, statuses):
        """503 is said where the folder is away, or too much is under way; nothing here is so."""
        if status not in statuses:
            raise Violation(f"answered with {status} and not {sorted(statuses)[:9]}")

    def expect(self, path, statuses, *fields, **more):
        answers = self.get(path, *fields, **more)
        if len(answers) != more.get("answers", 1):
            raise Violation("no answer")
        self.must(answers[0][0], statuses)
        return answers[0]

    def escape(self, path):
        """The same path, written in another way."""
        out = "".join(f"%{ord(c):02X}" if c.isalnum() and self.dice.random() < 0.2 else c for c in urllib.parse.unquote(path))
        out = urllib.parse.quote(out, safe="/%")
        return out.replace("/", "//", 1) if self.dice.random() < 0.1 else out

    def junk(self):
        return self.dice.choice([b"%00", b"%", b"%zz", b"%2e%2e", b"..", b"%2f", b"%ff%fe", b"\x00", b"\xc3\x28", b"%0d%0aX: y",
                                 b"'\"<b>",
                                 b"%F0%9F%8C%8C", b"a" * self.dice.choice([200, 4000, 9000, 20000]), b"%25%32%66", b"\\", b"?",
                                 b"#", b";",
                                 b"&", b"=", b"\t", b" ", b"\r", b"\n", b"\x7f", b"-1", b"9" * 40, self.dice.randbytes(8)])

    def mutated(self):
        """A valid request with some bytes changed."""
        dice = self.dice
        method = dice.choice([b"GET", b"GET", b"HEAD", b"OPTIONS", b"POST"])
        path = dice.choice(self.known + self.private).encode()
        fields = dice.sample([b"Range: bytes=0-9", b"If-None-Match: *", b"Accept: */*", b"Origin: http://127.0.0.1",
                              b"Connection: close",
                              b"Content-Length: 5", b"Transfer-Encoding: chunked", b"X-Forwarded-Host: nas",
                              b"X-Forwarded-Proto: https",
                              b"X-Apod-Favorite: add", b"If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
                              b"Expect: 100-continue"],
                             dice.randrange(4))
        head = method + b" " + path + b" HTTP/1.1\r\n" + HOST + b"".join(field + b"\r\n" for field in fields)
        text = bytearray(head + b"\r\nhello")
        for _ in range(dice.choice([1, 1, 2, 5, 30])):
            place = dice.randrange(len(text))
            how = dice.randrange(5)
            if how == 0:
                text[place] = dice.randrange(256)
            elif how == 1:
                text[place:place] = self.junk()
            elif how == 2:
                del text[place:place + dice.randrange(1, 9)]
            elif how == 3:
                start = dice.randrange(len(text))
                text[place:place] = text[start:start + dice.randrange(1, 60)]
            else:
                text[place] ^= 1 << dice.randrange(8)
        self.request = bytes(text)
        is_other = not re.search(rb" HTTP/1\.[01]\r?$", self.request.lstrip(b"\r\n").partition(b"\n")[0])
        # Part of a request brings no answer: the client leaves then.
        for status, _, _ in self.service.ask(self.request + b"\r\n\r\n", patience=0.01):
            # RFC 9110, 15.6.2 and 15.6.6: libmicrohttpd's own answers, to what is another protocol.
            self.must(status, STATUSES | {501, 505} if is_other else STATUSES)

    def file(self):
        path = self.dice.choice(list(self.service.files))
        _, _, body = self.expect(self.escape("/" + urllib.parse.quote(path)) if self.dice.random() < 0.3
                                 else "/" + urllib.parse.quote(path), {200})
        if body != self.service.files[path]:
            raise Violation("the file's bytes are not those of the folder")

    def ranged(self):
        """RFC 9110, 14: one range is sent as such, anything else as the whole."""
        path, body = self.dice.choice(list(self.service.files.items()))
        size = len(body)
        number = lambda: self.dice.choice([0, 1, size - 1, size, size + 1, 10 ** 30, self.dice.randrange(size)])
        first, last = self.dice.choice(["", number()]), self.dice.choice(["", number()])
        answer = self.expect("/" + urllib.parse.quote(path), {200, 206, 416}, f"Range: bytes={first}-{last}".encode())
        if first == "":
            wanted = None if last == "" else body[max(0, size - last):] if last else b""
        elif last == "":
            wanted = body[first:]
        else:
            wanted = None if last < first else body[first:last + 1]
        status = 200 if wanted is None else 206 if wanted else 416
        self.must(answer[0], {status})
        if status != 416 and answer[2] != (body if wanted is None else wanted):
            raise Violation("these are not the bytes of the range")

    def conditional(self):
        path, _ = self.dice.choice(list(self.service.files.items()))
        address = "/" + urllib.parse.quote(path)
        _, head, _ = self.expect(address, {200})
        tag = re.search(rb'ETag: ("[^"]+")', head)[1]
        modified = re.search(rb"Last-Modified: ([^\r]+)", head)[1]
        field, statuses = self.dice.choice([
            (b"If-None-Match: " + tag, {304}), (b'If-None-Match: "x", W/' + tag, {304}), (b'If-None-Match: "x"', {200}),
            (b"If-Modified-Since: " + modified, {304}), (b"If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", {200}),
            (b"If-Modified-Since: yesterday", {200}), (b"If-None-Match: " + b'"x", ' * 300, {200})])
        self.expect(address, statuses, field)

    def hidden(self):
        """By the address or in another way of writing it."""
        path = self.dice.choice(self.private)
        way = self.dice.choice([path, self.escape(path), path.replace("/", "//"), path + "/", path.replace("/", "/%2e/", 1),
                                f"/{self.service.newest:%Y}/..{path}", f"/{self.service.newest:%Y}/%2e%2e{path}",
                                "/favorites/.." + path,
                                path.upper(), path + "%00.jpg", path + "?sha256=0", path.replace("favorites", "Favorites"),
                                "/gallery/%2e%2e%2f" + path[1:], "/..%5c.." + path])
        status, _, _ = self.expect(way, STATUSES, method=self.dice.choice([b"GET", b"GET", b"GET", b"HEAD"]))
        if way == path and not path.endswith("album/"):
            self.must(status, {404, 400})

    def method(self):
        method = self.dice.choice([b"PUT", b"DELETE", b"PATCH", b"TRACE", b"CONNECT", b"PROPFIND", b"get", b"G" * 200, b"MKCOL"])
        self.expect(self.dice.choice(self.known), {405, 400}, method=method)

    def host(self):
        # Two hosts stand there then.
        name, statuses = self.dice.choice([(b"evil.example", {400}), (b"", {400}), (b"localhost:99999999", {400})])
        self.expect(self.dice.choice(self.known), statuses, b"Host: " + name)
        name = self.dice.choice([b"evil.example", b"127.0.0.1.evil", b"localhost.evil", b"[::1", b"a@127.0.0.1", b"x" * 300,
                                 b"\xff\xfe",
                                 b"<script>", b"127.0.0.1:80:80"])
        self.request = b"GET / HTTP/1.1\r\nHost: " + name + b"\r\n\r\n"
        for status, _, body in self.service.ask(self.request):
            self.must(status, {421, 400})
            if len(body) > 1000:
                raise Violation("a long answer to a foreign name")

    def v1(self):
        """NASA's old service: a date that is here, none that is not."""
        dice, days, today = self.dice, self.service.days, datetime.datetime.now(datetime.timezone.utc).date()
        form = dice.randrange(6)
        if form == 0:
            day = dice.choice(days + [datetime.date(2001, 2, 3), datetime.date(1990, 1, 1), datetime.date(2999, 1, 1)])
            wanted = 200 if day in days else 404 if datetime.date(1995, 6, 16) <= day <= today else 400
            status, _, body = self.expect(f"/planetary/apod?api_key=x&date={day}", {wanted})
            if wanted == 200 and json.loads(body)["date"] != str(day):
                raise Violation("another day was told")
        elif form == 1:
            first, last = sorted(dice.sample(days, 2))
            _, _, body = self.expect(f"/planetary/apod?start_date={first}&end_date={last}", {200})
            told = [each["date"] for each in json.loads(body)]
            if told != [str(day) for day in sorted(days) if first <= day <= last]:
                raise Violation(f"the range is {told}")
        elif form == 2:
            count = dice.choice([-1, 0, 1, 3, 100, 101, 10 ** 20, "x", ""])
            _, _, body = self.expect(f"/v1/apod?count={count}", {200} if count in (1, 3, 100, "") else {400})
        else:
            name = dice.choice(["date", "start_date", "end_date", "count", "thumbs", "hd", "concept_tags", "api_key", "x", ""])
            self.get(f"/planetary/apod?{name}=".encode() + self.quoted() + dice.choice([b"", b"&date=2020-01-01",
                                                                                        b"&" + self.quoted()]))

    def quoted(self):
        junk = self.junk()
        return junk if self.dice.random() < 0.5 and not any(byte in junk for byte in b"\r\n \t\0") else urllib.parse.quote(
            junk).encode()

    def basic(self):
        dice, days = self.dice, self.service.days
        first, last = sorted(dice.sample(days, 2))
        size, page = dice.choice([1, 3, 25]), dice.choice([1, 2, 9])
        if dice.random() < 0.5:
            _, _, body = self.expect(
                f"{BASE}?per_page={size}&page={page}&date_from={first:%y%m%d}&date_to={last:%y%m%d}", {200})
            told = [record["date"] for record in json.loads(body)]
            wanted = [str(day) for day in sorted(days, reverse=True) if first <= day <= last][(page - 1) * size:page * size]
            if told != wanted:
                raise Violation(f"the page is {told} and not {wanted}")
        else:
            name = dice.choice(["per_page", "page", "date_from", "date_to", "year", "month"])
            path = dice.choice([BASE, f"{BASE}/{first:%y%m%d}"])
            self.get(f"{path}?{name}=".encode() + self.quoted())

    def sized(self):
        name = self.dice.choice(["w", "h", "width", "height", "size", "fit", "kind", "sha256"])
        value = self.dice.choice([b"0", b"-1", b"1", b"100", b"100000", b"9" * 30, b"1e3", b"picture", self.quoted()])
        self.get(self.dice.choice(["/latest.jpg", "/random.jpg", "/favorites/random.jpg",
                                   "/latest"]).encode() + f"?{name}=".encode() + value)

    def piped(self):
        """Several at once: as many answers, in their order."""
        paths = self.dice.choices(list(self.service.files), k=self.dice.randrange(2, 9))
        self.request = b"".join(b"GET /" + urllib.parse.quote(path).encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n" for path in paths)
        answers = self.service.ask(self.request, answers=len(paths))
        if [body for _, _, body in answers] != [self.service.files[path] for path in paths]:
            raise Violation(f"{len(answers)} of {len(paths)} piped answers, or in another order")

    def hostile_path(self):
        junk = self.junk()
        path = self.dice.choice(self.known).encode() + b"/" + junk
        for status, _, _ in self.get(path, patience=1):
            plain = not any(byte in junk for byte in b"\r\n \t?#;&=\0") and junk[:1] not in (b"?",)
            if junk == b"%00":
                self.must(status, {400})
            if plain and len(path) > 4096 and len(path) < 12000:
                self.must(status, {414})

    def body(self):
        size = self.dice.choice([0, 1, 5, 65536, 65537, 10 ** 12, -1, "x"])
        fields = [f"Content-Length: {size}".encode()] + self.dice.choice([[], [b"Transfer-Encoding: chunked"],
                                                                          [b"Content-Length: 3"]])
        self.get(self.dice.choice(self.known), *fields, method=self.dice.choice([b"POST", b"GET"]), patience=0.02)

    def heart(self):
        """Only the gallery's own pages change favorites, and of days that are here."""
        dice, days = self.dice, self.service.days
        day = dice.choice([*days[:2], "2001-02-03", "x", "9999-99-99"])
        album = dice.choice(["", "", "Album/", "..%2f/", ".x/", "a" * 300 + "/", "%0a/"])
        origin = dice.choice([b"http://127.0.0.1", b"http://evil.example", b"null"])
        action = dice.choice([b"add", b"remove", b"undo", b"restore", b"prune", b""])
        status, _, _ = self.expect(f"/favorites/{album}{day}", STATUSES, b"X-Apod-Favorite: " + action, b"Origin: " + origin,
                                   b"Content-Length: 0", method=b"POST")
        if origin != b"http://127.0.0.1" or action not in (b"add", b"remove", b"undo"):
            self.must(status, {403, 400})
        elif day in days and album in ("", "Album/"):
            self.must(status, {200, 202, 409})
        else:
            self.must(status, {400, 404, 409})

    def headers(self):
        dice = self.dice
        field = dice.choice([b"X: " + b"y" * dice.choice([100, 8000, 20000, 60000]), b"X" * 20000 + b": y",
                             b"Cookie: " + b"a=b; " * 2000,
                             b"Range: " + self.quoted(), b"If-Range: " + self.quoted(), b"If-None-Match: " + self.quoted(),
                             b"X-Forwarded-Host: " + self.quoted(), b"Origin: " + self.quoted(), b": nothing", b"no colon",
                             b" folded"])
        fields = [field] * dice.choice([1, 1, 1, 2, 200])
        self.get(dice.choice(self.known), *fields, patience=1)

    def upgrade(self):
        fields = [b"Upgrade: websocket", b"Connection: Upgrade", b"Sec-WebSocket-Version: 13",
                  b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
        path = self.dice.choice([path for path in self.known if path != "/health"])
        self.expect(path, {200, 302, 404}, *fields)

    def drip(self):
        """One more slow client, a byte further for each of them; the oldest leaves."""
        if len(self.slow) < 40:
            to = socket.create_connection(("127.0.0.1", self.service.port))
            self.slow.append([to, b"GET /latest.json HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 400 + b"\r\n\r\n"])
        for client in self.slow:
            try:
                client[0].send(client[1][:1])
                client[1] = client[1][1:]
            except OSError:
                client[1] = b""
        for client in [client for client in self.slow if not client[1]]:
            client[0].close()
            self.slow.remove(client)


class Messages:
    """What commands and the web may send to the service, changed by structure and by byte."""

    def __init__(self, service, dice, member):
        self.service, self.dice, self.member = service, dice, member
        folder = os.path.join(service.root, ".apod-mirror")
        self.sockets = {name: os.path.join(folder, name) for name in ("control", "web")}

    def value(self):
        dice, day = self.dice, str(self.dice.choice(self.service.days))
        return dice.choice([None, True, 0, -1, 10, 1e300, 2 ** 63, "", day, "2001-02-03", "../x", "a" * 5000, [], {}, [day],
                            [day, day],
                            [None], {"a": day}, "\u0000", "\ud800", "add", "Album", "\n"])

    def message(self):
        dice, day = self.dice, str(self.dice.choice(self.service.days[:3]))
        base = dice.choice([
            {"do": "status"}, {"do": "sync", "days": [day], "since": None, "until": None, "settings": {}}, {"do": "prune"},
            {"do": "sync", "days": [], "since": day, "until": day, "settings": {}}, {"do": "revert", "day": day},
            {"do": "favorites", "action": dice.choice(["add", "remove", "undo", "restore"]), "subjects": [{"date": day}], "since": None,
             "album": None},
            {"do": "favorites", "action": "add", "subjects": [{"date": day}], "since": None, "album": "Album"}, {"do": "repair", "days": [day]},
            {"do": "remember", "findings": {"at": 1, "count": 0}}, {"do": "thumbnails", "days": [day]}])
        message = {"version": 12} | base
        for _ in range(dice.choice([0, 1, 1, 2])):
            name = dice.choice(list(message))
            how = dice.randrange(4)
            if how == 0:
                message.pop(name)
                message = message or {"version": 12}
            elif how == 1:
                message[name] = self.value()
            elif how == 2:
                message["x" * dice.choice([1, 3000])] = self.value()
            elif name == "settings" or dice.random() < 0.3:
                message["settings"] = {dice.choice(["rate", "contact", "max-file", "root", "x"]): self.value()}
        text = json.dumps(message)
        if dice.random() < 0.1:
            text = text.replace("{", '{"version":12,', 1)
        if dice.random() < 0.05:
            text = dice.choice(["[" * 5000, '{"a":' * 20000, "", "null", "9" * 10000, '"' + "x" * 100_000])
        line = bytearray(text.encode("utf-8", "surrogatepass"))
        if dice.random() < 0.3:
            for _ in range(dice.choice([1, 3])):
                line[dice.randrange(len(line) + 1):0] = dice.randbytes(dice.choice([1, 2]))
        return bytes(line).replace(b"\n", b" ")

    def case(self):
        self.request = line = self.message()
        who = self.dice.choice(["control", "web", "web"] + (["member"] if self.member else []))
        answer = self.member(self.sockets["control"], line) if who == "member" else say(self.sockets[who], line)
        lines = [json.loads(each) for each in answer.split(b"\n") if each]
        if not lines or not {"end", "mistake", "version"} & lines[-1].keys():
            raise Violation(f"{who} had no end of {answer[-300:]}")
        if who == "control":
            return
        if who == "web" and SECRET.encode() in answer:
            raise Violation(f"{who} was told {answer[:300]}")
        try:
            asked = json.loads(line)
            words = asked.get("do")
        except (ValueError, AttributeError, RecursionError):
            return
        # Refused are what has no day, and what only the owner may ask for.
        refused = ("status", "sync", "prune", "revert", "repair", "remember", "thumbnails") if who == "web" else (
            "prune", "revert", "repair", "remember")
        if words in refused and any("taken" in each or "status" in each for each in lines):
            raise Violation(f"{who} may not ask for that: {answer[:300]}")


def say(path, line):
    with socket.socket(socket.AF_UNIX) as to:
        to.settimeout(60)
        to.connect(path)
        got = b""
        try:
            to.sendall(line + b"\n")
            while piece := to.recv(1 << 16):
                got += piece
        except (BrokenPipeError, ConnectionResetError):
            pass
        except TimeoutError:
            raise Violation(f"a message brought no end within a minute: {got[-200:]}") from None
        return got


def member_of(group):
    """A process of another user in the service's group, which passes messages on."""
    mine, others = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (mine, others):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    if os.fork() == 0:
        mine.close()
        os.setgroups([group])
        os.setgid(MEMBER)
        os.setuid(MEMBER)
        while order := others.recv(1 << 20):
            path, _, line = order.partition(b"\0")
            try:
                answer = say(path.decode(), line)
            except Exception as error:
                answer = repr(error).encode()
            # The last of very many lines.
            if len(answer) > 100_000:
                answer = answer[-100_000:].partition(b"\n")[2]
            others.send(answer or b"nothing")
        os._exit(0)
    others.close()

    def ask(path, line):
        mine.send(path.encode() + b"\0" + line)
        return mine.recv(1 << 20)
    return ask


class Files:
    """Settings files, `.hidden` files, and names in favorites, by commands."""

    KEYS = ["root", "since", "upstream", "pictures", "videos", "max-file", "keep", "max-total", "rate", "connections",
            "recheck-days",
            "gallery", "thumbnails", "sidecars", "web-favorites", "web-names", "listen", "state", "contact", "list.x", "rot"]

    def __init__(self, service, dice):
        self.service, self.dice, self.count = service, dice, 0

    def settings(self):
        dice = self.dice
        value = lambda: dice.choice(["", "yes", "/tmp/x", "-1", "9" * 400, "2020-01-01", "http://[", "file:///etc/passwd",
                                     "\u202e", "\x00",
                                     "1e999", "nan", "☃" * 100, "x" * 100_000, "=", "#", "\x1b[31m", "12m", "0.0000001",
                                     "http://u:p@h/"])
        lines = [dice.choice(self.KEYS) + dice.choice([" = ", "=", " ", "\t=\t"]) + value() for _ in range(dice.randrange(1, 12))]
        text = dice.choice(["\n", "\r\n", "\r", "\x0b"]).join(lines).encode()
        if dice.random() < 0.3:
            text = bytearray(text)
            for _ in range(5):
                text[dice.randrange(len(text))] = dice.randrange(256)
        path = os.path.join(self.service.walk.folder, "some.conf")
        with open(path, "wb") as file:
            file.write(text)
        self.request = bytes(text)[:2000]
        if dice.random() < 0.05:
            path = dice.choice(["/dev/null", "/dev/zero", "/", "/nowhere", "\n", "/proc/self/mem", "/dev/full"])
            self.request = path.encode()
        result = subprocess.run([self.service.mirror.program, "config", "--check", "--config", path], stdin=subprocess.DEVNULL,
                                capture_output=True, timeout=60, env=self.service.mirror.environment)
        if result.returncode not in (0, 2):
            raise Violation(f"config --check ended with {result.returncode}: {result.stderr[:300]}")
        if result.returncode and not result.stderr:
            raise Violation("config --check says nothing of what is wrong")
        plain(result.stdout + result.stderr)

    def hidden(self):
        """Lines of others stay, what is no file is left alone, and nothing is written through it."""
        service, dice = self.service, self.dice
        day = dice.choice(service.days)
        path = os.path.join(service.root, f"{day:%Y/%m}", ".hidden")
        shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.path.lexists(path) and os.unlink(path)
        kind = dice.choice(["bytes", "bytes", "lines", "link", "folder", "pipe", "large"])
        own = [b"mine\xff", b"../../outside", b"", b"\x1b[2J", b"x" * 5000, b"Comet.json"]
        if kind == "link":
            os.symlink(os.path.join(service.outside, "secret.txt"), path)
        elif kind == "folder":
            os.mkdir(path)
        elif kind == "pipe":
            os.mkfifo(path)
        else:
            body = {"bytes": dice.randbytes(300), "lines": b"\n".join(own), "large": b"y\n" * (1 << 20)}[kind]
            with open(path, "wb") as file:
                file.write(body)
        self.request = kind.encode()
        self.correct(day)
        if kind == "lines":
            lines = open(path, "rb").read().split(b"\n")
            if not set(own) <= set(lines):
                raise Violation("lines of others are gone from .hidden")
        if kind in ("link", "folder", "pipe") and not (os.path.islink(path) or os.path.isdir(path) or os.path.exists(path)):
            raise Violation("a .hidden that is no file is gone")

    def correct(self, day):
        """A correction of the day, which brings its month's `.hidden` up to date."""
        self.count += 1
        record = self.service.upstream.days[day]
        record.text = f"Some words, {self.count} times."
        self.service.mirror.run("sync", str(day))
        if record.text not in self.service.mirror.document(day)["explanation"]:
            raise Violation("the correction is not here")

    def names(self):
        """Links and files with names of any bytes: the links are favorites, and no text of a command has their control bytes."""
        service, dice = self.service, self.dice
        folder, day = service.mirror.favorites.encode(), service.days[3]
        target = os.path.relpath(os.path.join(service.root, next(path for path in service.files if f"/{day}" in path)),
                                 service.mirror.favorites).encode()
        made = []
        for index in range(20):
            name = dice.choice([b"new\nline", b"\xff\xfe", b"\x1b[31mred", b"x" * 240, "☃‮".encode(), b"-rf *", b"'\"`$(id)",
                                b"<script>",
                                b"%2e%2e%2f", b" ", b"a\\b", b"\r",
                                dice.randbytes(9).translate(None, b"/\0").lstrip(b".")]) + b"%d" % index
            path = os.path.join(folder, name)
            # A heart's undo may have brought one of before back.
            if os.path.lexists(path):
                os.unlink(path)
            if dice.random() < 0.6:
                os.symlink(target, path)
                made.append((path, True))
            else:
                with open(path, "wb") as file:
                    file.write(SECRET.encode())
                made.append((path, False))
        self.request = repr([os.path.basename(path) for path, _ in made]).encode()
        try:
            self.told(day, sum(is_link for _, is_link in made))
        finally:
            for path, _ in made:
                os.unlink(path)

    def told(self, day, links):
        service = self.service

        def is_favorite():
            try:
                entries = json.load(open(os.path.join(service.root, "favorites.json")))
            except (FileNotFoundError, ValueError):
                return False
            return any(each["date"] == str(day) and "ended" not in each and len(each["links"]) >= links for each in entries)

        if links and not until(is_favorite):
            raise Violation("links with strange names are no favorite")
        HTTP(service, self.dice).get("/favorites/")
        for words in (["status"], ["favorites", "list"], ["favorites", "history"]):
            plain(service.mirror.run(*words, statuses=(0, 1)).encode())
        service.mirror.status()
        service.mirror.run("favorites", "list", "--json")

    def case(self):
        self.dice.choice([self.settings] * 12 + [self.hidden] * 2 + [self.names])()
        return self.request


def plain(text):
    """No control bytes reach a terminal, and no line is longer than a person reads."""
    if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", text):
        raise Violation(f"control bytes in {text[:300]}")
    longest = max(map(len, text.split(b"\n")))
    if longest > 2000:
        raise Violation(f"a line of {longest} bytes: {text[:200]}")


def take(seed, seconds, program, folder, case=None):
    first = int(case or 0)
    member = None
    if NEEDS_ROOT:
        os.chown(folder, SERVICE, SERVICE)
        member = member_of(SERVICE)
        os.setgroups([])
        os.setgid(SERVICE)
        os.setuid(SERVICE)
    clock, figures, counts, fell = Clock(seconds), Figures(), {}, {}
    service = Service(Walk("requests", seed, folder), program, folder)
    try:
        round = first
        while (round == first or not case and clock.left > 0) and len(fell) < 5:
            dice = random.Random(f"{seed} {round}")
            parts = {"http": (HTTP(service, dice), 250), "messages": (Messages(service, dice, member), 25),
                     "files": (Files(service, dice), 3)}
            for name, (part, times) in parts.items():
                for _ in range(times):
                    counts[name] = counts.get(name, 0) + 1
                    try:
                        part.case()
                        if name == "http" and counts[name] % 5 == 0:
                            part.drip()
                    except Exception as error:
                        # What falls again and again is told once.
                        words = f"{type(error).__name__}: {str(error)[:500]}"
                        fell.setdefault(re.sub(r"\d+", "", words)[:40],
                                        f"round {round}: {words}\n  {repr(getattr(part, 'request', b''))[:700]}")
                        if service.web.poll() is not None or service.mirror.service.poll() is not None:
                            raise
            for client, _ in parts["http"][0].slow:
                client.close()
            try:
                service.well()
            except Violation as error:
                fell["well"] = f"round {round}: {error}"
                break
            round += 1
        service.end()
        service.mirror.run("sync")
        found = service.mirror.run("verify", "--json")
        if found["damaged"] or found["missing"]:
            fell["end"] = f"at the end: {found}"
    except Exception as error:
        fell["service"] = f"{type(error).__name__}: {error}"
        for process in (service.web, service.mirror.service):
            if process and process.poll() is None:
                process.kill()
    figures.fell = list(fell.values())
    figures.cases = sum(counts.values())
    figures.note = ", ".join(f"{count} {name}" for name, count in counts.items())
    return figures
