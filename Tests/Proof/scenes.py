"""Eight small scenes that calls and crash play: what was there, what is done, and what is there in the end."""
import datetime
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time

from mirror import Violation, files_below, former_files, listing, until
from upstream import TYPES, File, Record, Upstream, content

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


class World:
    """A mirror of five days. `start` is made once, `case` is a copy of it; both are at the same path when they are used."""

    def __init__(self, folder, program, scene, case="case"):
        self.folder, self.program, self.scene = os.path.join(folder, scene.__name__), program, scene
        self.start, self.case = os.path.join(self.folder, "start"), os.path.join(self.folder, case)
        self.root, self.settings = os.path.join(self.case, "APOD"), os.path.join(self.folder, "settings")
        self.favorites = os.path.join(self.root, "favorites")
        self.environment = {"HOME": os.path.join(self.case, "home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
        # What is laid over the environment while the calls are counted; called while a process runs, and when one begins.
        self.touched, self.watch, self.begun = {}, lambda process: None, lambda process: None
        # What `state` passes over.
        self.unequal = COLOR
        # (command, status, what it said) since the case began.
        self.told = []
        os.makedirs(self.environment["HOME"])
        self.upstream = Upstream()
        newest = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(1)
        self.days = [newest - datetime.timedelta(back) for back in range(5)]
        for index, (day, kind) in enumerate(zip(self.days, ("picture", "video", "picture", "embedded", "picture"))):
            names = [f"{day:%Y/%m}/s{index}.{suffix}" for suffix in (["mp4"] if kind == "video" else []) + ["jpg"]]
            self.upstream.add(Record(day, f"Orion’s Sword {index}", kind, names), "scene")
        self.set()
        scene.prepare(self)
        os.rename(self.case, self.start)
        self.renew()

    def set(self, words=""):
        with open(self.settings, "w") as file:
            file.write(f"root = {self.root}\nupstream = {self.upstream.origin}\nrate = 0\nsince = {self.days[-1]}\n"
                       f"gallery = no\nthumbnails = no\n{words}")

    def renew(self):
        shutil.rmtree(self.case, ignore_errors=True)
        subprocess.run(["cp", "-a", self.start, self.case], check=True)
        self.told = []

    def correct(self):
        """The newest day gets another picture, of another type; the third gets other bytes and other words, the last words."""
        day = self.days[0]
        self.upstream.add(Record(day, self.upstream.days[day].title, "picture", [f"{day:%Y/%m}/c.png"]), "corrected")
        name = self.upstream.days[self.days[2]].files[0]
        self.upstream.files[name] = File(content("jpg", "other"), TYPES["jpg"])
        self.upstream.days[self.days[2]].text = self.upstream.days[self.days[4]].text = "Corrected words."

    # Processes.
    def begin(self, *words, **others):
        place = os.path.join(self.folder, "said")
        open(place, "w").close()
        output = open(place, "a+")
        process = subprocess.Popen([self.program, words[0], "--config", self.settings, *words[1:]], stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=output, env=self.environment | self.touched | others, cwd=self.folder)
        process.words, process.output = words, output
        self.begun(process)
        return process

    def end(self, process):
        """Waits until it ends, and remembers how."""
        deadline = time.monotonic() + LIMIT
        while process.poll() is None:
            self.watch(process)
            if time.monotonic() > deadline:
                process.kill()
                process.wait()
                raise Violation(f"{' '.join(process.words)} did not end within {LIMIT} s")
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                pass
        process.output.seek(0)
        said = process.output.read()
        process.output.close()
        self.told.append((" ".join(process.words), process.returncode, said))
        if process.returncode not in (0, 1, 2):
            raise Violation(f"{' '.join(process.words)} ended with {process.returncode}: {said[:600]}")
        return process.returncode, said

    def run(self, *words):
        return self.end(self.begin(*words))

    def serve(self, hands):
        """The service starts, `hands` works beside it, and it stops."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as news:
            address = f"\0apod-scene-{os.getpid()}-{time.monotonic_ns()}"
            news.bind(address)
            heard = []
            # A service waits where nobody reads what it says.
            listening = threading.Thread(target=lambda: heard.extend(iter(lambda: news.recv(4096), b"")), daemon=True)
            listening.start()
            process = self.begin("run", NOTIFY_SOCKET="@" + address[1:])

            def is_ready():
                self.watch(process)
                # systemd's message may be what fails.
                return any(b"READY=1" in each for each in heard) or "\nready;" in self.said() or process.poll() is not None

            try:
                if not until(is_ready, LIMIT):
                    raise Violation(f"the service was not ready within {LIMIT} s")
                if process.poll() is None:
                    hands(process)
                    process.send_signal(signal.SIGTERM)
                self.end(process)
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
                with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as last:
                    last.sendto(b"", address)
                listening.join()

    def said(self):
        with open(os.path.join(self.folder, "said"), errors="replace") as file:
            return file.read()

    def ask(self, *words):
        """A JSON document, from a command that is left alone."""
        result = subprocess.run([self.program, words[0], "--config", self.settings, *words[1:], "--json"], env=self.environment,
                                stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, cwd=self.folder)
        if result.returncode not in (0, 1) or not result.stdout:
            raise Violation(f"{' '.join(words)} ended with {result.returncode}: {result.stderr.decode()[:600]}")
        return json.loads(result.stdout)

    # What is there.
    def files(self):
        """The paths of all files below the years and among the replaced ones, from the root on."""
        years = {f"{day:%Y}" for day in self.days}
        yield from (path for year in years for path in files_below(os.path.join(self.root, year)) if "/." not in path[len(self.root):])
        yield from former_files(self.root)

    def has(self, day):
        names = listing(os.path.join(self.root, f"{day:%Y/%m}"))
        return any(name.startswith(f"{day} ") and name.endswith(".json") for name in names)

    def kept(self):
        """Of media their SHA-256, of JSON its day and words."""
        return {content_of(path) for path in self.files() if not path.endswith(".html")}

    def state(self):
        """All that a person or a program sees, without times."""
        tree = {}
        for folder, folders, names in os.walk(self.root):
            place = os.path.relpath(folder, self.root)
            folders[:] = [name for name in folders if name != ".apod-mirror"]
            for name in names + [name for name in folders if os.path.islink(os.path.join(folder, name))]:
                path = os.path.join(folder, name)
                if os.path.islink(path):
                    told = "-> " + os.readlink(path)
                else:
                    with open(path, "rb") as file:
                        body = file.read()
                    if name == "favorites.json":
                        body = json.dumps([each for each in json.loads(body) if "ended" not in each]).encode()
                    told = hashlib.sha256(self.unequal.sub(b"", TIME.sub(b"T", body))).hexdigest()[:16]
                    if MEDIUM.fullmatch(f"{place}/{name}"):
                        told += f" {int(os.stat(path).st_mtime)}"
                tree[os.path.join(place, name)] = told
        status = self.ask("status")
        tree |= {f"status {name}": status[name] for name in COUNTS}
        tree["conditions"] = sorted(json.dumps(each.get("code", each)) for each in status["conditions"])
        tree["favorites list"] = [{name: each[name] for name in each if name != "added"} for each in self.ask("favorites", "list")]
        tree["replaced"] = sorted(set(map(content_of, former_files(self.root))))
        return tree


def content_of(path):
    with open(path, "rb") as file:
        body = file.read()
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
    """`prepare` makes the start, `play` is what is tried; played again, it leads to the same end, but for `either`."""
    # What may end in another way after a stop, and costs nothing: what a difference begins with.
    either = ()

    @staticmethod
    def prepare(world):
        world.run("sync")


class first(Scene):
    prepare = staticmethod(lambda world: None)

    @staticmethod
    def play(world):
        world.run("sync")


class correction(first):
    @staticmethod
    def prepare(world):
        world.run("sync")
        world.run("favorites", "add", f"{world.days[0]}")
        world.correct()


class revert(Scene):
    @staticmethod
    def prepare(world):
        correction.prepare(world)
        world.run("sync")

    @staticmethod
    def play(world):
        # One that was cut off is finished when the mirror is opened; a second one would turn round again.
        world.run("sync")
        paths = [path for path in world.files() if f"/{world.days[0]} " in path and path.endswith(".json")]
        with open(next(path for path in paths if "/.apod-mirror/" not in path)) as file:
            if "s0.jpg" not in json.load(file)["mirror"]["files"][0]["url"]:
                world.run("revert", f"{world.days[0]}")
        world.run("sync")


class favorites(Scene):
    # A copy that is known and was not made a link stays a copy, and a favorite.
    either = ("favorites/a copy.jpg: ",)

    @staticmethod
    def prepare(world):
        world.run("sync")
        world.run("favorites", "add", f"{world.days[0]}", f"{world.days[1]}")
        folder = os.path.join(world.root, f"{world.days[2]:%Y/%m}")
        pictures = [os.path.join(folder, name) for name in listing(folder) if name.endswith(".jpg")]
        picture = next(path for path in pictures if f"/{world.days[2]}" in path)
        os.makedirs(os.path.join(world.favorites, "Album"))
        os.symlink(picture, os.path.join(world.favorites, "Album", "by hand.jpg"))
        shutil.copyfile(picture, os.path.join(world.favorites, "a copy.jpg"))
        os.unlink(next(entry.path for entry in os.scandir(world.favorites) if str(world.days[1]) in entry.name))

    @staticmethod
    def play(world):
        world.run("favorites", "add", f"{world.days[4]}")
        if any(str(world.days[0]) in name for name in listing(world.favorites)):
            world.run("favorites", "remove", f"{world.days[0]}")
        world.run("sync")


class prune(Scene):
    @staticmethod
    def prepare(world):
        correction.prepare(world)
        world.run("sync")
        world.run("favorites", "add", f"{world.days[4]}")
        world.set("keep = 2d\n")

    @staticmethod
    def play(world):
        world.run("prune")


class thumbnails(Scene):
    @staticmethod
    def prepare(world):
        world.run("sync")
        world.set("thumbnails = yes\n")

    @staticmethod
    def play(world):
        world.run("thumbnails")


class gallery(Scene):
    @staticmethod
    def prepare(world):
        world.run("sync")
        world.set("gallery = yes\n")

    @staticmethod
    def play(world):
        world.run("sync")


class service(Scene):
    """It fetches the two newest days, adopts a link that is dropped, and sees one go."""
    @staticmethod
    def prepare(world):
        world.run("sync", "--until", f"{world.days[2]}")
        world.run("favorites", "add", f"{world.days[2]}")

    @staticmethod
    def play(world):
        def hands(process):
            here, told = os.path.join(world.favorites, "dropped"), os.path.join(world.root, "favorites.json")
            if not os.path.lexists(here):
                os.symlink(f"{world.root}/{world.days[4]:%Y/%m}/{world.days[4]} Orion’s Sword 4.jpg", here)
            for name in listing(world.favorites):
                if str(world.days[2]) in name:
                    os.unlink(os.path.join(world.favorites, name))

            def is_seen():
                world.watch(process)
                with open(told) as file:
                    days = {each["date"] for each in json.load(file) if "ended" not in each}
                return process.poll() is not None or os.readlink(here)[:1] == "." and days == {str(world.days[4])}

            if not until(is_seen, SEEN):
                raise Violation(f"{SEEN} s after a link was dropped and another deleted, the service has not seen it: {world.said()[-3000:]}")
            until(lambda: not any(name.startswith(".apod-mirror-") for name in listing(world.favorites)), FETCHED)
            until(lambda: all(map(world.has, world.days)) or "apod-mirror: " in world.said() or process.poll() is not None, FETCHED)

        world.serve(hands)


SCENES = [first, correction, revert, favorites, prune, thumbnails, gallery, service]
