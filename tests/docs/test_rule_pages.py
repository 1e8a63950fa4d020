"""Every rule has a page, and the logs on it are what the page says they are."""

import re
from importlib.resources import files

from tests.families import family

import segue
from segue.core.findings import RULES, Rule
from segue.report.pages import HEADINGS, page

LOG = re.compile(r"^```jsonl\n(.*?)^```", re.DOTALL | re.MULTILINE)
each_rule = family("rule", RULES, ids=lambda rule: rule.code)


def codes(log: str) -> list[str]:
    reports = segue.replay(log.splitlines())
    return [finding.code for report in reports for finding in report.findings]


@each_rule
def test_the_example_log_gives_exactly_the_rule(rule: Rule) -> None:
    example, _ = LOG.findall(page(rule))
    assert codes(example) == [rule.code]


@each_rule
def test_the_corrected_log_gives_nothing(rule: Rule) -> None:
    _, corrected = LOG.findall(page(rule))
    assert codes(corrected) == []


@each_rule
def test_the_headings_are_the_same_on_every_page(rule: Rule) -> None:
    assert tuple(re.findall(r"^## (.*)$", page(rule), re.MULTILINE)) == HEADINGS


def test_there_is_a_page_for_every_rule_and_no_other() -> None:
    pages = {entry.name for entry in files("segue.core.findings").joinpath("pages").iterdir()}
    assert pages == {f"{rule.code}.md" for rule in RULES}
