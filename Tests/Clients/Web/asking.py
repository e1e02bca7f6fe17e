# What scripts here ask of a mirror on the web.
import sys
import urllib.request


def expect(is_right, what):
    if not is_right:
        sys.exit(f"{sys.argv[1]}: {what}")


def fetched(address):
    # The bytes, and their type.
    with urllib.request.urlopen(address, timeout=20) as answer:
        return answer.read(), answer.headers["Content-Type"]
