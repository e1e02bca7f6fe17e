# One part of the proof: bounded in time, replayable by its seed, told as one row.
import functools
import os
import pickle
import re
import shutil
import subprocess
import threading
import time
import traceback
from dataclasses import dataclass, field
from os.path import abspath, dirname, join, realpath


class Violation(Exception):
    # The program did what it must not do.
    pass


def words_of(error):
    return str(error) if isinstance(error, Violation) else traceback.format_exc()


def compiled(name, folder):
    # A library to be loaded before a program, from the source of that name; by Swift's compiler where there is no other.
    library = join(folder, name + ".so")
    compiler = shutil.which("cc") or join(dirname(realpath(shutil.which("swift") or "")), "clang")
    source = join(dirname(abspath(__file__)), name + ".c")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


@dataclass
class Figures:
    # `total`: how many cases there are in all, where they can be counted. `fell`: what was not as it must be, and how to
    # see it again.
    cases: int = 0
    total: int = None
    fell: dict = field(default_factory=dict)
    note: str = ""

    def fall(self, where, error, is_once=False):
        # `is_once`: what falls again and again, with other numbers, is told once.
        words = words_of(error)
        key = re.sub(r"\d+", "", words)[:40] if is_once else where
        self.fell.setdefault(key, f"{where}: {words[:6000]}")

    def count(self, counts):
        self.cases, self.note = sum(counts.values()), ", ".join(f"{count} {name}" for name, count in counts.items())


class Shared:
    # What copies of a player have in common.

    def __deepcopy__(self, memo):
        return self


class Clock:
    # The time that a part may take.

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    @property
    def left(self):
        return self.end - time.monotonic()

    def rounds(self, figures, case):
        # Their numbers, until the time is over or much has fallen; one case alone.
        number = int(case or 0)
        while len(figures.fell) < 5:
            yield number
            number += 1
            if case or self.left < 0:
                return


def become(user, groups=()):
    os.setgroups(groups)
    os.setgid(user)
    os.setuid(user)


def forked(work):
    # In a process of its own. Returns what waits for its end and for what `work` returned; None where it returned nothing.
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(work(), pipe)
        os._exit(0)
    os.close(writing)

    def ended():
        with os.fdopen(reading, "rb") as pipe:
            told = pipe.read()
        os.waitpid(pid, 0)
        return pickle.loads(told) if told else None

    return ended


def together(*works):
    # Side by side, until all have ended.
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def lanes(figures, count, cases, work):
    # `work(lane, case)` for each, so many side by side. What falls is named by its case, unless `work` names it.
    cases, lock = iter(cases), threading.Lock()

    def lane(number):
        while True:
            with lock:
                case = next(cases, None)
            if case is None or len(figures.fell) > 9:
                return
            try:
                work(number, case)
            except Exception as error:
                figures.fall(f'--case "{case}"', error)
            with lock:
                figures.cases += 1

    together(*(functools.partial(lane, number) for number in range(count)))


def watched(process, limit=600):
    # Waits for a command: (its status, seconds of processor time, KB of memory at most); its status is None if it had to be
    # ended. getrusage(2) would count the memory of the one who began it, too.
    memory, end = 0, time.monotonic() + limit
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode if time.monotonic() < end else None, usage.ru_utime + usage.ru_stime, memory
        memory = max(memory, peak(process))
        if time.monotonic() > end:
            process.kill()
        time.sleep(0.003)


def peak(process, mark="VmHWM"):
    # KB; 0 where it has just ended.
    try:
        with open(f"/proc/{process.pid}/status") as file:
            return int(file.read().partition(f"{mark}:")[2].split()[0])
    except (OSError, IndexError):
        return 0
