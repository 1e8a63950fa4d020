"""Makes the conformance suite: `python -m tests.testing.make_suite [--keep]`.

The lifecycle conversations are selected so that they tell the table from every wrong one; that
takes some minutes, and with `--keep` those selected before are kept.  The others are enumerated
here.  What a backend must say is told by the reference.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any, Final

from tests.oracle.oracle import Ev
from tests.testing.selection import reduced, selected

from segue.analysis.simulate.bodies import StoryEvent, delivery, detailed
from segue.core.conversation import Conversation
from segue.core.findings import RULES
from segue.core.transcription import TranscriptionState
from segue.report.plurals import pluralize
from segue.testing import shortest_witness, story
from segue.testing.conformance import conformance_suite
from segue.testing.conformance.vectors import delivered
from segue.testing.reference import answer, view

__all__ = ["SUITE", "beats", "others", "vector", "written"]

SUITE: Final = Path(__file__).parents[2] / "src/segue/testing/conformance/suite.jsonl"

Given = dict[str, Any]

_EACH: Final = ("phase", "primary", "consultants")
"""What is known after every delivery that was filed."""


def vector(
    identifier: str, group: str, title: str, deliveries: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a vector: the deliveries, and what the reference says to them."""
    conversation = Conversation()
    sent, expected = [], []
    for given in deliveries:
        said = answer(conversation, delivered(given))
        sent.append(dict(given))
        if "findings" in said:
            known = view(conversation)
            said |= {key: known[key] for key in _EACH}
        expected.append(said)
    known = view(conversation)
    before = len(known["findings"])
    closed = conversation.finish()
    return {
        "id": identifier,
        "group": group,
        "title": title,
        "deliveries": sent,
        "expect": expected,
        "segments": known["segments"],
        "close": {
            "phase": closed.phase.value,
            "findings": [finding.code for finding in closed.findings[before:]],
        },
    }


def written(vectors: Iterable[Given]) -> str:
    """Return the vectors as they stand in the suite."""
    return "".join(f"{json.dumps(each, separators=(',', ':'))}\n" for each in vectors)


# -- lifecycle


def lifecycle() -> Iterator[Given]:
    """Yield the conversations that tell the table from every wrong one."""
    for number, told in enumerate(reduced(selected()), start=1):
        taken = beats(told.stream)
        title = f"{pluralize(len(taken), 'event')}, the last one {taken[-1]}"
        yield vector(f"lifecycle-{number:04}", "lifecycle", title, map(_hook, taken))


def beats(stream: Iterable[Ev]) -> list[StoryEvent]:
    """Return a stream of the oracle with its agents renamed in the order they turn up."""
    names: dict[str, str] = {}
    found = []
    for event in stream:
        agent = names.setdefault(event.agent, f"a-{len(names) + 1}") if event.agent else ""
        label = {"summary": "TRIGGER_SUMMARY_EVENT", "end": "END_OF_CONVERSATION"}.get(event.kind)
        language = "de" if event.tag else ""
        said_by = agent or ("a-1" if event.kind == "end" else "")
        found.append(StoryEvent(label or event.kind, said_by, language))
    return found


def _hook(beat: StoryEvent) -> Given:
    if beat.label == "message":  # its author is neither: nobody can tell whether it is an agent's
        body = delivery(beat._replace(label="user message"))
        return {"body": body | {"author": {"type": "BOT"}}}
    return {"body": delivery(beat)}


# -- the others


def others() -> Iterator[Given]:
    """Yield every vector that is not selected but enumerated."""
    yield from _offences()
    yield from _spellings()
    yield from _transcriptions()
    yield from _refusals()


NOT_TOLD: Final = (
    *("SG302", "SG501", "SG506", "SG508", "SG509", "SG512"),
    *("SG602", "SG603", "SG709", "SG710", "SG711"),
)
"""Rules about times, about ids of bots and conversations, about bodies that no hook files, and
about what was asked for."""
_CALLS: Final = 7


def _offences() -> Iterator[Given]:
    for rule in RULES:
        if rule.code not in NOT_TOLD:
            title = f"{rule.name}, in the shortest conversation"
            deliveries = map(_of_story, shortest_witness(rule.code))
            group = "notification" if rule.family == _CALLS else "offence"
            yield vector(f"{group}-{rule.code.lower()}", group, title, deliveries)


def _of_story(given: Any) -> Given:
    if "endpoint" in given:
        return {"endpoint": given["endpoint"], "body": given["body"]}
    return {"body": given}


DAY: Final = story(
    *("user message by a-1", "NA entry by a-1", "agent message by a-1", "WARM entry by a-2"),
    *("WARM exit by a-2", "COLD exit by a-1", "COLD entry by a-2", "NA exit by a-2"),
    *("redial entry by a-2", "NA exit by a-2", "TRIGGER_SUMMARY_EVENT"),
    "END_OF_CONVERSATION by a-2",
)
"""A conversation in which everything legal happens."""


def _spellings() -> Iterator[Given]:
    cases = {
        "lower": ("in lower case", str.lower),
        "upper": ("in upper case", str.upper),
        "title": ("in title case", str.title),
        "blanks": ("between blanks", lambda word: f" {word}\t"),
    }
    for field, (name, (how, case)) in product(
        ("transfertype", "transition", "experience", "author.type", "participant.type"),
        cases.items(),
    ):
        told = [_respelt(given, field, case) for given in DAY]
        yield _spelling(f"{field.replace('.', '-')}-{name}", f"{field} {how}", told)
    told = [_respelt(given, "isExtAD", lambda flag: str(flag).lower()) for given in DAY]
    yield _spelling("flag-as-text", "isExtAD as text", told)
    told = [_respelt(given, "isExtAD", lambda flag: str(flag).upper()) for given in DAY]
    yield _spelling("flag-as-capitals", "isExtAD as text in capitals", told)
    told = [_respelt(given, "isExtAD", lambda _: True) for given in DAY]
    yield _spelling("flag-true", "isExtAD true", told)
    for detail in ("voice", "custom fields", "reason of a redial"):
        told = [detailed(given, (detail,)) for given in DAY]
        yield _spelling(detail.replace(" ", "-"), f"every event with {detail}", told)
    told = [_with_more(given) for given in DAY]
    yield _spelling("more-fields", "fields nobody asked for", told)
    told = [_respelt(given, "language", None) for given in DAY[:-1]] + [DAY[-1]]
    told[-2] = DAY[-2]
    yield _spelling("no-language", "transfers without a language", told)
    for flag, text in product((False, True), ("lower", "title", "upper")):
        pause = delivery(StoryEvent(f"pause handover={str(flag).lower()}", "a-1"))
        body = pause["body"] | {"handover": getattr(str(flag), text)()}
        entry, start = story("NA entry by a-1", "start by a-1")
        yield vector(
            f"spelling-handover-{str(flag).lower()}-{text}",
            "spelling",
            f"handover {flag} as text in {text} case",
            map(_of_story, (entry, start, pause | {"body": body})),
        )
    yield _spelling("batched", "as many events as can be in one delivery", _batched(DAY))


def _spelling(name: str, title: str, told: list[Any]) -> Given:
    return vector(f"spelling-{name}", "spelling", title, ({"body": given} for given in told))


def _respelt(given: Any, field: str, how: Any) -> Any:
    """Respell a field of a body or of its event; without `how` leave it out."""
    given = deepcopy(given)
    *parents, last = field.split(".")
    for holder in (given, *given.get("events", ())):
        for parent in parents:
            holder = holder.get(parent, {})  # noqa: PLW2901 - one step down
        if last in holder:
            value = holder.pop(last)
            if how is not None:
                holder[last] = how(value)
    return given


def _with_more(given: Any) -> Any:
    """Add a field that nobody asked for to every object."""
    if isinstance(given, list):
        return [_with_more(each) for each in given]
    if not isinstance(given, dict):
        return given
    return {key: _with_more(each) for key, each in given.items()} | {"x-more": [1, {"a": None}]}


def _batched(stream: list[Any]) -> list[Any]:
    bodies: list[Any] = []
    for given in stream:
        if bodies and "query" not in given:
            events = [*bodies[-1].get("events", ()), *given["events"]]
            bodies[-1] = bodies[-1] | {"events": events}
        else:
            bodies.append(given)
    return bodies


WAYS: Final = {
    TranscriptionState.IDLE: (),
    TranscriptionState.ACTIVE: ("start",),
    TranscriptionState.HOLD: ("start", "pause handover=false"),
    TranscriptionState.HANDOVER: ("start", "pause handover=true"),
    TranscriptionState.ENDED: ("start", "end"),
}
ACTIONS: Final = ("start", "pause handover=false", "pause handover=true", "resume", "end")


SCENES: Final = {
    "": ((), ("NA exit by a-1",)),
    " once the controller has left": (
        ("COLD exit by a-1", "COLD entry by a-2"), ("NA exit by a-2",),
    ),
    " after the end": (("NA exit by a-1", "END_OF_CONVERSATION by a-1"), ()),
}  # fmt: skip
"""What happens before the action, and what after it."""


def _transcriptions() -> Iterator[Given]:
    scenes = product(SCENES.items(), WAYS.items(), ACTIONS, ("a-1", "a-2"))
    for (scene, (before, after)), (state, way), action, agent in scenes:
        sent = (*(f"{each} by a-1" for each in way), *before, f"{action} by {agent}", *after)
        name = (
            action.replace(" handover=", "-").replace("false", "hold").replace("true", "handover")
        )
        whose = "the same" if agent == "a-1" else "another"
        yield vector(
            f"transcription-{state.value}-{name}-{agent}{scene.replace(' ', '-')}",
            "transcription",
            f"{action} by {whose} agent when {state.value}{scene}",
            map(_of_story, story("NA entry by a-1", *sent)),
        )


def _refusals() -> Iterator[Given]:
    entry, leave = (dict(given) for given in story("NA entry by a-1", "NA exit by a-1"))
    text = json.dumps(leave)
    for name, title, bad in (
        ("cut-off", "a body that was cut off", text[: len(text) // 2]),
        ("key-twice", "a key that stands in a body twice", text[:-1] + ', "botId": "st-1"}'),
        ("no-object", "a body that is no object", "[]"),
        ("no-text", "no body at all", ""),
        ("nul", "a zero character in an id", text.replace('"a-1"', '"a\\u0000"')),
        ("no-conversation", "nothing to file it under", json.dumps({"events": leave["events"]})),
        ("no-events", "nothing in it", json.dumps(leave | {"events": []})),
    ):
        deliveries: list[Given] = [{"body": entry}, {"text": bad}, {"body": leave}]
        yield vector(f"refusal-{name}", "refusal", f"{title}: nothing is applied", deliveries)
    once: Given = {"body": entry, "delivery_id": "d-1"}
    yield vector(
        "refusal-again", "refusal", "the same delivery id again", [once, once, {"body": leave}]
    )
    reused: Given = {"body": leave, "delivery_id": "d-1"}
    yield vector(
        "refusal-reused",
        "refusal",
        "a delivery id with another body: nothing is applied",
        [once, reused, {"body": leave}],
    )


def kept() -> Iterator[Given]:
    """Yield the lifecycle conversations of the suite as it is, with what is expected told anew."""
    for each in conformance_suite(groups=["lifecycle"]):
        yield vector(each["id"], each["group"], each["title"], each["deliveries"])


if __name__ == "__main__":
    chosen = kept() if "--keep" in sys.argv else lifecycle()
    SUITE.write_text(written([*chosen, *others()]), "utf-8", newline="\n")
