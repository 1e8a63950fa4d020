"""Check one conversation: events, the lifecycle table, findings and segments.

The core does no I/O, has no clock, starts no threads and logs nothing. Its packages, from bottom to
top, are `findings`, `events`, `lifecycle`, `transcription`, `calls`, `segments`, `wire`, `engine`,
`explain` and `conversation`. This package exports the types of reports and results.
"""

from typing import TYPE_CHECKING

from segue.core.lazy import lazy_names

if TYPE_CHECKING:
    from segue.core.conversation import (
        ControlResult as ControlResult,
        Conversation as Conversation,
        FeedResult as FeedResult,
        Input as Input,
        Report as Report,
        check as check,
    )
    from segue.core.engine import Entry as Entry, EventDetails as EventDetails
    from segue.core.events import (
        ActionKind as ActionKind,
        Delivery as Delivery,
        Event as Event,
        EventKind as EventKind,
        Flaw as Flaw,
        IdSource as IdSource,
        Intake as Intake,
        ReceiptKind as ReceiptKind,
    )
    from segue.core.explain import (
        Alternative as Alternative,
        Edit as Edit,
        EditKind as EditKind,
        Mistake as Mistake,
    )
    from segue.core.findings import (
        RULES as RULES,
        Cause as Cause,
        Finding as Finding,
        Place as Place,
        Policy as Policy,
        Rule as Rule,
        Severity as Severity,
    )
    from segue.core.lifecycle import Phase as Phase
    from segue.core.segments import (
        Connection as Connection,
        Drop as Drop,
        Metrics as Metrics,
        ResponseTimes as ResponseTimes,
        Segment as Segment,
        Transfer as Transfer,
    )
    from segue.core.transcription import (
        AllowedAction as AllowedAction,
        StateInterval as StateInterval,
        TranscriptionState as TranscriptionState,
    )
    from segue.core.wire import BodyLimits as BodyLimits

_NAMES = {
    "segue.core.conversation": "ControlResult Conversation FeedResult Input Report check",
    "segue.core.engine": "Entry EventDetails",
    "segue.core.events": "ActionKind Delivery Event EventKind Flaw IdSource Intake ReceiptKind",
    "segue.core.explain": "Alternative Edit EditKind Mistake",
    "segue.core.findings": "Cause Finding Place Policy RULES Rule Severity",
    "segue.core.lifecycle": "Phase",
    "segue.core.segments": "Connection Drop Metrics ResponseTimes Segment Transfer",
    "segue.core.transcription": "AllowedAction StateInterval TranscriptionState",
    "segue.core.wire": "BodyLimits",
}

if not TYPE_CHECKING:  # type checkers would accept any name of a module with `__getattr__`
    __getattr__, __dir__, __all__ = lazy_names(__name__, _NAMES)
