"""A walk through all that people and programs do in the folder `favorites`, with kills between."""
import copy
import datetime
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import stat
import subprocess
import time
import urllib.parse

from mirror import Mirror, Violation, last_days, settle, until, written
from model import Item, Made, Model, Thing, folder, subject
from upstream import ORIGINALS, File, Record, Upstream, content

KINDS = ["picture", "picture", "video", "picture", "embedded", "picture", "still"]
TITLES = ["Orion’s Ärmel & Gürtel", "100% Dust", "A \"Quoted\" Moon", "It's Full of Stars...", "What: a / Slash?", "Comet NEOWISE"]
AWAY = "/mnt/nas/apod"


def fill(upstream, days, seed):
    for index, day in enumerate(days):
        kind = KINDS[index % len(KINDS)]
        names = [f"{day:%Y/%m}/s{index}.{suffix}" for suffix in (["mp4"] if kind == "video" else []) + ["jpg"]]
        upstream.add(Record(day, TITLES[index % len(TITLES)] + f" {index}", kind, names), seed)


def fill_list(upstream, list, seed):
    """The items of another list, as they are called here: the same as those of others."""
    items = [("7", "Mittens", None), ("8", "mittens", None), ("9", "A: “Spiral”", "2026-11-14"), ("x/y", "Tom & Jerry…", None),
             ("", "cover", None), ("12", "Old", "1994-05-25")]
    names = ["Mittens", "mittens (2)", "2026-11-14 A - “Spiral”", "Tom & Jerry…", "cover", "1994-05-25 Old"]
    for index, (id, title, date) in enumerate(items):
        if id:
            upstream.add_item(list, id, title, date, f"{list}/{index}.{'png' if index == 3 else 'jpg'}", seed)
        else:
            upstream.files[f"{list}/cover.jpg"] = File(content("jpg", f"{seed} {list} cover"), "image/jpeg")
    return [Item(list, name, id) for name, (id, _, _) in zip(names, items)]


def changes(before, after):
    """Of two answers of `told`, what differs."""
    return [f"{day}: {old.get(day)} became {new.get(day)}" for old, new in zip(before, after)
            for day in sorted(old.keys() | new.keys()) if old.get(day) != new.get(day)]


class Walk:
    def __init__(self, walk, program, power, mirror=None, here=None):
        """`mirror`, `here`: another walk's mirror, and the days that it has."""
        self.walk, self.dice, self.power = walk, random.Random(walk.seed), power
        self.upstream, self.model = mirror.upstream if mirror else Upstream(), Model()
        # Beside NASA's changes, `latest.jpg`, to which a link leads until it is put in order, may lead to another day.
        self.is_alone = mirror is None
        self.never = datetime.date(1995, 6, 17)
        if mirror:
            self.mirror, self.here, self.wished = mirror, here, []
        else:
            days = last_days(40)
            self.here, self.wished = days[:14], days[20:]
            fill(self.upstream, days, walk.seed)
            # Items of another list are what days are.
            origin, settings = self.upstream.origin, f"since = {days[13]}\n"
            for name in ("cats", "dogs"):
                self.here += fill_list(self.upstream, name, walk.seed)
                settings += f"list.{name} = {origin}/{name}.json\nlist.{name}.cover = {origin}{ORIGINALS}{name}/cover.jpg\n"
            self.mirror = Mirror(walk, program, self.upstream, settings, "disk")
        self.folder, self.root = self.mirror.favorites, self.mirror.root
        self.aside = os.path.join(os.path.dirname(self.root), "aside")
        self.names, self.done = 0, []
        # Days that became favorites, or ended: when, between two rests.
        self.changes = []
        # What links said that the mirror may rewrite, and what those said that it has.
        self.said, self.rewritten = {}, []

    # The tree.
    def files(self, day, suffixes=(".jpg", ".png", ".gif", ".mp4", ".html")):
        """A day's files, from the root on, the picture or video first."""
        document = self.mirror.document(day)
        names = [file["name"] for file in document["mirror"]["files"]]
        return [f"{folder(day)}/{name}" for name in names if name.endswith(suffixes)]

    def picture(self, day):
        return next(file for file in self.files(day) if file.endswith((".jpg", ".png", ".gif")))

    def some_day(self):
        return self.dice.choice(self.here)

    def new_name(self):
        self.names += 1
        odd = ["a", "Ein Bild", "neu\nzeile", "ünï 🌌", "-rf *", "x'\"`$", "long " + "x" * 200]
        return f"{self.dice.choice(odd)}{self.names}"

    def album(self):
        """One that is there, or a new one; made if it is."""
        albums = sorted({place.rpartition("/")[0] for place in self.model.things} - {""})
        album = self.dice.choice(["", "", *albums, f"Album {self.dice.randrange(4)}", f"Album {self.dice.randrange(4)}/Deep"])
        os.makedirs(os.path.join(self.folder, album), exist_ok=True)
        return album

    def new_place(self):
        album, name = self.album(), self.new_name()
        return f"{album}/{name}" if album else name

    def path(self, place):
        return os.path.join(self.folder, place)

    def some_link(self):
        """A place that is a link and counts."""
        return self.dice.choice([place for place, thing in self.model.things.items() if thing.day] or [None])

    # What is done: each changes the folder and tells the model.
    def link(self):
        day, place = self.some_day(), self.new_place()
        up = "../" * (place.count("/") + 1)
        file = self.dice.choice(self.files(day) + [self.picture(day).rpartition(".")[0] + ".json"])
        form = self.dice.choice([
            up + file, f"{self.root}/{file}", f"{AWAY}/{file}", f"{self.root}/../alias/{file}", f"{up}./{file.replace('/', '//', 1)}",
            up + "latest.jpg" if self.is_alone and day == self.here[0] else up + file])
        os.symlink(form, self.path(place))
        thing = Thing(day)
        self.model.put(place, thing)
        self.said[place] = form, thing
        return f"link {place!r} -> {form!r}"

    def link_to_link(self):
        to = self.some_link()
        if not to or self.done:
            return None
        place = self.new_place()
        os.symlink("../" * place.count("/") + to, self.path(place))
        self.model.put(place, Thing(self.model.things[to].day))
        # What it leads through is not taken away before it was seen.
        self.rest_now = True
        return f"link {place!r} to link {to!r}"

    def hard_link(self):
        day, place = self.some_day(), self.new_place()
        os.link(os.path.join(self.root, self.picture(day)), self.path(place))
        self.model.put(place, Thing(day))
        return f"hard link {place!r} to {day}"

    def copied(self):
        day, place = self.some_day(), self.new_place()
        source = os.path.join(self.root, self.picture(day))
        place += source[-4:]
        if self.dice.random() < 0.5:
            shutil.copyfile(source, self.path(place))
        else:
            shutil.copy2(source, self.path(place))
        self.model.put(place, Thing(day))
        return f"copy {place!r} of {day}"

    def slow_copy(self):
        day, place = self.some_day(), self.new_place() + ".jpg"
        with open(os.path.join(self.root, self.picture(day)), "rb") as source, open(self.path(place), "wb") as copy:
            body = source.read()
            for start in range(0, len(body), 1000):
                copy.write(body[start:start + 1000])
                copy.flush()
                time.sleep(0.05)
        self.model.put(place, Thing(day))
        return f"slow copy {place!r} of {day}"

    def move_out(self):
        """Out of the tree: it goes back to its place."""
        day, place = self.some_day(), self.new_place()
        os.rename(os.path.join(self.root, self.picture(day)), self.path(place))
        self.model.put(place, Thing(day))
        # Other things that are done with this picture would miss it.
        self.rest_now = True
        return f"move {day} out of the tree to {place!r}"

    def remove(self):
        place = self.dice.choice(sorted(self.model.things) or [None])
        if not place:
            return None
        os.unlink(self.path(place))
        self.model.drop(place)
        return f"remove {place!r}"

    def rename(self):
        place = self.dice.choice(sorted(self.model.things) or [None])
        if not place:
            return None
        to = self.new_place()
        if place.endswith(".part"):
            to += ".part"
        os.rename(self.path(place), self.path(to))
        self.model.move(place, to)
        return f"rename {place!r} to {to!r}"

    def albums(self):
        return sorted({place[:at] for place in self.model.things for at, letter in enumerate(place) if letter == "/"})

    def rename_album(self):
        album = self.dice.choice(self.albums() or [None])
        if not album:
            return None
        to = f"{self.dice.choice(['', 'Moved/'])}{self.new_name()}"
        if to.startswith(album + "/"):
            return None
        os.makedirs(os.path.dirname(self.path(to)), exist_ok=True)
        os.rename(self.path(album), self.path(to))
        self.model.move(album, to)
        return f"rename album {album!r} to {to!r}"

    def remove_album(self):
        album = self.dice.choice(self.albums() or [None])
        if not album:
            return None
        self.erase(self.path(album))
        self.model.drop(album)
        return f"remove album {album!r}"

    def erase(self, folder):
        """The service may be making a thumbnail there."""
        until(lambda: subprocess.run(["rm", "-rf", "--", folder], stderr=subprocess.DEVNULL).returncode == 0)

    def replace(self):
        """For another day."""
        place, day = self.some_link(), self.some_day()
        if not place or self.model.links.get(place) == day:
            return None
        target = "../" * (place.count("/") + 1) + self.picture(day)
        subprocess.run(["ln", "-sfn", "--", target, self.path(place)], check=True)
        self.model.put(place, Thing(day))
        return f"ln -sf {place!r} -> {day}"

    def rsync(self):
        """A folder of links, again and again, with --delete."""
        source = os.path.join(self.aside, "Rsync")
        shutil.rmtree(source, ignore_errors=True)
        os.makedirs(source + "/in")
        self.model.drop("Rsync")
        for number in range(self.dice.randrange(1, 5)):
            day, place = self.some_day(), f"Rsync/{self.dice.choice(['', 'in/'])}{number}"
            os.symlink(f"{AWAY}/{self.picture(day)}", os.path.join(self.aside, place))
            self.model.put(place, Thing(day))
        subprocess.run(["rsync", "-a", "--delete", "--exclude=.sh_thumbnails", source, self.folder], check=True)
        return f"rsync {self.model.below('Rsync')}"

    def tar(self):
        """A backup of the whole folder is put back over it: all its links come again."""
        archive = os.path.join(self.aside, "backup.tar")
        subprocess.run(["tar", "-C", self.folder, "--exclude=.sh_thumbnails", "-cf", archive, "."], check=True,
                       stderr=subprocess.DEVNULL)
        subprocess.run(["tar", "-C", self.folder, "-xf", archive], check=True)
        for place, thing in self.model.things.items():
            self.model.put(place, Thing(thing.day, thing.mark and self.mark(self.path(place))))
        return "tar"

    def trash(self):
        """Away, and some of it back: at once, or when its end was seen."""
        places = self.dice.sample(sorted(self.model.links), min(len(self.model.links), self.dice.randrange(1, 4)))
        if not places:
            return None
        moved = {place: os.path.join(self.aside, f"trash {index}") for index, place in enumerate(places)}
        things = {place: self.model.things[place] for place in places}
        for place, to in moved.items():
            os.rename(self.path(place), to)
            self.model.drop(place)
        seen = self.dice.random() < 0.5
        if seen:
            # What was done just before is another step.
            self.done.append("trash")
            self.rest()
        for place in places:
            if self.dice.random() < 0.7 and os.path.isdir(os.path.dirname(self.path(place))):
                os.rename(moved[place], self.path(place))
                self.model.put(place, things[place])
            else:
                os.unlink(moved[place])
        return f"trash {places}, {'slowly' if seen else 'at once'} back: {[place for place in places if place in self.model.things]}"

    def wish(self):
        if not self.wished:
            return None
        day, album = self.wished.pop(self.dice.randrange(len(self.wished))), self.album()
        title = self.upstream.days[day].title
        # As the file will be called: of what no file name may hold, only the program knows what takes its place.
        file = f"{day} {title}.jpg" if not set(title) & set('/:".') else f"{day}"
        name, target = self.dice.choice([
            (f"{day}", f"{day}"), (self.new_name(), f"{day}"), (self.new_name(), f"{AWAY}/{day:%Y/%m}/{day}"),
            (self.new_name(), f"../{day:%Y/%m}/{file}")])
        os.symlink(target, os.path.join(self.folder, album, name))
        self.model.made.append(Made(album, day, (name, ".jpg", ".mp4", ".html")))
        self.here.append(day)
        self.rest_now = True
        return f"wish {name!r} -> {target!r} in {album!r}"

    def own(self):
        place = self.new_place()
        path = self.path(place)
        kind = self.dice.choice(["file", "fifo", "socket", "hidden", "out", "nowhere", "folder", "never", "part", "desktop"])
        if kind == "hidden":
            head, _, name = place.rpartition("/")
            place = f"{head}/.{name}" if head else f".{name}"
            path = self.path(place)
        elif kind in ("part", "desktop"):
            place, path = f"{place}.{kind}", f"{path}.{kind}"
        if kind in ("file", "hidden"):
            with open(path, "wb") as file:
                file.write(self.dice.randbytes(self.dice.randrange(1, 5000)))
        elif kind == "part":
            shutil.copyfile(os.path.join(self.root, self.picture(self.some_day())), path)
        elif kind == "desktop":
            address = urllib.parse.quote(f"{self.root}/{self.picture(self.some_day())}")
            with open(path, "w") as file:
                file.write(f"[Desktop Entry]\nType=Link\nName=x\nURL[$e]=file://{address}\n")
        elif kind == "fifo":
            os.mkfifo(path)
        elif kind == "socket":
            # Its address may be no longer than 107 bytes.
            with socket.socket(socket.AF_UNIX) as end:
                end.bind(self.aside + "/s")
            os.rename(self.aside + "/s", path)
        else:
            target = {"out": "/etc/hostname", "nowhere": "/nowhere/at all.jpg", "folder": "/etc", "never": str(self.never)}
            os.symlink(target[kind], path)
        self.model.put(place, Thing(None, self.mark(path)))
        return f"own {kind} {place!r}"

    def burst(self):
        days = [self.some_day() for _ in range(self.dice.randrange(100, 400))]
        targets = {day: "../../" + self.picture(day) for day in days}
        self.names += 1
        os.makedirs(self.path(f"Burst {self.names}"))
        for index, day in enumerate(days):
            place = f"Burst {self.names}/{index}"
            os.symlink(targets[day], self.path(place))
            self.model.put(place, Thing(day))
        return f"burst of {len(days)}"

    def add(self):
        day = self.some_day()
        if self.model.made or self.done:
            return None
        required = day not in self.model.favorites
        self.mirror.run("favorites", "add", f"{day}")
        self.model.made.append(Made("", day, (".jpg", ".png", ".mp4", ".html"), required))
        self.rest_now = True
        return f"favorites add {day}"

    def remove_by_command(self):
        if self.model.made or self.done or not self.model.favorites:
            return None
        day, places = self.dice.choice(list(self.model.favorites.items()))
        self.mirror.run("favorites", "remove", f"{day}")
        for place in places:
            self.model.drop(place)
        return f"favorites remove {day}: {places}"

    def restore(self):
        """All that went since a time, or with some days."""
        if self.model.made or self.done or not self.model.went:
            return None
        if self.dice.random() < 0.5:
            since = int(self.dice.choice(list(self.model.went.values()))[0])
            words = ["--since", written(since)]
            made = self.model.brought_back(since=since)
        else:
            days = sorted({day for _, day in self.model.went}, key=str)
            days = self.dice.sample(days, min(len(days), 2))
            words, made = [f"{day}" for day in days], self.model.brought_back(days=days)
        self.model.made += made
        # 1: of some days, nothing is remembered that could come back.
        self.mirror.run("favorites", "restore", *words, statuses=(0, 1))
        self.rest_now = True
        return f"favorites restore {' '.join(words)}: {[(each.names[0], str(each.day), each.required) for each in made]}"

    def lose(self):
        """The folder is away for a while, and nothing ends. Sometimes it is deleted, and made again."""
        if self.model.made or self.done or not self.model.favorites:
            return None
        how = self.dice.choice(["renamed", "closed", "deleted", "a file"])
        before, away = self.told(), os.path.join(self.aside, "favorites")
        if how == "closed":
            os.chmod(self.folder, 0)
        elif how == "deleted":
            self.erase(self.folder)
        else:
            os.rename(self.folder, away)
        if how == "a file":
            open(self.folder, "w").close()
        self.walk.step("lose", how)
        if self.dice.random() < 0.4:
            self.mirror.end(self.dice.choice([signal.SIGKILL, signal.SIGTERM]))
            self.mirror.start()
        if not until(lambda: self.mirror.run("status", "--json")["watching"] == "lost"):
            raise Violation("the folder is lost, and status does not say so")
        # As long as a removal needs to be believed, and once more.
        time.sleep(self.dice.choice([0.1, 4.5]))
        if self.told() != before:
            raise Violation(f"a lost folder changed the favorites: {changes(before, self.told())}")
        if how == "deleted":
            links = self.model.links
            self.mirror.run("favorites", "restore")
            for place, thing in list(self.model.things.items()):
                self.model.drop(place)
            self.model.made += [Made.again(place, day) for place, day in links.items()]
        elif how == "closed":
            self.open_again(self.folder)
        else:
            if how == "a file":
                os.unlink(self.folder)
            os.rename(away, self.folder)
        self.rest_now = True
        return f"and back: {how}"

    def close_album(self):
        """An album that cannot be read ends nothing."""
        album = self.dice.choice(self.albums() or [None])
        if not album or self.model.made or self.done:
            return None
        before = self.told()
        os.chmod(self.path(album), 0)
        self.walk.step("close album", repr(album))
        if self.dice.random() < 0.4:
            self.mirror.end(signal.SIGKILL)
            self.mirror.start()
        time.sleep(self.dice.choice([0.1, 4.5]))
        after = self.told()
        self.open_again(self.path(album))
        if after != before:
            raise Violation(f"an unreadable album changed the favorites: {changes(before, after)}")
        return "and open it"

    def open_again(self, folder):
        """On the disk, too: after a power cut, a closed folder would show nothing."""
        os.chmod(folder, 0o2775)
        opened = os.open(folder, os.O_RDONLY)
        os.fsync(opened)
        os.close(opened)

    def kill(self):
        time.sleep(3 * self.dice.random() ** 2)
        self.mirror.end(signal.SIGKILL)
        return self.down()

    def stop(self):
        self.mirror.end()
        return self.down()

    def lose_catalog(self):
        """All that lasts is in the files: it is made again from them."""
        if self.done:
            return None
        self.mirror.end()
        self.mirror.lose_catalog(self.dice)
        self.mirror.start()
        self.rest_now = True
        return "the catalog is lost"

    def down(self):
        """What is done while no service runs is seen by the next one."""
        for _ in range(self.dice.randrange(3)):
            self.act(self.dice.choice([self.link, self.remove, self.rename, self.rename_album, self.replace, self.trash_now,
                                       self.copied, self.own]))
        self.mirror.start()
        return "restarted"

    def cut(self):
        """After a power cut, what was told at the last rest is so still, and what went since a time can be brought back."""
        time.sleep(2 * self.dice.random() ** 2)
        self.power.cut([self.mirror.service])
        other = copy.copy(self)
        other.mirror = self.mirror.after_cut()
        other.folder, other.root = other.mirror.favorites, other.mirror.root
        other.model = copy.deepcopy(self.model)
        self.walk.step("cut")
        try:
            other.mirror.start()
            other.recover(self)
        finally:
            if other.mirror.service:
                other.mirror.end()
            self.power.release()
        return None

    def recover(self, whole):
        """`whole`: the walk whose power was cut."""
        # What was touched since the last rest may be as it was, or as it is.
        kept = {place: day for place, day in whole.model.before.items() if whole.model.links.get(place) == day
                and (place, day) not in whole.model.put_since}
        gone = [(place, day) for (place, day), (_, last, certain) in whole.model.went.items()
                if certain and whole.model.links.get(place) != day]

        def problems():
            links = {place: thing.day for place, thing in self.seen().items() if thing.day}
            days = {str(day) for day in links.values()}
            found = [f"{place!r} is not there, or leads elsewhere than to {day}" for place, day in kept.items()
                     if links.get(place) != day]
            found += [f"{place!r} leads to {day} again" for place, day in gone if links.get(place) == day]
            for told in self.told():
                found += [f"{told.get(day)} is told of {day}" for day in days ^ told.keys()]
                found += [f"{day} is told since {told[str(day)][1]}, and not {added}" for day, added in whole.model.since.items()
                          if str(day) in told and told[str(day)][1] != added]
            return found

        settle(problems, "a power cut")
        made = [made for made in whole.model.brought_back() if made.required]
        self.mirror.run("favorites", "restore", "--since", written(self.walk.began))
        settle(lambda: self.model.unmade(made, self.seen()), "restore after a power cut")

    def trash_now(self):
        place = self.some_link()
        if not place:
            return None
        self.model.drop(place)
        os.rename(self.path(place), os.path.join(self.aside, "trash"))
        return f"to the trash: {place!r}"

    # What is seen.
    def mark(self, path):
        facts = os.lstat(path)
        if stat.S_ISLNK(facts.st_mode):
            return ("link", facts.st_ino, os.readlink(path))
        if stat.S_ISREG(facts.st_mode):
            with open(path, "rb") as file:
                return ("file", facts.st_ino, hashlib.sha256(file.read()).hexdigest()[:12])
        return (stat.S_IFMT(facts.st_mode), facts.st_ino)

    def seen(self):
        """All that is in the folder: what the mirror's own links lead to, and marks of everything else."""
        things = {}
        for folder, folders, names in os.walk(self.folder):
            folders[:] = [name for name in folders if name != ".sh_thumbnails"]
            for name in names + [name for name in folders if os.path.islink(os.path.join(folder, name))]:
                path = os.path.join(folder, name)
                place = os.path.relpath(path, self.folder)
                known = self.model.things.get(place)
                thing = Thing(None, self.mark(path))
                if thing.mark[0] == "link":
                    target = thing.mark[2]
                    if target == str(self.never) and not known:
                        # A wish that nobody can fulfil, and that `restore` has made again.
                        self.model.put(place, thing)
                    up = "../" * (place.count("/") + 1)
                    if target.startswith(up + "2") and os.path.isfile(path):
                        thing = Thing(datetime.date.fromisoformat(os.path.basename(target)[:10]))
                    elif target.startswith(up + "lists/") and os.path.isfile(path):
                        thing = Thing(Item(target[len(up):].split("/")[1], os.path.basename(target).rpartition(".")[0]))
                things[place] = thing
        return things

    def told(self):
        """The favorites, as the command and favorites.json name them."""
        facts = lambda entries: {subject(entry): (sorted(entry["links"]), entry["added"]) for entry in entries
                                 if "ended" not in entry and subject(entry) != str(self.never)}
        try:
            with open(os.path.join(self.root, "favorites.json"), encoding="utf-8") as file:
                filed = facts(json.load(file))
        except FileNotFoundError:
            filed = {}
        return facts(self.mirror.run("favorites", "--json")), filed

    def differences(self):
        seen = self.shown = self.seen()
        found = self.model.differences(seen)
        if found:
            return found
        days = {}
        for place, thing in sorted(seen.items()):
            if thing.day:
                days.setdefault(str(thing.day), []).append(place)
        for source, told in zip(("favorites --json", "favorites.json"), self.told()):
            for day in days.keys() | told.keys():
                links, added = told.get(day, ([], None))
                if days.get(day, []) != links:
                    found.append(f"{source} has for {day} {links} and not {days.get(day, [])}")
                elif self.model.since.get(day, added) != added:
                    found.append(f"{source} has {day} since {added} and not {self.model.since[day]}")
        status = {} if found else self.mirror.run("status", "--json")
        wishes = sum(thing.mark[2:] == (str(self.never),) for thing in seen.values() if not thing.day)
        own = sum(not thing.day for thing in seen.values()) - wishes
        # All wishes are for one day.
        if status and (status["unrecognised"], status["pending"]) != (own, int(wishes > 0)):
            found.append(f"status has {status['unrecognised']} unrecognised and {status['pending']} pending, and not {own}, {wishes}")
        return found

    def rest(self):
        """Waits until all that was done is seen, and it is as the model says."""
        if not self.mirror.service:
            self.mirror.start()
        settle(self.differences, "the last step")
        now, before = time.time(), set(self.model.before.values())
        self.model.settle(self.shown, self.since_rest, now, len(self.done) <= 1)
        after = set(self.model.links.values())
        self.changes += [(day, day in after, self.since_rest, now) for day in before ^ after]
        for day, (_, added) in self.told()[0].items():
            self.model.since.setdefault(day, added)
        for day in self.here:
            self.files(day)
        for place, (form, thing) in list(self.said.items()):
            # What has been moved or replaced may never have been seen.
            if self.model.things.get(place) is not thing:
                del self.said[place]
            elif os.readlink(self.path(place)) != form:
                self.rewritten.append((place, form))
                del self.said[place]
        self.walk.step(f"rest: {len(self.model.favorites)} favorites, {len(self.model.links)} links")
        self.done, self.rest_now, self.since_rest = [], False, now

    def act(self, action):
        told = action()
        if told:
            self.walk.step(told)
            self.done.append(action.__name__)

    # How often each is done.
    WEIGHTS = {
        "link": 14, "link_to_link": 3, "hard_link": 3, "copied": 4, "slow_copy": 1, "move_out": 2, "remove": 10,
        "rename": 6, "rename_album": 3, "remove_album": 2, "replace": 4, "rsync": 3, "tar": 1, "trash": 5, "wish": 3, "own": 5,
        "burst": 1, "add": 3, "remove_by_command": 3, "restore": 7, "lose": 3, "close_album": 2, "kill": 5, "stop": 2,
        "lose_catalog": 2}

    def run(self, steps):
        os.makedirs(self.aside, exist_ok=True)
        os.symlink(self.root, os.path.join(os.path.dirname(self.root), "alias"))
        self.mirror.run("sync")
        self.rest_now, self.since_rest = False, time.time()
        try:
            self.mirror.start()
            weights = self.WEIGHTS | ({"cut": 15} if self.power else {})
            for _ in range(steps):
                name = self.dice.choices(list(weights), list(weights.values()))[0]
                self.act(getattr(self, name))
                if self.done and (self.rest_now or self.dice.random() < 0.5):
                    self.rest()
            self.rest()
            self.model.made = self.model.brought_back()
            self.mirror.run("favorites", "restore", "--since", written(self.walk.began))
            self.rest()
            self.look_back()
        finally:
            self.mirror.let_go()

    def look_back(self):
        """Every change is in the history, and the tree is whole."""
        entries = self.mirror.run("favorites", "history", "--json")
        history = [(subject(entry), entry["change"], datetime.datetime.fromisoformat(entry["time"]).timestamp())
                   for entry in entries]
        ids = {str(item): item.id for item in self.here if isinstance(item, Item)}
        for entry in entries + self.mirror.run("favorites", "--json"):
            if subject(entry) in ids and entry.get("id") != ids[subject(entry)]:
                raise Violation(f"the id of {subject(entry)} is told as {entry.get('id')}")
        for place, form in self.rewritten:
            if not any(entry["link"] == place and entry.get("was") == form for entry in entries):
                raise Violation(f"the history does not say that {place!r} said {form!r}")
        for day, is_new, began, now in self.changes:
            words = ("came", "moved") if is_new else ("went",)
            if not any(date == str(day) and change in words and began - 1 <= when <= now + 1 for date, change, when in history):
                raise Violation(f"the history does not say that {day} was {' or '.join(words)} between {began} and {now}")
        found = self.mirror.run("verify", "--json")
        if found["damaged"] or found["missing"]:
            raise Violation(f"verify: {found}")
