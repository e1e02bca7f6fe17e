# Small scenes that calls and crash play: what was there, what is done, and what is there in the end.
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from os.path import dirname, islink, join, lexists, relpath

import sometimes
from mirror import Mirror, Walk, contents, files_below, last_days, listing, patient, until
from part import Violation
from upstream import Record, Upstream

# The colors of tiles: a new catalog knows none, and no picture is decoded again for them.
COLOR = re.compile(rb',"color":"[0-9a-f]{6}"')
TIME = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?")
MEDIUM = re.compile(r"\d{4}/\d\d/\d{4}-.*\.(jpg|png|mp4)")
COUNTS = ("pictures", "days", "missing", "failed", "incomplete", "replaced", "favorites", "pending", "unrecognised")
LIMIT = 60
# Within so many seconds, a service has seen what a person did, whatever fails once.
SEEN = 60
# A day that failed once is asked for again after a longer pause.
FETCHED = 5


class World(Mirror):
    # A mirror of five days. `start` is made once, `case` is a copy of it; both are at the same path when they are used.

    def __init__(self, folder, program, scene):
        self.folder, self.scene = join(folder, scene.__name__), scene
        # What is laid over the environment while the calls are counted; called while a process runs, and when one begins.
        self.touched, self.watch, self.begun = {}, lambda process: None, lambda process: None
        # What `state` passes over.
        self.unequal = COLOR
        # (command, status, what it said) since the case began. `is_mute`: it may not be able to say anything.
        self.told, self.is_mute = [], False
        self.days = last_days(5)
        super().__init__(Walk(0, self.folder), program, Upstream(), disk="case")
        self.start, self.case = join(self.folder, "start"), join(self.folder, "case")
        self.environment["HOME"] = join(self.case, "home")
        os.makedirs(self.environment["HOME"])
        self.upstream.fill(self.days, "scene", ("picture", "video", "picture", "embedded", "picture"), ("Orion’s Sword",))
        scene.prepare(self)
        os.rename(self.case, self.start)
        self.renew()

    def set(self, words=""):
        super().set(f"since = {self.days[-1]}\n" + ("" if "thumbnails" in words else "thumbnails = no\n") + words)

    def renew(self):
        shutil.rmtree(self.case, ignore_errors=True)
        subprocess.run(["cp", "-a", self.start, self.case], check=True)
        self.told = []

    def correct(self):
        # The newest day gets another picture, of another type; the third gets other bytes and other words, the last words.
        day = self.days[0]
        self.upstream.add(Record(day, self.upstream.days[day].title, "picture", [f"{day:%Y/%m}/c.png"]), "corrected")
        self.upstream.invent(self.upstream.days[self.days[2]].files[0], "other")
        self.upstream.days[self.days[2]].text = self.upstream.days[self.days[4]].text = "Corrected words."

    # Processes.
    def begin(self, *words):
        output = open(join(self.folder, "said"), "w+b")
        process = self.process(words, output, **self.touched)
        process.words, process.output = words, output
        self.begun(process)
        return process

    def finish(self, process):
        # Waits until it ends, and remembers how.
        words, deadline = " ".join(process.words), time.monotonic() + patient(LIMIT)
        while process.poll() is None:
            self.watch(process)
            if time.monotonic() > deadline:
                self.kill(process)
                raise Violation(f"{words} did not end within {LIMIT} s")
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                pass
        process.output.close()
        said = self.said()
        self.told.append((words, process.returncode, said))
        sometimes.hear(said)
        if process.returncode not in (0, 1, 2):
            raise Violation(f"{words} ended with {process.returncode}: {said[:600]}")

    def do(self, *words):
        self.finish(self.begin(*words))

    def beside(self, hands):
        # The service starts, `hands` works beside it, and it stops.
        process = self.begin("run")

        def is_ready():
            self.watch(process)
            return "\nready;" in self.said() or process.poll() is not None

        try:
            if not until(is_ready, FETCHED if self.is_mute else LIMIT) and not self.is_mute:
                raise Violation(f"the service was not ready within {LIMIT} s")
            if process.poll() is None:
                hands(process)
                process.send_signal(signal.SIGTERM)
            self.finish(process)
        finally:
            self.kill(process)

    def said(self):
        with open(join(self.folder, "said"), errors="replace") as file:
            return file.read()

    # What is there.
    def tell(self, *words):
        # A JSON document, from a command that is left alone.
        return self.run(*words, "--json", statuses=(0, 1))

    def files(self, is_here_only=False):
        # The paths of all files below the years and among the replaced ones.
        return [path for path, is_former in self.kept() if not (is_here_only and is_former)]

    def held(self):
        # Of media their SHA-256, of JSON its day and words.
        return {content_of(path) for path in self.files() if not path.endswith(".html")}

    def state(self):
        # All that a person or a program sees, without times.
        tree = {}
        for folder, folders, names in os.walk(self.root):
            place = relpath(folder, self.root)
            folders[:] = [name for name in folders if name != ".apod-mirror"]
            for name in names + [name for name in folders if islink(join(folder, name))]:
                path = join(folder, name)
                if islink(path):
                    told = "-> " + os.readlink(path)
                else:
                    body = contents(path)
                    if name == "favorites.json":
                        body = json.dumps([each for each in json.loads(body) if "ended" not in each]).encode()
                    told = hashlib.sha256(self.unequal.sub(b"", TIME.sub(b"T", body))).hexdigest()[:16]
                    if MEDIUM.fullmatch(f"{place}/{name}"):
                        told += f" {int(os.stat(path).st_mtime)}"
                tree[join(place, name)] = told
        status = self.tell("status")
        tree |= {f"status {name}": status[name] for name in COUNTS}
        tree["conditions"] = sorted(json.dumps(each.get("code", each)) for each in status["conditions"])
        tree["favorites list"] = [{name: each[name] for name in each if name != "added"} for each in self.tell("favorites", "list")]
        tree["replaced"] = sorted({content_of(path) for path, is_former in self.kept() if is_former})
        return tree


def content_of(path):
    body = contents(path)
    if not path.endswith(".json"):
        return hashlib.sha256(body).hexdigest()
    try:
        document = json.loads(body)
    except ValueError:
        raise Violation(f"{path} is not whole: {body[:200]}") from None
    return f"{document['date']} {document['title']}: {document['explanation']}"


def differences(state, other):
    return [f"{name}: {state.get(name)} and not {other.get(name)}" for name in sorted(state.keys() | other.keys())
            if state.get(name) != other.get(name)]


class Scene:
    # `prepare` makes the start, `play` is what is tried; played again, it leads to the same end, but for `either`.
    # What may end in another way after a stop, and costs nothing: what a difference begins with.
    either = ()

    @staticmethod
    def prepare(world):
        world.do("sync")

    @staticmethod
    def play(world):
        world.do("sync")


class first(Scene):
    prepare = staticmethod(lambda world: None)


class correction(Scene):
    @staticmethod
    def prepare(world):
        world.do("sync")
        world.do("favorites", "add", f"{world.days[0]}")
        world.correct()


class revert(Scene):
    @staticmethod
    def prepare(world):
        correction.prepare(world)
        world.do("sync")

    @staticmethod
    def play(world):
        # One that was cut off is finished when the mirror is opened; a second one would turn round again.
        world.do("sync")
        if "s0.jpg" not in world.files_of(world.days[0])[0]["url"]:
            world.do("revert", f"{world.days[0]}")
        world.do("sync")


class favorites(Scene):
    # A copy that is known and was not made a link stays a copy, and a favorite.
    either = ("favorites/a copy.jpg: ",)

    @staticmethod
    def prepare(world):
        world.do("sync")
        world.do("favorites", "add", f"{world.days[0]}", f"{world.days[1]}")
        picture = next(path for path in world.files() if f"/{world.days[2]}" in path and path.endswith(".jpg"))
        os.makedirs(join(world.favorites, "Album"))
        os.symlink(picture, join(world.favorites, "Album", "by hand.jpg"))
        shutil.copyfile(picture, join(world.favorites, "a copy.jpg"))
        os.unlink(next(entry.path for entry in os.scandir(world.favorites) if str(world.days[1]) in entry.name))

    @staticmethod
    def play(world):
        world.do("favorites", "add", f"{world.days[4]}")
        if any(str(world.days[0]) in name for name in listing(world.favorites)):
            world.do("favorites", "remove", f"{world.days[0]}")
        world.do("sync")


class prune(Scene):
    @staticmethod
    def prepare(world):
        revert.prepare(world)
        world.do("favorites", "add", f"{world.days[4]}")
        world.set("keep = 2d\n")

    @staticmethod
    def play(world):
        world.do("prune")


class rebuild(Scene):
    # The catalog is gone, and is made anew from what is there.
    @staticmethod
    def prepare(world):
        revert.prepare(world)
        for name in listing(join(world.root, ".apod-mirror")):
            if name.startswith("catalog.sqlite"):
                os.unlink(join(world.root, ".apod-mirror", name))


class thumbnails(Scene):
    @staticmethod
    def prepare(world):
        world.do("sync")
        world.set("thumbnails = yes\n")

    @staticmethod
    def play(world):
        world.do("thumbnails")


class gallery(Scene):
    @staticmethod
    def prepare(world):
        world.do("sync")
        world.set("gallery = yes\n")


class service(Scene):
    # It fetches the two newest days, adopts a link that is dropped, and sees one go.
    @staticmethod
    def prepare(world):
        world.do("sync", "--until", f"{world.days[2]}")
        world.do("favorites", "add", f"{world.days[2]}")

    @staticmethod
    def play(world):
        def hands(process):
            here, told = join(world.favorites, "dropped"), join(world.root, "favorites.json")
            if not lexists(here):
                os.symlink(f"{world.root}/{world.days[4]:%Y/%m}/{world.days[4]} Orion’s Sword 4.jpg", here)
            for name in listing(world.favorites):
                if str(world.days[2]) in name:
                    os.unlink(join(world.favorites, name))

            def is_seen():
                world.watch(process)
                days = {each["date"] for each in json.loads(contents(told)) if "ended" not in each}
                return process.poll() is not None or os.readlink(here)[:1] == "." and days == {str(world.days[4])}

            if not until(is_seen, SEEN):
                raise Violation(f"{SEEN} s after a link was dropped and another deleted, the service has not seen it: {world.said()[-3000:]}")
            until(lambda: not any(name.startswith(".apod-mirror-") for name in listing(world.favorites)), FETCHED)
            until(lambda: all(map(world.document, world.days)) or "apod-mirror: " in world.said() or process.poll() is not None, FETCHED)

        world.beside(hands)


class folders(Scene):
    # All folders that have links, lists or pages, their copies, and visitors.
    @staticmethod
    def prepare(world):
        for number in range(3):
            world.upstream.add_item("cats", f"{number}", f"Cat {number}", None, f"cats/{number}.jpg", "scene")
        world.set(f"list.cats = {world.upstream.origin}/cats.json\ngallery = yes\nframe = favorites 800x600\n")
        world.do("sync")
        for name in ("search/sword", "search/cats: cat", "today"):
            os.makedirs(join(world.root, name))
        world.do("favorites", "add", f"{world.days[0]}", "--album", "Album/Inner")
        world.do("favorites", "add", f"{world.days[1]}", "lists/cats/Cat 1.jpg")

    @staticmethod
    def play(world):
        paths = [path[len(world.root):] for path in files_below(world.root) if f"{world.root}/." not in path]
        world.correct()
        world.do("sync")
        world.do("favorites", "add", f"{world.days[2]}", "lists/cats/Cat 2.jpg", "--album", "Album")
        world.do("favorites", "remove", f"{world.days[2]}", "lists/cats/Cat 2.jpg")
        world.serve()
        try:
            for path in paths:
                world.ask("GET", path)
            for folder in {dirname(path) for path in paths}:
                world.ask("GET", f"{folder}/")
        finally:
            world.kill(world.web)
        world.beside(lambda process: until(lambda: process.poll() is not None, 1))
        world.do("verify")


SCENES = [first, correction, revert, favorites, prune, rebuild, thumbnails, gallery, service]
