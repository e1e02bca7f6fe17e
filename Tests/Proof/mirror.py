# One mirror that a walk plays with: its folder, its service, its command; and how a walk is told and ends.
import contextlib
import copy
import datetime
import glob
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import time
import urllib.parse
from os.path import dirname, join

import sometimes
from model import Item, folder
from part import Shared, Violation, peak, watched

PROGRAMS = ("apod-mirror", "apod-thumbnailer", "apod-server")


class Walk(Shared):
    # Its dice's seed, and the folder in which all of it is, with its steps as they are taken.

    def __init__(self, seed, folder):
        self.seed, self.folder, self.began = seed, folder, time.time()
        os.makedirs(folder, exist_ok=True)
        self.log = open(join(folder, "steps"), "a", buffering=1)

    def step(self, *words):
        print(f"{time.time() - self.began:7.2f}", *words, file=self.log)


class Mirror(Shared):
    # `disk`: a folder of the walk's, in which the mirror's is.

    def __init__(self, walk, program, upstream, settings="", disk="disk"):
        self.walk, self.program, self.upstream, self.words = walk, program, upstream, settings
        self.root = join(walk.folder, disk, "APOD")
        home = join(walk.folder, disk + "-home")
        self.settings = join(walk.folder, disk + ".conf")
        self.favorites = join(self.root, "favorites")
        os.makedirs(home, exist_ok=True)
        self.set(settings)
        self.environment = {"HOME": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
        self.service = self.web = None

    def set(self, words):
        # Other settings than those that all mirrors have.
        base = f"root = {self.root}\nupstream = {self.upstream.origin}\nrate = 0\n"
        write(self.settings, base + ("" if "gallery = " in words else "gallery = no\n") + words)

    # Its processes.
    def process(self, words, output, **others):
        return subprocess.Popen([self.program, words[0], "--config", self.settings, *words[1:]], stdin=subprocess.DEVNULL,
                                stdout=output, stderr=output, env=self.environment | others)

    def start(self, is_alone=True):
        # Waits until the service says that it is ready. Not `is_alone`: a command may be writing; as systemd does, it is
        # started again until that has ended.
        self.walk.step("start")
        deadline = time.monotonic() + 60
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as news, open(join(self.walk.folder, "service"), "ab") as log:
            address = "\0apod-proof-%d-%d" % (os.getpid(), id(news))
            news.bind(address)
            news.settimeout(0.2)
            self.service = None
            while True:
                if not self.service or not is_alone and self.service.poll() == 1:
                    self.service = self.process(["run"], log, NOTIFY_SOCKET="@" + address[1:])
                try:
                    if b"READY=1" in news.recv(4096).split(b"\n"):
                        return
                except TimeoutError:
                    if time.monotonic() > deadline:
                        raise Violation("the service did not say within a minute that it is ready") from None

    def serve(self):
        # The web server, on a free port.
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        with open(join(self.walk.folder, "web"), "ab") as log:
            self.web = self.process(["serve", "--listen", f"127.0.0.1:{self.port}"], log)
        if not until(lambda: self.ask("GET", "/health")[0] in (200, 503)):
            raise Violation("the web does not answer")

    def ask(self, method, path, headers={}):
        # The status, None where nobody listens, and the body.
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, urllib.parse.quote(os.fsencode(path)), headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except ConnectionRefusedError:
            return None, b""
        finally:
            connection.close()

    def machine(self, ahead=0, is_full=False, is_deaf=False):
        # Its clock, disk and inotify (machine.c), also for what runs already.
        path = join(self.walk.folder, "machine")
        with open(path, "r+b" if os.path.exists(path) else "wb") as file:
            file.write(struct.pack("qqq", ahead, is_full, is_deaf))
        self.environment |= {"LD_PRELOAD": join(dirname(self.program), "machine.so"), "PROOF_MACHINE": path}

    def well(self):
        # What was started runs still, and has no more than 120 MB.
        for process in filter(None, (self.service, self.web)):
            if process.poll() is not None or peak(process, "VmRSS") > 120 << 10:
                raise Violation(f"{process.args[1]} ended with {process.returncode}, or has more than 120 MB")

    def end(self, how=signal.SIGTERM):
        if not self.service:
            return
        self.walk.step("end", how)
        self.service.send_signal(how)
        try:
            status = self.service.wait(60)
        except subprocess.TimeoutExpired:
            self.service.kill()
            raise Violation("the service did not end within a minute of SIGTERM") from None
        finally:
            self.service = None
        if status not in (0, -signal.SIGKILL):
            raise Violation(f"the service ended with status {status}")

    def begin(self, *words):
        output = open(join(self.walk.folder, "said"), "w+b")
        process = self.process(words, output)
        process.output = output
        return process

    def kill(self, process):
        process.kill()
        process.wait()

    def measured(self, *words, limit=600):
        # A command that is watched: its status, what it said, its seconds of processor time, its KB at most.
        process = self.begin(*words)
        status, spent, memory = watched(process, limit)
        process.output.seek(0)
        return status, process.output.read(), spent, memory

    def command(self, *words, statuses=(0,)):
        # A command that ended with one of `statuses`.
        result = subprocess.run([self.program, words[0], "--config", self.settings, *words[1:]], stdin=subprocess.DEVNULL,
                                timeout=120, capture_output=True, text=True, env=self.environment)
        if result.returncode not in statuses:
            raise Violation(f"{' '.join(words)} ended with {result.returncode}: {(result.stdout + result.stderr)[:2000]}")
        sometimes.hear(result.stdout + result.stderr)
        if words[:2] == ("status", "--json") and result.stdout:
            sometimes.see(json.loads(result.stdout))
        return result

    def run(self, *words, **options):
        # What a command prints, both outputs; with `--json`, the document.
        result = self.command(*words, **options)
        if "--json" not in words:
            return result.stdout + result.stderr
        if not result.stdout:
            raise Violation(f"{' '.join(words)} told nothing: {result.stderr[:2000]}")
        return json.loads(result.stdout)

    def verify(self):
        found = self.run("verify", "--json", statuses=(0, 1))
        if found["damaged"] or found["missing"]:
            raise Violation(f"verify: {found}")

    def status(self, ahead=0):
        # The report. It ends with 1 where no refresh of the service has succeeded, yet or for two days, and nowhere else.
        # `ahead`: the seconds by which the machine's clock is.
        # A service on a busy machine may answer later.
        late = time.monotonic() + 60
        while "it may be busy" in (result := self.command("status", "--json", statuses=(0, 1))).stderr and time.monotonic() < late:
            time.sleep(1)
        report = json.loads(result.stdout)
        last = report.get("last_refresh")
        if result.returncode == 1 and last and time.time() - datetime.datetime.fromisoformat(last).timestamp() + ahead < 2 * 86_400:
            raise Violation(f"status ended with 1: {result.stderr}{report}")
        return report

    # Its folder.
    def lose_catalog(self, dice):
        # It is deleted or overwritten.
        for path in glob.glob(join(self.root, ".apod-mirror", "catalog*")):
            if path.endswith(".sqlite") and dice.random() < 0.5:
                write(path, "nothing of it is left")
            else:
                os.unlink(path)

    def document(self, day):
        # The JSON of a day or an item; None where there is none.
        place = join(self.root, folder(day))
        names = [name for name in listing(place) if name.endswith(".json")
                 and (name == f"{day.name}.json" if isinstance(day, Item) else name.startswith(f"{day}"))]
        if len(names) > 1:
            raise Violation(f"two JSON files of one day: {names}")
        if not names:
            return None
        with open(join(place, names[0]), encoding="utf-8") as file:
            return json.load(file)

    def files_of(self, day):
        # What the JSON of a day or an item names; nothing where there is none.
        return (self.document(day) or {}).get("mirror", {}).get("files", [])

    def kept(self):
        # All files of days, of lists, and of versions: each path, and whether it is of a former version.
        for name in listing(self.root):
            if re.fullmatch(r"\d{4}|lists", name):
                paths = files_below(join(self.root, name))
                yield from ((path, False) for path in paths if "/." not in path[len(self.root):])
        # What corrections replaced and what stood in the way, in whatever form they are kept.
        own = join(self.root, ".apod-mirror")
        yield from ((path, True) for path in files_below(own)
                    if not {"replaced", "set-aside"}.isdisjoint(path[len(own):].split("/")))


def files_below(folder):
    for place, _, names in os.walk(folder):
        yield from (join(place, name) for name in names)


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, body):
    with open(path, "wb") as file:
        file.write(body.encode() if isinstance(body, str) else body)


def last_days(count):
    # The newest first: yesterday has its picture everywhere.
    newest = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(1)
    return [newest - datetime.timedelta(back) for back in range(count)]


def listing(folder):
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []


def patient(seconds):
    # A busy machine takes its time.
    return seconds * max(1, os.getloadavg()[0] / os.cpu_count())


def until(holds, limit=30, pause=0.02):
    # Waits until `holds()` returns something true, and returns it; None after `limit` seconds.
    deadline = time.monotonic() + patient(limit)
    while True:
        result = holds()
        if result:
            return result
        if time.monotonic() > deadline:
            return None
        time.sleep(pause)
        pause = min(pause * 1.3, 0.25)


def settle(problems, what, limit=40):
    # Waits until `problems()` names none.
    last = []

    def is_well():
        try:
            last[:] = problems()
        except FileNotFoundError:
            last[:] = ["something is just being put in order"]
        return not last

    if not until(is_well, limit):
        raise Violation(f"{limit} seconds after {what}:\n  " + "\n  ".join(last[:20]))


def written(seconds):
    # A time as commands take it.
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


class Nothing(Exception):
    # A step has nothing to do.
    pass


class Player:
    # Takes steps on a mirror, each as often as WEIGHTS says. A walk has STEPS of them, half as many where power is cut.
    WEIGHTS, name = {}, ""

    @classmethod
    def take(cls, part):
        part.cases, part.note = 1, "walks"
        cls(Walk(part.seed, part.folder), part.program, part.power).run(cls.STEPS // (2 if part.power else 1))

    def some(self, found):
        if not found:
            raise Nothing
        return self.dice.choice(sorted(found, key=str))

    def act(self, name=None):
        # Takes the step of that name, or one by the dice. Returns its name; nothing where it did nothing.
        name = name or self.dice.choices(list(self.WEIGHTS), list(self.WEIGHTS.values()))[0]
        try:
            told = getattr(self, name)()
        except Nothing:
            told = None
        if told:
            self.walk.step(self.name, told)
        return told and name

    @contextlib.contextmanager
    def after_cut(self, processes):
        # The same player, before what is on the disk after a power cut.
        self.power.cut(processes)
        other = copy.deepcopy(self)
        other.mirror = Mirror(self.walk, self.mirror.program, self.upstream, self.mirror.words, "cut")
        other.root = other.mirror.root
        self.walk.step("cut")
        try:
            yield other
        finally:
            other.mirror.end()
            self.power.release()
