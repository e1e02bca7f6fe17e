# Opens a mirror in Thunar, in a window that nobody sees, and looks for the colours of its pictures.
#
# usage: thumbnails.py ROOT FOLDER COLOURS [FOLDER COLOURS]...
#
# COLOURS are those that a folder's icons should have, row by row: `red,blue`. A folder that begins with + has no
# thumbnails of the mirror's; Thunar's own program makes them there, which it must not do anywhere else. One that begins with
# @ is mounted over sshfs first. Needs root, to be another person. Says what is wrong, and nothing else. SHOTS=FOLDER keeps
# the screenshots.

import contextlib
import itertools
import os
import subprocess
import sys
import tempfile
import time
from os.path import join

from PIL import Image, ImageChops

COLOURS = {"red": (220, 20, 20), "green": (20, 200, 20), "blue": (20, 20, 220)}
LEAST = 900  # pixels of an icon
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
# Another person, in a room of its own, so that all that it starts ends with it.
PERSON = "unshare --pid --fork --kill-child --mount-proc setpriv --reuid nobody --regid nogroup --clear-groups".split()
place = tempfile.mkdtemp(prefix="apod-mirror-window-")
os.chmod(place, 0o755)
home = join(place, "home")
wrong = []


def middles(picture, colour):
    # Of the icons of a colour, from left to right.
    width, height = picture.size
    bands = [band.point([255 * (abs(value - wanted) < 25) for value in range(256)])
             for band, wanted in zip(picture.split(), COLOURS[colour])]
    mask = ImageChops.darker(ImageChops.darker(bands[0], bands[1]), bands[2])
    # How many pixels of each column have the colour.
    near = [value * height / 255 for value in mask.resize((width, 1), Image.BOX).getdata()]
    runs = [(has, list(run)) for has, run in itertools.groupby(range(width), lambda x: near[x] > 10)]
    for has, run in runs:
        if has and sum(near[x] for x in run) >= LEAST:
            rows = mask.crop((run[0], 0, run[-1] + 1, height)).resize((1, height), Image.BOX).getdata()
            yield sum(run) / len(run), sum(y * row for y, row in enumerate(rows)) / sum(rows)


def icons(name):
    # Where they are in the window, and their colours.
    path = join(os.environ.get("SHOTS", place), f"{name}.png")
    subprocess.run(["import", "-silent", "-window", "root", path], check=True, timeout=20)
    picture = Image.open(path).convert("RGB")
    found = [(x, y, colour) for colour in COLOURS for x, y in middles(picture, colour)]
    top = min((y for _, y, _ in found), default=0)
    # A row may have room for three.
    return [(x, colour) for x, y, colour in sorted(found, key=lambda icon: ((icon[1] - top + 20) // 60, icon[0]))]


def look(folder, colours):
    # Where the icons are, as soon as they are all there, and in which window. Thunar now and then forgets one that is made
    # while the machine is busy, and asks for it again in the next.
    for window in range(3):
        thunar = subprocess.Popen([*PERSON, "dbus-run-session", "--", "thunar", folder], **QUIET, env={
            "PATH": os.environ["PATH"], "HOME": home, "XDG_RUNTIME_DIR": home, "LANG": "C.UTF-8", "DISPLAY": os.environ["DISPLAY"],
            "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"})
        try:
            deadline, found = time.monotonic() + 20, []
            while [colour for _, colour in found] != colours and time.monotonic() < deadline:
                time.sleep(0.2)
                found = icons(folder.strip("/").replace("/", "-")[-60:])
        finally:
            thunar.kill()
            thunar.wait()
        if [colour for _, colour in found] == colours:
            return found, window
    wrong.append(f"{folder}: expected {colours}, but saw {found}")
    return found, window


@contextlib.contextmanager
def over_sshfs(folder):
    mount, ssh = join(place, "nas"), join(place, "ssh")
    os.makedirs(mount)
    with open(ssh, "w") as file:
        file.write("#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n")
    os.chmod(ssh, 0o755)
    options = f"ssh_command={ssh},allow_other,default_permissions"
    subprocess.run(["sshfs", "-o", options, f"there:{folder}", mount], check=True, timeout=20)
    try:
        yield mount
    finally:
        subprocess.run(["umount", "-l", mount], check=True)


def main():
    root, rest = sys.argv[1], sys.argv[2:]
    os.makedirs(home, mode=0o700)
    subprocess.run(["chown", "nobody:nogroup", home], check=True)
    distances, again = {}, 0
    for folder, colours in zip(rest[::2], rest[1::2]):
        path = join(root, folder.lstrip("+@"))
        with over_sshfs(path) if folder[0] == "@" else contextlib.nullcontext(path) as path:
            found, window = look(path, colours.split(","))
        again += window > 0
        # A file that is out of sight takes up no room between two others. Links have wider names.
        if not folder.startswith("favorites"):
            distances[folder] = [round(b[0] - a[0]) for a, b in zip(found, found[1:]) if b[0] > a[0]]
        made = [name for _, _, names in os.walk(join(home, ".cache", "thumbnails")) for name in names]
        if folder[0] == "+" and not made:
            wrong.append(f"{folder}: nothing was made, so that all others prove nothing")
        if folder[0] not in "+@" and made:
            wrong.append(f"{folder}: Thunar has made thumbnails of its own: {made}")
    if again > 1:
        wrong.append(f"{again} folders had their icons only in a second window")
    if len({distance for all in distances.values() for distance in all}) > 1:
        wrong.append(f"the icons are not beside each other: {distances}")


screen, told = os.pipe()
xvfb = subprocess.Popen(["Xvfb", "-displayfd", str(told), "-screen", "0", "700x500x24", "-nolisten", "tcp"], pass_fds=[told], **QUIET)
os.close(told)
try:
    os.environ["DISPLAY"] = ":" + os.read(screen, 20).decode().strip()
    main()
finally:
    xvfb.terminate()
    xvfb.wait()
    subprocess.run(["rm", "-rf", "--one-file-system", place])
print(*wrong, sep="\n", end="\n" if wrong else "")
sys.exit(bool(wrong))
