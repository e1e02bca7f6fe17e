# Pictures that mean harm, of all types, to the program that decodes: it may die, who asks it does not.
#
# They come from an upstream, by `sync` and `thumbnails` beside a service.
import contextlib
import datetime
import io
import itertools
import random
import shutil
import struct
import subprocess
import zlib
from os.path import exists, join

from PIL import Image, ImageCms

from harm import mutated
from mirror import Mirror, Walk, contents, last_days
from part import Violation
from upstream import Record, Upstream

FIRST = datetime.date(2001, 1, 1)
GOOD = "jpeg RGB "


def bases(folder):
    # Good pictures of each type, as far as Pillow writes them: by type, colours and options.
    found, noise = {}, Image.frombytes("RGB", (61, 47), random.Random(1).randbytes(61 * 47 * 3))
    icc = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    for kind, mode in itertools.product(("jpeg", "png", "gif", "webp", "tiff"), ("RGB", "L", "CMYK", "P", "I", "1", "RGBA")):
        picture = noise.convert(mode)
        ways = {"": {}, "progressive": {"progressive": True, "icc_profile": icc, "exif": exif}, "lossless": {"lossless": True, "icc_profile": icc},
                "moving": {"save_all": True, "append_images": [picture.rotate(90), picture.rotate(180)]}}
        if kind == "tiff":
            packed = ["raw", "tiff_lzw", "tiff_adobe_deflate", "packbits", *{"1": ["group4"], "RGB": ["jpeg"]}.get(mode, [])]
            ways = {each: {"compression": each} for each in packed}
        for name, options in ways.items():
            out = io.BytesIO()
            with contextlib.suppress(Exception):
                picture.save(out, kind, **options)
                found[f"{kind} {mode} {name}"] = out.getvalue()
    good, out = join(folder, "base.png"), join(folder, "base.avif")
    noise.save(good)
    if shutil.which("vips") and subprocess.run(["vips", "heifsave", good, out, "--compression", "av1"], capture_output=True).returncode == 0:
        found["avif"] = contents(out)
    return found


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


class Harm:
    NUMBERS = [b"\xff" * 4, bytes(4), b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\xff\xfe"]
    STUBS = [b"", b"\xff", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF\xff\xff\xff\xffWEBPVP8L",
             b"\0\0\0\x20ftypavif" + bytes(20), b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"%PDF-1.4"]

    def __init__(self, found):
        self.found, self.names = found, sorted(found)

    def picture(self, dice):
        # (its name, its bytes)
        if dice.random() < 0.005:
            return "nothing much", dice.choice(self.STUBS)
        name = dice.choice(self.names)
        body = mutated(dice, self.found[name], dice.choice([0, 1, 1, 2, 5, 40]), self.NUMBERS, 100, head=120)
        if dice.random() < 0.05:
            other, place = self.found[dice.choice(self.names)], dice.randrange(len(body) + 1)
            body = body[:place + 16] + dice.choice([b"", other[place:]])
        # A checksum that is right leads further in.
        if name.startswith("png") and dice.random() < 0.7:
            body = self.summed(body)
        return name, body

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


class World:
    # Mirrors such pictures beside a service, a good one behind each 24 of them.
    BEHIND = 24

    def __init__(self, part):
        self.harm, self.seed, self.upstream = Harm(bases(part.folder)), part.seed, Upstream()
        newest, = last_days(1)
        self.upstream.fill([newest], part.seed)
        self.mirror = Mirror(Walk(part.seed, part.folder), part.program, self.upstream, f"since = {newest}\ngallery = yes\n")
        self.mirror.run("sync")
        self.mirror.start()
        self.good = None

    def round(self, number):
        dice, names = random.Random(f"{self.seed} {number}"), {}
        first = FIRST + datetime.timedelta(number % 300 * (self.BEHIND + 1))
        *days, last = [first + datetime.timedelta(after) for after in range(self.BEHIND + 1)]
        for day in days:
            names[day], body = self.harm.picture(dice)
            suffix = next((suffix for suffix in ("jpeg", "gif") if suffix in names[day]), "png")
            self.add(day, suffix.replace("e", ""), number, body)
        self.add(last, "jpg", number, self.harm.found[GOOD])
        words = [str(day) for day in (*days, last)]
        for command in ("sync", "thumbnails"):
            self.mirror.run(command, *words, statuses=(0, 1))
        self.mirror.well()
        for day in days:
            self.copies(day)
        good = self.copies(last)
        self.good = self.good or good
        if not good or good != self.good:
            raise Violation(f"the good picture behind {sorted(names.values())} has no copies, or others")

    def add(self, day, suffix, number, body):
        record = Record(day, f"Day {number}", "picture", [f"{day:%Y/%m}/{day}.{suffix}"])
        self.upstream.add(record, number)
        self.upstream.files[record.files[0]].body = body

    def copies(self, day):
        # The smaller copies of a day, which are what their names say.
        found = {}
        for size, suffix, kind in ((480, "webp", "WEBP"), (1280, "jpg", "JPEG")):
            path = join(self.mirror.root, f"gallery/{day.year}/{day}-{size}.{suffix}")
            if exists(path):
                found[size] = contents(path)
                picture = Image.open(io.BytesIO(found[size]))
                picture.load()
                if picture.format != kind or max(picture.size) > size:
                    raise Violation(f"{path} is {picture.format} of {picture.size}")
        return found


def take(part):
    world, part.note = World(part), f"rounds of {World.BEHIND}"
    part.rounds(lambda _, kind, number: world.round(number))
    world.mirror.end()
