# All sequences of three steps that people, the upstream and the machine take, beside a running service.
#
# Each begins with the same mirror: eight days in a row, twelve old ones that `keep` does not allow, favorites, albums, former
# versions, and favorites that ended. After short pauses, all is as the model says. Several are taken side by side, as most of
# the time is waiting. `--case link,kill,prune` takes one alone.
import copy
import datetime
import itertools
import os
import random
import shutil
import signal
import subprocess
import time
from os.path import basename, join, lexists

import corrections
import favorites
from mirror import Mirror, Walk, last_days, settle, until, write
from model import Made, Thing, Versions
from part import Violation, compiled
from upstream import Upstream

STEPS = ["link", "unlink", "rename", "copy", "album_moved", "correction", "text_corrected", "junk", "revert", "prune", "restore",
         "kill", "clock_ahead", "clock_back", "disk_full"]
ALL = list(itertools.product(STEPS, repeat=3))
WORLDS = 12
PAUSES = [0, 0, 0.05, 0.5, 1.5, 3]
AHEAD = [3 * 3600, 3 * 86_400, 100 * 86_400]
NOTES = "Album/notes.txt"
RECENT = ["picture", "picture", "picture", "picture", "video", "embedded", "none", "picture"]


class Folder(favorites.Walk):
    # What people do in `favorites`, without a rest between.

    def copy(self):
        # One that may not be pruned before it was seen.
        return self.among(self.recent, self.copied)

    def files(self, day, *suffixes):
        # Of a day whose files were deleted, those that it had.
        self.were[day] = super().files(day, *suffixes) or self.were[day]
        return self.were[day]

    def some_day(self):
        return self.dice.choice([day for day in self.here if self.kinds[day] != "none"])

    def unlink(self):
        place = self.some(self.model.links)
        os.unlink(self.path(place))
        self.dropped.append((place, self.model.things[place].day))
        self.model.drop(place)
        return f"unlink {place!r}"

    def album_moved(self):
        return self.rename_album()

    def renamed(self, place, to):
        # A restore may meet a link in between: it is made again in its place, or moved along after that.
        self.dropped += [(other, self.model.things[other].day) for other in self.model.below(place) if self.model.things[other].day]
        for made in [made for made in self.model.made if f"{made.album}/".startswith(f"{place}/")]:
            self.model.made.remove(made)
            self.model.made += [Made(album, made.day, made.names, False) for album in (made.album, to + made.album[len(place):])]
        return super().renamed(place, to)

    def restore(self):
        # With days or since a time: what had ended, and perhaps what goes just now.
        days = sorted({day for _, day in self.model.went})
        is_timed = self.dice.random() < 0.5
        days = days if is_timed else self.dice.sample(days, min(len(days), 2))
        words = ["--since", "2020-01-01"] if is_timed else [f"{day}" for day in days]
        self.model.made += [made for made in self.model.brought_back(days=days) if made not in self.model.made]
        self.model.made += [Made.again(place, day, False) for place, day in self.dropped if is_timed or day in days]
        self.mirror.run("favorites", "restore", *words, statuses=(0, 1))
        return f"favorites restore {' '.join(words)}"


class World:
    # A mirror, its upstream, its machine.

    def __init__(self, seed, program, folder):
        self.folder, self.upstream, self.program = folder, Upstream(), program
        os.makedirs(folder)
        self.base = join(folder, "base")
        recent = last_days(8)
        self.recent, self.old = recent, [recent[0] - datetime.timedelta(60 + back) for back in range(12)]
        self.kinds = dict(zip(recent, RECENT)) | dict.fromkeys(self.old, "picture")
        # What each sequence begins with.
        walk = Walk(seed, folder)
        mirror = self.mirror(walk)
        nasa = self.nasa = corrections.Walk(walk, program, None, mirror, self.kinds)
        hands = self.hands = Folder(walk, program, None, mirror, [*recent, *self.old])
        hands.kinds, hands.recent, hands.were = self.kinds, self.recent, dict.fromkeys(hands.here)
        mirror.run("sync")
        mirror.run("sync", "--since", f"{self.old[-1]}", "--until", f"{self.old[0]}")
        nasa.look()
        self.versions = {day: Versions(nasa.version(day)) for day in nasa.days}
        for day, change in ((2, "file"), (3, "text"), (4, "text")):
            self.change(nasa, self.recent[day], change == "file")
            mirror.run("sync")
            nasa.look()
            self.versions[self.recent[day]].correct(nasa.version(self.recent[day]))
        mirror.start()
        os.makedirs(hands.path("Album/Deep"))
        for place, day in {"one": self.recent[2], "Album/three": self.recent[3], "Album/Deep/five": self.recent[4],
                           "Album/old": self.old[0], "gone": self.recent[0], "Album/gone": self.old[1]}.items():
            hands.lead(place, favorites.up(place) + hands.files(day)[0], day)
        write(hands.path(NOTES), "A person's own.")
        hands.model.put(NOTES, Thing(None, hands.mark(hands.path(NOTES))))
        hands.done = ["many", "many"]
        hands.rest()
        for place in ("gone", "Album/gone"):
            os.unlink(hands.path(place))
            hands.model.drop(place)
        hands.done = ["many", "many"]
        hands.rest()
        mirror.end()
        self.days, self.files = copy.deepcopy(self.upstream.days), copy.deepcopy(self.upstream.files)
        os.rename(mirror.root, self.base)

    def mirror(self, walk):
        settings = f"since = {self.recent[-1]}\nrecheck-days = 7\nthumbnails = no\n"
        mirror = Mirror(walk, self.program, self.upstream, settings)
        mirror.machine()
        return mirror

    @staticmethod
    def change(nasa, day, has_file):
        # Another text, and perhaps another file, of another type or under its address.
        record = nasa.upstream.days[day]
        record.text = nasa.words()
        if has_file:
            record.files = [nasa.invent(day, nasa.dice.choice(["jpg", "png"]))]


class Case:
    def __init__(self, world, sequence, seed):
        self.world, self.sequence = world, sequence
        self.walk = Walk(seed, world.folder)
        self.dice = random.Random(f"{seed} {sequence}")
        self.ahead, self.is_pruned, self.due, self.softened = 0, False, set(), {}
        world.upstream.days, world.upstream.files = copy.deepcopy(world.days), copy.deepcopy(world.files)
        world.upstream.junk = world.upstream.fault = None
        self.mirror = world.mirror(self.walk)
        shutil.rmtree(self.mirror.root, ignore_errors=True)
        subprocess.run(["cp", "-a", world.base, self.mirror.root], check=True)
        # From here on, the settings ask for more deletions than the service does on its own.
        with open(self.mirror.settings, "a") as file:
            file.write("keep = 30d\n")
        self.nasa, self.hands, self.versions = copy.deepcopy((world.nasa, world.hands, world.versions))
        for walk in (self.nasa, self.hands):
            walk.walk, walk.dice, walk.mirror = self.walk, self.dice, self.mirror
        hands = self.hands
        self.nasa.last, hands.changes, hands.done, hands.dropped = {}, [], ["many", "many"], []
        hands.model.things[NOTES] = Thing(None, hands.mark(hands.path(NOTES)))

    # What is done to days.
    def sync(self, *asked):
        # A wrong clock may know no day to ask for.
        self.mirror.run("sync", *asked, statuses=(0, 1) if self.ahead or self.world.upstream.junk else (0,))
        self.look()

    def correct(self, day, has_file):
        self.world.change(self.nasa, day, has_file)
        self.due.add(day)
        self.sync()
        self.learn()
        return f"{day}: {self.world.upstream.days[day].files}, {self.world.upstream.days[day].text}"

    def learn(self):
        # Records that have come by now. The others come when the clock is right again.
        for day in sorted(self.due):
            record, document = self.world.upstream.days[day], self.mirror.document(day)
            if document["upstream"] == record.json(self.world.upstream.origin):
                versions = copy.deepcopy(self.versions[day])
                versions.correct((record.title, record.text, frozenset(self.nasa.wanted(record))))
                # On a busy machine, the text may come before its file.
                if versions.now == self.nasa.version(day):
                    self.due.remove(day)
                    self.versions[day] = versions

    def correction(self):
        return self.correct(self.dice.choice(self.world.recent[1:4]), True)

    def text_corrected(self):
        return self.correct(self.dice.choice(self.world.recent[1:6]), False)

    def junk(self):
        self.world.upstream.junk = self.dice.choice(corrections.JUNK)
        asked = self.dice.sample(self.world.recent, self.dice.randrange(3))
        self.sync(*map(str, asked))
        told = f"junk: {self.world.upstream.junk}, asked for {asked}"
        self.world.upstream.junk = None
        return told

    def revert(self):
        day = self.dice.choice(self.world.recent[1:4])
        until(lambda: self.learn() or day not in self.due or self.ahead)
        self.mirror.run("revert", f"{day}", statuses=(0,) if self.versions[day].former else (1,))
        self.look()
        self.versions[day].revert(self.nasa.version(day))
        if self.nasa.version(day) != self.versions[day].now:
            raise Violation(f"revert {day} made it {self.nasa.version(day)} and not {self.versions[day].now}")
        return f"revert {day}"

    def prune(self):
        self.is_pruned = True
        self.let_go()
        self.mirror.run("prune")
        return "prune"

    def look(self):
        # `prune` deletes the files of days that were never a favorite. Those that become one are fetched again.
        if self.is_pruned:
            self.nasa.last = {path: facts for path, facts in self.nasa.last.items()
                              if not any(f"/{day} " in path for day in self.world.old)}
            self.let_go()
        self.nasa.look()

    def let_go(self):
        # Also of a day that becomes a favorite behind that: its files may have been deleted already.
        must_go, may_go = self.prunable()
        for day in must_go | may_go:
            for _, digest in self.versions[day].now[2]:
                self.nasa.ever.pop(digest, None)

    def prunable(self):
        # Old days whose files go, and those that may have been a favorite for a moment.
        model = self.hands.model
        kept = {*model.links.values(), *model.before.values(), *(day for _, day in model.went)}
        may_go = {day for _, day in model.put_since} - kept
        return set(self.world.old) - kept - may_go, may_go & set(self.world.old)

    # What is done to the machine.
    def kill(self):
        self.mirror.end(signal.SIGKILL)
        self.mirror.start()
        return "kill"

    def set_clock(self, ahead):
        self.ahead = ahead
        self.mirror.machine(ahead)
        return f"the clock is {ahead / 3600:g} hours ahead"

    def clock_ahead(self):
        return self.set_clock(self.ahead + self.dice.choice(AHEAD))

    def clock_back(self):
        return self.set_clock(self.ahead - self.dice.choice(AHEAD))

    def disk_full(self):
        self.mirror.machine(self.ahead, True)
        command = self.mirror.begin("sync", f"{self.dice.choice(self.world.recent)}") if self.dice.random() < 0.5 else None
        time.sleep(self.dice.choice([0.1, 1, 3]))
        self.mirror.status(self.ahead)
        self.mirror.machine(self.ahead)
        if command and command.wait(90) not in (0, 1):
            raise Violation(f"sync on a full disk ended with {command.returncode}")
        self.look()
        return "the disk was full"

    # What holds after all.
    def soften(self):
        # A copy of a version that was set aside before it was seen may stay a person's own.
        things = self.hands.model.things
        for place, thing in list(things.items()):
            day, path = thing.day or self.softened.get(place), self.hands.path(place)
            if not day or not lexists(path):
                continue
            mark = self.hands.mark(path)
            former = {digest[:12] for version in self.versions[day].former
                      for _, digest in version[2] - self.versions[day].now[2]}
            if mark[0] == "file" and mark[2] in former:
                things[place], self.softened[place] = Thing(None, mark), day
            elif place in self.softened:
                things[place] = Thing(day)

    def differences(self):
        self.soften()
        return self.hands.differences() or self.of_days()

    def of_days(self):
        nasa, texts, found = self.nasa, {}, []
        for date, title, text in nasa.texts(former_only=True):
            texts.setdefault(date, set()).add((title, text))
        tree = nasa.tree()
        replaced = {digest for digest, _, is_replaced in tree.values() if is_replaced}
        here = {(basename(path)[:10], digest) for path, (digest, _, is_replaced) in tree.items() if not is_replaced}
        must_go, may_go = self.prunable() if self.is_pruned else (set(), set())
        gone = 0
        for day, versions in self.versions.items():
            title, text, files = nasa.version(day)
            if not files and day in must_go | may_go:
                files = versions.now[2]
            found += [f"{day}: {told}" for told in versions.differences((title, text, files), texts.get(f"{day}", set()), replaced)]
            is_here = all((f"{day}", digest) in here for _, digest in versions.now[2])
            gone += not is_here
            if day not in may_go and is_here == (day in must_go):
                found.append(f"{day} {'has' if is_here else 'lacks'} its files")
        status = self.mirror.run("status", "--json")
        wanted = {"days": len(self.versions), "pruned": gone, "missing": 0, "failed": 0, "incomplete": 0, "watching": "inotify",
                  "favorites": len({thing.day for thing in self.hands.shown.values() if thing.day}),
                  "pictures": sum(kind == "picture" for kind in self.world.kinds.values()) - gone}
        return found + [f"status has {name} {status[name]} and not {count}" for name, count in wanted.items()
                        if status[name] != count]

    def run(self):
        self.mirror.start()
        self.look()
        self.hands.since_rest = time.time()
        for name in self.sequence:
            self.walk.step(name, getattr(self, name)() if hasattr(self, name) else self.hands.act(name))
            time.sleep(self.dice.choice(PAUSES))
        self.end()

    def end(self):
        # The clock is right again. What was published meanwhile has come.
        self.set_clock(0)
        if "clock_back" in self.sequence:
            # A service that began by a clock that was not set looks every ten seconds whether it is.
            self.mirror.end()
            self.mirror.start()
        self.mirror.run("sync")
        if not until(lambda: self.mirror.status(self.ahead)["watching"] == "inotify", pause=0.5):
            raise Violation("the clock is right again, and the service does not watch")
        self.look()
        if self.is_pruned:
            self.mirror.run("prune")

        def is_learned():
            self.learn()
            return not self.due or self.mirror.run("sync", statuses=(0, 1)) and False

        if not until(is_learned, pause=0.2):
            raise Violation(f"after sync, {self.due} are not what the upstream tells: {list(map(self.nasa.version, self.due))}")
        settle(self.differences, "the last step")
        self.hands.rest()
        self.look()
        if "clock" in str(self.sequence):
            # The history's times are those of the clock.
            self.hands.changes = [(*change[:2], 0, time.time() + 10**9) for change in self.hands.changes]
        self.hands.look_back()
        self.mirror.end()


def take(part):
    worlds, part.total = {}, len(ALL)
    compiled("machine", part.folder)

    def work(lane, words):
        if lane not in worlds:
            worlds[lane] = World(part.seed, part.program, join(part.folder, f"world-{lane}"))
        taken = Case(worlds[lane], tuple(words.split(",")), part.seed)
        try:
            taken.run()
        except Exception:
            subprocess.run(["cp", "-a", taken.mirror.root, join(part.folder, f"fell {words}")], check=True)
            if taken.mirror.service:
                taken.mirror.kill(taken.mirror.service)
            raise

    part.lanes(WORLDS, map(",".join, random.Random(part.seed).sample(ALL, len(ALL))), work)
