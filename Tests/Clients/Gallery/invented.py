# A mirror whose days are all kinds of days, with two lists, made in seconds, around the page of another mirror.
import datetime
import json
import os
import pathlib
import re
import shutil
import zlib

HOSTILE = ("</script><script>window.hacked = 1</script>\u0d4e<b>\u202e\u009b\u2028<img src=x onerror=\"hacked=2\">"
           "'\"`&amp; javascript:hacked=3 ${hacked=4}")
ALBUM = "Best of </script><b>50%/a"
NEWEST = "2026-11-22"

SHAPES = [(1600, 1200), (1200, 1600), (2400, 1600), (1500, 1500), (3200, 1800), (2000, 1300)]
WIDE, SQUARE, TALL, FINE, HEAVY, TINY = (3000, 1000), (1200, 1200), (1000, 3000), (4800, 3200), (4000, 3200), (200, 150)

# What is special about a day. A shape, or None for a day without a picture, and members of its line.
SPECIAL = {
    "2026-11-22": ((1600, 1200), {}),
    "2026-11-21": ((2400, 1600), {"title": HOSTILE, "stem": "2026-11-21 50% #1 'a' & b", "replaced": [[HOSTILE, HOSTILE]]}),
    "2026-11-20": (WIDE, {}),
    "2026-11-19": (None, {"why": "unreachable"}),
    "2026-11-18": (None, {"title": "Only Words", "why": "none"}),
    "2026-11-17": (SQUARE, {"title": "A Flight", "player": "https://example.org/2026-11-17.html"}),
    "2026-11-16": ((640, 480), {"title": "Moving Clouds", "video": "webm", "bytes": 90_000}),
    "2026-11-15": (None, {"title": "Pruned Away", "pruned": 1}),
    "2026-11-14": (TALL, {}),
    "2026-11-13": (HEAVY, {"bytes": 9_000_000}),
    "2026-11-12": (None, {"title": "Torn", "why": "broken"}),
    "2026-11-10": (SQUARE, {"title": "Mended", "replaced": [["2026-11-14", "picture"]]}),
    "2026-11-09": (FINE, {}),
    "2026-11-08": ((3000, 2000), {"image": "tif"}),
    "2026-11-07": ((1600, 1200), {"title": "Without Copies", "copies": None}),
    "2026-11-06": (TINY, {}),
    "2026-11-05": ((1600, 1200), {"title": "Lost Picture"}),
    "2026-11-04": ((1600, 1200), {"title": "A title that goes on " + "and on " * 40}),
    "2026-11-03": ((1600, 1200), {"title": "ليلة النجوم (1) abc"}),
    "2026-11-02": (None, {"title": "Too Large", "why": "large"}),
    "2026-10-31": ((1600, 1200), {"title": "Étoile Célèbre"}),
    "2026-09-15": ((10000, 1000), {"title": "A Panorama"}),
    # In two of its sizes, it is another shape than its line says.
    "2026-10-30": ((1600, 1200), {"title": "Turned", "turned": 1}),
    "2026-10-29": ((3000, 2000), {"title": "With Names", "also": [{"number": 2, "rollover": 1, "alt": "The same with names"}]}),
    "2026-10-28": ((1600, 1200), {"title": "Two Views", "also": [{"number": 2, "alt": "From the other side"}]}),
}
ABSENT = {"2026-11-11"}
UNKNOWN = "2024-03-03"
LOST = "2026-11-05"
TEXTS = {
    "2026-11-21": [HOSTILE, [HOSTILE, "https://example.org/\"><script>hacked=5</script>"], ["run", "javascript:hacked=6"]],
    "2024-02-29": ["Before it came a long line of other words. " * 8 + "Here a lantern is hung. " + "After it, more words. " * 9],
    "2025-05-05": ["The lantern of this text says also violin."],
}
# Days whose texts lead to others, on the way of walk.wander.
LINKS = {"2026-10-20": ["2025-03-14"], "2024-12-25": ["2026-08-01"], "2026-08-01": ["2025-03-14"]}
FAVORITES = [["2026-11-22", []], ["2026-11-21", [ALBUM]], ["2026-11-17", ["Comets"]], ["2026-11-14", ["Comets", ALBUM]],
             ["2024-02-29", ["Comets"]], ["2019-04-10", []], ["1996-02-29", ["Comets"]]]
TITLES = "Comet Galaxy Nebula Moon Aurora Eclipse Meteor Saturn Jupiter Mars Cluster Supernova".split()
CLIP = pathlib.Path(__file__).with_name("clip.webm")
ALSO = "808080"
COLORS = ["243b6b", "6b2424", "2c6b24", "6b5a24", "4a246b", "24606b"]
# Of the lists, `hubble` has dates, but for one, and `cats` has none, and a cover.
DATED = [f"{year}-{month:02}-{day:02}" for year in [2024, 2025, 2026] for month in range(1, 12) for day in range(3, 27, 3)]
HUBBLE = [(f"Spiral {number}", date) for number, date in enumerate(DATED)] + [("Undated", None)]
CATS = [(f"Cat {number}", None) for number in range(20)] + [(HOSTILE, None), ("cover", None)]
# Those that are favorites, one of which is gone.
ITEMS = [["lists/cats/Cat 3", ["Comets"]], ["lists/hubble/2026/2026-11-24 Spiral 263", []], ["lists/cats/Gone", []]]

def png(width, height, color):
    # Bands of light and dark, so that a picture that is moved or cut shows it.
    def chunk(name, data):
        return len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4)
    r, g, b = bytes.fromhex(color)
    palette = bytes(min(255, part + 12 * step) for step in range(8) for part in (r, g, b))
    rows = [bytes([0]) + bytes((x * 8 // width + band) % 8 for x in range(width)) for band in range(8)]
    data = b"".join(rows[y * 8 // height] for y in range(height))
    head = width.to_bytes(4) + height.to_bytes(4) + bytes([8, 3, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", palette) + chunk(
        b"IDAT", zlib.compress(data, 1)) + chunk(b"IEND", b"")


def pictured(shape, **more):
    return {"image": "png", "width": shape[0], "height": shape[1], "bytes": 400_000} | more


def copied(shape, number):
    return pictured(shape, copies=1, color=COLORS[number % len(COLORS)])


def counted(*dates):
    # A day and those that it leads to, as Sources/Gallery counts them.
    return [(datetime.date.fromisoformat(date) - datetime.date(1995, 6, 16)).days for date in dates]


def value(any_value):
    # Nothing in a file ends the script or a line of it.
    return json.dumps(any_value, separators=(",", ":")).replace("<", "\\u003c")


class Invented:
    # `page`: a mirror whose index.html, script and style are taken.

    def __init__(self, root, page, first=datetime.date(2024, 2, 1)):
        self.root, self.page, self.pictures = root, page, {}
        self.years, self.texts, self.bars = {}, {}, {}
        day = first
        while str(day) <= NEWEST:
            self.add(day)
            day += datetime.timedelta(1)
        for year in self.years:
            self.write_year(year)
        self.add_list("hubble", HUBBLE)
        self.add_list("cats", CATS)
        self.write("gallery/data/favorites.js", f"apod.favorites({value(FAVORITES + ITEMS)});\n")
        self.write("gallery/data/links.js", f"apod.links({value([counted(page, *targets) for page, targets in sorted(LINKS.items())])});\n")
        self.write("gallery/data/changes.js", "apod.changes(%s);\n" % value([{
            "date": "2026-11-10", "title": HOSTILE, "day": "2026-11-14", "texts": [["title", "It", [HOSTILE], ["", "shines"]]],
            "pictures": [f"gallery/2026/2026-11-{day}-1280.jpg" for day in ["09", "10"]]}]))
        self.write_page()

    def add(self, day):
        date, index = str(day), day.toordinal()
        shape, members = SPECIAL.get(date, (SHAPES[index * index // 7 % len(SHAPES)], {}))
        year = self.years.setdefault(day.year, [])
        bar, at = self.bars.setdefault(day.year, ["."] * (366 if day.year % 4 == 0 else 365)), day.timetuple().tm_yday - 1
        if date in ABSENT:
            bar[at] = "m"
        if date in ABSENT or date == UNKNOWN:
            return
        if members == {"why": "unreachable"}:
            bar[at] = "f"
            return year.append({"date": date, **members})
        title = f"{TITLES[index % len(TITLES)]} {index}"
        line = {"date": date, "title": title} | (copied(shape, index) if shape else {}) | members
        line = {"stem": f"{date} {line['title'][:40]}"} | {name: value for name, value in line.items() if value is not None and name != "turned"}
        line |= {"also": [other | pictured(shape) for other in line["also"]]} if "also" in line else {}
        bar[at] = "p" if "pruned" in line else "h"
        year.append(line)
        # Each day has other words, as English has them: most of them again and again.
        words = TEXTS.get(date) or [" ".join(TITLES[(index * k // 3) % 12].lower() if k % 5 else f"word{index * k % 4001}"
                                             for k in range(1, 60)) + ". ", ["A link", "https://example.org/"], " end."]
        for target in LINKS.get(date, []):
            words = words + [" As ", ["that day", f"https://apod.nasa.gov/apod/ap{target[2:].replace('-', '')}.html"], " tells."]
        credit = [HOSTILE if date == "2026-11-21" else f"Somebody & {index}"]
        self.texts.setdefault(day.year, {})[date] = {
            "text": words, "credit": credit, "page": f"https://example.org/apod/{date}",
            "alt": HOSTILE if date == "2026-11-21" else f"What {title} looks like"}
        if shape and date != LOST:
            self.place(line, shape[::-1] if "turned" in members else shape)

    def place(self, line, shape):
        date, color = line["date"], line["color"]
        stem = f"{date[:4]}/{date[5:7]}/{line['stem']}"
        if "copies" in line:
            self.copies(shape, color, f"gallery/{date[:4]}/{date}")
        if date >= "2026-09" and line["image"] == "png":
            self.link(shape, color, f"{stem}.png")
        for other in line.get("also", []):
            self.link(shape, ALSO, f"{stem} ({other['number']}).png")
        if "video" in line:
            self.write(f"{stem}.webm", CLIP.read_bytes())

    def add_list(self, name, items):
        # As Sources/Gallery writes it: each item with the number of its place.
        volumes, texts = {}, {}
        for number, (title, date) in enumerate(items, 1):
            shape, color, year = SHAPES[number % len(SHAPES)], COLORS[number % len(COLORS)], (date or "0")[:4]
            stem = "Hostile" if title == HOSTILE else f"{date} {title}" if date else title
            cover = {"date": f"{name}.{number:016x}", "title": title, "stem": stem} | copied(shape, number)
            self.copies(shape, color, f"gallery/lists/{name}/{number:016x}")
            self.link(shape, color, f"lists/{name}/{f'{year}/' if date else ''}{stem}.png")
            if title != "cover":
                volumes.setdefault(year, []).append(cover)
                texts.setdefault(year, {})[cover["date"]] = {
                    "text": f"A tale of the {'zither' if number == 7 else 'sky'}.", "credit": [HOSTILE if title == HOSTILE else "ESA/Hubble"],
                    "licence": "CC BY 4.0", "page": f"https://example.org/{name}/{number}"}
        for year, lines in volumes.items():
            self.write_volume(f"lists/{name}/{year}", lines, texts[year])
        years = [[int(year), len(lines)] for year, lines in sorted(volumes.items(), reverse=True)]
        self.write(f"gallery/data/lists/{name}/list.js", f"apod.list(\"{name}\", {value({'years': years, 'cover': cover})});\n")

    def copies(self, shape, color, stem):
        for suffix, box in [("480.webp", 480), ("1280.jpg", 1280)]:
            self.link(tuple(round(side * min(1, box / max(shape))) for side in shape), color, f"{stem}-{suffix}")

    def link(self, size, color, name):
        if (size, color) not in self.pictures:
            self.pictures[size, color] = self.write(name, png(*size, color))
        else:
            os.link(self.pictures[size, color], self.path(name))

    def path(self, name):
        path = pathlib.Path(self.root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, name, contents):
        path = self.path(name)
        path.write_bytes(contents.encode() if isinstance(contents, str) else contents)
        return path

    def write_year(self, year):
        self.write_volume(year, self.years[year], self.texts[year])

    def write_volume(self, name, lines, texts):
        # As a Volume of Sources/Gallery writes them.
        self.write(f"gallery/data/{name}.js", f"apod.year({value(name)}, {value(lines)});\n")
        self.write(f"gallery/data/{name}-text.js", f"apod.texts({value(name)}, {value(texts)});\n")

    def write_page(self):
        for name in os.listdir(f"{self.page}/gallery"):
            if name.endswith((".js", ".css", ".svg")):
                shutil.copy(f"{self.page}/gallery/{name}", f"{self.root}/gallery/{name}")
        page = pathlib.Path(self.page, "index.html").read_text()
        years = "".join(f"<a href=\"#{year}\" data-days=\"{''.join(bar)}\">{year}</a>\n" for year, bar in self.bars.items())
        page = re.sub(r"(<a href=\"#\d{4}\" data-days=\"[^\"]*\">\d{4}</a>\s*)+", lambda _: years, page, count=1)
        told = {"date": NEWEST, **self.texts[max(self.years)].get(NEWEST, {})}
        page = page.replace("<div id=\"ways\" popover>\n", "<div id=\"ways\" popover>\n<a href=\"#lists\" data-names=\"cats hubble\">Lists</a>\n")
        page = re.sub(r"(?<=id=\"first\">).*?(?=</script>)", lambda _: value(told), page, count=1)
        page = re.sub(r"data/\d{4}\.js", f"data/{max(self.years)}.js", page)
        page = re.sub(r"(?<=href=\")gallery/\d{4}/[-0-9]+-1280.jpg", f"gallery/{NEWEST[:4]}/{NEWEST}-1280.jpg", page)
        self.write("index.html", page)
