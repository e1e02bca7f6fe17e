"""Mirrors of three sizes, made by script: what each step takes in processor time and memory, and how that grows.

The exponent is that of a fit through the three sizes: 1 grows as its input does, 2 with its square. Processor time, as other
programs do not change it; the least of some runs.
"""
import datetime
import hashlib
import json
import math
import os
import shutil
import subprocess
import time

from mirror import Mirror, Violation, Walk, until
from part import Clock, Figures, peak, watched
from upstream import ORIGINALS, Record, Upstream, content

# Days, favorites, albums, and the largest exponent. By hand: all of NASA's days, those that the format has room for. What
# is short and beside other work is measured less well.
SHORT = [(400, 800, 10), (800, 1600, 20), (1600, 3200, 40)], 1.4
LONG = [(3000, 10_000, 100), (11_422, 31_600, 316), (36_359, 100_000, 1000)], 1.15
FIRST = datetime.date(1995, 6, 16)


class World:
    """A mirror of `count` days, each with JSON and a hard link to the one picture."""

    def __init__(self, seed, program, folder, count):
        self.count, self.upstream = count, Upstream()
        newest = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(1)
        self.first = max(FIRST, newest - datetime.timedelta(count - 1))
        self.days = [self.first + datetime.timedelta(after) for after in range(count)]
        self.mirror = Mirror(Walk("scale", seed, folder), program, self.upstream, f"since = {self.first}\nthumbnails = no\n",
                             "disk")
        self.root, self.picture = self.mirror.root, content("jpg", seed)
        # What is looked at again.
        for day in self.days[-30:]:
            self.upstream.days[day] = self.record(day)
            self.upstream.add(self.upstream.days[day], seed)
            self.upstream.files[f"{day:%Y/%m}/s.jpg"].body = self.picture
        self.make()

    def record(self, day):
        return Record(day, f"Night {(day - self.first).days}", "picture", [f"{day:%Y/%m}/s.jpg"])

    def make(self):
        """As the mirror writes it (product.md, "The folder")."""
        digest, one = hashlib.sha256(self.picture).hexdigest(), None
        for day in self.days:
            month = os.path.join(self.root, f"{day:%Y/%m}")
            if not os.path.isdir(month):
                os.makedirs(month)
            record = self.record(day)
            upstream, stem = record.json(self.upstream.origin), f"{day} {record.title}"
            address = f"{self.upstream.origin}{ORIGINALS}{record.files[0]}"
            document = {
                "date": f"{day}", "title": record.title, "explanation": record.text, "url": address, "hdurl": address,
                        "media_type": "image",
                "service_version": "v1", "permalink": upstream["permalink"], "credit": "Nobody", "copyrighted": None,
                        "alt": "A sky.",
                "mirror": {"fetched": "2026-01-01T00:00:00Z", "downgraded": False, "files": [
                    {"name": f"{stem}.jpg", "role": "picture", "url": address, "bytes": len(self.picture), "sha256": digest,
                     "type": "image/jpeg", "width": 64, "height": 48}]},
                "upstream": upstream}
            with open(os.path.join(month, f"{stem}.json"), "w", encoding="utf-8") as file:
                file.write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
            path = os.path.join(month, f"{stem}.jpg")
            if one:
                os.link(one, path)
            else:
                with open(path, "wb") as file:
                    file.write(self.picture)
                one = path

    def measured(self, *words):
        """(seconds of processor time, KB at most) of a command."""
        mirror = self.mirror
        with open(os.path.join(mirror.walk.folder, "said"), "w+") as output:
            process = subprocess.Popen([mirror.program, words[0], "--config", mirror.settings, *words[1:]],
                                       stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=output, env=mirror.environment)
            status, spent, memory = watched(process)
            output.seek(0)
            if status != 0:
                raise Violation(f"{words} ended with {status}: {output.read()[:500]}")
        return spent, memory

    def service(self):
        """The same of the running service, so far."""
        process = self.mirror.service.pid
        # clock_getcpuclockid(3); /proc counts in hundredths of a second.
        return time.clock_gettime(~process << 3 | 2), peak(process)

    def rebuild(self):
        own = os.path.join(self.root, ".apod-mirror")
        for name in os.listdir(own) if os.path.isdir(own) else []:
            if name.startswith("catalog"):
                os.unlink(os.path.join(own, name))
        return self.measured("sync")

    def status(self):
        found = self.mirror.run("status", "--json")
        if found["days"] != self.count:
            raise Violation(f"{found['days']} days of {self.count}")
        return self.measured("status")

    def sync(self):
        return self.measured("sync")

    def verify(self):
        return self.measured("verify")

    def start(self):
        self.mirror.start()
        try:
            return self.service()
        finally:
            self.mirror.end()

    def scan(self, favorites, albums):
        """Links put while nobody looks: from the start until each is in favorites.json."""
        folder = self.mirror.favorites
        for number in range(favorites):
            day = self.days[number % self.count]
            album = os.path.join(folder, f"Album {number % albums}")
            if number < albums:
                os.makedirs(album, exist_ok=True)
            os.symlink(f"../../{day:%Y/%m}/{day} {self.record(day).title}.jpg", os.path.join(album, f"{number}.jpg"))

        def told():
            try:
                # The file is large: it is read when it may be whole.
                path = os.path.join(self.root, "favorites.json")
                return os.path.getsize(path) > 20 * favorites and sum(
                    len(each["links"]) for each in json.load(open(path))) == favorites
            except (FileNotFoundError, ValueError):
                return False

        self.mirror.start()
        try:
            if not until(told, 300):
                raise Violation(f"{favorites} links are not favorites within five minutes")
            return self.service()
        finally:
            self.mirror.end()

    def again(self):
        """A start with favorites that are known."""
        return self.start()

    def gallery(self):
        """Without pictures, whose decoding is known to grow as they do."""
        settings = open(self.mirror.settings).read().replace("gallery = no", "gallery = yes")
        open(self.mirror.settings, "w").write(settings)
        for folder, _, names in os.walk(self.root):
            for name in names:
                if name.endswith(".jpg") and os.path.basename(os.path.dirname(folder)).isdigit():
                    os.unlink(os.path.join(folder, name))
        for day in self.days:
            path = os.path.join(self.root, f"{day:%Y/%m}", f"{day} {self.record(day).title}.json")
            document = json.load(open(path, encoding="utf-8"))
            document["mirror"]["files"] = []
            with open(path, "w", encoding="utf-8") as file:
                file.write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
        self.upstream.days = {}
        self.rebuild()
        shutil.rmtree(os.path.join(self.root, "gallery"), ignore_errors=True)
        result = self.measured("sync")
        if not os.path.exists(os.path.join(self.root, "index.html")):
            raise Violation("there is no gallery")
        return result


def exponent(points):
    """Of the fit through (size, cost): least squares of the logarithms."""
    xs, ys = [math.log(size) for size, _ in points], [math.log(max(cost, 0.001)) for _, cost in points]
    middle = sum(xs) / len(xs)
    return sum((x - middle) * y for x, y in zip(xs, ys)) / sum((x - middle) ** 2 for x in xs)


def take(seed, seconds, program, folder):
    clock, figures, costs = Clock(seconds), Figures(), {}
    sizes, most = LONG if seconds >= 240 else SHORT
    for days, favorites, albums in sizes:
        place = os.path.join(folder, str(days))
        os.makedirs(place)
        try:
            world = World(seed, program, place, days)
            steps = [("rebuild", days, world.rebuild, 2), ("status", days, world.status, 3), ("sync", days, world.sync, 3),
                     ("verify", days, world.verify, 2), ("start", days, world.start, 3),
                     ("favorites", favorites, lambda: world.scan(favorites, albums), 1),
                     ("start with favorites", favorites, world.again, 3),
                     ("gallery", days, world.gallery, 1)]
            for name, size, step, times in steps:
                found = [step() for _ in range(times if clock.left > seconds / 2 else 1)]
                costs.setdefault(name, []).append((size, min(time for time, _ in found), min(memory for _, memory in found)))
                figures.cases += 1
        except Exception as error:
            figures.fell.append(f"{days} days: {type(error).__name__}: {error}")
            if world.mirror.service:
                world.mirror.service.kill()
            return figures
        shutil.rmtree(place, ignore_errors=True)
    print(f"{'step':21}" + "".join(f"{word:>26}" for word in ("small", "middle", "large")) + "    time  memory")
    for name, found in costs.items():
        grows = [exponent([(size, cost) for size, cost, _ in found]), exponent([(size, memory) for size, _, memory in found])]
        print(f"{name:21}" + "".join(f"{size:>10}: {cost:6.2f} s {memory >> 10:3} MB" for size, cost, memory in found)
              + f"{grows[0]:8.2f}{grows[1]:8.2f}", flush=True)
        # What takes hardly any time has no curve.
        for what, power, largest, least in (("time", grows[0], found[-1][1], 0.1), ("memory", grows[1], found[-1][2], 1)):
            if power > most and largest > least:
                figures.fell.append(f"{name}: {what} grows with the power {power:.2f} of its input: {found}")
    figures.note = "steps at three sizes"
    return figures
