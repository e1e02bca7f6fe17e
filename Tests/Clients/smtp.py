#!/usr/bin/python3
# Takes mails by SMTP and does not pass them on: smtp.py FOLDER
#
# The port is printed. Each mail becomes a JSON of what a reader shows.
import email
import email.policy
import hashlib
import json
import os
import socketserver
import sys
from os.path import join


def shown(data):
    mail = email.message_from_bytes(data, policy=email.policy.default)
    files = [
        {"name": part.get_filename(), "type": part.get_content_type(),
         "sha256": hashlib.sha256(part.get_content()).hexdigest()}
        for part in mail.iter_attachments()
    ]
    text = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")
    lines = max(map(len, data.splitlines()))
    return {"to": mail["To"], "from": mail["From"], "subject": mail["Subject"], "text": text, "files": files,
            "ascii": data.isascii(), "longest": lines, "defects": [str(defect) for defect in mail.defects]}


class Mailbox(socketserver.StreamRequestHandler):
    count = 0

    def handle(self):
        self.wfile.write(b"220 here\r\n")
        for line in self.rfile:
            word = line[:4].upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                self.keep(b"".join(iter(self.rfile.readline, b".\r\n")))
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")
            if word == b"QUIT":
                return

    def keep(self, data):
        Mailbox.count += 1
        place = join(sys.argv[1], str(Mailbox.count))
        with open(f"{place}.new", "w", encoding="utf-8") as file:
            json.dump(shown(data.replace(b"\r\n..", b"\r\n.")), file)
        os.rename(f"{place}.new", f"{place}.json")


with socketserver.TCPServer(("127.0.0.1", 0), Mailbox) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
