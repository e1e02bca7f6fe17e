# What no other part meets in its short form, each brought about by a scene of its own, which tells what was not told.
import datetime
import io
import os
import random
import shutil
import signal
from os.path import join

from PIL import Image

import sometimes
from mirror import Mirror, contents, listing, until, write
from part import Violation, compiled
from rows import CATS, Scene
from upstream import Record

SLOTS = 6


def damaged(it):
    it.sync()
    write(it.picture(it.days[1]), "x")
    it.command("verify", statuses=(1,))
    return "condition damaged"


def failed(it):
    it.upstream.files[it.upstream.days[it.days[1]].files[0]].fault = 404
    it.sync()
    return "condition failed"


def worse(it):
    day = it.days[1]
    record = it.upstream.days[day]
    record.files.append("other.jpg")
    it.upstream.invent("other.jpg", "told")
    it.upstream.files[record.files[0]].fault = 404
    it.sync()
    return "a worse copy"


def smaller(it):
    file, large = it.upstream.files[it.upstream.days[it.days[1]].files[0]], io.BytesIO()
    Image.new("RGB", (640, 480)).save(large, "jpeg")
    well, file.body = file.body, large.getvalue()
    it.sync()
    file.body = well
    for _ in range(2):
        it.sync(f"{it.days[1]}")
    return "much smaller", "unchanged"


def silent(it):
    # Of three questions, the middle one has no answer.
    page, last, first = it.upstream.page, *(f"{it.days[back]:%y%m%d}" for back in (20, 30))
    it.upstream.page = lambda query: ({}, 404, {}) if first < query.get("date_to", "991231") < last else page(query)
    it.sync()
    return "unanswered"


def unfinished(it):
    it.upstream.fault = 404
    it.sync()
    return "condition unfinished"


def tomorrow(it):
    it.sync(f"{it.days[0] + datetime.timedelta(1)}")
    return "not yet"


def taken(it):
    it.sync()
    os.unlink(join(it.root, "latest.jpg"))
    os.mkdir(join(it.root, "latest.jpg"))
    it.sync()
    return "condition name-taken"


def too_much(it):
    it.sync()
    it.set("max-total = 1K\n")
    return "condition out-of-reach"


def found(it):
    it.sync(f"{it.days[0]}")
    catalog, before = join(it.root, ".apod-mirror"), join(it.walk.folder, "before")
    shutil.copytree(catalog, before)
    it.sync()
    for name in listing(catalog):
        if name.startswith("catalog"):
            os.unlink(join(catalog, name))
    for name in listing(before):
        if name.startswith("catalog"):
            shutil.copy(join(before, name), catalog)
    it.sync()
    return "found again"


def alone(it):
    # No program that makes thumbnails.
    place = join(it.walk.folder, "alone")
    os.mkdir(place)
    it.program = shutil.copy(it.program, place)
    Mirror.set(it, f"since = {it.days[-1]}\nthumbnails = yes\n")
    it.sync()
    return "condition no-thumbnailer"


def undecodable(it):
    file = it.upstream.files[it.upstream.days[it.days[1]].files[0]]
    file.body = file.body[:700] + bytes(500) + file.body[-2:]
    Mirror.set(it, f"since = {it.days[-1]}\nthumbnails = yes\n")
    it.sync()
    return "condition undecodable"


def unwritable(it):
    it.sync()
    album = join(it.favorites, "Album")
    os.mkdir(album)
    os.symlink(it.picture(it.days[1]), join(album, "x"))
    os.chmod(album, 0o555)
    it.sync()
    return "condition unwritable"


def records(it):
    # No picture, no record, a second picture that waits, an item without an id; then a record that is gone, and the catalog.
    text, none, second, gone = it.days[:4]
    it.upstream.add(Record(text, "Words", "none"), "told")
    del it.upstream.days[none]
    it.upstream.days[second].beside = ["beside.jpg"]
    it.upstream.invent("beside.jpg", "told").fault = 503
    it.list(1).append({"title": "Nobody"})
    it.set(CATS)
    it.sync()
    it.status()
    del it.upstream.days[gone]
    it.sync(f"{gone}")
    it.lose_catalog(random.Random(1))
    it.sync()
    return "text only", "absent", "condition incomplete", "left out", "kept", "a new catalog"


def people(it):
    # Links, a folder that is away, a wish that nobody grants, a thing of one's own, and days that `keep` does not allow.
    path = join(it.walk.folder, "service")
    log = lambda words: until(lambda: words in contents(path).decode())
    it.sync()
    it.command("favorites", "add", *map(str, it.days[:12]))
    it.command("favorites", "remove", f"{it.days[0]}")
    it.start()
    album = join(it.favorites, "Album")
    os.mkdir(album)
    os.chmod(album, 0)
    log("Album")
    os.chmod(album, 0o755)
    log("is kept up with again")
    os.rmdir(album)
    os.rename(it.favorites, f"{it.favorites}.away")
    log("no favorites folder: ")
    it.status()
    os.rename(f"{it.favorites}.away", it.favorites)
    until(lambda: it.status()["watching"] == "inotify")
    for name in listing(it.favorites):
        os.unlink(join(it.favorites, name))
    log("links went from")
    it.end()
    it.set("keep = 2d\n")
    it.sync()
    it.status()
    it.upstream.fault = 503
    os.symlink(f"{it.days[0] - datetime.timedelta(400)}", join(it.favorites, "wish"))
    write(join(it.favorites, "mine.txt"), "mine")
    it.sync()
    return ("made", "removed", "lost", "condition folder-lost", "recovered", "links went", "condition ended", "condition pending",
            "condition unrecognised", "held", "condition held")


def service(it):
    # Far back; then other settings, an upstream that fails, no inotify, and a folder that is away.
    path = join(it.walk.folder, "service")

    def begin(words):
        with open(path, "ab") as log:
            it.service = it.process(["run"], log)
        await_(words)

    def await_(words):
        if not until(lambda: words in contents(path).decode()):
            raise Violation(f"“{words}” is not told: {contents(path).decode()[-2000:]}")

    begin("all days were asked for")
    write(it.settings, contents(it.settings).decode() + "keeep = 3\n")
    it.service.send_signal(signal.SIGHUP)
    await_("the settings stay as they are")
    it.status()
    it.set("")
    it.service.send_signal(signal.SIGHUP)
    await_("the settings are the same")
    it.end()
    it.upstream.fault = 503
    it.machine(86_400, is_deaf=True)
    begin("tried again soon")
    await_("from time to time")
    it.status()
    it.end()
    os.rename(it.root, f"{it.root}.away")
    os.symlink("nowhere", it.root)
    begin("waiting: ")
    it.end()
    os.unlink(it.root)
    os.rename(f"{it.root}.away", it.root)
    return ("backfilling", "backfilled", "settings refused", "reloaded", "tried again", "polling", "waiting", "condition polling",
            "condition settings")


SCENES = {scene: {service: 60, silent: 60, people: 24}.get(scene, 4) for scene in (
    service, people, records, silent, unfinished, damaged, failed, worse, smaller, tomorrow, taken, too_much, found, alone, undecodable, unwritable)}


def take(part):
    part.total = len(SCENES)
    compiled("machine", part.folder)

    def work(_, name):
        scene = next(scene for scene in SCENES if scene.__name__ == name)
        it = Scene(join(part.folder, name), part.program, SCENES[scene])
        wanted = scene(it)
        it.status()
        log = join(it.walk.folder, "service")
        if os.path.exists(log):
            sometimes.hear(contents(log).decode(errors="replace"))
        if unmet := {wanted} - sometimes.seen if isinstance(wanted, str) else {*wanted} - sometimes.seen:
            raise Violation(f"not told: {unmet}")

    part.lanes(SLOTS, [scene.__name__ for scene in SCENES], work)
