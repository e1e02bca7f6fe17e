# Puts links into the favorites folder of a mirror and tells how long it takes until they are remembered, or noticed.
#
# usage: favorites.py single ROOT FILES COUNT          median and 99th percentile until remembered, in ms, and
#                                                      those of a plain loop that does it without looking, beside it
#        favorites.py burst ROOT FILES COUNT           s from the first until all are remembered
#
# FILES has a line for each file that there is to link to, as 2026/11/2026-11-20 Orion Rising.jpg. Remembered is what the history
# has a line of, once it is on the disk: whoever sees the line syncs the file, too.
import ctypes
import os
import sys
import time
from os.path import basename, join

# Seconds between links.
APART = 0.02
# PR_SET_TIMERSLACK (prctl(2)): otherwise it would see everything 50 µs late. Whoever looks takes no processor away from the
# mirror (sched(7)).
ctypes.CDLL(None).prctl(29, 1)
os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
command, root, files, count = sys.argv[1:]
count, own, now = int(count), join(root, ".apod-mirror"), time.monotonic
with open(files, "rb") as lines:
    targets = lines.read().splitlines()


def link(folder, number):
    # A name of its own and a target as the mirror writes it.
    target = targets[number % len(targets)]
    name = b"%06d %s" % (number, basename(target))
    os.symlink(b"../" + target, name, dir_fd=folder)
    return name


class History:
    def __init__(self):
        self.file = os.open(join(own, "history"), os.O_RDWR | os.O_CREAT, 0o644)
        os.lseek(self.file, 0, os.SEEK_END)

    def wait(self, wanted, count, pause, limit):
        # Until so many lines of a link that came, or this one's, are on the disk.
        end, rest = now() + limit, b""
        while count > 0:
            *lines, rest = (rest + os.read(self.file, 1 << 20)).split(b"\n")
            count -= sum(b'"change":"came"' in line and wanted in line for line in lines)
            if now() > end:
                sys.exit(f"{count} links have not been remembered")
            if count > 0 and not lines:
                time.sleep(pause)
        os.fdatasync(self.file)


def single():
    folder = os.open(join(root, "favorites"), os.O_RDONLY)
    history, beside = History(), join(own, "plain")
    os.mkdir(beside)
    beside, lines = os.open(beside, os.O_RDONLY), os.open(join(own, "lines"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    times, plain = [], []
    for number in range(count):
        time.sleep(APART)
        start = now()
        history.wait(b'"link":"%s"' % link(folder, number), 1, 3e-5, 30)
        times.append(now() - start)
        # One after the other: the disk is as busy for both. Nobody can do without the link, its folder on the disk, and a line.
        time.sleep(APART)
        start = now()
        name = link(beside, number)
        os.fsync(beside)
        os.write(lines, b'{"link":"%s"}\n' % name)
        os.fdatasync(lines)
        plain.append(now() - start)
    for found in sorted(times), sorted(plain):
        print(f"{found[count // 2] * 1000:.3f} {found[count * 99 // 100] * 1000:.3f}", end=" ")


def burst():
    folder, history, first = os.open(join(root, "favorites"), os.O_RDONLY), History(), now()
    for number in range(count):
        link(folder, number)
    history.wait(b"", count, 2e-4, 60)
    print(f"{now() - first:.3f}")


burst() if command == "burst" else single()
