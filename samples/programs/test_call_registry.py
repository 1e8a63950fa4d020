"""Property tests of the backend in samples/backend.py, with its mistakes switched off.

python -m pytest samples/programs/test_call_registry.py

`CallRegistry()` has three mistakes, and these tests find each of them.
"""

from samples.backend import CallRegistry

from segue.testing import STEPS, Backend, ConversationBackendMachine, in_process


def connect(*bugs: str) -> Backend:
    """Return the backend with what it knows of a conversation, in the words of the reference."""
    calls = CallRegistry(bugs)

    def known(conversation_id: str) -> dict[str, object]:
        call = calls.look(conversation_id)
        return {
            "primary": call["owner"],
            "consultants": call["helpers"],
            "segment_agents": call["stays"],
            "ended": call["over"],
        }

    return in_process(calls.receive, view=known)


class Machine(ConversationBackendMachine):
    """The backend beside the reference, event by event, in every accepted spelling."""

    def connect(self) -> Backend:
        """Return a new backend for each example."""
        return connect()


TestBackend = Machine.TestCase
TestBackend.settings = STEPS
