"""A page links to the glossary where it first uses one of its words, unless it explains them."""

import re
from pathlib import Path

from tests.families import family

DOCS = Path(__file__).parents[2] / "docs"
EXPLAIN_THEM = {"explanation/events.md", "explanation/explanation.md"}
PAGES = [
    path
    for folder in ("how-to", "explanation", "reference")
    for path in sorted((DOCS / folder).rglob("*.md"))
    if path.relative_to(DOCS).as_posix() not in EXPLAIN_THEM
]
WORD = re.compile(
    r"(?<![\w`/-])(NA|COLD|WARM|redial|consultants?|primary|E\d\d?|END|quarantine|envelopes?"
    r"|journals?|segments?|intakes?|dead letters?|outbox|feed|hooks?|vectors?|habits?|baselines?"
    r"|snapshots?)(?![\w`-])"
)
NOT_PROSE = re.compile(
    r"^```.*?^```|`[^`\n]*`|^#.*?$|<!--.*?-->|!\[[^\]]*\]\([^)]*\)", re.DOTALL | re.MULTILINE
)
LINK = re.compile(r"\[[^\]]*\]\(([^)]*)\)")


def first_use(text: str) -> int:
    """Return where a word of the glossary is first used in prose, or the end."""
    prose = NOT_PROSE.sub(lambda found: " " * len(found[0]), text)
    prose = LINK.sub(
        lambda found: found[0] if "events.md" in found[1] else " " * len(found[0]), prose
    )
    found = WORD.search(prose)
    return found.start() if found else len(text)


@family("path", PAGES, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_the_first_word_of_the_glossary_on_a_page_is_a_link_to_it(path: Path) -> None:
    text = path.read_text("utf-8")
    place = first_use(text)
    linked = [found for found in LINK.finditer(text) if "events.md" in found[1]]

    assert place == len(text) or any(found.start() <= place for found in linked), text[place:][:60]


def test_every_word_is_in_the_glossary() -> None:
    glossary = (DOCS / "explanation" / "events.md").read_text("utf-8").partition("## Glossary")[2]
    entries = re.findall(r"^(\S.*)\n: ", glossary, re.MULTILINE)

    assert entries == sorted(entries, key=str.casefold)
    for word in ("NA", "COLD", "WARM", "Redial", "Consultant", "Primary", "END", "Quarantine"):
        assert word in entries
    for word in ("Envelope", "Journal", "Segment", "Delivery", "E1, E2, … E26"):
        assert word in entries
