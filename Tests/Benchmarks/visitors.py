# Opens so many connections, asks each for a day's record at once, and keeps them until all are answered.
#
# usage: visitors.py ORIGIN OLDEST COUNT

import datetime
import resource
import socket
import sys
from urllib.parse import urlsplit

place = urlsplit(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
visitors = [socket.create_connection((place.hostname, place.port), 10) for _ in range(int(sys.argv[3]))]
for number, visitor in enumerate(visitors):
    day = datetime.date.fromisoformat(sys.argv[2]) + datetime.timedelta(number % 30)
    visitor.sendall(f"GET /planetary/apod?date={day} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
for visitor in visitors:
    if not visitor.recv(65536).startswith(b"HTTP/1.1 200"):
        sys.exit("a visitor got no answer")
