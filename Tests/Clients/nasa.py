"""Stands for NASA's servers: says what it is asked. nasa.py ADDRESS CERTIFICATE KEY"""
import http.server
import ssl
import sys

address, certificate, key = sys.argv[1:]


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        said = f"NASA: {self.command} {self.headers['Host']} {self.path} {body}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", len(said))
        self.end_headers()
        self.wfile.write(said)

    do_POST = do_GET


# Caddy listens at all addresses of the machine.
http.server.ThreadingHTTPServer.allow_reuse_port = True
server = http.server.ThreadingHTTPServer((address, 443), Answer)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
