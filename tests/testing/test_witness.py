"""Shortest witnesses: as short as worked out by hand, and of exactly one rule."""

import pytest
from tests.families import family

import segue
from segue.core.findings import RULES
from segue.errors import UnknownRule
from segue.testing import shortest_witness, story

LENGTHS = {  # by hand: the shortest story that offends the rule and nothing else
    "SG101": 2, "SG102": 4, "SG103": 4, "SG105": 4, "SG106": 3, "SG107": 2, "SG108": 1,
    "SG109": 4, "SG110": 4, "SG111": 5, "SG112": 4, "SG113": 3, "SG114": 6, "SG115": 5,
    "SG116": 5, "SG117": 5, "SG118": 3, "SG119": 5, "SG120": 5, "SG121": 5, "SG122": 1,
    "SG123": 7, "SG201": 3,
    "SG202": 3, "SG203": 4, "SG204": 4, "SG205": 4, "SG206": 3, "SG207": 5, "SG208": 4,
    "SG209": 4,
    "SG301": 3, "SG302": 3, "SG401": 1, "SG402": 2, "SG403": 5, "SG404": 7, "SG405": 6,
    "SG406": 8, "SG407": 4, "SG408": 4, "SG501": 1, "SG502": 1, "SG503": 1, "SG504": 1,
    "SG505": 1, "SG506": 3, "SG507": 3, "SG508": 1, "SG509": 3, "SG510": 3, "SG512": 1, "SG601": 4,
    "SG602": 3, "SG603": 4, "SG701": 1, "SG702": 5, "SG703": 5, "SG704": 4, "SG705": 4, "SG706": 4,
    "SG707": 4, "SG708": 1, "SG709": 4, "SG710": 4, "SG711": 4,
}  # fmt: skip


@family("code", [rule.code for rule in RULES])
def test_the_shortest_witness_is_as_short_as_can_be(code: str) -> None:
    witness = shortest_witness(code)

    assert len(witness) == LENGTHS[code], witness
    assert [finding.code for finding in segue.check(witness).findings] == [code]


def test_a_witness_reads_like_a_story() -> None:
    assert shortest_witness("SG103") == story(
        "NA entry by a-1",
        "COLD entry by a-2",
        "NA exit by a-2",
        "END_OF_CONVERSATION by a-2",
    )


def test_a_witness_is_the_callers_own() -> None:
    shortest_witness("SG106").clear()

    assert len(shortest_witness("SG106")) == 3


def test_there_is_no_witness_of_no_rule() -> None:
    with pytest.raises(UnknownRule, match="SG999"):
        shortest_witness("SG999")


def test_a_rule_is_named_by_its_code_or_its_name_and_is_one() -> None:
    assert shortest_witness("cold-entry-before-exit") == shortest_witness("SG103")
    with pytest.raises(UnknownRule, match=r"'SG70' matches \d+ rules: give the code of one"):
        shortest_witness("SG70")
