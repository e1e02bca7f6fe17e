#!/usr/bin/python3
# Has plasmashell's name on the session bus, and writes down the scripts that it should run: plasmashell.py FILE
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)


class Shell(dbus.service.Object):
    @dbus.service.method("org.kde.PlasmaShell", in_signature="s", out_signature="s")
    def evaluateScript(self, script):
        with open(sys.argv[1], "a", encoding="utf-8") as file:
            file.write(script + "\n")
        return ""


name = dbus.service.BusName("org.kde.plasmashell", dbus.SessionBus())
shell = Shell(name, "/PlasmaShell")
GLib.MainLoop().run()
