"""Pictures that mean harm, of all types, to the program that decodes: it may die, who asks it does not.

Most go to `apod-thumbnailer` by its own protocol (Sources/Decoding), a good one after each; some through an upstream, `sync` and
`thumbnails` beside a service.
"""
import array
import datetime
import hashlib
import io
import os
import random
import re
import select
import shutil
import socket
import struct
import subprocess
import urllib.parse
import zlib

from PIL import Image, ImageCms

from mirror import Mirror, Violation, Walk
from part import Clock, Figures
from upstream import Record, Upstream

# The decoder's own limits: 2 GB of address space, of which the libraries take a third, and two minutes.
MOST_MEMORY, LONGEST, MOST_FILES = 1400 << 10, 150, 24
GREETING = 8
BOX = 512
CUT = "cut off"
SIGNALS = (-6, -7, -8, -11, -9, -24)


def bases(folder):
    """Good pictures of each type, as far as they can be made here."""
    dice = random.Random(1)
    noise = Image.frombytes("RGB", (61, 47), dice.randbytes(61 * 47 * 3))
    smooth = Image.linear_gradient("L").resize((200, 150))
    found = {}

    def save(name, picture, kind, **options):
        out = io.BytesIO()
        try:
            picture.save(out, kind, **options)
            found[name] = out.getvalue()
        except (OSError, KeyError, ValueError):
            pass

    icc = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    save("jpeg", noise, "JPEG", quality=80)
    save("jpeg gray", smooth, "JPEG")
    save("jpeg progressive", noise, "JPEG", progressive=True, icc_profile=icc, exif=exif)
    save("jpeg cmyk", noise.convert("CMYK"), "JPEG")
    save("png", noise, "PNG")
    save("png palette", noise.quantize(16), "PNG", transparency=3)
    save("png 16", smooth.convert("I"), "PNG")
    save("png alpha", noise.convert("RGBA"), "PNG", icc_profile=icc)
    save("png moving", noise, "PNG", save_all=True, append_images=[noise.rotate(90), noise.rotate(180)])
    save("gif", noise, "GIF")
    save("gif moving", noise, "GIF", save_all=True, append_images=[noise.rotate(90), noise.rotate(180)])
    save("webp", noise, "WEBP")
    save("webp lossless", noise.convert("RGBA"), "WEBP", lossless=True, icc_profile=icc)
    save("webp moving", noise, "WEBP", save_all=True, append_images=[noise.rotate(90)])
    for how in ("raw", "tiff_lzw", "tiff_adobe_deflate", "jpeg", "packbits", "group4"):
        save(f"tiff {how}", smooth.convert("1") if how == "group4" else noise, "TIFF", compression=how)
    good = os.path.join(folder, "base.png")
    noise.save(good)
    out = os.path.join(folder, "base.avif")
    if shutil.which("vips") and subprocess.run(["vips", "heifsave", good, out, "--compression", "av1"],
                                               capture_output=True).returncode == 0:
        found["avif"] = open(out, "rb").read()
    return found


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width, height, depth=8, colour=2, lace=0, body=b"", more=b""):
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, lace)) + more
            + chunk(b"IDAT", body) + chunk(b"IEND", b""))


def zeros(count):
    """`count` MB of zeros, compressed."""
    packer = zlib.compressobj(9)
    return b"".join([packer.compress(bytes(1 << 20)) for _ in range(count)] + [packer.flush()])


class Harm:
    def __init__(self, found):
        self.found, self.names = found, sorted(found)

    def picture(self, dice):
        """(its name, its bytes)"""
        if dice.random() < 0.005:
            return self.crafted(dice)
        if dice.random() < 0.03:
            name = dice.choice([name for name in self.names if "moving" not in name] + ["jpeg"] * 9)
            body = self.found[name][:dice.randrange(len(self.found[name]) // 3, len(self.found[name]) * 2 // 3)]
            # With an end mark behind, libjpeg only warns.
            return CUT if self.lacks(body) else name, body + (b"\xff\xd9" if dice.random() < 0.7 else b"")
        name = dice.choice(self.names)
        body = bytearray(self.found[name])
        if dice.random() < 0.3:
            self.sizes(dice, body)
        for _ in range(dice.choice([0, 1, 1, 2, 5, 40])):
            place = dice.randrange(len(body) if dice.random() < 0.5 else min(len(body), 120))
            how = dice.randrange(7)
            if how == 0:
                body[place] = dice.randrange(256)
            elif how == 1:
                body[place] ^= 1 << dice.randrange(8)
            elif how == 2:
                body[place:place + dice.choice([1, 2, 4])] = dice.choice([b"\xff" * 4, bytes(4), b"\x7f\xff\xff\xff",
                                                                          b"\x80\0\0\0", b"\xff\xfe"])
            elif how == 3:
                del body[place:place + dice.choice([1, 4, 100])]
            elif how == 4:
                body[place:place] = body[place:place + dice.choice([4, 64, 1000])]
            elif how == 5 and dice.random() < 0.3:
                other = self.found[dice.choice(self.names)]
                body[place:] = other[min(place, len(other) - 1):]
            elif how == 6 and dice.random() < 0.3:
                del body[place + 16:]
            if len(body) < 32:
                break
        body = bytes(body)
        # A checksum that is right leads further in.
        if name.startswith("png") and dice.random() < 0.7:
            body = self.summed(body)
        return name, body

    @staticmethod
    def lacks(body):
        """Not so a progressive JPEG that ends between two scans: it is coarse, and whole."""
        last = max((found.start() for found in re.finditer(rb"\xff[^\x00\xd0-\xd7\xff]", body)), default=0)
        return not body.startswith(b"\xff\xd8") or body[last + 1] == 0xda

    @staticmethod
    def sizes(dice, body):
        """Another width or height in the head."""
        number = dice.choice([0, 1, 2, 255, 256, 8191, 16384, 32767, 65535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1,
                              dice.randrange(1 << 16)])
        if body[:4] == b"\x89PNG":
            place = dice.choice([16, 20])
            body[place:place + 4] = struct.pack(">I", number)
        elif body[:2] == b"\xff\xd8":
            place = max(body.find(b"\xff\xc0"), body.find(b"\xff\xc2")) + dice.choice([5, 7])
            body[place:place + 2] = struct.pack(">H", number & 0xffff)
        elif body[:3] == b"GIF":
            place = dice.choice([6, 8])
            body[place:place + 2] = struct.pack("<H", number & 0xffff)
        elif body[:2] in (b"II", b"MM"):
            place = dice.randrange(8, len(body))
            body[place:place + 4] = struct.pack("<I", number)
        else:
            place = dice.randrange(12, min(len(body), 300))
            body[place:place + 4] = struct.pack(">I", number)

    @staticmethod
    def summed(body):
        out, place = body[:8], 8
        while place + 12 <= len(body):
            size = struct.unpack(">I", body[place:place + 4])[0]
            if size > len(body) - place - 12:
                break
            out += chunk(body[place + 4:place + 8], body[place + 8:place + 8 + size])
            place += 12 + size
        return out + body[place:]

    def crafted(self, dice):
        """Small files that want much."""
        number = dice.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        if number == 0:
            return "png of 100 million pixels", png(10_000, 10_000, 1, 0, 0, zeros(12))
        if number == 1:
            return "png of 4 × 10^9 pixels", png(65_535, 65_535, 16, 6, dice.randrange(2), zeros(1))
        if number == 2:
            return "laced png, one pass", png(30_000, 30_000, 16, 6, 1, zeros(1))
        if number == 3:
            return "words of 64 MB in a png", png(9, 9, 8, 2, 0, zlib.compress(bytes(9 * 28)),
                                                  chunk(b"zTXt", b"x\0\0" + zeros(64)) * 3)
        if number == 4:
            return "profile of 64 MB in a png", png(9, 9, 8, 2, 0, zlib.compress(bytes(9 * 28)),
                                                    chunk(b"iCCP", b"x\0\0" + zeros(64)))
        if number == 5:
            body = bytearray(self.found["jpeg progressive"])
            place = body.find(b"\xff\xc2")
            body[place + 5:place + 9] = struct.pack(">HH", 20_000, 20_000)
            return "progressive jpeg of 400 million pixels", bytes(body)
        if number == 6:
            body = self.found["jpeg progressive"]
            scan = body[body.rfind(b"\xff\xda"):-2]
            return "jpeg of 3,000 scans", body[:-2] + scan[:40] * 3000 + b"\xff\xd9"
        if number == 7:
            return "gif of 65,535 × 65,535", b"GIF89a" + struct.pack("<HH", 65535,
                                                                     65535) + b"\xf0\0\0" + bytes(6) + b",\0\0\0\0" + struct.pack(
                "<HH", 65535, 65535) + b"\0\x02\x02L\x01\0;"
        if number == 8:
            return "tiff whose directory leads to itself", b"II*\0\x08\0\0\0\x01\0\x00\x01\x04\0\x01\0\0\0\xff\xff\0\0\x08\0\0\0"
        return "nothing much", dice.choice([b"", b"\xff", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF89a",
                                            b"RIFF\xff\xff\xff\xffWEBPVP8L",
                                            b"\0\0\0\x20ftypavif" + bytes(20), b"<svg xmlns='http://www.w3.org/2000/svg'/>",
                                            b"%PDF-1.4"])


class Worker:
    """One process of the decoder."""

    def __init__(self, program):
        mine, its = socket.socketpair()
        self.socket = mine
        self.process = subprocess.Popen([program], stdin=its, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={"LC_ALL": "C", "MALLOC_ARENA_MAX": "2"})
        its.close()
        if self.read(1) != bytes([GREETING]):
            raise Violation("the decoder does not start")

    def read(self, count):
        """None where the process is gone."""
        got = b""
        while len(got) < count:
            if not select.select([self.socket], [], [], LONGEST)[0]:
                raise Violation(f"no answer within {LONGEST} seconds")
            try:
                piece = self.socket.recv(count - len(got))
            except ConnectionResetError:
                return None
            if not piece:
                return None
            got += piece
        return got

    def ask(self, descriptor):
        """("made", the copy), ("refused", why) or ("died", status)."""
        request = bytes([1, 1, 0]) + struct.pack("<HH", BOX, BOX)
        try:
            self.socket.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))])
        except (BrokenPipeError, ConnectionResetError):
            return self.death()
        tag = self.read(1)
        if tag == b"\0":
            head = self.read(7)
            body = head and self.read(struct.unpack("<I", head[3:])[0])
            return ("made", body) if body else self.death()
        if tag == b"\1":
            size = self.read(2)
            words = size and self.read(struct.unpack("<H", size)[0])
            return ("refused", words) if words else self.death()
        if tag:
            raise Violation(f"it answers with {tag}")
        return self.death()

    def death(self):
        try:
            return ("died", self.process.wait(10))
        except subprocess.TimeoutExpired:
            raise Violation("the decoder hung up, and is still there") from None

    def memory(self):
        try:
            words = open(f"/proc/{self.process.pid}/status").read()
            return int(words.partition("VmHWM:")[2].split()[0])
        except (OSError, IndexError):
            return 0

    def files(self):
        """Only root may count them."""
        try:
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))
        except PermissionError:
            return 0

    def end(self):
        self.socket.close()
        if self.process.wait(30) != 0:
            raise Violation(f"the decoder ended with {self.process.returncode}, though its socket only closed")


class Lane:
    """Bad pictures and good ones, one after the other, by the decoder's own protocol."""

    def __init__(self, seed, program, folder, harm):
        self.seed, self.harm = seed, harm
        self.program = os.path.join(os.path.dirname(program), "apod-thumbnailer")
        self.path = os.path.join(folder, "picture")
        self.good = os.path.join(folder, "good")
        with open(self.good, "wb") as file:
            file.write(harm.found["jpeg"])
        self.worker = Worker(self.program)
        self.wanted = self.of(self.good)
        if self.wanted[0] != "made":
            raise Violation(f"a good picture is {self.wanted}")
        self.counts, self.most = {}, 0

    def of(self, path):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            return self.worker.ask(descriptor)
        finally:
            os.close(descriptor)

    def case(self, number):
        dice = random.Random(f"{self.seed} {number}")
        self.name, body = self.harm.picture(dice)
        with open(self.path, "wb") as file:
            file.write(body)
        kind, told = self.of(self.path)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.most = max(self.most, self.worker.memory())
        if self.most > MOST_MEMORY:
            raise Violation(f"{self.most >> 10} MB resident")
        if self.name == CUT and kind != "refused":
            raise Violation(f"half a picture is {kind}")
        if kind == "made":
            picture = Image.open(io.BytesIO(told))
            if picture.format != "JPEG" or max(picture.size) > BOX:
                raise Violation(f"the copy is {picture.format} of {picture.size}")
        elif kind == "refused" and len(told) > 300:
            raise Violation(f"{len(told)} bytes of reason")
        elif kind == "died":
            # 0 and 1: it gave up, as when its memory is used up.
            if told not in (*SIGNALS, 0, 1, 134, 139):
                raise Violation(f"the decoder ended with {told}")
            self.worker.socket.close()
            self.worker = Worker(self.program)
        if self.of(self.good) != self.wanted:
            raise Violation("the good picture after it is another, or none")
        if self.worker.files() > MOST_FILES:
            raise Violation(f"the decoder has {self.worker.files()} files open")
        if number % 500 == 499:
            # As after its processor time is used up.
            self.worker.end()
            self.worker = Worker(self.program)


class Whole:
    """The same pictures from an upstream, by `sync` and `thumbnails`, beside a service."""

    def __init__(self, seed, program, folder, harm):
        self.harm, self.seed = harm, seed
        walk, self.upstream = Walk("pictures", seed, os.path.join(folder, "whole")), Upstream()
        self.newest = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(1)
        good = Record(self.newest, "Good", "picture", [f"{self.newest:%Y/%m}/good.jpg"])
        self.upstream.add(good, seed)
        self.mirror = Mirror(walk, program, self.upstream, f"since = {self.newest}\n", "disk")
        self.mirror.run("sync")
        self.mirror.start()
        self.first, self.most = datetime.date(2001, 1, 1), 0

    def case(self, number):
        """24 days, and a good one behind them."""
        dice = random.Random(f"{self.seed} whole {number}")
        days = [self.first + datetime.timedelta(after) for after in range(25)]
        self.first += datetime.timedelta(25)
        for index, day in enumerate(days):
            name, body = self.harm.picture(dice)
            suffix = "jpg" if name.startswith("jpeg") or "jpeg" in name else "gif" if name.startswith("gif") else "png"
            record = Record(day, f"Day {index}", "picture", [f"{day:%Y/%m}/p{index}.{suffix}"])
            self.upstream.add(record, f"{self.seed} {number}")
            if day != days[-1]:
                self.upstream.files[record.files[0]].body = body
        names = [str(day) for day in days]
        self.mirror.run("sync", *names, statuses=(0, 1))
        self.mirror.run("thumbnails", *names, statuses=(0, 1))
        if self.mirror.service.poll() is not None:
            raise Violation(f"the service ended with {self.mirror.service.returncode}")
        words = open(f"/proc/{self.mirror.service.pid}/status").read()
        if int(words.partition("VmHWM:")[2].split()[0]) > 120 << 10:
            raise Violation("the service had more than 120 MB")
        said = self.mirror.run("thumbnails", names[-1])
        folder = os.path.join(self.mirror.root, f"{days[-1]:%Y/%m}", ".sh_thumbnails", "normal")
        document = self.mirror.document(days[-1])
        picture = next(file for file in document["mirror"]["files"] if file["role"] == "picture")
        name = os.path.basename(picture["name"]).encode()
        if not os.path.exists(os.path.join(folder, hashlib.md5(urllib.parse.quote(name).encode()).hexdigest() + ".png")):
            raise Violation(f"the good picture has no thumbnail: {said[:300]}")
        return len(days) - 1

    def end(self):
        self.mirror.end()


def take(seed, seconds, program, folder, case=None):
    first = int(case or 0)
    clock, figures, fell = Clock(seconds), Figures(), {}
    harm = Harm(bases(folder))
    os.makedirs(os.path.join(folder, "whole"))
    lane, whole = Lane(seed, program, folder, harm), Whole(seed, program, folder, harm)
    number, batches, by_command = first, 0, 0
    while (number == first or not case and clock.left > 0) and len(fell) < 5:
        try:
            if number % 1000 == 10:
                by_command += whole.case(batches)
                batches += 1
            lane.case(number)
        except Exception as error:
            words = f"{type(error).__name__}: {str(error)[:400]}"
            fell.setdefault(words[:40], f"case {number}, {getattr(lane, 'name', '')}: {words}")
            lane.worker.process.kill()
            lane.worker = Worker(lane.program)
            if whole.mirror.service.poll() is not None:
                break
        number += 1
    try:
        lane.worker.end()
        whole.end()
    except Violation as error:
        fell["end"] = str(error)
    figures.fell = list(fell.values())
    figures.cases = number - first + by_command
    figures.note = ", ".join(f"{count} {kind}" for kind, count in lane.counts.items()) + (
        f", {by_command} by command, {lane.most >> 10} MB at most")
    return figures
