"""Says what a way to read a log finds in its first lines, in sentences for people."""

from collections import Counter
from collections.abc import Iterator, Sequence

from segue.core.events import Delivery
from segue.logs.body_places import distinct_places
from segue.logs.deliveries import has_events
from segue.logs.diagnosis.decision import diagnose
from segue.logs.diagnosis.samples import head_lines
from segue.logs.field_mapping import FieldMapping
from segue.logs.line_reader import LineReader
from segue.logs.plan import ReplayOptions
from segue.logs.sources import LogPath


def evidence(log: LogPath, mapping: FieldMapping) -> Iterator[str]:
    """Yield what a mapping finds in the first lines of a log, such as `times: in 9 of 9`.

    The lines are those by which the mapping was chosen. The last sentences are the remarks on the
    order of the lines.
    """
    options = ReplayOptions(field_mapping=None if mapping == FieldMapping() else mapping)
    reader = LineReader(options)
    lines = [line for line in head_lines(log, mapping) if line.strip()]
    read = [reader.read(line, number) for number, line in enumerate(lines, start=1)]
    found = [each for each in read if each is not None and has_events(each)]
    leavings = reader.leavings
    others = len(lines) - len(found) - leavings.count
    yield ", ".join(
        [
            f"sample: {len(found)} deliveries in {len(lines)} lines",
            *([leavings.in_words] if leavings.count else []),
            *([f"{others} without an event, which are checked as well"] if others else []),
        ]
    )
    yield from _of_bodies(mapping, lines)
    yield from _of_deliveries(mapping, found)
    yield from (f"order: {each.sentence}" for each in diagnose((log,), options).remarks)


def _of_bodies(mapping: FieldMapping, lines: Sequence[bytes]) -> Iterator[str]:
    """Yield how bodies are written, if they are not the lines themselves."""
    kinds: Counter[str] = Counter()
    for record in map(mapping.record, lines):
        if record is None or isinstance(record, Delivery):
            continue
        places = (each for each in distinct_places(record) if each.pointer == mapping.body_at)
        for place in places:
            packed = "encoded or surrounded by text" if place.is_packed else "JSON in text"
            kinds[packed if place.is_text else "objects"] += 1
    if mapping.body_at and kinds:
        yield "bodies: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())


def _of_deliveries(mapping: FieldMapping, found: Sequence[Delivery]) -> Iterator[str]:
    timed = sum(each.received_at is not None for each in found)
    if found:
        yield f"times: in {timed} of {len(found)}"
    if mapping.url_at is not None:
        names = Counter(each.intake.name for each in found).most_common()
        yield "addresses: " + ", ".join(f"{count} of {name}" for name, count in names)
