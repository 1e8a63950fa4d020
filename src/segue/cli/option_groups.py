"""Sections of a help text: options that belong together stand together.

House rule: an option without a section stands in the last one, with `--help`.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import click

__all__ = ["Sectioned", "formats", "options", "section"]

F = TypeVar("F", bound=Callable[..., Any])


class _Option(click.Option):
    """An option that knows its section."""

    def __init__(self, *names: Any, section: str, **attributes: Any) -> None:  # noqa: ANN401
        super().__init__(*names, **attributes)
        self.section = section


class Sectioned(click.Command):
    """A command whose help has its options in sections."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section, in the order of their first option."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is not None and isinstance(option, click.Option):
                section = getattr(option, "section", "") or "Options"
                sections.setdefault(section, []).append(record)
        for title in sorted(sections, key=lambda title: title == "Options"):
            with formatter.section(title):
                formatter.write_dl(sections[title])


def section(title: str) -> Callable[..., Callable[[F], F]]:
    """Return what makes options of this section, as `click.option` does of none."""
    return partial(click.option, cls=_Option, section=title)


def formats(
    option: Callable[..., Callable[[F], F]],
    first: str,
    *others: str,
    help: str,  # noqa: A002 - click's word
) -> Callable[[F], F]:
    """Return `--format`, one of these, the first if nothing is said."""
    styles = click.Choice([first, *others])
    return option("--format", "style", type=styles, default=first, show_default=True, help=help)


def options(decorators: Iterable[Callable[[F], F]]) -> Callable[[F], F]:
    """Return one decorator that adds options in the order given."""

    def add(command: F) -> F:
        for decorator in reversed(tuple(decorators)):
            command = decorator(command)
        return command

    return add
