"""Generates a conversation without mistakes by a random walk over the lifecycle table.

Each step chooses one of the legal events at random, with different weights. The last steps are the
shortest legal path to the end. Legal events that are reported as notes (such as a callback or a
warm handoff) are rare. The script records the codes of these notes.
"""

from collections.abc import Container, Iterable, Iterator
from random import Random
from typing import Final

from segue.analysis.simulate.bodies import StoryEvent
from segue.analysis.simulate.legal_moves import LifecycleState
from segue.analysis.simulate.sample_data import AGENTS, BOTS, participant, said
from segue.analysis.simulate.script import SECOND, LogPart, Script, ScriptItem
from segue.analysis.simulate.transcription import TranscriptionDrawer
from segue.core.events import EventKind
from segue.core.lifecycle import Phase, PresenceEffect, is_legal

_WEIGHTS: Final = {
    EventKind.NA_ENTRY: 1.0,
    EventKind.COLD_EXIT: 3.0,
    EventKind.COLD_ENTRY: 6.0,
    EventKind.WARM_ENTRY: 0.8,
    EventKind.WARM_EXIT: 4.0,
    EventKind.NA_EXIT: 2.0,
    EventKind.REDIAL_ENTRY: 3.0,
}
"""The relative probability of each kind of transfer, for each agent who could make it."""
_UNUSUAL: Final = 0.02
"""The factor for the weights of transfers that are reported as notes."""
_UNANSWERED: Final = 0.02
"""The share of conversations that no agent enters."""
_LENGTHS: Final = (1, 1, 1, 2, 2, 3, 4, 5, 6)
_CLOSING: Final = (
    EventKind.COLD_ENTRY,
    EventKind.WARM_EXIT,
    EventKind.NA_ENTRY,
    EventKind.NA_EXIT,
)
"""The transfers that lead to the release of the last agent, in order of preference."""
_CAST: Final = 5
_TRANSCRIBED, _SUMMARIZED = 0.7, 0.6
_LATE_MESSAGE, _WAITING_MESSAGE, _BY_CONSULTANT, _BY_USER = 0.1, 0.2, 0.2, 0.5
_CALLED, _TOLD_TWICE = 0.8, 0.3
_TALKATIVE: Final = frozenset({Phase.ACTIVE, Phase.CONSULTING})


class _Walk:
    def __init__(
        self, random: Random, script: Script, messages: float, *, notes: bool, calls: bool
    ) -> None:
        self._random = random
        self._script = script
        self._messages = messages
        self._notes = notes
        self._state = LifecycleState()
        self._cast = random.sample(AGENTS, _CAST)
        self._now = 0
        self._transcription: TranscriptionDrawer | None = None
        if script.experience == "voice" and random.random() < _TRANSCRIBED:
            self._transcription = TranscriptionDrawer(random)
        self._is_call = calls and script.experience == "voice" and random.random() < _CALLED

    def run(self, moves: int) -> None:
        """Append at most `moves` random transfers, then the transfers and events of the end."""
        self._talk()
        if self._notes and self._random.random() < _UNANSWERED:
            self._script.notes += ("SG122",)
            self._call("failed")
            self._add(self._script.end(self._wait(1, 5), self._cast[0]))
            return
        for _ in range(moves):
            options, weights = self._options()
            self._move(*self._random.choices(options, weights)[0])
        while self._state.phase is not Phase.RELEASED:
            kind, agent = self._way_out()
            if kind is EventKind.NA_EXIT:
                self._call("completed")
            self._move(kind, agent)
        self._call("completed")
        self._finish()

    def _call(self, status: str) -> None:
        """Append the notification of a call's final status. Do nothing if it was already sent."""
        if not self._is_call:
            return
        self._is_call, random, script = False, self._random, self._script
        if status == "failed":
            code = random.choice(("Busy Here", "Service Unavailable", "Temporarily Unavailable"))
            self._add(script.call(self._wait(1, 5), status, reasonCode=code))
            return
        at = self._wait(1, 3)
        seconds = at // SECOND
        if random.random() < _TOLD_TWICE:
            self._add(script.call(at - SECOND // 2, "answered", callconnecttime=0))
        self._add(
            script.call(
                at,
                status,
                reasonCode=random.choice(("caller-disconnected", "bot-disconnected")),
                callconnecttime=0,
                callDisconnectTime=seconds * SECOND,
                duration=seconds,
                machinedetection=random.choice(("amd_human_detected", "disabled")),
            )
        )

    def _finish(self) -> None:
        random, script, last = self._random, self._script, self._state.last or ""
        if random.random() < _LATE_MESSAGE and not script.has_call:
            self._say("USER", last)
        if random.random() < _SUMMARIZED:
            self._add(script.summary(self._wait(2, 9)))
        self._add(script.end(self._wait(1, 5), last))

    def _options(self) -> tuple[list[tuple[EventKind, str]], list[float]]:
        """Return the legal transfers, as pairs of kind and agent, and their weights."""
        options, weights = list[tuple[EventKind, str]](), list[float]()
        for kind, agent, code in self._legal(_WEIGHTS):
            if code is None or self._notes:
                options.append((kind, agent))
                weights.append(_WEIGHTS[kind] * (1 if code is None else _UNUSUAL))
        return options, weights

    def _way_out(self) -> tuple[EventKind, str]:
        moves = self._legal(_CLOSING)
        return next((kind, agent) for kind, agent, code in moves if code is None)

    def _legal(self, kinds: Iterable[EventKind]) -> Iterator[tuple[EventKind, str, str | None]]:
        """Yield `(kind, agent, code)` for each legal transfer of these kinds.

        The code is that of the note that reports the transfer, or None.
        """
        for kind in kinds:
            for agent in self._cast:
                decision = self._state.decision(kind, agent)
                if decision.effect is not PresenceEffect.NONE and is_legal(decision.code):
                    yield kind, agent, decision.code

    def _move(self, kind: EventKind, agent: str) -> None:
        """Append a transfer, with its transcription actions and the messages after it."""
        script = self._script
        if self._transcription is not None:
            self._act(self._transcription.before(kind, agent, self._state.primary or agent))
        self._add(script.transfer(self._wait(1, 20), kind.value, agent))
        self._state, found = self._state.step(StoryEvent(kind.value, agent))
        script.notes += found
        if self._transcription is not None:
            alone = not self._state.consultants
            self._act(self._transcription.after(kind, self._state.primary or agent, alone=alone))
        if self._state.phase in _TALKATIVE:
            self._talk()
        elif self._state.phase is Phase.TRANSFERRING and self._random.random() < _WAITING_MESSAGE:
            self._say("USER", agent)

    def _act(self, actions: list[StoryEvent]) -> None:
        for label, agent, _ in actions:
            self._add(self._script.action(self._wait(0.2, 1.5), label, agent))

    def _talk(self) -> None:
        random, state = self._random, self._state
        primary = state.primary or self._cast[0]
        aside = _BY_CONSULTANT if state.consultants else 0
        for _ in range(int(random.random() * (2 * self._messages + 1))):
            drawn = random.random()
            if drawn < aside:
                self._say("AGENT", state.consultants[-1])
            else:
                self._say("AGENT" if state.primary and drawn > _BY_USER else "USER", primary)
        if self._transcription is not None and not state.consultants:
            self._act(self._transcription.pause(primary))

    def _say(self, author: str, agent: str) -> None:
        text = said(self._random, author)
        self._add(self._script.message(self._wait(2, 40), author, agent, text))

    def _add(self, item: ScriptItem) -> None:
        self._script.items.append(item)

    def _wait(self, least: float, most: float) -> int:
        self._now += int(SECOND * (least + (most - least) * self._random.random()))
        return self._now


def walk(
    random: Random,
    conversation_id: str,
    *,
    messages: float = 2.5,
    notes: bool = True,
    parts: Container[LogPart] = (LogPart.TRANSCRIPTION,),
) -> Script:
    """Return the script of a random conversation without mistakes.

    Args:
        random: The source of all random choices.
        conversation_id: The id of the conversation.
        messages: The average number of messages between two events.
        notes: Whether to include legal events that are reported as notes.
        parts: The optional parts of voice conversations: transcription and outbound calls. Without
            transcription, all conversations are chats.

    """
    has_voice = LogPart.TRANSCRIPTION in parts
    experience = random.choice(("chat", "voice")) if has_voice else "chat"
    script = Script(conversation_id, random.choice(BOTS), experience, participant)
    calls = LogPart.CALLS in parts
    _Walk(random, script, messages, notes=notes, calls=calls).run(random.choice(_LENGTHS))
    return script


def strangers(random: Random, script: Script) -> Iterator[str]:
    """Yield the ids of agents who do not take part in a conversation, in random order."""
    named = script.agents()
    others = [agent for agent in AGENTS if agent not in named]
    yield from random.sample(others, len(others))
