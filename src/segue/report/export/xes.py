"""The export format `xes`: XES (IEEE 1849-2016) for process mining.

A conversation is a trace. Each event kind is an activity. The transcription is one more activity,
whose actions are its lifecycle transitions. Text is escaped, including characters that XML forbids.
"""

from collections.abc import Iterable, Iterator
from typing import Final
from xml.sax.saxutils import quoteattr

from segue.core.segments import Segment
from segue.report.escape import xml_text
from segue.report.export.conversation_view import ExportView
from segue.report.export.identifiers import iso
from segue.report.export.recorder import TimelineItem, resource_of
from segue.report.export.role_intervals import items_with_segments, role_at

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
<date key="time:timestamp" value="1970-01-01T00:00:00.000000Z"/>
</global>
<classifier name="Activity" scope="event" keys="concept:name"/>
<classifier name="Transition" scope="event" keys="concept:name lifecycle:transition"/>
<string key="lifecycle:model" value="standard"/>
"""
_TRANSITIONS: Final = {"start": "start", "pause": "suspend", "resume": "resume", "end": "complete"}


def xes_pieces(views: Iterable[ExportView]) -> Iterator[str]:
    """Yield the pieces of one XML document that contains a trace for each conversation."""
    before = _HEAD
    for view in views:
        yield f"{before}<trace>\n{''.join(_trace(view))}</trace>\n"
        before = ""
    yield f"{before}</log>\n"


def _trace(view: ExportView) -> Iterator[str]:
    report = view.report
    yield _string("concept:name", view.name)
    yield _string("bot", view.bot_id)
    yield _string("phase", report.phase.value)
    yield f'<boolean key="valid" value="{str(report.valid).lower()}"/>\n'
    yield _string("findings", view.codes)
    yield _string("call", view.call_state)
    for item, segment in items_with_segments(view):
        yield "<event>\n"
        yield from _event(view, item, segment)
        yield "</event>\n"


def _event(view: ExportView, item: TimelineItem, segment: Segment | None) -> Iterator[str]:
    if item.is_transcription:
        yield _string("concept:name", "transcription")
        yield _string("lifecycle:transition", _TRANSITIONS[item.label.split()[0]])
        yield _string("action", item.label)
    else:
        yield _string("concept:name", item.label)
        yield _string("lifecycle:transition", "complete")
    yield f'<date key="time:timestamp" value="{iso(item.at)}"/>\n'
    yield _string("org:resource", resource_of(item))
    if segment is not None:
        yield _string("org:role", role_at(segment, item.position))
        yield _string("org:group", segment.queue_name or segment.queue_id)
        yield f'<int key="segment" value="{segment.index}"/>\n'
    yield f'<int key="position" value="{item.position}"/>\n'
    yield _string("findings", view.codes_at(item))
    yield _string("text", item.text or "")


def _string(key: str, value: str) -> str:
    """Return a string attribute of XES as XML, or an empty string if the value is empty."""
    return f'<string key="{key}" value={quoteattr(xml_text(value))}/>\n' if value else ""
