"""An event that was read before is read again as it was."""

from __future__ import annotations

import json

from tests.builders import Sender

from segue.core.events import EventKind
from segue.core.wire import read_event


def test_an_event_is_read_again_by_itself() -> None:
    sent = Sender().event("WARM entry a-2")

    event = read_event(json.dumps(sent).encode(), 2)

    assert (event.kind, event.agent, event.pointer) == (EventKind.WARM_ENTRY, "a-2", "/events/2")
    assert event.value == sent
    assert event.flaws == ()
