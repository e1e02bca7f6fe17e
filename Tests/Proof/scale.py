# Mirrors of three sizes, made by script: what each step takes in processor time and memory, and how that grows.
#
# The exponent is that of a fit through the three sizes: 1 grows as its input does, 2 with its square. Processor time, as other
# programs do not change it; the least of some runs.
import datetime
import json
import math
import os
import random
import shutil
import statistics
import time
from os.path import basename, dirname, exists, getsize, join, relpath

from mirror import Mirror, Walk, last_days, until, write
from part import Violation, peak
from upstream import Record, Upstream, content

# Days, favorites, albums, and the largest exponent. By hand: all of NASA's days, those that the format has room for. What
# is short and beside other work is measured less well.
SHORT = [(400, 800, 10), (800, 1600, 20), (1600, 3200, 40)], 1.4
LONG = [(3000, 10_000, 100), (11_422, 31_600, 316), (36_359, 100_000, 1000)], 1.15
FIRST = datetime.date(1995, 6, 16)


class World:
    # A mirror of `count` days, each with JSON and a hard link to the one picture.

    def __init__(self, seed, program, folder, count):
        self.count, self.upstream = count, Upstream()
        self.first = max(FIRST, last_days(count)[-1])
        self.days = [self.first + datetime.timedelta(after) for after in range(count)]
        self.mirror = Mirror(Walk(seed, folder), program, self.upstream, f"since = {self.first}\nthumbnails = no\n")
        self.root, self.picture = self.mirror.root, content("jpg", seed)
        # What is looked at again.
        for day in self.days[-30:]:
            self.upstream.add(self.record(day), seed)
            self.upstream.files[self.record(day).files[0]].body = self.picture
        self.mirror.run("sync", f"{self.days[-1]}")
        self.document = self.mirror.document(self.days[-1])
        # Each day has the one picture.
        for day in self.days[:-1]:
            os.makedirs(dirname(self.path(day, "jpg")), exist_ok=True)
            self.write(day)
            os.link(self.path(self.days[-1], "jpg"), self.path(day, "jpg"))

    def record(self, day):
        return Record(day, f"Night {(day - self.first).days}", "picture", [f"{day:%Y/%m}/s.jpg"])

    def path(self, day, suffix):
        return join(self.root, f"{day:%Y/%m}", f"{day} {self.record(day).title}.{suffix}")

    def write(self, day, has_picture=True):
        # As the mirror has written the newest day's.
        record = self.record(day)
        file = self.document["mirror"]["files"][0] | {"name": basename(self.path(day, "jpg"))}
        document = self.document | {
            "date": f"{day}", "title": record.title, "mirror": self.document["mirror"] | {"files": [file] * has_picture},
            "upstream": record.json(self.upstream.origin)}
        write(self.path(day, "json"), json.dumps(document, indent=2, ensure_ascii=False) + "\n")

    def measured(self, *words):
        # (seconds of processor time, KB at most) of a command.
        status, said, spent, memory = self.mirror.measured(*words)
        if status != 0:
            raise Violation(f"{words} ended with {status}: {said[:500]}")
        return spent, memory

    def service(self):
        # The same of the running service, so far.
        # clock_getcpuclockid(3); /proc counts in hundredths of a second.
        return time.clock_gettime(~self.mirror.service.pid << 3 | 2), peak(self.mirror.service)

    def rebuild(self):
        self.mirror.lose_catalog(random.Random(0))
        return self.measured("sync")

    def status(self):
        found = self.mirror.run("status", "--json")
        if found["days"] != self.count:
            raise Violation(f"{found['days']} days of {self.count}")
        return self.measured("status")

    def start(self, is_ready=lambda: True):
        self.mirror.start()
        try:
            if not until(is_ready, 300):
                raise Violation("not so within five minutes")
            return self.service()
        finally:
            self.mirror.end()

    def scan(self, favorites, albums):
        # Links put while nobody looks: from the start until each is in favorites.json.
        folder = self.mirror.favorites
        for number in range(favorites):
            day = self.days[number % self.count]
            album = join(folder, f"Album {number % albums}")
            if number < albums:
                os.makedirs(album, exist_ok=True)
            os.symlink(relpath(self.path(day, "jpg"), album), join(album, f"{number}.jpg"))

        def told():
            try:
                # The file is large: it is read when it may be whole.
                path = join(self.root, "favorites.json")
                return getsize(path) > 20 * favorites and sum(
                    len(each["links"]) for each in json.load(open(path))) == favorites
            except (FileNotFoundError, ValueError):
                return False

        return self.start(told)

    def gallery(self):
        # Without pictures, whose decoding is known to grow as they do.
        self.mirror.set(self.mirror.words + "gallery = yes\n")
        for day in self.days:
            os.unlink(self.path(day, "jpg"))
            self.write(day, has_picture=False)
        self.upstream.days = {}
        self.rebuild()
        shutil.rmtree(join(self.root, "gallery"), ignore_errors=True)
        result = self.measured("sync")
        if not exists(join(self.root, "index.html")):
            raise Violation("there is no gallery")
        return result


def take(part):
    costs, part.note = {}, "steps at three sizes"
    sizes, most = LONG if part.seconds >= 240 else SHORT
    for days, favorites, albums in sizes:
        place = join(part.folder, str(days))
        world = World(part.seed, part.program, place, days)
        # By name: the size of what it reads, and what is done, also some times. Favorites and the gallery come once.
        steps = {"rebuild": (days, world.rebuild), "status": (days, world.status), "sync": (days, lambda: world.measured("sync")),
                 "verify": (days, lambda: world.measured("verify")), "start": (days, world.start),
                 "favorites": (favorites, lambda: world.scan(favorites, albums)), "start with favorites": (favorites, world.start),
                 "gallery": (days, world.gallery)}
        for name, (size, step) in steps.items():
            is_once = name in ("favorites", "gallery") or part.left < part.seconds / 2
            spent, memory = zip(*(step() for _ in range(1 if is_once else 3)))
            # What is short may have ended before its memory was looked at.
            costs.setdefault(name, []).append((size, min(spent), max(memory)))
            part.cases += 1
        shutil.rmtree(place, ignore_errors=True)
    for name, found in costs.items():
        sizes, times, memories = zip(*found)
        # What takes hardly any time has no curve.
        for what, all, least in (("seconds", times, 0.1), ("KB", memories, 1)):
            power = statistics.linear_regression(*([math.log(max(each, 0.001)) for each in side] for side in (sizes, all))).slope
            words = f"{name}: {what} grow with the power {power:.2f}: {dict(zip(sizes, all))}"
            print(words, flush=True)
            if power > most and all[-1] > least:
                part.fall(words, Violation(words))
