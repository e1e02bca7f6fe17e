"""Records, lists, articles, pages and transfers that mean harm: `sync` ends by itself, keeps what it has, and converges.

A round of records: a list of 25 days a page, each record changed by structure or by byte. A round of transfers: 24 days whose
records are well, and whose pictures come wrongly, each from a host of its own (127.0.0.N), so that none is spared for another's
fault. After some rounds the upstream is well again, and so must be what was mirrored. Nothing but loopback is asked.
"""
import copy
import datetime
import gzip
import hashlib
import json
import os
import random
import re
import shutil
import socket
import struct
import subprocess
import threading
import time

from mirror import Mirror, Violation, Walk, files_below, former_files
from part import Clock, Figures, watched
from upstream import BASE, ORIGINALS, Record, Upstream, content

SHARED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "shared", "upstream", "v2")
MOST_MEMORY, LONGEST_LINE = 120 << 10, 700
PRIVATE = ["http://10.1.2.3/", "http://169.254.169.254/", "http://192.168.1.1/", "http://[fe80::1]/", "http://0/"]
# Faults that the program's own limits end, after half a minute for each attempt.
SLOW = ("drip", "hang", "endless 1xx", "drip of a head")


class Harm(Upstream):
    """`of_list(records)`: the body in the place of a list. `faults`: for each file below ORIGINALS/harm, how it comes."""

    def __init__(self, hosts=24):
        super().__init__()
        self.of_list = self.of_record = self.of_articles = None
        self.faults, self.left = {}, threading.Event()
        kind, handler = type(self.server), self.server.RequestHandlerClass
        self.hosts = [kind((f"127.0.0.{2 + number}", 0), handler) for number in range(hosts)]
        for server in self.hosts:
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def host(self, number):
        server = self.hosts[number]
        return f"http://{server.server_address[0]}:{server.server_port}"

    def end(self):
        self.left.set()
        for server in [self.server, *self.hosts]:
            server.shutdown()
            server.server_close()

    def answer(self, to):
        path = to.path.partition("?")[0]
        name = path.removeprefix(ORIGINALS)
        fault = self.faults.get(name)
        if fault:
            return HARM[fault](self, to, path)
        if name.startswith("harm/") and name.count("/") > 2:
            # Where a chain of redirects ends.
            return self.give(to, name.rsplit("/", 1)[0])
        if path == "/wp-json/wp/v2/image-article" and self.of_articles:
            return self.send(to, 200, self.of_articles(), "application/json")
        day = next((day for day in list(self.days) if path == f"{BASE}/{day:%y%m%d}"), None)
        if day and self.of_list:
            return self.send(to, 200, self.record(day), "application/json")
        return super().answer(to)

    def list(self, to, query):
        if not self.of_list:
            return super().list(to, query)
        with self.lock:
            days = sorted((day for day in self.days if query["date_from"] <= f"{day:%y%m%d}" <= query["date_to"]),
                          reverse=True)[:25]
        status, body, fields = self.of_list([self.record(day) for day in days])
        self.send(to, status, body, "application/json", fields)

    def record(self, day):
        return self.of_record(day) if self.of_record else super().record(day)

    def wild(self, to, *pieces):
        """Bytes as they are, then the connection ends."""
        to.close_connection = True
        for piece in pieces:
            to.wfile.write(piece)


def whole(upstream, path):
    return upstream.files[path.removeprefix(ORIGINALS)].body


def redirect(to_where):
    return lambda upstream, to, path: upstream.wild(
        to, b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + to_where(upstream, to, path) + b"\r\n\r\n")


def raw(make):
    return lambda upstream, to, path: upstream.wild(to, *make(whole(upstream, path)))


def jpeg(length, more=b""):
    return b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n" + more + (b"" if length is None else b"Content-Length: %s\r\n" % (
        str(length).encode())) + b"\r\n"


def chain(steps):
    def step(upstream, to, path):
        name, _, number = path.partition("/step")
        number = int(number or 0)
        if number >= steps:
            return upstream.send(to, 200, whole(upstream, name), "image/jpeg")
        upstream.faults[f"{name}/step{number + 1}".removeprefix(ORIGINALS)] = f"chain of {steps}"
        redirect(lambda *_: f"{name}/step{number + 1}".encode())(upstream, to, path)
    return step


def drip(upstream, to, path):
    to.wfile.write(jpeg(100_000))
    for byte in whole(upstream, path):
        to.wfile.write(bytes([byte]))
        to.wfile.flush()
        if upstream.left.wait(0.25):
            break


def drip_of_head(upstream, to, path):
    for byte in b"HTTP/1.1 200 OK\r\nX: " + b"y" * 10_000:
        to.wfile.write(bytes([byte]))
        to.wfile.flush()
        if upstream.left.wait(0.25):
            break


def endless(upstream, to, _):
    while not upstream.left.wait(0.001):
        to.wfile.write(b"HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n" * 10)


def reset(upstream, to, path):
    to.wfile.write(jpeg(100_000) + whole(upstream, path)[:1000])
    to.wfile.flush()
    to.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    to.close_connection = True
    to.connection.close()


HARM = {
    "loop": redirect(lambda up, to, path: path.encode()),
    "to a file": redirect(lambda up, to, path: f"file://{up.outside}/secret.jpg".encode()),
    "to a file by name": redirect(lambda up, to, path: f"file://localhost{up.outside}/secret.jpg".encode()),
    "to a private host": redirect(lambda up, to, path: random.Random(path).choice(PRIVATE).encode()),
    "to another scheme": redirect(lambda up, to, path: random.Random(path).choice([b"ftp://127.0.0.1/x", b"gopher://127.0.0.1:1/x",
                                                                                   b"javascript:1",
                                                                                   b"data:image/jpeg;base64,AAAA"])),
    "to nothing": redirect(lambda up, to, path: b""),
    "to user and password": redirect(lambda up, to, path: f"http://u:p@127.0.0.1:1{path}".encode()),
    "to a very long address": redirect(lambda up, to, path: b"/" + b"x" * 90_000),
    "to control bytes": redirect(lambda up, to, path: b"/\x1b[31m\x07x"),
    "chain of 4": chain(4), "chain of 6": chain(6),
    "too long": raw(lambda body: (jpeg(len(body) + 1000), body)), "too short": raw(lambda body: (jpeg(len(body) - 100), body)),
    "negative": raw(lambda body: (jpeg(-5), body)), "no number": raw(lambda body: (jpeg("many"), body)),
    "enormous": raw(lambda body: (jpeg(10 ** 18), body)),
        "two lengths": raw(lambda body: (jpeg(9, b"Content-Length: 7\r\n"), body)),
    "beyond 64 bits": raw(lambda body: (jpeg(10 ** 30), body)), "of no length": raw(lambda body: (jpeg(None), body[:-20])),
    "bomb": raw(lambda body: (jpeg(None, b"Content-Encoding: gzip\r\n"), BOMB)),
    "more than max-file": raw(lambda body: (jpeg(None), body, *[bytes(1 << 16)] * 32)),
    "many 1xx": raw(lambda body: (b"HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n" * 5000, jpeg(len(body)), body[:-9])),
    "a 101": raw(lambda body: (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", body)),
    "one field of 1 MB": raw(lambda body: (b"HTTP/1.1 200 OK\r\nX: ", b"y" * (1 << 20), b"\r\n\r\n", body)),
    "fields of 1 MB": raw(lambda body: (b"HTTP/1.1 200 OK\r\n", b"".join(b"X%d: %s\r\n" % (n, b"y" * 1000) for n in range(1000)),
                                        b"\r\n")),
    "no head": raw(lambda body: (body,)), "half a head": raw(lambda body: (b"HTTP/1.1 200 OK\r\nContent-Ty",)),
    "nothing": raw(lambda body: ()), "status 999": raw(lambda body: (b"HTTP/1.1 999 Hm\r\nContent-Length: 0\r\n\r\n",)),
    "status of letters": raw(lambda body: (b"HTTP/1.1 abc\r\n\r\n", body)),
        "HTTP/9": raw(lambda body: (b"HTTP/9.9 200 OK\r\n\r\n", body)),
    "bad chunks": raw(lambda body: (jpeg(None, b"Transfer-Encoding: chunked\r\n"), b"zz\r\n", body)),
    "a chunk beyond 64 bits": raw(lambda body: (jpeg(None, b"Transfer-Encoding: chunked\r\n"), b"f" * 20 + b"\r\n", body)),
    "chunks that stop": raw(lambda body: (jpeg(None, b"Transfer-Encoding: chunked\r\n"), b"%x\r\n" % len(body), body[:500])),
    "206 unasked": raw(lambda body: (b"HTTP/1.1 206 Partial\r\nContent-Type: image/jpeg\r\nContent-Range: bytes 500-999/1000\r\n"
                                     b"Content-Length: 500\r\n\r\n", body[:500])),
    "304 unasked": raw(lambda body: (b"HTTP/1.1 304 Not Modified\r\n\r\n",)), "416": raw(lambda body: (
        b"HTTP/1.1 416 No\r\nContent-Range: bytes */7\r\nContent-Length: 0\r\n\r\n",)),
    "html": raw(lambda body: (jpeg(15), b"<!doctype html>")),
        "half": raw(lambda body: (jpeg(len(body) // 2), body[:len(body) // 2])),
    "another type": raw(lambda body: (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body),
                                      body)),
    "reset": reset, "drip": drip, "hang": lambda up, to, path: up.left.wait(200), "endless 1xx": endless,
        "drip of a head": drip_of_head,
}
# 64 MB of zeros.
BOMB = gzip.compress(bytes(64 << 20))
# Of a day's JSON, what it lacks; of a former one, what the mirror says of the version.
MARKS = re.compile(rb'^    "(incomplete|version)": \{.*?^    \},\n', re.MULTILINE | re.DOTALL)
# As whole as the server says, or led there by a few steps.
WELL = ("chain of 4",)


def seeds(origin):
    """Records as they were captured, where they lie beside the project; their addresses lead to loopback."""
    found = []
    for name in sorted(os.listdir(SHARED)) if os.path.isdir(SHARED) else []:
        if not name.endswith(".json"):
            continue
        text = open(os.path.join(SHARED, name), encoding="utf-8").read()
        document = json.loads(re.sub(r"(https?:)?(\\?/){2}[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+", origin, text))
        found += document if isinstance(document, list) else [document]
    return [record for record in found if "date" in record]


class Mutation:
    """Changes records by structure and by byte. No address leads away from this machine."""

    def __init__(self, dice, upstream, captured):
        self.dice, self.upstream, self.captured = dice, upstream, captured
        self.addresses = [f"file://{upstream.outside}/secret.jpg", f"file:{upstream.outside}/secret.jpg", "javascript:alert(1)",
                          "//", "/",
                          "http://", "http:///x.jpg", f"{upstream.origin.replace('//', '//user:word@')}/x.jpg", "\\\\host\\x.jpg",
                          f"{upstream.origin}/" + "x" * 5000 + ".jpg", f"{upstream.origin}/" + "x" * 300_000, "../../../etc/passwd",
                          f"{upstream.origin}{ORIGINALS}../../../x.jpg", f"{upstream.origin}/%00.jpg",
                          f"{upstream.origin}/\x1b[2J.jpg",
                          f"{upstream.origin}:99999/x.jpg", "ftp://127.0.0.1/x.jpg", "http://127.0.0.1:1/x.jpg", *(
                              each + "x.jpg" for each in PRIVATE)]
        self.values = [None, False, True, 0, 1, -1, 2 ** 63, 1e308, "", " ", "\u0000", "\ud800", "\u202e", "x" * 200_000, [], {},
                       [[]],
                       {"rendered": "x"}, {"rendered": {}}, ["x"], "<b>" * 5000, "&#" * 3000, "&lt;script&gt;", "../..",
                       "a/b\\c:d*?\"<>|",
                       "\x1b[31m\x07\r\n", "é" * 300, "." * 50, "CON", "-", "NaN", "<center>" * 2000, "]]>", "<!--", "🌌" * 100]
        self.dates = ["2026-02-30", "1995-06-15", "1995-06-17", "9999-12-31", "0000-00-00", "2026-11-20T00:00:00Z", "20261120",
                      "../../x",
                      " 2019-01-01 ", "2019-1-1", "-2019-01-01", "2019-01-01\n", "٢٠١٩-٠١-٠١"]

    def record(self, day, well):
        """The text of a record in the place of that of `day`."""
        dice = self.dice
        record = dict(dice.choice(self.captured)) | {"date": f"{day}"} if self.captured and dice.random() < 0.3 else copy.deepcopy(well)
        for _ in range(dice.choice([0, 1, 1, 1, 2, 4])):
            name = dice.choice(list(record) or ["date"])
            how = dice.randrange(8)
            if how == 0:
                record.pop(name, None)
            elif how == 1:
                record[name] = dice.choice(self.values)
            elif how == 2:
                record["date"] = dice.choice(self.dates + [f"{day + datetime.timedelta(dice.randrange(-30, 30))}"])
            elif how == 3:
                record[dice.choice(["hdurl", "url", "permalink", "basic_html_url"])] = dice.choice(self.addresses)
            elif how == 4:
                page = str(record.get("basic_html", ""))
                record["basic_html"] = re.sub(r'(?i)(href|src)="[^"]*"',
                                              lambda found: f'{found[1]}="{dice.choice(self.addresses)}"', page)
            elif how == 5:
                page = str(record.get("basic_html", ""))
                start = dice.randrange(len(page) + 1)
                record["basic_html"] = page[:start] + dice.choice(
                    ["<", "</center>", "<center>", "<video>", "<iframe src=", "\0", "<!--", "<a" * 500,
                     page[:300]]) + page[start + dice.randrange(9):]
            elif how == 6:
                record[name + dice.choice(["", "x", "\u0000"])] = self.deep(dice.choice([3, 30, 600, 3000]))
            else:
                record = dice.choice([[record], {"data": record}, record | {name: record}, None, "x",
                                      7]) if dice.random() < 0.3 else record
                if not isinstance(record, dict):
                    break
        text = json.dumps(record, ensure_ascii=dice.random() < 0.5).replace('"<deep>"', "[" * 3000 + "]" * 3000)
        if dice.random() < 0.05:
            text = text.replace("{", '{"date": %s, ' % json.dumps(dice.choice(self.dates)), 1)
        text = text.encode("utf-8", "surrogatepass")
        return self.by_byte(text) if dice.random() < 0.1 else text

    def deep(self, depth):
        if depth > 600:
            return "<deep>"
        value = "x"
        for _ in range(depth):
            value = [value] if depth % 2 else {"a": value}
        return value

    def by_byte(self, text):
        text = bytearray(text or b"x")
        for _ in range(self.dice.choice([1, 3, 20])):
            text = text or bytearray(b"x")
            place = self.dice.randrange(len(text))
            if self.dice.random() < 0.7:
                text[place] = self.dice.randrange(256)
            else:
                del text[place:place + self.dice.randrange(20)]
        return self.at_home(bytes(text))

    def at_home(self, text):
        """A changed byte makes no address of another machine."""
        home = self.upstream.origin.encode()[5:]
        return re.sub(rb'//[^/"<>\s\\?]*', lambda found: found[0] if found[0] in (b"//", home) else home, text)

    def list(self, texts):
        """(status, body, fields) of a list of these records."""
        dice, fields = self.dice, {"X-WP-Total": len(texts), "X-WP-TotalPages": 1}
        body, status = b"[" + b",".join(texts) + b"]", 200
        how = dice.randrange(40)
        if how == 0:
            body = body[:dice.randrange(len(body) + 1)]
        elif how == 1:
            body = dice.choice([b"", b"null", b"{}", b"[[" * 3000, b"[" * 2_000_000, b"<html>", b'"x"', b"\xef\xbb\xbf" + body,
                                body.decode("utf-8", "replace").encode("utf-16"), b" " * (9 << 20), b"[" + b"1," * 500_000 + b"1]"])
        elif how == 2:
            body = b"[" + b",".join(texts * dice.choice([2, 3, 5])) + b"]"
        elif how == 3:
            body, fields["Content-Encoding"] = BOMB if dice.random() < 0.5 else gzip.compress(body)[:-9], "gzip"
        elif how == 4:
            fields = {"X-WP-Total": dice.choice([-1, "x", 10 ** 30]), "X-WP-TotalPages": dice.choice([-1, 0, "x", 10 ** 30, ""])}
        elif how == 5:
            status, body = 404, dice.choice([b"{}", b'{"code":"apod_basic_not_found"}', b"<html>", b"x" * 100_000])
        elif how == 6:
            body = self.by_byte(body)
        return status, body, fields

    def articles(self, records):
        """These days as entries of NASA's list of articles, changed."""
        dice = self.dice
        entries = []
        for record in records:
            content = (f'<div class="wp-block-nasa-blocks-media-detail-hero"><figure>{record["basic_html"]}</figure>'
                       f'<p class="media-detail-hero__description">{record["explanation"]}</p></div>')
            entry = {"type": "image-article", "categories": [22766], "date": f"{record['date']}T00:05:00",
                     "title": {"rendered": record["title"]}, "link": record["permalink"], "migration_source_url": "",
                     "content": {"rendered": content}}
            for key in dice.sample(list(entry), dice.randrange(0, 3)):
                entry[key] = dice.choice([None, False, "", [], {}, {"rendered": False}, 10 ** 30, self.upstream.outside, entry[key]])
            entries.append(entry)
        body = json.dumps(entries).encode()
        return self.by_byte(body) if dice.random() < 0.3 else body


class World:
    """One mirror of some good days, on which rounds are taken."""

    def __init__(self, walk, program):
        # What fell, and does not end a round.
        self.aside = []
        self.walk, self.upstream = walk, Harm()
        self.outside = self.upstream.outside = os.path.join(walk.folder, "outside")
        os.makedirs(self.outside)
        self.secret = content("jpg", f"secret {walk.seed}")
        with open(os.path.join(self.outside, "secret.jpg"), "wb") as file:
            file.write(self.secret)
        with open(os.path.join(self.outside, "secret.txt"), "w") as file:
            file.write("x7Qz-secret")
        newest = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(1)
        self.good = [newest - datetime.timedelta(back) for back in range(10)]
        for index, day in enumerate(self.good):
            self.upstream.add(Record(day, f"Good {index}", "picture", [f"{day:%Y/%m}/g{index}.jpg"]), walk.seed)
        self.mirror = Mirror(walk, program, self.upstream, f"since = {self.good[-1]}\nmax-file = 1M\nconnections = 64\n"
                             "thumbnails = no\nrecheck-days = 24\n", "disk")
        self.mirror.run("sync")
        self.kept = os.path.join(walk.folder, "kept")
        shutil.copytree(self.mirror.root, self.kept, symlinks=True)
        self.tree_before = self.tree()
        self.before = self.state()
        self.captured = seeds(self.upstream.origin)

    def again(self):
        """The mirror of good days, as it was."""
        shutil.rmtree(self.mirror.root)
        shutil.copytree(self.kept, self.mirror.root, symlinks=True)
        for day in [day for day in self.upstream.days if day not in self.good]:
            for name in self.upstream.days.pop(day).files:
                self.upstream.files.pop(name, None)
        self.upstream.of_list = self.upstream.of_record = self.upstream.of_articles = None
        self.upstream.faults.clear()

    def tree(self):
        """SHA-256 by path, of all that is kept for people, without the marks in JSON that may change."""
        root = self.mirror.root
        paths = [path for path in files_below(root) if os.path.relpath(path, root)[:2].isdigit()] + list(former_files(root))
        return {os.path.relpath(path, root): hashlib.sha256(MARKS.sub(b"", open(path, "rb").read())).hexdigest()
                for path in paths if not os.path.islink(path)}

    def state(self):
        """All that lies around the mirror."""
        found = {}
        for folder, _, names in os.walk(self.walk.folder):
            if not os.path.relpath(folder, self.walk.folder).startswith(("disk/APOD", "kept")):
                found |= {os.path.join(folder, name): None for name in names if name not in ("steps", "said")}
        found["secret"] = open(os.path.join(self.outside, "secret.jpg"), "rb").read() == self.secret
        return found

    def sync(self, *words, limit=240):
        """One sync, watched: how it ends, what it says, how much memory it has."""
        mirror = self.mirror
        with open(os.path.join(self.walk.folder, "said"), "w+b") as output:
            process = subprocess.Popen([mirror.program, "sync", "--config", mirror.settings, *words], stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=output, env=mirror.environment, cwd=self.walk.folder)
            status, _, memory = watched(process, limit)
            output.seek(0)
            said = output.read()
        if status is None:
            raise Violation(f"sync did not end within {limit} seconds: {said[-500:]}")
        if not 0 <= status <= 2:
            raise Violation(f"sync ended with {status}: {said[-500:]}")
        if memory > MOST_MEMORY:
            raise Violation(f"sync had {memory >> 10} MB")
        longest = max(said.split(b"\n"), key=len)
        if len(longest) > LONGEST_LINE:
            self.aside.append(f"a line of {len(longest)} bytes: {longest[:120]}…{longest[-60:]}")
        if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", said):
            raise Violation(f"control bytes in {said[:300]}")
        self.look()
        return status, said

    def look(self):
        tree = self.tree()
        if self.state() != self.before:
            raise Violation(f"what lies around the mirror is another: {self.state().keys() ^ self.before.keys()}")
        lost = [path for path, sha in self.tree_before.items() if sha not in tree.values()]
        if lost:
            raise Violation(f"of before, gone: {', '.join(sorted(lost))}")
        if hashlib.sha256(self.secret).hexdigest() in tree.values():
            raise Violation("a file of this machine was taken for a picture")
        for path in tree:
            name = os.path.basename(path)
            if re.search(r'[<>:"\\|?*\x00-\x1f\x7f\u202a-\u202e]', name) or name.endswith((" ", ".")) or len(name.encode()) > 255:
                raise Violation(f"a file is called {name!r}")
            if path.endswith(".json") and path[:4].isdigit():
                text = open(os.path.join(self.mirror.root, path), "rb").read()
                date = re.search(rb'"date": ?"([^"]*)"', text)
                if b"x7Qz-secret" in text or not date or not name.startswith(date[1].decode()):
                    raise Violation(f"{path} tells of {date and date[1]}")

    def verified(self):
        found = self.mirror.run("verify", "--json", statuses=(0, 1))
        if found["damaged"] or found["missing"]:
            raise Violation(f"verify found {found}")

    def converges(self, days):
        """All is well again: the days are as the upstream has them."""
        self.upstream.of_list = self.upstream.of_record = self.upstream.of_articles = None
        self.upstream.faults.clear()
        status, said = self.sync(*map(str, days))
        for day in days:
            document, record = self.mirror.document(day), self.upstream.days[day]
            if not document or document["title"] != record.title:
                raise Violation(f"{day} is not here though the upstream is well: {said[-300:]}")
            wanted = {hashlib.sha256(self.upstream.files[name].body).hexdigest() for name in record.files}
            if not wanted <= {file["sha256"] for file in document["mirror"]["files"]}:
                raise Violation(f"{day} has another picture than the upstream: {said[-300:]}")
        self.verified()

    def records(self, dice, number):
        """A list for each 25 days, and the good days with it."""
        self.again()
        upstream, mutation = self.upstream, Mutation(dice, self.upstream, self.captured)
        first = datetime.date(2000, 1, 1) + datetime.timedelta(dice.randrange(6000))
        days = [first + datetime.timedelta(after) for after in range(150)]
        for index, day in enumerate(days):
            kind = dice.choice(["picture", "picture", "none", "video", "embedded"])
            names = [] if kind == "none" else [f"few/{index % 5}.jpg"] if kind != "video" else [f"few/{index % 5}.mp4", f"few/{index % 5}.jpg"]
            upstream.add(Record(day, f"Day {index}", kind, names), "few")
        asked, lock = {}, threading.Lock()

        def of_record(day):
            """Each time another one."""
            well = json.loads(re.sub(r"//www\.youtube\.com", upstream.origin[5:],
                                     json.dumps(upstream.days[day].json(upstream.origin))))
            with lock:
                asked[day] = asked.get(day, 0) + 1
                mutation.dice = random.Random(f"{self.walk.seed} {number} {day} {asked[day]}")
                return mutation.record(day, well)

        upstream.of_record = of_record
        upstream.of_list = lambda records: mutation.list(records)
        upstream.of_articles = lambda: mutation.articles([upstream.days[day].json(upstream.origin) for day in days[:25]])
        self.sync("--since", str(days[0]), "--until", str(days[-1]))
        # The newest days are looked at again, for corrections.
        self.sync()
        if number % 5 == 0:
            self.converges(dice.sample(days, 5))
        elif number % 5 == 2:
            self.verified()
        return sum(asked.values())

    def transfers(self, dice, number, slow):
        """One fault for each day, each from a host of its own."""
        self.again()
        upstream = self.upstream
        first = datetime.date(2000, 1, 1) + datetime.timedelta(dice.randrange(6000))
        days = [first + datetime.timedelta(after) for after in range(24)]
        kinds = [kind for kind in HARM if kind not in SLOW]
        for index, day in enumerate(days):
            name = f"harm/{number}/{index}.jpg"
            upstream.add(Record(day, f"Day {index}", "picture", [name]), f"{number}")
            upstream.faults[name] = dice.choice(SLOW if slow else kinds)

        def of_record(day):
            record = upstream.days[day].json(upstream.origin)
            if day not in days:
                return record
            host = upstream.host(days.index(day))
            return json.loads(json.dumps(record).replace(upstream.origin + ORIGINALS, host + ORIGINALS)) | {"hdurl": ""}

        faults = dict(upstream.faults)
        upstream.of_record = of_record
        self.sync("--since", str(days[0]), "--until", str(days[-1]), limit=400)
        for index, day in enumerate(days):
            fault = faults[f"harm/{number}/{index}.jpg"]
            document = self.mirror.document(day)
            found = bool(document and any(file["role"] == "picture" for file in document["mirror"]["files"]))
            if fault in WELL and not found:
                raise Violation(f"{day} is not here: {fault}")
            own = {hashlib.sha256(upstream.files[f"harm/{number}/{index}.jpg"].body).hexdigest()}
            if found and {file["sha256"] for file in document["mirror"]["files"]} != own:
                raise Violation(f"{day} has something else than its picture: {fault}")
        if number % 3 == 0 or slow:
            for name in faults:
                upstream.faults.pop(name, None)
            self.converges(days)
        return len(days)


def take(seed, seconds, program, folder, case=None):
    first = int(case or 0)
    clock, figures, fell, lock = Clock(seconds), Figures(), {}, threading.Lock()
    counts = {"records": 0, "transfers": 0}

    def walk(kind, lane):
        """Rounds of one kind, in a mirror of its own: transfers mostly wait."""
        place = os.path.join(folder, f"{kind}-{lane}")
        os.makedirs(place)
        try:
            world, number = World(Walk(kind, seed, place), program), first
        except Exception as error:
            fell[kind] = f"{kind}: {error}"
            return
        # A slow round takes two minutes and more; another one as long as the one before.
        took = 0
        while (number == first or not case and clock.left > took) and len(fell) < 5:
            began = time.monotonic()
            slow = kind == "transfers" and clock.left > 240 and number % 12 == 11
            try:
                dice = random.Random(f"{seed} {kind} {lane} {number}")
                done = world.records(dice, number) if kind == "records" else world.transfers(dice, number, slow)
                with lock:
                    counts[kind] += done
                    for words in world.aside:
                        key = kind + re.sub(r"\d+", "", words)[:60]
                        fell.setdefault(key, f"{kind}, lane {lane}, round {number}: {words}")
                    world.aside.clear()
            except Exception as error:
                words = f"{type(error).__name__}: {str(error)[:700]}"
                with lock:
                    fell.setdefault(kind + re.sub(r"\d+", "", words)[:40], f"{kind}, lane {lane}, round {number}: {words}")
            number, took = number + 1, 0 if slow else time.monotonic() - began
        world.upstream.end()

    lanes = [threading.Thread(target=walk, args=each) for each in [("records", 0), ("transfers", 0), ("transfers", 1),
                                                                   ("transfers", 2)]]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    figures.fell = list(fell.values())
    figures.cases = sum(counts.values())
    figures.note = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    return figures
