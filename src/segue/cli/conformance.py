"""`segue conformance`: run the conformance suite against a running backend."""

import json
import os
from collections.abc import Iterator
from typing import Final
from uuid import uuid4

import click

from segue.cli.terminal import stdout
from segue.errors import ConfigurationError
from segue.report.plurals import pluralize
from segue.testing.backend import over_http
from segue.testing.conformance import GROUPS, Outcome, conformance_suite, run
from segue.testing.stories import beat_of

__all__ = ["conformance"]

_SHOWN: Final = 10


@click.command()
@click.argument("url")
@click.option(
    "--view",
    metavar="URL",
    help="Where the backend tells what it knows, with {conversationId} in it: JSON with any of "
    "phase, findings, primary, consultants, segments.  [default: only its answers are compared]",
)
@click.option(
    "--token-env", metavar="NAME", help="Environment variable with the token to send as auth."
)
@click.option("--bot", default="st-1", show_default=True, metavar="ID", help="The bot to send for.")
@click.option(
    "--group",
    "groups",
    multiple=True,
    type=click.Choice(list(GROUPS)),
    help="Only these vectors. Repeatable.  [default: all]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How differences are shown.",
)
def conformance(  # noqa: PLR0913, PLR0917 - the options
    url: str,
    view: str | None,
    token_env: str | None,
    bot: str,
    groups: tuple[str, ...],
    form: str,
) -> int:
    """Send the conformance suite to a backend and show where it differs.

    URL is where its routes begin. Only what the backend says is compared. The exit code is 0 when
    nothing differs, 1 when something does. The conversations have ids of their own in every run.
    """
    backend = over_http(url, view=view, headers=_headers(token_env))
    outcome = run(
        backend, conformance_suite(groups=groups), run_id=f"segue-{uuid4().hex[:8]}", bot_id=bot
    )
    out = stdout()
    if form == "json":
        out.write(f"{json.dumps(_as_json(outcome))}\n")
    else:
        out.writelines(f"{line}\n" for line in _as_text(outcome))
    return int(bool(outcome.differences))


def _headers(token_env: str | None) -> dict[str, str]:
    if token_env is None:
        return {}
    token = os.environ.get(token_env)
    if not token:
        msg = f"the environment variable {token_env} is empty: put the token into it"
        raise ConfigurationError(msg)
    return {"auth": token}


def _as_json(outcome: Outcome) -> dict[str, object]:
    return {
        "vectors": outcome.vectors,
        "deliveries": outcome.deliveries,
        "compared": outcome.compared,
        "differences": [difference.to_dict() for difference in outcome.differences],
    }


def _as_text(outcome: Outcome) -> Iterator[str]:
    for difference in outcome.differences[:_SHOWN]:
        vector, last = difference.vector, difference.delivery
        yield f"{vector['id']}: {vector['title']}"
        for index, given in enumerate(vector["deliveries"][: last + 1]):
            beat = beat_of(given.get("body"))
            told = str(beat) if beat is not None else "another delivery (see --format json)"
            yield f"  {'>' if index == last else ' '} {told}"
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
