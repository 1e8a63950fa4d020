"""`segue diff` and `segue stats`: what they show, and what they refuse."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.analysis.compare.story import CONSULTED, PLAIN, log
from tests.cli.command import Segue, Write
from tests.report.export.story import timed

ROOT = Path(__file__).parents[2]
SHIFT = str(ROOT / "samples" / "shift.jsonl")


@pytest.fixture
def two(write: Write) -> None:
    old = [*log(*PLAIN, start=0), *log(PLAIN[0], PLAIN[2], conversation="c-2")]
    new = [*log(*CONSULTED, start=0), *log(*PLAIN, conversation="c-3")]
    write("old.jsonl", [json.dumps(each) for each in old])
    write("new.jsonl", [json.dumps(each) for each in new])


@pytest.mark.usefixtures("two")
def test_differences_are_shown(segue: Segue) -> None:
    done = segue("diff", "old.jsonl", "new.jsonl")

    assert done.code == 1
    assert done.out == (
        "- c-2  removed: ended, 1 mistake (1 error)\n"
        "~ c-1  changed: 2 segments\n"
        "    - was  a-1 primary, NA entry, completed, "
        "2026-03-02 09:00:00 to 09:00:10\n"
        "    + is   a-1 primary, NA entry, completed, "
        "2026-03-02 09:00:00 to 09:00:30\n"
        "    + is   a-2 consultant, WARM entry, consulted, "
        "2026-03-02 09:00:10 to 09:00:20\n"
        "+ c-3  added: ended, 0 findings\n"
        "1 added, 1 removed, 1 changed, 0 the same\n"
    )


@pytest.mark.usefixtures("two")
def test_differences_are_for_programs(segue: Segue) -> None:
    document = json.loads(segue("diff", "--format", "json", "old.jsonl", "new.jsonl").out)

    assert document["summary"] == {"added": 1, "removed": 1, "changed": 1, "same": 0}
    assert [each["change"] for each in document["differences"]] == ["removed", "changed", "added"]
    same = segue("diff", "--format", "json", "old.jsonl", "old.jsonl")
    assert (same.code, json.loads(same.out)["differences"]) == (0, [])


@pytest.mark.usefixtures("two")
def test_a_log_is_held_against_the_sessions_of_the_platform(segue: Segue, write: Write) -> None:
    one = {
        "sessionId": "c-1",
        "start_time": "2026-03-02T09:00:00.000Z",
        "end_time": "2026-03-02T09:20:00.000Z",
        "containmentType": "agent",
    }
    write("sessions.json", [json.dumps([one, {**one, "sessionId": "c-9"}])])
    done = segue("diff", "old.jsonl", "--sessions", "sessions.json")

    assert done.code == 1
    assert done.out.splitlines() == [
        "~ c-1  differs in end",
        "    log     2026-03-02 09:00:00 to 2026-03-02 09:00:20, an agent",
        "    session 2026-03-02 09:00:00 to 2026-03-02 09:20:00, an agent",
        "- c-2  only in the log",
        "    log     ? to ?, an agent",
        "+ c-9  only a session",
        "    session 2026-03-02 09:00:00 to 2026-03-02 09:20:00, an agent",
        "1 added, 1 removed, 1 changed, 0 the same",
    ]
    options = ("--sessions", "sessions.json", "--format", "json", "--tolerance", "1h")
    document = json.loads(segue("diff", "old.jsonl", *options).out)
    assert document["summary"] == {"added": 1, "removed": 1, "changed": 0, "same": 1}
    write("none.json", ["[]"])
    none = json.loads(segue("diff", "old.jsonl", "--sessions", "none.json", *options[2:]).out)
    assert none["summary"] == {"added": 0, "removed": 2, "changed": 0, "same": 0}
    write("known.json", ['{"version": 1, "findings": [{"code": "SG101"}]}'])
    known = segue("diff", "old.jsonl", "--sessions", "known.json")
    assert (known.code, known.out) == (2, "")
    assert known.err == (
        "segue: known.json is not a list written by segue call sessions.list --format json: "
        "no item has sessionId\n"
    )
    write("odd.json", ["no JSON"])
    assert "odd.json is not JSON" in segue("diff", "old.jsonl", "--sessions", "odd.json").err


SESSION = {
    "start_time": "2026-03-02T09:00:00.000Z",
    "end_time": "2026-03-02T09:00:20.000Z",
    "containmentType": "agent",
}


@pytest.mark.usefixtures("two")
def test_nothing_is_concluded_about_sessions_on_other_pages(segue: Segue, write: Write) -> None:
    """c-2 has no session on these pages. Of several pages, the last one counts."""
    pages = [{"sessions": [], "moreAvailable": True}] * 2
    pages[-1] = {"sessions": [{**SESSION, "sessionId": "c-1"}], "moreAvailable": True}
    write("pages.json", [json.dumps(pages)])
    done = segue("diff", "old.jsonl", "--sessions", "pages.json")

    assert done.err == (
        "segue: pages.json is not complete, moreAvailable is true: conversations without a session "
        "are not listed\n"
    )
    assert (done.code, done.out) == (0, "no difference in 1 conversation\n")

    write("pages.json", [json.dumps([*pages[:1], {**pages[1], "moreAvailable": False}])])
    whole = segue("diff", "old.jsonl", "--sessions", "pages.json")
    assert (whole.code, whole.err) == (1, "")
    assert whole.out.startswith("- c-2  only in the log\n")


@pytest.mark.usefixtures("two")
def test_sessions_are_joined_by_a_tag_or_a_map(segue: Segue, write: Write) -> None:
    tags = {"userTags": "odd", "sessionTags": [5, {"name": "call", "value": "c-1"}]}
    write("s.json", [json.dumps([{**SESSION, "sessionId": "s-1", "tags": tags}])])
    write("map.json", ['{"s-1": "c-1", "s-2": 5}'])
    write("odd.json", ["[]"])
    only = "- c-2  only in the log\n    log     ? to ?, an agent\n"
    total = "0 added, 1 removed, 0 changed, 1 the same\n"

    alone = segue("diff", "old.jsonl", "--sessions", "s.json")
    assert (alone.code, alone.out) == (2, "")
    assert alone.err == (
        "segue: s.json and the log have no id in common: if a tag of the sessions holds the "
        "conversation id, name it with --session-tag, else give the ids with --session-map\n"
    )
    for option in (("--session-tag", "call"), ("--session-map", "map.json")):
        done = segue("diff", "old.jsonl", "--sessions", "s.json", *option)
        assert (done.code, done.out, done.err) == (1, only + total, "")
    odd = segue("diff", "old.jsonl", "--sessions", "s.json", "--session-map", "odd.json")
    assert (odd.code, odd.err) == (
        2,
        "segue: odd.json is not a JSON object of conversation ids by session id\n",
    )


@pytest.mark.usefixtures("two")
def test_hours_of_operation_say_which_segments_are_outside(segue: Segue, write: Write) -> None:
    day = {"day": "MO", "start": "10:00 AM", "end": "5:00 PM"}
    write("hours.json", [json.dumps({"timezone": "UTC", "standardDays": {"days": [day]}})])
    outside = segue("stats", "new.jsonl", "--hours", "hours.json").out
    within = segue("stats", "old.jsonl", "--hours", "qu-1=hours.json").out

    assert "segments outside hours of operation" in outside
    assert "no segment outside hours of operation" in within


@pytest.mark.usefixtures("two")
def test_a_directory_names_agents_and_says_who_is_missing(segue: Segue, write: Write) -> None:
    write("agents.json", [json.dumps({"results": [{"id": "a-2", "firstName": "Ben"}]})])
    done = segue("check", "new.jsonl", "--directory", "agents.json", "--format", "json")

    assert "1 agent not in agents.json, with conversations: a-1 (2)" in done.err
    assert json.loads(done.out)["reports"][0]["segments"][1]["agent"] == "a-2"


@pytest.mark.usefixtures("two")
def test_a_tolerance_may_make_them_equal(segue: Segue, write: Write) -> None:
    write("later.jsonl", [json.dumps(each) for each in log(*PLAIN, start=1)])
    write("sooner.jsonl", [json.dumps(each) for each in log(*PLAIN, start=0)])

    assert segue("diff", "later.jsonl", "sooner.jsonl", "--tolerance", "999ms").code == 1
    done = segue("diff", "later.jsonl", "sooner.jsonl", "--tolerance", "1s")
    assert (done.code, done.out) == (0, "no difference in 1 conversation\n")


@pytest.mark.parametrize("style", ["json", "jsonl"])
def test_a_kept_report_is_compared_like_the_log_it_is_of(
    segue: Segue, write: Write, style: str
) -> None:
    write("report.json", segue("check", "--format", style, SHIFT).out)

    assert segue("diff", "report.json", SHIFT).code == 0
    assert segue("diff", SHIFT, "report.json").code == 0
    assert segue("diff", "report.json", "report.json").code == 0


@pytest.mark.parametrize("cut", [1, 3, 40, 2_000])
def test_a_document_of_reports_that_is_cut_off_is_no_side(
    segue: Segue, write: Write, cut: int
) -> None:
    text = segue("check", "--format", "json", SHIFT).out.rstrip()
    write("report.json", text[:-cut])
    write("head.json", "".join(text.splitlines(keepends=True)[:2]))

    for name in ("report.json", "head.json"):
        done = segue("diff", name, SHIFT)

        assert done.code == 2
        assert "is cut off or not a report of segue check" in done.err


@pytest.mark.parametrize("style", ["json", "jsonl"])
def test_what_belongs_to_no_conversation_is_not_compared_in_a_report_either(
    segue: Segue, write: Write, style: str
) -> None:
    """Of bots with ids of their own, whose conversations are known by both."""
    keyed = [{"bot_id": "st-1", **each} for each in log(*PLAIN, start=0)]
    write("log.jsonl", [*map(json.dumps, keyed), "garbage"])
    write("report", segue("check", "--format", style, "log.jsonl").out)

    assert segue("diff", "report", "report").code == 0
    assert segue("diff", "report", "log.jsonl").code == 0
    assert segue("diff", "log.jsonl", "report").code == 0


@pytest.mark.usefixtures("two")
def test_one_conversation_is_compared_of_a_report_as_of_a_log(segue: Segue, write: Write) -> None:
    write("old.json", segue("check", "--format", "json", "old.jsonl").out)

    by_report = segue("diff", "old.json", "new.jsonl", "--conversation", "c-1")

    assert by_report == segue("diff", "old.jsonl", "new.jsonl", "--conversation", "c-1")
    assert by_report.out.endswith("0 added, 0 removed, 1 changed, 0 the same\n")
    for option in ("--since", "--until"):
        done = segue("diff", "old.json", "new.jsonl", option, "2026-03-02T09:00:00Z")
        assert done.code == 2
        assert "old.json is a report: --format html, --pair, --since and --until" in done.err


def test_a_report_that_is_cut_off_is_no_side(segue: Segue, write: Write) -> None:
    text = segue("check", "--format", "jsonl", SHIFT).out
    write("report.jsonl", text[:-100])

    done = segue("diff", "report.jsonl", SHIFT)

    assert done.code == 2
    assert "is cut off or not a report of segue check" in done.err


@pytest.mark.parametrize(
    ("at", "odd"),
    [
        (("findings",), 5),
        (("findings",), [None]),
        (("findings", 0), {}),
        (("findings", 0, "event"), []),
        (("findings", 0, "mistake"), "SG101"),
        (("segments",), None),
        (("segments", 0, "connections"), []),
        (("segments", 0, "connections", 0, "started_at"), "x"),
        (("segments", 0, "connections", 0, "started_at"), "0001-01-01T00:00:00+23:59"),
        (("segments", 0, "connections", 0, "ended_at"), 5),
    ],
)
def test_a_report_that_was_changed_is_no_side(
    segue: Segue, write: Write, at: tuple[str | int, ...], odd: object
) -> None:
    lines = segue("check", "--format", "jsonl", SHIFT).out.splitlines()
    report = next(each for each in map(json.loads, lines) if each["findings"] and each["segments"])
    inner: Any = report
    for step in at[:-1]:
        inner = inner[step]
    inner[at[-1]] = odd
    write("report.jsonl", [json.dumps(report)])

    for sides in (("report.jsonl", SHIFT), (SHIFT, "report.jsonl")):
        done = segue("diff", *sides)
        *told, refusal = done.err.splitlines()
        assert done.code == 2
        assert all("cut off" in each for each in told)  # lines of the sample
        assert f"the report of {report['conversation_id']} is not in the format" in refusal


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["old.jsonl"], "diff takes two logs"),
        (["-", "-"], "diff takes two logs"),
        (["old.jsonl", "gone.jsonl"], "gone.jsonl cannot be read"),
        (["old.jsonl", "new.jsonl", "--tolerance", "soon"], "--tolerance takes a duration such as"),
    ],
)
def test_what_cannot_be_meant_is_refused(segue: Segue, arguments: list[str], told: str) -> None:
    done = segue("diff", *arguments)

    assert (done.code, told in done.err) == (2, True)


def test_statistics_are_shown_with_bars(segue: Segue) -> None:
    done = segue("stats", SHIFT)

    assert done.code == 0
    first, _, rest = done.out.partition("\n")
    assert first == "34 findings in 60 conversations: 21 mistakes (22 errors)"
    assert rest.startswith("\nfindings by rule ───")
    assert "  Technical help  4  ████" in done.out
    assert "  08:00  32  ████" in done.out
    # as told, duration has two numbers more: those of the conversations with something after
    # END_OF_CONVERSATION, which may have come too early
    best = "\n  duration                     56   2m 13s   2m 02s   3m 54s   6m 06s     5.1%\n"
    assert best in done.out
    as_told = segue("stats", "--as", "told", SHIFT).out
    assert "\n  duration                     58   2m 11s   1m 57s   3m 53s   6m 06s\n" in as_told
    assert max(map(len, done.out.splitlines())) <= 80


def test_statistics_say_how_much_is_in_doubt(segue: Segue, write: Write) -> None:
    whole = timed("09:00:00 NA entry a-1", "09:00:10 NA exit a-1", "09:00:20 END")
    lost = [each.replace("c-1", "c-2") for each in (whole[0], whole[2])]
    write("shift.jsonl", [*whole, *lost])

    best, told = (segue("stats", *how, "shift.jsonl").out for how in ((), ("--as", "told")))

    assert "max in doubt\n" in best
    assert "  talk time                     1      10s      10s      10s      10s    50.0%" in best
    assert "metrics of a conversation, as told" in told
    assert "  talk time                     2      15s      15s      19s      20s\n" in told


def test_findings_of_no_known_day_are_counted_below_the_days(segue: Segue, write: Write) -> None:
    first = timed("09:00:00 NA entry a-1", "09:00:10 NA exit a-1")
    second = [each.replace("c-1", "c-2").replace("2026-03-02", "2026-03-03") for each in first]
    write("shift.jsonl", [*first, "{", *second])

    out = segue("stats", "shift.jsonl").out

    days = out.partition("findings by day (UTC)")[2].partition("\n\n")[0].splitlines()[1:]
    assert [line.split()[:2] for line in days] == [
        ["2026-03-02", "1"],
        ["2026-03-03", "1"],
        ["1", "of"],
    ]
    assert days[-1] == "  1 of no known day"


def test_statistics_are_for_programs(segue: Segue) -> None:
    document = json.loads(
        segue("stats", "--format", "json", "--time-zone", "Asia/Tokyo", SHIFT).out
    )

    assert document["findings"] == sum(each["count"] for each in document["by_rule"]) == 34
    assert [each["hour"] for each in document["by_hour"]] == [17]
    assert [each["metric"] for each in document["metrics"]][:2] == ["duration", "connected_time"]


def test_names_cannot_act_on_the_terminal(segue: Segue, write: Write) -> None:
    hostile = "c\x1b[1m\u202e"
    labels = ("NA entry by a\x1b[31m", "WARM exit by a\x1b[31m")
    write("log.jsonl", [json.dumps(each) for each in log(*labels, conversation=hostile)])
    write("none.jsonl", "")

    for done in (segue("stats", "log.jsonl"), segue("diff", "none.jsonl", "log.jsonl")):
        assert "\x1b" not in done.out
        assert "\u202e" not in done.out


def test_a_day_is_compared_with_another(segue: Segue, write: Write) -> None:
    right = [each for n in range(60) for each in log(*PLAIN, start=n, conversation=f"c-{n}")]
    wrong = [
        each
        for n in range(60)
        for each in log(PLAIN[0], *PLAIN[1 + n % 2 :], start=n, conversation=f"c-{n}")
    ]
    write("right.jsonl", [json.dumps(each) for each in right])
    write("wrong.jsonl", [json.dumps(each).replace("a-1", "a-9") for each in wrong])
    text = segue("stats", "wrong.jsonl", "--against", "right.jsonl")
    document = json.loads(
        segue("stats", "--format", "json", "wrong.jsonl", "--against", "right.jsonl").out
    )
    same = segue("stats", "right.jsonl", "--against", "right.jsonl")

    assert "rule SG107 end-before-release" in text.out or "rule SG107" in text.out
    assert "new   50.0 % (37.7 to 62.3)" in text.out
    assert "before 0.0 % (0.0 to 6.0)" in text.out
    assert {(each["what"], each["name"], each["change"]) for each in document["changes"]} >= {
        ("agent", "a-1", "gone"),
        ("agent", "a-9", "new"),
        ("rule", "SG107", "new"),
    }
    assert "\nchanges, rates in % of conversations ───" in same.out
    assert "\nno difference beyond chance: " in same.out
    assert same.out.endswith(" comparisons, error 1 % for all together\n")
