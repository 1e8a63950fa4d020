"""Law 4 for what stores keep: judging goes on without the history, which is written in pieces."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import logs, streams

from segue.engine import (
    HistorySize,
    State,
    apply,
    dump,
    dump_agents,
    dump_history,
    dump_judging,
    forget_history,
    load_judging,
    new,
    restore_history,
)
from segue.events import EventKind
from segue.wire import read_line


class Kept:
    """A conversation as a store keeps it: agents by number, and the history in pieces."""

    def __init__(self, state: State) -> None:
        self.judging = dump_judging(state)
        self.agents: dict[int, bytes] = {}
        self.pieces: list[bytes] = []

    def load(self, *, whole: bool) -> State:
        state = load_judging(self.judging, [data for _, data in sorted(self.agents.items())])
        if whole:
            restore_history(state, self.pieces)
        return state

    def save(self, state: State, since: HistorySize) -> None:
        self.agents |= dump_agents(state, since)
        added = dump_history(state, since)
        self.pieces += [added] if added else []
        self.judging = dump_judging(state)


@given(logs(streams()), st.sampled_from((None, "start", "end", "both")), st.data())
def test_a_conversation_whose_history_is_elsewhere_is_judged_alike(
    lines: list[dict[str, Any]], partial: Any, data: st.DataObject
) -> None:
    """Restored or still in memory, with its history or without; END reads the history."""
    whole, state = new("c-1", partial=partial), new("c-1", partial=partial)
    kept = Kept(state)
    for number, line in enumerate(lines, 1):
        delivery = read_line(line, line=number)
        ends = any(event.kind is EventKind.END for event in delivery.events)
        if ends or data.draw(st.booleans()):
            state = kept.load(whole=ends or data.draw(st.booleans()))
        since = HistorySize.of(state)
        assert apply(state, delivery) == apply(whole, read_line(line, line=number))
        kept.save(state, since)
        if data.draw(st.booleans()):
            forget_history(state)
        assert dump_judging(state) == dump_judging(whole) == kept.judging

    assert dump(kept.load(whole=True)) == dump(whole)
