"""The faults that the sandbox can make, each with the reaction of a correct program.

At most one fault is drawn for each conversation sent, each callback, and each answer to a request.
Every fault made is recorded as a `TruthLine`.
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
"""The default fraction of conversations, callbacks or answers that get a fault."""
_REMEMBERED: Final = 1000


class FaultPlace(StrEnum):
    """The kind of message that a fault affects."""

    CONVERSATION = "conversation"
    """The deliveries of events of one conversation (endpoint E21)."""
    CALLBACK = "callback"
    """A request to a callback URL that the program gave (endpoints E2 and E9)."""
    ANSWER = "answer"
    """The answer to a request of the program."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that the sandbox can make, such as sending a delivery twice."""

    name: str
    """The name, such as `delivery-repeated`."""
    place: FaultPlace
    """The kind of message that the fault affects."""
    what: str
    """A description of the fault, such as "a callback comes twice"."""
    correct: str
    """The reaction of a correct program, such as "answers 2xx and counts it once"."""
    posts: Callable[[Random, list[PlannedPost]], EditedPosts | None] | None = None
    """A function that changes a list of deliveries or callbacks.

    It returns None if the fault does not apply to them.
    """
    answer: Callable[[Random, PlannedAnswer], PlannedAnswer | None] | None = None
    """A function that changes an answer, or returns None if the fault does not apply to it."""
    needs_id: bool = False
    """Whether a program can survive the fault only if it receives delivery ids."""
    is_first: bool = False
    """Whether the fault sends a callback before the response that it belongs to."""
    refusal: int | None = None
    """The HTTP status with which the fault refuses a request, or None if it refuses no request."""
    shifts: bool = False
    """Whether the fault adds an item to the beginning of a list that is being read in pages."""


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
"""All faults by name, such as `delivery-dropped`."""


@dataclass(slots=True)
class TruthLine:
    """A record of one fault, with the outcome for the program under test."""

    fault: str
    """The name of the fault, or an empty string if the program failed without a fault."""
    where: str
    """The id of the conversation, call or transfer, or the number of the endpoint."""
    what: str
    """A description of the change that the fault made."""
    failure: str = ""
    """A description of the program's failure, or an empty string without a failure."""
    story: tuple[str, ...] = ()
    """The deliveries of a failed conversation in the order they were sent, otherwise empty."""

    def to_dict(self) -> dict[str, Any]:
        """Return the record as a JSON object. It has no member `story` if the story is empty."""
        story = {"story": [*self.story]} if self.story else {}
        return {"fault": self.fault, "where": self.where, "what": self.what,
                "failure": self.failure, **story}  # fmt: skip


@dataclass(slots=True)
class FaultPlan:
    """A plan that decides which faults the sandbox makes, and that collects their outcomes.

    Args:
        shares: The fraction, from 0 to 1, of conversations, callbacks or answers that get a fault,
            by the name of the fault. The fractions for one place must not exceed 1 in total.
        seed: The seed for drawing faults.
        write: A function that is called with each `TruthLine` when the fault is made, and once more
            if the program fails.

    Raises:
        ConfigurationError: A name is unknown, or a share is invalid.

    """

    shares: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    write: Callable[[TruthLine], object] | None = None
    counts: Counter[str] = field(default_factory=Counter)
    """The number of times each fault was made, by the name of the fault."""
    failed: Counter[str] = field(default_factory=Counter)
    """The number of failures of the program, by the name of the fault.

    Failures without a fault are counted under an empty name.
    """
    lines: deque[TruthLine] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    """The records of the last 1,000 faults."""
    failures: list[TruthLine] = field(default_factory=list)
    """The records of the first 1,000 failures."""
    random: Random = field(init=False)
    """The random generator that draws the faults."""

    def __post_init__(self) -> None:
        self.random = Random(f"faults {self.seed}")
        for name, share in self.shares.items():
            _require(name, share)
        for place in FaultPlace:
            total = sum(share for name, share in self.shares.items() if FAULTS[name].place == place)
            if total > 1 + 1e-9:
                raise ConfigurationError(
                    f"the shares of all {place} faults must not exceed 1 together, got {total:g}"
                )

    def draw(self, place: FaultPlace) -> Fault | None:
        """Draw a random fault for one conversation, callback or answer.

        Each fault of the place is returned with the probability in `shares`, and None otherwise.
        """
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
        """Record that a fault was made, and return the record.

        Args:
            fault: The fault.
            where: The id of the conversation, call or transfer, or the number of the endpoint.
            what: A description of the change that the fault made.

        """
        line = TruthLine(fault.name, where, what)
        self.counts[fault.name] += 1
        self.lines.append(line)
        if self.write is not None:
            self.write(line)
        return line

    def fail(self, line: TruthLine, failure: str) -> None:
        """Record that the program failed, and describe the failure in `line`.

        Only the first failure of each record is counted.
        """
        if line.failure:
            return
        line.failure = failure
        self.failed[line.fault] += 1
        if len(self.failures) < _REMEMBERED:
            self.failures.append(line)
        if self.write is not None:
            self.write(line)


def read_shares(names: Iterable[str], table: Mapping[str, Any] | None = None) -> dict[str, float]:
    """Return the share of each fault, from texts such as `NAME`, `NAME=0.2` or `all`.

    A share is the fraction of conversations, callbacks or answers that get the fault. Faults that
    are given without a share get equal shares, which add up to 0.5 for each place.

    Args:
        names: The texts to parse.
        table: Shares that were read from a file, by name.

    Raises:
        ConfigurationError: A name is unknown, or a share is not a number from 0 to 1.

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
        raise ConfigurationError(f"a fault must be NAME or NAME=SHARE, got {text!r}") from None


def _require(name: str, share: object) -> None:
    check_choices("faults", [name], FAULTS)
    check_option(f"share of {name}", share, float, bounds=Bounds(0, 1))
