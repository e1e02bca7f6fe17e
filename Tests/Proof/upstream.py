# An upstream that a walk steers: APOD Basic, other lists and all their pictures, which change, fail and
# lie.
import copy
import email.utils
import hashlib
import html
import io
import json
import random
import re
import struct
import threading
import time
import urllib.parse
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from PIL import Image

from part import Shared

BASE = "/wp-json/wp/v2/apod-basic"
ORIGINALS = "/content/dam/science/cds/apod/apod/"
RENDITIONS = "/dynamicimage/assets/science/cds/apod/apod/"
PLACEHOLDER = "/wp-content/themes/science/news-thumbnail.png"
TYPES = {"jpg": "image/jpeg", "png": "image/png", "gif": "image/gif", "mp4": "video/mp4"}


def sha(body):
    return hashlib.sha256(body).hexdigest()


def content(suffix, seed):
    # A file that a program can decode; another seed is another one.
    dice = random.Random(seed)
    if suffix == "mp4":
        box = lambda name, body: struct.pack(">I4s", len(body) + 8, name) + body
        head = box(b"mvhd", bytes(12) + struct.pack(">I", 1000) + bytes(80) + struct.pack(">I", 1))
        return (box(b"ftyp", b"isom" + struct.pack(">I", 512) + b"isommp42") + box(b"moov", head)
                + box(b"mdat", dice.randbytes(9000)))
    out = io.BytesIO()
    Image.frombytes("RGB", (64, 48), dice.randbytes(64 * 48 * 3)).save(out, TYPES[suffix][6:])
    return out.getvalue()


@dataclass
class File:
    body: bytes
    type: str
    # Which of these the server gives.
    validators: tuple = ("ETag", "Last-Modified")
    # None, or how the server fails: a status, cut, hang, html, type, broken.
    fault: object = None
    changed: int = field(default_factory=lambda: int(time.time()))

    @property
    def headers(self):
        all = {"ETag": f'"{sha(self.body)}"', "Last-Modified": email.utils.formatdate(self.changed, usegmt=True)}
        return {"Accept-Ranges": "bytes"} | {name: all[name] for name in self.validators}


@dataclass
class Record:
    # `kind`: picture, video, embedded, none, still (nothing but hdurl).
    day: object
    title: str
    kind: str
    # The names of its files below the folder of all pictures; of a video, its poster comes last.
    files: list = field(default_factory=list)
    text: str = "Some words."
    # The names of the pictures beside the first; those that a script shows in its place.
    beside: list = field(default_factory=list)
    rollovers: list = field(default_factory=list)

    @property
    def further(self):
        return [*self.rollovers, *self.beside]

    def json(self, origin):
        day, place = self.day, origin + ORIGINALS
        page = f"{origin}/image-article/{day}-{sha(self.title.encode())[:8]}/"
        first, last = (place + self.files[0], f"{origin}{RENDITIONS}{self.files[-1]}?w=64&h=48") if self.files else ("", "")
        over = "".join(f""" onMouseOver="document.imagename1.src='{place}{name}'\"""" for name in self.rollovers[:1])
        block = {"picture": f'<a href="{first}"{over}><img src="{first}"></a>', "video": f'<video><source src="{first}"></video>',
                 "embedded": '<iframe src="//www.youtube.com/embed/ts0Ek3nLHew"></iframe>'}.get(self.kind, "")
        block += "".join(f'<p><a href="{place}{name}"><img src="{place}{name}"></a>' for name in self.beside)
        title, text = html.escape(self.title, quote=False), f"<b>Explanation:</b> {self.text}"
        kind = {"picture": "image", "still": "image", "video": "video", "embedded": "iframe", "none": "other"}[self.kind]
        return {
            "date": f"{day}", "title": title, "permalink": page, "media_type": kind, "explanation": text, "credit": "Nobody",
            "copyright": "", "alt": "A sky.", "url": page, "hdurl": last or origin + PLACEHOLDER,
            "basic_html": f"<center>{day:%Y %B} {day.day}<br>{block}</center><center><b>{title}</b></center>{text}<p><hr>"}


def junk(kind, well):
    # What is served in the place of a record: nothing but its date, what the old API answers now, or the site's words.
    return {"date": well["date"]} | {
        "hollow": dict.fromkeys({*well} - {"date"}, False),
        "stand-in": {"title": "NASA Science", "explanation": "Discover the cosmos! Each day another picture.",
                     "url": PLACEHOLDER, "hdurl": PLACEHOLDER, "media_type": "image"},
        "site": {"title": "NASA Science", "permalink": well["permalink"], "url": well["permalink"], "explanation": None}}[kind]


class Upstream(Shared):
    def __init__(self):
        self.days, self.files = {}, {}
        # Other lists, each at /NAME.json: its items as they are told, or what makes a page of a query.
        self.lists = {}
        # The kind of junk that stands in the place of all records.
        self.junk = None
        # A status for all lists.
        self.fault = None
        # The paths that were asked for, in order.
        self.requests = []
        # Called with each path before it is answered.
        self.watch = lambda path: None
        upstream = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self):
                upstream.requests.append(urllib.parse.unquote(self.path))
                upstream.watch(self.path)
                try:
                    upstream.answer(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, *words):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *words):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def invent(self, name, seed):
        # A file below the folder of all pictures. Returns it.
        suffix = name.rsplit(".", 1)[1]
        self.files[name] = File(content(suffix, f"{seed} {name}"), TYPES[suffix])
        return self.files[name]

    def add(self, record, seed):
        # A day whose files are invented.
        for name in record.files + record.further:
            self.invent(name, seed)
        self.days[record.day] = record

    def fill(self, days, seed, kinds=("picture",), titles=("Sky",), name="{day:%Y/%m}/s{index}"):
        # So many days, of these kinds and titles in turn.
        for index, day in enumerate(days):
            kind, stem = kinds[index % len(kinds)], name.format(day=day, index=index)
            files = [f"{stem}.{suffix}" for suffix in {"video": ["mp4", "jpg"], "none": []}.get(kind, ["jpg"])]
            self.add(Record(day, f"{titles[index % len(titles)]} {index}", kind, files), seed)

    def add_item(self, list, id, title, date, name, seed):
        # An item whose picture is invented. Returns it.
        self.invent(name, seed)
        item = {"id": id, "title": title, "image": self.origin + ORIGINALS + name} | ({"date": date} if date else {})
        self.lists.setdefault(list, []).append(item)
        return item

    def answer(self, to):
        url = urllib.parse.urlsplit(to.path)
        path, query = urllib.parse.unquote(url.path).rstrip("/"), dict(urllib.parse.parse_qsl(url.query))
        for folder in (ORIGINALS, RENDITIONS):
            if path.startswith(folder):
                return self.give(to, path[len(folder):])
        if self.fault:
            return self.fail(to, self.fault)
        if (name := path[1:].removesuffix(".json")) in self.lists:
            told = self.lists[name]
            return self.tell(to, told(query) if callable(told) else {"items": told})
        if path == BASE:
            return self.tell(to, *self.page(query))
        if path.startswith(BASE + "/"):
            day = next((day for day in list(self.days) if f"{day:%y%m%d}" == path[len(BASE) + 1:][:6]), None)
            missing = {"code": "apod_basic_not_found", "message": "APOD not found.", "data": {"status": 404}}
            return self.tell(to, self.record(day)) if day else self.tell(to, missing, 404)
        self.fail(to, 404)

    def tell(self, to, document, status=200, headers={}):
        self.send(to, status, document if isinstance(document, bytes) else json.dumps(document).encode(), "application/json", headers)

    def fail(self, to, status):
        self.send(to, status, b"<html>Not now</html>", "text/html")

    def record(self, day):
        well = self.days[day].json(self.origin)
        return junk(self.junk, well) if self.junk else well

    def page(self, query):
        # (document, status, fields)
        days = sorted((day for day in list(self.days) if query.get("date_from", "") <= f"{day:%y%m%d}"
                       <= query.get("date_to", "991231")), reverse=True)
        size, page = min(int(query.get("per_page", 25)), 25), int(query.get("page", 1))
        return [self.record(day) for day in days[(page - 1) * size:page * size]], 200, {
            "X-WP-Total": len(days), "X-WP-TotalPages": -(-len(days) // size)}

    def give(self, to, name):
        file = copy.copy(self.files.get(name))
        if not file or isinstance(file.fault, int):
            return self.fail(to, file.fault if file else 404)
        body, kind, headers = file.body, file.type, file.headers
        if file.fault == "html":
            return self.send(to, 200, b"<!doctype html><html><body>We have moved</body></html>", "text/html", headers)
        if (to.headers.get("If-None-Match") or to.headers.get("If-Modified-Since", "")) in headers.values():
            return self.send(to, 304, None, None, headers)
        if file.fault == "type":
            kind, body = "image/png" if kind != "image/png" else "image/jpeg", b"GIF87a" + body[6:]
        cut = len(body) // 2 if file.fault in ("broken", "cut", "hang") else None
        if file.fault == "broken":
            body, cut = body[:cut], None
        start, asked = 0, re.fullmatch(r"bytes=(\d+)-", to.headers.get("Range", ""))
        if asked and to.headers.get("If-Range", "bytes") in headers.values():
            start = int(asked[1])
            if start >= len(body):
                return self.send(to, 416, b"", kind, headers | {"Content-Range": f"bytes */{len(body)}"})
            headers["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        self.send(to, 206 if start else 200, body[start:], kind, headers, cut and max(0, cut - start), file.fault == "hang")

    def send(self, to, status, body, kind, headers={}, cut=None, hang=False):
        to.send_response_only(status)
        if body is not None:
            headers = {"Content-Type": kind, "Content-Length": len(body)} | headers
        for name, value in headers.items():
            to.send_header(name, str(value))
        to.end_headers()
        to.wfile.write((body or b"")[:cut])
        if cut is not None:
            to.wfile.flush()
            if hang:
                # Until the client leaves: it is the one that has to lose patience.
                to.connection.settimeout(60)
                to.rfile.read(1)
            to.close_connection = True
