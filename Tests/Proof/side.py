# One mirror on which all act side by side: a service that is killed now and then, commands, hearts on the web, members who
# drop and remove links and rename albums, and an upstream that corrects. Between rounds, all is as the model says.
#
# Each actor takes steps by the seed, in a thread of its own. The threads meet as they do: the same seed is the same steps in
# another order. Each has days of its own to make favorites of; the upstream corrects them all.
import functools
import json
import random
import signal
import time
from os.path import join

import corrections
import favorites
from favorites import ENDS
from mirror import Mirror, Walk, contents, last_days, settle, until
from model import Made, Model
from part import Violation, together
from upstream import Upstream

STEPS = 15
WORLDS = 3
# A service that starts waits for commands that write alone; on a busy machine, one after the other for more than a minute.
PATIENCE = 240


class Member(favorites.Walk):
    # One who works in albums of his own, and at first knows only his own things.
    WEIGHTS = {"link": 14, "hard_link": 2, "copied": 2, "remove": 10, "rename": 6, "rename_album": 3, "remove_album": 1, "replace": 4}

    def new_name(self):
        return f"{self.name} {super().new_name()}"

    def new_albums(self):
        return [f"{self.name} {self.dice.randrange(4)}"]

    def rename_album(self):
        return self.renamed(self.some(self.albums), self.new_name())

    # Of days whose files stay the same.
    def copied(self):
        return self.among(self.still, super().copied)

    def hard_link(self):
        return self.among(self.still, super().hard_link)


class Hands:
    # Makes favorites of some days, and ends them. `model`: the whole folder's, at the last rest.

    def __init__(self, side, name, days):
        self.side, self.name, self.days, self.dice = side, name, days, random.Random(f"{side.walk.seed} {name}")
        # What went, and days that were no favorite any more: `restore` may make their links again.
        self.went, self.ever_ended = set(), set()
        self.begin()

    def begin(self):
        # A round: what is a favorite, what each day's links are by then, and what is about to be made.
        self.places = {day: list(self.side.model.favorites.get(day, [])) for day in self.days}
        self.favorites = {day for day in self.days if self.places[day]}
        self.made, self.ended = {day: [] for day in self.days}, set()

    def act(self):
        day = self.dice.choice(self.days)
        if day not in self.favorites:
            action = "undo" if day in self.ended and self.dice.random() < 0.5 else "add"
            self.change(day, action)
            # What went before may come again, too.
            self.made[day] = [Made("", day, ENDS, action == "add"),
                              *(Made.again(place, day, False) for place, other in self.went if other == day)]
            self.favorites.add(day)
        else:
            action = "remove"
            self.change(day, action)
            self.favorites.remove(day)
            self.made[day] = []
            self.went |= {(place, day) for place in self.places[day]}
            self.ended.add(day)
            self.ever_ended.add(day)
            self.places[day] = []
        self.side.walk.step(f"{self.name}: {action} {day}")
        return action

    def change(self, day, action):
        # Again, until it is said to be done: the service may end meanwhile. Then it is done, unless a command that writes
        # alone is in the way, as it says.
        if not until(lambda: self.ask(day, action) or self.is_done(day, action), PATIENCE):
            raise Violation(f"{self.name} cannot {action} {day}: {self.said}")
        if not until(lambda: self.is_done(day, action), 60 if "it counts after" in f"{self.said}" else 0):
            raise Violation(f"{self.name} was told that {action} {day} is done: {self.said}")

    def is_done(self, day, action):
        told = {entry["date"] for entry in self.side.mirror.run("favorites", "--json")}
        return (f"{day}" in told) == (action != "remove")


class Commands(Hands):
    def ask(self, day, action):
        # Whether it is said to be done.
        try:
            self.said = self.side.mirror.run("favorites", {"undo": "restore"}.get(action, action), f"{day}")
            return True
        except Violation as error:
            self.said = error
            return False


class Web(Hands):
    def ask(self, day, action):
        status, self.said = self.side.mirror.ask("POST", f"/favorites/{day}", {"X-Apod-Favorite": action})
        if status not in (None, 200, 202, 403, 409, 503):
            raise Violation(f"{action} {day} on the web is answered with {status}: {self.said}")
        return status == 200


class Nasa(corrections.Walk):
    # Corrects, and asks for it.
    name = "NASA"
    WEIGHTS = {"text": 6, "change": 4, "renew": 4, "sync": 8, "revert": 2}

    def renew(self):
        day = self.some_day()
        return self.become(day, self.upstream.days[day].kind)

    def sync(self):
        self.mirror.run("sync", statuses=(0, 1))
        self.look()
        return "sync"

    def some_day(self):
        return self.dice.choice(self.moving)

    def revert(self):
        day = self.some_day()
        self.mirror.run("revert", f"{day}", statuses=(0, 1))
        # Until the next look, its files may be fetched again: with other words, the version that went does not come back.
        self.last = {path: seen for path, seen in self.last.items() if f"/{day} " not in path}
        return f"revert {day}"


class Side(favorites.Walk):
    name = "the machine"

    def __init__(self, walk, program):
        upstream, days = Upstream(), last_days(20)
        mirror = Mirror(walk, program, upstream, f"since = {days[-1]}\nrecheck-days = 24\nweb-favorites = yes\n")
        super().__init__(walk, program, None, mirror, days)
        kinds = dict(zip(days, ["picture", "picture", "video", "picture", "embedded"] * 4))
        self.nasa = Nasa(walk, program, None, mirror, kinds)
        self.nasa.moving = days[:15]
        self.members = [Member(walk, program, None, mirror, [*days[0:15:3], *days[15:]]) for _ in range(2)]
        for member, name in zip(self.members, ("Ann", "Bob")):
            member.name, member.still, member.dice = name, days[15:], random.Random(f"{walk.seed} {name}")
        self.hands = [Commands(self, "command", days[1:15:3]), Web(self, "web", days[2:15:3])]
        self.steps, self.fallen = 0, []

    # A round.
    def round(self):
        for hand in self.hands:
            hand.begin()
        for member in self.members:
            member.model = Model()
            member.model.things = {place: thing for place, thing in self.model.things.items() if place.startswith(member.name)}
        together(*(functools.partial(self.play, actor) for actor in (*self.members, *self.hands, self.nasa, self)))
        if self.fallen:
            raise self.fallen[0]
        things = {place: thing for member in self.members for place, thing in member.model.things.items()}
        for hand in self.hands:
            things |= {place: self.model.things[place] for places in hand.places.values() for place in places}
            self.model.made += [made for each in hand.made.values() for made in each]
        for place in self.model.things.keys() - things.keys():
            self.model.drop(place)
        for place, thing in things.items():
            if self.model.things.get(place) != thing:
                self.model.put(place, thing)
        # What a member put and took away again may be remembered as well.
        for member in self.members:
            self.model.put_since |= member.model.put_since
        self.done = ["many", "many"]

    def play(self, actor):
        try:
            for _ in range(STEPS):
                self.steps += bool(actor.act())
                time.sleep(actor.dice.choice([0, 0, 0.02, 0.1, 0.3]))
        except Exception as error:
            self.fallen.append(error)

    def act(self):
        # The machine's own.
        if self.dice.random() < 0.1:
            self.mirror.end(self.dice.choice([signal.SIGKILL, signal.SIGTERM]))
            time.sleep(self.dice.choice([0, 0.2]))
            self.mirror.start(is_alone=False)
            return "restarted"
        # A busy service may leave it without an answer for two seconds: then it tells what the catalog says.
        status = self.mirror.status()
        if status["days"] != len(self.here):
            raise Violation(f"status has {status['days']} days and not {len(self.here)}")
        return None

    # A rest.
    def check(self):
        def lacking():
            # A file may change without a word of its server, so each day is asked for, which ends what was reverted.
            self.mirror.run("sync", *map(str, self.here), statuses=(0, 1))
            self.nasa.look()
            return [line for day in self.here for line in self.nasa.lacks(day)]

        settle(lacking, "a round")
        self.rest()
        self.look_back()
        status, body = self.mirror.ask("GET", "/favorites.json")
        if status != 200 or {entry["date"] for entry in json.loads(body) if "ended" not in entry} != self.told()[0].keys():
            raise Violation(f"the web has other favorites: {status} {body[:2000]}")
        for place, _ in self.dice.sample(sorted(self.model.links.items()), min(3, len(self.model.links))):
            status, body = self.mirror.ask("GET", f"/favorites/{place}")
            if status != 200 or contents(self.path(place)) != body:
                raise Violation(f"{place!r} is answered with {status} and {len(body)} bytes on the web")

    def run(self, part):
        self.mirror.run("sync")
        self.nasa.look()
        self.mirror.start()
        self.mirror.serve()
        while part.left > 0 and not part.fell:
            self.round()
            self.check()
        self.finish([Made("", day, ENDS, False) for hand in self.hands for day in hand.ever_ended])
        part.cases += self.steps


def take(part):
    part.note = "steps"
    part.lanes(WORLDS, range(WORLDS), lambda _, number: Side(Walk(f"{part.seed} {number}", join(part.folder, f"world-{number}")), part.program).run(part))
