"""Options in groups of the help text, and commands that get their parameters as one mapping."""

from collections.abc import Callable, Mapping
from functools import partial
from inspect import cleandoc
from typing import Any, Final, TypeAlias

import click

__all__ = ["GroupedCommand", "Params", "command", "format_option", "option_group", "show_option"]

Params: TypeAlias = Mapping[str, Any]
"""The values of a command's parameters by name."""


class _Option(click.Option):
    """An option declared as the help shows it, `--limit N`, in a group of the help text.

    Its default is shown. Without a metavar, a type and a default it is a flag.
    """

    def __init__(self, group: str, declaration: str, text: str, **attributes: Any) -> None:  # noqa: ANN401 - those of click.Option
        names = [word for word in declaration.split() if word.startswith("-")]
        metavar = declaration.rsplit(maxsplit=1)[-1]
        attributes["metavar"] = None if metavar in names else metavar
        attributes.setdefault("show_default", "default" in attributes)
        if metavar in names and not attributes.keys() & {"type", "default"}:
            attributes["is_flag"] = True
        super().__init__(names, help=text, **attributes)
        self.group = group


class GroupedCommand(click.Command):
    """A command with its options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups in the order of their first option; "Options" comes last."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is not None and isinstance(option, click.Option):
                groups.setdefault(getattr(option, "group", "Options"), []).append(record)
        for title in sorted(groups, key=lambda title: title == "Options"):
            with formatter.section(title):
                formatter.write_dl(groups[title])


def option_group(title: str) -> Callable[..., click.Option]:
    """Return a function that makes options of this group.

    It takes the names with the metavar, the help text, and the attributes of `click.Option`.
    """
    return partial(_Option, title)


show_option: Final = option_group("What is shown")


def format_option(first: str, *others: str, text: str) -> click.Option:
    """Return `--format` with these choices; the first is the default."""
    choices = click.Choice([first, *others])
    return show_option("--format", text, type=choices, default=first)


def command(
    *params: click.Parameter, name: str | None = None
) -> Callable[[Callable[[Params], int | None]], GroupedCommand]:
    """Return a decorator that makes a command of a function; its docstring is the help."""

    def make(function: Callable[[Params], int | None]) -> GroupedCommand:
        return GroupedCommand(
            name or function.__name__,
            params=list(params),
            callback=lambda **values: function(values),
            help=cleandoc(function.__doc__ or ""),
        )

    return make
