"""The catalogue: code, name, severity and words of every rule.

Codes are public and never reused.  A name is the offence and reads after "allow".  A message says
what happened in one clause; message and help are templates over facts, which are ids, positions
and words of the specification, never customer text.  Events without an agent lack the fact `agent`.
"""

import copyreg
from collections.abc import Mapping
from functools import partial
from pickle import DEFAULT_PROTOCOL as PROTOCOL
from types import MappingProxyType
from typing import Any, Final

from segue.core.findings.rule import Rule, Severity

_error: Final = partial(Rule, severity=Severity.ERROR)
_warning: Final = partial(Rule, severity=Severity.WARNING)
_note: Final = partial(Rule, severity=Severity.NOTE)

RULES: Final[tuple[Rule, ...]] = (
    # Family 1: the order of events.
    _error(
        "SG101",
        "missing-na-entry",
        summary="The conversation goes on or ends without the NA entry of a first agent.",
        message="the conversation had no NA entry before {what}",
        help=(
            "send NA entry when the first agent accepts and NA exit when the last one leaves; read "
            "a log that begins late as partial"
        ),
        spec="Events, ordering rule 1",
    ),
    _error(
        "SG102",
        "repeated-na-entry",
        summary="An NA entry comes although the conversation already had its first agent.",
        message=(
            "agent {agent} joined by NA entry, as a first agent does, when the conversation was "
            "already {phase} (primary: {primary}; last to leave: {last})"
        ),
        help=(
            "send COLD exit of {primary} and COLD entry of {agent} when {agent} replaces "
            "{primary}, WARM entry and WARM exit when {agent} only joins, NA exit of the "
            "dropped session and redial entry when {agent} reconnects"
        ),
        spec="Events, transfer types",
        helps={
            "transferring": "send COLD entry for the agent who takes over from {last}",
            "released": (
                "send redial entry when {agent} reconnects; an NA entry is for the first "
                "agent only, and an agent who is replaced leaves by COLD, not by NA"
            ),
        },
    ),
    _error(
        "SG103",
        "cold-entry-before-exit",
        summary="An agent takes over by COLD entry before the primary has left.",
        message="agent {agent} took over by COLD entry while {primary} was still primary",
        help=(
            "send the COLD exit of {primary} first, then the COLD entry of {agent}; WARM entry "
            "when {agent} joined beside {primary}"
        ),
        spec="Events, ordering rule 2",
    ),
    _note(
        "SG105",
        "abandoned-transfer",
        summary="A transfer begins by COLD exit, no agent takes it, and the same agent closes it.",
        message=(
            "agent {agent} began a transfer by COLD exit, no agent took it, and {agent} then left "
            "by NA exit"
        ),
        help=(
            "nothing to do when no agent took over; otherwise send the COLD entry and NA exit "
            "of the agent who did, and NA exit only, without the COLD exit, when {agent} never "
            "began a transfer"
        ),
        spec="Events, ordering rule 2",
    ),
    _error(
        "SG106",
        "summary-before-exit",
        summary="The summary is triggered before the last agent has left.",
        message=(
            "the summary was triggered while the conversation was {phase}, before its last agent "
            "had left (present: {present})"
        ),
        help="send TRIGGER_SUMMARY_EVENT after the NA exit of the last agent",
        spec="Events, ordering rule 1",
        helps={
            "waiting": (
                "send TRIGGER_SUMMARY_EVENT after the NA exit of the last agent, and none "
                "when no agent enters"
            ),
        },
    ),
    _error(
        "SG107",
        "missing-na-exit",
        summary="The conversation or its log ends without the NA exit of the last agent.",
        message=(
            "the last agent had sent no NA exit before {what} "
            "(present: {present}; last to leave: {last})"
        ),
        help="send NA exit for the last agent before the conversation is closed",
        spec="Events, ordering rule 1",
        helps={
            "consulting": (
                "send WARM exit for each consultant ({consultants}), and then NA exit for "
                "the last agent, before the conversation is closed"
            ),
            "transferring": (
                "send COLD entry and NA exit of the agent who took over, or NA exit of "
                "{last}, who left, when nobody took over"
            ),
            "transferring beside consultants": (
                "send NA exit of the consultant who took over, when the others have left "
                "by WARM exit; when nobody took over, WARM exit for each consultant and "
                "then NA exit of {last}"
            ),
        },
    ),
    _error(
        "SG108",
        "missing-end",
        summary="The log ends and the conversation has no END_OF_CONVERSATION.",
        message="the log closed on a conversation still {phase}, without END_OF_CONVERSATION",
        help=(
            "send END_OF_CONVERSATION when the agents have left and the conversation is over; "
            "read a log that stops early as partial"
        ),
        spec="Events, ordering rule 1",
    ),
    _error(
        "SG109",
        "repeated-end",
        summary="END_OF_CONVERSATION is sent more than once.",
        message="END_OF_CONVERSATION came again for a conversation that had already ended",
        help="send END_OF_CONVERSATION once only, at the final termination",
        spec="Events, END_OF_CONVERSATION",
    ),
    _error(
        "SG110",
        "event-after-end",
        summary="An event comes after END_OF_CONVERSATION.",
        message="{what} came after END_OF_CONVERSATION",
        help=(
            "send END_OF_CONVERSATION last, after every transfer, message and summary, and nothing "
            "after it"
        ),
        spec="Events, ordering rule 1",
    ),
    _warning(
        "SG111",
        "repeated-summary",
        summary="The summary is triggered twice with no agent in between.",
        message="the summary was triggered again with no agent present since the one before",
        help="send TRIGGER_SUMMARY_EVENT once, after the last agent has left",
        spec="Events, ordering rule 1",
    ),
    _warning(
        "SG112",
        "redial-without-exit",
        summary="A present agent reconnects by redial without the NA exit of the dropped session.",
        message="agent {agent} reconnected by redial entry while still present",
        help="send NA exit for the dropped session of {agent} before the redial entry",
        spec="Events, ordering rule 4",
        helps={
            "primary consulting": (
                "send WARM exit for each consultant, and then NA exit for the dropped "
                "session of {agent}, before the redial entry"
            ),
            "consultant": (
                "send WARM exit for the dropped session of {agent} before the redial entry"
            ),
        },
    ),
    _error(
        "SG113",
        "redial-exit",
        summary="An exit has the transfer type redial, which has only an entry.",
        message="agent {agent} left by redial exit, and redial has only an entry",
        help=(
            "send NA exit when {agent} is the last agent, COLD exit when another agent "
            "replaces {agent}"
        ),
        spec="Events, ordering rule 4",
        helps={
            "waiting": "send NA entry when {agent} accepts and NA exit when {agent} leaves",
            "primary consulting": (
                "send COLD exit when another agent replaces {agent}, or NA exit when "
                "{agent} is the last agent and each consultant has left by WARM exit"
            ),
            "consultant": "send WARM exit for a consultant",
            "last transferring": (
                "send NA exit when nobody took over, and nothing when another agent does"
            ),
            "absent": (
                "name the agent who left, and send NA exit, COLD exit or WARM exit as that "
                "agent leaves"
            ),
            "last": (
                "name the agent who left, and send NA exit, COLD exit or WARM exit as that "
                "agent leaves"
            ),
            "owed": "send COLD exit, since {agent} was replaced",
            "released": (
                "send nothing more of an agent who left; a reconnection is a redial entry"
            ),
        },
    ),
    _warning(
        "SG114",
        "redial-after-summary",
        summary="An agent reconnects after the summary has been triggered.",
        message="agent {agent} reconnected by redial entry after the summary had been triggered",
        help="trigger the summary after the last NA exit, when no reconnection can follow",
        spec="Events, ordering rule 4",
    ),
    _error(
        "SG115",
        "entry-after-release",
        summary="A COLD or WARM entry comes after the last agent has left by NA exit.",
        message=(
            "agent {agent} joined by {what} when the conversation was already {phase} "
            "(last to leave: {last})"
        ),
        help=(
            "send redial entry when an agent reconnects; an agent who is replaced leaves by "
            "COLD, not by NA, before the COLD entry of the next"
        ),
        spec="Events, ordering rule 4",
    ),
    _note(
        "SG116",
        "cold-exit-while-consulting",
        summary="The primary leaves by COLD exit while a consultant is present.",
        message="agent {agent} left by COLD exit with consultants still present ({consultants})",
        help=(
            "nothing to do when a consultant takes over; otherwise send WARM exit for each "
            "consultant before the COLD exit of {agent}, and COLD entry for the agent who "
            "takes over"
        ),
        spec="Events, transfer types",
    ),
    _error(
        "SG117",
        "warm-entry-without-primary",
        summary="A WARM entry comes while a transfer is open and no agent is primary.",
        message=(
            "agent {agent} joined by WARM entry while the transfer begun by {last} was open and "
            "no agent was primary"
        ),
        help="send COLD entry for the agent who takes over from {last}",
        spec="Events, ordering rule 2",
    ),
    _note(
        "SG118",
        "callback-start",
        summary="The conversation opens with a redial entry, as a callback does.",
        message="agent {agent} opened the conversation by redial entry, as a callback",
        help="nothing to do for a callback; otherwise send NA entry when the first agent accepts",
        spec="Events, ordering rule 4",
    ),
    _note(
        "SG119",
        "warm-handoff",
        summary="The primary leaves by WARM exit and a consultant becomes primary.",
        message=(
            "agent {agent} left by WARM exit as primary and handed the conversation to a "
            "consultant (consultants: {consultants})"
        ),
        help=(
            "nothing to do when the handoff is meant; otherwise keep {agent} in the conversation "
            "until the consultants have left, name the agents who left, or transfer by COLD exit "
            "and COLD entry"
        ),
        spec="Events, ordering rule 3",
    ),
    _note(
        "SG120",
        "transfer-returned",
        summary="The agent who began a transfer takes the conversation back.",
        message="agent {agent} came back by COLD entry to the transfer {agent} had begun",
        help=(
            "nothing to do when the return is meant; otherwise name the agent who took over, or "
            "send NA exit and redial entry when the session of {agent} dropped"
        ),
        spec="Events, ordering rule 2",
    ),
    _warning(
        "SG121",
        "redial-during-transfer",
        summary="A redial entry comes while a transfer is open.",
        message="agent {agent} joined by redial entry while the transfer begun by {last} was open",
        help=(
            "send COLD entry for the agent who takes over, or NA exit instead of COLD exit when "
            "the session of {last} dropped"
        ),
        spec="Events, ordering rules 2 and 4",
    ),
    _note(
        "SG122",
        "never-answered",
        summary="The conversation ends and no agent ever entered it.",
        message="the conversation ended and no agent had entered it",
        help=(
            "nothing to do when no agent accepted it; otherwise send NA entry when the first agent "
            "accepts and NA exit when the last one leaves"
        ),
        spec="Events, ordering rule 1",
    ),
    _note(
        "SG123",
        "consultant-reconnected",
        summary="An agent who was consulting reconnects by redial.",
        message=(
            "agent {agent} reconnected by redial entry as a consultant while {primary} was primary"
        ),
        help=(
            "nothing to do when {agent} reconnected; send WARM entry when {agent} is consulted anew"
        ),
        spec="Events, ordering rules 3 and 4",
    ),
    # Family 2: who is present.
    _error(
        "SG201",
        "exit-by-absent-agent",
        summary="An agent leaves who is not present.",
        message=(
            "agent {agent} sent {an_event} but was not in the conversation (present: {present})"
        ),
        help=(
            "name the agent who left, or send what is lost before: COLD exit of {primary} and COLD "
            "entry of {agent} when {agent} took over"
        ),
        spec="Events, INTERNAL_TRANSFER_EVENT",
        helps={
            "WARM exit active": (
                "name the agent who left, or send the WARM entry of {agent} before when "
                "{agent} joined {primary}"
            ),
            "WARM exit transferring": (
                "name the agent who left; send the COLD entry of {agent} before when {agent} "
                "took over, and NA exit or COLD exit in place of the WARM exit"
            ),
            "WARM exit released": "send nothing: the last agent has left",
            "transferring": (
                "send the COLD entry of {agent} before the exit when {agent} took over, or "
                "name the agent who left"
            ),
            "released": (
                "send redial entry of {agent} before the exit when {agent} reconnected; "
                "otherwise nothing, for the last agent has left"
            ),
        },
    ),
    _error(
        "SG202",
        "wrong-exit-kind",
        summary="An agent leaves by a kind of exit that does not fit the agent's role.",
        message=(
            "agent {agent} left by {what}, which does not fit the role {agent} had "
            "(primary: {primary}; consultants: {consultants})"
        ),
        help=(
            "send NA exit when {agent} is the last agent, COLD exit when another agent "
            "replaces {agent}"
        ),
        spec="Events, transfer types",
        helps={
            "consultant": (
                "send WARM exit for a consultant; NA exit is for the last agent, COLD exit "
                "for one who is replaced"
            ),
            "owed released": (
                "send the exit of an agent who is replaced as COLD, and before the COLD "
                "entry of the next"
            ),
            "owed": (
                "send COLD exit for {agent}, who was replaced, and before the COLD entry "
                "of the next agent"
            ),
        },
    ),
    _warning(
        "SG203",
        "agent-already-present",
        summary="An entry comes for an agent who is already present.",
        message="agent {agent} joined by {what} while already present (present: {present})",
        help=(
            "send an entry only when an agent joins, NA exit and redial entry when {agent} "
            "reconnects, or name the agent who joined"
        ),
        spec="Events, INTERNAL_TRANSFER_EVENT",
        helps={
            "consultant": (
                "send an entry only when an agent joins, WARM exit and redial entry when "
                "{agent} reconnects, or name the agent who joined"
            ),
            "consultant transferring": (
                "send COLD entry when {agent} takes over, or name the agent who joined"
            ),
        },
    ),
    _error(
        "SG204",
        "consultants-still-present",
        summary="The last NA exit comes while a consultant is still present.",
        message="agent {agent} left by NA exit with consultants still present ({consultants})",
        help="send WARM exit for each consultant before the NA exit of the last agent",
        spec="Events, ordering rule 3",
    ),
    _warning(
        "SG205",
        "message-from-absent-agent",
        summary="An agent message names an agent who is not present.",
        message="agent {agent} sent a message but was not in the conversation (present: {present})",
        help=(
            "send the message between the entry and the exit of {agent}, or name the agent who "
            "wrote it"
        ),
        spec="Events, message events",
    ),
    _warning(
        "SG206",
        "identity-case-mismatch",
        summary="An identity differs from a known agent's in letter case only.",
        message="identity {spelling} was taken as agent {agent}, who differs in letter case only",
        help="spell the identity {agent} in every event",
        spec="Identifier shapes (letter case not shown)",
    ),
    _note(
        "SG207",
        "redial-by-another-agent",
        summary="Another agent than the one who left reconnects by redial.",
        message="agent {agent} reconnected by redial entry, but the last to leave was {last}",
        help=(
            "nothing to do when that is meant; otherwise send a cold transfer to {agent} instead "
            "of the NA exit and the redial entry"
        ),
        spec="Events, transfer types",
    ),
    _error(
        "SG208",
        "redial-while-held-by-another",
        summary="An agent reconnects by redial while another agent is primary.",
        message="agent {agent} reconnected by redial entry while {primary} was primary",
        help=(
            "send the NA exit of the dropped session first, a cold transfer to {agent}, or "
            "WARM entry and WARM exit when {agent} only joined"
        ),
        spec="Events, ordering rule 4",
        helps={
            "consulting": (
                "send WARM exit for each consultant and the NA exit of the dropped session "
                "first, a cold transfer to {agent}, or WARM entry and WARM exit when "
                "{agent} only joined"
            ),
        },
    ),
    _note(
        "SG209",
        "contradicting-send-flags",
        summary="The flags of a message say that it is not to be sent, or only the other side's.",
        message=(
            "a message by {author} had sendUserMessage {user} and sendAgentMessage {agent}, so it "
            "is not sent"
        ),
        help="send sendUserMessage true with a USER message, sendAgentMessage with an AGENT one",
        spec="Endpoints, E21",
    ),
    # Family 3: what stays the same within a conversation.
    _warning(
        "SG301",
        "experience-changed",
        summary="The experience changes within the conversation.",
        message="the experience changed from {first} to {experience} within the conversation",
        help="name one experience in all events of the conversation",
        spec="Events",
    ),
    _error(
        "SG302",
        "bot-changed",
        summary="A delivery names another bot than the conversation's first delivery.",
        message="a delivery named bot {bot} in a conversation that belongs to bot {first}",
        help="deliver all events of the conversation for bot {first}",
        spec="Endpoints, E21",
    ),
    # Family 4: transcription.
    _error(
        "SG401",
        "transcription-action-not-allowed",
        summary="A transcription action comes in a state that does not allow it.",
        message=(
            "agent {agent} sent transcription action {action} in state {state} "
            "(allowed there: {allowed})"
        ),
        help="send one of the allowed actions: {allowed}",
        spec="Endpoints, E1",
    ),
    _warning(
        "SG402",
        "repeated-transcription-action",
        summary="A transcription action repeats the one before it, or starts what is started.",
        message="agent {agent} sent transcription action {action} again",
        help="send each transcription action once",
        spec="Endpoints, E1",
    ),
    _warning(
        "SG403",
        "transcription-agent-absent",
        summary="A transcription action names an agent the conversation never had.",
        message=(
            "transcription action {action} named {agent}, who is not an agent of the conversation"
        ),
        help="name an agent of the conversation as agentId, or send the entry of {agent}",
        spec="Endpoints, E1",
    ),
    _warning(
        "SG404",
        "cold-exit-without-handover",
        summary="An agent leaves by COLD exit with transcription active and no handover pause.",
        message=(
            "agent {agent} left by {what} with transcription {state} and no pause handover=true "
            "since joining"
        ),
        help="send pause with handover true for {agent} before the COLD exit",
        spec="Endpoints, E1",
    ),
    _note(
        "SG405",
        "handover-without-exit",
        summary="A pause announces a handover, and the agent hands nothing over afterwards.",
        message="agent {agent} sent pause handover=true and never left by COLD or WARM exit then",
        help="send pause with handover false for a hold, or the COLD exit of {agent}",
        spec="Endpoints, E1",
    ),
    _warning(
        "SG406",
        "pause-contradicts-transfer",
        summary="An agent leaves by COLD exit with transcription on hold.",
        message="{what} of agent {agent} came while transcription was in state {state}",
        help="send pause with handover true for {agent} before the COLD exit",
        spec="Endpoints, E1",
    ),
    _warning(
        "SG407",
        "transcription-open-at-end",
        summary="The conversation or its log ends and transcription has not been ended.",
        message="the conversation closed with transcription still in state {state}",
        help="send transcription action end before the conversation ends",
        spec="Endpoints, E1",
    ),
    _warning(
        "SG408",
        "transcription-after-end",
        summary="Transcription is started, paused or resumed after END_OF_CONVERSATION.",
        message="agent {agent} sent transcription action {action} after END_OF_CONVERSATION",
        help="start, pause and resume transcription only while the conversation runs",
        spec="Endpoints, E1",
    ),
    # Family 5: the shape of a delivery.
    _error(
        "SG501",
        "unreadable-body",
        summary="A body cannot be read.",
        message="a body could not be read: {reason}",
        help="send one complete JSON object per delivery, with each key once",
        spec="Introduction (bodies are JSON)",
    ),
    _error(
        "SG502",
        "missing-field",
        summary="A required field is absent or null.",
        message="{field} of {of} {how}",
        help="{advice}",
        spec="Endpoints, E21 and E1; Events",
    ),
    _error(
        "SG503",
        "wrong-type",
        summary="A field has another JSON type than the specification gives it.",
        message="{field} of {of} came as {found} instead of {wanted}",
        help="send {field} as {wanted}",
        spec="Endpoints, E21 and E1; Events",
    ),
    _error(
        "SG504",
        "unknown-event",
        summary="An event has a name the specification does not know.",
        message="an event was named {value}, {how}",
        help=(
            "use INTERNAL_TRANSFER_EVENT, TRIGGER_SUMMARY_EVENT or END_OF_CONVERSATION, "
            "spelt exactly so"
        ),
        spec="Events",
    ),
    _error(
        "SG505",
        "unknown-value",
        summary="A field holds a value outside its list.",
        message="{field} of {of} was {value}, which is not one of the known values ({allowed})",
        help="send {field} as one of: {allowed}",
        spec="Endpoints, E21 and E1; Events",
    ),
    _error(
        "SG506",
        "bot-id-mismatch",
        summary="The body names another bot than its path or envelope.",
        message="one delivery named two bots, {bot} and {other} (body against path or envelope)",
        help="send the same bot id in the path and in botId",
        spec="Endpoints, E21",
    ),
    _warning(
        "SG507",
        "sentinel-identity",
        summary="An id is a placeholder that a program left behind.",
        message="{field} was {value}, a placeholder and not an id",
        help="fill in {field} before the delivery is sent",
        spec="Introduction (placeholders)",
    ),
    _error(
        "SG508",
        "empty-delivery",
        summary="A delivery has neither a message nor events.",
        message="a delivery came with {how}",
        help="{advice}",
        spec="Endpoints, E21",
    ),
    _error(
        "SG509",
        "unreadable-time",
        summary="A time in the log cannot be read.",
        message="time {value} could not be read",
        help=(
            "write times as ISO 8601 with an offset, such as 2026-03-02T09:00:00Z; a log may also "
            "have 03/02/2026 09:00:00 AM, 02.03.2026 09:00:00, 02/Mar/2026:09:00:00 +0100, seconds "
            "or milliseconds since 1970, or what --time-format says"
        ),
        spec="Not shown (times are the log's)",
    ),
    _warning(
        "SG510",
        "blank-around-id",
        summary="An id has blanks around it.",
        message="{field} was {value}, with blanks around the id",
        help="send {field} without the blanks",
        spec="Identifier shapes",
    ),
    _error(
        "SG512",
        "placeholder-conversation-id",
        summary="The conversation id is a placeholder, so several conversations may be mixed.",
        message="{field} was {value}, a placeholder, so several conversations may be mixed",
        help="fill in {field} before the delivery is sent",
        spec="Introduction (placeholders)",
    ),
    # Family 6: how deliveries arrive.
    _warning(
        "SG601",
        "duplicate-delivery",
        summary="An event comes twice in a row with the same content.",
        message="{what} came twice in a row with the same content and was counted once",
        help="send each event once, or with a delivery id so that a retry is recognised",
        spec="Events, END_OF_CONVERSATION",
    ),
    _warning(
        "SG602",
        "time-runs-backwards",
        summary="A line was received before one that comes earlier in the log.",
        message="a delivery received at {received_at} comes after one received at {latest}",
        help="sort the log by the time of receipt, or set the clocks of its writers",
        helps={
            "ahead": (
                "set the clock of the writer that said {latest}, which is ahead of the times "
                "before and after it, or sort the log by the time of receipt"
            ),
        },
        spec="Not shown (times are the log's)",
    ),
    _error(
        "SG603",
        "delivery-id-reused",
        summary="A delivery id comes again with another body.",
        message="delivery id {delivery_id} came again with another body",
        help="give every delivery an id of its own and reuse it for retries only",
        spec="Not shown (delivery ids are the sender's)",
    ),
    # Family 7: outbound calls, and what was asked for.
    _error(
        "SG701",
        "unknown-call-status",
        summary="A call notification has a status outside its list.",
        message="{field} of {of} was {value}, which is not one of the known values ({allowed})",
        help="send the status as one of: {allowed}",
        spec="Events, outbound call status notification",
    ),
    _error(
        "SG702",
        "repeated-final-status",
        summary="The final status of a call comes again with other content.",
        message="the call was reported {status} after it had been reported {before}",
        help="send one notification per call, with its final status",
        spec="Events, outbound call status notification",
    ),
    _error(
        "SG703",
        "status-after-final",
        summary="A call is reported answered after its final status.",
        message="the call was reported {status} after it had been reported {before}",
        help="send the final status only, or answered before it",
        spec="Events, outbound call status notification",
    ),
    _warning(
        "SG704",
        "reason-contradicts-status",
        summary="The reason code of a call notification belongs to another status.",
        message="a {status} call came with reason code {reason}",
        help=(
            "send Busy Here, Service Unavailable or Temporarily Unavailable with failed, and who "
            "disconnected with completed"
        ),
        spec="Events, outbound call status notification",
    ),
    _warning(
        "SG705",
        "impossible-duration",
        summary="The duration of a call cannot be.",
        message="the duration {duration} of a {status} call {how}",
        help="send the seconds from connect to disconnect, and none for a failed call",
        spec="Events, outbound call status notification",
    ),
    _warning(
        "SG706",
        "disconnect-before-connect",
        summary="A call was disconnected before it was connected.",
        message="the call was disconnected at {disconnected}, before {connected}, its connect time",
        help="send both times of one clock, with the date of each",
        spec="Events, outbound call status notification",
    ),
    _warning(
        "SG707",
        "machine-detection-mismatch",
        summary="The result of machine detection cannot be.",
        message="a {status} call came with machinedetection {value}, {how}",
        help=(
            "send one of the eight results that begin with amd_ when detection is on, disabled "
            "when it is off, and disconnect with failed calls only"
        ),
        spec="Events, outbound call status notification; Endpoints, E2",
    ),
    _note(
        "SG708",
        "call-without-agent",
        summary="A call was completed by a person, and no agent ever entered the conversation.",
        message="the call was completed, no machine was detected, and no agent had entered",
        help=(
            "nothing to do when a bot held the call; otherwise send NA entry when an agent accepts"
        ),
        spec="Events, outbound call status notification; Events, ordering rule 1",
    ),
    _warning(
        "SG709",
        "conversation-outlives-call",
        summary="An agent stays in the conversation when its call is over.",
        message="the conversation {how}",
        help=(
            "send the last exit within a minute of the disconnect, and no agents for a call that "
            "failed"
        ),
        spec="Events, outbound call status notification",
    ),
    _note(
        "SG710",
        "unasked-callback",
        summary="A notification or callback comes that nobody asked for.",
        message="a {what} came that does not belong to a request the host has named",
        help=(
            "name each request by expect_call or expect_transfer before it is sent, or look for "
            "who else uses the address"
        ),
        spec="Not shown (what was asked is the host's)",
    ),
    _note(
        "SG711",
        "transfer-went-elsewhere",
        summary="A transfer was confirmed, and another agent or queue took the conversation.",
        message="the transfer to {target} was confirmed, but {taker} joined by {what}",
        help=(
            "nothing to do when {target} passed the conversation on; otherwise look for the rule "
            "that routes it elsewhere, or for another request in between"
        ),
        spec="Endpoints, E9; Events, INTERNAL_TRANSFER_EVENT",
    ),
)
"""All rules, in the order of their codes."""

BY_CODE: Final[Mapping[str, Rule]] = MappingProxyType({rule.code: rule for rule in RULES})
"""The rules by code."""


def _rule(code: str) -> Rule:
    return BY_CODE[code]


def _reduced(rule: Rule) -> str | tuple[Any, ...]:
    """Pickle and copy a rule of the catalogue by its code, because there is one object a rule."""
    is_known = BY_CODE.get(rule.code) is rule
    return (_rule, (rule.code,)) if is_known else object.__reduce_ex__(rule, PROTOCOL)


copyreg.pickle(Rule, _reduced)
