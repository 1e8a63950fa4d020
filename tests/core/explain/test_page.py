"""The costs and bounds on the page about explanations are those of the package."""

import re
from pathlib import Path

from segue.core.explain import BUDGET, LIVE_BUDGET, EditKind, costs

PAGE = (Path(__file__).parents[3] / "docs" / "explanation" / "explanation.md").read_text("utf-8")


def test_the_page_has_the_weights_of_the_costs() -> None:
    table = PAGE.partition("| implausibility |\n")[2].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| (.+?) \| \+?(-?\d+) \|$", table, re.MULTILINE))

    assert {name: int(weight) for name, weight in rows.items()} == {
        **{kind.value: weight for kind, weight in costs.IMPLAUSIBILITY.items()},
        "moved: END_OF_CONVERSATION too early": costs.EARLY_END,
        "moved: another event too early": costs.EARLY,
        "moved: an event too late": costs.LATE,
        "moved: a message after the end": costs.LATE_MESSAGE,
        "moved, and the times of receipt do not confirm it": costs.UNCONFIRMED,
        f"moved past more than one event, for each further event, at most {costs.MOST_FARTHER}": (
            costs.FARTHER
        ),
        "an entry is wrong although its agent then wrote": costs.CONTRADICTED,
        "a note or a repeat remains": costs.NOTED,
        "an edit makes an event a repeat": costs.REPEATED,
        "an entry is taken for a hand-over, and it is a redial or follows one": costs.RECONNECTED,
        "an exit is one too many that says the same as the exit of its agent before": (
            -costs.SENT_AGAIN
        ),
    }


def test_the_page_has_all_kinds_of_edits_and_the_budgets() -> None:
    listed = re.findall(r"^\| `([a-z-]+)` \| .+ \| .+ \|$", PAGE, re.MULTILINE)

    assert listed == [kind.value for kind in EditKind]
    assert f"{BUDGET:,} for a" in PAGE
    assert f"{LIVE_BUDGET:,} for a" in PAGE
