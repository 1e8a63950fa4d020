"""What the conversations of a log are told apart by: their ids alone, or bot and id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.logs.story import all_told, body, mixed
from tests.logs.together import alone, cut, everything, together
from tests.strategies import logs, streams

import segue
from segue.errors import ConfigurationError
from segue.logs import replay
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer
from segue.report.export import FORMATS, convert

ENTRY, EXIT, END = "NA entry a-1", "NA exit a-1", "END"
STORY = (ENTRY, EXIT, END)
BOTS = ("b-1", "b-2")


def of(bot: str, *texts: str, **envelope: Any) -> list[dict[str, Any]]:
    """Lines of one conversation, each with its bot in envelope and body."""
    bodies = (body(text) | {"botId": bot} for text in texts)
    return [{**envelope, "bot_id": bot, "body": each} for each in bodies]


def _of_bot(body: Any, bot: str) -> Any:
    """The body of this bot; what a transfer callback holds may be any JSON."""
    return body | {"botId": bot} if isinstance(body, dict) else body


def owned(lines: list[dict[str, Any]], bot: str) -> list[dict[str, Any]]:
    """The lines as they come for a bot."""
    return [line | {"bot_id": bot, "body": _of_bot(line["body"], bot)} for line in lines]


def logs_of(bot: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    return logs(streams()).map(lambda lines: owned(lines, bot))


TWO = st.tuples(logs_of("b-1"), logs_of("b-2"))


def seen(reports: Any) -> list[Any]:
    """All of the reports but the numbers of lines, in any order."""
    told = []
    for report in reports:
        value = report.to_dict()
        for finding in value["findings"]:
            for place in (finding, *finding["because"]):
                place["line"] = None
        told.append(json.dumps(value, sort_keys=True))
    return sorted(told)


@settings(max_examples=max(10, settings().max_examples // 2))
@given(TWO, st.randoms())
def test_bots_with_the_same_ids_are_told_what_each_is_told_alone(two: Any, random: Any) -> None:
    queues = [list(each) for each in two]
    both = [
        queues[turn].pop(0)
        for turn in random.sample([0] * len(two[0]) + [1] * len(two[1]), sum(map(len, two)))
    ]

    each_alone = [report for lines in two for report in replay(lines)]
    assert seen(replay(both)) == seen(each_alone)
    assert seen(replay(both, sort="received_at", key="bot")) == seen(each_alone)


def test_the_first_delivery_decides() -> None:
    bare = [line["body"] for line in mixed(of("b-1", *STORY), of("b-2", *STORY))]
    clean: Any = ("c-1", False, [])
    double = ["SG601 event 1", "SG302 event 1"]

    assert all_told(mixed(of("b-1", *STORY), of("b-2", *STORY))) == [clean, clean]
    assert all_told(bare)[0][2][:2] == double
    assert all_told([bare[0], *of("b-2", ENTRY)])[0][2][:2] == double
    assert [told for _, _, told in all_told(["{", "", *of("b-1", *STORY)])] == [["SG501"], []]


def test_an_empty_bot_in_the_envelope_leaves_it_to_the_body() -> None:
    lines = [line | {"bot_id": ""} for line in mixed(of("b-1", *STORY), of("b-2", *STORY))]

    assert all_told(lines) == [("c-1", False, []), ("c-1", False, [])]


def test_the_caller_may_say_what_decides() -> None:
    lines = list(mixed(of("b-1", *STORY), of("b-2", *STORY)))
    bare = [line["body"] for line in lines]

    assert all_told(bare, key="bot") == [("c-1", False, []), ("c-1", False, [])]
    assert "SG302 event 1" in all_told(lines, key="conversation")[0][2]
    with pytest.raises(
        ConfigurationError, match="`key` must be 'bot', 'conversation' or None, got 'b'"
    ):
        replay(lines, key="b")  # type: ignore[arg-type]


def test_a_report_says_what_it_is_found_by() -> None:
    [owned_] = replay(of("b-1", *STORY))
    [bare] = replay([line["body"] for line in of("b-1", *STORY)])

    assert (owned_.key, owned_.to_dict()["keyed_by"]) == (("b-1", "c-1"), "bot")
    assert (bare.key, bare.to_dict()["keyed_by"]) == ((None, "c-1"), "conversation")


def test_one_delivery_id_of_two_bots_is_two_deliveries() -> None:
    lines = mixed(*(of(bot, *STORY, delivery_id="d") for bot in BOTS))
    first, second = (told for _, _, told in all_told(lines))

    assert first == second
    assert [each[:5] for each in first] == ["SG603", "SG603", "SG107", "SG108"]


def test_what_comes_late_goes_to_its_bot() -> None:
    lines = [*of("b-1", *STORY), *of("b-2", *STORY), *of("b-1", ENTRY), *of("b-2", ENTRY)]
    reports = list(replay(lines))

    assert [(report.bot_id, report.late) for report in reports] == [
        ("b-1", False), ("b-2", False), ("b-1", True), ("b-2", True)
    ]  # fmt: skip
    assert {report.key for report in reports} == {("b-1", "c-1"), ("b-2", "c-1")}


@pytest.mark.thorough
@given(TWO, st.data())
def test_several_processes_say_what_one_says(
    tmp_path_factory: pytest.TempPathFactory, two: Any, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("logs") / "two.jsonl"
    lines = ["", "{", *map(json.dumps, mixed(*two))]
    path.write_text("".join(f"{line}\n" for line in lines))
    at = sorted(data.draw(st.sets(st.integers(1, len(lines)), max_size=3)))

    expected = [everything(report) for report in alone([path], ReplayOptions())]
    found = together(cut(path, [line for line in at if line < len(lines)]), ReplayOptions())
    assert [everything(report) for report in found.reports()] == expected


def test_a_log_without_a_delivery_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text("{\n\n[\n")

    found = together(cut(path, [1]), ReplayOptions())
    assert [report.findings[0].code for report in found.reports()] == ["SG501", "SG501"]


@pytest.mark.parametrize("to", FORMATS)
def test_every_export_tells_the_bots_apart(to: str) -> None:
    time = {"received_at": "2026-03-02T09:00:00Z"}
    stories = [of(bot, ENTRY, "user message", EXIT, END, **time) for bot in BOTS]

    both = "".join(convert(list(mixed(*stories)), to))
    each_alone = ["".join(convert(story, to)) for story in stories]
    assert len(set(each_alone)) == 2
    if to == "otlp":
        assert sorted(both.splitlines()) == sorted("".join(each_alone).splitlines())
    if to == "ocel":
        ids = [each["id"] for each in json.loads(both)["events"]]
        assert len(ids) == len(set(ids)) == 8
        assert ids[0] == "event/b-1/c-1/0"
    if to == "xes":
        assert '"concept:name" value="b-1/c-1"' in both
        assert '"concept:name" value="b-2/c-1"' in both


def test_the_journal_of_two_bots_replays_to_what_was_live() -> None:
    with segue.Processor(store=segue.MemoryStore()) as processor:
        for text in (ENTRY, EXIT, ENTRY, END):
            for bot in BOTS:
                content = body(text) | {"botId": bot}
                processor.receive(bot, content, delivery_id=f"d-{text}-{text == ENTRY}")
        for text in STORY:
            processor.receive(None, body(text) | {"botId": "b-3"})
        live = [
            processor.conversation("c-1", bot).report  # type: ignore[union-attr]
            for bot in (*BOTS, "b-3")
        ]
        for line in (*processor.export(), *processor.export("c-1", "b-3")):
            assert "bot_id" in json.loads(line)
        lines = list(processor.export())

    assert seen(replay(lines)) == seen(live)
    assert [report.key for report in live] == [("b-1", "c-1"), ("b-2", "c-1"), ("b-3", "c-1")]


def test_conversations_of_one_bot_share_its_id() -> None:
    bots = ("bot-1", "bot-1", "bot-2", "bot-1")
    bodies = [
        body(ENTRY, conversation=f"c-{number}") | {"botId": bot} for number, bot in enumerate(bots)
    ]
    replayer = Replayer(ReplayOptions())
    for each in bodies:
        replayer.feed(json.dumps(each).encode())

    first, second, *others = [report.bot_id for report in replayer.close()]
    assert first is second
    assert [first, second, *others] == [*bots]


UUID = "7f0f4d6e-0000-4000-8000-0000000000c1"
SPELLINGS = UUID.upper(), UUID, f"{{{UUID}}}"


@pytest.mark.parametrize("bot", [None, "b-1"])
def test_the_spellings_of_a_uuid_are_one_conversation(bot: str | None) -> None:
    """UUIDs are equal without regard to letter case and braces (RFC 9562)."""
    lines = [
        {"body": body(text, conversation=each)} | ({} if bot is None else {"bot_id": bot})
        for text, each in zip(STORY, SPELLINGS, strict=True)
    ]
    (report,) = segue.replay(lines)

    assert (report.conversation_id, report.clean, report.events) == (SPELLINGS[0], True, 3)
    for chosen in SPELLINGS:
        (same,) = segue.replay(lines, conversations=[chosen])
        assert same.events == 3
    assert list(segue.replay(lines, conversations={UUID.replace("7f", "7e")})) == []


def test_other_ids_in_two_letter_cases_are_two_conversations() -> None:
    lines = [body(text, conversation=each) for each in ("c-1", "C-1") for text in STORY]

    assert [report.conversation_id for report in segue.replay(lines)] == ["c-1", "C-1"]


@pytest.mark.parametrize("in_envelope", [False, True])
def test_a_bot_whose_uuid_has_two_letter_cases_is_one_bot(in_envelope: bool) -> None:  # noqa: FBT001
    """No SG302, and with the bot in the envelope one conversation and no SG506."""
    envelopes = ({"bot_id": UUID} if in_envelope else {} for _ in STORY)
    lines = [
        {**envelope, "body": body(text) | {"botId": each}}
        for envelope, text, each in zip(envelopes, STORY, SPELLINGS, strict=True)
    ]
    lines[-1] |= {"bot_id": UUID.upper()} if in_envelope else {}
    (report,) = segue.replay(lines)

    assert (report.clean, report.events) == (True, 3)


def test_an_agent_whose_uuid_has_two_letter_cases_is_one_agent() -> None:
    lines = [body("NA entry " + UUID), body("NA exit " + UUID.upper()), body("END " + UUID)]
    (report,) = segue.replay(lines)

    assert report.findings == ()
    assert [segment.agent for segment in report.segments] == [UUID]


def test_a_delivery_with_another_spelling_of_its_id_is_the_same() -> None:
    once, again = (
        {"delivery_id": "7", "body": body(ENTRY, conversation=each)} for each in SPELLINGS[:2]
    )
    (report,) = segue.replay([once, again], partial="end")

    assert (report.findings, report.events) == ((), 1)
