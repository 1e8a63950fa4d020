"""`segue conformance`: run the conformance suite against a running backend."""

import json
from collections.abc import Iterator
from typing import Final
from uuid import uuid4

import click

from segue.analysis.simulate.bodies import read_delivery
from segue.cli.credentials import CREDENTIALS, token_source
from segue.cli.options import Params, command, format_option, option_group, split_lists
from segue.cli.terminal import stdout
from segue.core.errors import ConfigurationError
from segue.report.plurals import pluralize
from segue.testing.backend import over_http
from segue.testing.compare import Discrepancy
from segue.testing.conformance import (
    CHOSEN,
    ConformanceResult,
    DifferenceGroup,
    conformance_suite,
    grouped,
    run,
)
from segue.testing.views import VIEW_KEYS

_SHOWN: Final = 10

_INTAKES: Final = ("hooks", "transcription", "notifications")
_send = option_group("What is sent")


@command(
    click.Argument(["url"], required=False),
    _send(
        "--view URL",
        "Where the backend shows a conversation, with {conversationId} in it: JSON with any of "
        f"{', '.join(VIEW_KEYS)}.  [default: only its answers are compared]",
    ),
    _send(
        "--path PATH",
        "The path of the hook, with {botId} in it.  [default: that of the specification]",
    ),
    _send("--bot ID", "The bot to send for.", default="st-1"),
    _send(f"--group [{'|'.join(CHOSEN)}]...", "Only the tests of this group.  [default: all]"),
    _send(
        f"--intake [{'|'.join(_INTAKES)}]...",
        "Only tests that send to no other intake than these: E21 is hooks.  [default: all]",
    ),
    _send("--suite", "Write the tests themselves as JSON lines, and send nothing."),
    *CREDENTIALS,
    format_option("text", "json", text="How differences are shown."),
    _send("--tolerate KEYS...", "What may differ: keys and codes, such as segments,SG207."),
)
def conformance(params: Params) -> int:
    """Send the conformance suite to a backend and show where it differs.

    URL is the address of the backend, without the path of its webhook. Its answers are compared,
    and with --view what it knows of each conversation. The ids are new in every run.

    Exit codes: 0 nothing differs, 1 something does, 2 could not run.
    """
    intakes = params["intake"] or _INTAKES
    suite = conformance_suite(groups=params["group"], intakes=intakes)
    out = stdout()
    if params["suite"]:
        out.writelines(f"{json.dumps(each, separators=(',', ':'))}\n" for each in suite)
        return 0
    if params["url"] is None:
        raise ConfigurationError("the URL of a backend is missing: give it, or --suite")
    token = token_source(params)()
    headers = {} if token is None else {"auth": token}
    backend = over_http(params["url"], view=params["view"], headers=headers, path=params["path"])
    outcome = run(
        backend,
        suite,
        run_id=f"segue-{uuid4().hex[:8]}",
        bot_id=params["bot"],
        tolerate=split_lists(params["tolerate"]),
    )
    if params["format"] == "json":
        out.write(f"{json.dumps(_as_json(outcome))}\n")
    else:
        out.writelines(f"{line}\n" for line in _as_text(outcome))
    return int(bool(outcome.differences))


def _as_json(outcome: ConformanceResult) -> dict[str, object]:
    return {
        "vectors": outcome.vectors,
        "deliveries": outcome.deliveries,
        "compared": outcome.compared,
        "groups": [group.to_dict() for group in grouped(outcome.differences)],
        "differences": [difference.to_dict() for difference in outcome.differences],
    }


def _as_text(outcome: ConformanceResult) -> Iterator[str]:
    groups = grouped(outcome.differences)
    for group in groups[:_SHOWN]:
        yield from _group_lines(group)
    if len(groups) > _SHOWN:
        yield f"and {pluralize(len(groups) - _SHOWN, 'more group')} (see --format json)\n"
    compared = ", ".join(f"{key} {count}" for key, count in sorted(outcome.compared.items()))
    yield (
        f"{pluralize(outcome.vectors, 'vector')} of {outcome.deliveries} deliveries; "
        f"compared: {compared}"
    )
    differing = len(outcome.differences)
    yield (
        f"{pluralize(differing, 'vector')} {'differs' if differing == 1 else 'differ'}, "
        f"in {pluralize(len(groups), 'group')}"
        if differing
        else "nothing differs"
    )


def _group_lines(group: DifferenceGroup) -> Iterator[str]:
    """Yield the lines of text for a group of differences, with its shortest conversation."""
    shortest = group.differences[0]
    rules = f"{' and '.join(group.rules)}, " if group.rules else ""
    count = pluralize(len(group.differences), "vector")
    yield f"{rules}{group.cell}: {group.key} differs in {count}"
    size, shown_until = len(shortest.vector["deliveries"]), shortest.delivery + 1
    cut = "" if shown_until == size else f" ({shown_until} of {size} deliveries)"
    yield f"  {shortest.vector['id']}: {shortest.vector['title']}{cut}"
    for index, given in enumerate(shortest.vector["deliveries"][:shown_until]):
        event = read_delivery(given.get("body"))
        shown = given.get("text") or json.dumps(given["body"]) if event is None else str(event)
        yield f"    {'>' if index == shortest.delivery else ' '} {shown}"
    yield f"  {Discrepancy(*shortest[2:])}"
    yield ""
