"""Who held a conversation, when, and for how long, on a terminal."""

from datetime import timedelta
from textwrap import dedent

import pytest
from tests.report.story import line

import segue
from segue.report.look import Look
from segue.report.segments_view import clock, segments_lines

TOLD = [
    ("NA entry a-1", "09:00:00"),
    ("WARM entry a-3", "09:01:00"),
    ("WARM exit a-3", "09:02:00"),
    ("COLD exit a-1", "09:05:00"),
    ("COLD entry a-2", "09:05:30"),
    ("NA exit a-2", "09:10:00"),
    ("END", "09:10:05"),
]


def shown(told: list[tuple[str, str | None]], look: Look | None = None) -> str:
    [report] = segue.replay([line(text, at=at) for text, at in told])
    lines = segments_lines(report, report.segments, look or Look())
    return "".join(f"{each.render()}\n" for each in lines)


def test_bars_show_time_and_the_sum_adds_up() -> None:
    assert shown([*TOLD]) == dedent("""\
        ── c-1 ─────────────────────────────────────────────────────────────────────────
           bot st-1 · ended · 7 events
           agent       as          entered  talk  outcome      0:00 to 10:00
           a-1 (Ada)   primary     NA       5:00  transferred  ████████████░░░░░░░░░░░░░
           a-3 (Cleo)  consultant  WARM     1:00  consulted    ░░███░░░░░░░░░░░░░░░░░░░░
           a-2 (Ben)   primary     COLD     4:30  completed    ░░░░░░░░░░░░░░███████████
           duration 10:05 = connected 9:30 + transfer gap 0:30 + wrap-up 0:05, talk 9:30,
           consult 1:00, overlap 1:00

        """)


CALL = {
    "received_at": "2026-03-02T09:10:06Z",
    "endpoint": "notifications",
    "bot_id": "st-1",
    "asked_at": "2026-03-02T08:59:40Z",
    "body": {
        "conversationId": "c-1",
        "status": "completed",
        "reasonCode": "caller-disconnected",
        "reason": "200 OK",
        "callconnecttime": "3/2/2026, 09:00:00 AM",
        "callDisconnectTime": "3/2/2026, 09:05:00 AM",
        "duration": 300,
    },
}


def with_call(*told: tuple[str, str | None], **changes: object) -> str:
    body = {**CALL["body"], **changes}  # type: ignore[dict-item]
    lines = [*(line(text, at=at) for text, at in told), {**CALL, "body": body}]
    [report] = [each for each in segue.replay(lines, partial="end") if not each.late]
    return "\n".join(each.render() for each in segments_lines(report, report.segments, Look()))


def test_a_call_stands_above_the_agents() -> None:
    rows = with_call(*TOLD[:-1]).splitlines()[2:]

    assert rows[:3] == [
        "   agent       as          entered  talk  outcome      0:00 to 10:00",
        "   call                                   completed    ████████████░░░░░░░░░░░░░",
        "   a-1 (Ada)   primary     NA       5:00  transferred  ████████████░░░░░░░░░░░░░",
    ]
    assert rows[5] == "   ring 0:20, call 5:00, talk 9:30, consult 1:00, overlap 1:00"


def test_a_call_without_agents_or_times_is_shown_all_the_same() -> None:
    alone = with_call().splitlines()
    assert alone[3] == f"   call                      completed  {'█' * 40}"

    untimed = with_call(*TOLD[:1], callconnecttime=None).splitlines()
    assert untimed[3] == f"   call                               completed  {'░' * 31}"


def test_without_times_bars_show_the_order_of_events() -> None:
    told: list[tuple[str, str | None]] = [(text, None) for text, _ in TOLD]

    assert shown(told, Look(fancy=False)) == dedent("""\
        -- c-1 -------------------------------------------------------------------------
           bot st-1 - ended - 7 events
           agent       as          entered  talk  outcome      by event
           a-1 (Ada)   primary     NA          ?  transferred  ############.............
           a-3 (Cleo)  consultant  WARM        ?  consulted    ....####.................
           a-2 (Ben)   primary     COLD        ?  completed    .................####....

        """)


def test_a_narrow_terminal_has_no_room_for_bars_and_then_for_columns() -> None:
    without_bars = shown([*TOLD], Look(columns=56))
    narrow = shown([*TOLD], Look(columns=48))

    assert "█" not in without_bars
    assert "   a-1 (Ada)   primary     NA       5:00  transferred\n" in without_bars
    assert "   a-1 (Ada)   primary     5:00  transferred\n" in narrow


def test_a_promoted_consultant_and_an_open_conversation_are_told() -> None:
    text = shown(
        [("NA entry a-1", None), ("WARM entry a-2", None), ("WARM exit a-1", None)], Look()
    )

    assert "   a-1 (Ada)  primary   NA          ?  handed off" in text
    assert "   a-2 (Ben)  promoted  WARM        ?  implied" in text


DROPPED = [
    ("NA entry a-1", "09:00:00"),
    ("start a-1", "09:00:00"),
    ("pause false a-1", "09:01:00"),
    ("resume a-1", "09:03:00"),
    ("NA exit a-1", "09:04:00"),
    ("redial entry a-1", "09:05:00"),
    ("NA exit a-1", "09:08:00"),
    ("END", "09:08:30"),
]


def test_several_connections_are_counted_where_a_bar_has_room() -> None:
    assert "agent      as       entered  connections  hold  talk  outcome    0:00 to" in shown(
        [*DROPPED]
    )
    assert "   a-1 (Ada)  primary  NA                 2  2:00  5:00  completed" in shown([*DROPPED])
    assert "connections" not in shown([*DROPPED], Look(columns=70))


def test_figures_as_mended_are_on_a_line_of_their_own_where_they_differ() -> None:
    text = shown([("NA entry a-1", "09:00:00"), ("END", "09:00:10")])

    assert text.endswith(
        "   duration 0:10 = connected 0:10, talk 0:10\n"
        "   as mended: connected 0:00 to 0:10, wrap-up 0:00 to 0:10, talk 0:00 to 0:10\n\n"
    )


def test_all_figures_are_estimated_where_a_mistake_is_not_explained() -> None:
    told = [("NA entry a-1", "09:00:00"), ("END", "09:00:10")]
    [report] = segue.replay([line(text, at=at) for text, at in told])
    report.is_explained = False
    text = "".join(f"{each.render()}\n" for each in segments_lines(report, (), Look()))

    assert "   estimated: duration, connected, transfer gap, drop gap, lost, wrap-up" in text
    assert "as mended" not in text


def test_a_conversation_that_nobody_held_has_no_table() -> None:
    text = shown([("user message", None)])
    assert text.count("\n") == 4
    assert "   as mended: abandoned yes\n" in text  # the END is missing


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "?"), (0, "0:00"), (59.6, "1:00"), (3599, "59:59"), (3600, "1:00:00")],
)
def test_a_clock_is_read_at_a_glance(seconds: float | None, text: str) -> None:
    assert clock(None if seconds is None else timedelta(seconds=seconds)) == text
