#!/usr/bin/python3
# Starts a program and writes what can be read in its windows, again and again: window.py FILE PROGRAM [WORD…]
#
# In a session of its own, with a display. A line for each name or text, as a screen reader has them.
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402


def texts(node):
    yield node.get_name()
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child:
            yield from texts(child)


def write(path):
    try:
        lines = [text for text in texts(Atspi.get_desktop(0)) if text]
    except GLib.Error:
        # The window changed while it was read.
        return
    with open(path, "w") as file:
        file.writelines(f"{line}\n" for line in lines)


program = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL)
try:
    while program.poll() is None:
        time.sleep(0.5)
        write(sys.argv[1])
        # What was read is not asked for again otherwise.
        Atspi.get_desktop(0).clear_cache()
finally:
    program.kill()
