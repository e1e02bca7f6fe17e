"""Builds the program with each of some faults, and says whether a part sees it.

A fault is a patch of the sources, whose first lines say which promise it breaks and what sees it:

    breaks: a file gets its name when it is on the disk
    seen by: crash gallery

`seen by` names a part and, for one of many scenes, the `--case` with which it finds the fault in its short form's time.
"""
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.join(HERE, "..", "..")


def build(place, patch):
    """The program with one fault, in a copy of the sources; None where the patch does not fit them any more."""
    for part in ("Sources", "Tests", "Package.swift"):
        subprocess.run(["rsync", "-a", "--delete", os.path.join(PROJECT, part), place], check=True)
    # There it is no part of the project's repository.
    apart = os.environ | {"GIT_CEILING_DIRECTORIES": os.path.dirname(os.path.realpath(place))}
    if subprocess.run(["git", "apply", patch], cwd=place, env=apart).returncode:
        return None
    for product in ("apod-mirror", "apod-thumbnailer", "apod-server"):
        subprocess.run(["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path", place, "--product", product],
                       check=True, stdout=subprocess.DEVNULL)
    return os.path.join(place, ".build", "release", "apod-mirror")


def show(folder, parts, words, sound):
    """Returns how many were not seen. `parts`: instead of those that the patches name; `words`: the options of each run;
    `sound`: the program without a fault."""
    place = os.path.join(PROJECT, ".build", "planted")
    os.makedirs(place, exist_ok=True)
    missed = 0
    for patch in sorted(entry.path for entry in os.scandir(os.path.abspath(folder)) if entry.name.endswith(".patch")):
        with open(patch, encoding="utf-8") as file:
            said = dict(line.rstrip().split(": ", 1) for line in file.read().partition("\n--- ")[0].splitlines())
        part, _, case = said.get("seen by", "").partition(" ")
        runs = [(part, ["--case", case] if case else [])] if part and not parts else [(part, []) for part in parts]
        program = build(place, patch) if runs else None
        seen = program and next((told for told in (found(*run, program, words, sound) for run in runs) if told), None)
        missed += not seen
        print(f"{os.path.basename(patch)}: {said['breaks']}: {seen or ('NOT SEEN' if program else 'NOT TRIED')}", flush=True)
    shutil.rmtree(os.path.join(place, "Sources"), ignore_errors=True)
    return missed


def found(part, case, program, words, sound):
    """How a part has seen the fault. What falls without it, too, does not show it."""
    status, said = run(part, program, *words, *case)
    cases = [["--case", one] for one in re.findall(r'FAILED .*--case "?([^"\n:]+?)"?[ :\n]', said)] or [[]]
    for one in cases if status == 1 else ():
        if run(part, sound, *words, *one)[0] == 0:
            told = re.search("(.*)\nits folder: ", said)
            return f"seen by {' '.join([part, *one])}; {len(cases)} fell; {told[1][:200] if told else ''}"
    return None


def run(part, program, *words):
    """Its exit status, and what it said."""
    result = subprocess.run([os.path.join(HERE, "run"), part, "--program", program, *words], capture_output=True, text=True)
    return result.returncode, result.stdout
