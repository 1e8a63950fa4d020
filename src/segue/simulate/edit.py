"""Edits of a script: the small things a sender can get wrong, as functions to combine.

An edit changes the script and returns True, or finds no place that suits it and returns False.
House rules: an edit knows the words of the wire and no rule of the check; `Make` makes a further
item, `Change` changes one.  Whether the outcome is the mistake that was meant is not known here.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Final, TypeAlias

from segue.events import EventKind
from segue.simulate.random_walk import someone
from segue.simulate.sample_data import BY_IDENTITY
from segue.simulate.script import Item, Script

__all__ = [
    "COMES",
    "END",
    "LEAVES",
    "SUMMARY",
    "Change",
    "Edit",
    "Make",
    "Wanted",
    "act",
    "after_end",
    "any_of",
    "before_release",
    "by_stranger",
    "change",
    "drop",
    "fields",
    "insert",
    "is_action",
    "is_message",
    "pick",
    "rename",
    "repeat",
    "retype",
    "swap",
    "twin",
]

Edit: TypeAlias = Callable[[Random, Script], bool]
Make: TypeAlias = Callable[[Random, Script, Item], Item]
Change: TypeAlias = Callable[[Random, Script, Item], None]
Wanted: TypeAlias = Callable[[Item], bool]

SUMMARY: Final = EventKind.SUMMARY.value
END: Final = EventKind.END.value
COMES: Final = tuple(kind.value for kind in EventKind if kind.is_entry)
LEAVES: Final = tuple(kind.value for kind in EventKind if kind.is_exit)

_SHORTLY: Final = 50


def pick(random: Random, indexes: list[int]) -> int | None:
    """Choose one of the places, when there is one."""
    return random.choice(indexes) if indexes else None


def any_of(*kinds: str) -> Wanted:
    """Whether an item is an event of one of these kinds."""
    return lambda item: item.kind in kinds and not item.is_action


def is_action(*names: str) -> Wanted:
    """Whether an item is a transcription action of one of these names."""
    return lambda item: item.is_action and item.kind in names


def is_message(author: str = "") -> Wanted:
    """Whether an item is a message, of this author if one is given."""
    return lambda item: "query" in item.body and author in ("", item.author)


def fields(item: Item) -> dict[str, Any]:
    """Return what holds the fields: the event, or the body of a message or an action."""
    return item.event or item.body


def rename(item: Item, kind: str) -> None:
    """Make a transfer one of another kind."""
    item.event["transfertype"], item.event["transition"] = kind.split(" ")


def change(wanted: Wanted, how: Change, *, last: bool = False) -> Edit:
    """Change one item."""

    def edit(random: Random, script: Script) -> bool:
        found = script.where(wanted)
        index = pick(random, found[-1:] if last else found)
        if index is None:
            return False
        how(random, script, script.items[index])
        return True

    return edit


def retype(kind: str, to: str, *, last: bool = False) -> Edit:
    """Send another kind of transfer."""

    def how(_: Random, __: Script, item: Item) -> None:
        rename(item, to)

    return change(any_of(kind), how, last=last)


def drop(wanted: Wanted, *, last: bool = False, mute: bool = False) -> Edit:
    """Lose an item; `mute` loses what agents write before the next event as well."""

    def edit(random: Random, script: Script) -> bool:
        found = script.where(wanted)
        index = pick(random, found[-1:] if last else found)
        if index is None:
            return False
        del script.items[index]
        if mute:
            until = next(i for i in range(index, len(script.items)) if script.items[i].event)
            script.items[index:until] = [
                item for item in script.items[index:until] if item.author != "AGENT"
            ]
        return True

    return edit


def insert(make: Make, after: Wanted, *, last: bool = False) -> Edit:
    """Put something in, just after something else."""

    def edit(random: Random, script: Script) -> bool:
        found = script.where(after)
        index = pick(random, found[-1:] if last else found)
        if index is None:
            return False
        before = script.items[index]
        made = make(random, script, before)
        made.at = before.at + _SHORTLY
        script.items.insert(index + 1, made)
        return True

    return edit


def repeat(wanted: Wanted) -> Edit:
    """Send something twice."""
    return insert(lambda _, __, item: item.copy(), wanted)


def after_end(make: Make) -> Edit:
    """Send something when the conversation has ended."""

    def edit(random: Random, script: Script) -> bool:
        script.items.append(make(random, script, script.items[-1]))
        return True

    return edit


def before_release(*kinds: str) -> Edit:
    """Put in transfers of the primary just before the last NA exit."""

    def edit(_: Random, script: Script) -> bool:
        index = script.having("NA exit")[-1]
        leaving = script.items[index]
        agent = BY_IDENTITY[leaving.agent]
        script.items[index:index] = [
            script.transfer(leaving.at - 500 + 100 * step, kind, agent)
            for step, kind in enumerate(kinds)
        ]
        return True

    return edit


def swap(first: str, second: str) -> Edit:
    """Let two neighbours arrive in the other order."""

    def edit(random: Random, script: Script) -> bool:
        items = script.items
        found = [
            index
            for index in script.having(first)
            if [item.kind for item in items[index + 1 : index + 2]] == [second]
        ]
        index = pick(random, found)
        if index is None:
            return False
        one, two = items[index], items[index + 1]
        one.at, two.at = two.at, one.at
        items[index], items[index + 1] = two, one
        return True

    return edit


def twin(kind: str = "", **other: object) -> Make:
    """Make the same event once more, of another kind or with other fields."""

    def make(_: Random, __: Script, item: Item) -> Item:
        copy = item.copy()
        if kind:
            rename(copy, kind)
        copy.event.update(other)
        return copy

    return make


def by_stranger(kind: str) -> Make:
    """Make a transfer of somebody who has no part in the conversation."""
    return lambda random, script, item: script.transfer(item.at, kind, someone(random, script))


def act(name: str, *, handover: bool | None = None, later: int = _SHORTLY) -> Make:
    """Make a transcription action of the same agent."""
    return lambda _, script, item: script.action(
        item.at + later, name, item.agent, handover=handover
    )
