"""One part of the proof: bounded in time, replayable by its seed, told as one row."""
import os
import shutil
import subprocess
import time
from dataclasses import asdict, dataclass, field


def compiled(name, folder):
    """A library to be loaded before a program, from the source of that name; by Swift's compiler where there is no other."""
    library = os.path.join(folder, name + ".so")
    compiler = shutil.which("cc") or os.path.join(os.path.dirname(os.path.realpath(shutil.which("swift") or "")), "clang")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".c")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


@dataclass
class Figures:
    """`total`: how many cases there are in all, where they can be counted. `fell`: what was not as it must be, and how to
    see it again."""
    cases: int = 0
    total: int = None
    fell: list = field(default_factory=list)
    note: str = ""

    fields = asdict


class Clock:
    """The time that a part may take."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    @property
    def left(self):
        return self.end - time.monotonic()


def watched(process, limit=600):
    """Waits for a command: (its status, seconds of processor time, KB of memory at most); its status is None if it had to be
    ended. getrusage(2) would count the memory of the one who began it, too."""
    memory, end = 0, time.monotonic() + limit
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode if time.monotonic() < end else None, usage.ru_utime + usage.ru_stime, memory
        memory = max(memory, peak(process.pid))
        if time.monotonic() > end:
            process.kill()
        time.sleep(0.003)


def peak(process):
    """KB; 0 where it has just ended."""
    try:
        with open(f"/proc/{process}/status") as file:
            return int(file.read().partition("VmHWM:")[2].split()[0])
    except (OSError, IndexError):
        return 0
