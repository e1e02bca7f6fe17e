#!/usr/bin/python3
# Takes what is sent to a topic as ntfy does, and judges it by ntfy's documentation: ntfy.py FILE
#
# The port is printed. Each request becomes a line of JSON in FILE; `wrong` lists what the documentation forbids. Topic
# `refused` answers 403 and `busy` 429.
import email.header
import hashlib
import http.server
import json
import re
import sys


def decoded(value):
    return str(email.header.make_header(email.header.decode_header(value)))


def is_text(body):
    try:
        return len(body) <= 4096 and body.decode() is not None
    except UnicodeDecodeError:
        return False


class Topic(http.server.BaseHTTPRequestHandler):
    def do_PUT(self):
        topic = self.path.split("?")[0][1:]
        length = int(self.headers["Content-Length"] or -1)
        body = self.rfile.read(max(length, 0))
        fields = {name: decoded(self.headers[name] or "") for name in ("Title", "Message", "Filename", "Click")}
        raw = "".join(self.headers.values())
        rules = {
            "no topic": re.fullmatch(r"[-_A-Za-z0-9]{1,64}", topic),
            "no length": length >= 0,
            "a header beyond ASCII": raw.isascii(),
            "a header in many lines": "\n" not in raw,
            "a message of more than 4,096 bytes": len(fields["Message"].encode()) <= 4096,
            "a file without a name": is_text(body) or fields["Filename"],
            "a file of more than 2 MB": length <= 2_000_000,
        }
        wrong = [what for what, holds in rules.items() if not holds]
        fields |= {"topic": topic, "wrong": wrong, "sha256": hashlib.sha256(body).hexdigest()}
        fields["body"] = body.decode() if is_text(body) else None
        with open(sys.argv[1], "a", encoding="utf-8") as file:
            file.write(json.dumps(fields) + "\n")
        self.send_response({"refused": 403, "busy": 429}.get(topic, 200))
        self.end_headers()
        self.wfile.write(b'{"error":"as asked"}\n' if topic in ("refused", "busy") else b"{}\n")

    do_POST = do_PUT

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Topic)
print(server.server_port, flush=True)
server.serve_forever()
