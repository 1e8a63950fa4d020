"""Property tests of the backend in samples/backend.py, with its bugs disabled.

python -m pytest samples/programs/test_call_registry.py

`CallRegistry()` has three bugs, and these tests find each of them.
"""

from samples.backend import CallRegistry

from segue.testing import STEPS, Backend, ConversationBackendMachine, in_process


def connect(*bugs: str) -> Backend:
    """Return the backend with a view of its state in the terms of the reference."""
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
    """Compares the backend with the reference after each event, in every accepted spelling."""

    def connect(self) -> Backend:
        """Return a new backend for each example."""
        return connect()


TestBackend = Machine.TestCase
TestBackend.settings = STEPS
