"""Turns a request into a response, without reading or writing a byte itself.

`HttpApp.handle` is a generator. It yields effects (read the body, fetch keys, load, save, …), and
the drivers of `segue.server.processor` perform them. Route, method, credential and permission are
checked in this order. After that the handler of the route creates the response.
"""

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import Any, Final

from segue.core.errors import ConfigurationError, SchemaTooNew, StoreConflict, StoreUnavailable
from segue.server.http.auth import READ, Authenticator, Principal, Public
from segue.server.http.callback_urls import SignedUrls, key_of
from segue.server.http.framing import finished, in_origin_form
from segue.server.http.ingest_routes import ingest_routes
from segue.server.http.inspector_routes import Inspector, inspector_routes
from segue.server.http.observer import EffectRecord, Observer, RequestRecord
from segue.server.http.problem import Problem, problem_response
from segue.server.http.quarantine_routes import QUARANTINE_ROUTES
from segue.server.http.query_routes import QUERY_ROUTES
from segue.server.http.refusals import Refusals, refusal_routes
from segue.server.http.request import LIMITS, Body, Request, RequestLimits, Response
from segue.server.http.routes import BadParameter, Params, Route, not_allowed
from segue.server.processor import Processor, Unit

_LOG: Final = logging.getLogger("segue.http")
_TROUBLE: Final = (StoreUnavailable, StoreConflict, SchemaTooNew, ConfigurationError)
"""Exceptions that are answered with 503, because the store is unavailable or needs another version
of Segue."""
_REFUSED: Final = range(400, 500)
_PREFIX: Final = re.compile(r"(?:/[\w.~!$&'()*+,;=:@-]+)*")
"""A pattern for paths of RFC 3986, without percent signs, because paths of requests are decoded."""


@dataclass(eq=False, kw_only=True)
class HttpApp:
    """The HTTP application, which answers requests independently of the web framework.

    Adapters such as `asgi` convert requests of a server for it. Raises `ConfigurationError` if
    options contradict each other or have invalid values.
    """

    processor: Processor = field(kw_only=False)
    """The processor that applies deliveries and answers queries."""
    auth: Authenticator
    """The authenticator that identifies the sender of a request."""
    report_schema: Callable[[], Mapping[str, Any]]
    """A function that returns the JSON Schema of a report, for `/openapi.json`."""
    prefix: str = ""
    """The prefix of every path, such as `/segue`."""
    read: Authenticator | bool = False
    """The readers of conversations: False for no one, True for principals of `auth` with the
    permission `read`, or a separate authenticator."""
    inspector: Inspector | None = None
    """The page at `/inspect` and its data, or None if there is no such page."""
    callback_secret: str | bytes | None = field(default=None, repr=False)
    """The secret of signed callback addresses. If it is None, callbacks of the platform need a
    token as other requests do."""
    limits: RequestLimits = LIMITS
    """The maximum sizes and times of requests."""
    observers: Iterable[Observer] = ()
    """Functions that are called with a `RequestRecord` after each response."""
    clock: Callable[[], float] = perf_counter
    """A function that returns the time in seconds, for the durations in records."""
    routes: tuple[Route, ...] = field(init=False)
    """All routes. The first one whose path matches a request is used."""
    refusals: Refusals = field(init=False, default_factory=Refusals)
    """The last requests that were answered with 4xx, to show to readers."""

    def __post_init__(self) -> None:
        """Check the options and create the routes."""
        if self.prefix and (not self.prefix.startswith("/") or self.prefix.endswith("/")):
            raise ConfigurationError(
                f"`prefix` must begin with / and not end with it, got {self.prefix!r}"
            )
        if _PREFIX.fullmatch(self.prefix) is None:
            raise ConfigurationError(
                "`prefix` must be a path of letters, digits and -._~!$&'()*+,;=:@, "
                f"as in /segue/v1, got {self.prefix!r}"
            )
        if self.inspector is not None and self.read is False:
            raise ConfigurationError("`inspector` needs readers: name them with read=…")
        reader = self.auth if self.read is True else self.read
        if READ not in getattr(reader, "grantable", (READ,)):
            raise ConfigurationError(
                "`read` accepts no token: name the scope of readers, as in "
                'JwtAuth(…, scopes={"read": "Conversations"})'
            )
        secret = self.callback_secret
        self._signed = None if secret is None else SignedUrls(key_of(secret))
        self.observers = tuple(self.observers)
        self.routes = (
            *ingest_routes(),
            *(() if self.read is False else self._reading_routes()),
            *(() if self.inspector is None else inspector_routes(self.inspector)),
            *_STATUS_ROUTES,
            Route("describe", "/openapi.json", None, self._describe, "Document"),
        )
        self._table = [
            (route, route.methods, route.pattern(self.prefix), self._authenticator(route))
            for route in self.routes
        ]

    def handle(self, request: Request) -> Unit[Response]:
        """Return the response to one request, whose body has not been read yet.

        This is a generator. It yields effects, such as reading the body, for the adapter to
        perform. Before it returns, it calls the observers with a record of the request.
        """
        began, effects = self.clock(), list[EffectRecord]()
        body: Body | None = None
        route, variables, work = self._begin(request)
        result: Any = None
        failure: BaseException | None = None
        while not isinstance(work, Response):
            try:
                effect = work.send(result) if failure is None else work.throw(failure)
            except StopIteration as end:
                work = self._go_on(end.value, request, route, variables)
                result = failure = None
            except (BadParameter, *_TROUBLE) as error:
                work = _problem(error)
            else:
                since, result, failure = self.clock(), None, None
                try:
                    result = yield effect
                except BaseException as error:  # noqa: BLE001 - thrown into the work
                    failure = error
                kind = effect.name or type(effect).__name__.lstrip("_")
                seconds = self.clock() - since
                effects.append(EffectRecord(kind, since - began, seconds, failure is not None))
                body = result if isinstance(result, Body) else body
        is_read = body is not None and body.error is None
        work = work if is_read else (yield from finished(request, body, work))
        seconds = self.clock() - began
        record = RequestRecord(route.name, work.status, seconds, work.delivery, tuple(effects))
        for observer in self.observers:
            try:
                observer(record)
            except Exception as error:  # noqa: BLE001 - code of the host
                _LOG.error("an observer failed: %s", type(error).__name__)
        return replace(work, body=b"") if request.method == "HEAD" else work

    def _begin(self, request: Request) -> tuple[Route, Mapping[str, str], Unit[Any] | Response]:
        """Find the route of a request and start to authenticate its sender.

        Return the route, the variables of the path, and the generator that authenticates the
        sender. If the request can be answered at once, such as with 404 for an unknown path, return
        the response instead of the generator.
        """
        get = request.headers.get
        if get("content-length") is not None and get("transfer-encoding") is not None:
            # A cache may return the answer to another host.
            return _NOWHERE, {}, problem_response(Problem.BAD_LENGTH)
        for route, methods, pattern, auth in self._table:
            found = pattern.fullmatch(request.path)
            if found is None:
                continue
            allow = (("allow", ", ".join(methods)),)
            if request.method == "OPTIONS":
                return route, {}, Response(204, allow, b"")
            if request.method not in methods:
                return route, {}, problem_response(Problem.WRONG_METHOD, headers=allow)
            variables = found.groupdict()
            if isinstance(auth, SignedUrls):
                assert route.intake is not None
                return route, variables, auth.verify(request, route.intake, variables["botId"])
            return route, variables, auth.authenticate(request.headers)
        again = in_origin_form(request)
        missing = problem_response(Problem.NO_ROUTE)
        return (_NOWHERE, {}, missing) if again is request else self._begin(again)

    def _go_on(
        self,
        result: Principal | Problem | Response,
        request: Request,
        route: Route,
        variables: Mapping[str, str],
    ) -> Unit[Response] | Response:
        """Return the next step of answering a request, after a step has finished with `result`.

        If `result` is the authenticated sender, the next step is the generator of the route's
        handler, or a 403 response. If it is a problem or a response, the request is answered with
        it.
        """
        if isinstance(result, Response):
            answer = result
        elif isinstance(result, Problem):
            return problem_response(result)
        elif route.permission and route.permission not in result.permissions:
            answer = self._not_allowed(route)
        else:
            if route.intake is not None:  # its path may have been sent with more slashes
                path = self.prefix + route.intake.path.format_map(variables)
                request = replace(request, path=path)
            return route.respond(Params(request, variables, result, self.limits, self.processor))
        if route.intake is not None and answer.status in _REFUSED:
            self.refusals.add(route.name, variables["botId"], answer)
        return answer

    def _not_allowed(self, route: Route) -> Response:
        """Return a 403 response for a sender who lacks the permission, and log the reason.

        The log names the scope that would grant the permission, if the authenticator has scopes.
        """
        permission = route.permission or ""
        scope = getattr(self._authenticator(route), "scopes", {}).get(permission)
        if scope is not None:
            return not_allowed(f"for {permission} it lacks the scope", scope)
        return not_allowed("it lacks the permission", permission)

    def _reading_routes(self) -> tuple[Route, ...]:
        return *QUERY_ROUTES, *refusal_routes(self.refusals), *QUARANTINE_ROUTES

    def _authenticator(self, route: Route) -> Authenticator | SignedUrls:
        if self._signed is not None and route.intake is not None and route.intake.is_callback:
            return self._signed
        if route.permission is None:
            return Public()
        if route.permission == READ and not isinstance(self.read, bool):
            return self.read
        return self.auth

    def _describe(self, params: Params) -> Unit[Response]:
        """Describe the interface."""
        yield from ()
        servers = [{"url": params.request.mount + self.prefix or "/"}]
        return Response.of(200, self._description | {"servers": servers})

    @cached_property
    def _description(self) -> dict[str, Any]:
        from segue.server.http.openapi import describe  # importing it builds pydantic's models

        return describe(self.routes, self.report_schema(), self.limits)


def _problem(error: Exception) -> Response:
    """Convert an exception of a route's handler to a response.

    A `BadParameter` gives 400. An exception of the store gives 503 and is logged.
    """
    if isinstance(error, BadParameter):
        return problem_response(Problem.BAD_PARAMETER, parameter=str(error))
    _LOG.error("store unavailable: %s", str(error) or type(error).__name__)
    return problem_response(_UNAVAILABLE)


def _health(_: Params) -> Unit[Response]:
    """Report that the process is alive."""
    yield from ()
    return Response.of(200, {"status": "ok"})


def _ready(params: Params) -> Unit[Response]:
    """Report whether the store answers and callbacks are delivered."""
    if params.processor.is_stalled:
        return problem_response(Problem.CALLBACKS_STALLED)
    ready = yield from params.processor.queries.is_ready()
    return Response.of(200, {"status": "ready"}) if ready else problem_response(_UNAVAILABLE)


_UNAVAILABLE: Final = Problem.STORE_UNAVAILABLE
_NOWHERE: Final = Route("none", "", None, _health, "ServiceStatus")
"""A placeholder for requests without a route. Its handler is never called."""
_STATUS_ROUTES: Final = (
    Route("health", "/healthz", None, _health, "ServiceStatus"),
    Route(
        "ready",
        "/readyz",
        None,
        _ready,
        "ServiceStatus",
        problems=(_UNAVAILABLE, Problem.CALLBACKS_STALLED),
    ),
)
