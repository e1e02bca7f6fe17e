# A walk through all that people and programs do in the folder `favorites`, with kills between.
import datetime
import hashlib
import json
import os
import random
import shutil
import signal
import stat
import subprocess
import time
from os.path import basename, dirname, isdir, isfile, islink, join, relpath

from mirror import Mirror, Nothing, Player, contents, last_days, settle, until, written
from model import Item, Made, Model, Thing, fold, folder, moment, subject
from part import Violation
from upstream import ORIGINALS, Upstream

KINDS = ["picture", "picture", "video", "picture", "embedded", "picture", "still"]
TITLES = ["Orion’s Ärmel & Gürtel", "100% Dust", "A \"Quoted\" Moon", "It's Full of Stars...", "What: a / Slash?", "Comet NEOWISE"]
ODD = ["a", "Ein Bild", "neu\nzeile", "ünï 🌌", "-rf *", "x'\"`$", "long " + "x" * 200]
AWAY = "/mnt/nas/apod"
PICTURES, ENDS = (".jpg", ".png", ".gif"), (".jpg", ".png", ".gif", ".mp4", ".html")
# Items of another list, by their id: title, date, and the name that they have here.
ITEMS = {"7": ("Mittens", None, "Mittens"), "8": ("mittens", None, "mittens (2)"),
         "9": ("A: “Spiral”", "2026-11-14", "2026-11-14 A - “Spiral”"), "x/y": ("Tom & Jerry…", None, "Tom & Jerry…"),
         "12": ("Old", "1994-05-25", "1994-05-25 Old")}
# What is a person's own, by the end of its name: how the file `$1` is made, beside the picture `$2`.
OWN = {"": "head -c 3000 /dev/urandom >\"$1\"", " fifo": "mkfifo \"$1\"", ".part": "cp \"$2\" \"$1\"", " folder": "ln -s /etc \"$1\"",
       " out": "ln -s /etc/hostname \"$1\"", " nowhere": "ln -s '/nowhere/at all.jpg' \"$1\"",
       ".desktop": "printf '[Desktop Entry]\\nType=Link\\nName=x\\nURL[$e]=file://%s\\n' \"$2\" >\"$1\""}


def up(place):
    # From its album to the root.
    return "../" * (place.count("/") + 1)


class Walk(Player):
    STEPS = 20
    # How often each is done.
    WEIGHTS = {
        "link": 14, "link_to_link": 3, "hard_link": 3, "copied": 5, "move_out": 2, "remove": 10,
        "rename": 6, "rename_album": 3, "remove_album": 2, "replace": 4, "rsync": 3, "tar": 1, "trash": 5, "wish": 3, "own": 5,
        "add": 3, "remove_by_command": 3, "restore": 7, "lose": 3, "close_album": 2, "kill": 5, "stop": 2,
        "lose_catalog": 2}
    WHILE_DOWN = ["link", "remove", "rename", "rename_album", "replace", "copied", "own"]

    def __init__(self, walk, program, power, mirror=None, here=None):
        # `mirror`, `here`: another walk's mirror, and the days that it has.
        self.walk, self.dice, self.power = walk, random.Random(walk.seed), power
        self.upstream, self.model = mirror.upstream if mirror else Upstream(), Model()
        # Beside NASA's changes, `latest.jpg`, to which a link leads until it is put in order, may lead to another day.
        self.is_alone = mirror is None
        self.here, self.wished = here, []
        if not mirror:
            days = last_days(40)
            self.here, self.wished = days[:14], days[20:]
            self.upstream.fill(days, walk.seed, KINDS, TITLES)
            settings = f"since = {days[13]}\n"
            # Items are what days are: the same ones in each list.
            for name in ("cats", "dogs"):
                for number, (id, (title, date, here)) in enumerate(ITEMS.items()):
                    self.upstream.add_item(name, id, title, date, f"{name}/{number}.{'png' if number == 3 else 'jpg'}", walk.seed)
                    self.here.append(Item(name, here, id))
                self.upstream.invent(f"{name}/cover.jpg", walk.seed)
                self.here.append(Item(name, "cover"))
                settings += (f"list.{name} = {self.upstream.origin}/{name}.json\n"
                             f"list.{name}.cover = {self.upstream.origin}{ORIGINALS}{name}/cover.jpg\n")
            mirror = Mirror(walk, program, self.upstream, settings)
        self.mirror, self.root = mirror, mirror.root
        self.aside = join(dirname(self.root), "aside")
        os.makedirs(self.aside, exist_ok=True)
        self.names, self.done, self.rest_now, self.since_rest = 0, [], False, time.time()
        # Days that became favorites, or ended: when, between two rests.
        self.changes = []
        # What links said that the mirror may rewrite, and what those said that it has.
        self.said, self.rewritten = {}, []

    # The tree.
    def files(self, day, suffixes=ENDS):
        # A day's files, from the root on, the picture or video first.
        return [f"{folder(day)}/{file['name']}" for file in self.mirror.files_of(day) if file["name"].endswith(suffixes)]

    def picture(self, day):
        return next(file for file in self.files(day) if file.endswith(PICTURES))

    def path(self, place):
        return join(self.mirror.favorites, place)

    # What is chosen.
    def some_day(self):
        return self.dice.choice(self.here)

    @property
    def albums(self):
        return {place[:at] for place in self.model.things for at, letter in enumerate(place) if letter == "/"}

    def new_name(self):
        self.names += 1
        return f"{self.dice.choice(ODD)}{self.names}"

    def new_albums(self):
        return ["", f"Album {self.dice.randrange(4)}", f"Album {self.dice.randrange(4)}/Deep"]

    def new_place(self):
        # In an album that is there, or a new one; made if it is.
        album = self.dice.choice(["", *sorted(self.albums), *self.new_albums()])
        os.makedirs(self.path(album), exist_ok=True)
        return join(album, self.new_name())

    def among(self, days, act):
        # A step with one of these days.
        here, self.here = self.here, days
        told = act()
        self.here = here
        return told

    def act(self, name=None):
        name = super().act(name)
        self.done += [name] * bool(name)
        return name

    def be_resting(self):
        if self.model.made or self.done:
            raise Nothing

    # What is done: each changes the folder and tells the model.
    def lead(self, place, target, day):
        os.symlink(target, self.path(place))
        self.model.put(place, Thing(day))
        return f"link {place!r} -> {target!r}"

    def link(self):
        day, place = self.some_day(), self.new_place()
        file = self.dice.choice([*self.files(day), self.picture(day).rpartition(".")[0] + ".json"])
        forms = [up(place) + file, f"{self.root}/{file}", f"{AWAY}/{file}", f"{self.root}/../alias/{file}",
                 f"{up(place)}./{file.replace('/', '//', 1)}", *[up(place) + "latest.jpg"] * (self.is_alone and day == self.here[0])]
        form = self.dice.choice(forms)
        told = self.lead(place, form, day)
        self.said[place] = form, self.model.things[place]
        return told

    def link_to_link(self):
        to = self.some(self.model.links)
        if self.done:
            return None
        place = self.new_place()
        # What it leads through is not taken away before it was seen.
        self.rest_now = True
        return self.lead(place, up(place)[3:] + to, self.model.things[to].day)

    def bring(self, how, has_suffix=False):
        # A day's picture comes itself.
        day, place = self.some_day(), self.new_place()
        source = join(self.root, self.picture(day))
        place += source[-4:] if has_suffix else ""
        how(source, self.path(place))
        self.model.put(place, Thing(day))
        return f"{how.__name__} {place!r} of {day}"

    def hard_link(self):
        return self.bring(os.link)

    def copied(self):
        return self.bring(self.dice.choice([shutil.copyfile, shutil.copy2]), True)

    def move_out(self):
        # Out of the tree: it goes back to its place. Other things that are done with this picture would miss it.
        self.rest_now = True
        return self.bring(os.rename)

    def remove(self):
        # Deleted, or to a trash.
        place = self.some(self.model.things)
        self.dice.choice([os.unlink, lambda path: os.rename(path, join(self.aside, "trash"))])(self.path(place))
        self.model.drop(place)
        return f"remove {place!r}"

    def rename(self):
        place = self.some(self.model.things)
        return self.renamed(place, self.new_place() + (".part" if place.endswith(".part") else ""))

    def renamed(self, place, to):
        os.makedirs(dirname(self.path(to)), exist_ok=True)
        os.rename(self.path(place), self.path(to))
        self.model.move(place, to)
        return f"rename {place!r} to {to!r}"

    def rename_album(self):
        album, to = self.some(self.albums), f"{self.dice.choice(['', 'Moved/'])}{self.new_name()}"
        return self.renamed(album, to) if not to.startswith(album + "/") else None

    def remove_album(self):
        album = self.some(self.albums)
        self.erase(self.path(album))
        self.model.drop(album)
        return f"remove album {album!r}"

    def erase(self, folder):
        # The service may be making a thumbnail there.
        until(lambda: subprocess.run(["rm", "-rf", "--", folder], stderr=subprocess.DEVNULL).returncode == 0)

    def replace(self):
        # For another day.
        place, day = self.some(self.model.links), self.some_day()
        if self.model.links[place] == day:
            return None
        subprocess.run(["ln", "-sfn", "--", up(place) + self.picture(day), self.path(place)], check=True)
        self.model.put(place, Thing(day))
        return f"ln -sf {place!r} -> {day}"

    def rsync(self):
        # A folder of links, again and again, with --delete.
        source = join(self.aside, "Rsync")
        shutil.rmtree(source, ignore_errors=True)
        os.makedirs(source + "/in")
        self.model.drop("Rsync")
        for number in range(self.dice.randrange(1, 5)):
            day, place = self.some_day(), f"Rsync/{self.dice.choice(['', 'in/'])}{number}"
            os.symlink(f"{AWAY}/{self.picture(day)}", join(self.aside, place))
            self.model.put(place, Thing(day))
        subprocess.run(["rsync", "-a", "--delete", "--exclude=.sh_thumbnails", source, self.mirror.favorites], check=True)
        return f"rsync {self.model.below('Rsync')}"

    def tar(self):
        # A backup of the whole folder is put back over it: all its links come again.
        subprocess.run("tar --exclude=.sh_thumbnails -cf ../../aside/backup.tar .; tar -xf ../../aside/backup.tar", shell=True, check=True,
                       cwd=self.mirror.favorites)
        for place, thing in self.model.things.items():
            self.model.put(place, Thing(thing.day, thing.mark and self.mark(self.path(place))))
        return "tar"

    def trash(self):
        # Away, and some of it back: at once, or when its end was seen.
        places = self.dice.sample(sorted(self.model.links), min(len(self.model.links), self.dice.randrange(1, 4)))
        moved = {place: (join(self.aside, f"trash {index}"), self.model.things[place]) for index, place in enumerate(places)}
        for place, (to, _) in moved.items():
            os.rename(self.path(place), to)
            self.model.drop(place)
        is_seen = self.dice.random() < 0.5
        if is_seen:
            # What was done just before is another step.
            self.done.append("trash")
            self.rest()
        for place, (to, thing) in moved.items():
            if self.dice.random() < 0.7 and isdir(dirname(self.path(place))):
                os.rename(to, self.path(place))
                self.model.put(place, thing)
        return f"trash {places}, {'slowly' if is_seen else 'at once'} back: {[place for place in places if place in self.model.things]}"

    def wish(self):
        day, place = self.some(self.wished), self.new_place()
        self.wished.remove(day)
        album, name = dirname(place), basename(place)
        title = self.upstream.days[day].title
        # As the file will be called: of what no file name may hold, only the program knows what takes its place.
        file = f"{day} {title}.jpg" if not set(title) & set('/:".') else f"{day}"
        name, target = self.dice.choice([
            (f"{day}", f"{day}"), (name, f"{day}"), (name, f"{AWAY}/{day:%Y/%m}/{day}"), (name, f"../{day:%Y/%m}/{file}")])
        os.symlink(target, self.path(join(album, name)))
        self.model.made.append(Made(album, day, (name, *ENDS)))
        self.here.append(day)
        self.rest_now = True
        return f"wish {name!r} -> {target!r} in {album!r}"

    def own(self):
        # What is a person's own stays as it is.
        end, make = self.dice.choice(list(OWN.items()))
        place = self.new_place() + end
        subprocess.run(["sh", "-c", make, "sh", self.path(place), f"{self.root}/{self.picture(self.some_day())}"], check=True)
        self.model.put(place, Thing(None, self.mark(self.path(place))))
        return f"own {place!r}"

    def add(self):
        self.be_resting()
        day = self.some_day()
        self.model.made.append(Made("", day, ENDS, day not in self.model.favorites))
        self.mirror.run("favorites", "add", f"{day}")
        self.rest_now = True
        return f"favorites add {day}"

    def remove_by_command(self):
        self.be_resting()
        place = self.some(self.model.links)
        day = self.model.links[place]
        self.mirror.run("favorites", "remove", f"{day}")
        for place in self.model.favorites[day]:
            self.model.drop(place)
        return f"favorites remove {day}"

    def restore(self):
        # All that went since a time, or with some days.
        self.be_resting()
        place, day = self.some(self.model.went)
        if self.dice.random() < 0.5:
            since = int(self.model.went[place, day][0])
            words, made = ["--since", written(since)], self.model.brought_back(since=since)
        else:
            words, made = [f"{day}"], self.model.brought_back(days=[day])
        self.model.made += made
        # 1: of some days, nothing is remembered that could come back.
        self.mirror.run("favorites", "restore", *words, statuses=(0, 1))
        self.rest_now = True
        return f"favorites restore {' '.join(words)}: {made}"

    def away(self, what, hide, show, is_all=True):
        # Nothing ends by what cannot be seen for a while.
        before = self.told()
        hide()
        self.walk.step(what)
        if self.dice.random() < 0.4:
            self.mirror.end(self.dice.choice([signal.SIGKILL, signal.SIGTERM]))
            self.mirror.start()
        if is_all and not until(lambda: self.mirror.status()["watching"] == "lost"):
            raise Violation("the folder is lost, and status does not say so")
        # As long as a removal needs to be believed, and once more.
        time.sleep(self.dice.choice([0.1, 4.5]))
        for old, new in zip(before, self.told()):
            if new != old:
                raise Violation(f"{what} changed the favorites: {old.items() ^ new.items()}")
        show()
        return f"and back: {what}"

    def lose(self):
        # The whole folder. Sometimes it is deleted, and made again.
        self.be_resting()
        self.some(self.model.favorites)
        here, away = self.mirror.favorites, join(self.aside, "favorites")

        def put_file():
            os.rename(here, away)
            open(here, "w").close()

        def put_back():
            # On the disk, too: a rename that only a power cut undoes is no step of a person's.
            os.rename(away, here)
            subprocess.run(["sync", self.root, self.aside], check=True)

        def made_again():
            links = self.model.links
            self.mirror.run("favorites", "restore")
            self.model.things.clear()
            self.model.made += [Made.again(place, day) for place, day in links.items()]

        self.rest_now = True
        return self.away(*self.dice.choice([
            ("a renamed folder", lambda: os.rename(here, away), put_back),
            ("a closed folder", lambda: os.chmod(here, 0), lambda: self.open_again(here)),
            ("a deleted folder", lambda: self.erase(here), made_again),
            ("a file in its place", put_file, lambda: (os.unlink(here), put_back()))]))

    def close_album(self):
        self.be_resting()
        path = self.path(self.some(self.albums))
        return self.away(f"the closed album {path!r}", lambda: os.chmod(path, 0), lambda: self.open_again(path), False)

    def open_again(self, folder):
        # On the disk, too: after a power cut, a closed folder would show nothing.
        os.chmod(folder, 0o2775)
        subprocess.run(["sync", folder], check=True)

    def kill(self):
        time.sleep(3 * self.dice.random() ** 2)
        return self.stop(signal.SIGKILL)

    def stop(self, how=signal.SIGTERM):
        # What is done while no service runs is seen by the next one.
        self.mirror.end(how)
        for _ in range(self.dice.randrange(3)):
            self.act(self.dice.choice(self.WHILE_DOWN))
        self.mirror.start()
        return "restarted"

    def lose_catalog(self):
        # All that lasts is in the files: it is made again from them.
        if self.done:
            return None
        self.mirror.end()
        self.mirror.lose_catalog(self.dice)
        self.mirror.start()
        self.rest_now = True
        return "the catalog is lost"

    def cut(self):
        # After a power cut, what was told at the last rest is so still, and what went since a time can be brought back.
        time.sleep(2 * self.dice.random() ** 2)
        with self.after_cut([self.mirror.service]) as other:
            other.mirror.start()
            other.recover(self.model)

    def recover(self, model):
        # `model`: when the power was cut.
        # What was touched since the last rest may be as it was, or as it is.
        kept = (model.before.items() & model.links.items()) - model.put_since
        gone = {pair for pair, (*_, is_certain) in model.went.items() if is_certain} - model.links.items()

        def problems():
            links = {place: thing.day for place, thing in self.seen().items() if thing.day}
            found = [f"not so any more: {pair}" for pair in kept - links.items()]
            found += [f"so again: {pair}" for pair in gone & links.items()]
            days = {str(day) for day in links.values()}
            for told in self.told():
                found += [f"{told.get(day)} is told of {day}" for day in days ^ told.keys()]
                found += [f"{day} is not told since {added}: {told[day]}" for day, added in model.since.items()
                          if day in told and told[day][1] != added]
            return found

        settle(problems, "a power cut")
        made = [made for made in model.brought_back() if made.required]
        self.mirror.run("favorites", "restore", "--since", written(self.walk.began))
        settle(lambda: self.model.unmade(made, self.seen()), "restore after a power cut")

    # What is seen.
    def mark(self, path):
        facts = os.lstat(path)
        if stat.S_ISLNK(facts.st_mode):
            return ("link", facts.st_ino, os.readlink(path))
        if stat.S_ISREG(facts.st_mode):
            return ("file", facts.st_ino, hashlib.sha256(contents(path)).hexdigest()[:12])
        return (stat.S_IFMT(facts.st_mode), facts.st_ino)

    def seen(self):
        # All that is in the folder: what the mirror's own links lead to, and marks of everything else.
        things = {}
        for folder, folders, names in os.walk(self.mirror.favorites):
            folders[:] = [name for name in folders if name != ".sh_thumbnails"]
            for name in names + [name for name in folders if islink(join(folder, name))]:
                path = join(folder, name)
                place, mark = relpath(path, self.mirror.favorites), self.mark(path)
                things[place] = Thing(None, mark)
                if mark[0] == "link" and isfile(path) and mark[2].startswith(up(place)):
                    top, *below = mark[2][len(up(place)):].split("/")
                    if top == "lists":
                        things[place] = Thing(Item(below[0], below[-1].rpartition(".")[0]))
                    elif top.isdigit():
                        things[place] = Thing(datetime.date.fromisoformat(below[-1][:10]))
        return things

    def told(self):
        # The favorites, as the command and favorites.json name them.
        facts = lambda entries: {subject(entry): (tuple(sorted(entry["links"])), entry["added"]) for entry in entries
                                 if "ended" not in entry}
        try:
            filed = facts(json.loads(contents(join(self.root, "favorites.json"))))
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
                days[str(thing.day)] = (*days.get(str(thing.day), ()), place)
        for source, told in zip(("favorites --json", "favorites.json"), self.told()):
            wanted = {day: (links, self.model.since.get(day) or told.get(day, (0, 0))[1]) for day, links in days.items()}
            if told != wanted:
                return [f"{source} has {told.items() - wanted.items()} and not {wanted.items() - told.items()}"]
        status = self.mirror.status()
        wanted = {"unrecognised": sum(not thing.day for thing in seen.values()), "pending": 0}
        return [f"status has {name} {status[name]} and not {count}" for name, count in wanted.items() if status[name] != count]

    def rest(self):
        # Waits until all that was done is seen, and it is as the model says.
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
            is_there = self.model.things.get(place) is thing
            if is_there and os.readlink(self.path(place)) == form:
                continue
            self.rewritten += [(place, form)] * is_there
            del self.said[place]
        self.walk.step(f"rest: {len(self.model.favorites)} favorites, {len(self.model.links)} links")
        self.done, self.rest_now, self.since_rest = [], False, now

    def run(self, steps):
        os.symlink(self.root, join(dirname(self.root), "alias"))
        self.mirror.run("sync")
        if self.power:
            self.WEIGHTS = self.WEIGHTS | {"cut": 15}
        self.mirror.start()
        for _ in range(steps):
            self.act()
            if self.done and (self.rest_now or self.dice.random() < 0.5):
                self.rest()
        self.rest()
        self.finish()

    def finish(self, made=()):
        # All that went comes back, and perhaps what is `made`, too. The history tells all.
        self.model.made = [*self.model.brought_back(), *made]
        self.mirror.run("favorites", "restore", "--since", written(self.walk.began))
        self.rest()
        self.look_back()

    def look_back(self):
        # Every change is in the history, which leads to what is told; and the tree is whole.
        entries = self.mirror.run("favorites", "history", "--json")
        since, wrong = fold(entries)
        told = {day: added for day, (_, added) in self.told()[0].items()}
        wrong += [f"by it, the favorites are {since} and not {told}"] * (since != told)
        ids = {str(item): item.id for item in self.here if isinstance(item, Item)}
        wrong += [f"the id of {entry}" for entry in entries + self.mirror.run("favorites", "--json")
                  if entry.get("id", "") != ids.get(subject(entry), "")]
        was = {(entry["link"], entry.get("was")) for entry in entries}
        wrong += [f"{pair} was rewritten" for pair in self.rewritten if pair not in was]
        for day, is_new, began, now in self.changes:
            words = ("came", "moved") if is_new else ("went",)
            if not any(subject(entry) == str(day) and entry["change"] in words and began - 1 <= moment(entry["time"]) <= now + 1
                       for entry in entries):
                wrong.append(f"{day} was {' or '.join(words)} between {began} and {now}")
        if wrong:
            raise Violation(f"the history does not say: {wrong}")
        self.mirror.verify()


take = Walk.take
