"""The mistakes that real systems make, one row each, and what a correct program does about them.

A fault is drawn for a conversation that is sent, for a callback, or for the answer to a request;
never two for the same. What really happened is noted as a line of truth.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any, Final

from segue.core.errors import ConfigurationError
from segue.core.options import Bounds, check_choices, check_option
from segue.platform.sandbox import answer_edits, post_edits
from segue.platform.sandbox.answer_edits import PlannedAnswer
from segue.platform.sandbox.post_edits import EditedPosts, PlannedPost

_SHARE: Final = 0.5
"""The share of conversations, callbacks or answers with a fault, unless shares are given."""
_REMEMBERED: Final = 1000


class FaultPlace(StrEnum):
    """What a fault happens to."""

    CONVERSATION = "conversation"
    """The deliveries of one conversation (E21)."""
    CALLBACK = "callback"
    """A post to an address that the program gave (E2, E9)."""
    ANSWER = "answer"
    """The answer to a request of the program."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One mistake that the sandbox can make."""

    name: str
    """What it is chosen by, such as `delivery-repeated`."""
    place: FaultPlace
    """Where it is made."""
    what: str
    """What happens."""
    correct: str
    """What a correct program does."""
    posts: Callable[[Random, list[PlannedPost]], EditedPosts | None] | None = None
    """Changes what is posted; returns None where the fault cannot happen."""
    answer: Callable[[Random, PlannedAnswer], PlannedAnswer | None] | None = None
    """Changes an answer; returns None where the fault cannot happen."""
    needs_id: bool = False
    """Whether only a program that is given delivery ids can survive it."""
    is_first: bool = False
    """Whether a callback comes before the response that it belongs to."""
    refusal: int | None = None
    """The status with Retry-After that a request is refused with; it takes no effect."""
    shifts: bool = False
    """Whether an item is added in front of a list of which a page has been read."""


_STORY, _CALLBACK, _ANSWER = FaultPlace.CONVERSATION, FaultPlace.CALLBACK, FaultPlace.ANSWER
_JUDGED: Final = "reports what is missing or impossible, and goes on"
_ONCE: Final = "answers 2xx and counts it once"
_READS: Final = "reads the rest, and keeps what it does not know"

FAULTS: Final[Mapping[str, Fault]] = {row.name: row for row in (
    Fault("delivery-dropped", _STORY, "a delivery is never sent", _JUDGED, post_edits.drop),
    Fault("delivery-swapped", _STORY, "two deliveries overtake each other",
          "reports it, or waits and puts them in order", post_edits.swap),
    Fault("delivery-late", _STORY, "a delivery comes after several later ones",
          "reports it, or waits and puts them in order", post_edits.delay_one),
    Fault("delivery-doubled", _STORY, "a delivery is sent twice, under two ids",
          "recognises the event, or reports it", post_edits.double),
    Fault("delivery-repeated", _STORY, "no answer is heard, and a delivery is sent again",
          _ONCE, post_edits.repeat),
    Fault("delivery-id-reused", _STORY, "another body comes under the id of a delivery",
          "refuses it (4xx), and takes it under its own id", post_edits.reuse_id, needs_id=True),
    Fault("delivery-cut-off", _STORY, "a body ends early, and is sent again whole",
          "refuses the first (4xx), takes the second", post_edits.cut_off),
    Fault("delivery-retyped", _STORY, "a transfer has another type", _JUDGED, post_edits.retype),
    Fault("delivery-mistyped", _STORY, "a member has another JSON type",
          "reports it, and applies what can be read", post_edits.mistype),
    Fault("delivery-unknown-value", _STORY, "a member has a value that nobody listed",
          "reports it, and applies the event", post_edits.unknown_value),
    Fault("delivery-added-member", _STORY, "bodies have a member that is new",
          "takes it as if the member were not there", post_edits.add_member),
    Fault("delivery-respelled", _STORY, "values are in another letter case, booleans are text",
          "understands them", post_edits.respell),
    Fault("callback-first", _CALLBACK, "a callback comes before the response it belongs to",
          "keeps it until it knows what it belongs to", is_first=True),
    Fault("callback-twice", _CALLBACK, "a callback comes twice", _ONCE, post_edits.repeat),
    Fault("callback-never", _CALLBACK, "a callback never comes",
          "asks, or gives up after a while", post_edits.drop),
    Fault("callback-late", _CALLBACK, "a callback comes ten minutes late",
          "still takes it", post_edits.come_late),
    Fault("callback-unknown-value", _CALLBACK, "a callback has a value that nobody listed",
          "answers 2xx, and keeps it", post_edits.unknown_value),
    Fault("callback-added-member", _CALLBACK, "a callback has a member that is new",
          "answers 2xx", post_edits.add_member),
    Fault("answer-lost", _ANSWER, "a request takes effect, and its answer is lost",
          "asks before it sends a POST again", answer=answer_edits.lose),
    Fault("answer-429", _ANSWER, "a request is refused with 429 and Retry-After",
          "waits as long, then asks again", refusal=429),
    Fault("answer-503", _ANSWER, "a request is refused with 503 and Retry-After",
          "waits as long, then asks again", refusal=503),
    Fault("answer-slow", _ANSWER, "an answer takes three seconds",
          "waits, or gives up and asks before it sends again", answer=answer_edits.slow_down),
    Fault("answer-unknown-value", _ANSWER, "an answer has a status that nobody listed",
          _READS, answer=answer_edits.unknown_value),
    Fault("answer-added-member", _ANSWER, "an answer has members that are new",
          _READS, answer=answer_edits.add_member),
    Fault("answer-respelled", _ANSWER, "a status is in another letter case",
          "understands it", answer=answer_edits.respell),
    Fault("page-shifted", _ANSWER, "something is added in front while pages are read",
          "has each item once", shifts=True),
    Fault("page-more-lies", _ANSWER, "the last page says that there is more",
          "stops at a page with nothing new, and says so", answer=answer_edits.lie_about_more),
)}  # fmt: skip
"""Every fault by its name."""


@dataclass(slots=True)
class TruthLine:
    """What really happened, once."""

    fault: str
    """The name of the fault; empty if none was made."""
    where: str
    """The conversation, the call or transfer, or the endpoint."""
    what: str
    """What really was sent, or took effect."""
    failure: str = ""
    """What the program did wrong; empty if it survived."""
    story: tuple[str, ...] = ()
    """Of a conversation that was not survived: its deliveries as they were sent."""

    def to_dict(self) -> dict[str, Any]:
        """Return the line as JSON."""
        story = {"story": [*self.story]} if self.story else {}
        return {"fault": self.fault, "where": self.where, "what": self.what,
                "failure": self.failure, **story}  # fmt: skip


@dataclass(slots=True)
class FaultPlan:
    """Which faults are made, and what became of them.

    Args:
        shares: Of conversations, callbacks or answers, by the names of faults.
        seed: Of what is drawn.
        write: Takes each line of truth when it is noted, and again when it was not survived.

    """

    shares: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    write: Callable[[TruthLine], object] | None = None
    counts: Counter[str] = field(default_factory=Counter)
    """How often each fault was made."""
    failed: Counter[str] = field(default_factory=Counter)
    """How often each was not survived; an empty name stands for no fault."""
    lines: deque[TruthLine] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    """The last lines of truth."""
    failures: list[TruthLine] = field(default_factory=list)
    """The first lines of what was not survived."""
    random: Random = field(init=False)
    """Draws which faults are made; the same for the same seed."""

    def __post_init__(self) -> None:
        self.random = Random(f"faults {self.seed}")
        for name, share in self.shares.items():
            _require(name, share)
        for place in FaultPlace:
            total = sum(share for name, share in self.shares.items() if FAULTS[name].place == place)
            if total > 1 + 1e-9:
                raise ConfigurationError(
                    f"the shares of faults of a {place} are {total:g} together: at most 1"
                )

    def draw(self, place: FaultPlace) -> Fault | None:
        """Return the fault of a conversation, callback or answer; None for most, or without any."""
        possible = [(name, share) for name, share in self.shares.items()
                    if FAULTS[name].place is place]  # fmt: skip
        if not possible:
            return None
        at = self.random.random()
        for name, share in possible:
            at -= share
            if at < 0:
                return FAULTS[name]
        return None

    def note(self, fault: Fault, where: str, what: str) -> TruthLine:
        """Note that a fault was made; return the line."""
        line = TruthLine(fault.name, where, what)
        self.counts[fault.name] += 1
        self.lines.append(line)
        if self.write is not None:
            self.write(line)
        return line

    def fail(self, line: TruthLine, failure: str) -> None:
        """Note that a fault was not survived; more about the same one is not counted again."""
        if line.failure:
            return
        line.failure = failure
        self.failed[line.fault] += 1
        if len(self.failures) < _REMEMBERED:
            self.failures.append(line)
        if self.write is not None:
            self.write(line)


def read_shares(names: Iterable[str], table: Mapping[str, Any] | None = None) -> dict[str, float]:
    """Return the shares of faults that are given as `NAME`, `NAME=SHARE`, or `all`.

    Without a share, the faults of one place share half of what happens there.

    Raises:
        ConfigurationError: There is no such fault, or a share is not a number from 0 to 1.

    """
    shares: dict[str, float | None] = dict(table or {})
    for text in names:
        name, has_share, share = text.partition("=")
        if name == "all" and not has_share:
            shares |= {each: shares.get(each) for each in FAULTS}
        else:
            shares[name] = _number(text, share) if has_share else shares.get(name)
    for name in shares:
        _require(name, 0)
    lacking = Counter(FAULTS[name].place for name, share in shares.items() if share is None)
    return {
        name: _SHARE / lacking[FAULTS[name].place] if share is None else share
        for name, share in shares.items()
    }


def _number(text: str, share: str) -> float:
    try:
        return float(share)
    except ValueError:
        raise ConfigurationError(f"a fault is NAME or NAME=SHARE, got {text!r}") from None


def _require(name: str, share: object) -> None:
    check_choices("faults", [name], FAULTS)
    check_option(f"share of {name}", share, float, bounds=Bounds(0, 1))
