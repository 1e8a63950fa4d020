"""A table of the kinds of files that are not logs, by their first bytes."""

import re
from collections.abc import Mapping
from typing import Final

_ROWS: Final = "export its rows as JSON lines"
_PACKETS: Final = "tshark -r FILE -Y http.request -T json -e frame.time_epoch -e http.request.uri"

_KINDS: Final[Mapping[bytes, str]] = {
    rb"\x89PNG": "a PNG picture",
    rb"\xff\xd8\xff": "a JPEG picture",
    rb"GIF8[79]a": "a GIF picture",
    rb"RIFF.{4}(WAVE|AVI |WEBP)": "a RIFF file (sound or picture)",
    rb"%PDF-": "a PDF document",
    rb"PK\x05\x06": "an empty zip archive",
    rb"7z\xbc\xaf": "a 7z archive: unpack it",
    rb"Rar!\x1a": "a RAR archive: unpack it",
    rb"\x04\x22\x4d\x18": "lz4: unpack it with unlz4",
    rb"\x5d\x00\x00.{2}\xff{8}": "lzma: unpack it with unlzma",
    rb"SQLite format 3\0": (
        "an SQLite database: sqlite3 -json FILE 'SELECT * FROM table' writes its rows as JSON, and "
        "segue journal writes the deliveries of a store of Segue"
    ),
    rb"(?:\xd4\xc3\xb2\xa1|\xa1\xb2\xc3\xd4|\x4d\x3c\xb2\xa1|\xa1\xb2\x3c\x4d"
    rb"|\n\r\r\n.{4}(?:\x4d\x3c\x2b\x1a|\x1a\x2b\x3c\x4d))": (
        f"captured packets: {_PACKETS} -e http.file_data writes its requests as JSON"
    ),
    rb"\d+:(?:9:websocket|8:response|7:request|7:version|4:type)[;,#]": (
        "flows of mitmproxy: mitmdump -nr FILE --set hardump=requests.har writes them as a HAR"
    ),
    rb"ARROW1\0\0|\xff\xff\xff\xff.{2}\0\0\x10\0\0\0": (
        "an Arrow table: pyarrow.feather.read_table(FILE) reads it, and "
        "pyarrow.parquet.write_table writes it as Parquet"
    ),
    rb"Obj\x01": "an Avro file: avro-tools tojson FILE writes its records as JSON lines",
    rb"ORC[\x00-\x1f\x80-\xff]": "an ORC table: orc-contents FILE writes its rows as JSON lines",
    rb"\x80[\x02-\x05][\x80-\x95(}\]c]": f"a pickle of Python: {_ROWS} with Python",
    rb"REDIS\d{4}[\xf0-\xff]": "a dump of Redis: rdb --command json FILE writes its values as JSON",
    rb"LPKSHHRH": "a journal of systemd: journalctl --file FILE -o json writes it as JSON lines",
    rb"(?:version: 1\n)?interactions:\n": (
        "a cassette of VCR: yq -o json -I 0 '.interactions[].request' FILE writes its requests as "
        "JSON lines"
    ),
    rb"\x7fELF": "a program",
    rb"MZ.{0,61}\0": "a program",
}
"""Descriptions of files that are not logs, by regular expressions for their first bytes."""

_TEXTS: Final[Mapping[bytes, str]] = {
    rb"\xff\xfe|\xfe\xff": "UTF-16 text: iconv -f UTF-16 -t UTF-8 makes it readable",
    rb"<[A-Za-z!?]": "XML or HTML",
}
"""Descriptions of texts, by regular expressions for their first bytes. Each may have lines."""

_TAR: Final = slice(257, 262)


def kind_of(data: bytes) -> str | None:
    """Return the kind of a file with these first bytes, such as "a PDF document", or None.

    A file of such a kind has no lines. The description ends with a command that exports the file,
    if there is one.
    """
    tar = "a tar archive: unpack it" if data[_TAR] == b"ustar" else None
    return _described(data, _KINDS) or tar


def kind_of_text(data: bytes) -> str | None:
    """Return the kind of a text that may have lines of a log, such as "XML or HTML", or None."""
    return _described(data, _TEXTS)


def _described(data: bytes, kinds: Mapping[bytes, str]) -> str | None:
    matches = (kind for start, kind in kinds.items() if re.match(start, data, re.DOTALL))
    return next(matches, None)
