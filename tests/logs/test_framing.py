"""JSON over several lines is read value by value, however it is cut and packed."""

import bz2
import gzip
import io
import json
import lzma
import re
import zipfile
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from segue.errors import UnreadableLog
from segue.logs.framing import (
    holds_values,
    is_decided,
    joined_objects,
    rows_of_inserts,
    values_in_lines,
    values_of,
)
from segue.logs.sources import lines_of

LINES = [{"conversationId": f'c-{n} ] }}"\n', "events": [{"a": []}]} for n in range(9)]
VALUES = st.recursive(st.text(), st.lists, max_leaves=5)
OBJECTS = st.lists(st.dictionaries(st.text(), VALUES, max_size=4), min_size=1, max_size=5)


def split(*pieces: bytes, longest: int = 1 << 20) -> list[bytes]:
    rest = chain(pieces, repeat(b""))
    return list(values_of(lambda: next(rest), longest))


def zipped(data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("log.json", data)
    return stream.getvalue()


@pytest.mark.parametrize(
    "pack",
    [bytes, gzip.compress, bz2.compress, lzma.compress, zipped],
    ids=["plain", "gzip", "bzip2", "xz", "zip"],
)
@pytest.mark.parametrize(
    "text",
    [
        json.dumps(LINES),
        json.dumps(LINES, indent=2),
        "\ufeff \n" + json.dumps(LINES, indent=2).replace("\n", "\r\n"),
        "\n".join(json.dumps(each, indent="\t") for each in LINES),
        "".join(f"{json.dumps(each)}\n" for each in LINES),
    ],
)
def test_every_layout_has_the_same_lines(tmp_path: Path, pack: object, text: str) -> None:
    path = tmp_path / "log"
    path.write_bytes(pack(text.encode()))  # type: ignore[operator]

    assert [json.loads(line) for line in lines_of(path)] == LINES


@given(
    objects=OBJECTS,
    indent=st.sampled_from([None, 1]),
    size=st.integers(1, 50),
    is_array=st.booleans(),
)
def test_a_value_is_whole_wherever_the_text_is_cut(
    objects: list[object], indent: int | None, size: int, *, is_array: bool
) -> None:
    pieces = [json.dumps(each, indent=indent) for each in objects]
    text = (json.dumps(objects, indent=indent) if is_array else "\n".join(pieces)).encode()

    cut = [text[at : at + size] for at in range(0, len(text), size)]

    assert [json.loads(line) for line in split(*cut)] == objects


def test_what_is_no_value_is_a_line_of_its_own() -> None:
    assert split(b'[{"a": 1}, oops, {"b"', b": 2}] end") == [
        b'{"a": 1}\n',
        b"oops\n",
        b'{"b": 2}\n',
        b"end\n",
    ]
    assert split(b'[{"a": 1}, {"b": "cut') == [b'{"a": 1}\n', b'{"b": "cut\n']


def test_of_a_long_value_the_beginning_is_kept() -> None:
    values = split(b'[{"a": ["x"', *[b', "yy"'] * 99, b']}, {"b": 1}]', longest=20)

    assert [values[0][:11], len(values[0]) < 40, values[1]] == [b'{"a": ["x",', True, b'{"b": 1}\n']


@given(objects=OBJECTS, size=st.integers(1, 50), longest=st.integers(2, 60))
def test_a_value_that_is_too_long_hides_no_other(
    objects: list[object], size: int, longest: int
) -> None:
    values = [json.dumps(each).encode() for each in objects]
    text = b"[" + b", ".join(values) + b"]"

    found = split(*(text[at : at + size] for at in range(0, len(text), size)), longest=longest)

    wanted = [
        {value + b"\n", *([value[:longest] + b"\n"] if len(value) > longest else [])}
        for value in values
    ]
    assert len(found) == len(wanted)
    assert all(line in lines for line, lines in zip(found, wanted, strict=True))


@pytest.mark.parametrize(
    "piece", [b"x" * 10, b"x]}{[ x x ", rb"\\\\\\\\\\", rb"x\"\"x\"\"x", rb"\\\"\"\"\\"]
)
def test_of_a_string_of_any_length_the_beginning_is_kept(piece: bytes) -> None:
    before = b'[{"a": "'
    one = split(before, *[piece] * 99, b'"}, {"b": 1}]', longest=20)
    single = [piece[at : at + 1] for at in range(len(piece))] * 99
    cut = split(before, *single, b'"}, {"b": 1}]', longest=20)

    assert one == cut == [(before[1:] + piece * 2)[:20] + b"\n", b'{"b": 1}\n']


def test_a_string_without_end_is_one_line() -> None:
    assert split(b'[{"a": 1}, {"a": "', *[b"xxxxxxxxxx"] * 99, longest=20) == [
        b'{"a": 1}\n',
        b'{"a": "xxxxxxxxxxxxx\n',
    ]


@pytest.mark.parametrize(
    "between", [[b'"x", '] * 99, [b"12345678, "] * 99, [b'"', *[b"x"] * 99, b'"']]
)
def test_a_long_text_between_values_is_a_line_of_its_own(between: list[bytes]) -> None:
    found = split(b'[{"a": 1}, ', *between, b', {"b": 1}]', longest=20)

    assert [found[0], len(found), found[2]] == [b'{"a": 1}\n', 3, b'{"b": 1}\n']
    assert b"".join(between).startswith(found[1].rstrip())


def test_long_blanks_and_a_long_text_outside_the_records_are_no_lines() -> None:
    blanks = split(b"[", *[b" " * 10] * 99, b'{"a": 1}]', longest=20)
    document = chain(
        [b'{"x": "', *[b"y" * 10] * 99, b'", "data": [{"a": 1}', b'], "z": "', *[b"y" * 10] * 99],
        [b'"}'],
        repeat(b""),
    )

    assert blanks == [b'{"a": 1}\n']
    assert list(values_of(lambda: next(document), 20, ["data"])) == [b'{"a": 1}\n']


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b'{"a": 1}\n{"b": 1}\n', False),
        (b'{"a": 1\n{"b": 1}\n', False),  # a line that was cut off
        (b'{\n  "a": 1\n}\n', True),
        (b"{\n}\n", True),
        (b'[{"a": 1}]', True),
        (b"[\n\n {", True),
        (b"[2026-03-02] {}\n", False),
        (b'{"reports": [\n{"a": 1},\n', False),
        (b"", False),
    ],
)
def test_the_beginning_decides(head: bytes, *, expected: bool) -> None:
    assert holds_values(head) is expected
    assert is_decided(head) is (head != b"")


def test_no_more_is_waited_for_than_a_line() -> None:
    assert is_decided(b'{"a": 1}\n')
    assert not is_decided(b'{"a": 1')
    assert not is_decided(b"[")
    assert not is_decided(b"{\n")


def test_damage_in_the_beginning_comes_after_the_lines_before_it(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n{"b"')[:-9])
    lines: Iterator[bytes] = lines_of(path)

    assert next(lines) == b'{"a": 1}\n'
    with pytest.raises(UnreadableLog, match="cannot be read after line 1"):
        list(lines)


@pytest.mark.parametrize("files", [0, 2])
def test_an_archive_of_several_files_is_refused(tmp_path: Path, files: int) -> None:
    path = tmp_path / "log.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.mkdir("folder")
        for number in range(files):
            archive.writestr(f"{number}", "{}")

    with pytest.raises(UnreadableLog, match=f"it contains {files} files"):
        list(lines_of(path))


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.zip"
    path.write_bytes(zipped(b"{}")[:30])

    with pytest.raises(UnreadableLog, match=r"log\.zip cannot be read"):
        list(lines_of(path))


def archive_of(method: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("log.json", b'{"a": 1}\n' * 300)
    return stream.getvalue()


PACKED = {
    "gzip": gzip.compress(b'{"a": 1}\n' * 300),
    "bzip2": bz2.compress(b'{"a": 1}\n' * 300),
    "xz": lzma.compress(b'{"a": 1}\n' * 300),
    "zip": archive_of(zipfile.ZIP_DEFLATED),
    "zip-lzma": archive_of(zipfile.ZIP_LZMA),
    "zip-bzip2": archive_of(zipfile.ZIP_BZIP2),
}


@pytest.mark.parametrize("packing", PACKED)
def test_whatever_is_damaged_in_a_packed_log_is_an_unreadable_log(
    tmp_path: Path, packing: str
) -> None:
    """Unpackers raise exceptions of a dozen types, depending on the byte that is wrong."""
    path, packed, refusals = tmp_path / "log", PACKED[packing], list[str]()
    for place in range(4, len(packed)):
        for wrong in (0x00, 0xFF, packed[place] ^ 1):
            path.write_bytes(packed[:place] + bytes([wrong]) + packed[place + 1 :])
            try:
                list(lines_of(path))
            except UnreadableLog as error:
                refusals.append(str(error))

    assert len(refusals) > len(packed) // 2
    for each in refusals:
        assert re.fullmatch(r".* cannot be read(?: after line \d+)?: .+", each)


def test_an_encrypted_archive_is_refused_with_advice(tmp_path: Path) -> None:
    packed = bytearray(zipped(b"{}"))
    packed[6] |= 1
    packed[packed.index(b"PK\1\2") + 8] |= 1  # the flag in both headers
    path = tmp_path / "log.zip"
    path.write_bytes(packed)

    with pytest.raises(UnreadableLog, match=r"is encrypted.*: unpack it and pass its file"):
        list(lines_of(path))


RECORDS = [{"a": [{"records": [1]}]}, {"b": "log"}, {"c": '["records", {'}]


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"records": RECORDS}, ("records",)),
        ({"x": {"records": [7]}, "records": RECORDS, "y": [{"z": 1}]}, ("records",)),
        ({"log": {"v": "entries", "pages": [{}], "entries": RECORDS}}, ("log", "entries")),
        ({"log": [{"entries": [7]}], "x": {"log": {"entries": [7]}}, 'é"': RECORDS}, ('é"',)),
        (RECORDS, ()),
    ],
)
@given(indent=st.sampled_from([None, 2]), size=st.integers(1, 40), times=st.integers(1, 3))
def test_the_records_of_a_document_are_found(
    document: object, path: tuple[str, ...], indent: int | None, size: int, times: int
) -> None:
    text = "\n".join([json.dumps(document, indent=indent, ensure_ascii=False)] * times).encode()
    rest = chain((text[at : at + size] for at in range(0, len(text), size)), repeat(b""))

    found = list(values_of(lambda: next(rest), 1 << 20, path))

    assert [json.loads(each) for each in found] == RECORDS * times


def test_the_records_of_each_line_are_found_whatever_is_wrong_with_another() -> None:
    good = json.dumps({"records": [{"a": 1}, {"b": 2}]}).encode() + b"\n"
    log = [good, b'{"records": [{"a": 1}, {"b\n', b"oops\n", b'{"records": {"a": 1}}\n', good]

    assert list(values_in_lines(log, 1 << 20, ("records",))) == [
        *(b'{"a": 1}\n', b'{"b": 2}\n'),
        *(b'{"a": 1}\n', b'{"b\n'),
        *(b"oops\n", b'{"records": {"a": 1}}\n'),
        *(b'{"a": 1}\n', b'{"b": 2}\n'),
    ]


@pytest.mark.parametrize("line", ['{"a": 1}{"b": 2}', '[{"a": 1},{"b": 2}]', '{"a": 1}, {"b": 2},'])
def test_several_values_a_line_are_lines(line: str) -> None:
    assert list(values_in_lines([f"{line}\n".encode(), b"\n"], 99)) == [
        b'{"a": 1}\n',
        b'{"b": 2}\n',
    ]


def test_other_elements_of_a_list_are_lines_of_their_own() -> None:
    assert list(values_in_lines([b'{"r": [1, {"a": 1}, [2], "x"], "s": [{}]}\n'], 99, ("r",))) == [
        b"1\n",
        b'{"a": 1}\n',
        b"[2]\n",
        b'"x"\n',
    ]


def test_a_list_that_is_empty_has_no_records() -> None:
    assert list(values_in_lines([b'{"r": []}\n'], 99, ("r",))) == []


def test_texts_with_json_in_a_list_are_values() -> None:
    texts = [json.dumps(line) for line in LINES]
    document = json.dumps([texts[0], "other", *texts[1:]]).encode()

    for pieces in ([document], [bytes([byte]) for byte in document]):
        first, other, *rest = split(*pieces)
        assert other.strip() == b'"other"'
        assert [json.loads(line) for line in (first, *rest)] == LINES
    assert holds_values(document)


def test_a_star_leads_through_every_list() -> None:
    document = {
        "other": [{"logs": [{"records": [{"n": 9}]}]}],
        "scopes": [
            {"name": "x", "logs": [{"records": [{"n": 1}, {"n": 2}]}, {"records": []}]},
            {"logs": [{"scope": [{"n": 9}], "records": [{"n": 3, "records": [{"n": 9}]}]}]},
        ],
    }
    path = ("scopes", "*", "logs", "*", "records")
    data = json.dumps(document).encode()
    rest = chain([data, data], repeat(b""))

    found = [json.loads(line)["n"] for line in values_of(lambda: next(rest), 1 << 20, path)]

    assert found == [1, 2, 3, 1, 2, 3]
    assert [json.loads(each)["n"] for each in values_in_lines([data], 1 << 20, path)] == [1, 2, 3]


def test_objects_that_a_program_prints_over_several_lines_are_joined() -> None:
    pretty = [json.dumps(line, indent=2) for line in LINES]
    log = "".join(f"08:00 POST /x {text}\nup\n" for text in pretty)

    found = list(joined_objects(log.encode().splitlines(keepends=True), 1 << 20))

    assert found[1::2] == [b"up\n"] * len(LINES)
    assert [json.loads(line.removeprefix(b"08:00 POST /x ")) for line in found[::2]] == LINES


@pytest.mark.parametrize(
    ("log", "found"),
    [
        (b"a {\nb\n", [b"a { \n", b"b\n"]),  # it is not indented
        (b"a {\n  1\n", [b"a {   1 \n"]),  # the log is cut
        (b"  a\n}\n", [b"  a\n", b"}\n"]),
        (b"a {\n  1,\n  {\n  }\n}\n  b\n", [b"a {   1,   {   } } \n", b"  b\n"]),
        (
            b"a {\n" + b"  12345678\n" * 3,
            [b"a {   12345678 \n", *[b"  12345678\n"] * 2],
        ),  # too long
    ],
)
def test_other_lines_are_not_joined(log: bytes, found: list[bytes]) -> None:
    assert list(joined_objects(log.splitlines(keepends=True), 25)) == found


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        (b"INSERT INTO `t` VALUES (1,'a'),(2,'b');\n", [b"(1,'a')\n", b"(2,'b')\n"]),
        (b"insert into t (id, x) values (1,'a')\n", [b"(1,'a')\n"]),
        (
            b"REPLACE INTO t VALUES (1,'),(''\\'('), (now(),2) ;\n",
            [b"(1,'),(''\\'(')\n", b"(now(),2)\n"],
        ),
        (b"INSERT INTO t VALUES (1,'a'),(2,'b", [b"(1,'a')\n", b",(2,'b"]),  # the log is cut
        (
            b"INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING;\n",
            [b"(1)\n", b" ON CONFLICT DO NOTHING;\n"],
        ),
    ],
)
def test_a_statement_is_split_into_its_rows(statement: bytes, rows: list[bytes]) -> None:
    assert list(rows_of_inserts([statement])) == rows


@pytest.mark.parametrize(
    "line", [b"INSERT INTO t VALUES\n", b"got VALUES (1),(2)\n", b"{}\n", b"\n"]
)
def test_other_lines_are_not_split(line: bytes) -> None:
    assert list(rows_of_inserts([line])) == [line]
