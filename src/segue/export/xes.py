"""`xes`: XES (IEEE 1849-2016), for process mining: a trace a conversation, an event an event.

It decides what an activity is: the kind of a lifecycle event, a message, or the transcription,
whose actions are its lifecycle (start, suspend, resume, complete).  House rules: an event without a
time has none, for the order alone is worth mining; a name is shown as text and can be nothing else,
neither markup nor a character that XML does not have.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final
from xml.sax.saxutils import quoteattr

from segue.export.conversation_view import Episode, Needs
from segue.export.identifiers import iso
from segue.export.role_intervals import role_at, segments_at
from segue.export.timeline import Happening
from segue.report.escape import visible

__all__ = ["Xes"]

_HEAD: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<log xes.version="1849.2016" xes.features="">
<extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
<extension name="Time" prefix="time" uri="http://www.xes-standard.org/time.xesext"/>
<extension name="Lifecycle" prefix="lifecycle" uri="http://www.xes-standard.org/lifecycle.xesext"/>
<extension name="Organizational" prefix="org" uri="http://www.xes-standard.org/org.xesext"/>
<global scope="trace">
<string key="concept:name" value="unknown"/>
</global>
<global scope="event">
<string key="concept:name" value="unknown"/>
<string key="lifecycle:transition" value="complete"/>
</global>
<classifier name="Activity" scope="event" keys="concept:name"/>
<classifier name="Transition" scope="event" keys="concept:name lifecycle:transition"/>
<string key="lifecycle:model" value="standard"/>
"""
_TRANSITIONS: Final = {"start": "start", "pause": "suspend", "resume": "resume", "end": "complete"}
_NO_CHARACTERS: Final = re.compile("[\ufffe\uffff]")
"""Not allowed in XML, and not escaped for a terminal."""


class Xes:
    """Writes one document: the traces of all conversations."""

    needs: Final[Needs] = "nothing"

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._before = _HEAD

    def show(self, episode: Episode) -> None:
        """Write the trace of a conversation."""
        self._write(f"{self._before}<trace>\n{''.join(_trace(episode))}</trace>\n")
        self._before = ""

    def finish(self) -> None:
        """Close the log."""
        self._write(f"{self._before}</log>\n")


def _trace(episode: Episode) -> Iterator[str]:
    report = episode.report
    yield _string("concept:name", episode.conversation_id)
    yield _string("bot", episode.bot_id)
    yield _string("phase", report.phase.value)
    yield f'<boolean key="valid" value="{str(report.valid).lower()}"/>\n'
    yield _string("findings", episode.codes)
    held = segments_at(episode)
    for each in episode.happenings:
        yield "<event>\n"
        if each.is_action:
            yield from _action(each)
        else:
            yield _string("concept:name", each.label)
            yield _string("lifecycle:transition", "complete")
        if each.at is not None:
            yield f'<date key="time:timestamp" value="{iso(each.at)}"/>\n'
        yield _string("org:resource", each.agent)
        segment = None if each.is_action else held.get(each.position)
        if segment is not None:
            yield _string("org:role", role_at(segment, each.position))
            yield _string("org:group", segment.queue_name or segment.queue_id)
            yield f'<int key="segment" value="{segment.index}"/>\n'
        yield f'<int key="position" value="{each.position}"/>\n'
        yield _string("findings", episode.codes_at(each))
        if each.text is not None:
            yield _string("text", each.text)
        yield "</event>\n"


def _action(action: Happening) -> Iterator[str]:
    yield _string("concept:name", "transcription")
    yield _string("lifecycle:transition", _TRANSITIONS[action.label.split()[0]])
    yield _string("action", action.label)


def _string(key: str, value: str) -> str:
    """Return an attribute; nothing to tell is no attribute."""
    return f'<string key="{key}" value={quoteattr(_plain(value))}/>\n' if value else ""


def _plain(text: str) -> str:
    return _NO_CHARACTERS.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text))
