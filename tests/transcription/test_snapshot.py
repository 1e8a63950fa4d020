from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

from segue.events import ActionKind
from segue.transcription import Session, act, session_from_json, session_to_json
from segue.transcription.consistency import saw_cold_exit, saw_warm_entry

AT = datetime(2026, 3, 2, 9, 30, 0, 250_001, tzinfo=timezone(timedelta(hours=5, minutes=30)))


def _told() -> Session:
    session = Session()
    for at, action, stay in (
        (AT, (ActionKind.START, "a-1"), 1),
        (None, (ActionKind.START, "a-1"), 1),
        (None, (ActionKind.HANDOVER, "a-1"), 1),
    ):
        act(session, *action, believe=True, at=at, stay=stay, ended=False)
        saw_cold_exit(session, "a-1", 1, 4)
    saw_warm_entry(session, "a-2", 5)
    return session


def test_a_session_without_actions_is_next_to_nothing() -> None:
    assert session_to_json(Session()) == {}
    assert session_from_json({}) == Session()


def test_the_encoding_is_plain_and_stays_as_it_is() -> None:
    encoded = session_to_json(_told())

    assert encoded == {
        "controller": "a-1",
        "generation": 1,
        "position": 3,
        "deeds": [
            [0, "start", "a-1", 1, "2026-03-02T09:30:00.250001+05:30", "active"],
            [2, "handover", "a-1", 1, None, "handover"],
        ],
        "sightings": [
            [4, "COLD exit", "a-1", 1, "active"],
            [4, "COLD exit", "a-1", 1, "active"],
            [5, "WARM entry", "a-2", None, "handover"],
        ],
    }
    strings = [*encoded["deeds"][0], *encoded["sightings"][0]]
    assert {type(value) for value in strings} == {int, str}


def test_what_was_saved_is_restored() -> None:
    session = _told()
    encoded = session_to_json(session)

    restored = session_from_json(json.loads(json.dumps(encoded)))

    assert restored == session
    assert session_to_json(restored) == encoded
    assert restored.deeds[0].at == AT
