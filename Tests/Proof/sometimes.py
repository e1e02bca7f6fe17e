# What must occur somewhere when all parts are taken: each condition, each event, and of what becomes of an item, what is told.
# Two come in long forms alone: a service that waits for a mirror that is there, and one that goes on when there is room.
import re

CONDITIONS = """damaged ended failed folder-lost held incomplete list-silent name-taken no-thumbnailer out-of-reach pending polling
    replaced settings trouble undecodable unfinished unrecognised unwritable""".split()
# By a name, the words that tell it.
TOLD = {
    # Of an item.
    "fetched": r"\((\d[\d.]* [KMB]+)\)", "texts": r"only its text is new", "text only": r"text only\)",
    "a worse copy": r"a worse copy for now", "replaced": r"has another picture or video", "much smaller": r"a much smaller one",
    "an item replaced": r"has another picture.*; the former one is kept", "unchanged": r"\d unchanged", "kept": r"stays as it is: ",
    "absent": r"NASA has no picture for", "not yet": r"is not published yet", "failed": r"\d{4}-\d\d-\d\d failed: ",
    "an item failed": r"(?m)^\S+: .* failed: ", "unanswered": r"from \S+ to \S+ failed: ", "left out": r"left out",
    "a stand-in": r"list of articles stands in", "found again": r"found in the folder: ", "reverted": r" is as (it was before )?NASA corrected it",
    # Of a service and its folder.
    "ready": r"ready; the pictures are in", "reloaded": r"new settings for|the settings are the same as before",
    "settings refused": r"the settings stay as they are", "stopping": r"(?m)^stopping", "waiting": r"(?m)^(apod-mirror: )?waiting: ",
    "tried again": r"tried again soon", "refreshed": r"asked for new days",
    "backfilling": r"days to fetch, newest first", "backfilled": r"all days were asked for", "deleted": r"deleted \d+ picture",
    "held": r"are to be deleted", "watching": r"(?m)^watching ", "polling": r"from time to time: ", "lost": r"no favorites folder: ",
    "links went": r"links went from", "recovered": r"is kept up with again", "made": r"(?m)^made favorites/",
    "removed": r"(?m)^removed favorites/", "a new catalog": r"made a new catalog"}
PATTERNS = {name: re.compile(words) for name, words in TOLD.items()}
ALL = {*(f"condition {name}" for name in CONDITIONS), *TOLD}
# What this process has met.
seen = set()


def hear(words):
    seen.update(name for name, pattern in PATTERNS.items() if name not in seen and pattern.search(words))


def see(report):
    # What `status --json` tells.
    seen.update(f"condition {each['code']}" for each in report["conditions"])
