"""Places: the names of logs in the findings of what several logs tell."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from segue.findings import Finding, Place

__all__ = ["Past", "located"]

Past = tuple[int, str]
"""From which event on a log tells a conversation, and its name."""


def located(
    found: Iterable[Finding], source: str, pasts: Sequence[Past], latest: int
) -> list[Finding]:
    """Write the names of logs into findings; `latest` is the event of those that name none.

    `source` is the log that is read, `pasts` those before it.
    """

    def of_event(place: Place) -> Place:
        event = latest if place.event is None else place.event
        names = (name for start, name in reversed(pasts) if start <= event)
        return replace(place, source=next(names, source))

    def of_finding(place: Place) -> Place:
        if place.action is not None and place.line is not None:
            return replace(place, source=source)
        return of_event(place)

    return [
        replace(
            finding,
            place=of_finding(finding.place),
            because=tuple(replace(cause, place=of_event(cause.place)) for cause in finding.because),
        )
        for finding in found
    ]
