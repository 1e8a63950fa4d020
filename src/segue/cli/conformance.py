"""`segue conformance`: run the conformance suite against a running backend."""

import json
from collections.abc import Iterator
from typing import Final
from uuid import uuid4

import click

from segue.cli.credentials import CREDENTIALS, token_source
from segue.cli.options import Params, command, format_option, option_group
from segue.cli.terminal import stdout
from segue.report.plurals import pluralize
from segue.simulate.bodies import read_delivery
from segue.testing.backend import over_http
from segue.testing.conformance import CHOSEN, ConformanceResult, conformance_suite, run

_SHOWN: Final = 10

_send = option_group("What is sent")


@command(
    click.Argument(["url"]),
    _send(
        "--view URL",
        "Where the backend shows a conversation, with {conversationId} in it: JSON with any of "
        "phase, findings, primary, consultants, segments.  [default: only its answers are "
        "compared]",
    ),
    _send(
        "--path PATH",
        "The path of the hook, with {botId} in it.  [default: that of the specification]",
    ),
    _send("--bot ID", "The bot to send for.", default="st-1"),
    _send(f"--group [{'|'.join(CHOSEN)}]...", "Only these vectors.  [default: all]"),
    *CREDENTIALS,
    format_option("text", "json", text="How differences are shown."),
)
def conformance(params: Params) -> int:
    """Send the conformance suite to a backend and show where it differs.

    URL is where its routes begin. Only what the backend answers is compared. The exit code is 0 if
    nothing differs, 1 if something does. The conversations have other ids in every run.
    """
    token = token_source(params)()
    headers = {} if token is None else {"auth": token}
    backend = over_http(params["url"], view=params["view"], headers=headers, path=params["path"])
    suite = conformance_suite(groups=params["group"])
    outcome = run(backend, suite, run_id=f"segue-{uuid4().hex[:8]}", bot_id=params["bot"])
    out = stdout()
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
        "differences": [difference.to_dict() for difference in outcome.differences],
    }


def _as_text(outcome: ConformanceResult) -> Iterator[str]:
    for difference in outcome.differences[:_SHOWN]:
        vector, last = difference.vector, difference.delivery
        yield f"{vector['id']}: {vector['title']}"
        for index, given in enumerate(vector["deliveries"][: last + 1]):
            event = read_delivery(given.get("body"))
            shown = "another delivery (see --format json)" if event is None else str(event)
            yield f"  {'>' if index == last else ' '} {shown}"
        expected, found = json.dumps(difference.expected), json.dumps(difference.found)
        yield f"    {difference.key}: expected {expected}, found {found}"
        yield ""
    hidden = len(outcome.differences) - _SHOWN
    if hidden > 0:
        yield f"and {pluralize(hidden, 'more vector')} (see --format json)\n"
    compared = ", ".join(f"{key} {count}" for key, count in sorted(outcome.compared.items()))
    yield (
        f"{pluralize(outcome.vectors, 'vector')} of {outcome.deliveries} deliveries; "
        f"compared: {compared}"
    )
    differing = len(outcome.differences)
    yield "nothing differs" if not differing else f"{pluralize(differing, 'vector')} differ"
