# Records, lists, pages and transfers that mean harm: `sync` ends by itself, keeps what it has, and converges.
#
# A round of records: a list of 25 days a page, each record changed by structure or by byte. A round of transfers: 24 days whose
# records are well, and whose pictures come wrongly, each from a host of its own (127.0.0.N), so that none is spared for another's
# fault. After some rounds the upstream is well again, and so must be what was mirrored. Nothing but loopback is asked.
import datetime
import gzip
import json
import os
import random
import re
import shutil
import socket
import struct
import threading
from os.path import basename, islink, join, relpath

from edges import Edges
from harm import SECRET, VALUES, altered, mutated, some
from mirror import Mirror, Walk, contents, files_below, last_days, write
from part import Violation
from upstream import ORIGINALS, Upstream, content, sha

MOST_MEMORY, LONGEST_LINE = 120 << 10, 700
# Where redirects and records lead to: nowhere beyond this machine.
ADDRESSES = ["http://10.1.2.3/x.jpg", "http://169.254.169.254/x.jpg", "http://192.168.1.1/x.jpg", "http://[fe80::1]/x.jpg", "http://0/x.jpg",
             "{path}", "file://{outside}/secret.jpg", "file://localhost{outside}/secret.jpg", "file:{outside}/secret.jpg", "", "/", "//",
             "http://", "http:///x.jpg", "http://u:p@127.0.0.1:1{path}", "{origin}:99999/x.jpg", "{origin}/%00.jpg", "/../../../etc/passwd",
             "/" + "x" * 5000 + ".jpg", "/" + "x" * 300_000, "/\x1b[31m\x07x", "\\\\host\\x.jpg", "ftp://127.0.0.1/x",
             "gopher://127.0.0.1:1/x", "javascript:1", "data:image/jpeg;base64,AAAA"]
STATUSES = ["200 OK"] * 9 + ["206 Partial", "304 Not Modified", "416 No", "101 Switching Protocols", "999 Hm", "abc"]
# Fields beside those of the framing.
FIELDS = [{}] * 6 + [{"X": "y" * (1 << 20)}, {f"X{number}": "y" * 1000 for number in range(1000)}, {"content-length": 7}, {"Upgrade": "x"},
                     {"Content-Range": "bytes 500-999/1000"}, {"Content-Range": "bytes */7"}]
# 64 MB of zeros.
BOMB = gzip.compress(bytes(64 << 20))
# Of a day's JSON, what it lacks; of a former one, what the mirror says of the version.
MARKS = re.compile(rb'^    "(incomplete|version)": \{.*?^    \},\n', re.MULTILINE | re.DOTALL)


class Harm(Upstream):
    # `of_list(records)`: the body in the place of a list. `faults`: for each file below ORIGINALS/harm, how it comes.

    def __init__(self, hosts=40):
        super().__init__()
        self.well()
        self.hosts = [type(self.server)((f"127.0.0.{2 + number}", 0), self.server.RequestHandlerClass) for number in range(hosts)]
        for server in self.hosts:
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def well(self):
        self.of_list = self.of_record = None
        self.faults = {}

    def address(self, dice, path):
        return dice.choice(ADDRESSES).format(path=path, outside=self.outside, origin=self.origin)

    def host(self, number):
        server = self.hosts[number]
        return f"http://{server.server_address[0]}:{server.server_port}"

    def answer(self, to):
        path = to.path.partition("?")[0]
        if fault := self.faults.get(path.removeprefix(ORIGINALS)):
            return HARM.get(fault, fault)(self, to, path)
        return super().answer(to)

    def page(self, query):
        return self.of_list(super().page(query)[0]) if self.of_list else super().page(query)

    def record(self, day):
        return self.of_record(day) if self.of_record else super().record(day)

    def wild(self, to, *pieces):
        # Bytes as they are, then the connection ends.
        to.close_connection = True
        for piece in pieces:
            to.wfile.write(piece)


def whole(upstream, path):
    return upstream.files[path.removeprefix(ORIGINALS)].body


def head(status="200 OK", fields={"Content-Type": "image/jpeg"}):
    return "".join([f"HTTP/1.1 {status}\r\n", *(f"{name}: {value}\r\n" for name, value in fields.items()), "\r\n"]).encode()


def redirect(upstream, to, path):
    upstream.wild(to, head("302 Found", {"Content-Length": 0, "Location": upstream.address(random.Random(path), path)}))


def mixed(upstream, to, path):
    # A head and a body of which one may be right, the same each time that it is asked for.
    dice, body = random.Random(path), whole(upstream, path)
    size = len(body)
    sent = dice.choice([body, body[:-20], body[:size // 2], b"", b"<!doctype html>", body + bytes(2 << 20)])
    length = dice.choice([size, size + 1000, size - 100, size // 2, -5, "many", 10 ** 18, 10 ** 30])
    framing, sent = dice.choice([
        ({"Content-Length": length}, sent), ({"Content-Length": length}, sent), ({}, sent), ({"Content-Encoding": "gzip"}, BOMB),
        ({"Transfer-Encoding": "chunked"}, dice.choice([b"zz\r\n", b"f" * 20 + b"\r\n", b"%x\r\n" % size]) + sent)])
    fields = {"Content-Type": dice.choice(["image/jpeg", "image/jpeg", "text/html"])} | framing | dice.choice(FIELDS)
    start = head(dice.choice(STATUSES), fields)
    answer = start + sent
    upstream.wild(to, dice.choice([b"", b"", HINTS, HINTS * 5000]), dice.choice(
        [answer] * 9 + [body, answer[:27], b"", answer.replace(b"1.1", b"9.9", 1), mutated(dice, start, 3) + sent]))


def reset(upstream, to, path):
    to.wfile.write(head(fields={"Content-Length": 100_000}) + whole(upstream, path)[:1000])
    to.wfile.flush()
    to.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    to.close_connection = True
    to.connection.close()


HINTS = head("103 Early Hints")
HARM = {"mixed": mixed, "redirect": redirect, "reset": reset}


def plain(text):
    # No control bytes reach a terminal, and no line is longer than a person reads.
    if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", text):
        raise Violation(f"control bytes in {text[:300]}")
    line = max(text.split(b"\n"), key=len)
    if len(line) > LONGEST_LINE:
        raise Violation(f"a line of {len(line)} bytes: {line[:120]}…{line[-60:]}")


class Mutation:
    # Changes records by structure and by byte. No address leads away from this machine.
    DATES = ["2026-02-30", "1995-06-15", "1995-06-17", "9999-12-31", "0000-00-00", "2026-11-20T00:00:00Z", "20261120", "../../x",
             " 2019-01-01 ", "2019-1-1", "-2019-01-01", "2019-01-01\n", "٢٠١٩-٠١-٠١"]
    HTML = [b"<", b"</center>", b"<center>", b"<video>", b"<iframe src=", b"\0", b"<!--", b"<a" * 500]
    # What stands for `<deep>`.
    DEEP = [start * count + "1" + end * count for count in (30, 600, 3000) for start, end in (("[", "]"), ('{"a":', "}"))]

    def __init__(self, dice, upstream):
        self.dice, self.upstream = dice, upstream

    def record(self, day, well):
        # The text of a record in the place of that of `day`.
        dice, address = self.dice, self.upstream.address(self.dice, "/x.jpg")
        record = altered(dice, dict(well), [*VALUES, "<deep>", {"x": "<deep>"}], dice.choice([0, 0, 1, 1, 2]))
        page = str(record.get("basic_html", ""))
        others = [{}, {}, {"date": dice.choice([*self.DATES, f"{day + datetime.timedelta(dice.randrange(-30, 30))}"])},
                  {dice.choice(["hdurl", "url", "permalink"]): address},
                  {"basic_html": re.sub(r'(?i)(href|src)="[^"]*"', lambda found: f'{found[1]}="{address}"', page)},
                  {"basic_html": self.by_byte(page.encode(), self.HTML).decode(errors="replace")}]
        record |= dice.choice(others)
        if dice.random() < 0.05:
            record = dice.choice([[record], {"data": record}, None, "x", 7])
        text = json.dumps(record, ensure_ascii=dice.random() < 0.5).replace('"<deep>"', dice.choice(self.DEEP))
        if dice.random() < 0.05:
            text = text.replace("{", '{"date": %s, ' % json.dumps(dice.choice(self.DATES)), 1)
        text = text.encode("utf-8", "surrogatepass")
        return self.by_byte(text, [b"x"]) if dice.random() < 0.1 else text

    def by_byte(self, text, junk):
        # A changed byte makes no address of another machine.
        home = self.upstream.origin.encode()[5:]
        text = mutated(self.dice, text, self.dice.choice([1, 3, 20]), junk, 20)
        return re.sub(rb'//[^/"<>\s\\?]*', lambda found: found[0] if found[0] in (b"//", home) else home, text)

    def list(self, texts):
        # (body, status, fields) of a list of these records.
        dice, fields = self.dice, {"X-WP-Total": len(texts), "X-WP-TotalPages": 1}
        body = b"[" + b",".join(texts) + b"]"
        others = [b"", b"null", b"{}", b"[[" * 3000, b"[" * 2_000_000, b"<html>", b'"x"', b"\xef\xbb\xbf" + body,
                  body.decode("utf-8", "replace").encode("utf-16"), b" " * (9 << 20), b"[" + b"1," * 500_000 + b"1]"]
        missing = [b"{}", b'{"code":"apod_basic_not_found"}', b"<html>", b"x" * 100_000]
        ways = [lambda: (body[:dice.randrange(len(body) + 1)], 200, fields), lambda: (dice.choice(others), 200, fields),
                lambda: (b"[" + b",".join(texts * dice.choice([2, 3, 5])) + b"]", 200, fields),
                lambda: (dice.choice([BOMB, gzip.compress(body)[:-9]]), 200, fields | {"Content-Encoding": "gzip"}),
                lambda: (body, 200, {"X-WP-Total": dice.choice([-1, "x", 10 ** 30]),
                                     "X-WP-TotalPages": dice.choice([-1, 0, "x", 10 ** 30, ""])}),
                lambda: (dice.choice(missing), 404, fields), lambda: (self.by_byte(body, [b"x"]), 200, fields)]
        return some(dice, *ways) if dice.random() < len(ways) / 40 else (body, 200, fields)


class World:
    # One mirror of some good days, on which rounds are taken.

    def __init__(self, walk, program):
        self.walk, self.upstream = walk, Harm()
        self.outside = self.upstream.outside = join(walk.folder, "outside")
        os.makedirs(self.outside)
        self.secret = content("jpg", f"secret {walk.seed}")
        write(join(self.outside, "secret.jpg"), self.secret)
        write(join(self.outside, "secret.txt"), SECRET)
        self.good = last_days(10)
        self.upstream.fill(self.good, walk.seed, titles=("Good",))
        self.mirror = Mirror(walk, program, self.upstream, f"since = {self.good[-1]}\nmax-file = 1M\nconnections = 64\n"
                             "thumbnails = no\nrecheck-days = 24\n")
        self.mirror.run("sync")
        self.kept = join(walk.folder, "kept")
        shutil.copytree(self.mirror.root, self.kept, symlinks=True)
        self.tree_before = self.tree()
        self.before = self.state()

    def again(self, dice, count):
        # The mirror of good days, as it was. Returns so many other days in a row.
        shutil.rmtree(self.mirror.root)
        shutil.copytree(self.kept, self.mirror.root, symlinks=True)
        for day in [day for day in self.upstream.days if day not in self.good]:
            for name in self.upstream.days.pop(day).files:
                self.upstream.files.pop(name, None)
        self.upstream.well()
        first = datetime.date(2000, 1, 1) + datetime.timedelta(dice.randrange(6000))
        return [first + datetime.timedelta(after) for after in range(count)]

    def tree(self):
        # SHA-256 by path, of all that is kept for people, without the marks in JSON that may change.
        return {relpath(path, self.mirror.root): sha(MARKS.sub(b"", contents(path)))
                for path, _ in self.mirror.kept() if not islink(path)}

    def state(self):
        # All that lies around the mirror; what is outside has contents, too.
        return {path: path.startswith(self.outside) and contents(path) for path in files_below(self.walk.folder)
                if not relpath(path, self.walk.folder).startswith(("disk/APOD", "kept", "steps", "said"))}

    def sync(self, *words, limit=240, most=MOST_MEMORY):
        # One sync, watched: how it ends, what it says, how much memory it has.
        status, said, _, memory = self.mirror.measured("sync", *words, limit=limit)
        if status is None:
            raise Violation(f"sync did not end within {limit} seconds: {said[-500:]}")
        if not 0 <= status <= 2:
            raise Violation(f"sync ended with {status}: {said[-500:]}")
        if memory > most:
            raise Violation(f"sync had {memory >> 10} MB")
        plain(said)
        self.look()
        return said

    def look(self):
        tree = self.tree()
        if self.state() != self.before:
            raise Violation(f"what lies around the mirror is another: {self.state().keys() ^ self.before.keys()}")
        lost = [path for path, sha in self.tree_before.items() if sha not in tree.values()]
        if lost:
            raise Violation(f"of before, gone: {', '.join(sorted(lost))}")
        if sha(self.secret) in tree.values():
            raise Violation("a file of this machine was taken for a picture")
        for path in tree:
            name = basename(path)
            if re.search(r'[<>:"\\|?*\x00-\x1f\x7f\u202a-\u202e]', name) or name.endswith((" ", ".")) or len(name.encode()) > 255:
                raise Violation(f"a file is called {name!r}")
            if path.endswith(".json") and path[:4].isdigit():
                text = contents(join(self.mirror.root, path))
                date = re.search(rb'"date": ?"([^"]*)"', text)
                if SECRET.encode() in text or not date or not name.startswith(date[1].decode()):
                    raise Violation(f"{path} tells of {date and date[1]}")

    def converges(self, days):
        # All is well again: the days are as the upstream has them.
        self.upstream.well()
        said = self.sync(*map(str, days))
        for day in days:
            document, record = self.mirror.document(day), self.upstream.days[day]
            if not document or document["title"] != record.title:
                raise Violation(f"{day} is not here though the upstream is well: {said[-300:]}")
            wanted = {sha(self.upstream.files[name].body) for name in record.files}
            if not wanted <= {file["sha256"] for file in document["mirror"]["files"]}:
                raise Violation(f"{day} has another picture than the upstream: {said[-300:]}")
        self.mirror.verify()

    def records(self, dice, number):
        # A list for each 25 days, and the good days with it.
        upstream, days = self.upstream, self.again(dice, 150)
        upstream.fill(days, "few", dice.choices(["picture", "picture", "none", "video", "embedded"], k=25), name="few/{day.day}")
        asked = {}

        def of_record(day):
            # Each time another one.
            well = json.loads(re.sub(r"//www\.youtube\.com", upstream.origin[5:],
                                     json.dumps(upstream.days[day].json(upstream.origin))))
            asked[day] = asked.get(day, 0) + 1
            return Mutation(random.Random(f"{self.walk.seed} {number} {day} {asked[day]}"), upstream).record(day, well)

        upstream.of_record, upstream.of_list = of_record, Mutation(dice, upstream).list
        self.sync("--since", str(days[0]), "--until", str(days[-1]))
        # The newest days are looked at again, for corrections.
        self.sync()
        if number % 5 == 0:
            self.converges(dice.sample(days, 5))
        elif number % 5 == 2:
            self.mirror.verify()
        return sum(asked.values())

    def transfers(self, dice, number):
        # One fault for each day, each from a host of its own.
        upstream, days = self.upstream, self.again(dice, 24)
        upstream.fill(days, f"{number}", name=f"harm/{number}/{{index}}")
        faults = {upstream.days[day].files[0]: dice.choice(["mixed"] * 12 + ["redirect"] * 6 + ["reset"]) for day in days}
        upstream.faults = faults

        def of_record(day):
            record = upstream.days[day].json(upstream.origin)
            if day not in days:
                return record
            host = upstream.host(days.index(day))
            return json.loads(json.dumps(record).replace(upstream.origin + ORIGINALS, host + ORIGINALS)) | {"hdurl": ""}

        upstream.of_record = of_record
        self.sync("--since", str(days[0]), "--until", str(days[-1]), limit=400)
        for day in days:
            name = upstream.days[day].files[0]
            files = {file["sha256"] for file in self.mirror.files_of(day) if file["role"] != "page"}
            body = upstream.files[name].body
            # `mixed` may say, and send, that it is longer.
            if files - {sha(body), sha(body + bytes(1000))}:
                raise Violation(f"{day} has something else than its picture: {faults[name]}")
        if number % 3 == 0:
            self.converges(days)
        return len(days)

    def edges(self, dice, number):
        return Edges(self, dice, number).play(number % 3)


def take(part):
    worlds = {}

    def take_round(lane, kind, number):
        # In a mirror of the lane's own.
        if lane not in worlds:
            worlds[lane] = World(Walk(part.seed, join(part.folder, f"{lane}")), part.program)
        done = getattr(worlds[lane], kind)(random.Random(f"{part.seed} {number}"), number)
        part.cases += done

    part.note = "records and transfers"
    part.rounds(take_round, [*["edges"] * 3, *["records", *["transfers"] * 3] * 6], 4)
