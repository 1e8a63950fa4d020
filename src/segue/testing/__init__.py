"""Tools for testers: strategies, mutations, assertions, a backend machine, a conformance suite.

`valid_streams` and `invalid_streams` draw conversations, `assert_conforms` and `assert_violates`
judge them, `ConversationBackendMachine` runs a backend beside the reference, and
`conformance_suite` does the same in any language. A name is loaded when it is first used; only the
strategies and the machine need Hypothesis (extra `testing`).
"""

from importlib import import_module
from typing import TYPE_CHECKING

from segue.core.errors import ConfigurationError

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from segue.testing.assertion import assert_conforms, assert_violates, report_text
    from segue.testing.backend import (
        Backend, BackendAnswer, BackendDelivery, in_process, over_http,
    )
    from segue.testing.conformance import conformance_suite
    from segue.testing.conversation_run import ConversationOptions, ConversationRun
    from segue.testing.coverage import Coverage, count_reports
    from segue.testing.enumeration import Case, enumerate_streams
    from segue.testing.linearizability import (
        TimedCall, assert_linearizable, deliver_together, linearization,
    )
    from segue.testing.machine import STEPS, ConversationBackendMachine
    from segue.testing.minimal_examples import shortest_witness
    from segue.analysis.simulate.operators import OPERATORS
    from segue.testing.mutation import Mutation, mutations
    from segue.testing.offences import Violation, invalid_streams
    from segue.testing.payload import batches, payloads, spellings
    from segue.testing.platform_machine import PlatformMachine
    from segue.testing.platform_program import PlatformProgram, PlatformStep
    from segue.testing.reference import view
    from segue.testing.run_verdict import RunVerdict
    from segue.testing.sandbox_fixture import TestSandbox
    from segue.testing.sent_log import SentLog
    from segue.testing.stories import Story, story
    from segue.testing.streams import (
        any_streams, conversations, event_logs, prefixes, valid_streams,
    )
    from segue.testing.views import VIEW_KEYS, ViewKey
    # isort: on
    # fmt: on

__all__ = [
    "OPERATORS", "STEPS", "VIEW_KEYS", "Backend", "BackendAnswer", "BackendDelivery", "Case",
    "ConversationBackendMachine", "ConversationOptions", "ConversationRun", "Coverage",
    "Mutation", "PlatformMachine", "PlatformProgram", "PlatformStep", "RunVerdict",
    "SentLog", "Story", "TestSandbox", "TimedCall", "ViewKey", "Violation", "any_streams",
    "assert_conforms", "assert_linearizable", "assert_violates", "batches",
    "conformance_suite", "conversations", "count_reports",
    "deliver_together", "enumerate_streams", "event_logs", "in_process", "invalid_streams",
    "linearization", "mutations", "over_http", "payloads", "prefixes", "report_text",
    "shortest_witness", "spellings", "story", "valid_streams", "view",
]  # fmt: skip

_NAMES = {
    "assertion": "assert_conforms assert_violates report_text",
    "backend": "Backend BackendAnswer BackendDelivery in_process over_http",
    "conformance": "conformance_suite",
    "conversation_run": "ConversationOptions ConversationRun",
    "coverage": "Coverage count_reports",
    "enumeration": "Case enumerate_streams",
    "linearizability": "TimedCall assert_linearizable deliver_together linearization",
    "machine": "STEPS ConversationBackendMachine",
    "minimal_examples": "shortest_witness",
    "mutation": "OPERATORS Mutation mutations",
    "offences": "Violation invalid_streams",
    "payload": "batches payloads spellings",
    "platform_machine": "PlatformMachine",
    "platform_program": "PlatformProgram PlatformStep",
    "reference": "view",
    "run_verdict": "RunVerdict",
    "sandbox_fixture": "TestSandbox",
    "sent_log": "SentLog",
    "stories": "Story story",
    "streams": "any_streams conversations event_logs prefixes valid_streams",
    "views": "VIEW_KEYS ViewKey",
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Load a public name from its module when it is first used."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value: object = getattr(import_module(f"{__name__}.{module}"), name)
    except ModuleNotFoundError as error:
        if error.name != "hypothesis":
            raise
        msg = f'segue.testing.{name} needs an extra: python -m pip install "segue[testing]"'
        raise ConfigurationError(msg) from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
