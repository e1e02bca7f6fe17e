# What product.md says of the favorites folder, after what was done to it.
import datetime
import re
from dataclasses import dataclass, field

# The name that `ln -sf` gives for a moment may be remembered as a link that went, and comes again then.
LN_NAME = re.compile(r"(^|/)Cu[A-Za-z0-9]{6}$")
# A link that came so many seconds before another of its day went may count as the one that went, moved.
SHORTLY = 5


@dataclass(frozen=True)
class Thing:
    # A link that counts (`day`: also an item of a list), or what is a person's own (`mark`).
    day: object = None
    # What must stay as it is: kind, inode, content.
    mark: tuple = None


@dataclass(frozen=True)
class Made:
    # A link that the program makes: one in this album to this day, whose name ends with one of these.
    album: str
    day: object
    names: tuple
    required: bool = True

    @classmethod
    def again(cls, place, day, required=True):
        # What was deleted: by its name, or where that is taken, by one that ends so.
        album, _, name = place.rpartition("/")
        return cls(album, day, (name,), required)

    def fits(self, place, day):
        album, _, name = place.rpartition("/")
        return day == self.day and album == self.album and name.endswith(self.names)


class Model:
    def __init__(self):
        # By place: the path from favorites on.
        self.things = {}
        # What the program is about to make.
        self.made = []
        # When each day became a favorite, as first told.
        self.since = {}
        # Links that went, by place and day: (the earliest time, the latest, whether it is certain that it is remembered).
        self.went = {}
        # At the last rest: what there was. When each day had gained links, as seen at a rest.
        self.before, self.touched = {}, {}
        # Links that were put since the last rest.
        self.put_since = set()

    # What is done to the folder.
    def put(self, place, thing):
        self.things[place] = thing
        if thing.day:
            self.put_since.add((place, thing.day))

    def drop(self, place):
        # What is there, and all that is below it.
        for other in self.below(place):
            del self.things[other]

    def move(self, place, to):
        for other in self.below(place):
            self.put(to + other[len(place):], self.things.pop(other))

    def below(self, place):
        return [other for other in self.things if other == place or other.startswith(place + "/")]

    # What follows.
    @property
    def links(self):
        return {place: thing.day for place, thing in self.things.items() if thing.day}

    @property
    def favorites(self):
        days = {}
        for place, day in sorted(self.links.items()):
            days.setdefault(day, []).append(place)
        return days

    def brought_back(self, since=None, days=None):
        # What `restore` makes.
        result = []
        for (place, day), (first, last, certain) in self.went.items():
            if self.links.get(place) == day or days is not None and day not in days or since and last < since:
                continue
            result.append(Made.again(place, day, certain and not (since and first <= since)))
        return result

    def differences(self, seen):
        # `seen`: things by their places, where a link is one as the mirror makes it. What the program made is learned.
        told = []
        for place, thing in seen.items():
            if place in self.things or not thing.day:
                continue
            if LN_NAME.search(place) or any(made.fits(place, thing.day) for made in self.made):
                continue
            told.append(f"{place!r} leads to {thing.day}, and nobody put it there")
        told += self.unmade([made for made in self.made if made.required], seen)
        for place, thing in self.things.items():
            if seen.get(place) != thing:
                told.append(f"{place!r} is {seen.get(place)} and not {thing}")
        for place, thing in seen.items():
            if place not in self.things and not thing.day:
                told.append(f"{place!r} is {thing} and nobody put it there")
        return told

    @staticmethod
    def unmade(made, seen):
        return [f"no link like {each.names} to {each.day} in {each.album!r}" for each in made
                if not any(each.fits(place, thing.day) for place, thing in seen.items())]

    def settle(self, seen, began, now, single):
        # `began`, `now`: when what was done since the last rest began, and when all of it had been seen. `single`: it was
        # one step, so that a link which took another's place did so at once.
        self.things, self.made = dict(sorted(seen.items())), []
        links = self.links
        lost = [(place, day) for place, day in self.before.items() if links.get(place) != day]
        gained = [day for place, day in links.items() if self.before.get(place) != day]
        touched = {*gained, *(day for _, day in self.put_since)}
        for place, day in lost:
            if single and gained.count(day) >= sum(other == day for _, other in lost):
                continue
            # A link that came shortly before may count as one that came instead.
            self.went[place, day] = (began, now, day not in touched and self.touched.get(day, 0) < began - SHORTLY)
        self.touched |= dict.fromkeys(touched, now)
        for place, day in self.put_since - set(links.items()) - set(self.before.items()):
            self.went[place, day] = (self.went.get((place, day), (began,))[0], now, False)
        for pair in links.items():
            self.went.pop(pair, None)
        self.before, self.put_since = links, set()


class Versions:
    # What product.md says of one day's text and files: which version it shows, and which were set aside.

    def __init__(self, now):
        # Each is (title, explanation, the files' roles and SHA-256s). `former`: the one that `revert` brings back comes last.
        # `undone`: what the last revert took away.
        self.now, self.former, self.aside, self.undone = now, [], set(), None

    def correct(self, version):
        # A record of NASA's has come. Files that `revert` set aside do not come with it again.
        title, text, files = version
        version = (title, text, self.now[2] if files in self.aside else files)
        if version != self.now:
            self.former.append(self.now)
            self.now, self.undone = version, None

    def revert(self, now):
        # Said again, it may lead back or to an older one. `now`: what it has led to. Returns whether there was one.
        if not self.former:
            return False
        back = self.former.pop(0 if now == self.undone == self.former[0] else -1)
        if back[2] != self.now[2]:
            self.aside.add(self.now[2])
        self.aside.discard(back[2])
        self.former.insert(0, self.now)
        self.now, self.undone = back, self.now
        return True

    def differences(self, now, texts, digests):
        # `texts`, `digests`: of what is among the replaced.
        told = [f"it is {now} and not {self.now}"] * (now != self.now)
        told += [f"{version[:2]} is not among the replaced" for version in self.former if version[:2] not in texts
                 and version[:2] != self.now[:2]]
        told += [f"{text} is among the replaced, and was never published" for text in texts
                 # A text may come before its file.
                 if text not in {version[:2] for version in (*self.former, self.now)}]
        told += [f"{role} {digest} is not among the replaced" for version in self.former
                 for role, digest in version[2] - self.now[2] if digest not in digests]
        return told


@dataclass(frozen=True, order=True)
class Item:
    # An item of another list, which stands where a day does, by its name. It has no date, or names that begin with one.
    list: str
    name: str
    id: str = field(compare=False, default="")

    def __str__(self):
        return f"{folder(self)}/{self.name}"


def folder(day):
    # Where the files of a day or of an item are, below the root.
    if not isinstance(day, Item):
        return f"{day:%Y/%m}"
    return f"lists/{day.list}" + (f"/{day.name[:4]}" if re.match(r"\d{4}-\d\d-\d\d ", day.name) else "")


def subject(entry):
    # What an entry of favorites.json or of the history is of, in words.
    return entry.get("date") or str(Item(entry["list"], entry["name"]))


def fold(history):
    # The favorites by the history (`favorites history --json`, the newest first), and since when each is one; and what is
    # no history.
    links, since, ended, told = {}, {}, {}, []
    for entry in reversed(history):
        day, change, time, link = subject(entry), entry["change"], entry["time"], entry["link"]
        there = links.setdefault(day, set())
        gone = {"came": None, "moved": entry.get("from"), "went": link}[change]
        if gone and gone not in there:
            told.append(f"{gone} to {day} {change} at {time}, and was not there")
        if change != "went":
            there.add(link)
            if day not in since:
                first, end = ended.pop(day, (time, time))
                since[day] = first if moment(time) - moment(end) < 365 * 86400 else time
        there.discard(gone)
        if not there and day in since:
            ended[day] = since.pop(day), time
    return since, told


def moment(time):
    return datetime.datetime.fromisoformat(time).timestamp()
