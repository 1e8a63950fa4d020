"""The library against the cases worked out by hand from the page."""

import pytest
from tests.core.lifecycle.library import judged
from tests.families import family
from tests.oracle.by_hand import BY_HAND, PARTIAL, found, log
from tests.streams import body

import segue


@family("phrase", BY_HAND)
def test_the_library_says_what_the_page_says(phrase: str) -> None:
    for shorthand, findings, phase in BY_HAND[phrase]:
        verdict = judged(log(shorthand))
        assert (shorthand, found(verdict), verdict.phase) == (shorthand, findings, phase or "ended")


@family("phrase", BY_HAND)
def test_the_check_says_what_the_page_says(phrase: str) -> None:
    for shorthand, findings, phase in BY_HAND[phrase]:
        report = segue.check(map(body, log(shorthand)))
        said = " ".join(
            f"{'close' if at is None else at}:{finding.code}"
            for finding in report.findings
            for at in (finding.place.event,)
        )
        assert (shorthand, said, report.phase) == (shorthand, findings, phase or "ended")


@pytest.mark.parametrize(("partial", "shorthand", "findings", "phase"), PARTIAL)
def test_partial_logs(partial: str, shorthand: str, findings: str, phase: str) -> None:
    verdict = judged(log(shorthand), partial)
    assert (found(verdict), verdict.phase) == (findings, phase)


@pytest.mark.parametrize(
    ("shorthand", "findings", "phase"),
    [
        ("g:a u:a N-a E", "", "ended"),  # an agent writes before the first transfer of the log
        ("g:a R-a E", "", "ended"),  # even a redial exit is taken as true, when it is the first
        ("N+a R-a E", "1:SG113", "ended"),
        ("g:a", "close:SG108", "released"),  # nothing says that nobody was there
    ],
)
def test_who_is_there_when_the_log_begins_late_is_not_known(
    shorthand: str, findings: str, phase: str
) -> None:
    verdict = judged(log(shorthand), "start")
    assert (found(verdict), verdict.phase) == (findings, phase)


@pytest.mark.parametrize("last", ["N-A", "g:A", "R+A"])
def test_after_the_end_an_identity_in_another_case_is_not_reported_again(last: str) -> None:
    assert found(judged(log(f"N+a N-a E {last}"))) == "3:SG110"
