"""Slips: edits that are about more than one item, each a story of its own.

They are what the combinators of `edit` cannot say: who hands over to whom, what else would have
been sent.  House rule: where transcription would have to follow, a slip wants a conversation
without it.  Which rule a slip offends is not known here.
"""

from random import Random

from segue.simulate.edit import any_of, is_action, is_message, pick, rename
from segue.simulate.random_walk import someone
from segue.simulate.sample_data import BY_IDENTITY
from segue.simulate.script import Item, Script

__all__ = [
    "abandon",
    "change_mind",
    "consult_and_transfer",
    "consult_in_handover",
    "hand_off",
    "hang_up",
    "hold_for_handover",
    "misdirect",
    "redial_after_summary",
    "redial_by_another",
    "redial_while_held",
    "reuse_id",
    "run_on",
    "turn_back_clock",
    "wrote_after_leaving",
]


def _is_recorded(script: Script) -> bool:
    return any(item.is_action for item in script.items)


def abandon(_: Random, script: Script) -> bool:
    """Leave out whatever came before the end: nobody came in."""
    script.items[script.having("NA entry")[0] : -1] = []
    return True


def hang_up(random: Random, script: Script) -> bool:
    """Let the user hang up during a transfer, so that nothing comes but the end."""
    index = pick(random, script.having("COLD exit"))
    if index is None or _is_recorded(script):
        return False
    script.items[index + 1 : -1] = []
    return True


def redial_after_summary(_: Random, script: Script) -> bool:
    """Bring the agent back for a moment when the summary has been triggered."""
    found = script.where(any_of("TRIGGER_SUMMARY_EVENT"))
    if not found or _is_recorded(script):
        return False
    summary, agent = script.items[found[0]], BY_IDENTITY[script.items[-1].agent]
    script.items[found[0] + 1 : found[0] + 1] = [
        script.transfer(summary.at + 300, "redial entry", agent),
        script.transfer(summary.at + 600, "NA exit", agent),
    ]
    return True


def redial_by_another(random: Random, script: Script) -> bool:
    """Bring in somebody else than the last agent for a moment."""
    index = script.having("NA exit")[-1]
    if _is_recorded(script):
        return False
    agent, at = someone(random, script), script.items[index].at
    script.items[index + 1 : index + 1] = [
        script.transfer(at + 300, "redial entry", agent),
        script.transfer(at + 600, "NA exit", agent),
    ]
    return True


def redial_while_held(random: Random, script: Script) -> bool:
    """Let the next agent of a transfer come in by redial, and lose the COLD exit."""
    index = pick(random, script.having("COLD exit"))
    if index is None or _is_recorded(script):
        return False
    after = next(place for place in script.having("COLD entry") if place > index)
    rename(script.items[after], "redial entry")
    del script.items[index]
    return True


def consult_and_transfer(random: Random, script: Script) -> bool:
    """Keep a consultant in while the primary transfers the conversation."""
    index = pick(random, script.having("COLD exit"))
    if index is None or _is_recorded(script):
        return False
    after = next(place for place in script.having("COLD entry") if place > index)
    leaving, entering, consultant = (
        script.items[index],
        script.items[after],
        someone(random, script),
    )
    script.items.insert(after + 1, script.transfer(entering.at + 20, "WARM exit", consultant))
    script.items.insert(index, script.transfer(leaving.at - 20, "WARM entry", consultant))
    return True


def hand_off(random: Random, script: Script) -> bool:
    """Let the primary leave the conversation to a consultant."""
    index = script.having("NA exit")[-1]
    if _is_recorded(script):
        return False
    leaving = script.items[index]
    old, new = BY_IDENTITY[leaving.agent], someone(random, script)
    script.items[index:index] = [
        script.transfer(leaving.at - 500, "WARM entry", new),
        script.transfer(leaving.at - 400, "WARM exit", old),
    ]
    leaving.event["participant"] = new.participant()
    return True


def misdirect(random: Random, script: Script, item: Item) -> None:
    """Name somebody who has no part in the conversation."""
    agent = someone(random, script)
    if item.event:
        item.event["participant"] = agent.participant()
    else:
        item.body["agentId"] = agent.identity


def wrote_after_leaving(_: Random, script: Script) -> bool:
    """Let the last agent write once more."""
    index = script.having("NA exit")[-1]
    leaving = script.items[index]
    text = "I have added the label to your request."
    script.items.insert(index + 1, script.message(leaving.at + 400, "AGENT", leaving.agent, text))
    return True


def _handover(random: Random, script: Script) -> tuple[int, int] | None:
    """Where a pause announces a transfer, and where the next agent takes transcription up."""
    index = pick(random, script.where(lambda item: item.body.get("handover") is True))
    if index is None:
        return None
    taken_up = script.where(is_action("start", "resume"))
    return index, next(place for place in taken_up if place > index)


def run_on(random: Random, script: Script) -> bool:
    """Let transcription run on through a transfer."""
    places = _handover(random, script)
    if places is None:
        return False
    del script.items[places[1]], script.items[places[0]]
    return True


def hold_for_handover(random: Random, script: Script) -> bool:
    """Announce a transfer as a hold."""
    places = _handover(random, script)
    if places is None:
        return False
    script.items[places[0]].body["handover"] = False
    script.items[places[1]].body["action"] = "resume"
    return True


def consult_in_handover(random: Random, script: Script) -> bool:
    """Let somebody in for a moment when a transfer has been announced."""
    places = _handover(random, script)
    if places is None:
        return False
    pause, consultant = script.items[places[0]], someone(random, script)
    script.items[places[0] + 1 : places[0] + 1] = [
        script.transfer(pause.at + 50, "WARM entry", consultant),
        script.transfer(pause.at + 100, "WARM exit", consultant),
    ]
    return True


def change_mind(_: Random, script: Script) -> bool:
    """Announce a transfer in the last stay, and go on without one."""
    starts = script.where(is_action("start"))
    if not starts:
        return False
    start = script.items[starts[-1]]
    script.items[starts[-1] + 1 : starts[-1] + 1] = [
        script.action(start.at + 50, "pause", start.agent, handover=True),
        script.action(start.at + 100, "resume", start.agent),
    ]
    return True


def turn_back_clock(random: Random, script: Script) -> bool:
    """Give a message a time before that of the item ahead of it."""
    index = pick(random, script.where(is_message()))
    if not index or script.items[index - 1].is_action:
        return False
    script.items[index].at = script.items[index - 1].at - random.randrange(2_000, 90_000)
    return True


def reuse_id(random: Random, script: Script) -> bool:
    """Send two messages under one delivery id."""
    found = script.where(is_message())
    if len(found) < 2:  # noqa: PLR2004 - one to send, one to send under its id
        return False
    first, second = (script.items[index] for index in found[:2])
    first.extra["delivery_id"] = second.extra["delivery_id"] = f"d-{random.randrange(10_000)}"
    second.body["query"] += " Really."
    return True
