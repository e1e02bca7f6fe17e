"""One mirror on which all act side by side: a service that is killed now and then, commands, hearts on the web, members who
drop and remove links and rename albums, and an upstream that corrects. Between rounds, all is as the model says.

Each actor takes steps by the seed, in a thread of its own. The threads meet as they do: the same seed is the same steps in
another order. Each has days of its own to make favorites of; the upstream corrects them all.
"""
import copy
import hashlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import threading
import time
import traceback
import urllib.parse

import corrections
import favorites
from mirror import Mirror, Violation, Walk, last_days, settle, until, written
from model import Made, Model, fold
from part import Clock, Figures
from upstream import Upstream

STEPS = 15
WORLDS = 3
ENDS = (".jpg", ".png", ".gif", ".mp4", ".html")


class Member(favorites.Walk):
    """One who works in albums of his own, and at first knows only his own things."""

    ACTS = {"link": 14, "hard_link": 2, "copied": 2, "remove": 10, "rename": 6, "rename_album": 3, "remove_album": 1, "replace": 4}

    def new_name(self):
        return f"{self.name} {super().new_name()}"

    def album(self):
        albums = sorted({place.rpartition("/")[0] for place in self.model.things} - {""})
        album = self.dice.choice(["", *albums, f"{self.name} {self.dice.randrange(4)}"])
        os.makedirs(self.path(album), exist_ok=True)
        return album

    def rename_album(self):
        album, to = self.dice.choice(self.albums() or [None]), self.new_name()
        if album:
            os.rename(self.path(album), self.path(to))
            self.model.move(album, to)
        return album and f"rename album {album!r} to {to!r}"

    def steady(self, act):
        """With days whose files stay the same."""
        here, self.here = self.here, self.still
        told = act()
        self.here = here
        return told

    def copied(self):
        return self.steady(super().copied)

    def hard_link(self):
        return self.steady(super().hard_link)

    def step(self):
        name = self.dice.choices(list(self.ACTS), list(self.ACTS.values()))[0]
        told = getattr(self, name)()
        return told and f"{self.name}: {told}"


class Hands:
    """Makes favorites of some days, and ends them. `model`: the whole folder's, at the last rest."""

    def __init__(self, side, name, days):
        self.side, self.name, self.days, self.dice = side, name, days, random.Random(f"{side.walk.seed} {name}")
        # What went, and days that were no favorite any more: `restore` may make their links again.
        self.went, self.ever_ended = set(), set()
        self.begin()

    def begin(self):
        """A round: what is a favorite, what each day's links are by then, and what is about to be made."""
        model = self.side.model
        self.is_favorite = {day: day in model.favorites for day in self.days}
        self.places = {day: list(model.favorites.get(day, [])) for day in self.days}
        self.made, self.ended = {day: [] for day in self.days}, set()

    def step(self):
        day = self.dice.choice(self.days)
        if not self.is_favorite[day]:
            is_undone = day in self.ended and self.dice.random() < 0.5
            self.change(day, "undo" if is_undone else "add")
            self.made[day] = [Made("", day, ENDS, not is_undone)]
            # What went before may come again, too.
            self.made[day] += [Made.again(place, day, False) for place, other in self.went if other == day]
            self.is_favorite[day] = True
            return f"{self.name}: {'undo' if is_undone else 'add'} {day}"
        self.change(day, "remove")
        self.is_favorite[day], self.made[day] = False, []
        self.went |= {(place, day) for place in self.places[day]}
        self.ended.add(day)
        self.ever_ended.add(day)
        self.places[day] = []
        return f"{self.name}: remove {day}"

    def change(self, day, action):
        """Again, until it is said to be done: the service may end meanwhile. Then it is done, unless a command that writes
        alone is in the way, as it says."""
        if not until(lambda: self.ask(day, action) or self.is_done(day, action), 60):
            raise Violation(f"{self.name} cannot {action} {day}: {self.said}")
        if not until(lambda: self.is_done(day, action), 60 if "it counts after" in f"{self.said}" else 0):
            raise Violation(f"{self.name} was told that {action} {day} is done: {self.said}")

    def is_done(self, day, action):
        told = {entry["date"] for entry in self.side.mirror.run("favorites", "--json")}
        return (f"{day}" in told) == (action != "remove")


class Commands(Hands):
    def ask(self, day, action):
        """Whether it is said to be done."""
        word = {"undo": "restore"}.get(action, action)
        try:
            self.said = self.side.mirror.run("favorites", word, f"{day}")
            return True
        except Violation as error:
            self.said = error
            return False


class Web(Hands):
    def ask(self, day, action):
        status, self.said = self.side.ask("POST", f"/favorites/{day}", {"X-Apod-Favorite": action})
        if status not in (None, 200, 202, 403, 409, 503):
            raise Violation(f"{action} {day} on the web is answered with {status}: {self.said}")
        return status == 200


class Nasa(corrections.Walk):
    """Corrects, and asks for it."""

    ACTS = {"text": 6, "change": 4, "move": 4, "sync": 8, "revert": 2}

    def sync(self):
        self.mirror.run("sync", statuses=(0, 1))
        self.look()
        return "sync"

    def some(self):
        return self.dice.choice(self.moving)

    def revert(self):
        day = self.some()
        self.mirror.run("revert", f"{day}", statuses=(0, 1))
        # Until the next look, its files may be fetched again: with other words, the version that went does not come back.
        self.last = {path: seen for path, seen in self.last.items() if f"/{day} " not in path}
        return f"revert {day}"

    def step(self):
        name = self.dice.choices(list(self.ACTS), list(self.ACTS.values()))[0]
        told = getattr(self, name)()
        return told and f"NASA: {told}"


class Side(favorites.Walk):
    def __init__(self, walk, program):
        upstream, days = Upstream(), last_days(20)
        mirror = Mirror(walk, program, upstream, f"since = {days[-1]}\nrecheck-days = 24\nweb-favorites = yes\n", "disk")
        super().__init__(walk, program, None, mirror, days)
        kinds = dict(zip(days, ["picture", "picture", "video", "picture", "embedded"] * 4))
        self.nasa = Nasa(walk, program, None, mirror, kinds)
        self.nasa.moving = days[:15]
        self.members = []
        for name, its in (("Ann", days[0:15:3]), ("Bob", days[0:15:3])):
            member = Member(walk, program, None, mirror, [*its, *days[15:]])
            member.name, member.still, member.dice = name, days[15:], random.Random(f"{walk.seed} {name}")
            self.members.append(member)
        os.makedirs(self.aside)
        self.hands = [Commands(self, "command", days[1:15:3]), Web(self, "web", days[2:15:3])]
        self.steps, self.fallen, self.web = 0, [], None

    # The web.
    def serve(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        with open(os.path.join(self.walk.folder, "web"), "ab") as output:
            words = ["serve", "--config", self.mirror.settings, "--listen", f"127.0.0.1:{self.port}"]
            self.web = subprocess.Popen([self.mirror.program, *words], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                        env=self.mirror.environment)
        if not until(lambda: self.ask("GET", "/health")[0] in (200, 503)):
            raise Violation("the web does not answer")

    def ask(self, method, path, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, urllib.parse.quote(os.fsencode(path)), headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except ConnectionRefusedError:
            return None, b""
        finally:
            connection.close()

    # A round.
    def round(self):
        for hand in self.hands:
            hand.begin()
        for member in self.members:
            member.model = Model()
            member.model.things = {place: thing for place, thing in self.model.things.items() if place.startswith(member.name)}
        threads = [threading.Thread(target=self.act, args=(actor,)) for actor in (*self.members, *self.hands, self.nasa, self)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.fallen:
            raise Violation(self.fallen[0])
        things = {place: thing for member in self.members for place, thing in member.model.things.items()}
        for hand in self.hands:
            things |= {place: self.model.things[place] for places in hand.places.values() for place in places}
            self.model.made += [made for each in hand.made.values() for made in each]
        for place in [place for place in self.model.things if place not in things]:
            self.model.drop(place)
        for place, thing in things.items():
            if self.model.things.get(place) != thing:
                self.model.put(place, thing)
        # What a member put and took away again may be remembered as well.
        for member in self.members:
            self.model.put_since |= member.model.put_since
        self.done = ["many", "many"]

    def act(self, actor):
        try:
            for _ in range(STEPS):
                told = actor.step()
                if told:
                    self.walk.step(told)
                    self.steps += 1
                time.sleep(actor.dice.choice([0, 0, 0.02, 0.1, 0.3]))
        except Exception as error:
            self.fallen.append(f"{error}" if isinstance(error, Violation) else traceback.format_exc())

    def step(self):
        """The machine's own."""
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
            """A file may change without a word of its server, so each day is asked for, which ends what was reverted."""
            self.mirror.run("sync", *map(str, self.here), statuses=(0, 1))
            self.nasa.look()
            return [line for day in self.here for line in self.nasa.lacks(day)]

        settle(lacking, "a round")
        self.rest()
        since, told = fold(self.mirror.run("favorites", "history", "--json"))
        known = {day: added for day, (_, added) in self.told()[0].items()}
        if told or since != known:
            raise Violation(f"by the history, the favorites are {since} and not {known}; {told}")
        status, body = self.ask("GET", "/favorites.json")
        if status != 200 or {entry["date"] for entry in json.loads(body) if "ended" not in entry} != known.keys():
            raise Violation(f"the web has other favorites: {status} {body[:2000]}")
        for place, day in self.dice.sample(sorted(self.model.links.items()), min(3, len(self.model.links))):
            status, body = self.ask("GET", f"/favorites/{place}")
            with open(self.path(place), "rb") as file:
                if status != 200 or hashlib.sha256(file.read()).digest() != hashlib.sha256(body).digest():
                    raise Violation(f"{place!r} is answered with {status} and {len(body)} bytes on the web")

    def run(self, clock, is_well):
        self.mirror.run("sync")
        self.nasa.look()
        self.rest_now, self.since_rest = False, time.time()
        try:
            self.mirror.start()
            self.serve()
            while clock.left > 0 and is_well():
                self.round()
                self.check()
            self.model.made = self.model.brought_back()
            self.model.made += [Made("", day, ENDS, False) for hand in self.hands for day in hand.ever_ended]
            self.mirror.run("favorites", "restore", "--since", written(self.walk.began))
            self.rest()
            self.look_back()
        finally:
            for process in (self.mirror.service, self.web):
                if process:
                    process.kill()
                    process.wait()


def take(seed, seconds, program, folder):
    clock, figures = Clock(seconds), Figures()

    def work(number):
        place = os.path.join(folder, f"world-{number}")
        os.makedirs(place)
        walk, side = Walk("side", f"{seed} {number}", place), None
        try:
            side = Side(walk, program)
            side.run(clock, lambda: not figures.fell)
        except Exception as error:
            told = f"{error}" if isinstance(error, Violation) else traceback.format_exc()
            figures.fell.append("\n".join([*walk.steps[-60:], told]))
        figures.cases += side.steps if side else 0

    workers = [threading.Thread(target=work, args=(number,)) for number in range(WORLDS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    figures.note = "steps"
    return figures
