"""Laws of logs, on conversations of any kind, most of them wrong."""

from __future__ import annotations

import json
from itertools import cycle
from typing import Any

from hypothesis import given, settings, strategies as st
from tests.logs.story import action, body, jsonl

from segue.core.conversation import Conversation, Report
from segue.logs import FieldMapping, replay
from segue.logs.ended import SavedConversation
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer

AGENTS = ("a-1", "A-1", "a-2")
EVENTS = (
    *(
        f"{transfer_type} {transition} {agent}"
        for transfer_type in ("NA", "COLD", "WARM", "redial")
        for transition in ("entry", "exit")
        for agent in AGENTS
    ),
    "summary",
)
ACTIONS = tuple(
    f"{name} {agent}"
    for name in ("start", "pause handover=true", "pause handover=false", "resume", "end")
    for agent in AGENTS
)


def put(text: str, envelope: dict[str, Any]) -> dict[str, Any]:
    if text in ACTIONS:
        return action(text) | envelope
    return {"body": body(text)} | envelope


envelopes = st.fixed_dictionaries(
    {},
    optional={"received_at": st.integers(0, 99).map(lambda n: f"2026-03-02T09:00:{n:02}Z")},
)
deliveries = st.one_of(
    st.builds(put, st.sampled_from([*EVENTS, "user message", "END"]), envelopes),
    st.builds(put, st.sampled_from(ACTIONS), envelopes),
    st.builds(body, st.sampled_from([*EVENTS, "END"]), st.sampled_from([*EVENTS, "END"])),
    st.just({"conversation_id": "c-1", "bot_id": "b-1", "body": "{"}),
    st.just({"conversationId": "c-1", "events": [{"name": "?"}, 5]}),
)
stories = st.one_of(
    st.lists(deliveries, min_size=1, max_size=12),
    st.builds(
        lambda before, after: [*before, {"body": body("END")}, *after],
        st.lists(deliveries, max_size=8),
        st.lists(deliveries, max_size=6),
    ),
)


def known(story: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the delivery that ends the conversation an id, and send it again at the very end."""
    for index, line in enumerate(story):
        if "END_OF_CONVERSATION" in json.dumps(line) and "body" in line:
            end = line | {"delivery_id": "d-1"}
            return [*story[:index], end, *story[index + 1 :], end]
    return story


def one_spelling_after_the_end(story: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Name no agent after the end in two letter cases; a tombstone does not keep who was known."""
    has_ended, lines = False, []
    for line in story:
        text = json.dumps(line)
        if has_ended and "transfertype" in text:
            text = text.replace('"a-1"', '"a-2"').replace('"A-1"', '"a-2"')
        elif has_ended:
            text = text.replace('"A-1"', '"a-1"')
        lines.append(json.loads(text))
        has_ended = has_ended or "END_OF_CONVERSATION" in text
    return lines


def renamed(story: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    renamed_story: list[dict[str, Any]] = json.loads(
        json.dumps(story).replace('"c-1"', f'"{name}"')
    )
    return renamed_story


def plain(report: Report) -> dict[str, Any]:
    """A report without what depends on where in the log it stood."""
    value = report.to_dict()
    for finding in value["findings"]:
        del finding["line"]
        for cause in finding["because"]:
            del cause["line"]
    return value


def reports(source: Any, **options: Any) -> dict[tuple[str | None, bool], dict[str, Any]]:
    """The reports of a log; its conversations are told apart by their ids, whichever came first."""
    told = replay(source, key="conversation", **options)
    return {(report.conversation_id, report.late): plain(report) for report in told}


@given(stories.map(known).map(one_spelling_after_the_end))
def test_a_log_says_of_a_conversation_what_feeding_it_line_by_line_says(
    story: list[dict[str, Any]],
) -> None:
    """The last report has all findings of `Conversation`, and the one before has the first ones."""
    conversation = Conversation()
    for line in story:
        conversation.feed(json.dumps(line))
    whole = plain(conversation.finish())
    parts = list(replay(jsonl(story).splitlines(), key="conversation"))
    first, last = plain(parts[0])["findings"], plain(parts[-1])["findings"]
    address = ("code", "severity", "event", "action", "pointer", "expected")
    assert [[f[key] for key in address] for f in last] == [
        [f[key] for key in address] for f in whole["findings"]
    ]
    assert [f["code"] for f in last[: len(first)]] == [f["code"] for f in first]
    assert [report.late for report in parts] == [False, True][: len(parts)]
    assert [report.replaces for report in parts] == [False, True][: len(parts)]
    assert parts[-1].events == whole["events"] or not whole["events"]
    assert parts[0].phase == whole["phase"]


@settings(max_examples=max(10, settings().max_examples // 2))  # they are diagnosed three times
@given(st.lists(stories, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_conversations_mixed_in_one_log_are_reported_as_if_alone(
    several: list[list[dict[str, Any]]],
    chance: Any,
) -> None:
    """Interleaving changes no report."""
    logs = [renamed(story, f"c-{number}") for number, story in enumerate(several)]
    alone: dict[Any, Any] = {}
    for log in logs:
        alone |= reports(log)
    queues = [list(log) for log in logs]
    mixture = []
    while any(queues):
        mixture.append(chance.choice([queue for queue in queues if queue]).pop(0))
    assert reports(mixture) == alone
    assert reports(jsonl(mixture).splitlines(keepends=True)) == alone


def unnumbered(report: Report) -> dict[str, Any]:
    """Return a report without its mistakes: bodies that cannot be read are told apart by lines."""
    value = plain(report)
    for finding in value["findings"]:
        del finding["mistake"]
    return value | {"mistakes": None}


@given(stories.map(known))
def test_a_conversation_handed_from_replayer_to_replayer_is_reported_as_by_one(
    story: list[dict[str, Any]],
) -> None:
    """All that is kept of a conversation fits into bytes, open, ended or told late."""
    options = ReplayOptions(key="conversation")
    replayer, given = Replayer(options), []
    for line in jsonl(story).splitlines():
        remains = replayer.save("c-1")
        replayer = Replayer(options)
        replayer.resume("c-1", SavedConversation(*remains))
        given.append(replayer.feed(line))
    found = [*filter(None, given), *replayer.close()]
    whole = list(replay(story, key="conversation"))
    assert list(map(unnumbered, found)) == list(map(unnumbered, whole))


@given(stories, st.sampled_from(["start", "end", "both"]))
def test_the_form_of_a_line_changes_no_report(story: list[dict[str, Any]], partial: str) -> None:
    """Bytes, text, mappings, and other people's lines that say the same."""
    expected = reports(story, partial=partial)
    wrapped = [{"n": number, "line": line} for number, line in enumerate(story)]
    assert reports([json.dumps(line) for line in story], partial=partial) == expected
    if all("body" not in line for line in story):
        assert (
            reports(wrapped, field_mapping=FieldMapping(body_at="/line"), partial=partial)
            == expected
        )


@given(stories, st.lists(st.sampled_from((None, "", "d-1", "d-2")), min_size=1))
def test_deliveries_are_known_again_in_any_form(
    story: list[dict[str, Any]], ids: list[str | None]
) -> None:
    """Lines as bytes, which are read the short way, and as mappings, which are not."""
    lines = [
        line if name is None or "body" not in line else line | {"delivery_id": name}
        for line, name in zip(story, cycle(ids), strict=False)
    ]

    assert reports(jsonl(lines).splitlines()) == reports(lines)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
envelope_like = st.fixed_dictionaries(
    {"body": json_values},
    optional={
        key: st.sampled_from(["c-1", "END", "transcription", "hooks", "", "2026-03-02"])
        | json_values
        for key in ("received_at", "delivery_id", "endpoint", "bot_id", "conversation_id")
    },
)
anything = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60),
    json_values,
    json_values.map(json.dumps),
    envelope_like,
    envelope_like.map(json.dumps),
    deliveries,
    deliveries.map(lambda line: json.dumps(line)[:-3]),
)


@given(
    st.lists(anything, max_size=8),
    st.sampled_from([None, FieldMapping(), FieldMapping(body_at="/body", time_at="/received_at")]),
    st.sampled_from([None, "received_at"]),
)
def test_whatever_the_lines_are_every_one_is_read(
    lines: list[object],
    field_mapping: FieldMapping | None,
    sort: Any,
) -> None:
    """Totality: any lines give reports, and reports can be written."""
    for report in replay(lines, field_mapping=field_mapping, sort=sort):
        json.dumps(report.to_dict())
        assert report.conversation_id is not None or report.findings


@given(st.lists(st.binary(max_size=40) | deliveries.map(lambda line: json.dumps(line).encode())))
def test_every_line_that_is_not_blank_is_of_a_conversation_or_a_finding(
    raw: list[bytes],
) -> None:
    """Nothing disappears: strays are reported one by one."""
    raw = [line.replace(b"\n", b" ") for line in raw]
    broken = [number for number, line in enumerate(raw, 1) if line.strip() and b"c-1" not in line]
    strays = [report for report in replay(raw) if report.conversation_id is None]
    assert [report.findings[0].place.line for report in strays] == broken
