#!/usr/bin/python3
"""stores.py VERSION: the files in systemd/stores by the rules of their stores (IceWhaleTech/CasaOS-AppStore,
docs/specs/compose-and-x-casaos.md; home-assistant/supervisor, addons/validate.py). Prints what is against one."""
import pathlib
import re
import sys

import yaml

STORES, VERSION = pathlib.Path(__file__).parents[2] / "systemd/stores", re.escape(sys.argv[1])
ADDRESS, PAGE, SETTING = r"https?://\S+", r"https?://\[HOST\]:\[PORT:8095\]\S*", r"(APOD_MIRROR|XDG)_[A-Z_]+"
# By file, what its values may be, each by where it stands. A `?` ends the name of one that may be missing.
RULES = {
    "casaos/docker-compose.yml": {
        "name": "[a-z0-9_-]+", "services/apod-mirror/image": rf"[\w./-]+:{VERSION}", "services/apod-mirror/container_name": "apod-mirror",
        "services/apod-mirror/user?": r"[\d$]+:[\d$]+", f"services/apod-mirror/environment/{SETTING}?": ".*",
        "services/apod-mirror/ports/target": "8095", "services/apod-mirror/ports/published": "8095",
        "services/apod-mirror/ports/protocol": "tcp", "services/apod-mirror/volumes/type?": "bind",
        "services/apod-mirror/volumes/source": "/DATA/.*", "services/apod-mirror/volumes/target": "/srv/apod",
        "services/apod-mirror/restart": "unless-stopped", "x-casaos/id": r"[a-z0-9_-]+(\.[a-z0-9_-]+)+", "x-casaos/main": "apod-mirror",
        "x-casaos/index": "/.*", "x-casaos/port_map": "8095", "x-casaos/scheme?": "https?", "x-casaos/icon": ADDRESS,
        **{f"x-casaos/{name}": ".+" for name in ("title/en_US", "tagline/en_US", "description/en_US", "author", "developer")},
        "x-casaos/architectures": "amd64|arm64",
        "x-casaos/category": "Media|Productivity|Home|Networking|AI|Finance|Social|Developer|Others", "x-casaos/version": VERSION},
    "home-assistant/repository.yaml": {"name": ".+", "url?": ADDRESS, "maintainer?": ".+"},
    "home-assistant/apod-mirror/config.yaml": {
        "name": ".+", "version": VERSION, "slug": "apod-mirror", "description": ".+", "url?": ADDRESS, "arch": "aarch64|amd64",
        "map": "(media|share|addon_config)(:rw)?", f"environment/{SETTING}?": ".*", "ports/8095/tcp": "8095", "webui": PAGE, "watchdog": PAGE}}


def leaves(value, place=""):
    # Each value that holds no others, and where it stands.
    if isinstance(value, dict):
        for name, below in value.items():
            yield from leaves(below, f"{place}/{name}".lstrip("/"))
    elif isinstance(value, list):
        for below in value:
            yield from leaves(below, place)
    else:
        yield place, str(value)


faults = []
for name, rules in RULES.items():
    found = list(leaves(yaml.safe_load((STORES / name).read_text())))
    for place, rule in rules.items():
        its = [pair for pair in found if re.fullmatch(place.rstrip("?"), pair[0])]
        found = [pair for pair in found if pair not in its]
        faults += [f"{name}: no {place}"] * (not its and not place.endswith("?"))
        faults += [f"{name}: {where} cannot be {value}" for where, value in its if not re.fullmatch(rule, value)]
    faults += [f"{name}: unknown {where}" for where, _ in found]
print("\n".join(faults), end="")
sys.exit(bool(faults))
