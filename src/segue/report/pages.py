"""The page of each rule, as it is packaged beside the catalogue."""

from importlib.resources import files

from segue.findings import Rule

__all__ = ["HEADINGS", "page", "titled"]

HEADINGS = (
    "What it reports",
    "Why it matters",
    "Example log",
    "Corrected log",
    "When to ignore it",
    "Specification",
)
"""Every page has exactly these, in this order."""


def page(rule: Rule) -> str:
    """Return the page of a rule in Markdown, without its title."""
    return files("segue.findings").joinpath("pages", f"{rule.code}.md").read_text("utf-8")


def titled(rule: Rule) -> str:
    """Return the page of a rule in Markdown, with title, severity and summary from the catalogue."""
    return f"# {rule.code} {rule.name}\n\n**{rule.severity.value}.** {rule.summary}\n\n{page(rule)}"
