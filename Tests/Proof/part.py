# One part of the proof: bounded in time, replayable by its seed, told as one row.
import contextlib
import functools
import itertools
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
class Part:
    # What it is taken with. `case`: the one that is taken alone. `power`: where the power can be cut.
    seed: int
    seconds: int
    program: str
    folder: str
    case: str = None
    power: object = None
    # How many cases were taken, of how many where they can be counted; by its words, what was not as it must be, and how to see
    # it again.
    cases: int = 0
    total: int = None
    fell: dict = field(default_factory=dict)
    note: str = ""
    # What occurred (sometimes.py).
    seen: set = field(default_factory=set)
    began: float = field(default_factory=time.monotonic)

    @property
    def left(self):
        # Seconds.
        return self.began + self.seconds - time.monotonic()

    def fall(self, where, error):
        # What falls again and again, with other numbers, is told once.
        self.fell.setdefault(re.sub(r"\d+", "", str(error))[:40], f"{where}: {words_of(error)[:6000]}")

    @contextlib.contextmanager
    def falls(self, where):
        try:
            yield
        except Exception as error:
            self.fall(where, error)

    def lanes(self, count, cases, work):
        # `work(lane, case)` for each, so many side by side, until the time is over or much has fallen; or for the one case.
        cases, lock = iter([self.case] if self.case else cases), threading.Lock()

        def lane(number):
            while True:
                with lock:
                    case = next(cases, None) if len(self.fell) < 10 and (self.case or self.left > 0) else None
                if case is None:
                    return
                with self.falls(f'--case "{case}"'):
                    work(number, case)
                with lock:
                    self.cases += 1

        together(*(functools.partial(lane, number) for number in range(count)))

    def rounds(self, work, kinds=("round",), count=1):
        # `work(lane, kind, number)` for rounds of these kinds in turn.
        self.lanes(count, (f"{kind} {number}" for number, kind in enumerate(itertools.cycle(kinds))), lambda lane, case: work(
            lane, case.split()[0], int(case.split()[1])))


class Shared:
    # What copies of a player have in common.

    def __deepcopy__(self, memo):
        return self


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
