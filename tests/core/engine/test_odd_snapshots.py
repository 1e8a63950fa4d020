"""Bytes that are not a snapshot of ours are refused."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.builders import body, end, message, summary, transfer
from tests.core.engine.test_snapshot import REST, STORY, line, sealed, told

from segue import Conversation
from segue.core.engine import finish, new
from segue.core.engine.snapshot import dump
from segue.errors import ConfigurationError, SchemaTooNew

pytestmark = pytest.mark.no_cover  # measuring coverage would triple their time

_state = new("c-1")
told(_state)
WHOLE = dump(_state)

PLACES = st.integers(0, len(WHOLE) - 1)
ODD_BYTES = st.one_of(
    st.binary(max_size=200),
    PLACES.map(lambda at: WHOLE[:at]),
    st.tuples(PLACES, st.binary(min_size=1, max_size=8)).map(
        lambda edit: WHOLE[: edit[0]] + edit[1] + WHOLE[edit[0] :]
    ),
    st.tuples(PLACES, st.integers(1, 255)).map(
        lambda flip: WHOLE[: flip[0]] + bytes([WHOLE[flip[0]] ^ flip[1]]) + WHOLE[flip[0] + 1 :]
    ),
    st.tuples(PLACES, PLACES).map(lambda cut: WHOLE[: min(cut)] + WHOLE[max(cut) + 1 :]),
)


@settings(max_examples=1000)
@given(ODD_BYTES)
def test_odd_bytes_are_refused(data: bytes) -> None:
    with pytest.raises((ConfigurationError, SchemaTooNew)):
        Conversation.restore(data)


BUSY = (
    line(1, body(transfer("NA entry", "a-1"), transfer("WARM entry", "a-2"))),
    line(2, message("AGENT", "a-2")),
    line(3, body(transfer("WARM entry", "a-3"), transfer("WARM exit", "a-3"))),
    line(4, body(transfer("NA entry", "a-4"), transfer("NA entry", "a-4"))),
    line(4, message("AGENT", "a-9")),
    line(5, body({"name": "odd"})),
    line(5, body(transfer("COLD entry", "a-2", language="de"))),
)


def _told(*lines: Any, partial: Any = None, is_closed: bool = False) -> bytes:
    state = new("c-1", partial=partial)
    told(state, lines)
    if is_closed:
        finish(state)
    return dump(state)


RIGHT = {
    "going on": WHOLE,
    "ended": _told(*STORY, *REST, partial="both"),
    "after END": _told(*BUSY, line(6, body(end())), *REST),
    "closed": _told(*STORY, is_closed=True),
    "busy": _told(*BUSY),
}
"""Snapshots to be forged, by name."""


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    return [path, *(found for key, part in parts for found in _paths(part, (*path, key)))]


PATHS = [(name, path) for name, data in RIGHT.items() for path in _paths(json.loads(data[8:]))]
ODD_VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 9), st.integers(2**31, 2**70),
    st.floats(allow_nan=False), st.sampled_from(["a-1", "a-2", "SG101", "ended", "consulting"]),
    st.sampled_from(["2026-03-02T09:00:00", "2026-03-02T09:00:00+00:00", "AAAA", "AAAAAAAAAAA="]),
    st.sampled_from(["", "x", "2026", [], {}, [None], [[]], [0], [0, 1, 2], [[0, 5]], {"": None}]),
)  # fmt: skip
AFTER = (
    [transfer("NA entry", "a-1")],
    [transfer("WARM exit", "a-2"), transfer("redial entry", "a-1")],
    [transfer("COLD exit", "a-1"), transfer("COLD entry", "a-7")],
    [transfer("COLD entry", "a-1"), transfer("WARM exit", "a-1"), transfer("NA exit", "a-2")],
    [summary(), end("a-1"), transfer("NA exit", "a-1")],
    [transfer("WARM entry", "a-9"), transfer("NA entry", "a-8"), transfer("redial exit", "a-1")],
)
"""What comes after a snapshot was restored."""


def forged(data: bytes, path: tuple[Any, ...], odd: Any) -> bytes:
    """Return a snapshot with something else in one place, and the right checksum."""
    value = {"": json.loads(data[8:])}
    holder: Any = value
    *before, last = ("", *path)
    for key in before:
        holder = holder[key]
    holder[last] = odd
    return sealed(json.dumps(value[""]).encode())


def go_on(it: Conversation, events: list[Any]) -> None:
    """Do everything that can be done with a conversation."""
    it.expected()
    it.report().to_dict()
    with suppress(ConfigurationError):  # finished, or of another id
        at = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
        it.feed(body(*events), received_at=at, delivery_id="d-9")
        it.feed(message("USER", "a-1"))
        it.feed(message("AGENT", "A-2"))
        it.control({"action": "start", "agentId": "a-1"})
        it.control({"action": "pause", "handover": True, "agentId": "a-2"})
    Conversation.restore(it.snapshot())
    report = it.finish()
    assert report.segments is not None
    assert report.metrics is not None
    Conversation.restore(it.snapshot())


def forge(place: tuple[str, tuple[Any, ...]], odd: Any, events: list[Any]) -> bool:
    """Return whether a forged snapshot is refused; otherwise it goes on."""
    name, path = place
    try:
        it = Conversation.restore(forged(RIGHT[name], path, odd))
    except (ConfigurationError, SchemaTooNew):
        return True
    go_on(it, events)
    return False


@pytest.mark.parametrize("events", AFTER)
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_forged_here_is_right_before(name: str, events: list[Any]) -> None:
    go_on(Conversation.restore(RIGHT[name]), events)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PATHS), ODD_VALUES, st.sampled_from(AFTER))
def test_what_was_forged_with_its_checksum_goes_on_or_is_refused(
    place: tuple[str, tuple[Any, ...]], odd: Any, events: list[Any]
) -> None:
    """The checksum tells damage; it is no signature."""
    forge(place, odd, events)


@pytest.mark.slow
def test_each_field_is_forged_five_times() -> None:
    """Prints how many forgeries were refused, and how many went on."""
    chance, tally = Random(3), {True: 0, False: 0}
    for place in PATHS:
        for odd in chance.sample(ODD, 5):
            tally[forge(place, odd, chance.choice(AFTER))] += 1
    print(f"refused {tally[True]}, went on {tally[False]}")  # noqa: T201 - a figure
    assert sum(tally.values()) >= 5_000


ODD: list[Any] = [
    None, True, False, -5, -1, 0, 1, 2, 5, 300, 2**31, 2**40, 2**62, 2**63, 2**70, 1.5, 1e300,
    "", "x", "a-1", "a-2", "2026", "2026-03-02T09:00:00", "2026-03-02T09:00:00+00:00",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "AAAA", "AAAAAAAAAAA=", "start",
    "SG101", "NA entry", "ended", "waiting", "consulting", "active", [], {}, [None], [[]], [0],
    [0, 1], [0, 1, 2], [[0, 0]], [[0, 5]], [[1, 6]], {"": None}, {"x": "y"}, {"phase": "active"},
]  # fmt: skip


_ROWS = json.loads(WHOLE[8:])["entries"]["rows"]
SWAPPED = [_ROWS[1], _ROWS[0], *_ROWS[2:]]
"""The entries, the first two in the other order."""
LIFECYCLE = ("judging", "machines", "lifecycle")
REFUSED: list[tuple[tuple[Any, ...], Any]] = [
    (("made up",), 1),
    (("judging", "position"), "5"),
    (("judging", "position"), True),
    (("judging", "position"), -1),
    (("judging", "position"), 3),
    (("judging", "latest"), "2026-03-02T09:00:00"),
    (("judging", "latest"), "yesterday"),
    (("judging", "partial"), "middle"),
    (("judging", "delivered"), {"hooks d-1": 5}),
    (("judging", "delivered"), []),
    (("judging", "kept", "SG301"), 5),
    (("judging", "kept", "SG999"), True),
    (("judging", "runs"), 3),
    (("judging", "messages"), 7),
    (("judging", "deliveries"), 4),
    (("judging", "overtaken"), ["2026-03-02T09:00:00", 1]),
    (("agents", 1, 0), ""),
    (("agents", 1, 0), "a-1"),
    (("agents", 1, 1), 2),
    (("agents", 1, 2), None),
    (("agents", 1, 3), "gone"),
    (("agents", 1, 4), None),
    (("agents", 1, 4), 2),
    (("agents", 1, 4), 9),
    (("judging", "machines", "transcription", "position"), None),
    ((*LIFECYCLE, "presence", "last"), 2),
    ((*LIFECYCLE, "presence", "primary"), -2),
    ((*LIFECYCLE, "presence", "primary"), 0),
    ((*LIFECYCLE, "presence", "phase"), "consulting"),
    ((*LIFECYCLE, "presence", "agents"), 3),
    ((*LIFECYCLE, "last"), None),
    ((*LIFECYCLE, "last"), 1),
    ((*LIFECYCLE, "ended_at"), 3),
    ((*LIFECYCLE, "late"), ["2026-03-02T09:03:00+00:00", ""]),
    (("findings", 0, "place"), [[], None, "", None, ""]),
    (("entries", "rows"), []),
    (("entries", "rows"), SWAPPED),
    (("entries", "rows", 0, 0), "end of the log"),
    (("entries", "rows", 0, 1), "a-1"),
    (("entries", "rows", 0, 3), 0),
    (("entries", "rows", 0, 3), 2),
    (("entries", "rows", 0, 4), -1),
    (("entries", "rows", 0, 6), "2026-03-02T09:00:00"),
    (("entries", "rows", 0, 6), "2026-03-02T09:02:00+00:00"),
    (("entries", "rows", 1, 1), ""),
    (("entries", "rows", 1, 2), 0),
    (("entries", "rows", 1, 4), 3),
    (("entries", "rows", 1, 9), True),
    (("entries", "rows", 1, 10), True),
    (("entries", "rows", 1, 11), None),
    (("entries", "rows", 1, 11), 5),
    (("entries", "rows", 3, 0), "COLD entry"),
    (("entries", "details", 0, 5), "mail"),
    (("entries", "made up"), []),
    (
        ("judging", "machines", "transcription", "history", "actions", 0),
        [0, "start", None, None, "active"],
    ),
    (
        ("judging", "machines", "transcription", "history", "suspects"),
        [[9, "a-2", 1, "active"]],
    ),
]


def test_a_closed_conversation_in_which_agents_left_is_not_waiting() -> None:
    """The phase of a closed conversation is that of the close, not that of its last event."""
    with pytest.raises(ConfigurationError, match="not a snapshot"):
        Conversation.restore(forged(RIGHT["closed"], (*LIFECYCLE, "presence", "phase"), "waiting"))


@pytest.mark.parametrize(("path", "odd"), REFUSED)
def test_what_would_fail_later_is_refused(path: tuple[Any, ...], odd: Any) -> None:
    with pytest.raises(ConfigurationError, match="not a snapshot of a Segue conversation"):
        Conversation.restore(forged(WHOLE, path, odd))
