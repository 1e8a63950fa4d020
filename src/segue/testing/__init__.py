"""Tools for testers: strategies, mutations, assertions, a backend machine, a conformance suite.

`valid_streams` and `invalid_streams` draw conversations, `assert_conforms` and `assert_violates`
judge them, `ConversationBackendMachine` runs a backend beside the reference, and
`conformance_suite` does the same in any language. A name is loaded when it is first used; only the
strategies and the machine need Hypothesis (extra `testing`).
"""

from importlib import import_module
from typing import TYPE_CHECKING

from segue.errors import ConfigurationError

if TYPE_CHECKING:
    from segue.testing.assertion import assert_conforms as assert_conforms
    from segue.testing.assertion import assert_violates as assert_violates
    from segue.testing.assertion import report_text as report_text
    from segue.testing.backend import Backend as Backend
    from segue.testing.backend import in_process as in_process
    from segue.testing.backend import over_http as over_http
    from segue.testing.conformance import conformance_suite as conformance_suite
    from segue.testing.coverage import Coverage as Coverage
    from segue.testing.coverage import count_reports as count_reports
    from segue.testing.enumeration import Case as Case
    from segue.testing.enumeration import enumerate_streams as enumerate_streams
    from segue.testing.linearizability import TimedCall as TimedCall
    from segue.testing.linearizability import assert_linearizable as assert_linearizable
    from segue.testing.linearizability import deliver_together as deliver_together
    from segue.testing.linearizability import linearization as linearization
    from segue.testing.machine import STEPS as STEPS
    from segue.testing.machine import ConversationBackendMachine as ConversationBackendMachine
    from segue.testing.minimal_examples import shortest_witness as shortest_witness
    from segue.testing.mutation import OPERATORS as OPERATORS
    from segue.testing.mutation import Mutation as Mutation
    from segue.testing.mutation import mutations as mutations
    from segue.testing.offences import Violation as Violation
    from segue.testing.offences import invalid_streams as invalid_streams
    from segue.testing.payload import batches as batches
    from segue.testing.payload import payloads as payloads
    from segue.testing.payload import spellings as spellings
    from segue.testing.reference import view as view
    from segue.testing.sent_log import SentLog as SentLog
    from segue.testing.stories import Story as Story
    from segue.testing.stories import story as story
    from segue.testing.streams import any_streams as any_streams
    from segue.testing.streams import conversations as conversations
    from segue.testing.streams import event_logs as event_logs
    from segue.testing.streams import prefixes as prefixes
    from segue.testing.streams import valid_streams as valid_streams

_MODULES = {
    "assertion": ("assert_conforms", "assert_violates", "report_text"),
    "backend": ("Backend", "in_process", "over_http"),
    "conformance": ("conformance_suite",),
    "coverage": ("Coverage", "count_reports"),
    "enumeration": ("Case", "enumerate_streams"),
    "linearizability": ("TimedCall", "assert_linearizable", "deliver_together", "linearization"),
    "machine": ("STEPS", "ConversationBackendMachine"),
    "mutation": ("OPERATORS", "Mutation", "mutations"),
    "offences": ("Violation", "invalid_streams"),
    "payload": ("batches", "payloads", "spellings"),
    "sent_log": ("SentLog",),
    "reference": ("view",),
    "streams": ("any_streams", "conversations", "event_logs", "prefixes", "valid_streams"),
    "stories": ("Story", "story"),
    "minimal_examples": ("shortest_witness",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}
_ORDER = sorted(_HOME, key=lambda name: (not name.isupper(), name[0].islower(), name))

__all__ = list(_ORDER)


def __getattr__(name: str) -> object:
    """Load a public name from its module when it is first used."""
    module = _HOME.get(name)
    if module is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
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
    return list(__all__)
