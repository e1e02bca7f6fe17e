# What was found in the program, each played by a scene of its own in a few seconds. `--case 7` plays that one alone.
#
# A scene tells what is wrong.
import datetime
import json
import os
import subprocess
import threading
import time
from os.path import exists, getsize, join, relpath

from mirror import Mirror, Walk, contents, last_days
from model import Item, folder as folder_of
from part import Violation, compiled
from upstream import BASE, ORIGINALS, Record, Upstream, sha

SLOTS = 4
CATS = "list.cats = LISTS/cats.json\n"


class Scene(Mirror):
    # A mirror of so many days, each with a picture, and of the lists that the settings name.

    def __init__(self, folder, program, days=4, settings=""):
        self.days, upstream = last_days(days), Upstream()
        upstream.fill(self.days, "rows")
        super().__init__(Walk(0, folder), program, upstream, settings)

    def set(self, settings):
        super().set(f"thumbnails = no\nsince = {self.days[-1]}\n" + settings.replace("LISTS", self.upstream.origin))

    # What the upstream does.
    def list(self, count, is_dated=True, first=0):
        # So many items, the oldest first.
        for number in range(first, first + count):
            date = self.cat(number).name[:10] if is_dated else None
            self.upstream.add_item("cats", f"{number}", f"Cat {number}", date, f"cats/{number}.jpg", "rows")
        return self.upstream.lists["cats"]

    def change(self, day, name=None):
        # Other words, and another file: under the same address, or a new name. Returns the digest of the file.
        record = self.upstream.days[day]
        record.files = [name or record.files[0]]
        record.text = f"Words {time.monotonic_ns()}."
        return sha(self.upstream.invent(record.files[0], time.monotonic_ns()).body)

    # What is here.
    def picture(self, key):
        # The path of a day's or an item's picture, whether it is there or not; none where nothing is known of it.
        names = [file["name"] for file in self.files_of(key) if file["role"] == "picture"]
        return join(self.root, folder_of(key), names[0]) if names else ""

    def has(self, key):
        return exists(self.picture(key))

    def digest(self, key):
        return sha(contents(self.picture(key))) if self.has(key) else None

    def size(self):
        return sum(getsize(path) for path, _ in self.kept())

    def former(self):
        return [path for path, is_former in self.kept() if is_former]

    def cat(self, number, is_dated=True):
        return Item("cats", (f"2026-01-{number + 1:02} " if is_dated else "") + f"Cat {number}")

    def cats(self, count, is_dated=True):
        return [number for number in range(count) if self.has(self.cat(number, is_dated))]

    def sync(self, *words, statuses=(0, 1)):
        return self.command("sync", *words, statuses=statuses)

    def favor(self, path):
        os.makedirs(self.favorites, exist_ok=True)
        os.symlink(relpath(path, self.favorites), join(self.favorites, "cat"))


def cats(make, count, settings=""):
    it = make(1, CATS + settings)
    items = it.list(count)
    it.sync()
    return it, items


def row_1(make):
    it = make(11, "max-total = 100K\n")
    it.sync()
    it.command("prune")
    for _ in range(2):
        for day in it.days:
            it.change(day)
        it.sync(*map(str, it.days))
    it.sync()
    left = sum(map(it.has, it.days))
    return [f"{left} of 11 pictures are left"] * (left < 6)


def row_2(make):
    it, items = cats(make, 2)
    before = [it.digest(it.cat(number)) for number in (0, 1)]
    items[0]["image"], items[1]["image"] = items[1]["image"], items[0]["image"]
    for item in items:
        item["summary"] = "Not mixed up any more."
    it.sync()
    it.sync()
    after = [it.digest(it.cat(number)) for number in (0, 1)]
    texts = {it.document(it.cat(number))["explanation"] for number in (0, 1)}
    return [f"{before} became {after}, with {texts}"] * (after != before[::-1] or texts != {"Not mixed up any more."})


def row_3(make):
    it, _ = cats(make, 6, "list.cats.keep = 3\n")
    it.list(2, first=6)
    it.sync()
    it.sync()
    here = it.cats(8)
    return [f"of eight, these are here: {here}"] * (here[-3:] != [5, 6, 7])


def row_4(make):
    it, told = make(), []
    day = it.days[1]
    it.sync()
    former = it.digest(day)
    it.change(day, "changed.jpg")
    it.sync()
    it.command("revert", f"{day}")
    for words in (("verify", "--repair"), ("sync",)):
        os.unlink(it.picture(day))
        it.command(*words, statuses=(0, 1))
        if it.digest(day) != former or it.document(day)["explanation"] != "Some words.":
            told.append(f"after {' '.join(words)}, the day is {it.document(day)['explanation']!r}, {it.digest(day)} and not {former}")
    return told


def row_5(make):
    it = make(30)

    def article(day):
        # As the site's own list has it.
        record = it.upstream.days[day]
        return {"id": day.toordinal(), "date": f"{day}T00:05:00", "type": "image-article", "categories": [22766],
                "title": {"rendered": f"APOD: {day:%Y %B} {day.day} – {record.title}"}, "link": record.json(it.upstream.origin)["permalink"],
                "content": {"rendered": f"<div class=wp-block-nasa-blocks-media-detail-hero>Some words.<img src={it.upstream.origin}{ORIGINALS}{record.files[0]}></div>"}}

    articles = lambda query: [article(day) for day in it.days if f"{day}" < query["before"]]
    it.upstream.lists = {BASE[1:]: lambda query: "Not now", "wp-json/wp/v2/image-article": articles}
    it.sync()
    came = sum(map(it.has, it.days))
    it.upstream.lists = {}
    for _ in range(3):
        it.machine(86_400)
        it.sync()
    others = sum(it.document(day)["upstream"] != it.upstream.days[day].json(it.upstream.origin) for day in it.days if it.document(day))
    if came < 30:
        raise AssertionError(f"{came} days came by the articles")
    return [f"{others} of 30 days are as the list of articles tells them"] * (others > 0)


def row_6(make):
    it = make(1, CATS)
    items = it.list(4)
    for number in range(3):
        for item in items:
            item["image"] = item["image"].partition("?")[0] + f"?Signature={number}"
        it.sync()
    kept = it.former()
    return [f"{len(kept)} files are kept of what never changed"] * bool(kept)


def row_7(make):
    it = make(8)
    day, told = it.days[5], []
    it.sync()
    it.upstream.days[day].text = "Words."
    it.sync()
    it.set("keep = 3d\n")
    it.command("prune")
    if it.has(day):
        raise AssertionError("nothing was deleted")
    it.upstream.invent(it.upstream.days[day].files[0], "other")
    it.sync(f"{day}", statuses=(0,))
    for words in (("verify",), ("revert", f"{day}")):
        result = it.command(*words, statuses=(0, 1))
        told += [f"{' '.join(words)}: {result.stdout}{result.stderr}"] * result.returncode
    return told


def row_8(make):
    it = make(3, CATS)
    it.list(12)
    it.sync()
    it.change(it.days[0])
    it.sync()
    told, size = it.run("status", "--json"), it.size()
    wrong = [f"status has {told['bytes']} bytes, and there are {size}"] * (told["bytes"] != size)
    limit = size * 2 // 3 // 1024
    it.set(f"{CATS}max-total = {limit}K\n")
    it.command("prune")
    left = it.size()
    return wrong + [f"after prune to {limit}K, there are {left} of {size} bytes"] * (left > limit * 1024)


def row_9(make):
    it, _ = cats(make, 3)
    it.favor(it.picture(it.cat(1)))
    it.sync()
    subprocess.run(["rm", "-r", join(it.root, "lists", "cats")], check=True)
    it.set("")
    it.sync()
    told = [f"{' '.join(words)} has it: {said}" for words in (("search", "Cat"), ("favorites", "list"))
            for said in [it.run(*words, statuses=(0, 1))] if "Cat 1" in said]
    it.set(CATS)
    it.sync()
    it.sync()
    return told + [f"begun again, it has {it.cats(3)}"] * (len(it.cats(3)) < 3)


def row_10(make):
    it = make(1, CATS)
    newest = it.list(4)[::-1]
    # Two items a page.
    it.upstream.lists["cats"] = lambda query: (
        {"items": newest[2:]} if query else {"items": newest[:2], "next_url": f"{it.upstream.origin}/cats.json?page=2"})
    it.sync()
    path = it.picture(it.cat(0))
    it.set(CATS + "list.cats.keep = 2\n")
    it.command("prune")
    if exists(path):
        raise AssertionError("nothing was deleted")
    it.favor(path)
    it.sync()
    it.sync()
    return ["the favorite has no picture"] * (not exists(path))


def row_11(make):
    it, items = cats(make, 5)
    for item in items:
        item["photo"] = item.pop("image")
        item["name"] = item.pop("title")
    it.set(CATS + "list.cats.picture = photo\nlist.cats.title = name\nlist.cats.keep = 3\n")
    del items[:2]
    results = [it.sync() for _ in range(3)]
    here = it.cats(5)
    return [f"{here} are here, and sync ends with {results[-1].returncode}: {results[-1].stdout}{results[-1].stderr}"] * (
        here != [2, 3, 4] or results[-1].returncode != 0)


def row_12(make):
    it = make(4)
    it.sync()
    for day in it.days:
        record = it.upstream.days[day]
        it.upstream.files[f"moved/{day}.jpg"] = it.upstream.files[record.files[0]]
        record.files = [f"moved/{day}.jpg"]
    it.sync()
    counted = it.run("status", "--json")["replaced"]
    done = sum(it.command("revert", f"{day}", statuses=(0, 1)).returncode == 0 for day in it.days)
    return [f"status has {counted} replaced, and revert finds {done}"] * (counted != done)


def row_13(make):
    it = make()
    day = it.days[1]
    it.sync()
    it.change(day)
    it.sync()
    it.command("revert", f"{day}")
    third = it.change(day)
    it.sync()
    it.sync()
    return ["the third file has not come"] * (it.digest(day) != third)


def row_14(make):
    it = make(1, CATS)
    items = it.list(3)
    items[1]["id"] = items[0]["id"]
    said = it.sync()
    told = it.run("status", "--json")
    wrong = ["an item of an id that another has is dropped without a word"] * (
        len(it.cats(3)) < 3 and "cats" not in json.dumps(told["conditions"]) + said.stdout + said.stderr)
    place = join(it.root, "lists", "cats")
    os.chmod(place, 0)
    try:
        it.sync()
        told = it.run("status", "--json", statuses=(0, 1))
    finally:
        os.chmod(place, 0o755)
    return wrong + ["status tells nothing of a list's folder that cannot be opened"] * ("cats" not in json.dumps(told["conditions"]))


def row_15(make):
    it = make(2)
    old = [it.days[-1] - datetime.timedelta(400 + number) for number in range(8)]
    for number, day in enumerate(old):
        it.upstream.add(Record(day, f"Old {number}", "picture", [f"old/{number}.jpg"], beside=[f"old/{number}b.jpg"]), "rows")
    it.sync()
    for day in old:
        os.symlink(f"{day}", join(it.favorites, f"{day}"))
    for number in range(1, 8):
        it.upstream.files[f"old/{number}b.jpg"].fault = "hang"
    asked = threading.Event()
    it.upstream.watch = lambda path: "b.jpg" in path and "0b.jpg" not in path and asked.set()
    command = it.begin("sync")
    assert asked.wait(20)
    time.sleep(0.3)
    it.kill(command)
    for file in it.upstream.files.values():
        file.fault = None
    for _ in range(3):
        it.sync()
    came = sum(file["role"] == "also" for day in old for file in it.files_of(day))
    return [f"{came} of 8 second pictures have come"] * (came < 8)


def row_19(make):
    it = make(1, CATS)
    it.list(510, is_dated=False)
    it.sync()
    here = len(it.cats(510, is_dated=False))
    return [f"{here} of 510 pictures have come"] * (here > 500)


def take(part):
    part.total = len(ROWS)
    compiled("machine", part.folder)

    def work(_, number):
        if wrong := ROWS[int(number)](lambda *words: Scene(join(part.folder, f"row-{number}"), part.program, *words)):
            raise Violation("; ".join(wrong))

    part.lanes(SLOTS, sorted(ROWS, key=lambda number: number not in SLOW), work)


ROWS = {int(name[4:]): scene for name, scene in list(globals().items()) if name.startswith("row_")}
SLOW = (19, 15)
