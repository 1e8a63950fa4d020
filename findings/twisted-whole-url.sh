#!/usr/bin/env bash
# Twisted gives a WSGI application the path `/ttp://localhost/hooks` for a request with a whole URL.
#
# Version: Twisted 26.10.0.
# RFC 9112 (3.2.2) says that a server must accept a whole URL as request target, as proxies send it.
# twisted.web.wsgi replaces the first character of the target by a slash, without a look at it. So the
# path is neither the URL nor its path, and its first letter is lost.
# Output: /hooks -> /hooks, http://localhost/hooks -> /ttp://localhost/hooks
# Why care: a receiver of webhooks behind a proxy that sends whole URLs answers 404 to all of them,
# and its log shows a scheme that nobody has ever heard of.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check twisted==26.10.0
"$work/env/bin/python" - <<'EOP'
import socket
import sys
import threading

from twisted.internet import reactor
from twisted.web.server import Site
from twisted.web.wsgi import WSGIResource


def application(environ, start_response):
    body = environ["PATH_INFO"].encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


found = []


def ask(port):
    for target in ("/hooks", "http://localhost/hooks"):
        with socket.create_connection(("127.0.0.1", port), 10) as connection:
            head = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            connection.sendall(head.encode())
            answer = b""
            while part := connection.recv(65536):
                answer += part
        found.append((target, answer.split(b"\r\n\r\n", 1)[1].decode()))
    reactor.callFromThread(reactor.stop)


resource = WSGIResource(reactor, reactor.getThreadPool(), application)
port = reactor.listenTCP(0, Site(resource), interface="127.0.0.1")
threading.Thread(target=ask, args=(port.getHost().port,), daemon=True).start()
reactor.callLater(20, reactor.stop)
reactor.run()
print(", ".join(f"{target} -> {path}" for target, path in found))
if [path for _, path in found] != ["/hooks", "/ttp://localhost/hooks"]:
    sys.exit("the behavior has changed")
EOP
