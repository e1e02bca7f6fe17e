# Builds the program with each of some faults, and says whether a part sees it.
#
# A fault is a patch of the sources, whose first lines say which promise it breaks and what sees it:
#
#     breaks: a file gets its name when it is on the disk
#     seen by: crash gallery
#
# `seen by` names a part and, for one of many scenes, the `--case` with which it finds the fault in its short form's time.
import glob
import os
import re
import subprocess
from os.path import abspath, basename, dirname, join, realpath

HERE = dirname(abspath(__file__))
PROJECT = dirname(dirname(HERE))


def built(place, patch):
    # The program with one fault, in a copy of the sources; None where the patch does not fit them any more.
    subprocess.run(["rsync", "-a", "--delete", "--exclude=.build", *(join(PROJECT, part) for part in (
        "Sources", "Tests", "Package.swift")), place + "/"], check=True)
    # There it is no part of the project's repository.
    apart = os.environ | {"GIT_CEILING_DIRECTORIES": dirname(realpath(place))}
    if subprocess.run(["git", "apply", patch], cwd=place, env=apart).returncode:
        return None
    subprocess.run(["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path", place], check=True,
                   stdout=subprocess.DEVNULL)
    return join(place, ".build", "release", "apod-mirror")


def show(folder, parts, words, sound):
    # Returns how many were not seen. `parts`: instead of those that the patches name; `words`: the options of each run;
    # `sound`: the program without a fault.
    place = join(PROJECT, ".build", "planted")
    os.makedirs(place, exist_ok=True)
    missed = 0
    for patch in sorted(glob.glob(join(abspath(folder), "*.patch"))):
        with open(patch, encoding="utf-8") as file:
            said = dict(line.rstrip().split(": ", 1) for line in file.read().partition("\n--- ")[0].splitlines())
        part, _, case = said.get("seen by", "").partition(" ")
        runs = [[each] for each in parts] or [[part, *(["--case", case] if case else [])]]
        program = built(place, patch)
        seen = program and next((" ".join(run) for run in runs if shows(run, program, words, sound)), None)
        missed += not seen
        print(f"{basename(patch)}: {said['breaks']}: {f'seen by {seen}' if seen else 'NOT SEEN' if program else 'NOT TRIED'}",
              flush=True)
    return missed


def shows(run, program, words, sound):
    # Whether a case falls with the fault, and not without it.
    status, told = take(program, *run, *words)
    cases = re.findall(r'FAILED .*--case "?([^"\n:]+?)"?[ :\n]', told) or run[2:]
    return status == 1 and any(take(sound, run[0], *words, *(["--case", one] if one else []))[0] == 0 for one in cases or [None])


def take(program, *words):
    # The exit status of a run, and what it said.
    result = subprocess.run([join(HERE, "run"), "--program", program, *words], capture_output=True, text=True)
    return result.returncode, result.stdout
