"""The playground: what Python does in its worker."""

import pytest
from tests.report.hostile import CANARY, SECRET, hostile
from tests.report.story import early
from tests.report.test_html import parts

from segue.errors import UnreadableLog
from segue.report.playground import check_in_browser


def test_a_log_becomes_the_page_of_its_report() -> None:
    made = check_in_browser("\n".join(early()).encode(), "shift <1>.jsonl")

    run = dict(parts(made))["run"]
    assert run["lines"] == 7
    assert run["about"]["logs"] == ["shift <1>.jsonl"]
    assert run["counts"] == ["1 mistake (1 error)"]


@pytest.mark.parametrize("name", ["-", "..", "", "/", "/etc/passwd"])
def test_a_name_is_a_name_and_no_place(name: str) -> None:
    run = dict(parts(check_in_browser("\n".join(early()).encode(), name)))["run"]

    assert run["about"]["logs"] == ["passwd" if "passwd" in name else "log"]


def test_nothing_that_was_said_is_in_it() -> None:
    made = check_in_browser("\n".join(hostile()).encode(), "../../x.jsonl")

    assert CANARY not in made
    assert SECRET not in str(list(parts(made)))


def test_what_is_no_log_is_said_to_be_none() -> None:
    with pytest.raises(UnreadableLog, match=r"x\.jsonl"):
        check_in_browser(b"hello\nworld\n", "x.jsonl")
