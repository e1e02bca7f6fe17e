"""Builds the program with each fault of plants.py, and says which were seen by their part."""
import os
import re
import shutil
import subprocess

from plants import PLANTS

# The seconds of parts that do not come to all of their scenes in their short forms.
LONGER = {"calls": 300, "crash": 300}
HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.join(HERE, "..", "..")


def build(place, target, old, new):
    """The program with one fault, in a copy of the sources."""
    for part in ("Sources", "Tests", "Package.swift"):
        subprocess.run(["rsync", "-a", "--delete", os.path.join(PROJECT, part), place], check=True)
    path = os.path.join(place, target)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(old) != 1:
        raise SystemExit(f"{target} has {text.count(old)} times: {old}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))
    for product in ("apod-mirror", "apod-thumbnailer", "apod-server"):
        subprocess.run(["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path", place, "--product", product],
                       check=True, stdout=subprocess.DEVNULL)
    return os.path.join(place, ".build", "release", "apod-mirror")


def show(parts, words):
    """Returns how many were not seen. `words`: the options of each run."""
    place = os.path.join(PROJECT, ".build", "planted")
    os.makedirs(place, exist_ok=True)
    missed = 0
    for part in parts or PLANTS:
        for name, target, old, new in PLANTS.get(part, []):
            program = build(place, target, old, new)
            longer = ["--seconds", str(LONGER[part])] if part in LONGER and "--seconds" not in words else []
            run = subprocess.run([os.path.join(HERE, "run"), part, "--program", program, *words, *longer], capture_output=True,
                                 text=True)
            missed += run.returncode != 1
            # By what it was seen: another fault than this one may fall, too.
            told = re.findall(r"(.*)\nits folder: ", run.stdout)[:1]
            print(f"{part}: {name}: {'seen' if run.returncode == 1 else 'NOT SEEN'}", *(f"    {line[:400]}" for line in told), sep="\n",
                  flush=True)
    shutil.rmtree(os.path.join(place, "Sources"), ignore_errors=True)
    return missed
