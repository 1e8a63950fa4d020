"""An observer that creates OpenTelemetry spans for requests. It needs the extra `otel`.

A span contains ids, codes and times, but no texts. Its parent is the current span of the host, if
there is one.
"""

from collections.abc import Callable
from time import time_ns

from segue.core.errors import ConfigurationError
from segue.server.http import RequestRecord

try:
    from opentelemetry.trace import SpanKind, Tracer, get_tracer, set_span_in_context
except ModuleNotFoundError as error:
    raise ConfigurationError(
        'OpenTelemetryObserver needs opentelemetry-api: pip install "segue[otel]"'
    ) from error

_NANOSECONDS = 1_000_000_000


class OpenTelemetryObserver:
    """Creates a span for every request, with a child span for every effect performed for it.

    Pass an instance to an adapter in `observers=`. Without a `tracer` it uses the global one.
    """

    def __init__(self, tracer: Tracer | None = None, clock: Callable[[], int] = time_ns) -> None:
        self._tracer = tracer or get_tracer("segue")
        self._clock = clock

    def __call__(self, request: RequestRecord) -> None:
        """Create the spans of one answered request, with their actual start and end times."""
        end = self._clock()
        start = end - round(request.seconds * _NANOSECONDS)
        span = self._tracer.start_span(
            f"segue {request.route}", kind=SpanKind.SERVER, start_time=start
        )
        span.set_attribute("http.response.status_code", request.status)
        if request.delivery is not None:
            delivery = request.delivery
            span.set_attribute("segue.outcome", delivery.outcome)
            span.set_attribute("segue.conversation_id", delivery.conversation_id or "")
            span.set_attribute("segue.bot_id", delivery.bot_id or "")
            span.set_attribute("segue.findings", [code for code, _ in delivery.findings])
        below = set_span_in_context(span)
        for effect in request.effects:
            began = start + round(effect.began * _NANOSECONDS)
            part = self._tracer.start_span(f"segue {effect.name}", below, start_time=began)
            part.set_attribute("segue.failed", effect.failed)
            part.end(began + round(effect.seconds * _NANOSECONDS))
        span.end(end)
