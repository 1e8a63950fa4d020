"""`segue tail`: show the findings of a server or a store as deliveries come in."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode

import click

from segue.cli.cause_alerts import CauseAlerts, alerts_of
from segue.cli.client import ServerClient
from segue.cli.credentials import CREDENTIALS, token_source
from segue.cli.feed_view import entry_lines
from segue.cli.options import (
    Params,
    command,
    format_option,
    option_group,
    parse_moment,
    show_option,
)
from segue.cli.store_address import STORE, existing_processor
from segue.cli.terminal import COLOR, Output
from segue.core.errors import ConfigurationError
from segue.core.wire.timestamps import read_iso_time
from segue.server.processor import NOW, Processor

_alert = option_group("Alerts")
_Entry: TypeAlias = Mapping[str, Any]
_ReadPage: TypeAlias = Callable[[str | None, float], tuple[list[_Entry], str]]
"""A function that reads a page of the feed.

It takes a cursor and the seconds to wait for new entries. It returns the entries after the cursor,
and the cursor for the next page.
"""

_CURSOR: Final = re.compile("[0-9]{1,19}")
_PAGE: Final = 200
_WAIT: Final = 5.0
"""Seconds that a request waits for new entries. They are few, since they delay a shutdown."""
_TIMEOUT: Final = 600.0
"""Seconds until an unavailable server is an error."""
_ONCE: Final = 10.0
"""Seconds until an unavailable server is an error with `--no-follow`."""

_REFUSED: Final = {
    400: "it does not know the cursor of --after: give the cursor of an entry",
    401: "it refuses the token, or got no token: put one that may read into SEGUE_TOKEN",
    403: "the token may not read: put one with the scope of --read into SEGUE_TOKEN",
    404: "reading is not enabled there: start it with --read SCOPE, or --dev",
}


@command(
    click.Argument(["url"], required=False, metavar="[URL]"),
    show_option(
        "--since TIME",
        "Only deliveries received at or after TIME: ISO 8601, or an age such as 12h.  "
        "[default: now]",
    ),
    show_option("--after CURSOR", "Only what comes after this place in the feed."),
    show_option("--no-follow", "Stop where the feed ends now."),
    format_option("text", "jsonl", text="How entries are shown."),
    COLOR,
    _alert("--alert", "Show new causes instead of entries: which rule, which bot, since when."),
    _alert("--window AGE", "How far back causes are looked for.", default="6h"),
    _alert("--run COMMAND", "Run this for each of them; its standard input is the cause as JSON."),
    STORE,
    *CREDENTIALS,
)
def tail(params: Params) -> int:
    """Follow the findings, as deliveries come in.

    Each delivery that changed a phase or gave findings is shown: of the running server at URL, or
    without a URL, of a store.

    With --alert, what mistakes have in common is shown once, when it begins: any attribute that
    segue causes knows in a store, the bot at a server. With --no-follow as well, the exit code is 1
    if there is any.
    """
    alerts = alerts_of(params) if params["alert"] else None
    _refuse_contradictions(params)
    since = parse_moment("--since", params["since"]) if params["since"] else None
    with ExitStack() as stack:
        if params["url"]:
            read_page = _server(params)
        else:
            processor = stack.enter_context(existing_processor(params["store"]))
            if alerts is not None:
                return _show_alerts(processor, alerts, params, since)
            read_page = _store(processor)
        output = Output(params, flush=True, needs_reader=True)
        for entries in _pages(read_page, params, since):
            if alerts is not None:
                alerts.show(entries, output)
                continue
            for entry in entries:
                if params["format"] == "jsonl":
                    output.write_json(entry)
                else:
                    output.write_lines(entry_lines(entry, output.look))
    return int(alerts is not None and alerts.count > 0)


def _refuse_contradictions(params: Params) -> None:
    if params["run"] and not params["alert"]:
        raise ConfigurationError("--run is for --alert: give both")
    if params["since"] and params["after"]:
        raise ConfigurationError("--since and --after contradict each other: leave one of them out")
    if params["url"] and params["store"]:
        raise ConfigurationError("URL and --store contradict each other: leave one of them out")


def _show_alerts(
    processor: Processor, alerts: CauseAlerts, params: Params, since: datetime | None
) -> int:
    """Show new causes of findings in a store, and return the exit code: 1 if there were any."""
    place = 0
    if since is None:
        after = params["after"] or NOW
        first = processor.read_feed(after=after, limit=1)
        place = int((first.next if after == NOW else after) or 0)
    output = Output(params, flush=True, needs_reader=True)
    for _ in alerts.follow(processor, output, place, since):
        if params["no_follow"]:
            break
    return int(alerts.count > 0)


def _pages(
    read_page: _ReadPage, params: Params, since: datetime | None
) -> Iterator[Sequence[_Entry]]:
    """Yield the list of entries of each page of the feed, as the entries arrive.

    A list may be empty. Entries received before `since` are left out. With `--no-follow`, stop at
    the place where the feed ended at the first call, and yield an empty list at last.
    """
    after = params["after"] or (None if params["since"] else NOW)
    end = int(read_page(NOW, 0)[1]) if params["no_follow"] else None
    while True:
        found, after = read_page(after, _WAIT if end is None else 0)
        yield [
            entry
            for entry in found
            if (since is None or datetime.fromisoformat(entry["received_at"]) >= since)
            and (end is None or int(entry["cursor"]) <= end)
        ]
        if end is not None and (not found or int(after) >= end):
            yield []
            return


def _server(params: Params) -> _ReadPage:
    timeout = _ONCE if params["no_follow"] else _TIMEOUT
    client = ServerClient(params["url"], token_source(params), timeout=timeout)

    def read_page(after: str | None, wait: float) -> tuple[list[_Entry], str]:
        query = {"limit": _PAGE, "wait": wait, **({} if after is None else {"after": after})}
        reply = client.get(f"/feed?{urlencode(query)}")
        if not reply.is_success:
            why = _REFUSED.get(reply.status, f"it answers with {reply.status}")
            raise ConfigurationError(f"{params['url']} cannot be followed: {why}")
        items, cursor = reply.value.get("items"), reply.value.get("next")
        is_feed = isinstance(items, list) and all(map(_is_entry, items))
        if not is_feed or not _is_cursor(cursor):
            raise ConfigurationError(f"{params['url']} is not a Segue server: check the URL")
        return items or [], str(cursor)

    return read_page


def _is_entry(item: object) -> bool:
    """Return whether an item of a page has what `_pages` reads: a cursor and a time."""
    return (
        isinstance(item, Mapping)
        and _is_cursor(item.get("cursor"))
        and read_iso_time(item.get("received_at")) is not None
    )


def _is_cursor(value: object) -> bool:
    return isinstance(value, str) and _CURSOR.fullmatch(value) is not None


def _store(processor: Processor) -> _ReadPage:
    def read_page(after: str | None, wait: float) -> tuple[list[_Entry], str]:
        page = processor.read_feed(after=after, limit=_PAGE, wait=wait)
        return [item.to_dict() for item in page.items], page.next or ""

    return read_page
