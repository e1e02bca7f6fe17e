"""One mirror that a walk plays with: its folder, its service, its command; and how a walk is told and ends."""
import datetime
import json
import os
import signal
import socket
import subprocess
import tempfile
import time

from model import Item, folder


class Violation(Exception):
    """The program did what it must not do."""


class Walk:
    """Its dice's seed, its steps as they are taken, and the folder in which all of it is."""

    def __init__(self, name, seed, folder=None):
        self.name, self.seed, self.steps, self.began = name, seed, [], time.time()
        self.folder = folder or tempfile.mkdtemp(prefix=f"proof-{name}-{seed}-")
        self.log = open(os.path.join(self.folder, "steps"), "a", buffering=1)

    def step(self, *words):
        line = f"{len(self.steps):4} {time.time() - self.began:7.2f} " + " ".join(str(word) for word in words)[:400]
        self.steps.append(line)
        self.log.write(line + "\n")


class Mirror:
    """`disk`: a folder of the walk's, in which the mirror's is."""

    def __init__(self, walk, program, upstream, settings, disk):
        self.walk, self.program, self.upstream, self.words = walk, program, upstream, settings
        self.root = os.path.join(walk.folder, disk, "APOD")
        self.home = os.path.join(walk.folder, disk + "-home")
        self.settings = os.path.join(walk.folder, disk + ".conf")
        self.favorites = os.path.join(self.root, "favorites")
        os.makedirs(self.home, exist_ok=True)
        with open(self.settings, "w") as file:
            file.write(f"root = {self.root}\nupstream = {upstream.origin}\nrate = 0\ngallery = no\n{settings}")
        self.environment = {"HOME": self.home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
        self.service = None

    def after_cut(self):
        """The same mirror, on the copy of its disk."""
        return Mirror(self.walk, self.program, self.upstream, self.words, "cut")

    def start(self, is_alone=True):
        """Waits until the service says that it is ready. Not `is_alone`: a command may be writing; as systemd does, it is
        started again until that has ended."""
        self.walk.step("start")
        deadline = time.monotonic() + 60
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as news:
            address = "\0apod-proof-%d-%d" % (os.getpid(), id(news))
            news.bind(address)
            news.settimeout(0.2)
            self.service = None
            while True:
                if not self.service or not is_alone and self.service.poll() == 1:
                    with open(os.path.join(self.walk.folder, "service"), "ab") as output:
                        self.service = subprocess.Popen(
                            [self.program, "run", "--config", self.settings], stdin=subprocess.DEVNULL, stdout=output,
                            stderr=output, env=self.environment | {"NOTIFY_SOCKET": "@" + address[1:]})
                try:
                    if b"READY=1" in news.recv(4096).split(b"\n"):
                        return
                except TimeoutError:
                    if time.monotonic() > deadline:
                        raise Violation("the service did not say within a minute that it is ready") from None

    def let_go(self):
        """Ends a service that is still there, whatever it does."""
        if self.service:
            self.service.kill()
            self.service.wait()

    def end(self, how=signal.SIGTERM):
        if not self.service:
            return
        self.walk.step("kill -9" if how == signal.SIGKILL else "stop")
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

    def lose_catalog(self, dice):
        """It is deleted or overwritten."""
        for path in list(files_below(os.path.join(self.root, ".apod-mirror"))):
            if path.endswith("/catalog.sqlite") and dice.random() < 0.5:
                with open(path, "r+b") as file:
                    file.write(b"nothing of it is left")
            elif os.path.basename(path).startswith("catalog"):
                os.unlink(path)

    def begin(self, *words):
        output = open(os.path.join(self.walk.folder, "said"), "w+")
        process = subprocess.Popen([self.program, words[0], "--config", self.settings, *words[1:]], stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=output, env=self.environment, cwd=self.root if os.path.isdir(self.root) else None)
        process.output = output
        return process

    def command(self, *words, statuses=(0,), clock=None):
        """A command that ended with one of `statuses`. `clock`: how far it is ahead, as `+100d`."""
        timed = ["/usr/bin/faketime", "-f", clock] if clock else []
        result = subprocess.run([*timed, self.program, words[0], "--config", self.settings, *words[1:]], stdin=subprocess.DEVNULL, timeout=120,
                                capture_output=True, text=True,
                                env=self.environment | {"NO_FAKE_STAT": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"})
        if result.returncode not in statuses:
            raise Violation(f"{' '.join(words)} ended with {result.returncode}: {(result.stdout + result.stderr)[:2000]}")
        return result

    def run(self, *words, **options):
        """What a command prints, both outputs; with `--json`, the document."""
        result = self.command(*words, **options)
        return json.loads(result.stdout) if "--json" in words else result.stdout + result.stderr

    def status(self, ahead=0):
        """The report. It ends with 1 where no refresh of the service has succeeded, yet or for two days, and nowhere else.
        `ahead`: the seconds by which the machine's clock is."""
        result = self.command("status", "--json", statuses=(0, 1))
        report = json.loads(result.stdout)
        if result.returncode == 1 and report.get("last_refresh") and age(report["last_refresh"]) + ahead < 2 * 86_400:
            raise Violation(f"status ended with 1: {result.stderr}{report}")
        return report

    def document(self, day):
        """The JSON of a day or an item; None where there is none."""
        place = os.path.join(self.root, folder(day))
        names = [name for name in listing(place) if name.endswith(".json")
                 and (name == f"{day.name}.json" if isinstance(day, Item) else name.startswith(f"{day}"))]
        if len(names) > 1:
            raise Violation(f"two JSON files of one day: {names}")
        if not names:
            return None
        with open(os.path.join(place, names[0]), encoding="utf-8") as file:
            return json.load(file)


def files_below(folder):
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in names)


def former_files(root):
    """The paths of what corrections replaced and of what stood in the way, in whatever form they are kept."""
    own = os.path.join(root, ".apod-mirror")
    return (path for path in files_below(own) if not {"replaced", "set-aside"}.isdisjoint(path[len(own):].split("/")))


def age(moment):
    """In seconds."""
    return time.time() - datetime.datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp()


def last_days(count):
    """The newest first: yesterday has its picture everywhere."""
    newest = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(1)
    return [newest - datetime.timedelta(back) for back in range(count)]


def listing(folder):
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []


def until(holds, limit=30, pause=0.02):
    """Waits until `holds()` returns something true, and returns it; None after `limit` seconds."""
    deadline = time.monotonic() + limit
    while True:
        result = holds()
        if result:
            return result
        if time.monotonic() > deadline:
            return None
        time.sleep(pause)
        pause = min(pause * 1.3, 0.25)


def settle(problems, what, limit=40):
    """Waits until `problems()` names none."""
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
    """A time as commands take it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
