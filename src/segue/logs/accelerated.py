"""A replayer whose usual lines are read natively, where the accelerator is installed.

It gives the reports that `Replayer` gives, in the same order; see `segue.native`.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Final

from segue.conversation import Keying, Report
from segue.engine import State, apply, has_forms, new
from segue.logs.ended import SavedConversation, pack_kept
from segue.logs.plan import Replay, ReplayOptions
from segue.logs.replayer import Replayer, batches
from segue.native import (
    Accelerator,
    EndedConversation,
    Happening,
    KeptConversation,
    OddLine,
    usable_library,
)

_BATCH: Final = 1024


def can_accelerate(plan: Replay) -> bool:
    """Return whether the accelerator is there and does all that a plan asks for."""
    options = plan.options
    is_usual = plan.on_delivery is None and plan.sort is None and plan.lines is None
    is_whole = not options.is_filtered and options.field_mapping is None and options.race is None
    return (
        is_usual
        and is_whole
        and not options.policy.require
        and has_forms()
        and usable_library() is not None
    )


class AcceleratedReplayer(Replayer):
    """Leaves the usual lines to the accelerator, and reads what it returns."""

    def __init__(self, options: ReplayOptions) -> None:
        super().__init__(options)
        self._accelerator: Accelerator | None = None
        """Made when a delivery has decided what conversations are told apart by."""
        self._pending: deque[Happening] = deque()
        """What happened in lines that the accelerator has taken."""
        self.is_accelerated = True
        """Whether the accelerator has not been left."""

    def change_source(self, name: str) -> None:
        """Go on with the log of this name; see `Replayer`."""
        self._take_all()
        super().change_source(name)

    def close(self) -> Iterator[Report]:
        """Close the log; see `Replayer`."""
        self._take_all()
        yield from super().close()

    def interrupt(self) -> Iterator[Report]:
        """Report open conversations without closing them; see `Replayer`."""
        for _, report in self._settle():
            yield report
        self._take_all()
        yield from super().interrupt()

    def save(self, identity: str) -> SavedConversation:
        """Return what is kept of a conversation, for another replayer to resume."""
        self._take(identity)
        return super().save(identity)

    def resume(self, identity: str, saved: SavedConversation) -> None:
        """Go on with a conversation that another replayer saved."""
        self._take(identity)
        super().resume(identity, saved)

    def _feed_all(
        self, lines: Iterable[object], batch_size: int, first: int | None
    ) -> Iterator[tuple[int, Report]]:
        if first is None or not self.is_accelerated:
            yield from super()._feed_all(lines, batch_size, first)
            return
        remaining, accelerator = iter(lines), self._accelerator
        if accelerator is None:
            for line in batches(remaining, 1):  # empty before an error
                yield from super()._feed_all(line, 1, first)
                first += len(line)
                if line and (keying := self._reader.keying) is not None:
                    accelerator = self._begin_with(by_bot=keying == "bot")
                    break
        many = batches(remaining, batch_size if batch_size == 1 else _BATCH)
        for batch in many:
            if accelerator is not None:
                yield from self._feed_batch(accelerator, batch, first)
            first += len(batch)
            if accelerator is not None and not accelerator.is_worthwhile:
                self.is_accelerated = False
                self._take_all()
                rest = chain.from_iterable(many)
                yield from super()._feed_all(rest, batch_size, first)

    def _begin_with(self, *, by_bot: bool) -> Accelerator:
        library = usable_library()
        assert library is not None, "see can_accelerate"  # noqa: S101
        self._accelerator = Accelerator(library, self._options.partial, by_bot=by_bot)
        for key in (*self._open, *self._ended):
            self._take(key)
        return self._accelerator

    def _feed_batch(
        self, accelerator: Accelerator, batch: list[object], first: int
    ) -> Iterator[tuple[int, Report]]:
        lines = [raw for raw in batch if isinstance(raw, bytes)]
        text = b"".join(lines)
        texts = [(first, text)]
        if len(lines) < len(batch) or text.count(b"\n") < len(batch):
            texts = list(enumerate(lines, first))  # a line that is too long has no newline
        for number, each in texts:
            for happenings in accelerator.feed(each, number):
                self._pending += happenings
                yield from self._settle()

    def _settle(self) -> Iterator[tuple[int, Report]]:
        """Yield the reports of what is pending."""
        while self._pending:
            happening = self._pending.popleft()
            if isinstance(happening, EndedConversation):
                self._ended[happening.kept.key] = pack_kept(happening.kept)
                keyed_by = self._reader.keying or "conversation"
                yield happening.line, _KeptReport(happening.kept, self._state_of, keyed_by)
            else:
                yield from self._read_odd(happening)

    def _read_odd(self, line: OddLine) -> Iterator[tuple[int, Report]]:
        if line.kept is not None:
            self._open[line.kept.key] = self._state_of(line.kept)
        delivery = self._reader.read(line.raw, line.number)
        if delivery is not None:
            key = self._reader.key_of(delivery)
            if key is not None:
                self._take(key)
            yield from self._apply_batch([delivery])

    def _take(self, key: str) -> None:
        """Take a conversation back, if the accelerator has it; it does not get it again."""
        kept = None if self._accelerator is None else self._accelerator.give(key)
        if kept is not None:
            self._open[key] = self._state_of(kept)

    def _take_all(self) -> None:
        """Take all conversations back, and put them in the order they began in."""
        accelerator = self._accelerator
        if accelerator is not None:
            for kept in accelerator.give_all():
                self._open[kept.key] = self._state_of(kept)
            begun = sorted(self._open.items(), key=lambda item: accelerator.order(item[0]))
            self._open = dict(begun)

    def _state_of(self, kept: KeptConversation) -> State:
        """Return the state that all a conversation sent leads to."""
        state = new(kept.conversation_id, partial=self._options.partial)
        state.bot_id = kept.bot_id
        for delivery in kept.deliveries():
            apply(state, delivery)
        return state


class _KeptReport(Report):
    """A report of a conversation in which nothing was wrong; its state is made when asked for."""

    def __init__(
        self,
        kept: KeptConversation,
        state_of: Callable[[KeptConversation], State],
        keyed_by: Keying,
    ) -> None:
        self.conversation_id, self.bot_id = kept.conversation_id, kept.bot_id
        self.phase, self.events = kept.example.presence.phase, kept.sizes[0]
        self.late, self.findings, self.keyed_by = False, (), keyed_by
        self.is_excerpt = False
        self._kept, self._state_of = kept, state_of

    @cached_property
    def _state(self) -> State:  # type: ignore[override]
        return self._state_of(self._kept)
