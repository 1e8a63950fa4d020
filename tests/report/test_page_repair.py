"""The repair on the page: one edit with its place, and the conversation after it."""

import pytest
from tests.report.story import early, line, log

import segue
from segue.report.page_data import details
from segue.report.page_repair import likeliest_repair
from segue.report.page_rows import Situations, page_note


@pytest.mark.parametrize(
    ("lines", "edit"),
    [
        (early(), ("move", 4, "COLD exit", "a-1", 3)),
        (
            log("NA entry a-1", "COLD entry a-2", "NA exit a-2", "END"),
            ("insert", None, "COLD exit", "a-1", 1),
        ),
        (log("NA entry a-1", "NA exit a-1"), ("insert", None, "END_OF_CONVERSATION", "", None)),
        (log("NA entry a-1", "NA exit a-1", "NA exit a-1", "END", "END"), None),
    ],
)
def test_the_likeliest_edit_has_its_place(
    lines: list[str], edit: tuple[object, ...] | None
) -> None:
    report = next(segue.replay(lines))
    found = likeliest_repair(report)

    assert (None if found is None else tuple(found[0].values())) == edit


def test_what_would_have_been_is_clean() -> None:
    found = likeliest_repair(next(segue.replay(early())))
    assert found is not None

    after = found[1]
    assert after.valid
    assert [segment.outcome for segment in after.segments] == ["transferred", "completed"]


def test_times_never_run_backwards_after_a_move() -> None:
    lines = [
        line("NA entry a-1", "c-1", "08:00:00"),
        line("COLD entry a-2", "c-1", "08:01:00"),
        line("COLD exit a-1", "c-1", "08:02:00"),
        line("NA exit a-2", "c-1", "08:03:00"),
        line("END", "c-1", "08:04:00"),
    ]
    [report] = segue.replay(lines, note=page_note)
    story = details(report, Situations())

    assert story["repair"][0]["edit"] == "move"
    times = [at for _, at, *_ in story["after"]["deliveries"]]
    assert times == sorted(times)


def test_a_conversation_without_a_mistake_has_none() -> None:
    assert likeliest_repair(next(segue.replay(log("NA entry a-1", "NA exit a-1", "END")))) is None
