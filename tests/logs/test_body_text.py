r"""A body is found in every text that logs hold it in."""

from __future__ import annotations

import gzip
import json
import time
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote_plus

import pytest
from hypothesis import given, strategies as st

from segue.logs.body_text import object_text, text_of, text_record

BODY = {"conversationId": 'c-1 "x" \\ é\n {it\'s} #22', "events": [{"name": "END_OF_CONVERSATION"}]}
TEXT = json.dumps(BODY, ensure_ascii=False)


def nginx(text: str) -> str:
    """Escape as nginx does: quotes, backslashes, and all that is not printable ASCII."""
    return "".join(
        chr(byte) if 31 < byte < 127 and byte not in b'"\\' else f"\\x{byte:02X}"
        for byte in text.encode()
    )


def redis(text: str) -> str:
    """Escape as the client of Redis does: as in C, with bytes that are not ASCII as `\\xc3`."""
    named = {ord("\n"): "\\n", ord('"'): '\\"', ord("\\"): "\\\\"}
    return "".join(
        named.get(byte) or (chr(byte) if 31 < byte < 127 else f"\\x{byte:02x}")
        for byte in text.encode()
    )


def haproxy(text: str) -> str:
    """Escape as HAProxy does in a capture: its separators, quotes, and all that is not ASCII."""
    return "".join(
        chr(byte) if 31 < byte < 127 and byte not in b'"#{|}' else f"#{byte:02X}"
        for byte in text.encode()
    )


FORMS = {
    "plain": TEXT,
    "pretty": json.dumps(BODY, indent=1),
    "nginx": nginx(TEXT),
    "nginx, pretty": nginx(json.dumps(BODY, indent=1)),
    "string in a string": json.dumps(TEXT)[1:-1],
    "with its quotes": json.dumps(TEXT),
    "base64": b64encode(TEXT.encode()).decode(),
    "base64, pretty": b64encode(json.dumps(BODY, indent=1).encode()).decode(),
    "base64 of URLs": urlsafe_b64encode(TEXT.encode()).decode().rstrip("="),
    "gzip in base64": b64encode(gzip.compress(TEXT.encode())).decode(),
    "hex": TEXT.encode().hex(),
    "hex with colons": TEXT.encode().hex(":").upper(),
    "form": f"id=1&payload={quote_plus(TEXT)}&x=y",
    "text before": f"2026-03-02 INFO [main] received {TEXT}",
    "text around": f'host "POST /x" "{nginx(TEXT)}" "curl/8"',
    "bytes of Python": f"got {TEXT.encode()!r}",
    "text of Python": f"body={TEXT!r} x=1",
    "text of a shell": f"body='{TEXT}'",
    "a column with doubled backslashes": "7\t" + TEXT.replace("\\", "\\\\") + "\t8",
    "only doubled backslashes": TEXT.replace("\\", "\\\\"),
    "a text of SQL": f"VALUES (1, '{TEXT.replace(chr(39), 2 * chr(39))}');",
    "a cell of CSV": '1,"' + TEXT.replace('"', '""') + '",2',
    "a text with bytes": ' 3) "' + redis(TEXT) + '"',
    "a capture of HAProxy": f'200 {{{haproxy(TEXT)}}} "POST /x"',
    "another object before": f'ctx={{"a": 1}} body={TEXT} {{"b": 2}}',
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_the_object_is_found(text: str) -> None:
    assert json.loads(object_text(text)) == BODY


@pytest.mark.parametrize(
    "text",
    ["", "hello", "{", "{}", "[1]", "ey", "eyJ=====", "%7B", "{\\x22a", '{\\"a\\', "}{", "eyJ\xe9"],
)
def test_another_text_is_left_as_it_is_or_broken(text: str) -> None:
    assert object_text(text) in (text, text[:-1])


@given(st.text(alphabet='{}"\\x22nabc:, []=%7B', max_size=60))
def test_no_text_is_an_error(text: str) -> None:
    object_text(text)
    text_record(text.encode())


@given(st.dictionaries(st.text(), st.recursive(st.text(), st.lists, max_leaves=5), min_size=1))
def test_every_object_is_found_escaped_and_in_base64(value: dict[str, object]) -> None:
    text = json.dumps(value, ensure_ascii=False)

    assert json.loads(object_text(nginx(text))) == value
    assert json.loads(object_text(b64encode(text.encode()).decode())) == value
    assert json.loads(text_record(f"app: {text} end".encode())["body"]) == value  # type: ignore[index]


@pytest.mark.parametrize(
    ("before", "at"),
    [
        ("2026-03-02T08:00:00.123456789Z stdout F ", "2026-03-02T08:00:00.123456789Z"),
        ("<14>1 2026-03-02T08:00:00+01:00 host app - - - ", "2026-03-02T08:00:00+01:00"),
        ("2026-03-02 08:00:00,123 INFO ", "2026-03-02 08:00:00,123"),
        ("2026-03-02 08:00:00.5+02\t", "2026-03-02 08:00:00.5+02"),  # of PostgreSQL
        ('1.2.3.4 - - [02/Mar/2026:08:00:00 +0000] "POST /x" ', "02/Mar/2026:08:00:00 +0000"),
        ("Mar  2 08:00:00 host app: ", None),  # of no year
        ("pod/segue-0 app ", None),
    ],
)
def test_a_line_of_text_is_an_envelope(before: str, at: str | None) -> None:
    record = text_record(f"{before}{TEXT} 200\n".encode())

    assert record is not None
    assert json.loads(record["body"]) == BODY
    assert record["text"] == f"{before} 200\n"
    assert record.get("received_at") == at


def test_a_line_without_an_object_is_none() -> None:
    assert text_record(b"INFO starting\n") is None
    assert text_record(b"code {} [x]\xff\n") == {"body": "{}", "text": "code  [x]\udcff\n"}


def test_a_line_with_a_key_of_a_body_and_no_object_may_be_part_of_one() -> None:
    line = '  "conversationId": "c-1",\n'

    assert text_record(line.encode()) == {"body": line, "text": ""}
    assert text_record(b"GET /x?conversationId=c-1") is None


def test_an_object_in_a_broken_body_is_not_taken_for_it() -> None:
    line = 'got {"conversationId": "c-1", "events": [{"participant": {"identity": "a-1"}}], "q": "'

    assert text_record(line.encode()) == {"body": line[4:], "text": "got "}


def test_the_bytes_of_a_text_are_a_text() -> None:
    assert text_of([*"é{".encode()]) == "é{"
    others: list[object] = [[123], [1, 256], [1, True], ["a", "b"], None, {}]
    for value in others:
        assert text_of(value) is None


def test_a_broken_object_is_kept_to_the_end() -> None:
    assert text_record(b'INFO {"conversationId": "c-1", "ev') == {
        "body": '{"conversationId": "c-1", "ev',
        "text": "INFO ",
    }


def _seconds(count: int) -> float:
    """Return the CPU time of texts of so many braces, of the quickest of three tries."""
    tries = []
    for _ in range(3):
        began = time.process_time()
        for text in ('x {"a', 'x {"a":', r"{\x22a"):
            object_text(text * count)
        tries.append(time.process_time() - began)
    return min(tries)


def test_the_work_grows_with_the_number_of_braces_and_not_with_its_square() -> None:
    assert _seconds(200_000) < 100 * _seconds(10_000)  # the square would be 400
