"""What follows from a mistake names it, and mistakes are counted by it."""

from dataclasses import replace

from segue.core.conversation import Report
from segue.core.engine import State
from segue.core.engine.snapshot import dump, load
from segue.core.findings import Finding, Place, Policy, Root, Severity, find, line_number
from segue.logs.source_names import with_source

FIRST = Root("SG103", Place(1, line=2))


def of(code: str, event: int, follows: Root | None = None) -> Finding:
    found = find(code, Place(event, None, "/events/0", event + 1), dict.fromkeys(FACTS, "a-1"))
    return replace(found, follows=follows)


FACTS = ("agent", "what", "an_event", "phase", "primary", "present", "consultants", "last")
FOUND = [of("SG103", 1), of("SG202", 2, FIRST), of("SG203", 3), of("SG201", 4)]


def report(found: list[Finding], **policy: object) -> Report:
    state = State("c-1", None)
    state.add_findings(found)
    return Report(state, policy=Policy(**policy))  # type: ignore[arg-type]


def test_what_follows_is_written_with_the_code_and_place_of_its_mistake() -> None:
    follower = FOUND[1]

    assert follower.root == FIRST
    assert FOUND[0].root == FIRST
    assert FOUND[0].to_dict()["follows"] is None
    assert follower.to_dict()["follows"] == {
        "code": "SG103",
        "event": 1,
        "action": None,
        "line": 2,
    }


def test_a_mistake_is_an_error_that_follows_from_none() -> None:
    found = report(FOUND)

    assert [each.code for each in found.mistakes] == ["SG103", "SG201"]
    assert found.to_dict()["mistakes"] == [0, 3]


def test_the_first_finding_left_stands_for_a_mistake_that_the_policy_leaves_out() -> None:
    assert report(FOUND, ignore=("SG103",)).to_dict()["mistakes"] == [0, 2]
    assert report(FOUND, ignore=("SG103", "SG202")).to_dict()["mistakes"] == [1]


def test_a_mistake_whose_rule_is_ranked_lower_stands_for_the_errors_that_follow() -> None:
    ranked = report(FOUND, severity={"SG103": "warning", "SG201": "note"})

    assert (ranked.valid, ranked.to_dict()["mistakes"]) == (False, [0])
    lower = report(FOUND, severity={"SG103": "note", "SG202": "note", "SG201": "note"})
    assert (lower.valid, lower.mistakes) == (True, ())
    assert [each.code for each in report(FOUND, strict=True).mistakes] == [
        "SG103",
        "SG203",
        "SG201",
    ]


def test_two_mistakes_of_one_place_are_two() -> None:
    twice = report([of("SG201", 4), of("SG201", 4)])

    assert [each.severity for each in twice.mistakes] == [Severity.ERROR] * 2


def test_a_snapshot_keeps_what_follows() -> None:
    state = State("c-1", None)
    state.add_findings(FOUND)

    assert load(dump(state)).findings == FOUND


def test_what_follows_is_told_with_the_log_of_its_mistake() -> None:
    monday, tuesday = (replace(FIRST.place, line=line_number(log, 1)) for log in (0, 1))
    root = replace(FIRST, place=monday)
    follower = replace(FOUND[1], place=tuesday, follows=root)

    [named] = with_source([follower], {0: "monday.jsonl", 1: "tuesday.jsonl"}, "wednesday.jsonl")

    assert (named.place.source, named.place.line) == ("tuesday.jsonl", 1)
    assert named.root == replace(FIRST, place=replace(monday, source="monday.jsonl"))
