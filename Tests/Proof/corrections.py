# A walk through what an upstream does to its days and lists: it corrects, fails and lies, and the mirror is killed between.
#
# All that was ever published, files and texts, stays in the tree or among what was replaced, junk is nowhere, and each day and
# item ends as the upstream ended.
import contextlib
import copy
import json
import os
import random
import re
import signal
import threading
import time
from os.path import basename, exists, join

from mirror import Mirror, Player, last_days, listing, until
from model import Item
from part import Violation
from upstream import ORIGINALS, TYPES, File, Record, Upstream, content, sha

SUFFIXES = {"picture": ["jpg", "jpg", "png", "gif"], "still": ["jpg", "png"], "video": ["mp4"], "embedded": ["jpg"]}
# The roles of a day's files, in their order.
ROLES = {"picture": ["picture"], "still": ["picture"], "video": ["video", "poster"], "embedded": ["poster"], "none": []}
FAULTS = [503, 404, 500, "cut", "html", "type", "broken"]
JUNK = ["hollow", "stand-in", "site"]
RECHECK = 7
BOTH = File.validators
LISTS = ("cats", "dogs")


class Walk(Player):
    STEPS = 26
    WEIGHTS = {
        "text": 8, "beside": 8, "junk": 4, "change": 10, "move": 15, "return_to": 5, "vanish": 3, "fail": 8, "heal": 4, "outage": 1,
        "sync": 14, "ask": 6, "killed_sync": 12, "service": 5, "lose_catalog": 2, "revert": 5, "verify": 2, "new_item": 4, "item": 10,
        "item_goes": 3}

    def __init__(self, walk, program, power, mirror=None, kinds=None):
        # `mirror`, `kinds`: another walk's mirror, and what its days are.
        self.walk, self.dice, self.power = walk, random.Random(walk.seed), power
        self.upstream, self.days = mirror.upstream if mirror else Upstream(), sorted(kinds, reverse=True) if kinds else last_days(12)
        lists = "".join(f"list.{name} = {self.upstream.origin}/{name}.json\n" for name in LISTS)
        self.mirror = mirror or Mirror(walk, program, self.upstream, f"since = {self.days[-1]}\nrecheck-days = {RECHECK}\n{lists}")
        self.root, self.number = self.mirror.root, 0
        # Bodies that were served whole, by their SHA-256; days and their records that are away; earlier records of each day.
        self.served, self.away, self.former = {}, {}, {day: [] for day in self.days}
        # What was seen in the tree: SHA-256s ever, and the last time by path: (SHA-256, inode).
        self.ever, self.last, self.stems = {}, {}, {}
        # Titles and explanations that were seen, with their days.
        self.told = set()
        # What `revert` brought back, by day, and stays until a file changes.
        self.reverted = {}
        # Another walk knows one picture a day.
        self.is_own = not kinds
        for day in self.days:
            self.become(day, kinds[day] if kinds else self.dice.choice(["picture"] * 3 + [*ROLES][1:]))
        # Of each item: its list, how it is told now, and the name that it has here.
        self.items = []
        for name in LISTS if self.is_own else ():
            self.upstream.lists[name] = []
            for _ in range(4):
                self.new_item(name)

    # What the upstream does.
    def next(self):
        self.number += 1
        return self.number

    def words(self):
        return f"Words {self.next()}."

    def invent(self, place, suffix):
        # `place`: a day, or a list's name.
        name = f"{place}/f{self.next()}.{suffix}"
        self.set(name, content(suffix, f"{self.walk.seed} {self.number}"), self.dice.choice([BOTH, BOTH, BOTH[:1], BOTH[1:], ()]))
        return name

    def set(self, name, body, validators=BOTH, fault=None):
        # Seconds are all that Last-Modified tells.
        self.upstream.files[name] = File(body, TYPES[name[-3:]], validators, fault, 1_700_000_000 + self.next())
        self.served[sha(body)] = name

    def keep(self, day):
        # The record as it was, which may come again. What changes now ends what was reverted.
        self.former[day].append(copy.deepcopy(self.upstream.days[day]))
        self.reverted.pop(day, None)

    def become(self, day, kind):
        old = self.upstream.days.get(day)
        if old:
            self.keep(day)
        files = [self.invent(day, self.dice.choice(SUFFIXES[kind]))] if kind != "none" else []
        if kind == "video":
            files.append(self.invent(day, "jpg"))
        title = old.title if old else f"Day {day.day} “Öde”"
        record = self.upstream.days[day] = Record(day, title, kind, files, f"Words {self.number}.")
        if self.is_own and kind in ("picture", "video"):
            record.beside = [self.invent(day, "jpg") for _ in range(self.dice.choice([0, 0, 0, 1, 2]))]
        if self.is_own and kind == "picture" and self.dice.random() < 0.2:
            record.rollovers = [self.invent(day, "jpg")]
        return f"{day} becomes a {kind}: {files} {record.further}"

    def beside(self):
        # A picture beside the first.
        day, what = self.some_day(), self.dice.choice(["comes", "comes", "goes", "turns", "changes places", "is shown under the pointer"])
        record = self.upstream.days[day]
        if record.kind != "picture" or not record.beside and what != "comes":
            return None
        self.keep(day)
        old = record.beside.pop() if what != "comes" else None
        if what in ("comes", "turns"):
            record.beside.insert(0, self.invent(day, "jpg"))
        elif what == "changes places":
            record.beside, record.files = [*record.files, *record.beside], [old]
        elif what != "goes":
            record.rollovers = [old]
        record.text = self.words()
        return f"{day}: one beside {what}: {record.files} {record.further}"

    def some_day(self):
        return self.some(self.upstream.days)

    def file_of(self, day):
        record = self.upstream.days[day]
        return self.some(record.files + record.further)

    def move(self):
        day = self.some_day()
        return self.become(day, self.dice.choice([self.upstream.days[day].kind] * 3 + ["picture", *ROLES]))

    def text(self):
        record = self.upstream.days[self.some_day()]
        record.text = self.words()
        if self.dice.random() < 0.3:
            record.title = f"Title {self.number}"
        return f"{record.day} gets other words"

    def change(self):
        # Under the same address, sometimes to the very file of another day; the record may change along.
        day = self.some_day()
        name, other = self.file_of(day), self.file_of(self.some_day())
        old, body = self.upstream.files[name], content(name[-3:], f"{self.walk.seed} {self.next()}")
        if other[-3:] == name[-3:] and self.dice.random() < 0.3:
            body = self.upstream.files[other].body
        self.set(name, body, old.validators, old.fault)
        self.reverted.pop(day, None)
        if self.dice.random() < 0.5:
            self.upstream.days[day].text = self.words()
        return f"{day}: {name} changes, perhaps to {other}: {self.upstream.days[day].text}"

    def return_to(self):
        # An earlier record is put back, with the files that it had.
        day = self.some_day()
        record = copy.deepcopy(self.some(self.former[day]))
        self.keep(day)
        self.upstream.days[day] = record
        return f"{day} is as before: {record.kind} {record.files}"

    def vanish(self):
        # Or is there again.
        day = self.dice.choice(self.days)
        here, there = (self.away, self.upstream.days) if day in self.away else (self.upstream.days, self.away)
        there[day] = here.pop(day)
        return f"{day} {'vanishes' if day in self.away else 'is there again'}"

    def fail(self):
        name = self.file_of(self.some_day())
        self.upstream.files[name].fault = self.dice.choice(FAULTS)
        return f"{name} fails: {self.upstream.files[name].fault}"

    def heal(self, part=0.7):
        for file in self.upstream.files.values():
            if self.dice.random() < part:
                file.fault = None
        return "files are well again"

    def new_item(self, name=None):
        # The newest of its list.
        name = name or self.dice.choice(LISTS)
        file = self.invent(name, "jpg")
        dated = {"date": f"{2000 + self.number // 300}-01-{self.number % 28 + 1:02}"} if self.dice.random() < 0.5 else {}
        item = {"id": f"{self.number}", "title": f"Pet {self.number}", "summary": f"Words {self.number}.",
                "image": self.upstream.origin + ORIGINALS + file} | dated
        self.upstream.lists[name].insert(0, item)
        self.items.append((name, item, Item(name, " ".join([*dated.values(), item["title"]]))))
        return f"{name} has {item}"

    def item(self):
        # Other words, and perhaps another picture.
        name, item, _ = self.dice.choice(self.items)
        item["summary"] = self.words()
        if self.dice.random() < 0.5:
            item["image"] = self.upstream.origin + ORIGINALS + self.invent(name, self.dice.choice(["jpg", "png"]))
        return f"{name} has {item}"

    def item_goes(self):
        # What leaves a list stays here, and is corrected no more until it is back.
        name, item, _ = self.dice.choice(self.items)
        told = self.upstream.lists[name]
        told.remove(item) if item in told and len(told) > 1 else item in told or told.insert(0, item)
        return f"{name} {'has' if item in told else 'lacks'} {item['id']}"

    def outage(self):
        self.upstream.fault = self.dice.choice([503, 502, 500])
        self.sync()
        self.upstream.fault = None
        return "there was an outage"

    def junk(self):
        # For a while, no record is one. What a kill has cut off is ended before.
        self.sync()
        self.upstream.junk = self.dice.choice(JUNK)
        self.walk.step("junk:", self.upstream.junk)
        had = {day: self.mirror.document(day) for day in self.days}
        self.sync(self.dice.sample(self.days, self.dice.randrange(0, 3)))
        # A service may have asked as well.
        if not self.mirror.service and any(self.mirror.document(day) != had[day] for day in self.days):
            raise Violation("junk changed a day's JSON")
        self.upstream.junk = None

    # What the mirror does.
    def sync(self, asked=()):
        before = len(self.upstream.requests)
        self.walk.step("sync", *asked)
        self.mirror.run("sync", *map(str, asked), statuses=(0, 1))
        self.look_after(asked)
        self.check_remembered(self.upstream.requests[before:])
        for day, media in self.reverted.items():
            if self.media(day) != media:
                raise Violation(f"{day} was reverted to {media}, and is {self.media(day)}")

    def ask(self):
        return self.sync(self.dice.sample(self.days, self.dice.randrange(1, 4)))

    def killed_sync(self):
        # It is killed when the upstream is asked for the n-th time, or a moment later.
        asked = self.dice.sample(self.days, self.dice.randrange(0, 3))
        left, now = self.dice.randrange(1, 10), threading.Event()
        delay = self.dice.choice([0, 0, 0.002, 0.01, 0.05, 0.2])
        slow = self.dice.random() < 0.3 and self.file_of(self.some_day())
        if slow:
            self.upstream.files[slow].fault = "hang"

        def watch(path):
            nonlocal left
            left -= 1
            if left == 0 or slow and slow in path:
                now.set()

        self.upstream.watch = watch
        command = self.mirror.begin("sync", *map(str, asked))
        until(lambda: now.is_set() or command.poll() is not None, limit=60, pause=0.001)
        time.sleep(delay)
        self.upstream.watch = lambda path: None
        # Whoever asks for it from here on gets it.
        if slow:
            self.upstream.files[slow].fault = None
        if self.power:
            self.cut([command] + [self.mirror.service] * bool(self.mirror.service))
        if self.mirror.service:
            self.mirror.end(signal.SIGKILL)
        self.mirror.kill(command)
        self.look_after(asked)
        return f"killed sync {' '.join(map(str, asked))}"

    def look_after(self, asked):
        # Whoever asks for a day ends what was reverted.
        self.look()
        for day in asked:
            self.reverted.pop(day, None)

    def cut(self, processes):
        # After a power cut, all is there that was there when the round began; with the next one, the mirror is whole.
        with self.after_cut(processes) as other:
            other.last = {}
            other.look()
            other.mirror.run("sync", statuses=(0, 1))
            other.verify()

    def service(self):
        # Begins, or ends.
        if self.mirror.service:
            self.mirror.end(self.dice.choice([signal.SIGTERM, signal.SIGKILL]))
        else:
            self.mirror.start()
        self.look()

    def lose_catalog(self):
        # It is made again from the files.
        self.mirror.end()
        self.mirror.lose_catalog(self.dice)
        self.walk.step("the catalog is deleted")
        self.mirror.start() if self.dice.random() < 0.5 else self.sync()

    def revert(self):
        day = self.dice.choice(self.days)
        had = self.mirror.document(day) and self.mirror.run("show", f"{day}", "--json")["replaced"]
        before, was_whole = self.version(day), not self.lacks(day)
        self.reverted.pop(day, None)
        if self.dice.random() < 0.3:
            command = self.mirror.begin("revert", f"{day}")
            time.sleep(0.03 * self.dice.random())
            self.mirror.kill(command)
            self.look()
            return f"killed revert {day}"
        said = self.mirror.run("revert", f"{day}", statuses=(0,) if had else (0, 1))
        self.look()
        after = self.version(day)
        # A service may have taken what was still to come just before: then that is the former one.
        if had and before == after and (was_whole or not self.mirror.service):
            raise Violation(f"{day} had {had}, and revert changed nothing: {said}")
        # What was still to come is another file, and takes its place.
        if had and was_whole:
            self.reverted[day] = self.media(day)
        return f"revert {day}: {before} became {after}"

    def verify(self):
        self.mirror.end()
        self.look()
        self.mirror.verify()
        return "verify"

    # What is seen.
    def version(self, day):
        document = self.mirror.document(day) or {}
        return document.get("title"), document.get("explanation"), self.media(day)

    def media(self, day):
        # The SHA-256s of what its JSON names, by role.
        return frozenset((file["role"], file["sha256"]) for file in self.mirror.files_of(day)
                         if file["role"] != "page" and not file.get("former"))

    def bodies(self):
        # (path, bytes, inode, whether it is among the replaced) of each file that is still there.
        for path, is_replaced in self.mirror.kept():
            with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
                yield path, file.read(), os.fstat(file.fileno()).st_ino, is_replaced

    def texts(self, former_only=False):
        # The title and explanation of each JSON, in the tree and among the replaced, with its day or item.
        found = set()
        for path, body, _, is_replaced in self.bodies():
            if path.endswith(".json") and is_replaced >= former_only:
                document = json.loads(body)
                if "NASA" in document["title"] or not document["explanation"].startswith(("Words", "Some")):
                    raise Violation(f"junk: {path}: {document['title']}, {document['explanation']}")
                found.add((document.get("id") or document["date"], document["title"], document["explanation"]))
        return found

    def tree(self):
        # (SHA-256, inode, whether it is among the replaced) by path.
        found = {path: (sha(body), *facts) for path, body, *facts in self.bodies() if not path.endswith((".json", ".html"))}
        if strange := [path for path, (digest, _, is_replaced) in found.items() if not is_replaced and digest not in self.served]:
            raise Violation(f"nothing that was ever served whole: {strange}")
        return found

    def look(self):
        # Nothing that was ever published whole is lost, and what stayed the same stayed the same file.
        lost = []

        def is_kept():
            self.seen, self.here = self.tree(), self.texts()
            here = {digest for digest, *_ in self.seen.values()}
            lost[:] = [(self.ever[digest], self.served.get(digest)) for digest in self.ever if digest not in here]
            lost.extend(self.told - self.here)
            return not lost

        # While the service works, a file may be on its way from one folder to the other.
        if not until(is_kept, limit=5 if self.mirror.service else 0):
            raise Violation(f"lost: {lost}")
        self.told |= self.here
        for path, (digest, inode, is_replaced) in self.seen.items():
            self.ever.setdefault(digest, path)
            if is_replaced:
                continue
            old = self.last.get(path)
            if old and old[0] == digest and old[1] != inode:
                raise Violation(f"{path} was replaced by the same bytes")
            if "/lists/" not in path:
                name = basename(path)
                stem = re.sub(r"( \([2-9]\))?\.\w+$", "", name)
                if self.stems.setdefault(name[:10], stem) != stem:
                    raise Violation(f"{name} was called {self.stems[name[:10]]}")
        self.last = self.seen

    def check_remembered(self, requested):
        # What was asked for and failed is told of as long as it is not here.
        told = {date for condition in self.mirror.status()["conditions"] for date in condition.get("dates", [])}
        for day, record in self.upstream.days.items():
            had = {file["url"] for file in self.mirror.files_of(day)}
            failing = [name for name in record.files + record.further if self.upstream.files[name].fault and ORIGINALS + name in requested
                       and self.upstream.origin + ORIGINALS + name not in had]
            if failing and day not in self.reverted and self.lacks(day) and str(day) not in told:
                raise Violation(f"{day}: {failing} failed, and status does not tell of it")

    def digest(self, name):
        return sha(self.upstream.files[name].body)

    def wanted(self, record):
        # The media of a day as a record tells them.
        return [*zip(ROLES[record.kind], map(self.digest, record.files)), *(("also", self.digest(name)) for name in record.further)]

    def lacks(self, day):
        # What of the upstream's last state is not here.
        record, document = self.upstream.days.get(day), self.mirror.document(day)
        if not record:
            return []
        if not document or document["upstream"] != record.json(self.upstream.origin):
            return [f"{day}: its JSON is not of its last record"]
        media = self.media(day)
        # A still is not fetched where the day has an original picture.
        has_picture = any(role == "picture" for role, _ in media)
        told = [f"{day}: {role} {digest} is not among {media}" for role, digest in self.wanted(record)
                if (role, digest) not in media and not (role == "poster" and has_picture)]
        has_page = any(file["role"] == "page" for file in document["mirror"]["files"])
        return told + [f"{day}: it has no page"] * (record.kind == "embedded" and not has_page)

    def differences(self):
        told = [line for day in self.days for line in self.lacks(day)]
        for name, item, key in self.items:
            files = {file["sha256"] for file in self.mirror.files_of(key)}
            if item in self.upstream.lists[name] and (
                    self.digest(item["image"].partition(ORIGINALS)[2]) not in files
                    or self.mirror.document(key)["explanation"] != item["summary"]):
                told.append(f"{key} is not {item}")
        told += [f"the favorite {name} leads nowhere" for name in listing(self.mirror.favorites)
                 if not exists(join(self.mirror.favorites, name))]
        status = self.mirror.status()
        return told + [f"status: {name} {status[name]}" for name in ("failed", "incomplete") if status[name]]

    def end(self):
        # The upstream is well again: each day that it tells of becomes what it tells.
        self.heal(1)
        self.upstream.days.update(self.away)
        for _ in range(8):
            # A host has its pause.
            self.sync()
            self.sync(self.days)
            told = self.differences()
            if not told:
                break
            time.sleep(4)
        else:
            raise Violation("all is well at the upstream, and not here:\n  " + "\n  ".join(told))
        self.verify()

    def run(self, steps):
        self.sync()
        # Favorites are led to what takes the place of their files.
        for number, (path, _) in enumerate(self.mirror.kept()):
            if self.dice.random() < 0.3:
                os.symlink(path, join(self.mirror.favorites, f"{number}"))
        for _ in range(steps):
            self.act()
        self.end()


take = Walk.take
