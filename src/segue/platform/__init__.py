"""A client and a sandbox for the contact-center platform that sends the events.

`Client` and `AsyncClient` call the 26 endpoints of the platform. `Sandbox` simulates the platform
on one machine, so that programs can be tested against it. All of them use one table of the
endpoints, `segue.platform.table`.
"""

from typing import TYPE_CHECKING

from segue.core.lazy import lazy_names

if TYPE_CHECKING:
    from segue.platform.client import (
        AsyncClient as AsyncClient,
        AsyncPages as AsyncPages,
        AsyncTransport as AsyncTransport,
        CannotPage as CannotPage,
        Client as Client,
        HttpTransport as HttpTransport,
        MemoryTransport as MemoryTransport,
        Pages as Pages,
        PlatformUnreachable as PlatformUnreachable,
        ReceivedAnswer as ReceivedAnswer,
        RequestRefused as RequestRefused,
        SentRequest as SentRequest,
        Transport as Transport,
        TransportFailed as TransportFailed,
    )
    from segue.platform.sandbox import (
        FAULTS as FAULTS,
        START as START,
        Fault as Fault,
        FaultPlace as FaultPlace,
        FaultPlan as FaultPlan,
        PostSender as PostSender,
        Sandbox as Sandbox,
        SandboxClock as SandboxClock,
        SentPost as SentPost,
        TruthLine as TruthLine,
        post_to_loopback as post_to_loopback,
    )

_NAMES = {
    "segue.platform.client": (
        "AsyncClient AsyncPages AsyncTransport CannotPage Client HttpTransport MemoryTransport "
        "Pages PlatformUnreachable ReceivedAnswer RequestRefused SentRequest Transport "
        "TransportFailed"
    ),
    "segue.platform.sandbox": (
        "FAULTS Fault FaultPlace FaultPlan PostSender START Sandbox SandboxClock SentPost "
        "TruthLine post_to_loopback"
    ),
}

if not TYPE_CHECKING:  # type checkers would accept any name of a module with `__getattr__`
    __getattr__, __dir__, __all__ = lazy_names(__name__, _NAMES)
