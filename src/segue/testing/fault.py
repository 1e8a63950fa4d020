"""Faults: every way a sender gets a delivery wrong that is no matter of order.

The table maps a rule to edits of a clean story, at least one for each rule that the lifecycle table
does not report.  House rules: an edit takes the story and a place and returns another story, or
None when nothing there can go wrong like that; the simplest fault of a rule comes first; whether
exactly that rule is then reported is for the check to say.  Orders and presence are the targets'
business.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from segue.testing.stories import Beat, Story, beat_of, delivery

__all__ = ["FAULTS", "Fault", "faulty"]

Edit: TypeAlias = Callable[[Story, int], Story | None]

_END: Final = "END_OF_CONVERSATION"
_NINE: Final = "2026-03-02T09:00:00Z"
_EARLIER: Final = "2026-03-02T08:59:59Z"


class Fault(NamedTuple):
    """One way to get a delivery wrong."""

    code: str
    title: str
    """What the sender did, as a clause."""
    edit: Edit


def faulty(story: Story, fault: Fault) -> Iterator[Story]:
    """Yield the story with this fault, at every place that suits it."""
    for place in range(len(story) + 1):
        edited = fault.edit(story, place)
        if edited is not None:
            yield edited


# Edits.


def _change(how: Callable[[Any], object], *labels: str) -> Edit:
    """Change a copy of the delivery at the place, if it tells one of these labels."""

    def edit(story: Story, place: int) -> Story | None:
        if place == len(story):
            return None
        beat = beat_of(story[place])
        if beat is None or not any(beat.label.endswith(label) for label in labels):
            return None
        given = deepcopy(story[place])
        changed = how(given)
        return Story([*story[:place], given if changed is None else changed, *story[place + 1 :]])

    return edit


def _insert(make: Callable[[Beat], object], *labels: str) -> Edit:
    """Put in something just after a delivery that tells one of these labels."""

    def edit(story: Story, place: int) -> Story | None:
        beat = beat_of(story[place - 1]) if place else None
        if beat is None or beat.label not in labels:
            return None
        return Story([*story[:place], make(beat), *story[place:]])

    return edit


def _put(given: object) -> Edit:
    """Put in something, anywhere."""
    return lambda story, place: Story([*story[:place], given, *story[place:]])


def _drop(*labels: str) -> Edit:
    def edit(story: Story, place: int) -> Story | None:
        beat = beat_of(story[place]) if place < len(story) else None
        if beat is None or beat.label not in labels:
            return None
        return Story([*story[:place], *story[place + 1 :]])

    return edit


def _set(path: str, value: object) -> Callable[[Any], None]:
    def how(given: Any) -> None:  # noqa: ANN401 - a delivery
        *parents, last = path.split(".")
        holder = _fields(given)
        for parent in parents:
            holder = holder[parent]
        holder[last] = value

    return how


def _unset(path: str) -> Callable[[Any], None]:
    def how(given: Any) -> None:  # noqa: ANN401 - a delivery
        *parents, last = path.split(".")
        holder = _fields(given)
        for parent in parents:
            holder = holder[parent]
        del holder[last]

    return how


def _fields(given: Any) -> Any:  # noqa: ANN401 - a delivery
    body = given.get("body", given)
    return body["events"][0] if "events" in body else body


def _bot(given: Any) -> None:  # noqa: ANN401 - a delivery
    given["botId"] = "st-2"


def _enveloped(given: Any, **more: object) -> object:  # noqa: ANN401 - a delivery
    return {**more, "body": given} if "body" not in given else {**given, **more}


def _backwards(story: Story, place: int) -> Story | None:
    """Give a delivery an earlier time than the one before."""
    if not 0 < place < len(story):
        return None
    one, other = story[place - 1], story[place]
    pair = [_enveloped(one, received_at=_NINE), _enveloped(other, received_at=_EARLIER)]
    return Story([*story[: place - 1], *pair, *story[place + 1 :]])


def _reused(story: Story, place: int) -> Story | None:
    """Reuse the id of the delivery before; the one that is lost by it comes again properly."""
    if not 0 < place < len(story):
        return None
    one, other = story[place - 1], story[place]
    pair = [_enveloped(each, delivery_id="d-1") for each in (one, other)]
    return Story([*story[: place - 1], *pair, *story[place:]])


def _twice(story: Story, place: int) -> Story | None:
    """Send an action again at once."""
    beat = beat_of(story[place - 1]) if place else None
    if beat is None or not beat.is_action:
        return None
    return Story([*story[:place], deepcopy(story[place - 1]), *story[place:]])


def _act(label: str, agent: str = "") -> Callable[[Beat], object]:
    return lambda beat: delivery(Beat(label, agent or beat.agent))


def _taken_up(story: Story, place: int, by: str | None) -> Story | None:
    """Announce a transfer otherwise, or not at all, and let the next agent act accordingly."""
    beats = [beat_of(each) for each in story]
    labels = [beat.label if beat else "" for beat in beats]
    if place >= len(story) or labels[place] != "pause handover=true":
        return None
    following = (index for index in range(place, len(story)) if labels[index] in _OPENING)
    index = next(following, None)
    taker = None if index is None else beats[index]
    if index is None or taker is None:
        return None
    edited = Story(deepcopy(story))
    if by is None:
        del edited[index], edited[place]
    else:
        edited[place]["body"]["handover"] = False
        edited[index] = delivery(Beat(by, taker.agent))
    return edited


def _change_of_mind(story: Story, place: int) -> Story | None:
    """Announce a transfer, and go on without one."""
    beat = beat_of(story[place - 1]) if place else None
    if beat is None or beat.label != "start":
        return None
    actions = [delivery(Beat(label, beat.agent)) for label in ("pause handover=true", "resume")]
    return Story([*story[:place], *actions, *story[place:]])


def _after_end(make: Callable[[Beat], object]) -> Edit:
    return _insert(make, _END)


_IDS: Final[dict[str, Any]] = {"conversationId": "c-1", "botId": "st-1"}
_OPENING: Final = ("start", "resume")
_TRANSFER: Final[dict[str, Any]] = {
    "name": "INTERNAL_TRANSFER_EVENT",
    "transfertype": "NA",
    "transition": "entry",
    "isExtAD": False,
    "experience": "chat",
    "participant": {"identity": "a-1", "name": "Agent a-1", "type": "agent"},
}


def _odd(**fields: object) -> dict[str, Any]:
    """Return a delivery of a transfer nobody can place."""
    given = _TRANSFER | fields
    return _IDS | {"events": [{key: value for key, value in given.items() if value is not ...}]}


FAULTS: Final = (
    Fault(
        "SG301",
        "the end named the other experience",
        _change(_set("experience", "voice"), _END),
    ),
    Fault(
        "SG301",
        "a message named the other experience",
        _change(_set("experience", "voice"), "message"),
    ),
    Fault("SG302", "the end named another bot", _change(_bot, _END)),
    Fault("SG302", "a message named another bot", _change(_bot, "message")),
    Fault("SG401", "transcription was controlled before it was started", _drop("start")),
    Fault("SG401", "transcription was resumed without a pause", _insert(_act("resume"), "start")),
    Fault("SG401", "a command came without any start", _put(delivery(Beat("resume", "a-1")))),
    Fault("SG402", "an action was sent twice", _twice),
    Fault("SG403", "somebody else ended transcription", _change(_set("agentId", "a-9"), "end")),
    Fault("SG404", "transcription ran on through a transfer", partial(_taken_up, by=None)),
    Fault("SG405", "a transfer was announced and did not come", _change_of_mind),
    Fault("SG406", "a transfer was announced as a hold", partial(_taken_up, by="resume")),
    Fault("SG407", "transcription was never ended", _drop("end")),
    Fault("SG408", "transcription was started after the end", _after_end(_act("start"))),
    Fault("SG408", "transcription was resumed after the end", _after_end(_act("resume"))),
    Fault("SG501", "a body was cut off", _put('{"conversationId": "c-1", "botId": "st-')),
    Fault(
        "SG501",
        "a key stood in a body twice",
        _put('{"conversationId": "c-1", "botId": "st-1", "botId": "st-1", "events": []}'),
    ),
    Fault("SG502", "a transfer had no type", _put(_odd(transfertype=...))),
    Fault(
        "SG502", "a transfer named nobody", _put(_odd(participant={"name": "A", "type": "agent"}))
    ),
    Fault("SG502", "an agent had no name", _change(_unset("participant.name"), "entry", "exit")),
    Fault("SG502", "the end gave no reason", _change(_unset("reason"), _END)),
    Fault("SG502", "a summary had no locale", _change(_unset("data.locale"), "SUMMARY_EVENT")),
    Fault("SG502", "a message had no source", _change(_unset("source"), "message")),
    Fault("SG503", "a transfer type came as a number", _put(_odd(transfertype=1))),
    Fault("SG503", "a flag came as a number", _change(_set("isExtAD", 1), "entry", "exit")),
    Fault("SG503", "the text came as a list", _change(_set("query", ["text"]), "message")),
    Fault("SG504", "an event had a name nobody knows", _put(_IDS | {"events": [{"name": "X"}]})),
    Fault("SG505", "a transfer had an unknown type", _put(_odd(transfertype="MONITOR"))),
    Fault("SG505", "an agent neither came nor left", _put(_odd(transition="hold"))),
    Fault("SG505", "a message had an unknown author", _change(_set("author.type", "X"), "message")),
    Fault(
        "SG505",
        "an event had an unknown experience",
        _change(_set("experience", "email"), "entry", "exit"),
    ),
    Fault(
        "SG506",
        "path and body named two bots",
        _change(partial(_enveloped, bot_id="st-2"), "entry", "exit", "message"),
    ),
    Fault(
        "SG507",
        "the end named nobody real",
        _change(_set("participant.identity", "null"), _END),
    ),
    Fault("SG507", "an id was left undefined", _change(_set("agentId", "undefined"), "message")),
    Fault("SG508", "a delivery had no events in it", _put(_IDS | {"events": []})),
    Fault("SG508", "a delivery had nothing but ids", _put(dict(_IDS))),
    Fault(
        "SG509",
        "a time could not be read",
        _change(partial(_enveloped, received_at="yesterday"), "entry", "exit", "message"),
    ),
    Fault("SG602", "the clock ran backwards", _backwards),
    Fault("SG603", "a delivery id was used twice", _reused),
)
"""At least one fault for every rule of families 3 to 5, and those of the envelope."""
