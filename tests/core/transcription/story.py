"""Replays a conversation with its transcription, line by line, and keeps what the engine keeps."""

from __future__ import annotations

from tests.builders import read_label

from segue.core.events import ActionKind, EventKind
from segue.core.findings import Place, find
from segue.core.transcription import Moment, Session, contradictions, saw_cold_exit
from segue.core.transcription.consistency import Contradiction
from segue.core.transcription.session import ActionOutcome


class Story:
    """A conversation with its transcription; `believe` as in a log, unless told otherwise."""

    def __init__(self, *lines: str, believe: bool = True) -> None:
        self.believe = believe
        self.session: Session | None = None
        self.outcomes: list[ActionOutcome] = []
        self.entries: dict[str, int] = {}
        self.departed: dict[str, int] = {}
        self.inside: list[str] = []
        self.exited: set[str] = set()
        self.generations: list[int] = []
        self.events = 0
        self.ended = False
        for line in lines:
            self.tell(line)

    def tell(self, line: str) -> None:
        event = read_label(line)
        if event.is_action:
            self._act(ActionKind(event.label), event.agent)
        else:
            self._see(event.kind, event.agent)

    def _act(self, kind: ActionKind, agent: str) -> None:
        self.session = self.session or Session()
        connection = self.entries.get(agent, 0)
        controller = self.session.controller
        has_left = controller in self.exited and controller not in self.inside
        successors = tuple(self.inside) if has_left else ()
        moment = Moment(connection, self.ended, successors=successors)
        self.outcomes.append(self.session.apply(kind, agent, moment, enforce=not self.believe))
        self.generations.append(self.session.generation)
        self._save_and_restore(self.session)

    def _see(self, kind: EventKind, agent: str) -> None:
        self.entries.setdefault(agent, 0)
        if self.session and kind is EventKind.COLD_EXIT:
            saw_cold_exit(self.session, agent, self.entries[agent], self.events)
        if kind in {EventKind.COLD_EXIT, EventKind.WARM_EXIT}:
            self.departed[agent] = self.entries[agent]
        self.entries[agent] += kind.is_entry
        self.exited |= {agent} if kind.is_exit else set()
        self.inside = [each for each in self.inside if each != agent]
        self.inside += [agent] if kind.is_entry else []
        self.ended = kind is EventKind.END
        self.events += 1

    def _save_and_restore(self, session: Session) -> None:
        self.session = Session.from_json(session.to_json())

    @property
    def codes(self) -> list[str | None]:
        return [outcome.code for outcome in self.outcomes]

    def remarks(self) -> list[str]:
        """What contradicts the lifecycle: `SG404 event 1`, `SG403 action 0`, `SG407`."""
        found = contradictions(
            self.session or Session(),
            self.entries.__contains__,
            lambda agent: self.departed.get(agent, -1),
        )
        for each in found:
            find(each.code, Place(event=each.event), each.facts)  # every fact of the templates
        return [described(each) for each in found]


def described(found: Contradiction) -> str:
    """Return `SG404 event 1`, `SG403 action 0` or `SG407`."""
    event = "" if found.event is None else f" event {found.event}"
    action = "" if found.action is None else f" action {found.action.position}"
    return found.code + event + action


def remarks(*lines: str) -> list[str]:
    return Story(*lines).remarks()
