"""`segue serve` after a proxy: a request that is refused harms no other on the same connection."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Final

import pytest
from tests.patience import PATIENCE
from tests.server.adapters.servers import free_port, running, send
from tests.server.http.table import E21
from tests.server.http.tokens import SECRET
from tests.server.http.world import ENTRY, SENDS, delivery

_NGINX: Final = """daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;
events {{}}
http {{
  access_log off; client_body_buffer_size 2m;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  upstream segue {{ server 127.0.0.1:{server}; keepalive 4; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://segue; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_next_upstream off; proxy_request_buffering {buffering}; client_max_body_size 2m;
    }}
  }}
}}
"""
_HAPROXY: Final = """defaults
  mode http
  timeout client 20s
  timeout connect 3s
  timeout server 25s
  http-reuse always
frontend senders
  bind 127.0.0.1:{port}
  default_backend segue
backend segue
  server segue 127.0.0.1:{server}
"""
_VARNISH: Final = 'vcl 4.1;\nbackend default {{ .host = "127.0.0.1"; .port = "{server}"; }}\n'
_CADDY: Final = """{{
  admin off
  auto_https off
}}
http://:{port} {{
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:{server}
}}
"""

PROXIES: Final[Mapping[str, tuple[str, str]]] = {
    "nginx": (_NGINX.replace("{buffering}", "on"), "nginx -c {file} -p {folder}"),
    "nginx, unbuffered": (_NGINX.replace("{buffering}", "off"), "nginx -c {file} -p {folder}"),
    "haproxy": (_HAPROXY, "haproxy -db -f {file}"),
    "varnish": (
        _VARNISH,
        "varnishd -F -j none -n {folder} -a 127.0.0.1:{port} -f {file} -s malloc,16m",
    ),
    "caddy": (_CADDY, "caddy run --adapter caddyfile --config {file}"),
}
"""The configuration and the command of each proxy, which keeps its connections to the server."""


@contextmanager
def proxy(name: str, server: int, folder: Path) -> Iterator[int]:
    """Start a proxy of a server, and yield its port. Skip the test if it is not installed."""
    text, command = PROXIES[name]
    words, port, file = command.split(), free_port(), folder / "configuration"
    found = shutil.which(words[0], path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    if found is None:
        pytest.skip(f"{words[0]} is not installed")
    file.write_text(text.format(folder=folder, port=port, server=server))
    arguments = [word.format(folder=folder, port=port, file=file) for word in words[1:]]
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(
            [found, *arguments], stdout=log, stderr=log, env=os.environ | home
        ) as process,
    ):
        try:
            while not _listens(port):
                assert process.poll() is None, (folder / "log").read_text()
                sleep(0.05)
            yield port
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def request(body: bytes, path: str = E21, *more: str, token: str = SENDS) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", *more, f"Content-Length: {len(body)}"]
    lines += [f"auth: {token}"] if token else []
    return "\r\n".join([*lines, "", ""]).encode() + body


BODY: Final = delivery("c-refused", ENTRY)
REFUSED: Final = {
    401: request(BODY, token=""),
    404: request(BODY, "/nowhere"),
    413: request(BODY + b" " * 300_000),
    415: request(BODY, E21, "Content-Encoding: gzip"),
}
SERVE: Final = [
    *("segue", "serve", "--port", "{port}", "--store", "memory:", "--quiet", "--bots", "bots"),
]


@pytest.mark.thorough
@pytest.mark.parametrize("name", PROXIES)
def test_a_refused_request_harms_no_other_after_a_proxy(name: str, tmp_path: Path) -> None:
    refused, good = [], []
    with running(SERVE, SEGUE_SECRET=SECRET) as (server, _), proxy(name, server, tmp_path) as port:
        for number in range(20):
            for status, bad in REFUSED.items():
                refused.append(send(port, bad))
                good.append(send(port, request(delivery(f"c-{status}-{number}", ENTRY))))

    assert [each.status if each else None for each in good] == [200] * 80
    assert [each.status for each in refused if each and each.status < 400] == []
