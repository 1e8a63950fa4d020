"""Generate the reference page of the times and counts of conversations, segments and connections.

The descriptions come from the report's JSON Schema, and the values from checking an example.
"""

from collections.abc import Iterator, Mapping, Sequence
from inspect import cleandoc
from typing import Any, Final

import segue
from docs.metrics_picture import metrics_picture
from segue.analysis.simulate.bodies import StoryEvent, delivery
from segue.report.schema import report_schema

__all__ = ["EXAMPLE", "example_report", "metrics_page", "metrics_svg"]

EXAMPLE: Final = (
    (0, "user message", "a-1"),
    (10, "NA entry", "a-1"),
    (10, "start", "a-1"),
    (22, "agent message", "a-1"),
    (40, "pause handover=false", "a-1"),
    (45, "WARM entry", "a-2"),
    (65, "WARM exit", "a-2"),
    (70, "resume", "a-1"),
    (100, "pause handover=true", "a-1"),
    (100, "COLD exit", "a-1"),
    (105, "COLD entry", "a-3"),
    (105, "start", "a-3"),
    (112, "user message", "a-3"),
    (130, "agent message", "a-3"),
    (160, "NA exit", "a-3"),
    (175, "redial entry", "a-3"),
    (200, "end", "a-3"),
    (200, "NA exit", "a-3"),
    (215, "END_OF_CONVERSATION", "a-3"),
)
"""The events of the example, each as `(second, label, agent)`."""

_INTRODUCTION: Final = cleandoc("""
    # Segments and metrics

    A *segment* is one agent's presence in one conversation, and a *connection* is one unbroken part
    of it: a redial adds a connection to the agent's segment. The terms have the same meaning on
    every page, in `segue segments`, the HTML report, `segue stats`, JSON and rows.

    **The sum.** Each instant from the event that ends the waiting phase to END_OF_CONVERSATION
    counts for exactly one of five metrics, so

        duration = connected_time + transfer_gap + drop_gap + lost_time + wrapup_time

    **Talk time** is connected time without hold time, both of an agent and of the conversation. In
    a conversation without transcription, hold time is null and talk time is connected time. Two
    agents can be connected at once, so the sum of the agents' talk times can exceed that of the
    conversation. `agent_time` minus `connected_time` is the time by which they overlap.

    **Exits that come late.** If a later event shows that an agent has left, the connection ends at
    that event and is `implied`. If the agent's own exit arrives after that, it sets the end, the
    kind and the outcome, and the connection is no longer implied. For example, a consultant who
    exits three minutes after the primary was connected for three minutes longer.

    **Agents who are only seen leaving.** If an exit comes of an agent who never entered, the agent
    has a segment whose start is unknown: its `kind`, the first `opened_by` and `started_at`, its
    times and the counts of its messages are null. Its `role` is null if the exit does not tell, and
    then so is the `outcome`. The agent can have entered at any time since the first entry, so a
    metric is null if it depends on that. For example, a COLD exit at second 100 and an NA exit of
    another agent at second 140 give no `connected_time` and no `transfer_gap`, but `lost_time` is
    0, because somebody can have been there. `max_concurrent_agents` is a number only if it is the
    same in each case. In a log that begins late (`--partial start`), such agents were there from
    its beginning. A redial exit does not count as an exit.

    **Answers.** `answer_time` ends with the first entry, and begins with the first message of the
    customer. `first_response` and the `response_times` of a segment end with a message of an agent.
    They begin with the first message of the customer that nobody had answered, or with the entry of
    the agent if that came later. So a customer who writes three messages in a row waits since the
    first one, and an agent who takes over is not charged for the time before.

    **Transfers and drops.** `transfers` has a row for each attempt to hand over, also for those
    that nobody took. `transfers_cold` and `transfers_warm` are the numbers of rows that another
    agent took (`taken`). Exports have the same transfers. An agent who takes back a transfer
    has made none. A `COLD` entry while another agent holds the conversation is a transfer, however
    that agent leaves. `drops` has a row for each redial, and `redials` is their number.

    **Unknown.** A metric is null if a boundary that it needs has no time. It is never a partial
    sum. If the beginning of the log is missing (`--partial start`), sums from the start are null.
    These are null in other cases too:

    | figure | null if |
    |---|---|
    | `answer_time` | the customer wrote nothing before the first entry, or no entry came first |
    | `first_response` | the customer wrote nothing, no entry came first, or no agent wrote later |
    | `response_times` | the agent answered nothing, or the time of one response is unknown |
    | `unanswered` | the customer wrote nothing, or the log stops before the end (`--partial end`) |
    | `abandoned` | an agent may still enter, the beginning is missing, or nobody wrote in a call |
    | `duration` | END has not come, or the first agent was only seen leaving |
    | `lost_time` | an agent whom no event named was the only one who can have been connected |
    | `max_concurrent_agents` | it depends on when an agent entered who was only seen leaving |
    | `hold_time` | transcription was never started |
    | `transcription_coverage` | transcription was never started, or nobody was connected |
    | `ring_time`, `call_time` | no call notifications came |
    | `gap` of a transfer | no entry came, or no exit came |
    | `taken` of a transfer | the log is not over, and an agent may still enter |
    | `gap` of a drop | no exit came before the redial |

    A message without `author.type` may be by anyone: `first_response`, `response_times` and
    `unanswered` are null if they depend on it. They are null, too, in a conversation with more than
    10,000 runs of messages of one author, of which the rest is only counted.

    **Habits.** A sender whose END always comes within a second of the last exit does not tell when
    an agent finished wrapping up. `segue stats` then has no `wrapup_time` (`untold` in JSON), and
    `handle_time` is only the connected time. It takes 20 conversations to conclude that. In the
    figures of one conversation, which show no habit, `wrapup_time` is the time that was told.

    **Not said.** These figures cannot be derived from events, and there are none of them:
    *occupancy* (when an agent is logged in but not in a conversation is not told), *first-contact
    resolution* (no event says that a problem is solved) and the *reasons of transfers*.

    **Estimated.** `report.estimated` names the metrics that are known but depend on one of these:

    - a time that ran backwards (SG602): the latest time before it is used
    - two events of one delivery: they have the same time, so the time between them is zero
    - an exit that never arrived: the end of the connection is derived from a later event
    - an event that the [explanation](../explanation/explanation.md) changes

    If a conversation has an error of order or presence (SG1, SG2) that is not explained, all its
    metrics are estimates.

    **As told, as mended, best.** `segments` and `metrics` are *as told*: no explanation changes
    them. `report.mended` has the segments and metrics after the edits of the explanation. Nobody
    told when a lost or late event happened, so a time that depends on it is a *range*:

        "talk_time": {"at_least": 180.0, "at_most": 252.0}

    Equal bounds are an exact value, and null is unknown. The range covers all places and times that
    the event can have had, and the other explanations of the same mistake. `report.best` has one
    value a metric, with its `source`: as told where the edits do not change it, or where figures as
    told are exact more often after such a mistake, else as mended. If a conversation needs no
    edits, `mended` is null, and the metrics as told are the best ones.

    **After the end.** `report.after_end` lists the segments of what came after
    END_OF_CONVERSATION. They are in no other figure as told. If the end came too early, the figures
    as mended have them.

    **Example.** The last column of the tables below has the values of this conversation:

    ![The example on a time line: connected time, hold, talk and each gap](metrics.svg)

    Blue is connected time: of at least one agent in the first row, and of each agent below it.
    Connected time without hold (brown) is talk (green), 140 seconds in total. `a-2` joins and
    leaves during the hold, so that segment has no talk. The bars of the first row cover the whole
    conversation and do not overlap. The responses are measured from the entry of `a-1`, to whom the
    customer had written before, and from the message to `a-3`.

    | second | event | agent |
    |---:|---|---|
""")


def metrics_page() -> str:
    """Return the reference page of the metrics in Markdown."""
    return "\n".join(_lines())


def metrics_svg() -> str:
    """Return the SVG picture that the page shows."""
    return metrics_picture(EXAMPLE, example_report().to_dict())


def _lines() -> Iterator[str]:
    report = example_report().to_dict()
    parts = report_schema()["$defs"]
    yield _INTRODUCTION
    for second, what, agent in EXAMPLE:
        yield f"| {second} | {what} | {agent} |"
    yield "\n## The conversation (`metrics`)\n"
    yield from _table(parts["metrics"]["properties"], [report["metrics"]])
    yield "\n## Each segment (`segments`)\n"
    yield from _table(parts["segment"]["properties"], report["segments"])
    yield "\n## Each connection (`connections` of a segment)\n"
    connections = [each for segment in report["segments"] for each in segment["connections"]]
    yield from _table(parts["connection"]["properties"], connections)
    yield "\n## Each transfer (`transfers`)\n"
    yield from _table(parts["transfer"]["properties"], report["transfers"])
    yield "\n## Each drop (`drops`)\n"
    yield from _table(parts["drop"]["properties"], report["drops"])
    yield ""


def example_report() -> segue.Report:
    """Return the report of the example's events."""
    lines = []
    for second, what, agent in EXAMPLE:
        at = f"2026-03-02T09:{second // 60:02}:{second % 60:02}Z"
        line = delivery(StoryEvent(what, agent), "c-1")
        lines.append({"received_at": at} | (line if "body" in line else {"body": line}))
    return segue.check(lines)


def _table(properties: Mapping[str, Any], values: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "| name | meaning | example |"
    yield "|---|---|---|"
    for name, described in properties.items():
        if name == "connections":
            continue
        found = " · ".join(_shown(each[name]) for each in values)
        yield f"| `{name}` | {described.get('description', '')} | {found} |"


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(each)}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, str):
        return value.removeprefix("2026-03-02T").removesuffix("+00:00") or "-"
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)
