"""The desk: conversations as this process last left them, so that most are not read again.

It decides how many lie there.  House rules: what lies on the desk is a guess, for another process
may have gone on with it, and only a commit that names its version proves it right; it is taken
away to be worked on, and put back only when committed.
"""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from segue.engine import State
from segue.processor.records import Kept

__all__ = ["Desk", "Draft"]

_ROOM: Final = 2048


@dataclass(slots=True)
class Draft:
    """A conversation being worked on."""

    state: State
    kept: Kept | None
    """As it was committed last; None: never."""


class Desk:
    """The drafts that were used last."""

    def __init__(self, room: int = _ROOM) -> None:
        self._room = room
        self._lock = Lock()
        self._drafts: OrderedDict[str, Draft] = OrderedDict()

    def take(self, conversation_id: str) -> Draft | None:
        """Take a draft away; None: it does not lie here."""
        with self._lock:
            return self._drafts.pop(conversation_id, None)

    def put(self, conversation_id: str, draft: Draft) -> None:
        """Put a committed draft down, on top; the lowest goes when there is no room."""
        with self._lock:
            self._drafts[conversation_id] = draft
            if len(self._drafts) > self._room:
                self._drafts.popitem(last=False)
