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


def picture(path, colour, role):
    Image.new("RGB", SIZE, colour).save(path)
    return described(path, role, f"image/{'png' if path.endswith('png') else 'jpeg'}")


def video(path):
    subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=320x240:duration=2", "-pix_fmt", "yuv420p",
         path], check=True, stdin=subprocess.DEVNULL)
    return described(path, "video", "video/mp4")


def described(path, role, kind):
    with open(path, "rb") as file:
        content = file.read()
    return {
        "name": basename(path), "role": role, "url": "http://127.0.0.1:9/" + role, "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(), "type": kind, "width": SIZE[0], "height": SIZE[1],
    }


def change(path, files, **fields):
    with open(path) as file:
        day = json.load(file)
    day["mirror"]["files"] = files
    with open(path, "w") as file:
        json.dump({**day, **fields}, file)


def main():
    days = sorted(glob.glob(f"{sys.argv[1]}/2019/*/*.json"))
    first, second, third = (splitext(day)[0] for day in days)
    os.remove(f"{third}.jpg")
    change(days[0], [picture(f"{first}.jpg", (220, 20, 20), "picture")])
    change(days[1], [video(f"{second}.mp4"), picture(f"{second}.jpg", (20, 200, 20), "poster")], media_type="video")
    change(days[2], [picture(f"{third}.png", (20, 20, 220), "picture")])
    for path in glob.glob(f"{sys.argv[1]}/.apod-mirror/catalog.sqlite*"):
        os.remove(path)


main()
