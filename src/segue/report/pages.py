"""Load the pages that explain the rules, which are packaged next to the catalogue."""

import re
from importlib.resources import files
from typing import Final

from segue.core.findings import Rule

HEADINGS: Final = (
    "What it reports",
    "Why it matters",
    "Example log",
    "Corrected log",
    "When to ignore it",
    "Specification",
)
"""The headings of the sections of every page, in order."""

_HEADING: Final = re.compile(r"^## (.*)$", re.MULTILINE)


def page(rule: Rule) -> str:
    """Return the page of a rule in Markdown, without its title."""
    return files("segue.core.findings").joinpath("pages", f"{rule.code}.md").read_text("utf-8")


def titled(rule: Rule) -> str:
    """Return the page of a rule in Markdown, below a title and a summary from the catalogue."""
    header = f"# {rule.code} {rule.name}\n\n**{rule.severity.value}.** {rule.summary}"
    return f"{header}\n\n{page(rule)}"


def sections(rule: Rule) -> dict[str, str]:
    """Return the sections of a rule's page, as a dict from heading to text."""
    _, *parts = _HEADING.split(page(rule))
    return {heading: text.strip() for heading, text in zip(parts[::2], parts[1::2], strict=True)}
