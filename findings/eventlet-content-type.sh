#!/usr/bin/env bash
# eventlet tells a WSGI application that a request without a content type has text/plain.
#
# Version: eventlet 0.41.3.
# PEP 3333 says that CONTENT_TYPE may be empty or absent. eventlet asks the header parser of Python for
# the type, which answers with the default of mail, and passes that on as if the sender had said it.
# Output: application/json -> application/json, no header -> text/plain
# Why care: a receiver that accepts JSON without a content type, but refuses other types with 415,
# refuses everything of a sender that leaves the header out, on this server only.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check eventlet==0.41.3
"$work/env/bin/python" -W ignore - <<'EOP'
import sys

import eventlet
import eventlet.wsgi


def application(environ, start_response):
    body = environ.get("CONTENT_TYPE", "absent").encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


listener = eventlet.listen(("127.0.0.1", 0))
eventlet.spawn(eventlet.wsgi.server, listener, application, log_output=False)
found = []
with eventlet.Timeout(20):
    for header in ("Content-Type: application/json\r\n", ""):
        connection = eventlet.connect(listener.getsockname())
        head = f"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{header}"
        connection.sendall(f"{head}Content-Length: 2\r\n\r\n{{}}".encode())
        answer = b""
        while part := connection.recv(65536):
            answer += part
        found.append(answer.split(b"\r\n\r\n", 1)[1].decode())
print(f"application/json -> {found[0]}, no header -> {found[1]}")
if found != ["application/json", "text/plain"]:
    sys.exit("the behavior has changed")
EOP
