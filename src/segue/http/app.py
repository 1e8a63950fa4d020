"""The hook: a request becomes a response, without a byte read or written here.

It decides, in this order: route, method, credential, permission; then the route answers.  House
rules: it is a generator that asks (for the body, for keys, for what the processor needs) and is
told, so that every shell runs the same lines; whatever a sender sends is answered below 500; a
store that is not well is answered with 503 and a time to come back.  It does not know servers.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from time import perf_counter
from typing import Any, Final, TypeAlias

from segue.errors import ConfigurationError, SchemaTooNew, StoreConflict, StoreUnavailable
from segue.http.auth import Authenticator, Operation, Principal
from segue.http.ingest_routes import Sending
from segue.http.inspector_routes import Inspecting, Inspector
from segue.http.limits import LIMITS, Limits
from segue.http.observer import Observer, watched
from segue.http.openapi import describe
from segue.http.params import Call, Unusable
from segue.http.problem import Problem, answer, refuse
from segue.http.query_routes import Reading
from segue.http.request import Request, Response
from segue.http.route import ROUTES, Route, match
from segue.processor import Processor, Unit

__all__ = ["Hook"]

_LOG: Final = logging.getLogger("segue.http")

_Handler: TypeAlias = Callable[[Call], Unit[Response]]


class Hook:
    """All routes, behind one generator."""

    def __init__(  # noqa: PLR0913 - one setting each
        self,
        processor: Processor,
        *,
        auth: Authenticator,
        report_schema: Callable[[], Mapping[str, Any]],
        prefix: str = "",
        read: Authenticator | bool = False,
        inspector: Inspector | None = None,
        limits: Limits = LIMITS,
        observers: Iterable[Observer] = (),
    ) -> None:
        if prefix and (not prefix.startswith("/") or prefix.endswith("/")):
            raise ConfigurationError(f"prefix={prefix!r} must begin with / and not end with it")
        self._processor = processor
        self._auth = auth
        self._read = auth if read is True else None if read is False else read
        self._prefix, self._limits = prefix, limits
        self._observers = tuple(observers)
        self._report_schema = report_schema
        if inspector is not None and self._read is None:
            raise ConfigurationError(
                "the inspector shows what readers may see: say with read=… who they are"
            )
        sending, reading = Sending(processor), Reading(processor)
        self._handlers: dict[str, _Handler] = {
            "deliver": sending.deliver,
            "control": sending.control,
            "list": reading.list,
            "show": reading.show,
            "feed": reading.feed,
            "health": self._health,
            "ready": self._ready,
            "describe": self._describe,
        }
        if inspector is not None:
            inspecting = Inspecting(processor, inspector)
            self._handlers |= {"inspect": inspecting.inspect, "draw": inspecting.draw}

    def handle(self, request: Request) -> Unit[Response]:
        """Answer one request; its body has not been read yet."""
        found = match(self._path(request))
        route = None if found is None or self._is_off(found.route) else found.route
        named = {} if found is None else found.named
        unit = self._answering(request, route, named)
        response = yield from watched(
            unit, "none" if route is None else route.name, self._observers, perf_counter
        )
        if request.method == "HEAD":
            return Response(response.status, response.headers, b"")
        return response

    def _path(self, request: Request) -> str:
        head = self._prefix + "/"
        return request.path[len(self._prefix) :] if request.path.startswith(head) else ""

    def _is_off(self, route: Route) -> bool:
        return route.name not in self._handlers or (
            route.operation is Operation.READ and self._read is None
        )

    def _answering(
        self, request: Request, route: Route | None, named: Mapping[str, str]
    ) -> Unit[Response]:
        if route is None:
            return refuse(Problem.NO_ROUTE)
        allow = (("allow", ", ".join(route.methods)),)
        if request.method == "OPTIONS":
            return Response(204, allow, b"")
        if request.method not in route.methods:
            return refuse(Problem.WRONG_METHOD, headers=allow)
        try:
            return (yield from self._routed(request, route, named))
        except Unusable:
            return refuse(Problem.BAD_PARAMETER)
        except (StoreUnavailable, StoreConflict, SchemaTooNew) as error:
            _LOG.error("store unavailable: %s", type(error).__name__)
            return refuse(Problem.UNAVAILABLE)

    def _routed(self, request: Request, route: Route, named: Mapping[str, str]) -> Unit[Response]:
        principal: Principal | Problem = Principal()
        if route.operation is not None:
            principal = yield from self._principal(request, route.operation)
        if isinstance(principal, Problem):
            return refuse(principal)
        call = Call(request, named, principal, self._limits)
        return (yield from self._handlers[route.name](call))

    def _principal(self, request: Request, operation: Operation) -> Unit[Principal | Problem]:
        reader = self._read if operation is Operation.READ else None
        auth = self._auth if reader is None else reader
        principal = yield from auth.authenticate(request.headers)
        if isinstance(principal, Principal) and operation not in principal.may:
            return Problem.NOT_ALLOWED
        return principal

    def _health(self, _: Call) -> Unit[Response]:
        yield from ()
        return answer(200, {"status": "ok"})

    def _ready(self, _: Call) -> Unit[Response]:
        ready = yield from self._processor.ready()
        return answer(200, {"status": "ready"}) if ready else refuse(Problem.UNAVAILABLE)

    def _describe(self, call: Call) -> Unit[Response]:
        yield from ()
        server = call.request.mount + self._prefix
        return answer(200, self._description | {"servers": [{"url": server or "/"}]})

    @cached_property
    def _description(self) -> dict[str, Any]:
        routes = [route for route in ROUTES if not self._is_off(route)]
        return describe(self._report_schema(), limits=self._limits, routes=routes)
