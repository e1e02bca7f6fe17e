# Nine scenes stop after each call that changes the disk, and go on from what a power cut there would leave.
#
# Two forms of it: `live`, all that was called for is on the disk; `cut`, what nothing has flushed is not (power.py's disk).
# `--case "correction 17 cut"` takes that one alone, `--case correction` that scene.
import contextlib
import ctypes
import json
import os
import random
import re
import shutil
import signal
import subprocess
import threading
from os.path import basename, dirname, exists, isfile, join, lexists

import scenes
from calls import KINDS, Faults, Stage
from mirror import contents, listing
from part import Violation, compiled, forked, words_of
from power import Disk, copied
from scenes import COLOR, SCENES, content_of

FORMS = ("live", "cut")
SAID = re.compile(r"^(?:(?P<day>\d{4}-\d\d-\d\d) .*\((?:only its text is new|[\d.]+ [KMB]+)\)"
                  r"|made favorites/(?P<made>.*)|removed favorites/(?P<removed>.*)|(?P<back>\S+) is as (it was before )?NASA corrected it.*)$")
# From so many seconds on, one play of a scene shows all of its states.
ALL = 2400


class Stopped(Stage):
    # A scene on a disk whose power can be cut. Each process that begins is watched by a thread of its own.
    UNEQUAL = COLOR

    def __init__(self, part, disk, library, scene):
        self.part, self.disk = part, disk
        super().__init__(join(disk.folder, "disk"), part.program, library, scene)
        self.favored = self.days_of(self.goal["favorites list"])
        self.world.renew()
        if exists(self.world.root):
            self.favored |= self.days_of(self.world.tell("favorites", "list"))

    @staticmethod
    def days_of(favorites):
        return {each["date"] for each in favorites}

    def run(self, wanted):
        # Plays the scene; `wanted`: by the number of the call, the forms to look at. Returns how many there were.
        self.wanted, self.number, self.named = wanted, 0, []
        self.world.renew()
        subprocess.run(["sync", "-f", self.world.folder], check=True)
        self.faults.set(Faults.STOP)
        threads = []

        def follow(process):
            threads.append(threading.Thread(target=self.watch, args=(process,)))
            threads[-1].start()

        self.world.begun = follow
        try:
            self.play(self.faults.environment)
        finally:
            self.world.begun = lambda process: None
            for thread in threads:
                thread.join()
        if failed := [told for told in self.world.told if told[1]]:
            raise Violation(f"{self.scene.__name__} fails while it is stopped and goes on: {failed}")
        return self.number

    def watch(self, process):
        while True:
            try:
                os.waitid(os.P_PID, process.pid, os.WSTOPPED)
            except ChildProcessError:
                return
            with self.part.falls(f"{self.scene.__name__} {self.number}"):
                self.stopped()
            os.kill(process.pid, signal.SIGCONT)

    def stopped(self):
        self.number = self.faults[6]
        if [*KINDS][self.faults[1]] == "rename":
            self.named.append(self.number)
        forms = self.wanted.pop(self.number, ())
        if not forms or self.part.left < 0 and not self.part.case:
            return
        told = [("", 0, self.world.said()), *self.world.told]
        for form, ended in [(form, self.begin(form, told)) for form in forms]:
            self.part.cases += 1
            if problem := ended():
                words = f"--case \"{self.scene.__name__} {self.number} {form}\" after {self.faults.where}"
                self.part.fall(words, Violation(problem[:3000]))

    def begin(self, form, told):
        # In a process of its own, in whose eyes the state lies where the mirror is.
        here = join(dirname(self.disk.folder), f"{form}-{self.scene.__name__}")
        shutil.rmtree(here, ignore_errors=True)
        os.makedirs(here)
        if form == "cut":
            copied(self.disk.image, *(join(here, name) for name in ("image", "again")))
        else:
            subprocess.run(["cp", "-a", self.world.case, join(here, "case")], check=True)

        def child():
            try:
                self.go_on(form, here, told)
            except BaseException as error:
                return words_of(error)

        return forked(child)

    def go_on(self, form, here, told):
        world = self.world
        if ctypes.CDLL(None, use_errno=True).unshare(0x20000) != 0:
            raise OSError(ctypes.get_errno(), "unshare")
        subprocess.run(["mount", "--make-rprivate", "/"], check=True)
        place = join(here, "case")
        if form == "cut":
            os.makedirs(join(here, "disk"))
            subprocess.run(["mount", "-o", "loop,noatime", join(here, "image"), join(here, "disk")], check=True)
            place = join(here, "disk", self.scene.__name__, "case")
        subprocess.run(["mount", "--bind", place, world.case], check=True)
        # The words of the program that stopped are not overwritten.
        world.begun = world.watch = lambda process: None
        world.folder, world.told, world.touched = here, [], {}
        self.check(told)

    def check(self, told):
        # Smaller copies may be broken until a start, which makes them again.
        world = self.world
        here = world.held()
        if lost := (self.before & self.after) - here:
            raise Violation(f"lost: {lost}")
        if invented := here - self.before - self.after:
            raise Violation(f"invented: {invented}")
        self.is_told(told)
        for path in world.files(True):
            if path.endswith(".json"):
                files = json.loads(contents(path))["mirror"]["files"]
                # What the scene deletes may be gone before its JSON says so.
                if early := [file["name"] for file in files if file["role"] != "page"
                             and file["sha256"] not in here | (self.before - self.after)]:
                    raise Violation(f"{basename(path)} is here, and of its files is nowhere: {early}")
        if isfile(join(world.root, ".apod-mirror", "catalog.sqlite")):
            if strange := self.days_of(self.listed()) - self.favored:
                raise Violation(f"a favorite that nobody made: {strange}")
        self.scene.play(world)
        if failed := [each for each in world.told if each[1]]:
            raise Violation(f"a fresh start failed: {failed}")
        if other := self.differences():
            raise Violation(f"a fresh start ({world.told}) does not lead to the same: {other}")
        world.verify()

    def listed(self):
        # None are known where the catalog has yet to be made.
        try:
            return self.world.tell("favorites", "list")
        except Violation as error:
            if "makes it again" in str(error) or "no catalog" in str(error):
                return []
            raise

    def is_told(self, told):
        # What the command had said, and what those said that ended before.
        world = self.world
        for line in "\n".join(said for _, _, said in told).splitlines():
            found = SAID.match(line)
            if not found:
                continue
            day = found["day"] or found["back"]
            if day:
                folder = join(world.root, day[:4], day[5:7])
                names = [name for name in listing(folder) if name.startswith(day) and not name.endswith(".html")]
                here = {content_of(join(folder, name)) for name in names}
                wanted = {value for name, value in self.ends.items() if f"/{day} " in name}
                if not wanted <= here:
                    raise Violation(f"“{line}” was said, and of it is not here: {wanted - here}")
            if found["made"] and not lexists(join(world.favorites, found["made"])):
                raise Violation(f"“{line}” was said, and it is not here")
            if found["removed"] and lexists(join(world.favorites, found["removed"])):
                raise Violation(f"“{line}” was said, and it is here")


def take(part):
    library, dice, part.total = compiled("calls", part.folder), random.Random(part.seed), 0
    # A program that is stopped has time.
    scenes.LIMIT = scenes.SEEN = scenes.FETCHED = 3600
    one = (part.case or "").split()
    for scene in dice.sample(SCENES, len(SCENES)):
        if one and scene.__name__ != one[0] or part.left < 0 and not one:
            continue
        place = join(part.folder, scene.__name__)
        os.makedirs(place)
        disk = Disk(place, os.geteuid())
        with contextlib.closing(disk), part.falls(scene.__name__):
            stage = Stopped(part, disk, library, scene)
            count = stage.run({})
            part.total += count * len(FORMS)
            # Of some states, half are those after a file got its name: then, what comes first matters.
            all, most = range(1, count + 1), max(4, int(count * part.seconds / ALL))
            numbers = all if most >= count else {*dice.sample(stage.named, min(len(stage.named), most // 2)), *dice.sample(all, most - most // 2)}
            stage.run({int(one[1]): one[2:]} if one[1:] else dict.fromkeys(numbers, FORMS))
