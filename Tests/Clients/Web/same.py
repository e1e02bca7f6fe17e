"""Compares mirrors: same.py ROOT OTHER COUNT. The days of the other are days of the first, with the same files and, to
the byte, the same records as they came."""
import glob
import os
import sys

root, other, count = sys.argv[1], sys.argv[2], int(sys.argv[3])


def content(path):
    with open(path, "rb") as file:
        return file.read()


def record(path):
    """The last member of a day's JSON."""
    return content(path).split(b'\n  "upstream"', 1)[1]


days = sorted(os.path.relpath(path, other) for path in glob.glob(f"{other}/2*/*/*.json"))
if len(days) != count:
    sys.exit(f"{len(days)} days")
for day in days:
    if record(f"{root}/{day}") != record(f"{other}/{day}"):
        sys.exit(f"{day}: the records differ")
    stem = os.path.splitext(day)[0]
    files = sorted(os.path.relpath(path, root) for path in glob.glob(glob.escape(f"{root}/{stem}") + ".*"))
    for file in files:
        if not file.endswith(".json") and content(f"{root}/{file}") != content(f"{other}/{file}"):
            sys.exit(f"{file}: the files differ")
