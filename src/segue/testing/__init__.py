"""Strategies, assertions and state machines for testing backends and programs.

`valid_streams` and `invalid_streams` generate conversations, and `assert_conforms` and
`assert_violates` check them. `ConversationBackendMachine` compares a backend with the reference
implementation, and `conformance_suite` provides test cases as JSON for backends in any language.

Names are imported on first use. Only the strategies and the machines need Hypothesis, which the
extra `testing` installs.
"""

from typing import TYPE_CHECKING

from segue.core.lazy import lazy_names

if TYPE_CHECKING:
    from segue.analysis.simulate.operators import OPERATORS as OPERATORS
    from segue.testing.assertion import (
        assert_conforms as assert_conforms,
        assert_violates as assert_violates,
        report_text as report_text,
    )
    from segue.testing.backend import (
        Backend as Backend,
        BackendAnswer as BackendAnswer,
        BackendDelivery as BackendDelivery,
        in_process as in_process,
        over_http as over_http,
    )
    from segue.testing.conformance import conformance_suite as conformance_suite
    from segue.testing.conversation_run import (
        ConversationOptions as ConversationOptions,
        ConversationRun as ConversationRun,
    )
    from segue.testing.coverage import Coverage as Coverage, count_reports as count_reports
    from segue.testing.enumeration import Case as Case, enumerate_streams as enumerate_streams
    from segue.testing.linearizability import (
        TimedCall as TimedCall,
        assert_linearizable as assert_linearizable,
        deliver_together as deliver_together,
        linearization as linearization,
    )
    from segue.testing.machine import (
        STEPS as STEPS,
        ConversationBackendMachine as ConversationBackendMachine,
    )
    from segue.testing.minimal_examples import shortest_witness as shortest_witness
    from segue.testing.mutation import Mutation as Mutation, mutations as mutations
    from segue.testing.offences import Violation as Violation, invalid_streams as invalid_streams
    from segue.testing.payload import (
        batches as batches,
        payloads as payloads,
        spellings as spellings,
    )
    from segue.testing.platform_machine import PlatformMachine as PlatformMachine
    from segue.testing.platform_program import (
        PlatformProgram as PlatformProgram,
        PlatformStep as PlatformStep,
    )
    from segue.testing.reference import view as view
    from segue.testing.run_verdict import RunVerdict as RunVerdict
    from segue.testing.sandbox_fixture import TestSandbox as TestSandbox
    from segue.testing.sent_log import SentLog as SentLog
    from segue.testing.stories import Story as Story, story as story
    from segue.testing.streams import (
        any_streams as any_streams,
        conversations as conversations,
        event_logs as event_logs,
        prefixes as prefixes,
        valid_streams as valid_streams,
    )
    from segue.testing.views import VIEW_KEYS as VIEW_KEYS, ViewKey as ViewKey

_NAMES = {
    "segue.analysis.simulate.operators": "OPERATORS",
    "segue.testing.assertion": "assert_conforms assert_violates report_text",
    "segue.testing.backend": "Backend BackendAnswer BackendDelivery in_process over_http",
    "segue.testing.conformance": "conformance_suite",
    "segue.testing.conversation_run": "ConversationOptions ConversationRun",
    "segue.testing.coverage": "Coverage count_reports",
    "segue.testing.enumeration": "Case enumerate_streams",
    "segue.testing.linearizability": (
        "TimedCall assert_linearizable deliver_together linearization"
    ),
    "segue.testing.machine": "ConversationBackendMachine STEPS",
    "segue.testing.minimal_examples": "shortest_witness",
    "segue.testing.mutation": "Mutation mutations",
    "segue.testing.offences": "Violation invalid_streams",
    "segue.testing.payload": "batches payloads spellings",
    "segue.testing.platform_machine": "PlatformMachine",
    "segue.testing.platform_program": "PlatformProgram PlatformStep",
    "segue.testing.reference": "view",
    "segue.testing.run_verdict": "RunVerdict",
    "segue.testing.sandbox_fixture": "TestSandbox",
    "segue.testing.sent_log": "SentLog",
    "segue.testing.stories": "Story story",
    "segue.testing.streams": "any_streams conversations event_logs prefixes valid_streams",
    "segue.testing.views": "VIEW_KEYS ViewKey",
}

if not TYPE_CHECKING:  # type checkers would accept any name of a module with `__getattr__`
    __getattr__, __dir__, __all__ = lazy_names(__name__, _NAMES, extras={"hypothesis": "testing"})
