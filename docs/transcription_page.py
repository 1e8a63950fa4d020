"""The transcription page: the two tables of transcription, in words.

Every verdict is read from the tables; this module only words them.
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
    conversation. A cell of the tables says where an action leads, or the rule that reports it. The
    check, the live endpoint and the lists of allowed actions read these tables.

    The *controller* is the agent who last started or resumed. It *has left* when lifecycle events
    named it, and it is neither present nor is its exit still awaited (excused or owed, see [the
    lifecycle](lifecycle.md)); an agent whom no event named has not left. Then every agent who is
    present is a *successor*, and may take over by `start` or `resume`.
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
       changes nothing: [SG402](rules/SG402.md), answered with 200 and `changed: false`.
    2. Else the table decides. An action that it reports with [SG401](rules/SG401.md) or
       [SG408](rules/SG408.md) is refused on the live endpoint (409, nothing changes). In a log, and
       under `Policy(transcription="observe")`, it has happened: `pause` leads to hold or handover,
       `start` and `resume` to active, `end` to ended. Starting what the controller has started
       (SG402) changes nothing anywhere.
    3. `start` and `resume` make their agent the controller. `generation` counts transcriptions: 0
       before the first action, 1 with it, and one more at each start after an end.

    What does not fit the lifecycle (SG403 to SG407) is reported when the conversation ends or its
    log closes, since events and actions arrive over two endpoints with no order between them; it
    never rejects a delivery.

    ## What is allowed next

    `ControlResult.allowed`, `ControlReceipt.allowed` and the field `allowed` of an HTTP response
    list every action that is allowed now, with the agents who may send it: `"any"`,
    `"not-controller"` (every agent but the controller), or a list of identities (the successors).

    ```json
    {"action": "pause", "handover": true, "agents": "any"}
    {"action": "start", "handover": null, "agents": ["a-2", "a-3"]}
    ```
""")


def transcription_page() -> str:
    """Return the page."""
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
