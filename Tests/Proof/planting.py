"""Builds the program with each fault of plants.py, and says which were seen by their part."""
import os
import re
import shutil
import subprocess

from plants import PLANTS

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.join(HERE, "..", "..")


def check():
    """Each fault has its place in the sources."""
    for target, old, *_ in (plant[1:] for plants in PLANTS.values() for plant in plants):
        count = read(os.path.join(PROJECT, target)).count(old)
        if count != 1:
            raise SystemExit(f"plants.py: {target} has {count} times: {old}")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def build(place, target, old, new):
    """The program with one fault, in a copy of the sources."""
    for part in ("Sources", "Tests", "Package.swift"):
        subprocess.run(["rsync", "-a", "--delete", os.path.join(PROJECT, part), place], check=True)
    path = os.path.join(place, target)
    text = read(path)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))
    for product in ("apod-mirror", "apod-thumbnailer", "apod-server"):
        subprocess.run(["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path", place, "--product", product],
                       check=True, stdout=subprocess.DEVNULL)
    return os.path.join(place, ".build", "release", "apod-mirror")


def show(parts, words, sound):
    """Returns how many were not seen. `words`: the options of each run; `sound`: the program without a fault."""
    place = os.path.join(PROJECT, ".build", "planted")
    os.makedirs(place, exist_ok=True)
    missed = 0
    for part in parts or PLANTS:
        for name, target, old, new, *scene in PLANTS.get(part, []):
            program = build(place, target, old, new)
            status, said = run(part, program, *words, *(["--case", *scene] if scene else []))
            # What falls without the fault, too, does not show it.
            cases = [["--case", case] for case in re.findall(r'FAILED .*--case "(.+?)"', said)] or [[]]
            seen = next((case for case in cases if run(part, sound, *words, *case)[0] == 0), None) if status == 1 else None
            missed += seen is None
            told = re.findall(r"(.*)\nits folder: ", said)[:1] if seen == [] else seen or []
            print(f"{part}: {name}: {'NOT SEEN' if seen is None else 'seen'}; {len(cases) if status else 0} fell; {' '.join(told)[:300]}",
                  flush=True)
    shutil.rmtree(os.path.join(place, "Sources"), ignore_errors=True)
    return missed


def run(part, program, *words):
    """Its exit status, and what it said."""
    result = subprocess.run([os.path.join(HERE, "run"), part, "--program", program, *words], capture_output=True, text=True)
    return result.returncode, result.stdout
