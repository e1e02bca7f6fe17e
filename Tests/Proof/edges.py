# Each reader one below its limit, at it, and one above: what is within comes whole, and nothing ends the program.
import json
import os
import re
from os.path import join

from mirror import contents, files_below, write
from part import Violation
from upstream import ORIGINALS, RENDITIONS, content

MOST_RECORD, MOST_DOCUMENT, MOST_FILE = 1 << 20, 16 << 20, 10 ** 6
# Too large for 64 bits, and as large as that.
NUMBERS = (2 ** 63 - 1, 2 ** 63, -2 ** 63, -2 ** 63 - 1)


def around(limit):
    return [limit - 1, limit, limit + 1]


def deep(depth):
    # The record's own object is among these levels.
    marks = "[" * (depth - 1) + "]" * (depth - 1)
    return lambda record: json.dumps(record | {"x": "<deep>"}).replace('"<deep>"', marks).encode()


def long(length):
    def made(record):
        text = json.dumps(record | {"x": ""})
        return (text[:-2] + "x" * (length - len(text)) + text[-2:]).encode()
    return made


def having(**fields):
    return lambda record: json.dumps(record | fields).encode()


def rendered(size):
    # The address of a smaller copy tells a size.
    return lambda record: json.dumps(record).replace("w=64&h=48", f"w={size}&h={size}").encode()


def picture(length):
    # Comments fill it.
    whole = content("jpg", "edge")
    more = length - len(whole)
    sizes = [30_000] * (more // 30_000 - 1) + [more % 30_000 + 30_000 * (more >= 30_000)]
    return whole[:2] + b"".join(b"\xff\xfe%s%s" % ((size - 2).to_bytes(2), bytes(size - 4)) for size in sizes) + whole[2:]


# What is made of a record, and whether it comes.
TEXTS = [(deep(depth), depth <= 64) for depth in (*around(64), 100_000)] + [(long(size), size <= MOST_RECORD) for size in around(MOST_RECORD)]
RECORDS = TEXTS + [(rendered(size), True) for size in (0, *around(10 ** 6), *NUMBERS)] + [(having(x=size), True) for size in NUMBERS]
ITEMS = (TEXTS + [(having(id="x" * size), size <= 200) for size in around(200)] + [(having(title="t" * size), True) for size in around(200)]
         + [(having(id=size), True) for size in NUMBERS]
         + [(having(date=date), True) for date in ("0000-01-01", "0001-01-01", "1995-06-15", "9999-12-31", "10000-01-01")])
# How a file comes: status, fields, body, and whether it does; None: either.
FILES = [("200 OK", fields, picture(size), size <= MOST_FILE) for size in around(MOST_FILE) for fields in ({"Content-Length": size}, {})]
FILES += [("200 OK", {"Content-Length": size}, picture(5000), size == 5000) for size in around(5000)]
FILES += [("200 OK", {"Content-Length": size}, picture(5000), None) for size in (0, -1, *NUMBERS)]
FILES += [("206 Part", {"Content-Range": f"bytes 0-{size}/{size}"}, picture(5000), None) for size in (*around(5000), *NUMBERS)]
FILES += [("200 OK", {"ETag": '"%s"' % ("x" * (size - 2))}, picture(5000), True) for size in around(256)]
FILES += [("503 No", {"Retry-After": size}, b"", False) for size in (61, *around(86_400), *around(366 * 86_400), *NUMBERS)]
# What a person may have copied into the folder: in the place of a member's value, and as a whole.
VALUES = {"bytes": (0, -1, *around(1 << 42), *NUMBERS), "height": (0, -1, *NUMBERS),
          "fetched": ("1995-06-15T23:59:59Z", "2094-12-31T23:59:59Z", "2095-01-01T00:00:00Z", "9999-12-31T24:00:00Z")}


def joined(records, others=()):
    texts = [record if isinstance(record, bytes) else json.dumps(record).encode() for record in records]
    return b"[" + b",".join([*texts, *others]) + b"]"


class Edges:
    # On a mirror of `World`, with days of its own.

    def __init__(self, world, dice, number):
        self.world, self.dice, self.number, self.upstream, self.mirror = world, dice, number, world.upstream, world.mirror

    def play(self, part):
        return [self.records, self.pages, self.list][part]()

    def pages(self):
        for size in around(8 << 20):
            self.page(lambda records: joined(records)[:-1].ljust(size - 1) + b"]")
        for count in around(100):
            self.page(lambda records: joined(records, [b"1"] * (count - len(records))))
        return 6

    def filled(self, count):
        days = self.world.again(self.dice, count)
        self.upstream.fill(days, f"{self.number}", name=f"edges/{self.number}/{{index}}")
        return days

    def sync(self, days):
        # Documents of 16 MB are read side by side.
        self.world.sync("--since", str(days[0]), "--until", str(days[-1]), limit=400, most=240 << 10)

    def records(self):
        upstream, days = self.upstream, self.filled(len(RECORDS) + len(FILES))
        edges = dict(zip(days, RECORDS + FILES))

        def of_record(day):
            well, edge = upstream.days[day].json(upstream.origin), edges.get(day, ())
            if len(edge) == 2:
                return edge[0](well)
            if not edge:
                return well
            # A host of its own, and no second address.
            host = upstream.host(days.index(day) - len(RECORDS))
            return json.loads(json.dumps(well).replace(upstream.origin + ORIGINALS, host + ORIGINALS)) | {"hdurl": ""}

        def given(status, fields, body, _):
            fields = {"Content-Type": "image/jpeg"} | fields
            start = "".join([f"HTTP/1.1 {status}\r\n", *(f"{name}: {value}\r\n" for name, value in fields.items()), "\r\n"])
            return lambda upstream, to, path: upstream.wild(to, start.encode(), body)

        upstream.of_record, upstream.of_list = of_record, lambda records: (joined(records), 200, {})
        upstream.faults = {upstream.days[day].files[0]: given(*edge) for day, edge in edges.items() if len(edge) == 4}
        self.sync(days)
        for number, (day, edge) in enumerate(edges.items()):
            if edge[-1] is not None and bool(self.mirror.files_of(day)) != edge[-1]:
                raise Violation(f"{day}, the edge {number} ({edge[1] if len(edge) == 4 else 'a record'}): it {'came' if not edge[-1] else 'did not come'}")
        self.copied([day for day in days if self.mirror.files_of(day)])
        return len(edges)

    def copied(self, days):
        # Documents and a history as no mirror writes them.
        mirror = self.mirror
        texts = [(lambda text, old=rf'"{name}": [^,\n]+', new=f'"{name}": {json.dumps(value)}': re.sub(old.encode(), new.encode(), text))
                 for name, values in VALUES.items() for value in values]
        texts += [lambda text, size=size: text.rstrip()[:-1].ljust(size - 2) + b"}\n" for size in around(MOST_DOCUMENT)]
        texts += [lambda text, depth=depth: text.replace(b'"upstream": {', b'"upstream": {"x":%s%s,' % (b"[" * depth, b"]" * depth)) for depth in around(63)]
        for day, changed in zip(days, texts):
            [path] = [path for path in files_below(join(mirror.root, f"{day:%Y/%m}")) if path.endswith(".json") and f"/{day} " in path]
            write(path, changed(contents(path)))
        with open(join(mirror.root, ".apod-mirror/history"), "ab") as history:
            for line in [*(b"x" * size for size in around(256 << 10)), *(b'{"time":"%s"}' % value.encode() for value in VALUES["fetched"])]:
                history.write(line + b"\n")
        mirror.lose_catalog(self.dice)
        self.sync(days)
        for words in (["status", "--json"], ["verify", "--repair"], ["favorites", "--json"], ["show", str(days[0])], ["prune", "--dry-run"]):
            mirror.command(*words, statuses=(0, 1))

    def page(self, made):
        days = self.filled(3)
        self.upstream.of_list = lambda records: (made(records), 200, {})
        self.sync(days)
        if not all(map(self.mirror.files_of, days)):
            raise Violation("days did not come, though each was there by itself")

    def list(self):
        upstream, mirror = self.upstream, self.mirror
        mirror.set(f"{mirror.words}list.edge = {upstream.origin}/edge.json\nlist.edge.keep = all\n")
        items = [{"image": upstream.origin + ORIGINALS + f"edge/{index}.jpg", "id": f"i{index}"} for index in range(len(ITEMS))]
        for index in range(len(ITEMS)):
            upstream.invent(f"edge/{index}.jpg", "edge")
        whole = joined(made(item) for item, (made, _) in zip(items, ITEMS))
        few = joined(items[:3])
        pages = [(whole, sum(comes for _, comes in ITEMS))]
        pages += [(few[:-1].ljust(size - 1) + b"]", 3 if size <= 32 << 20 else 0) for size in around(32 << 20)]
        for page, wanted in pages:
            self.world.again(self.dice, 0)
            upstream.lists["edge"] = lambda query: page
            self.world.sync("--list", "edge", most=240 << 10)
            place = join(mirror.root, "lists/edge")
            came = [path for path in files_below(place) if path.endswith(".jpg")] if os.path.exists(place) else []
            if len(came) != wanted:
                raise Violation(f"of the list's items, {len(came)} came, and not {wanted}")
            mirror.verify()
        upstream.lists.clear()
        mirror.set(mirror.words)
        return len(ITEMS) + 3
