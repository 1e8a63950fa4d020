"""A saved state: its encoding stays what it was, and whoever restores it goes on as if nothing was.

`snapshot-4.json` is what version 4 writes of the story below.  When the encoding has to change, the
version goes up, and snapshots of earlier versions are refused.
"""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from tests.builders import body, end, message, summary, transfer

from segue.core.engine import State, apply, finish, new, restore_ended
from segue.core.engine.entry_replay import past_of, replay_told
from segue.core.engine.snapshot import PastSize, dump, dump_parts, findings_in, load
from segue.core.engine.state import told_entries
from segue.core.findings import Finding
from segue.core.segments import measure
from segue.core.wire import read_line
from segue.errors import ConfigurationError, SchemaTooNew

GOLDEN = Path(__file__).with_name("snapshot-4.json")


def sealed(text: bytes) -> bytes:
    """Put the checksum before a text: eight hexadecimal digits."""
    return f"{crc32(text):08x}".encode() + text


def line(minute: int, said: Any, **more: Any) -> dict[str, Any]:
    return {"received_at": f"2026-03-02T09:{minute:02}:00Z", "body": said, **more}


STORY = (
    line(0, message("USER", "a-1")),
    line(1, body(transfer("NA entry", "a-1", language="en")), delivery_id="d-1"),
    line(
        2,
        {"action": "start", "agentId": "A-1"},
        endpoint="transcription",
        conversation_id="c-1",
        bot_id="st-1",
        delivery_id="d-1",
    ),
    line(3, body(transfer("NA entry", "a-2", experience="voice"), bot="st-2")),
    line(4, body(transfer("COLD exit", "a-2"))),
    line(3, message("AGENT", "a-1")),
)
REST = (
    line(5, body(transfer("NA entry", "a-1"), bot="st-2"), delivery_id="d-1"),
    line(5, body(transfer("COLD exit", "a-2"))),
    line(6, body(transfer("COLD exit", "A-1"))),
    line(7, body(transfer("COLD entry", "a-3", experience="voice"), bot="st-2")),
    line(8, body(transfer("NA exit", "a-3"), summary(), end("a-3"))),
)


def told(state: State, lines: Any = STORY, start: int = 1) -> list[Finding]:
    return [
        finding
        for number, each in enumerate(lines, start)
        for finding in apply(state, read_line(each, line=number)).findings
    ]


def test_a_state_is_written_as_it_always_was() -> None:
    state = new("c-1", partial="end")
    told(state)

    assert json.loads(dump(state)[8:]) == json.loads(GOLDEN.read_text("utf-8"))
    assert dump(state) == sealed(dump(state)[8:])


def test_what_was_written_is_read_and_goes_on() -> None:
    restored, whole = load(sealed(GOLDEN.read_bytes())), new("c-1", partial="end")
    told(whole)

    assert told(restored, REST, 7) == told(whole, REST, 7) != []
    assert dump(restored) == dump(whole)
    assert restored.findings == whole.findings
    one, other = replay_told(past_of(restored)), replay_told(past_of(whole))
    assert one.segments() == other.segments()
    assert measure(one) == measure(other)


def test_who_was_consulting_and_who_wrote_while_absent_are_not_forgotten() -> None:
    state = new("c-1")
    told(
        state,
        [
            line(1, body(transfer("NA entry", "a-1"), transfer("WARM entry", "a-2"))),
            line(2, body(transfer("WARM exit", "a-2"))),
            line(3, message("AGENT", "a-3")),
        ],
    )

    again = load(dump(state))
    more = [line(4, message("AGENT", "a-3")), line(5, body(transfer("redial entry", "a-2")))]

    assert [finding.code for finding in told(again, more)] == ["SG123"]


def test_a_state_that_knows_nothing_yet_comes_back() -> None:
    state = new(None)

    assert dump(load(dump(state))) == dump(state)
    assert load(dump(state)).sessions == {}


def test_a_state_of_which_a_tombstone_is_left_comes_back() -> None:
    again = load(dump(restore_ended("c-1", is_reported=True)))

    assert again.ended
    assert again.presence.reported_once == ("SG110",)


def test_findings_keep_the_name_of_their_log() -> None:
    state = new("c-1")
    told(state)
    found = state.findings[0]
    sourced = replace(found, place=replace(found.place, source="shift.jsonl"))
    state.add_findings([sourced], slice(0, 1))

    assert load(dump(state)).findings == state.findings


def test_a_closed_state_stays_closed() -> None:
    state = new("c-1")
    told(state)
    assert [finding.code for finding in finish(state).findings] == [
        "SG107",
        "SG404",
        "SG407",
        "SG108",
    ]

    again = load(dump(state))

    assert finish(again).findings == ()
    assert dump(again) == dump(state)


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"null", b"\xff", b'{"version"'])
def test_what_is_no_snapshot_is_refused(data: bytes) -> None:
    with pytest.raises(ConfigurationError) as refused:
        load(data)

    assert str(refused.value) == (
        "these bytes are not a snapshot of a Segue conversation, or were damaged"
    )


def test_a_newer_snapshot_is_refused_with_a_way_out() -> None:
    with pytest.raises(SchemaTooNew) as refused:
        load(sealed(b'{"version": 5}'))

    assert str(refused.value) == (
        "the snapshot has version 5, this Segue reads version 4: upgrade Segue where it is read"
    )


def test_an_older_snapshot_is_refused_with_a_way_out() -> None:
    with pytest.raises(ConfigurationError) as refused:
        load(sealed(b'{"version": 3}'))

    assert str(refused.value) == (
        "the snapshot has version 3, this Segue reads version 4: restore the conversation from its "
        "events"
    )


def test_delivery_ids_keep_their_order() -> None:
    state = new("c-1")
    told(state, [line(0, message("USER", "a-1"), delivery_id=each) for each in ("d-9", "d-1")])

    delivered = load(dump(state)).delivered

    assert delivered is not None
    assert list(delivered) == ["hooks d-9", "hooks d-1"]


def test_custom_fields_keep_their_order() -> None:
    state = new("c-1")
    custom = {"queueName": "Sales", "agentEmail": "ada@example.com"}
    entry = transfer("NA entry", "a-1")
    entry["participant"]["customFields"] = custom
    told(state, [line(0, body(entry))])

    [segment] = replay_told(past_of(load(dump(state)))).segments()

    assert list(segment.custom_fields) == ["queueName", "agentEmail"]


def test_the_findings_of_a_piece_of_the_history_are_read_without_the_rest() -> None:
    state = new("c-1")
    for said in (transfer("NA exit", "a-1"), end("a-1")):
        apply(state, read_line(body(said)))
    codes = [finding.code for finding in state.findings]
    piece = dump_parts(state).history

    assert codes
    assert [finding.code for finding in findings_in(piece)] == codes
    with pytest.raises(ConfigurationError):
        findings_in(piece[:-1])


def test_a_session_without_lists_is_written_as_it_is() -> None:
    class Counter:
        def to_json(self) -> dict[str, int]:
            return {"count": 1}

    state = new("c-1")
    state.sessions = {"counter": Counter()}

    assert b'"counter":{"count":1}' in dump(state)


def test_events_after_end_keep_their_times_and_facts() -> None:
    state = new("c-1")
    late = line(9, body(transfer("redial entry", "a-1", language="de")))
    told(state, (*STORY, *REST, late, line(8, message("USER", "a-1"))))

    restored = load(dump(state))
    entries = [*told_entries(restored)][-2:]

    assert entries == [*told_entries(state)][-2:]
    assert [each.received_at for each in entries] == [minute(9), minute(9)]  # never earlier
    assert entries[0].details is not None
    assert entries[0].details.language == "de"
    assert entries[1].details is None


def minute(number: int) -> datetime:
    return datetime(2026, 3, 2, 9, number, tzinfo=UTC)


def test_a_message_of_an_agent_writes_no_agent() -> None:
    state = new("c-1")
    told(state, [line(0, body(transfer("NA entry", "a-1")))])
    since = PastSize.of(state)
    told(state, [line(1, message("AGENT", "a-1"))], 2)
    parts = dump_parts(state, since)

    assert parts.agents == {}
    assert [number for number, _ in parts.entries] == [1]
    told(state, [line(2, body(transfer("NA exit", "a-1")))], 3)
    assert list(dump_parts(state, since).agents) == [0]
