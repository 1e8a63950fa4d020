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
    """Return the documentation page of a rule, as Markdown without its title.

    The page explains one kind of finding, such as `SG103`, in the sections that `HEADINGS` lists.
    """
    return files("segue.core.findings").joinpath("pages", f"{rule.code}.md").read_text("utf-8")


def titled(rule: Rule) -> str:
    """Return the documentation page of a rule, as Markdown with a title and a summary.

    The title is the code and the name of the rule. The summary is its severity and one sentence.
    """
    header = f"# {rule.code} {rule.name}\n\n**{rule.severity.value}.** {rule.summary}"
    return f"{header}\n\n{page(rule)}"


def sections(rule: Rule) -> dict[str, str]:
    """Split the documentation page of a rule into a dict from section heading to Markdown text."""
    _, *parts = _HEADING.split(page(rule))
    return {heading: text.strip() for heading, text in zip(parts[::2], parts[1::2], strict=True)}
