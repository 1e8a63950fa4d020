"""Two hundred files of other kinds: no command gives a traceback, a flood, or exit code 0."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import sqlite3
import struct
import tarfile
import wave
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from tests.cli.command import Segue
from tests.cli.commands import LOG_READERS
from tests.cli.layouts import deliveries

COMMANDS = (
    *(
        "check {}",
        "segments {}",
        "repair {}",
        "stats {}",
        "export {} --to xes",
        "sniff {}",
        "convert {}",
        "show {} c-1",
        "causes {}",
        "dialect {}",
    ),
    *("diff {} good.log", "diff good.log {}", "send {} http://127.0.0.1:9 --bot b-1 --timeout 0"),
)
MOST_LINES = 20
FILES = 200
PARTS, THOROUGH = 20, 5
"""Each command gets another part of the files; a quarter is thorough, the others are slow."""


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(side: int) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
    rows = zlib.compress(b"".join(b"\0" + bytes(range(side)) for _ in range(side)))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def sound() -> bytes:
    stream = io.BytesIO()
    with wave.open(stream, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(500))
    return stream.getvalue()


def tar() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        member = tarfile.TarInfo("x.log")
        member.size = 3
        archive.addfile(member, io.BytesIO(b"{}\n"))
    return stream.getvalue()


def zipped(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, "word\n")
    return stream.getvalue()


def database(folder: Path) -> bytes:
    path = folder / "x.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    data = path.read_bytes()
    path.unlink()
    return data


DOCUMENTS: list[object] = [
    *(None, True, 0, 1.5, "text", [], {}, [[]], [{}], [1, 2], ["a"], {"a": None}, [None]),
    *({"conversation": "c-1"}, {"event": {"name": "x"}}, {"events_": []}, {"Events": "x"}),
    {"swagger": "2.0", "paths": {"/hooks/{botId}": {}}},
    {"name": "package", "version": "1.0.0", "dependencies": {"a": "^1"}},
    {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": None}]},
    {"cells": [{"cell_type": "code", "source": ["x = {}"]}], "nbformat": 4},
    {"log": {"version": "1.2", "entries": [{"request": {"url": "/"}, "response": {}}]}},
    {"log": {"version": "1.2", "entries": []}},
    {"Records": [{"eventName": "ObjectCreated:Put", "s3": {"object": {"key": "a"}}}]},
    {"resourceSpans": [{"scopeSpans": [{"spans": [{"name": "x"}]}]}]},
    {"level": "info", "msg": "started", "time": "2026-03-02T08:00:00Z"},
    {"body": None},
    {"body": "hello"},
    {"body": {}},
    {"body": []},
    {"received_at": "2026-03-02T08:00:00Z", "body": {"text": "hello"}},
    {"query": {"match_all": {}}, "size": 10},
    {"action": "opened", "issue": {"number": 1}},
    {"id": 1, "title": "x" * 5000},
    {"a": {"b": {"c": {"d": {"e": {"f": {"g": 1}}}}}}},
    list(range(3000)),
    [{"id": number, "name": "n"} for number in range(2500)],
]

TEXTS = [
    *("", "\n", " \n\t\n", "\ufeff", "hello\n", "{", "}", "[", "]", '"', "{}{}", "{},", ",", "\\"),
    *("{" * 2000, "[" * 2000, '{"a":' * 500, "[{" * 500, '{"' * 3000, "}" * 3000, "%7B%22", "eyJ"),
    *(
        "<html>\n",
        "<?xml version='1.0'?>\n<a/>\n",
        "#!/bin/sh\nexit 0\n",
        "a,b\n1,2\n",
        "a;b\n1;2\n",
    ),
    *("a\tb\n1\t2\n", 'a,b\n"1,2\n', "key: value\n- {a: 1}\n", "[tool]\na = 1\n", "a=1\nb={x}\n"),
    "2026-03-02 08:00:00 INFO up\n" * 1500,
    'GET /health {"up": true}\n' * 1500,
    '{"a": 1}\n' * 2500,
    '{"a": 1\n' * 2500,
    "not json\n" * 2500,
    "x" * 200_000,
    '{"a": "' + "x" * 200_000,
    "{'a': 1}\n" * 30,
    "BEGIN:VCARD\nEND:VCARD\n",
    "-----BEGIN CERTIFICATE-----\neyJhIjogMX0=\n-----END CERTIFICATE-----\n",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln\n",
    "{\\x22a\\x22: 1}\n" * 20,
    "id,body\n1,hello\n2,{}\n",
    'id,body\n1,"{""a"": 1}"\n',
    "\x1b[31mred\x1b[0m\n",
    "\r\r\r",
    "nul\0nul\n",
]


def files(folder: Path) -> Iterator[bytes]:
    """Yield two hundred files: pictures, archives, programs, documents, damaged and random ones."""
    yield from (text.encode() for text in TEXTS)
    yield from (json.dumps(each).encode() for each in DOCUMENTS)
    yield from (json.dumps(each, indent=2).encode() for each in DOCUMENTS)
    log = "\n".join(one.text for one in deliveries())
    yield from (log.encode("utf-16"), log.encode("utf-16-be"), log.encode("utf-32"))
    whole = [png(8), png(100), sound(), database(folder), tar()]
    whole += [gzip.compress(tar()), bz2.compress(tar()), lzma.compress(tar())]
    whole += [b"GIF89a" + bytes(50), b"\xff\xd8\xff\xe0" + bytes(50), b"%PDF-1.7\n%\xe2\xe3\n"]
    whole += [b"\x7fELF" + bytes(99), b"MZ" + bytes(99), b"PAR1" + bytes(20) + b"PAR1", b"PAR1"]
    whole += [zipped(), zipped("a"), zipped("a", "b"), gzip.compress(b""), bz2.compress(b"word\n")]
    whole += [lzma.compress(b"\0"), gzip.compress(png(8)), gzip.compress(gzip.compress(b"{}\n"))]
    whole += [b"\x28\xb5\x2f\xfd" + bytes(9), b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", bytes(5000)]
    yield from whole
    yield from (data[: len(data) // 2] for data in whole)
    source = random.Random(19)
    while True:
        yield source.randbytes(source.choice((1, 7, 100, 5000)))


def test_every_command_that_reads_logs_is_tried() -> None:
    assert {each.partition(" ")[0] for each in COMMANDS} >= {*LOG_READERS}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=pytest.mark.thorough if part < THOROUGH else pytest.mark.slow)
        if part
        else part
        for part in range(PARTS)
    ],
)
def test_a_file_of_another_kind_ends_every_command_in_a_few_lines(
    command: str, part: int, segue: Segue, tmp_path: Path
) -> None:
    (tmp_path / "good.log").write_text("\n".join(one.text for one in deliveries()))
    first = (part + COMMANDS.index(command)) % PARTS
    for data in islice(files(tmp_path), first, FILES, PARTS):
        (tmp_path / "other").write_bytes(data)

        done = segue(*command.format("other").split())

        assert done.code in (1, 2), (data[:80], done)
        assert len((done.out + done.err).splitlines()) <= MOST_LINES, (data[:80], done)
        assert "Traceback" not in done.err
