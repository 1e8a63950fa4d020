"""`segue tail`: what is found, as deliveries come in, at a server or in a store.

It decides where following begins, and what one piece of news is shown as.  House rules: nothing is
left out between two looks; a server that is away for a while is waited for.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import datetime
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode

import click

from segue.cli.client import Client, is_url
from segue.cli.durations import moment
from segue.cli.feed_view import news
from segue.cli.option_groups import Sectioned, formats, options, section
from segue.cli.store_url import processor_of
from segue.cli.terminal import COLOR, look, stdout
from segue.cli.token import CREDENTIALS, credential
from segue.errors import ConfigurationError
from segue.processor import NOW, Processor

__all__ = ["tail"]

_Entry: TypeAlias = Mapping[str, Any]
_Look: TypeAlias = Callable[[str | None, float], tuple[list[_Entry], str | None]]
"""Takes a cursor and seconds to wait; returns what is behind it, and the next cursor."""

_PAGE: Final = 200
_WAIT: Final = 5.0
"""Seconds a server waits for news before it answers: short, as it waits for us when it stops."""
_PATIENCE: Final = 600.0

_show = section("What is shown")

_OPTIONS: Final = (
    click.argument("source", required=False, metavar="[URL|ADDRESS]"),
    _show(
        "--since",
        metavar="TIME",
        help="What was received from TIME on: ISO 8601, or an age such as 12h.  [default: now]",
    ),
    _show("--after", metavar="CURSOR", help="What comes behind this place in the feed."),
    _show("--no-follow", is_flag=True, help="Stop when there is nothing new."),
    formats(_show, "text", "jsonl", help="How news is shown."),
    COLOR,
    *CREDENTIALS,
)

_REFUSED: Final = {
    400: "it knows no such --after: give the cursor of an entry",
    401: "it does not accept the token: put one that may read into SEGUE_TOKEN",
    403: "the token may not read: put one with the scope of --read into SEGUE_TOKEN",
    404: "nobody may read there: start it with --read SCOPE, or --dev",
}


@click.command(cls=Sectioned)
@options(_OPTIONS)
def tail(**given: Any) -> None:  # noqa: ANN401 - click's own
    """Follow what is found, as deliveries come in.

    At a server that runs (http://…), or in a store (sqlite:FILE, postgresql://…): each delivery
    that changed a phase or gave findings. Without an address, in the store that segue serve would
    use here.
    """
    if given["since"] and given["after"]:
        raise ConfigurationError("--since is a time and --after a place: give one")
    since = moment("--since", given["since"])
    source = given["source"]
    with ExitStack() as stack:
        if source and is_url(source):
            glance = _server(given)
        else:
            glance = _store(stack.enter_context(processor_of(source)))
        _follow(given, glance, since)


def _follow(given: Mapping[str, Any], glance: _Look, since: datetime | None) -> None:
    out = stdout()
    appearance = look(out, given["color"])
    start = given["after"] or (None if given["since"] else NOW)
    for entry in _entries(glance, start, since, is_endless=not given["no_follow"]):
        if given["style"] == "jsonl":
            out.write(f"{json.dumps(entry)}\n")
        else:
            out.writelines(
                f"{line.render(color=appearance.color)}\n" for line in news(entry, appearance)
            )
        out.flush()


def _entries(
    glance: _Look, after: str | None, since: datetime | None, *, is_endless: bool
) -> Iterator[_Entry]:
    while True:
        found, after = glance(after, _WAIT if is_endless else 0)
        for entry in found:
            if since is None or _received(entry) >= since:
                yield entry
        if not found and not is_endless:
            return


def _received(entry: _Entry) -> datetime:
    return datetime.fromisoformat(entry["received_at"])


def _server(given: Mapping[str, Any]) -> _Look:
    client = Client(given["source"], credential(given), patience=_PATIENCE)

    def glance(after: str | None, wait: float) -> tuple[list[_Entry], str | None]:
        asked = {"limit": _PAGE, "wait": wait, **({} if after is None else {"after": after})}
        answer = client.get(f"/feed?{urlencode(asked)}")
        if not answer.is_good:
            why = _REFUSED.get(answer.status, f"it answers {answer.status}")
            raise ConfigurationError(f"{given['source']} cannot be followed: {why}")
        items, cursor = answer.value.get("items"), answer.value.get("next")
        if not isinstance(items, list) or not isinstance(cursor, str):
            raise ConfigurationError(f"{given['source']} is no server of Segue")
        return items, cursor

    return glance


def _store(processor: Processor) -> _Look:
    def glance(after: str | None, wait: float) -> tuple[list[_Entry], str | None]:
        page = processor.read_feed(after=after, limit=_PAGE, wait=wait)
        return [item.to_dict() for item in page.items], page.next

    return glance
