"""The lint of the prose finds each pattern, and reads docstrings, comments and pages."""

from pathlib import Path

import pytest

from docs.prose import Passage, measure, passages

ROOT = Path(__file__).parents[2]


def rates(*texts: str) -> dict[str, float]:
    prose = [Passage("x.py", 1, text, is_docstring=True) for text in texts]
    return {title: rate for title, rate, _, _ in measure(prose)}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("What a store has to offer.", "docstrings that begin as a fragment, in %"),
        ("Of the rows, the first.", "docstrings that begin as a fragment, in %"),
        ("Return it.  Which of them is decided later.", "a sentence begins with What"),
        ("Return what is left.", "what is or what are as a noun"),
        ("Return a value, or none if it is absent.", "none, nothing, nobody"),
        ("Keep so many rows.", "so many"),
        ("The row stands first.", "stands"),
        ("Read the file behind it.", "beside, behind"),
        ("Return a row; never raise.", "semicolons"),
    ],
)
def test_a_pattern_is_counted(text: str, title: str) -> None:
    [name] = [each for each in rates() if each.startswith(title)]

    assert rates(text)[name] > 0
    assert rates("Return the rows of the table.")[name] == 0


@pytest.mark.parametrize(
    "text",
    [
        "Return `what is` and `beside` of `a; b`.",
        "Return the value that stands for a missing key.",
        "Describe a segment. Which agent was present? The log says it.",
    ],
)
def test_plain_prose_is_not_counted(text: str) -> None:
    assert [name for name, rate in rates(text).items() if rate] == []


def test_words_come_from_docstrings_comments_and_pages() -> None:
    folder = ROOT / "src" / "segue" / "core" / "lifecycle"
    found = list(passages([folder / "table.py", ROOT / "README.md"]))

    kinds = {(each.path.endswith(".md"), each.is_docstring) for each in found}
    assert kinds == {(True, False), (False, True), (False, False)}
    assert list(passages([ROOT / "src" / "segue" / "core" / "engine" / "snapshot.py"])) == []
