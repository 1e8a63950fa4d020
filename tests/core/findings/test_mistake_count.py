"""Mistakes over several reports."""

from dataclasses import replace

from segue.core.findings import BY_CODE, Finding, Place, Root
from segue.core.findings.mistake_count import MistakeCount


def of(code: str, event: int, pointer: str = "") -> Finding:
    rule = BY_CODE[code]
    return Finding(rule, Place(event, pointer=pointer), rule.severity, "")


def test_each_field_of_an_event_is_a_mistake_of_its_own() -> None:
    count = MistakeCount()

    count.add("c-1", [of("SG502", 2, "/events/0/reason"), of("SG502", 2, "/events/0/language")])
    count.add("c-2", [of("SG502", 2, "/events/0/reason")])
    count.add("c-3", [])

    assert len(count) == 3


def test_what_stands_for_a_mistake_of_an_earlier_report_is_not_counted_again() -> None:
    count = MistakeCount()
    follows = Root("SG107", Place(3))
    late = replace(of("SG110", 4), follows=follows)

    count.add("c-1", [of("SG107", 3)])
    count.add("c-1", [late])
    count.add("c-2", [late])

    assert len(count) == 2


def test_a_mistake_in_an_earlier_log_is_the_same_one() -> None:
    count = MistakeCount()
    root = of("SG107", 3)
    late = replace(of("SG110", 4), follows=Root("SG107", Place(3, line=2, source="b.jsonl")))

    count.add("c-1", [replace(root, place=Place(3, line=9, source="a.jsonl"))])
    count.add("c-1", [late])

    assert len(count) == 1


def test_lines_of_no_conversation_are_mistakes_of_their_own() -> None:
    count = MistakeCount()
    broken = of("SG501", 0)

    for place in (Place(line=1, source="a"), Place(line=2, source="a"), Place(line=1, source="b")):
        count.add(None, [replace(broken, place=place)])

    assert len(count) == 3
