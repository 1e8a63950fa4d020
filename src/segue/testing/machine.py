"""A state machine that runs a backend beside the reference, event by event.

It sends what the specification allows at the moment, in any accepted spelling, and what a sender
delivers twice; offences too, on request. Agents are chosen by their role, so that steps keep their
meaning when they are shrunk. A failure shows the shortest story that was found, not the steps.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import ClassVar, Final

from hypothesis import Phase as RunPhase, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from segue.analysis.simulate.bodies import TRANSFERS, StoryEvent
from segue.analysis.simulate.legal_moves import LifecycleState, legal, possible
from segue.analysis.simulate.spelling import BODY_VARIANTS
from segue.core.errors import ConfigurationError
from segue.core.events import EventKind
from segue.core.lifecycle import Phase
from segue.testing.backend import Backend
from segue.testing.compare import BackendCrash
from segue.testing.differential import (
    Differences,
    DifferentialRun,
    difference_text,
    shortened,
)
from segue.testing.stories import SentEvent

STEPS: Final = settings(
    deadline=None,
    stateful_step_count=40,
    phases=(RunPhase.explicit, RunPhase.reuse, RunPhase.generate),
)
"""Settings that leave shrinking to the machine, which knows what a shorter story is."""

_WHO: Final = st.integers(0, 5)
_END: Final = EventKind.END.value
_MIXED: Final = "mixed"
_SPELLINGS: Final = ("plain", _MIXED, *BODY_VARIANTS, _MIXED, _MIXED)


class ConversationBackendMachine(RuleBasedStateMachine):
    """Runs your backend beside the reference.

    Define `connect` in a subclass, and let pytest collect its `TestCase`:

        class Machine(ConversationBackendMachine):
            def connect(self) -> Backend:
                return over_http("http://127.0.0.1:8000", view=what_is_known)

        TestBackend = Machine.TestCase
        TestBackend.settings = STEPS

    `view` takes a conversation id and returns a mapping with any of the keys of `VIEW_KEYS`; what
    it leaves out is not compared. Each delivery has one event.
    """

    agents: ClassVar[int] = 3
    """How many take part."""
    offences: ClassVar[bool] = False
    """Whether senders also break the rules; then your backend must go on as the reference does."""

    notes: ClassVar[bool] = True
    """Whether senders also do what is legal and reported as a note; offences always include it."""

    tolerate: ClassVar[Collection[str]] = ()
    """In what your backend may differ: keys of its view, and codes of findings.

    A code excuses that your backend does not find it, or finds it where the reference does not;
    what follows from it in other keys is compared.
    """

    def __init__(self) -> None:
        super().__init__()
        self._backend = self.connect()
        _require_backend(self._backend)
        self._spelling = "plain"
        self._begin()

    def connect(self) -> Backend:
        """Return the backend, which your subclass defines; called for every example."""
        msg = f"{type(self).__name__} does not say how to reach the backend: define connect()"
        raise ConfigurationError(msg)

    def _begin(self) -> None:
        self._run = DifferentialRun(self._backend, self.tolerate)
        self._state = LifecycleState()
        self._story: list[SentEvent] = []
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Work out what may come next, by kind; an event is delivered at most twice."""
        offered = possible if self.offences else partial(legal, notes=self.notes)
        self._options: dict[str, list[StoryEvent]] = {}
        for event in offered(self._state, self.agents, messages=True):
            label = "message" if event.is_message else event.label
            if label == _END and not self._story and not self.offences:
                continue  # or most conversations would have nothing but their end
            self._options.setdefault(label, []).append(event)
        self._may_repeat = (
            bool(self._story)
            and self._story[-1:] != self._story[-2:-1]
            and self._state.step(self._story[-1].event)[1] == ("SG601",)
        )

    def _send(self, sent: SentEvent) -> None:
        __tracebackhide__ = True
        self._state = self._state.after(sent.event)
        self._story.append(sent)
        differing = self._run.send(sent)
        if differing:
            self._fail(differing)
        self._look_ahead()

    def _fail(self, differing: Differences) -> None:
        __tracebackhide__ = True
        shorter = shortened(
            self._story,
            self.connect,
            offences=self.offences,
            notes=self.notes,
            tolerate=self.tolerate,
        )
        story, differing = shorter or (self._story, differing)
        crash = next((each.error for each in differing if isinstance(each, BackendCrash)), None)
        text = difference_text(story, differing, repeats=shorter is not None)
        raise AssertionError(text) from crash

    @initialize(spelling=st.sampled_from(_SPELLINGS))
    def spell(self, spelling: str) -> None:
        """Choose how the sender spells."""
        self._spelling = spelling

    @precondition(lambda self: self._state.phase is Phase.ENDED)
    @rule()
    def next_conversation(self) -> None:
        """Begin another conversation."""
        self._begin()

    @precondition(lambda self: self._may_repeat)
    @rule()
    def delivered_twice(self) -> None:
        """Send the last event once more, which changes nothing."""
        __tracebackhide__ = True
        self._send(self._story[-1])

    def _spelled(self) -> str:
        """Return how the next event is spelled: mixed spellings take turns."""
        titles = tuple(BODY_VARIANTS)
        is_mixed = self._spelling == _MIXED
        return titles[len(self._story) % len(titles)] if is_mixed else self._spelling


def _require_backend(given: object) -> None:
    if not isinstance(given, Backend):
        msg = f"connect() returns a Backend, such as in_process(…), not {given!r}"
        raise ConfigurationError(msg)


def _rule(label: str, name: str) -> Callable[..., None]:
    """Return the rule that sends an event of this kind, by an agent who may."""

    def send(self: ConversationBackendMachine, who: int) -> None:
        __tracebackhide__ = True
        options = self._options[label]
        self._send(SentEvent(options[who % len(options)], self._spelled()))

    send.__name__ = name
    send.__doc__ = f"Send {label}."
    ruled = rule(who=_WHO)(send)
    guarded: Callable[..., None] = precondition(lambda self: label in self._options)(ruled)
    return guarded


_NAMES: Final = {
    "message": "message",
    "TRIGGER_SUMMARY_EVENT": "summary",
    "END_OF_CONVERSATION": "end",
    **{label: label.lower().replace(" ", "_") for label in TRANSFERS},
}
"""The names of the rules that send events, by what they send."""
for _label, _name in _NAMES.items():
    setattr(ConversationBackendMachine, _name, _rule(_label, _name))
