#!/usr/bin/python3
"""stores.py VERSION: the files in systemd/stores by the rules of their stores (IceWhaleTech/CasaOS-AppStore,
docs/specs/compose-and-x-casaos.md; home-assistant/supervisor, addons/validate.py). Prints what is against one."""
import pathlib
import re
import sys

import yaml

stores = pathlib.Path(__file__).parents[2] / "systemd/stores"
version = sys.argv[1]
ADDRESS = r"https?://\S+"
PAGE = r"https?://\[HOST\]:\[PORT:8095\]\S*"
PLACE = "(media|share|addon_config)(:rw)?"


def read(name):
    return yaml.safe_load((stores / name).read_text())


def text(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value)


def each(check):
    return lambda values: values and all(check(value) for value in values)


def variables(values):
    return all(re.fullmatch(r"(APOD_MIRROR|XDG)_[A-Z_]+", name) and isinstance(value, str) for name, value in values.items())


def in_english(value):
    return isinstance(value, dict) and text(".+")(value.get("en_US"))


compose = read("casaos/docker-compose.yml")
main = compose["x-casaos"].get("main")
service = compose["services"].get(main, {})
ports = [port["published"] for port in service.get("ports", [])]
# For each key whether it must be there, and what it may be.
rules = {
    "casaos": (compose, {
        "name": (True, text("[a-z0-9_-]+")), "services": (True, lambda services: main in services),
        "x-casaos": (True, lambda store: isinstance(store, dict)),
    }),
    "casaos service": (service, {
        "image": (True, text(rf"[\w./-]+:{re.escape(version)}")), "container_name": (True, text(main)),
        "user": (False, text(r"[\w$]+:[\w$]+")), "environment": (False, variables),
        "ports": (True, each(lambda port: port["target"] == 8095 and port["protocol"] == "tcp")),
        "volumes": (True, each(lambda volume: volume["source"].startswith("/DATA/") and volume["target"] == "/srv/apod")),
        "restart": (True, text("unless-stopped")), "healthcheck": (False, lambda check: "test" in check),
    }),
    "x-casaos": (compose["x-casaos"], {
        "id": (True, text(r"[a-z0-9_-]+(\.[a-z0-9_-]+)+")), "main": (True, text(".+")), "index": (True, text("/.*")),
        "port_map": (True, lambda port: port in ports), "scheme": (False, text("https?")), "icon": (True, text(ADDRESS)),
        "title": (True, in_english), "tagline": (True, in_english), "description": (True, in_english),
        "author": (True, text(".+")), "developer": (True, text(".+")),
        "category": (True, text("Media|Productivity|Home|Networking|AI|Finance|Social|Developer|Others")),
        "architectures": (True, each(text("amd64|arm64"))), "version": (True, text(re.escape(version))),
    }),
    "home-assistant": (read("home-assistant/repository.yaml"), {
        "name": (True, text(".+")), "url": (False, text(ADDRESS)), "maintainer": (False, text(".+")),
    }),
    "home-assistant app": (read("home-assistant/apod-mirror/config.yaml"), {
        "name": (True, text(".+")), "version": (True, text(re.escape(version))), "slug": (True, text("apod-mirror")),
        "description": (True, text(".+")), "url": (False, text(ADDRESS)),
        "arch": (True, lambda kinds: sorted(kinds) == ["aarch64", "amd64"]), "map": (True, each(text(PLACE))),
        "environment": (False, variables), "ports": (True, lambda ports: ports == {"8095/tcp": 8095}),
        "webui": (True, text(PAGE)), "watchdog": (True, text(PAGE)),
    }),
}
faults = []
for name, (content, keys) in rules.items():
    faults += [f"{name}: no {key}" for key, (is_needed, _) in keys.items() if is_needed and key not in content]
    for key, value in content.items():
        if key not in keys:
            faults.append(f"{name}: unknown {key}")
        elif not keys[key][1](value):
            faults.append(f"{name}: {key} cannot be {value}")
print("\n".join(faults), end="")
sys.exit(bool(faults))
