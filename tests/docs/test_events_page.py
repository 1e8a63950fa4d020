"""What the page on events shows is what Segue accepts."""

import json
import re
from pathlib import Path

import pytest
from tests.builders import Sender

import segue

PAGE = (Path(__file__).parents[2] / "docs" / "explanation" / "events.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
EXAMPLES = [text for language, text in BLOCK.findall(PAGE) if language == "text"]


def test_the_delivery_is_read_without_a_flaw() -> None:
    (text,) = (text for language, text in BLOCK.findall(PAGE) if language == "json")

    result = segue.Conversation().feed(text)

    assert (result.findings, result.phase) == ((), segue.Phase.ACTIVE)
    assert json.loads(text)["events"][0]["transfertype"] == "NA"


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_example_is_a_clean_conversation(example: str) -> None:
    labels = [re.split(r"\s{2,}", line)[0] for line in example.splitlines()]
    bodies = [Sender().body("END a-1" if label == "END" else label) for label in labels]

    report = segue.check(bodies)

    assert (report.findings, report.phase) == ((), segue.Phase.ENDED)


def test_there_are_an_example_of_each_transfer_type_and_a_sorted_glossary() -> None:
    glossary = PAGE[PAGE.index("\n## Glossary") :]
    words = [line for line, text in re.findall(r"^(\S.*)\n: (.*)", glossary, re.MULTILINE) if text]

    assert len(EXAMPLES) == 4
    assert len(words) >= 29
    assert sorted(words, key=str.lower) == words
