"""Tables of the functions that perform requests, effects of moves and scheduled tasks."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from segue.platform.sandbox.operations import (
    administration,
    bots,
    campaigns,
    conversations,
    outbound_calls,
    routing,
)
from segue.platform.sandbox.requests import SandboxRequest
from segue.platform.sandbox.state import Effect, SandboxState, TaskEffect

OPERATIONS: Final[Mapping[str, Callable[[SandboxState, SandboxRequest], Any]]] = {
    "E1": conversations.control_transcription,
    "E2": outbound_calls.start_call,
    "E3": routing.create_queue,
    "E4": routing.list_queues,
    "E5": routing.update_queue,
    "E6": routing.update_skill_group,
    "E7": routing.update_agent_group,
    "E8": conversations.create_task,
    "E9": conversations.assign,
    "E10": campaigns.create_contact_list,
    "E11": campaigns.add_contacts,
    "E12": administration.create_users,
    "E13": routing.get_hours,
    "E14": bots.start_training,
    "E15": bots.get_training,
    "E16": administration.list_roles,
    "E17": administration.list_user_roles,
    "E18": bots.get_bot_import,
    "E19": bots.import_test_suite,
    "E20": bots.get_faq_training,
    "E21": conversations.take_events,
    "E22": routing.list_agents,
    "E23": campaigns.list_campaigns,
    "E24": campaigns.start_campaign,
    "E25": conversations.list_sessions,
    "E26": bots.update_language,
}
"""The functions that perform requests, by the number of the endpoint.

Each takes the state and the request, and returns the JSON value of the answer.
"""

EFFECTS: Final[Mapping[str, Effect]] = {
    "training": bots.show_training_steps,
    "bot import": bots.show_import_steps,
    "call": outbound_calls.follow_call,
    "transfer": conversations.follow_transfer,
}
"""The functions that are called after an object has entered a state.

The keys are the subjects of moves, such as "training".
"""

TASKS: Final[Mapping[str, TaskEffect]] = {
    "fail call": outbound_calls.fail_call,
    "hang up": outbound_calls.hang_up,
    "post": SandboxState.post,
    "store contacts": campaigns.store_contacts,
}
"""The functions that perform scheduled tasks, by the name of the task, such as "hang up"."""
