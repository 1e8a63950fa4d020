"""A dictionary as Python prints it is read as the JSON that it would be."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from segue.logs.body_text import object_text, text_record
from segue.logs.python_literals import json_of_literal

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.text(min_size=1), VALUES, min_size=1), st.text())
def test_what_python_prints_is_found_with_its_length(value: dict[str, object], after: str) -> None:
    printed = repr(value)
    found = json_of_literal(printed + after)
    assert found is not None
    assert (json.loads(found[0]), found[1]) == (value, len(printed))


def test_a_line_of_a_log_with_a_dictionary_is_an_envelope() -> None:
    line = "2026-03-02 08:00:17,123 INFO body={'conversationId': \"c'1\", 'isExtAD': False} sent\n"
    assert text_record(line.encode()) == {
        "body": '{"conversationId": "c\'1", "isExtAD": false}',
        "text": "2026-03-02 08:00:17,123 INFO body= sent\n",
        "received_at": "2026-03-02 08:00:17,123",
    }


def test_a_cell_of_a_table_may_hold_a_dictionary() -> None:
    assert json.loads(object_text("{'query': None}")) == {"query": None}


@pytest.mark.parametrize(
    "text",
    [
        "{'",
        "{'a': 1",
        "{'a': f()}",
        "{'a': b'1'}",
        "{'a': (1, 2]]",
        "{'a': " + "[" * 5000 + "]" * 5000 + "}",
    ],
)
def test_other_text_with_such_a_beginning_is_left_out(text: str) -> None:
    assert json_of_literal(text) is None
    assert object_text(text) == text
    assert text_record(text.encode()) is None


def test_a_literal_before_the_body_is_passed_over() -> None:
    record = text_record(b"""ctx={'a': 1} bad={'b body={"conversationId": "c-1"}\n""")
    assert record is not None
    assert record["body"] == '{"conversationId": "c-1"}'


def test_escapes_that_python_does_not_know_are_not_warned_of() -> None:
    assert json_of_literal(r"{'a': '\d'}") == (r'{"a": "\\d"}', 11)
