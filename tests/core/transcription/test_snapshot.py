from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

from segue.core.events import ActionKind
from segue.core.transcription import Moment, Session
from segue.core.transcription.consistency import saw_cold_exit

AT = datetime(2026, 3, 2, 9, 30, 0, 250_001, tzinfo=timezone(timedelta(hours=5, minutes=30)))


def _told() -> Session:
    session = Session()
    for at, kind in (
        (AT, ActionKind.START),
        (None, ActionKind.START),
        (None, ActionKind.HANDOVER),
    ):
        session.apply(kind, "a-1", Moment(1, at=at, line=7), enforce=False)
        saw_cold_exit(session, "a-1", 1, 4)
    return session


def test_the_encoding_is_plain_and_stays_as_it_is() -> None:
    encoded = _told().to_json()

    assert encoded == {
        "position": 3,
        "controller": "a-1",
        "generation": 1,
        "last": [2, "pause handover=true", "a-1", [1, False, None, 7], "handover"],
        "is_closed": False,
        "history": {
            "actions": [
                [0, "start", "a-1", [1, False, "2026-03-02T09:30:00.250001+05:30", 7], "active"],
                [2, "pause handover=true", "a-1", [1, False, None, 7], "handover"],
            ],
            "suspects": [
                [4, "a-1", 1, "active"],
                [4, "a-1", 1, "active"],
            ],
        },
    }
    strings = [*encoded["history"]["actions"][0], *encoded["history"]["suspects"][0]]
    assert {type(value) for value in strings} == {int, str, list}


def test_what_was_saved_is_restored() -> None:
    session = _told()
    encoded = session.to_json()

    restored = Session.from_json(json.loads(json.dumps(encoded)))

    assert restored == session
    assert restored.to_json() == encoded
    assert restored.actions[0].moment.at == AT


def test_a_session_whose_actions_are_elsewhere_goes_on() -> None:
    encoded = _told().to_json()
    encoded["history"] = {"actions": [], "suspects": []}

    restored = Session.from_json(encoded)

    assert (restored.state, restored.last) == (_told().state, _told().last)
    assert restored.to_json() == encoded
    again = restored.apply(ActionKind.HANDOVER, "a-1", Moment(1), enforce=True)
    assert again.code == "SG402"
    resumed = restored.apply(ActionKind.RESUME, "a-2", Moment(1), enforce=True)
    assert (resumed.code, restored.state, restored.controller) == (None, "active", "a-2")
    assert [action.agent for action in restored.actions] == ["a-2"]
