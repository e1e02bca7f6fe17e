"""Opens a mirror in Thunar, in a window that nobody sees, and looks for the colours of its pictures.

usage: thumbnails.py ROOT FOLDER COLOURS [FOLDER COLOURS]...

COLOURS are those that a folder's icons should have, from left to right: `red,blue`. A folder that begins with + has no
thumbnails of the mirror's; Thunar's own program makes them there, which it must not do anywhere else. One that begins with
@ is mounted over sshfs first. Needs root, to be another person. Says what is wrong, and nothing else. SHOTS=FOLDER keeps
the screenshots.
"""

import os
import subprocess
import sys
import tempfile
import time

from PIL import Image, ImageChops

COLOURS = {"red": (220, 20, 20), "green": (20, 200, 20), "blue": (20, 20, 220)}
LEAST = 900  # pixels of an icon
place = tempfile.mkdtemp(prefix="apod-mirror-window-")
os.chmod(place, 0o755)
home = os.path.join(place, "home")
failed = False
again = 0  # folders of which a second window was needed


def complain(words):
    global failed
    failed = True
    print(words)


def as_person(*words, **options):
    """In a room of its own, so that all that it starts ends with it."""
    person = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
    room = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    variables = {
        "PATH": os.environ["PATH"], "HOME": home, "XDG_RUNTIME_DIR": home, "LANG": "C.UTF-8",
        "DISPLAY": os.environ["DISPLAY"], "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1",
    }
    return subprocess.Popen(
        room + person + list(words), env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, **options)


def columns(picture, colour):
    """The middles of the icons of a colour, from left to right."""
    width, height = picture.size
    bands = [band.point([255 * (abs(value - wanted) < 25) for value in range(256)])
             for band, wanted in zip(picture.split(), COLOURS[colour])]
    mask = ImageChops.darker(ImageChops.darker(bands[0], bands[1]), bands[2])
    # How many pixels of each column have the colour.
    near = [value * height / 255 for value in mask.resize((width, 1), Image.BOX).getdata()]
    found, start = [], None
    for x in range(width + 1):
        if x < width and near[x] > 10:
            start = x if start is None else start
        elif start is not None:
            if sum(near[start:x]) >= LEAST:
                found.append((start + x) / 2)
            start = None
    return found


def shoot(name):
    path = os.path.join(os.environ.get("SHOTS", place), f"{name}.png")
    subprocess.run(["import", "-silent", "-window", "root", path], check=True, timeout=20)
    return Image.open(path).convert("RGB")


def icons(picture):
    return sorted((x, colour) for colour in COLOURS for x in columns(picture, colour))


def look(folder, colours):
    """Where the icons are, as soon as they are all there."""
    # Thunar now and then forgets one that is made while the machine is busy, and asks for it again in the next window.
    global again
    for attempt in range(3):
        found = look_once(folder, colours)
        if [colour for _, colour in found] == colours:
            again += attempt > 0
            return found
    complain(f"{folder}: expected {colours}, but saw {found}")
    return found


def look_once(folder, colours):
    name = folder.strip("/").replace("/", "-")[-60:]
    thunar = as_person("dbus-run-session", "--", "thunar", folder)
    try:
        deadline = time.monotonic() + 20
        while True:
            time.sleep(0.2)
            found = icons(shoot(name))
            if [colour for _, colour in found] == colours or time.monotonic() > deadline:
                return found
    finally:
        thunar.kill()
        thunar.wait()


def made():
    """What Thunar's own program has made."""
    cache = os.path.join(home, ".cache", "thumbnails")
    return [os.path.join(path, name) for path, _, names in os.walk(cache) for name in names]


def over_sshfs(folder, work):
    mount, ssh = os.path.join(place, "nas"), os.path.join(place, "ssh")
    os.makedirs(mount)
    with open(ssh, "w") as file:
        file.write("#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n")
    os.chmod(ssh, 0o755)
    options = f"ssh_command={ssh},allow_other,default_permissions"
    subprocess.run(["sshfs", "-o", options, f"there:{folder}", mount], check=True, timeout=20)
    try:
        return work(mount)
    finally:
        subprocess.run(["umount", "-l", mount], check=True)


def main():
    root, rest = sys.argv[1], sys.argv[2:]
    os.makedirs(home, mode=0o700)
    subprocess.run(["chown", "nobody:nogroup", home], check=True)
    distances = {}
    for folder, colours in zip(rest[::2], rest[1::2]):
        kind, path = folder[0] if folder[0] in "+@" else "", os.path.join(root, folder.lstrip("+@"))
        colours = colours.split(",")
        if kind == "@":
            found = over_sshfs(path, lambda mount: look(mount, colours))
        else:
            found = look(path, colours)
        # A file that is out of sight takes up no room between two others. Links have wider names.
        if not folder.startswith("favorites"):
            distances[folder] = [round(b[0] - a[0]) for a, b in zip(found, found[1:])]
        if kind == "+" and not made():
            complain(f"{folder}: nothing was made, so that all others prove nothing")
        if kind == "" and made():
            complain(f"{folder}: Thunar has made thumbnails of its own: {made()}")
    if again > 1:
        complain(f"{again} folders had their icons only in a second window")
    if len({distance for all in distances.values() for distance in all}) > 1:
        complain(f"the icons are not beside each other: {distances}")
    sys.exit(1 if failed else 0)


screen, told = os.pipe()
xvfb = subprocess.Popen(
    ["Xvfb", "-displayfd", str(told), "-screen", "0", "700x500x24", "-nolisten", "tcp"], pass_fds=[told],
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
os.close(told)
try:
    os.environ["DISPLAY"] = ":" + os.read(screen, 20).decode().strip()
    main()
finally:
    xvfb.terminate()
    xvfb.wait()
    subprocess.run(["rm", "-rf", "--one-file-system", place])
