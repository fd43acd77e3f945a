"""A proxy to an HTTP server, which fails as a test says."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# A request is carried out, and its answer is lost.
LOST = 0


@dataclass
class Proxy:
    """Its address, and what `becomes` of a request with a method, a path and headers: None (it is passed on), LOST, or
    the status that it is answered with in the server's place."""

    address: str
    becomes: Callable[[str, str, dict[str, str]], int | None]


@contextmanager
def proxied(address: str) -> Iterator[Proxy]:
    """A proxy to the server at an address, which passes everything on at first."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status = proxy.becomes(self.command, self.path, dict(self.headers))
            if status:
                self.answer(status, {}, b"<Error><Code>AccessDenied</Code></Error>")
                return
            of = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
            of.request(self.command, self.path, body, dict(self.headers))
            got = of.getresponse()
            answer = got.status, dict(got.getheaders()), got.read()
            of.close()
            if status is None:
                self.answer(*answer)
            else:
                self.close_connection = True

        def answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            length = headers.get("Content-Length") if self.command == "HEAD" else None
            for name, value in headers.items():
                if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                    self.send_header(name, value)
            self.send_header("Content-Length", length or str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, *said: object) -> None:
            pass

        do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = pass_on

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    proxy = Proxy(f"http://127.0.0.1:{server.server_address[1]}", lambda *_: None)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
