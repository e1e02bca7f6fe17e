# Pictures that mean harm, of all types, to the program that decodes: it may die, who asks it does not.
#
# Most go to `apod-thumbnailer` by its own protocol (Sources/Decoding), a good one after each; some through an upstream, `sync` and
# `thumbnails` beside a service.
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
from os.path import dirname, join

from PIL import Image, ImageCms

from harm import mutated
from mirror import Mirror, Walk, contents, last_days, listing, write
from part import Clock, Figures, Violation, peak
from upstream import Record, Upstream

# The decoder's own limits: 2 GB of address space, of which the libraries take a third, and two minutes.
MOST_MEMORY, LONGEST, MOST_FILES = 1400 << 10, 150, 24
GREETING = 8
BOX = 512
CUT = "cut off"
SIGNALS = (-6, -7, -8, -11, -9, -24)


def bases(folder):
    # Good pictures of each type, as far as they can be made here.
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
    alpha, moving = noise.convert("RGBA"), {"save_all": True, "append_images": [noise.rotate(90), noise.rotate(180)]}
    for name, (picture, options) in {
            "jpeg": (noise, {"quality": 80}), "jpeg gray": (smooth, {}), "jpeg cmyk": (noise.convert("CMYK"), {}),
            "jpeg progressive": (noise, {"progressive": True, "icc_profile": icc, "exif": exif}),
            "png": (noise, {}), "png palette": (noise.quantize(16), {"transparency": 3}), "png 16": (smooth.convert("I"), {}),
            "png alpha": (alpha, {"icc_profile": icc}), "png moving": (noise, moving), "gif": (noise, {}), "gif moving": (noise, moving),
            "webp": (noise, {}), "webp lossless": (alpha, {"lossless": True, "icc_profile": icc}), "webp moving": (noise, moving),
            **{f"tiff {how}": (noise, {"compression": how}) for how in ("raw", "tiff_lzw", "tiff_adobe_deflate", "jpeg", "packbits")},
            "tiff group4": (smooth.convert("1"), {"compression": "group4"})}.items():
        save(name, picture, name.split()[0].upper(), **options)
    good = join(folder, "base.png")
    noise.save(good)
    out = join(folder, "base.avif")
    if shutil.which("vips") and subprocess.run(["vips", "heifsave", good, out, "--compression", "av1"],
                                               capture_output=True).returncode == 0:
        found["avif"] = contents(out)
    return found


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width, height, depth=8, colour=2, lace=0, body=b"", more=b""):
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, lace)) + more
            + chunk(b"IDAT", body) + chunk(b"IEND", b""))


def zeros(count):
    # `count` MB of zeros, compressed.
    packer = zlib.compressobj(9)
    return b"".join([packer.compress(bytes(1 << 20)) for _ in range(count)] + [packer.flush()])


class Harm:
    NUMBERS = [b"\xff" * 4, bytes(4), b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\xff\xfe"]
    SIZES = [0, 1, 2, 255, 256, 8191, 16384, 32767, 65535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]
    STUBS = [b"", b"\xff", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF\xff\xff\xff\xffWEBPVP8L",
             b"\0\0\0\x20ftypavif" + bytes(20), b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"%PDF-1.4"]

    def __init__(self, found):
        self.found, self.names = found, sorted(found)

    def picture(self, dice):
        # (its name, its bytes)
        if dice.random() < 0.005:
            return self.crafted(dice)
        if dice.random() < 0.03:
            name = dice.choice([name for name in self.names if "moving" not in name] + ["jpeg"] * 9)
            body = self.found[name][:dice.randrange(len(self.found[name]) // 3, len(self.found[name]) * 2 // 3)]
            # With an end mark behind, libjpeg only warns.
            return CUT if self.lacks(body) else name, body + (b"\xff\xd9" if dice.random() < 0.7 else b"")
        name = dice.choice(self.names)
        body = self.found[name]
        if dice.random() < 0.3:
            body = self.sized(dice, body)
        body = mutated(dice, body, dice.choice([0, 1, 1, 2, 5, 40]), self.NUMBERS, 100, head=120)
        if dice.random() < 0.05:
            other, place = self.found[dice.choice(self.names)], dice.randrange(len(body) + 1)
            body = body[:place + 16] + dice.choice([b"", other[place:]])
        # A checksum that is right leads further in.
        if name.startswith("png") and dice.random() < 0.7:
            body = self.summed(body)
        return name, body

    @staticmethod
    def lacks(body):
        # Not so a progressive JPEG that ends between two scans: it is coarse, and whole.
        last = max((found.start() for found in re.finditer(rb"\xff[^\x00\xd0-\xd7\xff]", body)), default=0)
        return not body.startswith(b"\xff\xd8") or body[last + 1] == 0xda

    def sized(self, dice, body):
        # Another width or height in the head.
        start = max(body.find(b"\xff\xc0"), body.find(b"\xff\xc2"))
        places = {b"\x89P": (">I", [16, 20]), b"\xff\xd8": (">H", [start + 5, start + 7]), b"GI": ("<H", [6, 8]),
                  b"II": ("<I", range(8, len(body))), b"MM": ("<I", range(8, len(body)))}
        form, where = places.get(body[:2], (">I", range(12, min(len(body), 300))))
        number, place = dice.choice([*self.SIZES, dice.randrange(1 << 16)]), dice.choice(where)
        number = struct.pack(form, number & (1 << 8 * struct.calcsize(form)) - 1)
        return body[:place] + number + body[place + len(number):]

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
        # Small files that want much.
        small, pixels, progressive = (9, 9, 8, 2, 0), zlib.compress(bytes(9 * 28)), self.found["jpeg progressive"]
        frame, scan = progressive.find(b"\xff\xc2") + 5, progressive[progressive.rfind(b"\xff\xda"):-2]
        most = struct.pack("<HH", 65535, 65535)
        ways = {
            "png of 100 million pixels": lambda: png(10_000, 10_000, 1, 0, 0, zeros(12)),
            "png of 4 × 10^9 pixels": lambda: png(65_535, 65_535, 16, 6, dice.randrange(2), zeros(1)),
            "laced png, one pass": lambda: png(30_000, 30_000, 16, 6, 1, zeros(1)),
            "words of 64 MB in a png": lambda: png(*small, pixels, chunk(b"zTXt", b"x\0\0" + zeros(64)) * 3),
            "profile of 64 MB in a png": lambda: png(*small, pixels, chunk(b"iCCP", b"x\0\0" + zeros(64))),
            "progressive jpeg of 400 million pixels":
                lambda: progressive[:frame] + struct.pack(">HH", 20_000, 20_000) + progressive[frame + 4:],
            "jpeg of 3,000 scans": lambda: progressive[:-2] + scan[:40] * 3000 + b"\xff\xd9",
            "gif of 65,535 × 65,535": lambda: b"GIF89a" + most + b"\xf0\0\0" + bytes(6) + b",\0\0\0\0" + most + b"\0\x02\x02L\x01\0;",
            "tiff whose directory leads to itself":
                lambda: b"II*\0\x08\0\0\0\x01\0\x00\x01\x04\0\x01\0\0\0\xff\xff\0\0\x08\0\0\0",
            "nothing much": lambda: dice.choice(self.STUBS)}
        name = dice.choice(list(ways))
        return name, ways[name]()


class Worker:
    # One process of the decoder.

    def __init__(self, program):
        mine, its = socket.socketpair()
        self.socket = mine
        self.process = subprocess.Popen([program], stdin=its, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={"LC_ALL": "C", "MALLOC_ARENA_MAX": "2"})
        its.close()
        if self.read(1) != bytes([GREETING]):
            raise Violation("the decoder does not start")

    def read(self, count):
        # None where the process is gone.
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
        # ("made", the copy), ("refused", why) or ("died", status).
        request = bytes([1, 1, 0]) + struct.pack("<HH", BOX, BOX)
        try:
            self.socket.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))])
        except (BrokenPipeError, ConnectionResetError):
            return self.death()
        tag = self.read(1)
        if tag not in (b"\0", b"\1", None):
            raise Violation(f"it answers with {tag}")
        # What is said of the copy, and its size; or why there is none.
        told, count, form = ("made", 7, "<3xI") if tag == b"\0" else ("refused", 2, "<H")
        head = tag and self.read(count)
        body = head and self.read(*struct.unpack(form, head))
        return (told, body) if body else self.death()

    def death(self):
        try:
            return ("died", self.process.wait(10))
        except subprocess.TimeoutExpired:
            raise Violation("the decoder hung up, and is still there") from None

    def files(self):
        # Only root may count them.
        try:
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))
        except PermissionError:
            return 0

    def end(self):
        self.socket.close()
        if self.process.wait(30) != 0:
            raise Violation(f"the decoder ended with {self.process.returncode}, though its socket only closed")


class Lane:
    # Bad pictures and good ones, one after the other, by the decoder's own protocol.

    def __init__(self, seed, program, folder, harm):
        self.seed, self.harm = seed, harm
        self.program = join(dirname(program), "apod-thumbnailer")
        self.path = join(folder, "picture")
        self.good = join(folder, "good")
        write(self.good, harm.found["jpeg"])
        self.worker = Worker(self.program)
        self.wanted = self.of(self.good)
        if self.wanted[0] != "made":
            raise Violation(f"a good picture is {self.wanted}")
        self.most = 0

    def of(self, path):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            return self.worker.ask(descriptor)
        finally:
            os.close(descriptor)

    def case(self, number):
        dice = random.Random(f"{self.seed} {number}")
        self.name, body = self.harm.picture(dice)
        write(self.path, body)
        kind, told = self.of(self.path)
        self.counts[kind] += 1
        self.most = max(self.most, peak(self.worker.process))
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
    # The same pictures from an upstream, by `sync` and `thumbnails`, beside a service.

    def __init__(self, seed, program, folder, harm):
        self.harm, self.seed, self.upstream, newest = harm, seed, Upstream(), last_days(1)
        self.upstream.fill(newest, seed)
        self.mirror = Mirror(Walk("pictures", seed, join(folder, "whole")), program, self.upstream, f"since = {newest[0]}\n")
        self.mirror.run("sync")
        self.mirror.start()
        self.first = datetime.date(2001, 1, 1)

    def case(self, number):
        # 24 days, and a good one behind them.
        dice = random.Random(f"{self.seed} whole {number}")
        days = [self.first + datetime.timedelta(after) for after in range(25)]
        self.first += datetime.timedelta(25)
        for index, day in enumerate(days):
            name, body = self.harm.picture(dice)
            suffix = "jpg" if "jpeg" in name else "gif" if name.startswith("gif") else "png"
            record = Record(day, f"Day {index}", "picture", [f"{day:%Y/%m}/p{index}.{suffix}"])
            self.upstream.add(record, f"{self.seed} {number}")
            if day != days[-1]:
                self.upstream.files[record.files[0]].body = body
        names = [str(day) for day in days]
        for command in ("sync", "thumbnails"):
            self.mirror.run(command, *names, statuses=(0, 1))
        if self.mirror.service.poll() is not None:
            raise Violation(f"the service ended with {self.mirror.service.returncode}")
        if peak(self.mirror.service) > 120 << 10:
            raise Violation("the service had more than 120 MB")
        said = self.mirror.run("thumbnails", names[-1])
        picture = next(file["name"] for file in self.mirror.files_of(days[-1]) if file["role"] == "picture")
        thumbnail = hashlib.md5(urllib.parse.quote(picture.encode()).encode()).hexdigest() + ".png"
        if thumbnail not in listing(join(self.mirror.root, f"{days[-1]:%Y/%m}", ".sh_thumbnails", "normal")):
            raise Violation(f"the good picture has no thumbnail: {said[:300]}")
        return len(days) - 1

    def end(self):
        self.mirror.end()


def take(seed, seconds, program, folder, case=None):
    clock, figures, harm = Clock(seconds), Figures(), Harm(bases(folder))
    lane, whole = Lane(seed, program, folder, harm), Whole(seed, program, folder, harm)
    counts = lane.counts = {"refused": 0, "made": 0, "died": 0, "by command": 0}
    batch = 0
    try:
        for number in clock.rounds(figures, case):
            try:
                if number % 1000 == 10:
                    counts["by command"] += whole.case(batch)
                    batch += 1
                lane.case(number)
            except Exception as error:
                figures.fall(f"case {number}, {getattr(lane, 'name', '')}", error, is_once=True)
                lane.worker.process.kill()
                lane.worker = Worker(lane.program)
                if whole.mirror.service.poll() is not None:
                    break
        lane.worker.end()
        whole.end()
    except Violation as error:
        figures.fall("the end", error)
    figures.count(counts)
    figures.note += f", {lane.most >> 10} MB at most"
    return figures
