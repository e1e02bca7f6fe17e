# A disk whose power can be cut: a file system on a loop device. What nothing has flushed is not in its image.
#
# Making and mounting it needs root, the walk on it does not: the one asks the other through a socket.
import filecmp
import os
import signal
import subprocess
from os.path import join

from part import Shared


class NoDisk(Exception):
    # Nothing was tried.
    pass


def call(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def copied(image, *copies):
    # The image of a disk on which nobody writes: the kernel may be writing still.
    while True:
        for copy in copies:
            # A disk that was taken away may still be written to, by who has not ended.
            call("cp", "--sparse=always", "--remove-destination", image, copy)
        if filecmp.cmp(*copies, shallow=False):
            return


class Disk:
    # Root's side.

    def __init__(self, folder, owner):
        self.folder, self.mounted = folder, {}
        self.image = join(folder, "image")
        if os.geteuid() != 0:
            raise NoDisk("it needs root")
        with open(self.image, "wb") as file:
            file.truncate(96 << 20)
        try:
            call("mkfs.ext4", "-q", self.image)
            os.chown(self.show("disk", self.image), owner, owner)
        except (OSError, subprocess.CalledProcessError) as error:
            self.close()
            raise NoDisk(getattr(error, "stderr", None) or error) from None

    def show(self, name, image):
        path = join(self.folder, name)
        os.makedirs(path, exist_ok=True)
        loop = call("losetup", "-f", "--show", image)
        self.mounted[name] = loop
        # ext4(5): no file is flushed because another takes its name.
        call("mount", "-o", "noatime,noauto_da_alloc", loop, path)
        return path

    def hide(self, name):
        subprocess.run(["umount", "-l", join(self.folder, name)], capture_output=True)
        subprocess.run(["losetup", "-d", self.mounted.pop(name)], capture_output=True)

    def cut(self):
        # What would be there if the power went now: whoever writes is stopped.
        copies = [join(self.folder, name) for name in ("cut.image", "again.image")]
        copied(self.image, *copies)
        return self.show("cut", copies[0])

    def serve(self, socket):
        # Until the walk ends.
        while word := socket.recv(16):
            if word == b"cut":
                socket.send(self.cut().encode())
            else:
                self.hide("cut")
                socket.send(b"done")

    def close(self):
        for name in list(self.mounted):
            self.hide(name)


class Power(Shared):
    # The walk's side.

    def __init__(self, socket):
        self.socket = socket

    def cut(self, processes):
        # What is on the disk after a power cut is in the folder `cut`.
        for process in processes:
            process.send_signal(signal.SIGSTOP)
        try:
            self.socket.send(b"cut")
            if not self.socket.recv(4096):
                raise NoDisk("the disk cannot be copied")
        finally:
            for process in processes:
                process.send_signal(signal.SIGCONT)

    def release(self):
        self.socket.send(b"release")
        self.socket.recv(16)
