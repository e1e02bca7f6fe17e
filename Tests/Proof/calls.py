# Each call of nine scenes fails in turn, with each error that it can have, once or from then on, or comes short.
#
# The first run of a scene counts its calls; a site is a kind of call and its number. Each site with each of its errors is a
# case; the seed orders them. A call that resolves a path below a folder of links, of lists or of pages meets a link in the place
# of a folder: what that leads to is neither read nor changed. `--case "correction fsync 7 EIO once"` takes that one alone,
# `--case "correction fsync"` all that begin so.
import ctypes
import errno
import functools
import itertools
import mmap
import os
import random
import re
import shutil
import struct
import subprocess
import time
from os.path import join, lexists

from part import Violation, compiled, together, words_of
from scenes import COLOR, SCENES, World, content_of, correction, differences, folders, revert, service

# By kind, in the order of calls.c, the errors that such a call can have; the first one is also had from then on. poll(2) of a few
# descriptors needs no memory, and where nothing may be linked, renamed or looked at, the mode changes before it may.
KINDS = {
    "open": "EMFILE EIO ENOMEM", "create": "ENOSPC EIO EMFILE EROFS EDQUOT EACCES", "read": "EIO EINTR short",
    "pread": "EIO short", "write": "ENOSPC EIO EDQUOT EINTR short", "pwrite": "ENOSPC EIO EDQUOT short",
    "fsync": "EIO ENOSPC EDQUOT", "fdatasync": "EIO ENOSPC", "rename": "ENOSPC EIO EROFS",
    "link": "ENOSPC EIO", "symlink": "ENOSPC EIO EDQUOT", "unlink": "EIO EROFS EACCES",
    "mkdir": "ENOSPC EIO EDQUOT EACCES", "readlink": "EIO ENOMEM", "stat": "EIO ENOMEM", "ftruncate": "ENOSPC EIO",
    "mmap": "ENOMEM", "thread": "EAGAIN", "spawn": "EAGAIN ENOMEM", "socket": "EMFILE ENOMEM", "connect": "ECONNREFUSED EINTR",
    "poll": "EINTR", "send": "EPIPE ENOBUFS EINTR short", "recv": "ECONNRESET ENOMEM EINTR short", "readdir": "EIO",
    "change": "EIO EROFS", "lock": "ENOLCK", "dup": "EMFILE", "descriptor": "EMFILE ENOMEM", "watch": "ENOSPC ENOMEM",
    "close": "EIO", "accept": "EMFILE ECONNABORTED", "resolve": "inner outer"}
# A lock and a descriptor are free whatever is answered, libcurl empties a pipe of its own by recv(2), and no signal comes each
# time that one waits.
ONCE = {"lock", "close", "recv", "poll", "resolve"}
NETWORK = {"socket", "connect", "poll", "send", "recv", "accept", "thread"}
# What file managers are told comes late or never where writing it failed. The next sync mends `latest`, and the feed and the
# first page, where the words of a JSON that could not be read once are missing.
MARK = re.compile(r"\.(hidden|ppignore): ")
UNTOLD = re.compile(MARK.pattern + r"|^\./(feed\.xml|index\.html|latest.*): ")
# Where a folder cannot be written, file managers have no thumbnails in it.
SHARED = re.compile(r"/\.sh_thumbnails/")
ASKS = """conditions: ['"unfinished"'] and not []"""
# A fault that lasts ends so many seconds after it was first met.
LIFTED = 1.5
SCENE = {scene.__name__: scene for scene in [*SCENES, folders]}
# Most of the time is waiting.
SLOTS = min(8, 4 * os.cpu_count())


class Faults:
    # The file that the library shares with us (struct shared in calls.c).
    COUNT, ONCE, ON, SHORT, STOP, PLANT = range(6)
    PATH = 8 * (7 + len(KINDS))
    SIZE = PATH + 512

    def __init__(self, folder, library):
        path = join(folder, "shared")
        with open(path, "wb") as file:
            file.truncate(self.SIZE)
        with open(path, "r+b") as file:
            self.room = mmap.mmap(file.fileno(), self.SIZE)
        self.environment = {"LD_PRELOAD": library, "CALLS_FILE": path}

    def set(self, mode=COUNT, kind=0, nth=0, error=0):
        self.room[:] = struct.pack("4q", mode, kind, nth, error).ljust(self.SIZE, b"\0")
        self.since = None

    def __getitem__(self, index):
        return struct.unpack_from("q", self.room, 8 * index)[0]

    struck = property(lambda self: self[4])
    where = property(lambda self: self.room[self.PATH:].split(b"\0")[0].decode(errors="replace"))

    @property
    def counts(self):
        return {name: self[7 + index] for index, name in enumerate(KINDS) if self[7 + index]}

    def lift(self, _=None):
        # While a process runs.
        if self.struck and self.since is None:
            self.since = time.monotonic()
        if self.since and time.monotonic() > self.since + LIFTED:
            self.room[:8] = struct.pack("q", self.COUNT)


class Stage:
    # One scene, with what it leads to when nothing fails.
    # What `revert` sets aside is, too: a digest of a JSON with its times, and with the mark of a failure.
    UNEQUAL = re.compile(COLOR.pattern + rb'|"set_aside": \[[^]]*\]')

    def __init__(self, folder, program, library, scene):
        self.scene, self.world = scene, World(folder, program, scene)
        self.world.unequal = self.UNEQUAL
        self.faults = Faults(self.world.folder, library)
        self.faults.set()
        self.where, self.before = "", self.world.held()
        self.play(self.faults.environment)
        self.counts = self.faults.counts
        self.counts.pop("resolve", None)
        self.world.told = []
        self.play()
        self.goal, self.after = self.world.state(), self.world.held()
        # Of the years in the end, by path.
        self.ends = {path: content_of(path) for path in self.world.files(True) if not path.endswith(".html")}
        if failed := [told for told in self.world.told if told[1]]:
            raise Violation(f"{scene.__name__} fails untouched: {failed}")
        # Only `prune` deletes something: one picture.
        if len(self.before - self.after) > (scene.__name__ == "prune"):
            raise Violation(f"{scene.__name__} loses untouched: {self.before - self.after}")

    def play(self, touched={}):
        self.world.touched, self.world.watch = touched, self.faults.lift if touched else lambda process: None
        try:
            self.scene.play(self.world)
        finally:
            self.world.touched, self.world.watch = {}, lambda process: None

    def take(self, kind, nth, error, mode):
        # Returns whether the fault was met.
        world, faults = self.world, self.faults
        place = [*KINDS].index(kind)
        world.renew()
        world.is_mute = kind == "write"
        faults.set(faults.SHORT if error == "short" else faults.ONCE if mode == "once" else faults.ON, place, nth,
                   getattr(errno, error, 0))
        try:
            self.play(faults.environment)
        finally:
            struck, where, called = faults.struck, faults.where, faults[7 + place]
            faults.set()
            world.is_mute = False
            self.where = where
        if not struck:
            return False
        self.check(kind, error, mode, where, called)
        return True

    def but_kept(self, state):
        # The same where no more was kept than without the fault: a picture that could not be read once is damaged, and a copy
        # takes its place.
        if not set(state["replaced"]) >= set(self.goal["replaced"]):
            return state
        told = [each for each in self.goal["conditions"] if "replaced" in each]
        told += [each for each in state["conditions"] if "replaced" not in each]
        return state | {name: self.goal[name] for name in ("replaced", "status replaced")} | {"conditions": sorted(told)}

    def differences(self):
        return [each for each in differences(self.but_kept(self.world.state()), self.goal) if not each.startswith(self.scene.either)]

    def left(self):
        # What is other behind a call that failed, but for marks, and that a service is still to ask again.
        return [each for each in self.differences() if not MARK.search(each) and not (self.scene is service and each == ASKS)]

    def heal(self, told):
        # What the one command does that heals what was told.
        said = "\n".join(words for _, _, words in told)
        # A service asks for a day that failed after a pause.
        if self.scene is service and " failed: " in said:
            self.world.do("sync")
        # A new catalog cannot ask whether a file has changed under its address.
        if "made a new catalog" in said and self.scene in (correction, revert):
            self.world.do("sync", f"{self.world.days[2]}")

    def check(self, kind, error, mode, where, called):
        world, told = self.world, self.world.told
        for words, status, said in told:
            # Where writing fails, words cannot be written either.
            if status and not said.strip() and kind != "write":
                raise Violation(f"{words} ended with {status} and without a word")
        if called > 20 * self.counts.get(kind, 1) + 5000:
            raise Violation(f"it spins: {called} calls")
        here = world.held()
        if lost := (self.before & self.after) - here:
            raise Violation(f"lost: {lost}; {told}")
        if invented := here - self.before - self.after:
            raise Violation(f"invented: {invented}; {told}")
        # What is said on standard error, or as a condition, is not told as done. Where writing fails, nothing can be said.
        is_mute = kind == "write" and (mode == "on" or where.endswith("/said"))
        if not is_mute and not any(status or "apod-mirror: " in said for _, status, said in told):
            state = world.state()
            other = [each for each in differences(self.but_kept(state), self.goal) if not UNTOLD.search(each)
                     and not (error in ("EACCES", "EROFS") and SHARED.search(each))]
            # A service that has ended says in the status what it was still to fetch.
            is_told = state["conditions"] or self.scene is service and state["status missing"]
            if other and not is_told:
                raise Violation(f"all was told as done: {told}, and it is not: {other}")
        tries = 6 if kind in NETWORK else 1
        for number in range(tries):
            world.told = []
            self.play()
            self.heal(told + world.told)
            other = self.left()
            if not other or number == tries - 1:
                break
            # A host has its pause.
            time.sleep(2)
        if other:
            raise Violation(f"after {told}, the next run ({world.told}) does not lead to the same: {other}")
        world.verify()


class Planted:
    # The scene in which a folder changes places with a link to a folder outside, in which everything has the same names.

    def __init__(self, folder, program, library, scene):
        self.world = world = World(folder, program, scene)
        self.faults, self.where = Faults(world.folder, library), ""
        self.sentinel = join(world.folder, "sentinel")
        world.environment |= self.faults.environment | {"CALLS_ROOT": world.root, "CALLS_SENTINEL": self.sentinel}
        self.play()
        self.counts = {"resolve": self.faults.counts["resolve"]}
        if failed := [told for told in world.told if told[1]]:
            raise Violation(f"{scene.__name__} fails untouched: {failed}")
        subprocess.run(["cp", "-a", world.root, self.sentinel], check=True)
        # inotify(7): opened, read, written, made, removed, moved or given another mode.
        self.events = ctypes.CDLL(None).inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        for place in [place for place, _, _ in os.walk(self.sentinel)]:
            if ctypes.CDLL(None).inotify_add_watch(self.events, os.fsencode(place), 0xfff) < 0:
                raise OSError(f"{place} cannot be watched")

    def play(self, mode=Faults.COUNT, nth=0, error=0):
        self.faults.set(mode, 0, nth, error)
        self.world.scene.play(self.world)

    def take(self, kind, nth, error, mode):
        planted = self.sentinel + ".planted"
        self.world.renew()
        shutil.rmtree(planted, ignore_errors=True)
        if lexists(planted):
            os.unlink(planted)
        self.play(Faults.PLANT, nth, KINDS[kind].split().index(error))
        self.where = self.faults.where
        try:
            raise Violation(f"outside was touched: {os.read(self.events, 1 << 20)[:300]}; {self.world.told}")
        except BlockingIOError:
            return bool(self.faults.struck)


def errors(scene, kind):
    words = KINDS[kind].split()
    # A link on a disk that was read-only for one call is put in order by the next look at the whole folder, a day later.
    if (scene, kind) == ("service", "rename"):
        words.remove("EROFS")
    return [(word, "once") for word in words] + [(words[0], "on")] * (kind not in ONCE)


def ordered(sites, dice):
    # One of each kind in each scene comes first, then another one of each, so that the rare calls are not the last. Of each kind,
    # all sites come with one of their errors before any comes with another one.
    kinds = {}
    for site in sites:
        ways = errors(*site[:2])
        kinds.setdefault(site[:2], []).extend(
            (turn, dice.random(), *site, *way) for turn, way in enumerate(dice.sample(ways, len(ways))))
    return [case[2:] for turn in itertools.zip_longest(*map(sorted, kinds.values())) for case in turn if case]


def stage(folder, program, library, scene):
    return (Planted if scene is folders else Stage)(folder, program, library, scene)


def take(part):
    library, wanted = compiled("calls", part.folder), part.case or ""
    counts, stages, met, part.case = {}, {}, set(), None

    def count(name):
        with part.falls(name):
            counts[name] = stage(join(part.folder, "count"), part.program, library, SCENE[name]).counts

    together(*(functools.partial(count, name) for name in SCENE if wanted.startswith(name) or not wanted))
    sites = [(name, kind, nth) for name in SCENE if name in counts for kind, most in counts[name].items() for nth in range(1, most + 1)]
    cases = [words for words in (" ".join(map(str, each)) for each in ordered(sites, random.Random(part.seed)))
             if f"{words} ".startswith(f"{wanted} ".lstrip())]
    # The time begins when all is counted, which lasts on a busy machine.
    part.total, part.began = len(cases), time.monotonic()

    def work(slot, words):
        # In a world of the slot's own.
        name, kind, nth, *way = words.split()
        if (slot, name) not in stages:
            stages[slot, name] = stage(join(part.folder, f"slot{slot}"), part.program, library, SCENE[name])
        try:
            if stages[slot, name].take(kind, int(nth), *way):
                met.add((name, kind, nth))
        except Exception as error:
            raise Violation(f"{stages[slot, name].where}: {words_of(error)}") from error

    part.lanes(SLOTS, cases, work)
    part.note = f"{len(met)} of {len(sites)} sites"
