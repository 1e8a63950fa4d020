"""Generate the transcription page: the two transcription tables in words.

Every verdict is read from the tables. This module only puts them into words.
"""

from collections.abc import Iterator, Mapping
from inspect import cleandoc
from typing import Final

from segue.core.transcription import TABLE, TranscriptionState
from segue.core.transcription.table import TABLE_AFTER_END, ActionCell, Command

__all__ = ["transcription_page"]

_INTRODUCTION: Final = cleandoc("""
    # Transcription

    Transcription actions (E1: `start`, `pause`, `resume`, `end`) control the transcription of one
    conversation. Each cell of the tables has the state that an action leads to, or the rule that
    reports the action. The check, the live endpoint and the lists of allowed actions read these
    tables.

    The *controller* is the agent who last started or resumed. The controller *has left* if a
    lifecycle event named the agent, the agent is no longer present, and no exit of the agent is
    still awaited (excused or owed, see [the lifecycle](lifecycle.md)). An agent whom no event named
    has not left. When the controller has left, every agent who is present is a *successor* and can
    take over with `start` or `resume`.
""")

_TITLES: Final = {
    Command.START: "`start` by another agent",
    Command.RESTART: "`start` by the controller",
    Command.SUCCEED: "`start` by a successor",
    Command.HOLD: "`pause`, `handover` false",
    Command.HANDOVER: "`pause`, `handover` true",
    Command.RESUME: "`resume`",
    Command.SUCCEED_BY_RESUME: "`resume` by a successor",
    Command.END: "`end`",
}

_RULES: Final = cleandoc("""
    ## How an action is judged

    1. An exact repeat of the last accepted action (`action`, `agentId`, and `handover` of a pause)
       has no effect. It is reported as [SG402](rules/SG402.md) and answered with 200 and
       `changed: false`.
    2. Otherwise the table decides. An action that it reports as [SG401](rules/SG401.md) or
       [SG408](rules/SG408.md) is rejected by the live endpoint (409, no effect). In a log, and with
       `Policy(transcription="observe")`, the action has already happened: `pause` leads to hold or
       handover, `start` and `resume` lead to active, and `end` leads to ended. A second `start` by
       the controller (SG402) never has an effect. After a drop and a redial of the controller it is
       not reported.
    3. `start` and `resume` make their agent the controller. `generation` counts transcriptions: it
       is 0 before the first action and 1 after it, and increases at each start after an end.

    Contradictions to the lifecycle (SG403 to SG407) are reported when the session is closed: at
    END_OF_CONVERSATION if transcription is not open then, else at its `end`, or when the log
    closes. Events and actions arrive at two endpoints with no order between them, so the `end` may
    come after END_OF_CONVERSATION. Contradictions never reject a delivery. A server closes no log,
    so it never reports SG407.

    ## Which actions are allowed next

    `ControlResult.allowed`, `ControlReceipt.allowed` and the field `allowed` of an HTTP response
    list every action that is allowed now, with the agents who can send it: `"any"`,
    `"not-controller"` (every agent except the controller), or a list of identities (the
    successors).

    ```json
    {"action": "pause", "handover": true, "agents": "any"}
    {"action": "start", "handover": null, "agents": ["a-2", "a-3"]}
    ```
""")


def transcription_page() -> str:
    """Return the transcription page in Markdown."""
    return "\n".join(
        [
            f"{_INTRODUCTION}\n\n## Before END_OF_CONVERSATION\n",
            *_table(TABLE),
            "\n## After END_OF_CONVERSATION\n",
            *_table(TABLE_AFTER_END),
            f"\n{_RULES}\n",
        ]
    )


def _table(table: Mapping[TranscriptionState, Mapping[Command, ActionCell]]) -> Iterator[str]:
    states = list(table)
    yield f"| action | {' | '.join(states)} |"
    yield f"|---{'|---' * len(states)}|"
    for command, title in _TITLES.items():
        cells = (table[state][command] for state in states)
        yield f"| {title} | {' | '.join(cell.code or cell.to.value for cell in cells)} |"
