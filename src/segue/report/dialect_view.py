"""Render the habits of senders, and the policy proposed for them, as lines for a terminal."""

from collections.abc import Iterator
from datetime import date

from segue.analysis.compare import Share
from segue.analysis.dialects import Dialects, ProposedPolicy, Sender
from segue.core.findings import BY_CODE
from segue.report.plurals import pluralize
from segue.report.styled_text import TextLine, Tone


def dialect_lines(dialects: Dialects, policy: ProposedPolicy, until: date) -> Iterator[TextLine]:
    """Yield the habits of each sender, then the policy proposed for all senders.

    A sender is a bot. Its habits are spellings, optional fields and frequent findings. The proposed
    ignores expire on the date `until`.
    """
    for bot, sender in sorted(dialects.senders.items()):
        yield TextLine(bot, Tone.STRONG).add(
            f": {pluralize(sender.conversations, 'conversation')}, "
            f"{pluralize(sum(sender.events.values()), 'event')}"
        )
        yield from _habit_lines(sender)
    yield TextLine("proposed policy", Tone.STRONG)
    for name, share in policy.require.items():
        yield TextLine(f'  require = ["{name}"]', Tone.CODE).add(
            f"  would report {pluralize(share.total - share.count, 'event')} without it"
        )
    for ignore in policy.ignores:
        yield TextLine(f"  ignores: {ignore.text(until)}", Tone.CODE).add(
            f"  would hide {pluralize(ignore.hidden, 'finding')}"
        )
    if not policy.require and not policy.ignores:
        yield TextLine(
            "  none: no sender has a habit that is reported, or there are too few events to say so",
            Tone.GOOD,
        )
    yield TextLine(
        f"It hides {policy.hidden} of {pluralize(policy.findings, 'finding')}.", Tone.FAINT
    )


def _habit_lines(sender: Sender) -> Iterator[TextLine]:
    for name, share in sorted(sender.ways_of_writing().items()):
        yield TextLine(f"  writes {name}: {_share(share)}")
    for name, kinds in sender.optional_fields().items():
        share = Share.of_all(kinds.values())
        yield TextLine(f"  sends {name} with {', '.join(kinds)}: {_share(share)}")
    for habit, share in sender.finding_habits().items():
        what = f"{habit.code} {BY_CODE[habit.code].name}"
        field = f", {habit.field}" if habit.field else ""
        yield TextLine(f"  {what}{field}, at {habit.kind}: {_share(share)}")


def _share(share: Share) -> str:
    low, high = share.interval
    return f"{share.count} of {share.total} ({100 * low:.1f} to {100 * high:.1f} %)"
