"""A Hypothesis state machine that compares a backend with the reference, event by event.

A step chooses among the agents who may send an event, instead of naming one. It thus keeps its
meaning when other steps are removed.
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
"""Hypothesis settings for the state machines of this package.

They disable Hypothesis' shrinking, because the machines shorten failing examples themselves.
"""

_WHO: Final = st.integers(0, 5)
_END: Final = EventKind.END.value
_MIXED: Final = "mixed"
_SPELLINGS: Final = ("plain", _MIXED, *BODY_VARIANTS, _MIXED, _MIXED)


class ConversationBackendMachine(RuleBasedStateMachine):
    """A state machine that compares your backend with the reference implementation.

    The machine sends events that the specification allows, in any accepted spelling and sometimes
    twice. After each event it compares the backend's answer and view with those of the reference. A
    failure shows the shortest list of events found for which the two differ.

    Define `connect` in a subclass, and let pytest collect its `TestCase`:

        class Machine(ConversationBackendMachine):
            def connect(self) -> Backend:
                return over_http("http://127.0.0.1:8000", view=what_is_known)

        TestBackend = Machine.TestCase
        TestBackend.settings = STEPS

    `view` takes a conversation id and returns a mapping with any of the keys in `VIEW_KEYS`. Keys
    that it omits are not compared. Each delivery contains one event.
    """

    agents: ClassVar[int] = 3
    """The number of agents that take part in a conversation."""
    offences: ClassVar[bool] = False
    """Whether to send events that violate rules. Your backend must recover like the reference."""

    notes: ClassVar[bool] = True
    """Whether to send legal events that are reported as notes. `offences` implies this."""

    tolerate: ClassVar[Collection[str]] = ()
    """Keys of the view and codes of findings in which your backend may differ.

    A tolerated code may be missing in the backend's findings, or occur where the reference does not
    report it. All other keys are still compared.
    """

    def __init__(self) -> None:
        super().__init__()
        self._backend = self.connect()
        _require_backend(self._backend)
        self._spelling = "plain"
        self._begin()

    def connect(self) -> Backend:
        """Return a connection to the backend, made by `in_process` or `over_http`.

        Subclasses must override this method, which is called for every example.
        """
        msg = f"{type(self).__name__} has no backend: define connect()"
        raise ConfigurationError(msg)

    def _begin(self) -> None:
        self._run = DifferentialRun(self._backend, self.tolerate)
        self._state = LifecycleState()
        self._story: list[SentEvent] = []
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Compute the events that may come next, and whether the last event may be repeated."""
        offered = possible if self.offences else partial(legal, notes=self.notes)
        self._options: dict[str, list[StoryEvent]] = {}
        for event in offered(self._state, self.agents, messages=True):
            label = "message" if event.is_message else event.label
            if label == _END and not self._story and not self.offences:
                continue  # otherwise most conversations would consist of their end only
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
        """Choose the spelling of all events, such as `plain` or `mixed`. This is the first step."""
        self._spelling = spelling

    @precondition(lambda self: self._state.phase is Phase.ENDED)
    @rule()
    def next_conversation(self) -> None:
        """Begin a new conversation after the last one has ended."""
        self._begin()

    @precondition(lambda self: self._may_repeat)
    @rule()
    def delivered_twice(self) -> None:
        """Send the last event again, which must not change the state of the conversation."""
        __tracebackhide__ = True
        self._send(self._story[-1])

    def _spelled(self) -> str:
        """Return the spelling of the next event. If it is `mixed`, cycle through all spellings."""
        titles = tuple(BODY_VARIANTS)
        is_mixed = self._spelling == _MIXED
        return titles[len(self._story) % len(titles)] if is_mixed else self._spelling


def _require_backend(given: object) -> None:
    if not isinstance(given, Backend):
        msg = f"connect() must return a Backend, such as in_process(…), got {given!r}"
        raise ConfigurationError(msg)


def _rule(label: str, name: str) -> Callable[..., None]:
    """Return a rule of the state machine that sends an event with this label.

    The rule is enabled if at least one agent may send the event, and chooses among these agents.
    """

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
"""The name of the rule method for each label, such as `na_entry` for `NA entry`."""
for _label, _name in _NAMES.items():
    setattr(ConversationBackendMachine, _name, _rule(_label, _name))
