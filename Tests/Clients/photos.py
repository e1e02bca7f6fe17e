#!/usr/bin/python3
# Gives the three days of a mirror real files, while no other program writes it: photos.py ROOT
#
# The days, in order: a red JPEG, a video with a green still, a blue PNG. The catalog is deleted, so that the mirror makes
# another from the JSON.
import glob
import hashlib
import json
import os
import subprocess
import sys
from os.path import basename, splitext

from PIL import Image

SIZE = (320, 240)
COLOURS = {"red": (220, 20, 20), "green": (20, 200, 20), "blue": (20, 20, 220)}
VIDEO = "ffmpeg -loglevel error -f lavfi -i testsrc=size=320x240:duration=2 -pix_fmt yuv420p".split()
# Of each day, the files by their suffixes: role, type and colour.
DAYS = [{"jpg": ("picture", "image/jpeg", "red")}, {"mp4": ("video", "video/mp4", None), "jpg": ("poster", "image/jpeg", "green")},
        {"png": ("picture", "image/png", "blue")}]


def described(path, role, kind, colour):
    # What the JSON says of a file that is made.
    if colour:
        Image.new("RGB", SIZE, COLOURS[colour]).save(path)
    else:
        subprocess.run([*VIDEO, path], check=True, stdin=subprocess.DEVNULL)
    with open(path, "rb") as file:
        content = file.read()
    return {"name": basename(path), "role": role, "url": f"http://127.0.0.1:9/{role}", "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(), "type": kind, "width": SIZE[0], "height": SIZE[1]}


for path, files in zip(sorted(glob.glob(f"{sys.argv[1]}/2019/*/*.json")), DAYS):
    stem = splitext(path)[0]
    os.remove(f"{stem}.jpg")
    with open(path) as file:
        day = json.load(file)
    day["mirror"]["files"] = [described(f"{stem}.{suffix}", *facts) for suffix, facts in files.items()]
    day["media_type"] = "video" if "mp4" in files else "image"
    with open(path, "w") as file:
        json.dump(day, file)
for path in glob.glob(f"{sys.argv[1]}/.apod-mirror/catalog.sqlite*"):
    os.remove(path)
